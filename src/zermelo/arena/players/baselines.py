"""Simple players: at random, by the evaluation alone, or by asking a person."""

from __future__ import annotations

from collections.abc import Callable

from ...bits import FULL
from ...errors import ZermeloError
from ...game import CHANCE, Game, State
from ...history import History
from ...rng import below, draw, split
from ..clock import Clock
from .player import Fault, Player, Thought


class RandomPlayer(Player):
    """Any legal action, each as likely as another."""

    text = "random"

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self._key = split(seed & FULL, seat)

    def choose(self, game: Game, state: History, clock: Clock) -> int:
        actions = list(state.actions())
        return actions[below(draw(self._key, len(state.taken)), len(actions))]


class GreedyPlayer(Player):
    """The action after which `evaluate` is best for it, one of the best at random. What is hidden it draws at random first."""

    text = "greedy"

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self._key = split(seed & FULL, seat)

    def choose(self, game: Game, state: History, clock: Clock) -> int:
        ply, me = len(state.taken), game.to_move(state.state)
        seen = game.resample(state.state, me, draw(split(self._key, 1), ply)) if game.has_hidden else state.state
        worth = {a: _worth(game, game.result(seen, a), me) for a in state.actions()}
        best = max(worth.values())
        among = [a for a, v in worth.items() if v == best]
        a = among[below(draw(self._key, ply), len(among))]
        self.thought = Thought(best, 1, len(worth), (a,))
        return a


def _worth(game: Game, s: State, p: int) -> float:
    """What s is worth to p: its utility, its evaluation, or what chance makes of these on average."""
    if game.is_terminal(s):
        return float(game.utility(s, p))
    if game.to_move(s) != CHANCE:
        return float(game.evaluate(s, p))
    return sum(game.probability(s, a) * _worth(game, game.result(s, a), p) for a in game.actions(s))


#: how a person is asked for an action, given the game and the history
Ask = Callable[[Game, History], int]


class HumanPlayer(Player):
    """A person, asked by a function that whoever talks with them gives."""

    text = "human"

    def __init__(self, ask: Ask | None = None):
        self.ask = ask

    def begin(self, game: Game, seat: int, seed: int) -> None:
        if self.ask is None:
            raise Fault("start", "human: expected somebody to ask, and here is nobody")

    def choose(self, game: Game, state: History, clock: Clock) -> int:
        if self.ask is None:
            raise ZermeloError("human: expected somebody to ask, and here is nobody")
        return self.ask(game, state)
