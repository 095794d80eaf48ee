"""A strategy of a game of cards over buckets and betting, as a file.

A safetensors file: the buckets of all hands, and of each sequence its weight in the average strategy and its regret, from which solving
goes on. It is played by lookup: the betting is a node of the tree, the hand and the board are a bucket.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import ZermeloError
from ...game import CHANCE, Game, State
from ...lower.memory import Words
from ...system.tensors import write_tensors
from ..strategy import Strategy, check_rules, read_strategy
from .betting import betting_tree
from .boards import ROW, Array, sorted_boards
from .buckets import LAST_ROUND, Buckets
from .equities import top_score
from .game import card_game

FORMAT = "zermelo strategy of cards 1"
#: what is in the file, and of which kind
ARRAYS = {"rows": "<u8", "clusters": "<u2", "averages": "<f8", "regrets": "<f8"}


@dataclass(frozen=True)
class About:
    """What a strategy says of itself."""

    game: str
    rules: str  # a hash of their text
    buckets: int  # a round, as asked for
    seed: int
    iterations: int
    seconds: float
    method: str = "mccfr"


class CardStrategy:
    """A strategy of both players of a game of cards; `policy` is how likely it makes the actions of a state."""

    def __init__(self, about: About, arrays: dict[str, Array]):
        self.about, self.arrays = about, {name: np.ascontiguousarray(arrays[name], kind) for name, kind in ARRAYS.items()}
        self._game: Game | None = None

    def check_game(self, game: Game) -> None:
        """ZermeloError unless the strategy is of the rules of this game."""
        check_rules(game, self.about.game, self.about.rules)
        self._prepare(game)

    def _prepare(self, game: Game) -> None:
        """Make the tree of betting and the buckets ready to be looked up; ZermeloError if the arrays are not theirs."""
        if self._game is game:
            return
        self.table = CardTable(card_game(game), self._buckets(game))
        if len(self.arrays["averages"]) != self.table.sequences or len(self.arrays["regrets"]) != self.table.sequences:
            raise ZermeloError(f"the strategy has {len(self.arrays['averages']):,} sequences: expected {self.table.sequences:,}")
        self._game = game

    def _buckets(self, game: Any) -> Buckets:
        boards = sum(len(sorted_boards(game.deck, size)[0]) for size in game.board_sizes[1:LAST_ROUND])
        if len(self.arrays["rows"]) != boards * ROW or len(self.arrays["clusters"]) != top_score(game):
            raise ZermeloError(f"the buckets of the strategy are damaged: expected those of {game!r}")
        return Buckets(game, self.arrays["rows"], self.arrays["clusters"])

    def policy(self, game: Game, s: State) -> dict[int, float]:
        """How likely each action of s is, by what the player to move sees; ZermeloError if nobody is."""
        if game.is_terminal(s) or game.to_move(s) == CHANCE:
            raise ZermeloError(f"no player is to move in {game.write_state(s)}: expected a state with a choice")
        self._prepare(game)
        span = self.table.sequences_of(s)
        weights = self.arrays["averages"][span]
        total = weights.sum()
        odds = weights / total if total > 0 else np.full(len(weights), 1 / len(weights))
        return dict(zip(game.actions(s), odds.tolist(), strict=True))

    # ---- its file --------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Write the strategy to a file, whole or not at all."""
        write_tensors(path, self.arrays, {"format": FORMAT, "about": json.dumps(asdict(self.about))})

    @staticmethod
    def load(path: Path) -> CardStrategy:
        """The strategy in a file; ZermeloError if there is none."""
        return read_strategy(path, CardStrategy.parsed)

    @staticmethod
    def parsed(told: dict[str, str], arrays: dict[str, Array]) -> CardStrategy:
        """The strategy of a file's header and arrays; ValueError if they do not fit together."""
        about = json.loads(told["about"])
        is_kind = all(arrays[name].dtype == np.dtype(kind) and arrays[name].ndim == 1 for name, kind in ARRAYS.items())
        is_sound = is_kind and all(np.isfinite(arrays[name]).all() for name in ("averages", "regrets")) and (arrays["averages"] >= 0).all()
        if told["format"] != FORMAT or not is_sound:
            raise ValueError(told["format"])
        buckets, seed, iterations = (int(about[name]) for name in ("buckets", "seed", "iterations"))
        found = About(str(about["game"]), str(about["rules"]), buckets, seed, iterations, float(about["seconds"]))
        return CardStrategy(found, arrays)


class CardTable:
    """The tree of betting and the buckets of a game, and which sequences are of a state."""

    def __init__(self, game: Any, buckets: Buckets):
        self.game, self.buckets, self.tree = game, buckets, betting_tree(game)
        self.firsts = self.tree.first_sequences(buckets.sizes)
        self.sequences = int(self.firsts[-1])
        self._nodes = Words.of(self.tree.words(buckets.sizes), False)
        self._ends = Words.of(np.array(self.tree.ends), False)

    @property
    def fields(self) -> dict[str, Any]:
        """What a record needs to deal and to follow the betting."""
        return self.buckets.fields | {"nodes": self._nodes.table, "ends": self._ends.table}

    @cached_property
    def sets(self) -> int:
        """How many information sets there are."""
        return sum(self.buckets.sizes[node.round] for node in self.tree.nodes if node.actions)

    def sequences_of(self, s: State) -> slice:
        """The sequences of the player to move in s."""
        i = self.tree.by_betting.get(self.game.betting(s))
        if i is None:
            raise ZermeloError(f"the strategy does not have the state {self.game.write_state(s)}: expected one that play can reach")
        n = len(self.tree.nodes[i].actions)
        first = int(self.firsts[i]) + n * self.buckets.of(self.game.hand(s, self.game.to_move(s)), self.game.board(s))
        return slice(first, first + n)


def load_strategy(path: Path) -> Strategy | CardStrategy:
    """The strategy in a file, of whichever kind; ZermeloError if there is none."""

    def make(told: dict[str, str], arrays: dict[str, Array]) -> Strategy | CardStrategy:
        return CardStrategy.parsed(told, arrays) if told["format"] == FORMAT else Strategy.parsed(told, arrays)

    return read_strategy(path, make)
