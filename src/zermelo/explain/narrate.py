"""A search told as a person would: what was looked at and found, each bound as it moves, each cut and who made it.

`told` is the text, `markdown` the same with marks, `as_object` what a program wants to know.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from . import events as e
from .sanity import Tested
from .search_tree import Node, Story
from .trace import Trace
from .trim import trimmed

MANY = 120  # nodes up to which a story is told as a whole
SOME = 40  # nodes that are told of a larger one
LISTED = 1_000  # names in a list of an object, and nodes up to which they are those of the whole search
FIRST = 2  # simulations that are told step by step, beside the last
TITLES = {
    "minimax": "minimax",
    "alphabeta": "alpha-beta",
    "expectiminimax": "expectiminimax",
    "maxn": "max^n",
    "paranoid": "paranoid search",
    "mcts": "Monte Carlo tree search",
}


def number(x: float | None) -> str:
    """A value for a reader."""
    if x is None:
        return "unknown"
    return ("minus infinity" if x < 0 else "plus infinity") if math.isinf(x) else f"{x + 0.0:.6g}"


def vector(values: tuple[float, ...]) -> str:
    return "(" + ", ".join(map(number, values)) + ")"


def series(names: list[str], most: int = 8) -> str:
    """Names as they are listed in a sentence."""
    if len(names) > most:
        names = [*names[: most - 1], f"{len(names) - most + 1:,} more"]
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def told(trace: Trace, story: Story | None = None) -> list[str]:
    """The text, line by line."""
    story = story or trace.story
    depth = "to the end" if story.depth is None else f"to depth {story.depth}"
    head = f"{story.game}: {TITLES[story.algorithm]}" + ("" if story.algorithm == "mcts" else f", {depth}")
    if story.algorithm == "mcts":
        return [head, "", *_simulated(story), "", *summary(trace, story)]
    shown = trimmed(story, SOME) if len(story.nodes) > MANY else story
    lines = [head, ""]
    if shown is not story:
        lines += [f"Of {story.counts['nodes']:,} nodes these were visited most, or are on the optimal path:", ""]
    return [*lines, *_Narrator(trace, story, shown).lines(), "", *summary(trace, story)]


def summary(trace: Trace, story: Story) -> list[str]:
    """The end of the tale: the value, the optimal path, the counts."""
    mcts, large = story.algorithm == "mcts", len(story.nodes) > LISTED
    worth = vector(story.values) if story.values and story.players != 2 else number(story.value)
    lines = [f"{'Mean' if mcts else 'Value'} {worth}, by {' '.join(story.names(story.path))}."]
    if story.evaluated and not large:
        lines.append(f"Static evaluations in order: {' '.join(story.names(story.evaluated))}.")
    if story.pruned and not large:
        lines.append(f"Never looked at: {' '.join(story.names(story.pruned))}.")
    lines.append(_cost(story.counts))
    if trace.reached:
        lines.append("The limit of the trace was reached: what the search did after that is not told here.")
    return lines


def _cost(found: dict[str, int | None]) -> str:
    if "simulations" in found:
        return f"{found['simulations']:,} simulations, {found['nodes']:,} nodes visited, {found['expanded']:,} expanded."
    names = {"table_hits": "table hits", "researches": "searched again", "futile": "left out as futile", "reduced": "reduced"}
    parts = [_many(found["nodes"], "node"), _many(found["evaluations"], "static evaluation"), _many(found["cuts"], "cut")]
    parts += [f"{found[key]:,} {name}" for key, name in names.items() if found.get(key)]
    text = ", ".join(parts) + "."
    if found.get("minimax") is not None:
        text += f" Minimax makes {_many(found['minimax'], 'static evaluation')}: {found['saved']:,} saved."
    if found.get("ideal") is not None:
        text += f" The ideal order needs {found['ideal']:,}."
    return text


def _many(n: int | None, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def cut_sentence(story: Story, cut: e.Cut, unseen: list[str]) -> str:
    """Why these were not looked at."""
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
    """Tells a story of a depth-first search, visit by visit, each a little further in than the one that led to it."""

    def __init__(self, trace: Trace, story: Story, shown: Story):
        self._trace, self._whole, self._story = trace, story, shown
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
            yield "  " * (margin + 1) + f"({_many(hidden, 'other')} not told.)"
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
        quiet = ", only noisy actions from here" if node.id in self._quiet else ""
        return f"{node.name}: {who}{odds}{again}{'; ' if bounds else ''}{', '.join(bounds)}{quiet}"

    def _worth(self, node: Node) -> str:
        return vector(node.values) if node.values and self._story.players != 2 else number(node.value)

    def _leaf(self, node: Node) -> str:
        odds = "" if node.probability is None else f" (probability {node.probability:.4g})"
        worth = self._worth(node)
        why = {
            "static": f"is judged to be worth {worth}.",
            "table": f"is known: {'' if node.bound == 'exact' else node.bound + ' '}{worth}.",
            "repeated": "was there before: a draw.",
            "futile": f"is left at {worth}: far enough outside the bounds.",
            "stopped": "is where the telling ends.",
        }.get(node.status, f"is worth {worth}." if not node.visits > 1 else f"is worth {worth}, after {node.visits:,} nodes.")
        return f"{node.name}{odds} {why}"

    def _moved(self, node: Node, child: Node) -> str:
        """What the child's value does to the node."""
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
                "." if after.of > 1 - 1e-9 else f" over {after.of:.4g} of the odds."
            )
        if isinstance(after, e.Vector) and after.taken:
            return f"So {node.name} takes {vector(after.values)}: player {node.mover} gets {number(after.values[node.mover])}."
        return ""

    def _end(self, node: Node) -> str:
        if node.value is None and not node.values:
            return f"{node.name} was not finished."
        return f"{node.name} is worth {'' if node.bound == 'exact' else node.bound + ' '}{self._worth(node)}."


