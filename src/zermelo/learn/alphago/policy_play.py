"""Games by policies alone, without a search: a network against another, each action drawn from what the policy says.

The states in which the network that learns moves are remembered as those of self-play are: the action that was drawn as its only visit.
"""

from __future__ import annotations

from typing import Any

import torch

from ...bits import u64
from ...game import Game
from ...lower.lanes import lane, lanes, sync
from ...rng import draw, unit
from ...search.puct.puct import begin_at, take_priors
from ...search.puct.record import NO_LEAF
from ...search.puct.shape import NetworkShape
from ...search.records import room
from ..zero.network import Folded
from ..zero.player import Player
from ..zero.self_play import KEEP, MOVE, SelfPlay, key_of, moved, new_game, remember


class PolicyPlay(SelfPlay):
    """The record of such games."""

    kept_chance: list[float] = room(KEEP)  # with what probability the action was drawn


def play_policy(game: Game, work: PolicyPlay) -> int:
    """Draw an action from the policy, take it, and ask about the next state; 1."""
    if work.leaf == NO_LEAF:  # the first call: a game may have been begun before
        begin_at(game, new_game(game, work) if work.ply == 0 else game.unpack(work.start), work)
        return 1
    take_priors(game, 0, work)
    k = drawn_by_prior(unit(draw(key_of(MOVE, work), u64(0))), work)
    if work.mover[0] == work.number % game.players:  # the others are played by an earlier network
        mark(k, work)
        if lane() == 0:
            work.kept_chance[work.kept % len(work.kept_mover)] = work.prior[0][k]
        remember(game, work)
    begin_at(game, moved(game, k, work), work)
    return 1


def drawn_by_prior(x: float, work: SelfPlay) -> int:
    """The edge of the root that a number from 0 to 1 means."""
    last = work.count[0] - 1
    for k in range(last):
        x -= work.prior[0][k]
        if x < 0.0:
            return k
    return last


def mark(k: int, work: SelfPlay) -> int:
    """Let edge k be the only one of the root that was visited; k."""
    for i in range(lane(), work.count[0], lanes()):
        work.visits[0][i] = 1 if i == k else 0
    sync()
    return k


class PolicyPlayer(Player):
    """A network that learns, in one seat of each game, against one that does not, in the others."""

    algorithm = staticmethod(play_policy)
    record = PolicyPlay

    def __init__(
        self, game: Game, shape: NetworkShape, folded: Folded, other: Folded, slots: int, keep: int, where: str, settings: dict[str, Any]
    ):
        super().__init__(game, shape, folded, slots, keep, where, settings)
        self.other = other

    def _ask(self, inputs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        logits, values = self.folded(inputs)
        is_mine = self.slots.field("mover")[:, 0] == self.slots.field("number") % self.slots.shape.players
        return torch.where(is_mine[:, None], logits, self.other(inputs)[0]), values
