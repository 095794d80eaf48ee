"""Searches of several states at once on the CPU: a tree for each, whose leaves are asked about together."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...errors import ZermeloError
from ...game import Game
from ..records import Record
from .record import Tree
from .shape import NetworkShape, actions_of, given, record_for

Array = np.ndarray[Any, Any]
#: what a network says of states: logits of its policy, and values
Network = Callable[[Array], tuple[Array, Array]]


class Trees:
    """Records of `count` games; `run` calls an algorithm on each, natively or interpreted. Each asks about `leaves` at once."""

    def __init__(
        self,
        game: Game,
        shape: NetworkShape,
        count: int,
        record: type[Record] = Tree,
        interpreted: bool = False,
        leaves: int = 1,
        **sizes: int,
    ):
        self.game, self.shape, self.count, self.interpreted = game, shape, count, interpreted
        self.width = actions_of(game)
        kind = record_for(game, record, width=self.width, **sizes)
        self.inputs = np.zeros((count * leaves, shape.inputs), np.float32)
        self.logits = np.zeros((count * leaves, shape.policy), np.float32)
        self.values = np.zeros((count * leaves, shape.values), np.float32)
        self.works = np.zeros(count, kind)
        self.rows: list[Any] = [self._row(i, kind) for i in range(count)]
        self._ready: dict[Any, Callable[[Any], int]] = {}
        self.give(**given(game, shape))

    def _row(self, i: int, kind: np.dtype[Any]) -> Any:
        """What an algorithm is called with for game i: a record in memory, or the same as Python's own values."""
        told = {name: getattr(self, name).reshape(self.count, -1)[i] for name in ("inputs", "logits", "values")}
        if not self.interpreted:
            row = self.works[i : i + 1]
            for name, floats in told.items():
                row[name] = floats.ctypes.data
            return row
        names = kind.names or ()
        return SimpleNamespace(**{name: self.works[name][i].tolist() for name in names} | told)

    def give(self, **fields: Any) -> None:
        """Set fields of all records."""
        for name, value in fields.items():
            self.set(name, [value] * self.count)

    def set(self, name: str, values: Any) -> None:
        """Set a field of each record."""
        typed = np.array(values, self._kind(name))
        if self.interpreted:
            for row, value in zip(self.rows, typed, strict=True):
                setattr(row, name, value.tolist())
        else:
            self.works[name] = typed

    def put(self, name: str, rows: Array) -> None:
        """Write the first rows of an array of the first record."""
        if self.interpreted:
            getattr(self.rows[0], name)[: len(rows)] = rows.tolist()
        else:
            self.works[name][0][: len(rows)] = rows

    def get(self, name: str) -> Array:
        """A field of all records."""
        return np.array([getattr(row, name) for row in self.rows], self._kind(name)) if self.interpreted else self.works[name]

    def _kind(self, name: str) -> Any:
        """Of the values of a field: numpy by itself makes floats of words that meet numbers."""
        return self.works.dtype[name].base

    def watch(self, field: list[Any]) -> None:
        """Let the first record say where notes go."""
        if self.interpreted:
            self.rows[0].watch = field
        else:
            self.works["watch"][0] = field

    @property
    def watched(self) -> Any:
        """What `notes.Log` reads when the search is over."""
        return SimpleNamespace(watch=self.rows[0].watch if self.interpreted else self.works["watch"][0], stopped=0)

    def run(self, function: Callable[[Game, Any], int]) -> list[int]:
        """Call the algorithm on each record."""
        run = self.prepare(function)
        return [run(row) for row in self.rows]

    def prepare(self, function: Callable[[Game, Any], int]) -> Callable[[Any], int]:
        """The algorithm, ready to be called: compiled, if need be."""
        if self.interpreted:
            return partial(function, self.game)
        if function not in self._ready:
            from ...lower.native import native  # brings llvmlite

            self._ready[function] = native(self.game, function, self.works.dtype)
        return self._ready[function]

    def check_width(self) -> None:
        """ZermeloError if a state had more actions than there is room for."""
        if widest := int(self.get("widest").max()):
            raise ZermeloError(f"{self.game!r} has a state of {widest:,} actions: expected at most max_actions, which is {self.width:,}")
