"""Temporal differences on games whose values are known, and that the same seed learns the same."""

from __future__ import annotations

import numpy as np
import pytest
from reference import inputs, outputs
from small_games import STATES, Place, Race, RandomWalk, WalkInTwoPhases

import zermelo
from zermelo.learn.score import score_against_random
from zermelo.learn.self_play import Learner
from zermelo.rng import below, split, step
from zermelo.search.model.model import Model


def settings(rate, trace=0.7, epsilon=0.0, faster=1.0):
    return {"rate": rate, "trace": trace, "epsilon": epsilon, "faster": faster}


@pytest.mark.parametrize(
    ("walk", "trace"), [(RandomWalk, 0.0), (RandomWalk, 0.5), (RandomWalk, 0.8), (RandomWalk, 1.0), (WalkInTwoPhases, 0.5)]
)
def test_the_random_walk_is_worth_what_it_is_worth(walk, trace):
    """TD(0), TD(lambda) and Monte Carlo: k / 6 for place k, within 0.02 after 100,000 games with a rate that falls to 0.0004."""
    game = walk()
    model = Model.new(game)
    learner = Learner(game, model)
    for k in range(100):
        learner.learn(1000, 1000 * k, 11, settings(0.2 * 0.002 ** (k / 99), trace))
    places = [Place(k, True) for k in range(1, STATES + 1)]
    values = [outputs(model, inputs(game, s, 0), game.phase(s))[0] for s in places]
    assert values == pytest.approx([k / 6 for k in range(1, STATES + 1)], abs=0.02)


def test_three_players_learn_who_wins():
    """Ten counters of which one or two are taken in turn: perfect play is known by looking at all of it."""
    game = Race()
    model = Model.new(game, 32, seed=1)
    Learner(game, model).learn(30_000, 0, 3, settings(0.05, 0.7, 0.2, 10.0))
    assert score_against_random(game, model, 3000, 5).mean > 0.55  # of 2 at most; random players get 0


@pytest.mark.parametrize("name", ["tictactoe", "backgammon", "backgammon:inputs=tesauro", "race"])
def test_interpreted_learning_leaves_the_weights_of_native_learning(name):
    game = Race() if name == "race" else zermelo.game(name)
    games = 1 if game.has_chance else 20
    models = [Model.new(game, 16, seed=2) for _ in range(2)]
    for model, interpreted in zip(models, (False, True), strict=True):
        Learner(game, model, interpreted=interpreted).learn(games, 0, 7, settings(0.05, 0.7, 0.0 if game.has_chance else 0.2, 10.0))
    assert models[0].array.tobytes() == models[1].array.tobytes()


def test_the_same_seed_learns_the_same_and_parts_are_the_whole():
    game = zermelo.game("connect4")
    models = [Model.new(game, 16, seed=2) for _ in range(3)]
    Learner(game, models[0]).learn(60, 0, 7, settings(0.02, 0.7, 0.2, 10.0))
    learner = Learner(game, models[1])
    for first, games in ((0, 10), (10, 1), (11, 49)):
        learner.learn(games, first, 7, settings(0.02, 0.7, 0.2, 10.0))
    Learner(game, models[2]).learn(60, 0, 8, settings(0.02, 0.7, 0.2, 10.0))
    assert models[0].array.tobytes() == models[1].array.tobytes() != models[2].array.tobytes()


def test_a_network_learns_its_own_phase_alone():
    """Places of the left phase leave the weights of the right one as they were."""
    game = WalkInTwoPhases()
    model = Model.new(game, 16, seed=2)
    before = model.weights.copy()
    Learner(game, model).learn(200, 0, 7, settings(0.05, 0.7, 0.0, 10.0))
    used = [{np.flatnonzero(inputs(game, Place(k, True), 0))[0] for k in places} for places in ((1, 2), (3, 4, 5))]
    changed = (model.weights != before).reshape(2, -1)[:, : model.shape.inputs * model.shape.width]
    for phase in range(2):
        assert set(np.flatnonzero(changed[phase].reshape(model.shape.inputs, -1).any(axis=1))) == used[phase]


def test_nearly_half_of_the_games_begin_at_random():
    """A model of zeros takes one of ten at a time, and the last two at once: counted here with the same random words."""
    games, seed, most, expected, begun = 300, 7, 3, 0, 0
    for g in range(games):
        random = split(seed, g) | 1
        early, left = below(split(random, 1), 2 * most + 1) - most, 10
        begun += early > 0
        while left > 0:
            random = step(random)
            if early > 0:
                left -= 1 + below(random, 2 if left > 1 else 1)
            else:
                left -= 2 if left == 2 else 1
                expected += 1
            early -= 1
    played = Learner(Race(), Model.new(Race())).learn(games, 0, seed, settings(0.0) | {"random_plies": most})
    assert played.plies == expected and begun == pytest.approx(games * 3 / 7, rel=0.1)


def test_threads_share_the_weights():
    game = zermelo.game("tictactoe")
    model = Model.new(game, 16, seed=2)
    played = Learner(game, model, threads=3).learn(3001, 0, 7, settings(0.05, 0.7, 0.2, 10.0))
    assert played.games == 3001 and played.unfinished == 0
    assert score_against_random(game, model, 1000, 1).mean > 0.5


def test_the_inputs_of_backgammon_are_those_of_td_gammon():
    """Tesauro's: a man, two, three, half of those above three; half the men on the bar; a fifteenth of those borne off."""
    game = zermelo.game("backgammon:inputs=tesauro")
    rng = np.random.default_rng(3)
    s = game.initial()
    for _ in range(600):
        s = game.initial() if game.is_terminal(s) else game.result(s, int(rng.choice(list(game.actions(s)))))
        text = game.write_state(s)
        for p in range(2):
            x = inputs(game, s, p)
            for side, men in enumerate(men_of(game, s, p)):
                first = 102 * side
                for point in range(1, 25):
                    n = men[point]
                    wanted = [n > 0, n > 1, n > 2, max(0, n - 3) / 2]
                    assert [x[first + 25 * k + point] for k in range(4)] == wanted, text
                assert x[first + 100] == men[25] / 2
                assert x[first + 101] == pytest.approx((15 - sum(men)) / 15)


def men_of(game, s, p):
    """How many men both sides have on each point as they count them, the side of p first; read from the state's own words."""
    sides = [(s.low, s.high), (s.low2, s.high2)]
    for low, high in sides if p == s.turn else sides[::-1]:
        digits = [low, low >> 32, high, high >> 32]
        yield [sum((digit >> point & 1) << k for k, digit in enumerate(digits)) for point in range(26)]
