"""MCTS trees shared by threads, kept between moves, and with many playouts per leaf."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import threading
import time
import tracemalloc

import pytest
from helpers import backed_up, walk
from trees import CONNECT, TICTACTOE, spied, told, tree_of

import zermelo
from zermelo.errors import ZermeloError
from zermelo.games.tree import Tree
from zermelo.lower import device
from zermelo.search.mcts import leaf_playouts
from zermelo.search.mcts.searcher import MCTS
from zermelo.search.session import Thinking
from zermelo.search.stop import Stop


@pytest.fixture
def pools(monkeypatch):
    return spied(monkeypatch)


def check_proofs(game, pool, s, known, node=0):
    """Everything that the tree calls proven is what brute force finds; how many nodes that are."""
    first, found = pool.family(node)
    names, proven = {a: game.result(s, a) for a in game.actions(s)}, 0
    assert not found or {c.action for c in found} == set(names)
    for i, child in enumerate(found):
        if child.proven:
            assert child.mean == backed_up(game, names[child.action], known)[game.to_move(s)]
            proven += 1
        proven += check_proofs(game, pool, names[child.action], known, first + i)
    return proven


# ---- threads that share a tree -----------------------------------------------------------------------


def test_threads_on_one_tree(pools):
    """Visits may be lost where threads meet, but none is made up; what is proven is right, and every family is whole."""
    known = {}
    for seed in range(5):
        result = MCTS(simulations=40_000, threads=4, parallel="tree", seed=seed).search(TICTACTOE)
        pool = pools[-1]
        visits = sum(c.visits for c in pool.family(0)[1])
        assert result.exact or (result.nodes == 40_000 and visits <= 40_000)
        assert check_proofs(TICTACTOE, pool, TICTACTOE.initial(), known) > 100
        assert not result.exact or result.value == 0


def test_hardly_a_visit_is_lost(pools):
    for seed in range(5):
        MCTS(simulations=40_000, threads=4, parallel="tree", solver=False, seed=seed).search(TICTACTOE)
        assert 0.98 * 40_000 <= sum(c.visits for c in pools[-1].family(0)[1]) <= 40_000


def test_a_shared_tree_finds_what_one_thread_finds():
    known = {}
    for s in walk(CONNECT, 3, 6):
        if not CONNECT.is_terminal(s):
            result = MCTS(simulations=20_000, threads=3, parallel="tree").search(CONNECT, s)
            me = CONNECT.to_move(s)
            after = {a: backed_up(CONNECT, CONNECT.result(s, a), known)[me] for a in CONNECT.actions(s)}
            assert result.action in after and (not result.exact or after[result.action] == max(after.values()) == result.value)
    line = MCTS(simulations=20_000, threads=3, parallel="tree", interpreted=False, solver=False).search(CONNECT)
    assert line.nodes == 20_000 and line.scores.keys() == set(range(4)) and not line.exact


@pytest.mark.parametrize("given", [{"rave": 50}, {"policy": "learned"}, {"puct": True}, {"plies": 3}], ids=str)
def test_threads_with_other_settings(given):
    result = MCTS(simulations=3000, threads=3, parallel="tree", solver=False, **given).search(TICTACTOE)
    assert result.nodes == 3000 and result.action in range(9)


def test_threads_forget_proofs_together(tmp_path, pools):
    file = tmp_path / "late.tree"
    file.write_text("max R: A B\nmin A: A1 A2\nA1 = 0.5\nA2 = 0.5\nmin B: C D\nmax C: E F\nE = 0\nF = 5\nmax D: G H\nG = 4\nH = 0\n")
    for seed in range(10):
        result = MCTS(simulations=600, seed=seed, threads=3, parallel="tree", interpreted=True).search(Tree(file))
        assert result.action == 1 and result.value > 2 and not result.exact and result.nodes == 600
        assert not any(c.proven for c in tree_of(pools[-1]).values())


def test_a_shared_tree_keeps_to_its_memory(pools):
    MCTS(simulations=100, memory=1, threads=4, parallel="tree").search(TICTACTOE)
    tracemalloc.start()
    result = MCTS(simulations=300_000, memory=1, threads=4, parallel="tree", solver=False).search(TICTACTOE)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert result.nodes == 300_000 and peak < (1 << 20) + (512 << 10)  # each thread has a record beside it
    assert 8 * (5 * pools[-1].room + 1) <= 1 << 20


# ---- a tree that is kept -------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [{}, {"puct": True}, {"rave": 50}, {"policy": "learned"}, {"threads": 2, "parallel": "tree"}], ids=str)
def test_what_is_kept_is_the_subtree(pools, given):
    thinking = Thinking(MCTS(simulations=3000, solver=False, **given), CONNECT)
    s = CONNECT.initial()
    thinking.search(s)
    old, path = pools[-1], []
    for _ in range(2):
        path.append(next(iter(CONNECT.actions(s))))
        s = CONNECT.result(s, path[-1])
    before = {k[2:]: v for k, v in tree_of(old).items() if k[:2] == tuple(path) and len(k) > 2}
    visits = tree_of(old)[tuple(path)].visits
    thinking._kept.carry(s, [new := type(old)(1 << 27, old._more, old.slots, False)], 0, 64, Stop())
    assert tree_of(new) == before and thinking.kept == new.visits == visits and new.kept == len(before) + 1


def test_the_search_goes_on_from_what_is_kept(pools):
    both = []
    for interpreted in (False, True):
        thinking = Thinking(MCTS(simulations=400, solver=False, interpreted=interpreted), CONNECT)
        s, seen = CONNECT.initial(), []
        while not CONNECT.is_terminal(s):
            result = thinking.search(s)
            visits = sum(c.visits for c in pools[-1].family(0)[1])
            assert result.nodes == 400 and visits == 400 + max(0, thinking.kept - 1)
            assert result.values == pytest.approx((-result.values[1], -result.values[0]), abs=0.5)
            seen.append((s, thinking.kept, told(result)))
            s = CONNECT.result(s, result.action)
        assert all(kept > 50 for _, kept, _ in seen[1:])
        both.append(seen)
    assert both[0] == both[1]  # move for move


def test_a_kept_proof_needs_no_search():
    game = zermelo.game("nim:heaps=2,3,4")
    thinking = Thinking(MCTS(simulations=20_000), game)
    first = thinking.search()
    s = game.result(game.initial(), first.action)
    for a in game.actions(s):
        t = game.result(s, a)
        if not game.is_terminal(t):
            result = Thinking(MCTS(simulations=20_000), game).search(t)
            assert result.exact and result.value == 1
    again = thinking.search(s)
    assert first.exact and again.exact and again.value == -1 and again.nodes < 20_000


def test_a_state_that_the_tree_does_not_have():
    thinking = Thinking(MCTS(simulations=500, solver=False), TICTACTOE)
    thinking.search(TICTACTOE.read_state("XO./.../..."))
    fresh = TICTACTOE.read_state("..X/.O./X..")
    result = thinking.search(fresh)
    assert thinking.kept == 0 and told(result) == told(Thinking(thinking.searcher, TICTACTOE).search(fresh))
    assert thinking.search(TICTACTOE.read_state("XXX/OO./...")).action is None


def test_a_kept_tree_keeps_to_its_memory():
    thinking = Thinking(MCTS(simulations=60_000, memory=2, solver=False), TICTACTOE)
    s = TICTACTOE.initial()
    thinking.search(s)  # what is compiled is not the tree's
    tracemalloc.start()
    while not TICTACTOE.is_terminal(s):
        s = TICTACTOE.result(s, thinking.search(s).action)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (1 << 20) < peak < (2 << 20) + (256 << 10)


def test_a_stop_is_answered_while_a_tree_is_kept():
    game = zermelo.game("connect4")
    thinking = Thinking(MCTS(simulations=600_000, solver=False), game)
    thinking.search()
    s = game.result(game.initial(), 3)
    stop = Stop()
    stop.set()
    began = time.process_time()
    result = thinking.search(s, stop)
    assert result.action in range(7) and result.nodes == 1 and time.process_time() - began < 1


# ---- many playouts of a leaf ---------------------------------------------------------------------------


def test_playouts_per_leaf():
    result = MCTS(simulations=2000, playouts_per_leaf=50, batch=16, solver=False).search(TICTACTOE)
    assert result.action == 4 and result.nodes == 2000 and result.evaluations <= 2000
    known = {}
    for s in walk(TICTACTOE, 5, 4):
        if not TICTACTOE.is_terminal(s):
            result = MCTS(simulations=3000, playouts_per_leaf=8).search(TICTACTOE, s)
            me = TICTACTOE.to_move(s)
            after = {a: backed_up(TICTACTOE, TICTACTOE.result(s, a), known)[me] for a in TICTACTOE.actions(s)}
            assert after[result.action] == max(after.values())


def test_a_stop_ends_a_search_by_batches():
    for given in ({"playouts_per_leaf": 20}, {"evaluator": lambda x: (None, [0.0] * len(x))}, {"threads": 2, "parallel": "tree"}):
        stop = Stop()
        timer = threading.Timer(0.2, stop.set)
        timer.start()
        result = MCTS(simulations=10**9, solver=False, memory=16, **given).search(TICTACTOE, stop=stop)
        assert result.action in range(9) and 0 < result.nodes < 10**9
        again = MCTS(solver=False, memory=16, **given).search(TICTACTOE, stop=stop)  # asked before it began
        assert again.action in range(9) and 1 <= again.nodes <= 8


CODE = """
import json, zermelo
from zermelo.search.mcts.searcher import MCTS
for text in ("tictactoe", "pig:target=10", "trio"):
    game = zermelo.game(text)
    for device in ("cuda", "cpu"):
        r = MCTS(simulations=12, playouts_per_leaf=3, batch=4, device=device, interpreted=True, memory=1).search(game)
        print(json.dumps([r.action, r.values, r.nodes, sorted(r.scores.items())]))
