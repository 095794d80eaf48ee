"""The rules in one state: whose turn it is, what may be done, what it leads to, what it is worth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..bits import FULL
from ..game import CHANCE, State
from ..history import mover_fault
from ..rng import draw, split
from ..search.zero_sum import SUM_ERROR
from .ask import ANY, NUMBER, REAL, TRUTH, WHOLE_NUMBER, Ask, Failed, attempt, shown
from .explore import is_state, spread
from .report import Notes

WORDS = (0, FULL, 0x0123456789ABCDEF, 0x9E3779B97F4A7C15)  # random words for sample; the extremes are legal ones too
UNIFORM_STATES = 12  # in which sample is drawn from often
UNIFORM_DRAWS = 500  # for each action
MAX_DRAWN_ACTIONS = 64  # actions of a state in which that is done


@dataclass(frozen=True)
class Position:
    """A state with what its rules say: `mover` is None where to_move gave no answer."""

    s: State
    mover: int | None
    actions: tuple[int, ...]
    over: bool


class Rules:
    """Checks the rules state by state; `sums` collects what the utilities of each terminal state sum to."""

    def __init__(self, ask: Ask, notes: Notes):
        self.ask, self.notes = ask, notes
        self.players = ask.game.players
        self.sums: set[float] = set()

    def repetition_key(self, s: State) -> Position | None:
        """Check what every other check builds on; None if actions or is_terminal gave no answer in s."""
        mover = self._mover(s)
        over, actions = self.ask(TRUTH, "is_terminal", s), self.ask.many(WHOLE_NUMBER, "actions", s)
        if not isinstance(actions, Failed):
            self._distinct(s, actions)
        if isinstance(over, Failed) or isinstance(actions, Failed):
            return None
        self.notes.count("actions until the end")
        if over and actions:
            self.notes.fail("actions until the end", f"is_terminal is true, but actions yields {shown(actions[0])}", s)
        if not over and not actions:
            self.notes.fail("actions until the end", "is_terminal is false, but actions yields nothing", s)
        return Position(s, mover, tuple(dict.fromkeys(actions)), bool(over))

    def check(self, at: Position) -> None:
        """Check what the rules say in this position."""
        for a in at.actions:
            self._result(at.s, a)
        self._count(at)
        if at.over:
            self._utility(at.s)
        elif at.actions:
            self._sample(at)
            if at.mover == CHANCE and self.ask.game.has_chance:
                self._chance(at)

    def end(self) -> None:
        """Tell what the utilities sum to: nothing depends on it, but people want to know."""
        if self.sums:
            low, high = min(self.sums), max(self.sums)
            constant = high - low <= 1e-9 * max(1.0, abs(low), abs(high))
            kind = "zero-sum" if constant and abs(high) <= 1e-9 else f"their sum is always {high:g}" if constant else "general-sum"
            self.notes.remark("utilities are finite", kind)

    def uniform(self, positions: Sequence[Position], seed: int) -> None:
        """Draw often from sample in some states: every action must come about equally often."""
        if not self.ask.game.has_sample or self.notes.failed("sample is legal"):
            return
        chosen = [at for at in positions if not at.over and 1 < len(at.actions) <= MAX_DRAWN_ACTIONS]
        for i, at in enumerate(spread(chosen, UNIFORM_STATES)):
            n, times = len(at.actions), dict.fromkeys(at.actions, 0)
            for k in range(UNIFORM_DRAWS * n):
                a = self.ask.quietly("sample", at.s, draw(split(seed, i), k))
                if not isinstance(a, int):
                    return  # noted where every state is asked
                if a not in times:
                    self.notes.fail("sample is legal", f"sample gives {a}, which is not an action of this state", at.s)
                    return
                times[a] += 1
            # chi-square with n - 1 degrees of freedom: so far out that chance alone never gets there
            off = sum((t - UNIFORM_DRAWS) ** 2 for t in times.values()) / UNIFORM_DRAWS
            self.notes.count("sample is uniform")
            if off > n - 1 + 10 * math.sqrt(2 * n - 2) + 30:
                rare, often = min(times, key=times.__getitem__), max(times, key=times.__getitem__)
                message = f"sample gives {often} {times[often]:,} times, but {rare} {times[rare]:,} times in {UNIFORM_DRAWS * n:,} draws"
                self.notes.fail("sample is uniform", message, at.s)

    # ---- one rule each -----------------------------------------------------------------------

    def _mover(self, s: State) -> int | None:
        mover = self.ask(WHOLE_NUMBER, "to_move", s)
        if isinstance(mover, Failed):
            return None
        self.notes.count("to_move names a player")
        if wrong := mover_fault(self.ask.game, mover):
            self.notes.fail("to_move names a player", wrong, s)
        return int(mover)

    def _distinct(self, s: State, actions: list[int]) -> None:
        self.notes.count("actions are distinct")
        seen: set[int] = set()
        for a in actions:
            if not -(1 << 63) <= a <= FULL:
                self.notes.fail("actions are distinct", f"actions yields {a}, which does not fit into 64 bits", s)
                return
            if a & FULL in seen:
                self.notes.fail("actions are distinct", f"actions yields {a} twice", s)
                return
            seen.add(a & FULL)

    def _result(self, s: State, a: int) -> None:
        t = self.ask(ANY, "result", s, a)
        if isinstance(t, Failed):
            return
        self.notes.count("result gives states that fit")
        layout = self.ask.game.layout
        if (wrong := attempt(layout.fault, t)) is not None:
            why = wrong.why if isinstance(wrong, Failed) else wrong
            self.notes.fail("result gives states that fit", f"result by action {a} is not a state: {why}", s)
        elif not is_state(self.ask, t) or (copy := layout.unpack(layout.pack(t))) != t or hash(copy) != hash(t):
            message = f"result by action {a} gives a state that is not hashed and compared by its values"
            self.notes.fail("result gives states that fit", message, s)

    def _count(self, at: Position) -> None:
        n = self.ask(NUMBER, "count", at.s)
        if isinstance(n, Failed):
            return
        self.notes.count("count counts the actions")
        if n != len(at.actions):
            self.notes.fail("count counts the actions", f"count gives {n}, but actions yields {len(at.actions)} different actions", at.s)

    def _sample(self, at: Position) -> None:
        drawn = [self.ask(WHOLE_NUMBER, "sample", at.s, word) for word in WORDS]
        if any(isinstance(a, Failed) for a in drawn):
            return
        self.notes.count("sample is legal")
        for a in drawn:
            if a not in at.actions:
                self.notes.fail("sample is legal", f"sample gives {a}, which is not an action of this state", at.s)
                return

    def _chance(self, at: Position) -> None:
        weights = [self.ask(REAL, "probability", at.s, a) for a in at.actions]
        if any(isinstance(w, Failed) for w in weights):
            return
        self.notes.count("probabilities sum to 1")
        for a, w in zip(at.actions, weights, strict=True):
            if not 0 <= w <= 1:
                self.notes.fail("probabilities sum to 1", f"probability gives {shown(w)} for action {a}, expected 0 to 1", at.s)
                return
        total = math.fsum(weights)
        if abs(total - 1) > 1e-9:
            self.notes.fail("probabilities sum to 1", f"probability sums to {total:.12g} over the actions, expected 1", at.s)

    def _utility(self, s: State) -> None:
        values = [self.ask(REAL, "utility", s, p) for p in range(self.players)]
        if any(isinstance(v, Failed) for v in values):
            return
        self.notes.count("utilities are finite")
        for p, v in enumerate(values):
            if not math.isfinite(v):
                self.notes.fail("utilities are finite", f"utility gives {v} to player {p}, expected a finite number", s)
                return
        self.sums.add(math.fsum(values))
        if self.ask.game.is_zero_sum and abs(math.fsum(values)) > SUM_ERROR:
            told = f"utility gives {', '.join(f'{v:g}' for v in values)}, but is_zero_sum says that they sum to 0"
            self.notes.fail("utilities are finite", told, s)
