"""A game tree with information sets as SVG, as textbooks draw it: a dashed line joins the nodes that a player cannot tell apart."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ...drawing import escape
from ...equilibrium.form import Array
from ...errors import ZermeloError
from ...game import CHANCE
from ..information_sets import DRAWN, END, GameNode, GameTree, what
from .svg import FONT, style
from .text_metrics import chance, width
from .tree_layout import Box, tidy

ROW, TOP, MARGIN, GAP = 96.0, 70.0, 24.0, 8.0
LETTER_SIZE, SMALL_LETTER_SIZE = 12.0, 10.0  # of letters
HALF = 15.0  # of a node
SAG, MORE_SAG, LEVELS = 14.0, 14.0, 6  # of the dashed lines of a row: the first, how much more each further one, and how many differ


def svg_of_sets(tree: GameTree, strategy: Array | None, title: str) -> str:
    """The picture; with a strategy, actions of players have their probabilities. ZermeloError if there are too many nodes."""
    if len(tree.nodes) > DRAWN:
        raise ZermeloError(f"{tree.game!r} has {len(tree.nodes):,} nodes: expected at most {DRAWN} to draw")
    depth = _depths(tree)
    names = [_edge_words(node, strategy) for node in tree.nodes]
    boxes = {id: _box(node, tree, names[id]) for id, node in enumerate(tree.nodes)}
    x = tidy(boxes, 0, GAP, [0.0] * (max(depth) + 1))
    left = min(x[id] - box.left for id, box in boxes.items()) - MARGIN
    wide = max(x[id] + box.right for id, box in boxes.items()) + MARGIN - left
    at = {id: (x[id] - left, TOP + ROW * depth[id]) for id in x}
    high = TOP + ROW * max(depth) + 2 * MARGIN
    parts = [*_edges(tree, at, names), *_joins(tree, at), *(_node(tree, id, node, at[id]) for id, node in enumerate(tree.nodes))]
    shape = f'viewBox="0 0 {wide:.0f} {high:.0f}" font-family="{FONT}" role="img"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="zermelo-tree" {shape}>'
    legend = "circles: chance; numbers: information sets; a dashed line joins nodes that the player cannot tell apart; boxes: the end"
    return "\n".join(
        [
            head,
            f"<title>{escape(title)}</title>",
            f"<style>{style()}</style>",
            '<rect class="paper" width="100%" height="100%"/>',
            _text(MARGIN, 22, title, 15, "ink start heavy"),
            _text(MARGIN, 42, legend, LETTER_SIZE, "soft start"),
            *parts,
            "</svg>",
            "",
        ]
    )


def _depths(tree: GameTree) -> list[int]:
    depth = [0] * len(tree.nodes)
    for id, node in enumerate(tree.nodes):
        for child in node.children:
            depth[child] = depth[id] + 1
    return depth


def _edge_words(node: GameNode, strategy: Array | None) -> tuple[str, str]:
    """The action that leads to a node, and how likely it is."""
    if node.odds is not None:
        return node.action, chance(node.odds)
    return node.action, f"{100 * strategy[node.sequence]:.0f} %" if strategy is not None and node.sequence >= 0 else ""


def _box(node: GameNode, tree: GameTree, words: tuple[str, str]) -> Box:
    inside = width(what(tree, node), LETTER_SIZE) if node.mover == END else 0.0
    half = max(HALF, inside / 2 + 4, *(width(text, LETTER_SIZE) / 2 for text in words))
    return Box(half, half, 0.0, list(node.children))


def _edges(tree: GameTree, at: dict[int, tuple[float, float]], names: list[tuple[str, str]]) -> Iterator[str]:
    for id, node in enumerate(tree.nodes):
        for child in node.children:
            (x1, y1), (x2, y2) = at[id], at[child]
            points = f"{x1:.1f},{y1 + HALF:.1f} {x2:.1f},{y2 - HALF - 26:.1f}"
            yield f'<polyline class="edge" points="{points}"/>'
            yield _text(x2, y2 - HALF - 19, names[child][0], LETTER_SIZE, "ink")
            if names[child][1]:
                yield _text(x2, y2 - HALF - 7, names[child][1], SMALL_LETTER_SIZE, "visits")


def _joins(tree: GameTree, at: dict[int, tuple[float, float]]) -> Iterator[str]:
    """A dashed arc between each two neighbours of an information set, the sets of a row at different heights."""
    rows: dict[float, int] = {}  # how many sets each row has so far
    for i, members in tree.members().items():
        row = at[members[0]][1]
        rows[row] = rows.get(row, -1) + 1
        sag = SAG + MORE_SAG * (rows[row] % LEVELS)
        for one, other in pairwise(members):
            (x1, y1), (x2, y2) = at[one], at[other]
            path = f"M{x1:.1f} {y1 + 4:.1f}Q{(x1 + x2) / 2:.1f} {max(y1, y2) + sag:.1f} {x2:.1f} {y2 + 4:.1f}"
            yield f'<path class="shape player-{tree.owner(i)}" data-set="{i + 1}" d="{path}" style="fill:none;stroke-dasharray:5 4"/>'


def _node(tree: GameTree, id: int, node: GameNode, place: tuple[float, float]) -> str:
    x, y = place
    title = f"<title>{escape(what(tree, node))}</title>"
    if node.mover == END:
        words = what(tree, node)
        half = width(words, LETTER_SIZE) / 2 + 4
        shape = f'<rect class="shape leaf" x="{x - half:.1f}" y="{y - HALF:.1f}" width="{2 * half:.1f}" height="{2 * HALF:.1f}" rx="3"/>'
        return f'<g data-node="{id}">{title}{shape}{_text(x, y, words, LETTER_SIZE, "ink")}</g>'
    if node.mover == CHANCE:
        return f'<g data-node="{id}">{title}<circle class="shape chance" cx="{x:.1f}" cy="{y:.1f}" r="{HALF:.1f}"/></g>'
    shape = f'<path class="shape player-{node.mover}" d="M{x - HALF:.1f} {y + HALF:.1f}H{x + HALF:.1f}L{x:.1f} {y - HALF:.1f}Z"/>'
    return f'<g data-node="{id}">{title}{shape}{_text(x, y + 6, str(node.set + 1), SMALL_LETTER_SIZE, "ink heavy")}</g>'


def _text(x: float, y: float, words: str, size: float, names: str) -> str:
    return f'<text class="{names}" x="{x:.1f}" y="{y + 0.35 * size:.1f}" font-size="{size:g}">{escape(words)}</text>'
