"""Exact values with distances in one call: brute force on random trees and small games, and Pons' scores of Connect Four."""

from __future__ import annotations

import os
import random
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from oracle import trees

import zermelo
from zermelo import AlphaBeta, Stop, ZermeloError

DATA = os.environ.get("ZERMELO_DATA")


def brute_force(game):
    """A function of a state: its value for the mover, 1, 0 or -1, and the plies to the end, 0 for a draw."""

    @cache
    def best(s):
        me = game.to_move(s)
        if game.is_terminal(s):
            u = game.utility(s, me)
            return (u > 0) - (u < 0), 0
        found = []
        for a in game.actions(s):
            t = game.result(s, a)
            v, plies = best(t)
            v = v if game.to_move(t) == me else -v
            found.append((v, plies + 1 if v else 0))
        return max(found, key=lambda x: (x[0], -x[0] * x[1]))

    return best


def reachable(game, most, seed=0):
    """Some states of a game, from anywhere in it."""
    chance, states = random.Random(seed), []
    while len(states) < most:
        s = game.initial()
        while not game.is_terminal(s) and len(states) < most:
            states.append(s)
            s = game.result(s, chance.choice(list(game.actions(s))))
        states.append(s)
    return states[:most]


def pairs(solved):
    return list(zip(solved.values.tolist(), solved.plies.tolist(), strict=True))


@settings(max_examples=150, deadline=None)
@given(game=trees())
def test_random_trees(game):
    s = game.initial()
    assert pairs(AlphaBeta(table=1, interpreted=True).solve(game, [s])) == [brute_force(game)(s)]


@pytest.mark.parametrize(
    "name",
    [
        "tictactoe",
        "mnk:width=4,height=3,line=3",
        "connect4:width=4,height=4",
        pytest.param("connect4:width=5,height=4,line=3", marks=pytest.mark.slow),
        "nim",
        "kalah:houses=3,seeds=2",
    ],
)
def test_small_games_from_anywhere(name):
    game = zermelo.game(name)
    states = reachable(game, 400)
    best = brute_force(game)
    found = AlphaBeta(table=1).solve(game, states)
    assert pairs(found) == [best(s) for s in states]


def test_interpreted_is_native_node_for_node():
    game = zermelo.game("connect4:width=5,height=4")
    states = reachable(game, 4, seed=3)
    here, there = (AlphaBeta(table=1, interpreted=x).solve(game, states) for x in (True, False))
    assert pairs(here) == pairs(there)
    assert here.nodes == there.nodes


def test_rows_of_words_are_states_too():
    game = zermelo.game("tictactoe")
    states = reachable(game, 50)
    rows = np.array([game.layout.pack(s) for s in states], np.uint64)
    assert pairs(AlphaBeta().solve(game, rows)) == pairs(AlphaBeta().solve(game, states))
    with pytest.raises(ZermeloError, match=f"rows of {game.layout.words} words"):
        AlphaBeta().solve(game, rows.astype(np.int64))
    with pytest.raises(ZermeloError, match="expected no depth for solve"):
        AlphaBeta(depth=3).solve(game, states)


def test_a_stopped_call_gives_what_was_solved():
    game = zermelo.game("connect4")
    stop = Stop()
    stop.set()
    assert len(AlphaBeta().solve(game, [game.initial()], stop).values) == 0
    near = [s for s in reachable(game, 300, seed=5) if game.is_terminal(s)][:3]
    assert pairs(AlphaBeta(nodes=20_000).solve(game, [*near, game.initial()])) == pairs(AlphaBeta().solve(game, near))


def test_connect_four_knows_every_immediate_win_and_loss_and_no_other():
    for name in ("connect4", "connect4:width=5,height=4,line=3", "connect4:width=9,height=3,line=5"):
        game = zermelo.game(name)

        def wins(s, game=game):
            after = [game.result(s, a) for a in game.actions(s)]
            return any(game.is_terminal(t) and game.utility(t, game.to_move(s)) > 0 for t in after)

        for s in reachable(game, 1500, seed=1):
            here = wins(s)
            for a in game.actions(s):
                t = game.result(s, a)
                at_once = game.is_terminal(t) and game.utility(t, game.to_move(s)) > 0
                told = game.immediate(s, a)
                assert (told > 0) == at_once
                if not here:  # a state that is won needs no more claims
                    assert (told < 0) == (not game.is_terminal(t) and wins(t))


@pytest.mark.skipif(DATA is None, reason="ZERMELO_DATA is not set: Pons' scores are not here")
@pytest.mark.parametrize("name", ["Test_L3_R1", "Test_L2_R1"])
def test_scores_of_pons(name):
    game = zermelo.game("connect4")
    rows = [line.split() for line in (Path(DATA) / "connect4" / name).read_text().splitlines()]
    solved = AlphaBeta(table=1).solve(game, [game.read_state(moves) for moves, _ in rows])
    placed = np.array([len(moves) for moves, _ in rows])
    stones = (placed + solved.plies + 1) // 2  # the winner's, when the game ends
    assert (solved.values * (22 - stones)).tolist() == [int(score) for _, score in rows]
