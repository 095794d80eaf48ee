"""What the history of a game forbids at the root of a search: a position that must not come back (superko).

A state does not know what was before it. A search that is given a `History` leaves out at its root what only the history forbids;
below the root it plays by the rules of the state alone.
"""

from __future__ import annotations

from typing import Any

from ..bits import i64
from ..game import Game, State
from ..history import History
from .records import Fields


def barred(game: Game, state: State | History | None) -> list[int]:
    """The actions of a state that its history forbids, if it comes with one."""
    if not isinstance(state, History) or game.repetition != "forbidden":
        return []
    return [a for a in game.actions(state.state) if not state.is_new(a)]


def fields(width: int) -> Fields:
    """What the record of a search has for it."""
    return [("barred", "i8", ()), ("bars", "i8", (width,))]


def given(bars: list[int], width: int) -> dict[str, Any]:
    """These actions as the fields hold them: signed, and as many as fit. The fields of a record are 0 where nothing is given."""
    if not bars:
        return {}
    row = [i64(a) for a in bars[:width]]
    return {"barred": len(row), "bars": row + [0] * (width - len(row))}


# ---- lowered -----------------------------------------------------------------------------------


def lawful(row: Any, n: int, work: Any) -> int:
    """Take what is barred out of a row of the n actions of the root; how many are left."""
    kept = 0
    for i in range(n):
        a, is_barred = row[i], False
        for k in range(work.barred):
            is_barred = is_barred or work.bars[k] == i64(a)
        if not is_barred:
            row[kept] = a
            kept += 1
    return kept
