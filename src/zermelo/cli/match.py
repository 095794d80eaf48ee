"""The commands that hold matches: `match` between two players, `tournament` between several."""

from __future__ import annotations

import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .. import registry
from ..errors import ZermeloError
from ..game import Game
from ..system.limits import MAX_DEPTH, check_count
from .board_view import SEES_EVERYTHING, SEES_KNOWN, sees
from .options import AsJson, GameText, Seed
from .output import aside, complain, is_terminal, say, say_json, say_table
from .records import Anchor, Record, anchors_of, open_record

if TYPE_CHECKING:  # commands that do none of this import none of it
    from ..arena.match import Match, Starts
    from ..arena.records.store import Store
    from ..arena.referee import Terms
    from ..arena.tally import Tally
    from ..arena.tournament import Standing

MAX_PROCESSES = 256  # processes

Openings = Annotated[Path | None, typer.Option(metavar="FILE", help="Openings: PGN, EPD, FEN, SGF, PDN, OBF, or lines; also in a .zip.")]
RandomPlies = Annotated[int | None, typer.Option(metavar="N", help="Number of random plies to begin with.")]
Concurrency = Annotated[int, typer.Option(metavar="K", help="Number of games played at once.")]
ClockText = Annotated[str, typer.Option("--clock", metavar="TEXT", help="10+0.1, 60, 2/move or none: seconds.")]
MaxPlies = Annotated[int, typer.Option(metavar="N", help="A game is a draw after N plies; 0: never.")]


# ---- matches ---------------------------------------------------------------------------------


def match(
    game: GameText,
    first: Annotated[str, typer.Argument(metavar="A", help="A player; zermelo players lists them.")],
    second: Annotated[str, typer.Argument(metavar="B", help="The other player.")],
    games: Annotated[int, typer.Option(metavar="N", help="Number of games.")] = 100,
    openings: Openings = None,
    random_plies: RandomPlies = None,
    concurrency: Concurrency = 1,
    clock: ClockText = "none",
    sprt: Annotated[str | None, typer.Option(metavar="ELO0,ELO1", help="End when the test has decided between these differences.")] = None,
    max_plies: MaxPlies = 0,
    seed: Seed = 0,
    record: Record = None,
    as_json: AsJson = False,
) -> None:
    """Play games between two players, and say which is stronger.

    Both sit at both sides of every opening, with the same dice. Ctrl-C ends it; the same command goes on.
    """
    from ..arena.match import Match, play_match
    from ..arena.rating.sprt import Sprt
    from ..arena.tally import as_object

    with aside(as_json):
        it, terms, starts = _conditions(game, openings, random_plies, clock, max_plies, concurrency)
        played = Match(it, (first, second), games, seed, terms, starts, None if sprt is None else Sprt.read(sprt))
        with open_record(record) as store, _Live(as_json) as live:
            live.head = _head(played, store)
            try:
                tally = play_match(played, store, concurrency, lambda tally: live.show(_match_screen(played, tally), _short(played, tally)))
                interrupted = False
            except KeyboardInterrupt:
                tally, interrupted = _tally(played, store), True
    if as_json:
        say_json({"game": repr(it), **sees(it, SEES_KNOWN), **as_object(played.players, tally, games)})
    else:
        live.last(_match_screen(played, tally))
    _end(interrupted)


def _tally(played: Match, store: Store) -> Tally:
    """What is recorded of a match."""
    from ..arena.match import resume
    from ..arena.tally import Tally

    tally = Tally(played.sprt)
    done = resume(store, store.event("match", repr(played.game), played.key, played.settings))
    for slot in sorted(done):
        tally.add(slot, done[slot])
    return tally


def _head(played: Match, store: Store) -> str:
    told = f"{played.game!r}: clock {played.terms.control}, {played.starts.told(played.game)}, seed {played.seed}, recorded in {store.path}"
    return told + (f", a draw after {played.terms.max_plies} plies" if played.terms.max_plies else "") + _view(played.game)


def _view(game: Game) -> str:
    """What players see and what the record holds, for a game that hides something; else nothing."""
    return f"; a player sees {SEES_KNOWN}, the record {SEES_EVERYTHING}" if game.has_hidden else ""


Screen = tuple[list[str], list[list[str]], list[str]]


def _match_screen(played: Match, tally: Tally) -> Screen:
    from ..arena.tally import HEADS, lines, rows

    return list(HEADS), rows(played.players, tally), lines(tally, played.games)


def _short(played: Match, tally: Tally) -> tuple[int, int, str]:
    from ..arena.tally import in_short

    return tally.games, played.games, in_short(tally, played.games)


