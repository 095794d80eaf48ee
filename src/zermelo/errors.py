"""The errors a user meets: each one says in one sentence what was expected."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Iterable
from typing import Any


class ZermeloError(Exception):
    """Something a user gave cannot be used. The message is one sentence for a person."""


class LoweringError(ZermeloError):
    """Rules that cannot become native code: names file, line, class, method and what to write."""


class RuleError(ZermeloError):
    """Rules that did what Python refuses or what 64 bits cannot hold: names file, line, method, the values and the state."""


def nearest(word: str, known: Iterable[str]) -> str:
    """' (did you mean X?)' for the known word closest to `word`, or '' when none is close."""
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f" (did you mean {close[0]}?)" if close else ""


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
