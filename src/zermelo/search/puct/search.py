"""A search guided by a network, as a player asks for it: one tree, which grows until it has its simulations or the time is up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ...game import Game, State
from ..montecarlo import first_word
from ..notes import WATCHED, watched_by
from ..searcher import AT_MOST, Result, Stopwatch
from ..stop import Stop
from .kept_tree import KeptTree
from .leaf_batch import LEAVES, BatchTree, advance_batch, forget_waiting
from .mixed import MixedTree, advance_mixed
from .network import load_for
from .proofs import NO_SUM
from .puct import advance, begin
from .record import NEVER, NO_LEAF, NOBODY, PAUSED, Tree
from .shape import NetworkShape, actions_of, nodes_for, record_for
from .trees import Trees
from .turned import Turned

MIN_TREE_NODES, MAX_TREE_NODES = 1 << 7, 1 << 17  # nodes of a tree
MOST_BYTES = 1 << 30  # of a tree: a record of numpy's cannot have twice as many
MOST_ENDS = 256  # simulations in a row that end in terminal states, without a look at the clock
PAUSE = 0.1  # seconds between two Results once they are no longer twice the simulations apart


@dataclass(frozen=True)
class Asked:
    """What a search is to be."""

    net: str
    simulations: int
    exploration: float
    mix: float
    solver: bool
    seed: int
    by_clock: bool  # and not by simulations: several leaves are judged at once

    def algorithm(self, is_watched: bool) -> tuple[type[Tree], Callable[[Game, Any], int], int]:
        """The record, what goes on with it, and how many leaves wait at most."""
        if self.mix:
            return MixedTree, advance_mixed, 1
        return (BatchTree, advance_batch, LEAVES) if self.by_clock and not is_watched else (Tree, advance, 1)


def grow(
    game: Game, s: State, asked: Asked, bars: list[int], seconds: float | None, stop: Stop, interpreted: bool, kept: KeptTree | None
) -> Iterator[Result]:
    """Yield a Result each time the simulations have doubled and a tenth of a second has passed. `kept` has a tree to go on with."""
    shape, network = load_for(game, asked.net)
    ask, log, simulations = Turned(game, shape, network, first_word(asked.seed, 1)), watched_by(), asked.simulations
    record, go_on, leaves = asked.algorithm(log is not None)
    wanted = nodes_for(game, simulations)
    room = room_for(game, record, wanted if kept is None else 2 * wanted)
    tree = Trees(game, shape, 1, record, interpreted, leaves, nodes=room, watch=1 if log is None else WATCHED)
    if log is not None:
        tree.watch(log.field())
    start(tree, s, asked, bars)
    for function in (go_on, forget_waiting) if record is BatchTree else (go_on,):
        tree.prepare(function)  # before the clock runs
    network(tree.inputs)
    rows = 1  # of the inputs that the network is to see
    watch, shown, told, before = Stopwatch(), 1, 0.0, 0
    try:
        with stop.after(seconds):
            if kept is not None:
                kept.carry(tree, room - min(wanted, room // 2))
                before = kept.visits
                tree.give(simulations=before + simulations)
            while (leaf := int(tree.get("leaf")[0])) != NO_LEAF:
                if leaf != PAUSED:
                    tree.logits[:rows], tree.values[:rows] = ask(tree.inputs[:rows])
                rows = tree.run(go_on)[0]
                done = int(tree.get("visited")[0, 0]) - before - (rows if leaves > 1 else 0)  # without the visits that wait
                if done and stop.is_set:
                    break
                if done >= 2 * shown and watch.seconds > told + PAUSE:
                    shown, told = done, watch.seconds
                    yield result_of(game, s, shape, tree, watch, before)
    finally:  # the tree may be kept, whoever ends the search
        if record is BatchTree:
            tree.run(forget_waiting)
    tree.check_width()
    if log is not None:
        log.close(go_on, {}, tree.watched)
    yield result_of(game, s, shape, tree, watch, before)


def start(tree: Trees, s: State, asked: Asked, bars: list[int]) -> None:
    """Make s the root; edges by these actions may not be taken."""
    game = tree.game
    forbidden = [int(a in bars) for a in game.actions(s)] + [0] * tree.width
    proves = int(asked.solver and game.players == 2 and not game.has_chance)
    tree.give(simulations=asked.simulations, exploration=asked.exploration, random=first_word(asked.seed, 0))
    tree.give(forbidden=forbidden[: tree.width], most_ends=MOST_ENDS, proves=proves)
    if asked.mix:
        tree.give(mix=asked.mix)
    tree.set("start", [game.layout.pack(s)])
    tree.run(begin)


def room_for(game: Game, record: type[Tree], nodes: int) -> int:
    """Nodes of a tree that holds so many, if memory allows: a power of two, since native code is made for a size."""
    one, two = (record_for(game, record, width=actions_of(game), nodes=n).itemsize for n in (1, 2))
    most = 1 << (MOST_BYTES // (two - one)).bit_length() - 1
    return min(MAX_TREE_NODES, most, max(MIN_TREE_NODES, 1 << (nodes - 1).bit_length()))


def unknown_of(tree: Trees, actions: list[int]) -> set[int]:
    """The actions of the root of which it is not certain what they are worth (`proofs.py`)."""
    child, mover, worth = (tree.get(name)[0] for name in ("child", "mover", "worth"))
    return {a for a, n in zip(actions, child[0], strict=False) if n < 0 or mover[n] != NOBODY or abs(sum(worth[n])) >= NO_SUM}


def result_of(game: Game, s: State, shape: NetworkShape, tree: Trees, watch: Stopwatch, before: int) -> Result:
    """What the tree says of its root, which had so many simulations before this search."""
    actions, visits, total = list(game.actions(s)), tree.get("visits")[0, 0], tree.get("total")[0, 0]
    middle, reach, me = (shape.low + shape.high) / 2, (shape.high - shape.low) / 2, game.to_move(s)
    scores = {a: float(total[k] / visits[k]) * reach + middle for k, a in enumerate(actions) if visits[k]}
    line = line_of(tree)
    action = actions[line[0]]
    simulations, value = int(tree.get("visited")[0, 0]) - before, scores.get(action, middle)
    is_exact = bool(tree.get("known")[0]) and not game.repetition  # which a tree knows nothing of
    bounds = dict.fromkeys(unknown_of(tree, actions) & scores.keys() - {action}, AT_MOST) if is_exact else {}
    scores |= dict.fromkeys(bounds, value)
    told = {me: value, 1 - me: 2 * middle - value} if game.players == 2 else others_of(tree, line) | {me: value}
    values = tuple(told.get(p, middle) for p in range(game.players))
    moves = moves_of(game, s, line)
    return Result(action, value, values, moves, len(moves), simulations, simulations, watch.seconds, scores, is_exact, bounds)


def others_of(tree: Trees, line: list[int]) -> dict[int, float]:
    """What players get, as far as the nodes of this line tell: one who moves there knows his own values, and its end knows them all."""
    child, mover, visited, total, worth = (tree.get(name)[0] for name in ("child", "mover", "visited", "total", "worth"))
    middle, reach = float(tree.get("middle")[0]), float(tree.get("reach")[0])
    told: dict[int, float] = {}
    n = 0
    for k in line:
        n = int(child[n][k])
        if n >= 0 and mover[n] == NOBODY:
            told = dict(enumerate(worth[n].tolist())) | told
        elif n >= 0 and visited[n]:
            told.setdefault(int(mover[n]), float(total[n].sum() / visited[n]))
    return {p: middle + reach * x for p, x in told.items()}


def line_of(tree: Trees) -> list[int]:
    """The edges to take, from the root on, as far as any was tried; at least one."""
    visits, child, count = tree.get("visits")[0], tree.get("child")[0], tree.get("count")[0]
    prior, n = tree.get("prior")[0], 0
    edges: list[int] = []
    while n >= 0 and count[n] and (visits[n][: count[n]].max() > 0 or not edges):
        edges.append(edge_to_take(visits[n][: count[n]], prior[n]))
        n = int(child[n][edges[-1]])
    return edges


def edge_to_take(visits: Any, prior: Any) -> int:
    """The edge that was tried most of those that are not known to be worse than another; of equal ones the likeliest."""
    return max(range(len(visits)), key=lambda k: (prior[k] > NEVER, visits[k], prior[k], -k))


def moves_of(game: Game, s: State, edges: list[int]) -> tuple[int, ...]:
    """The actions of a line of edges, up to where chance moves."""
    moves: list[Any] = []
    for k in edges:
        if game.is_terminal(s) or game.to_move(s) < 0:
            break
        moves.append(list(game.actions(s))[k])
        s = game.result(s, moves[-1])
    return tuple(moves)
