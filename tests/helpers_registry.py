"""Shared by tests of the registry."""

from __future__ import annotations

import pytest

import zermelo
from zermelo import ZermeloError

MINE = """\
from typing import NamedTuple
from zermelo import Game, i64


class State(NamedTuple):
    n: i64


class Mine(Game):
    def __init__(self, size: int = 3):
        self.size = size

    def initial(self):
        return State(self.size)

    def to_move(self, s):
        return s.n % 2

    def actions(self, s):
        if s.n > 0:
            yield 1

    def result(self, s, a):
        return State(s.n - a)

    def is_terminal(self, s):
        return s.n == 0

    def utility(self, s, p):
        return 0
"""


def refused(text: str, **parameters: object) -> str:
    """The sentence with which this game is refused."""
    with pytest.raises(ZermeloError) as refusal:
        zermelo.game(text, **parameters)
    assert "\n" not in str(refusal.value)
    return str(refusal.value)
