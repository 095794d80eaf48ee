"""A search guided by a network, as a player asks for it: one tree, which grows until it has its simulations or the time is up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...game import Game, State
from ..montecarlo import first_word
from ..notes import WATCHED, watched_by
from ..searcher import Result, Stopwatch
from ..stop import Stop
from .kept_tree import KeptTree
from .mixed import MixedTree, advance_mixed
from .network import load_for
from .puct import advance, begin
from .record import NO_LEAF, NOBODY, PAUSED, Tree
from .shape import NetworkShape, actions_of, nodes_for, record_for
from .trees import Trees

SMALLEST, LARGEST = 1 << 7, 1 << 17  # nodes of a tree
MOST_BYTES = 1 << 30  # of a tree: a record of numpy's cannot have twice as many
MOST_ENDS = 256  # simulations in a row that end in terminal states, without a look at the clock
PAUSE = 0.1  # seconds between two Results once they are no longer twice the simulations apart


def grow(
    game: Game,
    s: State,
    net: str,
    simulations: int,
    exploration: float,
    mix: float,
    bars: list[int],
    seed: int,
    seconds: float | None,
    stop: Stop,
    interpreted: bool,
    kept: KeptTree | None,
) -> Iterator[Result]:
    """Yield a Result each time the simulations have doubled and a tenth of a second has passed. `kept` has a tree to go on with."""
    shape, network = load_for(game, net)
    record, go_on = (MixedTree, advance_mixed) if mix else (Tree, advance)
    wanted = nodes_for(game, simulations)
    room = room_for(game, record, wanted if kept is None else 2 * wanted)
    log = watched_by()
    tree = Trees(game, shape, 1, record, interpreted, nodes=room, watch=1 if log is None else WATCHED)
    if log is not None:
        tree.watch(log.field())
    actions = list(game.actions(s))
    forbidden = [int(a in bars) for a in actions] + [0] * tree.width
    tree.give(simulations=simulations, exploration=exploration, random=first_word(seed, 0), forbidden=forbidden[: tree.width])
    tree.give(most_ends=MOST_ENDS)
    if mix:
        tree.give(mix=mix)
    tree.set("start", [game.layout.pack(s)])
    tree.run(begin)
    tree.prepare(go_on)  # before the clock runs
    network(tree.inputs)
    watch, shown, told, before = Stopwatch(), 1, 0.0, 0
    with stop.after(seconds):
        if kept is not None:
            kept.carry(tree, room - min(wanted, room // 2))
            before = kept.visits
            tree.give(simulations=before + simulations)
        while (leaf := int(tree.get("leaf")[0])) != NO_LEAF:
            if leaf != PAUSED:
                tree.logits[:], tree.values[:] = network(tree.inputs)
            tree.run(go_on)
            done = int(tree.get("visited")[0, 0]) - before
            if done and stop.is_set:
                break
            if done >= 2 * shown and watch.seconds > told + PAUSE:
                shown, told = done, watch.seconds
                yield result_of(game, s, shape, tree, watch, before)
    tree.check_width()
    if log is not None:
        log.close(go_on, {}, tree.watched)
    yield result_of(game, s, shape, tree, watch, before)


def room_for(game: Game, record: type[Tree], nodes: int) -> int:
    """Nodes of a tree that holds so many, if memory allows: a power of two, since native code is made for a size."""
    one, two = (record_for(game, record, width=actions_of(game), nodes=n).itemsize for n in (1, 2))
    most = 1 << (MOST_BYTES // (two - one)).bit_length() - 1
    return min(LARGEST, most, max(SMALLEST, 1 << (nodes - 1).bit_length()))


def result_of(game: Game, s: State, shape: NetworkShape, tree: Trees, watch: Stopwatch, before: int) -> Result:
    """What the tree says of its root, which had so many simulations before this search."""
    actions, visits, total = list(game.actions(s)), tree.get("visits")[0, 0], tree.get("total")[0, 0]
    middle, reach, me = (shape.low + shape.high) / 2, (shape.high - shape.low) / 2, game.to_move(s)
    scores = {a: float(total[k] / visits[k]) * reach + middle for k, a in enumerate(actions) if visits[k]}
    line = line_of(tree)
    action = actions[line[0]]
    simulations, value = int(tree.get("visited")[0, 0]) - before, scores.get(action, middle)
    told = {me: value, 1 - me: 2 * middle - value} if game.players == 2 else others_of(tree, line) | {me: value}
    values = tuple(told.get(p, middle) for p in range(game.players))
    moves = moves_of(game, s, line)
    return Result(action, value, values, moves, len(moves), simulations, simulations, watch.seconds, scores, False)


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
    """The edges that were tried most, from the root on; at least one."""
    visits, child, count = tree.get("visits")[0], tree.get("child")[0], tree.get("count")[0]
    prior, n = tree.get("prior")[0], 0
    edges: list[int] = []
    while n >= 0 and count[n] and (visits[n][: count[n]].max() > 0 or not edges):
        row = visits[n][: count[n]]
        best = [k for k in range(int(count[n])) if row[k] == row.max()]
        edges.append(max(best, key=lambda k: (prior[n][k], -k)))
        n = int(child[n][edges[-1]])
    return edges


def moves_of(game: Game, s: State, edges: list[int]) -> tuple[int, ...]:
    """The actions of a line of edges, up to where chance moves."""
    moves: list[Any] = []
    for k in edges:
        if game.is_terminal(s) or game.to_move(s) < 0:
            break
        moves.append(list(game.actions(s))[k])
        s = game.result(s, moves[-1])
    return tuple(moves)
