"""Many random rules compared on all cores at once, and on a GPU where there is one: python -m bench.random_rules --programs 20000.

What `make test-all` does module by module, for a machine with many cores.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "lowering"))

EACH, STATES = 100, 12  # programs of a module, states that each is asked about


def one(seed: int, on_gpu: bool) -> Any:
    from compare import compare

    return seed, compare(seed, EACH, STATES, on_gpu=on_gpu)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=int, default=20_000)
    parser.add_argument("--first", type=int, default=1000, help="the first seed")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--gpu", action="store_true")
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no module after this time")
    asked = parser.parse_args()
    began, seeds = time.monotonic(), iter(range(asked.first, asked.first + asked.programs // EACH))
    total: dict[str, int] = {}
    with ProcessPoolExecutor(asked.workers, mp_context=get_context("spawn"), max_tasks_per_child=4) as pool:
        running = {pool.submit(one, seed, asked.gpu) for _, seed in zip(range(2 * asked.workers), seeds)}
        while running:
            ready = next(as_completed(running))
            running.remove(ready)
            seed, done = ready.result()
            for name, value in vars(done).items():
                total[name] = total.get(name, 0) + (value if isinstance(value, int) else len(value))
            for told in done.differences:
                print(f"module {seed}: {told}", flush=True)
            if time.monotonic() - began < asked.seconds and (seed := next(seeds, None)) is not None:
                running.add(pool.submit(one, seed, asked.gpu))
            print(f"{time.monotonic() - began:5.0f} s {total}", flush=True)
    sys.exit(1 if total.get("differences") else 0)


if __name__ == "__main__":
    main()
