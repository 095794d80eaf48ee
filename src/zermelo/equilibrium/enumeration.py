"""The walk over a whole game that finds its information sets, sequences and ends.

A sequence is what a player has done so far; sequence p is that of player p who has done nothing. Each action of an information set
makes a new one. Players must have perfect recall: all histories of an information set have one sequence of its owner behind them.

    visit(s):
        if s is terminal:  note the sequences of all players, how likely chance is to lead here, and the utilities
        i = the information set of what the player to move observes, new or known
        for each action, the k-th:  visit(result(s, a)) with sequence first(i) + k of that player
"""

from __future__ import annotations

from ..bits import i64, u64
from ..game import CHANCE, Game, State
from ..lower.memory import load, store, to_word
from ..rng import mix
from ..search.endgames.probe import first_slot
from ..search.records import PLAYERS, PLIES, SEEN, WIDTH, WORDS, Grows, room

#: what may end a walk: no room, an information set with other actions, or with another sequence behind it
FULL, OTHER_ACTIONS, FORGOTTEN = range(1, 4)
#: words of a node: who moves and how many actions and the first child; the first sequence or the end; how likely chance is to lead here
NODE = 3
MOVER, COUNT, CHILD = 0, 8, 32  # the bits from which parts of the first word begin; the mover is more by one
END = 255  # the mover of a terminal node


class Enumeration(Grows):
    """The record of the walk."""

    start: list[u64] = room(WORDS)
    moves: list[list[int]] = room(PLIES, WIDTH)
    path: list[int] = room(PLIES)  # the actions that lead to the state that is looked at
    at: int  # how many of them there were when the walk ended because of a fault
    seen: list[u64] = room(SEEN)
    own: list[int] = room(PLAYERS)  # the sequence of each player
    capacity: int  # room for nodes, and so for all else
    has_tree: int  # whether nodes are kept
    fault: int
    node_count: int
    set_count: int
    sequence_count: int
    end_count: int
    slots: int  # pairs of a hash and an information set, more by one
    slot_count: int
    observations: int  # of each information set
    owners: int
    parents: int
    firsts: int
    sizes: int
    actions: int  # of each sequence the last
    ends: int  # of each: sequences, probability, utilities
    nodes: int


def enumerate_game(game: Game, work: Enumeration) -> int:
    """Walk over the game from its start; what ended the walk before, or 0."""
    for p in range(game.players):
        work.own[p] = p
    work.sequence_count = game.players
    work.node_count = 1
    visit(game, game.unpack(work.start), 1.0, 0, 0, work)
    return work.fault


def visit(game: Game, s: State, chance: float, node: int, ply: int, work: Enumeration) -> int:
    """Note s, to which chance leads with this probability, and all that follows."""
    if game.is_terminal(s):
        return note_end(game, s, chance, node, work)
    work.deepest = max(work.deepest, ply)
    if ply >= len(work.moves):
        return 0  # once more, with more room
    n = game.fill(s, work.moves[ply])
    work.widest = max(work.widest, n)
    child, p, first = work.node_count, game.to_move(s), 0
    work.node_count += n
    if n > len(work.moves[ply]):
        return 0
    if work.node_count > work.capacity:
        work.fault = FULL
        return 0
    if p != CHANCE:
        first = first_sequence(game, s, p, n, ply, work)
    if work.has_tree == 1:
        store(work.nodes, NODE * node, u64(p + 1) | u64(n) << COUNT | u64(child) << CHILD)
        store(work.nodes, NODE * node + 1, u64(first))
    for k in range(n):
        if work.fault != 0:
            return 0
        work.path[ply] = work.moves[ply][k]
        if p == CHANCE:
            follow_chance(game, s, k, chance, child + k, ply, work)
        else:
            before = work.own[p]
            work.own[p] = first + k
            visit(game, game.result(s, work.moves[ply][k]), chance, child + k, ply + 1, work)
            work.own[p] = before
    return n


def follow_chance(game: Game, s: State, k: int, chance: float, node: int, ply: int, work: Enumeration) -> int:
    """Go on after the k-th action of chance."""
    if not game.has_chance:
        return 0
    odds = game.probability(s, work.moves[ply][k])
    if work.has_tree == 1:
        store(work.nodes, NODE * node + 2, to_word(odds))
    return visit(game, game.result(s, work.moves[ply][k]), chance * odds, node, ply + 1, work)


def note_end(game: Game, s: State, chance: float, node: int, work: Enumeration) -> int:
    """Write down how the game may end."""
    at, n = work.end_count * (2 * game.players + 1), game.players
    for p in range(n):
        store(work.ends, at + p, u64(work.own[p]))
        store(work.ends, at + n + 1 + p, to_word(game.utility(s, p)))
    store(work.ends, at + n, to_word(chance))
    if work.has_tree == 1:
        store(work.nodes, NODE * node, u64(END))
        store(work.nodes, NODE * node + 1, u64(work.end_count))
    work.end_count += 1
    return 0


def first_sequence(game: Game, s: State, p: int, n: int, ply: int, work: Enumeration) -> int:
    """The first sequence of the information set of s, whose n actions are listed."""
    i = set_of(game, s, p, work)
    if i == work.set_count:
        work.set_count += 1
        store(work.owners, i, u64(p))
        store(work.parents, i, u64(work.own[p]))
        store(work.firsts, i, u64(work.sequence_count))
        store(work.sizes, i, u64(n))
        for k in range(n):
            store(work.actions, work.sequence_count + k, u64(work.moves[ply][k]))
        work.sequence_count += n
    first = i64(load(work.firsts, i))
    work.at = ply
    if i64(load(work.sizes, i)) != n:
        work.fault = OTHER_ACTIONS
        return first
    for k in range(n):
        if load(work.actions, first + k) != u64(work.moves[ply][k]):
            work.fault = OTHER_ACTIONS
    if i64(load(work.parents, i)) != work.own[p]:
        work.fault = FORGOTTEN
    return first


def set_of(game: Game, s: State, p: int, work: Enumeration) -> int:
    """The number of the information set of s; a new one has the next number, and its observation is kept."""
    words = game.pack_observation(s, p, work.seen)
    key = mix(u64(p))
    for k in range(words):
        key = mix(key ^ work.seen[k])
    at = first_slot(key, work.slot_count)
    while load(work.slots, 2 * at + 1) != 0:
        i = i64(load(work.slots, 2 * at + 1)) - 1
        if load(work.slots, 2 * at) == key and is_seen(i, p, words, work):
            return i
        at = (at + 1) & (work.slot_count - 1)
    store(work.slots, 2 * at, key)
    store(work.slots, 2 * at + 1, u64(work.set_count + 1))
    for k in range(words):
        store(work.observations, work.set_count * words + k, work.seen[k])
    return work.set_count


def is_seen(i: int, p: int, words: int, work: Enumeration) -> bool:
    """Whether information set i is of player p and of what was just observed."""
    if i64(load(work.owners, i)) != p:
        return False
    for k in range(words):
        if load(work.observations, i * words + k) != work.seen[k]:
            return False
    return True
