"""Best responses: against all pure strategies, and against OpenSpiel."""

from __future__ import annotations

import numpy as np
import pytest
from plain_cfr import ThreePlayerKuhn, best_value, policy_of, random_strategy, values
from spiel import PAIRS, tabular

import zermelo
from zermelo.equilibrium.form import sequence_form
from zermelo.equilibrium.solver import Evaluation


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("interpreted", [True, False])
def test_no_pure_strategy_is_better_and_one_is_as_good(seed, interpreted):
    game = zermelo.game("kuhn")
    form = sequence_form(game)
    strategy = random_strategy(form, seed)
    policy, found = policy_of(game, form, strategy), Evaluation(game, form, interpreted).of(strategy)
    best = [best_value(game, policy, p) for p in range(2)]
    assert np.allclose(found.best, best, atol=1e-12)
    assert found.nash_conv == pytest.approx(sum(best) - sum(values(game, policy)), abs=1e-12)


def compare(text: str, seeds: range) -> None:
    """Both the best responses and what strategies earn are OpenSpiel's."""
    pyspiel = pytest.importorskip("pyspiel")
    name, shift = PAIRS[text]
    game, theirs = zermelo.game(text), pyspiel.load_game(name)
    form = sequence_form(game)
    evaluation = Evaluation(game, form)
    for seed in seeds:
        strategy = random_strategy(form, seed)
        found, policy = evaluation.of(strategy), tabular(game, policy_of(game, form, strategy), theirs, shift)
        assert found.nash_conv == pytest.approx(pyspiel.nash_conv(theirs, policy), abs=1e-9)
        for p in range(2):
            response = pyspiel.TabularBestResponse(theirs, p, policy)
            assert found.best[p] == pytest.approx(response.value_from_state(theirs.new_initial_state()), abs=1e-9)


@pytest.mark.parametrize(("text", "count"), [("kuhn", 10), ("leduc", 2), ("liarsdice:sides=3", 2), ("goofspiel:cards=3,hidden=true", 3)])
def test_equal_to_openspiel(text, count):
    compare(text, range(count))


@pytest.mark.slow
@pytest.mark.parametrize("text", ["kuhn", "leduc"])
def test_equal_to_openspiel_on_a_hundred_strategies(text):
    compare(text, range(100))


def test_three_players():
    pyspiel = pytest.importorskip("pyspiel")
    game, theirs = ThreePlayerKuhn(), pyspiel.load_game("kuhn_poker(players=3)")
    form = sequence_form(game)
    for seed in range(3):
        strategy = random_strategy(form, seed)
        policy = tabular(game, policy_of(game, form, strategy), theirs, 1)
        assert Evaluation(game, form).of(strategy).nash_conv == pytest.approx(pyspiel.nash_conv(theirs, policy), abs=1e-9)
