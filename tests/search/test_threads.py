"""Threads that search side by side: what they find, when they end, and what goes wrong in one of them."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace
from typing import Any

import pytest
from helpers import backed_up, walk
from strange import Strange
from trees import CONNECT

import zermelo
from zermelo import AlphaBeta, Stop, ZermeloError
from zermelo.lower import memory
from zermelo.lower.memory import LARGE_PAGE, LINE, MIN_LARGE_PAGE_BYTES, Words
from zermelo.search import zero_sum
from zermelo.search.alphabeta.searcher import MIN_HELPED_NODES
from zermelo.search.alphabeta.sharing import CLAIMS, SHARED_DEPTH, claim, is_put_off, put_off_claimed
from zermelo.search.alphabeta.team import Team, ahead
from zermelo.search.move_ordering import bring_best

OTHELLO = zermelo.game("othello")


@pytest.mark.parametrize("threads", [2, 5])
def test_what_threads_prove_is_right(threads, monkeypatch):
    monkeypatch.setattr("zermelo.search.alphabeta.searcher.MIN_HELPED_NODES", 10)
    known = {}
    for s in walk(CONNECT, 3, 12):
        if not CONNECT.is_terminal(s):
            found = AlphaBeta(threads=threads).search(CONNECT, s)
            me = CONNECT.to_move(s)
            assert found.exact and found.value == backed_up(CONNECT, s, known)[me]
            assert backed_up(CONNECT, CONNECT.result(s, found.action), known)[me] == found.value


def test_the_depth_that_was_asked_for_is_reached():
    for depth in (1, 9, 10):
        found = AlphaBeta(depth=depth, threads=4).search(OTHELLO)
        assert found.depth == depth and found.action in OTHELLO.actions(OTHELLO.initial())
    deepening = list(AlphaBeta(depth=10, threads=4).deepen(OTHELLO))
    assert [r.depth for r in deepening] == sorted({r.depth for r in deepening})
    assert [r.nodes for r in deepening] == sorted(r.nodes for r in deepening)


def test_few_nodes_need_no_helpers(monkeypatch):
    monkeypatch.setattr(Team, "helping", None)
    assert AlphaBeta(nodes=MIN_HELPED_NODES, threads=4).search(OTHELLO).nodes <= MIN_HELPED_NODES


def test_a_limit_of_nodes_holds_roughly():
    """Each helper has a third of the nodes; the main thread has a third of what is left of them at each depth, as far as it knows."""
    for limit in (20_000, 200_000):
        assert limit / 4 < AlphaBeta(nodes=limit, threads=3).search(OTHELLO).nodes < 1.7 * limit


def test_a_stop_ends_all_threads():
    stop, before = Stop(), threading.active_count()
    threading.Timer(0.3, stop.set).start()
    found = AlphaBeta(threads=4).search(OTHELLO, stop=stop)
    assert found.action in OTHELLO.actions(OTHELLO.initial()) and not found.exact
    for _ in range(100):  # the timer's thread may take a moment to end
        if threading.active_count() <= before:
            return
        time.sleep(0.05)
    raise AssertionError("threads went on")


def test_what_goes_wrong_in_a_helper_is_told(monkeypatch):
    whole = Team._help

    def fails(team, i, at):
        if i == 2:
            raise ZermeloError("this went wrong")
        whole(team, i, at)

    monkeypatch.setattr(Team, "_help", fails)
    monkeypatch.setattr("zermelo.search.alphabeta.searcher.MIN_HELPED_NODES", 10)
    with pytest.raises(ZermeloError, match="this went wrong"):
        AlphaBeta(depth=9, threads=3).search(OTHELLO)


def test_helpers_refuse_gains_that_are_nobodys_loss(monkeypatch):
    class Generous(Strange):
        def utility(self, s, p):
            return 1.0

    monkeypatch.setattr(zero_sum, "unequal_end", lambda game, start: None)
    monkeypatch.setattr("zermelo.search.alphabeta.searcher.MIN_HELPED_NODES", 10)
    with pytest.raises(ZermeloError, match="whose sum is 0"):
        AlphaBeta(threads=3).search(Generous(3, 3, 8))


def test_helpers_are_at_different_depths():
    assert [ahead(i) for i in range(1, 7)] == [1, 2, 0, 1, 2, 0]


def others_search(claimed: list[int], ranks: list[int]) -> tuple[list[tuple[int, int]], Any]:
    """Try actions 0, 1, 2, ... of a state, when other threads search some: each action with its place in the order of one thread."""
    n, words, ply = len(ranks), Words(CLAIMS, interpreted=True), 0
    other = SimpleNamespace(claims=words.table, keys=[77])
    ranked = [r << 16 | i for i, r in enumerate(ranks)]
    work = SimpleNamespace(claims=words.table, keys=[77], moves=[list(range(n))], ranks=[ranked], put_off=[0])
    for a in claimed:
        claim(a, SHARED_DEPTH, ply, other)
    tried = []
    for i in range(n):
        bring_best(i, n, ply, work)
        order = put_off_claimed(i, n, ply, work) if i > 0 else i
        tried.append((work.moves[ply][i], order))
    return tried, work


def test_what_other_threads_search_is_put_off_and_keeps_its_place():
    tried, work = others_search([3, 0], [4, 9, 1, 7, 6])
    assert tried == [(1, 0), (4, 2), (2, 4), (3, 1), (0, 3)]
    assert [is_put_off(i, 0, work) for i in range(5)] == [False, False, False, True, True]
    assert [work.ranks[0][i] & 0xFFFF for i in range(5)] == [1, 4, 2, 3, 0], "an index is kept, too"


def test_the_first_action_is_never_put_off():
    assert others_search([0, 1, 2], [3, 2, 1])[0] == [(0, 0), (1, 1), (2, 2)]


def test_nothing_is_put_off_where_no_thread_searches():
    assert others_search([], [1, 3, 2])[0] == [(1, 0), (2, 1), (0, 2)]


# ---- memory that threads share ------------------------------------------------------------------


def test_words_begin_a_line_of_the_cache_and_many_a_large_page():
    for n in (1, 7, 1000, MIN_LARGE_PAGE_BYTES // 8 + 3):
        for is_cleared in (True, False):
            words = Words(n, False, is_cleared)
            words.array[n - 1] = 5
            assert len(words.array) == n and words.table % LINE == 0 and words.word(n - 1) == 5
            assert not is_cleared or not words.array[: n - 1].any()
    assert Words(MIN_LARGE_PAGE_BYTES // 8, False).table % LARGE_PAGE == 0


def test_more_memory_than_there_is(monkeypatch):
    def refuse(*_, **__):
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(memory.mmap, "mmap", refuse)
    with pytest.raises(ZermeloError, match="expected less memory than 16 MiB, which this machine does not give"):
        AlphaBeta(depth=1).search(OTHELLO)


def test_memory_without_large_pages(monkeypatch):
    monkeypatch.delattr(memory.mmap, "MADV_HUGEPAGE")
    words = Words(MIN_LARGE_PAGE_BYTES // 8, False)
    assert words.table % LINE == 0 and not words.array.any()
