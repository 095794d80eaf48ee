"""The whole solution of a small game: every state that play can reach, what it is worth, and the best actions there.

BEST-PLAY(start): list the states that can be reached; solve them all with one table;
    best(s) = the actions to the states that are worth most to the mover of s: the quickest win, else a draw, else the slowest loss
"""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..errors import ZermeloError
from ..game import Game, State
from ..search.alphabeta.searcher import AlphaBeta
from ..system.files import write_bytes

MEBIBYTES = 64  # of the table
COLUMNS = ("state", "player", "value", "plies", "action", "best")
FORMATS = ("json", "csv", "sqlite")


@dataclass(frozen=True)
class Choice:
    """A state: its mover, what it is worth to it, the plies to a win or loss, and the best actions, the one to take first."""

    state: State
    player: int
    value: float
    plies: int | None
    best: tuple[int, ...]


class BestPlay:
    """The solution of a game from one state on."""

    def __init__(self, game: Game, start: State, limit: int):
        self.game, self.start = game, start
        states = reachable(game, start, limit)
        solved = AlphaBeta(table=MEBIBYTES).solve(game, states)
        self._values = {s: (float(v), int(n)) for s, v, n in zip(states, solved.values, solved.plies, strict=True)}

    @property
    def size(self) -> int:
        """How many states it has."""
        return len(self._values)

    def choice(self, s: State) -> Choice:
        """What is known of s."""
        game, me = self.game, self.game.to_move(s)
        v, plies = self._values[s]
        moves = [] if game.is_terminal(s) else sorted(game.actions(s), key=lambda a: -game.order(s, a))
        worth = {a: self._preference(game.result(s, a), me) for a in moves}
        best = tuple(a for a in moves if worth[a] == max(worth.values()))
        return Choice(s, me, v, plies if v and not game.has_scores else None, best)

    def choices(self) -> Iterator[Choice]:
        """All states in which somebody is to move, those near the start first."""
        return (self.choice(s) for s in self._values if not self.game.is_terminal(s))

    def _preference(self, t: State, me: int) -> tuple[float, float]:
        """A key that is greater for what player `me` likes better."""
        v, plies = self._values[t]
        v = v if self.game.to_move(t) == me else -v
        return v, -v * plies

    def row(self, c: Choice) -> tuple[str, int, float, int | None, str, str]:
        """A state as files have it: see COLUMNS."""
        names = [self.game.write_action(c.state, a) for a in c.best]
        return self.game.write_state(c.state), c.player, c.value, c.plies, names[0], " ".join(names)

    def save(self, path: Path) -> None:
        """Write the map from every state to its best action, in the format that the file's name ends with."""
        kind = path.suffix.removeprefix(".")
        if kind not in FORMATS:
            raise ZermeloError(f"{path}: expected a name that ends with .{', .'.join(FORMATS)}")
        rows = [self.row(c) for c in self.choices()]
        write_bytes(path, {"json": as_json, "csv": as_csv, "sqlite": as_sqlite}[kind](rows))


Rows = list[tuple[str, int, float, int | None, str, str]]


def reachable(game: Game, start: State, limit: int) -> list[State]:
    """The states that play can reach, breadth first."""
    seen, todo = {start: None}, [start]
    while todo:
        ahead = []
        for s in todo:
            for t in () if game.is_terminal(s) else (game.result(s, a) for a in game.actions(s)):
                if t not in seen:
                    seen[t] = None
                    ahead.append(t)
        if len(seen) > limit:
            raise ZermeloError(f"{game!r} has more than {limit:,} states: expected a smaller game, or a greater --limit")
        todo = ahead
    return list(seen)


def as_json(rows: Rows) -> bytes:
    return (json.dumps({row[0]: row[4] for row in rows}, indent=0) + "\n").encode()


def as_csv(rows: Rows) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([COLUMNS, *rows])
    return text.getvalue().encode()


def as_sqlite(rows: Rows) -> bytes:
    with sqlite3.connect(":memory:") as memory:
        memory.execute("create table strategy (state text primary key, player integer, value real, plies integer, action text, best text)")
        memory.executemany("insert into strategy values (?, ?, ?, ?, ?, ?)", rows)
        memory.commit()
        return memory.serialize()
