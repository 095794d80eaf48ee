"""The rules of backgammon, compared with a plain list of steps and with OpenSpiel."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any

import pytest
from helpers import check_state, walk
from helpers_backgammon import CUBE, PLAIN, Side, plays, state

import zermelo
from zermelo.errors import ZermeloError
from zermelo.game import CHANCE
from zermelo.games.backgammon import Backgammon
from zermelo.games.backgammon.state import CENTRE, DOUBLED, DROPPED, MAY_DOUBLE, START, TO_ROLL, State, packed, unpacked
from zermelo.rng import draw


def results(game: Backgammon, s: State) -> list[tuple[Side, Side]]:
    after = [game.result(s, a) for a in game.actions(s)]
    return [(unpacked(t.low2, t.high2), unpacked(t.low, t.high)) for t in after]


def check_plays(s: State) -> int:
    """The actions of s lead to the positions of the plain way, each to another."""
    found = results(PLAIN, s)
    assert len(set(found)) == len(found) == PLAIN.count(s)
    assert set(found) == plays(unpacked(s.low, s.high), unpacked(s.low2, s.high2), s.roll >> 3, s.roll & 7)
    return len(found)


def random_side(chooser: random.Random, highest: int, taken: Side) -> Side:
    side = [0] * 26
    for _ in range(chooser.randint(1, 15)):
        point = chooser.choice((1, 2, highest, chooser.randint(1, highest), chooser.randint(1, highest)))
        if point == 25 or not taken[25 - point]:
            side[point] += 1
    side[0] = 15 - sum(side)
    return tuple(side)


def random_state(chooser: random.Random) -> State:
    """A position as no play would make it: few points, many men on them, bars, men at home."""
    while True:
        mine = random_side(chooser, chooser.choice((6, 6, 7, 8, 12, 24, 25)), (0,) * 26)
        other = random_side(chooser, chooser.choice((6, 24, 25)), mine)
        if mine[0] < 15 and other[0] < 15:
            x, y = sorted((chooser.randint(1, 6), chooser.randint(1, 6)), reverse=True)
            return State(*packed(mine), *packed(other), x << 3 | y, 0, 0, CENTRE)


def test_against_every_order_of_steps() -> None:
    chooser = random.Random(1)
    turns = [s for s in walk(PLAIN, 1, 4) if s.roll > 0]
    assert sum(map(check_plays, turns)) > 3000
    for _ in range(2000):
        check_plays(random_state(chooser))


@pytest.mark.slow
def test_against_every_order_of_steps_often() -> None:
    chooser = random.Random(2)
    for _ in range(20_000):
        check_plays(random_state(chooser))


def openspiel_sides(board: Any) -> tuple[Side, Side]:
    """Both sides of an OpenSpiel board; 100 is its bar."""
    found = []
    for p in (0, 1):
        men = [board.board(p, i) for i in range(24)]
        men = [*(reversed(men) if p == 0 else men), board.board(p, 100)]
        found.append((15 - sum(men), *men))
    return found[0], found[1]


def openspiel_results(board: Any, p: int) -> set[tuple[Side, Side]]:
    """The positions after the turn of p; a double is two actions there."""
    found = set()
    for a in board.legal_actions():
        after = board.child(a)
        if not after.is_terminal() and after.current_player() == p:
            found |= openspiel_results(after, p)
        else:
            men = openspiel_sides(after)
            found.add((men[p], men[1 - p]))
    return found


@pytest.mark.parametrize("positions", [300, pytest.param(20_000, marks=pytest.mark.slow)])
def test_against_openspiel(positions: int) -> None:
    game = pytest.importorskip("pyspiel").load_game("backgammon")
    chooser, seen = random.Random(3), 0
    while seen < positions:
        board = game.new_initial_state()
        fresh = False
        while not board.is_terminal():
            if board.is_chance_node():
                board.apply_action(chooser.choice(board.legal_actions()))
                fresh = True
                continue
            if fresh:
                p, men = board.current_player(), openspiel_sides(board)
                dice = sorted(re.search(r"Dice: (\d)(\d)", str(board)).groups(), reverse=True)
                s = State(*packed(men[p]), *packed(men[1 - p]), int(dice[0]) << 3 | int(dice[1]), p, 0, CENTRE)
                found = results(PLAIN, s)
                assert len(found) == len(set(found)) and set(found) == openspiel_results(board, p)
                seen += 1
            fresh = False
            board.apply_action(chooser.choice(board.legal_actions()))


# ---- traps ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mine", "other", "roll", "expected"),
    [
        ({20: 1}, {15: 2, 1: 13}, "64", ["20/14"]),  # either die, not both: the larger
        ({20: 1}, {11: 2, 15: 2, 1: 11}, "64", ["20/16"]),  # only the smaller
        ({20: 1}, {11: 1, 9: 1, 1: 11}, "64", ["20/14*/10", "20/16*/10"]),  # two ways to hit
        ({20: 1}, {11: 1, 1: 11}, "64", ["20/10", "20/14*/10"]),  # hit and run, or not
        ({20: 1}, {2: 2, 1: 11}, "64", ["20/10"]),  # two ways that are the same
        ({25: 1, 6: 2}, {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2}, "65", ["cannot move"]),  # dancing is one action
        ({25: 2, 6: 2}, {6: 2}, "64", ["bar/21"]),  # the other man on the bar cannot enter
        ({25: 1, 2: 2}, {6: 2, 19: 2}, "64", ["bar/15"]),
        ({4: 2, 3: 1, 1: 1}, {24: 1}, "65", ["4/off(2)"]),  # higher dice bear off from behind
        ({6: 1, 3: 1}, {24: 2}, "54", ["6/2 3/off"]),  # the lower die first, so that the higher can be played
        ({2: 1, 1: 1}, {3: 2}, "65", ["2/off 1/off"]),  # either die for either man
        ({6: 1, 2: 2}, {24: 2}, "41", ["6/2"]),
        ({8: 1, 1: 1}, {24: 1, 23: 2}, "62", ["8/off"]),
        ({13: 2}, {16: 2, 1: 2}, "44", ["cannot move"]),
        ({13: 2}, {20: 2, 1: 2}, "44", ["13/9(2)"]),  # as much of a double as possible
        ({13: 1, 7: 1}, {20: 2, 1: 2}, "44", ["13/9 7/3"]),
        ({6: 5, 1: 1}, {24: 1, 3: 2}, "66", ["6/off(4)"]),
    ],
)
def test_traps(mine: dict[int, int], other: dict[int, int], roll: str, expected: list[str]) -> None:
    s = state(mine, other, roll)
    check_plays(s)
    assert sorted(PLAIN.write_action(s, a) for a in PLAIN.actions(s)) == expected


def test_chance() -> None:
    s = PLAIN.initial()
    first = list(PLAIN.actions(s))
    assert len(first) == 30 and {PLAIN.probability(s, a) for a in first} == {1 / 30}
    for a in first:
        t = PLAIN.result(s, a)
        assert t.turn == (a >> 3 < a & 7) and t.roll == max(a, (a & 7) << 3 | a >> 3)
    s = PLAIN.result(t, next(PLAIN.actions(t)))
    rolls = {PLAIN.write_action(s, a): PLAIN.probability(s, a) for a in PLAIN.actions(s)}
    assert PLAIN.to_move(s) == CHANCE and len(rolls) == 21
    assert rolls == {f"{x}{y}": (1 if x == y else 2) / 36 for x in range(1, 7) for y in range(1, x + 1)}


def test_what_a_game_is_won_for() -> None:
    won = {6: 1}
    for loser, points in [({1: 14}, 1), ({1: 15}, 2), ({18: 1, 1: 14}, 2), ({19: 1, 1: 14}, 3), ({25: 1, 1: 14}, 3), ({24: 1, 1: 13}, 1)]:
        s = state(won, loser, "66", turn=1)
        (a,) = PLAIN.actions(s)
        end = PLAIN.result(s, a)
        assert PLAIN.is_terminal(end) and not list(PLAIN.actions(end)) and PLAIN.count(end) == 0
        assert [PLAIN.utility(end, p) for p in (0, 1)] == [-points, points]
        assert Backgammon(gammons=False).utility(end, 1) == 1
        jacoby = Backgammon(cube=True, jacoby=True)
        assert jacoby.utility(end, 1) == 1 and jacoby.utility(end._replace(cube=2, owner=0), 1) == 4 * points
        check_state(PLAIN, end)


def test_cube() -> None:
    s = state({6: 2}, {6: 2}, "31")
    assert s.roll == 0o31
    s = CUBE.result(s, next(CUBE.actions(s)))
    assert (s.roll, s.turn, CUBE.to_move(s)) == (MAY_DOUBLE, 1, 1)
    assert [CUBE.write_action(s, a) for a in CUBE.actions(s)] == ["roll", "double"]
    rolling = CUBE.result(s, 0)
    assert (rolling.roll, CUBE.to_move(rolling)) == (TO_ROLL, CHANCE)
    offered = CUBE.result(s, 1)
    assert (offered.roll, offered.turn, offered.cube) == (DOUBLED, 0, 0)
    assert [CUBE.write_action(offered, a) for a in CUBE.actions(offered)] == ["take", "drop"]
    dropped = CUBE.result(offered, 1)
    assert dropped.roll == DROPPED and CUBE.is_terminal(dropped) and CUBE.utility(dropped, 1) == 1
    taken = CUBE.result(offered, 0)
    assert (taken.roll, taken.turn, taken.cube, taken.owner) == (TO_ROLL, 1, 1, 0)
    played = CUBE.result(taken, 0o21)
    after = CUBE.result(played, next(CUBE.actions(played)))
    assert (after.roll, after.turn) == (MAY_DOUBLE, 0)  # who owns the cube may double, the other may not
    for t in (s, rolling, offered, dropped, taken, played, after):
        check_state(CUBE, t)
    again = CUBE.result(after, 0)
    played = CUBE.result(again, 0o11)
    assert CUBE.result(played, next(CUBE.actions(played))).roll == TO_ROLL
    assert CUBE.begun(12, 0, 0) == TO_ROLL


def test_random_games_agree_with_each_other() -> None:
    for game in (PLAIN, CUBE, Backgammon(cube=True, jacoby=True), Backgammon(gammons=False)):
        for s in walk(game, 4, 2 if game is PLAIN else 12):
            check_state(game, s)
            if game.is_terminal(s):
                assert game.utility(s, 0) == -game.utility(s, 1)
            else:
                value, most = game.evaluate(s, 0), (3 if game.gammons else 1) << s.cube
                assert value == -game.evaluate(s, 1) and abs(value) < most * (2 if s.roll == DOUBLED else 1)


def test_sample_is_fair() -> None:
    chosen = [s for s in walk(PLAIN, 5, 6) if s.roll > 0 and PLAIN.count(s) <= 60][::24]
    assert {s.roll >> 3 == s.roll & 7 for s in chosen} == {True, False}
    for s in chosen:
        drawn = Counter(PLAIN.sample(s, draw(6, i)) for i in range(60 * PLAIN.count(s)))
        assert set(drawn) == set(PLAIN.actions(s)) and all(20 < n < 110 for n in drawn.values())


def test_native() -> None:
    """Native code counts and plays what the interpreter does, and what the plain way says."""
    start = unpacked(*packed(START))
    rolls = [(x, y) for x in range(1, 7) for y in range(1, x)]
    assert zermelo.perft(PLAIN, 2) == 2 * sum(len(plays(start, start, *roll)) for roll in rolls)
    native, interpreted = zermelo.playouts(PLAIN, 12, seed=3), zermelo.playouts(PLAIN, 12, seed=3, interpreted=True)
    assert (native.moves, native.utility) == (interpreted.moves, interpreted.utility)


# ---- the rest ------------------------------------------------------------------------------------


def test_evaluation_knows_a_good_position() -> None:
    start = PLAIN.evaluate(PLAIN.read_state("4HPwATDgc/ABMA"), 0)
    assert 0 < start < 0.3
    ahead, behind = state({6: 5, 5: 5}, {6: 5, 5: 5, 4: 5}), state({6: 5, 5: 5, 4: 5}, {6: 5, 5: 5})
    assert PLAIN.evaluate(ahead, 0) > 0.5 > -0.5 > PLAIN.evaluate(behind, 0)
    lost = state({6: 1}, {24: 10, 23: 5})
    assert PLAIN.evaluate(lost, 0) > 1.9 and 0.9 < Backgammon(gammons=False).evaluate(lost, 0) < 1
    closed = dict.fromkeys(range(1, 7), 2) | {7: 3}
    assert PLAIN.evaluate(state(closed, {25: 1, 1: 14}), 0) > 1 > PLAIN.evaluate(state(closed, {7: 15}), 0)
    offered = CUBE.result(state({6: 1}, {6: 5, 1: 5})._replace(roll=MAY_DOUBLE), 1)
    assert CUBE.evaluate(offered, 0) == 1  # to drop costs a point


def test_features_are_those_of_td_gammon() -> None:
    s = PLAIN.result(PLAIN.initial(), 0o31)
    mine, other = list(PLAIN.features(s, 0)), list(PLAIN.features(s, 1))
    assert len(mine) == len(other) == 198 and mine[:-2] == other[:-2] and mine[-2:] == [1, 0] and other[-2:] == [0, 1]
    assert mine[8 * 5 : 8 * 6] == [1, 1, 1, 1, 0, 0, 0, 0] and mine[:8] == [0, 0, 0, 0, 1, 1, 0, 0]


@pytest.mark.parametrize("wrong", [{"cube": 1}, {"gammons": "yes"}, {"jacoby": True}, {"cube": True, "gammons": False, "jacoby": True}])
def test_bad_parameters(wrong: dict[str, Any]) -> None:
    with pytest.raises(ZermeloError, match="backgammon: expected "):
        Backgammon(**wrong)
