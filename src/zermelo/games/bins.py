"""Bins: choose a bin of numbers, from which the opponent chooses the one you get."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..bits import i8
from ..errors import ZermeloError
from ..game import CHANCE, Game

YOU, COIN, OPPONENT, OVER = range(4)  # the stages of a game, in order
STAGES = ("you", "coin", "opponent", "over")


class State(NamedTuple):
    """A bin is known from the second stage on, a number in the last one; 0 until then."""

    stage: i8
    bin: i8
    pick: i8  # which of the bin's two numbers


class Bins(Game):
    """Game 1: you choose a bin, the opponent chooses a number. Game 2: in between, a fair coin may move you one bin to the left.

    `numbers` lists the bins, two numbers each; left of the first bin is the last one. You get the
    number, the opponent loses it. An action is the index of the bin, 0 or 1 for stay or left, and
    the index of the number.
    """

    ends_without_actions, is_zero_sum = True, True

    def __init__(self, game: int = 1, numbers: tuple[int, ...] = (-50, 50, 1, 3, -5, 15)):
        if game not in (1, 2):
            raise ZermeloError(f"bins: expected game 1 or 2, not {game}")
        if not isinstance(numbers, (tuple, list)) or not all(isinstance(x, int) and abs(x) < 1 << 53 for x in numbers):
            raise ZermeloError(f"bins: expected numbers to be whole numbers, two for each bin, not {numbers}")
        pairs = list(zip(numbers[::2], numbers[1::2], strict=False))
        if len(numbers) % 2 or not 1 <= len(pairs) <= 26 or any(a == b for a, b in pairs):
            raise ZermeloError(f"bins: expected two different numbers for each of 1 to 26 bins, not {numbers}")
        self.has_chance = game == 2
        self.numbers = tuple(numbers)
        self.bins = len(pairs)

    def initial(self) -> State:
        return State(YOU, 0, 0)

    def to_move(self, s: State) -> int:
        if s.stage == COIN:
            return CHANCE
        return 0 if s.stage == YOU else 1

    def actions(self, s: State) -> Iterator[int]:
        choices = self.bins if s.stage == YOU else 0 if s.stage == OVER else 2
        for a in range(choices):
            yield a

    def result(self, s: State, a: int) -> State:
        if s.stage == YOU:
            return State(COIN if self.has_chance else OPPONENT, a, 0)
        if s.stage == COIN:
            return State(OPPONENT, (s.bin + self.bins - a) % self.bins, 0)
        return State(OVER, s.bin, a)

    def is_terminal(self, s: State) -> bool:
        return s.stage == OVER

    def utility(self, s: State, p: int) -> float:
        number = self.numbers[2 * s.bin + s.pick]
        return number if p == 0 else -number

    def probability(self, s: State, a: int) -> float:
        return 0.5

    def write_action(self, s: State, a: int) -> str:
        """A bin's letter, `stay` or `left`, or the number."""
        if s.stage == YOU:
            return _letter(a)
        if s.stage == COIN:
            return ("stay", "left")[a]
        return str(self.numbers[2 * s.bin + a])

    def write_state(self, s: State) -> str:
        """The stage, the bin and the number, as far as they are chosen: `you`, `coin A`, `opponent C`, `over C -5`."""
        number = self.numbers[2 * s.bin + s.pick]
        return " ".join((STAGES[s.stage], _letter(s.bin), str(number))[: (1, 2, 2, 3)[s.stage]])

    def read_state(self, text: str) -> State:
        inner = (COIN, OPPONENT) if self.has_chance else (OPPONENT,)
        states = [State(YOU, 0, 0)]
        states += [State(stage, b, 0) for stage in inner for b in range(self.bins)]
        states += [State(OVER, b, pick) for b in range(self.bins) for pick in range(2)]
        named = {self.write_state(s): s for s in states}
        wanted = " ".join(text.split())
        if wanted not in named:
            raise ZermeloError(f"'{text}' is not a state of {self.name}: expected one of {', '.join(named)}")
        return named[wanted]

    def show(self, s: State) -> str:
        bins = [f"{_letter(b)} {{{self.numbers[2 * b]}, {self.numbers[2 * b + 1]}}}" for b in range(self.bins)]
        return "  ".join(bins) + "\n" + self.write_state(s)


def _letter(b: int) -> str:
    return chr(ord("A") + b)
