"""Uniform trees: their shape, their leaves, text, parameters."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import check_games, check_hostile, perft, reachable, refuses

import zermelo
from zermelo.errors import ZermeloError
from zermelo.games.uniform import Uniform
from zermelo.rng import draw, unit


@pytest.mark.parametrize(("branching", "depth"), [(1, 5), (2, 6), (3, 4), (7, 2)])
def test_shape(branching: int, depth: int) -> None:
    game = Uniform(branching, depth)
    assert [perft(game, game.initial(), d) for d in range(depth + 2)] == [*(branching**d for d in range(depth + 1)), 0]
    assert len(reachable(game)) == sum(branching**d for d in range(depth + 1))


def test_leaves_are_drawn_by_the_seed() -> None:
    for seed in (0, 7, 2**64 - 1):
        game = Uniform(2, 3, seed)
        leaves = sorted((s for s in reachable(game) if game.is_terminal(s)), key=lambda s: s.node)
        assert [game.utility(s, 0) for s in leaves] == [2 * unit(draw(seed, i)) - 1 for i in range(8)]
        assert all(game.utility(s, 1) == -game.utility(s, 0) and -1 <= game.utility(s, 0) < 1 for s in leaves)


def test_the_largest_tree() -> None:
    game = Uniform(1024, 6, seed=5)
    s = game.initial()
    for _ in range(6):
        s = game.result(s, 1023)
    assert s.node == 2**60 - 1
    assert game.read_state(game.write_state(s)) == s


def test_one_native_code_serves_every_tree(fresh_cache: Any) -> None:
    for branching, depth, seed in ((2, 5, 0), (3, 7, 9)):
        assert zermelo.perft(Uniform(branching, depth, seed), depth) == branching**depth
    assert len(list(fresh_cache.iterdir())) == 1


@pytest.mark.parametrize("game", [Uniform(), Uniform(1, 3), Uniform(12, 3, seed=4)], ids=repr)
def test_rules_and_text(game: Uniform) -> None:
    check_games(game, 1, 3)
    check_hostile(game, 3)


def test_notation() -> None:
    game = Uniform(3, 2)
    assert game.write_state(game.initial()) == "root"
    assert game.show(game.initial()) == "root: max to move, 2 plies to the leaves"
    s = game.read_state("2")
    assert game.show(s) == "2: min to move, 1 ply to the leaves"
    assert game.show(game.result(s, 1)) == f"2.1: a leaf of {2 * unit(draw(0, 7)) - 1:+.4f}"
    assert repr(Uniform(4, seed=2)) == "uniform:branching=4,seed=2"
    for text in ("3", "0.0.0", "0..0", "01", "-1", "0.3"):
        refuses(game, text, "expected root, or up to 2 actions from 0 to 2 joined by '.'")


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"branching": 0}, "branching from 1 to 1024, not 0"),
        ({"branching": 2.0}, "branching from 1 to 1024, not 2.0"),
        ({"depth": True}, "depth from 1 to 62, not True"),
        ({"depth": 63, "branching": 1}, "depth from 1 to 62, not 63"),
        ({"seed": -1}, "seed from 0 to 18446744073709551615, not -1"),
        ({"branching": 3, "depth": 40}, r"at most 2\*\*62 leaves, not 3\*\*40"),
    ],
)
def test_bad_parameters(wrong: dict[str, Any], told: str) -> None:
    with pytest.raises(ZermeloError, match=f"uniform: expected {told}"):
        Uniform(**wrong)
