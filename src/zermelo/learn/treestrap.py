"""TreeStrap: every node of a search tree is a lesson (Veness, Silver, Uther and Blair, 2009).

    search s_t to a fixed depth; then for each node s of the tree, with what the table knows of it:
    w  <-  w + alpha (v(s) - V(s)) grad V(s)      if v(s) is exact, or a bound that V(s) violates

v(s) is the value that the search backed up to s. A search with alpha-beta knows only a bound of most nodes; it says nothing of a value that
keeps to it. Nodes at the end of the depth, whose value is V(s) itself, teach nothing. The weights change after every search.
"""

from __future__ import annotations

from ..bits import u64
from ..game import CHANCE, Game, State
from ..rng import split, step
from ..search.depth_first import actions
from ..search.model.network import looker, value_for
from ..search.table import EXACT, LOWER, UPPER, bound_of, depth_of, entry_value, entry_word, probe
from .searched import Searching, after_chance, chosen, search
from .td import count_game, learn_state, look_at


def learn_games(game: Game, work: Searching) -> int:
    """Play the games of the record and learn from each search; how many were played."""
    for g in range(work.games):
        n = play_and_learn(game, split(work.seed, u64(work.first + g)) | 1, work)
        if work.stopped != 0 or not count_game(n, work):
            return g
    return work.games


def play_and_learn(game: Game, random: u64, work: Searching) -> int:
    """Play a game and learn from the search of each move; how many there were, or -1 if the game has no end."""
    s, n = game.unpack(work.opening), 0
    for _ in range(work.longest):
        if game.is_terminal(s):
            return n
        random = step(random)
        if game.to_move(s) == CHANCE:
            s = after_chance(game, s, random, work)
            if work.stopped != 0:
                return -1
        else:
            if not search(game, s, work):
                work.stopped = 1
                return -1
            learn_node(game, s, work.worth, EXACT, work)
            learn_below(game, s, work.depth, 0, work)
            s = game.result(s, chosen(random, work))
            work.plies += 1
            n += 1
    return -1


def learn_below(game: Game, s: State, depth: int, ply: int, work: Searching) -> int:
    """Learn the nodes below s of which the table knows what a search of this depth found; how many actions s has."""
    if depth < 2:
        return 0  # what is below was not searched
    n = actions(game, s, ply, work)
    for i in range(n):
        t = game.result(s, work.moves[ply][i])
        if not game.is_terminal(t):
            at = probe(game.key(t), work)
            if at >= 0 and depth_of(entry_word(at, work)) == depth - 1:
                learn_node(game, t, entry_value(at, work), bound_of(entry_word(at, work)), work)
                learn_below(game, t, depth - 1, ply + 1, work)
    return n


def learn_node(game: Game, s: State, v: float, bound: int, work: Searching) -> int:
    """Move what the model says of s towards v, its value to the player who searched, if it is exact or violated as a bound."""
    look_at(game, s, 0, work)
    now = value_for(game, s, work.me, looker(game, s), work)
    if (bound == LOWER and now >= v) or (bound == UPPER and now <= v):
        return 0
    share = min(max((v - work.lowest) / work.span, 0.0), 1.0)
    work.returns[work.me] = share
    work.returns[1 - work.me] = 1.0 - share
    return learn_state(game, 0, work)
