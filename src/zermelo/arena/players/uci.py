"""Players that are engines speaking UCI, the protocol of chess engines, in games that have `Game.uci`.

uci:stockfish
uci:stockfish?UCI_Elo=1800&Threads=1        options by name; UCI_Elo alone switches UCI_LimitStrength on
uci:gnuchessu?depth=6                       depth, nodes and movetime (ms) limit each move, whatever the clock
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator
from urllib.parse import unquote

from ... import registry
from ...errors import ZermeloError, nearest
from ...game import Game, State
from ...history import History
from ...notation.dialects import Uci
from ..clock import MARGIN, Clock, Control
from .player import Fault, Player, Thought
from .process import GRACE, PATIENCE, UNTIMED, WORDY, Engine

LIMITS = ("depth", "nodes", "movetime")
MOVETIME = 1000  # ms for a move without another limit
SAID = re.compile(r"id|option|info|bestmove|uciok|readyok|copyprotection|registration")
DEFAULT_UNIT = (0.01, "")  # the unit of a game that names none: a win is worth 100


class UciPlayer(Player):
    """An engine that speaks UCI. It is started at the first game, and again after it failed."""

    def __init__(self, text: str, rest: str):
        self.text = text
        command, mark, told = rest.rpartition("?")
        if not mark or "=" not in told:
            command, told = rest, ""
        self._engine = Engine(command)
        self._told = dict[str, str]()
        for part in told.split("&") if told else []:
            name, equals, value = part.partition("=")
            if not equals or not name.strip():
                raise ZermeloError(f"'{text}': expected options as name=value joined by '&', not '{part}'")
            self._told[unquote(name.strip())] = unquote(value.strip())
        self._limits = {key: self._told.pop(key) for key in LIMITS if key in self._told}
        if wrong := next((x for x in self._limits.values() if not re.fullmatch("[1-9][0-9]*", x)), None):
            raise ZermeloError(f"'{text}': expected a whole number as limit, not '{wrong}'")
        self._options: dict[str, str] = {}  # by their names in small letters
        self._info: tuple[History, int, dict[str, str]] | None = None
        self._thought: Thought | None = None

    # ---- games ---------------------------------------------------------------------------------

    def begin(self, game: Game, seat: int, seed: int) -> None:
        if game.uci is None:
            raise ZermeloError(f"{self.text}: expected a game of UCI engines, {registry.having('uci')}, not {game.name}")
        self._dialect = game.uci
        if not self._engine.is_running:
            self._engine.start()
            self._engine.send("uci")
            self._options = {}
            while (line := self._said("uciok", PATIENCE)) != "uciok":
                if found := re.match(r"option name (.+?) type ", line):
                    self._options[found[1].lower()] = found[1]
            self._set_options()
        self._is960 = game.uci.is_chess960(game)
        if "uci_chess960" in self._options:
            self._engine.send(f"setoption name UCI_Chess960 value {str(self._is960).lower()}")
        elif self._is960:
            raise ZermeloError(f"{self.text}: expected an engine that plays Chess960, and this one does not")
        self._engine.send("ucinewgame")
        self._ready()
        self._info, self._thought = None, None
        self._moves, self._taken = list[str](), list[int]()

    def choose(self, game: Game, state: History, clock: Clock) -> int:
        line, info = self._asked(game, state, clock)
        self._info, self._thought = (state, len(state.taken), info), None
        word = line.split()[1] if len(line.split()) > 1 else ""
        if not re.fullmatch("[a-h][1-8][a-h][1-8][nbrqk]?", word):
            if word in ("(none)", "0000", "a1a1"):
                raise Fault("illegal move", f"{self._engine.name} says that it has no move")
            raise self._engine.garbage(f"says '{line[:60]}' where a move was expected")
        try:
            return self._dialect.read(game, state.state, word, state.actions(), self._is960)
        except ZermeloError:
            raise Fault("illegal move", f"{self._engine.name} plays {word}, which is illegal here") from None

    def judge(self, game: Game, asked: Iterable[tuple[State, int | None]], in_flight: int = 1) -> Iterator[float | None]:
        """What the engine says each of these states is worth to its player to move, after this action, or any for None; no move is read.

        So many questions are sent before an answer is awaited: an engine that answers them in order, as Stockfish does, need not wait.
        """
        go, open_questions, last = self._go(Clock(Control(), game.players), 0), 0, None
        self._engine.drop()
        for s, a in asked:
            position = "" if s is last else f"position fen {game.write_state(s)}\n"
            only = "" if a is None else f" searchmoves {self._dialect.write(game, s, a, self._is960)}"
            self._engine.send(f"{position}go {go}{only}")
            open_questions, last = open_questions + 1, s
            if open_questions == in_flight:
                open_questions = in_flight // 2
                for _ in range(in_flight - open_questions):
                    yield self._answer(game)
        for _ in range(open_questions):
            yield self._answer(game)

    def _answer(self, game: Game) -> float | None:
        """The value in the last line with a score before the next move."""
        said, until = "", time.monotonic() + UNTIMED
        while not (line := self._said("bestmove", until=until)).startswith("bestmove"):
            said = line if " score " in line else said
        return _value(said.split(), game) if said else None

    def _asked(self, game: Game, state: History, clock: Clock) -> tuple[str, dict[str, str]]:
        """The line with the engine's move, and the last one before it that gives a score."""
        if not self._engine.is_running:
            raise Fault("death", f"{self._engine.name} is not running")
        p = game.to_move(state.state)
        self._engine.drop()
        self._engine.send(self._position(game, state))
        self._engine.send("go " + self._go(clock, p))
        wait = UNTIMED if clock.control.base is clock.control.move is None else clock.left[p] + GRACE
        info: dict[str, str] = {}
        until = time.monotonic() + wait
        while not (line := self._said("bestmove", until=until)).startswith("bestmove"):
            if " score " in line and " pv " in line:
                info["line"] = line
        return line, info

    def close(self) -> None:
        self._engine.close()

    @property
    def thought(self) -> Thought | None:
        """What the engine said about its last move; read only on demand, because no clock runs then."""
        if self._thought is None and self._info is not None and "line" in self._info[2]:
            history, ply, info = self._info
            self._thought = _read(
                history.states[ply] if ply < len(history.states) else None, info["line"], self._is960, history, self._dialect
            )
        return self._thought

    @thought.setter
    def thought(self, told: Thought | None) -> None:
        self._thought, self._info = told, None

    @property
    def value(self) -> float | None:
        """The score alone: the line of best play takes longer to read than the engine may take to find it."""
        if self._thought is None and self._info is not None and "line" in self._info[2]:
            return _value(self._info[2]["line"].split(), self._info[0].game)
        return super().value

    # ---- talk ----------------------------------------------------------------------------------

    def _said(self, awaited: str, seconds: float = 0.0, until: float | None = None) -> str:
        """The next line that makes sense in UCI; lines that do not are passed over, up to a point."""
        until = time.monotonic() + seconds if until is None else until
        noise = ""
        for _ in range(WORDY):
            try:
                line = self._engine.line(until).strip()
            except Fault as fault:
                if fault.kind == "hang" and noise:
                    raise Fault("garbage", f"{self._engine.name} says '{noise[:60]}' where {awaited} was expected") from None
                raise
            if SAID.match(line):
                return line
            noise = line or noise
        raise self._engine.garbage(f"says '{noise[:60]}' where {awaited} was expected")

    def _ready(self) -> None:
        self._engine.send("isready")
        while self._said("readyok", PATIENCE) != "readyok":
            pass

    def _set_options(self) -> None:
        told = dict(self._told)
        names = {name.lower() for name in told}
        if "uci_elo" in names and "uci_limitstrength" not in names and "uci_limitstrength" in self._options:
            told["UCI_LimitStrength"] = "true"
        for name, value in told.items():
            if name.lower() not in self._options:
                self._engine.close()
                known = sorted(self._options.values())
                hint = nearest(name, known) or f": it has {', '.join(known)}"
                raise ZermeloError(f"{self._engine.name} has no option '{name}'{hint}")
            self._engine.send(f"setoption name {self._options[name.lower()]} value {value}")

    def _position(self, game: Game, state: History) -> str:
        """The command that sends the game so far."""
        kept = len(self._taken)
        if state.taken[:kept] != self._taken:
            self._taken, self._moves, kept = [], [], 0
        for s, a in zip(state.states[kept:-1], state.taken[kept:], strict=True):
            self._moves.append(self._dialect.write(game, s, a, self._is960))
            self._taken.append(a)
        start = state.states[0]
        usual = not self._is960 and start == game.initial()
        told = "startpos" if usual else f"fen {game.write_state(start)}"
        return f"position {told}" + (f" moves {' '.join(self._moves)}" if self._moves else "")

    def _go(self, clock: Clock, p: int) -> str:
        if self._limits:
            return " ".join(f"{key} {value}" for key, value in self._limits.items())
        if clock.control.base is not None:
            # a little less than there is: messages take time
            white, black = (max(1, int(1000 * max(left - MARGIN, left / 2))) for left in clock.left)
            more = int(1000 * clock.control.increment)
            return f"wtime {white} btime {black} winc {more} binc {more}"
        _, hard = clock.budget(p)
        return f"movetime {MOVETIME if hard is None else max(1, int(1000 * hard))}"