def tested(tests: list[Tested]) -> list[str]:
    """The sanity test, leaf by leaf."""
    lines = []
    for t in tests:
        told = f"with minus infinity at {t.name} the root is worth {number(t.low)}, with plus infinity {number(t.high)}"
        lines.append(f"Sanity: {told}: {'unchanged' if t.holds else f'but it was {number(t.value)}'}.")
    return lines or ["Sanity: no leaf was left out, so there is nothing to test."]


# ---- Monte Carlo tree search -----------------------------------------------------------------


def _simulated(story: Story) -> list[str]:
    """The first simulations and the last step by step, and what the root knows of its actions."""
    each: list[list[e.Event]] = [[]]
    for step in story.steps:
        if each[-1] and isinstance(each[-1][-1], e.BackUp) and not isinstance(step, (e.BackUp, e.Ended)):
            each.append([])
        each[-1].append(step)
    lines: list[str] = []
    for i, steps in enumerate(each):
        if i < FIRST or i == len(each) - 1:
            lines += [f"Simulation {i + 1:,}:", *(f"  {line}" for step in steps for line in _step(story, step))]
    lines += ["", "What the root knows of its actions:"]
    for node in sorted((story.nodes[c] for c in story.nodes[story.root].children), key=lambda n: -n.visits):
        prior = "" if node.prior is None else f", prior {node.prior:.3g}"
        lines.append(f"  {node.name}: {_many(node.visits, 'visit')}, mean {number(node.mean)}{prior}")
    return lines


def _step(story: Story, step: e.Event) -> Iterator[str]:
    """One of the four steps, if it is one."""
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
            played = "its value is proven" if plies < 0 else "the game is over there" if plies == 0 else f"{plies} random plies"
            yield f"simulate from {story.name(id)}: {played}, {vector(values)}"
        case e.BackUp(id, visits, mean):
            yield f"back up to {story.name(id)}: {_many(visits, 'visit')}, mean {number(mean)}"


# ---- other forms -----------------------------------------------------------------------------


def markdown(trace: Trace, story: Story | None = None) -> list[str]:
    """The text with a heading and nested lists."""
    head, *lines = told(trace, story)
    marked = [f"# {head}"]
    for line in lines:
        body = line.lstrip(" ")
        is_listed = body and not marked[-1].startswith("# ") and (line.startswith(" ") or marked[-1].lstrip(" ").startswith("- "))
        in_tree = body and (is_listed or (line[:1] != " " and ": " in line and " moves" in line))
        marked.append(f"{' ' * (len(line) - len(body))}- {body}" if in_tree else body)
    return marked


def as_object(trace: Trace, story: Story | None = None) -> dict[str, Any]:
    """What a program wants to know. Of a large search the lists hold what most of it went through, and `trimmed` is true."""
    story = story or trace.story
    shown = trimmed(story, LISTED) if len(story.nodes) > LISTED else story
    names = shown.names
    scored = [c for c in shown.nodes[shown.root].children if shown.nodes[c].value is not None]
    return {
        "game": story.game,
        "searcher": story.searcher,
        "depth": story.depth,
        "value": story.value,
        "values": list(trace.result.values),
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
        "reached": trace.reached,
        "trimmed": shown is not story,
    }
