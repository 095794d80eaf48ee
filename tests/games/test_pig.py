"""Pig, compared with value iteration on the equations of optimal play (Neller and Presser, 2004)."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from helpers import check_games, check_hostile, reachable, refuses, walk

from zermelo.errors import ZermeloError
from zermelo.game import CHANCE
from zermelo.games.pig import HOLD, ROLL, Pig, State


def test_a_turn() -> None:
    game = Pig(target=10)
    s = game.initial()
    assert list(game.actions(s)) == [ROLL]  # nothing to hold yet
    s = game.result(s, ROLL)
    assert game.to_move(s) == CHANCE
    assert list(game.actions(s)) == [1, 2, 3, 4, 5, 6]
    assert game.result(s, 1) == State((0, 0), 0, 1, False)
    s = game.result(s, 6)
    assert s == State((0, 0), 6, 0, False)
    assert list(game.actions(s)) == [ROLL, HOLD]
    assert game.result(s, HOLD) == State((6, 0), 0, 1, False)
    s = game.result(game.result(s, ROLL), 4)
    assert list(game.actions(s)) == [HOLD]  # enough to win
    assert not game.is_terminal(s)
    s = game.result(s, HOLD)
    assert s == State((10, 0), 0, 0, False)
    assert game.is_terminal(s)
    assert [game.utility(s, p) for p in (0, 1)] == [1, -1]


def test_three_players_share_the_loss() -> None:
    game = Pig(5, players=3)
    s = State((0, 5, 2), 0, 1, False)
    assert [game.utility(s, p) for p in range(3)] == [-0.5, 1, -0.5]


def chance_of_winning(target: int, sides: int) -> float:
    """The first player's chance if both play as well as they can: P(i, j, k) of one's own score, the other's and the turn total."""
    known = dict.fromkeys(((i, j, k) for i in range(target) for j in range(target) for k in range(target - i)), 0.0)

    def p(i: int, j: int, k: int) -> float:
        return 1.0 if i + k >= target else known[i, j, k]

    change = 1.0
    while change > 1e-12:
        change = 0.0
        for i, j, k in known:
            roll = (1 - p(j, i, 0) + sum(p(i, j, k + face) for face in range(2, sides + 1))) / sides
            better = max(roll, 1 - p(j, i + k, 0)) if k else roll
            change = max(change, abs(better - known[i, j, k]))
            known[i, j, k] = better
    return known[0, 0, 0]


@pytest.mark.parametrize(("target", "sides"), [(2, 2), (5, 2), (6, 3), (9, 6)])
def test_optimal_play(target: int, sides: int) -> None:
    """Expectiminimax to convergence over the states of the game itself."""
    game = Pig(target, sides=sides)
    values = {s: game.utility(s, 0) if game.is_terminal(s) else 0.0 for s in reachable(game)}
    inner = [(s, game.to_move(s), [game.result(s, a) for a in game.actions(s)]) for s in values if not game.is_terminal(s)]
    change = 1.0
    while change > 1e-12:
        change = 0.0
        for s, who, after in inner:
            known = [values[t] for t in after]
            new = sum(known) / sides if who == CHANCE else max(known) if who == 0 else min(known)
            change = max(change, abs(new - values[s]))
            values[s] = new
    assert values[game.initial()] == pytest.approx(2 * chance_of_winning(target, sides) - 1, abs=1e-9)


def test_one_roll_is_enough() -> None:
    """With target 2 every roll but a 1 wins: 5/6 + 1/6 of what the other then loses."""
    assert chance_of_winning(2, 6) == pytest.approx(6 / 7)


@pytest.mark.parametrize(
    "game", [Pig(20), Pig(15, players=4), Pig(3, sides=2), Pig(300, players=2, sides=100), Pig(8, players=16)], ids=repr
)
def test_rules_and_text(game: Pig) -> None:
    check_games(game, 1, 3)
    check_hostile(game, 3)


@pytest.mark.parametrize("game", [Pig(target, sides=sides) for target in (1, 2, 3, 4, 7) for sides in (2, 3, 4)], ids=repr)
def test_exactly_the_reachable_states_are_read(game: Pig) -> None:
    read = set()
    for a, b, total, turn, rolling in product(
        range(game.target + 6), range(game.target + 6), range(game.target + 6), (1, 2), ("", " rolling")
    ):
        try:
            read.add(game.read_state(f"{a},{b} {total} {turn}{rolling}"))
        except ZermeloError:
            continue
    assert read == reachable(game)


def test_notation() -> None:
    game = Pig()
    s = game.read_state("20,31 8 2 rolling")
    assert s == State((20, 31), 8, 1, True)
    assert game.write_state(s) == "20,31 8 2 rolling"
    assert game.show(s) == "player 1: 20\nplayer 2: 31 + 8\nthe die is rolling"
    assert game.show(s._replace(rolling=False)).endswith("player 2 to move")
    assert game.show(State((100, 31), 0, 0, False)).endswith("player 1 has won")
    assert [game.write_action(s, a) for a in game.actions(s)] == ["1", "2", "3", "4", "5", "6"]
    still = s._replace(rolling=False)
    assert [game.write_action(still, a) for a in game.actions(still)] == ["roll", "hold"]
    refuses(game, "20 8 1", "2 scores")
    refuses(game, "20,31 8 3", "whose turn")
    refuses(game, "20,1 8 1", "rolls of 2 to 6")
    refuses(game, "20,100 0 1", "only the player")
    refuses(game, "100,20 2 1", "won")
    refuses(game, "100,20 0 1 rolling", "won")
    refuses(game, "106,20 0 1", "after 100")
    refuses(game, "98,20 7 1", "after 100")
    refuses(game, "98,20 2 1 rolling", "after 100")


def test_totals_stay_small() -> None:
    game = Pig(30)
    for s in walk(game, 4, 30):
        assert s.scores[s.turn] + s.total <= 29 + 6


@pytest.mark.parametrize(
    "wrong",
    [{"target": 0}, {"target": 10001}, {"players": 1}, {"players": 17}, {"sides": 1}, {"sides": 101}, {"target": "100"}, {"sides": 6.0}],
)
def test_bad_parameters(wrong: dict[str, Any]) -> None:
    with pytest.raises(ZermeloError, match=f"pig: expected {next(iter(wrong))} from"):
        Pig(**wrong)
