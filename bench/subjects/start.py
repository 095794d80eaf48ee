"""From the command to the first result with a warm cache, compared with importing numba alone."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from ..harness import Candidate, Claim, Table, timed

OURS, NUMBA = "zermelo playouts connect4 --seconds 0.01", 'python -c "import numba"'


def tables() -> Iterator[Table]:
    with tempfile.TemporaryDirectory() as folder:  # the first run, which does not count, fills it
        yield Table(
            "From start to first result, warm cache",
            "s",
            [
                _candidate(OURS, folder, "-m", "zermelo", "playouts", "connect4", "--seconds", "0.01"),
                _candidate(NUMBA, folder, "-c", "import numba"),
            ],
            [Claim("seconds more than importing numba", lambda best: best[OURS] - best[NUMBA], 1.0, at_least=False)],
            "Elapsed time of a new process.",
        )


def _candidate(name: str, cache: str, *arguments: str) -> Candidate:
    def work() -> float:
        done = subprocess.run(
            [sys.executable, *arguments], env=os.environ | {"ZERMELO_CACHE": cache}, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise SystemExit(f"{name} ended with code {done.returncode}: {done.stderr.strip()}")
        return 1

    return Candidate(name, timed(work, time.perf_counter))
