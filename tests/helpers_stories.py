"""Hand-made stories of searches, with everything that pictures must handle, even if no single search does all of it."""

from __future__ import annotations

import math
import random

from zermelo.explain.events import Cut, Quiet
from zermelo.explain.search_tree import Node, Story

NAMES = ["a", "Nf3xe5", "e2-e4", "<b>&\"'", "\x00\x1b]", "駒", "👩‍🚀", "ß_%$#{}~^\\", "a name that is much too long", "مرحبا", "WWMM", ""]


def random_story(seed: int, nodes: int = 60, children: int = 7, mcts: bool | None = None) -> Story:
    """A tree of up to so many nodes with random shapes, values, bounds, marks and names."""
    rng = random.Random(seed)
    players = rng.choice([1, 2, 2, 3])
    mcts = rng.random() < 0.3 if mcts is None else mcts
    plain = rng.random() < 0.3
    root = Node(0, None, None, rng.choice(["start", "A"]), 0, 0, "max" if players == 2 else "player", visits=1000)
    story = Story("made-up", "by hand", "mcts" if mcts else "alphabeta", players, 4, {0: root}, 0, [0], 1.5, (), [], [], [], {}, [])
    front = [root]
    while front and len(story.nodes) < nodes:
        parent = front.pop(rng.randrange(len(front)))
        for action in range(rng.randint(1, children)):
            child = _child(rng, story, parent, action, plain)
            story.nodes[child.id] = child
            parent.children.append(child.id)
            if child.status in ("inner", "unseen"):
                front.append(child)
    for node in story.nodes.values():
        if node.status == "inner" and not node.children:
            node.status = "static"
        if node.children and rng.random() < 0.2:
            node.more = rng.randint(1, 2000)
    while story.nodes[story.path[-1]].children and story.nodes[story.nodes[story.path[-1]].children[0]].status != "unseen":
        story.path.append(story.nodes[story.path[-1]].children[0])
    return story


def wide_story(seen: int, unseen: int = 0) -> Story:
    """A root and its children."""
    ids = range(1, seen + unseen + 1)
    nodes = {0: Node(0, None, None, "start", 0, 0, "max", children=list(ids))}
    nodes |= {i: Node(i, 0, i, f"m{i}", 1, 1, "min", status="static" if i <= seen else "unseen") for i in ids}
    return story_of(nodes)


def story_of(nodes: dict[int, Node]) -> Story:
    """A story of these nodes, root 0, and nothing else."""
    return Story("wide", "by hand", "alphabeta", 2, 1, nodes, 0, [0], 0.0, (), [], [], [], {}, [])


def _child(rng: random.Random, story: Story, parent: Node, action: int, plain: bool) -> Node:
    mover = rng.randrange(story.players)
    kind = "player" if story.players != 2 else rng.choice(["max", "min", "chance"])
    id = len(story.nodes)
    name = rng.choice("ABC") if plain else rng.choice(NAMES)
    node = Node(id, parent.id, action, name, -1 if kind == "chance" else mover, parent.ply + 1, kind)
    if parent.status == "unseen":
        node.status = "unseen"
        return node
    node.status = rng.choice(["inner"] * 8 + ["leaf", "static", "table", "repeated", "unseen", "futile", "stopped"])
    node.probability = rng.choice([0.5, 1 / 6, 1 / 36, 0.123456]) if parent.kind == "chance" else None
    node.again = rng.random() < 0.1
    node.visits = rng.randint(1, parent.visits)
    if node.status in ("unseen", "futile"):
        return node
    node.alpha = rng.choice([-math.inf, -3.25, 2.0, -123456.0])
    node.beta = rng.choice([math.inf, 7.0, 0.333333])
    node.value = rng.choice([0.0, 1.0, -27.5, 1e9, 1 / 3, -math.inf])
    node.values = tuple(rng.uniform(-1, 1) for _ in range(story.players)) if story.players != 2 else ()
    node.bound = rng.choice(["exact", "exact", "at least", "at most"])
    if story.algorithm == "mcts":
        node.mean, node.prior = rng.uniform(-1, 1), rng.choice([None, rng.random()])
    if node.status in ("leaf", "static"):
        story.evaluated.append(id)
        node.order = len(story.evaluated)
    if node.status == "inner" and rng.random() < 0.2:
        node.cut = Cut(id, 0, 2.0, 1.0, rng.randint(0, 30))
        story.cuts.append(node.cut)
    if rng.random() < 0.1:
        story.steps.append(Quiet(id, 0.5))
    return node
