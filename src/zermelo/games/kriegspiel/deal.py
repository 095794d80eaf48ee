"""Another position that a player cannot tell from the one that there is, by what the umpire has said in this turn.

    DEAL(s, p): repeat
        place as many pieces of the opponent as there are, at random; rather where they must, and not where they cannot stand
    until the umpire would say the same, and refuse what it refused
    if that takes too long, take the deal with the fewest mistakes, and
        repeat: move a piece of the opponent to another square, and back if that makes more mistakes
        until there are none

Nothing but p's observation is looked at, and the pawns that the opponent is known to have lost. If mistakes remain in the end, so does the
deal: never the truth.
"""

from __future__ import annotations

from ...bits import FULL, bit, byteswap, ctz, i64, nth, popcount, rest, u64
from ...rng import below, draw, step
from ..chess import moves, sliders
from ..chess.sliders import king, knight, pawns_up
from ..chess.state import CASTLING, PLY, RANK_1, RANK_8
from . import umpire
from .state import CAPTURE, CHECKS, DENIED, FILE, KNIGHT, LONG_DIAGONAL, RANK, SHORT_DIAGONAL, SQUARE, TRIES, UNASKED, State

DEALS, REPAIRS = 300, 3000  # positions that are dealt, and pieces that are moved after that
IMPOSSIBLE = 1000  # mistakes of a position in which no game can be
ARMY = 0x7F  # two knights, two bishops, two rooks, a queen: a bit each, from the lowest
KNIGHTS, BISHOPS, ROOKS, QUEEN, PAWNS = 0x3, 0xC, 0x30, 0x40, 0x80


def own_pieces(s: State, mine: bool) -> tuple[u64, u64, u64, u64, u64, u64, u64]:
    """The pieces of the player to move, or of the other, by kinds, all of them, and the field x, as the player sees the board."""
    if mine:
        return s.p & s.me, s.n & s.me, s.d & s.me, s.o & s.me, s.k & s.me, s.me, s.x
    own = byteswap(moves.occupied(s) ^ s.me)
    return byteswap(s.p) & own, byteswap(s.n) & own, byteswap(s.d) & own, byteswap(s.o) & own, byteswap(s.k) & own, own, byteswap(s.x)


def again(s: State, p: int, seed: u64, is_icc: bool) -> State:
    """A random state that player p cannot tell from s by what was said in this turn, or one with as few mistakes as were found."""
    mine, best, least = p == i64(s.t & 1), s, 2 * IMPOSSIBLE
    for r in range(DEALS + REPAIRS):
        word = draw(seed, u64(r))
        t = dealt(s, p, mine, word, is_icc) if r < DEALS else nudged(best, mine, word)
        wrong = mistakes(t, s, mine, is_icc)
        if wrong == 0:
            return t
        if wrong < least or (r >= DEALS and wrong == least):
            best, least = t, wrong
    return best


def nudged(t: State, mine: bool, word: u64) -> State:
    """The position with a piece of the opponent on another square."""
    men = moves.occupied(t)
    theirs, free = men ^ t.me if mine else t.me, FULL ^ men
    i = nth(theirs, below(word, popcount(theirs)))
    if t.p >> i & 1:
        free &= FULL ^ (RANK_1 | RANK_8)
    if free == 0:
        return t
    j = nth(free, below(draw(word, u64(1)), popcount(free)))
    me = t.me if mine else moved(t.me, i, j)
    return t._replace(p=moved(t.p, i, j), n=moved(t.n, i, j), d=moved(t.d, i, j), o=moved(t.o, i, j), k=moved(t.k, i, j), me=me)


def moved(pieces: u64, i: int, j: int) -> u64:
    """These pieces after what stands on square i went to j, which is empty."""
    return pieces & (FULL ^ bit(i)) | (pieces >> i & 1) << j


def dealt(s: State, p: int, mine: bool, seed: u64, is_icc: bool) -> State:
    """The pieces of p, and as many of the opponent at random."""
    q, n, d, o, k, own, x = own_pieces(s, mine)
    count, random = popcount(moves.occupied(s)) - popcount(own), seed | 1
    pawns = min(8 - s.gone[1 - p], count - 1) if is_icc else min(8, count - 1 - below(seed, min(8, count)))
    if seed >> 60 == 0:  # pawns may have been promoted
        pawns = below(draw(seed, u64(3)), pawns + 1)
    target = last_capture(s, mine)
    threat = umpire.attacks(q, n, d, o, k, own)
    avoid = pawns_up(q) if mine and is_icc and s.said >> TRIES & 31 == 0 else u64(0)
    who = below(draw(seed, u64(1)), count)  # stands where the last capture was
    army, theirs, ours = u64(ARMY), u64(0), own
    for c in range(count):
        random = step(random)
        kind = kind_of(c, count - pawns, army, random)
        army &= FULL ^ kind
        spots = (
            king_spots(s, mine, ctz(k & own), ours, threat)
            if kind == 0
            else man_spots(s, mine, kind, q, own, ctz(k & own), ours, avoid, random)
        )
        if c == who and target & (FULL ^ own):
            spots = target
        random = step(random)
        if spots:
            man = bit(nth(spots, below(random, popcount(spots))))
            ours |= man
            theirs |= man
            k |= man if kind == 0 else u64(0)
            n |= man if kind & KNIGHTS else u64(0)
            d |= man if kind & (BISHOPS | QUEEN) else u64(0)
            o |= man if kind & (ROOKS | QUEEN) else u64(0)
            q |= man if kind == PAWNS else u64(0)
    other = draw(seed, u64(2))
    heard = (s.heard[0], other) if p == 0 else (other, s.heard[1])
    asked, none = s.asked, (u64(0), u64(0), u64(0), u64(0))
    rooks = x & own & RANK_1
    if mine:
        return State(q, n, d, o, k, own, rooks, s.t & PLY, s.said, asked, s.gone, s.tried, heard)
    q, n, d, o, k, rooks = byteswap(q), byteswap(n), byteswap(d), byteswap(o), byteswap(k), byteswap(rooks)
    return State(q, n, d, o, k, byteswap(theirs), rooks, s.t & PLY, s.said, asked, s.gone, none, heard)


