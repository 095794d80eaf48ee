"""How much may be asked for: times, counts and depths that come from outside, whichever way they come.

What cannot be is refused in one sentence (`check_seconds`, `check_count`). Where a protocol wants an answer whatever it says, a
number is brought within its bounds (`clamped`, `clamped_seconds`).
"""

from __future__ import annotations

import math
import re
from numbers import Real
from typing import Any

from ..errors import ZermeloError

MAX_SECONDS = 1e8  # seconds, three years: no one waits longer, and every timer can count that far
MAX_COUNT = 10**15  # nodes, simulations or games: weeks on any machine, and room to add them up in a word
MAX_DEPTH = 10_000  # plies: a table can count them from the end of the game
TEXT = 1 << 16  # characters of a tag, a word or a line in files of games
SENTENCE = 1000  # characters of a whole one
SHOWN = 40  # characters of what is wrong that a sentence repeats


def check_seconds(who: str, given: Any) -> None:
    """Refuse what is not a positive number of seconds, or is too many; `who` begins the sentence."""
    is_number = isinstance(given, Real) and not isinstance(given, bool)
    if not is_number or not 0 < given < math.inf:
        raise ZermeloError(f"{who}expected a positive number of seconds, not {shown(given)}")
    if given > MAX_SECONDS:
        raise ZermeloError(f"{who}expected at most {MAX_SECONDS:,.0f} seconds, not {shown(given)}")


def check_count(who: str, what: str, given: object, most: int = MAX_COUNT, least: int = 1) -> None:
    """Refuse what is not a whole number of at least `least`, or is above `most`; `what` is counted."""
    if not isinstance(given, int) or isinstance(given, bool) or given < least:
        raise ZermeloError(f"{who}expected {what} of at least {least}, not {shown(given)}")
    if given > most:
        raise ZermeloError(f"{who}expected {what} of at most {most:,}, not {shown(given)}")


def clamped_seconds(given: float) -> float:
    """These seconds, limited to what a timer can count; 0 for what is not a number."""
    return min(given, MAX_SECONDS) if given > 0 else 0.0


def clamped(text: str, least: int, most: int) -> int | None:
    """The whole number that this text writes, clipped to a range however long it is; None if it is not a number."""
    found = re.fullmatch(r"([+-]?)0*([0-9]+)", text)
    if found is None or not text.isascii():
        return None
    far = least if found[1] == "-" else most
    return far if len(found[2]) > len(str(MAX_COUNT)) else max(least, min(int(found[1] + found[2]), most))


def shown(given: object) -> str:
    """What was given, as far as a sentence can repeat it."""
    try:
        text = repr(given)
    except ValueError:  # Python refuses to write a number of that many digits
        return "a number of thousands of digits"
    return text if len(text) <= SHOWN else text[:SHOWN] + "..." + (text[-1] if isinstance(given, str) else "")


def brief(sentence: str) -> str:
    """A sentence that repeats too much of what it is about, without the middle."""
    return sentence if len(sentence) <= SENTENCE else f"{sentence[: SENTENCE // 2]} ... {sentence[-SENTENCE // 2 :]}"
