"""Kriegspiel: chess in which players see only their own pieces, and an umpire answers."""

from __future__ import annotations

from collections.abc import Iterator

from ...bits import FULL, bit, ctz, i64, rest, u64
from ...errors import ZermeloError
from ...rng import mix
from .._hidden_chess import HiddenChess
from ..chess import Chess, making, moves, static_exchange
from ..chess import state as chess
from ..chess.state import CASTLING, PLY, RANK_1, TO_BISHOP, TO_KNIGHT, TO_QUEEN, TO_ROOK
from . import deal, text, umpire
from .state import ANY, CAPTURE, DENIED, NOTHING, PAWN, PIECE, SOMETHING, SQUARE, TRIED, TRIES, TRY, UNASKED, State

RULES = ("icc", "berkeley")
PROMOTIONS = (TO_QUEEN, TO_ROOK, TO_BISHOP, TO_KNIGHT)


class Kriegspiel(HiddenChess):
    """Chess in the dark: an attempt that is not legal is refused by the umpire, and the player tries again.

    The umpire says where something was captured, checks by their lines, and how the game ends. By the `rules` of the Internet Chess Club
    (icc) it also says whether it was a pawn or a piece, and how many captures the pawns of the player to move have; refusals are heard only
    by who tried. By those of Berkeley a player may ask for pawn captures ("any?") and must try one if there are; all hear all.
    """

    ends_without_actions, is_zero_sum = True, True

    def __init__(self, rules: str = "icc"):
        if rules not in RULES:
            raise ZermeloError(f"kriegspiel: expected rules {' or '.join(RULES)}, not {rules!r}")
        self.is_icc = rules == "icc"

    def initial(self) -> State:
        return self.with_board(Chess().initial())

    # ---- attempts --------------------------------------------------------------------------------

    def actions(self, s: State) -> Iterator[int]:
        if self.is_terminal(s):
            return
        if self.may_ask(s):
            yield ANY
        n, movers = 0, s.me
        while movers:
            i = ctz(movers)
            to = umpire.attempts(s, i)
            while to:
                j = ctz(to)
                if not umpire.is_tried(s, n) and self.makes_sense(s, i, j):
                    if s.me >> j & 1:
                        yield i | j << 6 | CASTLING << 12
                    elif s.p >> i & 1 and j >= 56:
                        for kind in PROMOTIONS:
                            yield i | j << 6 | kind << 12
                    else:
                        yield i | j << 6
                n += 1
                to = rest(to)
            movers = rest(movers)

    def may_ask(self, s: State) -> bool:
        """Whether the player may ask "any?": once a turn, with a pawn that could capture something."""
        captures = (s.p & s.me) << 7 & 0x7F7F7F7F7F7F7F7F | (s.p & s.me) << 9 & 0xFEFEFEFEFEFEFEFE
        return not self.is_icc and s.asked == UNASKED and captures & (FULL ^ s.me) != 0 and self.is_first_attempt(s)

    def is_first_attempt(self, s: State) -> bool:
        """Whether nothing was refused in this turn."""
        return (s.tried[0] | s.tried[1] | s.tried[2] | s.tried[3]) == 0

    def makes_sense(self, s: State, i: int, j: int) -> bool:
        """Whether what the umpire said of pawn captures allows to try this."""
        if umpire.is_pawn_capture(s, i, j):
            return s.said >> TRIES & 31 != 0 if self.is_icc else s.asked != DENIED
        return s.asked != TRY

    def result(self, s: State, a: int) -> State:
        if a == ANY:
            return self.answered(s)
        b = umpire.legal(s, a)
        return self.refused(s, a) if b < 0 else self.moved(s, a, b)

    def answered(self, s: State) -> State:
        """The umpire says whether a pawn can capture; all hear it."""
        answer = TRY if umpire.pawn_tries(s) > 0 else DENIED
        word = u64(ANY << 2 | answer)
        return s._replace(asked=answer, heard=(mix(s.heard[0] ^ word), mix(s.heard[1] ^ word)))

    def refused(self, s: State, a: int) -> State:
        """The umpire says no to an attempt."""
        n = umpire.rank_of(s, a & 63, a >> 6 & 63)
        mark, q = bit(n & 63), n >> 6
        a0, a1, a2, a3 = s.tried
        tried = (a0 | mark if q == 0 else a0, a1 | mark if q == 1 else a1, a2 | mark if q == 2 else a2, a3 | mark if q == 3 else a3)
        return s._replace(tried=tried, asked=TRIED if s.asked == TRY else s.asked, heard=self.hears(s, u64(a), 1))

    def hears(self, s: State, own: u64, said: int) -> tuple[u64, u64]:
        """What both have heard after the player to move did something of its own, to which the umpire said this."""
        mine = mix(s.heard[s.t & 1] ^ (own << 32 | u64(said)))
        other = s.heard[1 - i64(s.t & 1)]
        if said != 1 or not self.is_icc:
            other = mix(other ^ u64(said))
        return (mine, other) if s.t & 1 == 0 else (other, mine)

    def moved(self, s: State, a: int, b: int) -> State:
        """The state after the attempt a, which is the legal action b of chess, with what the umpire says."""
        p, n, d, o, k, me, x, t = making.made(s, b)
        at, taken, gone = umpire.capture_square(s, b), NOTHING, s.gone
        if at >= 0:
            is_pawn = s.p >> (at ^ 56 * i64(s.t & 1)) & 1 == 1
            taken = (PAWN if is_pawn else PIECE) if self.is_icc else SOMETHING
            if taken == PAWN:
                gone = (gone[0], gone[1] + 1) if s.t & 1 == 0 else (gone[0] + 1, gone[1])
        none = (u64(0), u64(0), u64(0), u64(0))
        after = State(p, n, d, o, k, me, x, t, 0, UNASKED, gone, none, s.heard)
        said = self.announcement(after, taken, at)
        return after._replace(said=said, heard=self.hears(s, u64(a), said << 1))

    def announcement(self, s: State, taken: int, at: int) -> int:
        """What the umpire says when s has come about by a move that captured this on that square."""
        tries = umpire.pawn_tries(s) if self.is_icc else 0
        return umpire.checks(s) | tries << TRIES | taken << CAPTURE | (at << SQUARE if taken else 0)

    # ---- the end ---------------------------------------------------------------------------------

    def is_terminal(self, s: State) -> bool:
        return self.is_drawn(s) or moves.count(s) == 0

    def is_drawn(self, s: State) -> bool:
        """Whether the game ends here, unless by mate: after fifty moves of each side, or because nobody can mate."""
        return umpire.is_drawn(s)

    def utility(self, s: State, p: int) -> float:
        if not moves.in_check(s) or moves.count(s) > 0:
            return 0.0
        return -1.0 if p == self.to_move(s) else 1.0

    # ---- what players know -----------------------------------------------------------------------

    def observe(self, s: State, p: int) -> tuple[u64, ...]:
        """Own pieces and rooks that may castle, what was tried in this turn, what the umpire said, and a hash of all that was before."""
        mine = p == self.to_move(s)
        q, n, d, o, k, own, x = deal.own_pieces(s, mine)
        said, tried, none = u64(s.said << 8 | s.asked << 4 | self.ending(s, p)), s.tried, (u64(0), u64(0), u64(0), u64(0))
        if not mine:
            tried = none
        return (q, n, d, o, k, x & own & RANK_1, said, s.t & PLY, s.heard[p], tried[0], tried[1], tried[2], tried[3])

    def resample(self, s: State, p: int, seed: u64) -> State:
        """A position with other pieces of the opponent, as many, in which the umpire would say what it says now; what it said in earlier
        turns is not looked at, for that a belief is needed."""
        return deal.again(s, p, seed, self.is_icc)

    def is_tactical(self, s: State, a: int) -> bool:
        """Captures and promotions to a queen that lose nothing by the exchange that follows; for who sees the board."""
        return a != ANY and static_exchange.is_capture_or_promotion(s, a) and static_exchange.pays(s, a, 0)

    def repetition_key(self, s: State) -> u64:
        """Of the position alone before the first attempt of a turn; after others all differ, since the position does not come back."""
        h = self.position_key(s)
        return h if self.is_first_attempt(s) and s.asked == UNASKED else mix(h ^ s.heard[s.t & 1])

    # ---- text ------------------------------------------------------------------------------------

    def show(self, s: State) -> str:
        return text.show(s)

    def show_to(self, s: State, p: int) -> str:
        return text.show_to(s, p, self.is_terminal(s))

    def announce(self, s: State, a: int, p: int) -> str:
        return text.announce(self, s, a, p)

    def write_action(self, s: State, a: int) -> str:
        return text.write_attempt(s, a)

    def read_action(self, s: State, written: str) -> int:
        return text.read_attempt(s, written, self.actions(s))

    def write_state(self, s: State) -> str:
        return text.write_state(s)

    def read_state(self, written: str) -> State:
        return text.read_state(self, written)

    def with_board(self, b: chess.State) -> State:
        """The state that a game has when it begins with this position of chess."""
        s = State(*b, 0, UNASKED, (0, 0), (0, 0, 0, 0), (0, 0))
        return s._replace(said=self.announcement(s, NOTHING, 0))
