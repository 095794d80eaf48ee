"""A game as people play it: who sits where, moves that can be taken back, a file in which it can be put away.

    sitting = Sitting(game, [None, player("level:4")], seed=1)
    sitting.take(a)                    a person's action
    sitting.go_on()                    what chance or a player does

Chance draws as the referee does (`referee.py`): a roll follows from the seed and from how many there were before. So what is taken
back is rolled again as it was.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from pathlib import Path

from ..bits import FULL
from ..errors import ZermeloError
from ..game import CHANCE, Game
from ..history import History, replayed
from ..notation.sheet import RESIGNED, About, Ending, Entry, Sheet
from ..rng import draw, split
from . import referee
from .clock import Clock, Control
from .players.player import Fault, Player, Thought
from .records.store import Slot, Store, now

PERSON = "human"
CONTROL = "Control"  # the tag of a record that tells the clock
EVENT = "play"
LINE = 8  # moves of a line of play that are kept


class Sitting:
    """A game that goes on; `players` by seat, None for a person. It is over when there is an `ending`."""

    def __init__(self, game: Game, players: Sequence[Player | None], seed: int = 0, control: Control = Control(), start: str = ""):  # noqa: B008
        if len(players) != game.players:
            raise ZermeloError(f"expected {game.players} players of {game.name}, not {len(players)}")
        self.game, self.players, self.seed = game, tuple(players), seed
        self.history = History(game, game.read_state(start) if start else None)
        self.start = game.write_state(self.history.state)
        self.clock, self.began = Clock(control, game.players), now()
        self.ending: Ending | None = None
        self.entries: list[Entry] = []
        self._lefts: list[list[float]] = []
        self._asked = time.perf_counter()
        self._look()

    def begin(self) -> None:
        """Let the players get ready."""
        for seat, player in enumerate(self.players):
            if player is not None:
                player.begin(self.game, seat, split(split(self.seed & FULL, referee.PLAYERS), seat))
        self._asked = time.perf_counter()

    def close(self) -> None:
        for player in self.players:
            if player is not None:
                player.close()

    @property
    def seat(self) -> int:
        """Who is to move, CHANCE too."""
        return self.game.to_move(self.history.state)

    @property
    def is_persons_turn(self) -> bool:
        return self.ending is None and self.seat != CHANCE and self.players[self.seat] is None

    def name(self, seat: int) -> str:
        """The player at a seat, as text."""
        player = self.players[seat]
        return PERSON if player is None else player.text

    # ---- moves -----------------------------------------------------------------------------------

    def take(self, a: int) -> None:
        """A person's action, since the move before was made."""
        self._move(a, time.perf_counter() - self._asked, None)

    def go_on(self) -> None:
        """What chance does, or a player; whose fault it is that the game cannot go on, has lost it."""
        seat, s = self.seat, self.history.state
        if seat == CHANCE:
            rolls = sum(e.seat == CHANCE for e in self.entries)
            a = referee.outcome(self.game, s, draw(split(self.seed & FULL, referee.DICE), rolls))
            self._keep(Entry(CHANCE, self.game.write_action(s, a)), a)
            return
        player = self.players[seat]
        if player is None:
            raise ZermeloError("expected a person's action")
        began = time.perf_counter()
        try:
            a = player.choose(self.game, self.history, self.clock)
            if a not in self.history.actions():
                raise Fault("illegal move", f"{player.text} played {a}, which is no legal action of {self.game.name} here")
        except Fault as fault:
            self._lose(seat, fault.kind, str(fault))
            return
        self._move(a, time.perf_counter() - began, player.thought)

    def _move(self, a: int, seconds: float, thought: Thought | None) -> None:
        seat, s = self.seat, self.history.state
        text = self.game.write_action(s, a)
        before = list(self.clock.left)
        if not self.clock.spend(seat, seconds):
            self._lose(seat, "time", f"{self.name(seat)} took {seconds:.1f} seconds where there were {before[seat]:.1f}")
            return
        left = None if math.isinf(self.clock.left[seat]) else self.clock.left[seat]
        told = thought or Thought()
        line = " ".join(written(self.game, s, told.line[:LINE]))
        entry = Entry(seat, text, left, round(seconds, 3), told.value, told.depth, told.nodes, line, told.note)
        self._keep(entry, a, before)

    def _keep(self, entry: Entry, a: int, before: list[float] | None = None) -> None:
        self.history.do(a)
        self.entries.append(entry)
        self._lefts.append(before or list(self.clock.left))
        self._asked = time.perf_counter()
        self._look()

    def _look(self) -> None:
        """Whether the game is over by its rules."""
        if self.history.is_over:
            result = tuple(self.history.utility(p) for p in range(self.game.players))
            self.ending = Ending(result, "repetition" if self.history.is_repeated else "ended")

    def _lose(self, seat: int, kind: str, remark: str) -> None:
        n = self.game.players
        result = tuple(-1.0 if p == seat else 1.0 / max(n - 1, 1) for p in range(n))
        self.ending = Ending(result, kind, None if kind == RESIGNED else seat, remark)

    def resign(self, seat: int) -> None:
        """Give the game up."""
        self._lose(seat, RESIGNED, f"{self.name(seat)} resigned")

    def undo(self) -> int:
        """Take back to the last choice that a person had; how many moves that were, 0 if there was none."""
        last = next(
            (i for i in reversed(range(len(self.entries))) if (p := self.entries[i].seat) != CHANCE and self.players[p] is None), None
        )
        if last is None:
            return 0
        many = len(self.entries) - last
        self.clock.left = self._lefts[last]
        for _ in range(many):
            self.history.undo()
        del self.entries[last:], self._lefts[last:]
        self.ending, self._asked = None, time.perf_counter()
        return many

    def last_reply(self) -> int | None:
        """The ply of the last move that a player made who is no person."""
        for i in reversed(range(len(self.entries))):
            if self.entries[i].seat != CHANCE and self.players[self.entries[i].seat] is not None:
                return i
        return None

    # ---- records ---------------------------------------------------------------------------------

    @property
    def about(self) -> About:
        """What a record tells of the game before its moves."""
        names = tuple(self.name(seat) for seat in range(self.game.players))
        return About(repr(self.game), names, self.seed, self.start, {CONTROL: str(self.clock.control)}, self.began)

    def replay(self, sheet: Sheet) -> None:
        """Make the moves of a record, in a game in which there was none."""
        self.began = sheet.about.began
        for entry, a in zip(sheet.moves, replayed(self.game, sheet).taken, strict=True):
            self._keep(entry, a)
            if entry.left is not None:
                self.clock.left[entry.seat] = entry.left

    def record(self, path: Path) -> int:
        """Put the finished game into the store; its number there."""
        assert self.ending is not None
        with Store(path) as store, store.saved():
            event = store.event(EVENT, repr(self.game), f"{EVENT} {self.game!r}", {})
            number = store.begin(event, Slot(sum(1 for _ in store.games(event)), 0, 0), self.about)
            for ply, entry in enumerate(self.entries):
                store.move(number, ply, entry)
            store.end(number, self.ending)
            return number


def written(game: Game, s: object, line: Sequence[int]) -> list[str]:
    """A line of play in the game's notation, as far as it is one."""
    texts: list[str] = []
    for a in line:
        if game.is_terminal(s) or a not in game.actions(s):
            break
        texts.append(game.write_action(s, a))
        s = game.result(s, a)
    return texts
