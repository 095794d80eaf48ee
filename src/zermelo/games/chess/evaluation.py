"""The evaluation: what a position is worth to the side to move, in hundredths of a pawn.

Every term has a weight for the middle game and one for the endgame, between which the value slides with the pieces that are
left (tapered). The two are kept in one number, endgame * 2^32 + middle game, so that they are added at once.
"""

from __future__ import annotations

from ...bits import FULL, byteswap, ctz, popcount, rest, u64
from . import weights as w
from .moves import occupied
from .sliders import FILE_A, KING, KNIGHT, NOT_A, NOT_H, bishop, higher, lower, pawns_down, pawns_up, rook
from .state import Board

FULL_BOARD_PHASE = 24  # the phase of a full board: a knight or a bishop counts 1, a rook 2, a queen 4
ENDGAME_PHASE = 6  # a position of at most this phase is scored as an endgame
OUTPOSTS = 0x0000FFFFFF000000  # ranks 4 to 6
LIGHT = 0x55AA55AA55AA55AA


def value(s: Board) -> int:
    """What s is worth to the side to move, in hundredths of a pawn."""
    men = occupied(s)
    them = men ^ s.me
    mine = side(s.p, s.n, s.d, s.o, s.k, s.me, men)
    theirs = side(byteswap(s.p), byteswap(s.n), byteswap(s.d), byteswap(s.o), byteswap(s.k), byteswap(them), byteswap(men))
    total = mine - theirs + w.TEMPO
    middle = ((total + (1 << 31)) & 0xFFFFFFFF) - (1 << 31)
    end = (total - middle) >> 32
    phase = min(popcount(s.n) + popcount(s.d) + 2 * popcount(s.o) + popcount(s.d & s.o), FULL_BOARD_PHASE)
    score = (middle * phase + end * (FULL_BOARD_PHASE - phase)) // FULL_BOARD_PHASE
    return endgame(s, score, them) if phase <= ENDGAME_PHASE else score


def endgame(s: Board, score: int, them: u64) -> int:
    """The score of an endgame, less where it is hard to win, and more the nearer a bare king is to being mated."""
    strong, weak = (s.me, them) if score > 0 else (them, s.me)
    sign = 1 if score > 0 else -1
    if weak & s.k == weak:
        return score + sign * driven(ctz(s.k & weak), ctz(s.k & strong))
    if s.p & strong == 0 and pieces(s, strong) - pieces(s, weak) < 4:
        return score // 8
    if s.n | s.o == 0 and popcount(s.d & strong) == 1 and popcount(s.d & weak) == 1 and popcount(s.d & LIGHT) == 1:
        return score // 2
    return score


def pieces(s: Board, men: u64) -> int:
    """These pieces without pawns and king, where a knight or a bishop is 3, a rook 5, a queen 8."""
    return 3 * popcount((s.n | s.d) & men) + 5 * popcount(s.o & men)


def driven(bare: int, king: int) -> int:
    """How far a bare king is from the middle, and how near the other king has come.

    Both outweigh where a rook stands: with half as much a search of 1,000 nodes mated from 4 of 8 positions, with this from all 8.
    """
    edge = abs(2 * (bare & 7) - 7) + abs(2 * (bare >> 3) - 7)
    return 20 * edge - 20 * distance(bare, king)


def distance(i: int, j: int) -> int:
    """How many steps a king needs from square i to j."""
    return max(abs((i & 7) - (j & 7)), abs((i >> 3) - (j >> 3)))


