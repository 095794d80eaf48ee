"""PUCT with several leaves of one tree at the network, for searches by the clock: judged together, they are judged sooner.

    while fewer than LEAVES wait, and none comes up that waits:
        SIMULATION down to a leaf, which waits; until its answer comes, each edge of the path counts a visit that was lost
    for each leaf that waits:
        forget these losses, and count what the network says                                                     backup

A node that is proven while leaves below it wait keeps what was proven, and they are forgotten.
"""

from __future__ import annotations

from ...game import Game
from ...lower.rows import get, put
from ..records import room
from .inputs import draw_inputs
from .proofs import is_known
from .puct import add, back_up_utility, descend, is_at_its_end, take_answer, wait
from .record import NO_LEAF, NOBODY, PAUSED, WAITING, Tree

LEAVES = 4  # a network of Othello takes 115 us for each of four, 113 for each of eight, and 150 for one (Xeon, Emerald Rapids)
LOST = 1.0  # what a visit that waits takes away


class BatchTree(Tree):
    """The record. Row 0 of the inputs, logits and values is the leaf's that came last, row i leaf i's."""

    waiting: int  # leaves
    leaves: list[int] = room(LEAVES)
    movers: list[int] = room(LEAVES)  # who moves there


def advance_batch(game: Game, work: BatchTree) -> int:
    """Like `advance`, with all leaves that wait; how many wait then."""
    if work.leaf == NO_LEAF:
        return 0
    if work.waiting == 0:  # the root may have been asked about
        take_answer(game, work)
    for i in range(work.waiting):
        take_row(game, i, work)
    work.waiting = 0
    return gather(game, work)


def gather(game: Game, work: BatchTree) -> int:
    """Simulations until enough leaves wait; how many. Of such a record `most_ends` is not 0."""
    ends, leaf = 0, PAUSED
    while work.waiting < len(work.leaves) and ends < work.most_ends:
        n = -1 if is_at_its_end(work) else descend(game, work)
        if n < 0:
            leaf = NO_LEAF
            break
        if work.mover[n] == WAITING:
            break
        if work.mover[n] == NOBODY:
            back_up_utility(game, n, work)
            ends += 1
        else:
            put_off(game, n, work)
    wait(work.leaves[0] if work.waiting > 0 else leaf, work)
    return work.waiting


def put_off(game: Game, n: int, work: BatchTree) -> int:
    """Let leaf n wait in row 0, from which the one that was there makes room; the root's number, 0."""
    i = work.waiting
    if i > 0:
        for k in range(work.input_count):
            put(work.inputs, i * work.input_count + k, get(work.inputs, k))
        work.leaves[i], work.movers[i] = work.leaves[0], work.movers[0]
    draw_inputs(game, game.unpack(work.states[n]), work)
    work.leaves[0], work.movers[0] = n, work.mover[n]
    work.mover[n] = WAITING
    work.waiting = i + 1
    while n > 0:
        k = work.via[n]
        n = work.parent[n]
        add(n, k, -LOST, work)
    return n


def take_row(game: Game, i: int, work: BatchTree) -> int:
    """Take in what the network says of leaf i; its number."""
    n = work.leaves[i]
    if i > 0:
        values = 1 if game.players == 2 else game.players
        for k in range(work.output_count):
            put(work.logits, k, get(work.logits, i * work.output_count + k))
        for k in range(values):
            put(work.values, k, get(work.values, i * values + k))
    if forget_losses(n, work) == 0:
        work.mover[n] = work.movers[i]
        work.leaf = n
        take_answer(game, work)
    return n


def forget_losses(n: int, work: BatchTree) -> int:
    """Take the visit that waited from each edge between the root and leaf n; how many nodes there have been proven since."""
    proven = 0
    while n > 0:
        c, k = n, work.via[n]
        n = work.parent[n]
        if work.proves != 0 and is_known(c, work):  # each visit counts as what that is worth
            proven += 1
            work.total[n][k] -= work.total[n][k] / work.visits[n][k]
        else:
            work.total[n][k] += LOST
        work.visits[n][k] -= 1
        work.visited[n] -= 1
    return proven


def forget_waiting(game: Game, work: BatchTree) -> int:
    """Let the leaves that wait have no answer: the search is over; how many they were."""
    count = work.waiting
    for i in range(count):
        forget_losses(work.leaves[i], work)
    work.waiting = 0
    return count
