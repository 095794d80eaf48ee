"""Exact values under superko: brute force over whole histories on random games that run in circles, and small boards of Go."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from zermelo import AlphaBeta, Game, Stop, ZermeloError
from zermelo.history import History

PASS = -1


class State(NamedTuple):
    place: int
    turn: int
    passes: int


class Circles(Game):
    """A token on a graph whose edges are each player's own; to pass is always allowed, and two passes end the game.

    No place may be come back to, whoever is to move there: what a place is worth depends on the way to it.
    """

    name = "circles"
    players = 2
    has_scores = True
    repetition = "forbidden"

    def __init__(self, edges: list[tuple[set[int], set[int]]], worths: list[int]):
        self.edges, self.worths, self.max_actions = edges, worths, len(edges) + 1

    def initial(self) -> State:
        return State(0, 0, 0)

    def to_move(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        if s.passes < 2:
            yield from sorted(self.edges[s.place][s.turn])
            yield PASS

    def result(self, s: State, a: int) -> State:
        return State(s.place, 1 - s.turn, s.passes + 1) if a == PASS else State(a, 1 - s.turn, 0)

    def is_terminal(self, s: State) -> bool:
        return s.passes == 2

    def utility(self, s: State, p: int) -> float:
        return self.worths[s.place] if p == 0 else -self.worths[s.place]

    def key(self, s: State) -> int:
        return hash((s, 1)) & (1 << 64) - 1

    def repetition_key(self, s: State) -> int:
        return hash((s.place, 2)) & (1 << 64) - 1


def worth(game: Game, history: History, alpha: float = -math.inf, beta: float = math.inf) -> float:
    """What the state at the end of a history is worth to its mover: alpha-beta over all ways to go on, without a table."""
    s = history.state
    if history.is_over:
        return float(history.utility(game.to_move(s)))
    best = -math.inf
    for a in sorted(history.actions(), key=lambda a: (not game.is_terminal(game.result(s, a)), -game.order(s, a))):
        history.do(a)
        best = max(best, -worth(game, history, -beta, -max(alpha, best)))
        history.undo()
        if best >= beta:
            break
    return best


@st.composite
def circles(draw: st.DrawFn) -> Circles:
    n = draw(st.integers(2, 5))
    places = st.sets(st.integers(0, n - 1), max_size=3)
    edges = [tuple(draw(places) - {place} for _ in range(2)) for place in range(n)]
    return Circles(edges, draw(st.lists(st.integers(-3, 3), min_size=n, max_size=n)))


@settings(max_examples=100, deadline=None)
@given(game=circles())
def test_games_in_circles(game):
    expected = worth(game, History(game))
    found = AlphaBeta(table=1, interpreted=True).solution(game)
    assert found.value == expected
    history = History(game)
    history.do(found.best[0])
    assert -worth(game, history) == expected


def test_who_wins_without_scores():
    for komi, won in ((0.5, 1), (1, 0), (1.5, -1)):
        game = zermelo.game("go", size=2, komi=komi, limit=60)
        assert AlphaBeta(table=64, interpreted=True).solve(game, [game.initial()]).values.tolist() == [won]


def test_interpreted_and_native_search_alike():
    game = zermelo.game("go", size=2, komi=0, score=True, limit=60)
    both = [AlphaBeta(table=64, interpreted=interpreted).solution(game) for interpreted in (True, False)]
    assert both[0].nodes == both[1].nodes and both[0].value == both[1].value == 1


def test_positions_of_go_2x2():
    game, chance = zermelo.game("go", size=2, komi=0, score=True, limit=60), random.Random(3)
    for _ in range(6):
        s = game.initial()
        for _ in range(chance.randrange(9)):
            after = game.result(s, chance.choice(list(game.actions(s))))
            s = s if game.is_terminal(after) else after
        s = s._replace(plies=0)
        assert AlphaBeta(table=64).solution(game, s).value == worth(game, History(game, s))


@pytest.mark.slow
@pytest.mark.parametrize(("size", "points"), [(3, 9), (4, 2)])
def test_small_boards_of_go(size, points):
    """As published (van der Werf, van den Herik and Uiterwijk 2003)."""
    game = zermelo.game("go", size=size, komi=0, score=True)
    assert AlphaBeta(table=8192).solution(game).value == points


def test_the_sign_of_what_has_no_scores():
    game = Circles([({1}, set()), (set(), set())], [-2, 3])
    game.has_scores = False
    assert AlphaBeta(interpreted=True).solution(game).value == 1


class Stranded(Circles):
    """One in which nobody may pass: who is at place 1 could only go back."""

    def actions(self, s: State) -> Iterator[int]:
        yield from sorted(self.edges[s.place][s.turn])


def test_what_is_refused():
    with pytest.raises(ZermeloError, match="a player always has an action that is allowed, and in circles one may have none"):
        AlphaBeta(interpreted=True, seconds=5).solution(Stranded([({1}, {1}), ({0}, {0})], [0, 0]))
    game = zermelo.game("go", size=2, komi=0, score=True)
    with pytest.raises(ZermeloError, match="expected the best action to be asked for, not all"):
        AlphaBeta(interpreted=True).solution(game, all_moves=True)
    with pytest.raises(ZermeloError, match=r"within the 12 plies that are left to .* expected a greater limit of plies"):
        AlphaBeta(interpreted=True).solution(game)
    with pytest.raises(ZermeloError, match="forbids what comes back"):
        AlphaBeta().oracle(game)
    stop = Stop()
    stop.set()
    assert AlphaBeta(interpreted=True).solution(game, stop=stop) is None
    assert AlphaBeta(nodes=10, interpreted=True).solution(game) is None
