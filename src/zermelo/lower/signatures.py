"""The words of the rules as lowering knows them: what each takes and what it gives."""

from __future__ import annotations

from typing import NamedTuple


class Rule(NamedTuple):
    """Parameters after the game, and what comes back: state, action, player, word, number, real, truth, any."""

    takes: tuple[str, ...]
    gives: str


RULES: dict[str, Rule] = {
    "to_move": Rule(("state",), "number"),
    "actions": Rule(("state",), "action"),  # yields
    "result": Rule(("state", "action"), "state"),
    "is_terminal": Rule(("state",), "truth"),
    "utility": Rule(("state", "player"), "real"),
    "probability": Rule(("state", "action"), "real"),
    "observe": Rule(("state", "player"), "any"),
    "resample": Rule(("state", "player", "word"), "state"),
    "count": Rule(("state",), "number"),
    "sample": Rule(("state", "word"), "action"),
    "evaluate": Rule(("state", "player"), "real"),
    "key": Rule(("state",), "word"),
    "noisy": Rule(("state", "action"), "truth"),
    "order": Rule(("state", "action"), "number"),
    "gain": Rule(("state", "action"), "real"),
    "loud": Rule(("state",), "action"),  # yields
    "extend": Rule(("state",), "truth"),
    "may_skip": Rule(("state",), "truth"),
    "skip": Rule(("state",), "state"),
    "prior": Rule(("state", "action"), "real"),
    "playout": Rule(("state", "word"), "action"),
    "position": Rule(("state",), "word"),
    "features": Rule(("state", "player"), "real"),  # yields
}

#: made by lowering itself, for algorithms: name -> what it takes
MADE: dict[str, Rule] = {
    "initial": Rule((), "state"),
    "fill": Rule(("state", "array"), "number"),
    "fill_loud": Rule(("state", "array"), "number"),
    "fill_features": Rule(("state", "player", "array"), "number"),
    "pack_observation": Rule(("state", "player", "array"), "number"),
    "pack": Rule(("state", "array"), "number"),
    "unpack": Rule(("array",), "state"),
}

#: rules that yield -> the name of what fills an array with all that they do
YIELDING = {"actions": "fill", "loud": "fill_loud", "features": "fill_features"}
