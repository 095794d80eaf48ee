"""A search in words: what was searched and found, each bound as it moves, each cutoff and the ancestor that caused it.

`text` gives the lines, `markdown` the same as nested lists, `as_object` the facts for a program.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from ..search.notes import JUDGED
from . import events as e
from .search_tree import Node, Story
from .trim import trimmed

MAX_FULL_STORY_NODES = 120  # a larger tree is trimmed before it is told
TRIMMED = 40  # nodes told of a larger story
LISTED = 1_000  # nodes up to which the lists of names cover the whole search
TOLD_SIMULATIONS = 2  # simulations told step by step, besides the last
TITLES = {
    "minimax": "minimax",
    "alphabeta": "alpha-beta",
    "expectiminimax": "expectiminimax",
    "maxn": "max^n",
    "paranoid": "paranoid search",
    "mcts": "Monte Carlo tree search",
}


def number(x: float | None) -> str:
    """The value as it is written in a sentence."""
    if x is None:
        return "unknown"
    return ("minus infinity" if x < 0 else "plus infinity") if math.isinf(x) else f"{x + 0.0:.6g}"


def vector(values: tuple[float, ...]) -> str:
    return "(" + ", ".join(map(number, values)) + ")"


def series(names: list[str], most: int = 8) -> str:
    """The names as a list in a sentence, cut short after `most`."""
    if len(names) > most:
        names = [*names[: most - 1], f"{len(names) - most + 1:,} more"]
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def text(story: Story) -> list[str]:
    """The search in words, line by line."""
    depth = "to the end" if story.depth is None else f"to depth {story.depth}"
    head = f"{story.game}: {TITLES[story.algorithm]}" + ("" if story.algorithm == "mcts" else f", {depth}")
    if story.algorithm == "mcts":
        return [head, "", *_simulated(story), "", *summary(story)]
    shown = trimmed(story, TRIMMED) if len(story.nodes) > MAX_FULL_STORY_NODES else story
    lines = [head, ""]
    if shown is not story:
        lines += [f"The most visited of {story.counts['nodes']:,} nodes, and the optimal path:", ""]
    return [*lines, *_Narrator(story, shown).lines(), "", *summary(story)]


def summary(story: Story) -> list[str]:
    """The last lines: the value, the optimal path, the counts."""
    mcts, large = story.algorithm == "mcts", len(story.nodes) > LISTED
    worth = vector(story.values) if story.values and story.players != 2 else number(story.value)
    lines = [f"{'Mean' if mcts else 'Value'} {worth}, by {' '.join(story.names(story.path))}."]
    if story.evaluated and not large:
        lines.append(f"Static evaluations in order: {' '.join(story.names(story.evaluated))}.")
    if story.pruned and not large:
        lines.append(f"Never looked at: {' '.join(story.names(story.pruned))}.")
    lines.append(_cost(story.counts))
    if story.reached:
        lines.append("The limit of the trace was reached: the rest of the search is not shown.")
    return lines


def _cost(found: dict[str, int | None]) -> str:
    if "simulations" in found:
        return f"{found['simulations']:,} simulations, {found['nodes']:,} nodes visited, {found['expanded']:,} expanded."
    names = {"table_hits": "table hits", "researches": "searched again", "futile": "left out as futile", "reduced": "reduced"}
    parts = [_many(found["nodes"], "node"), _many(found["evaluations"], "static evaluation"), _many(found["cuts"], "cut")]
    parts += [f"{found[key]:,} {name}" for key, name in names.items() if found.get(key)]
    cost = ", ".join(parts) + "."
    if found.get("minimax") is not None:
        cost += f" Minimax makes {_many(found['minimax'], 'static evaluation')}: {found['saved']:,} saved."
    if found.get("ideal") is not None:
        cost += f" The ideal order needs {found['ideal']:,}."
    return cost


def _many(n: int | None, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def cut_sentence(story: Story, cut: e.Cut, unseen: list[str]) -> str:
    """Why the children named in `unseen` were not looked at."""
    names = series(unseen) if unseen else _many(cut.unseen, "action")
    verb = "is" if (len(unseen) or cut.unseen) == 1 else "are"
    node = story.nodes[cut.node]
    if cut.by is None:
        elsewhere = f"{story.name(story.root)} begins with {number(cut.bound)} as a bound"
    else:
        elsewhere = f"{story.name(cut.by)} has {number(cut.bound)} elsewhere"
    if node.kind == "chance":
        side = "at most" if cut.value <= cut.bound else "at least"
        return f"{names} {verb} not looked at: {node.name} is worth {side} {number(cut.value)} whatever they are, and {elsewhere}."
    return f"{names} {verb} not looked at: {node.name} can already force {number(cut.value)}, and {elsewhere}."


class _Narrator:
    """Tells the story of a depth-first search, visit by visit, each indented below its parent."""

    def __init__(self, story: Story, shown: Story):
        self._story = shown
        self._after = {x.child: x for x in story.steps if isinstance(x, (e.Child, e.Average, e.Vector)) and x.child in shown.nodes}
        self._quiet = {x.node for x in story.steps if isinstance(x, e.Quiet)}

    def lines(self) -> list[str]:
        return list(self._tell(self._story.nodes[self._story.root], 0))

    def _tell(self, node: Node, margin: int) -> Iterator[str]:
        yield "  " * margin + self._begin(node)
        unseen = []
        for id in node.children:
            child = self._story.nodes[id]
            if child.status == "unseen":
                unseen.append(child.name)
            elif child.status == "futile" and not child.children and id not in self._after:
                yield "  " * (margin + 1) + f"{child.name} is left out: it cannot reach the bound."
            elif child.children or child.cut:
                yield from self._tell(child, margin + 1)
                if after := self._moved(node, child):
                    yield "  " * (margin + 1) + after
            else:
                yield "  " * (margin + 1) + self._leaf(child) + " " * bool(self._moved(node, child)) + self._moved(node, child)
        hidden = node.more - (max(0, node.cut.unseen - len(unseen)) if node.cut else 0)
        if hidden > 0:
            yield "  " * (margin + 1) + f"({_many(hidden, 'other')} not shown.)"
        if node.cut is not None:
            names = unseen if len(unseen) == node.cut.unseen else [*unseen, f"{node.cut.unseen - len(unseen):,} more"] if unseen else []
            yield "  " * (margin + 1) + cut_sentence(self._story, node.cut, names)
        yield "  " * margin + self._end(node)

    def _begin(self, node: Node) -> str:
        who = {"max": "max moves", "min": "min moves", "chance": "chance moves"}.get(node.kind, f"player {node.mover} moves")
        odds = "" if node.probability is None else f", with probability {node.probability:.4g}"
        again = " (searched again)" if node.again else ""
        if node.beta == math.nextafter(node.alpha, math.inf):
            bounds = [f"is it better than {number(node.alpha)}?"]
        else:
            bounds = [f"alpha {number(node.alpha)}"] if math.isfinite(node.alpha) else []
            bounds += [f"beta {number(node.beta)}"] if math.isfinite(node.beta) else []
        quiet = ", only tactical actions from here" if node.id in self._quiet else ""
        return f"{node.name}: {who}{odds}{again}{'; ' if bounds else ''}{', '.join(bounds)}{quiet}"

    def _worth(self, node: Node) -> str:
        return vector(node.values) if node.values and self._story.players != 2 else number(node.value)

    def _leaf(self, node: Node) -> str:
        odds = "" if node.probability is None else f" (probability {node.probability:.4g})"
        worth = self._worth(node)
        why = {
            "static": f"is evaluated as {worth}.",
            "table": f"is in the table: {'' if node.bound == 'exact' else node.bound + ' '}{worth}.",
            "repeated": "repeats an earlier position: a draw.",
            "futile": f"is cut off at {worth}: far enough outside the bounds.",
            "stopped": "is where the trace ends.",
            "leaf": f"is known from the table: {worth}." if node.known else f"is worth {worth}.",
        }.get(node.status, f"is worth {worth}." if not node.visits > 1 else f"is worth {worth}, after {node.visits:,} nodes.")
        return f"{node.name}{odds} {why}"

    def _moved(self, node: Node, child: Node) -> str:
        """How the child's value changes the node."""
        after = self._after.get(child.id)
        if isinstance(after, e.Child) and after.taken:
            side, name, value = ("at least", "alpha", after.alpha) if node.kind == "max" else ("at most", "beta", after.beta)
            if self._story.algorithm == "minimax":
                return f"So {node.name} is worth {side} {number(after.value)}."
            if value != after.value:
                return ""  # a bound from elsewhere is better
            return f"So {node.name} is worth {side} {number(value)} ({name} {number(value)})."
        if isinstance(after, e.Average):
            return f"So far {node.name} averages {number(after.sum)}" + (
                "." if after.of > 1 - 1e-9 else f" over a probability of {after.of:.4g}."
            )
        if isinstance(after, e.Vector) and after.taken:
            return f"So {node.name} takes {vector(after.values)}: player {node.mover} gets {number(after.values[node.mover])}."
        return ""

    def _end(self, node: Node) -> str:
        if node.value is None and not node.values:
            return f"{node.name} was not finished."
        return f"{node.name} is worth {'' if node.bound == 'exact' else node.bound + ' '}{self._worth(node)}."


