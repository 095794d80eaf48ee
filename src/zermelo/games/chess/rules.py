"""Chess: mate the other king."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...bits import FULL, bitreverse, byteswap, ctz, i64, load, lowest, popcount, rest, u64
from ...errors import ZermeloError
from ...game import Game
from ...rng import draw, mix
from ...system.limits import shown
from . import board, endings, evaluation, fen, making, moves, san, static_exchange, terms
from .sliders import KING, NOT_A, NOT_H, bishop, knight, rook
from .state import CASTLING, CLOCK, EN_PASSANT, RANK_1, RANK_6, RANK_8, TO_BISHOP, TO_KNIGHT, TO_QUEEN, TO_ROOK, State, turned
from .syzygy.memory import CAPACITY
from .syzygy.stored import UNKNOWN, stored_result

FIRST, SECOND = (tuple(draw(key, i) | 1 for i in range(7)) for key in (1, 2))  # multipliers of `key`
DARK = 0xAA55AA55AA55AA55  # squares of a1's colour
PROMOTIONS = (TO_QUEEN, TO_ROOK, TO_BISHOP, TO_KNIGHT)
PIECES, TERMS = "pieces", "terms"  # the inputs of a learned model
STANDARD_START = 518  # the number of the usual starting position among the 960


class Chess(Game):
    """Chess; `start` is one of the 960 starting positions by its usual number, and 518 that of common chess.

    With `draws` the game ends when neither side can mate and after 50 moves of each side without a capture or a pawn's
    move, or when a position comes back the third time; without, only by mate and stalemate, as tables of perft count.
    `inputs` is what a learned model is told of a position: `pieces`, where they stand, or `terms` of an evaluation.
    """

    ends_without_actions, is_zero_sum = True, True
    player_names = ("White", "Black")
    symbols = ("KQRBNP", "kqrbnp")
    unit = (0.01, "pawn")
    value_scale = 0.0164

    max_actions = 256  # 218 is the most that is known
    quiet_margin = 0.01  # a pawn: what a quiet move may change
    default_searcher = "alphabeta:table=64"
    plane_views = 3 * 1024 + 12 * 64

    def __init__(self, start: int = STANDARD_START, draws: bool = True, inputs: str = PIECES):
        if type(start) is not int or not 0 <= start < 960:
            raise ZermeloError(f"chess: expected start from 0 to 959, not {start}")
        if type(draws) is not bool:
            raise ZermeloError(f"chess: expected draws true or false, not {draws}")
        if inputs not in (PIECES, TERMS):
            raise ZermeloError(f"chess: expected inputs {PIECES} or {TERMS}, not {shown(inputs)}")
        self.start, self.draws, self.inputs, self.has_terms = start, draws, inputs, inputs == TERMS
        if self.has_terms:
            self.plane_inputs, self.phases, self.plane_views = terms.PLANE_INPUTS, terms.PHASES, 0
        self.repetition = "draw" if draws else ""
        self.book = Path(__file__).with_name("opening.book") if start == STANDARD_START else None
        if start == STANDARD_START and draws:
            self.learned = Path(__file__).with_name("terms.safetensors" if self.has_terms else "weights.safetensors")
            self.default_searcher = "alphabeta:table=64,eval=learned"

    def initial(self) -> State:
        row = fen.back_rank(self.start)
        return self.read_state(f"{row}/pppppppp/8/8/8/8/PPPPPPPP/{row.upper()} w KQkq - 0 1")

    def to_move(self, s: State) -> int:
        return i64(s.t & 1)

    def actions(self, s: State) -> Iterator[int]:
        if self.is_drawn(s):
            return
        men, k = moves.occupied(s), ctz(s.k & s.me)
        goal, pinned, checks = moves.guard(s, k, men)
        to, castles = moves.king_goals(s, k, men, checks)
        while to:
            yield k | ctz(to) << 6
            to = rest(to)
        while castles:
            yield k | ctz(castles) << 6 | CASTLING << 12
            castles = rest(castles)
        if goal == 0:
            return
        them, free = men ^ s.me, s.me & (FULL ^ pinned)
        movers = s.n & free
        while movers:
            i = ctz(movers)
            to = knight(i) & goal
            while to:
                yield i | ctz(to) << 6
                to = rest(to)
            movers = rest(movers)
        movers = s.d & free
        while movers:
            i = ctz(movers)
            to = bishop(i, men) & goal
            while to:
                yield i | ctz(to) << 6
                to = rest(to)
            movers = rest(movers)
        movers = s.o & free
        while movers:
            i = ctz(movers)
            to = rook(i, men) & goal
            while to:
                yield i | ctz(to) << 6
                to = rest(to)
            movers = rest(movers)
        pawns = s.p & free
        one, two = moves.pushes(pawns, men, goal)
        left, right = pawns << 7 & NOT_H & them & goal, pawns << 9 & NOT_A & them & goal
        for goals, back in zip((one, two, left, right), (8, 16, 7, 9)):
            to = goals & (FULL ^ RANK_8)
            while to:
                i = ctz(to)
                yield i - back | i << 6
                to = rest(to)
        if (one | left | right) & RANK_8:
            for goals, back in zip((one, left, right), (8, 7, 9)):
                to = goals & RANK_8
                while to:
                    i = ctz(to)
                    for kind in PROMOTIONS:
                        yield i - back | i << 6 | kind << 12
                    to = rest(to)
        movers = pinned & (FULL ^ s.n)
        while movers:
            i = ctz(movers)
            to = moves.pinned_goals(s, k, i, men, goal)
            if s.p & lowest(movers) and to & RANK_8:
                while to:
                    for kind in PROMOTIONS:
                        yield i | ctz(to) << 6 | kind << 12
                    to = rest(to)
            while to:
                yield i | ctz(to) << 6
                to = rest(to)
            movers = rest(movers)
        if s.x & RANK_6:
            movers = moves.takers(s, k, men, goal)
            while movers:
                yield ctz(movers) | ctz(s.x & RANK_6) << 6 | EN_PASSANT << 12
                movers = rest(movers)

    def result(self, s: State, a: int) -> State:
        p, n, d, o, k, me, x, t = making.made(s, a)
        return State(p, n, d, o, k, me, x, t)

    def is_terminal(self, s: State) -> bool:
        if self.is_drawn(s):
            return True
        men, k = moves.occupied(s), ctz(s.k & s.me)
        if moves.checkers(s, k, men) == 0:
            # pieces that the king does not see are not pinned: most often a pawn or a knight of them can move
            free = s.me & (FULL ^ (rook(k, men) | bishop(k, men)))
            if (s.p & free) << 8 & (FULL ^ men):
                return False
        return moves.count(s) == 0

    def is_drawn(self, s: State) -> bool:
        """Whether the game ends here, unless by mate, whatever moves there are."""
        return self.draws and (s.t >= 100 * CLOCK or self.is_dead(s))

    def is_dead(self, s: State) -> bool:
        """Whether neither side can mate: bare kings, one knight, or bishops on squares of one colour."""
        if s.p | s.o:
            return False
        if s.d == 0:
            return popcount(s.n) <= 1
        return s.n == 0 and (s.d & DARK == 0 or s.d & DARK == s.d)

    def utility(self, s: State, p: int) -> float:
        if not moves.in_check(s) or moves.count(s) > 0:
            return 0
        return -1 if p == self.to_move(s) else 1

    def count(self, s: State) -> int:
        return 0 if self.is_drawn(s) else moves.count(s)

    # ---- hints -------------------------------------------------------------------------------

    def evaluate(self, s: State, p: int) -> float:
        v = max(-0.9, min(0.9, evaluation.value(s) / 10000))
        return v if p == self.to_move(s) else -v

    def key(self, s: State) -> u64:
        """Of the pieces, the side to move, castling and en passant; not of the counters, which do not change what can be done.

        A word's top bits spread when its bytes are turned between two multiplications; the sum is mixed once more.
        """
        h = s.t & 1
        for word, first, second in zip((s.p, s.n, s.d, s.o, s.k, s.me, s.x), FIRST, SECOND):
            h += byteswap(word * first & FULL) * second
        return mix(h & FULL)

    def is_tactical(self, s: State, a: int) -> bool:
        """Captures and promotions to a queen that lose nothing by the exchange that follows."""
        return static_exchange.is_capture_or_promotion(s, a) and static_exchange.pays(s, a, 0)

    def order(self, s: State, a: int) -> int:
        """Captures that pay, the most valuable piece first, by the least; castling; all others; captures that lose."""
        kind = a >> 12
        if not static_exchange.is_capture_or_promotion(s, a):
            return -1 if TO_KNIGHT <= kind <= TO_ROOK else 1 if kind == CASTLING else 0
        worth = (
            8 * (static_exchange.taken(s, a) + static_exchange.PROMOTED[kind])
            - static_exchange.worth(s, a & 63) % static_exchange.KING_WORTH
        )
        return 10_000 + worth if static_exchange.pays(s, a, 0) else worth - 10_000

    def action_kind(self, s: State, a: int) -> int:
        """The piece, and the square that it goes to."""
        i = a & 63
        diagonal, straight = i64(s.d >> i & 1), i64(s.o >> i & 1)
        piece = i64(s.n >> i & 1) + 2 * diagonal + 3 * straight - (diagonal & straight) + 5 * i64(s.k >> i & 1)
        return 64 * (piece + 1) + (a >> 6 & 63)

    def tactical_actions(self, s: State) -> Iterator[int]:
        """Captures and promotions to a queen."""
        if self.is_drawn(s):
            return
        men, k = moves.occupied(s), ctz(s.k & s.me)
        goal, pinned, _ = moves.guard(s, k, men)
        them, free = men ^ s.me, s.me & (FULL ^ pinned)
        to = KING[k] & them
        if to:
            to &= FULL ^ moves.attacked(s, men)
            while to:
                yield k | ctz(to) << 6
                to = rest(to)
        pawns = s.p & free
        one = pawns << 8 & RANK_8 & (FULL ^ men) & goal
        prey = goal & them
        left, right = pawns << 7 & NOT_H & prey, pawns << 9 & NOT_A & prey
        for goals, back in zip((one, left, right), (8, 7, 9)):
            to = goals
            while to:
                i = ctz(to)
                yield i - back | i << 6 | (TO_QUEEN << 12 if i >= 56 else 0)
                to = rest(to)
        movers = s.n & free
        while movers:
            i = ctz(movers)
            to = knight(i) & prey
            while to:
                yield i | ctz(to) << 6
                to = rest(to)
            movers = rest(movers)
        movers = (s.d | s.o) & free
        while movers:
            i, man = ctz(movers), lowest(movers)
            to = u64(0)
            if s.d & man:
                to = bishop(i, men)
            if s.o & man:
                to |= rook(i, men)
            to &= prey
            while to:
                yield i | ctz(to) << 6
                to = rest(to)
            movers = rest(movers)
        movers = pinned & (FULL ^ s.n)
        while movers:
            i = ctz(movers)
            to = moves.pinned_goals(s, k, i, men, prey)
            while to:
                yield i | ctz(to) << 6 | (TO_QUEEN << 12 if s.p & lowest(movers) and ctz(to) >= 56 else 0)
                to = rest(to)
            movers = rest(movers)
        if s.x & RANK_6:
            movers = moves.takers(s, k, men, goal)
            while movers:
                yield ctz(movers) | ctz(s.x & RANK_6) << 6 | EN_PASSANT << 12
                movers = rest(movers)

    def material_gain(self, s: State, a: int) -> float:
        # the evaluation makes more of a piece than an exchange does: at the median 92, 367, 365, 573 and 1,040 when it is taken
        return 1.2 * (static_exchange.taken(s, a) + static_exchange.PROMOTED[a >> 12]) / 10000

    def loses_material(self, s: State, a: int, more: float) -> bool:
        return not static_exchange.pays(s, a, int(more * 10000))

    def is_forcing(self, s: State) -> bool:
        return moves.in_check(s)

    def allows_null_move(self, s: State) -> bool:
        """Not in check, and with a piece beside pawns and king: without one, having to move may be what loses."""
        return (s.n | s.d | s.o) & s.me != 0 and not moves.in_check(s)

    def null_move(self, s: State) -> State:
        other = turned(s)
        return other._replace(x=other.x & (RANK_1 | RANK_8), t=s.t + 1 + CLOCK)

    def features(self, s: State, p: int) -> Iterator[float]:
        """773: for pawns, knights, bishops, rooks, queens, kings of p, then of the opponent, 64 squares as p sees them; who may
        castle on the king's wing and on the other, p and the opponent; whether p is to move."""
        mine = p == self.to_move(s)
        view = s if mine else turned(s)
        queens = view.d & view.o
        for own in (view.me, FULL ^ view.me):
            for men in (view.p, view.n, view.d ^ queens, view.o ^ queens, queens, view.k):
                for i in range(64):
                    yield float((men & own) >> i & 1)
        for own in (view.me, FULL ^ view.me):
            rooks, king = view.x & own & (RANK_1 | RANK_8), lowest(view.k & own)
            yield 1.0 if rooks > king else 0.0
            yield 1.0 if rooks & (king - 1) else 0.0
        yield 1.0 if mine else 0.0

    def planes(self, s: State, p: int) -> Iterator[int]:
        """Pawns, knights, bishops, rooks, queens, kings as p sees the board: of each p's own, then the opponent's; or `terms.py`."""
        seen = s if p == self.to_move(s) else turned(s)
        if self.has_terms:
            for _ in range(2):
                for word in terms.squares(seen):
                    yield word & terms.LEFT
                    yield terms.mirrored(word) & terms.LEFT
                for word in terms.counts(seen):
                    yield word
                seen = turned(seen)
            return
        for men in (seen.p, seen.n, seen.d & (FULL ^ seen.o), seen.o & (FULL ^ seen.d), seen.d & seen.o, seen.k):
            yield men & seen.me
            yield men & (FULL ^ seen.me)

    def phase(self, s: State) -> int:
        return terms.phase(s) if self.has_terms else 0

    def plane_view(self, s: State, p: int) -> int:
        """Black sees the ranks the other way round and Black's pieces first; each side in a mirror if its king is on files e to h.

        A side has inputs of its own for each of four places of its king: on the first rank in a corner or nearer to the centre, on the
        second, and above.
        """
        if self.has_terms:
            return 0
        king = ctz(s.k & s.me) if p == self.to_move(s) else ctz(s.k & (FULL ^ s.me)) ^ 56
        mirror = 7 if king & 4 else 0
        place = min((king >> 3) + 1, 3) if king >= 8 else (king ^ mirror) >> 1
        return place << 10 | (0 if p == 0 else 64 | 56) ^ mirror

    def symmetries(self, s: State) -> Iterator[State]:
        """The board in a mirror, left for right, unless somebody may castle."""
        if s.x & (RANK_1 | RANK_8) == 0:
            p, n, d, o, k, me, x = (byteswap(bitreverse(word)) for word in s[:7])
            yield State(p, n, d, o, k, me, x, s.t)

    # ---- endgame tables ----------------------------------------------------------------------

    def index(self, s: State) -> int:
        return endings.number(s)

    def state_at(self, i: int) -> State:
        return endings.state(i)

    def plies_left(self, s: State) -> int:
        return 100 - i64(s.t >> 32) if self.draws else 1 << 30

    def known_result(self, s: State, table: int) -> int:
        """By Syzygy's files, right after a capture or a pawn's move: the rule of fifty moves counts from there, and it is progress."""
        if popcount(moves.occupied(s)) > i64(load(table, CAPACITY)) or s.x & (RANK_1 | RANK_8) != 0 or s.t >= CLOCK:
            return 2
        if self.is_terminal(s):  # which the search sees, and how far off it is
            return 2
        wdl = self.wdl(s, table)
        if wdl == UNKNOWN:
            return 2
        if self.draws:
            return wdl // 2 if wdl > 0 else -(-wdl // 2)
        return 1 if wdl > 0 else -1 if wdl < 0 else 0

    def wdl(self, s: State, table: int) -> int:
        """2 if the player to move wins, 1 if only without the rule of fifty moves, 0, -1, -2, as `syzygy.Syzygy.wdl`; or UNKNOWN."""
        best, captures, others = -3, 0, 0
        for a in self.actions(s):
            if a >> 12 != EN_PASSANT and moves.occupied(s) >> (a >> 6 & 63) & 1 == 0:
                others += 1
                continue
            captures += 1
            v = self.wdl(self.result(s, a), table)
            if v == UNKNOWN:
                return v
            best = max(best, -v)
        if best == 2 or (captures > 0 and others == 0):  # the table knows nothing of captures en passant
            return best
        v = stored_result(s, table)
        return v if v == UNKNOWN else max(best, v)

    def endings(self, wanted: str) -> tuple[tuple[str, int, int], ...]:
        return endings.ranges(wanted, self.name)

    # ---- text --------------------------------------------------------------------------------

    def show(self, s: State) -> str:
        return board.show(s)

    def svg(self, s: State) -> str:
        return board.svg(s, self.name)

    def write_action(self, s: State, a: int) -> str:
        return san.write(s, a, self.actions(s)) + san.sign(self.result(s, a))

    def read_action(self, s: State, text: str) -> int:
        return san.read(s, text, self.actions(s))

    def write_state(self, s: State) -> str:
        return fen.write(s)

    def read_state(self, text: str) -> State:
        return fen.read(text, self.name)
