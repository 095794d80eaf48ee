"""Building a table: stage after stage, each by a walk forwards (`walk.py`) and one backwards (`retrograde.py`)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import ZermeloError
from ..game import Game, State
from ..history import start_of
from ..lower.memory import Words
from ..search.alphabeta.solve import Ranks
from ..search.alphabeta.solve_cuda import DeviceRanks
from ..search.endgames.table import About, Keys, Range, Values, get_values, put_values, rules_of, save, without_numbers
from ..search.endgames.values import DRAWN, LOST, MAX_PLIES, plies_of
from ..search.prepare import prepare, room_for, width_of
from ..system.limits import check_count
from . import walk
from .expected import build_expected
from .parts import Parts
from .retrograde import Backwards, count, decide_level, let_wait, reverse, sum_starts
from .searched import Oracle, search_range, worth_of_win
from .side_by_side import TooEarly, call_all
from .walk import Walk

LIMIT = 10_000_000  # states of a table by key, if nobody gives another
MOST_STATES = (1 << walk.SAME_MOVER) - 1  # of a stage
FIRST_CAPACITY, GROWTH = 1 << 16, 8  # room for states at first, and how many times more after it was not enough
CHUNK = 1 << 17  # states between two reports
MOST_THREADS, MOST_MEBIBYTES = 1024, 1 << 20
SEARCH_TABLE = 1024  # MiB that the search of an opening table has for states met before
Progress = Callable[[str, int, int], None]  # what is done, how many states are, of how many

#: what a walk leaves to the next beside the memory, forwards and backwards
FORWARDS = ("last", "at", "states", "fault", "win", "widest")
BACKWARDS = ("fault", "level", "head", "tail", "waiting")


def quiet(what: str, done: int, whole: int) -> None:
    """Report nothing."""


@dataclass
class Build:
    """A table that is being built."""

    game: Game
    progress: Progress = quiet
    interpreted: bool = False
    on_gpu: bool = False  # the search of an opening table, with so many MiB for states met before
    table: int = SEARCH_TABLE
    win: float = 0.0
    width: int = 0
    rules: str = ""

    def __post_init__(self) -> None:
        if self.game.players != 2:
            raise ZermeloError(f"{self.game!r} has {self.game.players} players: expected a game of two for an endgame table")
        if self.game.has_hidden:
            raise ZermeloError(f"{self.game!r} has hidden information: expected a game without for an endgame table")
        if self.game.repetition == "forbidden":
            raise ZermeloError(f"{self.game!r} forbids positions that were there before, so that a state alone has no value")
        self.width, self.rules = width_of(self.game), rules_of(self.game)
        prepare(self.game, walk.walk, Walk, self.interpreted, width=self.width)  # compiling is not building
        for function in (count, sum_starts, reverse, let_wait, decide_level):
            prepare(self.game, function, Backwards, self.interpreted)

    # ---- the two kinds of tables -----------------------------------------------------------------

    def by_index(self, ranges: tuple[Range, ...], path: Path, threads: int) -> About:
        """Build the table of these ranges of the game's numbers and write it; what an earlier run finished is kept (`parts.py`)."""
        began, done = time.perf_counter(), set[int]()
        size, kept = max(last for _, _, last in ranges), Parts(path, self.rules)
        known = Words(-(-size // 4), self.interpreted)

        def build(k: int) -> None:
            name, first, last = ranges[k]
            if last - first > MOST_STATES:
                raise ZermeloError(f"the ending {name} has {last - first:,} numbers: expected at most {MOST_STATES:,}")
            found, is_early = kept.load(ranges[k]), any(i not in done for i in range(k))
            if found is None:
                if k == 0 and self.game.numbers_opening:
                    self.win = worth_of_win(self.game)
                    found = search_range(self.game, self._oracle(), ranges[k], kept, self.progress, self.interpreted), self.win
                else:
                    found = Stage(self, name, first, last, known, size, is_early=is_early).solve(), self.win
                if len(ranges) > 1:
                    kept.keep(ranges[k], *found)
            self.win = found[1]
            put_values(known, first, found[0])
            done.add(k)

        call_all(build, len(ranges), threads)
        parts = [get_values(known, first, last) for _, first, last in ranges]
        about = self._about(ranges, parts, began, is_by_key=False, start="")
        save(path, about, parts, None)
        kept.remove()
        return about

    def _oracle(self) -> Oracle:
        """What solves the states of an opening table that lead beyond it."""
        if self.on_gpu:
            return DeviceRanks(self.game, self.table)
        return Ranks(self.game, self.table, None, None, self.interpreted)

    def by_key(self, state: State | None, limit: int, path: Path) -> About:
        """Build the table of all states that can be reached from this one, or the start, and write it."""
        began, capacity = time.perf_counter(), min(limit, FIRST_CAPACITY)
        s = start_of(self.game, state, "table")
        while True:
            stage = Stage(self, "", 0, 0, Words(1, self.interpreted), 0, capacity, s)
            values = stage.solve()
            if stage.fault != walk.FULL:
                break
            if capacity == limit:
                raise ZermeloError(f"{self.game!r} has more than {limit:,} states from there on: expected fewer, or a higher limit")
            capacity = min(limit, capacity * GROWTH)
        keys, numbers = stage.keys()
        order = np.argsort(keys)
        values = values[numbers[order]]
        about = self._about((("all", 0, len(keys)),), [values], began, is_by_key=True, start=self.game.write_state(s))
        save(path, about, [values], keys[order])
        return about

    def _about(self, ranges: tuple[Range, ...], parts: list[Values], began: float, *, is_by_key: bool, start: str) -> About:
        won = lost = drawn = 0
        longest = LOST
        for part in parts:
            wins = part[(part > LOST) & (part & 1 == 1)]
            won, drawn = won + len(wins), drawn + int((part == DRAWN).sum())
            lost += int(((part >= LOST) & (part & 1 == 0)).sum())
            longest = max(longest, int(wins.max(initial=LOST)))
        return About(
            game=repr(self.game),
            rules=self.rules,
            ranges=ranges,
            is_by_key=is_by_key,
            start=start,
            win=self.win,
            states=won + lost + drawn,
            won=won,
            lost=lost,
            drawn=drawn,
            longest=plies_of(longest),
            seconds=time.perf_counter() - began,
        )


class Stage:
    """One stage: its memory, and the walks over it."""

    def __init__(
        self,
        build: Build,
        name: str,
        first: int,
        last: int,
        known: Words,
        size: int,
        capacity: int = 0,
        start: State = None,
        is_early: bool = False,  # an ending before it may not be built yet
    ):
        self.build, self.name, self.game, self.is_early = build, name or repr(build.game), build.game, is_early
        numbers, self.slot_count = capacity or last - first, 1 << (2 * capacity).bit_length()
        self.memory = {
            "facts": self._words(numbers),
            "starts": self._words(numbers // 2 + 1),
            "queue": self._words(numbers // 2 + 1),
            "later": self._words(numbers // 2 + 1),
            "heads": self._words(MAX_PLIES // 2 + 1),
            "row": self._words(0),
            "back": self._words(0),
            "values": known,
            "slots": self._words(2 * self.slot_count if capacity else 0),
            "rows": self._words(capacity * self.game.layout.words),
        }
        packed = self.game.layout.pack(self.game.initial() if start is None else start)
        self._fixed: dict[str, Any] = {"first": first, "capacity": capacity, "size": size, "slot_count": self.slot_count, "packed": packed}
        self._rows: list[tuple[int, int, int, Words]] = []  # of actions: the numbers they begin at and end before, how many they are
        self._carried: dict[str, Any] = dict.fromkeys((*FORWARDS, *BACKWARDS), 0) | {"last": last, "at": first, "win": build.win}

    def _words(self, n: int) -> Words:
        return Words(n, self.build.interpreted)

    @property
    def fault(self) -> int:
        return int(self._carried["fault"])

    @property
    def last(self) -> int:
        return int(self._carried["last"])

    def solve(self) -> Values:
        """The values of all numbers of the stage; nothing if there was no room for its states."""
        self._walk()
        if self.fault:
            return np.zeros(0, np.uint16)
        self._reverse()
        more = self._backwards(let_wait)
        while more:
            more = self._backwards(decide_level)
            self.build.progress(f"{self.name}: deciding", int(self._carried["tail"]), int(self._carried["states"]))
            self._refuse()
        self.build.win = self._carried["win"]
        return self.memory["facts"].read(0, self.last - self._fixed["first"]).astype(np.uint16)  # their lowest bits

    def keys(self) -> tuple[Keys, Any]:
        """The keys of all states, and their numbers."""
        pairs = self.memory["slots"].read(0, 2 * self.slot_count).reshape(-1, 2)
        pairs = pairs[pairs[:, 1] != 0]
        return pairs[:, 0].copy(), pairs[:, 1].astype(np.int64) - 1

    def _walk(self) -> None:
        """Look at all numbers forwards, some at a time."""
        first = self._fixed["first"]
        while self._carried["at"] < self.last or self.last == 0:
            begin = int(self._carried["at"])
            self.memory["row"] = self._words((walk.ROW + self.build.width + walk.AHEAD) // 2 + 1)
            given = self._fixed | {"until": begin + CHUNK}
            run = prepare(self.game, walk.walk, Walk, self.build.interpreted, width=self.build.width)
            work = self._run(run, FORWARDS, given, ("facts", "starts", "row", "values", "slots", "rows"))
            if self.fault == walk.TOO_WIDE and self._carried["widest"] <= walk.MOST_ACTIONS:
                self.build.width = room_for(int(self._carried["widest"]))  # and on from the same state
                self._carried["fault"] = 0
            if self.fault == walk.FULL:
                return
            self._refuse()
            end, row = int(self._carried["at"]), self.memory["row"].read(0, (work.length + walk.AHEAD) // 2 + 1)
            self._rows.append((begin, end, work.length, Words.of(row, self.build.interpreted)))
            self.build.progress(f"{self.name}: counting", end - first, self.last - first)

    def _reverse(self) -> None:
        """Write all actions reversed; the rows of them are given up one by one."""
        first = self._fixed["first"]
        for _, _, length, row in self._rows:
            self.memory["row"] = row
            self._backwards(count, length=length)
        self.memory["back"] = self._words(self._backwards(sum_starts) // 2 + 1)
        while self._rows:
            begin, end, _, self.memory["row"] = self._rows.pop()
            self._backwards(reverse, at=begin, until=end)
            self.build.progress(f"{self.name}: reversing", self.last - begin, self.last - first)

    def _backwards(self, function: Callable[[Game, Backwards], int], **given: int) -> int:
        run = prepare(self.game, function, Backwards, self.build.interpreted)
        given |= {"first": self._fixed["first"], "last": self.last}
        return int(self._run(run, BACKWARDS, given, ("facts", "starts", "row", "back", "queue", "heads", "later")).value)

    def _run(self, run: Callable[..., Any], carried: tuple[str, ...], given: dict[str, Any], memory: tuple[str, ...]) -> Any:
        tables = {name: self.memory[name].table for name in memory}
        work = run(**given | {name: self._carried[name] for name in carried} | tables)
        self._carried |= {name: getattr(work, name) for name in carried}
        return work

    def _refuse(self) -> None:
        """ZermeloError if the last walk met something that tables do not know."""
        if not self.fault:
            return
        if self.fault == walk.LEADS_OUT and self.is_early:
            raise TooEarly
        game, i = self.game, int(self._carried["at"])
        told = {
            walk.TOO_WIDE: f"a state has more than {walk.MOST_ACTIONS:,} actions",
            walk.CHANCE_MOVES: "chance is to move",
            walk.NOT_ZERO_SUM: "what one player wins the other does not lose",
            walk.UNEQUAL_WINS: "some wins are worth more than others",
            walk.LEADS_OUT: "an action leads to a state that has no number in this ending or an earlier one",
            walk.SAME_HASH: "two states have the same hash",
            walk.TOO_LONG: f"a win takes more than {MAX_PLIES:,} plies",
        }[self.fault]
        if self.fault == walk.TOO_LONG:
            raise ZermeloError(f"{game!r} has no endgame table: {told}")
        s = game.state_at(i) if game.has_index else self._state(i)
        raise ZermeloError(f"{game!r} has no endgame table: {told}, in the state {game.write_state(s)}")

    def _state(self, i: int) -> State:
        words = self.game.layout.words
        return self.game.layout.unpack(self.memory["rows"].read(i * words, (i + 1) * words).tolist())


def build_table(
    game: Game,
    path: Path,
    *,
    ending: str = "",
    state: State | None = None,
    limit: int = LIMIT,
    threads: int = 1,
    device: str = "cpu",
    table: int = SEARCH_TABLE,
    progress: Progress = quiet,
    interpreted: bool = False,
) -> About:
    """Build an endgame table and write it to a file: of an ending that the game numbers, or of all states that can be reached.

    A table of a game with chance holds expected values. `threads` endings are built at once. Where the game numbers its opening,
    the states that lead beyond it are solved by search on the `device`, cpu or cuda, with `table` MiB for states met before.
    """
    game = game if ending else without_numbers(game)
    if game.has_chance:
        return build_expected(game, ending, path, progress, interpreted)
    ranges = game.endings(ending) if game.has_index or ending else ()
    if game.has_index and state is not None:
        raise ZermeloError(f"{game!r} numbers its states: expected an ending, not a state")
    check_count("table build", "threads", threads, MOST_THREADS)
    if not 1 <= limit <= MOST_STATES:
        raise ZermeloError(f"expected a limit of 1 to {MOST_STATES:,} states, not {limit:,}")
    if device not in ("cpu", "cuda") or (device == "cuda" and not game.numbers_opening):
        raise ZermeloError(f"expected --device cpu, or cuda for a game that numbers its opening, not {device} for {game!r}")
    check_count("table build", "table", table, MOST_MEBIBYTES)
    build = Build(game, progress, interpreted, device == "cuda", table)
    return build.by_index(ranges, path, threads) if game.has_index else build.by_key(state, limit, path)
