"""No-limit hold'em with few sizes of bets: amounts, all-in, payoffs, observations, text, and solving it over buckets."""

from __future__ import annotations

import pytest
from helpers import check_games, check_hostile, refuses, walk

from zermelo import CHANCE, ZermeloError
from zermelo.equilibrium.cards.betting import betting_tree
from zermelo.equilibrium.cards.solve import solve_cards
from zermelo.games.nolimit import NoLimit

GAME = NoLimit()


def test_random_games():
    check_games(GAME, 1, 15)


@pytest.mark.parametrize(
    ("text", "paid", "names"),
    [
        ("AsKd QhQc", (1, 2), ["fold", "call", "half", "pot", "all-in"]),
        ("AsKd QhQc c", (2, 2), ["call", "half", "pot", "all-in"]),
        ("AsKd QhQc h", (4, 2), ["fold", "call", "half", "pot", "all-in"]),
        ("AsKd QhQc p", (6, 2), ["fold", "call", "half", "pot", "all-in"]),
        ("AsKd QhQc pp", (6, 18), ["fold", "call", "half", "all-in"]),
        ("AsKd QhQc pph", (36, 18), ["fold", "call", "all-in"]),
        ("AsKd QhQc a", (40, 2), ["fold", "call"]),
        ("AsKd QhQc pc/Th7s2c", (6, 6), ["call", "half", "pot", "all-in"]),
        ("AsKd QhQc pc/Th7s2c h", (6, 12), ["fold", "call", "half", "pot", "all-in"]),
    ],
)
def test_betting(text, paid, names):
    s = GAME.read_state(text)
    assert s.paid == paid and [GAME.write_action(s, a) for a in GAME.actions(s)] == names


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("AsKd QhQc f", -1),
        ("AsKd QhQc af", 2),
        ("AsKd QhQc ppf", -6),
        ("AsKd QhQc ac/Th7s2c/3d/4h", -40),
        ("AsKd QhQc hc/Th7s2c ac/3d/Ah", 40),
        ("AsKd AhKc cc/Th7s2c cc/3d cc/4h ac", 0),
        ("AsKd QhQc cc/Th7s2c cc/3d cc/4h hc", -4),
    ],
)
def test_payoffs(text, first):
    s = GAME.read_state(text)
    assert GAME.is_terminal(s) and not list(GAME.actions(s)) and GAME.utility(s, 0) == -GAME.utility(s, 1) == first


def test_after_all_in_the_board_is_dealt_and_nothing_done():
    for text, cards in (("AsKd QhQc ac", 5), ("AsKd QhQc cc/Th7s2c ac", 2), ("AsKd QhQc cc/Th7s2c cc/3d ac", 1)):
        s = GAME.read_state(text)
        for _ in range(cards):
            assert GAME.to_move(s) == CHANCE and not GAME.is_terminal(s)
            s = GAME.result(s, next(iter(GAME.actions(s))))
        assert GAME.is_terminal(s) and GAME.board(s).bit_count() == 5


def test_what_is_seen_and_dealt_again():
    s = GAME.read_state("AsKd QhQc hc/Th7s2c cp")
    drawn = [GAME.resample(s, 0, seed) for seed in range(300)]
    assert {GAME.observe(t, 0) for t in drawn} == {GAME.observe(s, 0)} and len({t.hands[1] for t in drawn}) > 200
    assert not any(t.hands[1] & (t.hands[0] | GAME.board(t)) for t in drawn)


def test_text():
    assert {GAME.read_state(GAME.write_state(s)) == s for s in walk(GAME, 3, 5)} == {True}
    for text in ("AsKd QhQc r", "AsKd QhQc ac/Th7s2c c"):
        refuses(GAME, text, "is not a state of nolimit: expected the cards of both players")
    check_hostile(GAME, 1)
    assert repr(NoLimit(30)) == "nolimit:stack=30"
    with pytest.raises(ZermeloError, match="expected a stack of 2 to 60 big blinds, not 61"):
        NoLimit(61)


def test_the_tree_of_betting_and_buckets():
    """The longest betting fits its word; the tree is solved over buckets as that of limit hold'em."""
    game = NoLimit(stack=3, ranks=4)
    tree = betting_tree(game)
    assert sorted({x for end in tree.ends for x in end})[0] == -6 and len(tree.by_betting) == sum(bool(node.actions) for node in tree.nodes)
    assert max(betting_tree(NoLimit(stack=20)).by_betting).bit_length() <= 64
    strategy = solve_cards(game, buckets=3, iterations=300, seed=1)
    s = game.read_state("AsKd QhQc cc/AdQdJh")
    assert sum(strategy.policy(game, s).values()) == pytest.approx(1)
