"""This checkout beside older ones, in one run: `python -m bench.versions FOLDER ... [--only KIND] [--rounds N] [--write FILE]`.

Each folder is another checkout (`git worktree add FOLDER COMMIT`). A process of each does the same tasks in turns, so that a change
of a few per cent shows in spite of other load. A task is played, searched or counted in the same way by every version: the amounts of
work must be equal, or the rates are of different things.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

from . import report
from .harness import Candidate, Result, Sample, Table, measure

HERE = Path(__file__).parents[1]

#: kind, its unit, and of each task the worker's kind, the game, the amount, and how often it is done in a run
TASKS: dict[str, tuple[str, list[tuple[str, str, int, int]]]] = {
    "playouts": (
        "moves/s",
        [
            ("playouts", "antichess", 20_000, 1),
            ("playouts", "backgammon", 15_000, 1),
            ("playouts", "bins", 7_000_000, 1),
            ("playouts", "checkers", 70_000, 1),
            ("playouts", "chess", 2_000, 1),
            ("playouts", "connect4", 1_300_000, 1),
            ("playouts", "go:size=9", 25_000, 1),
            ("playouts", "hex:size=11", 50_000, 1),
            ("playouts", "kalah", 80_000, 1),
            ("playouts", "kuhn", 3_000_000, 1),
            ("playouts", "mnk:width=8,height=8,line=5", 130_000, 1),
            ("playouts", "nim", 700_000, 1),
            ("playouts", "othello", 60_000, 1),
            ("playouts", "pig", 50_000, 1),
            ("playouts", "tictactoe", 1_200_000, 1),
            ("playouts", "tree", 3_000_000, 1),
            ("playouts", "trio", 100_000, 1),
            ("playouts", "uniform", 2_000_000, 1),
            ("playouts", "whist", 200_000, 1),
        ],
    ),
    "mcts": (
        "visits/s",
        [
            ("mcts", "tictactoe", 10_000, 60),
            ("mcts", "connect4", 10_000, 50),
            ("mcts", "othello", 10_000, 4),
            ("mcts", "checkers", 10_000, 5),
            ("mcts", "go:size=9", 10_000, 2),
            ("mcts", "hex:size=11", 10_000, 4),
            ("mcts", "chess", 1_000, 3),
        ],
    ),
    "alphabeta": (
        "nodes/s",
        [
            ("plain", "tictactoe", 0, 400),
            ("plain", "connect4", 9, 10),
            ("plain", "checkers", 8, 10),
            ("alphabeta", "connect4", 13, 2),
            ("alphabeta", "othello", 7, 2),
            ("alphabeta", "checkers", 9, 2),
            ("alphabeta", "kalah", 9, 2),
            ("alphabeta", "hex:size=6", 4, 2),
            ("alphabeta", "go:size=5", 6, 2),
            ("alphabeta", "chess", 7, 2),
        ],
    ),
    "exact": ("states/s", [("solve", "connect4", 20, 2), ("solve", "connect4", 24, 20)]),
    "perft": ("leaves/s", [("perft", "chess", 5, 8), ("perft", "connect4", 8, 20), ("perft", "checkers", 8, 4)]),
}


class Version:
    """A process that does tasks with the sources of one checkout."""

    def __init__(self, folder: Path):
        path = os.pathsep.join(filter(None, [str(folder / "src"), os.environ.get("PYTHONPATH")]))
        command = [sys.executable, str(HERE / "bench" / "version_worker.py")]
        self.name = "now" if folder == HERE else folder.name
        self._process = subprocess.Popen(
            command, env=os.environ | {"PYTHONPATH": path}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Version:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def run(self, task: tuple[str, str, int, int]) -> Sample:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(task) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise SystemExit(f"{self.name}: {task[0]} of {task[1]} ended with code {self._process.wait()}")
        return Sample(*json.loads(answer))


def measured(kind: str, versions: list[Version], rounds: int) -> Iterator[tuple[Result, bool]]:
    """Each task of a kind as all versions did it, and whether they did the same amount of work."""
    unit, tasks = TASKS[kind]
    for task in tasks:
        amounts: set[float] = set()
        candidates = [Candidate(v.name, _run(v, task, amounts)) for v in versions]
        title = task[1] if kind == "playouts" else f"{task[1]}, {task[0]} {task[2]:,}"
        yield measure(Table(title, unit, candidates), rounds, report.tell), len(amounts) == 1


def _run(version: Version, task: tuple[str, str, int, int], amounts: set[float]) -> Callable[[], Sample]:
    def run() -> Sample:
        sample = version.run(task)
        amounts.add(sample.done)
        return sample

    return run


def show(kind: str, found: list[tuple[Result, bool]]) -> str:
    """A row for each task: the best rate of this checkout and of each other, and the ratios to those."""
    others = [row.name for row in found[0][0].rows[1:]]
    head = ["", f"now, {TASKS[kind][0]}", *(cell for name in others for cell in (name, f"now : {name}"))]
    lines = [f"## {kind}", "", "| " + " | ".join(head) + " |", "| --- " + "| ---: " * (len(head) - 1) + "|"]
    for result, is_equal in found:
        now, *before = result.rows
        cells = [cell for row in before for cell in (report.number(row.best), f"{now.best / row.best:.3f}")]
        title = result.table.title + ("" if is_equal else " (amounts of work differ)")
        lines.append("| " + " | ".join([title, report.number(now.best), *cells]) + " |")
    return "\n".join([*lines, "", f"Processor: {report.processor()}.", ""])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.versions", description="This checkout's speed beside older ones'.")
    parser.add_argument("folders", nargs="+", type=checkout, metavar="FOLDER", help="another checkout of Zermelo")
    parser.add_argument("--only", action="append", choices=list(TASKS), metavar="KIND", help=f"one of {', '.join(TASKS)} (default: all)")
    report.options(parser, rounds=7)
    options = parser.parse_args()
    texts = [report.header(" ".join(["python -m bench.versions", *sys.argv[1:]]), options.rounds, ("numba", "llvmlite", "numpy"))]
    print(texts[0])
    with ExitStack() as stack:
        versions = [stack.enter_context(Version(folder)) for folder in (HERE, *options.folders)]
        for kind in options.only or TASKS:
            texts.append(show(kind, list(measured(kind, versions, options.rounds))))
            report.tell("")
            print(texts[-1], flush=True)
    if options.write:
        report.write(options.write, "\n".join(texts))


def checkout(text: str) -> Path:
    path = Path(text).resolve()
    if not (path / "src" / "zermelo").is_dir():
        raise argparse.ArgumentTypeError(f"there is no src/zermelo in {text}")
    return path


if __name__ == "__main__":
    main()
