"""How threads share the work within a depth: what another thread searches at the moment is put off (ABDADA, simplified by Kerrigan).

Each thread writes into a table what it searches: an action of a state. Another one that comes to the same state tries its first action
all the same, and of the others those first that nobody searches. When it comes to those put off, the transposition table knows them.

The table knows enough only if both threads look equally far. Thus an action is reduced by its place in the order of one thread, whatever
was put off before it. One that was put off is reduced by a ply more, because histories of threads differ. A state that step 9 searched a
ply less is entered as if it were whole: with the action that the table now has, another thread would search it all again.

The table of claims is small and unsafe: an entry that another one has overwritten costs work that is done twice.
"""

from __future__ import annotations

from ...bits import i64, u64
from ...lower.memory import load, store
from ..continuation import Continued
from ..move_ordering import TABLE_MOVE, bring_best, index_of
from ..records import PLIES, room

CLAIMS = 1 << 15  # words of the table
SHARED_DEPTH = 3  # from which on a search takes longer than to look whether another thread is at it
PUT_OFF = -(1 << 62)  # the rank of the last action that can be put off; earlier ones have more
MAX_ACTIONS = 1 << 16  # actions of a state, which the low bits of a rank can tell apart
MIXER = 0x9E3779B97F4A7C15  # by which the words of actions are multiplied


class Sharing(Continued):
    """The record of a search that shares its work."""

    claims: int  # the table, 0 if there are no other threads
    keys: list[u64] = room(PLIES + 1)  # of the states of the path in the table
    put_off: list[int] = room(PLIES)  # number of actions of the state at each ply that are put off, and not yet searched
    reduced: list[int] = room(PLIES)  # plies of step 9 that other threads need not make up for


# ---- lowered -----------------------------------------------------------------------------------


def put_off_claimed(i: int, n: int, ply: int, work: Sharing) -> int:
    """Step 11: put off the action at place i, and those brought there instead, while another thread searches them.

    The result is the place of the one that is left in the order of one thread.
    """
    while not is_put_off(i, ply, work) and is_claimed(work.moves[ply][i], ply, work):
        work.ranks[ply][i] = PUT_OFF + (MAX_ACTIONS - i - work.put_off[ply] << 16) + index_of(i, ply, work)
        work.put_off[ply] += 1
        bring_best(i, n, ply, work)
    if not is_put_off(i, ply, work):
        return i + work.put_off[ply]
    work.put_off[ply] -= 1
    return MAX_ACTIONS - (work.ranks[ply][i] - PUT_OFF >> 16)


def is_put_off(i: int, ply: int, work: Sharing) -> bool:
    """Whether the action at place i was put off."""
    return work.ranks[ply][i] < -TABLE_MOVE


def is_claimed(a: int, ply: int, work: Sharing) -> bool:
    """Whether another thread searches action a of the state at this ply."""
    word = claim_of(a, ply, work)
    return load(work.claims, place_of(word)) == word


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
