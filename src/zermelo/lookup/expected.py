"""Tables of expected values, of games with chance whose states are numbered so that each turn leads to a smaller number.

    for i = 0, 1, 2 ...:    V[i] = EXPECTED(STATE-AT(i))

    EXPECTED(s) = UTILITY(s)                                       if IS-TERMINAL(s)
                  V[INDEX(s)]                                      if s has a number, after the first ply
                  sum over r of P(r) * EXPECTED(RESULT(s, r))      if TO-MOVE(s) = CHANCE
                  max or min over a of EXPECTED(RESULT(s, a))      if a player moves

Values are floats of 64 bits while they are computed, and 16 bits of the greatest of them in the file. A race may have
rows of single sides instead, or beyond them (`turns.py`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ..bits import paired
from ..errors import ZermeloError
from ..game import CHANCE, Game, State
from ..lower.memory import Words, load, store, to_real, to_word
from ..search.endgames.table import About, Range, Table, Values, rules_of, save
from ..search.endgames.turns import ROW
from ..search.endgames.values import EVEN, HALF, NO_STATE
from ..search.prepare import prepare, width_of, with_room
from ..search.records import PLIES, WIDTH, Grows, room
from ..search.zero_sum import refuse_unequal
from .turns import build_rows

ONE_SIDED = "one-sided"  # what the ending of single sides is called
FIRST_PLIES = 4  # between two states with numbers
MOST_PLIES = 64
CHUNK = 1 << 15  # states between two reports
ZERO = 1 << 63  # the word of -0.0, which stands for a value of 0; the word 0 for no value
Progress = Callable[[str, int, int], None]


class Averaging(Grows):
    """The record of a walk over the numbers."""

    at: int  # the number to look at next, and the one to end before
    until: int
    values: int  # what the state of each number is worth to the player of its `perspective`, as words of floats
    is_second: int  # whether values are there, and are only compared
    moves: list[list[int]] = room(PLIES, WIDTH)
    states: int
    leads_up: int  # 1 if a turn leads to a number that is not smaller, and ended the walk
    error: float  # the greatest difference between values that are compared
    worst: int  # the number of the state that has it


def walk(game: Game, work: Averaging) -> int:
    """Compute the values of the numbers from `at` to `until`, or compare them; how many states there are."""
    while work.at < work.until:
        s = game.state_at(work.at)
        if game.index(s) == work.at:
            v = expected(game, s, game.perspective(s), 0, work)
            if work.leads_up != 0 or work.widest > len(work.moves[0]) or work.deepest >= len(work.moves):
                return work.states
            work.states += 1
            if work.is_second == 0:
                store(work.values, work.at, to_word(v) if v != 0.0 else ZERO)
            elif abs(v - to_real(load(work.values, work.at))) > work.error:
                work.error = abs(v - to_real(load(work.values, work.at)))
                work.worst = work.at
        work.at += 1
    return work.states


def expected(game: Game, s: State, p: int, ply: int, work: Averaging) -> float:
    """What s is worth to player p, by the values of smaller numbers."""
    if game.is_terminal(s):
        return game.utility(s, p)
    i = game.index(s)
    if ply > 0 and i >= 0:
        work.leads_up |= int(i >= work.at)
        v = to_real(load(work.values, min(i, work.at)))
        return v if game.perspective(s) == p else -v
    work.deepest = max(work.deepest, ply)
    if ply >= len(work.moves):
        return 0.0
    n, mover = game.fill(s, work.moves[ply]), game.to_move(s)
    work.widest = max(work.widest, n)
    total, best = 0.0, -1.0e300
    for k in range(min(n, len(work.moves[ply]))):
        a = work.moves[ply][k]
        v = expected(game, game.result(s, a), p, ply + 1, work)
        if mover == CHANCE:
            total += game.probability(s, a) * v
        else:
            best = max(best, v if mover == p else -v)
    return total if mover == CHANCE else best if mover == p else -best


# ---- around it -----------------------------------------------------------------------------------


def build_expected(game: Game, ending: str, path: Path, progress: Progress, interpreted: bool) -> About:
    """Build the table of an ending of a game with chance and write it."""
    if game.players != 2 or game.has_hidden or not game.has_index:
        raise ZermeloError(f"{game!r} has chance: expected a game of two that numbers its states, and hides nothing, for an endgame table")
    refuse_unequal("table", game, game.initial())
    both_sided, sides = _parts_of(game, ending)
    prepare(game, walk, Averaging, interpreted, plies=FIRST_PLIES, width=width_of(game))  # compiling is not building
    began, ranges, parts = time.perf_counter(), list[Range](), list[Values]()
    states, counts, most = sides, (0, 0, 0), 1.0
    for name, _, last in both_sided:
        found, codes, most = _averages(game, name, last, progress, interpreted)
        above, even = int((codes > EVEN).sum()), int((codes == EVEN).sum())
        states, counts = states + found, (above, found - above - even, even)
        ranges.append((name, 0, last))
        parts.append(codes)
    if sides:
        first = ranges[-1][2] if ranges else 0
        parts.append(build_rows(game, sides, progress, interpreted)[1])
        ranges.append((ONE_SIDED, first, first + len(parts[-1])))
    about = About(
        game=repr(game),
        rules=rules_of(game),
        ranges=tuple(ranges),
        is_by_key=False,
        start="",
        win=most,
        states=states,
        won=counts[0],
        lost=counts[1],
        drawn=counts[2],
        longest=0,
        seconds=time.perf_counter() - began,
        is_expected=True,
        sides=sides,
    )
    save(path, about, parts, None)
    return about


def _parts_of(game: Game, ending: str) -> tuple[tuple[Range, ...], int]:
    """The range of numbers that an ending asks for, if any, and how many single sides."""
    wanted = ending.split(",")
    if not game.side_count or ONE_SIDED not in wanted:
        return game.endings(ending), 0
    wanted.remove(ONE_SIDED)
    return game.endings(",".join(wanted)) if wanted else (), game.side_count


def _averages(game: Game, name: str, last: int, progress: Progress, interpreted: bool) -> tuple[int, Values, float]:
    """How many states there are below a number, their values in 16 bits, and the greatest of them."""
    words = Words(last, interpreted)
    states = int(_walk(game, words, name, last, 0, progress, interpreted).states)
    found = words.read(0, last)
    low, high = game.value_range or (-np.inf, np.inf)
    values = np.clip(found.view(np.float64), low, high)  # which sums of probabilities may leave by a bit
    most = round(float(np.abs(values).max(initial=0.0)), 12) or 1.0
    return states, np.where(found != 0, EVEN + np.rint(values / most * HALF), NO_STATE).astype(np.uint16), most


def greatest_error(table: Table, game: Game, progress: Progress, interpreted: bool = False) -> tuple[int, float, State]:
    """How many states a table of expected values has, the most by which one differs from what its turn leads to, and that state."""
    about, words = table.about, Words(table.size, interpreted)
    rows = list[Values]()
    for first, codes, _ in table.blocks():
        if first < table.size:
            put(words, first, codes, about.win)
        else:
            rows.append(codes)
    states, error, worst = 0, 0.0, 0
    if table.size:
        work = _walk(game, words, about.ranges[0][0], table.size, 1, progress, interpreted)
        states, error, worst = int(work.states), float(work.error), int(work.worst)
    if about.sides:
        wrong = np.flatnonzero(build_rows(game, about.sides, progress, interpreted)[1] != np.concatenate(rows))
        if len(wrong):
            error, worst = np.inf, paired(int(wrong[0]) // ROW, 1)
    return states + about.sides, error, game.state_at(worst)


def put(words: Words, first: int, codes: Values, win: float) -> None:
    """Put the values that these 16 bits mean into memory, from number `first` on."""
    floats = (codes.astype(np.float64) - EVEN) / HALF * win
    numbers = np.where(codes == NO_STATE, 0, np.where(floats == 0, np.uint64(ZERO), floats.view(np.uint64)))
    if words.is_sparse:
        words.table.update(enumerate(numbers.tolist(), first))
    else:
        words.array[first : first + len(codes)] = numbers


def _walk(game: Game, words: Words, name: str, last: int, is_second: int, progress: Progress, interpreted: bool) -> Averaging:
    """The record of a walk over all numbers, some at a time."""
    told = "a state leads to one whose number is not smaller, or to none after many plies"
    endless, carried = f"{game!r} has no table of expected values: {told}", dict[str, Any](at=0, states=0, error=0.0, worst=0)
    while True:
        given = carried | {"until": min(carried["at"] + CHUNK, last), "values": words.table, "is_second": is_second}

        def attempt(plies: int, width: int, given: dict[str, Any] = given) -> Averaging:
            return prepare(game, walk, Averaging, interpreted, plies=plies, width=width)(**given)

        work = with_room(attempt, FIRST_PLIES, width_of(game), endless, MOST_PLIES)
        carried = {field: getattr(work, field) for field in carried}
        if work.leads_up != 0:
            raise ZermeloError(endless)
        progress(f"{name}: {'verifying' if is_second else 'averaging'}", int(work.at), last)
        if work.at >= last:
            return work
