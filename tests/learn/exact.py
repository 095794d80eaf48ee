"""The exact values of small games, by looking at all of them: best play, or players who take any action."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from reference import parts, sigmoid
from small_games import BearOff, SmallPig, TicTacToe, reachable

from zermelo import CHANCE
from zermelo.learn.self_play import Learner
from zermelo.search.model.model import Model


@cache
def edges(game: Any) -> dict[Any, list[tuple[float, Any]]]:
    """The states that each state leads to, the latest states first, and how likely chance makes each."""
    return {
        s: []
        if game.is_terminal(s)
        else [(game.probability(s, a) if game.to_move(s) == CHANCE else 0.0, game.result(s, a)) for a in game.actions(s)]
        for s in reversed(reachable(game))
    }


@cache
def values(game: Any, policy: Callable[[list[float]], float]) -> dict[Any, float]:
    """What each state is worth to player 0 in a game of two, if `policy` gives the value to the mover from the values of its actions."""
    known = {s: 0.0 if ways else game.utility(s, 0) for s, ways in edges(game).items()}
    change = 1.0
    while change > 1e-9:  # a game without cycles needs two rounds, others converge
        change = 0.0
        for s, ways in edges(game).items():
            if ways:
                p = game.to_move(s)
                sign = -1 if p == 1 else 1
                v = sum(w * known[t] for w, t in ways) if p == CHANCE else sign * policy([sign * known[t] for _, t in ways])
                change, known[s] = max(change, abs(v - known[s])), v
    return known


def mean(scores: list[float]) -> float:
    return sum(scores) / len(scores)


@cache
def states_after_actions(game: Any) -> list[Any]:
    """The states that players' actions lead to, and in which the game goes on: those that are learned."""
    players = (ways for s, ways in edges(game).items() if ways and game.to_move(s) != CHANCE)
    return list({t: None for ways in players for _, t in ways if not game.is_terminal(t)})


def learn(game: Any, method: str, games: int, rates: tuple[float, float], trace: float = 0.0) -> Model:
    """A table of values, learned in so many games of players who take any action, with a rate that falls."""
    model = Model.new(game)
    learner, (first, last), parts = Learner(game, model, method=method), rates, 50
    for k in range(parts):
        settings = {"rate": first * (last / first) ** (k / (parts - 1)), "trace": trace, "epsilon": 1.0, "faster": 1.0}
        learner.learn(games // parts, k * (games // parts), 11, settings)
    return model


def error(game: Any, model: Model, known: dict[Any, float]) -> float:
    """How far the values in the table are from those known, on average over all states after actions."""
    at, wrong = parts(model), []
    for s in states_after_actions(game):
        view = game.perspective(s)
        (word,) = ((k, word) for k, word in enumerate(game.planes(s, view)) if word)
        o = sigmoid(at["b"] + at["w"][64 * word[0] + word[1].bit_length() - 1])
        wrong.append(abs((o[0] - o[1]) * (1 if view == 0 else -1) - known[s]))
    return mean(wrong)


#: by game and method: how the rate falls. TD(0.5), Monte Carlo and SARSA learn the values of the games that are played, Q-learning
#: those of best play
DICE = {"td": (1.0, 0.01), "mc": (0.5, 0.005), "sarsa": (2.0, 0.02), "q": (2.0, 0.02)}
BOARD = {"td": (3.0, 0.03), "mc": (2.0, 0.03), "sarsa": (3.0, 0.05), "q": (3.0, 1.0)}
TRACES = {"td": 0.5, "mc": 1.0, "sarsa": 0.0, "q": 0.0}


def main() -> None:
    """The table of docs/learning.md."""
    for game, rates in ((BearOff(), DICE), (SmallPig(), DICE), (TicTacToe(), BOARD)):
        best, played = values(game, max), values(game, mean)
        print(f"{type(game).__name__}: {len(states_after_actions(game)):,} states")
        for method in rates:
            for games in (10_000, 100_000, 1_000_000):
                model = learn(game, method, games, rates[method], TRACES[method])
                found = [f"{error(game, model, known):.3f}" for known in (played, best)]
                print(
                    f"  {method:6} {games:>9,} games: mean error against random play {found[0]}, against best play {found[1]}", flush=True
                )


if __name__ == "__main__":
    main()
