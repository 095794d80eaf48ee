"""Faulty games end in a sentence that names the rule: never in a traceback, a signal, or a hang."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from helpers_cli import called, refusal, started

import zermelo
from zermelo import ZermeloError
from zermelo.check import check
from zermelo.lower import device
from zermelo.search.by_name import searcher

#: a sound game of four plies, to which each test adds its fault
SOUND = """\
import os
import signal
from typing import NamedTuple

import numpy as np

from zermelo import Game, i64


class State(NamedTuple):
    k: i64


class Faulty(Game):
    def __init__(self):
        self.table = np.arange(4)

    def initial(self):
        return State(0)

    def to_move(self, s):
        return s.k % 2

    def actions(self, s):
        if s.k < 4:
            yield 0
            yield 1

    def result(self, s, a):
        return State(s.k + 1)

    def is_terminal(self, s):
        return s.k >= 4

    def utility(self, s, p):
        return 1 - 2 * p

"""

#: each fault: its lines, the check that fails, what it says and the state
FAULTS = {
    "mover": ("def to_move(self, s): return 9", "to_move names a player", "to_move gives 9, expected 0 to 1, or CHANCE", "0"),
    "players": (
        "players = 1_000_000",
        "players is a number",
        "players is 1000000, expected a whole number of 1 or more, and at most 64",
        "",
    ),
    "no players": ("players = 'two'", "players is a number", "players is 'two', expected a whole number", ""),
    "recursion": (
        "def utility(self, s, p): return self.f(s.k)\n    def f(self, n): return 0 if n < 0 else 1 + self.f(n + 1) % 7",
        "utility answers",
        "utility raises RecursionError: maximum recursion depth exceeded (at faulty.py:39)",
        "4",
    ),
    "array": (
        "def utility(self, s, p): return self.table[s.k * 1000000]",
        "utility answers",
        "utility raises IndexError: index 4000000",
        "4",
    ),
    "before the array": (
        "def utility(self, s, p): return self.table[s.k - 100000000]",
        "utility answers",
        "utility raises IndexError",
        "4",
    ),
    "tuple": (
        "def utility(self, s, p): return (1, 2, 3)[s.k + 5]",
        "utility answers",
        "utility raises IndexError: tuple index out of",
        "4",
    ),
    "division": ("def utility(self, s, p): return 5 // (s.k - 4)", "utility answers", "utility raises ZeroDivisionError: integer", "4"),
    "actions": (
        "def actions(self, s):\n        while True: yield 1",
        "actions answers",
        "actions does not stop: it yields more than 100,000 values",
        "0",
    ),
    "loop": ("def result(self, s, a):\n        while True: pass", "result answers", "result gives no answer within 3 s", "State(k=0)"),
    "text": (
        "def read_state(self, text):\n        while text == 'xyzzy': pass\n        return super().read_state(text)",
        "read_state answers",
        "read_state gives no answer within 3 s for 'xyzzy'",
        "",
    ),
    "signal": (
        "def show(self, s): signal.raise_signal(signal.SIGSEGV)",
        "show answers",
        "show ends the process by SIGSEGV (memory outside an array was read or written, or calls went too deep)",
        "State(k=0)",
    ),
    "exit": ("def utility(self, s, p): os._exit(3)", "utility answers", "utility ends the process with exit code 3", "State(k=4)"),
    # natively 2 << 62 is negative: what the interpreter never does is done there
    "native index": (
        "def evaluate(self, s, p): return self.table[((s.k << 62) >> 30) - (s.k << 32)]",
        "interpreted = native",
        "evaluate",
        None,
    ),
    "native recursion": (
        "def evaluate(self, s, p): return self.f(s.k << 62)\n    def f(self, n): return 0 if n >= 0 else 1 + self.f(n ^ 1) % 7",
        "interpreted = native",
        "evaluate",
        None,
    ),
    "native loop": (
        "def evaluate(self, s, p):\n        x = s.k << 62\n        while x < 0: x = x ^ 1\n        return 0",
        "interpreted = native",
        "evaluate",
        None,
    ),
}


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]):
    """Run a command line in this process: how it ended."""
    return partial(called, capsys)


def write(folder: Path, fault: str) -> str:
    file = folder / "faulty.py"
    file.write_text(f"{SOUND}    {fault}\n")
    return str(file)


def test_the_game_is_sound_without_a_fault(tmp_path: Path):
    done = started("check", write(tmp_path, "pass"), "--no-cuda")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[-1] == f"{tmp_path}/faulty.py:Faulty: nothing wrong, all 5 states looked at"


@pytest.mark.parametrize("name", FAULTS)
def test_check_names_the_rule(name: str, tmp_path: Path):
    fault, what, detail, state = FAULTS[name]
    limit = "3" if "within 3 s" in detail else "10"  # of processor time that is spent in vain
    done = started("check", write(tmp_path, fault), "--no-cuda", "--limit", limit)
    assert (done.code, done.err) == (1, "")
    lines = done.out.splitlines()
    wrong = [i for i, line in enumerate(lines) if line.startswith("FAIL")]
    assert len(wrong) == (2 if name == "mover" else 1)  # the checked build finds that one by itself, too
    assert lines[wrong[0]].removeprefix("FAIL").strip().startswith(what)
    assert detail in lines[wrong[0]].removeprefix("FAIL").strip().removeprefix(what)
    if state:
        assert lines[wrong[0] + 1].strip() == f"in the state {state}"
    assert f"{len(wrong)} of " in lines[-1]
    assert "Faulty" in lines[-1]


def test_what_was_found_before_native_code_ended_the_process_is_told(tmp_path: Path):
    done = started("check", write(tmp_path, FAULTS["native recursion"][0]), "--no-cuda", "--limit", "10")
    assert "ok      every method answers" in done.out
    assert done.out.splitlines()[-1].endswith("all 5 states looked at")


def test_a_file_that_never_ends(tmp_path: Path):
    file = tmp_path / "endless.py"
    file.write_text("while True:\n    pass\n")
    assert refusal(started("check", str(file), "--limit", "2")) == f"{file} does not import: it gives no answer within 2 s"


@pytest.mark.parametrize("limit", ["0", "-1", "inf", "nan"])
def test_limits_that_make_no_sense(call, limit: str):
    assert refusal(call("check", "nim", "--limit", limit)).startswith("check: expected a limit above 0 seconds, not ")


# ---- the process of a check ends with the one that wants it ----------------------------------------


def checking(folder: Path) -> subprocess.Popen[str]:
    """A check that has come to a rule that does not come back."""
    mark = folder / "asked"
    fault = f"def result(self, s, a):\n        open({str(mark)!r}, 'w').write(str(os.getpid()))\n        while True: pass"
    order = [sys.executable, "-m", "zermelo", "check", write(folder, fault), "--no-cuda"]
    process = subprocess.Popen(order, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not (mark.exists() and mark.read_text()):
        assert process.poll() is None
        time.sleep(0.01)
    return process


def test_ctrl_c_ends_both_processes(tmp_path: Path):
    process = checking(tmp_path)
    process.send_signal(signal.SIGINT)
    assert process.communicate() == ("", "zermelo: interrupted\n")
    assert process.returncode == 130
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "asked").read_text()), 0)


def test_a_check_that_is_killed_leaves_nobody_behind(tmp_path: Path):
    process = checking(tmp_path)
    process.kill()
    process.communicate()  # both processes hold these pipes: they end with the last


# ---- at the start ----------------------------------------------------------------------------------

COMMANDS = [
    "search {}",
    "perft {} 2",
    "playouts {} --games 2",
    "play {}",
    "match {} random first",
    "show {}",
    "serve-json {}",
    "explain {}",
]
REFUSED = {
    "def to_move(self, s): return 9": "to_move gives 9, expected 0 to 1, or CHANCE, in the state State(k=0)",
    "def to_move(self, s): return -1": "to_move gives CHANCE, but the game does not write probability(self, s, a), in the state State(k=0)",
    "players = 1_000_000": "players is 1000000, expected a whole number of 1 or more, and at most 64",
    "players = 0": "players is 0, expected a whole number of 1 or more, and at most 64",
    "players = 'two'": "players is 'two', expected a whole number of 1 or more, and at most 64",
    "def actions(self, s):\n        while 1: yield 1": "actions yields more than 100,000 values, expected fewer, in the state State(k=0)",
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("fault", REFUSED)
def test_who_cannot_begin_is_refused(call, command: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    file = write(tmp_path, fault)
    assert refusal(call(*command.format(file).split())) == f"{file}:Faulty: {REFUSED[fault]}"


def test_the_library_refuses_the_same(tmp_path: Path):
    game = zermelo.game(write(tmp_path, "def to_move(self, s): return 9"))
    for work in (
        lambda: zermelo.perft(game, 2),
        lambda: zermelo.playouts(game, 2),
        lambda: searcher("alphabeta", depth=2).search(game),
        lambda: searcher("alphabeta", depth=2, interpreted=True).search(game),
    ):
        with pytest.raises(ZermeloError, match="to_move gives 9, expected 0 to 1, or CHANCE"):
            work()


@pytest.mark.parametrize("given", ["initial(self): return (0, 1)", "initial(self): return 7"])
def test_a_start_that_is_no_state(call, given: str, tmp_path: Path):
    for command in ("search {}", "perft {} 2", "playouts {} --games 2"):
        told = refusal(call(*command.format(write(tmp_path, f"def {given}")).split()))
        assert told.startswith("faulty.py:38: Faulty: initial() gives a ")


# ---- later in the game -----------------------------------------------------------------------------

SEARCHES = [
    *("alphabeta:depth=6", "expectiminimax:depth=6", "maxn:depth=6", "paranoid:depth=6", "plain:depth=6", "proofnumber", "bestfirst"),
    *("mcts:simulations=300", "mcts:simulations=300,policy=learned", "mcts:simulations=300,rave=100"),
]
SEARCH = """
import sys, zermelo
from zermelo.search import by_name as names
for search in sys.argv[2:]:
    print(search, flush=True)
    name, _, settings = search.partition(":")
    found = names.searcher(name, **dict(pair.split("=") for pair in settings.split(",") if pair)).search(zermelo.game(sys.argv[1]))
    assert found.action in (0, 1), found
