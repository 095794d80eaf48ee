"""Measures candidates against each other: alternately, in several rounds, of which the best counts.

Each round runs every candidate once, so that other load on the machine affects all alike. The best
round shows what the code can do; the median shows how noisy the machine was. A whole process can
have an unlucky memory layout (a quarter slower was seen): run it a few times before quoting a ratio.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

Clock = Callable[[], float]


class Sample(NamedTuple):
    """One run of a candidate: the amount of work, and the seconds it took."""

    done: float
    seconds: float


@dataclass(frozen=True)
class Candidate:
    """A program to measure; `run` is None if it is not installed."""

    name: str
    run: Callable[[], Sample] | None


@dataclass(frozen=True)
class Claim:
    """A figure that the best values must reach: at least `bound`, or at most."""

    text: str
    value: Callable[[Mapping[str, float]], float]
    bound: float
    at_least: bool = True

    def judge(self, best: Mapping[str, float]) -> str:
        """The claim and whether it holds, in one line."""
        asked = f"{self.text}, {'at least' if self.at_least else 'at most'} {self.bound:g}"
        try:
            value = self.value(best)
        except KeyError:
            return f"{asked}: not measured"
        holds = value >= self.bound if self.at_least else value <= self.bound
        return f"{asked}: {value:.3g}, {'holds' if holds else 'does not hold'}"


def bar(elsewhere: float, x86_64: float) -> float:
    """The bound for this kind of processor: the speed of the peers depends on it too."""
    return x86_64 if platform.machine().lower() in ("x86_64", "amd64") else elsewhere


@dataclass(frozen=True)
class Table:
    """Candidates that are measured together. The first is ours; the others are compared with it."""

    title: str
    unit: str  # of which more is better when it ends in "/s"; otherwise it is s, the seconds of one run
    candidates: Sequence[Candidate]
    claims: Sequence[Claim] = ()
    note: str = ""


@dataclass(frozen=True)
class Row:
    """The result of a candidate in each round; empty if it is not installed."""

    name: str
    values: tuple[float, ...]
    rate: bool  # more is better

    @property
    def best(self) -> float:
        return max(self.values) if self.rate else min(self.values)

    @property
    def median(self) -> float:
        return median(self.values)

    @property
    def spread(self) -> float:
        """The ratio of the best round to the median: 1 on an idle machine."""
        return self.best / self.median if self.rate else self.median / self.best

    def slower_than(self, other: Row) -> float:
        """The ratio of the other's speed to this one's."""
        return other.best / self.best if self.rate else self.best / other.best


@dataclass(frozen=True)
class Result:
    """A measured table."""

    table: Table
    rows: tuple[Row, ...]
    rounds: int

    @property
    def best(self) -> dict[str, float]:
        return {row.name: row.best for row in self.rows if row.values}


def timed(work: Callable[[], float], clock: Clock = time.process_time) -> Callable[[], Sample]:
    """A candidate's run, from work that returns its amount. CPU time includes all threads of the process."""

    def run() -> Sample:
        began = clock()
        done = work()
        return Sample(done, clock() - began)

    return run


def measure(table: Table, rounds: int, tell: Callable[[str], None] = lambda _: None) -> Result:
    """Run the candidates of the table alternately, after a warm-up round (which compiles and loads)."""
    rate = table.unit.endswith("/s")
    present = [(c.name, c.run) for c in table.candidates if c.run is not None]
    values: dict[str, list[float]] = {c.name: [] for c in table.candidates}
    for number in range(rounds + 1):
        for name, run in reversed(present) if number % 2 else present:
            tell(f"{table.title}: {f'round {number} of {rounds}' if number else 'warming up'}: {name}")
            sample = run()
            if number:
                values[name].append(sample.done / sample.seconds if rate else sample.seconds)
    return Result(table, tuple(Row(name, tuple(v), rate) for name, v in values.items()), rounds)
