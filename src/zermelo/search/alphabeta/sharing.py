"""How threads share the work within a depth: what another thread searches at the moment is put off (ABDADA, simplified by Kerrigan).

Each thread writes into a table what it searches: an action of a state. Another one that comes to the same state tries its first action
all the same, and of the others those first that nobody searches. When it comes to those put off, the transposition table knows them.
The table is small and unsafe: an entry that another one has overwritten costs work that is done twice.
"""

from __future__ import annotations

from ...bits import i64, u64
from ...lower.memory import load, store
from ..continuation import Continued
from ..move_ordering import bring_best
from ..records import PLIES, room

CLAIMS = 1 << 15  # words of the table
SHARED_DEPTH = 3  # from which on a search takes longer than to look whether another thread is at it
PUT_OFF = -(1 << 60)  # the rank of an action that was put off
MIXER = 0x9E3779B97F4A7C15  # by which the words of actions are multiplied


class Sharing(Continued):
    """The record of a search that shares its work."""

    claims: int  # the table, 0 if there are no other threads
    keys: list[u64] = room(PLIES + 1)  # of the states of the path in the table


# ---- lowered -----------------------------------------------------------------------------------


def bring_next(i: int, n: int, depth: int, ply: int, work: Sharing) -> int:
    """Step 11: swap to place i the most promising of the actions i..n-1 that no other thread searches, if there is one."""
    bring_best(i, n, ply, work)
    if depth >= SHARED_DEPTH and i > 0 and work.claims != 0:
        while work.ranks[ply][i] >= 0 and load(work.claims, place_of(claim_of(work.moves[ply][i], ply, work))) == claim_of(
            work.moves[ply][i], ply, work
        ):
            work.ranks[ply][i] = PUT_OFF | work.ranks[ply][i] & 0xFFFF
            bring_best(i, n, ply, work)
    return i


def claim_of(a: int, ply: int, work: Sharing) -> u64:
    """The word for an action of the state at this ply."""
    return (work.keys[ply] ^ u64(a)) * MIXER & 0xFFFFFFFFFFFFFFFF


def place_of(claim: u64) -> int:
    return i64(claim >> 49)


def claim(a: int, depth: int, ply: int, work: Sharing) -> int:
    """Tell other threads that this one searches action a of the state at this ply."""
    if depth >= SHARED_DEPTH and work.claims != 0:
        word = claim_of(a, ply, work)
        store(work.claims, place_of(word), word)
    return 0


def release(a: int, depth: int, ply: int, work: Sharing) -> int:
    """Tell them that it does no longer."""
    if depth >= SHARED_DEPTH and work.claims != 0:
        word = claim_of(a, ply, work)
        if load(work.claims, place_of(word)) == word:
            store(work.claims, place_of(word), u64(0))
    return 0
