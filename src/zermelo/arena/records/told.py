"""What JSON or a database tells of a game: each value of its kind, or a ZermeloError that says what was expected."""

from __future__ import annotations

import json
import math
from typing import Any

from ...errors import ZermeloError
from ...notation.sheet import About, Ending, Entry


def about_of(told: dict[str, Any]) -> About:
    """What is recorded of a game when it begins."""
    tags = object_of(told.get("tags", {}), "tags: an object")
    seed = whole_of(told.get("seed"), "seed")
    if not -(1 << 63) <= seed < 1 << 63:
        raise ZermeloError("expected a seed of 63 bits")
    return About(
        game=_text(told, "game"),
        players=_texts(told.get("players"), "players"),
        seed=seed,
        start=_text(told, "start"),
        tags={str(k): _text(tags, k) for k in tags},
        began=_text(told, "began"),
    )


def entry_of(told: dict[str, Any]) -> Entry:
    """A move as it is recorded."""
    left, value = told.get("left"), told.get("value")
    depth, nodes = (of(told.get(name, 0), int, f"{name}: a whole number") for name in ("depth", "nodes"))
    if max(abs(depth), abs(nodes)) >= 1 << 63:
        raise ZermeloError("expected a depth and nodes of 63 bits")
    return Entry(
        seat=of(told.get("seat"), int, "seat: a whole number"),
        action=_text(told, "action"),
        left=None if left is None else _number(left, "left"),
        seconds=_number(told.get("seconds", 0.0), "seconds"),
        value=None if value is None else _number(value, "value"),
        depth=depth,
        nodes=nodes,
        line=_text(told, "line"),
        note=_text(told, "note"),
    )


def ending_of(told: dict[str, Any]) -> Ending:
    """How a game ended, as it is recorded."""
    luck, fault = told.get("luck"), told.get("fault")
    return Ending(
        result=_numbers(told.get("result"), "result"),
        reason=_text(told, "reason"),
        fault=None if fault is None else of(fault, int, "fault: a whole number"),
        remark=_text(told, "remark"),
        seconds=_number(told.get("seconds", 0.0), "seconds"),
        luck=None if luck is None else _numbers(luck, "luck"),
    )


def object_of(value: Any, expected: str = "an object") -> dict[str, Any]:
    """The value, if it is an object of JSON."""
    return dict(of(value, dict, expected))


def whole_of(value: Any, name: str) -> int:
    """The value, if it is a whole number."""
    return int(of(value, int, f"{name}: a whole number"))


def of(value: Any, kind: type, expected: str) -> Any:
    """The value, if it is of this kind."""
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise ZermeloError(f"expected {expected}, not {json.dumps(value)[:40]}")
    return value


def _text(told: dict[str, Any], name: str) -> str:
    text = of(told.get(name, ""), str, f"{name}: a text")
    try:
        text.encode()
    except UnicodeEncodeError:  # half a character, which JSON can write and nothing else can
        raise ZermeloError(f"expected {name}: a text of whole characters") from None
    return str(text)


def _texts(value: Any, name: str) -> tuple[str, ...]:
    return tuple(_text({name: x}, name) for x in of(value, list, f"{name}: a list of texts"))


def _number(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or abs(value) > 1e300 or not math.isfinite(value):
        raise ZermeloError(f"expected {name}: a number, not {json.dumps(value)[:40]}")
    return float(value)


def _numbers(value: Any, name: str) -> tuple[float, ...]:
    return tuple(_number(x, name) for x in of(value, list, f"{name}: a list of numbers"))
