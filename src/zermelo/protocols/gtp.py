"""GTP 2, spoken by us: `zermelo gtp GAME` is an engine of Go, Othello, Hex or any game with `Game.gtp` for programs that drive engines.

A colour may play twice in a row, and after two passes play may go on, as far as the game's `Gtp.turn_to` lets it.
"""

from __future__ import annotations

import inspect
import math
import re
import time
from collections.abc import Callable
from typing import Any

from .. import registry
from ..arena.clock import Clock, Control, share
from ..arena.players.by_text import player as player_of
from ..arena.players.search_player import SearchPlayer
from ..errors import ZermeloError
from ..game import Game
from ..history import History
from ..system.limits import MAX_COUNT, brief, clamped_seconds
from . import Say
from .ready import Ready

COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}


class Refusal(Exception):
    """What is answered with a question mark."""


class Gtp:
    """An engine of one game. `handle` takes a line and returns False when it is the last one."""

    def __init__(self, say: Say, version: str, game: Game, player: str = "default"):
        if game.gtp is None:
            raise ZermeloError(f"expected a game of GTP, {registry.having('gtp')}, not {game.name}")
        self._dialect = game.gtp
        self._say, self._version, self._game = say, version, game
        made = player_of(player)
        if not isinstance(made, SearchPlayer):
            raise ZermeloError(f"expected a player that searches, not {player}")
        self._player: SearchPlayer = made
        self._ready = Ready()
        self._ready_for: Game | None = None
        self._settings: tuple[float, float, int] | None = None  # seconds for the game, then seconds and stones of each period
        self._left: dict[int, tuple[float, int]] = {}  # seconds and stones of each colour
        self._clear()

    def handle(self, line: str) -> bool:
        """Answer a command."""
        text = "".join(" " if c == "\t" else c for c in line.partition("#")[0] if c >= " " or c == "\t").strip()
        if not text:
            return True
        found = re.fullmatch(r"(?:([0-9]+)(?:\s+|$))?(\S*)\s*(.*)", text)
        number, name, rest = (found[1] or "", found[2], found[3]) if found else ("", "", "")
        known = self.commands()
        try:
            if name not in known:
                raise Refusal("unknown command")
            answer, sign = known[name](*_arguments(known[name], rest.split())), "="
        except Refusal as refusal:
            answer, sign = str(refusal), "?"
        except ZermeloError as error:
            answer, sign = brief(" ".join(str(error).split())), "?"
        self._say(f"{sign}{number}{' ' if answer else ''}{answer}\n")
        return not (name == "quit" and sign == "=")

    def end(self) -> None:
        """Every command was answered when it came."""

    def commands(self) -> dict[str, Callable[..., str]]:
        """What can be asked, by its name."""
        common: dict[str, Callable[..., str]] = {
            "protocol_version": lambda: "2",
            "name": lambda: "Zermelo",
            "version": lambda: self._version,
            "known_command": lambda command="": str(command in self.commands()).lower(),
            "list_commands": lambda: "\n".join(self.commands()),
            "quit": lambda: "",
            "boardsize": self._boardsize,
            "clear_board": self._clear_board,
            "komi": self._komi,
            "play": self._play,
            "genmove": self._genmove,
            "reg_genmove": self._reg_genmove,
            "undo": self._undo,
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "showboard": lambda: "\n" + self._game.show(self._history.state),
            "final_score": self._final_score,
            "list_games": self._game.name.capitalize,
            "set_game": self._set_game,
        }
        if self._dialect.has_handicap:
            common |= {
                "fixed_handicap": self._fixed_handicap,
                "place_free_handicap": self._fixed_handicap,
                "set_free_handicap": self._set_free_handicap,
            }
        return common

    # ---- the game ------------------------------------------------------------------------------

    def _clear(self) -> None:
        self._history = History(self._game)
        self._plies = list[int]()  # how many actions each move took, with the passes that were put in

    def _make_ready(self) -> None:
        """Compile in the background: a controller may not wait that long for an answer."""
        game = self._ready_for = self._game
        self._ready.get(lambda: self._player.begin(game, 0, 0))

    def _changed(self, **parameters: Any) -> None:
        """The same game with other parameters: nothing happens if they are the same."""
        if self._game.parameters | parameters != self._game.parameters:
            self._game = registry.changed(self._game, **parameters)

    def _set_game(self, name: str) -> str:
        if name.lower() != self._game.name:
            raise Refusal("unsupported game")
        return ""

    def _boardsize(self, size: str, width: str = "") -> str:
        words = re.fullmatch(r"([0-9]{1,2})(?:x([0-9]{1,2}))?", size)
        if not words or (words[2] or width or words[1]) != words[1]:
            raise Refusal("unacceptable size")
        try:
            self._changed(size=int(words[1]))
        except ZermeloError:
            raise Refusal("unacceptable size") from None
        self._clear()
        return ""

    def _clear_board(self) -> str:
        self._clear()
        self._make_ready()
        self._left = {} if self._settings is None else dict.fromkeys((0, 1), _first(self._settings))
        return ""

    def _komi(self, komi: str) -> str:
        value = _number(komi)
        if not self._dialect.has_komi:
            return ""
        self._changed(komi=value)
        self._history.game = self._game
        self._make_ready()
        return ""

    def _play(self, colour: str, *vertex: str) -> str:
        p, word = _colour(colour), " ".join(vertex)
        if not word:
            raise Refusal("syntax error")
        before = len(self._history.taken)
        try:
            self._turn_to(p)
            a = self._dialect.read(self._game, self._history.state, word)
            self._history.do(a)
        except (ZermeloError, Refusal):
            while len(self._history.taken) > before:
                self._history.undo()
            raise Refusal("illegal move") from None
        self._plies.append(len(self._history.taken) - before)
        return ""

    def _turn_to(self, p: int) -> None:
        """Make it this colour's turn, if the game lets it be."""
        history = self._history
        self._dialect.turn_to(history, p)
        if history.is_over or self._game.to_move(history.state) != p:
            raise Refusal("illegal move")

    def _undo(self) -> str:
        if not self._plies:
            raise Refusal("cannot undo")
        for _ in range(self._plies.pop()):
            self._history.undo()
        return ""

    # ---- moves ---------------------------------------------------------------------------------

    def _genmove(self, colour: str) -> str:
        began, p, before = time.perf_counter(), _colour(colour), len(self._history.taken)
        a = self._chosen(p)
        if a is None:
            return "pass"
        word = self._dialect.write(self._game, self._history.state, a)
        self._history.do(a)
        self._plies.append(len(self._history.taken) - before)
        if p in self._left:
            seconds, stones = self._left[p]
            self._left[p] = max(0.0, seconds - (time.perf_counter() - began)), max(0, stones - 1)
        return word

    def _reg_genmove(self, colour: str) -> str:
        before = len(self._history.taken)
        a = self._chosen(_colour(colour))
        word = "pass" if a is None else self._dialect.write(self._game, self._history.state, a)
        while len(self._history.taken) > before:
            self._history.undo()
        return word

    def _chosen(self, p: int) -> int | None:
        """What to play with this colour; None if the game is over."""
        began = time.perf_counter()
        if self._ready_for is not self._game:
            self._make_ready()
        self._ready.latest.result()
        before = len(self._history.taken)
        try:
            self._turn_to(p)
        except (ZermeloError, Refusal):
            while len(self._history.taken) > before:
                self._history.undo()
            if self._history.is_over:
                return None
            raise Refusal("illegal move") from None
        return self._player.choose(self._game, self._history, self._clock(p, time.perf_counter() - began))

    def _clock(self, p: int, spent: float) -> Clock:
        """The time for a move of this colour, of which `spent` seconds are gone."""
        if self._settings is None or p not in self._left:
            return Clock(Control(), 2)
        seconds, stones = self._left[p]
        seconds = max(0.0, seconds - spent)
        if stones:
            _, hard = share(seconds, 0.0, stones)
            return Clock(Control(move=max(0.01, hard)), 2)
        clock = Clock(Control(base=max(0.01, self._settings[0])), 2)
        clock.left[p] = max(0.01, seconds)
        return clock

    # ---- time ----------------------------------------------------------------------------------

    def _time_settings(self, main: str, period: str, stones: str) -> str:
        settings = _seconds(main), _seconds(period), _stones(stones)
        unlimited = settings[0] <= 0 and (settings[1] <= 0 or settings[2] <= 0)
        if settings[1] > 0 and settings[2] == 0:
            unlimited = True  # as GTP says it
        self._settings = None if unlimited else settings
        self._left = {} if self._settings is None else dict.fromkeys((0, 1), _first(settings))
        return ""

    def _time_left(self, colour: str, seconds: str, stones: str) -> str:
        left, many = _seconds(seconds), _stones(stones)
        self._left[_colour(colour)] = left, many
        self._settings = self._settings or (left, 0.0, many)
        return ""

    # ---- the result ----------------------------------------------------------------------------

    def _final_score(self) -> str:
        margin = self._dialect.score(self._history)
        if margin is None:
            if not self._history.is_over:
                raise Refusal("cannot score")
            return "B+" if self._history.utility(0) > 0 else "W+"
        return "0" if margin == 0 else f"{'B' if margin > 0 else 'W'}+{abs(margin):g}"

    # ---- handicap ------------------------------------------------------------------------------

    def _fixed_handicap(self, stones: str) -> str:
        return self._placed(self._dialect.fixed_handicap(self._game, int(stones) if stones.isdigit() else 0))

    def _set_free_handicap(self, *vertices: str) -> str:
        if len(vertices) < 2 or len(set(vertices)) != len(vertices):
            raise Refusal("bad vertex list")
        self._placed(list(vertices))
        return ""

    def _placed(self, vertices: list[str]) -> str:
        if self._history.taken or self._history.states[0] != self._game.initial():
            raise Refusal("board not empty")
        self._history = History(self._game, self._dialect.place(self._game, vertices))
        return " ".join(vertices)


def _colour(text: str) -> int:
    if text.lower() not in COLOURS:
        raise Refusal("syntax error")
    return COLOURS[text.lower()]


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise Refusal("syntax error") from None
    if not math.isfinite(value):
        raise Refusal("syntax error")
    return value


def _seconds(text: str) -> float:
    """The seconds in this text, at most as many as a clock can count."""
    return clamped_seconds(_number(text))


def _stones(text: str) -> int:
    return int(max(-1, min(_number(text), MAX_COUNT)))


def _first(settings: tuple[float, float, int]) -> tuple[float, int]:
    """What a colour has at the start: the time of the game, or of its first period."""
    return (settings[0], 0) if settings[0] > 0 else (settings[1], settings[2])


def _arguments(command: Callable[..., str], words: list[str]) -> list[str]:
    """The words, if the command takes this many."""
    try:
        inspect.signature(command).bind(*words)
    except TypeError:
        raise Refusal("syntax error") from None
    return words
