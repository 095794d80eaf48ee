"""PUCT: Monte Carlo tree search in which a network says what a state is worth and which actions look good, and no game is played out.

    SIMULATION:
        n = the root
        while n has a child for the edge that is chosen:
            k = the edge of n with the greatest  Q(n, k) + C * P(n, k) * sqrt(1 + N(n)) / (1 + N(n, k))      selection
            n = the child of k
        P(n, .), v = NETWORK(n), or v = UTILITY(n)                                                           expansion
        for each edge k of a node m on the way back to the root:                                             backup
            N(m, k) += 1,  W(m, k) += v for the player who moves in m,  Q = W / N

Where chance moves, an edge is drawn by probability. An edge that was never tried has Q = 0, the middle of all values.

One leaf waits for the network at a time, so a search is exactly the sequential one, wherever it runs: a batch of the network are the
leaves of many games. `advance` is called with what the network said of the last leaf, and leaves the next one in the inputs.
"""

from __future__ import annotations

import math

from ...game import CHANCE, Game, State
from ...lower.lanes import best_of_lanes, lane, lanes, largest_of_lanes, sum_of_lanes, sync
from ...lower.rows import get
from ...rng import step, unit
from ..notes import BACKUP, EXPAND, GO, JUDGED, NO_PLAYOUT, PICK, SIMULATE, VALUE, note, only_notes
from .exponential import exponential
from .inputs import draw_inputs, output_of
from .proofs import settle
from .record import NEVER, NO_LEAF, NOBODY, PAUSED, Tree


def begin(game: Game, work: Tree) -> int:
    """Make the start the root; it waits for the network. Whether it does: 0 if the game is over there."""
    return begin_at(game, game.unpack(work.start), work)


def begin_at(game: Game, s: State, work: Tree) -> int:
    """The same for any state in which a player moves."""
    open_node(game, s, 0, -1, -1, work)
    asks = 0 if work.mover[0] == NOBODY else 1
    if asks != 0:
        draw_inputs(game, s, work)
    sync()
    if lane() == 0:
        work.used = 1
        work.known = 0
        work.leaf = 0 if asks != 0 else NO_LEAF
    sync()
    return asks


def advance(game: Game, work: Tree) -> int:
    """Take in what the network says of the leaf, and go on until it must be asked again; whether it must: 0 at the end of the search."""
    if work.leaf == NO_LEAF:
        return 0
    take_answer(game, work)
    return search_on(game, work)


def take_answer(game: Game, work: Tree) -> int:
    """Give the leaf the priors that the network says, and its edges back to the root the value; the leaf's number."""
    n = work.leaf
    if n >= 0:
        take_priors(game, n, work)
        note(EXPAND, 0, n, work.count[n], float(work.mover[n]), 0.0, work)
        if lane() == 0:
            back_up_values(game, n, work)
        sync()
    return n


def search_on(game: Game, work: Tree) -> int:
    """Simulations until one ends where the network must be asked; 0 if there are none left."""
    ends = 0
    while not is_at_its_end(work):
        n = descend(game, work)
        if n < 0:
            break
        if work.mover[n] != NOBODY:
            draw_inputs(game, game.unpack(work.states[n]), work)
            sync()
            if lane() == 0:
                work.leaf = n
            sync()
            return 1
        if lane() == 0:
            back_up_utility(game, n, work)
        sync()
        ends += 1
        if ends == work.most_ends:
            return wait(PAUSED, work)
    return wait(NO_LEAF, work)


def is_at_its_end(work: Tree) -> bool:
    """Whether the search has its simulations, or all the nodes that it may have, or knows what the root is worth."""
    return work.visited[0] >= work.simulations or work.used >= len(work.mover) or work.widest != 0 or work.known != 0


def wait(leaf: int, work: Tree) -> int:
    """Have nothing to ask the network; whether the search goes on."""
    sync()
    if lane() == 0:
        work.leaf = leaf
    sync()
    return 0 if leaf == NO_LEAF else 1


