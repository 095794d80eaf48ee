"""The states of an opening table that lead beyond it: each is solved by a search, on the CPU or a GPU.

What is solved is kept now and then (`parts.py`), so that the same command goes on after it was ended.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from ..bits import u64
from ..errors import ZermeloError
from ..game import CHANCE, Game
from ..lower.memory import Words, store
from ..rng import below, split, step
from ..search.alphabeta.solve import TOP, Ranks
from ..search.alphabeta.solve_cuda import DeviceRanks
from ..search.endgames.table import Range, Values
from ..search.endgames.values import DRAWN, LOST, NO_STATE, WON
from ..search.prepare import prepare
from ..search.records import WORDS, Record, room
from .parts import Parts

CHUNK = 1 << 17  # numbers between two reports
KEEP_SECONDS = 30.0  # between two times that what is solved is kept
GAMES = 1000  # random ones, in which a win is looked for

Oracle = Ranks | DeviceRanks


class Listing(Record):
    """The record of `list_states`."""

    packed: list[u64] = room(WORDS)
    at: int
    until: int
    rows: int  # packed states, one after another
    numbers: int  # of each
    found: int


def list_states(game: Game, work: Listing) -> int:
    """Write down the states of the numbers from `at` to `until`, and these numbers; how many there are."""
    words = len(work.packed)
    for i in range(work.at, work.until):
        s = game.state_at(i)
        if game.index(s) == i:
            game.pack(s, work.packed)
            for k in range(words):
                store(work.rows, work.found * words + k, work.packed[k])
            store(work.numbers, work.found, u64(i))
            work.found += 1
    return work.found


def search_range(game: Game, oracle: Oracle, ending: Range, kept: Parts, progress: Any, interpreted: bool) -> Values:
    """The values of all numbers of a range."""
    name, first, last = ending
    begun: Range = f"{name}-begun", first, last
    found = kept.load(begun)
    values = np.zeros(last - first, np.uint16) if found is None else found[0].copy()
    rows, numbers = _listed(game, ending, progress, interpreted)
    todo = np.flatnonzero(values[numbers - first] == NO_STATE)
    solved, since = len(rows) - len(todo), time.perf_counter()
    for places, ranks in oracle.solved(rows[todo]):
        values[numbers[todo[places]] - first] = values_of(ranks)
        solved += len(places)
        progress(f"{name}: searching", solved, len(rows))
        if time.perf_counter() - since > KEEP_SECONDS:
            kept.keep(begun, values, 0.0)
            since = time.perf_counter()
    return values


def _listed(game: Game, ending: Range, progress: Any, interpreted: bool) -> tuple[Any, Any]:
    """The states of a range, packed, and their numbers."""
    name, first, last = ending
    words, parts = game.layout.words, list[tuple[Any, Any]]()
    run = prepare(game, list_states, Listing, interpreted)
    for at in range(first, last, CHUNK):
        rows, numbers = Words(CHUNK * words, interpreted), Words(CHUNK, interpreted)
        count = int(run(at=at, until=min(at + CHUNK, last), rows=rows.table, numbers=numbers.table).value)
        parts.append((rows.read(0, count * words).reshape(-1, words), numbers.read(0, count).astype(np.int64)))
        progress(f"{name}: listing", at - first, last - first)
    return np.concatenate([r for r, _ in parts]), np.concatenate([n for _, n in parts])


def values_of(ranks: Any) -> Values:
    """Ranks (`solve.py`) as values of a table."""
    return np.where(ranks == 0, DRAWN, np.where(ranks > 0, WON, LOST) + 2 * (TOP - np.abs(ranks))).astype(np.uint16)  # type: ignore[no-any-return]


def worth_of_win(game: Game) -> float:
    """What a win is worth: that of the first random game that somebody wins."""
    for g in range(GAMES):
        s, random = game.initial(), split(0, g) | 1
        while not game.is_terminal(s) and game.to_move(s) != CHANCE:
            random, moves = step(random), list(game.actions(s))
            s = game.result(s, moves[below(random, len(moves))])
        if game.utility(s, 0) != 0.0:
            return abs(float(game.utility(s, 0)))
    raise ZermeloError(f"{game!r} has no opening table: nobody won any of {GAMES:,} random games")
