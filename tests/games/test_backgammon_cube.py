"""The doubling cube: known take points, exact bear-offs, published match equities, native against interpreted code."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest
from cubeful_bearoff import CENTRE, MINE, OTHERS, solve

import zermelo
from zermelo import u64
from zermelo.errors import ZermeloError
from zermelo.game import CHANCE
from zermelo.games.backgammon.match_equity import chance
from zermelo.games.backgammon.records import FORMATS
from zermelo.games.backgammon.rules import Backgammon
from zermelo.games.backgammon.state import DOUBLED, MAY_DOUBLE, TO_ROLL, State, packed
from zermelo.history import replayed
from zermelo.search.prepare import prepare
from zermelo.search.records import WORDS, Record, room

MONEY, MATCH = Backgammon(cube=True), Backgammon(away="3-5")
EVEN = (0.5, 0.0, 0.0)


def plain(q):
    return (q, 0.0, 0.0), (1 - q, 0.0, 0.0)


def side(*points):
    men = [0] * 26
    for point in points:
        men[point] += 1
    return packed(tuple(men))


def bearing_off(mine, theirs, roll=MAY_DOUBLE, turn=0, cube=0, owner=-1):
    return State(*side(*mine), *side(*theirs), roll, turn, cube, owner)


# ---- formulas ----------------------------------------------------------------------------------


def test_take_points_for_money():
    """A dead cube is taken with 25 %, a live one with 20 %; with gammons as Janowski's formula says."""
    assert MONEY.take_points(0, 0, EVEN, EVEN) == pytest.approx((0.2, 0.2))
    assert MONEY.held(0, 0.25, *plain(0.25), 1, 0, 0.0) == pytest.approx(-1)
    assert MONEY.held(0, 0.2, *plain(0.2), 1, 0, 1.0) == pytest.approx(-1)
    gammons = (0.5, 0.125, 0.0)  # a quarter of the wins
    assert MONEY.take_points(0, 0, gammons, gammons) == pytest.approx((0.25, 0.25))
    assert MONEY.take_points(1, 0, EVEN, gammons) == pytest.approx((0.75 / 2.75, 0.5 / 2.75))


@pytest.mark.parametrize(("x", "least", "most"), [(0.0, 0.5, 0.75), (1.0, 0.8, 0.8), (2 / 3, 11 / 16, 11 / 14)])
def test_the_window_of_doubles(x, least, most):
    """From where a double is right to where it is dropped: all of it with a dead cube, nothing with a live one, between them for 2/3."""

    def gain(q):
        return min(1.0, MONEY.held(0, q, *plain(q), 1, 1, x)) - MONEY.held(0, q, *plain(q), 0, -1, x)

    right = [q for q in np.linspace(0.3, 0.99, 1381) if gain(q) > 1e-9] or [0.8]
    dropped = next(q for q in np.linspace(0.3, 0.99, 1381) if MONEY.held(0, q, *plain(q), 1, 1, x) >= 1 - 1e-9)
    assert right[0] == pytest.approx(least, abs=2e-3) and dropped == pytest.approx(most, abs=2e-3)


def test_jacoby_makes_a_centred_cube_plain():
    game, strong = Backgammon(cube=True, jacoby=True), ((0.95, 0.6, 0.0), (0.05, 0.0, 0.0))
    s = bearing_off((6,) * 15, (6,) * 15)._replace(roll=TO_ROLL)
    assert MONEY.equity(s, 0, *strong) > 1 > game.equity(s, 0, *strong)  # too good to double, and not
    turned = s._replace(cube=1, owner=0)
    assert game.equity(turned, 0, *strong) == MONEY.equity(turned, 0, *strong) == 2 * MONEY.equity(turned._replace(cube=0), 0, *strong)


# ---- exact bear-offs ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def exact():
    return solve(3)


@cache
def best(game, s):
    """What s is worth to player 0 by brute force over the rules."""
    if game.is_terminal(s):
        return game.utility(s, 0)
    mover = game.to_move(s)
    values = [best(game, game.result(s, a)) for a in game.actions(s)]
    if mover == CHANCE:
        return sum(v * game.probability(s, a) for v, a in zip(values, game.actions(s), strict=True))
    return max(values) if mover == 0 else min(values)


def test_the_rules_with_the_cube_are_the_recursion(exact):
    sides, value, _, _ = exact
    for mine, theirs in [((1, 3), (1,)), ((2, 5), (1,)), ((1, 2), (1, 2)), ((3, 3), (1, 1)), ((2, 2), (2, 2)), ((4,), (1, 1, 1))]:
        i, j = sides.index(mine), sides.index(theirs)
        for owner, o in ((-1, CENTRE), (0, MINE), (1, OTHERS)):
            s = bearing_off(mine, theirs, MAY_DOUBLE if owner != 1 else TO_ROLL, cube=int(owner >= 0), owner=owner)
            assert best(MONEY, s) == pytest.approx(value[o, i, j] * (1 << s.cube), abs=1e-9)


