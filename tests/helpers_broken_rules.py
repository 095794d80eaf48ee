"""Games with one mistake each in their rules, and the correct games they derive from."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

from zermelo import CHANCE, Game, below, bit, draw, i8, popcount, u64


class State(NamedTuple):
    left: i8
    turn: i8


class Take(Game):
    """Take one or two of five; who takes the last one wins."""

    def initial(self) -> State:
        return State(5, 0)

    def to_move(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        for a in range(1, min(s.left, 2) + 1):
            yield a

    def result(self, s: State, a: int) -> State:
        return State(s.left - a, 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        return s.left == 0

    def utility(self, s: State, p: int) -> float:
        return -1 if p == s.turn else 1


class Card(NamedTuple):
    card: i8  # 0 before it is dealt
    guess: i8  # 0 before it is made


class Guess(Game):
    """Chance deals one of three cards, which player 0 does not see and guesses; player 1 looks on."""

    def initial(self) -> Card:
        return Card(0, 0)

    def to_move(self, s: Card) -> int:
        return CHANCE if s.card == 0 else 0

    def actions(self, s: Card) -> Iterator[int]:
        if s.guess == 0:
            for a in range(1, 4):
                yield a

    def result(self, s: Card, a: int) -> Card:
        return Card(a, 0) if s.card == 0 else Card(s.card, a)

    def is_terminal(self, s: Card) -> bool:
        return s.guess != 0

    def utility(self, s: Card, p: int) -> float:
        return (2 if s.card == s.guess else -1) * (1 if p == 0 else -1)

    def probability(self, s: Card, a: int) -> float:
        return 1 / 3

    def observe(self, s: Card, p: int) -> tuple[int, int, int]:
        return (1 if s.card else 0, s.guess, s.card if p == 1 else 0)

    def resample(self, s: Card, p: int, seed: u64) -> Card:
        return s if p == 1 or s.card == 0 else Card(1 + below(draw(seed, 0), 3), s.guess)


# ---- mistakes in the rules ---------------------------------------------------------------------------


class Counter(Take):
    calls = 0

    def to_move(self, s: State) -> int:
        self.calls = self.calls + 1
        return s.turn


class Diary(Take):
    def __init__(self) -> None:
        self.diary: dict[str, list[int]] = {"taken": []}

    def result(self, s: State, a: int) -> State:
        self.diary["taken"].append(a)
        return super().result(s, a)


THROWS = itertools.cycle((0, 1))  # a die that never falls the same way twice in a row: a fair one is sometimes not found out


class Dice(Take):
    def result(self, s: State, a: int) -> State:
        return State(s.left - a, next(THROWS))


SEEN: list[State] = []


class Forgetful(Take):
    def evaluate(self, s: State, p: int) -> float:
        SEEN.append(s)
        return float(len(SEEN) > 20)


class OneIterator(Take):
    def __init__(self) -> None:
        self.all = iter((1, 2))

    def actions(self, s: State) -> Iterator[int]:
        return self.all


class Twice(Take):
    def actions(self, s: State) -> Iterator[int]:
        yield from super().actions(s)
        if s.left == 2:
            yield 1


class Beyond(Take):
    def actions(self, s: State) -> Iterator[int]:
        yield from super().actions(s)
        if s.left == 0:
            yield 1


class Stuck(Take):
    def actions(self, s: State) -> Iterator[int]:
        if s.left != 1:
            yield from super().actions(s)


class Words(Take):
    def actions(self, s: State) -> Iterator[Any]:
        yield "one"


class Wide(Take):
    def actions(self, s: State) -> Iterator[int]:
        for a in super().actions(s):
            yield a << 64


class Listless(Take):
    def actions(self, s: State) -> Any:
        return None


class Forever(Take):
    def actions(self, s: State) -> Iterator[int]:
        yield from itertools.count(1) if s.left == 3 else super().actions(s)


class Crash(Take):
    def actions(self, s: State) -> Iterator[int]:
        yield from (1, 1 // (s.left - 3) * 0 + 2) if s.left > 1 else (1,) * s.left


class Quits(Take):
    def is_terminal(self, s: State) -> bool:
        raise SystemExit


class TwoArguments(Take):
    def is_terminal(self, s: State, p: int) -> bool:  # type: ignore[override]
        return s.left == 0


class NoAnswer(Take):
    def is_terminal(self, s: State) -> Any:
        return True if s.left == 0 else None


class Unwritten(Take):
    to_move = Game.to_move


class PlainTuple(Take):
    def result(self, s: State, a: int) -> Any:
        return (s.left - a, 1 - s.turn)


class Overflow(Take):
    def result(self, s: State, a: int) -> State:
        return State(s.left - a, 1 - s.turn) if s.left > 2 else State(200, 0)


class Cells(NamedTuple):
    cells: u64
    seen: tuple[i8, ...]


class Fill(Game):
    """Fill four cells; a state has a word and a tuple."""

    def initial(self) -> Cells:
        return Cells(0, (0, 0))

    def to_move(self, s: Cells) -> int:
        return popcount(s.cells) & 1

    def actions(self, s: Cells) -> Iterator[int]:
        for a in range(4):
            if s.cells >> a & 1 == 0:
                yield a

    def result(self, s: Cells, a: int) -> Cells:
        return Cells(s.cells | bit(a), s.seen)

    def is_terminal(self, s: Cells) -> bool:
        return s.cells == 15

    def utility(self, s: Cells, p: int) -> float:
        return 0


class NoMask(Fill):
    def result(self, s: Cells, a: int) -> Cells:
        return Cells(~(~s.cells & ~bit(a)) if a < 3 else ~s.cells, s.seen)


class Lists(Fill):
    def result(self, s: Cells, a: int) -> Cells:
        return Cells(s.cells | bit(a), [0, 0])  # type: ignore[arg-type]


class Kept(NamedTuple):
    moves: list[int]


class ListState(Take):
    def initial(self) -> Any:
        return Kept([])


class Bare(Take):
    def initial(self) -> Any:
        return (5, 0)


class Shuffled(Take):
    asked = 0

    def initial(self) -> State:
        self.asked += 1
        return State(self.asked % 7, 0)


class NoStart(Take):
    def initial(self) -> State:
        return {5: State(5, 0)}[4]


class NoPlayers(Take):
    players = 0


class ThirdPlayer(Take):
    def to_move(self, s: State) -> int:
        return 2 if s.left == 1 else s.turn


class HiddenDice(Take):
    def to_move(self, s: State) -> int:
        return CHANCE if s.left == 1 else s.turn


class Endless(Take):
    def result(self, s: State, a: int) -> State:
        return State(s.left, 1 - s.turn)


class Miscount(Take):
    def count(self, s: State) -> int:
        return 2


class Illegal(Take):
    def sample(self, s: State, random: u64) -> int:
        return 1 + below(random, 2)


class Biased(Take):
    def sample(self, s: State, random: u64) -> int:
        return 1 if s.left == 1 or below(random, 3) else 2


class NinetyPercent(Guess):
    def probability(self, s: Card, a: int) -> float:
        return 0.3


class Negative(Guess):
    def probability(self, s: Card, a: int) -> float:
        return (-1, 1, 1)[a - 1]


class NotANumber(Take):
    def utility(self, s: State, p: int) -> float:
        return float("nan") if p == 1 else 0.0


class Worthless(Take):
    def utility(self, s: State, p: int) -> Any:
        return None
