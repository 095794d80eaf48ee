"""Hex: take cells in turn; the player who joins their own two edges wins.

Black begins and joins the top to the bottom, White the left to the right. With the swap rule White may, instead of
the first stone, take over Black's: it becomes White's, mirrored in the long diagonal, so that it is as good for White
as it was for Black. A full board has exactly one winner: there are no draws.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...bits import ctz, i64, nth, popcount, rest, u64
from ...errors import ZermeloError
from ...rng import below, mix
from .._symmetries import Symmetries, half_turn, of_cells
from . import text
from .board import Cells
from .connections import Connections
from .state import State


class Hex(Connections):
    """Hex on size x size cells; an action is the index of the cell, or size * size to swap."""

    ends_without_actions, is_zero_sum = True, True
    player_names = ("Black", "White")
    value_scale = 0.23

    default_searcher = "mcts:policy=game,rave=1000,exploration=0.1"

    def __init__(self, size: int = 11, swap: bool = False):
        if type(size) is not int or not 2 <= size <= 19:
            raise ZermeloError(f"hex: expected size from 2 to 19, not {size!r}")
        if not isinstance(swap, bool):
            raise ZermeloError(f"hex: expected swap true or false, not {swap!r}")
        super().__init__(size)
        self.swap = swap
        if (size, swap) == (11, False):
            self.network = Path(__file__).parents[1] / "networks" / "hex11.safetensors"
            self.network_plays_best = True
        self.max_actions = self.cells + 1
        every = range(self.cells)
        self.board_height, self.board_width, self.policy_size = size, size, self.max_actions
        self.mirrored = tuple(i % size * size + i // size for i in every)  # in the long diagonal
        self.board_bits = (*every, *self.mirrored)  # each player sees their own edges at the top and the bottom

    def initial(self) -> State:
        return State(self.none, self.none, self.none, self.none, 0, False)

    def to_move(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        if not s.won:
            for i in range(self.words):
                cells = self.board[i] ^ (s.mine[i] | s.theirs[i])
                while cells:
                    yield 64 * i + ctz(cells)
                    cells = rest(cells)
            if self.may_swap(s):
                yield self.cells

    def result(self, s: State, a: int) -> State:
        if self.swap and a == self.cells:
            return self.swapped(s)
        stone = self.cell(a)
        mine = tuple(x | y for x, y in zip(s.mine, stone))
        joined = s.mine_joined
        won = False
        edge = self.top if s.turn == 0 else self.left
        around = self.near(stone)
        if any(x & y | n & j != 0 for x, y, n, j in zip(stone, edge, around, joined)):
            new = tuple(m & ~j for m, j in zip(mine, joined))
            group = self.flooded(stone, new)  # each stone is flooded once a game: when it becomes joined
            joined = tuple(j | g for j, g in zip(joined, group))
            goal = self.bottom if s.turn == 0 else self.right
            won = any(j & g != 0 for j, g in zip(joined, goal))
        return State(s.theirs, mine, s.theirs_joined, joined, 1 - s.turn, won)

    def is_terminal(self, s: State) -> bool:
        return s.won

    def utility(self, s: State, p: int) -> float:
        return -1 if p == s.turn else 1

    def count(self, s: State) -> int:
        if s.won:
            return 0
        return self.cells - sum(popcount(x | y) for x, y in zip(s.mine, s.theirs)) + (1 if self.may_swap(s) else 0)

    def sample(self, s: State, random: u64) -> int:
        cells = tuple(b ^ (x | y) for b, x, y in zip(self.board, s.mine, s.theirs))
        k = below(random, self.count(s))
        word, first = cells[0], 0
        for i in range(1, self.words):
            if k >= popcount(word):
                k -= popcount(word)
                word, first = cells[i], 64 * i
        if self.swap and k >= popcount(word):
            return self.cells
        return first + nth(word, k)

    def key(self, s: State) -> u64:
        """Of the stones and the turn: the rest follows from them."""
        h = mix(u64(s.turn + 1))  # mixed, or a turn would look like a stone on the first cell
        for x, y in zip(s.mine, s.theirs):
            h = mix(mix(h ^ x) ^ y)
        return h

    # ---- the swap rule -----------------------------------------------------------------------

    def may_swap(self, s: State) -> bool:
        """Whether the player to move may take over the other's stone, the only one on the board."""
        if not self.swap or s.turn == 0:
            return False
        return all(x == 0 for x in s.mine) and sum(popcount(y) for y in s.theirs) == 1

    def swapped(self, s: State) -> State:
        """After the swap: the stone is White's, mirrored in the long diagonal, and Black is to move."""
        at = 0
        for i in range(self.words):
            if s.theirs[i] != 0:
                at = 64 * i + ctz(s.theirs[i])
        stone = self.cell(at % self.size * self.size + at // self.size)
        joined = tuple(x & y for x, y in zip(stone, self.left))
        return State(self.none, stone, self.none, joined, 0, False)

    # ---- hints -------------------------------------------------------------------------------

    def evaluate(self, s: State, p: int) -> float:
        """How many links each side lacks, and in how many cells they may be made; who is to move is half a link ahead."""
        mine, my_ways = self.links(s.mine, s.theirs, s.turn)
        theirs, their_ways = self.links(s.theirs, s.mine, 1 - s.turn)
        x = 0.5 + 0.7 * (theirs - mine) + 0.4 * (my_ways - their_ways) / self.size
        if self.may_swap(s):
            x = abs(x)
        v = x / (1.0 + abs(x))
        return v if p == s.turn else -v

    def immediate(self, s: State, a: int) -> int:
        """The sides are joined, or one stone of the other would join theirs. A swap leaves a single stone, which is neither."""
        if self.swap and a == self.cells:
            return 0
        after = self.result(s, a)
        if after.won:
            return 1
        return -1 if self.distance(after.mine, after.theirs, after.turn) == 1 else 0

    def order(self, s: State, a: int) -> int:
        """By the links and the stones that each side lacks then; a swap comes early."""
        if self.swap and a == self.cells:
            return self.cells
        after = self.result(s, a)
        their_stones = self.distance(after.mine, after.theirs, after.turn)
        my_stones = self.distance(after.theirs, after.mine, s.turn)
        mine = self.levels(after.theirs, after.mine, s.turn)
        theirs = self.levels(after.mine, after.theirs, after.turn)
        return 4 * (theirs[0] - mine[0]) + their_stones - my_stones

    def relevant_actions(self, s: State) -> Iterator[int]:
        """The cells of which one wins if any does (`connections.py`); none if the other's edges cannot be kept apart."""
        cells = self.outside(s.mine, s.theirs)
        if not self.swap or sum(popcount(x) for x in cells) < self.cells - 1:  # else the stone may still change hands
            cells = self.mustplay(s.mine, s.theirs, s.turn)
        for i in range(self.words):
            word = cells[i]
            while word:
                yield 64 * i + ctz(word)
                word = rest(word)
        if self.may_swap(s):
            yield self.cells

    def playout_action(self, s: State, random: u64) -> int:
        """One of the cells that save a bridge, if any does; else any action."""
        cells = self.saving(s)
        n = sum(popcount(x) for x in cells)
        if n == 0:
            return self.sample(s, random)
        k = below(random, n)
        word, first = cells[0], 0
        for i in range(1, self.words):
            if k >= popcount(word):
                k -= popcount(word)
                word, first = cells[i], 64 * i
        return first + nth(word, k)

    def features(self, s: State, p: int) -> Iterator[float]:
        """Whether p is to move, then each cell: 1 for a stone of p, -1 for one of the other. p joins the top to the bottom."""
        yield 1.0 if p == s.turn else -1.0
        for i in range(self.cells):
            at = i if p == 0 else i % self.size * self.size + i // self.size
            one = i64(s.mine[at >> 6] >> (at & 63) & 1) - i64(s.theirs[at >> 6] >> (at & 63) & 1)
            yield float(one if p == s.turn else -one)

    def planes(self, s: State, p: int) -> Iterator[u64]:
        """The stones of p, and those of the other."""
        for i in range(self.words):
            yield s.mine[i] if p == s.turn else s.theirs[i]
        for i in range(self.words):
            yield s.theirs[i] if p == s.turn else s.mine[i]

    def policy_index(self, s: State, a: int) -> int:
        """The cell as its player sees the board."""
        return self.mirrored[a] if s.turn == 1 and a < self.cells else a

    def board_symmetries(self) -> Symmetries:
        """The board upside down."""
        return of_cells([half_turn(self.size, self.size)], range(self.cells), self.policy_size)

    def saving(self, s: State) -> Cells:
        """The free cells that save a bridge of the player to move: one between two own stones, its neighbour between them the other's.

        Around such a cell there are an own stone, one of the other and an own one, side by side; the own edges count as stones.
        """
        a, b, c, d, e, f = self.around(s.mine, s.turn)
        g, h, i, j, k, m = self.sides(s.theirs)
        free = tuple(x ^ (y | z) for x, y, z in zip(self.board, s.mine, s.theirs))
        return tuple(
            w
            & (a[n] & h[n] & c[n] | b[n] & i[n] & d[n] | c[n] & j[n] & e[n] | d[n] & k[n] & f[n] | e[n] & m[n] & a[n] | f[n] & g[n] & b[n])
            for n, w in enumerate(free)
        )

    # ---- links: what a player lacks -----------------------------------------------------------

    def links(self, own: Cells, other: Cells, turn: int) -> tuple[int, int]:
        """How many stones it takes to link the edges of this player safely, and in how many cells they may lie."""
        missing, ones, twos, fours, eights = self.levels(own, other, turn)
        goal = self.bottom if turn == 0 else self.right
        free = tuple(b ^ (x | y) for b, x, y in zip(self.board, own, other))
        group = self.none
        ways, level = 0, missing
        while level > 0:  # lay stones from the far edge now: those on a shortest way go down the levels one by one
            _, reach = self.reach(group, goal, free)
            grown = tuple(g | r & x for g, r, x in zip(group, reach, own))
            if any(x != y for x, y in zip(grown, group)):
                group = grown
            else:
                new = tuple(r & x & ~g for g, r, x in zip(group, reach, free))
                group = tuple(x | y for x, y in zip(group, new))
                on = tuple(x & (z if level & 1 != 0 else ~z) for x, z in zip(new, ones))
                on = tuple(x & (z if level & 2 != 0 else ~z) for x, z in zip(on, twos))
                on = tuple(x & (z if level & 4 != 0 else ~z) for x, z in zip(on, fours))
                on = tuple(x & (z if level & 8 != 0 else ~z) for x, z in zip(on, eights))
                ways += sum(popcount(x) for x in on)
                level -= 1
        return missing, ways

    def levels(self, own: Cells, other: Cells, turn: int) -> tuple[int, Cells, Cells, Cells, Cells]:
        """How many stones it takes to link the edges of this player safely, and the level of each free cell met.

        The level is how many stones link the cell, itself included, to the first edge: its last four binary digits are sets.
        """
        edge = self.top if turn == 0 else self.left
        goal = self.bottom if turn == 0 else self.right
        free = tuple(b ^ (x | y) for b, x, y in zip(self.board, own, other))
        group, ones, twos, fours, eights = self.none, self.none, self.none, self.none, self.none
        missing = 0
        while True:
            hands, reach = self.reach(group, edge, free)
            grown = tuple(g | r & x for g, r, x in zip(group, reach, own))
            if any(x != y for x, y in zip(grown, group)):
                group = grown
            elif (
                missing > self.size  # the other has won, or it is a maze: so much is as good as never
                or any(g & t != 0 for g, t in zip(group, goal))
                or sum(popcount(h & t) for h, t in zip(hands, goal)) > 1
            ):
                return missing, ones, twos, fours, eights
            else:
                missing += 1
                new = tuple(r & x & ~g for g, r, x in zip(group, reach, free))
                group = tuple(x | y for x, y in zip(group, new))
                ones = tuple(z | (x if missing & 1 != 0 else 0) for z, x in zip(ones, new))
                twos = tuple(z | (x if missing & 2 != 0 else 0) for z, x in zip(twos, new))
                fours = tuple(z | (x if missing & 4 != 0 else 0) for z, x in zip(fours, new))
                eights = tuple(z | (x if missing & 8 != 0 else 0) for z, x in zip(eights, new))

    def distance(self, own: Cells, other: Cells, turn: int) -> int:
        """How many stones this player needs to join the edges if the other one only watches."""
        edge = self.top if turn == 0 else self.left
        goal = self.bottom if turn == 0 else self.right
        free = tuple(b ^ (x | y) for b, x, y in zip(self.board, own, other))
        group = self.none
        missing = 0
        while True:
            around = self.near(group)
            grown = tuple(g | (n | e) & x for g, n, e, x in zip(group, around, edge, own))
            if any(x != y for x, y in zip(grown, group)):
                group = grown
            elif missing > self.size or any(g & t != 0 for g, t in zip(group, goal)):
                return missing
            else:
                missing += 1
                group = tuple(g | (n | e) & x for g, n, e, x in zip(group, around, edge, free))

    # ---- symmetry and text -------------------------------------------------------------------

    def symmetries(self, s: State) -> Iterator[State]:
        """The board turned by half."""
        black, white = (sum(1 << self.cells - 1 - i for i in text.cells(side)) for side in self.stones(s))
        yield self.state(black, white, s.turn)

    def stones(self, s: State) -> tuple[int, int]:
        """The stones of Black and White, each as one long set."""
        mine, theirs = (sum(word << 64 * i for i, word in enumerate(cells)) for cells in (s.mine, s.theirs))
        return (mine, theirs) if s.turn == 0 else (theirs, mine)

    def state(self, black: int, white: int, turn: int) -> State:
        """The state in which these are the stones."""
        sides = [self.packed(text.cells(stones)) for stones in (black, white)]
        edges, goals = (self.top, self.left), (self.bottom, self.right)
        joined = [self.flooded(tuple(x & y for x, y in zip(sides[p], edges[p])), sides[p]) for p in (0, 1)]
        won = any(x & y for x, y in zip(joined[1 - turn], goals[1 - turn]))
        return State(sides[turn], sides[1 - turn], joined[turn], joined[1 - turn], turn, won)

    def write_action(self, s: State, a: int) -> str:
        """The cell, a1 at the upper left, or swap."""
        return "swap" if a == self.cells else text.name(self.size, a)

    def read_action(self, s: State, words: str) -> int:
        """The action that this text means, in large or small letters; HTP's swap-pieces is swap."""
        return super().read_action(s, {"swap-pieces": "swap"}.get(words.strip().lower(), words.lower()))

    def write_state(self, s: State) -> str:
        """The rows from the top, joined by '/', X for Black, O for White and '.' for an empty cell, and who is to move."""
        return text.write(self.size, self.stones(s), s.turn)

    def read_state(self, words: str) -> State:
        """The state that `write_state` writes so, or that a list of actions like `c2 b3 a4` leads to.

        Exactly the positions that play can reach are read.
        """
        return text.read(self, words)

    def show(self, s: State) -> str:
        return text.draw(self.size, self.stones(s), s.turn, s.won)

    def svg(self, s: State) -> str:
        return text.picture(self.size, self.stones(s), s.turn, s.won)
