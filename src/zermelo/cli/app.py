"""The command line: `zermelo`, or `python -m zermelo`.

What is asked for goes to standard output, with --json as one object a line and nothing else. Whatever
is wrong ends in one sentence on standard error: exit code 2 for what cannot be used, 1 for a check that
fails, 130 after Ctrl-C. `python -X dev -m zermelo` shows where an error comes from.
"""

from __future__ import annotations

import re
import sys
import textwrap
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from typer.core import TyperGroup

from .. import __version__, registry
from ..errors import ZermeloError, nearest
from ..game import CHANCE, Game
from ..history import start_of
from ..search.perft import perft as count
from ..search.playouts import playouts as play_at_random
from ..settings import parameters_of, written
from ..system import interrupt
from . import belief, books, engines, explain, match, play, records, search, solve, tables, train
from .board_view import SEES_EVERYTHING, SEES_KNOWN, seen, seen_line
from .options import MAX_THREADS, AsJson, GameText, Seed, StateText, seat_of, state_of
from .output import aside, complain, ending, interruptible, one_line, progress, refuse, say, say_json, say_table, styled

T = TypeVar("T")

MAX_COUNTED_DEPTH = 1000  # a tree that can be counted so deep has hardly a choice in it, and native recursion needs its stack
RECOUNT_SECONDS = 10.0  # seconds within which a count is made a second time, as the first one also loads or compiles the code

#: what typer raises for a command line that it cannot use; its own name for it differs between versions
UsageError: type[Exception] = typer.BadParameter.__mro__[1]


