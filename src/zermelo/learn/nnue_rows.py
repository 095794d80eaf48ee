"""The inputs of an integer network as lists of numbers: of each example the rows of its sums, its phase, and whose side it is seen from.

An example is a line of words: its phase and whose side it is, then the numbers of the rows of this side and of the other one, four in a
word, filled up with that of the bias.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ..bits import ctz, rest, u64
from ..game import Game, State
from ..lower.memory import Words, load, store
from ..search.model.inputs import fill_planes
from ..search.model.network import looker
from ..search.model.nnue import output_phase
from ..search.prepare import prepare
from .nnue_fit import NnueFitting, row_number

IN_A_WORD, BITS = 4, 16
AT_ONCE = 1 << 20  # examples
Lines = np.ndarray[Any, np.dtype[np.uint64]]


class RowListing(NnueFitting):
    """The record of examples whose rows are listed."""

    lines: int  # words
    width: int  # words of a side
    widest: int  # rows that a side had at the most


def list_rows(game: Game, work: RowListing) -> int:
    """Write the line of each example; how many there are."""
    for example in range(work.games):
        for k in range(len(work.row)):
            work.row[k] = load(work.states, example * len(work.row) + k)
        s, at = game.unpack(work.row), example * (1 + 2 * work.width)
        view = looker(game, s)
        on = list_side(game, s, view, at + 1, work)
        list_side(game, s, 1 - view, at + 1 + work.width, work)
        store(work.lines, at, u64(2 * output_phase(game, s, on, work) + view))
    return work.games


def list_side(game: Game, s: State, p: int, at: int, work: RowListing) -> int:
    """Write the rows of player p from this word on; how many inputs are on."""
    on, word = 0, u64(0)
    n = fill_planes(game, s, 0 if game.has_plane_view else p, work)
    for k in range(n):
        bits = work.planes[k]
        while bits:
            word |= u64(row_number(game, s, p, 64 * k + ctz(bits), work)) << u64(BITS * (on % IN_A_WORD))
            bits = rest(bits)
            on += 1
            if on % IN_A_WORD == 0:
                if on <= IN_A_WORD * work.width:
                    store(work.lines, at + on // IN_A_WORD - 1, word)
                word = u64(0)
    work.widest = max(work.widest, on)
    for i in range(on, IN_A_WORD * work.width):
        word |= u64(work.bias_row) << u64(BITS * (i % IN_A_WORD))
        if i % IN_A_WORD == IN_A_WORD - 1:
            store(work.lines, at + i // IN_A_WORD, word)
            word = u64(0)
    return on


def rows_of(game: Game, states: Lines, on: int, interpreted: bool = False) -> Lines:
    """The lines of these packed states of a game with an integer network, in which as a rule no more than `on` inputs are on."""
    run = prepare(game, list_rows, RowListing, interpreted)
    width = -(-on // IN_A_WORD)
    made = np.empty((len(states), 1 + 2 * width), np.uint64)

    def list_some(first: int) -> int:
        to = made[first : first + AT_ONCE]
        some, lines = Words.of(states[first : first + AT_ONCE], interpreted), Words(to.size, interpreted, is_cleared=False)
        work = run(states=some.table, games=len(to), row=[0] * game.layout.words, lines=lines.table, width=width)
        to[:] = lines.read(0, to.size).reshape(to.shape)
        return int(work.widest)

    with ThreadPoolExecutor(1 if interpreted else os.cpu_count() or 1) as pool:
        widest = max(pool.map(list_some, range(0, len(states), AT_ONCE)), default=0)
    return made if widest <= IN_A_WORD * width else rows_of(game, states, widest, interpreted)
