"""Hooks of games that had another name before the first release."""

from __future__ import annotations

import inspect
from typing import Any

from .errors import ZermeloError

#: hooks that had another name before the first release: an error gives the new one
RENAMED = {
    "noisy": "is_tactical",
    "loud": "tactical_actions",
    "gain": "material_gain",
    "slack": "quiet_margin",
    "extend": "is_forcing",
    "skip": "null_move",
    "may_skip": "allows_null_move",
    "playout": "playout_action",
    "prior": "prior_value",
    "position": "repetition_key",
    "widest": "max_actions",
    "plays_best": "default_searcher",
    "claims": "immediate",
}


def refuse_renamed(cls: type, old: str, new: str, value: Any, hook: Any) -> None:
    """Refuse a hook under its old name: a method that takes as many arguments, or an attribute. Helpers may have any name."""
    if callable(hook) != callable(value) and new != "immediate":
        return
    if callable(value) and len(inspect.signature(value).parameters) != len(inspect.signature(hook).parameters):
        return
    raise ZermeloError(f"{cls.__name__}: the hook '{old}' of a game is now called '{new}': rename it")
