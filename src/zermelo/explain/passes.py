"""Progressive deepening in words: each pass, the new order, its cost, and what a cache would have saved."""

from __future__ import annotations

from typing import Any

from .narrate import as_object, markdown, number, summary, text
from .progressive_deepening import Iterated

LISTED = 12  # nodes whose order is listed


def passes(found: list[Iterated], as_markdown: bool = False) -> list[str]:
    """The lines about all passes, the last one in full."""
    lines: list[str] = []
    mark = "# " if as_markdown else ""
    for i, one in enumerate(found):
        story = one.story
        depth = "to the end" if one.depth is None else f"to depth {one.depth}"
        what = "minimax, so that every child has a value to be ordered by" if i == 0 else "alpha-beta"
        lines += [f"{mark}Pass {i + 1}, {depth}: {what}", ""]
        if i > 0:
            orders = one.ordered()
            more = f", and of {len(orders) - LISTED:,} more nodes" if len(orders) > LISTED else ""
            orders_text = ", ".join(f"{name} ({' '.join(children)})" for name, children in orders[:LISTED])
            lines += [f"Order: {orders_text}{more}.", ""]
        if i == len(found) - 1 and i > 0:
            body = markdown(story) if as_markdown else text(story)
            lines += body[2:]
        else:
            lines += summary(story)
            below = [story.nodes[id] for id in story.nodes[story.root].children]
            lines.append("Values: " + ", ".join(f"{node.name} {number(node.value)}" for node in below if node.value is not None) + ".")
        if one.known:
            lines.append(f"{one.known:,} of the {one.evaluations:,} static values were known from earlier passes.")
        lines.append("")
    total, known = sum(one.evaluations for one in found), sum(one.known for one in found)
    return [*lines, f"Static evaluations in all: {total:,}; {total - known:,} with a cache of static values."]


def passes_object(found: list[Iterated]) -> dict[str, Any]:
    """The last pass as an object, with all passes as `iterations`."""
    total, known = sum(one.evaluations for one in found), sum(one.known for one in found)
    each = [
        as_object(one.story, one.trace.result.values) | {"order": dict(one.ordered()), "known": one.known, "evaluations": one.evaluations}
        for one in found
    ]
    return each[-1] | {"iterations": each, "evaluations": total, "evaluations_with_cache": total - known}
