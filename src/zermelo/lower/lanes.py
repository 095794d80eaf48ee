"""Lanes: the threads of a GPU that work on one game together. Interpreted and natively there is one lane.

An algorithm over a work record is run by all lanes at once, each with the same record. What is done for each action is divided
among them (`for i in range(lane(), n, lanes())`), and what they found is brought together by `sum_of_lanes` and `best_of_lanes`. Only
lane 0 changes a number in place; after that, and before anybody reads what another lane wrote, stands `sync`.
`device.py` puts the functions of a GPU in the place of these.
"""

from __future__ import annotations


def lane() -> int:
    """The number of this lane."""
    return 0


def lanes() -> int:
    """How many lanes there are."""
    return 1


def sync() -> int:
    """Wait until all lanes are here and see what the others wrote; 0."""
    return 0


def sum_of_lanes(x: float) -> float:
    """The sum of the numbers that the lanes give."""
    return x


def largest_of_lanes(x: float) -> float:
    """The largest of the numbers that the lanes give."""
    return x


def any_beside(is_so: bool) -> bool:
    """Whether this is so of any of the 32 threads that a GPU runs in step, one record each, all of which meet here each time."""
    return is_so


def best_of_lanes(x: float, i: int) -> int:
    """The i of the lane whose x is largest; of equal ones the least i."""
    return i
