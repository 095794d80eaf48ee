"""A network against its formulas in numpy, its gradient against finite differences, interpreted against native code."""

from __future__ import annotations

import random

import numpy as np
import pytest
from reference import inputs, loss, outputs
from small_games import Race, RandomWalk

import zermelo
from zermelo import u64
from zermelo.lower.memory import Words, store
from zermelo.lower.rows import Floats, copy, get, put
from zermelo.search.model.model import Model, with_model
from zermelo.search.model.network import compute_outputs, deltas_at, descend, enter_phase, model_value, outputs_at, phase_of, sum_inputs
from zermelo.search.model.record import Judging
from zermelo.search.prepare import prepare
from zermelo.search.records import PLAYERS, WORDS, room

LAYERS = [(0, 0), (20, 0), (20, 17)]  # units of both hidden layers
GAMES = {"tictactoe": "tictactoe", "backgammon": "backgammon", "pig": "pig", "race": Race, "walk": RandomWalk}


def game_of(name):
    found = GAMES[name]
    return zermelo.game(found) if isinstance(found, str) else found()


def states_of(game, count, seed=1):
    """States of random games that are not terminal."""
    rng, found = random.Random(seed), []
    while len(found) < count:
        s = game.initial()
        while not game.is_terminal(s) and len(found) < count:
            if rng.random() < 0.3:
                found.append(s)
            s = game.result(s, rng.choice(list(game.actions(s))))
    return found


class Asked(Judging):
    start: list[u64] = room(WORDS)
    values: list[float] = room(PLAYERS)
    shown: list[float] = room(16)


def ask(game, work):
    s = game.unpack(work.start)
    for p in range(game.players):
        work.values[p] = model_value(game, s, p, work)
    for k in range(16):
        work.shown[k] = get(work.scratch, outputs_at(work) + k)
    return 0


@pytest.mark.parametrize(("hidden", "second"), LAYERS)
@pytest.mark.parametrize("name", GAMES)
def test_outputs_are_the_formula_and_native_ones_have_the_same_bits(name, hidden, second):
    game = game_of(name)
    model = Model.new(game, hidden, seed=3, second=second)
    model.array[model.shape.first_row :] += np.random.default_rng(5).normal(size=model.shape.size - model.shape.first_row) * 0.2
    judged = with_model(game, model)
    for s in states_of(game, 20):
        found = [prepare(judged, ask, Asked, interpreted)(start=game.layout.pack(s)) for interpreted in (True, False)]
        assert list(found[0].values) == list(found[1].values)
        wanted = outputs(model, inputs(game, s, game.perspective(s)), game.phase(s))
        assert np.allclose(found[1].shown[: len(wanted)], wanted, atol=2e-5)


@pytest.mark.parametrize("name", ["backgammon", "race"])
def test_values_are_made_of_outputs(name):
    """In a game of two what one gets the other loses; the outcomes of backgammon are a point each."""
    game = game_of(name)
    model = Model.new(game, 8, seed=4)
    work = prepare(with_model(game, model), ask, Asked, False)
    for s in states_of(game, 10):
        values = work(start=game.layout.pack(s)).values
        o, view = outputs(model, inputs(game, s, game.perspective(s)), game.phase(s)), game.perspective(s)
        if name == "backgammon":
            mine = o[:3].sum() - o[3:].sum()
            assert np.allclose([values[view], values[1 - view]], [mine, -mine], atol=1e-5)
        else:
            assert np.allclose([values[(view + k) % 3] for k in range(3)], -1 + 3 * o, atol=1e-5)


class Descending(Judging):
    start: list[u64] = room(WORDS)
    targets: list[float] = room(16)
    rate: float
    path: int
    trail: int


def step_down(game, work):
    s = game.unpack(work.start)
    enter_phase(game, phase_of(game, s), work)
    planes = sum_inputs(game, s, game.perspective(s), work)
    n = compute_outputs(work)
    for k in range(planes):
        store(work.path, k, work.planes[k])
    copy(work.activations, work.scratch, work.width, work.trail, 0)
    for k in range(n):
        put(work.scratch, deltas_at(work) + k, work.rate * (work.targets[k] - get(work.scratch, outputs_at(work) + k)))
    return descend(game, work.path, 0, planes, work.trail, 0, 1.0, work)


@pytest.mark.parametrize(("hidden", "second"), LAYERS)
@pytest.mark.parametrize("name", ["backgammon", "race", "tictactoe"])
def test_the_gradient_is_that_of_finite_differences(name, hidden, second):
    game, rate, rng = game_of(name), 1e-2, np.random.default_rng(7)
    s = [s for s in states_of(game, 200, seed=9) if game.phase(s) == game.phases - 1][2]
    model = Model.new(game, hidden, seed=5, second=second)
    model.array[model.shape.first_row :] += rng.normal(size=model.shape.size - model.shape.first_row) * 0.3
    before, x = np.array(model.array, float), inputs(game, s, game.perspective(s))
    targets = rng.random(model.shape.outputs)
    path, trail = Words(64, False), Floats(256, False)
    run = prepare(with_model(game, model), step_down, Descending, False)
    run(start=game.layout.pack(s), targets=[*targets, *[0.0] * (16 - len(targets))], rate=rate, path=path.table, trail=trail.table)
    taken = (np.array(model.array, float) - before) / rate
    changed = np.flatnonzero(taken)
    assert len(changed) > model.shape.outputs
    for i in [*rng.choice(changed, 150), *rng.integers(model.shape.first_row, model.shape.size, 50)]:
        above, below = before.copy(), before.copy()
        above[i] += 1e-5
        below[i] -= 1e-5
        slope = (loss(model, x, targets, game.phase(s), above) - loss(model, x, targets, game.phase(s), below)) / 2e-5
        assert taken[i] == pytest.approx(-slope, abs=2e-3), i


class Unruly(RandomWalk):
    """Yields fewer planes at the start than later, looks from nobody's side, and is in no phase."""

    phases = 2

    def phase(self, s):
        return 9 if s.at == 2 else -9

    def planes(self, s, p):
        for k in range(1 if s.at == 3 else 40):
            yield u64(1) << u64(s.at + k)

    def perspective(self, s):
        return 7


def test_rules_that_break_their_word_read_no_memory_of_others():
    game = Unruly()
    run = prepare(with_model(game, Model.new(game, 16, seed=1)), ask, Asked, False)
    for s in states_of(game, 20):
        assert 0 <= run(start=game.layout.pack(s)).values[0] <= 1
