"""Chess: perft, compared with Stockfish's own; both only count the last ply."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator

import zermelo

from ..harness import Candidate, Claim, Sample, Table
from ..peers import candidate

OURS, STOCKFISH = "Zermelo", "Stockfish, go perft"
DEPTH, LEAVES = 6, 119_060_324


def tables() -> Iterator[Table]:
    game = zermelo.game("chess")

    def ours() -> float:
        found = zermelo.perft(game, DEPTH)
        assert found == LEAVES, f"perft({DEPTH}) is {LEAVES:,}, not {found:,}"
        return found

    yield Table(
        f"Chess, perft({DEPTH}) from the start, one core",
        "leaves/s",
        [candidate(OURS, ours), Candidate(STOCKFISH, _stockfish())],
        (Claim("Zermelo against Stockfish", lambda best: best[OURS] / best[STOCKFISH], 1.5),),
        "CPU time of one thread: of this process, and of Stockfish's for the command go perft, without its start.",
    )


def _stockfish() -> Callable[[], Sample] | None:
    path = shutil.which("stockfish") or shutil.which("/usr/games/stockfish")
    if path is None:
        return None

    def run() -> Sample:
        with subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine:
            assert engine.stdin is not None
            assert engine.stdout is not None
            engine.stdin.write("isready\n")
            engine.stdin.flush()
            while "readyok" not in engine.stdout.readline():
                pass
            began = _cpu(engine.pid)
            engine.stdin.write(f"position startpos\ngo perft {DEPTH}\n")
            engine.stdin.flush()
            for line in engine.stdout:
                if line.startswith("Nodes searched"):
                    break
            spent = _cpu(engine.pid) - began
            assert int(line.split(":")[1]) == LEAVES
            engine.stdin.write("quit\n")
            engine.stdin.flush()
        return Sample(LEAVES, spent)

    return run


def _cpu(pid: int) -> float:
    """CPU seconds of a process if the system reports them, else elapsed seconds."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            told = file.read().rsplit(")", 1)[1].split()
    except OSError:
        return time.perf_counter()
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")
