"""Compare many random rules on all cores at once, and on a GPU with --gpu: python -m bench.random_rules --programs 20000 --workers 16.

This is what `make test-all` does module by module, for a machine with many cores. Each module has its own process, so that one that
ends by a signal is reported. --write FILE keeps how often each construct was drawn, with the kinds of its operands.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import report

EACH, STATES = 100, 12  # programs of a module, states that each is asked about

ONE = """
import json, sys
from compare import compare
done = compare(*json.loads(sys.argv[1]), on_gpu=json.loads(sys.argv[2]))
print(json.dumps(vars(done) | {"uses": [[name, kinds, count] for (name, kinds), count in done.uses.items()]}))
"""


LETTER = {"tuple": "T", "array": "A"}  # of a kind of operands that has not its first letter
LOWERING = str(Path(__file__).parent.parent / "tests" / "lowering")


def one(seed: int, on_gpu: bool) -> tuple[Counter[str], Counter[tuple[str, ...]], list[str]]:
    """The outcome of one module: the counts of each kind, what was drawn how often, and the errors."""
    env = os.environ | {"PYTHONPATH": os.pathsep.join([LOWERING, os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, "-X", "faulthandler", "-c", ONE, json.dumps([seed, EACH, STATES]), json.dumps(on_gpu)]
    run = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
    if run.returncode != 0:
        return Counter(ended=1), Counter(), [f"module {seed} ended with {run.returncode}: {run.stderr[-1500:]}"]
    done = json.loads(run.stdout.splitlines()[-1])
    uses = Counter({(name, *kinds): count for name, kinds, count in done.pop("uses")})
    counts = Counter({k: v if isinstance(v, int) else len(v) for k, v in done.items()})
    return counts, uses, [f"module {seed}: {d}" for d in done["differences"]]


def table(uses: Counter[tuple[str, ...]]) -> str:
    """How often each construct was drawn: a line for each, with the kinds of its operands."""
    by_name: dict[str, list[str]] = {}
    for (name, *kinds), count in sorted(uses.items()):
        by_name.setdefault(name.replace("|", "\\|"), []).append(f"{''.join(LETTER.get(kind, kind[0]) for kind in kinds)} {count:,}")
    lines = [f"| `{name}` | {', '.join(drawn)} |" for name, drawn in by_name.items()]
    note = "Kinds of operands: w a word, n a number, r a float, t a truth, T a tuple, A an array."
    return "\n".join([note, "", "| construct | operands and how often |", "| --- | --- |", *lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=int, default=20_000)
    parser.add_argument("--first", type=int, default=1000, help="the first seed")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--gpu", action="store_true")
    parser.add_argument("--write", type=Path, metavar="FILE", help="a file for the counts and for the table of what was drawn")
    asked = parser.parse_args()
    began, total, drawn, wrong = time.monotonic(), Counter[str](), Counter[tuple[str, ...]](), list[str]()
    with ThreadPoolExecutor(asked.workers) as pool:
        for counts, uses, told in pool.map(lambda seed: one(seed, asked.gpu), range(asked.first, asked.first + asked.programs // EACH)):
            total += counts
            drawn += uses
            wrong += told
            print("\n".join([*told, f"{time.monotonic() - began:5.0f} s {dict(total)}"]), flush=True)
            if asked.write:
                report.write(asked.write, "\n".join([summary(total), *wrong, "", table(drawn)]))
    sys.exit(1 if wrong else 0)


def summary(total: Counter[str]) -> str:
    """What came out, and how it was made."""
    command = " ".join(["python -m bench.random_rules", *sys.argv[1:]])
    outcome = f"- outcome: {', '.join(f'{name} {count:,}' for name, count in total.items())}"
    return "\n".join(["# Random rules, interpreted and lowered", "", *report.origin(command, ["numba"]), outcome, ""])


if __name__ == "__main__":
    main()
