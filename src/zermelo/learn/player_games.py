"""Labels by any player: games that it plays against itself, whose quiet states are kept with what it and the result say they are worth.

They are the games of `labels.py` (random actions at the beginning, any action now and then, states kept that are neither forcing nor
decided and whose best action is not tactical), played by an engine that speaks UCI, say, in place of our own search. What the player does
must depend on nothing but the game and its limits if the labels are to be the same again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import Annotated

import numpy as np

from ..arena.clock import Clock, Control
from ..arena.players.player import Player
from ..bits import FULL
from ..game import Game
from ..history import History
from ..rng import below, mix, split, step, unit
from ..search.searcher import opposed
from ..search.stop import Stop
from ..settings import Range, check_ranges
from ..system.limits import MAX_COUNT
from .labelling import Labels, begin_folder, decided_value, nothing_to_label, number_of, part_of, write_parts
from .labels import DECIDED_PLIES, UNKNOWN
from .relabelling import players_of

GAMES = 8  # of a part: what is lost where a player is slow and the run is interrupted
Kept = tuple[list[int], float, int]  # a packed state, its value and its player to move


@dataclass(frozen=True, kw_only=True)
class PlayerLabeller:
    """How games are played and labelled: by whom, and the rest as for `labelling.Labeller`."""

    by: str
    positions: Annotated[int, Range(1, MAX_COUNT)] = 100_000
    random_plies: Annotated[int, Range(0, MAX_COUNT)] = 10
    epsilon: Annotated[float, Range(0, 1, words="epsilon from 0 to 1")] = 0.03
    longest: Annotated[int, Range(1, 4096)] = 400
    seed: int = 0

    def __post_init__(self) -> None:
        check_ranges(self)


def label_by_player(game: Game, labeller: PlayerLabeller, folder: Path, *, threads: int = 1, stop: Stop | None = None) -> Iterator[int]:
    """Label states into the folder, with those that are there already; yield how many there are, now and after each part."""
    opposed("label", game)
    stop = stop or Stop()
    with players_of(labeller.by, game, threads) as players:
        begin_folder(folder, {"game": repr(game), **asdict(labeller)})

        def make(path: Path) -> Labels | None:
            player = players.get()
            try:
                return _play_part(game, labeller, number_of(path), player, stop)
            finally:
                players.put(player)

        missing = (part_of(folder, n) for n in count() if not part_of(folder, n).exists())
        yield from write_parts(folder, missing, make, labeller.positions, threads, stop)


def _play_part(game: Game, labeller: PlayerLabeller, number: int, player: Player, stop: Stop) -> Labels | None:
    """The labels of a part, None if it was stopped."""
    rows = list[list[int]]()
    for g in range(number * GAMES, (number + 1) * GAMES):
        player.begin(game, 0, labeller.seed)
        kept, results = play_game(game, labeller, player, split(labeller.seed & FULL, g) | 1, stop)
        if stop.is_set:
            return None
        for state, value, p in kept:
            rows.append([*state, *np.array([value, results[p]]).view(np.uint64).tolist()])
    if not rows:
        raise nothing_to_label(f"{GAMES} games by {labeller.by}", ", or a player that says values")
    return np.array(rows, np.uint64)


def play_game(game: Game, labeller: PlayerLabeller, player: Player, random: int, stop: Stop) -> tuple[list[Kept], tuple[float, float]]:
    """The states of a game that are kept, and what each player gets, UNKNOWN if the game has no end or is stopped."""
    history, kept, decided_plies = History(game), list[Kept](), 0
    early = (labeller.random_plies + 1) // 2 + below(split(random, 1), labeller.random_plies // 2 + 1)
    decided = decided_value(game)
    for ply in range(labeller.longest):
        if stop.is_set:
            break
        if history.is_over:
            return kept, (history.utility(0), history.utility(1))
        s, p = history.state, game.to_move(history.state)
        random = step(random)
        if ply < early:
            actions = list(history.actions())
            history.do(actions[below(random, len(actions))])
            continue
        a = player.choose(game, history, Clock(Control(), game.players))
        value = player.value
        is_decided = value is not None and 0.0 < decided <= abs(value)
        decided_plies = decided_plies + 1 if is_decided else 0
        if value is not None and decided_plies == DECIDED_PLIES:
            return kept, (1.0, -1.0) if (value > 0.0) == (p == 0) else (-1.0, 1.0)
        if value is not None and not is_decided and not game.is_forcing(s) and not game.is_tactical(s, a):
            kept.append((list(game.layout.pack(s)), value, p))
        if unit(random) < labeller.epsilon:
            actions = list(history.actions())
            a = actions[below(mix(random), len(actions))]
        history.do(a)
    return kept, (UNKNOWN, UNKNOWN)