"""


@pytest.mark.skipif(importlib.util.find_spec("numba_cuda") is None, reason="numba-cuda is not installed")
class TestCuda:
    def test_the_simulator_grows_the_tree_of_the_cpu(self):
        env = os.environ | {"NUMBA_ENABLE_CUDASIM": "1"}
        run = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, env=env, check=False)
        assert run.returncode == 0, run.stderr
        rows = [json.loads(line) for line in run.stdout.splitlines()]
        assert len(rows) == 6 and rows[0::2] == rows[1::2]

    @pytest.mark.parametrize("text", ["tictactoe", "connect4", "pig", "trio"])
    def test_the_kernel_compiles_for_a_gpu(self, text):
        game = zermelo.game(text)
        code = device.ptx(game, leaf_playouts.kernel, leaf_playouts.ARRAYS, {"WIDTH": 16, "PLAYERS": game.players})
        assert ".visible .entry" in code

    @pytest.mark.skipif("not device.cuda().is_available()", reason="there is no GPU here")
    def test_the_gpu_grows_the_tree_of_the_cpu(self):
        on_cuda, on_cpu = (MCTS(simulations=500, playouts_per_leaf=256, batch=16, device=d).search(CONNECT) for d in ("cuda", "cpu"))
        assert on_cuda.action == on_cpu.action and on_cuda.scores == pytest.approx(on_cpu.scores, abs=1e-9)

    @pytest.mark.skipif("device.cuda().is_available()", reason="there is a GPU here")
    def test_without_a_gpu_one_sentence_says_so(self):
        with pytest.raises(ZermeloError, match="needs an NVIDIA GPU"):
            MCTS(device="cuda").search(TICTACTOE)