# ---- selection -------------------------------------------------------------------------------


def descend(game: Game, work: Tree) -> int:
    """From the root to a state that is new, settled or waiting; its node, or -1 if the tree is full."""
    n, depth = 0, 0
    while work.mover[n] > NOBODY:
        depth += 1
        k = drawn_edge(game, n, work) if work.mover[n] == CHANCE else best_edge(n, work)
        c = work.child[n][k]
        is_new = c < 0
        if is_new:
            c = work.used
            if c >= len(work.mover):
                return -1
            open_node(game, game.result(game.unpack(work.states[n]), work.actions[n][k]), c, n, k, work)
        note_step(n, k, c, depth, work)
        if is_new and work.mover[c] != CHANCE:
            return c
        n = c
    return n


def best_edge(n: int, work: Tree) -> int:
    """The edge that PUCT prefers; of equal ones the first."""
    scale = work.exploration * math.sqrt(1.0 + work.visited[n])
    best, chosen = -1.0e300, len(work.child[n])
    for k in range(lane(), work.count[n], lanes()):
        visits = float(work.visits[n][k])
        x = scale * work.prior[n][k] / (1.0 + visits)
        if visits > 0.0:
            x += work.total[n][k] / visits
        if x > best:
            best, chosen = x, k
    chosen = best_of_lanes(best, chosen)
    note_choice(n, chosen, scale, work)
    return chosen


def drawn_edge(game: Game, n: int, work: Tree) -> int:
    """An edge of a node where chance moves, by probability."""
    s = game.unpack(work.states[n])
    random = step(work.random)
    sync()
    if lane() == 0:
        work.random = random
    sync()
    return drawn(game, s, n, random, work)


def drawn(game: Game, s: State, n: int, random: int, work: Tree) -> int:
    """The edge of node n, whose state s is, that this random word means."""
    x, last = unit(random), work.count[n] - 1
    for k in range(last):
        x -= game.probability(s, work.actions[n][k])
        if x < 0.0:
            return k
    return last


# ---- expansion -------------------------------------------------------------------------------


def open_node(game: Game, s: State, n: int, parent: int, via: int, work: Tree) -> int:
    """Make s node n, behind an edge of its parent, with edges that were never tried; how many they are."""
    sync()  # all lanes know by now what is changed here
    is_over = game.is_terminal(s)
    count = 0 if is_over else game.fill(s, work.actions[n])
    if count > len(work.actions[n]):
        work.widest = count
        count = len(work.actions[n])
    for k in range(lane(), count, lanes()):
        work.child[n][k] = -1
        work.visits[n][k] = 0
        work.total[n][k] = 0.0
        work.prior[n][k] = 1.0 / count
    if lane() == 0:
        game.pack(s, work.states[n])
        work.count[n] = count
        work.visited[n] = 0
        work.mover[n] = NOBODY if is_over else game.to_move(s)
        work.parent[n] = parent
        work.via[n] = via
        if is_over:
            for p in range(game.players):
                work.worth[n][p] = (game.utility(s, p) - work.middle) / work.reach
        if parent >= 0:
            work.child[parent][via] = n
            work.used = n + 1
    sync()
    return count


def take_priors(game: Game, n: int, work: Tree) -> int:
    """Softmax of the network's logits over the actions of node n; how many they are."""
    s, count = game.unpack(work.states[n]), work.count[n]
    largest, total = -1.0e300, 0.0
    for k in range(lane(), count, lanes()):
        x = get(work.logits, output_of(game, s, work.actions[n][k], k))
        work.prior[n][k] = x
        largest = max(largest, x)
    largest = largest_of_lanes(largest)
    for k in range(lane(), count, lanes()):
        x = exponential(work.prior[n][k] - largest)
        work.prior[n][k] = x
        total += x
    total = sum_of_lanes(total)
    for k in range(lane(), count, lanes()):
        work.prior[n][k] = work.prior[n][k] / total if n > 0 or work.forbidden[k] == 0 else NEVER
    sync()
    return count


