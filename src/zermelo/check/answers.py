"""The interpreted answers of all rules in some states, and how those of lowered code are compared with them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..bits import FULL
from ..game import Game, State
from ..rng import draw
from ..search.prepare import prepare
from ..search.records import Fields
from .ask import MAX_YIELDS, Failed, attempt, shown
from .explore import spread
from .probe import Probe, played, probe
from .rules import Position

STATES = 2_000  # that are compared
GAMES, LENGTH = 50, 1_000  # random games that are compared, and the actions after which they are given up

#: the fields of a probe's record in the order in which they are compared, each with the method that it belongs to
METHODS: dict[str, str] = {
    "mover": "to_move",
    "over": "is_terminal",
    "many": "actions",
    "actions": "actions",
    "count": "count",
    "results": "result",
    "is_tactical": "is_tactical",
    "tactical_count": "tactical_actions",
    "tactical_actions": "tactical_actions",
    "urgent_count": "urgent_first",
    "urgent_first": "urgent_first",
    "relevant_count": "relevant_actions",
    "relevant_actions": "relevant_actions",
    "moves_left": "moves_left",
    "upper_bound": "upper_bound",
    "final_value": "final_value",
    "order": "order",
    "immediate": "immediate",
    "material_gain": "material_gain",
    "loses_material": "loses_material",
    "action_kind": "action_kind",
    "prior_value": "prior_value",
    "weights": "probability",
    "samples": "sample",
    "played": "playout_action",
    "is_forcing": "is_forcing",
    "allows_null_move": "allows_null_move",
    "skipped": "null_move",
    "utility": "utility",
    "evaluate": "evaluate",
    "key": "key",
    "repetition_key": "repetition_key",
    "seen_words": "observe",
    "seen": "observe",
    "dealt": "resample",
    "feature_count": "features",
    "features": "features",
    "plane_count": "planes",
    "planes": "planes",
    "plane_views": "plane_view",
    "pattern_count": "patterns",
    "patterns": "patterns",
    "perspective": "perspective",
    "phase": "phase",
    "outcomes": "outcomes",
}
BY_ACTION = (
    *("actions", "results", "is_tactical", "order", "immediate"),
    *("material_gain", "loses_material", "action_kind", "prior_value", "weights"),
)
#: floats that a compiler may round otherwise
NEARLY = ("material_gain", "prior_value", "upper_bound", "final_value", "utility", "evaluate", "features", "outcomes")
WORDS = (
    "actions",
    "tactical_actions",
    "urgent_first",
    "relevant_actions",
    "samples",
    "played",
)  # a word in them has a sign when it is lowered


@dataclass(frozen=True)
class Answers:
    """What the interpreted probe wrote: for each state what the probe is given and its record, and for random games too.

    `fields` is the work record in which lowered code has room for the same. `games` is None where no games were
    played, and then `why_no_games` says why.
    """

    fields: Fields
    states: list[tuple[State, dict[str, Any], Any]]
    failure: str  # why the last of the states that are left out gave no answers
    games: tuple[dict[str, Any], Any] | None
    why_no_games: str


def answers(game: Game, positions: Sequence[Position], seed: int, is_sound: bool) -> Answers:
    """Ask all rules in some of these positions, and play random games if the rules are sound enough for that.

    States in which a method fails are left out: lowered code, which checks nothing, must not be asked there.
    """
    chosen = [at.s for at in spread(positions, STATES)]
    widest = max((len(at.actions) for at in positions), default=1)
    seen = max((_width(game, attempt(game.observe, s, p)) for s in chosen[:1] for p in range(game.players)), default=1)
    features = max((_count(game.features, s, p) for s in chosen[:1] for p in range(game.players)), default=0)
    planes = max((_count(game.planes, s, p) for s in chosen[:1] for p in range(game.players)), default=0)
    patterns = max((_count(game.patterns, s, p) for s in chosen[:1] for p in range(game.players)), default=0)
    games: tuple[dict[str, Any], Any] | None = None
    why_no_games = "not checked: the rules are not sound enough to play"
    if is_sound and chosen:
        given = {"start": game.layout.pack(chosen[0]), "random": [seed] * 4, "games": GAMES, "limit": LENGTH}
        run = prepare(game, played, _fields(game, _power(MAX_YIELDS), 1, 1, planes=1, patterns=1, results=1), True)
        outcome = attempt(lambda: run(**given))
        if isinstance(outcome, Failed):
            why_no_games = f"not checked: interpreted, a method {outcome.why}"
        else:
            games, widest = (given, outcome), max(widest, outcome.counts[1])
    rooms = {"planes": _power(planes), "patterns": _power(patterns), "results": _power(widest)}
    record = _fields(game, _power(widest), _power(max(seen, 1)), _power(features), **rooms)
    run = prepare(game, probe, record, True)
    found, failure = [], "no state could be asked"
    for i, s in enumerate(chosen):
        given = {"start": game.layout.pack(s), "random": [draw(seed, 4 * i + k) for k in range(4)]}
        answer = attempt(lambda given=given: run(**given))
        if isinstance(answer, Failed):
            failure = f"a method {answer.why}"
        else:
            found.append((s, given, answer))
    return Answers(record, found, failure, games, why_no_games)


def _fields(game: Game, actions: int, seen: int, features: int, planes: int, patterns: int, results: int) -> Fields:
    """The record of a probe with room for these numbers of each."""
    sizes = {"actions": actions, "seen": seen, "features": features, "planes": planes, "patterns": patterns, "results": results}
    sizes["outcomes"] = _power(len(game.outcome_values))
    return Probe.fields(words=game.layout.words, players=game.players, **sizes)


def difference(here: Any, there: Any) -> str | None:
    """How a lowered record (there) differs from the interpreted one (here), naming the method; None if it does not."""
    for name, method in METHODS.items():
        mine, theirs = getattr(here, name), getattr(there, name)
        if name in BY_ACTION:
            mine, theirs = mine[: here.many], theirs[: here.many]
        for x, y in zip(_flat(mine), _flat(theirs), strict=True):
            if not _equal(name, x, y):
                return f"{method} gives {shown(x)} interpreted, but {shown(y)}"
    return None


def games_difference(here: Any, there: Any) -> str | None:
    """How the lowered random games differ from the interpreted ones; None if they do not."""
    if (here.value, here.counts[0]) != (there.value, int(there.counts[0])):
        return f"{GAMES} random games take {here.value:,} actions interpreted, but {there.value:,}"
    for p, (x, y) in enumerate(zip(here.utility, _flat(there.utility), strict=True)):
        if not math.isclose(x, y, rel_tol=1e-9, abs_tol=1e-9):
            return f"{GAMES} random games give player {p} {x:g} in all interpreted, but {y:g}"
    return None


def _width(game: Game, seen: Any) -> int:
    """How many words an observation takes."""
    return game.layout.words if type(seen) is game.layout.state else len(seen) if isinstance(seen, tuple) else 1


def _count(hook: Callable[[State, int], Iterable[Any]], s: State, p: int) -> int:
    """How many features, planes or patterns there are."""
    n = attempt(lambda: sum(1 for _ in zip(range(MAX_YIELDS), hook(s, p), strict=False)))
    return 0 if isinstance(n, Failed) else n


def _power(n: int) -> int:
    """The least power of two that is n or more: lowered code fills arrays of such lengths."""
    return 1 << max(0, n - 1).bit_length()


def _flat(value: Any) -> list[Any]:
    """A field of a record as a list of Python numbers."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    return [x for part in value for x in _flat(part)] if isinstance(value, list) else [value]


def _equal(name: str, x: Any, y: Any) -> bool:
    if name in WORDS:
        return (int(x) - int(y)) & FULL == 0
    if name in NEARLY:
        return bool(x == y) or math.isclose(x, y, rel_tol=1e-12) or (math.isnan(x) and math.isnan(y))
    return bool(x == y)
