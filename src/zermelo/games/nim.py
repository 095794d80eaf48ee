"""Nim: take as many as you like, at least one, from one heap; the player who takes the last one wins (misère: loses)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..bits import i8, u8
from ..errors import ZermeloError
from ..game import Game


class State(NamedTuple):
    heaps: tuple[u8, ...]
    turn: i8


class Nim(Game):
    """Nim with 1 to 32 heaps of 0 to 255; to take k from heap i (counted from 0) is the action i * 256 + k."""

    ends_without_actions, is_zero_sum = True, True
    player_names = ("X", "O")

    def __init__(self, heaps: int | tuple[int, ...] = (1, 3, 5, 7), misere: bool = False):
        sizes = tuple(heaps) if isinstance(heaps, (tuple, list)) else (heaps,)  # one number is one heap
        if not 1 <= len(sizes) <= 32 or not all(type(heap) is int and 0 <= heap <= 255 for heap in sizes):
            raise ZermeloError(f"nim: expected 1 to 32 heaps of 0 to 255, not {heaps!r}")
        if not isinstance(misere, bool):
            raise ZermeloError(f"nim: expected misere true or false, not {misere!r}")
        self.heaps, self.misere = sizes, misere

    def initial(self) -> State:
        return State(self.heaps, 0)

    def to_move(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        for i, heap in enumerate(s.heaps):
            for k in range(1, heap + 1):
                yield i * 256 + k

    def result(self, s: State, a: int) -> State:
        i, k = a // 256, a % 256
        return State(tuple(heap - k if j == i else heap for j, heap in enumerate(s.heaps)), 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        return sum(s.heaps) == 0

    def utility(self, s: State, p: int) -> float:
        took_last = p != s.turn
        return 1 if took_last != self.misere else -1

    def count(self, s: State) -> int:
        return sum(s.heaps)

    def write_action(self, s: State, a: int) -> str:
        """Heap number, counted from 1, and how many are taken: 2-3 takes three from the second heap."""
        return f"{a // 256 + 1}-{a % 256}"

    def write_state(self, s: State) -> str:
        """The heaps and who is to move, X (who began) or O: 1,3,5,7 X."""
        return ",".join(map(str, s.heaps)) + " " + "XO"[s.turn]

    def read_state(self, text: str) -> State:
        """The state that `write_state` writes so; exactly those that play from the starting heaps can reach are read."""

        def refuse(expected: str) -> ZermeloError:
            return ZermeloError(f"'{text}' is not a state of {self.name}: expected {expected}")

        found = re.fullmatch(r"([0-9]{1,3}(?:,[0-9]{1,3})*) ([XO])", text.strip())
        heaps = tuple(map(int, found[1].split(","))) if found else ()
        if not found or len(heaps) != len(self.heaps):
            raise refuse(f"{len(self.heaps)} heaps joined by ',' and X or O, who is to move")
        taken = [start - heap for start, heap in zip(self.heaps, heaps, strict=True)]
        if min(taken) < 0:
            raise refuse(f"no heap to be larger than in {','.join(map(str, self.heaps))}")
        # any number of moves can have led here, from one a heap to one for each that was taken: only where the
        # two are equal is it certain who is to move
        least, most, turn = sum(t > 0 for t in taken), sum(taken), "XO".index(found[2])
        if least == most and most % 2 != turn:
            raise refuse(f"{'XO'[most % 2]} to move after {most} moves")
        return State(heaps, turn)

    def show(self, s: State) -> str:
        rows = [f"{i:>2}  {'|' * heap} {heap}" for i, heap in enumerate(s.heaps, 1)]
        return "\n".join([*rows, "the game is over" if self.is_terminal(s) else f"{'XO'[s.turn]} to move"])
