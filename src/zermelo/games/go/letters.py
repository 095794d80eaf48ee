"""Games of Go as lines of letters: the result, a blank, and the moves as pairs of SGF's letters, on 19 x 19 with a komi of 6.5.

W+R pddpqpddoqqfqi...

Passes are seldom written. A game that was counted (W+3.5) ended with two of them, which are added when it is read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...errors import ZermeloError
from ...history import History, written_down
from ...notation.sheet import Format, Sheet
from .game import Go

SIZE, KOMI = 19, 6.5
LINE = re.compile(r"([BW0?])\+?([0-9.]{0,8}|R|T|F|Resign|Time|Forfeit)(?: ((?:[a-t][a-t]){0,2000}))?")
RESULTS: dict[str, tuple[float, ...]] = {"B": (1.0, -1.0), "W": (-1.0, 1.0), "0": (0.0, 0.0), "?": ()}  # the last: nobody knows
COUNTED = re.compile(r"[0-9]+(\.[0-9]+)?")
PASS = "tt"


def parse(data: bytes) -> list[re.Match[str]]:
    """The lines of a file."""
    found = []
    for number, line in enumerate(data.decode("ascii", "replace").splitlines(), 1):
        if not (one := LINE.fullmatch(line.strip())):
            raise ZermeloError(f"line {number:,}: expected a result and pairs of letters, like W+R pddpqp, not {line[:40]!r}")
        found.append(one)
    return found


def actions(game: Any, line: re.Match[str]) -> tuple[Sequence[int], tuple[float, ...]]:
    """The actions of a line and its result, not yet played."""
    if game.size != SIZE:
        raise ZermeloError(f"lines of letters are of boards of {SIZE} lines: expected a game of go:size={SIZE}, not {game!r}")
    letters = np.frombuffer((line[3] or "").encode(), np.uint8).astype(int) - ord("a")
    x, y = letters[0::2], letters[1::2]
    # a point outside of the board is none that the rules allow, and is told so when it is played
    points = np.where((x < SIZE) & (y < SIZE), (SIZE - 1 - y) * game.row + x, -1)
    taken: list[int] = np.where((x == SIZE) & (y == SIZE), game.pass_, points).tolist()
    if COUNTED.fullmatch(line[2]):
        taken += [game.pass_] * 2
    return taken, RESULTS[line[1]]


def read(line: re.Match[str]) -> Sheet:
    """The game of a line."""
    history = History(Go(SIZE, KOMI))
    taken, result = actions(history.game, line)
    for number, a in enumerate(taken, 1):
        if history.is_over:
            break
        try:
            history.do(a)
        except ZermeloError:
            raise ZermeloError(f"move {number}: expected a legal move, not {line[3][2 * number - 2 : 2 * number]}") from None
    return written_down(history, ("?", "?"), {}, result or None)


def write(played: Sequence[tuple[Sheet, Any]]) -> str:
    """Games as lines."""
    return "".join(_line(sheet, history) + "\n" for sheet, history in played)


def _line(sheet: Sheet, history: History) -> str:
    game: Any = history.game
    if game.size != SIZE or history.states[0] != game.initial():
        raise ZermeloError(f"expected a game on {SIZE} x {SIZE} from the empty board, not one of {game!r}")
    pairs = (PASS if a == game.pass_ else chr(97 + a % game.row) + chr(97 + SIZE - 1 - a // game.row) for a in history.taken)
    result = next(name for name, sign in RESULTS.items() if sign == (sheet.sign or ()))
    return f"{result}{'+' if result in 'BW' else ''} {''.join(pairs)}"


FORMATS = {"letters": Format(parse, read, write, actions=actions)}
