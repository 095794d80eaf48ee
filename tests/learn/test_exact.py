"""Every method on games whose values are known exactly: tables learned from random games, against brute force."""

from __future__ import annotations

import pytest
from exact import BOARD, DICE, TRACES, error, learn, mean, values
from reference import inputs, outputs
from small_games import STATES, BearOff, Place, RandomWalk, SmallPig, TicTacToe

GAMES = {"bear-off": (BearOff(), DICE), "tic-tac-toe": (TicTacToe(), BOARD), "pig": (SmallPig(), DICE)}
#: games, and the mean error over all states that is stated for them, of a range from -1 to 1
STATED = {
    ("bear-off", "td"): (100_000, 0.02),
    ("bear-off", "mc"): (100_000, 0.03),
    ("bear-off", "sarsa"): (100_000, 0.02),
    ("bear-off", "q"): (100_000, 0.02),
    ("tic-tac-toe", "td"): (100_000, 0.08),
    ("tic-tac-toe", "mc"): (100_000, 0.09),
    ("tic-tac-toe", "sarsa"): (50_000, 0.12),
    ("tic-tac-toe", "q"): (50_000, 0.04),
    ("pig", "td"): (100_000, 0.05),
    ("pig", "mc"): (100_000, 0.06),
    ("pig", "sarsa"): (100_000, 0.05),
    ("pig", "q"): (100_000, 0.06),
}


@pytest.mark.parametrize(("name", "method"), [pytest.param(*key, marks=[pytest.mark.slow] if key[0] == "pig" else []) for key in STATED])
def test_tables_learned_from_random_games_are_exact(name, method):
    """TD, Monte Carlo and SARSA learn what random play is worth; Q-learning, from the same kind of games, what best play is worth."""
    (game, rates), (games, stated) = GAMES[name], STATED[name, method]
    model = learn(game, method, games, rates[method], TRACES[method])
    right, wrong = (max, mean) if method == "q" else (mean, max)
    found = error(game, model, values(game, right))
    assert found < stated and found < error(game, model, values(game, wrong)) / 1.5


def test_traces_learn_the_bear_off():
    game, _ = GAMES["bear-off"]
    assert error(game, learn(game, "traces", 10_000, (1.0, 0.02), 0.5), values(game, mean)) < 0.06


@pytest.mark.slow
@pytest.mark.parametrize("method", ["q", "sarsa"])
def test_the_random_walk_is_worth_what_it_is_worth(method):
    """With one action there is nothing to choose: k / 6 for place k."""
    game = RandomWalk()
    model = learn(game, method, 50_000, (0.5, 0.002))
    found = [outputs(model, inputs(game, Place(k, True), 0))[0] for k in range(1, STATES + 1)]
    assert found == pytest.approx([k / 6 for k in range(1, STATES + 1)], abs=0.03)
