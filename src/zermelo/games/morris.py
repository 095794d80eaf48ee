"""Nine Men's Morris: place nine stones, then slide them along lines; three in a row take a stone of the other.

The rules are those with which Gasser solved the game (1993, a draw). Players place stones in turn, White first; then they slide a stone to
a neighbouring point. A player with three stones may jump to any empty point. Three stones on a line, a mill, take a stone of the other that
is in no mill, or any if all are. A player with fewer than three stones, or without a move, has lost. Fifty moves of each
side without a stone taken are a draw, and so is the third occurrence of a position.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from ..bits import FULL, bit, ctz, i8, popcount, rest, u64
from ..errors import ZermeloError
from ..game import Game
from ..rng import mix
from ._subsets import CHOOSE, rank, unrank

POINTS, STONES = 24, 9
MIN_STONES = 3  # stones with which a player goes on, and may jump
MAX_QUIET_PLIES = 100  # plies without a stone taken, after which it is a draw
NO_POINT = 31  # stands for a point in an action
BOARD, CORNERS, MIDDLES = 0xFFFFFF, 0x555555, 0xAAAAAA
FIRST_BITS = 0x010101  # of the three rings
#: the points of a ring, from the upper left corner clockwise; rings from the outer one inwards
NAMES = (
    *("a7", "d7", "g7", "g4", "g1", "d1", "a1", "a4"),
    *("b6", "d6", "f6", "f4", "f2", "d2", "b2", "b4"),
    *("c5", "d5", "e5", "e4", "e3", "d3", "c3", "c4"),
)
MOST_STONES = 8  # of both sides together, in endgame tables

#: how many stones the mover and the other have in each class of endings, those with fewer stones first, and the first number of each
CLASSES = tuple(
    (a, n - a)
    for n in range(2 * MIN_STONES, MOST_STONES + 1)
    for m in range(n // 2, MIN_STONES - 1, -1)
    for a in sorted({n - m, m}, reverse=True)
)
FIRSTS = (0, *accumulate(CHOOSE[POINTS][a] * CHOOSE[POINTS - a][b] for a, b in CLASSES))
PLACES = tuple(CLASSES.index((a, b)) if (a, b) in CLASSES else -1 for a in range(STONES + 1) for b in range(STONES + 1))


class State(NamedTuple):
    """A ring is eight bits."""

    mine: u64  # stones of the player to move
    theirs: u64
    placed: i8  # stones that both have placed
    quiet: i8  # plies since the last was placed or taken
    turn: i8


def turned(stones: u64, k: int) -> u64:
    """The stones of each ring k points further, clockwise."""
    high = FIRST_BITS * ((1 << k) - 1)
    return stones << k & (BOARD ^ high) | stones >> 8 - k & high


def neighbours(stones: u64) -> u64:
    """The points next to these: in the ring, and in the next rings at the middles of the sides."""
    across = stones & MIDDLES
    return turned(stones, 1) | turned(stones, 7) | (across << 8 | across >> 8) & BOARD


def in_mills(stones: u64) -> u64:
    """The stones that are in a mill."""
    side = stones & turned(stones, 1) & turned(stones, 2) & CORNERS  # the last corner of a side
    across = stones & stones >> 8 & stones >> 16 & MIDDLES
    return side | turned(side, 7) | turned(side, 6) | across | across << 8 | across << 16


class Morris(Game):
    """Nine Men's Morris.

    An action is the point that a stone comes to, from bit 5 on where it comes from, and from bit 10 on what is taken.
    """

    ends_without_actions, is_zero_sum = True, True
    player_names = ("White", "Black")
    value_scale = 0.2
    max_actions = 128
    repetition = "draw"

    def initial(self) -> State:
        return State(0, 0, 0, 0, 0)

    def to_move(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        if not self.has_lost(s) and s.quiet < MAX_QUIET_PLIES:
            empty = BOARD & ~(s.mine | s.theirs)
            sources = s.mine if s.placed == 2 * STONES else u64(1 << NO_POINT)
            while sources:
                source = ctz(sources)
                left = s.mine & ~bit(source)
                targets = empty if s.placed < 2 * STONES or popcount(s.mine) == MIN_STONES else empty & neighbours(bit(source))
                while targets:
                    a = ctz(targets) | source << 5
                    prey = self.prey(s, left, bit(ctz(targets)))
                    if prey == 0:
                        yield a | NO_POINT << 10
                    while prey:
                        yield a | ctz(prey) << 10
                        prey = rest(prey)
                    targets = rest(targets)
                sources = rest(sources)

    def prey(self, s: State, left: u64, target: u64) -> u64:
        """The stones that may be taken when a stone joins those that are left: none if that closes no mill."""
        if in_mills(left | target) & target == 0:
            return u64(0)
        free = s.theirs & ~in_mills(s.theirs)
        return free if free != 0 else s.theirs

    def result(self, s: State, a: int) -> State:
        source, taken = bit(a >> 5 & 31) & BOARD, bit(a >> 10) & BOARD
        mine, theirs = s.mine & ~source | bit(a & 31), s.theirs & ~taken
        placed = min(s.placed + 1, 2 * STONES)
        return State(theirs, mine, placed, 0 if source == 0 or taken != 0 else s.quiet + 1, 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        return self.has_lost(s) or s.quiet >= MAX_QUIET_PLIES

    def utility(self, s: State, p: int) -> float:
        return 0.0 if not self.has_lost(s) else -1.0 if p == s.turn else 1.0

    def has_lost(self, s: State) -> bool:
        """Whether the player to move has too few stones, on the board and in hand, or no move."""
        hand = (2 * STONES - s.placed + 1) // 2
        if popcount(s.mine) + hand < MIN_STONES:
            return True
        return hand == 0 and popcount(s.mine) > MIN_STONES and neighbours(s.mine) & BOARD & ~(s.mine | s.theirs) == 0

    # ---- hints -------------------------------------------------------------------------------

    def evaluate(self, s: State, p: int) -> float:
        """0.1 for each stone more, on the board or in hand, 0.01 for each empty point beside the stones."""
        empty = BOARD & ~(s.mine | s.theirs)
        stones = popcount(s.mine) - popcount(s.theirs) + (s.placed & 1)
        v = 0.1 * stones + 0.01 * (popcount(neighbours(s.mine) & empty) - popcount(neighbours(s.theirs) & empty))
        v = max(-0.9, min(0.9, v))
        return v if p == s.turn else -v

    def order(self, s: State, a: int) -> int:
        """First what takes a stone, then what stays beside a stone of one's own."""
        return (8 if a >> 10 != NO_POINT else 0) + popcount(neighbours(bit(a & 31)) & s.mine & ~(bit(a >> 5 & 31) & BOARD))

    def key(self, s: State) -> u64:
        """Without the plies that were quiet."""
        return mix(s.mine | s.theirs << 24 | u64(s.placed) << 48 | u64(s.turn) << 56)

    def symmetries(self, s: State) -> Iterator[State]:
        """The board turned, mirrored, and its rings exchanged, the inner one with the outer."""
        for k in range(1, 16):
            yield State(image(s.mine, k), image(s.theirs, k), s.placed, s.quiet, s.turn)

    # ---- endgame tables ----------------------------------------------------------------------

    def index(self, s: State) -> int:
        """Of positions in which all stones are placed, with few left."""
        a, b = popcount(s.mine), popcount(s.theirs)
        if s.placed < 2 * STONES or a > STONES or b > STONES or PLACES[a * (STONES + 1) + b] < 0:
            return -1
        return FIRSTS[PLACES[a * (STONES + 1) + b]] + rank(s.mine, BOARD) * CHOOSE[POINTS - a][b] + rank(s.theirs, BOARD & ~s.mine)

    def state_at(self, i: int) -> State:
        k = 0
        while k + 1 < len(CLASSES) and FIRSTS[k + 1] <= i:
            k += 1
        a, b = CLASSES[k]
        i -= FIRSTS[k]
        mine = unrank(i // CHOOSE[POINTS - a][b], a, POINTS, BOARD)
        return State(mine, unrank(i % CHOOSE[POINTS - a][b], b, POINTS - a, BOARD & ~mine), 2 * STONES, 0, 0)

    def endings(self, wanted: str) -> tuple[tuple[str, int, int], ...]:
        if wanted not in {str(n) for n in range(2 * MIN_STONES, MOST_STONES + 1)}:
            raise ZermeloError(
                f"'{wanted}' is not an ending of {self.name}: expected {2 * MIN_STONES} to {MOST_STONES}, the most stones of both sides"
            )
        found: dict[str, list[int]] = {}
        for k, (a, b) in enumerate(CLASSES):
            if a + b <= int(wanted):
                found.setdefault(f"{max(a, b)}-{min(a, b)}", []).extend((FIRSTS[k], FIRSTS[k + 1]))
        return tuple((name, numbers[0], numbers[-1]) for name, numbers in found.items())

    def plies_left(self, s: State) -> int:
        return MAX_QUIET_PLIES - s.quiet

    # ---- text --------------------------------------------------------------------------------

    def write_action(self, s: State, a: int) -> str:
        """Where a stone is placed, d2, or moves, d2-d3, and what it takes, d2-d3xa7."""
        target, source, taken = (a >> shift & 31 for shift in (0, 5, 10))
        return (f"{NAMES[source]}-" if source != NO_POINT else "") + NAMES[target] + (f"x{NAMES[taken]}" if taken != NO_POINT else "")

    def write_state(self, s: State) -> str:
        """The points in the order of NAMES: W, B and '.', a ring at a time; then who moves, how many stones are placed, and quiet plies."""
        white, black = (s.theirs, s.mine) if s.turn else (s.mine, s.theirs)
        cells = "".join("W" if white >> i & 1 else "B" if black >> i & 1 else "." for i in range(POINTS))
        return f"{cells[:8]}/{cells[8:16]}/{cells[16:]} {'WB'[s.turn]} {s.placed} {s.quiet}"

    def read_state(self, text: str) -> State:
        """The state that `write_state` writes so; whether play can reach it is not asked."""

        def refuse(expected: str) -> ZermeloError:
            return ZermeloError(f"'{text}' is not a state of {self.name}: expected {expected}")

        found = re.fullmatch(r"([WB.]{8})/([WB.]{8})/([WB.]{8}) ([WB]) ([0-9]{1,2}) ([0-9]{1,3})", text.strip(), re.ASCII)
        if not found or int(found[5]) > 2 * STONES or int(found[6]) > MAX_QUIET_PLIES:
            raise refuse(
                f"three rings of W, B and '.', W or B to move, 0 to {2 * STONES} stones placed and 0 to {MAX_QUIET_PLIES} quiet plies"
            )
        cells, placed, turn = "".join(found.group(1, 2, 3)), int(found[5]), "WB".index(found[4])
        if placed < 2 * STONES and (placed & 1 != turn or int(found[6]) > 0):
            raise refuse("White to move after an even number of stones placed, and no quiet plies, while some are in hand")
        if cells.count("W") > (placed + 1) // 2 or cells.count("B") > placed // 2:
            raise refuse("no more stones of a side than it has placed")
        white, black = (sum(1 << i for i, cell in enumerate(cells) if cell == who) for who in "WB")
        return State(black, white, placed, int(found[6]), 1) if turn else State(white, black, placed, int(found[6]), 0)

    def show(self, s: State) -> str:
        cells, mover, placed, _ = self.write_state(s).split()
        at = dict(zip(NAMES, cells.replace("/", ""), strict=True))
        rows = [" ".join(at.get(f"{file}{row}", " ") for file in "abcdefg") for row in range(7, 0, -1)]
        drawn = [f"{7 - k} {row}" for k, row in enumerate(rows)] + ["  a b c d e f g"]
        hands = [STONES - (int(placed) + 1) // 2, STONES - int(placed) // 2]
        return "\n".join([*drawn, f"in hand: {hands[0]} white, {hands[1]} black", f"{self.player_names['WB'.index(mover)]} to move"])


def image(stones: u64, k: int) -> u64:
    """The stones after one of the 16 symmetries of the board: turned by quarters (k & 3), mirrored (4), rings exchanged (8)."""
    found = u64(0)
    for i in range(POINTS):
        if stones >> i & 1:
            ring, place = i >> 3, (i & 7) + 2 * (k & 3)
            place = -place if k & 4 else place
            found |= bit(8 * (2 - ring if k & 8 else ring) + place % 8)
    return found & FULL