def tournament(
    game: GameText,
    players: Annotated[list[str], typer.Argument(metavar="PLAYER...", help="Two players or more; zermelo players lists them.")],
    kind: Annotated[str, typer.Option(metavar="NAME", help="roundrobin, gauntlet (the first against all) or swiss.")] = "roundrobin",
    rounds: Annotated[int, typer.Option(metavar="N", help="Number of rounds.")] = 1,
    games: Annotated[int, typer.Option(metavar="N", help="Games between two players who meet in a round.")] = 2,
    openings: Openings = None,
    random_plies: RandomPlies = None,
    concurrency: Concurrency = 1,
    clock: ClockText = "none",
    max_plies: MaxPlies = 0,
    anchor: Anchor = None,
    seed: Seed = 0,
    record: Record = None,
    as_json: AsJson = False,
) -> None:
    """Play a tournament between several players, and rate them.

    Ctrl-C ends it; the same command goes on.
    """
    from ..arena.tournament import Tournament, play_tournament

    with aside(as_json):
        it, terms, starts = _conditions(game, openings, random_plies, clock, max_plies, concurrency)
        held = Tournament(it, tuple(players), kind, rounds, games, seed, terms, starts)
        fixed = anchors_of(anchor)
        for name in fixed:
            if name not in players:
                raise ZermeloError(f"expected an anchor among the players, not '{name}'")
        standing: list[Standing] = []
        with open_record(record) as store, _Live(as_json) as live:
            live.head = f"{it!r}: {kind}, {rounds} rounds, clock {terms.control}, {starts.told(it)}, seed {seed}, recorded in {store.path}"
            live.head += _view(it)

            def show(now: Standing) -> None:
                standing[:] = [now]
                live.show(_standing_screen(now, fixed), (len(now.endings), now.games, f"{len(now.endings)} of {now.games} games"))

            interrupted = False
            try:
                play_tournament(held, store, concurrency, show)
            except KeyboardInterrupt:
                interrupted = True
    if as_json:
        say_json(_standing_object(standing[-1], fixed))
    else:
        live.last(_standing_screen(standing[-1], fixed))
    _end(interrupted)


def _standing_screen(standing: Standing, anchors: dict[str, float]) -> Screen:
    heads, rows = standing.table(anchors)
    told = [f"games {len(standing.endings)} of {standing.games}"]
    if standing.ratings(anchors).imagined:
        told.append("some have won all or nothing: ratings as if all who met had drawn one game more")
    return heads, rows, told


def _standing_object(standing: Standing, anchors: dict[str, float]) -> dict[str, Any]:
    ratings = standing.ratings(anchors)
    return {
        "game": repr(standing.tournament.game),
        **sees(standing.tournament.game, SEES_KNOWN),
        "games": len(standing.endings),
        "of": standing.games,
        "ratings": [vars(r) for r in ratings.players],
        "imagined": ratings.imagined,
        "meetings": [vars(m) for m in standing.meetings()],
        "faults": standing.faults(),
    }


def _conditions(
    game: str, openings: Path | None, plies: int | None, clock: str, max_plies: int, concurrency: int
) -> tuple[Any, Terms, Starts]:
    from ..arena import openings as books
    from ..arena.clock import Control
    from ..arena.match import Starts
    from ..arena.referee import Terms

    it = registry.game(game)
    if openings is not None and plies is not None:
        raise ZermeloError("expected --openings or --random-plies, not both")
    if not 1 <= concurrency <= MAX_PROCESSES:
        raise ZermeloError(f"expected a concurrency from 1 to {MAX_PROCESSES}, not {concurrency}")
    if (plies or 0) < 0 or max_plies < 0:
        raise ZermeloError("expected plies of 0 or more")
    check_count("", "--random-plies", plies or 0, MAX_DEPTH, 0)
    check_count("", "--max-plies", max_plies, least=0)
    book = None if openings is None else books.load(openings, it)
    return it, Terms(Control.read(clock), max_plies), Starts(book, plies)


def _end(interrupted: bool) -> None:
    if interrupted:
        complain("interrupted: the same command goes on")
        raise typer.Exit(130)


class _Live:
    """A table that changes in place on a terminal; elsewhere a line whenever a tenth more is done."""

    def __init__(self, silent: bool):
        self.head = ""
        self._silent, self._terminal = silent, is_terminal(sys.stdout) and not silent
        self._live: Any = None
        self._told = -1

    def __enter__(self) -> _Live:
        if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def show(self, screen: Screen, short: tuple[int, int, str]) -> None:
        """What there is now."""
        if self._silent:
            return
        if self._terminal:
            from rich.live import Live

            if self._live is None:
                self._live = Live(refresh_per_second=4, transient=True)
                self._live.start()
            self._live.update(_drawn(self.head, screen))
            return
        done, of, text = short
        if self._told < 0:
            say(self.head)
        if done * 10 // max(of, 1) > self._told:
            self._told = done * 10 // max(of, 1)
            if done:
                say(text)
            sys.stdout.flush()

    def last(self, screen: Screen) -> None:
        """What there is at the end."""
        heads, rows, lines = screen
        if self._terminal:
            say(self.head)
        say_table(heads, rows)
        for line in lines:
            say(line)


def _drawn(head: str, screen: Screen) -> Any:
    from rich import box
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    heads, rows, lines = screen
    table = Table(*heads, box=box.SIMPLE_HEAD, pad_edge=False)
    for row in rows:
        table.add_row(*map(Text, row))
    return Group(Text(head), table, *map(Text, lines))
