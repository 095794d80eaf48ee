"""Superko at the root: no search chooses an action that only the history of the game forbids."""

from __future__ import annotations

import random

import pytest

import zermelo
from zermelo.history import History
from zermelo.search.by_name import find, searcher
from zermelo.search.forbidden import forbidden_by_history
from zermelo.search.session import Thinking

GO = zermelo.game("go:size=2,limit=40")
SEARCHERS = {
    "alphabeta": {"depth": 3},
    "plain": {"depth": 3},
    "minimax": {"depth": 3},
    "bestfirst": {"nodes": 300},
    "montecarlo": {"playouts": 5},
    "mcts": {"simulations": 100},
    "rollouts": {"depth": 3, "trials": 2},
}


def forbidden(many: int) -> list[tuple[History, list[int]]]:
    """Histories of random games at a state where some actions are forbidden, and those."""
    chooser, found = random.Random(7), []
    while len(found) < many:
        history = History(GO)
        while not history.is_over:
            if bars := forbidden_by_history(GO, history):
                again = History(GO)
                for a in history.taken:
                    again.do(a)
                found.append((again, bars))
            history.do(chooser.choice(list(history.actions())[:-1] or [GO.pass_]))
    return found[:many]


FORBIDDEN = forbidden(24)


def test_what_is_barred() -> None:
    for history, bars in FORBIDDEN:
        assert set(bars) == set(GO.actions(history.state)) - set(history.actions())
        assert forbidden_by_history(GO, history.state) == []
    assert forbidden_by_history(zermelo.game("chess"), History(zermelo.game("chess"))) == []


@pytest.mark.parametrize("interpreted", [False, True])
@pytest.mark.parametrize("name", SEARCHERS)
def test_no_search_takes_it(name: str, interpreted: bool) -> None:
    search = searcher(name, interpreted=interpreted, **SEARCHERS[name])
    tempted = 0
    for history, bars in FORBIDDEN:
        result = search.search(GO, history)
        assert result.action in set(history.actions())
        assert not set(bars) & set(result.scores)
        tempted += search.search(GO, history.state).action in bars
    assert tempted  # without the history it would have


@pytest.mark.parametrize(
    "given", [{"rave": 50, "prior": 5, "policy": "game"}, {"puct": True}, {"threads": 2}, {"playouts_per_leaf": 4}, {"ripe": 5}], ids=str
)
def test_nor_does_mcts_in_any_way(given: dict[str, object]) -> None:
    search = find("mcts")(nodes=60, **given)  # type: ignore[arg-type]
    for history, bars in FORBIDDEN[:8]:
        result = search.search(GO, history)
        assert result.action not in bars and not set(bars) & set(result.scores)


def test_an_evaluator_is_asked_for_what_is_left() -> None:
    asked: list[list[int]] = []

    def evaluator(leaves):  # type: ignore[no-untyped-def]
        asked.extend(leaves.actions)
        return None, [0.0] * len(leaves)

    for history, bars in FORBIDDEN[:6]:
        asked.clear()
        assert find("mcts")(nodes=30, evaluator=evaluator).search(GO, history).action not in bars  # type: ignore[call-arg]
        assert set(asked[0]) == set(history.actions())


def test_a_tree_that_is_kept_does_not_know_it() -> None:
    """The tree of the move before has the action; it is not gone on with."""
    for history, bars in FORBIDDEN:
        if not history.taken:
            continue
        thinking = Thinking(searcher("mcts", simulations=200), GO)  # type: ignore[arg-type]
        before = History(GO)
        for a in history.taken[:-1]:
            before.do(a)
        thinking.search(before)
        result = thinking.search(history)
        assert result.action not in bars and thinking.kept == 0


def test_a_history_is_followed_to_the_same_node() -> None:
    """What is kept is the same whether the state is looked for or the history says where it is."""
    game, seen = zermelo.game("connect4"), []
    for told in (False, True):
        thinking, history = Thinking(searcher("mcts", simulations=500, seed=3), game), History(game)  # type: ignore[arg-type]
        kept = []
        for _ in range(3):
            result = thinking.search(history if told else history.state)
            kept.append((thinking.kept, result.action, result.value))
            history.do(result.action or 0)
            history.do(next(iter(history.actions())))
        seen.append(kept)
    assert seen[0] == seen[1] and seen[0][-1][0] > 0
