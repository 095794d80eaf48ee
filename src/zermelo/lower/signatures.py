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
    "is_tactical": Rule(("state", "action"), "truth"),
    "order": Rule(("state", "action"), "number"),
    "immediate": Rule(("state", "action"), "number"),
    "moves_left": Rule(("state",), "number"),
    "upper_bound": Rule(("state", "player"), "real"),
    "final_value": Rule(("state", "player"), "real"),
    "urgent_first": Rule(("state",), "action"),  # yields
    "relevant_actions": Rule(("state",), "action"),  # yields
    "material_gain": Rule(("state", "action"), "real"),
    "loses_material": Rule(("state", "action", "real"), "truth"),
    "action_kind": Rule(("state", "action"), "number"),
    "tactical_actions": Rule(("state",), "action"),  # yields
    "is_forcing": Rule(("state",), "truth"),
    "allows_null_move": Rule(("state",), "truth"),
    "null_move": Rule(("state",), "state"),
    "prior_value": Rule(("state", "action"), "real"),
    "playout_action": Rule(("state", "word"), "action"),
    "repetition_key": Rule(("state",), "word"),
    "features": Rule(("state", "player"), "real"),  # yields
    "planes": Rule(("state", "player"), "word"),  # yields
    "plane_view": Rule(("state", "player"), "number"),
    "patterns": Rule(("state", "player"), "number"),  # yields
    "outcomes": Rule(("state", "player"), "real"),  # yields
    "equity": Rule(("state", "player", "any", "any"), "real"),
    "policy_index": Rule(("state", "action"), "number"),
    "perspective": Rule(("state",), "number"),
    "phase": Rule(("state",), "number"),
    "index": Rule(("state",), "number"),
    "plies_left": Rule(("state",), "number"),
    "known_result": Rule(("state", "any"), "number"),
    "state_at": Rule(("number",), "state"),
}

#: made by lowering itself, for algorithms: name -> what it takes
MADE: dict[str, Rule] = {
    "initial": Rule((), "state"),
    "fill": Rule(("state", "array"), "number"),
    "fill_tactical": Rule(("state", "array"), "number"),
    "fill_urgent": Rule(("state", "array"), "number"),
    "fill_relevant": Rule(("state", "array"), "number"),
    "fill_features": Rule(("state", "player", "array"), "number"),
    "fill_planes": Rule(("state", "player", "array"), "number"),
    "fill_patterns": Rule(("state", "player", "array"), "number"),
    "fill_outcomes": Rule(("state", "player", "array"), "number"),
    "pack_observation": Rule(("state", "player", "array"), "number"),
    "pack": Rule(("state", "array"), "number"),
    "unpack": Rule(("array",), "state"),
}

#: rules that list actions: a state in which the game is over has none, whatever they yield
LISTING = ("actions", "tactical_actions", "urgent_first", "relevant_actions")

#: rules that yield -> the name of what fills an array with all that they do
YIELDING = {
    "actions": "fill",
    "tactical_actions": "fill_tactical",
    "urgent_first": "fill_urgent",
    "relevant_actions": "fill_relevant",
    "features": "fill_features",
    "planes": "fill_planes",
    "patterns": "fill_patterns",
    "outcomes": "fill_outcomes",
}
