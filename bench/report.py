"""Results as Markdown that is also readable at a terminal, with everything needed to reproduce them."""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from .harness import Result, Row


def show(result: Result) -> str:
    """The table: the best and median of each candidate, and the ratio of the first to it."""
    ours, unit = result.rows[0], result.table.unit
    head = ["", f"best, {unit}", f"median, {unit}", "spread", "first : this"]
    rows = [_cells(row, ours) for row in result.rows]
    widths = [max(len(r[i]) for r in [head, *rows]) for i in range(len(head))]
    rule = ["-" * widths[0], *("-" * (w - 1) + ":" for w in widths[1:])]
    lines = [f"## {result.table.title}", "", _line(head, widths), _line(rule, widths), *(_line(r, widths) for r in rows)]
    if result.table.note:
        lines += ["", result.table.note]
    lines += ["", f"Processor: {processor()}."]
    if result.table.claims:
        lines += ["", *(f"- {claim.judge(result.best)}" for claim in result.table.claims)]
    return "\n".join([*lines, ""])


def _cells(row: Row, ours: Row) -> list[str]:
    if not row.values:
        return [row.name, "not installed", "", "", ""]
    return [row.name, number(row.best), number(row.median), f"{row.spread:.2f}", number(row.slower_than(ours)) if ours.values else ""]


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = (c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(cells, widths, strict=True)))
    return "| " + " | ".join([first, *others]) + " |"


def number(x: float) -> str:
    """The number with four digits: 3,534,000 or 0.4821; from a billion on 3.534e+09."""
    if not 1000 <= x < 1e9:
        return f"{x:.4g}"
    return f"{float(f'{x:.4g}'):,.0f}"


def header(command: str, rounds: int, packages: Iterable[str], device: str = "") -> str:
    """The origin of the figures of a benchmark."""
    rule = f"- rounds: {rounds}, candidates in turns, after one that does not count; spread is best against median"
    return "\n".join(["# Measured", "", *origin(command, packages, device), rule, ""])


def origin(command: str, packages: Iterable[str], device: str = "") -> list[str]:
    """The command, the machine, the versions, the date."""
    found = [f"{p} {v}" for p in packages if (v := version_of(p))]
    return [
        f"- command: `{command}`",
        f"- machine: {machine()}" + (f"; {device}" if device else ""),
        f"- versions: Python {platform.python_version()}, {', '.join(found)}",
        f"- date: {datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
    ]


def version_of(package: str) -> str:
    """The version of a package, installed or only imported; '' if unknown."""
    try:
        return version(package)
    except PackageNotFoundError:
        return str(getattr(sys.modules.get(package), "__version__", ""))


def machine() -> str:
    """The processor and its number of cores."""
    return f"{processor()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}"


@cache
def processor() -> str:
    """The model name on Linux (lscpu has names for ARM cores, /proc/cpuinfo only numbers)."""
    texts = []
    try:
        texts.append(Path("/proc/cpuinfo").read_text())
        texts.append(subprocess.run(["lscpu"], capture_output=True, text=True, check=True).stdout)
    except (OSError, subprocess.CalledProcessError):
        pass
    for line in "\n".join(texts).splitlines():
        key, _, value = line.partition(":")
        if key.strip().lower() == "model name" and value.strip(" \t-"):
            return value.strip()
    return platform.processor() or "unknown processor"


def options(parser: argparse.ArgumentParser, rounds: int) -> None:
    """The options that every benchmark has."""
    parser.add_argument("--rounds", type=_rounds, default=rounds, help=f"number of runs of each candidate ({rounds})")
    parser.add_argument("--write", type=_file, metavar="FILE", help="also write the tables to this file, as Markdown")


def _rounds(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected at least 1 round, not {text}")
    return int(text)


def _file(text: str) -> Path:
    """The path, checked before measuring begins."""
    path = Path(text)
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {path.parent} to write to")
    return path


def write(path: Path, text: str) -> None:
    """Write the text to the file, whole or not at all."""
    handle, draft = tempfile.mkstemp(prefix=path.name, dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(draft, 0o644)
        os.replace(draft, path)
    except BaseException:
        os.unlink(draft)
        raise


def tell(text: str) -> None:
    """Show progress on standard error: one line that is overwritten at a terminal ('' clears it), else line by line."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
    elif text:
        print(text, file=sys.stderr, flush=True)
