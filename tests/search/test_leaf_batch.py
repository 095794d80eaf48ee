"""Several leaves of a tree at the network at once: interpreted as natively, nothing lost or left behind; boards seen from all sides."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest
from test_puct import BOARDS, opinion, some_states

import zermelo
from zermelo import MCTS
from zermelo.search.mcts.node import MAX_VISITS
from zermelo.search.puct import search as search_module
from zermelo.search.puct.kept_tree import KeptTree
from zermelo.search.puct.leaf_batch import LEAVES, BatchTree, advance_batch, forget_waiting
from zermelo.search.puct.puct import begin
from zermelo.search.puct.record import NO_LEAF, NOBODY, WAITING
from zermelo.search.puct.shape import shape_for
from zermelo.search.puct.trees import Trees
from zermelo.search.puct.turned import Turned, symmetries_of
from zermelo.search.stop import Stop

GAMES = ["tictactoe", "pig", "trio"]  # chance, three players


def searched(game: Any, s: Any, simulations: int, interpreted: bool, proves: int, calls: int = 10**6) -> tuple[Trees, list[Any]]:
    """The tree of a search that is stopped after so many calls; what the network was asked, and the leaves that waited for it."""
    shape = shape_for(game, 1, 8)
    tree = Trees(game, shape, 1, BatchTree, interpreted, LEAVES, nodes=1024)
    tree.give(simulations=simulations, exploration=1.5, most_ends=3, proves=proves, random=5)
    tree.set("start", [game.layout.pack(s)])
    tree.run(begin)
    rows, asked = 1, list[Any]()
    while tree.get("leaf")[0] != NO_LEAF and calls > 0:
        leaves = tree.get("leaves")[0][:rows].tolist() if tree.get("waiting")[0] else [0] * rows
        logits, values = opinion(tree.inputs[:rows], shape.policy, shape.values)
        tree.logits[:rows], tree.values[:rows] = logits, values
        asked += zip(leaves, np.float32(values).tolist(), strict=True)
        rows, calls = tree.run(advance_batch)[0], calls - 1
    return tree, asked


@pytest.mark.parametrize("name", ["pig", *(pytest.param(name, marks=pytest.mark.slow) for name in ("tictactoe", "trio"))])
def test_interpreted_is_native(name):
    game = zermelo.game(name)
    for s in some_states(game, 3):
        for proves in (0, 1) if game.players == 2 and not game.has_chance else (0,):
            (native, asked), (slow, also) = (searched(game, s, 80, mode, proves) for mode in (False, True))
            assert asked == also
            for field in ("visits", "total", "prior", "mover", "worth", "visited", "used", "known"):
                assert (native.get(field) == slow.get(field)).all(), field


def contributions(game: Any, tree: Trees, values: dict[int, list[float]]) -> np.ndarray:
    """What the totals of a tree without proofs are, added up from its judged and terminal nodes."""
    parent, via, mover, worth, visits = (tree.get(x)[0] for x in ("parent", "via", "mover", "worth", "visits"))
    totals = np.zeros_like(tree.get("total")[0])
    for n in range(1, int(tree.get("used")[0])):
        if mover[n] == NOBODY:
            given, times = worth[n].tolist(), int(visits[parent[n]][via[n]])
        elif n in values:
            me, told, times = int(mover[n]), values[n], 1
            given = [told[0] if p == me else -told[0] for p in range(2)] if game.players == 2 else [told[(p - me) % 3] for p in range(3)]
        else:
            continue
        m = n
        while m > 0:
            m, k = int(parent[m]), int(via[m])
            totals[m][k] += times * given[mover[m]] if mover[m] >= 0 else 0.0
    return totals


@pytest.mark.parametrize("name", GAMES)
def test_every_visit_counts_once(name):
    """Whenever a search is stopped, its totals are what was said of the nodes below, and no loss of a leaf that waits is left behind."""
    game, waited = zermelo.game(name), 0
    for calls in (1, 2, 3, 7, 15, 1000):
        tree, asked = searched(game, some_states(game, 1)[0], 120, True, 0, calls)
        waiting = int(tree.get("waiting")[0])
        waited += waiting
        assert tree.run(forget_waiting) == [waiting]
        used, visits, visited, child, mover = (tree.get(x)[0] for x in ("used", "visits", "visited", "child", "mover"))
        assert tree.get("total")[0] == pytest.approx(contributions(game, tree, dict(asked)), abs=1e-6)
        assert (mover[:used] == WAITING).sum() == waiting
        for n in range(int(used)):
            assert visited[n] == visits[n].sum()
            for k in np.flatnonzero(visits[n]):
                below = int(child[n][k])
                assert mover[below] == NOBODY or visits[n][k] == visited[below] + (mover[below] >= 0)
    assert waited > 5


def test_what_is_proven_counts_as_what_it_is_worth():
    """Also in nodes that were proven while leaves below them waited, whenever the search is stopped."""
    game, proven = zermelo.game("tictactoe"), 0
    for s in some_states(game, 6):
        for calls in range(1, 40):
            tree, _ = searched(game, s, 400, False, 1, calls)
            tree.run(forget_waiting)
            used, visits, total, child, mover, worth = (tree.get(x)[0] for x in ("used", "visits", "total", "child", "mover", "worth"))
            for n in range(int(used)):
                for k in np.flatnonzero(visits[n]):
                    c = int(child[n][k])
                    if mover[c] == NOBODY:
                        assert abs(total[n][k]) == pytest.approx(abs(worth[c][0]) * visits[n][k], abs=1e-9)
                        proven += mover[n] == NOBODY
    assert proven > 100


def test_leaves_wait_together():
    """Most calls ask about as many leaves as there may be, each leaf once."""
    game = zermelo.game("connect4")
    tree, asked = searched(game, game.initial(), 400, True, 1)
    leaves = [n for n, _ in asked]
    assert len(set(leaves)) == len(leaves)
    assert tree.get("visited")[0][0] >= 400
    shape = shape_for(game, 1, 8)
    calls = 0
    tree = Trees(game, shape, 1, BatchTree, True, LEAVES, nodes=1024)
    tree.give(simulations=400, exploration=1.5, most_ends=3)
    tree.set("start", [game.layout.pack(game.initial())])
    tree.run(begin)
    rows = 1
    while tree.get("leaf")[0] != NO_LEAF:
        tree.logits[:rows], tree.values[:rows] = opinion(tree.inputs[:rows], shape.policy, shape.values)
        rows, calls = tree.run(advance_batch)[0], calls + 1
    assert calls < 400 / LEAVES * 1.3


@pytest.mark.parametrize("is_broken_off", [False, True])
def test_a_search_by_the_clock_keeps_its_tree(monkeypatch, is_broken_off):
    """Leaves that wait when a search is stopped, or when nobody asks for its next result, are in no tree; the next search goes on from what
    was judged."""
    game, calls, stop = zermelo.game("connect4"), 0, Stop()
    shape = shape_for(game, 1, 8)

    def network(inputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        nonlocal calls
        calls += 1
        if calls == 50:  # as the clock would
            stop.set()
        logits, values = opinion(inputs, shape.policy, 1)
        return logits.astype(np.float32), values.astype(np.float32)

    monkeypatch.setattr(search_module, "load_for", lambda *_: (shape, network))
    monkeypatch.setattr(search_module, "PAUSE", 0.0)
    searcher, kept, s, chance = MCTS(net="any", simulations=MAX_VISITS), KeptTree(), game.initial(), random.Random(2)
    gone_on = 0
    while not game.is_terminal(s):
        calls, stop = 0, Stop()
        results = searcher._deepen(game, s, stop, kept)
        *_, found = itertools.islice(results, 5 if is_broken_off else None)
        results.close()  # type: ignore[attr-defined]
        assert found.action in list(game.actions(s))
        tree = kept._tree
        used, visits, visited, child, mover = (tree.get(x)[0] for x in ("used", "visits", "visited", "child", "mover"))
        for n in range(int(used)):
            assert visited[n] == visits[n].sum()
            for k in np.flatnonzero(visits[n]):
                assert mover[child[n][k]] != WAITING
        gone_on += kept.visits > 0
        s = game.result(s, found.action)
        if not game.is_terminal(s):
            s = game.result(s, chance.choice(list(game.actions(s))))
    assert gone_on > 1


@pytest.mark.parametrize("name", BOARDS)
def test_a_turned_network_answers_for_the_board_as_it_is(name):
    game = zermelo.game(name)
    shape, seen = shape_for(game, 1, 8), list[np.ndarray]()

    def network(inputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        seen.append(inputs)
        return np.arange(len(inputs) * shape.policy).reshape(len(inputs), -1), inputs[:, :1]

    cells, policies = symmetries_of(game, shape)
    assert list(zip(cells.tolist(), policies.tolist(), strict=True))[1:] == [(list(c), list(p)) for c, p in game.board_symmetries()]
    inputs = np.random.default_rng(1).random((3, shape.inputs), np.float32)
    turned, drawn = Turned(game, shape, network, 7), list[int]()
    for _ in range(100):
        logits, values = turned(inputs)
        boards = [inputs.reshape(3, -1, shape.channels)[:, order].reshape(3, -1) for order in cells]
        (k,) = [k for k, board in enumerate(boards) if (board == seen[-1]).all()]
        drawn.append(k)
        for i in range(3):
            assert all(logits[i][policies[k][j]] == i * shape.policy + j for j in range(shape.policy))
        assert (values == seen[-1][:, :1]).all()
    assert drawn[0] == 0, "the first time as it is"
    assert set(drawn) == set(range(len(cells)))


def test_a_game_without_a_board_is_not_turned():
    game = zermelo.game("pig")
    shape = shape_for(game, 1, 8)
    turned = Turned(game, shape, lambda x: (x * 2, x[:, :1]), 7)
    inputs = np.ones((1, shape.inputs), np.float32)
    assert all((turned(inputs)[0] == 2).all() for _ in range(5))
