"""Shared by tests of the command line: running it in this process or in its own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest

from zermelo.cli import app

HANGS = 600  # seconds after which a process is taken to hang; nothing that is tested depends on it

COMMANDS = [
    *(
        "games",
        "show",
        "perft",
        "playouts",
        "search",
        "ordering",
        "explain",
        "play",
        "analyse",
        "label",
        "train",
        "runs",
        "solve",
        "strategy",
        "belief",
        "players",
        "match",
        "tournament",
    ),
    *("ratings", "replay", "export", "import", "uci", "gtp", "serve-json", "check", "new", "cache", "table", "book"),
]

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
    code = app.main(argv)
    return Done(code, *capsys.readouterr())


def started(*argv: str, **options: object) -> Done:
    """Run a command line in a process of its own."""
    done = subprocess.run([sys.executable, "-m", "zermelo", *argv], capture_output=True, text=True, timeout=HANGS, check=False, **options)
    return Done(done.returncode, done.stdout, done.stderr)


def has_worked(process: subprocess.Popen[str], seconds: float = 2.5) -> None:
    """Wait until a process has used so much time of a processor, however busy the machine is; skip where that cannot be known.

    A start takes less than a second of it: what has used more is in the middle of its work.
    """
    if not Path("/proc/self/stat").exists():
        pytest.skip("there is no /proc")
    tick = os.sysconf("SC_CLK_TCK")
    while process.poll() is None:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(") ")[2].split()
        if (int(fields[11]) + int(fields[12])) / tick >= seconds:
            return
        time.sleep(0.02)
    raise AssertionError(f"it has ended with code {process.returncode}")


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
