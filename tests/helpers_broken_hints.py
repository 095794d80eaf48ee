"""Games with one mistake each in an optional hook, or in their text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from helpers_broken_rules import Card, Cells, Fill, Guess, State, Take

from zermelo import ZermeloError, clz, u64


class Infinite(Take):
    def evaluate(self, s: State, p: int) -> float:
        return float("inf")


class TextOrder(Take):
    def order(self, s: State, a: int) -> Any:
        return "first"


class NoisyNothing(Take):
    def is_tactical(self, s: State, a: int) -> Any:
        return True if a == 2 else None


class SignedKey(Take):
    def key(self, s: State) -> int:
        return -s.left


class FewFeatures(Take):
    def features(self, s: State, p: int) -> Iterator[float]:
        for _ in range(s.left):
            yield 1.0


class FarView(Take):
    def planes(self, s: State, p: int) -> Iterator[int]:
        yield u64(1) << u64(s.left)

    def plane_view(self, s: State, p: int) -> int:
        return 64 * p


class BeyondViews(FarView):
    plane_views = 69


class TextViews(FarView):
    plane_views = "many"  # type: ignore[assignment]


class ViewOfNothing(Take):
    def plane_view(self, s: State, p: int) -> int:
        return 64 * p


class TextPhases(Take):
    phases = "two"  # type: ignore[assignment]

    def phase(self, s: State) -> int:
        return s.left & 1


class OneBound(Take):
    value_range = (1.0,)  # type: ignore[assignment]


class OneInput(FarView):
    plane_inputs = 5  # type: ignore[assignment]


class InfiniteFeatures(Take):
    def features(self, s: State, p: int) -> Iterator[float]:
        yield float(s.left) if s.left else float("inf")


class EndlessFeatures(Take):
    def features(self, s: State, p: int) -> Iterator[float]:
        while True:
            yield 1.0


class OtherTurn(Take):
    def symmetries(self, s: State) -> Iterator[State]:
        yield State(s.left, 1 - s.turn)


class OneLess(Take):
    def symmetries(self, s: State) -> Iterator[State]:
        if s.left == 3:
            yield State(4, s.turn)


class TextSeen(Guess):
    def observe(self, s: Card, p: int) -> Any:
        return "card"


class SeesTooLittle(Guess):
    def observe(self, s: Card, p: int) -> int:
        return s.guess


class SeesMore(Guess):
    def observe(self, s: Card, p: int) -> tuple[int, ...]:
        return (s.guess,) if s.card == 0 else (s.card, s.guess)


class Redeals(Guess):
    def resample(self, s: Card, p: int, seed: u64) -> Card:
        return s if s.card == 0 else Card(s.card % 3 + 1, s.guess)


class FourthCard(Guess):
    def resample(self, s: Card, p: int, seed: u64) -> Card:
        return s if p == 1 or s.card == 0 else Card(4, s.guess)


class Undeals(Guess):
    def observe(self, s: Card, p: int) -> int:
        return 0

    def resample(self, s: Card, p: int, seed: u64) -> Card:
        return Card(0, 0)


class LosesTurn(Take):
    def write_state(self, s: State) -> str:
        return str(s.left)

    def read_state(self, text: str) -> State:
        if text not in list("012345"):
            raise ZermeloError(f"'{text}' is no state: expected 0 to 5")
        return State(int(text), 0)


class TwoLines(Take):
    def write_state(self, s: State) -> str:
        return f"{s.left}\n{s.turn}"


class BadReader(Take):
    def read_state(self, text: str) -> State:
        left, turn = text.split()
        return State(int(left), int(turn))


class AnyNumber(Take):
    def read_state(self, text: str) -> State:
        if text.strip("0123456789 ") or not 1 < len(text.split()) < 3:
            raise ZermeloError(f"'{text}' is no state: expected two numbers")
        return State(*map(int, text.split()))


class AnyAction(Take):
    def read_action(self, s: State, text: str) -> int:
        return {"1": 1, "2": 2}[text]


class SameName(Take):
    def write_action(self, s: State, a: int) -> str:
        return "take"


class Blank(Take):
    def write_action(self, s: State, a: int) -> str:
        return f" {a}"


class WrongAction(Take):
    def read_action(self, s: State, text: str) -> int:
        if text not in ("1", "2"):
            raise ZermeloError("expected 1 or 2")
        return 1


class Invisible(Take):
    def show(self, s: State) -> str:
        return ""


# ---- mistakes that only native code shows --------------------------------------------------------------


class LostBits(Fill):
    def key(self, s: Cells) -> int:
        return (s.cells << 61) >> 60  # interpreted all bits of the word come back, native only some


class NoLowering(Take):
    def evaluate(self, s: State, p: int) -> float:
        return sum([s.left, p])


# ---- mistakes in what searches act on --------------------------------------------------------------------


class EarlyWin(Take):
    def immediate(self, s: State, a: int) -> int:
        return 1 if a == s.left or (a == 2 and s.left <= 3) else 0  # of three, two do not end it


class SmallWin(Take):
    """Who takes the last two gets more than who takes the last one, which is claimed to be a win all the same."""

    def result(self, s: State, a: int) -> State:
        return State(0 if s.left > a else -a, 1 - s.turn) if s.left <= 2 else State(s.left - a, 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        return s.left <= 0

    def utility(self, s: State, p: int) -> float:
        return (-1 if p == s.turn else 1) * (2 if s.left == -2 else 1)

    def immediate(self, s: State, a: int) -> int:
        return 1 if s.left <= 2 else 0


class EarlyLoss(Take):
    def immediate(self, s: State, a: int) -> int:
        return 1 if a == s.left else -1 if s.left - a <= 3 else 0  # two of three do not end it


class LostAtTheEnd(Take):
    def immediate(self, s: State, a: int) -> int:
        return -1 if s.left == a else 0


class InfiniteGain(Take):
    def material_gain(self, s: State, a: int) -> float:
        return float("inf") if a == 2 else 0.0


class HugeOrder(Take):
    def order(self, s: State, a: int) -> int:
        return a << 20


class SlowerThanSaid(Take):
    def moves_left(self, s: State) -> int:
        return (s.left + 1) // 2


class MoreThanSaid(Take):
    def upper_bound(self, s: State, p: int) -> float:
        return 1.0 if (s.left == 0) == (p == s.turn) else -1.0


class NobodyAtLast(Take):
    def moves_left(self, s: State) -> int:
        return s.left

    def final_value(self, s: State, p: int) -> float:
        return 0.0


class UrgentOnly(Take):
    def urgent_first(self, s: State) -> Iterator[int]:
        yield min(s.left, 2)


class NothingRelevant(Take):
    def relevant_actions(self, s: State) -> Iterator[int]:
        if s.left > 2:
            yield 1


class AlwaysRelevant(Take):
    def relevant_actions(self, s: State) -> Iterator[int]:
        yield 2


class MaybeExtended(Take):
    def is_forcing(self, s: State) -> Any:
        return "yes"


class MaybeSkipped(Take):
    def allows_null_move(self, s: State) -> Any:
        return None


class SkipsToNothing(Take):
    def allows_null_move(self, s: State) -> bool:
        return True


class SkipsToItself(SkipsToNothing):
    def null_move(self, s: State) -> State:
        return State(s.left, s.turn)


class SkipsAside(SkipsToNothing):
    def null_move(self, s: State) -> Any:
        return State(200, 1 - s.turn)


class IllegalPlayout(Take):
    def playout_action(self, s: State, random: u64) -> int:
        return 2


class SignedPosition(Take):
    def repetition_key(self, s: State) -> int:
        return -s.left


class UnknownRule(Take):
    repetition = "loss"


class OpenTag(Take):
    def svg(self, s: State) -> str:
        return "<svg><circle></svg>"


class OtherPicture(Take):
    def svg(self, s: State) -> str:
        return "<html/>"


class Sound(Take):
    """Every hook as it should be."""

    def immediate(self, s: State, a: int) -> int:
        if a == s.left:
            return 1
        return -1 if s.left - a <= 2 else 0

    def order(self, s: State, a: int) -> int:
        return a

    def moves_left(self, s: State) -> int:
        return s.left

    def upper_bound(self, s: State, p: int) -> float:
        return -1.0 if s.left == 0 and p == s.turn else 1.0

    def final_value(self, s: State, p: int) -> float:
        return 1.0 if (s.left == 1) == (p == s.turn) else -1.0

    def urgent_first(self, s: State) -> Iterator[int]:
        if s.left > 1:
            yield 2
        if s.left > 0:
            yield 1

    def relevant_actions(self, s: State) -> Iterator[int]:
        if s.left % 3 != 0:
            yield s.left % 3

    def material_gain(self, s: State, a: int) -> float:
        return a / 2

    def is_forcing(self, s: State) -> bool:
        return s.left == 1

    def allows_null_move(self, s: State) -> bool:
        return s.left > 2

    def null_move(self, s: State) -> State:
        return State(s.left, 1 - s.turn)

    def playout_action(self, s: State, random: u64) -> int:
        return min(s.left, 2)

    def repetition_key(self, s: State) -> int:
        return u64(s.left * 2 + s.turn)


class LostGain(Fill):
    def material_gain(self, s: Cells, a: int) -> float:
        return float((s.cells << 61) >> 60)


class LostLoss(Fill):
    def loses_material(self, s: Cells, a: int, more: float) -> bool:
        return float((s.cells << 61) >> 60) > more


class LostKind(Fill):
    def action_kind(self, s: Cells, a: int) -> int:
        return int((s.cells << 61) >> 60 > 1)


class LostPosition(Fill):
    def repetition_key(self, s: Cells) -> int:
        return (s.cells << 61) >> 60


class LostPlayout(Fill):
    def playout_action(self, s: Cells, random: u64) -> int:
        return 63 - clz(15 ^ ((s.cells << 61) >> 61))


class LostSkip(Fill):
    def allows_null_move(self, s: Cells) -> bool:
        return True

    def null_move(self, s: Cells) -> Cells:
        return Cells(1 ^ ((s.cells << 61) >> 61), s.seen)
