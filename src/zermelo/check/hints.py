"""The methods that a game may leave to their defaults: evaluate, order, is_tactical, key, symmetries, and what is learned from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..bits import FULL
from ..game import CHANCE, Game, State
from .ask import ANY, NUMBER, REAL, TRUTH, WHOLE_NUMBER, Ask, Failed, attempt, same, shown
from .explore import spread
from .report import Notes
from .rules import Position

CLOSELY = 300  # states whose symmetries are compared by what can be done after them, too


class Hints:
    """Checks the hints state by state; remembers keys and how many features there are."""

    def __init__(self, ask: Ask, notes: Notes):
        self.ask, self.notes = ask, notes
        self.players = ask.game.players
        self.own_key = type(ask.game).key is not Game.key
        self.features: int | None = None
        self.planes = 0
        self.patterns = 0
        self._keys: dict[int, State] = {}
        self._shared = 0

    def check(self, at: Position) -> None:
        """Check the hints in this position."""
        if not at.over:
            self._evaluate(at.s)
        self._range(at)
        for a in at.actions:
            self.ask(NUMBER, "order", at.s, a)
            self.ask(TRUTH, "is_tactical", at.s, a)
        self._tactical(at)
        self._key(at.s)
        self._features(at.s)
        self._planes(at)
        self._policy(at)
        self._patterns(at)
        self._outcomes(at)
        self._symmetries(at)

    def end(self, positions: Sequence[Position]) -> None:
        """Check what takes more than one state, or more time than all states have."""
        if self._shared:
            self.notes.remark("keys tell states apart", f"the game's own key is shared by {self._shared:,} states with others")
        if self.notes.failed("symmetries are the same"):
            return
        for at in spread(positions, CLOSELY):
            images = self.ask.quietly("symmetries", at.s)
            wanted = self._after(at.s, at.actions) if images and not isinstance(images, Failed) else None
            for t in images if wanted is not None else ():
                if not same(self._after(t, self.ask.quietly("actions", t)), wanted):
                    message = f"symmetries yields {shown(t)}, after which other things can be done than after this state"
                    self.notes.fail("symmetries are the same", message, at.s)

    # ---- one hint each -----------------------------------------------------------------------

    def _evaluate(self, s: State) -> None:
        values = [self.ask(REAL, "evaluate", s, p) for p in range(self.players)]
        if any(isinstance(v, Failed) for v in values):
            return
        self.notes.count("evaluate is finite")
        for p, v in enumerate(values):
            if not math.isfinite(v):
                self.notes.fail("evaluate is finite", f"evaluate gives {v} to player {p}, expected a finite number", s)
                return

    def _range(self, at: Position) -> None:
        """What utility or evaluate gives lies within the range that the game declares: searches prune by it."""
        if (bounds := self.ask.game.value_range) is None:
            return
        self.notes.count("values are within value_range")
        if not (isinstance(bounds, tuple) and len(bounds) == 2 and all(isinstance(v, (int, float)) for v in bounds)):
            told = f"value_range is {shown(bounds)}, expected a tuple of two numbers"
            self.notes.fail("values are within value_range", told, at.s)
            return
        method = "utility" if at.over else "evaluate"
        for p in range(self.players):
            v = self.ask.quietly(method, at.s, p)
            if isinstance(v, (int, float)) and not bounds[0] <= v <= bounds[1]:
                told = f"{method} gives {v:g} to player {p}, expected {bounds[0]:g} to {bounds[1]:g}"
                self.notes.fail("values are within value_range", told, at.s)

    def _tactical(self, at: Position) -> None:
        if not self.ask.game.has_tactical_actions:
            return
        listed = self.ask.many(WHOLE_NUMBER, "tactical_actions", at.s)
        if isinstance(listed, Failed):
            return
        self.notes.count("tactical_actions lists what is tactical")
        if len(set(listed)) < len(listed) or not set(listed) <= set(at.actions):
            self.notes.fail(
                "tactical_actions lists what is tactical",
                f"tactical_actions yields {listed}, expected some of the actions, each once",
                at.s,
            )
        for a in at.actions:
            if a not in listed and self.ask.quietly("is_tactical", at.s, a) is True:
                self.notes.fail("tactical_actions lists what is tactical", f"tactical_actions does not yield {a}, which is_tactical", at.s)

    def _key(self, s: State) -> None:
        key = self.ask(WHOLE_NUMBER, "key", s)
        if isinstance(key, Failed):
            return
        self.notes.count("key is 64 bits")
        if not 0 <= key <= FULL:
            self.notes.fail("key is 64 bits", f"key gives {key}, expected 0 to 2**64 - 1: mask it with u64(...)", s)
            return
        self.notes.count("keys tell states apart")
        other = self._keys.setdefault(key, s)
        if other != s:
            if self.own_key:  # a game may let states that are the same to a search share a key
                self._shared += 1
            else:
                self.notes.fail("keys tell states apart", f"key gives {key} here and in {shown(other)}", s)

    def _features(self, s: State) -> None:
        if type(self.ask.game).features is Game.features:
            return
        self.notes.count("features are equally many")
        for p in range(self.players):
            values = self.ask.many(REAL, "features", s, p)
            if isinstance(values, Failed):
                return
            if self.features is None:
                self.features = len(values)
            if len(values) != self.features:
                message = f"features yields {len(values)} numbers for player {p}, but {self.features} in the first state"
                self.notes.fail("features are equally many", message, s)
            elif not all(map(math.isfinite, values)):
                wrong = next(x for x in values if not math.isfinite(x))
                self.notes.fail("features are equally many", f"features yields {wrong} for player {p}, expected finite numbers", s)

    def _planes(self, at: Position) -> None:
        game, what = self.ask.game, "planes are as many as said"
        is_own = type(game).perspective is not Game.perspective
        view = self.ask(WHOLE_NUMBER, "perspective", at.s) if is_own and not at.over else None
        if view is not None and not isinstance(view, Failed):
            self.notes.count("perspective names a player")
            if not 0 <= view < self.players:
                self.notes.fail("perspective names a player", f"perspective gives {view}, expected 0 to {self.players - 1}", at.s)
        self._phase(at)
        if not game.has_planes:
            if game.has_plane_view:
                self.notes.count("plane_view names inputs")
                self.notes.fail("plane_view names inputs", "the game writes plane_view, but not planes(self, s, p)", at.s)
            return
        self.notes.count(what)
        if not isinstance(game.plane_inputs, tuple):
            self.notes.fail(
                what, f"plane_inputs is {shown(game.plane_inputs)}, expected a tuple of (first, step, scale) for each plane", at.s
            )
            return
        for p in range(self.players):
            words = self.ask.many(WHOLE_NUMBER, "planes", at.s, p)
            if isinstance(words, Failed):
                return
            self.planes = self.planes or len(game.plane_inputs) or len(words)
            if len(words) != self.planes:
                self.notes.fail(what, f"planes yields {len(words)} words for player {p}, expected {self.planes}", at.s)
            elif wrong := next((w for w in words if not 0 <= w <= FULL), 0):
                self.notes.fail(what, f"planes yields {wrong}, expected 0 to 2**64 - 1: mask it with u64(...)", at.s)
        if game.has_plane_view:
            self._plane_view(at)

    def _plane_view(self, at: Position) -> None:
        """Whether each player sees inputs of the planes, and different ones as different ones do: an exclusive or cannot but."""
        what, words = "plane_view names inputs", self.ask.many(WHOLE_NUMBER, "planes", at.s, 0)
        if isinstance(words, Failed):
            return
        self.notes.count(what)
        end = self.ask.game.plane_views or 64 * len(words)
        if type(end) is not int:
            self.notes.fail(what, f"plane_views is {shown(end)}, expected a whole number", at.s)
            return
        inputs = [64 * k + b for k, word in enumerate(words) for b in range(64) if word >> b & 1]
        for p in range(self.players):
            view = self.ask(WHOLE_NUMBER, "plane_view", at.s, p)
            if isinstance(view, Failed):
                return
            wrong = next((i for i in inputs if not 0 <= i ^ view < end), None)
            if wrong is not None:
                message = f"plane_view gives {view} for player {p}, which makes input {wrong ^ view} of {wrong}: expected 0 to"
                self.notes.fail(what, f"{message} {end - 1}", at.s)

    def _policy(self, at: Position) -> None:
        game, what = self.ask.game, "policy indices tell actions apart"
        if not game.has_policy_index or at.over or at.mover == CHANCE:
            return
        self.notes.count(what)
        found: dict[int, int] = {}
        for a in at.actions:
            i = self.ask(WHOLE_NUMBER, "policy_index", at.s, a)
            if isinstance(i, Failed):
                return
            if not 0 <= i < game.policy_size:
                self.notes.fail(what, f"policy_index gives {i} for {a}, expected 0 to {game.policy_size - 1:,} (policy_size)", at.s)
            elif found.setdefault(i, a) != a:
                self.notes.fail(what, f"policy_index gives {i} for {found[i]} and for {a}", at.s)

    def _patterns(self, at: Position) -> None:
        game, what = self.ask.game, "patterns name weights"
        if not game.has_patterns:
            return
        self.notes.count(what)
        for p in range(self.players):
            numbers = self.ask.many(WHOLE_NUMBER, "patterns", at.s, p)
            if isinstance(numbers, Failed):
                return
            self.patterns = self.patterns or len(numbers)
            if len(numbers) != self.patterns:
                self.notes.fail(
                    what, f"patterns yields {len(numbers)} numbers for player {p}, but {self.patterns} in the first state", at.s
                )
            elif wrong := [n for n in numbers if not 0 <= n < game.pattern_weights]:
                self.notes.fail(what, f"patterns yields {wrong[0]}, expected 0 to {game.pattern_weights - 1:,} (pattern_weights)", at.s)

    def _phase(self, at: Position) -> None:
        game, what = self.ask.game, "phase is one of the phases"
        is_own = type(game).phase is not Game.phase
        phase = self.ask(WHOLE_NUMBER, "phase", at.s) if is_own and not at.over else None
        if phase is None or isinstance(phase, Failed):
            return
        self.notes.count(what)
        if type(game.phases) is not int:
            self.notes.fail(what, f"phases is {shown(game.phases)}, expected a whole number", at.s)
        elif not 0 <= phase < game.phases:
            self.notes.fail(what, f"phase gives {phase}, expected 0 to {game.phases - 1}", at.s)

    def _outcomes(self, at: Position) -> None:
        game, what = self.ask.game, "outcomes make the utility"
        if not game.has_outcomes or not at.over:
            return
        self.notes.count(what)
        found = [self.ask.many(REAL, "outcomes", at.s, p) for p in range(self.players)]
        if self.players != 2 or any(isinstance(one, Failed) or len(one) != len(game.outcome_values) for one in found):
            message = f"outcomes yields other numbers than outcome_values has ({len(game.outcome_values)}), or there are not two players"
            self.notes.fail(what, message, at.s)
            return
        worth, utility = self.ask(REAL, "equity", at.s, 0, *map(tuple, found)), self.ask(REAL, "utility", at.s, 0)
        if isinstance(worth, Failed) or isinstance(utility, Failed):
            return
        if not math.isclose(worth, utility, abs_tol=1e-9):
            self.notes.fail(what, f"outcomes are worth {worth:g} to player 0, whose utility is {utility:g}", at.s)

    def _symmetries(self, at: Position) -> None:
        if type(self.ask.game).symmetries is Game.symmetries:
            return
        images = self.ask.many(ANY, "symmetries", at.s)
        if isinstance(images, Failed):
            return
        self.notes.count("symmetries are the same")
        for t in images:
            if wrong := self._unlike(at, t):
                self.notes.fail("symmetries are the same", f"symmetries yields {shown(t)}: {wrong}", at.s)
                return

    def _unlike(self, at: Position, t: State) -> str | None:
        """How the image t differs from the position in what every symmetry keeps."""
        if (wrong := attempt(self.ask.game.layout.fault, t)) is not None:
            return wrong.why if isinstance(wrong, Failed) else str(wrong)
        if not same(mover := self.ask.quietly("to_move", t), at.mover):
            return f"to_move gives {_why(mover)} there, and {at.mover} here"
        if not same(over := self.ask.quietly("is_terminal", t), at.over):
            return f"is_terminal gives {_why(over)} there, and {at.over} here"
        actions = self.ask.quietly("actions", t)
        if isinstance(actions, Failed) or len(actions) != len(at.actions):
            return f"actions yields {_why(actions) if isinstance(actions, Failed) else len(actions)} there, and {len(at.actions)} here"
        for p in range(self.players if at.over else 0):
            there, here = (self.ask.quietly("utility", x, p) for x in (t, at.s))
            if not same(there, here):
                return f"utility gives player {p} {_why(there)} there, and {_why(here)} here"
        return None

    def _after(self, s: State, actions: Any) -> list[str] | None:
        """What the states after s are like, in words and whatever their order; None if that cannot be said."""
        found = []
        for a in () if isinstance(actions, Failed) else actions:
            t = self.ask.quietly("result", s, a)
            over = self.ask.quietly("is_terminal", t)
            facts = [self.ask.quietly("utility", t, p) for p in range(self.players)] if over is True else [self.ask.quietly("count", t)]
            if any(isinstance(x, Failed) for x in (t, over, *facts)):
                return None
            found.append(f"{over}, {facts}")
        return sorted(found)


def _why(answer: Any) -> str:
    return f"nothing (it {answer.why})" if isinstance(answer, Failed) else shown(answer)
