"""What to learn from games of experts and from games against earlier selves, and how."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Self

from ...errors import ZermeloError
from ...settings import OneOf, Range
from ...system.limits import MAX_COUNT
from ..zero.settings import CONCENTRATION, GAMES, SLOTS, NetworkTraining

EXPERT, REINFORCE = "expert", "reinforce"
EPOCHS = 5  # where nothing else is asked for
#: of policy gradients, which know of a move no more than how the game ended. With 2e-4 the network of Go 9x9 got worse (-0.81 a game)
REINFORCE_RATE = 2e-5


@dataclass(frozen=True, kw_only=True)
class ExpertTraining(NetworkTraining):
    """A run that learns from games: a policy that says what was played, and values that say who won.

    data: the files. games: the number of states shown, None for five times all.
    """

    method: Annotated[str, OneOf((EXPERT,))] = EXPERT
    data: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        files = (self.data,) if isinstance(self.data, (str, Path)) else self.data
        object.__setattr__(self, "data", tuple(map(str, files)))
        if not self.data:
            raise ZermeloError(f"expected files of games as data for {EXPERT}")


@dataclass(frozen=True, kw_only=True)
class ReinforceTraining(NetworkTraining):
    """A run in which a policy plays against its earlier selves, and takes the moves of games it won more often.

    start: the run or the file of the network that it begins with, whose size is the model. slots: games side by side. random_plies: with
    how many random actions a game begins at most.
    """

    method: Annotated[str, OneOf((REINFORCE,))] = REINFORCE
    start: str = ""
    slots: Annotated[int | None, Range(1, 1 << 20)] = None
    random_plies: Annotated[int, Range(0, 1000)] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.start:
            raise ZermeloError(f"expected a network to begin with for {REINFORCE}: the run of one, like that of {EXPERT}")

    def for_device(self, where: str) -> Self:
        games = self.games or (GAMES[where] if self.seconds is None else MAX_COUNT)
        told = replace(self, games=games, slots=self.slots or SLOTS[where], rate=self.rate or REINFORCE_RATE)
        return super(ReinforceTraining, told).for_device(where)

    def playing(self, plies: float) -> dict[str, float]:
        """The settings of play, for games of about this length in plies."""
        longest = max(64, int(8 * plies))
        never = {"noise": 0.0, "concentration": CONCENTRATION, "exploration": 0.0, "warm_plies": 0}
        return never | {"full": 1, "quick": 1, "full_share": 1.0, "random_plies": self.random_plies, "longest": longest, "seed": self.seed}
