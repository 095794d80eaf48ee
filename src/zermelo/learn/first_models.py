"""The models with which runs begin: untrained ones, or what another run has learned."""

from __future__ import annotations

from pathlib import Path

from ..errors import ZermeloError
from ..game import Game
from ..search.model.model import Model, find_model, load_model
from ..search.model.nnue_model import Nnue
from ..search.model.rote import Rote
from ..system.limits import MAX_COUNT
from .model_text import NTUPLE, hidden_layers
from .nnue_fitter import TrainedNnue, nnue_sums


def first_model(game: Game, text: str, start: str | None, seed: int) -> Model:
    """A new model of this kind, or a copy of the one at `start`; ZermeloError if that is of another kind."""
    hidden, second = (*hidden_layers(text), 0, 0)[:2]
    if start is None:
        return Model.new(game, hidden, seed, text == NTUPLE, second)
    found = find_model(start, game)
    found.check_game(game)
    if not isinstance(found, Model) or (found.shape.hidden, found.shape.second) != (hidden, second):
        raise ZermeloError(f"the model of {start} is of another kind: expected {text}")
    return Model(found.shape, found.array)


def first_nnue(game: Game, text: str, start: str | None, seed: int) -> TrainedNnue:
    """The same for integer networks."""
    if start is None:
        return TrainedNnue.new(game, nnue_sums(text), seed)
    found = find_model(start, game)
    found.check_game(game)
    if not isinstance(found, Nnue) or found.shape.sums != nnue_sums(text):
        raise ZermeloError(f"the model of {start} is of another kind: expected {text}")
    return TrainedNnue.of(found)


def memory_at(path: Path, game: Game, states: int) -> Rote:
    """The memory stored at this path; a new, empty one if the file does not exist."""
    new = Rote.new(game, states)
    if not path.exists():
        return new
    found = load_model(path)
    if not isinstance(found, Rote) or found.shape != new.shape or not 0 <= found.games <= MAX_COUNT:
        raise ZermeloError(f"{path} is not the memory of this run: expected one of {game!r} with room for {states:,} states")
    return found
