"""A strategy as a file: how likely each action is in each information set, and what solving it needs to go on.

A safetensors file: observations, owners, first sequences and actions of all information sets, and of each sequence its weight in the
average strategy and its regret. The header says of which rules it is; a strategy of other rules is refused.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ..bits import i64, u64
from ..errors import ZermeloError
from ..game import CHANCE, Game, State
from ..search.endgames.table import rules_of
from ..search.prepare import observed_words
from ..search.records import SEEN, WORDS, Record, room
from ..system.tensors import check_seal, write_tensors
from .form import Array, SequenceForm

S = TypeVar("S")

FORMAT = "zermelo strategy 1"
MAX_FILE_BYTES = 1 << 36  # bytes
#: what is in the file, and of which kind
ARRAYS = {"observations": "<u8", "owners": "|u1", "firsts": "<i8", "actions": "<i8", "averages": "<f8", "regrets": "<f8"}


@dataclass(frozen=True)
class About:
    """What a strategy says of itself."""

    game: str
    rules: str  # a hash of their text
    method: str
    seed: int
    iterations: int
    seconds: float
    nash_conv: float
    values: tuple[float, ...]  # of each player
    nodes: int  # of the whole game


class Asking(Record):
    """The record of `all_rules`."""

    packed: list[u64] = room(WORDS)
    moves: list[int] = room(1)
    seen: list[u64] = room(SEEN)


def all_rules(game: Game, work: Asking) -> float:
    """Use every rule that a strategy depends on, so that its generated text is the text of them all."""
    s = game.unpack(work.packed)
    n = game.fill(s, work.moves)
    t = game.result(s, work.moves[0])
    p = game.to_move(t)
    ended = n if game.is_terminal(t) else 0
    odds = game.probability(s, work.moves[0]) if game.has_chance else 0.0
    return game.utility(t, p) + odds + game.pack_observation(t, p, work.seen) + ended


def rules_hash(game: Game) -> str:
    """A hash of the rules of a game, and of what its players observe."""
    return rules_of(game, all_rules, Asking, seen=observed_words(game))


class Strategy:
    """A strategy of all players of a game; `policy` is how likely it makes the actions of a state."""

    def __init__(self, about: About, arrays: dict[str, Array]):
        self.about, self.arrays = about, arrays

    @staticmethod
    def of(form: SequenceForm, about: About, averages: Array, regrets: Array) -> Strategy:
        """The strategy of a game in its sequence form."""
        given = {"observations": form.observations, "owners": form.owners, "firsts": form.firsts, "actions": form.actions}
        given |= {"averages": averages, "regrets": regrets}
        return Strategy(about, {name: np.ascontiguousarray(given[name], kind) for name, kind in ARRAYS.items()})

    @cached_property
    def probabilities(self) -> Array:
        """How likely each sequence is in its information set: the average strategy."""
        weights, firsts = self.arrays["averages"].copy(), self.arrays["firsts"]
        sums = np.add.reduceat(np.append(weights, 0.0), firsts)[:-1] if len(firsts) > 1 else np.zeros(0)
        sizes = np.diff(firsts)
        known = np.repeat(sums > 0, sizes)
        span = slice(int(firsts[0]), int(firsts[-1]))
        divided = weights[span] / np.where(known, np.repeat(sums, sizes), 1.0)
        weights[span] = np.where(known, divided, 1.0 / np.repeat(sizes, sizes))
        return weights

    @cached_property
    def _sets(self) -> dict[tuple[int, ...], int]:
        """Information sets by player and words observed."""
        rows = zip(self.arrays["owners"].tolist(), self.arrays["observations"].tolist(), strict=True)
        return {(owner, *words): i for i, (owner, words) in enumerate(rows)}

    def policy(self, game: Game, s: State) -> dict[int, float]:
        """How likely each action of s is; ZermeloError if the strategy does not have its information set."""
        p = game.to_move(s)
        words = [0] * self.arrays["observations"].shape[1]
        if p == CHANCE or game.is_terminal(s):
            raise ZermeloError(f"no player is to move in {game.write_state(s)}: expected a state with a choice")
        game.pack_observation(s, p, words)
        i = self._sets.get((p, *words))
        if i is None:
            raise ZermeloError(f"the strategy does not have the state {game.write_state(s)}: expected one that play can reach")
        span = slice(int(self.arrays["firsts"][i]), int(self.arrays["firsts"][i + 1]))
        odds = dict(zip(self.arrays["actions"][span].tolist(), self.probabilities[span].tolist(), strict=True))
        actions = list(game.actions(s))
        if sorted(odds) != sorted(map(i64, actions)):
            raise ZermeloError(f"the strategy is damaged: expected the actions of the state {game.write_state(s)}")
        return {a: odds[i64(a)] for a in actions}

    def check_game(self, game: Game) -> None:
        """ZermeloError unless the strategy is of the rules of this game."""
        check_rules(game, self.about.game, self.about.rules)
        if self.arrays["observations"].shape[1] != observed_words(game):
            raise ZermeloError(f"the strategy is damaged: expected observations of {observed_words(game)} words")

    # ---- its file --------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Write the strategy to a file, whole or not at all."""
        write_tensors(path, self.arrays, {"format": FORMAT, "about": json.dumps(asdict(self.about))})

    @staticmethod
    def load(path: Path) -> Strategy:
        """The strategy in a file; ZermeloError if there is none."""
        return read_strategy(path, Strategy.parsed)

    @staticmethod
    def parsed(told: dict[str, str], arrays: dict[str, Array]) -> Strategy:
        """The strategy of a file's header and arrays; ValueError if they do not fit together."""
        if told["format"] != FORMAT or not _is_sound(arrays):
            raise ValueError(told["format"])
        return Strategy(_about(json.loads(told["about"])), arrays)


