"""A game in which nothing happens, for rules that are only asked."""

from __future__ import annotations

from zermelo import Game


class Still(Game):
    """One player, whose only action changes nothing. A test writes `initial` and the rules that it asks."""

    def to_move(self, s):
        return 0

    def actions(self, s):
        yield 0

    def result(self, s, a):
        return s

    def is_terminal(self, s):
        return False

    def utility(self, s, p):
        return 0
