"""Positions with perft counts from the data folder, for the tests of chess."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

SUITES = ("perftsuite.epd", "tricky.perft", "random.perft", "chess960.perft")


def folder() -> Path:
    """The folder of test data; the test is skipped where there is none."""
    if not (path := os.environ.get("ZERMELO_DATA")):
        pytest.skip("ZERMELO_DATA does not name the folder of test data")
    return Path(path) / "chess"


def perfts(name: str) -> Iterator[tuple[str, int, int]]:
    """Every line of a suite as position, depth and count."""
    position = ""
    for line in (folder() / name).read_text().splitlines():
        if name.endswith(".epd"):
            position, *counts = line.split(";")
            for count in counts:
                depth, nodes = count.split()
                yield position.strip(), int(depth.removeprefix("D")), int(nodes)
        elif line.startswith("epd "):
            position = line.removeprefix("epd ").strip()
        elif line.startswith("perft "):
            _, depth, nodes = line.split()
            yield position, int(depth), int(nodes)
