"""From events to stories: the tree of each iteration, with unseen nodes, the kinds of values, and the counts."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ..bits import i64
from ..game import CHANCE, Game, State
from . import events as e
from .search_tree import Node, Story

MAX_LISTED_VISITS = 5_000  # visits up to which a story lists the actions that were not looked at, unless the game is a tree


class Places:
    """The states and names of the nodes of one trace, computed on demand by replaying the actions."""

    def __init__(self, game: Game, root: State):
        self.game, self._root = game, root
        self.is_tree = game.tree_node(root) is not None
        self._states: dict[int, State] = {}

    def state(self, node: Node, nodes: dict[int, Node]) -> State:
        """The state of a node."""
        if node.parent is None:
            return self._root
        if node.id not in self._states:
            line = [node]
            while line[-1].parent is not None and line[-1].parent not in self._states:
                line.append(nodes[line[-1].parent])
            for step in reversed(line):
                if step.parent is None:
                    self._states[step.id] = self._root
                else:
                    above = self._states[step.parent]
                    at = self.game.null_move(above) if step.action is None else self.game.result(above, self.own(above, step.action))
                    self._states[step.id] = at
        return self._states[node.id]

    def own(self, s: State, a: int) -> int:
        """The game's own action for an algorithm's signed number."""
        return a if a >= 0 else next(b for b in self.game.actions(s) if i64(b) == a)

    def name(self, node: Node, nodes: dict[int, Node]) -> str:
        """The node's own name in a tree; else the notation of the action that leads to it."""
        if self.is_tree and (named := self.game.tree_node(self.state(node, nodes))) is not None:
            return named.name
        if node.parent is None:
            return "start"
        if node.action is None:
            return "pass"
        above = self.state(nodes[node.parent], nodes)
        return self.game.write_action(above, self.own(above, node.action))


class Visit(Node):
    """A node whose name is computed on first use: in some games that takes longer than the search."""

    places: Places | None = None
    within: dict[int, Node]
    _name = ""

    @property
    def name(self) -> str:  # type: ignore[override]
        if not self._name and self.places is not None:
            self._name = self.places.name(self, self.within)
        return self._name

    @name.setter
    def name(self, name: str) -> None:
        self._name = name


