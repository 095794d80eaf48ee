"""Building the rows of sides of a race (`search/endgames/turns.py`), each from those before it.

    for a = 1, 2, 3 ...:  for each roll r:  a' = the side after that play of r from which the fewest turns are expected
        P[a](n + 1) = sum over r of P(r) * P[a'](n)            P[0](0) = 1
        for each roll r:  a' = the side after that play of r from which the least MORE is expected
        MORE[a](n + 1) = sum over r of P(r) * MORE[a'](n)      MORE[a](0) = what a loses beyond 1 point if the other is done

Only the rules forwards are asked: of the state in which side a is on roll against side 1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..bits import pair_at, paired
from ..errors import ZermeloError
from ..game import Game, State
from ..lower.memory import Words, load, store, to_real, to_word
from ..search.endgames.table import Values
from ..search.endgames.turns import CERTAIN, ROW, TURNS
from ..search.prepare import prepare, width_of, with_room
from ..search.records import WIDTH, Grows, room

CHUNK = 1 << 10  # sides between two reports
EXPECTED = 2  # numbers of a side: turns, and turns with more to lose, weighted with that
Progress = Callable[[str, int, int], None]


class Racing(Grows):
    """The record of a walk over the sides."""

    at: int  # the side to look at next, and the one to end before
    until: int
    rows: int  # of each side, as words of floats
    expected: int  # the two numbers of each side, as words of floats
    row: list[float] = room(ROW)
    rolls: list[int] = room(WIDTH)
    plays: list[int] = room(WIDTH)
    fault: int  # 1 if a turn leads to a side that is not smaller, and ended the walk


def walk(game: Game, work: Racing) -> int:
    """Make the rows of the sides from `at` to `until`; the next side."""
    while work.at < work.until:
        fill_row(game, work.at, work)
        if work.fault != 0 or work.widest > len(work.plays):
            return work.at
        keep_row(work.at, work)
        work.at += 1
    return work.at


def fill_row(game: Game, a: int, work: Racing) -> int:
    """Make the row of side a; how many rolls there are."""
    over = game.state_at(paired(a, 0))
    for n in range(ROW):
        work.row[n] = 0.0
    work.row[TURNS] = -game.utility(over, game.perspective(over)) - 1.0
    s = game.state_at(paired(a, 1))
    rolls = game.fill(s, work.rolls)
    for k in range(rolls):
        p = game.probability(s, work.rolls[k])
        quick, safe = best_sides(game, game.result(s, work.rolls[k]), a, work)
        if quick == 0:
            work.row[0] += p
        for n in range(TURNS - 1):
            work.row[n + 1] += p * to_real(load(work.rows, quick * ROW + n))
            work.row[TURNS + n + 1] += p * to_real(load(work.rows, safe * ROW + TURNS + n))
    return rolls


def best_sides(game: Game, t: State, a: int, work: Racing) -> tuple[int, int]:
    """The sides to which the best plays of a roll lead: for the fewest turns, and for the least to lose."""
    quick = safe = -1
    plays = game.fill(t, work.plays)
    work.widest = max(work.widest, plays)
    for k in range(min(plays, len(work.plays))):
        u, b = game.result(t, work.plays[k]), 0
        if not game.is_terminal(u):
            _, b = pair_at(game.index(u))
        if b >= a:
            work.fault = 1
            b = 0
        if quick < 0 or expected(b, 0, work) < expected(quick, 0, work):
            quick = b
        if safe < 0 or expected(b, 1, work) < expected(safe, 1, work):
            safe = b
    return max(quick, 0), max(safe, 0)


def expected(a: int, which: int, work: Racing) -> float:
    return to_real(load(work.expected, a * EXPECTED + which))


def keep_row(a: int, work: Racing) -> int:
    """Store the row of side a and what is expected of it; the side."""
    turns = more = 0.0
    for n in range(TURNS):
        turns += (n + 1) * work.row[n]
        more += work.row[TURNS + n]
    for n in range(ROW):
        store(work.rows, a * ROW + n, to_word(work.row[n]))
    store(work.expected, a * EXPECTED, to_word(turns))
    store(work.expected, a * EXPECTED + 1, to_word(more))
    return a


# ---- around it -----------------------------------------------------------------------------------


def build_rows(game: Game, sides: int, progress: Progress, interpreted: bool) -> tuple[np.ndarray[Any, np.dtype[np.float64]], Values]:
    """The rows of the first so many sides, as floats and as a table holds them."""
    rows, expectations = Words(sides * ROW, interpreted), Words(sides * EXPECTED, interpreted)
    at = 1
    while at < sides:
        given = {"at": at, "until": min(at + CHUNK, sides), "rows": rows.table, "expected": expectations.table}

        def attempt(_: int, width: int, given: dict[str, Any] = given) -> Racing:
            return prepare(game, walk, Racing, interpreted, width=width)(**given)

        work = with_room(attempt, 1, width_of(game), "")
        if work.fault:
            raise ZermeloError(f"{game!r} has no table of one side: a turn leads to a side whose number is not smaller")
        at = int(work.at)
        progress("one-sided: averaging", at, sides)
    floats = rows.read(0, sides * ROW).view(np.float64).reshape(sides, ROW)
    if floats[1:, :TURNS].sum(axis=1).min(initial=1.0) < 1.0 - 1e-6 or floats.min() < 0.0 or floats.max() > 1.0 + 1e-9:
        raise ZermeloError(f"{game!r} has no table of one side: one needs more than {TURNS} turns, or does not lose 1 or 2 points")
    return floats, as_codes(floats)


def as_codes(floats: np.ndarray[Any, np.dtype[np.float64]]) -> Values:
    """The rows in 16 bits: what rounding the chances leaves of 1 is given to the greatest of them."""
    codes = np.rint(floats * CERTAIN).astype(np.int64)
    sides, most = np.arange(1, len(codes)), codes[1:, :TURNS].argmax(axis=1)
    codes[sides, most] += CERTAIN - codes[1:, :TURNS].sum(axis=1)
    return codes.astype(np.uint16).ravel()
