"""A table kept between moves (for trees: test_mcts_trees.py)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from test_engine import CHESS, Circle

import zermelo
from zermelo import AlphaBeta, History, Minimax, Thinking, ZermeloError
from zermelo.search.table import KeptTable, Memory

MIDDLE = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 0 9"


def told(result):
    return replace(result, seconds=0.0)


def test_what_is_known_is_not_searched_again():
    searcher, history = AlphaBeta(depth=7), History(CHESS, CHESS.read_state(MIDDLE))
    thinking = Thinking(searcher, CHESS)
    first = thinking.search(history)
    assert told(first) == told(searcher.search(CHESS, history))  # nothing was known yet
    for a in first.line[:2]:
        history.do(a)
    shallower = replace(searcher, depth=5)
    thinking.searcher = shallower
    again = thinking.search(history)
    assert again.nodes < shallower.search(CHESS, history).nodes * 0.7


def test_a_position_that_comes_back_is_drawn_whatever_the_table_says():
    """After the queen's return the king can, for the third time, be where it was; the table knows that a queen more wins."""
    history = History(CHESS, CHESS.read_state("6k1/5ppp/8/8/3Q4/8/5PPP/6K1 w - - 0 1"))
    thinking = Thinking(AlphaBeta(depth=4, table=1, lines=64), CHESS)
    for moves, is_drawn in (("Qd3 Kf8", False), ("Qd4 Kg8 Qd3 Kf8", True)):
        for move in moves.split():
            history.do(CHESS.read_action(history.state, move))
        score = thinking.search(history).scores[CHESS.read_action(history.state, "Qd4")]
        assert score == 0 if is_drawn else score > 0.05


@pytest.mark.parametrize("name", ["tictactoe", "nim:heaps=2,3,4", "kalah:houses=3,seeds=3", "mnk:width=4,height=3,line=3"])
def test_exact_values_stay_exact(name):
    game = zermelo.game(name)
    for interpreted in (False, True) if name == "tictactoe" else (False,):
        thinking = Thinking(AlphaBeta(interpreted=interpreted), game)
        s = game.initial()
        while not game.is_terminal(s):
            result = thinking.search(s)
            assert result.exact and result.value == AlphaBeta().search(game, s).value
            s = game.result(s, list(game.actions(s))[-1])
        assert thinking.search(s).action is None


def test_native_is_interpreted_move_for_move():
    games = []
    for interpreted in (False, True):
        thinking = Thinking(AlphaBeta(depth=3, interpreted=interpreted, table=1), CHESS)
        history, seen = History(CHESS, CHESS.read_state(MIDDLE)), []
        for _ in range(4):
            seen.append(told(thinking.search(history)))
            history.do(seen[-1].action)
        games.append(seen)
    assert games[0] == games[1]


def test_draws_of_one_game_are_none_of_the_next():
    game = Circle()
    history = History(game)
    for _ in range(5):
        history.do(0)
    thinking = Thinking(AlphaBeta(depth=3), game)
    thinking.search(history)
    fresh = History(game, history.state)
    assert told(thinking.search(fresh)) == told(AlphaBeta(depth=3).search(game, fresh))


def test_entries_of_earlier_searches_are_replaced_first(monkeypatch):
    memories = []
    memory = KeptTable.memory
    monkeypatch.setattr(KeptTable, "memory", lambda self, make, past: memories.append(memory(self, make, past)) or memories[-1])
    thinking = Thinking(AlphaBeta(depth=4, table=1, interpreted=True), zermelo.game("connect4"))
    s = thinking.game.initial()
    for _ in range(2):
        s = thinking.game.result(s, thinking.search(s).action)
    assert isinstance(memories[0], Memory) and memories[0] is memories[1] and memories[0].age == 2


def test_a_searcher_that_keeps_nothing_is_refused():
    with pytest.raises(ZermeloError, match="expected a searcher that keeps a tree or a table, MCTS or AlphaBeta, not Minimax"):
        Thinking(Minimax(depth=2), CHESS)
