"""The sequence form of a game, as arrays: made once, then all that a strategy earns is sums over them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import ZermeloError
from ..game import Game, State
from ..history import start_of
from ..lower.memory import Words
from ..search.prepare import observed_words, prepare, width_of, with_room
from .enumeration import CHILD, END, FORGOTTEN, FULL, NODE, Enumeration, enumerate_game

LIMIT = 50_000_000  # nodes of a game, if nobody gives another limit
MOST_NODES = (1 << 64 - CHILD) - 1  # that a node can name
FIRST_CAPACITY, GROWTH = 1 << 16, 8  # room for nodes at first, and how many times more after it was not enough
FIRST_PLIES, MOST_PLIES = 64, 4096

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class SequenceForm:
    """A game as its sequence form (`sequences.py` says what the arrays mean)."""

    players: int
    nodes: int  # of the whole tree
    ends: int  # of it
    set_begin: Array
    parents: Array
    firsts: Array
    rows: Array
    pays: Array
    columns: Array
    actions: Array  # the last action of each sequence
    observations: Array  # the words that the owner of each information set observes
    tree: Array | None  # the words of each node, if the tree is kept
    utilities: Array | None  # of each end for each player, if the tree is kept

    @property
    def sets(self) -> int:
        """How many information sets there are."""
        return len(self.parents)

    @property
    def sequences(self) -> int:
        """How many sequences there are, with the empty ones."""
        return len(self.actions)

    @property
    def owners(self) -> Array:
        """The player of each information set."""
        return np.repeat(np.arange(self.players), np.diff(self.set_begin))

    def memory(self, interpreted: bool) -> dict[str, Words]:
        """What algorithms read of it, by the names of fields."""
        names = ("parents", "firsts", "rows", "pays", "columns")
        return {name: Words.of(getattr(self, name), interpreted) for name in names}


def sequence_form(game: Game, *, has_tree: bool = False, limit: int = LIMIT, interpreted: bool = False) -> SequenceForm:
    """The sequence form of a game; ZermeloError if it has more nodes than `limit`, or a player forgets what it knew."""
    if not 1 <= limit <= MOST_NODES:
        raise ZermeloError(f"expected a limit of 1 to {MOST_NODES:,} nodes, not {limit:,}")
    start, seen = start_of(game, None, "solve"), observed_words(game)
    capacity = min(limit, FIRST_CAPACITY)
    while True:
        work, memory = _enumerated(game, start, capacity, seen, has_tree, interpreted)
        if work.fault != FULL:
            break
        if capacity == limit:
            raise ZermeloError(f"{game!r} has more than {limit:,} nodes: expected fewer, or a higher limit")
        capacity = min(limit, capacity * GROWTH)
    if work.fault:
        _refuse(game, start, work)
    return _arranged(game.players, seen, work, memory, has_tree)


def _room(game: Game, capacity: int, seen: int, has_tree: bool, interpreted: bool) -> dict[str, Words]:
    """Memory for a walk over this many nodes; what is not touched is not taken."""
    sizes = dict.fromkeys(("owners", "parents", "firsts", "sizes"), capacity)
    sizes |= {"slots": 4 << capacity.bit_length(), "observations": seen * capacity, "actions": capacity + game.players}
    sizes |= {"ends": (2 * game.players + 1) * capacity, "nodes": NODE * capacity if has_tree else 0}
    return {name: Words(n, interpreted) for name, n in sizes.items()}


def _enumerated(
    game: Game, start: State, capacity: int, seen: int, has_tree: bool, interpreted: bool
) -> tuple[Enumeration, dict[str, Words]]:
    """Walk over the game with room for this many nodes; the record, and the memory of the walk."""
    memory: dict[str, Words] = {}
    given: dict[str, Any] = {"capacity": capacity, "has_tree": int(has_tree), "slot_count": 2 << capacity.bit_length()}
    given["start"] = start if interpreted else game.layout.pack(start)

    def attempt(plies: int, width: int) -> Enumeration:
        memory.update(_room(game, capacity, seen, has_tree, interpreted))
        tables = {name: words.table for name, words in memory.items()}
        return prepare(game, enumerate_game, Enumeration, interpreted, plies=plies, width=width, seen=seen)(**given, **tables)

    endless = f"some game of {game!r} has no end after {MOST_PLIES:,} actions: expected a game whose tree is finite"
    return with_room(attempt, FIRST_PLIES, width_of(game), endless, MOST_PLIES), memory


def _refuse(game: Game, start: State, work: Enumeration) -> None:
    """ZermeloError with what the walk found wrong, and where."""
    s = start
    for a in work.path[: work.at]:
        s = game.result(s, int(a))
    p = game.to_move(s)
    what = "has done other things before it" if work.fault == FORGOTTEN else "has other actions"
    raise ZermeloError(
        f"{game!r}: observe gives {game.player_name(p)} the same in {game.write_state(s)} as in a state where the player {what}: "
        f"expected an observation of all that a player has seen and done"
    )


def _arranged(players: int, seen: int, work: Enumeration, memory: dict[str, Words], has_tree: bool) -> SequenceForm:
    """The arrays in the order that algorithms walk them in: players one after the other."""
    sets, count = int(work.set_count), int(work.end_count)

    def numbers(name: str, n: int) -> Array:
        return memory[name].read(0, n).astype(np.int64)

    owners, sizes = numbers("owners", sets), numbers("sizes", sets)
    order = np.argsort(owners, kind="stable")
    firsts = np.concatenate([[players], players + np.cumsum(sizes[order])])
    moved = np.arange(int(work.sequence_count))  # where each sequence goes
    old_firsts = numbers("firsts", sets)[order]
    within = np.arange(len(moved) - players) - np.repeat(firsts[:-1] - players, sizes[order])
    moved[np.repeat(old_firsts, sizes[order]) + within] = np.arange(players, len(moved))
    actions = np.zeros(len(moved), np.int64)
    actions[moved] = numbers("actions", len(moved))
    table = memory["ends"].read(0, count * (2 * players + 1)).reshape(count, -1)
    utilities = table[:, players + 1 :].copy().view(np.float64)
    rows, pays, columns = _rows(
        moved[table[:, :players].astype(np.int64)], table[:, players].copy().view(np.float64), utilities, len(moved)
    )
    return SequenceForm(
        players=players,
        nodes=int(work.node_count),
        ends=count,
        set_begin=np.searchsorted(owners[order], np.arange(players + 1)),
        parents=moved[numbers("parents", sets)[order]],
        firsts=firsts,
        rows=rows,
        pays=pays,
        columns=columns,
        actions=actions,
        observations=memory["observations"].read(0, sets * seen).reshape(sets, seen)[order],
        tree=_tree(memory["nodes"].read(0, NODE * int(work.node_count)).reshape(-1, NODE), moved) if has_tree else None,
        utilities=utilities if has_tree else None,
    )


def _rows(sequences: Array, chance: Array, utilities: Array, total: int) -> tuple[Array, Array, Array]:
    """Of each sequence the ends that it leads to: where they begin, what they pay, and the sequences of the others.

    Ends with the same sequences of all players are one; ends that pay nothing are none.
    """
    players = sequences.shape[1]
    order = np.lexsort(sequences.T[::-1])
    sequences, weighted = sequences[order], (chance[:, None] * utilities)[order]
    is_new = np.any(np.diff(sequences, axis=0, prepend=-1), axis=1)
    starts = np.flatnonzero(is_new)
    sequences, paid = sequences[starts], np.add.reduceat(weighted, starts)
    own, pays, columns = [], [], []
    for p in range(players):
        some = np.flatnonzero(paid[:, p])
        some = some[np.argsort(sequences[some, p], kind="stable")]
        own.append(sequences[some, p])
        pays.append(paid[some, p])
        columns.append(np.delete(sequences[some], p, axis=1))
    place = np.argsort(np.concatenate(own), kind="stable")
    rows = np.searchsorted(np.concatenate(own)[place], np.arange(total + 1))
    return rows, np.concatenate(pays)[place], np.concatenate(columns)[place]


def _tree(nodes: Array, moved: Array) -> Array:
    """The nodes with the sequences where they went."""
    nodes = nodes.copy()
    is_player = (nodes[:, 0] & np.uint64(END) != END) & (nodes[:, 0] & np.uint64(END) != 0)
    nodes[is_player, 1] = moved[nodes[is_player, 1].astype(np.int64)]
    return nodes