class Commands(TyperGroup):
    """The commands in the order in which they are written, with a suggestion for one that is not there."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        found = super().get_command(ctx, cmd_name)
        if found is None:
            hint = nearest(cmd_name.lower(), self.commands) or f": expected one of {', '.join(self.commands)}"
            raise ZermeloError(f"there is no command '{cmd_name}'{hint}")
        return found

    def list_commands(self, ctx: Any) -> list[str]:
        return list(self.commands)


app = typer.Typer(cls=Commands, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)

# ---- the commands ----------------------------------------------------------------------------


@app.callback(invoke_without_command=True)
def start(context: typer.Context, version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    """Write the rules of a game once, in plain Python: play it interpreted, as native code, and on a GPU."""
    if version:
        say(f"zermelo {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        say(context.get_help())


@app.command()
def games(as_json: AsJson = False) -> None:
    """List the games that can be had by name."""
    with aside(as_json):
        found = [_about(name) for name in registry.names()]
    if as_json:
        for about in found:
            say_json(about)
        return
    rows = []
    for about in found:
        traits = [word for word in ("chance", "hidden") if about[word]]
        told = " ".join(key if value is None else f"{key}={written(value)}" for key, value in about["parameters"].items())
        rows.append([about["name"], about["about"], str(about["players"] or "?"), ", ".join(traits), told])
    say_table(["name", "what it is", "players", "with", "parameters"], rows)


@app.command()
def show(
    game: GameText,
    state: StateText = None,
    who: Annotated[str | None, typer.Option("--player", metavar="NAME", help="Draw what this player sees (default: everything).")] = None,
) -> None:
    """Draw a state and list its legal actions."""
    it = registry.game(game)
    s = state_of(it, state)
    s = start_of(it, s)
    p = None if who is None else seat_of(it, who)
    say(seen(it, s, p))
    say()
    say(f"state     {it.write_state(s) if p is None else seen_line(it, s, p)}")
    if it.has_hidden:
        say(f"sees      {SEES_EVERYTHING if p is None else SEES_KNOWN}")
    if it.is_terminal(s):
        say(f"utility   {_utilities([it.utility(s, p) for p in range(it.players)])}")
        return
    mover = it.to_move(s)
    if p is not None and mover != p and it.has_hidden:
        return
    say(f"to move   {'chance' if mover == CHANCE else f'player {mover}'}")
    actions = [it.write_action(s, a) + (f" ({it.probability(s, a):.3g})" if mover == CHANCE else "") for a in it.actions(s)]
    lines = textwrap.wrap("  ".join(actions), 90, break_long_words=False, break_on_hyphens=False)
    say("actions   " + "\n          ".join(lines))


@app.command()
def perft(
    game: GameText,
    depth: Annotated[str, typer.Argument(metavar="DEPTH", help="Depth in actions, or all for complete games.")],
    state: StateText = None,
    as_json: AsJson = False,
    interpreted: Annotated[bool, typer.Option("--interpreted", help="Count in plain Python, without native code.")] = False,
) -> None:
    """Count the ways to play on: a fingerprint of the rules."""
    if depth != "all" and not (depth.isascii() and depth.isdigit() and int(depth[:9]) <= MAX_COUNTED_DEPTH):
        raise ZermeloError(f"expected a depth from 0 to {MAX_COUNTED_DEPTH:,}, or all for complete games, not '{depth}'")
    with aside(as_json):
        it = registry.game(game)
        s = state_of(it, state)
        plies = None if depth == "all" else int(depth)
        nodes, seconds = _timed(lambda: count(it, plies, s, interpreted=interpreted))
        if not interpreted and seconds < RECOUNT_SECONDS:
            nodes, seconds = _timed(lambda: count(it, plies, s))
    if as_json:
        say_json({"game": repr(it), "depth": depth if plies is None else plies, "nodes": nodes, "seconds": seconds})
    else:
        noun = "complete games" if plies is None else f"nodes at depth {plies}"
        say(f"{it!r}: {nodes:,} {noun} in {seconds:.3f} s, {nodes / max(seconds, 1e-9):,.0f} per second")


@app.command()
def playouts(
    game: GameText,
    number: Annotated[int | None, typer.Option("--games", metavar="N", help="Number of games.")] = None,
    seconds: Annotated[float | None, typer.Option(metavar="S", help="Seconds to play for (default: 1).")] = None,
    seed: Seed = 0,
    threads: Annotated[int | None, typer.Option(metavar="N", help="Number of threads (default: all cores).")] = None,
    device: Annotated[str, typer.Option(metavar="cpu|cuda", help="Where to play.")] = "cpu",
    state: StateText = None,
    as_json: AsJson = False,
) -> None:
    """Play random games and sum them up."""
    if number is None and seconds is None:
        seconds = 1.0
    if threads is not None and threads > MAX_THREADS:
        raise ZermeloError(f"expected at most {MAX_THREADS:,} threads, not {threads:,}")
    with aside(as_json):
        it = registry.game(game)
        s = state_of(it, state)
        done = interruptible(lambda: play_at_random(it, number, seconds=seconds, seed=seed, device=device, state=s, threads=threads))
    if as_json:
        keys = ("game", "device", "threads", "games", "moves", "seconds", "games_per_second", "moves_per_second")
        say_json({key: getattr(done, key) for key in keys} | {"utility": list(done.utility)})
        return
    where = "a GPU" if done.device == "cuda" else f"{done.threads} thread{'s' if done.threads > 1 else ''}"
    say(f"{done.game}: {done.games:,} random games in {done.seconds:.2f} s on {where}")
    say(f"games/s   {done.games_per_second:,.0f}")
    say(f"moves/s   {done.moves_per_second:,.0f}")
    say(f"length    {done.moves / done.games:,.1f} moves a game")
    say(f"utility   {_utilities(done.utility)}")
    if done.unfinished:
        say(f"          {done.unfinished:,} games were given up unfinished, and count as 0")


app.command()(search.search)
app.command()(search.ordering)
app.command()(explain.explain)
app.command()(play.play)
app.command()(play.analyse)
app.command()(train.label)
app.command()(train.train)
app.command()(train.runs)
app.add_typer(tables.app, name="table")
app.add_typer(books.app, name="book")
app.command()(solve.solve)
app.command()(solve.strategy)
app.command()(belief.belief)
app.command()(engines.players)
app.command()(match.match)
app.command()(match.tournament)
app.command()(records.ratings)
app.command()(records.replay)
app.command("export")(records.export)
app.command("import")(records.import_)
app.command()(engines.uci)
app.command()(engines.gtp)
app.command("serve-json")(engines.serve_json)


@app.command()
def check(
    game: GameText,
    number: Annotated[int, typer.Option("--games", metavar="N", help="Number of random games to look at.")] = 200,
    states: Annotated[int, typer.Option(metavar="N", help="Look at every state if there are at most N.")] = 20_000,
    seed: Seed = 0,
    no_cuda: Annotated[bool, typer.Option("--no-cuda", help="Leave out what concerns a GPU.")] = False,
    limit: Annotated[float, typer.Option(metavar="S", help="Seconds after which a rule that gives no answer is given up.")] = 60.0,
    as_json: AsJson = False,
) -> None:
    """Check that a game holds what every game must."""
    from ..check import check_apart as examine

    report = examine(game, games=number, states=states, seed=seed, cuda=not no_cuda, limit=limit, quiet=as_json, on_progress=progress)
    progress("")
    if as_json:
        for f in report.findings:
            say_json({"game": report.game, "what": f.what, "ok": f.ok, "detail": f.detail, "state": f.state})
    else:
        wide = max(len(f.what) for f in report.findings)
        colours = {True: typer.colors.GREEN, False: typer.colors.RED, None: typer.colors.BRIGHT_BLACK}
        for f in report.findings:
            mark = {True: "ok", False: "FAIL", None: "skipped"}[f.ok]
            say(f"{styled(f'{mark:<8}', fg=colours[f.ok])}{f.what:<{wide}}  {f.detail}")
            if f.ok is False and f.state:
                say(f"{'':8}{'':<{wide}}  in the state {f.state}")
        wrong = sum(f.ok is False for f in report.findings)
        told = f"all {report.states:,} states" if report.exhaustive else f"{report.states:,} states"
        say(f"{report.game}: {f'{wrong} of {len(report.findings)} checks fail' if wrong else 'nothing wrong'}, {told} looked at")
    if not report.ok:
        raise typer.Exit(1)


@app.command()
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the class, like Takeaway.")],
    folder: Annotated[Path, typer.Option("--in", metavar="FOLDER", help="Where to write the files.")] = Path(),
) -> None:
    """Write a game to begin with, and its test."""
    from .scaffold import commands, write

    file, test = write(name, folder)
    say(f"{file} is a game, {test} its test; change them into yours. To try them (the last one needs pytest):")
    for command in commands(file, test):
        say(f"  {command}")


@app.command()
def cache(
    what: Annotated[str, typer.Argument(metavar="[show|clear]", help="What to do with it.")] = "show",
    clear: Annotated[bool, typer.Option("--clear", help="The same as clear.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show, or clear, the native code kept on disk."""
    from ..lower import cache as kept

    if what not in ("show", "clear"):
        raise ZermeloError(f"expected show or clear, not '{what}'{nearest(what, ('show', 'clear'))}")
    if clear or what == "clear":
        removed = kept.clear()
        if left := len(list(kept.entries())):
            raise ZermeloError(f"{left} entries of {kept.root()} could not be removed: may you write there?")
        if as_json:
            say_json({"folder": str(kept.root()), "removed": removed})
        else:
            say(f"{removed:,} {_entries(removed)} removed from {kept.root()}")
        return
    found = [(str(about.get("game", "?")), str(about.get("algorithm", "?")), size, key) for key, about, size in kept.entries()]
    if as_json:
        for game, algorithm, size, key in found:
            say_json({"game": game, "algorithm": algorithm, "bytes": size, "folder": str(kept.root() / key)})
        return
    if found:
        rows = [[game, algorithm, f"{size:,}", key] for game, algorithm, size, key in found]
        say_table(["game", "algorithm", "bytes", "folder"], rows)
    total = sum(size for *_, size, _ in found)
    say(f"{len(found):,} {_entries(len(found))}, {total:,} bytes in {kept.root()}")


