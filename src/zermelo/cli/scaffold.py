"""What `zermelo new NAME` writes: a whole small game, a model of how one is written, and its test."""

from __future__ import annotations

import keyword
import os
import shlex
import sys
import tempfile
import unicodedata
from pathlib import Path

from ..errors import ZermeloError

GAME = '''\
"""NAME: take counters from a heap in turn; who takes the last one wins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo import Game, ZermeloError, i8, i64


class State(NamedTuple):
    """All that the rest of the game depends on. It is never changed: `result` makes another one.

    Fields are machine integers, or tuples of them whose length never changes, like tuple[i8, ...].
    """

    heap: i64  # counters that are left
    turn: i8  # who is to move, 0 or 1


class NAME(Game):
    """A heap of `heap` counters, of which 1 to `most` may be taken; an action is how many."""

    def __init__(self, heap: int = 12, most: int = 3):
        # the parameters of the game; what is kept in self here must not be changed later
        if not 0 <= heap <= 1000 or not 1 <= most <= 1000:
            raise ZermeloError(f"NAME: expected heap from 0 to 1000 and most from 1 to 1000, not {heap} and {most}")
        self.heap, self.most = heap, most

    # The six methods that every game writes. Native code is made of them, so they only compute: numbers and
    # tuples, if, for and while, but no lists, no text, no exceptions. They are only ever given legal actions.

    def initial(self) -> State:
        return State(self.heap, 0)

    def to_move(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        for take in range(1, self.most + 1):
            if take <= s.heap:
                yield take

    def result(self, s: State, a: int) -> State:
        return State(s.heap - a, 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        return s.heap == 0

    def utility(self, s: State, p: int) -> float:
        # the game is over when the player to move finds nothing left: the other one took the last counter
        return -1 if p == s.turn else 1

    # Text, for people: anything goes. What `write_state` writes, `read_state` must read, and refuse all else.
    # Without these methods a state is written as its numbers, and an action as the number it is.

    def show(self, s: State) -> str:
        return f"{'o' * s.heap} {s.heap} left, player {s.turn} to move"

    def write_action(self, s: State, a: int) -> str:
        return f"take {a}"

    def write_state(self, s: State) -> str:
        return f"{s.heap} {'AB'[s.turn]}"

    def read_state(self, text: str) -> State:
        for turn in (0, 1):
            for heap in range(self.heap + 1):
                if text.strip() == self.write_state(State(heap, turn)):
                    return State(heap, turn)
        raise ZermeloError(f"'{text}' is not a state of NAME: expected 0 to {self.heap} counters and A or B, who is to move, like 7 A")
'''

TEST = '''\
"""NAME holds what every game must hold, and counts that are known are right. Run it with pytest."""

from pathlib import Path

import zermelo
from zermelo.check import check

FILE = Path(__file__).with_name("NAME.py")


def test_what_every_game_must_hold():
    report = check(zermelo.game(f"{FILE}:NAME"))
    assert report.ok, [finding for finding in report.findings if finding.ok is False]


def test_number_of_games():
    """A game is a way to write the heap as a sum of 1, 2 and 3; each number of ways is the sum of the three before."""
    for heap, games in enumerate([1, 1, 2, 4, 7, 13, 24, 44, 81]):
        assert zermelo.perft(zermelo.game(f"{FILE}:NAME", heap=heap), None) == games


def test_who_wins():
    """Who is to move loses exactly when the heap is a multiple of four."""
    game = zermelo.game(f"{FILE}:NAME")

    def value(s):
        if game.is_terminal(s):
            return game.utility(s, game.to_move(s))
        return max(-value(game.result(s, a)) for a in game.actions(s))

    for heap in range(13):
        assert value(game.read_state(f"{heap} A")) == (-1 if heap % 4 == 0 else 1)
'''

#: modules that a file of the same name would hide from its own test
RESERVED_MODULES = sys.stdlib_module_names | {"zermelo", "numba", "llvmlite", "numpy", "pytest"}
#: what the file itself uses
RESERVED_NAMES = {"Game", "Iterator", "NamedTuple", "State", "ZermeloError", "annotations", "i8", "i64"}


def write(name: str, folder: Path) -> tuple[Path, Path]:
    """Write the game `name` and its test into the folder; the two files. Nothing is ever overwritten."""
    name = unicodedata.normalize("NFKC", name)  # as Python reads names
    if not name.isidentifier() or keyword.iskeyword(name):
        raise ZermeloError(f"expected a name that Python can give a class, like Takeaway, not '{name}'")
    if name in RESERVED_MODULES | RESERVED_NAMES:
        raise ZermeloError(f"'{name}' is the name of something that the game needs: expected another one")
    if not folder.is_dir():
        raise ZermeloError(f"there is no folder {folder}")
    files = folder / f"{name}.py", folder / f"test_{name}.py"
    for file in files:
        if file.exists():
            raise ZermeloError(f"{file} is there already, and is left as it is: expected a new name")
    with tempfile.TemporaryDirectory(prefix=".new-", dir=folder) as draft:
        for file, text in zip(files, (GAME, TEST), strict=True):
            (Path(draft) / file.name).write_text(text.replace("NAME", name), encoding="utf-8")
        for file in files:  # whole or not at all
            os.rename(Path(draft) / file.name, file)
    return files


def commands(file: Path, test: Path) -> list[str]:
    """The command lines to try on a new game."""
    game, tests = shlex.quote(str(file)), shlex.quote(str(test))
    return [f"zermelo show {game}", f"zermelo check {game}", f"zermelo playouts {game}", f"python -m pytest {tests}"]
