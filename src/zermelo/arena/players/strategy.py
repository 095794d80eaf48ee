"""A player that takes its actions from a strategy in a file, each as often as the strategy says."""

from __future__ import annotations

from pathlib import Path

from ...bits import FULL
from ...equilibrium.cards.strategy import load_strategy
from ...game import Game
from ...history import History
from ...rng import draw, split, unit
from ..clock import Clock
from .player import Player, Thought


class StrategyPlayer(Player):
    """A strategy that zermelo solve found. It looks only at what the player observes."""

    def __init__(self, text: str, file: str):
        self.text = text
        self._strategy = load_strategy(Path(file))
        self._game: Game | None = None

    def begin(self, game: Game, seat: int, seed: int) -> None:
        if self._game is not game:
            self._strategy.check_game(game)
        self._game, self._key = game, split(seed & FULL, seat)

    def choose(self, game: Game, state: History, clock: Clock) -> int:
        policy = self._strategy.policy(game, state.state)
        x, chosen = unit(draw(self._key, len(state.taken))), None
        for a, odds in policy.items():
            x -= odds
            if odds > 0:
                chosen = a
            if x < 0:
                break
        assert chosen is not None
        odds_text = ", ".join(f"{game.write_action(state.state, a)} {100 * odds:.1f} %" for a, odds in policy.items())
        self.thought = Thought(nodes=1, line=(chosen,), note=odds_text)
        return chosen