def side(p: u64, n: u64, d: u64, o: u64, k: u64, me: u64, men: u64) -> int:
    """What the pieces of the side that goes up are worth, with both weights in one number."""
    them = men ^ me
    pawns, foes = p & me, p & them
    king, foe_king = ctz(k & me), ctz(k & them)
    guarded, mine = pawns_down(foes), pawns_up(pawns)
    v = pawn_structure(pawns, foes, king, foe_king) + w.THREAT_BY_PAWN * popcount(mine & them & (FULL ^ p))
    # mobility: squares that no pawn of the other side guards, without own pawns and king
    area = FULL ^ (guarded | pawns | k & me)
    zone = KING[foe_king] | k & them
    attack = 0  # on the king, by the squares around him that are attacked
    behind = lower(foes, FULL, 8) >> 8  # squares that pawns of the other side may still pass
    outposts = mine & OUTPOSTS & (FULL ^ (behind << 1 & NOT_A | behind >> 1 & NOT_H))
    v += w.OUTPOST * popcount((n | d) & me & outposts)
    movers = n & me
    while movers:
        i = ctz(movers)
        to = KNIGHT[i]
        v += w.KNIGHT_AT[i] + w.KNIGHT_MOVES[popcount(to & area)] + w.THREAT_BY_MINOR * popcount(to & o & them)
        attack += 2 * popcount(to & zone)
        movers = rest(movers)
    movers = d & me & (FULL ^ o)
    v += w.PAIR * int(rest(movers) != 0)
    while movers:
        i = ctz(movers)
        to = bishop(i, men)
        v += w.BISHOP_AT[i] + w.BISHOP_MOVES[popcount(to & area)] + w.THREAT_BY_MINOR * popcount(to & o & them)
        attack += 2 * popcount(to & zone)
        movers = rest(movers)
    movers = o & me & (FULL ^ d)
    while movers:
        i = ctz(movers)
        to = rook(i, men)
        v += w.ROOK_AT[i] + w.ROOK_MOVES[popcount(to & area)] + w.THREAT_BY_ROOK * popcount(to & o & d & them)
        attack += 3 * popcount(to & zone)
        file = FILE_A << (i & 7)
        v += w.OPEN_FILES[int(file & pawns == 0) * (1 + int(file & foes == 0))]
        movers = rest(movers)
    movers = o & d & me
    while movers:
        i = ctz(movers)
        to = rook(i, men) | bishop(i, men)
        v += w.QUEEN_AT[i] + w.QUEEN_MOVES[popcount(to & area)]
        attack += 4 * popcount(to & zone)
        movers = rest(movers)
    v += w.KING_ATTACK[min(attack, 31)]
    # the pawns in front of the king, and the files beside him that have none of his own
    v += w.KING_AT[king] + w.SHELTER * popcount((KING[king] | KING[king] << 8) & pawns)
    return v


def pawn_structure(pawns: u64, foes: u64, king: int, foe_king: int) -> int:
    """What the places of the pawns that go up are worth, alone and to each other."""
    ahead, guarded = higher(pawns, FULL, 8) << 8 & FULL, pawns_up(pawns)
    files = ahead | lower(pawns, FULL, 8)
    beside = files << 1 & NOT_A | files >> 1 & NOT_H
    stops = lower(foes, FULL, 8) >> 8
    front = stops | stops << 1 & NOT_A | stops >> 1 & NOT_H
    reach = ahead << 1 & NOT_A | ahead >> 1 & NOT_H  # what pawns guard or may come to guard
    row = pawns << 1 & NOT_A | pawns >> 1 & NOT_H
    v = w.DOUBLED * popcount(pawns & ahead) + w.ISOLATED * popcount(pawns & (FULL ^ beside))
    v += w.CONNECTED * popcount(pawns & (guarded | row))
    v += w.BACKWARD * popcount(pawns << 8 & pawns_down(foes) & (FULL ^ reach) & FULL)
    passed = pawns & (FULL ^ (front | lower(pawns, FULL, 8) >> 8))
    movers = pawns
    while movers:
        v += w.PAWN_AT[ctz(movers)]
        movers = rest(movers)
    while passed:
        i = ctz(passed)
        v += w.PASSED[i >> 3] + w.PASSED_KING * distance(i + 8, king) + w.PASSED_FOE * distance(i + 8, foe_king)
        passed = rest(passed)
    return v
