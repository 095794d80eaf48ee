"""Rollouts: the exact values of a small game with dice, with luck and without; the same by seed, interpreted and native, when stopped."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

import zermelo
from zermelo.errors import ZermeloError
from zermelo.games.pig import ROLL, Pig, State
from zermelo.search.expectiminimax import Expectiminimax
from zermelo.search.rollouts import Rollouts
from zermelo.search.stop import Stop

TARGET, SIDES = 6, 3
WIDE = TARGET + SIDES  # totals of a turn are below


def solved() -> tuple[list[float], list[float]]:
    """What the player of a turn gets by best play, before it chooses and with the die in the air, by value iteration."""
    choosing, rolling = [0.0] * (TARGET * TARGET * WIDE), [0.0] * (TARGET * TARGET * WIDE)

    def at(mine, other, total):
        return (mine * TARGET + other) * WIDE + total

    def after(mine, other, total):
        return 1.0 if mine + total >= TARGET else choosing[at(mine, other, total)]

    for _ in range(400):
        for mine in range(TARGET):
            for other in range(TARGET):
                for total in range(TARGET - mine):
                    lucky = sum(after(mine, other, total + face) for face in range(2, SIDES + 1))
                    roll = rolling[at(mine, other, total)] = (lucky - choosing[at(other, mine, 0)]) / SIDES
                    choosing[at(mine, other, total)] = max(roll, -choosing[at(other, mine + total, 0)]) if total else roll
    for mine in range(TARGET):
        for other in range(TARGET):
            for total in range(TARGET - mine, WIDE):
                choosing[at(mine, other, total)] = 1.0
    return choosing, rolling


class Known(Pig):
    """Pig whose evaluation is what states are worth by best play, or a share of it: the best actions are the same."""

    def __init__(self, share: float = 1.0):
        super().__init__(TARGET, 2, SIDES)
        choosing, rolling = solved()
        self.choosing, self.rolling, self.share = tuple(choosing), tuple(rolling), share

    def evaluate(self, s: State, p: int) -> float:
        i = (s.scores[s.turn] * TARGET + s.scores[1 - s.turn]) * WIDE + s.total
        v = self.share * (self.rolling[i] if s.rolling else self.choosing[i])
        return v if p == s.turn else -v


KNOWN, HALF = Known(), Known(0.5)
SOME = [State((0, 0), 3, 0, False), State((2, 4), 2, 1, False), State((4, 0), 0, 0, False)]


def exact(s: State, a: int, game: Known = KNOWN) -> float:
    """What an action is worth to its player, or what an evaluation says."""
    t = game.result(s, a)
    return game.utility(t, s.turn) if game.is_terminal(t) else game.evaluate(t, s.turn)


def told(result):
    return replace(result, seconds=0)


def test_the_evaluation_is_what_best_play_gives():
    """Whatever is looked ahead, the value stays: that holds for the values by best play alone, as every game of Pig ends."""
    for s in [KNOWN.initial(), *SOME]:
        for depth in (1, 2, 5):
            assert Expectiminimax(depth=depth, interpreted=True).search(KNOWN, s).value == pytest.approx(
                KNOWN.evaluate(s, s.turn), abs=1e-9
            )


@pytest.mark.parametrize("depth", [None, 4])
def test_with_a_perfect_evaluation_nothing_but_luck_differs(depth):
    for s in SOME:
        result = Rollouts(trials=16, depth=depth, confidence=None, interpreted=True).search(KNOWN, s)
        assert result.scores == pytest.approx({a: exact(s, a) for a in KNOWN.actions(s)}, abs=1e-9)
        assert all(error < 1e-9 for error in result.errors.values())
        assert result.value == result.values[s.turn] == -result.values[1 - s.turn] == max(result.scores.values())


@pytest.mark.parametrize("luck", [False, True])
def test_means_are_exact_within_their_errors(luck):
    for s in SOME:
        result = Rollouts(trials=3000, luck=luck, confidence=None, seed=1).search(HALF, s)
        for a in HALF.actions(s):
            assert abs(result.scores[a] - exact(s, a)) < 4 * result.errors[a] + 1e-9
            assert result.errors[a] <= (0.5 if luck else 1.0) / math.sqrt(3000)  # what is left of luck is the part that HALF does not see


def test_one_ply_is_the_evaluation():
    for s in SOME:
        result = Rollouts(depth=1).search(HALF, s)
        assert result.scores == {a: exact(s, a, HALF) for a in HALF.actions(s)}
        assert result.depth == 1 and not result.exact


def test_the_first_rolls_come_evenly():
    """Without luck taken out, 36 games of two rolls each give nearly the mean over all pairs; drawn by themselves they would not."""
    s, seeds = State((0, 0), 2, 0, False), range(30)
    search = Rollouts(depth=4, trials=36, luck=False, confidence=None, interpreted=True)
    means = [replace(search, seed=seed).search(KNOWN, s) for seed in seeds]
    wrong = math.sqrt(sum((r.scores[ROLL] - exact(s, ROLL)) ** 2 for r in means) / len(seeds))
    assert wrong < 0.7 * sum(r.errors[ROLL] for r in means) / len(seeds)


@pytest.mark.parametrize("luck", [False, True])
def test_interpreted_is_native_game_for_game(luck):
    for game, s in [(HALF, SOME[0]), (HALF, SOME[1])]:
        ways = [Rollouts(trials=40, depth=6, luck=luck, interpreted=i, seed=5).search(game, s) for i in (False, True)]
        assert told(ways[0]) == told(ways[1])


@pytest.mark.slow
def test_backgammon_with_its_model():
    game = zermelo.game("backgammon")
    s = game.result(game.initial(), next(iter(game.actions(game.initial()))))
    settings = {"trials": 2, "depth": 5, "candidates": 2, "eval": "learned"}
    found = [Rollouts(interpreted=i, **settings).search(game, s) for i in (False, True)]
    assert told(found[0]) == told(found[1])


def test_the_seed_decides_and_games_are_the_same_for_all_candidates():
    search = Rollouts(trials=20, luck=False, confidence=None, seed=3)
    first = search.search(HALF, SOME[0])
    assert told(first) == told(search.search(HALF, SOME[0]))
    assert first.scores != replace(search, seed=4).search(HALF, SOME[0]).scores
    alone = replace(search, candidates=1).search(HALF, SOME[0])
    assert list(alone.scores) == [first.action] and alone.scores[first.action] == first.scores[first.action]


def test_candidates_margin_and_confidence():
    s, search = SOME[0], Rollouts(trials=1, interpreted=True)
    better, worse = sorted(KNOWN.actions(s), key=lambda a: -exact(s, a))
    gap = exact(s, better) - exact(s, worse)
    assert set(replace(search, margin=1.01 * gap).search(KNOWN, s).scores) == {better, worse}
    assert set(replace(search, margin=0.99 * gap).search(KNOWN, s).scores) == {better}
    sure = replace(search, trials=1000).search(KNOWN, s)
    assert sure.action == better and sure.nodes == 32  # after one round there is no doubt
    steps = list(Rollouts(trials=3000, luck=False, seed=2).deepen(HALF, s))
    assert steps[-1].nodes < 6000 and steps[-1].action == better  # one was left out, and so the other is not played to the end
    assert [r.nodes for r in steps[:3]] == [1, 32, 64]


def test_limits():
    s = SOME[0]
    assert Rollouts(nodes=10, confidence=None).search(HALF, s).nodes == 10
    assert Rollouts(nodes=1).search(HALF, s).errors == {}
    for interpreted in (False, True):
        stop = Stop()
        stop.set()
        result = Rollouts(interpreted=interpreted).search(HALF, s, stop)
        assert result.nodes == 1 and result.scores == {a: exact(s, a, HALF) for a in HALF.actions(s)}
        seconds = Rollouts(trials=1 << 16, seconds=0.05, confidence=None, interpreted=interpreted).search(HALF, s)
        assert seconds.nodes < 1 << 17 and len(seconds.scores) == 2


def test_terminal_and_refused():
    over = Rollouts(interpreted=True).search(KNOWN, State((6, 0), 0, 0, False))
    assert over.action is None and over.values == (1, -1) and over.exact
    with pytest.raises(ZermeloError, match="Rollouts: expected a state where a player is to move"):
        Rollouts(interpreted=True).search(KNOWN, State((0, 0), 0, 0, True))
    with pytest.raises(ZermeloError, match="Rollouts: expected a game of two players, and trio has 3"):
        Rollouts().search(zermelo.game("trio"))
    with pytest.raises(ZermeloError, match="Rollouts: expected no depth, as tictactoe has no evaluation"):
        Rollouts(depth=3).search(zermelo.game("tictactoe"))
