"""What to learn from games of experts, and how."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from ...errors import ZermeloError
from ...settings import OneOf, Range, check_ranges
from ...system.limits import LONGEST, MOST
from ..zero.settings import BATCH, NETWORK, RATE, tower_of

EXPERT = "expert"
EPOCHS = 5  # where nothing else is asked for


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
