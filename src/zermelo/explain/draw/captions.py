"""The text around a picture of a search: its title, its summary, and a legend of the symbols in it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..search_tree import Story
from .labels import MARKS, is_unseen
from .text_metrics import number, printable, vector

ALGORITHMS = {"alphabeta": "alpha-beta", "maxn": "max^n", "mcts": "Monte Carlo tree search"}
SHAPES = {
    "max": "max moves",
    "min": "min moves",
    "chance": "chance moves",
    "player": "the player with this number moves",
    "leaf": "end of the game",
    "more": "children not drawn",
}
LONGEST_PATH = 12  # nodes named in the summary


@dataclass(frozen=True)
class Captions:
    """`legend` has symbols (a shape, a mark, or path, unseen, order, bounds, bound, weight) and their meanings."""

    title: str
    summary: tuple[str, ...]
    legend: tuple[tuple[str, str], ...]
    told: str  # the description for screen readers


def visited(story: Story) -> int:
    """The number of nodes of the story that the search looked at."""
    return sum(not is_unseen(node) for node in story.nodes.values())


def captions(story: Story, whole: int, shapes: set[str], marks: set[str]) -> Captions:
    """The captions of a story in which these shapes and marks are drawn; `whole` is its number of visited nodes before trimming."""
    title = f"{printable(story.title or story.game)}: {ALGORITHMS.get(story.algorithm, story.algorithm)}"
    title += f" to depth {story.depth}" if story.depth is not None else ""
    summary = tuple(_summary(story, whole))
    told = list(summary)
    if whole == visited(story):  # a trimmed story lacks some
        told += [f"Static evaluations in order: {_list(story, story.evaluated)}."] if story.evaluated else []
        told += [f"Never looked at: {_list(story, story.pruned)}."] if story.pruned else []
    return Captions(title, summary, tuple(_legend(story, shapes, marks)), " ".join(told))


def _summary(story: Story, whole: int) -> list[str]:
    worth = vector(story.values) if story.values and story.players != 2 else number(story.value) if story.value is not None else "?"
    path = _list(story, story.path, LONGEST_PATH)
    counts = [
        _count(story, "nodes", "node"),
        _count(story, "simulations", "simulation") or _count(story, "evaluations", "static evaluation"),
    ]
    if counts[1] and story.counts.get("saved"):
        counts[1] += f" (minimax {story.counts.get('minimax'):,})"
    counts += [_count(story, "cuts", "cut"), _count(story, "table_hits", "table hit")]
    lines = [f"Value {worth}, path {path}.", ", ".join(filter(None, counts)) + "."]
    if whole > visited(story):
        lines.append(f"Drawn: the {visited(story):,} most visited of {whole:,} nodes.")
    if story.reached:
        lines.append("The trace was full before the search ended.")
    return [line for line in lines if line != "."]


def _count(story: Story, key: str, one: str) -> str:
    count = story.counts.get(key)
    return f"{count:,} {one}{'' if count == 1 else 's'}" if count else ""


def _list(story: Story, ids: list[int], most: int = 40) -> str:
    names = [printable(story.nodes[id].name) for id in ids[:most] if id in story.nodes]
    return " ".join(names) + (" …" if len(ids) > most else "")


def _legend(story: Story, shapes: set[str], marks: set[str]) -> list[tuple[str, str]]:
    nodes = story.nodes.values()
    seen = [node for node in nodes if not is_unseen(node)]
    legend = [(shape, words) for shape, words in SHAPES.items() if shape in shapes]
    if len(story.path) > 1:
        legend.append(("path", "optimal path"))
    if any(is_unseen(node) for node in nodes):
        legend.append(("unseen", "never looked at"))
    if any(math.isfinite(node.alpha) or math.isfinite(node.beta) for node in seen):
        legend.append(("bounds", "bounds on entry"))
    if any(node.bound != "exact" for node in seen):
        legend.append(("bound", "value is only a bound"))
    if any(node.order is not None for node in nodes):
        legend.append(("order", "order of static evaluations"))
    if story.algorithm == "mcts":
        legend.append(("weight", "mean, n visits" + (", p prior" if _has_priors(story) else "") + "; thicker lines have more visits"))
    return legend + [(mark, words) for mark, words in MARKS.items() if mark in marks]


def _has_priors(story: Story) -> bool:
    return any(node.prior is not None for node in story.nodes.values())
