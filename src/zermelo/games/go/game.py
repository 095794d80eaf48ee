"""Go: surround points and stones; the player with more points at the end wins.

Here the law of `rules.py` gets judgement, for searches and random games, and text.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...bits import u64
from .._symmetries import Symmetries, of_cells, turns
from . import text as notation
from .board import Points
from .playout_policy import Instinct
from .rules import NO_POINT, State

#: what a place is worth by its line from the edge, in points of `order`: the first line is played last
LINES = (-12, 0, 6, 6, 4)
NETWORKS = (9, 19)  # sizes for which one comes with the game
LAST_WORD = 1 << 20  # of a pass that decides the game: before or after everything else


class Go(Instinct):
    """Go on 2 x 2 to 19 x 19 points; an action is row * (size + 1) + column from the lower left corner, or size * (size + 1), the pass.

    The utility is 1, 0 or -1; with score=True it is the margin in points. `limit` plies end the game, 0 stands for three a point.
    """

    player_names = ("Black", "White")

    default_searcher = "mcts:policy=game,rave=1000,prior=20,ripe=4,exploration=0.05"

    def __init__(self, size: int = 9, komi: float = 7.0, suicide: bool = False, score: bool = False, limit: int = 0):
        super().__init__(size, komi, suicide, score, limit)
        lines = [min(x, size - 1 - x) for x in range(size)] + [0]
        self.worth = tuple(LINES[min(lines[x], lines[y], len(LINES) - 1)] for y in range(size) for x in range(self.row))
        if size in NETWORKS and repr(self) in ("go", f"go:size={size}"):  # a network learned to win by these rules and this komi
            self.network = Path(__file__).parents[1] / "networks" / f"go{size}.safetensors"
            self.network_plays_best = size == 9

    # ---- hints ---------------------------------------------------------------------------------

    def evaluate(self, s: State, p: int) -> float:
        """The points that each is closer to, and komi, as a share that is never whole."""
        mine, theirs = self.reach(s)
        margin = self.with_komi(s, p, self.size_of(mine) - self.size_of(theirs))
        return margin if self.score else margin / (abs(margin) + self.size)

    def is_tactical(self, s: State, a: int) -> bool:
        """Whether stones are taken."""
        if a == self.pass_:
            return False
        at = self.point(a)
        empty = self.rest_of(s.mine, s.theirs)
        return any(self.taken(self.near(at), s.theirs, tuple(x & ~y for x, y in zip(empty, at))))

    def order(self, s: State, a: int) -> int:
        """Take stones, save own ones, give atari, keep liberties, stay near other stones; no own eyes, and no pass before the end."""
        if a == self.pass_:
            return self.order_of_pass(s)
        at = self.point(a)
        around = self.near(at)
        before = self.rest_of(s.mine, s.theirs)
        if self.has(self.eyes(s), a):
            return -500
        mine = tuple(x | y for x, y in zip(s.mine, at))
        taken = self.taken(around, s.theirs, tuple(x & ~y for x, y in zip(before, at)))
        theirs = tuple(x & ~y for x, y in zip(s.theirs, taken))
        empty = self.rest_of(mine, theirs)
        group = self.flood(at, mine)
        free = self.size_of(self.breath(group, empty))
        worth = self.worth[a] + 64 * self.size_of(taken) + 3 * min(free, 5)
        if free > 1:
            worth += 24 * self.size_of(self.in_atari(around, s.mine, before))
            worth += 12 * min(self.size_of(self.in_atari(around, theirs, empty)), 6)
        elif not any(taken):
            worth -= 40 + 8 * self.size_of(group)
        ring = self.near(around)
        return worth + (8 if any(x & ~y for x, y in zip(ring, empty)) else 0)

    def order_of_pass(self, s: State) -> int:
        """A second pass ends the game: the player ahead wins by it, and one who passes first while behind has lost to the second."""
        if self.score:
            return -100
        margin = self.margin(s, s.turn)
        if s.passes == 1 or s.plies + 1 == self.limit:
            return LAST_WORD if margin > 0 else -600
        return -LAST_WORD if margin < 0 else -100

    def features(self, s: State, p: int) -> Iterator[float]:
        """Five planes of all points (stones of p, of the other, those of p in atari, of the other, the ko point), then whether p
        is to move, is Black, and whether there was a pass just before."""
        empty = self.rest_of(s.mine, s.theirs)
        own, other = s.mine, s.theirs
        if p != s.turn:
            own, other = s.theirs, s.mine
        for point in self.points:
            yield 1.0 if self.has(own, point) else 0.0
        for point in self.points:
            yield 1.0 if self.has(other, point) else 0.0
        caught = self.in_atari(own, own, empty)
        for point in self.points:
            yield 1.0 if self.has(caught, point) else 0.0
        caught = self.in_atari(other, other, empty)
        for point in self.points:
            yield 1.0 if self.has(caught, point) else 0.0
        for point in self.points:
            yield 1.0 if point == s.ko else 0.0
        yield 1.0 if p == s.turn else 0.0
        yield 1.0 if p == 0 else 0.0
        yield 1.0 if s.passes > 0 else 0.0

    # ---- what they look at ---------------------------------------------------------------------

    def planes(self, s: State, p: int) -> Iterator[u64]:
        """The stones of p, those of the other, the point of a ko, the last stone; all points if p is Black; all after a pass; the
        groups with one liberty, with two, and with three."""
        ko = self.nothing if s.ko == NO_POINT else self.point(s.ko)
        last = self.nothing if s.last == NO_POINT else self.point(s.last)
        empty = self.rest_of(s.mine, s.theirs)
        mine, theirs = self.by_liberties(s.mine, empty), self.by_liberties(s.theirs, empty)
        for i in range(self.words):
            yield s.mine[i] if p == s.turn else s.theirs[i]
        for i in range(self.words):
            yield s.theirs[i] if p == s.turn else s.mine[i]
        for i in range(self.words):
            yield ko[i]
        for i in range(self.words):
            yield last[i]
        for i in range(self.words):
            yield self.board[i] if p == 0 else u64(0)
        for i in range(self.words):
            yield self.board[i] if s.passes > 0 else u64(0)
        for k in range(3):
            for i in range(self.words):
                yield mine[k][i] | theirs[k][i]

    def by_liberties(self, stones: Points, empty: Points) -> tuple[Points, Points, Points]:
        """The groups of `stones` that have one liberty, two, and three."""
        one, two, three, left = self.nothing, self.nothing, self.nothing, stones
        while any(left):
            group = self.flood(self.point(self.first(left)), stones)
            free = self.size_of(self.breath(group, empty))
            if free == 1:
                one = tuple(x | y for x, y in zip(one, group))
            elif free == 2:
                two = tuple(x | y for x, y in zip(two, group))
            elif free == 3:
                three = tuple(x | y for x, y in zip(three, group))
            left = tuple(x & ~y for x, y in zip(left, group))
        return one, two, three

    def board_symmetries(self) -> Symmetries:
        """All turns and reflections of the board."""
        return of_cells(turns(self.size, self.size), self.points, self.policy_size)

    def reach(self, s: State) -> tuple[Points, Points]:
        """The points closer to stones of the player to move, and those closer to the other's, both with the stones."""
        mine, theirs, empty = s.mine, s.theirs, self.rest_of(s.mine, s.theirs)
        while True:
            close, closer = self.near(mine), self.near(theirs)
            won = tuple(x & ~y & z for x, y, z in zip(close, closer, empty))
            lost = tuple(y & ~x & z for x, y, z in zip(close, closer, empty))
            if not any(won) and not any(lost):
                return mine, theirs
            mine = tuple(x | y for x, y in zip(mine, won))
            theirs = tuple(x | y for x, y in zip(theirs, lost))
            empty = tuple(x & ~(y | z) for x, y, z in zip(empty, close, closer))

    def symmetries(self, s: State) -> Iterator[State]:
        """The board turned and in a mirror: seven others."""
        n, last = self.row, self.size - 1
        for turn in range(1, 8):

            def moved(p: int, turn: int = turn) -> int:
                y, x = divmod(p, n)
                y, x = last - y if turn & 1 else y, last - x if turn & 2 else x
                return x * n + y if turn & 4 else y * n + x

            mine, theirs = (self.set_of(map(moved, self.list_of(stones))) for stones in (s.mine, s.theirs))
            ko, stone = (NO_POINT if p == NO_POINT else moved(p) for p in (s.ko, s.last))
            yield s._replace(mine=mine, theirs=theirs, ko=ko, last=stone)

    # ---- text ----------------------------------------------------------------------------------

    def write_action(self, s: State, a: int) -> str:
        """The point as GTP writes it: A1 is the lower left corner, there is no column I; or pass."""
        return "pass" if a == self.pass_ else notation.vertex(self, a)

    def read_action(self, s: State, text: str) -> int:
        return notation.read_action(self, s, text)

    def write_state(self, s: State) -> str:
        """The rows from the top, X Black, O White; who is to move, the ko point or -, passes, plies and, if known, the last stone."""
        return notation.write_state(self, s)

    def read_state(self, text: str) -> State:
        """The state that `write_state` writes so; whether play can reach it is not asked."""
        return notation.read_state(self, text)

    def show(self, s: State) -> str:
        return notation.show(self, s)

    def svg(self, s: State) -> str:
        """The board with its star points, and a square where ko forbids to play."""
        return notation.svg(self, s)
