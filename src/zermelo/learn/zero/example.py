"""A state that was remembered as the network learns it: its inputs, and how often each output of the policy was tried."""

from __future__ import annotations

from ...game import Game, State
from ...lower.lanes import lane, lanes, sync
from ...lower.rows import put
from ...search.puct.inputs import draw_inputs, output_of
from ...search.puct.record import Asking
from ...search.records import WIDTH, room

TAKEN = 2.0  # of an output: its action was


class Example(Asking):
    """The record of one example."""

    visits: list[int] = room(WIDTH)
    moves: list[int] = room(WIDTH)
    policy: int  # outputs
    target: int  # the address of the floats that the policy should be


def begin_example(game: Game, s: State, work: Example) -> int:
    """Write the inputs of the state, and 0 for all outputs of the policy; how many actions there are."""
    draw_inputs(game, s, work)
    for i in range(lane(), work.policy, lanes()):
        put(work.target, i, 0.0)
    return min(game.fill(s, work.moves), len(work.moves))


def encode(game: Game, work: Example) -> int:
    """Write the inputs of the state, and the share that each action has of the visits; how many actions there are."""
    s, total = game.unpack(work.start), 0
    count = begin_example(game, s, work)
    for k in range(count):
        total += work.visits[k]
    sync()
    for k in range(lane(), count, lanes()):
        put(work.target, output_of(game, s, work.moves[k], k), float(work.visits[k]) / max(1, total))
    sync()
    return count


def encode_choice(game: Game, work: Example) -> int:
    """Write the inputs of the state, and TAKEN for the action that was visited, 1 for the others; how many actions there are."""
    s = game.unpack(work.start)
    count = begin_example(game, s, work)
    sync()
    for k in range(lane(), count, lanes()):
        put(work.target, output_of(game, s, work.moves[k], k), TAKEN if work.visits[k] > 0 else 1.0)
    sync()
    return count