# ---- Monte Carlo tree search -----------------------------------------------------------------


def _simulated(story: Story) -> list[str]:
    """The first simulations and the last, step by step, and the statistics of the root's actions."""
    each: list[list[e.Event]] = [[]]
    for step in story.steps:
        if each[-1] and isinstance(each[-1][-1], e.BackUp) and not isinstance(step, (e.BackUp, e.Ended)):
            each.append([])
        each[-1].append(step)
    lines: list[str] = []
    for i, steps in enumerate(each):
        if i < TOLD_SIMULATIONS or i == len(each) - 1:
            lines += [f"Simulation {i + 1:,}:", *(f"  {line}" for step in steps for line in _step(story, step))]
    lines += ["", "The actions of the root:"]
    for node in sorted((story.nodes[c] for c in story.nodes[story.root].children), key=lambda n: -n.visits):
        prior = "" if node.prior is None else f", prior {node.prior:.3g}"
        lines.append(f"  {node.name}: {_many(node.visits, 'visit')}, mean {number(node.mean)}{prior}")
    return lines


def _step(story: Story, step: e.Event) -> Iterator[str]:
    """The line about one of the four steps of MCTS; nothing for other events."""
    match step:
        case e.Select(id, child, mean, bonus, visits, above):
            why = f"the best of mean {number(mean)} + bonus {number(bonus)}, {visits:,} of {above:,} visits"
            if math.isinf(bonus):
                why = "never tried"
            elif math.isnan(bonus):
                why = "drawn by chance" if story.nodes[id].kind == "chance" else "preferred"
            yield f"select {story.name(child)} below {story.name(id)}: {why}"
        case e.Expand(id, many):
            yield f"expand {story.name(id)}: {_many(many, 'action')}"
        case e.Simulate(id, values, plies):
            played = f"{plies} random plies"
            if plies <= 0:
                played = {0: "the game is over there", JUDGED: "the network says"}.get(plies, "its value is proven")
            if plies == 0 and story.nodes[id].known:
                played = "known from the table"
            yield f"simulate from {story.name(id)}: {played}, {vector(values)}"
        case e.BackUp(id, visits, mean):
            yield f"back up to {story.name(id)}: {_many(visits, 'visit')}, mean {number(mean)}"


