"""The tree that is kept from move to move: what a search found out about the state that then came up is not searched again."""

from __future__ import annotations

from typing import Any

import numpy as np

from .record import NOBODY, PAUSED, WAITING
from .trees import Trees

OF_A_NODE = ("states", "mover", "count", "visited", "via", "worth", "actions", "visits", "total", "prior")


class KeptTree:
    """The tree of the last search of a game; `visits` are those of the root that it left to this one."""

    def __init__(self) -> None:
        self.visits = 0
        self._tree: Trees | None = None

    def carry(self, new: Trees, room: int) -> None:
        """Copy into the new tree, whose root is open, what the old one knows of that state, if it fits in so many nodes.

        A new tree is the old one of the next search. Where some edges of the root may not be taken, nothing is copied.
        """
        old, self._tree, self.visits = self._tree, new, 0
        if old is None or new.get("forbidden")[0].any():
            return
        below = _below(old, new.get("states")[0][0])
        if not below or len(below) > room:
            return
        mover = int(new.get("mover")[0][0])
        place = np.full(int(old.get("used")[0]) + 1, -1)  # of an old node among the new; the last stands for no node
        place[below] = np.arange(len(below))
        for name in OF_A_NODE:
            new.put(name, old.get(name)[0][below])
        new.put("child", place[old.get("child")[0][below]])
        new.put("parent", place[old.get("parent")[0][below]])
        is_known = int(new.get("mover")[0][0]) == NOBODY  # and all the same to be searched, now that it came up
        new.put("mover", np.array([mover]))
        new.give(used=len(below), leaf=PAUSED, known=int(is_known))
        self.visits = int(new.get("visited")[0][0])


def _below(tree: Trees, words: Any) -> list[int]:
    """The node of this packed state that was left most often, and all nodes below it that the network has judged; none if there is none."""
    used, leaf = int(tree.get("used")[0]), int(tree.get("leaf")[0])
    same = np.flatnonzero((tree.get("states")[0][:used] == words).all(1))
    visited, parent = tree.get("visited")[0][:used], tree.get("parent")[0][:used].tolist()
    if not len(same) or not visited[same].max():
        return []
    top = int(same[visited[same].argmax()])
    mover = tree.get("mover")[0][:used]
    found = [top]
    inside = {top}
    for n in range(top + 1, used):  # a node comes after its parent
        if parent[n] in inside and n != leaf and mover[n] != WAITING:
            inside.add(n)
            found.append(n)
    return found