# ---- what they share -------------------------------------------------------------------------


def _about(name: str) -> dict[str, Any]:
    """What `zermelo games` lists of a game; if it does not load, why."""
    try:
        cls = registry.find(name)
        takes = parameters_of(cls)
        players = registry.game(name).players if all(p.default is not p.empty for p in takes.values()) else cls.players
    except ZermeloError as error:
        return {"name": name, "about": one_line(str(error)), "players": None, "chance": False, "hidden": False, "parameters": {}}
    texts = (cls.__doc__, sys.modules[cls.__module__].__doc__)
    if cls.__module__.startswith("zermelo.games."):  # a module for each game, that begins with what it is
        texts = texts[::-1]
    return {
        "name": name,
        "about": next((text.strip().splitlines()[0] for text in texts if text and text.strip()), ""),
        "players": players,
        "chance": cls.probability is not Game.probability,
        "hidden": cls.observe is not Game.observe,
        "parameters": {key: None if p.default is p.empty else p.default for key, p in takes.items()},
    }


def _utilities(values: Iterable[float]) -> str:
    return "  ".join(f"player {p}: {x:+.4g}" for p, x in enumerate(values))


def _entries(n: int) -> str:
    return "entry" if n == 1 else "entries"


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    began = time.perf_counter()
    done = interruptible(work)
    return done, time.perf_counter() - began


# ---- running ---------------------------------------------------------------------------------


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    try:
        interrupt.begin_command()
        code = ending(lambda: run(sys.argv[1:] if argv is None else argv))
        interrupt.end_command(code)
    except KeyboardInterrupt:  # as it was about to end
        complain("interrupted")
        code = interrupt.CODE
        interrupt.end_command(code)
    return code


def run(argv: Sequence[str]) -> int:
    """Run one command; whatever goes wrong, say so in one sentence and return the exit code."""
    try:
        command = typer.main.get_command(app)
        with command.make_context("zermelo", list(argv)) as context:
            command.invoke(context)
        return 0
    except typer.Exit as end:
        return end.exit_code
    except KeyboardInterrupt:
        complain("interrupted")
        return interrupt.CODE
    except UsageError as error:
        return refuse(ZermeloError(_usage(error)))
    except Exception as error:
        return refuse(error)


def _usage(error: Any) -> str:
    """What typer found wrong with the command line."""
    told = one_line(error.format_message()).removesuffix(".")
    if re.fullmatch(r"-[0-9]", getattr(error, "option_name", "")):
        told = "expected a number that is not negative"
    context = getattr(error, "ctx", None)
    return told[:1].lower() + told[1:] + (f"; {context.command_path} --help lists what it takes" if context else "")
