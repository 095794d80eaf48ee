"""The memory of a search that a network guides: one record holds a tree and all else that a game needs."""

from __future__ import annotations

from ...bits import u64
from ..model.record import Seeing
from ..notes import Watched
from ..records import PLANES, PLAYERS, WIDTH, WORDS, Size, room

NODES = Size("nodes")  # of a tree
NOBODY = -2  # who moves in a state that is terminal, or as good as that
WAITING = -3  # who moves in a leaf that is at the network beside others
NEVER = -1.0e100  # the prior of an edge that may not be taken, or is known to be worse than another


NO_LEAF, PAUSED = -1, -2  # the search is over; it goes on without an answer of the network


class Asking(Seeing):
    """The record of an algorithm that describes states to a network."""

    start: list[u64] = room(WORDS)  # the state it is about
    inputs: int  # the address of the floats that the network is given
    channels: int  # floats of a cell of the board
    first_input: list[int] = room(PLANES)  # of a game without a board: as in `Game.plane_inputs`
    input_step: list[int] = room(PLANES)
    input_scale: list[float] = room(PLANES)
    input_count: int
    output_count: int  # of the policy


class Tree(Asking, Watched):
    """A tree of states. Node 0 is the root; a node comes after its parent. Edge k of a node is the k-th action that its rules list."""

    simulations: int  # how many the search has
    exploration: float  # C of PUCT
    forbidden: list[int] = room(WIDTH)  # edges of the root that may not be taken: 1
    proves: int  # 1: what is known for certain is used (`proofs.py`)
    most_ends: int  # simulations that end in terminal states before others are waited for; 0: as many as there are
    random: u64  # the sequence by which chance is drawn
    logits: int  # addresses of what the network says
    values: int
    middle: float  # utilities from middle - reach to middle + reach are values from -1 to 1
    reach: float
    used: int  # nodes
    leaf: int  # the node that the network is asked about, NO_LEAF or PAUSED
    known: int  # 1: the root is, and the search is over
    widest: int  # the most actions of a state, if there were more than there is room for
    states: list[list[u64]] = room(NODES, WORDS)
    mover: list[int] = room(NODES)
    count: list[int] = room(NODES)  # edges
    visited: list[int] = room(NODES)  # visits of all its edges
    parent: list[int] = room(NODES)
    via: list[int] = room(NODES)  # the edge of the parent that leads here
    worth: list[list[float]] = room(NODES, PLAYERS)  # of a state without a mover, to each player
    actions: list[list[int]] = room(NODES, WIDTH)
    child: list[list[int]] = room(NODES, WIDTH)  # -1 where there is none yet
    visits: list[list[int]] = room(NODES, WIDTH)
    total: list[list[float]] = room(NODES, WIDTH)  # of the values of its visits, to the player who moves
    prior: list[list[float]] = room(NODES, WIDTH)
