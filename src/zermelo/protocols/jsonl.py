"""JSON lines: `zermelo serve-json GAME` plays any game with a program that writes one JSON object a line (docs/protocols.md).

Every request gets one answer, with its `id` if it has one; a search may report its progress before. It runs on a thread of its own,
so that it can be stopped.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ..arena.clock import MIN_SECONDS, Clock, Control
from ..arena.players.by_text import player as player_of
from ..arena.players.player import Player
from ..arena.players.search_player import SearchPlayer
from ..arena.referee import outcome
from ..bits import FULL
from ..errors import ZermeloError, nearest
from ..game import CHANCE, Game
from ..history import History, line_of
from ..rng import draw
from ..search.searcher import Result
from ..search.stop import Stop
from ..system import threads
from ..system.limits import MAX_COUNT, MAX_DEPTH, brief, check_count, check_seconds
from . import GRACE, Say

PROTOCOL = 1
LIMITS = ("depth", "nodes", "seconds")
SEES_EVERYTHING, SEES_KNOWN = "everything", "what the player knows"  # of a game in which something is hidden


class Jsonl:
    """One game, played by requests. `handle` takes a line and returns False when it is the last one."""

    def __init__(self, say: Say, version: str, game: Game, player: str = "default"):
        self._say, self._version, self._game = say, version, game
        self._history, self._seed = History(game), 0
        self._player_text = player
        self._players: dict[str, Player] = {}
        self._choosing: threading.Thread | None = None
        self._halt = Stop()  # of the search that runs
        self._open: dict[str, Any] | None = None  # the request whose answer is still to come
        self._closing = threading.Lock()
        self._is_making = False  # whether a player is being made ready for it
        self._player(player)
        self._commands: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "hello": self._hello,
            "new": self._new,
            "state": self._state,
            "actions": self._actions,
            "play": self._play,
            "undo": self._undo,
            "stop": self._stop,
        }

    def handle(self, line: str) -> bool:
        """Answer a request."""
        if not line.strip():
            return True
        request: Any = None
        with suppress(ValueError, RecursionError):
            request = {"command": "quit"} if line.strip() == "quit" else json.loads(line)
        if not isinstance(request, dict) or not isinstance(request.get("command"), str):
            self._answer({}, {"error": 'expected an object on one line, like {"command": "hello"}'})
            return True
        name = request["command"]
        try:
            if name == "quit":
                self.end()
                self._answer(request, {})
                return False
            if name not in self._commands and name != "choose":
                known = [*self._commands, "choose", "quit"]
                raise ZermeloError(f"there is no command '{name}'{nearest(name, known) or ': expected one of ' + ', '.join(known)}")
            if self._open is not None and name not in ("stop", "hello"):
                raise ZermeloError("a search is running: expected stop, or its answer")
            if name == "choose":
                self._choose(request)
            else:
                self._answer(request, self._commands[name](request))
        except Exception as error:
            self._answer(request, {"error": _sentence(error)})
        return True

    def end(self) -> None:
        """Answer the request that is still open: code that is being compiled for it is not waited for."""
        if self._is_making and self._choosing is not None:
            self._halt.set()
            self._choosing.join(GRACE)
        if self._is_making and self._open is not None:
            self._close(self._open, {"error": "the player was not ready before the end"})
        else:
            self._stop({})

    def _close(self, request: dict[str, Any], answer: dict[str, Any]) -> None:
        """Give the one answer to the request that is open; before it is out, another request may follow."""
        with self._closing:
            is_open, self._open = self._open is request, None
        if is_open:
            self._answer(request, answer)

    def _answer(self, request: dict[str, Any], answer: dict[str, Any]) -> None:
        numbered = {"id": request["id"]} if "id" in request else {}
        self._say(json.dumps(numbered | answer, ensure_ascii=False, default=str))

    # ---- the game ------------------------------------------------------------------------------

    def _hello(self, request: dict[str, Any]) -> dict[str, Any]:
        game = self._game
        return {
            "name": "zermelo",
            "version": self._version,
            "protocol": PROTOCOL,
            "game": repr(game),
            "players": game.players,
            "chance": game.has_chance,
            "hidden": game.has_hidden,
            "player": self._player_text,
        }

    def _new(self, request: dict[str, Any]) -> dict[str, Any]:
        text, seed, actions = request.get("state"), request.get("seed", 0), request.get("actions", [])
        if type(seed) is not int or not isinstance(actions, list) or not (text is None or isinstance(text, str)):
            raise ZermeloError("expected a state as text, a seed as a whole number and actions as a list of text")
        history = History(self._game, None if text is None else self._game.read_state(text))
        for word in actions:
            history.do(self._game.read_action(history.state, str(word)))
        self._history, self._seed = history, seed
        for player in self._players.values():
            player.begin(self._game, 0, seed)
        return self._state(request)

    def _state(self, request: dict[str, Any]) -> dict[str, Any]:
        history, game = self._history, self._game
        s, over = history.state, history.is_over
        told: dict[str, Any] = {"ply": len(history.taken), "over": over}
        if over:
            told |= {"to_move": None, "utility": [history.utility(p) for p in range(game.players)]}
        else:
            told["to_move"] = "chance" if game.to_move(s) == CHANCE else game.to_move(s)
        viewer = request.get("player")
        if viewer is None:
            return {"state": game.write_state(s), "show": game.show(s)} | told | self._sees(SEES_EVERYTHING)
        if type(viewer) is not int or not 0 <= viewer < game.players:
            raise ZermeloError(f"expected a player from 0 to {game.players - 1}, not {viewer!r}")
        seen = game.observe(s, viewer)
        return {"observation": game.write_state(seen) if type(seen) is game.layout.state else seen} | told | self._sees(SEES_KNOWN)

    def _sees(self, view: str) -> dict[str, str]:
        """How much of the game an answer is about, if something is hidden."""
        return {"sees": view} if self._game.has_hidden else {}

    def _actions(self, request: dict[str, Any]) -> dict[str, Any]:
        s, game = self._history.state, self._game
        actions = list(self._history.actions())
        told: dict[str, Any] = {"actions": [game.write_action(s, a) for a in actions]}
        if actions and game.to_move(s) == CHANCE:
            told["probabilities"] = [game.probability(s, a) for a in actions]
        return told

    def _play(self, request: dict[str, Any]) -> dict[str, Any]:
        word = request.get("action")
        if not isinstance(word, str):
            raise ZermeloError('expected an action as text, like {"command": "play", "action": "..."}')
        self._history.do(self._game.read_action(self._history.state, word))
        return self._state(request)

    def _undo(self, request: dict[str, Any]) -> dict[str, Any]:
        n = request.get("plies", 1)
        if type(n) is not int or not 0 <= n <= len(self._history.taken):
            raise ZermeloError(f"expected plies from 0 to {len(self._history.taken)}, as many as there are, not {n!r}")
        for _ in range(n):
            self._history.undo()
        return self._state(request)

    # ---- choosing ------------------------------------------------------------------------------

    def _player(self, text: str) -> Player:
        if text not in self._players:
            made = player_of(text)
            if made.text == "human":
                raise ZermeloError("expected a player that needs nobody to ask, not human")
            made.begin(self._game, 0, self._seed)
            self._players[text] = made
        return self._players[text]

    def _choose(self, request: dict[str, Any]) -> None:
        """Choose an action, on a thread; the answer comes when there is one."""
        game, history = self._game, self._history
        if history.is_over:
            raise ZermeloError("the game is over: there is nothing to choose")
        if game.to_move(history.state) == CHANCE:
            self._answer(request, {"action": game.write_action(history.state, self._rolled()), "chance": True})
            return
        text, limits, clock = str(request.get("with", self._player_text)), _limits(request), _clock(request, game.players)
        self._halt = Stop()

        def job() -> None:
            try:
                player = self._player(text)
                self._is_making = False
                if isinstance(player, SearchPlayer):
                    player.stop = self._halt
                if isinstance(player, SearchPlayer) and not game.has_hidden and (limits or request.get("progress")):
                    answer = self._searched(player, history, limits, clock, request)
                else:
                    a = player.choose(game, history, clock)
                    t = player.thought
                    about = (
                        {}
                        if t is None
                        else {"value": t.value, "depth": t.depth, "nodes": t.nodes, "line": line_of(game, history.state, t.line)}
                    )
                    answer = {"action": game.write_action(history.state, a)} | about | self._sees(SEES_KNOWN)
            except Exception as error:
                answer = {"error": _sentence(error)}
            self._is_making = False
            self._close(request, answer)

        self._open, self._is_making = request, True
        self._choosing = threads.start(job)

    def _searched(
        self, player: SearchPlayer, history: History, limits: dict[str, Any], clock: Clock, request: dict[str, Any]
    ) -> dict[str, Any]:
        soft, hard = player.limits(clock, self._game.to_move(history.state))
        if limits:
            soft = hard = limits.pop("seconds", None if hard is None or not request.get("clock") else hard)
        told: dict[str, Any] = {}
        for result in player.steps(history, soft, hard, **limits):
            told = self._told(result)
            if request.get("progress"):
                self._answer(request, {"progress": told})
        return told

    def _stop(self, request: dict[str, Any]) -> dict[str, Any]:
        """Let a search answer now; the answer to this comes after it."""
        thread = self._choosing
        if thread is not None and thread.is_alive():
            self._halt.set()
            for player in list(self._players.values()):
                if isinstance(player, SearchPlayer):
                    player.stop.set()
            thread.join()
        return {}

    def _rolled(self) -> int:
        """What chance does, by the seed and the ply."""
        return outcome(self._game, self._history.state, draw(self._seed & FULL, len(self._history.taken)))

    def _told(self, r: Result) -> dict[str, Any]:
        s, game = self._history.state, self._game
        told: dict[str, Any] = {
            "action": None if r.action is None else game.write_action(s, r.action),
            "line": line_of(game, s, r.line),
            "value": r.value,
        }
        told["values"] = [x + 0.0 for x in r.values]  # a zero has no sign
        if r.others:
            told["others"] = [{"line": line_of(game, s, line), "value": r.scores[line[0]]} for line in r.others]
        return told | {key: getattr(r, key) for key in ("depth", "nodes", "seconds", "exact")}


def quits(line: str) -> bool:
    """Whether this line ends it all."""
    if "quit" not in line[:1000]:
        return False
    with suppress(ValueError, RecursionError):
        told = json.loads(line)
        return isinstance(told, dict) and told.get("command") == "quit"
    return line.strip() == "quit"


def _limits(request: dict[str, Any]) -> dict[str, Any]:
    limits = {key: request[key] for key in LIMITS if request.get(key) is not None}
    for key, value in limits.items():
        if key == "seconds":
            check_seconds("", value)
        else:
            check_count("", key, value, MAX_DEPTH if key == "depth" else MAX_COUNT)
    return limits


def _clock(request: dict[str, Any], players: int) -> Clock:
    """The clock in a request: {"left": [seconds of each player], "increment": seconds} or {"move": seconds}."""
    told = request.get("clock")
    if told is None:
        return Clock(Control(), players)
    known = isinstance(told, dict) and isinstance(told.get("left"), list) and len(told["left"]) == players
    if not isinstance(told, dict) or ("move" not in told and not known):
        raise ZermeloError('expected a clock like {"left": [10, 10], "increment": 0.1} or {"move": 1}')
    if "move" in told:
        check_seconds("", told["move"])
        return Clock(Control(move=told["move"]), players)
    for x in told["left"]:
        if type(x) not in (int, float) or x != 0:  # a player may have no time left
            check_seconds("", x)
    clock = Clock(Control(max(*told["left"], MIN_SECONDS), told.get("increment", 0)), players)
    clock.left = [float(x) for x in told["left"]]
    return clock


def _sentence(error: Exception) -> str:
    return brief(" ".join(str(error).split()) if isinstance(error, ZermeloError) else f"{type(error).__name__}: {error}")