class Builder:
    """Builds the stories of a trace."""

    def __init__(self, game: Game, root: State, searcher: str, algorithm: str, high: list[bool], reached: bool, has_table: bool):
        self.game, self.searcher, self.algorithm, self._high, self._reached = game, searcher, algorithm, high, reached
        self._has_table = has_table
        self.places = Places(game, root)

    def stories(self, events: list[e.Event]) -> list[Story]:
        """One story for each iteration."""
        begins = [i for i, event in enumerate(events) if isinstance(event, e.Iteration)]
        parts = [events[i:j] for i, j in zip(begins, [*begins, len(events)][1:], strict=True)]
        free = 1 + max((event.node for event in events if isinstance(event, e.Enter)), default=-1)
        stories = []
        for n, steps in enumerate(parts):
            begin = steps[0]
            assert isinstance(begin, e.Iteration)
            story = Story(
                repr(self.game), self.searcher, self.algorithm, self.game.players, begin.depth, {}, -1, [], None, (), [], [], [], {}, steps,
                self._reached and n == len(parts) - 1, self.game.title,
            )  # fmt: skip
            if any(isinstance(step, e.Enter) for step in steps):
                (self._grow if self.algorithm == "mcts" else self._visit)(story)
                free = self._unseen(story, free)
                stories.append(story)
        return stories

    def node(self, story: Story, id: int, parent: int | None, action: int | None, mover: int, ply: int) -> Node:
        """Add a node to the story and return it."""
        kind = "chance" if mover == CHANCE else "player" if not self._high else "max" if self._high[mover] else "min"
        node = Visit(id, parent, action, "", mover, ply, kind)
        node.places, node.within = self.places, story.nodes
        story.nodes[id] = node
        if parent is None:
            story.root = id
        else:
            story.nodes[parent].children.append(id)
        return node

    def _is_known(self, node: Node, nodes: dict[int, Node]) -> bool:
        """Whether the value of a leaf at which the search saw the end of the game comes from an endgame table."""
        return self._has_table and not self.game.is_terminal(self.places.state(node, nodes))

    # ---- depth first -------------------------------------------------------------------------

    def _visit(self, story: Story) -> None:
        nodes, counts = story.nodes, dict.fromkeys(("table_hits", "researches", "futile", "reduced"), 0)
        again = set[int]()
        for step in story.steps:
            kind = type(step)
            if kind is e.Enter:
                node = self.node(story, step.node, step.parent, step.action, step.mover, step.ply)  # type: ignore[union-attr]
                node.depth, node.alpha, node.beta = step.depth, step.alpha, step.beta  # type: ignore[union-attr]
                node.again = node.id in again
                node.status = "stopped"  # until it returns
                continue
            match step:
                case e.Return(id, value):
                    nodes[id].value = value
                    if nodes[id].status == "stopped":
                        nodes[id].status = "inner"
                case e.Child(id, child, value, taken):
                    if taken:
                        nodes[id].best, nodes[id].value = child, value
                    nodes[id].status = "inner" if nodes[id].status == "static" else nodes[id].status
                case e.Evaluate(id, value, values, is_end):
                    node = nodes[id]
                    node.value, node.values, node.status = value, values, "leaf" if is_end else "static"
                    story.evaluated.append(id)
                    node.order, node.known = len(story.evaluated), is_end and self._is_known(node, nodes)
                case e.Cut(id, _, _, _, unseen):
                    if unseen:  # after the last action there is nothing left to cut off
                        nodes[id].cut = step
                        story.cuts.append(step)
                case e.TableHit(id, value, what):
                    nodes[id].value, nodes[id].status = value, "table"
                    nodes[id].bound = {"exact": "exact", "lower": "at least", "upper": "at most"}[what]
                    counts["table_hits"] += 1
                case e.Average(id, child, p, _, total):
                    nodes[child].probability, nodes[id].value = p, total
                case e.Vector(id, child, values, taken):
                    nodes[child].values = values
                    if taken:
                        nodes[id].best, nodes[id].values = child, values
                case e.Repeated(id):
                    nodes[id].value, nodes[id].status = 0.0, "repeated"
                case e.Pass(id, child, _, cut):
                    if cut:
                        nodes[id].best = child
                case e.Futile(id, action, bound):
                    counts["futile"] += 1
                    if action is None:
                        nodes[id].status, nodes[id].value = "futile", bound
                case e.Research(_, child):
                    again.add(child)
                    counts["researches"] += 1
                case e.Reduced():
                    counts["reduced"] += 1
        self._bounds(story)
        root = nodes[story.root]
        story.value, story.values = root.value, root.values
        story.path = list(_path(story))
        story.counts = {"nodes": len(nodes), "evaluations": len(story.evaluated), "cuts": len(story.cuts), **counts}

    def _bounds(self, story: Story) -> None:
        """Set `bound` and the size of each subtree; children have larger numbers than their parents."""
        nodes = story.nodes
        passed = {step.node for step in story.steps if isinstance(step, e.Pass) and step.cut}
        averages = self.algorithm == "maxn"
        for id in sorted(nodes, reverse=True):
            node = nodes[id]
            if node.parent is not None:
                nodes[node.parent].visits += node.visits
            if node.cut is not None or id in passed or node.status == "futile":
                above = node.cut.value >= node.cut.bound if node.cut is not None and node.kind == "chance" else node.kind == "max"
                node.bound = "at least" if above else "at most"
            elif node.kind == "chance" and node.children:
                below = {nodes[child].bound for child in node.children} - {"exact"}
                node.bound = below.pop() if len(below) == 1 else "exact"
                if averages and all(nodes[child].values for child in node.children):
                    parts = [(nodes[c].probability or 0.0, nodes[c].values) for c in node.children]
                    node.values = tuple(sum(p * values[k] for p, values in parts) for k in range(self.game.players))
            elif node.best is not None:
                node.bound = nodes[node.best].bound

    # ---- simulations -------------------------------------------------------------------------

    def _grow(self, story: Story) -> None:
        nodes, two = story.nodes, self.game.players == 2
        simulations, children = 0, dict[int, int]()
        for step in story.steps:
            match step:
                case e.Enter(id, parent, action, ply, _, _, _, mover):
                    self.node(story, id, parent, action, mover, ply).visits = 0
                case e.Select(_, child, mean, bonus, _, _, prior) if child in nodes:
                    nodes[child].ucb = mean + bonus if math.isfinite(bonus) else None
                    nodes[child].prior = prior or None
                case e.Expand(id, many):
                    children[id] = many
                case e.Simulate(id, values, plies):
                    simulations += 1
                    if plies == 0:
                        nodes[id].status, nodes[id].known = "leaf", self._is_known(nodes[id], nodes)
                    story.values = values
                case e.BackUp(id, visits, mean):
                    node = nodes[id]
                    by = 0 if node.parent is None else nodes[node.parent].mover
                    node.visits, node.mean = visits, 0.0 - mean if two and by == 1 else mean
                    node.value = node.mean
        for id, many in children.items():
            nodes[id].more = many - len(nodes[id].children)
        for node in nodes.values():
            if node.children:
                node.best = max(node.children, key=lambda c: nodes[c].visits)
        story.path = list(_path(story))
        root = nodes[story.root]
        story.value, story.values = (nodes[root.best].mean if root.best is not None else root.mean), ()
        story.counts = {"nodes": len(nodes), "simulations": simulations, "expanded": len(children)}

    # ---- what was not looked at --------------------------------------------------------------

    def _unseen(self, story: Story, free: int) -> int:
        """Add nodes for what cutoffs left out: whole subtrees in a tree, else the actions; return the next free id."""
        is_tree = self.places.is_tree
        futile = [step for step in story.steps if isinstance(step, e.Futile) and step.action is not None]
        for cut in story.cuts:
            story.nodes[cut.node].more += cut.unseen
        if not is_tree and len(story.nodes) > MAX_LISTED_VISITS:
            return free
        for step in futile:
            parent = story.nodes[step.node]
            node = self.node(story, free, parent.id, step.action, _next(parent), parent.ply + 1)
            node.status, free = "futile", free + 1
        for cut in story.cuts:
            free = self.add_unseen(story, story.nodes[cut.node], free, cut.unseen, is_tree)
        return free

    def add_unseen(self, story: Story, parent: Node, free: int, most: int, deep: bool) -> int:
        """Add nodes for at most `most` unseen actions of the parent, with deep=True whole subtrees; return the next free id."""
        s = self.places.state(parent, story.nodes)
        tried = {story.nodes[child].action for child in parent.children}
        left = [a for a in self.game.actions(s) if i64(a) not in tried][:most]
        for a in left:
            free = self._add(story, parent, a, self.game.result(s, a), free, deep)
        parent.more -= min(parent.more, len(left))
        return free

    def _add(self, story: Story, parent: Node, a: int, s: State, free: int, deep: bool) -> int:
        ended = self.game.is_terminal(s)
        node = self.node(story, free, parent.id, i64(a), _next(parent) if ended else self.game.to_move(s), parent.ply + 1)
        node.status, node.visits, free = "unseen", 0, free + 1
        node.depth = None if parent.depth is None else parent.depth - 1
        if parent.kind == "chance":
            node.probability = self.game.probability(self.places.state(parent, story.nodes), a)
        story.pruned.append(node.id)
        if not deep:
            return free
        if ended:
            utilities = tuple(float(self.game.utility(s, p)) for p in range(self.game.players))
            node.value, node.values = utilities[0], utilities if self.game.players != 2 else ()
        elif node.depth != 0:
            for b in self.game.actions(s):
                free = self._add(story, node, b, self.game.result(s, b), free, deep)
        return free


def _next(parent: Node) -> int:
    """The player to move after a node, if unknown: the opponent."""
    return 1 - parent.mover if parent.mover in (0, 1) else 0


def _path(story: Story) -> Iterator[int]:
    """The ids from the root along the best children."""
    at: int | None = story.root
    while at is not None:
        yield at
        at = story.nodes[at].best
