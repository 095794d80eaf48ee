"""The score of a match so far, counted and put into words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..notation.sheet import Ending
from .rating.elo import STANDARD_ERRORS, Estimate, estimate
from .rating.sprt import Sprt
from .records.store import Slot
from .referee import points


@dataclass
class Tally:
    """The games of a match of two. What is counted is the first player's; it sits at seat `side` of a game."""

    sprt: Sprt | None = None
    endings: dict[Slot, Ending] = field(default_factory=dict)
    counts: list[int] = field(default_factory=lambda: [0, 0, 0])  # lost, drawn, won
    pairs: list[int] = field(default_factory=lambda: [0] * 5)  # by half points
    faults: tuple[Counter[str], Counter[str]] = field(default_factory=lambda: (Counter(), Counter()))
    llr: float = 0.0
    verdict: str = ""
    _tested: list[int] = field(default_factory=lambda: [0] * 5)
    _next: int = 0  # the pair that the test has not seen yet

    def add(self, slot: Slot, ending: Ending) -> None:
        """A game has ended."""
        self.endings[slot] = ending
        self.counts[round(2 * points(ending.result, slot.side))] += 1
        if ending.fault is not None:
            self.faults[ending.fault ^ slot.side][ending.reason] += 1
        half = self._half_points(slot.round, slot.pair)
        if half is not None:
            self.pairs[half] += 1
        self._test()

    def _half_points(self, round_: int, pair: int) -> int | None:
        """The half points of a pair of games; None while one of them lacks."""
        both = [self.endings.get(Slot(round_, pair, side)) for side in (0, 1)]
        if both[0] is None or both[1] is None:
            return None
        return round(2 * (points(both[0].result, 0) + points(both[1].result, 1)))

    def _test(self) -> None:
        """Go on with the SPRT as far as pairs have ended in their order: it must not matter which ended first by the clock."""
        while self.sprt is not None and not self.verdict:
            half = self._half_points(0, self._next)
            if half is None:
                return
            self._tested[half] += 1
            self._next += 1
            self.llr = self.sprt.llr(self._tested)
            self.verdict = self.sprt.verdict(self.llr)

    @property
    def games(self) -> int:
        return sum(self.counts)

    @property
    def points(self) -> float:
        return self.counts[2] + self.counts[1] / 2

    @property
    def estimate(self) -> Estimate | None:
        """The Elo difference, by pairs."""
        return estimate(self.pairs)

    def mean(self, adjusted: bool) -> tuple[float, float] | None:
        """What the first player gets a game on average, and how far that may be off (95 %); adjusted: without its luck."""
        means = []
        for slot, ending in self.endings.items():
            other = self.endings.get(Slot(slot.round, slot.pair, 1))
            if slot.side == 0 and other is not None:
                means.append((_gain(ending, 0, adjusted) + _gain(other, 1, adjusted)) / 2)
        if len(means) < 2:
            return None
        middle = sum(means) / len(means)
        variance = sum((x - middle) ** 2 for x in means) / (len(means) - 1)
        return middle, STANDARD_ERRORS * math.sqrt(variance / len(means))

    @property
    def has_luck(self) -> bool:
        return any(ending.luck is not None for ending in self.endings.values())


def _gain(ending: Ending, seat: int, adjusted: bool) -> float:
    luck = ending.luck[seat] if adjusted and ending.luck is not None else 0.0
    return ending.result[seat] - luck


# ---- as text -----------------------------------------------------------------------------------

HEADS = ("player", "points", "won", "drawn", "lost", "on time", "other faults")


def rows(names: Sequence[str], tally: Tally) -> list[list[str]]:
    """A row for each of the two players."""
    lost, drawn, won = tally.counts
    told = []
    for name, points_, w, x, faults in (
        (names[0], tally.points, won, lost, tally.faults[0]),
        (names[1], tally.games - tally.points, lost, won, tally.faults[1]),
    ):
        others = ", ".join(f"{kind} {n}" for kind, n in sorted(faults.items()) if kind != "time")
        told.append([name, f"{points_:g}", str(w), str(drawn), str(x), str(faults["time"]), others or "0"])
    return told


def lines(tally: Tally, games: int) -> list[str]:
    """Sentences about the first player's strength."""
    told = [f"games {tally.games} of {games}, score {_percent(tally)}, pairs {' '.join(map(str, tally.pairs))} (by points 0 1/2 1 3/2 2)"]
    found = tally.estimate
    if found is not None:
        told.append(
            f"Elo {signed(found.elo)} [{signed(found.low)}, {signed(found.high)}] with 95 %, "
            f"stronger with {100 * found.superiority:.1f} %, normalised Elo {signed(found.normalised)}"
        )
    if tally.sprt is not None:
        low, high = tally.sprt.bounds
        meaning = {"": "undecided", "H0": f"H0 accepted: {tally.sprt.elo0:g} Elo", "H1": f"H1 accepted: {tally.sprt.elo1:g} Elo"}
        told.append(f"SPRT {tally.sprt}: LLR {tally.llr:+.2f} [{low:.2f}, {high:.2f}], {meaning[tally.verdict]}")
    for adjusted, name in ((False, "points a game"), (True, "without luck")):
        if tally.has_luck and (mean := tally.mean(adjusted)) is not None:
            told.append(f"{name} {mean[0]:+.3f} ± {mean[1]:.3f}")
    return told


def in_short(tally: Tally, games: int) -> str:
    """One line."""
    lost, drawn, won = tally.counts
    found = tally.estimate
    elo = f", Elo {signed(found.elo)} [{signed(found.low)}, {signed(found.high)}]" if found else ""
    llr = f", LLR {tally.llr:+.2f}" if tally.sprt else ""
    faults = sum(sum(f.values()) for f in tally.faults)
    return f"{tally.games} of {games}: +{won} ={drawn} -{lost}{elo}{llr}" + (f", faults {faults}" if faults else "")


def as_object(names: Sequence[str], tally: Tally, games: int) -> Mapping[str, Any]:
    """All of it as JSON has it."""
    found, lucky = tally.estimate, tally.mean(True) if tally.has_luck else None
    plain = tally.mean(False)
    return {
        "players": list(names),
        "games": tally.games,
        "of": games,
        "won": tally.counts[2],
        "drawn": tally.counts[1],
        "lost": tally.counts[0],
        "pairs": tally.pairs,
        "elo": None if found is None else _finite(found.elo),
        "interval": None if found is None else [_finite(found.low), _finite(found.high)],
        "superiority": None if found is None else found.superiority,
        "sprt": None if tally.sprt is None else {"test": str(tally.sprt), "llr": tally.llr, "accepted": tally.verdict or None},
        "mean": plain,
        "without_luck": lucky,
        "faults": [dict(faults) for faults in tally.faults],
    }


def _finite(x: float) -> float | None:
    return x if math.isfinite(x) else None


def _percent(tally: Tally) -> str:
    return f"{100 * tally.points / tally.games:.1f} %" if tally.games else "-"


def signed(x: float) -> str:
    """Elo for people."""
    return f"{x:+.0f}" if math.isfinite(x) else "+∞" if x > 0 else "-∞"
