"""The best response to a strategy, exactly, and how far strategies are from an equilibrium.

    for each information set i of p, the last one first, with the sequences k
        v(k) = earned(k) + v of the sets that follow k
        v(i) = max over k of v(k)                       of a best response
        v(i) = sum over k of sigma(k) v(k)              of the strategy itself

NashConv is the sum over players of what a best response gains: 0 in an equilibrium and nowhere else. In a game of two players in which
one wins what the other loses, exploitability is half of it.
"""

from __future__ import annotations

from ..game import Game
from ..search.records import PLAYERS, room
from .sequences import Form, add_real, earned, number, put_real, reach_sequences, real


class Responses(Form):
    """The record of best responses."""

    averages: int
    nash_conv: float
    best: list[float] = room(PLAYERS)  # what a best response of each player gets
    expected: list[float] = room(PLAYERS)  # what its own strategy gets


def respond(game: Game, work: Responses) -> int:
    """Find what each player gets by the strategy `sigma` and by a best response to it; the number of players."""
    for p in range(game.players):
        reach_sequences(p, work)
    for p in range(game.players):
        work.best[p] = value_of(game, p, True, work)
        work.expected[p] = value_of(game, p, False, work)
        work.nash_conv += work.best[p] - work.expected[p]
    return game.players


def value_of(game: Game, p: int, is_best: bool, work: Responses) -> float:
    """What player p gets against the others, by a best response or by its own strategy."""
    firsts, parents, sigma, values = work.firsts, work.parents, work.sigma, work.values
    for i in range(work.set_begin[p + 1] - 1, work.set_begin[p] - 1, -1):
        begin, end = number(firsts, i), number(firsts, i + 1)
        mean, best = 0.0, -1.0e300
        for k in range(begin, end):
            v = real(values, k) + earned(game, k, work)
            best = max(best, v)
            mean += real(sigma, k) * v
            put_real(values, k, 0.0)
        add_real(values, number(parents, i), best if is_best else mean)
    total = real(values, p) + earned(game, p, work)
    put_real(values, p, 0.0)
    return total


def average(game: Game, work: Responses) -> int:
    """Make `sigma` the average strategy, then respond to it; the number of players."""
    firsts, averages, sigma = work.firsts, work.averages, work.sigma
    for i in range(work.set_begin[game.players]):
        begin, end = number(firsts, i), number(firsts, i + 1)
        total = 0.0
        for k in range(begin, end):
            total += real(averages, k)
        for k in range(begin, end):
            put_real(sigma, k, real(averages, k) / total if total > 0.0 else 1.0 / (end - begin))
    return respond(game, work)
