"""What the history of a game forbids at the root of a search: a position that must not come back (superko).

A state does not know what was before it. A search that is given a `History` leaves out at its root what only the history forbids;
below the root it plays by the rules of the state alone.
"""

from __future__ import annotations

from typing import Any

from ..bits import i64
from ..game import Game, State
from ..history import History
from .records import WIDTH, Record, room


class Forbidding(Record):
    """The record of a search that leaves out actions of its root."""

    forbidden_count: int
    forbidden: list[int] = room(WIDTH)


def forbidden_by_history(game: Game, state: State | History | None) -> list[int]:
    """The actions of a state that its history forbids, if it comes with one."""
    if not isinstance(state, History) or game.repetition != "forbidden":
        return []
    return [a for a in game.actions(state.state) if not state.is_new(a)]


def given(forbidden: list[int], width: int) -> dict[str, Any]:
    """These actions as the fields hold them: signed, and as many as fit. The fields of a record are 0 where nothing is given."""
    if not forbidden:
        return {}
    row = [i64(a) for a in forbidden[:width]]
    return {"forbidden_count": len(row), "forbidden": row + [0] * (width - len(row))}


# ---- lowered -----------------------------------------------------------------------------------


def without_forbidden(row: list[int], n: int, work: Forbidding) -> int:
    """Take what is forbidden out of a row of the n actions of the root; how many are left."""
    kept = 0
    for i in range(n):
        a, is_forbidden = row[i], False
        for k in range(work.forbidden_count):
            is_forbidden = is_forbidden or work.forbidden[k] == i64(a)
        if not is_forbidden:
            row[kept] = a
            kept += 1
    return kept
