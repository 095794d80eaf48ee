"""The tree of betting: what players may do, whatever the cards are, and what is paid at its ends.

It is found by playing all lines of betting with three deals: one in which player 0 has the weaker hand, one in which both hands are equal,
and one in which it has the stronger.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...bits import popcount
from ...errors import ZermeloError
from ...game import State
from .boards import Array
from .game import follow

#: words of a node: who moves, how many actions, the round and the first child; the first sequence, or the end
NODE = 2
COUNT, ROUND, CHILD = 8, 16, 32  # the bits from which parts of the first word begin
END = 255  # the mover of an end
WIDTH, DEPTH = 8, 64  # the most actions of a node, and nodes of a line
LOSES, SHARES, WINS = range(3)  # what happens to player 0 at the end
DEALS = 1000  # that are tried until all three are found


@dataclass
class Node:
    """A node of the tree: where players choose, or an end."""

    mover: int
    round: int
    actions: tuple[int, ...]
    child: int = 0
    end: int = 0


@dataclass
class BettingTree:
    """The tree of betting of a game, its nodes level by level."""

    nodes: list[Node] = field(default_factory=list)
    ends: list[tuple[float, ...]] = field(default_factory=list)  # what player 0 gets in each of the three cases
    by_betting: dict[int, int] = field(default_factory=dict)

    def first_sequences(self, sizes: tuple[int, ...]) -> Array:
        """The number of each node's first sequence, given how many buckets each round has; then the number of all sequences."""
        counts = [len(node.actions) * sizes[node.round] for node in self.nodes]
        return np.concatenate([[0], np.cumsum(counts)])

    def words(self, sizes: tuple[int, ...]) -> Array:
        """The nodes as words for native code."""
        firsts, found = self.first_sequences(sizes), np.zeros((len(self.nodes), NODE), np.uint64)
        for i, node in enumerate(self.nodes):
            mover = node.mover if node.actions else END
            found[i] = (
                mover | len(node.actions) << COUNT | node.round << ROUND | node.child << CHILD,
                firsts[i] if node.actions else node.end,
            )
        return found


def betting_tree(game: Any) -> BettingTree:
    """The tree of betting; ZermeloError if what players may do depends on the cards. It is made once for all games of these parameters."""
    key = (type(game), repr(game))
    if key not in _trees:
        _trees[key] = _enumerated(game)
    return _trees[key]


_trees: dict[tuple[type, str], BettingTree] = {}


def _enumerated(game: Any) -> BettingTree:
    """The tree of betting, level by level."""
    deals, tree = _deals(game), BettingTree()
    level = [tuple(follow(game, game.initial(), cards) for cards in deals)]
    for _ in range(DEPTH):
        after: list[tuple[State, ...]] = []
        known = len(tree.nodes) + len(level)
        for states in level:
            tree.nodes.append(_node(game, states, known + len(after), tree))
            for a in tree.nodes[-1].actions:
                after.append(tuple(_next(game, s, a, cards) for s, cards in zip(states, deals, strict=True)))
        if not after:
            return tree
        level = after
    raise ZermeloError(f"{game!r}: expected betting of at most {DEPTH} actions until the end")


def _node(game: Any, states: tuple[State, ...], child: int, tree: BettingTree) -> Node:
    """The node of these states, which differ by the cards alone."""
    if game.is_terminal(states[0]):
        gains = [(game.utility(s, 0), game.utility(s, 1)) for s in states]
        if any(x != -y for x, y in gains):
            raise ZermeloError(f"{game!r}: players get {gains[0]}: expected that one wins what the other loses")
        tree.ends.append(tuple(float(x) for x, _ in gains))
        return Node(END, 0, (), 0, len(tree.ends) - 1)
    s = states[0]
    p, actions = game.to_move(s), tuple(game.actions(s))
    if any((game.to_move(t), tuple(game.actions(t))) != (p, actions) for t in states[1:]) or len(actions) > WIDTH:
        raise ZermeloError(f"{game!r}: what can be done in {game.write_state(s)} depends on the cards: expected that it does not")
    tree.by_betting[game.betting(s)] = len(tree.nodes)
    return Node(p, game.board_sizes.index(popcount(game.board(s))), actions, child)


def _next(game: Any, s: State, a: int, cards: list[int]) -> State:
    """The state after a player's action and the cards that follow."""
    t = game.result(s, a)
    return follow(game, t, cards[popcount(game.hand(t, 0) | game.hand(t, 1) | game.board(t)) :])


def _deals(game: Any) -> list[list[int]]:
    """Cards in three orders: player 0 has the weaker hand, an equal one, the stronger."""
    cards, found = [c for c in range(64) if game.deck >> c & 1], dict[int, list[int]]()
    size, last = 4 + game.board_sizes[-1], game.board_sizes[-1]
    for seed in range(DEALS):
        dealt = random.Random(seed).sample(cards, size)
        mine, theirs, board = (sum(1 << c for c in some) for some in (dealt[:2], dealt[2:4], dealt[-last:]))
        x, y = game.strength(mine | board), game.strength(theirs | board)
        found.setdefault(SHARES if x == y else WINS if x > y else LOSES, dealt)
        if len(found) == 3:
            return [found[k] for k in (LOSES, SHARES, WINS)]
    raise ZermeloError(f"{game!r}: no equal hands in {DEALS:,} deals: expected a game in which a hand may lose, share and win")
