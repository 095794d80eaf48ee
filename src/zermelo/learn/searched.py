"""What TD-leaf, TreeStrap and rote learning share: games in which every move is searched for, by the expectiminimax of `search/`."""

from __future__ import annotations

from ..bits import u64
from ..game import Game, State
from ..lower.memory import store
from ..rng import below, mix, unit
from ..search.expectiminimax import Expecting, root
from ..search.random_games import choose
from ..search.records import WORDS, room
from ..search.table import ENTRY_WORDS
from .td import Learning

BUCKETS = 1 << 10  # of the table, which is cleared before each search: the weights have changed


class Searching(Expecting, Learning):
    """The record of games whose moves are searched for; `start` is where a search begins."""

    opening: list[u64] = room(WORDS)  # where the games do


def search(game: Game, s: State, work: Searching) -> bool:
    """Search s to the depth of the record; False if its actions, or those of a state below, do not fit."""
    game.pack(s, work.start)
    work.root_count = game.fill(s, work.root_moves)
    work.me = game.to_move(s)
    for p in range(game.players):
        work.ours[p] = 1 if p == work.me else 0
    if work.has_table != 0:
        for k in range((work.mask + 1) * 2 * ENTRY_WORDS):
            store(work.table, k, u64(0))
    work.best = 0
    root(game, work)
    return work.stopped == 0 and work.root_count <= len(work.root_moves)


def chosen(random: u64, work: Searching) -> int:
    """The action that the search found, or any with probability epsilon."""
    if unit(random) < work.epsilon:
        return work.root_moves[below(mix(random), work.root_count)]
    return work.root_moves[work.best]


def after_chance(game: Game, s: State, random: u64, work: Searching) -> State:
    """The state after what chance does in s; s itself, and `stopped`, if the list of what it may do does not fit."""
    count = game.fill(s, work.root_moves)
    if count > len(work.root_moves):
        work.widest, work.stopped = count, 1
        return s
    return game.result(s, choose(game, s, random, work.root_moves, count))