def kind_of(c: int, officers: int, army: u64, random: u64) -> u64:
    """What the c-th piece is: the king (0), then officers, from the army or queens if that is used up, then pawns."""
    if c == 0:
        return u64(0)
    if c >= officers:
        return u64(PAWNS)
    return u64(QUEEN) if army == 0 else bit(nth(army, below(random, popcount(army))))


def king_spots(s: State, mine: bool, k: int, ours: u64, threat: u64) -> u64:
    """Where the other king may stand, with one's own on square k: attacked if the umpire said so, and else not, where that is possible."""
    spots = (FULL ^ ours) & (FULL ^ king(k))
    if spots & threat == 0:
        return spots
    return spots & (threat if not mine and s.said & CHECKS else FULL ^ threat)


def man_spots(s: State, mine: bool, kind: u64, pawns: u64, own: u64, k: int, ours: u64, avoid: u64, random: u64) -> u64:
    """Where a piece of this kind may stand; now and then only where it would do what the umpire said of checks or of pawns."""
    spots = (FULL ^ ours) & (FULL ^ avoid)
    if kind == PAWNS:
        spots &= FULL ^ (RANK_1 | RANK_8)
    near = checking(kind, k, ours, s.said & CHECKS if mine else 0) & spots
    if near and random >> 20 & 3 == 0:
        return near
    if s.said >> TRIES & 31 and random >> 23 & 3 == 0 and (mine or kind == PAWNS):
        near = pawns_up(pawns & own if mine else own) & spots  # where pawns meet
        return near if near else spots
    return spots


def last_capture(s: State, mine: bool) -> u64:
    """The square, as the player to move sees it, on which the opponent has just captured; nothing if it has not."""
    if not mine or s.said >> CAPTURE & 3 == 0:
        return u64(0)
    return bit(s.said >> SQUARE ^ 56 * i64(s.t & 1))


def checking(kind: u64, k: int, men: u64, checks: int) -> u64:
    """The squares from which a piece of this kind would give one of these checks to a king on square k."""
    found = u64(0)
    if kind & KNIGHTS and checks & KNIGHT:
        found = knight(k)
    if kind & (ROOKS | QUEEN):
        if checks & FILE:
            found |= sliders.along(sliders.file(k), k, men)
        if checks & RANK:
            found |= sliders.rank(k, men)
    if kind & (BISHOPS | QUEEN | PAWNS) and checks & (LONG_DIAGONAL | SHORT_DIAGONAL):
        is_up = (checks & LONG_DIAGONAL != 0) == umpire.is_up_longer(k)
        line = sliders.up(k) if is_up else sliders.down(k)
        found |= pawns_up(bit(k)) & line if kind == PAWNS else sliders.along(line, k, men)
    return found


def mistakes(t: State, s: State, mine: bool, is_icc: bool) -> int:
    """How often the umpire would say something else in t than in s, 0 if never; at least IMPOSSIBLE if no game goes on in t."""
    if popcount(t.k) != 2 or popcount(moves.occupied(t)) != popcount(moves.occupied(s)):
        return IMPOSSIBLE
    if umpire.other_king_is_attacked(t) or moves.count(t) == 0 or umpire.is_drawn(t):
        return IMPOSSIBLE
    wrong = popcount(u64(umpire.checks(t) ^ s.said & CHECKS))
    target = last_capture(s, mine)
    if target and target & (moves.occupied(t) ^ t.me) == 0:
        wrong += 1
    tries = umpire.pawn_tries(t)
    if is_icc:
        wrong += abs(tries - (s.said >> TRIES & 31))
    elif s.asked != UNASKED and (s.asked == DENIED) != (tries == 0):
        wrong += 1
    return wrong + (allowed(t) if mine else 0)


def allowed(t: State) -> int:
    """How many of the attempts that were refused are legal in t."""
    n, wrong, movers = 0, 0, t.me
    if (t.tried[0] | t.tried[1] | t.tried[2] | t.tried[3]) == 0:
        return 0
    while movers:
        i = ctz(movers)
        to = umpire.attempts(t, i)
        while to:
            j = ctz(to)
            if umpire.is_tried(t, n) and umpire.legal(t, i | j << 6 | (CASTLING << 12 if t.me >> j & 1 else 0)) >= 0:
                wrong += 1
            n += 1
            to = rest(to)
        movers = rest(movers)
    return wrong
