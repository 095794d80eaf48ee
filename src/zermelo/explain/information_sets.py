"""A whole game as a tree with its information sets: the nodes that the player to move cannot tell apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ..equilibrium.form import SequenceForm, sequence_form
from ..errors import ZermeloError
from ..game import CHANCE, Game, State
from .draw.text_metrics import chance, number, vector

LIMIT = 5000  # nodes
DRAWN = 250  # nodes of a tree that is drawn, or told line by line
END = -2  # the mover of a node at which the game is over


@dataclass
class GameNode:
    """A node: how it was reached, who is to move, and what the player to move knows or what the game ended with."""

    action: str  # "" at the root
    odds: float | None  # of the action, if chance took it
    sequence: int  # of a player's action, among those of the sequence form; -1 if chance took it
    mover: int
    set: int  # the information set, -1 if no player is to move
    values: tuple[float, ...]  # at the end, else ()
    children: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class GameTree:
    """A game as a tree, parents before children, the root first; its information sets by number, with what their players know."""

    game: Game
    form: SequenceForm
    nodes: tuple[GameNode, ...]
    knows: tuple[str, ...]  # of each information set
    actions: tuple[tuple[str, ...], ...]  # of each information set, in the order of the sequence form

    def owner(self, i: int) -> int:
        """The player of an information set."""
        return int(self.form.owners[i])

    def members(self) -> dict[int, list[int]]:
        """The nodes of each information set."""
        found: dict[int, list[int]] = {}
        for id, node in enumerate(self.nodes):
            if node.set >= 0:
                found.setdefault(node.set, []).append(id)
        return found


def game_tree(game: Game, known: Callable[[Game, State, int], str]) -> GameTree:
    """The tree of a small game; `known` tells in a line what a player knows of a state. ZermeloError if the game is too large."""
    if not game.has_hidden:
        raise ZermeloError(f"{game!r} hides nothing: expected a game that writes observe")
    form = sequence_form(game, limit=LIMIT, interpreted=True)
    sets = {(p, *words): i for i, (p, words) in enumerate(zip(form.owners.tolist(), form.observations.tolist(), strict=True))}
    knows, actions = [""] * form.sets, [tuple[str, ...]()] * form.sets
    nodes: list[GameNode] = []
    todo: list[tuple[State, int, str, float | None, int]] = [(game.initial(), -1, "", None, -1)]
    while todo:
        s, parent, text, odds, sequence = todo.pop()
        mover = END if game.is_terminal(s) else game.to_move(s)
        node = GameNode(text, odds, sequence, mover, -1, tuple(game.utility(s, p) for p in range(game.players)) if mover == END else ())
        if parent >= 0:
            nodes[parent].children.append(len(nodes))
        if mover >= 0:
            words = [0] * form.observations.shape[1]
            game.pack_observation(s, mover, words)
            node.set = sets[mover, *words]
            own = form.actions[form.firsts[node.set] : form.firsts[node.set + 1]].tolist()
            if not knows[node.set]:
                knows[node.set], actions[node.set] = known(game, s, mover), tuple(game.write_action(s, a) for a in own)
        for a in reversed(list(game.actions(s)) if mover != END else []):
            likely = game.probability(s, a) if mover == CHANCE else None
            at = int(form.firsts[node.set]) + own.index(a) if mover >= 0 else -1
            todo.append((game.result(s, a), len(nodes), game.write_action(s, a), likely, at))
        nodes.append(node)
    return GameTree(game, form, tuple(nodes), tuple(knows), tuple(actions))


def lines(tree: GameTree) -> Iterator[str]:
    """The tree line by line; nodes that a player cannot tell apart have the same number of an information set."""
    if len(tree.nodes) > DRAWN:
        yield f"The tree has {len(tree.nodes):,} nodes, too many to be listed."
        return
    todo = [(0, 0)]
    while todo:
        id, depth = todo.pop()
        node = tree.nodes[id]
        reached = node.action + (f" ({chance(node.odds)})" if node.odds is not None else "")
        yield "  " * depth + (f"{reached}: " if id else "") + what(tree, node)
        todo += [(child, depth + 1) for child in reversed(node.children)]


def what(tree: GameTree, node: GameNode) -> str:
    """The player to move at a node and its information set; at an end, the result."""
    if node.mover == END:
        values = node.values
        return number(values[0]) if len(values) == 2 and values[0] == -values[1] else vector(values)
    return "chance" if node.mover == CHANCE else f"{tree.game.player_name(node.mover)} in [{node.set + 1}] {tree.knows[node.set]}"
