"""Rote learning: values of states as they were once found, by heart (A. L. Samuel, 1959).

    VALUE(s) = the value that is remembered of s, else EVAL(s)

What is remembered of a state is what a search of it found. A search that ends there sees as far again as that one did, and what it finds
is remembered in turn: without a longer search, values come from farther and farther away.

The memory is a number of buckets of four slots, each the key of a state and its value to player 0. A state has a bucket by its key. If all
slots are taken, it takes the place of another.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...bits import i64, u64
from ...errors import ZermeloError
from ...game import Game, State
from ...lower.memory import load, store, to_real, to_word
from ...system.tensors import progress_in, write_tensors
from .facts import range_of
from .kinds import WITH_PLAYERS
from .record import Judging

ROTE = "rote"  # the kind of model, and the method that fills it
ROTE_FORMAT, WORDS = "zermelo rote 1", "words"
BUCKET = 4  # slots
SLOT = 2  # words: the key, 0 in an empty slot, and the value
MIN_STATES, MAX_STATES = 64, 1 << 26


# ---- lowered -----------------------------------------------------------------------------------


def bucket_of(key: u64, work: Judging) -> int:
    """Where the bucket of a key begins."""
    return i64(key & u64(work.rote_mask)) * (BUCKET * SLOT)


def find(key: u64, work: Judging) -> int:
    """Where the slot of this key begins; -1 if there is none."""
    at = bucket_of(key, work)
    for _ in range(BUCKET):
        if load(work.rote, at) == key:
            return at
        at += SLOT
    return -1


def key_of(game: Game, s: State) -> u64:
    """The key of s, which is not that of an empty slot."""
    key = u64(game.key(s))
    return key if key != 0 else u64(1)


def rote_value(game: Game, s: State, p: int, work: Judging) -> float:
    """What is remembered of s, or what the game says, to player p."""
    at = find(key_of(game, s), work)
    if at < 0:
        return game.evaluate(s, p)
    v = to_real(load(work.rote, at + 1))
    return v if p == 0 else -v


def remember_value(game: Game, s: State, v: float, work: Judging) -> int:
    """Remember what s is worth to player 0; where."""
    key = key_of(game, s)
    at = find(key, work)
    if at < 0:
        at = free_slot(key, work)
    store(work.rote, at, key)
    store(work.rote, at + 1, to_word(v))
    return at


def free_slot(key: u64, work: Judging) -> int:
    """Where a state of this key is remembered: an empty slot of its bucket, or else one that its key names."""
    first = bucket_of(key, work)
    for k in range(BUCKET):
        if load(work.rote, first + k * SLOT) == 0:
            return first + k * SLOT
    return first + i64(key >> 62) * SLOT


# ---- as Python holds it ------------------------------------------------------------------------


@dataclass(frozen=True)
class RoteShape:
    """For which game a memory is, and how large; the rest is what other models have, too."""

    game: str
    buckets: int
    low: float  # the range of utilities
    span: float

    is_tuples = is_linear = False
    words = outputs = 1
    activations = 0


class Rote:
    """A memory of values of a game's states."""

    def __init__(self, shape: RoteShape, words: np.ndarray[Any, Any] | None = None, games: int = 0, seconds: float = 0.0):
        self.shape, self.games, self.seconds = shape, games, seconds  # of training
        self.kinds: tuple[str, ...] = WITH_PLAYERS  # of states that are remembered: moves are searched for there
        self.array = np.zeros(shape.buckets * BUCKET * SLOT, np.uint64) if words is None else np.array(words)

    @staticmethod
    def new(game: Game, states: int) -> Rote:
        """An empty memory with room for this many states, or a few more."""
        return Rote(shape_of(game, 1 << max(0, -(-states // BUCKET) - 1).bit_length()))

    @property
    def weights(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """What is learned: the values."""
        return self.array[1::SLOT].copy().view(np.float64)

    @property
    def known(self) -> int:
        """States that are remembered."""
        return int(np.count_nonzero(self.array[::SLOT]))

    def memory(self, interpreted: bool, plies: int) -> dict[str, Any]:
        """The memory that an algorithm needs, by the names of fields: all threads share it."""
        return {"rote": SimpleNamespace(table=self.array if interpreted else self.array.ctypes.data)}

    @property
    def sizes(self) -> dict[str, Any]:
        """What an algorithm must know to find its way in that memory, by the names of fields."""
        return {"rote_mask": self.shape.buckets - 1}

    def check_game(self, game: Game) -> None:
        """Refuse a game that the memory is not of."""
        if self.shape != shape_of(game, self.shape.buckets):
            raise ZermeloError(f"the memory is of {self.shape.game}: expected one of {game!r}")

    def save(self, path: Path, is_half: bool = False) -> None:
        """Write the memory to a file, all at once; values are never halved."""
        about = {"format": ROTE_FORMAT, "shape": json.dumps(asdict(self.shape)), "games": str(self.games), "seconds": str(self.seconds)}
        write_tensors(path, {WORDS: self.array}, about)

    @staticmethod
    def of_file(file: Any, about: dict[str, str]) -> Rote:
        """The memory in an open file; ValueError, KeyError or TypeError if it is none."""
        shape, words = RoteShape(**json.loads(about["shape"])), file.get_tensor(WORDS)
        is_sound = type(shape.buckets) is int and 1 <= shape.buckets <= MAX_STATES and shape.buckets & (shape.buckets - 1) == 0
        if not is_sound or type(shape.game) is not str or words.dtype != np.uint64 or words.shape != (shape.buckets * BUCKET * SLOT,):
            raise ValueError("shape")
        rote = Rote(shape, words, *progress_in(about))
        if not (np.abs(rote.weights) <= max(abs(float(shape.low)), abs(float(shape.low + shape.span)))).all():
            raise ValueError("values")
        return rote


def shape_of(game: Game, buckets: int) -> RoteShape:
    """The shape of a memory of this game."""
    if game.players != 2:
        raise ZermeloError(f"{game!r}: expected a game of two players for rote learning, not {game.players}")
    low, high = range_of(game)
    return RoteShape(repr(game), buckets, low, high - low)
