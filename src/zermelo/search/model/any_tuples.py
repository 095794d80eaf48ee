"""Tuples for a game that names no patterns: bits of its planes, by the cells that they are taken to be.

A plane in which many bits change is taken to be a board: its bit b belongs to cell b, as that of every other board. A plane of few bits
is taken to be a number, a cell by itself. A tuple is a few cells at equal distances, b, b + d, b + 2d ..., whatever d is: on a board of any
width rows, columns and diagonals are among them, and of heaps those that lie side by side. Only bits that change in random games count.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from ...bits import FULL
from ...errors import ZermeloError
from ...game import Game, State
from ...system.limits import shown

BITS = 12  # of a tuple, which then has 2**12 weights
MOST_TUPLES = 100
NUMBER_BITS = 6  # of a plane that is a number
SAMPLE_GAMES, MAX_SAMPLE_PLIES = 20, 200  # random games, and their plies
MAX_CELLS_APART = 12  # cells apart
SEED = 1


def tuples_of(game: Game) -> tuple[tuple[int, ...], ...]:
    """The tuples of this game: of each the bits, 64 * plane + bit."""
    changing = changing_bits(game)
    planes = Counter(bit // 64 for bit in changing)
    boards: dict[int, list[int]] = {}
    numbers: dict[int, list[int]] = {}
    for bit in changing:
        if planes[bit // 64] > NUMBER_BITS:
            boards.setdefault(bit % 64, []).append(bit)
        else:
            numbers.setdefault(bit // 64, []).append(bit)
    steps = range(1, MAX_CELLS_APART + 1)
    found = [found for cells in (boards, numbers) for d in steps for b in cells if len(found := _bits_from(cells, b, d)) == BITS]
    if not found:  # few bits: one tuple of all
        bits = changing[:BITS] or [0]
        found = [tuple(bits + bits[:1] * (BITS - len(bits)))]
    found = list(dict.fromkeys(found))
    random.Random(SEED).shuffle(found)
    return tuple(sorted(found[:MOST_TUPLES]))


def _bits_from(cells: dict[int, list[int]], b: int, d: int) -> tuple[int, ...]:
    """The bits of the cells b, b + d ..., as many as a tuple has if there are so many."""
    bits: list[int] = []
    while b in cells and len(bits) < BITS:
        bits += cells[b]
        b += d
    return tuple(bits[:BITS])


def changing_bits(game: Game) -> list[int]:
    """The bits of the game's planes that are on in some states of random games and off in others, by their cells."""
    on: list[int] = []
    off: list[int] = []
    for words in _some_planes(game):
        on = [a | b for a, b in zip(on or words, words, strict=False)]
        off = [a | ~b for a, b in zip(off or [0] * len(words), words, strict=False)]
    return [64 * k + b for b in range(64) for k in range(len(on)) if on[k] >> b & off[k] >> b & 1]


def most_on(game: Game) -> int:
    """The most bits of the game's planes that are on in a state of random games."""
    return max((sum(word.bit_count() for word in words) for words in _some_planes(game)), default=0) or 1


def _some_planes(game: Game) -> Iterator[list[int]]:
    """The planes of states of random games; ZermeloError if they are no words, or not as many everywhere."""
    rng, count = random.Random(SEED), -1
    for _ in range(SAMPLE_GAMES):
        s = game.initial()
        for _ in range(MAX_SAMPLE_PLIES):
            if game.is_terminal(s):
                break
            mover = game.to_move(s)
            p = game.perspective(s)
            words = list(game.planes(s, p)) if game.has_planes else [*game.layout.pack(s), 1 << p | 2 << game.players + mover]
            count = len(words) if count < 0 else count
            _check_planes(game, s, words, count)
            yield words
            s = game.result(s, rng.choice(list(game.actions(s))))


def _check_planes(game: Game, s: State, words: list[int], count: int) -> None:
    """Refuse planes that are not `count` words of 64 bits, and a plane_view that makes an input of them that there is not."""
    if len(words) != count:
        raise ZermeloError(f"{game!r} has {len(words)} planes in one state and {count} in the first: expected as many in all")
    if wrong := next((word for word in words if not isinstance(word, int) or not 0 <= word <= FULL), None):
        raise ZermeloError(f"{game!r}: expected planes to yield words of 64 bits, not {shown(wrong)}: mask what is below 0 with u64(...)")
    end = game.plane_views or 64 * count
    for p in range(game.players) if game.has_plane_view else ():
        view = game.plane_view(s, p)
        if not isinstance(view, int) or not 0 <= view < 1 << end.bit_length():
            raise ZermeloError(f"{game!r}: expected plane_view to be a whole number that makes inputs below {end:,}, not {shown(view)}")
