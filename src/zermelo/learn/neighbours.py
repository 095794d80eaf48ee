"""Neighbours of states that are labelled: more states to label, of the kind that a search evaluates.

NEIGHBOURS(s): for each of s and a random child of it, so often as wanted:
                   t  <-  its result after a random action
                   keep t if the game goes on there, its mover is not forced, and QUIESCENCE(t) = EVAL(t): no tactical action gains
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..bits import u64
from ..game import Game, State
from ..lower.memory import Words, load, store
from ..rng import split, step
from ..search.alphabeta.quiescence import Quiescent, quiescence
from ..search.evaluation import enter_ply, estimate_at, is_proven
from ..search.mate_distance import next_float
from ..search.prepare import prepare, width_of
from ..search.records import WORDS, room

PLIES = 64  # room for lines of tactical actions
Labels = np.ndarray[Any, np.dtype[np.uint64]]


class Neighbourhood(Quiescent):
    """The record of states whose neighbours are made."""

    seed: u64
    row: list[u64] = room(WORDS)
    states: int  # words: rows of a packed state and two words more
    count: int
    wanted: int  # tries to find a neighbour of each
    parents: int  # words: packed states, each of the states and the random child of it in turn
    made: int  # words: packed neighbours, each with the number of its parent and the action that leads to it
    made_count: int


def make_neighbours(game: Game, work: Neighbourhood) -> int:
    """Write the neighbours of each of the states; how many they are."""
    words = len(work.row)
    for i in range(work.count):
        for k in range(words):
            work.row[k] = load(work.states, i * (words + 2) + k)
        s, random = game.unpack(work.row), split(work.seed, u64(i)) | 1
        for child in range(2):
            write_state(game, s, work.parents, (2 * i + child) * words, work)
            for _ in range((work.wanted + 1 - child) // 2):
                random = step(random)
                a = game.sample(s, random)
                t = game.result(s, a)
                if is_calm(game, t, work):
                    at = work.made_count * (words + 2)
                    write_state(game, t, work.made, at, work)
                    store(work.made, at + words, u64(2 * i + child))
                    store(work.made, at + words + 1, u64(a))
                    work.made_count += 1
            random = step(random)
            s = game.result(s, game.sample(s, random))
            if is_proven(game, s, work):
                break
    return work.made_count


def write_state(game: Game, s: State, table: int, at: int, work: Neighbourhood) -> int:
    """Write s into the table of words from this place on."""
    game.pack(s, work.row)
    for k in range(len(work.row)):
        store(table, at + k, work.row[k])
    return at


def is_calm(game: Game, s: State, work: Neighbourhood) -> bool:
    """Whether a search would evaluate s as it stands."""
    if is_proven(game, s, work):
        return False
    if game.has_forcing:
        if game.is_forcing(s):
            return False
    p = game.to_move(s)
    enter_ply(game, 0, work)
    static = estimate_at(game, s, p, 0, work)
    return quiescence(game, s, p, static, next_float(static), 0, work) <= static and work.stopped == 0


def neighbours_of(game: Game, part: Labels, wanted: int, seed: int, interpreted: bool = False) -> tuple[Labels, Labels]:
    """Rows of neighbours of the states in a part of labels, each with the number of its parent and its last action; packed parents."""
    words = game.layout.words
    made, states = Words(wanted * part.size, interpreted, is_cleared=False), Words.of(part, interpreted)
    parents = Words(2 * len(part) * words, interpreted)
    work = prepare(game, make_neighbours, Neighbourhood, interpreted, plies=PLIES, width=width_of(game))(
        seed=seed & (1 << 64) - 1,
        states=states.table,
        count=len(part),
        wanted=wanted,
        parents=parents.table,
        made=made.table,
        row=[0] * words,
        has_quiescence=1,
        extensions=1,
        futility=1,
        by_order=1,
    )
    rows = made.read(0, int(work.made_count) * (words + 2)).reshape(-1, words + 2)
    return rows, parents.read(0, 2 * len(part) * words).reshape(-1, words)
