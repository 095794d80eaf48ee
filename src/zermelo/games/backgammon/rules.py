"""Backgammon: bring your men home and bear them off before the other player does, by the roll of two dice.

The game begins with a die for each player: the higher one begins and plays both. Equal dice are rolled again, so chance has
30 equally likely opening rolls, then always the 21 rolls of two dice. A turn is one action, and plays that lead to the
same position are one (`plays`). A player who cannot move has one action too, which moves nobody.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...bits import bit, clz, ctz, lowest, pair_at, popcount, rest, u64
from ...errors import ZermeloError
from ...game import CHANCE
from ...rng import below, mix
from . import bearoff, board, evaluation, ids, learning, text
from .cube import Doubling
from .match_equity import chance, gains, read_score
from .men import (
    BAR,
    BOARD,
    FULL_SIDE,
    POINTS,
    added,
    any_men,
    four_men,
    landed,
    men_in,
    men_on,
    movable,
    moved,
    seen_by_other,
    taken,
    three_men,
    two_men,
)
from .plays import MORE_THAN_ALL_PLAYS, count_pairs, deeper, first_moves, forced, pick_double, pick_pair, then_x, then_y
from .state import CENTRE, DOUBLED, DROP, DROPPED, MAX_CUBE_EXPONENT, MAY_DOUBLE, OPENING, OVER, ROLL, START, TO_ROLL, State, packed

FULL = (1 << 64) - 1
CONTACT, RACE = 0, 1  # phases; a third, for a side with few men left beyond its points 1 and 2, did not pay after 200,000 games
NO_ROLLS = (0,) * 6  # in a race nobody is hit or blocked


class Backgammon(Doubling):
    """Backgammon for money: a game is won or lost for 1 point, a gammon for 2, a backgammon for 3.

    With `cube` the doubling cube multiplies them, up to 4096; with `jacoby` gammons and backgammons count only once it is turned. Without
    `gammons` every game is for 1 point. `away` makes it a game of a match, given the points that each side needs, 3-5 for example, with
    the cube unless it is the `crawford` game, and a utility is by how much it raises the chance to win the match. `inputs` are what a
    learned evaluation sees: `expert`, with a network for each phase, or `tesauro`, TD-Gammon's, with one for all.
    """

    ends_without_actions, is_zero_sum = True, True
    player_names = ("X", "O")
    value_scale = 0.28

    max_actions = 1024  # rarely there are more
    outcome_values = (1.0, 1.0, 1.0)

    def __init__(
        self,
        cube: bool = False,
        gammons: bool = True,
        jacoby: bool = False,
        inputs: str = learning.EXPERT,
        away: str = "",
        crawford: bool = False,
    ):
        for name, value in (("cube", cube), ("gammons", gammons), ("jacoby", jacoby), ("crawford", crawford)):
            if type(value) is not bool:
                raise ZermeloError(f"backgammon: expected {name} true or false, not {value!r}")
        if jacoby and not (cube and gammons):
            raise ZermeloError("backgammon: expected jacoby only with cube and gammons, on which it depends")
        if inputs not in learning.PLANE_INPUTS:
            raise ZermeloError(f"backgammon: expected inputs {' or '.join(learning.PLANE_INPUTS)}, not {inputs!r}")
        self.cube, self.gammons, self.jacoby = cube, gammons, jacoby
        if away or crawford:
            self.left = read_score(away, crawford)
            if jacoby:
                raise ZermeloError("backgammon: expected jacoby for money alone, not in a match")
            self.cube, self.worth = not crawford, gains(self.left, chance(*self.left, is_late=not crawford))
            self.value_scale *= self.settled(0, 1)
        self.side_count = 0 if self.has_equity else bearoff.SIDES
        self.is_expert, self.plane_inputs = inputs == learning.EXPERT, learning.PLANE_INPUTS[inputs]
        self.phases = 2 if self.is_expert else 1
        self.model_game = "backgammon" if self.is_expert else f"backgammon:inputs={inputs}"
        if self.is_expert and (gammons or self.has_equity):
            self.learned, self.default_searcher = Path(__file__).with_name("weights.safetensors"), "expectiminimax:eval=learned"
        if gammons and not self.has_equity:
            self.book = Path(__file__).with_name("opening.book")
        most = 1.0 if self.is_match else (3.0 if gammons else 1.0) * (1 << MAX_CUBE_EXPONENT if cube else 1)
        self.value_range = (-most, most)
        self.rolls = (*(x << 3 | y for x in range(2, 7) for y in range(1, x)), *(9 * x for x in range(1, 7)))
        self.openings = tuple(x << 3 | y for x in range(1, 7) for y in range(1, 7) if x != y)

    # ---- the rules ---------------------------------------------------------------------------

    def initial(self) -> State:
        low, high = packed(START)
        return State(low, high, low, high, OPENING, 0, 0, CENTRE)

    def to_move(self, s: State) -> int:
        return CHANCE if s.roll in (TO_ROLL, OPENING) else s.turn

    def is_terminal(self, s: State) -> bool:
        return s.roll <= DROPPED

    def utility(self, s: State, p: int) -> float:
        v = self.settled(1 - s.turn, self.points(s) << s.cube)
        return -v if p == s.turn else v

    def points(self, s: State) -> int:
        """For how many points the player whose turn it is has lost, without the cube."""
        if s.roll == DROPPED or not self.gammons or (self.jacoby and s.owner == CENTRE):
            return 1
        if men_in(s.low, s.high, u64(POINTS)) < FULL_SIDE:
            return 1
        return 3 if any_men(s.low, s.high) >> 19 != 0 else 2

    def probability(self, s: State, a: int) -> float:
        if s.roll == OPENING:
            return 1.0 / 30.0
        return 1.0 / 36.0 if a >> 3 == a & 7 else 1.0 / 18.0

    def actions(self, s: State) -> Iterator[int]:
        if s.roll > 0:
            x, y = s.roll >> 3, s.roll & 7
            men, two, free = self.sight(s)
            if x == y:
                three, four = three_men(s.low, s.high), four_men(s.low, s.high)
                only = forced(men, two, three, four, free, x)
                if only >> 15 == 0:
                    yield only
                else:
                    first = movable(men, free, x)
                    while first:
                        a = lowest(first)
                        men2, two2, three2 = deeper(men, two, three, four, a, x)
                        second = movable(men2, free, x) & ((a << 1) - 1)
                        while second:
                            b = lowest(second)
                            men3, two3, _ = deeper(men2, two2, three2, three2, b, x)
                            third = movable(men3, free, x) & ((b << 1) - 1)
                            while third:
                                c = lowest(third)
                                fourth = movable(moved(men3, two3, c, x), free, x) & ((c << 1) - 1)
                                while fourth:
                                    yield ctz(a) | ctz(b) << 5 | ctz(c) << 10 | ctz(fourth) << 15
                                    fourth = rest(fourth)
                                third = rest(third)
                            second = rest(second)
                        first = rest(first)
            else:
                by_x, by_y, twice = first_moves(men, free, self.blots(s), x, y)
                both = False
                first = by_x
                while first:
                    second = then_y(men, two, free, lowest(first), twice, x, y)
                    while second:
                        both = True
                        yield ctz(first) | ctz(second) << 5
                        second = rest(second)
                    first = rest(first)
                first = by_y >> y + 1 << y + 1
                while first:
                    second = then_x(men, two, free, lowest(first), by_x, x, y)
                    while second:
                        both = True
                        yield ctz(second) | ctz(first) << 5
                        second = rest(second)
                    first = rest(first)
                if not both:  # the larger die, or else the smaller, or else nothing
                    if by_x | by_y == 0:
                        yield 0
                    shift = 0 if by_x else 5
                    first = by_x if by_x else by_y
                    while first:
                        yield ctz(first) << shift
                        first = rest(first)
        elif s.roll == OPENING:
            for roll in self.openings:
                yield roll
        elif not self.is_terminal(s):
            if s.roll == TO_ROLL:
                for roll in self.rolls:
                    yield roll
            else:
                yield 0
                yield 1

    def result(self, s: State, a: int) -> State:
        if s.roll > 0:
            return self.played(s, a)
        if s.roll == TO_ROLL:
            return s._replace(roll=a)
        if s.roll == OPENING:
            if a >> 3 > a & 7:
                return s._replace(roll=a)
            return State(s.low2, s.high2, s.low, s.high, (a & 7) << 3 | a >> 3, 1, s.cube, s.owner)
        if s.roll == MAY_DOUBLE:
            if a == ROLL:
                return s._replace(roll=TO_ROLL)
            return State(s.low2, s.high2, s.low, s.high, DOUBLED, 1 - s.turn, s.cube, s.owner)
        if a == DROP:
            return s._replace(roll=DROPPED)
        return State(s.low2, s.high2, s.low, s.high, TO_ROLL, 1 - s.turn, s.cube + 1, s.turn)

    def played(self, s: State, a: int) -> State:
        """The state after the play a. The moves of a play may be made in any order: each adds and takes its men."""
        x, y = s.roll >> 3, s.roll & 7
        low, high = s.low, s.high
        if x == y:
            at = u64(0)
            while a > 0:
                source = bit(a & 31)
                low, high = taken(low, high, source, u64(0))
                low, high = added(low, high, landed(source, x), u64(0))
                at |= landed(source, x)
                a >>= 5
        else:
            source, other = bit(a & 31) & POINTS, bit(a >> 5) & POINTS
            low, high = taken(low, high, source ^ other, source & other)
            source, other = landed(source, x), landed(other, y)
            low, high = added(low, high, source ^ other, source & other)
            at = source | other
        hit = seen_by_other(at) & s.low2
        low2, high2 = s.low2 ^ hit, s.high2
        while hit:
            low2, high2 = added(low2, high2, bit(BAR), u64(0))
            hit = rest(hit)
        roll = self.begun(s.cube, s.owner, 1 - s.turn) if low | high != 0 else OVER
        return State(low2, high2, low, high, roll, 1 - s.turn, s.cube, s.owner)

    def begun(self, cube: int, owner: int, turn: int) -> int:
        """How a turn begins: with the choice to double, or with the roll."""
        return MAY_DOUBLE if self.cube and cube < MAX_CUBE_EXPONENT and owner in (CENTRE, turn) else TO_ROLL

    def sight(self, s: State) -> tuple[u64, u64, u64]:
        """The points with a man, and with two men or more, of the player whose turn it is, and those where they may land."""
        return any_men(s.low, s.high), two_men(s.low, s.high), ~seen_by_other(two_men(s.low2, s.high2)) & BOARD

    def blots(self, s: State) -> u64:
        """The points on which a single man of the other player stands."""
        return seen_by_other(s.low2 & ~two_men(s.low2, s.high2)) & BOARD

    # ---- hints -------------------------------------------------------------------------------

    def count(self, s: State) -> int:
        if s.roll > 0:
            x, y = s.roll >> 3, s.roll & 7
            men, two, free = self.sight(s)
            if x != y:
                return count_pairs(men, two, free, self.blots(s), x, y)
            n, _ = pick_double(men, two, three_men(s.low, s.high), four_men(s.low, s.high), free, x, MORE_THAN_ALL_PLAYS)
            return n
        if self.is_terminal(s):
            return 0
        return 21 if s.roll == TO_ROLL else 30 if s.roll == OPENING else 2

    def sample(self, s: State, random: u64) -> int:
        k = below(random, self.count(s))
        if s.roll > 0:
            x, y = s.roll >> 3, s.roll & 7
            men, two, free = self.sight(s)
            if x != y:
                _, a = pick_pair(men, two, free, self.blots(s), x, y, k)
            else:
                _, a = pick_double(men, two, three_men(s.low, s.high), four_men(s.low, s.high), free, x, k)
            return a
        if s.roll in (MAY_DOUBLE, DOUBLED):
            return k
        return self.rolls[k] if s.roll == TO_ROLL else self.openings[k]

    def key(self, s: State) -> u64:
        rest_of_it = u64((s.roll & 127) | s.turn << 7 | s.cube << 8 | (s.owner & 3) << 12)
        words = s.low * 0x9E3779B97F4A7C15 + s.high * 0xC2B2AE3D27D4EB4F + s.low2 * 0x165667B19E3779F9 + s.high2 * 0xD6E8FEB86659FD93
        return mix((words ^ rest_of_it << 48) & FULL)

    def evaluate(self, s: State, p: int) -> float:
        if self.has_equity:
            return self.guessed_equity(s, p)
        value = evaluation.guess(s.low, s.high, s.low2, s.high2, self.gammons)
        return value if p == s.turn else -value

    def order(self, s: State, a: int) -> int:
        """Hits first, then points made and blots covered."""
        if s.roll <= 0:
            return 0
        t = self.played(s, a)
        hits = men_on(t.low, t.high, BAR) - men_on(s.low2, s.high2, BAR)
        made = two_men(t.low2, t.high2)
        return 6 * hits + 3 * popcount(made) - 2 * popcount(any_men(t.low2, t.high2) & ~made)

    def features(self, s: State, p: int) -> Iterator[float]:
        """The 198 inputs of TD-Gammon.

        For each point, as p counts them from 1 to 24, four numbers for p's men (one or more, two or more, three or more, half of those
        above three) and four for the other's; then men on the bar, halved, and men off, as parts of 15, of p and of the other; then whether
        it is p's turn, and whether it is the other's.
        """
        mine = p == s.turn
        low, high = (s.low, s.high) if mine else (s.low2, s.high2)
        low2, high2 = (s.low2, s.high2) if mine else (s.low, s.high)
        for i in range(1, 25):
            n, m = men_on(low, high, i), men_on(low2, high2, BAR - i)
            yield 1.0 if n >= 1 else 0.0
            yield 1.0 if n >= 2 else 0.0
            yield 1.0 if n >= 3 else 0.0
            yield max(n - 3, 0) / 2.0
            yield 1.0 if m >= 1 else 0.0
            yield 1.0 if m >= 2 else 0.0
            yield 1.0 if m >= 3 else 0.0
            yield max(m - 3, 0) / 2.0
        yield men_on(low, high, BAR) / 2.0
        yield men_on(low2, high2, BAR) / 2.0
        yield (FULL_SIDE - men_in(low, high, u64(POINTS))) / 15.0
        yield (FULL_SIDE - men_in(low2, high2, u64(POINTS))) / 15.0
        yield 1.0 if mine else 0.0
        yield 0.0 if mine else 1.0

    # ---- endgame tables ----------------------------------------------------------------------

    def index(self, s: State) -> int:
        """Of positions before a roll in which both sides bear off, without the cube."""
        if self.has_equity or s.roll != TO_ROLL:
            return -1
        return bearoff.number(s.low, s.high, s.low2, s.high2)

    def state_at(self, i: int) -> State:
        a, b = pair_at(i)
        low, high = bearoff.side_at(a)
        low2, high2 = bearoff.side_at(b)
        return State(low, high, low2, high2, TO_ROLL if a > 0 and b > 0 else OVER, 0, 0, CENTRE)

    def endings(self, wanted: str) -> tuple[tuple[str, int, int], ...]:
        if self.cube:
            raise ZermeloError(f"{self!r} numbers no states: expected backgammon without the cube for an endgame table")
        return bearoff.ranges(wanted, repr(self))

    # ---- learning ----------------------------------------------------------------------------

    def perspective(self, s: State) -> int:
        """The player on roll."""
        return 1 - s.turn if s.roll == DOUBLED else s.turn

    def planes(self, s: State, p: int) -> Iterator[int]:
        for side in range(2):
            mine = (p == s.turn) == (side == 0)
            low, high = (s.low, s.high) if mine else (s.low2, s.high2)
            men, made, three = any_men(low, high) & BOARD, two_men(low, high) & BOARD, three_men(low, high) & BOARD
            if self.is_expert:
                low2, high2 = (s.low2, s.high2) if mine else (s.low, s.high)
                is_race = self.phase(s) == RACE
                yield men | made << 32
                yield three | learning.highest(any_men(low, high)) << 32
                yield learning.numbers(low, high, low2, high2)
                rows, long_rows = learning.rows_of_points(made)
                yield rows
                yield long_rows
                hits = NO_ROLLS if is_race else learning.hits(low, high, low2, high2)
                yield learning.highest(made) | hits[5] << 32
                for digit in learning.above_three(low, high):
                    yield digit
                for digit in hits[:5]:
                    yield digit
                for digit in NO_ROLLS[:5] if is_race else learning.blocks(low, high, low2, high2):
                    yield digit
            else:
                yield men
                yield made
                yield three
                for digit in learning.above_three(low, high):
                    yield digit
                yield learning.on_bar(low, high)
                yield learning.borne_off(low, high)

    def phase(self, s: State) -> int:
        if not self.is_expert:
            return 0
        far, far2 = 63 - clz(any_men(s.low, s.high)), 63 - clz(any_men(s.low2, s.high2))
        return CONTACT if far + far2 > BAR else RACE

    def outcomes(self, s: State, p: int) -> Iterator[float]:
        points = 0 if p == s.turn else self.points(s)
        for n in range(1, 4):
            yield 1.0 if points >= n else 0.0

    # ---- text --------------------------------------------------------------------------------

    def write_action(self, s: State, a: int) -> str:
        return text.write_action(s, a)

    def read_action(self, s: State, text_: str) -> int:
        return text.read_action(self, s, text_)

    def write_state(self, s: State) -> str:
        return ids.write_state(self, s)

    def read_state(self, text_: str) -> State:
        return ids.read_state(self, text_)

    def show(self, s: State) -> str:
        return board.show(self, s)

    def svg(self, s: State) -> str:
        return board.svg(self, s)
