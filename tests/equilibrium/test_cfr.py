"""Regret minimisation: equal to its textbook form and to OpenSpiel's, and what it converges to."""

from __future__ import annotations

import numpy as np
import pytest
from plain_cfr import ThreePlayerKuhn, minimise, policy_of
from spiel import PAIRS, nash_conv

import zermelo
from zermelo import ZermeloError
from zermelo.equilibrium.solver import METHODS, Solver

GAMES = [zermelo.game("kuhn"), ThreePlayerKuhn()]


@pytest.mark.parametrize("game", GAMES, ids=repr)
@pytest.mark.parametrize("method", METHODS)
def test_interpreted_and_native_are_the_same_to_the_bit(game, method):
    ours, theirs = (Solver(game, method, seed=3, interpreted=interpreted) for interpreted in (True, False))
    for solver in (ours, theirs):
        solver.run(13)
        solver.run(7)
    assert np.array_equal(ours.regrets, theirs.regrets) and np.array_equal(ours.averages, theirs.averages)
    assert ours.evaluate().nash_conv == theirs.evaluate().nash_conv
    assert np.count_nonzero(ours.regrets) > 10


@pytest.mark.parametrize("game", GAMES, ids=repr)
@pytest.mark.parametrize("method", ["cfr", "cfr+"])
def test_equal_to_the_textbook(game, method):
    solver = Solver(game, method)
    solver.run(10)
    ours = policy_of(game, solver.form, solver.strategy)
    for key, expected in minimise(game, 10, method == "cfr+").items():
        assert ours[key] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("method", "within"), [("cfr", 3e-3), ("cfr+", 1e-6), ("dcfr", 1e-6), ("mccfr", 3e-3)])
def test_the_value_of_kuhn_poker(method, within):
    solver = Solver(zermelo.game("kuhn"), method, seed=1)
    solver.run(100_000)
    found = solver.evaluate()
    assert found.expected[0] == pytest.approx(-1 / 18, abs=within) and found.expected[1] == pytest.approx(1 / 18, abs=within)
    assert 0 <= found.nash_conv < 10 * within


def test_leduc_converges_as_it_should():
    solver = Solver(zermelo.game("leduc"), "cfr+")
    for iterations, bound in ((1000, 1e-3), (10_000, 2e-5)):
        solver.run(iterations - solver.iteration)
        assert solver.evaluate().nash_conv <= bound
    assert solver.evaluate().expected[0] == pytest.approx(-0.0856064, abs=1e-5)  # Southey et al. 2005 and many since


def test_sampling_converges():
    solver, found = Solver(zermelo.game("leduc"), "mccfr", seed=1), []
    for iterations in (10_000, 100_000, 1_000_000):
        solver.run(iterations - solver.iteration)
        found.append(solver.evaluate().nash_conv)
    assert found[0] < 1.2 and found[1] < 0.3 and found[2] < 0.1


@pytest.mark.parametrize(
    ("text", "method"),
    [
        ("kuhn", "cfr"),
        ("kuhn", "cfr+"),
        ("leduc", "cfr"),
        ("leduc", "cfr+"),
        ("liarsdice:sides=3", "cfr+"),
        ("goofspiel:hidden=true", "cfr+"),
    ],
)
def test_nash_conv_after_100_iterations_is_openspiels(text, method):
    """OpenSpiel's own solver, and OpenSpiel's own NashConv of our strategy."""
    pyspiel = pytest.importorskip("pyspiel")
    name, shift = PAIRS[text]
    game, theirs = zermelo.game(text), pyspiel.load_game(name)
    solver, other = Solver(game, method), {"cfr": pyspiel.CFRSolver, "cfr+": pyspiel.CFRPlusSolver}[method](theirs)
    solver.run(100)
    for _ in range(100):
        other.evaluate_and_update_policy()
    expected = pyspiel.nash_conv(theirs, other.tabular_average_policy())
    assert solver.evaluate().nash_conv == pytest.approx(expected, abs=1e-6)
    assert nash_conv(game, solver.form, solver.strategy, theirs, shift) == pytest.approx(expected, abs=1e-6)


def test_discounted_is_openspiels():
    pyspiel = pytest.importorskip("pyspiel")
    discounted = pytest.importorskip("open_spiel.python.algorithms.discounted_cfr")
    theirs, solver = pyspiel.load_game("kuhn_poker"), Solver(zermelo.game("kuhn"), "dcfr")
    other = discounted.DCFRSolver(theirs)
    for _ in range(50):
        other.evaluate_and_update_policy()
    solver.run(50)
    policy = pyspiel.TabularPolicy(
        {
            key: list(enumerate(row))
            for key, row in zip(other.average_policy().state_lookup, other.average_policy().action_probability_array.tolist())
        }
    )
    assert solver.evaluate().nash_conv == pytest.approx(pyspiel.nash_conv(theirs, policy), abs=1e-9)


def test_a_method_that_is_not_there():
    with pytest.raises(ZermeloError, match=r"there is no method 'cfrplus'.*expected one of cfr, cfr\+, dcfr, mccfr"):
        Solver(zermelo.game("kuhn"), "cfrplus")
