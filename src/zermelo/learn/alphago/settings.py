"""What to learn from games of experts and from games against earlier selves, and how."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from ...errors import ZermeloError
from ...settings import OneOf, Range, check_ranges
from ...system.limits import LONGEST, MOST
from ..zero.settings import BATCH, CONCENTRATION, GAMES, NETWORK, RATE, SLOTS, tower_of

EXPERT, REINFORCE = "expert", "reinforce"
EPOCHS = 5  # where nothing else is asked for
REINFORCE_RATE = 2e-4  # of policy gradients, which know of a move no more than how the game ended


@dataclass(frozen=True, kw_only=True)
class ExpertTraining:
    """A run that learns from games: a policy that says what was played, and values that say who won.

    data: the files. model: resnet:BLOCKSxFILTERS. games: the number of states shown, None for five times all; seconds: whichever is spent
    first ends the run, and towards it the rate falls. batch: states of a step. rate: of AdamW at the start. device: cpu or cuda; None
    for cuda if there is a GPU.
    """

    method: Annotated[str, OneOf((EXPERT,))] = EXPERT
    data: tuple[str, ...] = ()
    model: str | None = None
    games: Annotated[int | None, Range(1, MOST)] = None
    seconds: Annotated[float | None, Range(0, LONGEST, above=True)] = None
    batch: Annotated[int | None, Range(2, 1 << 20)] = None
    rate: Annotated[float | None, Range(0, 1, above=True)] = None
    seed: Annotated[int, Range(0, 2**63)] = 0
    device: Annotated[str | None, OneOf(("cpu", "cuda", None))] = None

    def __post_init__(self) -> None:
        check_ranges(self)
        if self.model is not None:
            tower_of(self.model)
        files = (self.data,) if isinstance(self.data, (str, Path)) else self.data
        object.__setattr__(self, "data", tuple(map(str, files)))
        if not self.data:
            raise ZermeloError(f"expected files of games as data for {EXPERT}")

    def for_device(self, where: str) -> ExpertTraining:
        """The same with what was left open decided for a device."""
        return replace(self, device=where, model=self.model or NETWORK[where], batch=self.batch or BATCH[where], rate=self.rate or RATE)


@dataclass(frozen=True, kw_only=True)
class ReinforceTraining:
    """A run in which a policy plays against its earlier selves, and takes the moves of games it won more often.

    start: the run or the file of the network that it begins with. games, seconds: whichever is spent first ends the run, and towards
    it the rate falls. slots: games side by side. batch: states of a step. rate: of AdamW at the start. random_plies: with how many random
    actions a game begins at most. device: cpu or cuda; None for cuda if there is a GPU.
    """

    method: Annotated[str, OneOf((REINFORCE,))] = REINFORCE
    start: str = ""
    model: str | None = None
    games: Annotated[int | None, Range(1, MOST)] = None
    seconds: Annotated[float | None, Range(0, LONGEST, above=True)] = None
    slots: Annotated[int | None, Range(1, 1 << 20)] = None
    batch: Annotated[int | None, Range(2, 1 << 20)] = None
    rate: Annotated[float | None, Range(0, 1, above=True)] = None
    random_plies: Annotated[int, Range(0, 1000)] = 0
    seed: Annotated[int, Range(0, 2**63)] = 0
    device: Annotated[str | None, OneOf(("cpu", "cuda", None))] = None

    def __post_init__(self) -> None:
        check_ranges(self)
        if not self.start:
            raise ZermeloError(f"expected a network to begin with for {REINFORCE}: the run of one, like that of {EXPERT}")

    def for_device(self, where: str) -> ReinforceTraining:
        """The same with what was left open decided for a device."""
        return replace(
            self,
            device=where,
            games=self.games or (GAMES[where] if self.seconds is None else MOST),
            slots=self.slots or SLOTS[where],
            batch=self.batch or BATCH[where],
            rate=self.rate or REINFORCE_RATE,
        )

    def playing(self, plies: float) -> dict[str, float]:
        """The settings of games of about so many plies."""
        longest = max(64, int(8 * plies))
        never = {"noise": 0.0, "concentration": CONCENTRATION, "exploration": 0.0, "warm_plies": 0}
        return never | {"full": 1, "quick": 1, "full_share": 1.0, "random_plies": self.random_plies, "longest": longest, "seed": self.seed}
