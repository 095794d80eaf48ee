"""Memory: a search uses what its table or nodes were given, and no more. Measured in a separate process."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

#: a search by so many MiB: its peak beyond that of a small one, after all code is loaded
MEASURE = """
import json, sys, zermelo
from zermelo.search.by_name import find
name, text, room, settings = sys.argv[1], sys.argv[2], int(sys.argv[4]), json.loads(sys.argv[5])
game, search = zermelo.game(text), find(name)
def peak():  # in MiB; what getrusage tells begins with the peak of the process that started this one
    return next(int(line.split()[1]) / 1024 for line in open("/proc/self/status") if line.startswith("VmHWM"))
search(**{sys.argv[3]: 1}, **{**settings, "nodes": 2000}).search(game)
before = peak()
result = search(**{sys.argv[3]: room}, **settings).search(game)
print(peak() - before, "zermelo.lower.compile" in sys.modules)
"""
SLACK = 8  # MiB for all else: work records, threads, what Python itself takes

CASES: list[tuple[str, str, str, dict[str, Any]]] = [
    ("alphabeta", "connect4", "table", {"nodes": 2_000_000}),
    ("proofnumber", "connect4", "table", {"nodes": 4_000_000}),
    ("mcts", "connect4", "memory", {"nodes": 400_000}),
    ("bestfirst", "connect4", "memory", {"nodes": 2_000_000}),
    ("expectiminimax", "pig:target=60", "table", {"nodes": 2_000_000}),
]


def growth(name: str, text: str, setting: str, mebibytes: int, settings: dict[str, Any]) -> float:
    """MiB that the search takes beyond what was there, by the process's own peak."""
    order = [sys.executable, "-c", MEASURE, name, text, setting, str(mebibytes), json.dumps(settings)]
    for _ in range(4):  # who compiles takes more than any search: measured is who finds the code in the cache
        taken, compiled = subprocess.run(order, capture_output=True, text=True, check=True).stdout.split()
        if compiled == "False":
            return float(taken)
    raise AssertionError("the code of the search is not kept")


@pytest.mark.skipif(sys.platform != "linux", reason="the peak of a process is told elsewhere")
@pytest.mark.parametrize(("name", "text", "setting", "settings"), CASES, ids=[case[0] for case in CASES])
def test_no_more_memory_than_asked(name: str, text: str, setting: str, settings: dict[str, Any]) -> None:
    for asked in (8, 40):
        taken = growth(name, text, setting, asked, settings)
        assert taken <= asked + SLACK
    assert taken > 8  # and it is really used
