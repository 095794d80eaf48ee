"""The record of Monte Carlo tree search: settings, one path, and what the steps of a simulation tell each other."""

from __future__ import annotations

from ..forbidden import Forbidding
from ..montecarlo import Simulating
from ..notes import Watched
from ..records import WIDTH, Size, room

MAX_DEPTH = 1024  # plies of the tree; below them only playouts

#: lengths that are 1 unless playouts are guided or threads share the tree: the code behind a test of them then vanishes
TRAIL, TAKEN, PROOFS = Size("trail"), Size("taken"), Size("proofs")

#: what goes from one call of the algorithm to the next, beside the count of simulations and the random words
KEPT_FIELDS = ("node_room", "used", "sums", "reach", "solver", "playouts", "deepest")


class TreeRecord(Simulating, Forbidding, Watched):
    """The record of a search that grows a tree."""

    pool: int  # the nodes
    base: int  # where this search's own nodes begin
    used: int  # and where they end
    node_room: int  # how far they may go; no more than `used` once some did not fit
    max_depth: int
    ripe: int  # visits of a leaf before it gets its children
    depth: int  # of the path
    path: list[int] = room(MAX_DEPTH + 1)
    exploration: float
    reach: float  # the greatest utility seen, of either sign
    first_bonus: float  # of a new node
    urgency: float  # its mean
    widening: float
    orders: list[int] = room(WIDTH)
    turns: int  # whether the children of a node are tried one after another before any is tried again
    priors: int  # where in the pool these begin, 0 if there are none
    amaf: int
    proofs: list[int] = room(PROOFS)  # first where they begin
    learned: int
    rave: float
    prior: int
    policy: int
    epsilon: float
    trail: list[int] = room(TRAIL)  # what a playout did
    trail_length: int
    taken: list[int] = room(TAKEN)  # the last simulation that took the action of each slot
    solver: int
    doubt: int
    win: float
    playouts: int
