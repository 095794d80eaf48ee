"""What the tests of the command line share: running it in this process or in one of its own."""

from __future__ import annotations

import subprocess
import sys
from typing import NamedTuple

import pytest

from zermelo import cli

COMMANDS = ["games", "show", "perft", "playouts", "search", "ordering", "explain", "check", "new", "cache", "tour"]

#: a game with a fault, whose file prints as it is loaded
WRONG = """\
from typing import NamedTuple
from zermelo import Game, i64

print("this file talks")


class State(NamedTuple):
    n: i64


class Wrong(Game):
    def initial(self):
        return State(2)

    def to_move(self, s):
        return 0

    def actions(self, s):
        yield 0
        yield 0

    def result(self, s, a):
        return State(s.n - 1)

    def is_terminal(self, s):
        return s.n == 0

    def utility(self, s, p):
        return 0

    def show(self, s):
        return str(1 // 0)

    def read_state(self, text):
        return State(int(text)) if text != "other" else (1, 2)
"""


class Done(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


def called(capsys: pytest.CaptureFixture[str], *argv: str) -> Done:
    """Run a command line in this process."""
    capsys.readouterr()
    code = cli.main(argv)
    return Done(code, *capsys.readouterr())


def started(*argv: str, **options: object) -> Done:
    """Run a command line in a process of its own."""
    done = subprocess.run([sys.executable, "-m", "zermelo", *argv], capture_output=True, text=True, timeout=120, check=False, **options)
    return Done(done.returncode, done.stdout, done.stderr)


def refusal(done: Done) -> str:
    """The one sentence with which a command ended that could not be run."""
    assert (done.code, done.out) == (2, "")
    return sentence(done.err)


def sentence(err: str) -> str:
    """The one line on standard error, without what it begins with."""
    assert err.startswith("zermelo: ")
    assert err.endswith("\n")
    assert err.count("\n") == 1
    return err.removeprefix("zermelo: ").strip()