def read_strategy(path: Path, make: Callable[[dict[str, str], dict[str, Array]], S]) -> S:
    """What `make` makes of the header and the arrays of a file; ZermeloError if it cannot be read, or they make no sense."""
    from safetensors import SafetensorError, safe_open

    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise ZermeloError(f"{path} has {path.stat().st_size:,} bytes: expected a strategy of at most {MAX_FILE_BYTES:,}")
        check_seal(path)
        with safe_open(path, "numpy") as file:
            told, arrays = file.metadata() or {}, {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        return make(told, arrays)
    except OSError as error:
        raise ZermeloError(f"{path} cannot be read: {error.strerror or error}") from None
    except (SafetensorError, ArithmeticError, AttributeError, KeyError, RecursionError, TypeError, ValueError):
        raise ZermeloError(f"{path} is not a strategy of ours: expected a file that zermelo solve --run wrote") from None


def check_rules(game: Game, name: str, rules: str) -> None:
    """ZermeloError unless a strategy of a game of this name and these rules is of this game."""
    if rules_hash(game) == rules:
        return
    if repr(game) != name:
        raise ZermeloError(f"the strategy is of {name}: expected one of {game!r}")
    raise ZermeloError(f"the strategy was made with other rules of {game!r}: solve it again")


def _about(told: dict[str, Any]) -> About:
    texts = {name: str(told[name]) for name in ("game", "rules", "method")}
    numbers = {name: int(told[name]) for name in ("seed", "iterations", "nodes")}
    reals = {name: float(told[name]) for name in ("seconds", "nash_conv")}
    return About(**texts, **numbers, **reals, values=tuple(map(float, told["values"])))  # type: ignore[arg-type]


def _is_sound(arrays: dict[str, Array]) -> bool:
    """Whether arrays from a file fit together."""
    observations, owners, firsts, actions = (arrays[name] for name in ("observations", "owners", "firsts", "actions"))
    is_kind = all(arrays[name].dtype == np.dtype(kind) for name, kind in ARRAYS.items())
    is_shape = observations.ndim == 2 and owners.ndim == firsts.ndim == 1 and len(observations) == len(owners) == len(firsts) - 1
    is_one = is_shape and all(arrays[name].shape == actions.shape and actions.ndim == 1 for name in ("averages", "regrets"))
    if not (is_kind and is_one) or firsts[-1] != len(actions) or firsts[0] < 0 or (np.diff(firsts) < 1).any():
        return False
    return bool(np.isfinite(arrays["averages"]).all() and np.isfinite(arrays["regrets"]).all() and (arrays["averages"] >= 0).all())
