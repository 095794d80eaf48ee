"""Where pieces may go in antichess: a capture must be made if there is one, and no square is forbidden to a king."""

from __future__ import annotations

from ...bits import FULL, ctz, popcount, rest, u64
from ..chess.moves import occupied, pushes
from ..chess.sliders import NOT_A, NOT_H, bishop, bishops, king, kings, knight, knights, pawns_down, pawns_up, rook, rooks
from ..chess.state import RANK_6, RANK_8, State


def goals(s: State, men: u64) -> u64:
    """Where the pieces of the side to move may go: to pieces of the other side if one can be taken, else to empty squares."""
    return men ^ s.me if must_take(s, men) else FULL ^ men


def must_take(s: State, men: u64) -> bool:
    """Whether the side to move can capture, and so must."""
    them = men ^ s.me
    if pawns_up(s.p & s.me) & (them | s.x) | (knights(s.n & s.me) | kings(s.k & s.me)) & them:
        return True
    return (rooks(s.o & s.me, men) | bishops(s.d & s.me, men)) & them != 0


def takers(s: State) -> u64:
    """The pawns that may take en passant."""
    return pawns_down(s.x & RANK_6) & s.p & s.me


def pawn_goals(s: State, men: u64, goal: u64) -> tuple[u64, u64, u64, u64]:
    """Where pawns may go by one step, by two, by a capture to the left and to the right; en passant is not among them."""
    pawns = s.p & s.me
    one, two = pushes(pawns, men, goal)
    return one, two, pawns << 7 & NOT_H & men & goal, pawns << 9 & NOT_A & men & goal


def can_move(s: State, men: u64) -> bool:
    """Whether the side to move has any move: one step of any piece is enough to know."""
    free, theirs = FULL ^ men, FULL ^ s.me
    if (s.p & s.me) << 8 & free:
        return True
    if (knights(s.n & s.me) | kings(s.k & s.me)) & theirs:
        return True
    if pawns_up(s.p & s.me) & (men & theirs | s.x):
        return True
    straight, slanted = s.o & s.me, s.d & s.me
    steps = straight << 8 & FULL | straight >> 8 | straight << 1 & NOT_A | straight >> 1 & NOT_H
    return (steps | pawns_up(slanted) | pawns_down(slanted)) & theirs != 0


def count(s: State) -> int:
    """How many legal moves there are, without writing them down: captures and others are counted side by side."""
    men = occupied(s)
    them, free = men ^ s.me, FULL ^ men
    pawns = s.p & s.me
    left, right = pawns << 7 & NOT_H & them, pawns << 9 & NOT_A & them
    takes = popcount(left) + popcount(right) + 4 * popcount(left & RANK_8) + 4 * popcount(right & RANK_8)
    if s.x:
        takes += popcount(takers(s))
    one, two = pushes(pawns, men, FULL)
    steps = popcount(one) + popcount(two) + 4 * popcount(one & RANK_8)
    movers = s.n & s.me
    while movers:
        to = knight(ctz(movers))
        takes += popcount(to & them)
        steps += popcount(to & free)
        movers = rest(movers)
    movers = s.k & s.me
    while movers:
        to = king(ctz(movers))
        takes += popcount(to & them)
        steps += popcount(to & free)
        movers = rest(movers)
    movers = s.d & s.me
    while movers:
        to = bishop(ctz(movers), men)
        takes += popcount(to & them)
        steps += popcount(to & free)
        movers = rest(movers)
    movers = s.o & s.me
    while movers:
        to = rook(ctz(movers), men)
        takes += popcount(to & them)
        steps += popcount(to & free)
        movers = rest(movers)
    return takes if takes else steps
