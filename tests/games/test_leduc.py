"""Leduc poker: the size of its tree, payoffs, observations, text."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest
from helpers import check_hostile, check_state, everything, refuses

import zermelo
from zermelo import ZermeloError
from zermelo.games.leduc import CALL, FOLD, RAISE, Leduc

GAME = Leduc()


def test_every_state():
    states = list(everything(GAME))
    assert len(states) == len(set(states)) == 9457
    for s in states[::5]:
        check_state(GAME, s)
    for s in states:
        if GAME.is_terminal(s):
            assert GAME.utility(s, 0) == -GAME.utility(s, 1) and abs(GAME.utility(s, 0)) <= 13


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("KsQh rf", 1),  # a raise that nobody calls wins the ante
        ("KsQh crf", -1),
        ("KsQh rrf", -3),
        ("KsQh cc/Js cc", 1),
        ("KsQh cc/Qs cc", -1),  # a pair beats the king
        ("JsKh rc/Jh rrc", 11),
        ("QsQh crrc/Js crrc", 0),
        ("JsQh crrc/Ks crrc", -13),
    ],
)
def test_payoffs(text, first):
    s = GAME.read_state(text)
    assert GAME.is_terminal(s) and GAME.utility(s, 0) == first


def test_actions():
    names = {text: list(GAME.actions(GAME.read_state(text))) for text in ("KsQh", "KsQh c", "KsQh r", "KsQh rr", "KsQh cc/Js cr")}
    assert names == {
        "KsQh": [CALL, RAISE],
        "KsQh c": [CALL, RAISE],
        "KsQh r": [FOLD, CALL, RAISE],
        "KsQh rr": [FOLD, CALL],
        "KsQh cc/Js cr": [FOLD, CALL, RAISE],
    }


@pytest.mark.parametrize("p", [0, 1])
def test_resample_gives_every_state_that_looks_the_same(p):
    alike = defaultdict(set)
    for s in everything(GAME):
        alike[GAME.observe(s, p)].add(s)
    for states in list(alike.values())[::40]:
        drawn = Counter(GAME.resample(next(iter(states)), p, seed) for seed in range(150))
        assert set(drawn) == states
        assert max(drawn.values()) <= 3 * min(drawn.values())


def test_text():
    assert GAME.write_state(GAME.initial()) == ".."
    assert GAME.write_state(GAME.read_state("Ks.")) == "Ks."
    assert GAME.show(GAME.read_state("KsQh crc/Js r")).splitlines() == [
        "board: Js",
        "player 0: Ks  paid 7",
        "player 1: Qh  paid 3  to act",
        "betting: crc / r",
    ]
    for text in ("KsKs", ".Ks", "KsQh ff", "KsQh cc/Ks", "KsQh cc/Js rrr", "KsQh c/Js", "2s3h", "KsQh/Js"):
        refuses(GAME, text, "is not a state of leduc: expected two different cards of JQK in suits sh")
    assert [Leduc(ranks).write_card(1) for ranks in (2, 3, 4, 13)] == ["Qs", "Js", "Ts", "As"]


def test_hostile_text():
    check_hostile(GAME, 1)


@pytest.mark.parametrize("ranks", [1, 14, "three"])
def test_parameters(ranks):
    with pytest.raises(ZermeloError, match="leduc: expected 2 to 13 ranks, not"):
        zermelo.game("leduc", ranks=ranks)
