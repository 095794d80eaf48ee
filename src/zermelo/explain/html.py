"""The stepper: a search as one self-contained page for any browser.

The page contains the story as JSON and replays it; a tree can be edited and searched again in it. Its parts are in `page/`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import fields
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any, get_args

from ..drawing import TreeNode
from ..game import CHANCE, Game, State
from .events import Average, Child, Event, Select, Vector
from .search_tree import Node, Story
from .trim import trimmed

NODES = 200  # shown of a large story; more would be illegible
STEPS = 20_000  # kept of a story; nobody steps through more
#: the scripts in the order of their dependencies
SCRIPTS = ("data", "words", "search", "replay", "layout", "drawing", "view", "panels", "predict", "editing", "controls", "main")
BLANK = Node(id=0, parent=None, action=None, name="", mover=0, ply=0, kind="max")
#: the fields of a node that the page reads; values equal to those of BLANK are left out
FIELDS = (
    *("parent", "action", "value", "values", "bound", "status", "children", "best", "visits", "mean"),
    *("prior", "probability", "order", "more", "again"),
)


def html_of(stories: Story | Sequence[Story], game: Game | None = None, nodes: int = NODES) -> str:
    """The page for a story, or for the iterations of a search, beginning with the last.

    If `game` is a tree, it can be edited in the page. A large story is trimmed to its most visited `nodes`.
    """
    shown = [stories] if isinstance(stories, Story) else list(stories)
    top = shown[-1].nodes[shown[-1].root].name
    is_tree = game is not None and game.tree_node(game.initial()) is not None
    tree = _named(game, game.initial()) if game is not None and is_tree else {}
    data = {
        "players": shown[-1].players,
        "fields": {kind.__name__: [f.name for f in fields(kind)] for kind in get_args(Event)},
        "stories": [_story(story, tree, nodes) for story in shown],
        "tree": _subtree(game, game.read_state(top)) if game is not None and is_tree else None,
    }
    parts = {
        "title": escape(f"{shown[-1].game}: {shown[-1].algorithm}"),
        "style": _part("stepper.css"),
        "story": _script_safe(json.dumps(_finite(data), ensure_ascii=False, allow_nan=False, separators=(",", ":"))),
        "script": "(() => {\n'use strict';\n" + "\n".join(_part(f"{name}.js") for name in SCRIPTS) + "\n})();",
    }
    page = _part("stepper.html")
    pieces = page.split("{{")  # filled once: inserted text is not searched for placeholders
    return pieces[0] + "".join(parts[name] + rest for name, _, rest in (piece.partition("}}") for piece in pieces[1:]))


@cache
def _part(name: str) -> str:
    return files(__package__).joinpath("page", name).read_text("utf-8")


def _script_safe(text: str) -> str:
    """The JSON escaped so that it cannot end the script element or begin a comment."""
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _finite(x: Any) -> Any:
    """The same with infinities and NaN, which JSON lacks, as text."""
    if isinstance(x, float):
        return x if math.isfinite(x) else "nan" if math.isnan(x) else "inf" if x > 0 else "-inf"
    if isinstance(x, dict):
        return {key: _finite(value) for key, value in x.items()}
    if isinstance(x, (list, tuple)):
        return [_finite(value) for value in x]
    return x


# ---- the story -------------------------------------------------------------------------------------------------------------------


def _story(story: Story, tree: dict[str, TreeNode], nodes: int) -> dict[str, Any]:
    shown = trimmed(story, nodes) if len(story.nodes) > nodes else story
    steps = list(_steps_of(story, shown))
    hidden = {i: story.nodes[i].name for step in steps for i in _ids(step) if i not in shown.nodes and i in story.nodes}
    kept, dropped = _sampled(steps) if story.algorithm == "mcts" else (steps[:STEPS], len(steps) - STEPS)
    notes = []
    if len(shown.nodes) < len(story.nodes):
        notes.append(f"{len(shown.nodes):,} of {len(story.nodes):,} nodes are shown, the most visited.")
    if dropped > 0:
        notes.append(f"{len(kept):,} of {len(steps):,} steps are shown.")
    return {
        "game": story.game,
        "searcher": story.searcher,
        "algorithm": story.algorithm,
        "players": story.players,
        "depth": story.depth,
        "root": story.root,
        "path": [i for i in story.path if i in shown.nodes],
        "value": story.value,
        "values": story.values,
        "counts": story.counts,
        "reached": story.reached,
        "left_out": " ".join(notes),
        "hidden": hidden,
        "nodes": [_node(node, tree) for node in shown.nodes.values()],
        "steps": [[type(step).__name__, *(getattr(step, f.name) for f in fields(step))] for step in kept],
    }


def _node(node: Node, tree: dict[str, TreeNode]) -> dict[str, Any]:
    data: dict[str, Any] = {"id": node.id, "name": node.name, "mover": node.mover, "ply": node.ply, "kind": node.kind}
    for key in FIELDS:
        value = getattr(node, key)
        if value != getattr(BLANK, key):
            data[key] = value
    if node.name in tree:
        data["given"] = tree[node.name].values or None
    return data


def _ids(step: Event) -> Iterator[int]:
    for key in ("node", "child", "parent", "by"):
        i = getattr(step, key, None)
        if i is not None:
            yield i


def _steps_of(whole: Story, shown: Story) -> Iterator[Event]:
    """The steps at nodes that are shown; the value of a hidden child only if it was taken."""
    for step in whole.steps:
        node = getattr(step, "node", None)
        if node is not None and node not in shown.nodes:
            continue
        child = getattr(step, "child", None)
        if child is not None and child not in shown.nodes:
            if isinstance(step, Select) or (isinstance(step, (Child, Vector)) and not step.taken):
                continue
            if not isinstance(step, (Child, Vector, Average)):
                continue
        yield step


def _sampled(steps: list[Event]) -> tuple[list[Event], int]:
    """At most STEPS steps of MCTS in whole simulations, all of the first and a sample of the rest; and how many are left out."""
    if len(steps) <= STEPS:
        return steps, 0
    rounds: list[list[Event]] = [[]]
    for before, step in zip([None, *steps], steps):
        if type(step).__name__ in ("Select", "Expand", "Simulate") and type(before).__name__ == "BackUp":
            rounds.append([])
        rounds[-1].append(step)
    each = len(steps) / len(rounds)
    room = int(STEPS / each)
    first = room // 4
    every = (len(rounds) - first) / (room - first)
    picked = {*range(first), *(first + int(i * every) for i in range(room - first)), len(rounds) - 1}
    kept = [step for i in sorted(picked) if i < len(rounds) for step in rounds[i]]
    return kept, len(steps) - len(kept)


# ---- the tree that can be edited -------------------------------------------------------------------------------------------------


def _subtree(game: Game, root: State) -> dict[str, Any]:
    """The tree below a node, for the page to search again."""
    made: dict[State, dict[str, Any]] = {}
    below = [root]
    for s in below:
        below.extend(game.result(s, a) for a in game.actions(s))
    for s in reversed(below):
        node = game.tree_node(s)
        assert node is not None
        children = []
        for a in game.actions(s):
            child = made.pop(game.result(s, a))
            child["action"] = a
            if game.to_move(s) == CHANCE:
                child["probability"] = game.probability(s, a)
            children.append(child)
        full = [game.utility(s, p) for p in range(game.players)]
        values = full if node.values else None
        made[s] = {"name": node.name, "kind": node.kind, "mover": game.to_move(s), "values": values, "children": children}
    return made[root]


def _named(game: Game, root: State) -> dict[str, TreeNode]:
    """The nodes of a tree by their names."""
    found, below = dict[str, TreeNode](), [root]
    for s in below:
        if (node := game.tree_node(s)) is not None:
            found[node.name] = node
            below.extend(game.result(s, a) for a in game.actions(s))
    return found
