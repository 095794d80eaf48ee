"""The commands for people: `zermelo play` plays a game at the terminal, `zermelo analyse` looks at one that was played."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .. import registry
from ..errors import ZermeloError, nearest
from ..game import Game
from ..history import start_of
from ..system.files import write_text
from .board_view import SEES_EVERYTHING, SEES_KNOWN, sees
from .interrupts import background
from .options import AsJson, Seed, StateText, state_of
from .output import aside, is_terminal, progress, say, say_json, styled

if TYPE_CHECKING:  # commands that neither play nor look import none of it
    from ..arena.players.player import Player
    from ..arena.rating.analyse import Analysis, Judged, Side
    from ..notation.sheet import Sheet

LEVEL = 4
SECONDS = 1.0
RecordFile = Annotated[Path | None, typer.Option("--record", metavar="FILE", help="The record of games (default: one for all).")]


# ---- play --------------------------------------------------------------------------------------


def play(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="What to play; nothing for a menu, or an exhibition.")] = None,
    against: Annotated[list[str] | None, typer.Option(metavar="PLAYER", help="An opponent; may be repeated.")] = None,
    level: Annotated[int | None, typer.Option(metavar="1..10", help=f"How strong the opponents are (default: {LEVEL}).")] = None,
    side: Annotated[str | None, typer.Option(metavar="S", help="Your side: first (default), second, white, X, ..., both or none.")] = None,
    clock: Annotated[str, typer.Option(metavar="C", help="10+0.1, 60, 2/move or none.")] = "none",
    seed: Seed = 0,
    state: StateText = None,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help="Go on with a game that was saved.")] = None,
    record: RecordFile = None,
) -> None:
    """Play a game at the terminal.

    Without a game: a menu, or a short exhibition if there is no terminal. Ctrl-C ends it.
    """
    from ..arena.records.store import default_path

    if resume is not None:
        if against or level is not None or side is not None or state is not None:
            raise ZermeloError("expected neither players nor a state beside --resume: they are in the file")
        from ..arena.players.by_text import player
        from ..arena.records import saved_games
        from .play_session import Table

        Table(saved_games.taken_up(resume, player, game or ""), record or default_path()).play()
        return
    if game is None:
        from . import menu

        if is_terminal(sys.stdin) and is_terminal(sys.stdout):
            menu.menu(lambda text, other, at: _sit(text, [other], None, at, clock, seed, None, record or default_path()))
        else:
            menu.exhibition()
        return
    if against and level is not None:
        raise ZermeloError("expected --against or --level, and not both")
    _sit(game, against or [], level, side, clock, seed, state, record or default_path())


def _sit(
    text: str, against: Sequence[str], level: int | None, side: str | None, clock: str, seed: int, state: str | None, record: Path
) -> None:
    """Set the players up and play."""
    from ..arena.clock import Control
    from ..arena.live_game import LiveGame
    from ..arena.players.by_text import player
    from ..arena.players.levels import read_level
    from .play_session import Table

    it = registry.game(text)
    s = state_of(it, state)
    start_of(it, s)  # before there are players: their number may be wrong
    seats = people(it, side)
    others = [seat for seat in range(it.players) if seat not in seats]
    if len(against) > max(len(others), 1):
        raise ZermeloError(f"expected at most {len(others)} opponents, not {len(against)}")
    level_text = f"level:{read_level(str(LEVEL if level is None else level))}"
    texts = [against[min(i, len(against) - 1)] if against else level_text for i in range(len(others))]
    made: list[Player | None] = [None] * it.players
    for seat, name in zip(others, texts, strict=True):
        made[seat] = None if name.strip() == "human" else player(name)
    Table(LiveGame(it, made, seed, Control.read(clock), it.write_state(s) if s is not None else ""), record).play()


def people(game: Game, side: str | None) -> list[int]:
    """The seats at which people sit."""
    wanted = "first" if side is None else side.strip().lower()
    seats = {"both": list(range(game.players)), "all": list(range(game.players)), "none": []}
    seats |= {word: [i] for i, word in enumerate(("first", "second", "third", "fourth")[: game.players])}
    seats |= {game.player_name(i).lower(): [i] for i in range(game.players)} | {str(i): [i] for i in range(game.players)}
    if wanted not in seats:
        words = [word for word in seats if not word.isdigit() and word != "all"]
        raise ZermeloError(f"there is no side '{side}'{nearest(wanted, words)}: expected one of {', '.join(words)}")
    return seats[wanted]


# ---- analyse -----------------------------------------------------------------------------------


def analyse(
    what: Annotated[str, typer.Argument(metavar="FILE|GAME-ID", help="A game in a file, or its number in the record.")],
    record: RecordFile = None,
    number: Annotated[int, typer.Option(metavar="N", help="Which game of the file.")] = 1,
    game: Annotated[str, typer.Option(metavar="GAME", help="The game, if it is in a file of its own; its rules will run.")] = "",
    seconds: Annotated[float | None, typer.Option("--seconds-per-move", metavar="S", help=f"Seconds a move ({SECONDS:g}).")] = None,
    nodes: Annotated[int | None, typer.Option(metavar="N", help="Instead: states for each position.")] = None,
    name: Annotated[str | None, typer.Option("--with", metavar="NAME", help="The searcher, like alphabeta or mcts.")] = None,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="Draw the course of the game.")] = None,
    as_json: AsJson = False,
) -> None:
    """Judge the moves of a game.

    Ctrl-C ends it with what was looked at so far.
    """
    from ..arena.rating.analyse import Analysis
    from ..arena.records import saved_games
    from ..arena.records.record_formats import history_of
    from ..arena.records.store import default_path

    if seconds is not None and nodes is not None:
        raise ZermeloError("expected --seconds-per-move or --nodes, and not both")
    if svg is not None and not svg.parent.is_dir():
        raise ZermeloError(f"there is no folder {svg.parent} to write to")
    if what.isascii() and what.isdigit() and not Path(what).exists():
        sheet = saved_games.recorded(int(what[:18]), record or default_path())
    else:
        sheet = saved_games.load(Path(what), number, game)
    with aside(as_json):
        history = history_of(sheet)
        if nodes is None and seconds is None:
            seconds = SECONDS
        analysis = Analysis(history, name, seconds, nodes)
    _judge(analysis, sheet, svg, as_json)


def _judge(analysis: Analysis, sheet: Sheet, svg: Path | None, as_json: bool) -> None:
    from ..arena.rating.analyse import sides
    from ..arena.rating.plot import picture

    game = analysis.game
    names = [game.player_name(seat) + (f" ({text})" if text not in ("?", "") else "") for seat, text in enumerate(sheet.about.players)]
    interrupted: list[bool] = []
    judged: list[Judged] = []
    start: list[tuple[float, ...]] = []
    many = len(analysis.history.taken)
    view = SEES_KNOWN if analysis.searcher.imagines else SEES_EVERYTHING
    if not as_json:
        say(f"{game!r}   {', '.join(names)}   {many} moves, by {analysis.searcher_name}")
        say("For each move: the share of the points that the mover may expect, and the value.\n")
        if game.has_hidden:
            say(f"{analysis.searcher_name} sees {view}.")

    def work() -> Any:
        start.append(analysis.start())
        yield from analysis.moves()

    for one in background(analysis.get_ready, work, analysis.stop, lambda: interrupted.append(True)):
        progress("")
        judged.append(one)
        if as_json:
            say_json(_object(game, one))
        else:
            _tell(one, game.player_name(one.seat))
        sys.stdout.flush()
        progress(f"move {one.ply + 1} of {many}")
    progress("")
    found = sides(game, judged)
    if as_json:
        say_json(
            {
                "game": repr(game),
                "players": list(sheet.about.players),
                "searcher": analysis.searcher_name,
                "unit": analysis.scale.unit,
                "moves": many,
                "judged": len(judged),
                **sees(game, view),
                "sides": [vars(side) for side in found],
            }
        )
    else:
        _sum_up(found, names)
    if svg is not None and start:
        summary = "; ".join(_summary(side, n) for side, n in zip(found, names, strict=True))
        write_text(svg, picture(f"{game!r}: {' against '.join(names)}", names, start[0], judged, summary))
    if interrupted:
        raise typer.Exit(130)


def _tell(one: Judged, who: str) -> None:
    """A move on one line."""
    what = f"{one.ply + 1:>3}. {who:<7} {one.text + one.mark:<14}"
    value = f"{100 * one.expected:3.0f} %  {one.value + 0.0:+8.3g}{' exact' if one.exact else ''}"
    if one.is_forced:
        say(f"{what}{value}  forced")
    elif one.mark:
        better = f"  {one.best} was better: {100 * one.best_expected:.0f} %, {one.best_value + 0.0:+.3g}; {' '.join(one.line)}"
        say(styled(f"{what}{value}{better}", fg={"??": "red", "?": "yellow", "?!": "cyan"}[one.mark]))
    else:
        say(f"{what}{value}{'' if one.best == one.text else f'  {one.best} {one.best_value + 0.0:+.3g}'}".rstrip())


def _sum_up(found: Sequence[Side], names: Sequence[str]) -> None:
    say()
    for side, name in zip(found, names, strict=True):
        say(_summary(side, name))


def _summary(side: Side, name: str) -> str:
    from ..arena.rating.accuracy import MARKS

    if side.accuracy is None:
        return f"{name}: nothing to choose"
    words = {mark: word for mark, word, _ in MARKS}
    told = [f"{n} {words[mark] if n == 1 else _plural(words[mark])}" for mark, n in side.marks.items()]
    return f"{name}: accuracy {side.accuracy:.1f} % in {side.moves} moves; {', '.join(told)}"


def _plural(word: str) -> str:
    return word.removesuffix("y") + "ies" if word.endswith("y") else word + "s"


def _object(game: Game, one: Judged) -> dict[str, Any]:
    """A judged move as JSON has it."""
    return {
        "game": repr(game),
        "ply": one.ply,
        "seat": one.seat,
        "move": one.text,
        "mark": one.mark,
        "loss": one.loss,
        "value": one.value,
        "expected": one.expected,
        "best": one.best,
        "best_value": one.best_value,
        "best_expected": one.best_expected,
        "exact": one.exact,
        "forced": one.is_forced,
        "line": list(one.line),
        "depth": one.depth,
        "nodes": one.nodes,
    }
