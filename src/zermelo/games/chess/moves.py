"""Where pieces may go, by the rules of chess: checks, pins, castling, en passant.

A piece that is not pinned goes anywhere on `goal`: where nobody of his own stands and, in check, where the check is met. A
pinned piece keeps to the line through his king. So no move needs to be tried out, but en passant, where two pieces leave a rank.
"""

from __future__ import annotations

from ...bits import FULL, bit, ctz, lowest, popcount, rest, u64
from . import sliders
from .sliders import NOT_A, NOT_H, bishop, bishops, king, kings, knight, knights, pawns_down, pawns_up, rook, rook_line, rooks
from .state import RANK_1, RANK_3, RANK_6, RANK_8, Board


def occupied(s: Board) -> u64:
    """All pieces."""
    return s.p | s.n | s.d | s.o | s.k


def checkers(s: Board, k: int, men: u64) -> u64:
    """The pieces that attack the king of the side to move, which stands on square k."""
    return (knight(k) & s.n | pawns_up(bit(k)) & s.p | rook(k, men) & s.o | bishop(k, men) & s.d) & (men ^ s.me)


def in_check(s: Board) -> bool:
    """Whether the side to move is in check."""
    return checkers(s, ctz(s.k & s.me), occupied(s)) != 0


def guard(s: Board, k: int, men: u64) -> tuple[u64, u64, u64]:
    """Where pieces other than the king may go, which of them are pinned, and which pieces give check."""
    them, king = men ^ s.me, bit(k)
    checks = (knight(k) & s.n | pawns_up(king) & s.p) & them
    pinned, block = u64(0), u64(0)
    # snipers see the king when only pieces of his own stand between
    snipers = s.o & them & rook_line(k)
    if snipers:
        snipers &= rook(k, them)
        while snipers:
            sniper = lowest(snipers)
            between = rook(ctz(snipers), king) & rook(k, sniper)
            shield = between & s.me
            if shield == 0:
                checks |= sniper
                block |= between
            elif rest(shield) == 0:
                pinned |= shield
            snipers = rest(snipers)
    snipers = bishop(k, them) & s.d & them
    while snipers:
        sniper = lowest(snipers)
        between = bishop(ctz(snipers), king) & bishop(k, sniper)
        shield = between & s.me
        if shield == 0:
            checks |= sniper
            block |= between
        elif rest(shield) == 0:
            pinned |= shield
        snipers = rest(snipers)
    goal = FULL ^ s.me
    if checks:
        goal = checks | block if rest(checks) == 0 else u64(0)
    return goal, pinned, checks


def attacked(s: Board, men: u64) -> u64:
    """What the other side attacks, seen through the king of the side to move: he cannot hide behind himself."""
    them, through = men ^ s.me, men & (FULL ^ (s.k & s.me))
    plain = pawns_down(s.p & them) | knights(s.n & them) | kings(s.k & them)
    return plain | rooks(s.o & them, through) | bishops(s.d & them, through)


def king_goals(s: Board, k: int, men: u64, checks: u64) -> tuple[u64, u64]:
    """Where the king may go, and the rooks that he may castle with."""
    steps, castles = king(k) & (FULL ^ s.me), s.x & RANK_1
    if castles:
        castles = castles & sliders.rank(k, men) if checks == 0 else u64(0)
    if steps | castles:
        danger = attacked(s, men)
        steps &= FULL ^ danger
        if castles:
            castles = castling(s, k, men, castles, danger)
    return steps, castles


def castling(s: Board, k: int, men: u64, castles: u64, danger: u64) -> u64:
    """Which of these rooks, that the king sees, he may castle with: their ways are free, and his is safe."""
    safe = u64(0)
    while castles:
        r = ctz(castles)
        king_to, rook_to = (6, 5) if r > k else (2, 3)
        path = span(k, king_to)
        others = men ^ bit(k) ^ lowest(castles)
        if (path | span(r, rook_to)) & others == 0 and path & danger == 0:
            # the rook may have stood between the king's new square and a rook of the other side
            if sliders.rank(king_to, others | bit(rook_to)) & s.o & others & (FULL ^ s.me) == 0:
                safe |= lowest(castles)
        castles = rest(castles)
    return safe


def span(i: int, j: int) -> u64:
    """The squares from i to j, both included, of the first rank."""
    return (bit(max(i, j) + 1) - bit(min(i, j))) & RANK_1


def pushes(pawns: u64, men: u64, goal: u64) -> tuple[u64, u64]:
    """Where pawns may go by one step, and by two."""
    one = pawns << 8 & (FULL ^ men)
    return one & goal, (one & RANK_3) << 8 & (FULL ^ men) & goal


def pinned_goals(s: Board, k: int, i: int, men: u64, goal: u64) -> u64:
    """Where the pinned piece on square i may go: on the line through the king."""
    man = bit(i)
    to = u64(0)
    if s.p & man:
        one, two = pushes(man, men, FULL)
        to = one | two | pawns_up(man) & men & (FULL ^ s.me)
    if s.d & man:
        to |= bishop(i, men)
    if s.o & man:
        to |= rook(i, men)
    return to & goal & sliders.line(k, i)


def takers(s: Board, k: int, men: u64, goal: u64) -> u64:
    """The pawns that may take en passant."""
    free = u64(0)
    to = s.x & RANK_6
    taken = to >> 8
    pawns = (taken >> 1 & NOT_H | taken << 1 & NOT_A) & s.p & s.me
    if goal & (to | taken):
        while pawns:
            after = men ^ lowest(pawns) ^ taken | to
            if (rook(k, after) & s.o | bishop(k, after) & s.d) & (men ^ s.me) == 0:
                free |= lowest(pawns)
            pawns = rest(pawns)
    return free


def count(s: Board) -> int:
    """How many legal moves there are, without writing them down."""
    men, k = occupied(s), ctz(s.k & s.me)
    goal, pinned, checks = guard(s, k, men)
    steps, castles = king_goals(s, k, men, checks)
    n = popcount(steps | castles)
    if goal == 0:
        return n
    them, free = men ^ s.me, s.me & (FULL ^ pinned)
    movers = s.n & free
    while movers:
        n += popcount(knight(ctz(movers)) & goal)
        movers = rest(movers)
    movers = s.d & free
    while movers:
        n += popcount(bishop(ctz(movers), men) & goal)
        movers = rest(movers)
    movers = s.o & free
    while movers:
        n += popcount(rook(ctz(movers), men) & goal)
        movers = rest(movers)
    pawns = s.p & free
    one, two = pushes(pawns, men, goal)
    left, right = pawns << 7 & NOT_H & them & goal, pawns << 9 & NOT_A & them & goal
    n += popcount(one) + popcount(two) + popcount(left) + popcount(right)
    if (one | left | right) & RANK_8:
        n += 3 * (popcount(one & RANK_8) + popcount(left & RANK_8) + popcount(right & RANK_8))
    movers = pinned & (FULL ^ s.n)
    while movers:
        to = pinned_goals(s, k, ctz(movers), men, goal)
        n += popcount(to)
        if s.p & lowest(movers):
            n += 3 * popcount(to & RANK_8)
        movers = rest(movers)
    if s.x & RANK_6:
        n += popcount(takers(s, k, men, goal))
    return n
