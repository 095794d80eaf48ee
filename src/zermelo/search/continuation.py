"""Continuation history: how well an action went after the one before it, and after the one before that.

Actions are told apart by what they do (`Game.action_kind`), so that what was found out in one state is of use in many. The table lies
in memory beside the transposition table, and is kept from move to move with it: 8 MiB, of which a search touches little.
"""

from __future__ import annotations

from ..bits import i64, u64
from ..game import Game, State
from ..lower.memory import load, store
from .move_ordering import HISTORY_LIMIT, Ordering
from .records import PLIES, room
from .table import KINDS

WRITTEN_FLAG = 1 << 20  # is added to what is kept: a word of 0 says that nothing is


class Continued(Ordering):
    """The record of a search with a continuation history."""

    pairs: int
    path_kinds: list[int] = room(PLIES + 2)  # of the actions of the path from the second place on, 0 for none


# ---- lowered -----------------------------------------------------------------------------------


def kind_of(game: Game, s: State, a: int) -> int:
    """The kind of an action, as the table has it."""
    return game.action_kind(s, a) & (KINDS - 1)


def pair(kind: int, back: int, p: int, ply: int, work: Continued) -> int:
    """The place of an action of this kind at this ply after the one `back` plies before it."""
    return ((p * 2 + back - 1) * KINDS + work.path_kinds[ply + 2 - back]) * KINDS + kind


def kept(at: int, work: Continued) -> int:
    word = load(work.pairs, at)
    return 0 if word == 0 else i64(word) - WRITTEN_FLAG


def continuation(kind: int, p: int, ply: int, work: Continued) -> int:
    """How well an action of this kind went after the two before it, at most twice the limit of the history."""
    if work.has_history == 0:
        return 0
    return kept(pair(kind, 1, p, ply, work), work) + kept(pair(kind, 2, p, ply, work), work)


def rank_by_continuation(game: Game, s: State, p: int, first: int, n: int, ply: int, work: Continued) -> int:
    """Add to the rank of each action from the first how well it went after those before it."""
    if work.has_history == 0:
        return 0
    for i in range(first, n):
        kind = kind_of(game, s, work.moves[ply][i])
        work.ranks[ply][i] += (2 * HISTORY_LIMIT + continuation(kind, p, ply, work)) << 16
    return n


def remember_continuation(game: Game, s: State, p: int, i: int, bonus: int, ply: int, work: Continued) -> int:
    """The quiet action at place i went well after those before it, the quiet ones that were tried before it did not."""
    if work.has_history == 0:
        return 0
    for k in range(i + 1):
        a = work.moves[ply][k]
        if k == i or not game.is_tactical(s, a):
            kind, more = kind_of(game, s, a), bonus if k == i else -bonus
            for back in range(1, 3):
                at = pair(kind, back, p, ply, work)
                h = kept(at, work)
                store(work.pairs, at, u64(WRITTEN_FLAG + h + more - h * bonus // HISTORY_LIMIT))
    return bonus
