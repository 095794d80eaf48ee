"""A game that is changed after its first use is played by its rules as they are now, in every way to run them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zermelo
from zermelo import AlphaBeta
from zermelo.search.kept import Kept

TEXT = """
from typing import NamedTuple

import numpy as np

from zermelo import Game, i8

STOP = 9
LIMITS = (2, 3)


class State(NamedTuple):
    n: i8
    turn: i8
    heaps: tuple[i8, ...]


class Count(Game):
    STEP = 1

    def __init__(self, size: int = 2):
        self.size = size
        self.extra = np.array([0, 1])

    def initial(self):
        return State(0, 0, (0,) * self.size)

    def to_move(self, s):
        return s.turn

    def most(self):
        return LIMITS[0] + self.STEP + self.extra[0]

    def actions(self, s):
        if not self.is_terminal(s):
            for k in range(1, self.most()):
                yield k

    def result(self, s, a):
        return State(s.n + a, 1 - s.turn, tuple(h + 1 for h in s.heaps))

    def is_terminal(self, s):
        return s.n >= STOP

    def utility(self, s, p):
        return 1 if p != s.turn else -1
"""


def fewer(self: Any, s: Any) -> Any:
    yield 1


def four(self: Any) -> int:
    return 4


def in_a_row(game: Any, value: int) -> None:
    game.extra[0] = value


def rules_of(game: Any) -> Any:
    """The file of the game as a module."""
    return sys.modules[type(game).__module__]


CHANGES: dict[str, Callable[[Any], Any]] = {
    "an attribute of the game": lambda game: setattr(game, "STEP", 2),
    "an attribute of the class": lambda game: setattr(type(game), "STEP", 2),
    "a constant of the file": lambda game: setattr(rules_of(game), "STOP", 2),
    "a tuple of the file": lambda game: setattr(rules_of(game), "LIMITS", (3, 3)),
    "an array": lambda game: setattr(game, "extra", np.array([1, 1])),
    "an array in place": lambda game: in_a_row(game, 1),
    "a rule of the class": lambda game: setattr(type(game), "actions", fewer),
    "a method that a rule calls": lambda game: setattr(type(game), "most", four),
    "the length of a tuple": lambda game: setattr(game, "size", 3),
    "what begins the game": lambda game: setattr(type(game), "initial", lambda self: rules_of(game).State(8, 0, (0, 0, 0))),
}


@pytest.fixture
def game(tmp_path: Path) -> Any:
    file = tmp_path / "count.py"
    file.write_text(TEXT + f"\n# {tmp_path.name}\n")  # a module of its own, as the tests change it
    return zermelo.game(f"{file}:Count")


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_noticed(game, change):
    before = leaves(game)
    CHANGES[change](game)
    after = leaves(game)
    assert after == leaves(game, interpreted=True)
    assert change == "the length of a tuple" or after != before


def leaves(game: Any, interpreted: bool = False) -> list[int]:
    return [zermelo.perft(game, depth, interpreted=interpreted) for depth in (1, 3)]


def test_changes_that_go_back_are_noticed_too(game):
    told = []
    for step in (1, 2, 1):
        game.STEP = step
        told.append(leaves(game))
    assert told[0] == told[2] != told[1]


def test_a_search_follows_its_game(game):
    for size, step in ((2, 1), (3, 2)):
        game.size, game.STEP = size, step
        found, meant = (AlphaBeta(depth=5, interpreted=slow).search(game) for slow in (False, True))
        assert (found.value, found.line, found.nodes) == (meant.value, meant.line, meant.nodes)


@pytest.mark.parametrize("change", ["an attribute of the game", "an attribute of the class", "a rule of the class"])
def test_what_is_kept_for_a_game_is_forgotten_when_it_changes(game, change):
    kept = Kept[int]()
    kept.of(game)["answer"] = 42
    assert game.layout and kept.of(game) == {"answer": 42}
    CHANGES[change](game)
    assert kept.of(game) == {}


def test_an_edited_file_is_another_game(game, tmp_path):
    file = tmp_path / "count.py"
    before = leaves(game)
    file.write_text(file.read_text().replace("STEP = 1", "STEP = 2"))
    edited = zermelo.game(f"{file}:Count")
    assert leaves(edited) == leaves(edited, interpreted=True) != before == leaves(game)
