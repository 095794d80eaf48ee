"""What the network is given of states: rows of floats, one for each state, which the lanes of a record write side by side."""

from __future__ import annotations

from typing import Any

from ...bits import ctz, rest, u64
from ...game import Game, State
from ...lower.lanes import lane
from ...lower.rows import get, put
from ...search.model.network import looker, phase_of
from ...search.puct.shape import plane_rows
from ...search.records import PLANES, WORDS, Record, room

MOST_LANES = 32


class Describing(Record):
    """The record of an algorithm that describes states to a network in torch."""

    inputs: int  # the address of the rows of all records, 0 before they are written
    input_count: int  # floats of a row
    plane_count: int
    first_input: list[int] = room(PLANES)  # as in `Game.plane_inputs`
    input_step: list[int] = room(PLANES)
    input_scale: list[float] = room(PLANES)
    is_added: list[int] = room(PLANES)  # whether an input of the plane may be on already, by another bit or plane
    sights: list[list[u64]] = room(MOST_LANES, PLANES)  # the planes that each lane has before it


def describe(game: Game, s: State, p: int, row: int, work: Describing) -> int:
    """Write what player p sees of s into a row; how many planes that took."""
    at, mine = row * work.input_count, lane()
    n = fill_sight(game, s, p, work)
    for k in range(n):
        bits = work.sights[mine][k]
        while bits:
            i = at + work.first_input[k] + ctz(bits) * work.input_step[k]
            put(work.inputs, i, work.input_scale[k] + (get(work.inputs, i) if work.is_added[k] != 0 else 0.0))
            bits = rest(bits)
    return n


def planes_for(game: Game) -> dict[str, Any]:
    """What a record holds of the planes of the game."""
    known, seen = plane_rows(game), set[int]()
    added = [0] * len(known["first_input"])
    for k in range(known["plane_count"]):
        first, step = known["first_input"][k], known["input_step"][k]
        inputs = {first + b * step for b in range(64)}
        added[k] = int(step == 0 or bool(inputs & seen))
        seen |= inputs
    return known | {"is_added": added}


def fill_sight(game: Game, s: State, p: int, work: Describing) -> int:
    """Write the planes of s as player p sees it into the row of this lane; how many they are. As `search/model/inputs.py`."""
    mine = lane()
    if game.has_planes:
        return min(game.fill_planes(s, p, work.sights[mine]), work.plane_count)
    n = game.pack(s, work.sights[mine])
    work.sights[mine][n] = u64(1) << u64(p) | u64(2) << u64(game.players + game.to_move(s))
    return n + 1


class Example(Describing):
    """The record of one state that is learned from."""

    state: list[u64] = room(WORDS)
    row: int
    view: int  # who looks
    phase: int


def encode(game: Game, work: Example) -> int:
    """Write the row of the state, who looks at it and in which phase it is; who looks."""
    s = game.unpack(work.state)
    work.view, work.phase = looker(game, s), phase_of(game, s)
    describe(game, s, work.view, work.row, work)
    return work.view
