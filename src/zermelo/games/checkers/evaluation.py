"""How positions of checkers are judged: terms in the manner of A. L. Samuel (1959), weighed, and squeezed between -1 and 1.

Every term is a difference, what the player to move has less what the other has, so that the two see the same with opposite signs.

    men, kings    how many; a lead weighs more the fewer pieces are left
    bridge        men that still guard the own back row, on its first and third square
    centre        pieces on the eight squares in the middle
    advance       rows that the men have gone, which counts against them: who holds back has more moves left
    mobility      steps that could be made, safe or not
    trapped       kings without a free square beside them
    runaway       men that nothing stands before or comes in front of on the way to the last row
    move          1 for who has "the move": with even pieces, who will have the last step when two pieces meet
"""

from __future__ import annotations

from ...bits import popcount, u64
from .moves import BOARD, State, empty_squares, steps_down, steps_up, turned

BRIDGE = 1 << 0 | 1 << 2
CENTRE = 1 << 10 | 1 << 11 | 1 << 14 | 1 << 15 | 1 << 19 | 1 << 20 | 1 << 23 | 1 << 24

#: the squares of each row
ROWS = tuple(0xF << (9 * (y // 2) + 4 * (y % 2)) for y in range(8))
#: rows whose number has the 1, the 2, the 4 in it
ONE, TWO, FOUR = (sum(row for y, row in enumerate(ROWS) if y & digit) for digit in (1, 2, 4))

#: in hundredths of a man, in the order of `terms`
MAN, KING, OF_BRIDGE, OF_CENTRE, OF_ADVANCE, OF_MOBILITY, OF_TRAPPED, OF_RUNAWAY, OF_MOVE = 100, 130, 25, 5, -3, 3, -30, 25, 8
MOVE_MATTERS_PIECES = 12  # pieces of both sides with which the move begins to count
HALF = 250.0  # the lead that is worth 1/2


def guess(s: State) -> float:
    """What the player to move may expect, between -1 and 1."""
    men, kings, bridge, centre, advance, mobility, trapped, runaway, move = terms(s)
    lead = float(MAN * men + KING * kings) * 36.0 / float(12 + popcount(s.mine | s.theirs))
    place = OF_BRIDGE * bridge + OF_CENTRE * centre + OF_ADVANCE * advance + OF_MOBILITY * mobility
    score = lead + float(place + OF_TRAPPED * trapped + OF_RUNAWAY * runaway + OF_MOVE * move)
    return score / (HALF + abs(score))


def terms(s: State) -> tuple[int, int, int, int, int, int, int, int, int]:
    """The terms, for the player to move."""
    empty = empty_squares(s)
    a = side(s.mine, s.theirs, s.kings, empty)
    b = side(turned(s.theirs), turned(s.mine), turned(s.kings), turned(empty))
    move = (0, -1, 1)[last_step(s.mine, s.theirs)]
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3], a[4] - b[4], a[5] - b[5], a[6] - b[6], a[7] - b[7], move)


def last_step(mine: u64, theirs: u64) -> int:
    """Who has the move (the opposition): 2 for the player to move, 1 for the opponent, 0 if there are many pieces or one side has more."""
    if popcount(mine) == popcount(theirs) and popcount(mine | theirs) <= MOVE_MATTERS_PIECES:
        return 1 + (popcount((mine | theirs) & ~ONE) & 1)
    return 0


def side(mine: u64, theirs: u64, kings: u64, empty: u64) -> tuple[int, int, int, int, int, int, int, int]:
    """The terms of one player, whose men go up."""
    men, crowned = mine & ~kings, mine & kings
    advance = popcount(men & ONE) + 2 * popcount(men & TWO) + 4 * popcount(men & FOUR)
    mobility = popcount(steps_up(mine, empty)) + popcount(steps_down(crowned, empty))
    trapped = popcount(crowned & ~around(empty))
    runaway = popcount(men & ~below(theirs | around(theirs)))
    return popcount(men), popcount(crowned), popcount(men & BRIDGE), popcount(mine & CENTRE), advance, mobility, trapped, runaway


def around(squares: u64) -> u64:
    """The squares beside these."""
    return (squares << 4 | squares << 5 | (squares >> 4) | (squares >> 5)) & BOARD


def below(squares: u64) -> u64:
    """These squares and all from which some of them can be reached by steps up."""
    for _ in range(7):
        squares |= ((squares >> 4) | (squares >> 5)) & BOARD
    return squares
