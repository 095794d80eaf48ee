"""Exact scores: brute force on small games and random trees, interpreted and native alike, and the FFO endgames of Othello."""

from __future__ import annotations

import os
import random
from pathlib import Path

import numpy as np
import pytest
from helpers_brute_force import brute_force
from hypothesis import given, settings
from oracle import trees

import zermelo
from zermelo import AlphaBeta, Game, Stop, ZermeloError
from zermelo.history import line_of

DATA = os.environ.get("ZERMELO_DATA")


def near_the_end(game: Game, many: int, left: int, seed: int) -> list:
    """States of random games with at most so many moves left, passes among them."""
    chance, states = random.Random(seed), []
    while len(states) < many:
        s = game.initial()
        while not game.is_terminal(s) and game.moves_left(s) > left:
            s = game.result(s, chance.choice(list(game.actions(s))))
        states.append(s)
    return states


def check_solution(game: Game, s, solution) -> None:
    """The value, all best actions and the line of a solution, by brute force."""
    worth = brute_force(game)
    me = game.to_move(s)
    after = {a: game.result(s, a) for a in game.actions(s)}
    scores = {a: worth(t) if game.to_move(t) == me else -worth(t) for a, t in after.items()}
    assert solution.value == worth(s)
    assert set(solution.best) == {a for a, v in scores.items() if v == worth(s)}
    assert not solution.scores or solution.scores == {a: (v, None) for a, v in scores.items()}
    for a in solution.line:
        s = game.result(s, a)
    assert game.is_terminal(s) and game.utility(s, me) == solution.value


@settings(max_examples=60, deadline=None)
@given(game=trees())
def test_random_trees(game):
    game.has_scores = True
    s = game.initial()
    assert AlphaBeta(table=1, interpreted=True).solve(game, [s]).values.tolist() == [brute_force(game)(s)]
    if not game.is_terminal(s):
        check_solution(game, s, AlphaBeta(table=1, interpreted=True).solution(game, all_moves=True))


def test_endings_of_othello_are_exact_interpreted_and_native():
    game = zermelo.game("othello", size=4, score=True)
    states = near_the_end(game, 40, 10, 1)
    worth = brute_force(game)
    wanted = [float(worth(s)) for s in states]
    native = AlphaBeta(table=1).solve(game, states)
    assert native.values.tolist() == wanted and not native.plies.any()
    few = near_the_end(game, 3, 9, 2)
    here, there = (AlphaBeta(table=1, interpreted=way).solve(game, few) for way in (True, False))
    assert (here.values.tolist(), here.nodes) == (there.values.tolist(), there.nodes)
    for s in states[:8]:
        if not game.is_terminal(s):
            check_solution(game, s, AlphaBeta(table=1).solution(game, s))
            check_solution(game, s, AlphaBeta(table=1).solution(game, s, all_moves=True))


def test_kalah_by_seeds():
    """Turns that do not alternate, a bound on what can be won, no bound on the moves left."""
    game = zermelo.game("kalah", houses=2, seeds=3, score=True)
    check_solution(game, game.initial(), AlphaBeta(table=1).solution(game, all_moves=True))
    chance, s, worth = random.Random(3), game.initial(), brute_force(game)
    states = []
    for _ in range(60):
        states.append(s)
        s = game.initial() if game.is_terminal(s) else game.result(s, chance.choice(list(game.actions(s))))
    assert AlphaBeta(table=1).solve(game, states).values.tolist() == [worth(s) for s in states]


def test_what_has_no_solution_in_time_or_at_all():
    game = zermelo.game("othello", size=4, score=True)
    stop = Stop()
    stop.set()
    assert AlphaBeta().solution(game, stop=stop) is None
    assert len(AlphaBeta(nodes=100).solve(game, [game.initial()]).values) == 0
    with pytest.raises(ZermeloError, match="no depth"):
        AlphaBeta(depth=3).solution(game)
    with pytest.raises(ZermeloError, match="states tell all"):
        drawn = zermelo.game("checkers")
        drawn.has_scores = True
        AlphaBeta().solution(drawn)


def test_a_search_by_depth_ends_where_the_game_does():
    """With the moves that are left in reach, a search by depth is exact, whatever passes there are."""
    game = zermelo.game("othello", size=4)
    worth = brute_force(game)
    for s in near_the_end(game, 12, 11, 5):
        if game.is_terminal(s):
            continue
        found = AlphaBeta().search(game, s)
        assert found.exact and found.value == worth(s) and found.depth == game.moves_left(s)
        end = s
        for a in found.line:
            end = game.result(end, a)
        assert game.is_terminal(end) and game.utility(end, game.to_move(s)) == found.value
        assert not AlphaBeta(depth=2).search(game, s).exact or game.moves_left(s) <= 4


def test_connect_four_solution():
    game = zermelo.game("connect4", width=5, height=4)
    found = AlphaBeta().solution(game, all_moves=True)
    assert (found.value, found.plies, set(found.best), found.line) == (0.0, None, {1, 2, 3}, ())
    assert found.scores[0] == found.scores[4] == (-1.0, 20)
    lost = AlphaBeta().solution(game, game.read_state("1"))
    assert (lost.value, lost.plies, len(lost.line)) == (1.0, 19, 19)
    s = game.read_state("1")
    for a in lost.line:
        s = game.result(s, a)
    assert game.is_terminal(s) and game.utility(s, 1) == 1


@pytest.mark.slow
@pytest.mark.skipif(DATA is None, reason="needs ZERMELO_DATA")
def test_the_ffo_endgames():
    """#40, #42 and #44: the scores of the best moves; and all moves of some of #20 to #25."""
    game = zermelo.game("othello", score=True)
    folder = Path(DATA) / "othello"
    for line in (folder / "fforum-40-59.obf").read_text().splitlines()[:3]:
        position, *moves = [part.strip() for part in line.strip().strip(";").split(";")]
        s = game.read_state(position)
        scores = {name.lower(): float(v) for name, v in (move.split(":") for move in moves)}
        found = AlphaBeta(table=256).solution(game, s)
        assert found.value == max(scores.values())
        assert {game.write_action(s, a) for a in found.best} == {a for a, v in scores.items() if v == found.value}
        assert line_of(game, s, found.line)[0] in scores
    line = (folder / "fforum-20-39.obf").read_text().splitlines()[0]
    position, *moves = [part.strip() for part in line.strip().strip(";").split(";")]
    s = game.read_state(position)
    found = AlphaBeta(table=16).solution(game, s, all_moves=True)
    assert {game.write_action(s, a).upper(): v for a, (v, _) in found.scores.items()} == {
        m.split(":")[0]: float(m.split(":")[1]) for m in moves
    }


def test_rows_of_words_are_states():
    game = zermelo.game("othello", size=4, score=True)
    states = near_the_end(game, 3, 8, 7)
    rows = np.array([game.layout.pack(s) for s in states], np.uint64)
    assert AlphaBeta().solve(game, rows).values.tolist() == AlphaBeta().solve(game, states).values.tolist()
