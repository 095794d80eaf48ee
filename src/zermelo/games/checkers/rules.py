"""Checkers (English draughts): men move and jump forward, kings both ways; a player who can jump must, and one who cannot move loses.

The rules are those of the World Checkers Draughts Federation. Black begins. A piece that jumps goes on as long as it can, by any way
it likes; a man that reaches the last row is crowned, and its move ends. The game is drawn after 40 moves of
each side without a capture or a man's move, or when a position comes back for the third time.

An action is the difference that it makes (`moves.py`): a chain of jumps is one action, and so are two routes that capture
the same pieces between the same squares.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...bits import bit, ctz, i64, nth, popcount, rest, u64
from ...errors import ZermeloError
from ...game import Game
from ...rng import below, draw, mix
from . import endings
from . import text as texts
from .evaluation import guess, last_step, side, terms
from .moves import (
    BOARD,
    CROWN,
    State,
    action,
    can_move,
    empty_squares,
    is_first,
    is_king,
    jumpers,
    next_chain,
    source,
    step_down,
    step_up,
    steps_down,
    steps_up,
    target,
    turned,
)
from .patterns import (
    ALL_WEIGHTS,
    AT_COLUMNS,
    AT_MATERIAL,
    AT_MOBILITY,
    AT_SIGNATURE,
    AT_SQUARES,
    AT_TERMS,
    BASE_3,
    BASE_5,
    EIGHT,
    FOUR,
    ROWS,
    WEIGHTS,
    compact,
    four_rows,
    phase,
    place_of_term,
    seen,
    signature,
    two_rows,
)

START = 0x1EFF  # the first three rows
DRAW_AFTER = 80  # plies


class Checkers(Game):
    """English draughts; a draw after `draw_after` plies without a capture or a man's move."""

    ends_without_actions, is_zero_sum = True, True
    player_names = ("Black", "White")
    symbols = ("bB", "wW")
    value_scale = 0.2

    repetition = "draw"
    pattern_weights = ALL_WEIGHTS

    def __init__(self, draw_after: int = DRAW_AFTER):
        if type(draw_after) is not int or not 1 <= draw_after <= 10_000:
            raise ZermeloError(f"checkers: expected draw_after from 1 to 10000, not {draw_after!r}")
        self.draw_after = draw_after
        self.book = Path(__file__).with_name("opening.book")
        if draw_after == DRAW_AFTER:
            self.learned, self.default_searcher = Path(__file__).with_name("weights.safetensors"), "alphabeta:eval=learned"

    def initial(self) -> State:
        return State(START, turned(START), 0, 0, 0)

    def to_move(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        if s.quiet >= self.draw_after:
            return
        empty = empty_squares(s)
        jumping = jumpers(s, empty)
        if jumping == 0:
            steps = steps_up(s.mine, empty)
            while steps:
                yield step_up(ctz(steps))
                steps = rest(steps)
            steps = steps_down(s.mine & s.kings, empty)
            while steps:
                yield step_down(ctz(steps))
                steps = rest(steps)
        while jumping:
            start = ctz(jumping)
            king, free = is_king(s, start), empty | bit(start)
            at, taken, route = next_chain(s.theirs, free, king, start, u64(0), u64(0))
            while taken:
                if is_first(taken, free, king, start, route):
                    yield action(start, at, taken)
                at, taken, route = next_chain(s.theirs, free, king, at, taken, route)
            jumping = rest(jumping)

    def result(self, s: State, a: u64) -> State:
        start, taken = source(a), a & BOARD
        here, there, king = bit(start), bit(target(a)), is_king(s, start)
        mine = (s.mine & ~here) | there
        kings = (s.kings & ~(taken | here)) | (there & CROWN)
        quiet = 0
        if king:
            kings |= there
            if taken == 0:
                quiet = s.quiet + 1
        return State(turned(s.theirs & ~taken), turned(mine), turned(kings), quiet, 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        return s.quiet >= self.draw_after or not can_move(s)

    def utility(self, s: State, p: int) -> float:
        """A player who cannot move has lost, even if the game would be drawn by now."""
        if can_move(s):
            return 0
        return -1 if p == s.turn else 1

    # ---- hints -----------------------------------------------------------------------------------

    def count(self, s: State) -> int:
        if s.quiet >= self.draw_after:
            return 0
        empty = empty_squares(s)
        jumping = jumpers(s, empty)
        if jumping == 0:
            return popcount(steps_up(s.mine, empty)) + popcount(steps_down(s.mine & s.kings, empty))
        n = 0
        while jumping:
            start = ctz(jumping)
            king, free = is_king(s, start), empty | bit(start)
            at, taken, route = next_chain(s.theirs, free, king, start, u64(0), u64(0))
            while taken:
                if is_first(taken, free, king, start, route):
                    n += 1
                at, taken, route = next_chain(s.theirs, free, king, at, taken, route)
            jumping = rest(jumping)
        return n

    def sample(self, s: State, random: u64) -> int:
        """Steps are counted and one is picked; of the jumps, which are few, the n-th replaces the choice once in n times."""
        empty = empty_squares(s)
        jumping = jumpers(s, empty)
        if jumping == 0:
            up, down = steps_up(s.mine, empty), steps_down(s.mine & s.kings, empty)
            forward = popcount(up)
            k = below(random, forward + popcount(down))
            return step_up(nth(up, k)) if k < forward else step_down(nth(down, k - forward))
        n, chosen = 0, u64(0)
        while jumping:
            start = ctz(jumping)
            king, free = is_king(s, start), empty | bit(start)
            at, taken, route = next_chain(s.theirs, free, king, start, u64(0), u64(0))
            while taken:
                if is_first(taken, free, king, start, route):
                    n += 1
                    if n == 1 or below(draw(random, u64(n)), n) == 0:
                        chosen = action(start, at, taken)
                at, taken, route = next_chain(s.theirs, free, king, at, taken, route)
            jumping = rest(jumping)
        return chosen

    def key(self, s: State) -> int:
        """All but `quiet`, which would split equal positions: 106 bits in two words, none of them lost, then mixed to one."""
        return mix(mix(s.mine ^ (s.theirs << 29)) ^ (s.kings << 29) ^ (s.mine >> 29 << 1) ^ u64(s.turn))

    def index(self, s: State) -> int:
        """The number of a position with at most six pieces, seen from its mover; quiet plies do not count."""
        return endings.number(s)

    def state_at(self, i: int) -> State:
        return endings.state(i)

    def endings(self, wanted: str) -> tuple[tuple[str, int, int], ...]:
        """All positions of at most as many pieces as the text says."""
        return endings.ranges(wanted)

    def plies_left(self, s: State) -> int:
        return self.draw_after - s.quiet

    def evaluate(self, s: State, p: int) -> float:
        value = guess(s)
        return value if p == s.turn else -value

    def features(self, s: State, p: int) -> Iterator[float]:
        """The terms of the evaluation, as p sees them."""
        sign = 1.0 if p == s.turn else -1.0
        for term in terms(s):
            yield sign * term

    def patterns(self, s: State, p: int) -> Iterator[int]:
        """The weights of windows of the board and of tables of terms (`patterns.py`)."""
        mine, theirs, kings = seen(s, p)
        empty = empty_squares(s) if p == s.turn else turned(empty_squares(s))
        a, b = side(mine, theirs, kings, empty), side(turned(theirs), turned(mine), turned(kings), turned(empty))
        men, other_men = compact(mine & ~kings), compact(theirs & ~kings)
        crowned, other_crowned = compact(mine & kings), compact(theirs & kings)
        first = phase(popcount(mine | theirs)) * WEIGHTS
        yield AT_MATERIAL + (a[0] * 13 + a[1]) * 169 + b[0] * 13 + b[1]
        yield first + AT_MOBILITY + min(15, a[5]) * 16 + min(15, b[5])
        yield first + AT_SIGNATURE + signature(a, b, last_step(mine, theirs))
        for k in range(8):
            yield first + AT_TERMS + place_of_term(k, a[k] - b[k])
        for y in range(ROWS):
            yield first + EIGHT * y + BASE_3[i64(men >> 4 * y & 255)] + 2 * BASE_3[i64(other_men >> 4 * y & 255)]
            for x in range(3):
                at = 4 * y + x
                square = BASE_5[i64(two_rows(men >> at))] + 2 * BASE_5[i64(two_rows(other_men >> at))]
                square += 3 * BASE_5[i64(two_rows(crowned >> at))] + 4 * BASE_5[i64(two_rows(other_crowned >> at))]
                yield first + AT_SQUARES + FOUR * (3 * y + x) + square
        for y in range(3):
            for x in range(3):
                at = 8 * y + x
                column = BASE_3[i64(four_rows(men >> at))] + 2 * BASE_3[i64(four_rows(other_men >> at))]
                yield first + AT_COLUMNS + EIGHT * (3 * y + x) + column

    def planes(self, s: State, p: int) -> Iterator[int]:
        """The men, and 32 bits higher the kings, of p and of the other, on the board as p sees it."""
        mine, theirs, kings = seen(s, p)
        yield compact(mine & ~kings) | compact(mine & kings) << 32
        yield compact(theirs & ~kings) | compact(theirs & kings) << 32

    def plane_view(self, s: State, p: int) -> int:
        """White sees its own pieces first, and the squares from the other end."""
        return 0 if p == 0 else 64 | 31

    def is_tactical(self, s: State, a: u64) -> bool:
        """A capture: as it is forced, nothing else is possible in s either."""
        return a & BOARD != 0

    def order(self, s: State, a: u64) -> int:
        """Captures by what they take, then crowning, then men by how far they have come, then kings."""
        taken, start, end = a & BOARD, source(a), target(a)
        if taken == s.theirs:
            return 1 << 20
        if taken != 0:
            return 100 * popcount(taken) + 50 * popcount(taken & s.kings)
        if is_king(s, start):
            return 0
        return 90 if end > 30 else end

    def is_forcing(self, s: State) -> bool:
        """Where the only action is a capture: an exchange goes on, and nothing is decided. It ends, as pieces do."""
        return jumpers(s, empty_squares(s)) != 0 and self.count(s) == 1

    # ---- text ------------------------------------------------------------------------------------

    def write_action(self, s: State, a: int) -> str:
        """11-15 or 22x15; with every square between, 22x15x6, where another capture begins and ends there too."""
        return texts.write_action(s, a, self.actions(s))

    def read_action(self, s: State, text: str) -> int:
        return texts.read_action(s, text, self.actions(s))

    def write_state(self, s: State) -> str:
        """PDN's FEN: B:W21,22,K30:B1,2,K14, with :H7 behind it after 7 quiet plies."""
        return texts.write_state(s)

    def read_state(self, text: str) -> State:
        return texts.read_state(text, self.draw_after)

    def show(self, s: State) -> str:
        return texts.show(s, self.is_terminal(s))

    def svg(self, s: State) -> str:
        return texts.svg(s)
