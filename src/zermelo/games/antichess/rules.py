"""Antichess (losing chess, giveaway): get rid of all pieces. A player who can capture must, and the king is a piece like any other."""

from __future__ import annotations

from collections.abc import Iterator

from ...bits import FULL, bit, bitreverse, byteswap, ctz, i64, popcount, rest, u64
from ...errors import ZermeloError
from ...game import Game
from ...rng import draw, mix
from ..chess import board, san
from ..chess.moves import occupied
from ..chess.sliders import NOT_A, NOT_H, bishop, king, knight, pawns_up, rook
from ..chess.state import CLOCK, EN_PASSANT, PLY, RANK_6, RANK_8, TO_BISHOP, TO_KING, TO_KNIGHT, TO_QUEEN, TO_ROOK, State, turned
from . import evaluation, fen, moves

DARK = 0xAA55AA55AA55AA55  # squares of a1's colour
PROMOTIONS = (TO_QUEEN, TO_KING, TO_ROOK, TO_BISHOP, TO_KNIGHT)
KEYS = tuple(draw(0xA27C, i) for i in range(7))  # any words that differ
STALEMATE = ("win", "fewer", "draw")


class Antichess(Game):
    """Antichess: a player without pieces, or without a move, wins.

    `stalemate` says who wins when pieces are left but no move: "win" the player to move, "fewer" the one with fewer pieces (none if
    they are equal), "draw" nobody. With `draws` the game is drawn after 50 moves of each side without a capture or a pawn's
    move, when only bishops are left that can never meet, and when a position comes back the third time; without, it ends
    only when the player to move has no move.
    """

    ends_without_actions, is_zero_sum = True, True
    player_names = ("White", "Black")
    symbols = ("KQRBNP", "kqrbnp")

    max_actions = 256

    def __init__(self, stalemate: str = "win", draws: bool = True):
        if stalemate not in STALEMATE:
            raise ZermeloError(f"antichess: expected stalemate {', '.join(STALEMATE[:-1])} or {STALEMATE[-1]}, not {stalemate!r}")
        if type(draws) is not bool:
            raise ZermeloError(f"antichess: expected draws true or false, not {draws!r}")
        self.draws = draws
        self.repetition = "draw" if draws else ""
        self.blocked = STALEMATE.index(stalemate)

    def initial(self) -> State:
        return self.read_state("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1")

    def to_move(self, s: State) -> int:
        return i64(s.t & 1)

    def actions(self, s: State) -> Iterator[int]:
        if self.is_drawn(s):
            return
        men = occupied(s)
        goal = moves.goals(s, men)
        movers = s.n & s.me
        while movers:
            i = ctz(movers)
            to = knight(i) & goal
            while to:
                yield i | ctz(to) << 6
                to = rest(to)
            movers = rest(movers)
        movers = s.k & s.me
        while movers:
            i = ctz(movers)
            to = king(i) & goal
            while to:
                yield i | ctz(to) << 6
                to = rest(to)
            movers = rest(movers)
        movers = s.d & s.me
        while movers:
            i = ctz(movers)
            to = bishop(i, men) & goal
            while to:
                yield i | ctz(to) << 6
                to = rest(to)
            movers = rest(movers)
        movers = s.o & s.me
        while movers:
            i = ctz(movers)
            to = rook(i, men) & goal
            while to:
                yield i | ctz(to) << 6
                to = rest(to)
            movers = rest(movers)
        one, two, left, right = moves.pawn_goals(s, men, goal)
        for targets, back in zip((one, two, left, right), (8, 16, 7, 9)):
            to = targets & (FULL ^ RANK_8)
            while to:
                i = ctz(to)
                yield i - back | i << 6
                to = rest(to)
        if (one | left | right) & RANK_8:
            for targets, back in zip((one, left, right), (8, 7, 9)):
                to = targets & RANK_8
                while to:
                    i = ctz(to)
                    for kind in PROMOTIONS:
                        yield i - back | i << 6 | kind << 12
                    to = rest(to)
        movers = moves.takers(s)
        while movers:
            yield ctz(movers) | ctz(s.x & RANK_6) << 6 | EN_PASSANT << 12
            movers = rest(movers)

    def result(self, s: State, a: int) -> State:
        # no branch for the common moves, as in chess
        i, j, kind = a & 63, a >> 6 & 63, a >> 12
        here, there = bit(i), bit(j)
        men, keep = occupied(s), FULL ^ (here | there)
        pawn = s.p >> i & 1
        p = s.p & keep | pawn << j
        n = s.n & keep | (s.n >> i & 1) << j
        d = s.d & keep | (s.d >> i & 1) << j
        o = s.o & keep | (s.o >> i & 1) << j
        k = s.k & keep | (s.k >> i & 1) << j
        them = (men ^ s.me) & keep
        quiet = (pawn | men >> j & 1) ^ 1
        x = u64(0)
        if kind == 0:
            if pawn and j - i == 16 and (there << 1 & NOT_A | there >> 1 & NOT_H) & p & them:
                x = here << 8  # only where a pawn can take it: equal positions shall be equal states
        elif kind == EN_PASSANT:
            p ^= there >> 8
            them ^= there >> 8
        else:
            p ^= there
            if kind == TO_KNIGHT:
                n |= there
            if kind in (TO_BISHOP, TO_QUEEN):
                d |= there
            if kind in (TO_ROOK, TO_QUEEN):
                o |= there
            if kind == TO_KING:
                k |= there
        t = (s.t & PLY) + 1 + quiet * ((s.t | PLY) - PLY + CLOCK)
        return State(byteswap(p), byteswap(n), byteswap(d), byteswap(o), byteswap(k), byteswap(them), byteswap(x), t)

    def is_terminal(self, s: State) -> bool:
        return self.is_drawn(s) or not moves.can_move(s, occupied(s))

    def is_drawn(self, s: State) -> bool:
        """Whether the game ends here, unless a player has won, whatever moves there are."""
        return self.draws and (s.t >= 100 * CLOCK or self.is_dead(s))

    def is_dead(self, s: State) -> bool:
        """Whether nothing can be captured any more: only bishops, those of one side on dark squares, the other's on light ones."""
        if s.p | s.n | s.o | s.k:
            return False
        dark = s.d & DARK
        return dark not in (0, s.d) and (dark == s.me or dark == s.me ^ s.d)

    def utility(self, s: State, p: int) -> float:
        men = occupied(s)
        if moves.can_move(s, men):
            return 0
        mine, theirs = popcount(s.me), popcount(men ^ s.me)
        value = 1 if mine == 0 or self.blocked == 0 else 0
        if mine and self.blocked == 1:
            value = 1 if mine < theirs else -1 if mine > theirs else 0
        return value if p == self.to_move(s) else -value

    def count(self, s: State) -> int:
        return 0 if self.is_drawn(s) else moves.count(s)

    def evaluate(self, s: State, p: int) -> float:
        value = evaluation.evaluate(s)
        return value if p == self.to_move(s) else -value

    def key(self, s: State) -> u64:
        """All but the counters, which would split equal positions."""
        h = mix(s.p + KEYS[0] & FULL) ^ mix(s.n + KEYS[1] & FULL) ^ mix(s.d + KEYS[2] & FULL) ^ mix(s.o + KEYS[3] & FULL)
        return h ^ mix(s.k + KEYS[4] & FULL) ^ mix(s.me + KEYS[5] & FULL) ^ mix((s.x | s.t & 1) + KEYS[6] & FULL)

    def order(self, s: State, a: int) -> int:
        """Moves to where the other side must take come first."""
        i, j = a & 63, a >> 6 & 63
        men = occupied(s) & (FULL ^ bit(i)) | bit(j)
        hit = knight(j) & s.n | king(j) & s.k | pawns_up(bit(j)) & s.p | rook(j, men) & s.o | bishop(j, men) & s.d
        return 1 if hit & men & (FULL ^ s.me) else 0

    def features(self, s: State, p: int) -> Iterator[float]:
        """769: for pawns, knights, bishops, rooks, queens, kings of p, then of the opponent, 64 squares as p sees them; then
        whether p is to move."""
        mine = p == self.to_move(s)
        view = s if mine else turned(s)
        queens = view.d & view.o
        for own in (view.me, FULL ^ view.me):
            for men in (view.p, view.n, view.d ^ queens, view.o ^ queens, queens, view.k):
                for i in range(64):
                    yield float((men & own) >> i & 1)
        yield 1.0 if mine else 0.0

    def symmetries(self, s: State) -> Iterator[State]:
        """The board in a mirror, left for right."""
        p, n, d, o, k, me, x = (byteswap(bitreverse(word)) for word in s[:7])
        yield State(p, n, d, o, k, me, x, s.t)

    def show(self, s: State) -> str:
        return board.show(s)

    def svg(self, s: State) -> str:
        return board.svg(s, self.name)

    def write_action(self, s: State, a: int) -> str:
        return san.write(s, a, self.actions(s))

    def read_action(self, s: State, text: str) -> int:
        return san.read(s, text, self.actions(s))

    def write_state(self, s: State) -> str:
        return fen.write(s)

    def read_state(self, text: str) -> State:
        return fen.read(text, self.name)