# ---- backup ----------------------------------------------------------------------------------


def back_up_values(game: Game, n: int, work: Tree) -> int:
    """Every edge from the root to n counts the visit and what the network says of n; the root's number, 0."""
    me = work.mover[n]
    note_values(game, n, JUDGED, work)
    while n > 0:
        k = work.via[n]
        n = work.parent[n]
        add(n, k, network_value(game, me, work.mover[n], work), work)
        note_visit(n, k, work.mover[n], work)
    return n


def network_value(game: Game, me: int, p: int, work: Tree) -> float:
    """What the network says of a state where `me` moves, to player p: of two, one has what the other has not."""
    if p < 0:
        return 0.0
    if game.players == 2:
        v = get(work.values, 0)
        return v if p == me else -v
    return get(work.values, p - me if p >= me else p - me + game.players)


def back_up_utility(game: Game, n: int, work: Tree) -> int:
    """Every edge from the root to n, which is terminal or as good as that, counts the visit and the utility; the root's number, 0."""
    end, is_known = n, work.proves
    note_values(game, n, 0 if work.count[n] == 0 else NO_PLAYOUT, work)
    while n > 0:
        k = work.via[n]
        n = work.parent[n]
        p = work.mover[n]
        add(n, k, work.worth[end][p] if p >= 0 else 0.0, work)
        if is_known != 0:
            is_known = settle(n, k, work)
            end = n if is_known != 0 else end
        note_visit(n, k, p, work)
    return n


def add(n: int, k: int, value: float, work: Tree) -> int:
    """Count a visit of edge k of node n; how often the node was left so far."""
    work.visits[n][k] += 1
    work.total[n][k] += value
    work.visited[n] += 1
    return work.visited[n]


# ---- notes for who watches -------------------------------------------------------------------


def note_choice(n: int, k: int, scale: float, work: Tree) -> int:
    """Note the terms by which edge k of node n was preferred."""
    if len(work.watch) == 1:
        return 0
    visits, mean = float(work.visits[n][k]), 0.0
    if visits > 0.0:
        mean = work.total[n][k] / visits
    bonus = scale * work.prior[n][k] / (1.0 + visits)
    return note(PICK, 0, n, k, work.middle + work.reach * mean, work.reach * bonus, work)


def note_step(n: int, k: int, c: int, depth: int, work: Tree) -> int:
    """Note that the path goes on from node n by edge k to node c."""
    if len(work.watch) == 1:
        return 0
    mover = 0 if work.mover[c] == NOBODY else work.mover[c]
    return note(GO, depth, c, work.actions[n][k], work.prior[n][k], float(mover), work)


def note_values(game: Game, n: int, plies: int, work: Tree) -> int:
    """Note what a simulation that ends in node n gives each player: what the network says (JUDGED), or the utilities."""
    if len(work.watch) == 1 or n == 0:
        return 0
    for p in range(game.players):
        x = network_value(game, work.mover[n], p, work) if plies == JUDGED else work.worth[n][p]
        note(VALUE, 0, p, 0, work.middle + work.reach * x, 0.0, work)
    work.watch[3] += 1
    return note(SIMULATE, 0, n, plies, 0.0, 0.0, work)


def note_visit(n: int, k: int, p: int, work: Tree) -> int:
    """Note what is known by now of the node behind edge k of node n, to p, who moves in n; of the root, how often it was visited."""
    if len(work.watch) == 1:
        return 0
    mean = work.middle + work.reach * work.total[n][k] / float(work.visits[n][k])
    note(BACKUP, 0, work.child[n][k], work.visits[n][k], mean, float(p), work)
    if n == 0:
        note(BACKUP, 0, 0, 1 + work.visited[0], 0.0, -1.0, work)
    return 1


only_notes(note_choice, note_step, note_values, note_visit)
