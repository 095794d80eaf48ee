"""N-tuple networks: linear models in which a state switches on one weight of each of many tables.

    h = b + sum of T[i] for the numbers i that the state's patterns are        o = sigmoid(h)

A pattern is what a few cells of the board look like, written as a number (Bledsoe and Browning 1959, Buro's Logistello 1997, Lucas
2008). The game says which weights a state has (`Game.patterns`), so patterns that are the same by symmetry can share them; for a game
that does not, `any_tuples.py` chooses bits of its planes: their numbers stand behind the header, and each tuple has a table.

In a game of two with one outcome a weight is one float, and what it adds to one player's sum it takes from the other's; elsewhere it
is a float for each output. The tables stand behind b.
"""

from __future__ import annotations

from ...bits import u64
from ...game import Game, State
from ...lower.memory import load
from ...lower.rows import get, put
from .any_tuples import BITS
from .inputs import fill_planes
from .record import Judging

HEADER_FLOATS = 16  # before the numbers of bits


def fill_words(game: Game, s: State, p: int, work: Judging) -> int:
    """Write the patterns of s as player p sees it into the record, or its planes if the game names none; how many words they are."""
    if game.has_patterns:
        return min(game.fill_patterns(s, p, work.planes), work.plane_count)
    return fill_planes(game, s, p, work)


def weight_at(game: Game, k: int, work: Judging) -> int:
    """Where the weight of the k-th pattern begins, of the state whose words are in the record; whatever the rules say, one of them."""
    n = int(work.planes[k]) if game.has_patterns else tuple_number(k, work)
    return work.first_row + work.width + (n if 0 <= n < work.pattern_weights else 0) * work.weight_floats


def tuple_number(k: int, work: Judging) -> int:
    """What the bits of the k-th tuple are, as a number beyond those of the tuples before it."""
    bits, first = u64(0), HEADER_FLOATS + k * BITS
    for j in range(BITS):
        place = int(get(work.model, first + j))
        bits |= (work.planes[place >> 6] >> u64(place & 63) & 1) << u64(j)
    return k << BITS | int(bits)


def sum_patterns(game: Game, s: State, p: int, work: Judging) -> int:
    """Make the sums of s as player p sees it; the number of words that describe it."""
    words = fill_words(game, s, p, work)
    n = words if game.has_patterns else work.patterns
    for k in range(work.weight_floats):
        h = get(work.model, work.first_row + k)
        for i in range(n):
            h += get(work.model, weight_at(game, i, work) + k)
        put(work.scratch, k, h)
    if work.weight_floats < work.outputs:
        put(work.scratch, 1, -get(work.scratch, 0))
    return words


def change_weights(game: Game, path: int, first: int, words: int, deltas: int, faster: float, to: int, base: int, work: Judging) -> int:
    """Add the steps of the outputs, in scratch at `deltas`, to b and the weights of the state whose words are in `path` from `first` on.

    What is changed are the floats `to` from `base` on, which lie as those of the model do.
    """
    for i in range(words):
        work.planes[i] = load(path, first + i)
    n = words if game.has_patterns else work.patterns
    for k in range(work.weight_floats):
        step, bias = get(work.scratch, deltas + k), base + work.first_row + k
        if work.weight_floats < work.outputs:
            step -= get(work.scratch, deltas + 1)
        step *= faster
        put(to, bias, get(to, bias) + step)
        for i in range(n):
            at = base + weight_at(game, i, work) + k
            put(to, at, get(to, at) + step)
    return words