def test_the_last_roll_is_known(exact):
    """Two men that are borne off by k of 36 rolls, against one roll: the other wins whatever is left, so the cube is dead."""
    sides, value, _, chances = exact
    for men, rolls in {(2, 5): 19, (1, 4): 29, (2, 3): 25, (2, 2): 26, (3, 3): 17, (1, 6): 15, (6, 6): 4, (1, 2): 36}.items():
        q, i, j = rolls / 36, sides.index(men), sides.index((1,))
        assert chances[i, j] == pytest.approx(2 * q - 1)
        assert value[CENTRE, i, j] == pytest.approx(min(1, 2 * (2 * q - 1)) if q > 0.5 else 2 * q - 1)


def test_decisions_by_the_formulas_cost_little(exact):
    """In bear-offs, whose chances are known: what is lost on average by doubling or waiting, and by taking or dropping."""
    sides, value, rolls, chances = exact
    cost, rng = [], random.Random(2)
    for _ in range(600):
        i, j = rng.randrange(1, len(sides)), rng.randrange(1, len(sides))
        own, other = plain((chances[i, j] + 1) / 2)
        s = bearing_off(sides[i], sides[j])
        after = {a: MONEY.equity(MONEY.result(s, a), 0, own, other) for a in MONEY.actions(s)}
        taken = 2 * rolls[OTHERS, i, j]
        cost.append(value[CENTRE, i, j] - (min(1.0, taken) if after[1] > after[0] else rolls[CENTRE, i, j]))
        offered = MONEY.result(s, 1)
        answers = {a: MONEY.result(offered, a) for a in MONEY.actions(offered)}
        drops = MONEY.utility(answers[1], 1) > MONEY.equity(answers[0], 1, other, own)
        cost.append((1.0 if drops else taken) - min(1.0, taken))
    assert min(cost) > -1e-9 and np.mean(cost) < 0.002


# ---- matches -----------------------------------------------------------------------------------

#: of the player who needs fewer points, in percent: K. Woolsey and H. Heinrich, as they are published everywhere
PUBLISHED = {
    (1, 2): 70, (1, 3): 75, (1, 4): 83, (1, 5): 85, (1, 6): 90, (1, 7): 91, (1, 8): 94, (1, 9): 95,
    (2, 3): 60, (2, 4): 68, (2, 5): 75, (2, 6): 81, (2, 7): 85, (3, 4): 59, (3, 5): 66, (3, 6): 71, (3, 7): 76, (4, 5): 57, (4, 6): 64,
    (4, 7): 70, (5, 6): 57, (5, 7): 63, (6, 7): 57,
}  # fmt: skip


def test_match_equities_are_near_the_published_ones():
    for (a, b), percent in PUBLISHED.items():
        assert 100 * chance(a, b) == pytest.approx(percent, abs=2), (a, b)
        assert chance(a, b) + chance(b, a) == pytest.approx(1)
    assert chance(1, 2, is_late=True) == pytest.approx(0.5)  # the trailer doubles at once


def test_results_of_a_match_are_worth_what_they_change():
    assert MATCH.utility(bearing_off((1,), (), roll=-5, turn=1), 0) == pytest.approx(chance(2, 5) - chance(3, 5))
    won = bearing_off((1,), (), roll=-5, turn=0, cube=3, owner=0)
    assert MATCH.utility(won, 1) == pytest.approx(1 - chance(5, 3)) == -MATCH.utility(won, 0)
    crawford = Backgammon(away="1-5", crawford=True)
    assert crawford.begun(0, -1, 1) == TO_ROLL and Backgammon(away="1-5").begun(0, -1, 1) == MAY_DOUBLE


def test_who_has_nothing_to_lose_doubles_and_who_wins_the_match_does_not():
    late, s = Backgammon(away="1-4"), bearing_off((6,) * 15, (6,) * 15, turn=1)
    own, other = (0.4, 0.05, 0.0), (0.6, 0.1, 0.0)
    after = {a: late.equity(late.result(s, a), 1, own, other) for a in late.actions(s)}
    assert after[1] > after[0] + 0.02  # the trailer loses the match with this game in any case
    s = s._replace(turn=0)
    after = {a: late.equity(late.result(s, a), 0, *plain(0.7)) for a in late.actions(s)}
    assert after[1] < after[0] - 0.02  # one point is all that the leader needs


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ("away=3", "expected away like 3-5"),
        ("away=0-5", "from 1 to 25"),
        ("away=3-26", "from 1 to 25"),
        ("away=3-5,crawford=true", "expected crawford only where one player needs one point"),
        ("crawford=true", "expected away like 3-5"),
        ("cube=true,jacoby=true,away=3-5", "expected jacoby for money alone"),
    ],
)
def test_stakes_that_cannot_be_are_refused(parameters, sentence):
    with pytest.raises(ZermeloError, match=sentence):
        zermelo.game(f"backgammon:{parameters}")


