"""A game as people play it: the players by seat, moves that can be taken back, a file in which it can be saved.

    live = LiveGame(game, [None, player("level:4")], seed=1)
    live.take(a)                    a person's action
    live.go_on()                    what chance or a player does

Chance draws as the referee does (`referee.py`): a roll follows from the seed and from how many there were before. So what is taken
back is rolled again as it was.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from ..errors import ZermeloError
from ..game import CHANCE, Game
from ..history import History, replayed
from ..notation.sheet import RESIGNED, About, Ending, Entry, Sheet
from . import referee
from .clock import Clock, Control
from .players.player import Fault, Player
from .records.store import Slot, Store, now

PERSON = "human"
CONTROL = "Control"  # the tag of a record that holds the clock
EVENT = "play"


class LiveGame:
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
                player.begin(self.game, seat, referee.player_seed(self.seed, seat))
        self._asked = time.perf_counter()

    def close(self) -> None:
        for player in self.players:
            if player is not None:
                player.close()

    @property
    def seat(self) -> int:
        """The player to move, or CHANCE."""
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
        self._step(lambda: referee.move(self.history, a, time.perf_counter() - self._asked, self.clock, PERSON))

    def go_on(self) -> None:
        """Let chance or a player move; a player that cannot loses the game."""
        if self.seat == CHANCE:
            rolls = sum(e.seat == CHANCE for e in self.entries)
            self._step(lambda: referee.roll(self.history, self.seed, rolls))
            return
        player = self.players[self.seat]
        if player is None:
            raise ZermeloError("expected a person's action")
        self._step(lambda: referee.turn(self.history, player, self.clock))

    def _step(self, step: Callable[[], Entry]) -> None:
        """Make the move that `step` makes, and keep it; a fault ends the game."""
        seat, before = self.seat, list(self.clock.left)
        try:
            self._keep(step(), before)
        except Fault as fault:
            self.ending = referee.forfeit(self.game, seat, fault.kind, str(fault))

    def _keep(self, entry: Entry, before: list[float]) -> None:
        self.entries.append(entry)
        self._lefts.append(before)
        self._asked = time.perf_counter()
        self._look()

    def _look(self) -> None:
        """End the game if it is over by its rules."""
        if self.history.is_over:
            self.ending = referee.ending_now(self.history)

    def resign(self, seat: int) -> None:
        """Give the game up."""
        self.ending = referee.forfeit(self.game, seat, RESIGNED, f"{self.name(seat)} resigned")

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
        """The ply of the last move of a player that is not a person."""
        for i in reversed(range(len(self.entries))):
            if self.entries[i].seat != CHANCE and self.players[self.entries[i].seat] is not None:
                return i
        return None

    # ---- records ---------------------------------------------------------------------------------

    @property
    def about(self) -> About:
        """What a record says of the game before its moves."""
        names = tuple(self.name(seat) for seat in range(self.game.players))
        return About(repr(self.game), names, self.seed, self.start, {CONTROL: str(self.clock.control)}, self.began)

    def replay(self, sheet: Sheet) -> None:
        """Make the moves of a record, in a game in which there was none."""
        self.began = sheet.about.began
        for entry, a in zip(sheet.moves, replayed(self.game, sheet).taken, strict=True):
            self.history.do(a)
            self._keep(entry, list(self.clock.left))
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
