"""Compare many random rules on all cores at once, and on a GPU with --gpu: python -m bench.random_rules --programs 20000 --workers 16.

This is what `make test-all` does module by module, for a machine with many cores. Each module has its own process, so that one that
ends by a signal is reported.
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

EACH, STATES = 100, 12  # programs of a module, states that each is asked about

ONE = """
import json, sys
from compare import compare
done = compare(*json.loads(sys.argv[1]), on_gpu=json.loads(sys.argv[2]))
print(json.dumps(vars(done)))
"""


def one(seed: int, on_gpu: bool) -> tuple[Counter[str], list[str]]:
    """The outcome of one module: the counts of each kind, and the errors."""
    lowering = str(Path(__file__).parent.parent / "tests" / "lowering")
    env = os.environ | {"PYTHONPATH": os.pathsep.join([lowering, os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, "-X", "faulthandler", "-c", ONE, json.dumps([seed, EACH, STATES]), json.dumps(on_gpu)]
    run = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
    if run.returncode != 0:
        return Counter(ended=1), [f"module {seed} ended with {run.returncode}: {run.stderr[-1500:]}"]
    done = json.loads(run.stdout.splitlines()[-1])
    return Counter({k: v if isinstance(v, int) else len(v) for k, v in done.items()}), [f"module {seed}: {d}" for d in done["differences"]]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=int, default=20_000)
    parser.add_argument("--first", type=int, default=1000, help="the first seed")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--gpu", action="store_true")
    asked = parser.parse_args()
    began, total, wrong = time.monotonic(), Counter[str](), 0
    with ThreadPoolExecutor(asked.workers) as pool:
        for counts, told in pool.map(lambda seed: one(seed, asked.gpu), range(asked.first, asked.first + asked.programs // EACH)):
            total += counts
            wrong += len(told)
            print("\n".join([*told, f"{time.monotonic() - began:5.0f} s {dict(total)}"]), flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
