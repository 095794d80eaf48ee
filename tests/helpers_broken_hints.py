"""Games with one mistake each in a method that may be left to its default, or in their text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from helpers_broken_rules import Card, Cells, Fill, Guess, State, Take

from zermelo import ZermeloError, u64


class Infinite(Take):
    def evaluate(self, s: State, p: int) -> float:
        return float("inf")


class TextOrder(Take):
    def order(self, s: State, a: int) -> Any:
        return "first"


class NoisyNothing(Take):
    def noisy(self, s: State, a: int) -> Any:
        return True if a == 2 else None


class SignedKey(Take):
    def key(self, s: State) -> int:
        return -s.left


class FewFeatures(Take):
    def features(self, s: State, p: int) -> Iterator[float]:
        for _ in range(s.left):
            yield 1.0


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
