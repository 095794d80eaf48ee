"""The commands about endgame tables: `table build`, `info`, `verify`, `probe`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .. import registry
from ..errors import ZermeloError
from ..games import UCI
from .options import AsJson, GameText, StateText, state_of
from .output import aside, interruptible, progress, say, say_json, say_table

if TYPE_CHECKING:  # commands that do none of this import none of it
    from ..game import Game, State
    from ..search.endgames.folder import FolderTable
    from ..search.endgames.table import About, Table

app = typer.Typer(add_completion=False, rich_markup_mode=None, help="Build endgame tables, check them, look states up.")

TableFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="A file that zermelo table build wrote; to verify or probe, also a folder of Syzygy's.")
]
OfGame = Annotated[str, typer.Option("--game", metavar="GAME", help="The game (default: the one that the file names).")]


@app.command()
def build(
    game: GameText,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    ending: Annotated[str, typer.Option(metavar="TEXT", help="The ending, of a game that numbers its states: KQKR, or 3 for all.")] = "",
    pieces: Annotated[int | None, typer.Option(metavar="N", help="All endings of at most N pieces: the same as --ending N.")] = None,
    state: StateText = None,
    limit: Annotated[int, typer.Option(metavar="N", help="The most states of a game that numbers none.")] = 10_000_000,
    threads: Annotated[
        int, typer.Option(metavar="N", help="Endings that are built side by side, each in a thread with its own memory.")
    ] = 1,
    device: Annotated[str, typer.Option(metavar="cpu|cuda", help="Where the states that lead beyond an opening are searched.")] = "cpu",
    table: Annotated[int, typer.Option(metavar="MB", help="MiB of memory that this search has for states met before.")] = 1024,
    as_json: AsJson = False,
) -> None:
    """Build the table of an ending, an opening or all states that can be reached: who wins, in how many plies; with chance: its worth."""
    from ..lookup.build import build_table

    if not file.resolve().parent.is_dir():
        raise ZermeloError(f"cannot write {file}: the folder {file.parent} does not exist")
    if pieces is not None and ending:
        raise ZermeloError("expected --ending or --pieces, not both")
    with aside(as_json):
        it = registry.game(game)
        s, ending = state_of(it, state), ending if pieces is None else str(pieces)
        asked: dict[str, Any] = {"ending": ending, "state": s, "limit": limit, "threads": threads, "device": device, "table": table}
        about = interruptible(lambda: build_table(it, file, progress=_progress, **asked))
        progress("")
    _say_about(about, file, as_json)


@app.command()
def info(file: TableFile, as_json: AsJson = False) -> None:
    """Show what a table says of itself."""
    _say_about(_open(file).about, file, as_json)


@app.command()
def results(
    file: TableFile, to: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write.")], as_json: AsJson = False
) -> None:
    """Write the results of a table alone, without plies: a small file for searches that meet its states, not for play from it."""
    from ..search.endgames.table import save_results

    if not to.resolve().parent.is_dir():
        raise ZermeloError(f"cannot write {to}: the folder {to.parent} does not exist")
    with aside(as_json):
        about = save_results(_open(file), to)
    _say_about(about, to, as_json)


@app.command()
def verify(file: TableFile, game: OfGame = "", as_json: AsJson = False) -> None:
    """Derive every value of a table again, forwards from its actions; of Syzygy's files the checksums. Exit code 1 if one is wrong."""
    from ..lookup.verify import verify_table
    from ..search.endgames.table import Table, find_table

    with aside(as_json):
        table = find_table(str(file))
        it = registry.game(game or table.about.game or UCI)
    if not isinstance(table, Table):
        _verify_folder(table, it, file, as_json)
        return
    if table.about.is_results:
        raise ZermeloError(f"{file} has results without plies, which prove nothing by themselves: expected the table that it was made of")
    with aside(as_json):
        found = interruptible(lambda: verify_table(table, it, _progress))
        progress("")
    if as_json:
        say_json({"file": str(file), "states": found.states, "contradictions": found.wrong, "example": found.example})
    else:
        say(f"{file}: {found.states:,} states, {found.wrong:,} contradict their actions")
        if found.wrong:
            say(f"one of them is {found.example}")
    if found.wrong:
        raise typer.Exit(1)


