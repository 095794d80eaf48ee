"""Players that are programs speaking the protocol of `zermelo serve-json` (docs/protocols.md): JSON objects, one a line.

json:zermelo serve-json connect4
json:node my-engine.js
"""

from __future__ import annotations

import json
import math
import time
from typing import Any

from ...bits import FULL
from ...errors import ZermeloError
from ...game import Game
from ...history import History
from ...rng import draw, split
from ..clock import Clock
from .player import Fault, Player, Thought
from .process import GRACE, PATIENCE, UNTIMED, WORDY, Engine


class JsonPlayer(Player):
    """A program that chooses for any game. It is started at the first game, and again after it failed."""

    def __init__(self, text: str, rest: str):
        self.text, self._engine, self._number = text, Engine(rest), 0

    def begin(self, game: Game, seat: int, seed: int) -> None:
        if not self._engine.is_running:
            self._engine.start()
        hello = self._must({"command": "hello", "game": repr(game)})
        if hello.get("game", repr(game)) != repr(game):
            self._engine.close()
            raise ZermeloError(f"{self.text}: expected a program that plays {game!r}, and it plays {hello['game']}")
        self._must({"command": "new", "seat": seat, "seed": seed})
        self._start, self._taken, self._key = game.initial(), list[int](), split(seed & FULL, seat)
        self.thought = None

    def choose(self, game: Game, state: History, clock: Clock) -> int:
        if not self._engine.is_running:
            raise Fault("death", f"{self._engine.name} is not running")
        s = state.state
        p, timed = game.to_move(s), clock.control.base is not None or clock.control.move is not None
        self._tell(game, state, p)
        request: dict[str, Any] = {"command": "choose"}
        if timed:
            request["clock"] = _told(clock)
        answer = self._ask(request, clock.left[p] + GRACE if timed else UNTIMED)
        word = answer.get("action")
        if "error" in answer or not isinstance(word, str):
            raise self._engine.garbage(f"does not choose: {str(answer.get('error', answer))[:60]}")
        try:
            a = game.read_action(s, word)
        except ZermeloError:
            raise Fault("illegal move", f"{self._engine.name} plays {word[:60]}, which is illegal here") from None
        if not state.is_new(a):
            raise Fault("illegal move", f"{self._engine.name} plays {word}, which repeats a position")
        self.thought = _thought(answer, a)
        return a

    def close(self) -> None:
        self._engine.close()

    # ---- talk ----------------------------------------------------------------------------------

    def _tell(self, game: Game, state: History, p: int) -> None:
        """Send what was played since the last message; if something is hidden, a state that p cannot tell from this one."""
        if game.has_hidden:
            seen = game.resample(state.state, p, draw(self._key, len(state.taken)))
            self._must({"command": "new", "state": game.write_state(seen)})
            return
        if state.states[0] != self._start or state.taken[: len(self._taken)] != self._taken:
            self._start, self._taken = state.states[0], []
            self._must({"command": "new", "state": game.write_state(self._start)})
        known = len(self._taken)
        for s, a in zip(state.states[known:-1], state.taken[known:], strict=True):
            self._must({"command": "play", "action": game.write_action(s, a)})
        self._taken = list(state.taken)

    def _must(self, request: dict[str, Any]) -> dict[str, Any]:
        answer = self._ask(request, PATIENCE)
        if "error" in answer:
            raise self._engine.garbage(f"refuses {request['command']}: {str(answer['error'])[:60]}")
        return answer

    def _ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The answer to a request: the object with its number that is not a progress report."""
        self._number += 1
        self._engine.drop()
        self._engine.send(json.dumps({"id": self._number} | request))
        until, noise = time.monotonic() + seconds, ""
        for _ in range(WORDY):
            try:
                line = self._engine.line(until)
            except Fault as fault:
                if fault.kind == "hang" and noise:
                    raise Fault("garbage", f"{self._engine.name} says '{noise[:60]}' where an answer was expected") from None
                raise
            try:
                answer = json.loads(line)
            except (ValueError, RecursionError):
                answer = None
            if isinstance(answer, dict) and answer.get("id") == self._number:
                if "progress" not in answer:
                    return answer
            else:
                noise = line.strip() or noise
        raise self._engine.garbage(f"says '{noise[:60]}' where an answer was expected")


def _told(clock: Clock) -> dict[str, Any]:
    told: dict[str, Any] = {"left": [round(x, 3) for x in clock.left if math.isfinite(x)]}
    return told | ({"move": clock.control.move} if clock.control.move is not None else {"increment": clock.control.increment})


def _thought(answer: dict[str, Any], a: int) -> Thought:
    """The thought that the program sent with its choice, as far as it makes sense."""
    value, depth, nodes = (answer.get(key) for key in ("value", "depth", "nodes"))
    return Thought(
        float(value) if isinstance(value, (int, float)) else None,
        depth if isinstance(depth, int) else 0,
        nodes if isinstance(nodes, int) else 0,
        (a,),
        str(answer.get("note", ""))[:200],
    )
