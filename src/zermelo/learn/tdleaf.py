"""TD-leaf(lambda): temporal differences between the leaves that searches look forward to (Baxter, Tridgell and Weaver, 1998).

    l_t = the last state of the principal variation of a search of s_t to a fixed depth
    G_t = (1 - lambda) V(l_{t+1}) + lambda G_{t+1},    G at the end = the outcome
    w  <-  w + alpha (G_t - V(l_t)) grad V(l_t)

The search's value of s_t is V(l_t), so its gradient is that of the leaf. The states s_t are those in which a player moves, who plays
the action that the search found, or any with probability epsilon. A leaf in which the game is over has the value of its outcome and no
gradient. Weights stand still within a game.
"""

from __future__ import annotations

from ..bits import u64
from ..game import Game, State
from ..lower.memory import store
from ..lower.rows import LANES, put
from ..rng import split, step
from .searched import Searching, chosen, search
from .td import count_game, fill_returns, learn_game, look_at


def learn_games(game: Game, work: Searching) -> int:
    """Play the games of the record and learn from each when it is over; how many were played."""
    for g in range(work.games):
        n = play_game(game, split(work.seed, u64(work.first + g)) | 1, work)
        if work.stopped != 0:
            return g  # once more, with more room
        if n >= 0:
            learn_game(game, n, work)
        if not count_game(n, work):
            return g
    return work.games


def play_game(game: Game, random: u64, work: Searching) -> int:
    """Play a game and remember the leaf of each search; how many they are, or -1 if the game has no end."""
    s = game.unpack(work.opening)
    for n in range(work.longest):
        if game.is_terminal(s):
            fill_returns(game, s, work)
            return n
        random = step(random)
        if not search(game, s, work):
            work.stopped = 1
            return -1
        remember_leaf(game, s, n, work)
        s = game.result(s, chosen(random, work))
        work.plies += 1
    return -1


def remember_leaf(game: Game, s: State, n: int, work: Searching) -> int:
    """Remember the last state of the line that was found as the n-th."""
    t = s
    for k in range(work.lines[0][0]):
        t = game.result(t, work.lines[0][k + 1])
    if not game.is_terminal(t):
        return look_at(game, t, n, work)
    fill_returns(game, t, work)
    outputs = n * (work.activations + LANES) + work.activations
    for k in range(work.outputs):
        put(work.trail, outputs + k, work.returns[k])
    store(work.path, n * (len(work.planes) + 1) + len(work.planes), u64(0))  # no planes, and so no gradient
    return n
