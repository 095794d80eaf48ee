"""TD(lambda) by self-play, in its backward view: eligibility traces.

    delta = V(s_{t+1}) - V(s_t),    at the end the outcome - V(s_t)
    e  <-  lambda e + grad V(s_t)
    w  <-  w + alpha delta e

The states s_t are those after each player's action. The weights change after every action: a game is learned from while it is
played, and delta and the gradient are those of the weights at the time. The outputs are sigmoids and the error is their cross entropy,
so the gradient is that of an output before its sigmoid, as in `td.py`. Each output of each player has its own delta, and therefore its own
trace, as large as the model: a step touches all weights, where the forward view of `td.py` touches only rows of inputs that are on.

If the weights stood still within the game (offline), the sum of all steps would be that of the forward view.
"""

from __future__ import annotations

from ..bits import u64
from ..game import CHANCE, Game
from ..lower.memory import load
from ..lower.rows import LANES, axpy, clear, get, put
from ..rng import split, step
from ..search.model.network import add_gradient, deltas_at
from ..search.random_games import choose
from .td import SelfPlay, choose_action, count_game, fill_moves, fill_returns, fill_values, look_at, player_output

NOW, NEXT = 0, 1  # of the states that are remembered: s_t and s_{t+1}


class Tracing(SelfPlay):
    """The record of games that are learned from by traces."""

    floats: int  # of the model
    traces: int  # as many for each outcome of each player
    learned: int  # the floats that change: those of the model, or of a copy to learn offline


def learn_games(game: Game, work: Tracing) -> int:
    """Play the games of the record and learn from each as it goes; how many were played."""
    for g in range(work.games):
        n = play_and_learn(game, split(work.seed, u64(work.first + g)) | 1, work)
        if work.widest > len(work.moves) or not count_game(n, work):
            return g
    return work.games


def play_and_learn(game: Game, random: u64, work: Tracing) -> int:
    """Play a game and learn from each of its states; how many they are, or -1 if the game has no end."""
    s, n = game.unpack(work.start), 0
    clear(work.floats * work.outputs, work.traces, 0)
    for _ in range(work.longest):
        if game.is_terminal(s):
            fill_returns(game, s, work)
            if n > 0:
                change_weights(game, work)
            return n
        random = step(random)
        count = fill_moves(game, s, work)
        if count < 0:
            return -1
        if game.to_move(s) == CHANCE:
            s = game.result(s, choose(game, s, random, work.moves, count))
        else:
            s = game.result(s, choose_action(game, s, count, random, NEXT, work))
            work.plies += 1
            if not game.is_terminal(s):
                if n > 0:
                    fill_values(game, NEXT, work)
                    change_weights(game, work)
                look_at(game, s, NOW, work)  # with the weights as they are now
                leave_traces(game, work)
                n += 1
    return -1


def change_weights(game: Game, work: Tracing) -> int:
    """w <- w + alpha delta e, where the next values or the outcome are in the returns."""
    for k in range(work.outputs):
        i = player_output(game, NOW, k, work)
        delta = work.returns[i] - get(work.trail, work.activations + k)
        work.error += delta * delta
        axpy(work.floats, work.rate * delta, work.traces, i * work.floats, work.learned, 0)
    work.steps += 1
    return work.outputs


def leave_traces(game: Game, work: Tracing) -> int:
    """e <- lambda e + the gradient of each output, among the traces of its player."""
    axpy(work.floats * work.outputs, work.trace - 1.0, work.traces, 0, work.traces, 0)
    planes = int(load(work.path, len(work.planes)) & 255)
    for k in range(work.outputs):
        clear(LANES, work.scratch, deltas_at(work))
        put(work.scratch, deltas_at(work) + k, 1.0)
        at = player_output(game, NOW, k, work) * work.floats
        add_gradient(game, work.path, 0, planes, work.trail, 0, work.faster, work.traces, at, work)
    return work.outputs
