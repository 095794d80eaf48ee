"""What endgame tables of results alone, without distances, would take in larger blocks: python -m bench.table_sizes FILE [ENDING ...]

FILE is a table of `zermelo table build`. Numbers of no state take the result before them; blocks of 65,536 results, a byte each, are
compressed by what Python's library has. Bytes are given for each state.
"""

from __future__ import annotations

import argparse
import lzma
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.search.endgames.table import Table
from zermelo.search.endgames.values import LOST, NO_STATE

BLOCK = 1 << 16
LZMA: list[dict[str, Any]] = [
    {"id": lzma.FILTER_LZMA2, "preset": 9, "lc": 0, "lp": 0, "pb": 0}
]  # a result is a byte without neighbours' context


def results_of(values: np.ndarray[Any, Any]) -> bytes:
    """A byte for each number: lost, drawn or won."""
    results = np.where(values < LOST, 1, np.where(values & 1 == 1, 2, 0)).astype(np.uint8)
    there = np.where(values != NO_STATE, np.arange(len(values)), 0)
    return results[np.maximum.accumulate(there)].tobytes()


def sizes(results: bytes) -> tuple[int, int]:
    """The bytes that blocks take by zlib and by LZMA."""
    blocks = [results[at : at + BLOCK] for at in range(0, len(results), BLOCK)]
    return sum(len(zlib.compress(b, 9)) for b in blocks), sum(len(lzma.compress(b, lzma.FORMAT_RAW, filters=LZMA)) for b in blocks)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.table_sizes", description="Sizes of tables of results alone.")
    parser.add_argument("file", type=Path)
    parser.add_argument("endings", nargs="*", metavar="ENDING")
    asked = parser.parse_args()
    table, all_states, all_sizes = Table(asked.file), 0, np.zeros(2)
    print("| ending | states | zlib | LZMA |\n| --- | ---: | ---: | ---: |")
    for name, first, last in table.about.ranges:
        if asked.endings and name not in asked.endings:
            continue
        values = np.concatenate([v for at, v, _ in table.blocks() if first <= at < last])
        states, found = int((values != NO_STATE).sum()), np.array(sizes(results_of(values)))
        all_states, all_sizes = all_states + states, all_sizes + found
        print(f"| {name} | {states:,} | {found[0] / states:.4f} | {found[1] / states:.4f} |", flush=True)
    print(f"| all | {all_states:,} | {all_sizes[0] / all_states:.4f} | {all_sizes[1] / all_states:.4f} |")


if __name__ == "__main__":
    main()