@pytest.mark.parametrize("game", [MATCH, Backgammon(away="1-4", crawford=True), MONEY], ids=repr)
def test_states_are_read_back(game):
    for s in states(game, 40):
        assert game.read_state(game.write_state(s)) == s
    other = Backgammon(away="3-4")
    with pytest.raises(ZermeloError, match="expected the match ID of a game"):
        other.read_state(game.write_state(game.initial()))


PLAYED = """ 3 point match

 Game 1
 Alice : 0                        Bob : 0
  1) 31: 8/5 6/5                  62: 24/18 13/11
  2)  Doubles => 2                 Drops
      Wins 1 point

 Game 2
 Alice : 1                        Bob : 0
  1) 31: 8/5 6/5                  62: 24/18 13/11
  2)  Doubles => 2                 Drops
      Wins 1 point

 Game 3
 Alice : 2                        Bob : 0
  1)                              31: 8/5 6/5
  2) 62: 24/18 13/11
                                  Wins 1 point

 Game 4
 Alice : 2                        Bob : 1
  1)                              31: 8/5 6/5
  2) 62: 24/18 13/11               Doubles => 2
  3)  Drops
                                  Wins 1 point
"""


def test_games_of_a_file_are_those_of_a_match():
    """Each at its score: after the Crawford game the cube is back."""
    sheets = [FORMATS["mat"].read(part) for part in FORMATS["mat"].parse(PLAYED.encode())]
    wanted = [{"away": "3-3"}, {"away": "2-3"}, {"away": "1-3", "crawford": True}, {"away": "1-2"}]
    assert [sheet.about.game for sheet in sheets] == [repr(Backgammon(**told)) for told in wanted]
    assert sheets[0].ending.result[0] == pytest.approx(chance(2, 3) - 0.5)
    assert sheets[2].ending.result[1] == pytest.approx(chance(2, 1, is_late=True) - chance(3, 1))
    histories = [replayed(zermelo.game(sheet.about.game), sheet) for sheet in sheets]
    again = FORMATS["mat"].write(list(zip(sheets, histories, strict=True)))
    assert [line.split() for line in again.splitlines()] == [line.split() for line in PLAYED.splitlines()]


# ---- native code -------------------------------------------------------------------------------


def states(game, count, seed=3):
    rng, found = random.Random(seed), []
    while len(found) < count:
        s = game.initial()
        while not game.is_terminal(s) and len(found) < count:
            s = game.result(s, 0 if s.roll == DOUBLED else rng.choice(list(game.actions(s))))
            if rng.random() < 0.2:
                found.append(s)
    return found


class Worth(Record):
    start: list[u64] = room(WORDS)
    chances: list[float] = room(8)
    worth: list[float] = room(2)


def ask(game, work):
    s = game.unpack(work.start)
    own = (work.chances[0], work.chances[1], work.chances[2])
    other = (work.chances[3], work.chances[4], work.chances[5])
    work.worth[0] = game.equity(s, 0, own, other)
    work.worth[1] = game.equity(s, 1, other, own)
    return 0


@pytest.mark.parametrize("game", [Backgammon(cube=True, jacoby=True), MATCH], ids=repr)
def test_native_equities_have_the_same_bits_and_are_opposite(game):
    rng, run = np.random.default_rng(4), prepare(game, ask, Worth, False)
    for s in states(game, 200):
        q, gammons = rng.random(), rng.random(4)
        own, other = (q, q * gammons[0], q * gammons[0] * gammons[1]), (1 - q, (1 - q) * gammons[2], (1 - q) * gammons[2] * gammons[3])
        if game.is_terminal(s):
            own, other = tuple(game.outcomes(s, 0)), tuple(game.outcomes(s, 1))
        found = run(start=game.layout.pack(s), chances=[*own, *other, 0.0, 0.0]).worth
        assert found[0] == game.equity(s, 0, own, other) and found[1] == -found[0] == game.equity(s, 1, other, own)
        if game.is_terminal(s):
            assert found[0] == pytest.approx(game.utility(s, 0))
