"""The numbers of positions with at most four pieces, by which endgame tables go.

An ending is the pieces of the side to move and those of the other: KQ against KR, and beside it KR against KQ. Its positions are
numbered by the squares of the two kings, then of the other pieces, the mover's first and each side's strongest first; the board is
mirrored so that the mover's king stands on the files a to d, and without pawns in the triangle a1, d1, d4. A pawn that can be taken
en passant is numbered as if it stood on the first rank, where no pawn can. The counters are left out, and who may castle has no number.
"""

from __future__ import annotations

from itertools import accumulate, combinations_with_replacement

from ...bits import FULL, bit, ctz, i64, popcount, rest, u64
from ...errors import ZermeloError
from .moves import guard, in_check, occupied, takers
from .sliders import king
from .state import RANK_1, RANK_6, RANK_8, State, turned

LETTERS = " PNBRQ"  # what the kinds of pieces are called, from 1
MOST_PIECES = 4
TRIANGLE = tuple(f + 8 * r for f in range(4) for r in range(f + 1))  # a1, b1, b2, c1, ...: one of eight images of every square

Side = tuple[int, ...]  # kinds of pieces beside the king, the strongest first


def _sides(n: int) -> list[Side]:
    return list(combinations_with_replacement((5, 4, 3, 2, 1), n))


def _name(mine: Side, theirs: Side) -> str:
    """The name of an ending, the stronger side first."""
    strong, weak = sorted(("".join(map(str, side)) for side in (mine, theirs)), key=lambda x: (len(x), x), reverse=True)
    return "".join("K" + "".join(LETTERS[int(kind)] for kind in side) for side in (strong, weak))


def _stages() -> dict[str, list[tuple[Side, Side]]]:
    """All endings by name, each with both sides to move, those with fewer pieces and fewer pawns first."""
    pairs = [(a, b) for n in range(MOST_PIECES - 1) for m in range(n + 1) for a in _sides(m) for b in _sides(n - m)]
    pairs.sort(key=lambda pair: (len(pair[0] + pair[1]), (pair[0] + pair[1]).count(1), _name(*pair)))
    stages: dict[str, list[tuple[Side, Side]]] = {}
    for pair in pairs:
        stages.setdefault(_name(*pair), []).append(pair)
    return stages


STAGES = _stages()
#: the kinds of the mover's two pieces, then of the other's, 0 for none, of each ending with each side to move
KINDS = tuple((*(*a, 0, 0)[:2], *(*b, 0, 0)[:2]) for pairs in STAGES.values() for a, b in pairs)
SIZES = [(32 if 1 in kinds else 10) * 64 ** (5 - kinds.count(0)) for kinds in KINDS]
FIRSTS = (0, *accumulate(SIZES))  # their first numbers, and the number after the last
ENDINGS = {((a * 6 + b) * 6 + c) * 6 + d: n for n, (a, b, c, d) in enumerate(KINDS)}
CLASSES = tuple(ENDINGS.get(code, 0) for code in range(6**4))  # which of KINDS four kinds are
KIND_COUNT = len(KINDS)


def ranges(wanted: str, game: str) -> tuple[tuple[str, int, int], ...]:
    """The endings that a table of this one needs, with their numbers: one ending by its name (KQKR), or all of at most 2, 3 or 4 pieces."""
    if wanted in ("2", "3", "4"):
        names = {name for name, pairs in STAGES.items() if len(pairs[0][0] + pairs[0][1]) + 2 <= int(wanted)}
    else:
        names = _needed(_ending(wanted, game))
    found, at = [], 0
    for name, pairs in STAGES.items():
        if name in names:
            found.append((name, FIRSTS[at], FIRSTS[at + len(pairs)]))
        at += len(pairs)
    return tuple(found)


def _ending(wanted: str, game: str) -> str:
    """The name of the ending that this text means."""
    sides = wanted.upper().replace("V", "").split("K")
    if len(sides) == 3 and sides[0] == "" and not set("".join(sides)) - set(LETTERS[1:]):
        mine, theirs = (tuple(sorted((LETTERS.index(x) for x in side), reverse=True)) for side in sides[1:])
        if len(mine + theirs) + 2 <= MOST_PIECES:
            return _name(mine, theirs)
    raise ZermeloError(
        f"'{wanted}' is not an ending of {game}: expected at most {MOST_PIECES} pieces like KQKR, or 2, 3 or {MOST_PIECES} for all"
    )


