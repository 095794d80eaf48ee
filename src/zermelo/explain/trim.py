"""Large stories trimmed for reading: the most visited parts, with counts of what is left out."""

from __future__ import annotations

import copy
import heapq

from ..bits import i64
from .search_tree import Node, Story
from .tree_from_events import Visit

MAX_CHILDREN = 12  # children of a node


def trimmed(story: Story, nodes: int = 400, widest: int = MAX_CHILDREN) -> Story:
    """The story with about `nodes` nodes and at most `widest` children of each: the optimal path, then the most visited nodes.

    Of a child that was searched several times, the last visit is shown. At a cutoff, one of the unseen children
    remains. Each node's `more` is the number of its children that are left out.
    """
    last = {id: _last(story, node) for id, node in story.nodes.items()} if story.counts.get("researches") else {}
    kept = _kept(story, nodes, widest, last)
    small: dict[int, Node] = {}
    for id in kept:
        node = copy.copy(story.nodes[id])
        children = last.get(id, node.children)
        node.children = [child for child in children if child in kept]
        node.more += len(children) - len(node.children)
        small[id] = node
    free = 1 + max(story.nodes)
    for node in list(small.values()):
        if node.cut is not None and node.more and not any(small[child].status == "unseen" for child in node.children):
            free += _show_one(story, node, small, free)
    trimmed_story = copy.copy(story)
    trimmed_story.nodes = small
    trimmed_story.path = [id for id in story.path if id in small]
    trimmed_story.evaluated = [id for id in story.evaluated if id in small]
    trimmed_story.pruned = [id for id in small if small[id].status == "unseen"]
    trimmed_story.cuts = [cut for cut in story.cuts if cut.node in small]
    return trimmed_story


def _last(story: Story, node: Node) -> list[int]:
    """The children, only the last visit of each."""
    found: dict[int | None, int] = {}
    for child in node.children:
        found.pop(story.nodes[child].action, None)
        found[story.nodes[child].action] = child
    return list(found.values())


def _kept(story: Story, most: int, widest: int, last: dict[int, list[int]]) -> set[int]:
    """The ids to show: from the root down, the largest subtree first."""
    path, all_of_it = set(story.path), len(story.nodes)
    kept: set[int] = set()
    todo = [(-all_of_it, story.root)]
    while todo and len(kept) < most:
        _, id = heapq.heappop(todo)
        kept.add(id)
        children = last.get(id, story.nodes[id].children)
        ranked = sorted(children, key=lambda child: (child not in path, -story.nodes[child].visits, child))
        if len(ranked) > widest:
            unseen = next((child for child in ranked if story.nodes[child].status == "unseen"), None)
            ranked = ranked[:widest] if unseen is None or unseen in ranked[:widest] else [*ranked[: widest - 1], unseen]
        for child in ranked:
            heapq.heappush(todo, (-all_of_it if child in path else -story.nodes[child].visits, child))
    return kept


def _show_one(story: Story, node: Node, small: dict[int, Node], free: int) -> int:
    """Show one unseen child; return the number of nodes created for it."""
    there = next((child for child in story.nodes[node.id].children if story.nodes[child].status == "unseen"), None)
    if there is not None:
        small[there] = copy.copy(story.nodes[there])
        small[there].more += len(small[there].children)
        small[there].children = []
        node.children.append(there)
        node.more -= 1
        return 0
    if not isinstance(node, Visit) or node.places is None or not node.cut or not node.cut.unseen:
        return 0
    s = node.places.state(node, story.nodes)
    tried = {story.nodes[child].action for child in story.nodes[node.id].children}
    a = next((a for a in node.places.game.actions(s) if i64(a) not in tried), None)
    if a is None:
        return 0
    other = {"max": "min", "min": "max"}.get(node.kind, node.kind)
    made = Visit(free, node.id, i64(a), "", 1 - node.mover if node.mover in (0, 1) else 0, node.ply + 1, other, status="unseen", visits=0)
    made.places, made.within = node.places, story.nodes
    small[free] = made
    node.children.append(free)
    node.more -= 1
    return 1
