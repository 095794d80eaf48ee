"""The bins of the lectures: exact values, text, parameters."""

from __future__ import annotations

import pytest
from helpers import backed_up, best_path, check_hostile, check_state, everything

from zermelo.errors import ZermeloError
from zermelo.game import CHANCE
from zermelo.games.bins import Bins, State


def values(game: Bins) -> dict[str, float]:
    s = game.initial()
    return {game.write_action(s, a): backed_up(game, game.result(s, a))[0] for a in game.actions(s)}


def test_game_1_is_won_by_b_with_1():
    assert values(Bins()) == {"A": -50, "B": 1, "C": -5}
    assert best_path(Bins()) == ["B", "1"]


def test_game_2_is_won_by_c_with_minus_2():
    game = Bins(game=2)
    assert values(game) == {"A": -27.5, "B": -24.5, "C": -2}
    s = game.result(game.initial(), game.read_action(game.initial(), "A"))
    assert game.to_move(s) == CHANCE
    assert [game.write_action(s, a) for a in game.actions(s)] == ["stay", "left"]
    assert game.write_state(game.result(s, 1)) == "opponent C", "left of the first bin is the last"


@pytest.mark.parametrize("game", [Bins(), Bins(game=2), Bins(2, (1, 2)), Bins(1, (5, -5, 7, 8))], ids=repr)
def test_every_state(game):
    states = set(everything(game))
    assert len(states) == 1 + game.bins * (4 if game.has_chance else 3)
    for s in states:
        check_state(game, s)
        if game.is_terminal(s):
            assert game.utility(s, 0) == -game.utility(s, 1)


def test_text():
    game = Bins(game=2)
    assert [game.write_state(s) for s in (State(0, 0, 0), State(1, 0, 0), State(2, 2, 0), State(3, 2, 1))] == [
        "you",
        "coin A",
        "opponent C",
        "over C 15",
    ]
    assert game.show(State(1, 1, 0)) == "A {-50, 50}  B {1, 3}  C {-5, 15}\ncoin B"
    with pytest.raises(ZermeloError, match="'coin A' is not a state of bins: expected one of you, opponent A"):
        Bins().read_state("coin A")


def test_hostile_text():
    check_hostile(Bins(game=2), 1)


def test_only_game_2_has_chance():
    assert not Bins().has_chance and Bins(game=2).has_chance


def test_parameters():
    assert repr(Bins()) == "bins" and repr(Bins(game=2)) == "bins:game=2"
    for wrong in (0, 3, "1", None):
        with pytest.raises(ZermeloError, match="bins: expected game 1 or 2, not"):
            Bins(game=wrong)
    for wrong in ((), (1,), (1, 2, 3), (4, 4), tuple(range(54))):
        with pytest.raises(ZermeloError, match="bins: expected two different numbers for each of 1 to 26 bins, not"):
            Bins(numbers=wrong)
    for wrong in ("12", 5, (1, 2.5), (1, 1 << 53), None):
        with pytest.raises(ZermeloError, match="bins: expected numbers to be whole numbers, two for each bin, not"):
            Bins(numbers=wrong)
