"""Shared by tests of MCTS trees."""

from __future__ import annotations

from dataclasses import replace

import zermelo
from zermelo.search.mcts import searcher
from zermelo.search.mcts.tree import Pool

TICTACTOE = zermelo.game("tictactoe")
CONNECT = zermelo.game("connect4:width=4,height=4,line=3")


def told(result):
    """The result without its time."""
    return replace(result, seconds=0)


def spied(monkeypatch):
    """The pools that searches make from now on."""
    made = []

    class Spy(Pool):
        def __init__(self, *given):
            super().__init__(*given)
            made.append(self)

    monkeypatch.setattr(searcher, "Pool", Spy)
    return made


def tree_of(pool, root=0):
    """Every node of a tree, by its path of actions."""
    found, todo = {}, [((), root)]
    while todo:
        path, node = todo.pop()
        first, children = pool.family(node)
        for i, child in enumerate(children):
            found[(*path, child.action)] = child
            todo.append(((*path, child.action), first + i))
    return found
