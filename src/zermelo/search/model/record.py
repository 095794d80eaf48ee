"""What a search or a learner holds of a model in its work record."""

from __future__ import annotations

from ...bits import u64
from ..records import PLANES, Record, room


class Seeing(Record):
    """The record of an algorithm that describes states to a model."""

    plane_count: int  # words that describe a state: planes, or patterns that the game names
    planes: list[u64] = room(PLANES)


class Judging(Seeing):
    """The record of an algorithm that asks a model."""

    model: int  # its floats, as `network.py` lays them out; nothing where the game has no model
    scratch: int  # floats to compute with
    hidden: int  # units of the hidden layer in whole vectors, 0 for a linear model
    width: int  # floats of a row of the first layer
    networks: int  # where the floats of the first phase's network begin
    network_size: int  # floats of a network
    first_row: int  # where the first layer of the network that is asked begins
    bias_row: int  # its last row, after those of all inputs
    outputs: int
    group: int  # outputs of a player
    patterns: int  # of a state, in an n-tuple network
    pattern_weights: int  # from which they choose
    weight_floats: int  # floats of each of them
