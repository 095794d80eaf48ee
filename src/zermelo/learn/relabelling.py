"""States that are labelled already, with what another player says they are worth: an engine that speaks UCI, or a search.

Each part of a folder of labels becomes a part of another folder, with the same states and results and other values; if wanted, with
neighbours of the states as well (`neighbours.py`). What the player says must depend on nothing but the state and its limits if the labels
are to be the same again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Annotated

import numpy as np

from ..arena.clock import Clock, Control
from ..arena.players.by_text import player
from ..arena.players.player import Player
from ..arena.players.uci import UciPlayer
from ..bits import FULL
from ..errors import ZermeloError
from ..game import Game, State
from ..history import History
from ..rng import split
from ..search.searcher import opposed
from ..search.stop import Stop
from ..settings import Range, check_ranges
from ..system.limits import MAX_COUNT
from .labelling import Labels, begin_folder, load_part, movers_of, parts_of, read_about, write_parts
from .labels import UNKNOWN
from .neighbours import neighbours_of


@dataclass(frozen=True, kw_only=True)
class Relabeller:
    """How states are labelled again.

    by: the player, as text. positions: how many are wanted. neighbours: of each state, at the most. in_flight: questions an engine gets
    before its first answer is awaited. seed: of the neighbours.
    """

    by: str
    positions: Annotated[int, Range(1, MAX_COUNT)] = 100_000
    neighbours: Annotated[int, Range(0, 1000)] = 0
    in_flight: Annotated[int, Range(1, 1000)] = 1
    seed: int = 0

    def __post_init__(self) -> None:
        check_ranges(self)


def relabel(game: Game, relabeller: Relabeller, source: Path, folder: Path, *, threads: int = 1, stop: Stop | None = None) -> Iterator[int]:
    """Label the states of the source into the folder; yield how many there are, now and after each part."""
    opposed("label", game)
    if read_about(source)["game"] != repr(game):
        raise ZermeloError(f"{source} has labels of {read_about(source)['game']}: expected some of {game!r}")
    asked = {"by": relabeller.by, "source": str(source), "neighbours": relabeller.neighbours, "seed": relabeller.seed}
    stop = stop or Stop()
    numbers = {path.name: number for number, (path, _) in enumerate(parts_of(source))}
    missing = (folder / name for name in numbers if not (folder / name).exists())
    with players_of(relabeller.by, game, threads) as players:
        begin_folder(folder, {"game": repr(game), **asked})

        def make(path: Path) -> Labels | None:
            return _relabelled(game, relabeller, numbers[path.name], source / path.name, players, stop)

        yield from write_parts(folder, missing, make, relabeller.positions, threads, stop)


@contextmanager
def players_of(text: str, game: Game, count: int) -> Iterator[SimpleQueue[Player]]:
    """So many of a player, ready for the game, to be taken and put back; ZermeloError if its values are not in the game's unit."""
    made, players = [player(text) for _ in range(count)], SimpleQueue[Player]()
    try:
        for one in made:
            one.begin(game, 0, 0)
            searcher = getattr(one, "searcher", None)
            if game.value_scale and searcher is not None and searcher.averages_results and searcher.eval is None:
                raise ZermeloError(f"{text} values states by results, {game!r} by its evaluation: expected a search by that, as alphabeta")
            players.put(one)
        yield players
    finally:
        for one in made:
            one.close()


def _relabelled(game: Game, relabeller: Relabeller, number: int, path: Path, players: SimpleQueue[Player], stop: Stop) -> Labels | None:
    """A part with the values of the next player that is free; states of which it says nothing are left out. None if it was stopped."""
    one, words = players.get(), game.layout.words
    rows: Labels = np.array(load_part(path))
    parents, found = None, list[float]()
    if relabeller.neighbours:
        rows, parents = neighbours_of(game, rows, relabeller.neighbours, split(relabeller.seed & FULL, number))
    try:
        for value in _values(one, game, rows, parents, relabeller.in_flight):
            if stop.is_set:
                return None
            found.append(np.nan if value is None else value)
    finally:
        players.put(one)
    values = np.array(found, np.float64)
    if parents is not None:
        if isinstance(one, UciPlayer):  # it valued them for the player who moves there
            values *= np.where(movers_of(game, rows[:, :words]) == movers_of(game, parents)[rows[:, words]], 1.0, -1.0)
        rows[:, words + 1] = np.float64(UNKNOWN).view(np.uint64)
    rows[:, words] = values.view(np.uint64)
    return rows[~np.isnan(values)]


def _values(one: Player, game: Game, rows: Labels, parents: Labels | None, in_flight: int) -> Iterator[float | None]:
    """What the player says each state is worth to the player to move, or an engine says of a neighbour to the player before."""
    if isinstance(one, UciPlayer):  # without the line of best play, which takes longer to read than to find
        yield from one.judge(game, _questions(game, rows, parents), in_flight)
        return
    for row in rows.tolist():
        one.choose(game, History(game, game.layout.unpack(row)), Clock(Control(), game.players))
        yield one.value


def _questions(game: Game, rows: Labels, parents: Labels | None) -> Iterator[tuple[State, int | None]]:
    """What an engine is asked: a state, or the parent of a neighbour with the action that leads to it, which takes it less time."""
    last, s = -1, None
    for row in rows.tolist():
        if parents is None:
            yield game.layout.unpack(row), None
            continue
        *_, number, a = row
        if number != last:
            last, s = number, game.layout.unpack(parents[number].tolist())
        yield s, a
