"""Work records: what an algorithm reads, writes and needs room for, in one place.

A record is a class whose annotations are its fields, for mypy as for native code:

    class Counting(Record):
        start: list[u64] = room(WORDS)             a row of words
        depth: int                                 a number; float and u64 (a word) are the other two kinds
        moves: list[list[int]] = room(PLIES, WIDTH)

Native code gets the record as one pointer: arrays carried as arguments through a recursion cost 4 to 10
times (reference counting). Interpreted, the same algorithm gets the same fields as plain Python values.
"""

from __future__ import annotations

import ctypes
import math
import typing
from typing import Any

import numpy as np

from ..bits import u64

#: fields as native code lays them out: name, type (u8 a word, i8 a number, f8 a float) and shape, () for a single value
Fields = list[tuple[str, str, tuple[int, ...]]]


class Size:
    """A length that is known when a search begins, by its name, and so much more."""

    def __init__(self, name: str, more: int = 0):
        self.name, self.more = name, more

    def __add__(self, more: int) -> Size:
        return Size(self.name, self.more + more)

    def __call__(self, sizes: dict[str, int]) -> int:
        return sizes[self.name] + self.more


WORDS, PLAYERS = Size("words"), Size("players")  # of a packed state, of the game
PLIES, WIDTH = Size("plies"), Size("width")  # room for lines, and for the actions of a state
SEEN = Size("seen")  # words of an observation
PLANES = Size("planes")  # of a learned model, in a power of two
WATCH = Size("watch")  # room for the address of notes, if somebody watches


def room(*shape: int | Size) -> Any:
    """A field of a record that is an array of this shape."""
    return shape


class Record:
    """The base of all records; `value` is what the function returned."""

    value: Any

    @classmethod
    def fields(cls, **sizes: int) -> Fields:
        """The fields of this record where its sizes are these; without those that have no room."""
        shapes = {name: tuple(n if isinstance(n, int) else n(sizes) for n in getattr(cls, name, ())) for name in kinds_of(cls)}
        return [(name, kind, shapes[name]) for name, kind in kinds_of(cls).items() if 0 not in shapes[name]]


class Grows(Record):
    """A record whose room may turn out to be too small."""

    deepest: int  # the ply that was reached, or wanted
    widest: int  # the most actions of a state


def kinds_of(cls: type[Record]) -> dict[str, str]:
    """The type of each field, those of the bases first; looked up once a class, as a search asks for it each time."""
    if cls in _kinds:
        return _kinds[cls]
    kinds = {int: "i8", float: "f8", u64: "u8"}
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        hints = typing.get_type_hints(base) if hasattr(base, "__annotations__") else {}
        for name in getattr(base, "__annotations__", {}):
            hint = hints[name]
            while typing.get_args(hint):
                hint = typing.get_args(hint)[0]
            if hint in kinds:
                found[name] = kinds[hint]
    return _kinds.setdefault(cls, found)


_kinds: dict[type[Record], dict[str, str]] = {}


def record_of(fields: Fields) -> np.dtype[Any]:
    """The fields as a record in memory."""
    return np.dtype([(name, kind, shape) if shape else (name, kind) for name, kind, shape in fields], align=True)


# ---- in memory ---------------------------------------------------------------------------------

APART = 128  # bytes behind a record, so that no two, of which two threads write, share a line of the cache, or a pair of lines
_IN_MEMORY: dict[str, Any] = {"i8": ctypes.c_int64, "u8": ctypes.c_uint64, "f8": ctypes.c_double}


def memory_of(fields: Fields) -> Any:
    """The class of such records in memory, in which all fields are 0 at first. Native code gets the address of one.

    A single value is read and written ten times as quickly as in a record of numpy's; an array is one of numpy's, made when asked for.
    """
    members: list[tuple[str, Any]] = []
    for name, kind, shape in fields:
        members.append((f"_{name}", _IN_MEMORY[kind] * math.prod(shape)) if shape else (name, _IN_MEMORY[kind]))
    members.append(("_apart", ctypes.c_char * APART))
    cls = type("Memory", (ctypes.Structure,), {"_fields_": members})
    for name, kind, shape in fields:
        if shape:
            setattr(cls, name, _array(np.dtype(kind), shape, getattr(cls, f"_{name}").offset))
    return cls


def _array(kind: np.dtype[Any], shape: tuple[int, ...], offset: int) -> property:
    def view(record: Any) -> np.ndarray[Any, Any]:
        return np.ndarray(shape, kind, record, offset)

    def write(record: Any, values: Any) -> None:
        view(record)[...] = values

    return property(view, write)


def listed(row: Any) -> list[Any]:
    """A row of a record as a list of Python's numbers, which are quicker than those of an array."""
    return row.tolist() if isinstance(row, np.ndarray) else list(row)
