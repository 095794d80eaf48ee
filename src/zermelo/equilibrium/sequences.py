"""What algorithms on the sequence form share: its record, how likely sequences are, and what they earn.

A strategy is a number sigma(k) for each sequence k: how likely its last action is in its information set. Sequences of a set are numbered
one after the other, and so are the sets of a player, each after the set of its parent: walks up and down are loops over arrays.

    reach(k) = sigma(k) * reach(parent of k's set)                    reach of an empty sequence: 1
    earned(k) = sum over ends with k as p's sequence of
                probability by chance * utility * product of the others' reach

von Stengel, Efficient computation of behavior strategies, Games and Economic Behavior 14 (1996).
"""

from __future__ import annotations

from ..bits import i64
from ..game import Game
from ..lower.memory import load, store, to_real, to_word
from ..search.records import PLAYERS, Record, room


class Form(Record):
    """The sequence form of a game and a strategy, in tables outside the record."""

    set_begin: list[int] = room(PLAYERS + 1)  # the first information set of each player
    parents: int  # of each information set: the sequence before it
    firsts: int  # ... the first sequence, and one more
    rows: int  # of each sequence the first of its ends
    pays: int  # of each end: probability by chance * utility of the sequence's owner
    columns: int  # ... the sequences of the others
    sigma: int
    reach: int
    values: int  # of each sequence, while information sets are walked up; 0 before and after


def real(table: int, i: int) -> float:
    """Float i of a table."""
    return to_real(load(table, i))


def put_real(table: int, i: int, x: float) -> float:
    """Make float i of a table be x; x."""
    store(table, i, to_word(x))
    return x


def number(table: int, i: int) -> int:
    """Number i of a table."""
    return i64(load(table, i))


def reach_sequences(p: int, work: Form) -> int:
    """Make the reach of player p's sequences from its strategy; how many sets it has."""
    firsts, parents, sigma, reach = work.firsts, work.parents, work.sigma, work.reach
    put_real(reach, p, 1.0)
    for i in range(work.set_begin[p], work.set_begin[p + 1]):
        before = real(reach, number(parents, i))
        for k in range(number(firsts, i), number(firsts, i + 1)):
            put_real(reach, k, before * real(sigma, k))
    return work.set_begin[p + 1] - work.set_begin[p]


def earned(game: Game, k: int, work: Form) -> float:
    """What ends with sequence k as the last of its player's earn, against the strategies of the others."""
    pays, columns, reach, others = work.pays, work.columns, work.reach, game.players - 1
    total = 0.0
    for e in range(number(work.rows, k), number(work.rows, k + 1)):
        x = real(pays, e)
        for q in range(others):
            x *= real(reach, number(columns, e * others + q))
        total += x
    return total


def match_regrets(begin: int, end: int, regrets: int, sigma: int) -> int:
    """Play each sequence of a set in proportion to its regret above 0, all alike if none has any; their number."""
    total = 0.0
    for k in range(begin, end):
        total += max(real(regrets, k), 0.0)
    for k in range(begin, end):
        put_real(sigma, k, max(real(regrets, k), 0.0) / total if total > 0.0 else 1.0 / (end - begin))
    return end - begin


def add_real(table: int, i: int, x: float) -> float:
    """Add x to float i of a table; the sum."""
    return put_real(table, i, real(table, i) + x)
