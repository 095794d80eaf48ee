"""Levels 1 to 10: opponents for people, for any game, from one a child beats to one that few do.

A level is the game's default searcher within a number of nodes that grows from level to level, and a share of moves that it makes
without thinking: any legal one. Nodes and not seconds: so a level is as strong on any machine, and the same seed plays the same
game. Every move is thought about anew, so that a game that is taken back, or taken up from a file, goes on as it would have.

How far the levels are apart is measured by `python -m bench.levels`; docs/play.md has the lists.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from ...bits import FULL
from ...errors import LoweringError, ZermeloError
from ...game import Game
from ...history import History
from ...rng import below, draw, split, unit
from ...search import by_name
from ...search.mcts.searcher import MCTS
from ...search.stop import Stop
from ..clock import Clock
from .player import Player, Thought
from .search_player import DEFAULT, FOR_TREES, SIMULATION, SearchPlayer, playing_for

HASTE = "made without thinking"


@dataclass(frozen=True)
class Level:
    """What a level may look at for a move, and the share of moves that it makes without thinking.

    `with_dice` is that share where there is chance: a deeper search helps little there, so levels differ more in it.
    """

    nodes: int
    hasty: float
    with_dice: float


LEVELS: tuple[Level, ...] = (
    Level(60, 0.70, 0.85),
    Level(100, 0.50, 0.70),
    Level(160, 0.35, 0.57),
    Level(300, 0.24, 0.46),
    Level(800, 0.15, 0.36),
    Level(2_000, 0.08, 0.27),
    Level(6_000, 0.04, 0.18),
    Level(20_000, 0.015, 0.11),
    Level(70_000, 0.0, 0.05),
    Level(250_000, 0.0, 0.0),
)

#: with fewer simulations there is nothing to choose by
MIN_SIMULATIONS = 32
#: an interpreted search looks at one node in the time of this many native ones
INTERPRETED_SLOWDOWN = 50
#: nodes from which on a table is worth more than the time it takes to clear it
MIN_TABLE_NODES = 10_000


def read_level(text: str) -> int:
    """The level that this text describes."""
    wanted = text.strip()
    if not (wanted.isascii() and wanted.isdigit() and 1 <= int(wanted[:9]) <= len(LEVELS)):
        raise ZermeloError(f"expected a level from 1 to {len(LEVELS)}, not '{wanted}'")
    return int(wanted)


class LevelPlayer(Player):
    """A level from 1 to 10 of the searcher that suits the game."""

    def __init__(self, text: str, level: str):
        self.number = read_level(level)
        self.text = text
        self._level = LEVELS[self.number - 1]
        self._searching: SearchPlayer | None = None
        self._game: Game | None = None

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self._seat, self._seed, self._key, self.thought = seat, seed, split(seed & FULL, seat), None
        if self._game is not game or self._searching is None:
            self._game = game
            try:
                self._searching = self._made(game, False)
                self._searching.begin(game, seat, seed)
            except LoweringError:  # rules that cannot become native code
                self._searching = self._made(game, True)
                self._searching.begin(game, seat, seed)

    def choose(self, game: Game, state: History, clock: Clock) -> int:
        if self._searching is None or self._game is not game:
            raise ZermeloError("expected begin() before choose()")
        ply = len(state.taken)
        if unit(draw(self._key, 2 * ply)) < (self._level.with_dice if game.has_chance else self._level.hasty):
            actions = list(state.actions())
            self.thought = Thought(note=HASTE if len(actions) > 1 else "the only action")
            return actions[below(draw(self._key, 2 * ply + 1), len(actions))]
        self._searching.begin(game, self._seat, draw(split(self._key, 1), ply))  # forgets what it thought of the move before
        a = self._searching.choose(game, state, clock)
        self.thought = self._searching.thought
        return a

    @property
    def stop(self) -> Stop:
        """Of the search that runs."""
        return self._searching.stop if self._searching is not None else Stop()

    def close(self) -> None:
        if self._searching is not None:
            self._searching.close()

    def _made(self, game: Game, interpreted: bool) -> SearchPlayer:
        name, settings = playing_for(game, ("nodes",))
        nodes = self._level.nodes // (INTERPRETED_SLOWDOWN if interpreted else 1)
        if issubclass(by_name.find(name), MCTS):
            nodes = MIN_SIMULATIONS + nodes // SIMULATION
        given = settings | {"nodes": str(max(nodes, 1)), "interpreted": str(interpreted).lower()}
        if nodes < MIN_TABLE_NODES and "table" in {f.name for f in fields(by_name.find(name))}:
            given["table"] = "1"
        if FOR_TREES.issuperset(given):
            name = DEFAULT  # which is the same searcher, and sees the end where that is near
        return SearchPlayer(f"{name}:" + ",".join(f"{k}={v}" for k, v in given.items()), name, given)
