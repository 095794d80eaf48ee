"""The board of checkers as sets of bits: what is where, and the steps and jumps from there.

The board is 35 bits: eight rows of four squares with a hole after every second row (bits 8, 17 and 26), so that a step is a
shift by 4 or 5 wherever it starts, and a step over the edge ends in a hole or outside. It is always seen from the player to
move, whose men go up; the other player sees it turned round, which is one reversal of the bits.
"""

from __future__ import annotations

from typing import NamedTuple

from ...bits import bit, bitreverse, ctz, i8, i16, i64, popcount, u64

BOARD = 0x7FFFFFFFF & ~(1 << 8 | 1 << 17 | 1 << 26)
CROWN = 0xF << 31  # the last row


class State(NamedTuple):
    """Sets of squares, seen from the player to move."""

    mine: u64
    theirs: u64
    kings: u64  # of both
    quiet: i16  # plies since a capture or a man's move
    turn: i8  # 0 is Black, who begins, 1 White


def turned(squares: u64) -> u64:
    """The squares as the other player sees them."""
    return bitreverse(squares) >> 29


def empty_squares(s: State) -> u64:
    return BOARD & ~(s.mine | s.theirs)


def is_king(s: State, square: int) -> bool:
    return (s.kings >> square) & 1 != 0


# ---- actions: what changes -----------------------------------------------------------------------


def action(start: int, end: int, taken: u64) -> u64:
    """The captured pieces in 35 bits, where the piece came from and where it then stands in six each."""
    return taken | u64(start) << 35 | u64(end) << 41


def source(a: u64) -> int:
    """The square that the piece leaves."""
    return i64((a >> 35) & 63)


def target(a: u64) -> int:
    """The square where it then stands."""
    return i64(a >> 41)


# ---- steps ---------------------------------------------------------------------------------------


def steps_up(mine: u64, empty: u64) -> u64:
    """The forward steps as a set: i is the step from square i by 4, 31 + i the one by 5. None starts in the last row."""
    return (mine & (empty >> 4)) | (mine & (empty >> 5)) << 31


def step_up(i: int) -> u64:
    """The action that bit i of `steps_up` stands for."""
    return action(i - 31, i - 26, u64(0)) if i >= 31 else action(i, i + 4, u64(0))


def steps_down(kings: u64, empty: u64) -> u64:
    """The backward steps of these kings as a set: by 4 to square i, by 5 to square i for 31 + i."""
    return ((kings >> 4) & empty) | ((kings >> 5) & empty) << 31


def step_down(i: int) -> u64:
    """The action that bit i of `steps_down` stands for."""
    return action(i - 26, i - 31, u64(0)) if i >= 31 else action(i + 4, i, u64(0))


def can_move(s: State) -> bool:
    empty = empty_squares(s)
    if steps_up(s.mine, empty) != 0:  # so it is nearly always
        return True
    return (steps_down(s.mine & s.kings, empty) | jumpers(s, empty)) != 0


# ---- jumps ---------------------------------------------------------------------------------------


def jumpers(s: State, empty: u64) -> u64:
    """The own pieces that can jump."""
    up = (((empty >> 4) & s.theirs) >> 4) | (((empty >> 5) & s.theirs) >> 5)
    down = ((empty << 4) & s.theirs) << 4 | ((empty << 5) & s.theirs) << 5
    return s.mine & (up | (down & s.kings))


def landings(square: int, theirs: u64, free: u64, king: bool) -> u64:
    """Where one jump can take a piece on this square."""
    here = bit(square)
    to = ((here << 4) & theirs) << 4 | ((here << 5) & theirs) << 5
    if king:
        to |= (((here >> 4) & theirs) >> 4) | (((here >> 5) & theirs) >> 5)
    return to & free


def next_chain(theirs: u64, free: u64, king: bool, at: int, taken: u64, route: u64) -> tuple[int, u64, u64]:
    """The next complete chain of jumps of a piece, depth first: where it ends, what it captures, and its route.

    The one before the first, and the one after the last, captures nothing and is where the piece stands. The route is a stack
    of the squares left, six bits each, the last one lowest. A jump keeps the parity of the row and the diagonal modulo 4:
    that leaves 8 squares at most, and 9 to jump over, so that 54 bits hold any route. A man that is crowned
    goes no further, as it jumps forward only.
    """
    to = landings(at, theirs & ~taken, free, king)
    while to == 0 and taken != 0:  # the end of a chain: back to where there is another way on
        before = i64(route & 63)
        route >>= 6
        taken ^= bit((at + before) >> 1)
        to = landings(before, theirs & ~taken, free, king) & ~(bit(at + 1) - 1)
        at = before
    while to != 0:
        after = ctz(to)
        route = route << 6 | u64(at)
        taken |= bit((at + after) >> 1)
        at = after
        to = landings(at, theirs & ~taken, free, king)
    return at, taken, route


def is_first(taken: u64, free: u64, king: bool, start: int, route: u64) -> bool:
    """Whether no earlier route of the piece captures the same: only a king that goes in a circle, of four at least, has two."""
    if not king or popcount(taken) < 4:
        return True
    return first_route(taken, free, start) == route


def first_route(taken: u64, free: u64, start: int) -> u64:
    """The first route by which a king can capture all of these. It ends where any other does: each piece is jumped once."""
    at, some, route = next_chain(taken, free, True, start, u64(0), u64(0))
    while some != taken:
        at, some, route = next_chain(taken, free, True, at, some, route)
    return route
