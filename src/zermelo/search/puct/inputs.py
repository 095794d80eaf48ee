"""What the network is given of a state, and which of its outputs belongs to an action."""

from __future__ import annotations

from ...bits import bit, ctz, rest
from ...game import Game, State
from ...lower.lanes import lane, lanes
from ...lower.rows import get, put
from ..model.inputs import fill_planes
from .record import Asking


def draw_inputs(game: Game, s: State, work: Asking) -> int:
    """Write s, as its mover sees it, into the inputs of the network; how many planes that took."""
    p = game.to_move(s)
    n = fill_planes(game, s, p, work)
    if game.has_board:
        draw_board(game, p, n, work)
    elif lane() == 0:
        draw_planes(n, work)
    return n


def draw_board(game: Game, p: int, n: int, work: Asking) -> int:
    """The cells row by row: for each a float for each plane, and a 1, by which the network sees where the board ends."""
    cells = game.board_height * game.board_width
    planes = n // game.plane_words
    first = cells * p if len(game.board_bits) > cells else 0
    for i in range(lane(), cells, lanes()):
        at = game.board_bits[first + i]
        for k in range(planes):
            word = work.planes[k * game.plane_words + (at >> 6)]
            put(work.inputs, i * work.channels + k, 1.0 if word & bit(at & 63) != 0 else 0.0)
        put(work.inputs, i * work.channels + planes, 1.0)
    return cells


def draw_planes(n: int, work: Asking) -> int:
    """Without a board: the inputs that the bits of the planes are, one after the other."""
    for i in range(work.input_count):
        put(work.inputs, i, 0.0)
    for k in range(n):
        bits = work.planes[k]
        while bits:
            i = work.first_input[k] + ctz(bits) * work.input_step[k]
            put(work.inputs, i, get(work.inputs, i) + work.input_scale[k])
            bits = rest(bits)
    return n


def output_of(game: Game, s: State, a: int, k: int) -> int:
    """The output of the policy that stands for action a, the k-th of s; the first one where the game names one that is not there."""
    if game.has_policy_index:
        i = game.policy_index(s, a)
        return i if 0 <= i < game.policy_size else 0
    return k
