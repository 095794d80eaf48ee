"""The errors a user meets: each one says in one sentence what was expected."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


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
