"""What happens in a search, one small record for each step, in the order in which it happened.

`node` is the number of a visit: visits are counted from 0 as they are entered, through all iterations of a search (a state that
is searched again is another visit). In games of two players every value and bound is as player 0 sees it, who is max in the
lectures; with other numbers of players it is what the player who decides there gets, and the `values` tell the rest.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Iteration:
    """A search begins, to this depth (None without a limit) and with this window; progressive deepening has several."""

    number: int
    depth: int | None
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Enter:
    """A visit begins. `action` led here from `parent`; both are None at a root. `depth` is what is left, None without a limit."""

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
    """A static value: the utility where the game is over (`is_end`), else the evaluation."""

    node: int
    value: float
    values: tuple[float, ...]
    is_end: bool


@dataclass(frozen=True, slots=True)
class Child:
    """What came back from a child. `taken`: the node likes it better than what it had. alpha and beta are those after it."""

    node: int
    child: int
    value: float
    taken: bool
    alpha: float
    beta: float


@dataclass(frozen=True, slots=True)
class Cut:
    """The node is abandoned: its value is at least (max) or at most (min) `value`, and whoever moves at `by` has `bound` elsewhere.

    `by` is the ancestor whose bound made the cut (None if it was the window of the whole search), `unseen` how many actions were not
    looked at.
    """

    node: int
    by: int | None
    bound: float
    value: float
    unseen: int


@dataclass(frozen=True, slots=True)
class TableHit:
    """The state was searched before: its value, or a bound on it (`kind` exact, lower or upper), to this depth (None: to the end)."""

    node: int
    value: float
    kind: str
    depth: int | None


@dataclass(frozen=True, slots=True)
class Research:
    """A child is searched again, with these bounds. `why`: "window" (a null window was left) or "reduced" (it was searched less deeply)."""

    node: int
    child: int
    alpha: float
    beta: float
    why: str


@dataclass(frozen=True, slots=True)
class Pass:
    """The turn was passed, and what that gave; `cut` if it was good enough to stop here."""

    node: int
    child: int
    value: float
    cut: bool


@dataclass(frozen=True, slots=True)
class Futile:
    """What cannot reach the bound is left out: an action, or all that is below the node (action None)."""

    node: int
    action: int | None
    bound: float


@dataclass(frozen=True, slots=True)
class Reduced:
    """An action late in the order is searched so many plies less deeply; it is entered next."""

    node: int
    action: int
    plies: int


@dataclass(frozen=True, slots=True)
class Repeated:
    """The position was there before on the path or in the game: worth 0."""

    node: int


@dataclass(frozen=True, slots=True)
class Quiet:
    """The depth is spent: from here only noisy actions are followed, and standing still is worth `value` (None: no choice)."""

    node: int
    value: float | None


@dataclass(frozen=True, slots=True)
class Probe:
    """One action below an outcome of chance was tried: a bound on the outcome (Star2)."""

    node: int
    child: int
    value: float


@dataclass(frozen=True, slots=True)
class Average:
    """The children of chance so far: their value weighed by probability; `of` is how much of the probability they make up."""

    node: int
    child: int
    probability: float
    value: float
    sum: float
    of: float


@dataclass(frozen=True, slots=True)
class Vector:
    """What came back from a child in a game of several players, for each of them; `taken` if the mover likes it best so far."""

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
    """MCTS goes down: the child with the largest mean + bonus (UCB1), as the one to move at `node` sees it.

    The bonus is infinite for a child that was never visited, and no number where something else decided (chance, RAVE). The prior
    is 0 where the search has none.
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
    """MCTS opens a leaf of its tree: it has so many children now."""

    node: int
    children: int


@dataclass(frozen=True, slots=True)
class Simulate:
    """MCTS plays from the node to the end: what each player got, after so many plies. At an end of the game plies is 0."""

    node: int
    values: tuple[float, ...]
    plies: int


@dataclass(frozen=True, slots=True)
class BackUp:
    """MCTS counts it at a node of the path; the mean is that of the player who chose to go there (at the root: player 0)."""

    node: int
    visits: int
    mean: float


@dataclass(frozen=True, slots=True)
class Ended:
    """The search is over: "done", "stopped" (a limit of the search), or "limit" (the trace was full before)."""

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