def _number(words: list[str], after: str) -> int:
    """The number after this word, 0 if there is none."""
    try:
        return int(words[words.index(after) + 1])
    except (ValueError, IndexError):
        return 0


def _value(words: list[str], game: Game) -> float | None:
    """The value that a line of info gives."""
    kind = words[words.index("score") + 1] if "score" in words[:-1] else ""
    if kind == "cp":
        return max(-0.99, min(0.99, _number(words, "cp") / (100 / (game.unit or DEFAULT_UNIT)[0])))
    if kind == "mate":
        return 1.0 if _number(words, "mate") > 0 else -1.0
    return None


def _read(s: object, line: str, is960: bool, history: History, dialect: Uci) -> Thought:
    """The thought in a line of info, as far as it can be read."""
    words = line.split()

    def number(after: str) -> int:
        return _number(words, after)

    value = _value(words, history.game)
    kind = words[words.index("score") + 1] if "score" in words[:-1] else ""
    played, game = list[int](), history.game
    for word in words[words.index("pv") + 1 :] if s is not None else []:
        try:
            played.append(dialect.read(game, s, word, game.actions(s), is960))
        except ZermeloError:
            break
        s = game.result(s, played[-1])
    note = f"{kind} {number(kind)}" if kind in ("cp", "mate") else ""
    return Thought(value, number("depth"), number("nodes"), tuple(played), note)
