"""Exact values where no position may come back (superko): two proofs that meet.

    SOLVE(s): for depth = 1, 2, 3, ...
        while FORCE proves that the mover gets more than v within depth plies: raise v to what it gets
        until FORCE proves that the other gets -v

When FORCE fails and no line reached the depth, a deeper search would fail as well. FORCE is then tried once more without the failures
that the table remembers, which may hold only on other lines; if it fails again, that is final.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...errors import ZermeloError
from ...game import Game, State
from ...lower.memory import Words
from ..depth_first import ENDLESS_GAME, FIRST_PLIES, INFINITE
from ..mate_distance import next_float
from ..prepare import prepare, width_of, with_room
from ..searcher import Stopwatch
from ..stop import Stop
from ..table import ENTRY_WORDS, Memory
from ..zero_sum import refuse_ends
from . import forced
from .forced import MARKS, Forcing
from .solution import Solution

SHARE = 2 * (1 + MARKS // ENTRY_WORDS)  # how many times the memory of one player's entries all of it is, with sets


@dataclass
class Side:
    """A player, and what was found of the goal that it was last asked for."""

    player: int
    memory: Memory
    sets: Words
    goal: float = -INFINITE
    trusts: bool = True  # whether the table's answers that are no are taken
    is_refuted: bool = False


@dataclass
class Superko:
    """Solves states of one game."""

    game: Game
    mebibytes: int
    limit: int | None
    seconds: float | None
    interpreted: bool
    stop: Stop
    nodes: int = 0
    watch: Stopwatch = field(default_factory=Stopwatch)

    def __post_init__(self) -> None:
        self._run(FIRST_PLIES, width_of(self.game))  # compiling is not searching
        self.watch = Stopwatch()

    def solution(self, s: State) -> Solution | None:
        """The value of s and an action that gets it; None if it was stopped."""
        game = self.game
        if game.is_terminal(s):
            return Solution(self._told(game.utility(s, game.to_move(s))), None, (), (), {}, 0, self.watch.seconds)
        me, best, v = game.to_move(s), None, -INFINITE
        mover, other = (self._side(p) for p in (me, 1 - me))
        with self.stop.after(self.seconds):
            for depth in range(1, self._longest(s)):
                while (work := self._ask(mover, s, depth, v if best is None else next_float(v))).proven:
                    v, best = float(work.values[0]) + 0.0, int(work.best)
                if best is not None and (mover.is_refuted or self._ask(other, s, depth, -v).proven):
                    return Solution(self._told(v), None, (best,), (best,), {}, self.nodes, self.watch.seconds)
                if self.stop.is_set or (self.limit is not None and self.nodes >= self.limit):
                    return None
        raise ZermeloError(
            f"solve: not proven within the {game.plies_left(s):,} plies that are left to {game!r}: expected a greater limit of plies"
        )

    def _told(self, v: float) -> float:
        """A value as a Solution has it: the score, or the sign where there are no scores."""
        return float(v if self.game.has_scores else np.sign(v))

    def value(self, s: State) -> float | None:
        """What s is worth to its mover; None if it was stopped."""
        found = self.solution(s)
        return None if found is None else found.value

    def _side(self, player: int) -> Side:
        memory = Memory(max(1, self.mebibytes // SHARE), self.interpreted)
        return Side(player, memory, Words((memory.mask + 1) * 2 * MARKS, self.interpreted, is_cleared=False))

    def _longest(self, s: State) -> int:
        return min(int(self.game.plies_left(s)), forced.NEVER)

    def _run(self, plies: int, width: int) -> Callable[..., Forcing]:
        """The search, ready to run with this room."""
        return prepare(self.game, forced.root, Forcing, self.interpreted, plies=plies, width=width)

    def _ask(self, side: Side, s: State, depth: int, goal: float) -> Forcing:
        """Whether the player gets the goal within this depth, as the record of the search tells it."""
        if goal != side.goal:
            side.goal, side.trusts, side.is_refuted = goal, True, False
        given: dict[str, Any] = {
            "start": self.game.layout.pack(s),
            "limit": 0 if self.limit is None else max(1, self.limit - self.nodes),
            "prover": side.player,
            "goal": goal,
            "depth": depth,
            "longest": self._longest(s) - 1,
            "trusts": int(side.trusts),
            "table": side.memory.table,
            "mask": side.memory.mask,
            "table_sets": side.sets.table,
            "by_order": int(not self.game.has_immediate),  # an action that wins at once may be forbidden
        } | dict.fromkeys(("has_table", "has_killers", "has_history"), 1)

        def attempt(plies: int, width: int) -> Forcing:
            return self._run(plies, width)(self.stop, **given)

        work = with_room(attempt, FIRST_PLIES, width_of(self.game), ENDLESS_GAME)
        self.nodes += int(work.nodes)
        refuse_ends("solve", self.game, work)
        if work.stranded:
            raise ZermeloError(
                f"solve: expected that a player always has an action that is allowed, and in {self.game.name} one may have none"
            )
        if not work.proven and not work.stopped and work.deepest < depth:
            side.is_refuted = not side.trusts
            side.trusts = False
        return work
