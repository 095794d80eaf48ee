"""What the umpire knows and says: which attempts are legal, checks by their lines, pawn tries, captures."""

from __future__ import annotations

from ...bits import FULL, bit, ctz, i64, lowest, popcount, rest, u64
from ..chess import moves, sliders
from ..chess.sliders import NOT_A, NOT_H, bishop, king, knight, pawns_down, pawns_up, rook
from ..chess.state import CASTLING, CLOCK, EN_PASSANT, RANK_1, RANK_3, RANK_6
from .state import CHECKS, FILE, KNIGHT, LONG_DIAGONAL, RANK, SHORT_DIAGONAL, State

DARK = 0xAA55AA55AA55AA55  # squares of a1's colour


def attempts(s: State, i: int) -> u64:
    """Where the player to move may try to go with the piece on square i, knowing only its own; castling goes to the rook."""
    man, free = bit(i), FULL ^ s.me
    to = u64(0)
    if s.p & man:
        one = man << 8 & free
        to = one | (one & RANK_3) << 8 & free | pawns_up(man) & free
    if s.n & man:
        to = knight(i) & free
    if s.d & man:
        to = bishop(i, s.me) & free
    if s.o & man:
        to |= rook(i, s.me) & free
    if s.k & man:
        to = king(i) & free | castles(s, i)
    return to


def castles(s: State, k: int) -> u64:
    """The rooks that the king on square k may try to castle with: no check was announced, and no piece of its own is in the way."""
    rooks, found = s.x & RANK_1, u64(0)
    if s.said & CHECKS:
        return found
    while rooks:
        r = ctz(rooks)
        king_to, rook_to = (6, 5) if r > k else (2, 3)
        if (moves.span(k, king_to) | moves.span(k, r) | moves.span(r, rook_to)) & (s.me ^ bit(k) ^ lowest(rooks)) == 0:
            found |= lowest(rooks)
        rooks = rest(rooks)
    return found


def is_pawn_capture(s: State, i: int, j: int) -> bool:
    """Whether going from i to j would be a capture by a pawn."""
    return s.p >> i & 1 == 1 and (j - i) & 7 != 0


def legal(s: State, a: int) -> int:
    """The action of chess that an attempt is, -1 if it is not legal."""
    i, j, kind = a & 63, a >> 6 & 63, a >> 12
    man, goal_square, men, k = bit(i), bit(j), moves.occupied(s), ctz(s.k & s.me)
    goal, pinned, checks = moves.guard(s, k, men)
    to = u64(0)
    if i == k:
        steps, rooks = moves.king_goals(s, k, men, checks)
        to = rooks if kind == CASTLING else steps
    elif pinned & man:
        to = moves.pinned_goals(s, k, i, men, goal) if s.n & man == 0 else u64(0)
    elif s.p & man:
        one, two = moves.pushes(man, men, goal)
        to = one | two | pawns_up(man) & (men ^ s.me) & goal
    elif s.n & man:
        to = knight(i) & goal
    else:
        if s.d & man:
            to = bishop(i, men)
        if s.o & man:
            to |= rook(i, men)
        to &= goal
    if to & goal_square:
        return a
    if s.p & man and goal_square & s.x & RANK_6 and moves.takers(s, k, men, goal) & man and (j - i) & 7 != 0:
        return i | j << 6 | EN_PASSANT << 12
    return -1


def pawn_tries(s: State) -> int:
    """How many captures the pawns of the player to move have; a capture that promotes counts once."""
    men, k = moves.occupied(s), ctz(s.k & s.me)
    goal, pinned, _ = moves.guard(s, k, men)
    prey, free = (men ^ s.me) & goal, s.p & s.me & (FULL ^ pinned)
    n = popcount(free << 7 & NOT_H & prey) + popcount(free << 9 & NOT_A & prey)
    movers = s.p & pinned
    while movers:
        i = ctz(movers)
        n += popcount(moves.pinned_goals(s, k, i, men, goal) & pawns_up(bit(i)))
        movers = rest(movers)
    if s.x & RANK_6:
        n += popcount(moves.takers(s, k, men, goal))
    return n


def checks(s: State) -> int:
    """The kinds of check that the player to move is in."""
    k = ctz(s.k & s.me)
    found, kinds = moves.checkers(s, k, moves.occupied(s)), 0
    while found:
        kinds |= kind_of_check(k, ctz(found))
        found = rest(found)
    return kinds


def kind_of_check(k: int, i: int) -> int:
    """How a piece on square i gives check to a king on square k: along a line, or as a knight."""
    if (i ^ k) & 7 == 0:
        return FILE
    if (i ^ k) >> 3 == 0:
        return RANK
    if sliders.up(k) >> i & 1:
        return LONG_DIAGONAL if is_up_longer(k) else SHORT_DIAGONAL
    if sliders.down(k) >> i & 1:
        return SHORT_DIAGONAL if is_up_longer(k) else LONG_DIAGONAL
    return KNIGHT


def is_up_longer(k: int) -> bool:
    """Whether the diagonal through square k that goes up to the right is longer than the other; they are never equal."""
    return popcount(sliders.up(k)) > popcount(sliders.down(k))


def attacks(pawns: u64, knights: u64, slanted: u64, straight: u64, king_square: u64, men: u64) -> u64:
    """What these pieces, whose pawns go up, attack on a board with these pieces in the way."""
    plain = pawns_up(pawns) | sliders.knights(knights) | sliders.kings(king_square)
    return plain | sliders.rooks(straight, men) | sliders.bishops(slanted, men)


def rank_of(s: State, i: int, j: int) -> int:
    """The number of the attempt from i to j among all of this turn."""
    n, movers = 0, s.me & (bit(i) - 1)
    while movers:
        n += popcount(attempts(s, ctz(movers)))
        movers = rest(movers)
    return n + popcount(attempts(s, i) & (bit(j) - 1))


def is_tried(s: State, n: int) -> bool:
    """Whether attempt number n was found to be illegal in this turn."""
    return s.tried[n >> 6 & 3] >> (n & 63) & 1 == 1


def capture_square(s: State, a: int) -> int:
    """The square, as White sees it, on which the legal action a of chess captures, -1 if it does not."""
    j, kind = a >> 6 & 63, a >> 12
    if kind == EN_PASSANT:
        return (j - 8) ^ 56 * i64(s.t & 1)
    if kind == CASTLING or moves.occupied(s) >> j & 1 == 0:
        return -1
    return j ^ 56 * i64(s.t & 1)


def other_king_is_attacked(s: State) -> bool:
    """Whether the player to move could take the king, so that no move can have led to s."""
    k, men = ctz(s.k & (FULL ^ s.me)), moves.occupied(s)
    hit = knight(k) & s.n | king(k) & s.k | pawns_down(bit(k)) & s.p | rook(k, men) & s.o | bishop(k, men) & s.d
    return hit & s.me != 0


def is_drawn(s: State) -> bool:
    """Whether the umpire ends the game, unless it is mate: after fifty moves of each side, or because nobody can mate."""
    if s.t >= 100 * CLOCK:
        return True
    if s.p | s.o:
        return False
    if s.d == 0:
        return popcount(s.n) <= 1
    return s.n == 0 and (s.d & DARK == 0 or s.d & DARK == s.d)
