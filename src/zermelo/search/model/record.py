"""What a search or a learner holds of a model in its work record."""

from __future__ import annotations

from ...bits import u64
from ..records import PLANES, Record, room


class Judging(Record):
    """The record of an algorithm that asks a model."""

    model: int  # its floats, as `network.py` lays them out; nothing where the game has no model
    scratch: int  # floats to compute with
    planes: list[u64] = room(PLANES)
