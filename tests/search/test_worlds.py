"""Averaging over worlds and information-set MCTS: exact where that is known, the same interpreted and natively, blind to what is hidden."""

from __future__ import annotations

from dataclasses import replace

import pytest

import zermelo
from zermelo import ZermeloError
from zermelo.arena.clock import Clock, Control
from zermelo.arena.players.by_text import player
from zermelo.history import History
from zermelo.search.ismcts import ISMCTS
from zermelo.search.worlds import Worlds

KUHN = zermelo.game("kuhn")


def timeless(result):
    return replace(result, seconds=0.0)


# ---- averaging over worlds -----------------------------------------------------------------------


@pytest.mark.parametrize("text", ["JQ", "QJ", "KQ", "JQ p", "QK p", "QJ b", "JK b", "KQ pb", "QJ pb"])
def test_the_mean_over_all_worlds(text):
    """Each of the two worlds is as likely as the other: the exact mean of what both are worth to players who see everything."""
    s = KUHN.read_state(text)
    me = KUHN.to_move(s)
    found = Worlds(worlds=400, interpreted=True).search(KUHN, s)
    both = {KUHN.resample(s, me, seed) for seed in range(20)}
    assert len(both) == 2
    for a in KUHN.actions(s):
        exact = [zermelo.Expectiminimax(interpreted=True).search(KUHN, KUHN.result(w, a)).values[me] for w in both]
        assert found.scores[a] == pytest.approx(sum(exact) / 2, abs=4 * abs(exact[0] - exact[1]) / 2 / 20 + 1e-9)
    best = max(found.scores.values())
    assert found.policy == {a: (1 if x == best else 0) / list(found.scores.values()).count(best) for a, x in found.scores.items()}
    assert found.value == best and found.action is not None and found.policy[found.action] > 0


def test_where_nothing_is_hidden_it_is_the_search_inside():
    game = zermelo.game("tictactoe")
    s = game.read_state("XO./.X./..O")
    found = Worlds(inside="minimax", interpreted=True).search(game, s)
    assert found.scores == {a: zermelo.Minimax(interpreted=True).search(game, game.result(s, a)).values[0] for a in game.actions(s)}


def test_three_players_and_limits():
    game = zermelo.game("trio", width=3, height=2)
    assert len(Worlds(interpreted=True, depth=2).search(game).values) == 3
    assert (
        Worlds(worlds=5, nodes=100, interpreted=True).search(zermelo.game("leduc"), zermelo.game("leduc").read_state("KsQh c")).nodes < 400
    )
    with pytest.raises(ZermeloError, match="Worlds: expected a searcher of states that are seen whole inside, not ismcts"):
        Worlds(inside="ismcts").search(KUHN, KUHN.read_state("KQ"))
    with pytest.raises(ZermeloError, match="Worlds: expected a state where a player is to move"):
        Worlds().search(KUHN)


# ---- information-set MCTS ------------------------------------------------------------------------


@pytest.mark.parametrize("observers", ["all", "one"])
@pytest.mark.parametrize(("text", "state"), [("kuhn", "QJ p"), ("leduc", "KsQh cc/Js r"), ("tictactoe", "XO./.X./..O")])
def test_interpreted_and_native_are_the_same(text, state, observers):
    game = zermelo.game(text)
    s = game.read_state(state)
    ours, theirs = (
        ISMCTS(simulations=500, seed=4, observers=observers, interpreted=interpreted).search(game, s) for interpreted in (True, False)
    )
    assert timeless(ours) == timeless(theirs)
    assert sum(ours.policy.values()) == pytest.approx(1) and ours.nodes == 500


@pytest.mark.parametrize("observers", ["all", "one"])
@pytest.mark.parametrize(("state", "action"), [("QJ b", "pass"), ("JK b", "bet"), ("KJ pb", "bet"), ("JQ pb", "pass")])
def test_it_neither_calls_with_the_worst_card_nor_folds_with_the_best(state, action, observers):
    s = KUHN.read_state(state)
    found = ISMCTS(simulations=3000, seed=1, observers=observers).search(KUHN, s)
    assert KUHN.write_action(s, found.action) == action and found.policy[found.action] > 0.9


def test_it_finds_what_a_search_finds_if_nothing_is_hidden():
    game = zermelo.game("tictactoe")
    s = game.read_state("XO./.X./..O")
    found = ISMCTS(simulations=20_000, seed=1).search(game, s)
    exact = zermelo.Minimax(interpreted=True).search(game, s)
    assert found.value == pytest.approx(exact.value, abs=0.1) and exact.scores[found.action] == exact.value


def test_the_simulations_do_not_depend_on_how_they_are_cut():
    s = KUHN.read_state("QJ p")
    (*_, last), whole = ISMCTS(simulations=3000, seed=2, interpreted=True).deepen(KUHN, s), ISMCTS(simulations=3000, seed=2).search(KUHN, s)
    assert timeless(last) == timeless(whole)


def test_a_full_tree_stops_growing():
    game = zermelo.game("liarsdice")
    found = ISMCTS(simulations=300_000, memory=1, seed=1).search(game, game.read_state("3/5"))
    assert found.nodes == 300_000 and sum(found.policy.values()) == pytest.approx(1)


# ---- both ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "search", [ISMCTS(simulations=300, seed=3, interpreted=True), Worlds(worlds=5, depth=3, interpreted=True)], ids=repr
)
@pytest.mark.parametrize(
    ("text", "states"),
    [("kuhn", ("KJ p", "QJ p")), ("leduc", ("KsQh cc/Js r", "JhQh cc/Js r", "KhQh cc/Js r")), ("liarsdice", ("3/5 1x2", "6/5 1x2"))],
)
def test_neither_sees_what_is_hidden(search, text, states):
    """States that look the same to the player give the same Result, to the bit."""
    game = zermelo.game(text)
    found = [timeless(search.search(game, game.read_state(state))) for state in states]
    assert all(one == found[0] for one in found)


@pytest.mark.parametrize("text", ["ismcts:simulations=200,interpreted=true", "worlds:worlds=3,depth=2,interpreted=true"])
def test_players(text):
    one = player(text)
    one.begin(KUHN, 1, 5)
    assert one.choose(KUHN, History(KUHN, KUHN.read_state("QJ b")), Clock(Control(), 2)) == 0
