"""Hex in SGF, moves by the names of their cells as HexGui writes them, and in GTP."""

from __future__ import annotations

import re
from typing import Any

from ...errors import ZermeloError
from ...history import History
from ...notation import dialects, sgf
from .._sgf import sgf_format
from .rules import Hex
from .state import State

SWAP = "swap-pieces"  # as other programs call it


def write(history: History) -> sgf.Node:
    """The game as a tree; ZermeloError unless it begins on the empty board."""
    game = history.game
    assert isinstance(game, Hex)
    if history.states[0] != game.initial():
        raise ZermeloError("SGF of hex: expected a game from the empty board")
    root = sgf.Node({"FF": ["4"], "GM": ["11"], "CA": ["UTF-8"], "SZ": [str(game.size)]})
    node = root
    for s, a in zip(history.states, history.taken, strict=False):
        text = game.write_action(s, a)
        node.children.append(sgf.Node({"BW"[game.to_move(s)]: [SWAP if text == "swap" else text]}))
        node = node.children[0]
    return root


def read(root: sgf.Node) -> History:
    """The main line of this tree, played by the rules; the swap rule holds if somebody swaps."""
    size = root.get("SZ") or "11"
    if not re.fullmatch(r"[0-9]{1,2}", size.strip()):
        raise ZermeloError(f"SGF of hex: expected a size SZ, not {size[:20]!r}")
    values = [(c, node.get(c) or "") for node in root.line() for c in "BW" if c in node.properties]
    if any(name in node.properties for node in root.line() for name in ("AB", "AW", "AE")):
        raise ZermeloError("SGF of hex: expected a game from the empty board")
    history = History(Hex(int(size), swap=any(value.startswith("swap") for _, value in values)))
    for n, (colour, value) in enumerate(values, 1):
        place = f"SGF of hex, move {n}, {colour}[{value[:20]}]"
        if history.is_over:
            raise ZermeloError(f"{place}: expected no move after the end of the game")
        if colour != "BW"[history.game.to_move(history.state)]:
            raise ZermeloError(f"{place}: expected a move of the other side")
        try:
            history.do(history.game.read_action(history.state, "swap" if value.startswith("swap") else value))
        except ZermeloError as error:
            raise ZermeloError(f"{place}: {error}") from None
    return history


FORMATS = {"sgf": sgf_format("11", read, write)}


class Gtp(dialects.Gtp):
    """GTP about Hex."""

    def write(self, game: Any, s: State, a: int) -> str:
        text = game.write_action(s, a)
        return SWAP if text == "swap" else str(text)
