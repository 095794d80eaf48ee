"""Equilibria: iterations a second against OpenSpiel's C++ in one run, and how long games take to be solved.

    python -m bench.equilibrium [--seconds 3] [--rounds 3] [--write FILE]

Speed: processor time of one thread, candidates in turns, the best of the rounds; NashConv of both after 100 iterations shows that they do
the same. Solving: processor time from the rules to NashConv 0.01, with the sequence form made and without compiling.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from typing import Any

import zermelo
from zermelo.equilibrium.solve import Run, Solving
from zermelo.equilibrium.solver import Solver
from zermelo.search.stop import Stop

from . import report
from .peers import installed

#: our game, OpenSpiel's, the method, OpenSpiel's solver, and how many times as fast ours must be
SPEEDS = (
    ("kuhn", "kuhn_poker", "cfr+", "CFRPlusSolver", None),
    ("leduc", "leduc_poker", "cfr", "CFRSolver", 300),
    ("leduc", "leduc_poker", "cfr+", "CFRPlusSolver", 300),
    ("leduc", "leduc_poker", "mccfr", "ExternalSamplingMCCFRSolver", 40),
    ("liarsdice", "liars_dice", "cfr", "CFRSolver", 100),
    ("liarsdice", "liars_dice", "cfr+", "CFRPlusSolver", 100),
    ("liarsdice", "liars_dice", "mccfr", "ExternalSamplingMCCFRSolver", 40),
)
SOLVED = (
    "liarsdice",
    "goofspiel:cards=4,order=random",
    "goofspiel:cards=4,order=random,hidden=true",
    "goofspiel:cards=5,order=random",
    "goofspiel:cards=5,order=random,hidden=true",
    "leduc:ranks=10",
)
GOAL, SECONDS = 0.01, 60.0  # NashConv, and the processor time within which it is to be reached
COMPARED = 100  # iterations after which NashConv is compared
PACKAGES = ("zermelo", "open_spiel", "numba", "llvmlite", "numpy")


def rate(run: Callable[[int], object], seconds: float) -> float:
    """Iterations a second of processor time."""
    run(1)
    count, size, began = 0, 1, time.process_time()
    while (spent := time.process_time() - began) < seconds:
        run(size)
        count += size
        size = min(2 * size, 1 << 14) if time.process_time() - began < seconds / 4 else size
    return count / spent if spent else 0.0


def theirs(name: str, solver: str) -> tuple[Callable[[int], object], Callable[[], float]] | None:
    """OpenSpiel's solver: run it for some iterations, and NashConv of its average strategy."""
    pyspiel: Any = installed("pyspiel")
    if pyspiel is None:
        return None
    game = pyspiel.load_game(name)
    if solver.startswith("External"):
        sampler = pyspiel.ExternalSamplingMCCFRSolver(game, 1)
        return lambda n: [sampler.run_iteration() for _ in range(n)], lambda: float(pyspiel.nash_conv(game, sampler.average_policy()))
    made = getattr(pyspiel, solver)(game)
    return lambda n: [made.evaluate_and_update_policy() for _ in range(n)], lambda: float(
        pyspiel.nash_conv(game, made.tabular_average_policy())
    )


def speed(ours: str, name: str, method: str, peer: str, bar: int | None, seconds: float, rounds: int) -> str:
    """A row of the table of speeds."""
    solver, other = Solver(zermelo.game(ours), method, seed=1), theirs(name, peer)
    solver.run(COMPARED)
    mine, found, his, compared = 0.0, solver.evaluate().nash_conv, 0.0, ""
    if other is not None:
        if not peer.startswith("External"):
            other[0](COMPARED)
            compared = f"{other[1]():.6e}"
    for _ in range(rounds):
        mine = max(mine, rate(solver.run, seconds))
        his = max(his, rate(other[0], seconds)) if other is not None else 0.0
    ratio = f"{mine / his:,.0f}" if his else ""
    kept = "" if bar is None or not his else f"{bar}: {'kept' if mine >= bar * his else 'missed'}"
    told = f"{found:.6e}" if compared else ""
    return f"| {ours} | {method} | {mine:,.0f} | {his:,.4g} | {ratio} | {kept} | {told} | {compared} |"


def speeds(seconds: float, rounds: int) -> str:
    lines = [
        "| game | method | iterations/s | OpenSpiel | ratio | bar | NashConv after 100 | OpenSpiel's |",
        "| --- | --- | ---: | ---: | ---: | --- | ---: | ---: |",
    ]
    for row in SPEEDS:
        report.tell(f"speed: {row[0]}, {row[2]}")
        lines.append(speed(*row, seconds, rounds))
    return "\n".join(["## Iterations a second", "", *lines, ""])


def solved() -> str:
    lines = [
        f"| game | nodes | information sets | method | iterations | NashConv | seconds of {SECONDS:.0f} |",
        "| --- | ---: | ---: | --- | ---: | ---: | ---: |",
    ]
    for text in SOLVED:
        for method in ("cfr+", "dcfr"):
            report.tell(f"solving: {text}, {method}")
            game = zermelo.game(text)
            Solver(game, method)  # compiled, which is not what is measured
            began = time.process_time()
            run = Run(game, Solving(method=method, until=GOAL), None)
            *_, look = run.steps(Stop())
            spent, form = time.process_time() - began, run.solver.form
            cells = (text, f"{form.nodes:,}", f"{form.sets:,}", method, f"{look.iterations:,}", f"{look.nash_conv:.2e}", f"{spent:.2f}")
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join([f"## Solved to NashConv {GOAL}", "", *lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.equilibrium", description="Equilibria, against OpenSpiel's C++.")
    parser.add_argument("--seconds", type=float, default=3.0, help="of processor time for each candidate and round (3)")
    report.options(parser, rounds=3)
    given = parser.parse_args()
    if not 0 < given.seconds < 1e4:
        parser.error(f"expected a positive number of seconds, not {given.seconds}")
    text = report.header(" ".join(["python -m bench.equilibrium", *sys.argv[1:]]), given.rounds, PACKAGES)
    for part in (lambda: speeds(given.seconds, given.rounds), solved):
        table = part()
        report.tell("")
        print(table, flush=True)
        text += "\n" + table
    if given.write:
        report.write(given.write, text)


if __name__ == "__main__":
    main()