"""


@pytest.mark.parametrize("nobody", ["900000000", pytest.param("-1", marks=pytest.mark.slow)])
def test_a_mover_who_is_nobody_does_not_end_a_search(nobody: str, tmp_path: Path):
    file = write(tmp_path, f"def to_move(self, s): return s.k % 2 if s.k < 2 else {nobody}")
    done = subprocess.run([sys.executable, "-c", SEARCH, file, *SEARCHES], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.split() == SEARCHES


# ---- without numba-cuda ----------------------------------------------------------------------------


def test_without_numba_cuda_its_check_is_skipped(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(device, "find_spec", lambda _: None)
    report = check(zermelo.game("kuhn"), games=5, native=False)
    assert report.ok
    assert report.findings[-1].what == "interpreted = CUDA"
    assert report.findings[-1].ok is None
    assert report.findings[-1].detail == (
        "not checked: the device cuda needs numba-cuda: install zermelo with its extra, pip install 'zermelo[cuda]'"
    )


@pytest.mark.parametrize(
    "command", ["playouts nim --games 10 --device cuda", "search nim --with mcts --set device=cuda --set simulations=10"]
)
def test_without_numba_cuda_its_device_is_refused(call, command: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(device, "find_spec", lambda _: None)
    expected = "the device cuda needs numba-cuda: install zermelo with its extra, pip install 'zermelo[cuda]'"
    assert refusal(call(*command.split())) == expected
