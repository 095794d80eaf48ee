"""What a search or a learner holds of a model in its work record."""

from __future__ import annotations

from ...bits import u64
from ..records import PLANES, Record, room

MOST_CHANGES = 32  # inputs in which two states differ, for the sums of one to be made from the other's: a power of two


class Seeing(Record):
    """The record of an algorithm that describes states to a model."""

    plane_count: int  # words that describe a state: planes, or patterns that the game names
    planes: list[u64] = room(PLANES)


class Judging(Seeing):
    """The record of an algorithm that asks a model."""

    model: int  # its floats, as `network.py` lays them out; nothing where the game has no model
    scratch: int  # floats to compute with
    hidden: int  # units of the hidden layer in whole vectors, 0 for a linear model
    second: int  # units of a second hidden layer in whole vectors, 0 for none
    width: int  # floats of a row of the first layer
    activations: int  # floats of the activations of all layers
    networks: int  # where the floats of the first phase's network begin
    network_size: int  # floats of a network
    first_row: int  # where the first layer of the network that is asked begins
    bias_row: int  # its last row, after those of all inputs
    outputs: int
    group: int  # outputs of a player
    patterns: int  # of a state, in an n-tuple network
    pattern_weights: int  # from which they choose
    weight_floats: int  # floats of each of them
    # of values that are remembered (`rote.py`)
    rote: int  # words
    rote_mask: int  # buckets - 1
    # of an integer network (`nnue.py`)
    net_rows: int  # its 16-bit weights
    net_sums: int  # 16-bit sums by ply and player
    net_plies: int  # words: what is known of each ply
    net_changes: int  # words: lists of inputs
    phase_share: int  # phases by an input that is on, as a fraction
    phase_count: int
    value_unit: float  # what 1 of the output is worth, or adds to the logarithm of odds
    value_limit: float  # the most that a value differs from the offset
    value_offset: float
    net_added_count: int
    net_removed_count: int
