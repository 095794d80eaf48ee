"""Liar's dice: bids on dice that nobody sees whole, until one is doubted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..bits import bit, clz, i8, popcount, u64
from ..errors import ZermeloError
from ..game import CHANCE, Game
from ..rng import below, draw


class State(NamedTuple):
    """The dice of player 0, then those of player 1, and the bids."""

    dice: tuple[i8, ...]  # faces, 0 before they are rolled
    bids: u64  # a bit for each bid that was made
    called: bool


class LiarsDice(Game):
    """Two players roll `dice` dice each and bid in turn on how many of all dice show a face; each bid is higher than the last.

    The highest face counts as any other. Instead of bidding a player may call the last bid a lie: the bidder wins if there are
    as many as were bid, else the caller. An action of chance is the face of the next die; of a player, a bid, (number - 1) * sides +
    face - 1, or after all bids: liar.
    """

    ends_without_actions, is_zero_sum = True, True
    value_range = (-1.0, 1.0)

    def __init__(self, dice: int = 1, sides: int = 6):
        if not all(isinstance(x, int) for x in (dice, sides)) or dice < 1 or not 2 <= sides <= 9 or 2 * dice * sides > 60:
            raise ZermeloError(f"liarsdice: expected dice of 2 to 9 sides, at least one each and 60 bids at most, not {dice} of {sides}")
        self.dice, self.sides, self.liar = dice, sides, 2 * dice * sides
        self.max_actions = max(64, self.liar + 1)

    def initial(self) -> State:
        return State((0,) * (2 * self.dice), 0, False)

    def rolled(self, s: State) -> int:
        """How many dice are rolled."""
        return sum(1 if face > 0 else 0 for face in s.dice)

    def made(self, s: State) -> int:
        """How many bids were made."""
        return popcount(s.bids)

    def highest(self, s: State) -> int:
        """The last bid, -1 if there is none."""
        return 63 - clz(s.bids)

    def to_move(self, s: State) -> int:
        return CHANCE if self.rolled(s) < 2 * self.dice else self.made(s) % 2

    def actions(self, s: State) -> Iterator[int]:
        if self.rolled(s) < 2 * self.dice:
            for face in range(1, self.sides + 1):
                yield face
        elif not s.called:
            for a in range(self.highest(s) + 1, self.liar):
                yield a
            if s.bids:
                yield self.liar

    def result(self, s: State, a: int) -> State:
        n = self.rolled(s)
        if n < 2 * self.dice:
            return State(tuple(a if i == n else face for i, face in enumerate(s.dice)), s.bids, False)
        if a == self.liar:
            return State(s.dice, s.bids, True)
        return State(s.dice, s.bids | bit(a), False)

    def is_terminal(self, s: State) -> bool:
        return s.called

    def utility(self, s: State, p: int) -> float:
        bid = self.highest(s)
        face, there = bid % self.sides + 1, 0
        for one in s.dice:
            there += 1 if one in (face, self.sides) else 0
        bidder = (self.made(s) - 1) % 2
        return 1.0 if (there > bid // self.sides) == (p == bidder) else -1.0

    def probability(self, s: State, a: int) -> float:
        return 1.0 / self.sides

    def observe(self, s: State, p: int) -> tuple[int, u64, int, int]:
        """How many own dice show each face, four bits each; the bids; how many dice are rolled; whether a bid is called."""
        faces = 0
        for i, face in enumerate(s.dice):
            if i // self.dice == p and face > 0:
                faces += 1 << 4 * (face - 1)
        return (faces, s.bids, self.rolled(s), 1 if s.called else 0)

    def resample(self, s: State, p: int, seed: u64) -> State:
        """Roll the other player's dice again."""
        return State(
            tuple(face if i // self.dice == p or face == 0 else 1 + below(draw(seed, u64(i)), self.sides) for i, face in enumerate(s.dice)),
            s.bids,
            s.called,
        )

    def announce(self, s: State, a: int, p: int) -> str:
        """Whatever players do is seen by all; what is dealt is not."""
        return self.write_action(s, a) if self.to_move(s) != CHANCE else ""

    def write_action(self, s: State, a: int) -> str:
        """The face of a die; a bid as number and face, `2x5`; or `liar`."""
        if self.rolled(s) < 2 * self.dice:
            return str(a)
        return "liar" if a == self.liar else f"{a // self.sides + 1}x{a % self.sides + 1}"

    def write_state(self, s: State) -> str:
        """The dice of both players (. before they are rolled), and the bids: `3/5 1x2 2x5 liar`."""
        faces = "".join(str(face) if face else "." for face in s.dice)
        bids = [f"{b // self.sides + 1}x{b % self.sides + 1}" for b in range(self.liar) if s.bids >> b & 1]
        return " ".join([f"{faces[: self.dice]}/{faces[self.dice :]}", *bids, *(["liar"] if s.called else [])])

    def read_state(self, text: str) -> State:
        """The state that play reaches by these dice and bids."""
        dice, *bids = text.split() or [""]
        s = self.initial()
        names = [*re.sub(r"[/.]", "", dice), *bids]
        for name in names:
            named = {self.write_action(s, a): a for a in self.actions(s)}
            s = self.result(s, named[name]) if name in named else s
        if self.write_state(s) != " ".join([dice, *bids]):
            raise ZermeloError(
                f"'{text}' is not a state of {self.name}: expected {self.dice} faces of each player (. before they are rolled) and bids, "
                f"each higher than the last, like {'3' * self.dice}/{'2' * self.dice} 1x2 2x2 liar"
            )
        return s

    def show(self, s: State) -> str:
        faces = [str(face) if face else "." for face in s.dice]
        turn = -1 if self.is_terminal(s) else self.to_move(s)
        bids = self.write_state(s).split()[1:]
        rows = [f"player {p}: {' '.join(faces[p * self.dice : (p + 1) * self.dice])}" + ("  to bid" if p == turn else "") for p in range(2)]
        return "\n".join([*rows, f"bids: {' '.join(bids) or '-'}"])