def _verify_folder(table: FolderTable, game: Game, folder: Path, as_json: bool) -> None:
    """Read all files of a folder and tell which are damaged."""
    found, values, wrong = 0, 0, list[str]()
    with aside(as_json):
        for path, count, sentence in table.verify(game):
            progress(f"{path.name}: {found + 1:,} files")
            found, values = found + 1, values + count
            wrong += [sentence] if sentence else []
        progress("")
    if as_json:
        say_json({"file": str(folder), "files": found, "values": values, "wrong": wrong})
    else:
        say(f"{folder}: {found:,} files with {values:,} values, {len(wrong):,} of them damaged or not checked")
        for sentence in wrong:
            say(sentence)
    if wrong:
        raise typer.Exit(1)


@app.command()
def probe(file: TableFile, state: StateText = None, game: OfGame = "", as_json: AsJson = False) -> None:
    """Look up a state and the states after its actions."""
    from ..search.endgames.table import Table, find_table
    from ..search.endgames.values import NO_STATE, preference

    with aside(as_json):
        table = find_table(str(file))
        it = registry.game(game or table.about.game or UCI)
        table.check_game(it)
        s = it.initial() if state is None else state_of(it, state)
        v = table.value(it, s)
        value = table.expected(it, s) if isinstance(table, Table) and table.about.is_expected else None
        if v == NO_STATE and value is None:
            raise ZermeloError(f"{file} does not have the state {it.write_state(s)}")
        found = table.action_values(it, s) if value is None else {}
    if value is not None:
        _say_expected(it, s, value, as_json)
        return
    has_plies = not table.about.is_results
    actions = sorted(found.items(), key=lambda pair: preference(pair[1]), reverse=True)
    told = [(it.write_action(s, a), w) for a, w in actions]
    if as_json:
        after = [{"action": name} | _outcome(w, has_plies) for name, w in told]
        say_json({"state": it.write_state(s)} | _outcome(v, has_plies) | {"actions": after})
        return
    say(f"{it.write_state(s)}: {_words(v, has_plies)}")
    say_table(["action", "outcome"], [[name, _words(w, has_plies)] for name, w in told])
    if not told:
        say("The table ends here: it lacks a state after this one.")
    if not table.is_in_memory:
        say("Plies are counted to the next capture, pawn's move or mate.")


def _say_expected(game: Game, s: State, value: float, as_json: bool) -> None:
    p = game.perspective(s)
    if as_json:
        say_json({"state": game.write_state(s), "player": p, "value": value})
    else:
        say(f"{game.write_state(s)}: worth {value:+.5f} to {game.player_name(p)}")


def _open(file: Path) -> Table:
    from ..search.endgames.table import Table, find_table

    table = find_table(str(file))
    if not isinstance(table, Table):
        raise ZermeloError(f"{file} is a folder: expected a file that zermelo table build wrote")
    return table


def _progress(what: str, done: int, whole: int) -> None:
    progress(f"{what} {done:,} of {whole:,}")


def _say_about(about: About, file: Path, as_json: bool) -> None:
    told: dict[str, Any] = {
        "file": str(file),
        "game": about.game,
        "endings": [] if about.is_by_key else [name for name, _, _ in about.ranges],
        "start": about.start,
        "bytes": file.stat().st_size,
        "states": about.states,
        "won": about.won,
        "lost": about.lost,
        "drawn": about.drawn,
        "results": about.is_results,
        "longest": about.longest,
        "seconds": about.seconds,
    }
    if as_json:
        say_json(told)
        return
    of = f"from {about.start}" if about.is_by_key else " ".join(told["endings"])
    say(f"{about.game}, {of}")
    if about.is_expected:
        both_sided = about.states - about.sides
        if both_sided:
            say(f"states    {both_sided:,}, expected values: {about.won:,} above 0, {about.lost:,} below, {about.drawn:,} equal")
        if about.sides:
            say(f"sides     {about.sides:,}, each with how many turns it needs")
    else:
        say(f"states    {about.states:,}, by the player to move: {about.won:,} won, {about.lost:,} lost, {about.drawn:,} drawn")
        say(f"longest   {about.longest:,} plies to win{', but the plies of each are not told' if about.is_results else ''}")
    say(f"built in  {about.seconds:.1f} s, {about.states / max(about.seconds, 1e-9):,.0f} states per second")
    say(f"file      {file}, {told['bytes']:,} bytes")


def _outcome(v: int, has_plies: bool) -> dict[str, Any]:
    from ..search.endgames.values import is_decided, plies_of, sign_of

    return {"outcome": {1: "won", 0: "drawn", -1: "lost"}[sign_of(v)], "plies": plies_of(v) if has_plies and is_decided(v) else None}


def _words(v: int, has_plies: bool) -> str:
    told = _outcome(v, has_plies)
    return (
        told["outcome"] if told["plies"] is None else f"{told['outcome']} in {told['plies']:,} {'ply' if told['plies'] == 1 else 'plies'}"
    )