# ---- other forms -----------------------------------------------------------------------------


def markdown(story: Story) -> list[str]:
    """The text with a heading and nested lists."""
    head, *lines = text(story)
    marked = [f"# {head}"]
    for line in lines:
        body = line.lstrip(" ")
        is_listed = body and not marked[-1].startswith("# ") and (line.startswith(" ") or marked[-1].lstrip(" ").startswith("- "))
        in_tree = body and (is_listed or (line[:1] != " " and ": " in line and " moves" in line))
        marked.append(f"{' ' * (len(line) - len(body))}- {body}" if in_tree else body)
    return marked


def as_object(story: Story, values: Sequence[float]) -> dict[str, Any]:
    """The facts for a program; `values` are those of the Result. If the search is large, the lists cover its most visited part."""
    shown = trimmed(story, LISTED) if len(story.nodes) > LISTED else story
    names = shown.names
    scored = [c for c in shown.nodes[shown.root].children if shown.nodes[c].value is not None]
    return {
        "game": story.game,
        "searcher": story.searcher,
        "depth": story.depth,
        "value": story.value,
        "values": list(values),
        "path": story.names(story.path),
        "evaluated": names(shown.evaluated),
        "pruned": names(shown.pruned),
        "cuts": [
            {
                "node": shown.name(cut.node),
                "by": None if cut.by is None else shown.name(cut.by),
                "bound": cut.bound if math.isfinite(cut.bound) else None,
                "value": cut.value,
                "unseen": names([c for c in shown.nodes[cut.node].children if shown.nodes[c].status == "unseen"]),
            }
            for cut in shown.cuts
        ],
        "counts": story.counts,
        "scores": {shown.name(c): shown.nodes[c].value for c in scored},
        "bounds": {shown.name(c): shown.nodes[c].bound for c in scored if shown.nodes[c].bound != "exact"},
        "reached": story.reached,
        "trimmed": shown is not story,
    }
