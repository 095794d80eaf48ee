"""Othello: lay a disc so that it brackets the other's discs, and turn those; the player with more discs at the end wins.

The rules are those of the World Othello Federation. Black begins. A player who cannot bracket anything passes; when neither
can, the game is over. Squares that are empty then count for the winner.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...bits import FULL, bit, byteswap, ctz, i64, nth, popcount, rest, u64
from ...errors import ZermeloError
from ...game import Game
from ...rng import below, mix
from .._grid import Board
from .._symmetries import Symmetries, of_cells, turns
from . import lines, patterns, text
from .state import State

TURNED = (0, 0x9E3779B97F4A7C15)  # by which the keys of the two players differ


def beyond(own: u64, other: u64, step: int) -> u64:
    """The squares just beyond unbroken runs of `other` that begin beside `own`, both ways along one axis.

    A run is filled by doubling: one disc, two, four, six, and six is the longest on eight squares.
    """
    up, down = other & (own << step), other & (own >> step)
    up |= other & (up << step)
    down |= other & (down >> step)
    pairs_up, pairs_down = other & (other << step), other & (other >> step)
    up |= pairs_up & (up << 2 * step)
    down |= pairs_down & (down >> 2 * step)
    up |= pairs_up & (up << 2 * step)
    down |= pairs_down & (down >> 2 * step)
    return (up << step) & FULL | (down >> step)


def turned(disc: u64, own: u64, other: u64, step: int) -> u64:
    """The discs of `other` that a new disc turns along one axis: the runs beside it that end at `own`."""
    up, down = other & (disc << step), other & (disc >> step)
    up |= other & (up << step)
    down |= other & (down >> step)
    pairs_up, pairs_down = other & (other << step), other & (other >> step)
    up |= pairs_up & (up << 2 * step)
    down |= pairs_down & (down >> 2 * step)
    up |= pairs_up & (up << 2 * step)
    down |= pairs_down & (down >> 2 * step)
    return (up if (up << step) & own != 0 else u64(0)) | (down if (down >> step) & own != 0 else u64(0))


class Othello(Game):
    """Othello on size x size squares; an action is the index of the square, or size * size to pass.

    The utility is 1, 0 or -1; with score=True it is the margin in discs, empty squares being the winner's.
    """

    ends_without_actions, is_zero_sum = True, True
    player_names = ("Black", "White")
    value_scale = 0.41

    def __init__(self, size: int = 8, score: bool = False):
        if type(size) is not int or size not in (4, 6, 8):
            raise ZermeloError(f"othello: expected size 4, 6 or 8, not {size!r}")
        if not isinstance(score, bool):
            raise ZermeloError(f"othello: expected score true or false, not {score!r}")
        self.size, self.score = size, score
        self.has_scores = score
        if score:
            self.value_scale = 6.0  # discs
        self.grid = Board(size, size)
        self.board, self.cells = self.grid.all, size * size
        self.board_height, self.board_width, self.policy_size = size, size, self.cells + 1
        self.board_bits = tuple(range(self.cells))
        # along rows and diagonals a run must not leave at one side and enter at the other: its discs are off both side columns
        inner = sum(1 << i for i in range(self.cells) if 0 < i % size < size - 1)
        self.inner = inner
        self.steps = (1, size - 1, size, size + 1)
        off_left, off_right = (sum(1 << i for i in range(self.cells) if i % size != x) for x in (0, size - 1))
        self.beside = (off_left, off_right, self.board, off_left)  # where a step up may lead, and a step down may begin
        # corners, what is diagonally beside them (X squares) and beside them on the edge (C squares), corner by corner
        end = size - 1
        ways = [(x, y, -1 if x else 1, -1 if y else 1) for x in (0, end) for y in (0, end)]
        self.corner = tuple(1 << y * size + x for x, y, _, _ in ways)
        self.x_square = tuple(1 << (y + dy) * size + x + dx for x, y, dx, dy in ways)
        self.c_squares = tuple(1 << (y + dy) * size + x | 1 << y * size + x + dx for x, y, dx, dy in ways)
        self.corners, self.x_squares = sum(self.corner), sum(self.x_square)
        half, firsts = size // 2, ((x, y) for y in (0, size // 2) for x in (0, size // 2))
        self.quarters = tuple(sum(1 << (y + i) * size + x + j for i in range(half) for j in range(half)) for x, y in firsts)
        self.pattern_weights = patterns.PHASES * patterns.WEIGHTS if size == 8 else 0
        if size == 8:
            self.book = Path(__file__).with_name("opening.book")
        if size == 8 and not score:
            self.learned, self.default_searcher = Path(__file__).with_name("weights.safetensors"), "alphabeta:eval=learned"
            self.network = Path(__file__).parents[1] / "networks" / "othello8.safetensors"
            self.network_plays_best = True
        self.ternary = patterns.TERNARY
        self.last_turns, self.rising, self.falling = lines.TURNED, lines.RISING, lines.FALLING
        self.rows = sum(1 << i for i in range(self.cells) if i // size in (0, end))  # the upper and the lower edge
        self.columns = sum(1 << i for i in range(self.cells) if i % size in (0, end))  # the left and the right edge

    def initial(self) -> State:
        corner = (self.size // 2 - 1) * (self.size + 1)  # the upper left of the four squares in the middle: d4 of 8 x 8
        return State(1 << corner + 1 | 1 << corner + self.size, 1 << corner | 1 << corner + self.size + 1, 0)

    def to_move(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        squares = self.squares(s.mine, s.theirs)
        if squares == 0 and self.squares(s.theirs, s.mine) != 0:
            yield self.cells
        while squares:
            yield ctz(squares)
            squares = rest(squares)

    def result(self, s: State, a: int) -> State:
        if a == self.cells:
            return State(s.theirs, s.mine, 1 - s.turn)
        disc = bit(a)
        flips = self.flips(disc, s.mine, s.theirs)
        return State(s.theirs ^ flips, s.mine | flips | disc, 1 - s.turn)

    def flips(self, disc: u64, mine: u64, theirs: u64) -> u64:
        """The discs of `theirs` that a new disc of `mine` turns."""
        inner = theirs & self.inner
        found = turned(disc, mine, inner, 1) | turned(disc, mine, theirs, self.size)
        return found | turned(disc, mine, inner, self.size - 1) | turned(disc, mine, inner, self.size + 1)

    def is_terminal(self, s: State) -> bool:
        return self.squares(s.mine, s.theirs) == 0 and self.squares(s.theirs, s.mine) == 0

    def utility(self, s: State, p: int) -> float:
        mine, theirs = popcount(s.mine), popcount(s.theirs)
        return self.counted(mine - theirs if p == s.turn else theirs - mine, self.cells - mine - theirs)

    def counted(self, margin: int, empty: int) -> int:
        """The utility of a player who ends the game `margin` discs ahead, with `empty` squares left."""
        if self.score:
            return margin + empty if margin > 0 else margin - empty if margin < 0 else 0
        return 1 if margin > 0 else -1 if margin < 0 else 0

    def count(self, s: State) -> int:
        squares = self.squares(s.mine, s.theirs)
        if squares != 0:
            return popcount(squares)
        return 1 if self.squares(s.theirs, s.mine) != 0 else 0

    def sample(self, s: State, random: u64) -> int:
        squares = self.squares(s.mine, s.theirs)
        if squares == 0:
            return self.cells
        return nth(squares, below(random, popcount(squares)))

    def squares(self, mine: u64, theirs: u64) -> u64:
        """The squares where a disc of `mine` would turn something. The four axes are written out: a GPU's compiler keeps a loop."""
        inner = theirs & self.inner
        found = beyond(mine, inner, 1) | beyond(mine, theirs, self.size)
        found |= beyond(mine, inner, self.size - 1) | beyond(mine, inner, self.size + 1)
        return found & (self.board ^ (mine | theirs))

    def key(self, s: State) -> u64:
        return mix(s.mine ^ mix(s.theirs) ^ TURNED[s.turn])

    # ---- hints -------------------------------------------------------------------------------

    def evaluate(self, s: State, p: int) -> float:
        """A guess at the margin in discs, and from it at the utility: see `margin`."""
        x = self.margin(s) if p == s.turn else -self.margin(s)
        return self.cells * x / (self.cells + abs(x)) if self.score else x / (16.0 + abs(x))

    def margin(self, s: State) -> float:
        """By how many discs the player to move seems to be ahead in the end. The documentation tells the features and weights."""
        empty = self.board ^ (s.mine | s.theirs)
        left = popcount(empty)
        mobility = popcount(self.squares(s.mine, s.theirs)) - popcount(self.squares(s.theirs, s.mine))
        frontier = popcount(self.around(s.theirs) & empty) - popcount(self.around(s.mine) & empty)
        corners = popcount(s.mine & self.corners) - popcount(s.theirs & self.corners)
        stable = popcount(self.stable(s.mine)) - popcount(self.stable(s.theirs))
        x_squares, c_squares = 0, 0
        for corner, diagonal, edge in zip(self.corner, self.x_square, self.c_squares):
            if empty & corner != 0:
                x_squares += popcount(s.mine & diagonal) - popcount(s.theirs & diagonal)
                c_squares += popcount(s.mine & edge) - popcount(s.theirs & edge)
        early = left / self.cells  # 1 at the start, 0 at the end
        x = 2.5 * mobility * (0.5 + early) + 1.0 * frontier * early + 8.0 * corners + 3.0 * stable - 6.0 * x_squares - 2.0 * c_squares
        x += (popcount(s.mine) - popcount(s.theirs)) * (1.0 - 2.0 * early if early < 0.5 else 0.0)
        return x + (2.0 if left & 1 != 0 else -2.0) * (1.0 - early)  # who has an odd number of squares left lays the last disc

    def around(self, discs: u64) -> u64:
        """The squares beside these, and some of these."""
        found = u64(0)
        for step, side in zip(self.steps, self.beside):
            found |= (discs << step) & side | (discs & side) >> step
        return found & self.board

    def stable(self, discs: u64) -> u64:
        """Those of one colour's discs that reach along an edge, without a gap, to a corner: nothing can turn them."""
        found = discs & self.corners
        for _ in range(self.size - 2):
            found |= discs & (self.rows & (found << 1 | found >> 1) | self.columns & (found << self.size | found >> self.size))
        return found

    def order(self, s: State, a: int) -> int:
        """The fastest first: what leaves the other the fewest squares now, corners counted three times, and the fewest to hope for; then
        few discs, corners, no X squares, and quarters of the board with an odd number of empty squares."""
        if a == self.cells:
            return 0
        after, disc = self.result(s, a), bit(a)
        replies = self.squares(after.mine, after.theirs)
        x = -8 * (popcount(replies) + 2 * popcount(replies & self.corners)) - popcount(after.theirs)
        x -= 2 * popcount(self.around(after.theirs) & (self.board ^ (after.mine | after.theirs)))
        if disc & self.odd_quarters(s) != 0:
            x += 4
        return x + 6 if disc & self.corners != 0 else x - 6 if disc & self.x_squares != 0 else x

    def odd_quarters(self, s: State) -> u64:
        """The quarters of the board with an odd number of empty squares: who begins there has the last word there."""
        empty, odd = self.board ^ (s.mine | s.theirs), u64(0)
        for quarter in self.quarters:
            if popcount(empty & quarter) & 1 != 0:
                odd |= quarter
        return odd

    def moves_left(self, s: State) -> int:
        """The empty squares."""
        return self.cells - popcount(s.mine | s.theirs)

    def upper_bound(self, s: State, p: int) -> float:
        """All squares but those of the other's discs that nothing can turn."""
        other = s.theirs if p == s.turn else s.mine
        most = self.cells - 2 * popcount(self.stable(other))
        if self.score:
            return float(most)
        return 1.0 if most > 0 else 0.0 if most == 0 else -1.0

    def final_value(self, s: State, p: int) -> float:
        """The margin with the last square taken by the player to move, else by the other, else by nobody."""
        margin, empty = popcount(s.mine) - popcount(s.theirs), self.board ^ (s.mine | s.theirs)
        if empty != 0:
            n = self.last_turned(ctz(empty), s.mine, s.theirs)
            if n == 0:
                n = -self.last_turned(ctz(empty), s.theirs, s.mine)
            if n != 0:
                margin += 2 * n + (1 if n > 0 else -1)
                empty = u64(0)
        return float(self.counted(margin if p == s.turn else -margin, popcount(empty)))

    def last_turned(self, i: int, own: u64, other: u64) -> int:
        """How many discs of `other` a disc of `own` turns on the last empty square. Each of its four lines is gathered in a byte, for
        which there is a table (`lines.py`)."""
        if self.size != 8:
            return popcount(self.flips(bit(i), own, other))
        x, y = i & 7, i >> 3 & 7
        row, column = own >> 8 * y & 255, ((own >> x & lines.EIGHT_BYTES) * lines.OF_COLUMN & FULL) >> 56
        rising = ((own & self.rising[i & 63]) * lines.EIGHT_BYTES & FULL) >> 56
        falling = ((own & self.falling[i & 63]) * lines.EIGHT_BYTES & FULL) >> 56
        along = self.last_turns[i64(row)] + self.last_turns[i64(rising)] + self.last_turns[i64(falling)]
        return i64((along >> 8 * x & 255) + (self.last_turns[i64(column)] >> 8 * y & 255))

    def urgent_first(self, s: State) -> Iterator[int]:
        """First into the odd quarters of the board."""
        squares = self.squares(s.mine, s.theirs)
        if squares == 0 and self.squares(s.theirs, s.mine) != 0:
            yield self.cells
        odd = self.odd_quarters(s)
        first = squares & odd
        while first:
            yield ctz(first)
            first = rest(first)
        last = squares & ~odd
        while last:
            yield ctz(last)
            last = rest(last)

    def features(self, s: State, p: int) -> Iterator[float]:
        """Whether p is to move, then each square: 1 for a disc of p, -1 for one of the other."""
        sign = 1 if p == s.turn else -1
        yield float(sign)
        for i in range(self.cells):
            yield float(sign * (i64(s.mine >> i & 1) - i64(s.theirs >> i & 1)))

    def planes(self, s: State, p: int) -> Iterator[u64]:
        """The discs of p, those of the other, and where the player to move may lay one."""
        yield s.mine if p == s.turn else s.theirs
        yield s.theirs if p == s.turn else s.mine
        yield self.squares(s.mine, s.theirs)

    def board_symmetries(self) -> Symmetries:
        """All turns and reflections of the board."""
        return of_cells(turns(self.size, self.size), self.board_bits, self.policy_size)

    def patterns(self, s: State, p: int) -> Iterator[int]:
        """The weights of Logistello's patterns, and of how many squares both sides can play to (`patterns.py`)."""
        if self.size == 8:
            own, other = (s.mine, s.theirs) if p == s.turn else (s.theirs, s.mine)
            first = patterns.phase(popcount(own | other)) * patterns.WEIGHTS
            mobility = 32 * min(31, popcount(self.squares(own, other))) + min(31, popcount(self.squares(other, own)))
            yield first + patterns.MOBILITY + mobility
            for a, b in zip(patterns.rotations(own), patterns.rotations(other)):
                yield first + patterns.EDGE + self.number(patterns.edge(a), patterns.edge(b))
                yield first + patterns.CORNER + self.number(patterns.corner(a), patterns.corner(b))
                yield first + patterns.BLOCK + self.number(patterns.block(a), patterns.block(b))
                yield first + patterns.BLOCK + self.number(patterns.block(byteswap(a)), patterns.block(byteswap(b)))
                for k in (1, 2, 3):
                    yield first + patterns.ROW[k] + self.number(a >> 8 * k & 255, b >> 8 * k & 255)
                for k in (1, 2, 3, 4):
                    yield first + patterns.DIAGONAL[k] + self.number(patterns.diagonal(a, k), patterns.diagonal(b, k))
            for a, b in ((own, other), (byteswap(own), byteswap(other))):
                yield first + patterns.DIAGONAL[0] + self.number(patterns.diagonal(a, 0), patterns.diagonal(b, 0))

    def number(self, own: u64, other: u64) -> int:
        """Squares as a number of base 3."""
        return self.ternary[i64(own)] + 2 * self.ternary[i64(other)]

    # ---- symmetry and text -------------------------------------------------------------------

    def symmetries(self, s: State) -> Iterator[State]:
        """The board turned and reflected."""
        for mine, theirs in self.grid.images((s.mine, s.theirs)):
            yield State(mine, theirs, s.turn)

    def discs(self, s: State) -> tuple[int, int]:
        """The discs of Black and White."""
        return (s.mine, s.theirs) if s.turn == 0 else (s.theirs, s.mine)

    def write_action(self, s: State, a: int) -> str:
        """The square, a1 at the upper left, or pass."""
        return "pass" if a == self.cells else self.grid.name(a)

    def read_action(self, s: State, words: str) -> int:
        """The square in small or large letters; a pass also as --, pa or ps."""
        word = words.strip().lower()
        return super().read_action(s, "pass" if word in ("--", "pa", "ps") else word)

    def write_state(self, s: State) -> str:
        """The squares from a1 to h1, a2 to h2, ...: X (Black), O or '-' if empty; then who is to move: as in `.obf` files."""
        return text.write(self.size, self.discs(s), s.turn)

    def read_state(self, words: str) -> State:
        """The state that `write_state` writes so, with or without ';' behind, or that moves like f5d6c3 lead to.

        In moves, a pass may be left out. Of a board it is asked that all discs hang together with the four in the middle; whether
        play can reach it is not.
        """
        found = text.read(self, words)
        if isinstance(found, State):
            return found
        black, white, turn = found
        return State(black, white, 0) if turn == 0 else State(white, black, 1)

    def show(self, s: State) -> str:
        return text.draw(self.size, self.discs(s), s.turn, self.is_terminal(s))

    def svg(self, s: State) -> str:
        marks = 0 if self.is_terminal(s) else self.squares(s.mine, s.theirs)
        return text.picture(self.size, self.discs(s), s.turn, self.is_terminal(s), marks)
