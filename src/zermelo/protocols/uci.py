"""UCI, spoken by us: `zermelo uci` is an engine of chess, or of any game with `Game.uci`, for programs that drive such engines.

Commands come on one thread and are obeyed at once; the search runs on another. Native code is made ready in the background from
the start: `readyok` is sent and the clock runs when it is there, and `stop` is answered before, by any move.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import ExitStack

from .. import registry
from ..arena.books.files import SHIPPED, find_book
from ..arena.clock import MARGIN, share
from ..arena.patience import Patience
from ..arena.players.search_player import BOOK, DEFAULT, SECONDS, SearchPlayer, default_for
from ..errors import ZermeloError
from ..game import Game, State
from ..history import History
from ..search.mate_distance import PLY_VALUE
from ..search.searcher import AT_LEAST, AT_MOST, Result
from ..search.stop import Stop
from ..system import threads
from ..system.limits import MAX_COUNT, MAX_DEPTH, MAX_SECONDS, brief, clamped
from . import GRACE, Say
from .ready import Ready

DEFAULT_UNIT = (0.01, "")  # the unit of a game that names none: a win is worth 100
MATE = 0.99  # a value beyond which somebody is mated
MILLISECONDS = 0, int(1000 * MAX_SECONDS)
#: the numbers that `go` takes, and between which two they are brought
MOST_OF = dict.fromkeys(("wtime", "btime", "winc", "binc", "movetime"), MILLISECONDS) | {
    "movestogo": (0, MAX_DEPTH),
    "depth": (1, MAX_DEPTH),
    "nodes": (1, MAX_COUNT),
    "mate": (1, MAX_DEPTH // 2),
}
FLAGS = ("infinite", "ponder")
SETTINGS = {"hash": "table", "threads": "threads", "multipv": "lines"}  # options that are settings of the searcher
BOUNDS = {AT_LEAST: " lowerbound", AT_MOST: " upperbound"}

#: seconds after which to begin nothing new, and to stop; None for no limit
Budget = tuple[float | None, float | None]


class Only(History):
    """A history that is to go on with one of these actions."""

    def __init__(self, history: History, only: set[int]):
        self.game, self.states, self.taken, self._positions = history.game, history.states, history.taken, history._positions
        self._only = only

    def actions(self) -> Iterator[int]:
        yield from (a for a in super().actions() if a in self._only)


class Uci:
    """An engine of one game. `handle` takes a line and returns False when it is the last one."""

    def __init__(self, say: Say, version: str, game: Game, name: str = DEFAULT, settings: dict[str, str] | None = None):
        if game.uci is None:
            raise ZermeloError(f"expected a game of UCI, {registry.having('uci')}, not {game.name}")
        self._say, self._version, self._name, self._settings = say, version, name, dict(settings or {})
        self._game, self._dialect = game, game.uci
        self._plain: Game = game.uci.without_draws(game)
        if name == DEFAULT:
            self._name, usual = default_for(self._game)
            self._settings = usual | self._settings
        self._is960, self._book_file = False, self._settings.get(BOOK, "")  # where the book is, whether it is used or not
        self._history, self._start, self._moves = History(self._game), "", list[str]()
        self._player = SearchPlayer("uci", self._name, self._settings)
        self._search: Search | None = None
        self._ready, self._answering = Ready(), list[threading.Thread]()
        self._make_ready()

    def handle(self, line: str) -> bool:
        """Obey a command; what makes no sense is passed over, as UCI asks."""
        words = line.split()
        known = {
            "uci": self._uci,
            "isready": self._isready,
            "ucinewgame": self._ucinewgame,
            "setoption": self._setoption,
            "position": self._position,
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._ponderhit,
        }
        while words and words[0] not in known and words[0] != "quit":
            words = words[1:]
        if not words:
            return True
        if words[0] == "quit":
            self._settle()
            until = time.monotonic() + GRACE
            for thread in self._answering:
                thread.join(max(0.0, until - time.monotonic()))
            return False
        try:
            known[words[0]](words[1:])
        except ZermeloError as error:
            self._note(str(error))
        return True

    def end(self) -> None:
        """Answer what was asked, if it takes as long as compiling."""
        self._settle()
        for thread in self._answering:
            thread.join()

    def _note(self, text: str) -> None:
        self._say("info string " + brief(" ".join(text.split())))

    # ---- getting ready -------------------------------------------------------------------------

    def _uci(self, words: list[str]) -> None:
        self._say(f"id name Zermelo {self._version}")
        self._say("id author the authors of Zermelo")
        self._say("option name Hash type spin default 64 min 1 max 65536")
        self._say("option name Threads type spin default 1 min 1 max 256")
        self._say("option name MultiPV type spin default 1 min 1 max 256")
        self._say("option name Ponder type check default false")
        self._say("option name UCI_Chess960 type check default false")
        self._say(f"option name OwnBook type check default {str(BOOK in self._settings).lower()}")
        self._say(f"option name Book type string default {self._book_file or '<empty>'}")
        self._say("uciok")

    def _isready(self, words: list[str]) -> None:
        """Answer when native code is ready; what comes meanwhile is obeyed."""

        def answer(ready: Future[None] = self._ready.latest) -> None:
            wait([ready])
            self._say("readyok")

        self._answering = [t for t in self._answering if t.is_alive()] + [threads.start(answer)]

    def _ucinewgame(self, words: list[str]) -> None:
        self._settle()
        self._make_ready()

    def _make_ready(self) -> None:
        def begin(player: SearchPlayer = self._player) -> None:
            try:
                player.begin(self._game, 0, 0)
            except Exception as error:  # reported again when a search is asked for
                self._note(f"the search cannot be made ready: {error}")

        self._ready.get(begin)

    def _setoption(self, words: list[str]) -> None:
        text = " ".join(words)
        name, _, value = text.removeprefix("name ").partition(" value ")
        name, value = name.strip().lower(), value.strip()
        if name == "uci_chess960":
            self._is960 = value.lower() == "true"
        elif name == "ownbook":
            self._use_book(self._book_file, value.lower() == "true")
        elif name == "book":
            self._use_book("" if value == "<empty>" else value, BOOK in self._settings)
        elif name in SETTINGS:
            self._set(self._settings | {SETTINGS[name]: value})
        elif name != "ponder":
            raise ZermeloError(f"there is no option '{name}'")

    def _use_book(self, file: str, is_used: bool) -> None:
        """Take moves from the book in this file, or from the one that comes with the game; or from none."""
        if is_used or file:
            find_book(file or SHIPPED, self._game)  # refuses what is none
        self._book_file = file
        others = {key: value for key, value in self._settings.items() if key != BOOK}
        self._set(others | {BOOK: file or SHIPPED} if is_used else others)

    def _set(self, settings: dict[str, str]) -> None:
        self._settle()
        self._player, self._settings = SearchPlayer("uci", self._name, settings), settings
        self._make_ready()

    def _settle(self) -> None:
        """Let a search that runs answer now."""
        if self._search is not None:
            self._search.end()

    # ---- the position --------------------------------------------------------------------------

    def _position(self, words: list[str]) -> None:
        at = words.index("moves") if "moves" in words else len(words)
        start, moves = " ".join(words[:at]), words[at + 1 :]
        self._settle()
        if start == self._start and moves[: len(self._moves)] == self._moves and self._moves:
            history, new = self._history, moves[len(self._moves) :]
        else:
            history, new = History(self._game, self._read_start(start)), moves
        before = len(history.taken)
        try:
            for word in new:
                history.do(self._dialect.read(self._game, history.state, word, history.actions(), self._is960))
        except ZermeloError:
            while len(history.taken) > before:
                history.undo()
            history = self._beyond(start, moves)
        if history.is_over and not self._plain.is_terminal(history.state):
            history = self._beyond(start, moves)  # a program may play on after a draw
        self._history, self._start, self._moves = history, start, moves

    def _read_start(self, text: str) -> State:
        if text.startswith("fen "):
            return self._game.read_state(text[4:])
        if text == "startpos":
            return self._game.initial()
        raise ZermeloError(f"expected 'position startpos' or 'position fen FEN', not 'position {text}'")

    def _beyond(self, start: str, moves: list[str]) -> History:
        """The position after moves that need not end at a draw; what was before is forgotten."""
        s = self._read_start(start)
        for word in moves:
            s = self._plain.result(s, self._dialect.read(self._plain, s, word, self._plain.actions(s), self._is960))
        if self._game.is_terminal(s) and not self._plain.is_terminal(s):
            s = self._dialect.revived(self._game, s)
        return History(self._game, s)

    # ---- thinking ------------------------------------------------------------------------------

    def _go(self, words: list[str]) -> None:
        began = time.perf_counter()
        self._settle()
        given, only = self._read_go(words)
        history = Only(self._history, only) if only else self._history
        limits: dict[str, int | None] = {key: given[key] for key in ("depth", "nodes") if key in given}
        if "mate" in given:
            limits["depth"] = 2 * given["mate"]
        waits = "infinite" in given or "ponder" in given
        budget = self._budget(given, bool(limits))
        self._search = Search(
            self._ready.latest, self._player, history, limits, None if waits else budget, waits, began, self._tell, self._answer
        )
        if "ponder" in given:
            self._search.later = budget
        self._search.start()

    def _read_go(self, words: list[str]) -> tuple[dict[str, int], set[int]]:
        given, only, i = dict[str, int](), set[int](), 0
        while i < len(words):
            word = words[i]
            i += 1
            if word in FLAGS:
                given[word] = 1
            elif word in MOST_OF and i < len(words) and (number := clamped(words[i], *MOST_OF[word])) is not None:
                given[word] = number
                i += 1
            elif word == "searchmoves":
                for text in words[i:]:
                    try:
                        only.add(self._dialect.read(self._game, self._history.state, text, self._history.actions(), self._is960))
                    except ZermeloError:
                        break
        return given, only

    def _budget(self, given: dict[str, int], limited: bool) -> Budget:
        """Seconds after which to begin nothing new, and to stop."""
        if "movetime" in given:
            hard = max(0.001, given["movetime"] / 1000 - min(MARGIN, given["movetime"] / 4000))
            return hard, hard
        mine = "wtime" if self._game.to_move(self._history.state) == 0 else "btime"
        if mine in given:
            more = given.get(mine.replace("time", "inc"), 0)
            return share(given[mine] / 1000, more / 1000, given.get("movestogo") or None)
        return (None, None) if limited else (SECONDS, SECONDS)

    def _stop(self, words: list[str]) -> None:
        if self._search is not None:
            self._search.stop()

    def _ponderhit(self, words: list[str]) -> None:
        if self._search is not None:
            self._search.hit()

    # ---- reports -------------------------------------------------------------------------------

    def _tell(self, history: History, r: Result, seconds: float) -> None:
        if not r.line:
            return
        speed = f"nodes {r.nodes} nps {int(r.nodes / max(seconds, 1e-3))} time {int(1000 * seconds)}"
        several = int(self._settings.get("lines", "1")) > 1
        for number, line in enumerate(r.lines, 1):
            place = f"multipv {number} " if several else ""
            score = f"score {_score(r, line, self._game)} " if r.scores or r.exact else ""
            moves = " ".join(self._written(history.state, line))
            self._say(f"info depth {r.depth} {place}{score}{speed} pv {moves}")

    def _answer(self, history: History, line: tuple[int, ...], error: str) -> None:
        if error:
            self._note(error)
        if not line:
            any_ = next(iter(history.actions()), None)
            line = () if any_ is None else (any_,)
        moves = self._written(history.state, line[:2])
        self._say("bestmove " + (" ponder ".join(moves) or "(none)"))

    def _written(self, s: State, line: tuple[int, ...]) -> list[str]:
        found = []
        for a in line:
            found.append(self._dialect.write(self._game, s, a, self._is960))
            s = self._game.result(s, a)
        return found


class Search:
    """A search that runs on a thread of its own, until it is done, its time is up, or somebody asks it to stop."""

    def __init__(
        self,
        ready: Future[None],
        player: SearchPlayer,
        history: History,
        limits: dict[str, int | None],
        budget: Budget | None,
        waits: bool,
        began: float,
        tell: Callable[[History, Result, float], None],
        answer: Callable[[History, tuple[int, ...], str], None],
    ):
        self._player, self._history, self._limits, self._tell, self._answer = player, history, limits, tell, answer
        self._ready, self._budget, self._began, self._waits = ready, budget, began, waits
        self.later: Budget | None = None  # the budget once the move that was pondered about is played
        self._patience = Patience(history.game, None)
        self._released = threading.Event()  # the answer must not come before
        if not waits:
            self._released.set()
        self._stop = Stop()
        self._thread: threading.Thread | None = None
        self._timer = ExitStack()  # what is to stop it

    def start(self) -> None:
        if self._ready.done():
            self._limit()
        self._thread = threads.start(self._run)

    def stop(self) -> None:
        """Answer now."""
        self._stop.set()
        self._released.set()

    def hit(self) -> None:
        """What was pondered about has come: the clock runs from now."""
        if self.later is not None:
            self._budget, self._began, self.later = self.later, time.perf_counter(), None
            self._limit()
            self._released.set()

    def end(self) -> None:
        """Answer now, and wait for that."""
        self.stop()
        if self._thread is not None:
            self._thread.join()

    def _limit(self) -> None:
        if self._budget is not None and self._budget[1] is not None:
            self._timer.enter_context(self._stop.after(self._budget[1] - (time.perf_counter() - self._began)))

    def _run(self) -> None:
        line, error = tuple[int, ...](), ""
        if not self._ready.done() and self._is_made_ready():  # no clock runs before
            self._began = time.perf_counter()
            self._limit()
        began = time.perf_counter()
        self._player.stop = self._stop
        try:
            if self._ready.done() and not self._history.is_over:
                known = None if self._waits else self._player.book_action(self._history)
                for last in self._player.steps(self._history, None, None, **self._limits) if known is None else ():
                    line = last.line if last.action is not None else ()
                    self._tell(self._history, last, time.perf_counter() - began)
                    if self._is_enough(last):
                        break
                line = line if known is None else (known,)
        except Exception as fault:
            error = f"the search failed: {fault}"
        self._released.wait()
        self._timer.close()
        self._answer(self._history, line, error)

    def _is_made_ready(self) -> bool:
        """Wait until the native code is there, and not if somebody asks to stop before."""
        news = threading.Event()
        self._ready.add_done_callback(lambda _: news.set())
        with self._stop.telling(news.set):
            news.wait()
        return self._ready.done()

    def _is_enough(self, r: Result) -> bool:
        self._patience.usual = None if self._budget is None else self._budget[0]
        is_spent = self._patience.is_spent(r, time.perf_counter() - self._began)
        return is_spent or (self._patience.usual is not None and len(r.scores) == 1)


def quits(line: str) -> bool:
    """Whether this line ends it all."""
    return line.split() == ["quit"]


def _score(r: Result, line: tuple[int, ...], game: Game) -> str:
    """What a line is worth in UCI: hundredths of the game's unit, or moves to the mate, and whether that is only a bound."""
    value, bound = (r.value if line == r.line else r.scores[line[0]]), BOUNDS.get(r.bounds.get(line[0], ""), "")
    if abs(value) < MATE:
        return f"cp {round(100 * value / (game.unit or DEFAULT_UNIT)[0])}{bound}"
    plies = round((1 - abs(value)) / PLY_VALUE) or len(line)
    moves = max(1, (plies + 1) // 2)
    return f"mate {moves if value > 0 else -moves}{bound}"
