"""The events of a search: one small record for each step, in the order of the steps.

`node` is the number of a visit: visits are numbered from 0 in the order they are entered, across all iterations of a search (searching a
state again is another visit). With two players every value and bound is that of player 0, who is max in the
lectures; otherwise it is that of the player to move, and `values` has one for each player.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Iteration:
    """An iteration begins, to this depth (None: no limit) and with this window; progressive deepening has several."""

    number: int
    depth: int | None
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Enter:
    """A visit begins. `action` led here from `parent`; both are None at the root. `depth` is the remaining depth, None without a limit."""

    node: int
    parent: int | None
    action: int | None
    ply: int
    depth: int | None
    alpha: float
    beta: float
    mover: int


@dataclass(frozen=True, slots=True)
class Evaluate:
    """A static value: the utility if the game is over (`is_end`), else the evaluation."""

    node: int
    value: float
    values: tuple[float, ...]
    is_end: bool


@dataclass(frozen=True, slots=True)
class Child:
    """The value of a child. `taken`: it is the best so far for the player to move. alpha and beta are the bounds after it."""

    node: int
    child: int
    value: float
    taken: bool
    alpha: float
    beta: float


@dataclass(frozen=True, slots=True)
class Cut:
    """A cutoff: the node is worth at least (max) or at most (min) `value`, and the player to move at `by` has `bound` elsewhere.

    `by` is the ancestor whose bound caused the cutoff (None: the window of the whole search), `unseen` the number of actions not
    looked at.
    """

    node: int
    by: int | None
    bound: float
    value: float
    unseen: int


@dataclass(frozen=True, slots=True)
class TableHit:
    """The transposition table has the value, or a bound (`kind`: exact, lower or upper), to this depth (None: to the end of the game)."""

    node: int
    value: float
    kind: str
    depth: int | None


@dataclass(frozen=True, slots=True)
class Research:
    """A child is searched again, with these bounds. `why`: "window" (it failed high in a null window) or "reduced" (at full depth)."""

    node: int
    child: int
    alpha: float
    beta: float
    why: str


@dataclass(frozen=True, slots=True)
class Pass:
    """A null move and its value; `cut` if it caused a cutoff."""

    node: int
    child: int
    value: float
    cut: bool


@dataclass(frozen=True, slots=True)
class Futile:
    """Futility pruning: an action, or the whole node (action None), that cannot reach the bound."""

    node: int
    action: int | None
    bound: float


@dataclass(frozen=True, slots=True)
class Reduced:
    """A late action is searched this many plies less deeply; it is entered next."""

    node: int
    action: int
    plies: int


@dataclass(frozen=True, slots=True)
class Repeated:
    """The position repeats one on the path or in the game: worth 0."""

    node: int


@dataclass(frozen=True, slots=True)
class Quiet:
    """Quiescence begins: only tactical actions are followed, and the stand-pat value is `value` (None: not allowed)."""

    node: int
    value: float | None


@dataclass(frozen=True, slots=True)
class Probe:
    """One action below a chance outcome was tried, as a bound on the outcome (Star2)."""

    node: int
    child: int
    value: float


@dataclass(frozen=True, slots=True)
class Average:
    """The average over the outcomes of a chance node so far; `of` is the probability that they cover."""

    node: int
    child: int
    probability: float
    value: float
    sum: float
    of: float


@dataclass(frozen=True, slots=True)
class Vector:
    """The values of a child for each of several players; `taken` if it is the best so far for the player to move."""

    node: int
    child: int
    values: tuple[float, ...]
    taken: bool


@dataclass(frozen=True, slots=True)
class Return:
    """A visit ends with this value."""

    node: int
    value: float


@dataclass(frozen=True, slots=True)
class Select:
    """MCTS selects the child with the largest mean + bonus (UCB1) for the player to move at `node`.

    The bonus is infinite for a child that was never visited, and NaN if something else decided (chance, RAVE). The prior
    is 0 if the search has none.
    """

    node: int
    child: int
    mean: float
    bonus: float
    visits: int
    parent_visits: int
    prior: float


@dataclass(frozen=True, slots=True)
class Expand:
    """MCTS expands a leaf of its tree, which now has this many children."""

    node: int
    children: int


@dataclass(frozen=True, slots=True)
class Simulate:
    """A playout from the node: the utility of each player, and the number of plies (0 if the game was over, -1 if the value was
    proven, -2 if a network was asked instead)."""

    node: int
    values: tuple[float, ...]
    plies: int


@dataclass(frozen=True, slots=True)
class BackUp:
    """MCTS updates a node of the path; the mean is that of the player who moved there (at the root: player 0)."""

    node: int
    visits: int
    mean: float


@dataclass(frozen=True, slots=True)
class Ended:
    """The search is over: "done", "stopped" (by a limit of the search), or "limit" (the trace was full)."""

    reason: str


Event = (
    Iteration
    | Enter
    | Evaluate
    | Child
    | Cut
    | TableHit
    | Research
    | Pass
    | Futile
    | Reduced
    | Repeated
    | Quiet
    | Probe
    | Average
    | Vector
    | Return
    | Select
    | Expand
    | Simulate
    | BackUp
    | Ended
)
