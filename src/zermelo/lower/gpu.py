"""The words with which a kernel speaks of the GPU. They have a meaning only in lowered code.

A kernel is a function named `kernel` over arrays, run by many threads at once. Lowered, `gpu.thread()` is
CUDA's place in the grid, and `numbers` and `reals` are arrays in the thread's own memory.
"""

from __future__ import annotations

from typing import Any


def thread() -> int:
    """The number of this thread among all."""
    raise NotImplementedError("a kernel runs only lowered")


def numbers(n: int) -> Any:
    """Room for n numbers (i64); n is a constant, and the room begins with anything in it."""
    raise NotImplementedError("a kernel runs only lowered")


def reals(n: int) -> Any:
    """Room for n floats; n is a constant, and the room begins with anything in it."""
    raise NotImplementedError("a kernel runs only lowered")
