"""Players that are engines speaking GTP, the Go Text Protocol, in games that have `Game.gtp`: Go, Othello and Hex.

    gtp:gnugo --mode gtp --level 10 --chinese-rules --positional-superko --play-out-aftermath --capture-all-dead
    gtp:gtp-rhino --level=3

An engine of Go should play on until dead stones are taken, as above: here they count as alive at the end.
"""

from __future__ import annotations

import math
import time

from ... import registry
from ...errors import ZermeloError
from ...game import Game
from ...history import History
from ...notation.sheet import RESIGNED
from ..clock import Clock
from .player import Fault, Player
from .process import GRACE, PATIENCE, UNTIMED, WORDY, Engine

COLOURS = ("black", "white")


class GtpPlayer(Player):
    """An engine that speaks GTP. It is started at the first game, and again after it failed."""

    def __init__(self, text: str, rest: str):
        self.text, self._engine = text, Engine(rest)
        self._known: set[str] = set()

    def begin(self, game: Game, seat: int, seed: int) -> None:
        if game.gtp is None:
            raise ZermeloError(f"{self.text}: expected a game of GTP, {registry.having('gtp')}, not {game.name}")
        self._dialect = game.gtp
        if not self._engine.is_running:
            self._engine.start()
            self._known = set(self._must("list_commands").split())
        if "set_game" in self._known:
            self._ask(f"set_game {game.name.capitalize()}")
        size = game.parameters.get("size")
        answer, good = ("", True) if size is None else self._ask(f"boardsize {size}")
        if not good:
            raise ZermeloError(f"{self.text}: expected an engine that plays on {size} x {size}, but it answers: {answer}")
        if game.gtp.has_komi:
            self._must(f"komi {game.parameters['komi']}")
        self._must("clear_board")
        self._taken, self._is_timed, self.thought = list[int](), False, None

    def choose(self, game: Game, state: History, clock: Clock) -> int:
        if not self._engine.is_running:
            raise Fault("death", f"{self._engine.name} is not running")
        p = game.to_move(state.state)
        self._tell(game, state)
        self._tell_time(clock, p)
        timed = clock.control.base is not None or clock.control.move is not None
        answer, good = self._ask(f"genmove {COLOURS[p]}", clock.left[p] + GRACE if timed else UNTIMED)
        word = answer.strip()
        if not good:
            raise self._engine.garbage(f"refuses to move: {word[:60]}")
        if word.lower() == "resign":
            raise Fault(RESIGNED, f"{self._engine.name} resigned")
        try:
            a = self._dialect.read(game, state.state, word)
        except ZermeloError:
            if len(word) > 12 or not word:
                raise self._engine.garbage(f"says '{word[:60]}' where a move was expected") from None
            raise Fault("illegal move", f"{self._engine.name} plays {word}, which is illegal here") from None
        if not state.is_new(a):
            raise Fault("illegal move", f"{self._engine.name} plays {word}, which repeats a position")
        self._taken.append(a)
        return a

    def close(self) -> None:
        self._engine.close()

    # ---- talk ----------------------------------------------------------------------------------

    def _tell(self, game: Game, state: History) -> None:
        """Send the moves that it does not know yet."""
        if state.states[0] != game.initial():
            raise ZermeloError(f"{self.text}: expected a game from its start, because GTP has no positions")
        if state.taken[: len(self._taken)] != self._taken:
            self._must("clear_board")
            self._taken = []
        known = len(self._taken)
        for s, a in zip(state.states[known:-1], state.taken[known:], strict=True):
            word = self._dialect.write(game, s, a)
            answer, good = self._ask(f"play {COLOURS[game.to_move(s)]} {word}")
            if not good and not self._dialect.may_refuse(word):
                raise Fault("illegal move", f"{self._engine.name} refuses {word}, which is legal: {answer[:60]}")
            self._taken.append(a)

    def _tell_time(self, clock: Clock, p: int) -> None:
        """Send the time: GTP has no increments, so the whole seconds left are sent before each move."""
        control = clock.control
        if "time_settings" not in self._known or (control.base is None and control.move is None):
            return
        base, move, stones = (0, math.ceil(control.move), 1) if control.move is not None else (int(control.base or 0), 0, 0)
        if not self._is_timed:
            self._ask(f"time_settings {base} {move} {stones}")
            self._is_timed = True
        if "time_left" in self._known:
            self._ask(f"time_left {COLOURS[p]} {math.floor(clock.left[p])} {stones}")

    def _must(self, command: str) -> str:
        answer, good = self._ask(command)
        if not good:
            raise self._engine.garbage(f"refuses {command}: {answer[:60]}")
        return answer

    def _ask(self, command: str, seconds: float | None = None) -> tuple[str, bool]:
        """The answer to a command, and whether it succeeded."""
        self._engine.drop()
        self._engine.send(command)
        until, noise, found = time.monotonic() + (PATIENCE if seconds is None else seconds), "", list[str]()
        for _ in range(WORDY):
            try:
                line = self._engine.line(until)
            except Fault as fault:
                if fault.kind == "hang" and noise:
                    raise Fault("garbage", f"{self._engine.name} says '{noise[:60]}' where an answer was expected") from None
                raise
            if found or line[:1] in ("=", "?"):
                if not line.strip():
                    return "\n".join(found)[1:].strip(), found[0][0] == "="
                found.append(line)
            else:
                noise = line.strip() or noise
        raise self._engine.garbage(f"says '{noise[:60]}' where an answer was expected")
