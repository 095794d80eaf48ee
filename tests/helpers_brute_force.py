"""What states are worth, by trying everything."""

from __future__ import annotations

from functools import cache

from zermelo import Game


@cache
def brute_force(game: Game):
    """A function of a state of a game for two: what it is worth to its mover."""

    @cache
    def best(s):
        me = game.to_move(s)
        if game.is_terminal(s):
            return game.utility(s, me)
        found = ((game.to_move(t), best(t)) for t in (game.result(s, a) for a in game.actions(s)))
        return max(v if p == me else -v for p, v in found)

    return best
