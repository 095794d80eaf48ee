"""Kalah, the mancala game: sow seeds around the board; the player with more of them in the store at the end wins.

The rules are the usual ones. A player sows all seeds of one of the own houses, one into each next pit
counter-clockwise: the own houses, the own store, the other's houses, never the other's store, and on a long way
round also the house they came from. If the last seed falls into the own store, the player moves again. If it
falls into an own house that was empty and the house opposite is not, both go into the own store; if the house
opposite is empty, nothing is captured (some rules let the single seed go to the store: not these). The game is
over as soon as the houses of either player are empty: the other one keeps the seeds in theirs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..bits import i8, i16
from ..errors import ZermeloError
from ..game import Game


class State(NamedTuple):
    """Seen from the player to move, in the order of sowing: own houses, own store, the other's houses, their store."""

    pits: tuple[i16, ...]
    turn: i8  # 0 is South, who begins, 1 North


class Kalah(Game):
    """Kalah with 1 to 31 houses a side and 1 to 255 seeds in each; an action is the house, 0 the farthest from the own store.

    The utility is 1, 0 or -1; with score=True it is the margin in seeds.
    """

    ends_without_actions, is_zero_sum = True, True
    player_names = ("South", "North")
    value_scale = 0.05

    def __init__(self, houses: int = 6, seeds: int = 4, score: bool = False):
        for name, value, most in (("houses", houses, 31), ("seeds", seeds, 255)):
            if type(value) is not int or not 1 <= value <= most:
                raise ZermeloError(f"kalah: expected {name} from 1 to {most}, not {value!r}")
        if not isinstance(score, bool):
            raise ZermeloError(f"kalah: expected score true or false, not {score!r}")
        self.houses, self.seeds, self.score, self.has_scores = houses, seeds, score, score
        if score:
            self.value_scale = 6.0  # seeds
        self.side, self.size = houses + 1, 2 * houses + 2  # pits of one player, and of both
        self.lap = 2 * houses + 1  # pits that a player sows into; also the index of the other's store
        self.total = 2 * houses * seeds

    def initial(self) -> State:
        return State(((self.seeds,) * self.houses + (0,)) * 2, 0)

    def to_move(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        for a in range(self.houses):
            if s.pits[a] > 0:
                yield a

    def result(self, s: State, a: int) -> State:
        seeds = s.pits[a]
        last = (a + seeds) % self.lap
        # the pit that comes d pits after a gets (seeds + lap - d) // lap, and lap - d is a - j counted modulo lap
        sown = tuple(
            (0 if j == a else x) + (0 if j == self.lap else (seeds + (a - j + self.lap) % self.lap) // self.lap)
            for j, x in enumerate(s.pits)
        )
        across = 2 * self.houses - last
        caught = 0
        if last < self.houses and sown[last] == 1 and sown[across] > 0:
            caught = sown[across] + 1
        pits = tuple(x + caught if j == self.houses else 0 if caught > 0 and j in (last, across) else x for j, x in enumerate(sown))
        mine = sum(x if j < self.houses else 0 for j, x in enumerate(pits))
        theirs = sum(x if self.houses < j < self.lap else 0 for j, x in enumerate(pits))
        if mine == 0 or theirs == 0:
            pits = tuple(x + mine if j == self.houses else x + theirs if j == self.lap else 0 for j, x in enumerate(pits))
        if last == self.houses:
            return State(pits, s.turn)
        return State(tuple(pits[(j + self.side) % self.size] for j in range(self.size)), 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        return sum(x if j < self.houses else 0 for j, x in enumerate(s.pits)) == 0

    def utility(self, s: State, p: int) -> float:
        margin = self.margin(s, p)
        if self.score:
            return margin
        return 1 if margin > 0 else -1 if margin < 0 else 0

    def evaluate(self, s: State, p: int) -> float:
        """The margin in the stores so far: in seeds if they are the utility, else as a share of all seeds."""
        return float(self.margin(s, p)) if self.score else self.margin(s, p) / self.total

    def order(self, s: State, a: int) -> int:
        """Actions that give another turn come first."""
        return 1 if (a + s.pits[a]) % self.lap == self.houses else 0

    def upper_bound(self, s: State, p: int) -> float:
        """All seeds but those that the other has in store."""
        most = self.total - 2 * (s.pits[self.lap] if p == s.turn else s.pits[self.houses])
        return float(most) if self.score else 1.0 if most > 0 else 0.0 if most == 0 else -1.0

    def margin(self, s: State, p: int) -> int:
        """How many seeds more p has in store than the other."""
        margin = s.pits[self.houses] - s.pits[self.lap]
        return margin if p == s.turn else -margin

    def write_action(self, s: State, a: int) -> str:
        """The house, counted from 1 in the order of sowing."""
        return str(a + 1)

    def write_state(self, s: State) -> str:
        """South's houses and store, '/', North's, each in the order of sowing, and who is to move, S or N."""
        mine, theirs = (",".join(map(str, part)) for part in (s.pits[: self.side], s.pits[self.side :]))
        return f"{mine}/{theirs} S" if s.turn == 0 else f"{theirs}/{mine} N"

    def read_state(self, text: str) -> State:
        """The state that `write_state` writes so, with all its seeds; whether play can reach it is not asked."""

        def refuse(expected: str) -> ZermeloError:
            return ZermeloError(f"'{text}' is not a state of {self.name}: expected {expected}")

        row = r"([0-9]{1,5}(?:,[0-9]{1,5})*)"
        found = re.fullmatch(rf"{row}/{row} ([SN])", text.strip())
        south, north = (tuple(map(int, found[i].split(","))) if found else () for i in (1, 2))
        if not found or len(south) != self.side or len(north) != self.side:
            raise refuse(f"twice {self.houses} houses and a store, joined by ',' and '/', and S or N, who is to move")
        if sum(south + north) != self.total:
            raise refuse(f"{self.total} seeds in all")
        if (sum(south[:-1]) == 0) != (sum(north[:-1]) == 0):
            raise refuse("the last seeds in the store of their owner once the other's houses are empty")
        return State(south + north, 0) if found[3] == "S" else State(north + south, 1)

    def show(self, s: State) -> str:
        south, north = (s.pits[: self.side], s.pits[self.side :])[:: -1 if s.turn else 1]
        wide = len(str(self.total)) + 1
        blank = " " * wide

        def row(cells: Iterable[int]) -> str:
            return "".join(str(cell).rjust(wide) for cell in cells)

        return "\n".join(
            [
                f"      {blank}{row(range(self.houses, 0, -1))}",
                f"North {blank}{row(north[-2::-1])}",
                f"      {row(north[-1:])}{blank * self.houses}{row(south[-1:])}",
                f"South {blank}{row(south[:-1])}",
                f"      {blank}{row(range(1, self.side))}",
                "the game is over" if self.is_terminal(s) else f"{('South', 'North')[s.turn]} to move",
            ]
        )
