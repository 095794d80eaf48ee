"""Games of Go in SGF: a game tree of `notation/sgf.py` bound to the rules, both ways.

Read are GM, SZ (19 where it is missing), KM (the game's own komi where it is missing), HA, AB, AW, AE, PL, B and W, on the
main line; all else is left alone, and so are passes after the two that end the game. Whose turn it is before the
first move tells PL, else that move, else HA.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ...errors import ZermeloError
from ...history import History
from ...notation import sgf
from ...notation.sheet import Opening, OpeningFormat
from ...system.limits import SHOWN
from .._sgf import parse, sgf_format
from .game import Go
from .rules import NO_POINT, State
from .text import COLOURS, choked, fault

LETTERS = "abcdefghijklmnopqrs"
SETUP = ("AB", "AW", "AE", "PL")
PASSES = ("", "tt")  # the second is a point of no board up to 19 x 19


def read(root: sgf.Node, suicide: bool = False, limit: int = 0, until: int | None = None) -> History:
    """The main line of this game as a History of its `Go`, or its first `until` moves; ZermeloError if the rules do not allow it.

    Stones that are set up between moves begin a new History: what was before cannot come back.
    """
    game = _game(root, suicide, limit)
    history, number = History(game), 0
    told = ""  # whose turn it is as PL said, before any move
    for node in root.line():
        if number == until:
            break
        moves = [c for c in "BW" if c in node.properties]
        setup = any(name in node.properties for name in SETUP)
        if len(moves) > 1 or (moves and setup and node is not root):
            raise ZermeloError(f"SGF of go, after move {number}: expected a node with one move, or with stones that are set up")
        if setup:
            told = _colour(node.get("PL"), number)
            history = History(game, _set_up(game, history.state, node, told, number))
        for colour in moves:
            value = node.get(colour) or ""
            number += 1
            place = f"SGF of go, move {number}, {colour}[{brief(value)}]"
            if not history.taken and not told:
                history = History(game, _turned(history.state, colour))
            _play(history, colour, value, place)
    if number == 0 and not told and re.fullmatch(r"[2-9]|[1-9][0-9]", root.get("HA") or ""):
        history = History(game, _turned(history.state, "W"))
    return history


def write(history: History) -> sgf.Node:
    """The game tree of this History of a `Go`; the start must have no ko and no pass before it, which SGF cannot tell."""
    game, start = history.game, history.states[0]
    assert isinstance(game, Go)
    if start.ko != NO_POINT or start.passes:
        raise ZermeloError("SGF of go: expected a start without a ko or a pass just before it")
    root = sgf.Node({"FF": ["4"], "GM": ["1"], "CA": ["UTF-8"], "SZ": [str(game.size)], "KM": [f"{game.komi:g}"]})
    black, white = (start.mine, start.theirs) if start.turn == 0 else (start.theirs, start.mine)
    for name, stones in (("AB", black), ("AW", white)):
        if any(stones):
            root.properties[name] = [_written(game, p) for p in game.list_of(stones)]
    if start.turn or any(black + white):
        root.properties["PL"] = ["BW"[start.turn]]
    if game.is_terminal(history.state):
        margin = game.margin(history.state, 0)
        root.properties["RE"] = [f"B+{margin:g}" if margin > 0 else f"W+{-margin:g}" if margin < 0 else "0"]
    node = root
    for s, a in zip(history.states, history.taken, strict=False):
        node.children.append(sgf.Node({"BW"[s.turn]: ["" if a == game.pass_ else _written(game, a)]}))
        node = node.children[0]
    return root


# ---- reading -----------------------------------------------------------------------------------


def _game(root: sgf.Node, suicide: bool, limit: int) -> Go:
    kind, size, komi = (root.get(name) for name in ("GM", "SZ", "KM"))
    if kind and kind.strip() != "1":
        raise ZermeloError(f"SGF of go: expected GM[1], not GM[{brief(kind)}]")
    found = re.fullmatch(r"([1-9][0-9]?)(?::\1)?", (size or "19").strip())
    if not found or not 2 <= int(found[1]) <= 19:
        raise ZermeloError(f"SGF of go: expected a size SZ from 2 to 19, not {size!r}")
    if komi is None:
        return Go(int(found[1]), suicide=suicide, limit=limit)
    if not re.fullmatch(r"[+-]?[0-9]{1,4}(\.[0-9]{0,6})?", komi.strip()):
        raise ZermeloError(f"SGF of go: expected a komi KM like 7.5, not {komi!r}")
    return Go(int(found[1]), float(komi), suicide=suicide, limit=limit)


def _play(history: History, colour: str, value: str, place: str) -> None:
    game, s = history.game, history.state
    assert isinstance(game, Go)
    if history.is_over:
        if value in PASSES:  # some rules end a game with three or four
            return
        raise ZermeloError(f"{place}: expected no move after the game's end")
    if colour != "BW"[s.turn]:
        raise ZermeloError(f"{place}: expected a move of {COLOURS[s.turn]}")
    points = [game.pass_] if value in PASSES else _points(game, value, place)
    if len(points) > 1:
        raise ZermeloError(f"{place}: expected one point")
    try:
        history.do(points[0])
    except ZermeloError:
        why = "a board that was not there before" if points[0] in game.actions(s) else f"a legal move, but {fault(game, s, points[0])}"
        raise ZermeloError(f"{place}: expected {why}") from None


def _points(game: Go, value: str, place: str) -> list[int]:
    """The point that is written so, or the points of a rectangle like aa:cc."""
    names = LETTERS[: game.size]
    found = re.fullmatch(f"([{names}])([{names}])(?::([{names}])([{names}]))?", value)
    if not found:
        raise ZermeloError(f"{place}: expected a point from aa to {names[-1] * 2}")
    x, y, right, low = (names.index(letter) if letter else -1 for letter in found.groups())
    right, low = (x, y) if right < 0 else (right, low)
    points = [(game.size - 1 - j) * game.row + i for j in range(y, low + 1) for i in range(x, right + 1)]
    if not points:
        raise ZermeloError(f"{place}: expected a rectangle from its upper left corner to its lower right one")
    return points


def _written(game: Go, p: int) -> str:
    return LETTERS[p % game.row] + LETTERS[game.size - 1 - p // game.row]


def _set_up(game: Go, s: State, node: sgf.Node, told: str, number: int) -> State:
    """The board of s with the stones that this node adds and takes away, and nothing before it."""
    place = f"SGF of go, stones set up after move {number}"
    black, white = (s.mine, s.theirs) if s.turn == 0 else (s.theirs, s.mine)
    stones = {p: colour for colour, points in enumerate((black, white)) for p in game.list_of(points)}
    put: dict[str, Callable[[int], object]] = {
        "AB": lambda p: stones.__setitem__(p, 0),
        "AW": lambda p: stones.__setitem__(p, 1),
        "AE": lambda p: stones.pop(p, None),
    }
    seen: set[int] = set()
    for name, change in put.items():
        points = [p for value in node.properties.get(name, []) for p in _points(game, sgf.text(value), place)]
        if seen & set(points):
            raise ZermeloError(f"{place}: expected each point in one of AB, AW and AE")
        seen |= set(points)
        for p in points:
            change(p)
    mine, theirs = (game.set_of(p for p, c in stones.items() if c == colour) for colour in (0, 1))
    if choked(game, mine, theirs):
        raise ZermeloError(f"{place}: expected a liberty for every group")
    return _turned(State(mine, theirs, NO_POINT, 0, 0, 0, NO_POINT), told or "BW"[s.turn])


def _turned(s: State, colour: str) -> State:
    """The state with this colour to move, at the start of a game."""
    return s if colour == "BW"[s.turn] else State(s.theirs, s.mine, NO_POINT, 0, 0, 1 - s.turn, NO_POINT)


def _colour(value: str | None, number: int) -> str:
    if value is None:
        return ""
    if value.strip().lower() not in ("b", "w", "black", "white", "1", "2"):
        raise ZermeloError(f"SGF of go, after move {number}: expected PL[B] or PL[W], not PL[{brief(value)}]")
    return "W" if value.strip().lower() in ("w", "white", "2") else "B"


# ---- files -------------------------------------------------------------------------------------


def _read_opening(game: Go, words: str) -> Opening:
    history = read(sgf.parse(words)[0])
    if history.game.parameters["size"] != game.size:
        raise ZermeloError(f"expected a board of {game.size} lines, not {history.game.parameters['size']}")
    texts = [game.write_action(s, a) for s, a in zip(history.states, history.taken, strict=False)]
    start = history.states[0]
    return Opening("" if start == game.initial() else game.write_state(start), tuple(texts))


OPENINGS = {"sgf": OpeningFormat(lambda data: [sgf.write([root]) for root in parse(data)], _read_opening)}
FORMATS = {"sgf": sgf_format("1", read, write)}


def brief(value: str) -> str:
    """A value as a sentence repeats it."""
    return " ".join(value.split())[:SHOWN]
