"""The games of `examples/`: random games end, lists of actions are what they must be, and native code plays the same."""

from __future__ import annotations

from pathlib import Path

import pytest

import zermelo
from zermelo.rng import below, draw

EXAMPLES = Path(__file__).parents[2] / "examples"
GAMES = (
    "ur.py:Ur",
    "cantstop.py:CantStop",
    "hypergammon.py:Hypergammon",
    "einstein.py:EinStein",
    "ultimate.py:Ultimate",
    "gomoku.py:Gomoku",
)
DICE = GAMES[:4]


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> zermelo.Game:
    return zermelo.game(str(EXAMPLES / request.param))


def test_random_games_end_and_are_lawful(game: zermelo.Game) -> None:
    for seed in range(3):
        s, ply = game.initial(), 0
        while not game.is_terminal(s):
            actions = list(game.actions(s))
            assert len(set(actions)) == len(actions) > 0
            if game.to_move(s) == zermelo.CHANCE:
                assert sum(game.probability(s, a) for a in actions) == pytest.approx(1.0)
            s, ply = game.result(s, actions[below(draw(seed, ply), len(actions))]), ply + 1
            assert ply < 2000
        assert not list(game.actions(s))
        assert game.utility(s, 0) + game.utility(s, 1) == 0


@pytest.mark.slow
def test_native_code_plays_the_same(game: zermelo.Game) -> None:
    native, plain = (zermelo.playouts(game, 3, seed=1, interpreted=x) for x in (False, True))
    assert (native.moves, list(native.utility)) == (plain.moves, list(plain.utility))
    if game.has_chance:
        return
    assert zermelo.perft(game, 2) == zermelo.perft(game, 2, interpreted=True)


def test_ur_by_its_rules() -> None:
    """From two squares before the shared rosette a roll of 2 takes it, rolls again, and is safe there."""
    ur = zermelo.game(str(EXAMPLES / "ur.py:Ur"))
    s = ur.initial()._replace(pieces=(1 << 6, 1 << 6), roll=2)
    assert list(ur.actions(s)) == [0, 6]
    t = ur.result(s, 6)
    assert (t.pieces, t.turn, ur.to_move(t)) == ((1 << 8, 1 << 6), 0, zermelo.CHANCE)
    assert 6 not in list(ur.actions(t._replace(turn=1, roll=2)))


def test_cant_stop_by_its_rules() -> None:
    """With two runners out and one column left for the third, a pair of sums that need two is climbed by one of them."""
    cant_stop = zermelo.game(str(EXAMPLES / "cantstop.py:CantStop"))
    s = cant_stop.result(cant_stop.initial(), 0)
    assert list(cant_stop.actions(s)) == [16 * 2 + 2], "four ones are 2 and 2"
    t = cant_stop.result(s, 16 * 2 + 2)
    assert t.climb[0] == 2
    third = t._replace(climb=(2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0), dice=s.dice + 2)  # 1 1 1 3: 2 and 4
    assert list(cant_stop.actions(third)) == [16 * 2 + 4]
    full = third._replace(climb=(3, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0))
    assert list(cant_stop.actions(full)) == [2], "nothing can be climbed: the turn is lost"
