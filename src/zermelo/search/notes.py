"""The watcher: what a search does, noted by the very functions that search.

A record that can be watched has a field `watch`, of length 1 unless somebody watches. Lowering knows the length, and drops
every statement that only notes (`notes_in`) before anything is compiled: the native code of a search that nobody watches is
letter for letter that of an algorithm without notes. A search under `watching` runs another build, whose record has room to say
where the notes go: native runs note what they do themselves.

A note is four words: what it is about (a kind, a ply, who), a number, and two floats. `explain/events_from_notes.py` reads them:

    ENTER     a visit begins; who: whose value the bounds are, and who moves (`both`); the depth that is left; alpha, beta
    END       the utility where the game is over; STATIC, an evaluation where the depth is spent; both for `who`
    TRY       an action is looked at: the next ENTER a ply below is what it leads to (a second one: it is searched again)
    CHILD     what came back from it for `who`; the best before
    CUT       the node is left; how many actions were not looked at; the best, the bound that it reached
    AGAIN     what the last visit gave, before the same action is searched again
    STORED    what the table knows of the node entered last: depth and bound in the number; the value
    PASS      the turn is passed, as TRY; PASSED, what came back and the bound
    FUTILE    an action (-1 for all) that cannot reach the bound is left out; what it could reach, the bound
    SHALLOW   the action is searched so many plies less deeply
    REPEATED  the position was there before
    QUIET     only tactical actions are followed from here; what standing still is worth (minus infinity: no choice)
    PROBE     what one action below an outcome of chance tells of it (Star2)
    AVERAGE   what came back from an outcome of chance; its weight
    VALUE     what player `who` gets, of the notes END, STATIC, VECTOR or SIMULATE that come next
    VECTOR    what came back in a game of several players from an action; the weight of an outcome of chance
    TAKEN     and it is the best so far
    PICK      MCTS: the terms of UCB1, the mean and the bonus, of the child `who`
    GO        down to the child `who` by an action; its prior, and who moves there
    EXPAND    the node `who` gets so many children; who moves there
    SIMULATE  a playout from the node `who`, so long (NO_PLAYOUT: the value is proven; JUDGED: a network says it)
    BACKUP    the node `who` and its number of visits; the mean value, and to which player (-1: player 0's, from the simulations alone)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..bits import u64
from ..game import Game, State
from ..lower.memory import Words, store, to_word
from .records import WATCH, Record, room

ENTER, END, STATIC, TRY, CHILD, CUT, AGAIN, STORED, PASS, PASSED, FUTILE, SHALLOW, REPEATED, QUIET = range(14)
PROBE, AVERAGE, VALUE, VECTOR, TAKEN, PICK, GO, EXPAND, SIMULATE, BACKUP = range(14, 24)
NO_PLAYOUT, JUDGED = -1, -2  # the length of a playout that a proof makes needless, and of one in whose place a network was asked
WORDS = 4  # of a note
NOTES = 24  # for each node that a trace may have: more than any search makes of one
WATCHED = 5  # the length of the field `watch` when somebody watches


class Watched(Record):
    """A record whose algorithm can be watched."""

    #: where notes go, how many words there are, how many fit, visits begun, visits to note
    watch: list[int] = room(WATCH)
    stopped: int


# ---- lowered ---------------------------------------------------------------------------------


def note(kind: int, ply: int, who: int, a: int, x: float, y: float, work: Watched) -> int:
    """Note something, if there is room and the search was not stopped: what it does after that means nothing."""
    if len(work.watch) == 1:
        return 0
    at = work.watch[1]
    if work.stopped != 0 or at + WORDS > work.watch[2] or work.watch[3] > work.watch[4]:
        return 0
    store(work.watch[0], at, u64(kind) | u64(ply) << 8 | u64(who + 1) << 24)
    store(work.watch[0], at + 1, u64(a))
    store(work.watch[0], at + 2, to_word(x + 0.0))
    store(work.watch[0], at + 3, to_word(y + 0.0))
    work.watch[1] = at + WORDS
    return 1


def enter(game: Game, s: State, me: int, depth: int, alpha: float, beta: float, ply: int, work: Watched) -> int:
    """Note that a visit of s begins; alpha and beta are bounds on what it is worth to `me`."""
    if len(work.watch) == 1:
        return 0
    mover = me
    if not game.is_terminal(s):
        mover = game.to_move(s)
    work.watch[3] += 1
    return note(ENTER, ply, both(me, mover), depth, alpha, beta, work)


def both(me: int, mover: int) -> int:
    """Two players as one number."""
    return (me + 1) * 256 + mover + 1


def only_notes(*functions: Callable[..., int]) -> None:
    """These functions do nothing but note: where nobody watches, lowering drops the statements that call them."""
    for function in functions:
        setattr(function, "notes_in", "watch")  # noqa: B010 - functions have no such attribute that mypy knows


only_notes(note, enter)


# ---- around an algorithm ---------------------------------------------------------------------


@dataclass(frozen=True)
class Run:
    """One call of an algorithm: its function, what its record was given, and its notes."""

    function: Callable[..., Any]
    given: dict[str, Any]
    begin: int
    end: int
    entered: int  # visits begun
    stopped: bool  # before its end


@dataclass
class Log:
    """What is noted of the searches that run under `watching`, up to so many visits."""

    limit: int
    interpreted: bool
    runs: list[Run] = field(default_factory=list)
    entered: int = 0

    def __post_init__(self) -> None:
        self._room = self.limit * NOTES * WORDS
        self._words = Words(self._room, self.interpreted, is_cleared=False)

    @property
    def is_full(self) -> bool:
        return self.entered > self.limit or self._end + WORDS > self._room

    @property
    def _end(self) -> int:
        return self.runs[-1].end if self.runs else 0

    def field(self) -> list[Any]:
        """What the record's field `watch` is to hold."""
        return [self._words.table, self._end, self._room, self.entered, self.limit]

    def close(self, function: Callable[..., Any], given: dict[str, Any], work: Watched) -> None:
        """A call is over: keep what it noted."""
        self.runs.append(Run(function, given, self._end, int(work.watch[1]), int(work.watch[3]) - self.entered, bool(work.stopped)))
        self.entered = int(work.watch[3])

    def drop(self, runs: int) -> None:
        """Forget the last runs: they did not have the room they needed, and are made again from nothing."""
        del self.runs[len(self.runs) - runs :]
        self.entered = sum(run.entered for run in self.runs)

    def notes(self, begin: int, end: int) -> np.ndarray[Any, Any]:
        """These words as rows of four."""
        return self._words.read(begin, end).reshape(-1, WORDS)


_log: ContextVar[Log | None] = ContextVar("log", default=None)


@contextmanager
def watching(log: Log) -> Iterator[None]:
    """Note what searches do, while this lasts and in this thread: those that help in other threads are not watched."""
    before = _log.set(log)
    try:
        yield
    finally:
        _log.reset(before)


def watched_by() -> Log | None:
    """Who watches."""
    return _log.get()


def begin_again(all_of_it: bool = False) -> None:
    """The last run, or all of them, had too little room and is made again: nobody should hear of it."""
    if (log := _log.get()) is not None:
        log.drop(len(log.runs) if all_of_it else 1)
