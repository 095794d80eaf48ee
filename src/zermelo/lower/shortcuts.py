"""What numba does again and again while it compiles, done once.

A search has some thousand operations on a few types of numbers. For each of them numba tries one after another the rules that could
type it, most of them about arrays, and finds the same again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core.types import BaseFunction

_resolve = BaseFunction.get_call_type
_KNOWN = "_known_calls"  # of a function: types of numbers that it was called with, and what came of it


def _resolve_once(function: Any, context: Any, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
    """The signature of a call of a built-in function, as `BaseFunction.get_call_type` finds it."""
    if kws or not all(a.is_precise() for a in args):
        return _resolve(function, context, args, kws)
    known = function.__dict__.setdefault(_KNOWN, {})
    key = (context, args)
    if key not in known:
        found = _resolve(function, context, args, kws)
        known[key] = (found, function.get_impl_key(found))
    signature, implementation = known[key]
    function._impl_keys[signature.args] = implementation  # a kernel for a GPU may have put its own there
    return signature


@contextmanager
def taken_by_numba() -> Iterator[None]:
    """Let numba compile with them; for a thread that holds numba's lock."""
    setattr(BaseFunction, "get_call_type", _resolve_once)  # noqa: B010 - mypy knows that it is a method
    try:
        yield
    finally:
        setattr(BaseFunction, "get_call_type", _resolve)  # noqa: B010
