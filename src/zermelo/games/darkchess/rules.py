"""Dark chess: chess in which each player sees the squares to which its own pieces can go, and captures the king."""

from __future__ import annotations

from collections.abc import Iterator

from ...bits import FULL, bit, byteswap, ctz, i64, popcount, rest, u64
from ...rng import mix
from .._hidden_chess import HiddenChess
from ..chess import Chess, making, static_exchange
from ..chess import state as chess
from ..chess.moves import occupied
from ..chess.sliders import NOT_A, NOT_H
from ..chess.state import CASTLING, CLOCK, EN_PASSANT, PLY, RANK_1, RANK_6, TO_BISHOP, TO_KNIGHT, TO_QUEEN, TO_ROOK
from . import deal, sight, text
from .state import State

PROMOTIONS = (TO_QUEEN, TO_ROOK, TO_BISHOP, TO_KNIGHT)


class DarkChess(HiddenChess):
    """Chess in the fog: a player sees its own pieces, and what stands where they can go. Who captures the king wins.

    There is no check: a king may be left to be captured, and may castle through attacks. The game is drawn when the player to move
    cannot move, after fifty moves of each side without a capture or a pawn's move, and when a position comes back for the third time.
    """

    ends_without_actions, is_zero_sum = True, True

    def initial(self) -> State:
        return self.with_board(Chess().initial())

    def with_board(self, b: chess.State) -> State:
        """The state that a game has when it begins with this position of chess."""
        return State(*b, -1, (0, 0), (0, 0))

    def actions(self, s: State) -> Iterator[int]:
        if self.is_over(s):
            return
        movers = s.me
        while movers:
            i = ctz(movers)
            to = sight.goals(s, i)
            while to:
                j = ctz(to)
                if s.me >> j & 1:
                    yield i | j << 6 | CASTLING << 12
                elif s.p >> i & 1 and j >= 56:
                    for kind in PROMOTIONS:
                        yield i | j << 6 | kind << 12
                elif s.p >> i & 1 and s.x & RANK_6 & bit(j) and (j - i) & 7 != 0:
                    yield i | j << 6 | EN_PASSANT << 12
                else:
                    yield i | j << 6
                to = rest(to)
            movers = rest(movers)

    def result(self, s: State, a: int) -> State:
        i, j, kind = a & 63, a >> 6 & 63, a >> 12
        p, n, d, o, k, me, x, t = making.made(s, a)
        if s.p >> i & 1 and j - i == 16:  # whoever stands beside it can take it: there are no pins
            beside = (bit(j) << 1 & NOT_A | bit(j) >> 1 & NOT_H) & s.p & (FULL ^ s.me)
            x |= byteswap(bit(j - 8)) if beside else u64(0)
        at = j - 8 if kind == EN_PASSANT else j if kind != CASTLING and occupied(s) >> j & 1 else -1
        gone, lost = s.gone, self.kind_bit(s, at) if at >= 0 else u64(0)
        gone = (gone[0], gone[1] + lost) if s.t & 1 == 0 else (gone[0] + lost, gone[1])
        if popcount(k) < 2:
            x = u64(0)
        after = State(p, n, d, o, k, me, x, t, at ^ 56 * i64(s.t & 1) if at >= 0 else -1, gone, s.heard)
        first, second = self.remembered(after, 0), self.remembered(after, 1)
        word = u64(a + 1) << 1
        if s.t & 1 == 0:
            return after._replace(heard=(mix(first ^ word), second))
        return after._replace(heard=(first, mix(second ^ word)))

    def kind_bit(self, s: State, i: int) -> u64:
        """One in the four bits of the kind of piece on square i; nothing for a king."""
        if s.p >> i & 1:
            return u64(1)
        if s.n >> i & 1:
            return u64(1) << 4
        if s.d >> i & 1:
            return u64(1) << (16 if s.o >> i & 1 else 8)
        return u64(1) << 12 if s.o >> i & 1 else u64(0)

    # ---- the end ---------------------------------------------------------------------------------

    def is_over(self, s: State) -> bool:
        """Whether a king is captured, or fifty moves are over."""
        return popcount(s.k) < 2 or s.t >= 100 * CLOCK

    def is_terminal(self, s: State) -> bool:
        return self.is_over(s) or sight.count(s) == 0

    def utility(self, s: State, p: int) -> float:
        if popcount(s.k) == 2:
            return 0.0
        return -1.0 if p == self.to_move(s) else 1.0

    # ---- what players know -----------------------------------------------------------------------

    def seen_words(self, s: State, p: int) -> tuple[u64, u64, u64, u64, u64, u64, u64, u64]:
        """The board as player p sees it: pieces by kinds, its own, the squares that it sees, and rooks and pawns as in the field x."""
        mine = p == self.to_move(s)
        v = sight.facing(s, mine)
        see = sight.visible(v)
        x = v.x & (RANK_1 | RANK_6)
        if x & RANK_6 and see & (x & RANK_6) >> 8 == 0:  # no pawn of its own can take
            x &= RANK_1
        return (v.p & see, v.n & see, v.d & see, v.o & see, v.k & see, v.me, see, x & (FULL if mine else RANK_1))

    def remembered(self, s: State, p: int) -> u64:
        """The hash of what player p has seen up to s, in which it is not counted yet."""
        h = s.heard[p] ^ u64(s.taken + 1)
        for word in self.seen_words(s, p):
            h = mix(h ^ word)
        return h

    def observe(self, s: State, p: int) -> tuple[u64, ...]:
        """What player p sees, the turn, where something was captured, how the game ended, and a hash of all that was before."""
        a, b, c, d, e, own, see, x = self.seen_words(s, p)
        return (a, b, c, d, e, own, see, x, s.t & PLY, s.heard[p], u64((s.taken + 1) << 4 | self.ending(s, p)))

    def resample(self, s: State, p: int, seed: u64) -> State:
        """A position with other pieces of the opponent where p does not look; what p saw in earlier turns needs a belief."""
        return deal.again(s, p, seed)

    def is_tactical(self, s: State, a: int) -> bool:
        """Captures of the king, and captures and promotions to a queen that lose nothing by the exchange; for who sees the board."""
        if s.k >> (a >> 6 & 63) & 1 and a >> 12 != CASTLING:
            return True
        return static_exchange.is_capture_or_promotion(s, a) and static_exchange.pays(s, a, 0)

    def repetition_key(self, s: State) -> u64:
        """Of the position alone."""
        return self.position_key(s)

    # ---- text ------------------------------------------------------------------------------------

    def show(self, s: State) -> str:
        return text.show(s)

    def show_to(self, s: State, p: int) -> str:
        return text.show_to(s, p)

    def announce(self, s: State, a: int, p: int) -> str:
        """The own move; of a move of the other where it captured, and nothing else."""
        return text.announce(s, a, self.result(s, a), p)

    def write_action(self, s: State, a: int) -> str:
        return text.write_move(s, a)

    def read_action(self, s: State, written: str) -> int:
        return text.read_move(s, written, self.actions(s))

    def write_state(self, s: State) -> str:
        return text.write_state(s)

    def read_state(self, written: str) -> State:
        return text.read_state(self.name, written)
