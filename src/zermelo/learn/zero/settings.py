"""What to train by self-play with a guided search, and how."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Self

from ...errors import ZermeloError
from ...game import Game
from ...search.puct.network import MOST_BLOCKS, MOST_FILTERS
from ...settings import OneOf, Range, check_ranges
from ...system.limits import MAX_COUNT, MAX_SECONDS, shown

ZERO = "zero"
PUCT, GUMBEL = "puct", "gumbel"
GAMES = {"cpu": 20_000, "cuda": 1_000_000}  # where nothing else is asked for
NETWORK = {"cpu": "resnet:2x32", "cuda": "resnet:6x64"}
SLOTS = {"cpu": 64, "cuda": 4096}
BATCH = {"cpu": 256, "cuda": 4096}
STATES = {"cpu": 1 << 16, "cuda": 1 << 23}  # that are remembered in all
SIMULATIONS = 64
RATE = 2e-3
CONCENTRATION = 10.0  # of noise: 0.03 times the 361 points of Go, and as much for fewer actions
WARM_SHARE = 0.3  # of the plies of a random game, in which actions are taken in proportion to their visits


@dataclass(frozen=True, kw_only=True)
class NetworkTraining:
    """A run that trains a network, whatever it learns from.

    model: resnet:BLOCKSxFILTERS. games, seconds: whichever is spent first ends the run, and towards it the rate falls. batch: states of a
    step. rate: of the steps at the start. device: cpu or cuda; None for cuda if there is a GPU.
    """

    method: str = ""
    model: str | None = None
    games: Annotated[int | None, Range(1, MAX_COUNT)] = None
    seconds: Annotated[float | None, Range(0, MAX_SECONDS, above=True)] = None
    batch: Annotated[int | None, Range(2, 1 << 20)] = None
    rate: Annotated[float | None, Range(0, 1, above=True)] = None
    seed: Annotated[int, Range(0, 2**63)] = 0
    device: Annotated[str | None, OneOf(("cpu", "cuda", None))] = None

    def __post_init__(self) -> None:
        check_ranges(self)
        if self.model is not None:
            tower_of(self.model)

    def for_device(self, where: str) -> Self:
        """The same with what was left open decided for a device."""
        return replace(self, device=where, model=self.model or NETWORK[where], batch=self.batch or BATCH[where], rate=self.rate or RATE)


@dataclass(frozen=True, kw_only=True)
class ZeroTraining(NetworkTraining):
    """A run of self-play with a guided search.

    simulations: of a search; None for 64. slots: games side by side. random_plies: with how many random actions a game begins at most.
    warm_plies: after these, in which actions are taken in proportion to their visits; None for a third of a random game. full_share: how
    many searches have all their simulations and are learned from, while the others have a fourth. samples: how often a state is learned
    from, on average. noise: its share of the root's priors. exploration: C of PUCT. root: who decides at the root, puct or gumbel, which
    needs fewer simulations and neither noise nor warm plies; None for puct. resign: a player gives up whose value, from -1 to 1, is below
    minus this; None for never.
    """

    method: Annotated[str, OneOf((ZERO,))] = ZERO
    simulations: Annotated[int | None, Range(2, 4096)] = None
    slots: Annotated[int | None, Range(1, 1 << 20)] = None
    random_plies: Annotated[int, Range(0, 1000)] = 0
    warm_plies: Annotated[int | None, Range(0, 10_000)] = None
    full_share: Annotated[float, Range(0, 1, above=True)] = 1.0
    samples: Annotated[float, Range(0, 100, above=True)] = 2.0
    noise: Annotated[float, Range(0, 1)] = 0.25
    exploration: Annotated[float, Range(0)] = 1.5
    root: Annotated[str | None, OneOf((PUCT, GUMBEL, None))] = None
    resign: Annotated[float | None, Range(0, 1)] = None

    def for_device(self, where: str) -> Self:
        games = self.games or (GAMES[where] if self.seconds is None else MAX_COUNT)
        simulations = self.simulations or SIMULATIONS
        return replace(super().for_device(where), games=games, slots=self.slots or SLOTS[where], simulations=simulations)

    def playing(self, game: Game, plies: float) -> dict[str, float]:
        """The settings of self-play, for games of about so many plies."""
        simulations = self.simulations or SIMULATIONS
        return {
            "full": simulations,
            "quick": max(2, simulations // 4),
            "full_share": self.full_share,
            "noise": self.noise,
            "concentration": CONCENTRATION,
            "exploration": self.exploration,
            "warm_plies": max(2, int(WARM_SHARE * plies)) if self.warm_plies is None else self.warm_plies,
            "random_plies": self.random_plies,
            "hopeless": -1.0 if self.resign is None else -self.resign,
            "longest": max(64, int(8 * plies)),
            "seed": self.seed,
        }


def tower_of(text: str) -> tuple[int, int]:
    """The blocks and filters of a network given as text."""
    kind, _, size = text.partition(":") if isinstance(text, str) else ("", "", "")
    blocks, _, filters = size.partition("x")
    if kind == "resnet" and all(n.isascii() and n.isdigit() and len(n) <= 4 for n in (blocks, filters)):
        if int(blocks) <= MOST_BLOCKS and 1 <= int(filters) <= MOST_FILTERS:
            return int(blocks), int(filters)
    raise ZermeloError(
        f"expected a model resnet:BLOCKSxFILTERS with up to {MOST_BLOCKS} blocks of 1 to {MOST_FILTERS:,} filters, not {shown(text)}"
    )
