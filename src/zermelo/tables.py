"""Numpy arrays as constants of a game: tables whose elements are Python's own numbers.

An element of a numpy array is a number of numpy's: eight bits wrap around, two truths add up to a truth. Rules mean
Python's arithmetic, so what a game keeps in itself gives Python's numbers when it is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np


class Table(np.ndarray[Any, np.dtype[Any]]):
    """An array of constants: `table[i]` and `table[i, j]` are plain ints, floats or bools."""

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, bool):  # to numpy it would be a mask
            index = int(index)
        elif isinstance(index, tuple):
            index = tuple(int(i) if isinstance(i, bool) else i for i in index)
        return plain(super().__getitem__(index))

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist()) if self.ndim == 1 else (self[i] for i in range(len(self)))


def plain(value: Any) -> Any:
    """The value with Python's numbers in place of numpy's; an array becomes a table over the same memory."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.view(Table)
    if type(value) is tuple:
        parts = tuple(plain(x) for x in value)
        return value if all(a is b for a, b in zip(parts, value, strict=True)) else parts
    return value