def _needed(name: str) -> set[str]:
    """An ending and all that captures and promotions lead to."""
    names, todo = set[str](), [STAGES[name][0]]
    while todo:
        mine, theirs = todo.pop()
        if _name(mine, theirs) in names:
            continue
        names.add(_name(mine, theirs))
        for side, other in ((mine, theirs), (theirs, mine)):
            for i, kind in enumerate(side):
                less = side[:i] + side[i + 1 :]
                todo.append((less, other))
                if kind == 1:
                    todo += [(tuple(sorted((*less, new), reverse=True)), other) for new in (2, 3, 4, 5)]
    return names


# ---- lowered -----------------------------------------------------------------------------------


def image(square: int, flip: int, swap: bool) -> int:
    """A square after the board is mirrored by files and ranks (`flip`), then along the long diagonal."""
    square ^= flip
    return (square & 7) << 3 | square >> 3 if swap else square


def piece(s: State, i: int, flip: int, swap: bool) -> int:
    """The kind of the piece on square i, from bit 6 on, and the image of the square."""
    d, o = s.d >> i & 1, s.o >> i & 1
    kind = i64((s.p >> i & 1) + 2 * (s.n >> i & 1) + 3 * d + 4 * o - 2 * (d & o))
    return kind << 6 | image(i, flip, swap)


def two(s: State, side: u64, flip: int, swap: bool) -> tuple[int, int]:
    """The two pieces of a side, the greater number first; 0 for none."""
    if side == 0:
        return 0, 0
    a, b = piece(s, ctz(side), flip, swap), 0
    if rest(side) != 0:
        b = piece(s, ctz(rest(side)), flip, swap)
    return max(a, b), min(a, b)


def number(s: State) -> int:
    """The number of s; -1 if it has none."""
    men = occupied(s)
    if s.k == 0 or popcount(men) > MOST_PIECES or s.x & (RANK_1 | RANK_8) != 0:
        return -1
    k, other = ctz(s.k & s.me), ctz(s.k & (FULL ^ s.me))
    flip, swap = 7 if k & 4 else 0, False
    if s.p == 0:
        flip |= 56 if k & 32 else 0
        swap = (k ^ flip) >> 3 > (k ^ flip) & 7
    k, other = image(k, flip, swap), image(other, flip, swap)
    a, b = two(s, s.me & (FULL ^ s.k), flip, swap)
    c, d = two(s, (men ^ s.me) & (FULL ^ s.k), flip, swap)
    i = (k >> 3) * 4 + (k & 7) if s.p != 0 else (k & 7) * ((k & 7) + 1) // 2 + (k >> 3)
    i = i * 64 + other
    if s.x & RANK_6:
        c -= 32
    for one in (a, b, c, d):
        if one != 0:
            i = i * 64 + (one & 63)
    return FIRSTS[CLASSES[((a >> 6) * 6 + (b >> 6)) * 36 + (c >> 6) * 6 + (d >> 6)]] + i


def state(i: int) -> State:
    """The position with White to move that has this number, or the empty board if the number is of none."""
    low, high = 0, KIND_COUNT
    while high - low > 1:
        middle = (low + high) // 2
        if FIRSTS[middle] <= i:
            low = middle
        else:
            high = middle
    i -= FIRSTS[low]
    p, n, d, o, me, men, x = u64(0), u64(0), u64(0), u64(0), u64(0), u64(0), u64(0)
    count = 2
    for k in range(3, -1, -1):
        kind = KINDS[low][k]
        if kind == 0:
            continue
        square = i & 63
        i >>= 6
        if kind == 1 and k == 2 and square < 8:
            x, square = bit(square + 40), square + 32
        here = bit(square)
        count += 1
        men |= here
        me |= here if k < 2 else u64(0)
        p |= here if kind == 1 else u64(0)
        n |= here if kind == 2 else u64(0)
        d |= here if kind in (3, 5) else u64(0)
        o |= here if kind >= 4 else u64(0)
    other, i = bit(i & 63), i >> 6
    mover = bit((i >> 2) * 8 + (i & 3)) if p != 0 else bit(TRIANGLE[i])
    s = State(p, n, d, o, mover | other, me | mover, x, u64(0))
    if popcount(men | mover | other) != count or not is_lawful(s):
        return State(u64(0), u64(0), u64(0), u64(0), u64(0), u64(0), u64(0), u64(0))
    return s


def is_lawful(s: State) -> bool:
    """Whether no pawn stands on the first or last rank, the side not to move is not in check, and what en passant says can be."""
    k = ctz(s.k & s.me)
    if s.p & (RANK_1 | RANK_8) != 0 or king(k) & s.k != 0 or in_check(turned(s)):
        return False
    if s.x == 0:
        return True
    men = occupied(s)
    if men & (s.x | s.x << 8) != 0:
        return False
    goal, _, _ = guard(s, k, men)
    return takers(s, k, men, goal) != 0
