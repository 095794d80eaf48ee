"""The tests that wait, kill or have a time limit, with ten busy processes beside them on the same two cores, again and again.

    python -m bench.busy --rounds 10

A machine of more cores runs several rounds side by side, each on two cores of its own with its own busy processes.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from queue import SimpleQueue

CORES, BUSY, WORKERS = 2, 10, 8
FILES = "test_cli_ends test_cli_search test_cache test_faulty test_limits search/test_stops learn/test_training"
ROOMS = "arena protocols"
WORDS = "ctrl kill quit hang interrupt stop time gone resume compil wait clock second alive dead lock"


def pytest(workers: int) -> list[str]:
    options = ["-q", "--tb=short", "-p", "no:cacheprovider", "-m", "not slow", "-n", str(workers)]
    places = [f"tests/{name}.py" for name in FILES.split()] + [f"tests/{name}" for name in ROOMS.split()]
    return [sys.executable, "-m", "pytest", *options, "-k", " or ".join(WORDS.split()), *places]


def play_round(lanes: SimpleQueue[str]) -> tuple[bool, str]:
    """Whether all tests pass on the cores of a free lane while others keep them busy, and what pytest says."""
    cores = lanes.get()
    busy = [subprocess.Popen(["taskset", "-c", cores, sys.executable, "-c", "while True: pass"]) for _ in range(BUSY)]
    try:
        done = subprocess.run(["taskset", "-c", cores, *pytest(WORKERS)], check=False, capture_output=True, text=True)
    finally:
        for process in busy:
            process.kill()
        lanes.put(cores)
    return done.returncode == 0, done.stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=10)
    rounds = parser.parse_args().rounds
    cores = iter(sorted(os.sched_getaffinity(0)))
    lanes: SimpleQueue[str] = SimpleQueue()
    for lane in iter(lambda: ",".join(map(str, islice(cores, CORES))), ""):
        lanes.put(lane)
    count, passed = lanes.qsize(), 0
    subprocess.run(pytest(CORES * count), check=False, capture_output=True)  # compiling is not what is tested
    with ThreadPoolExecutor(count) as pool:
        for k, (well, said) in enumerate(pool.map(play_round, [lanes] * rounds), 1):
            passed += well
            print(f"round {k}: {said.strip().splitlines()[-1]}", flush=True)
            if not well:
                print(said, flush=True)
    print(f"{passed} of {rounds} rounds passed")
    sys.exit(passed != rounds)


if __name__ == "__main__":
    main()
