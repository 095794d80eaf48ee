"""Rote learning by self-play (A. L. Samuel, 1959): what a search finds is remembered, and later searches ask the memory.

    v, a  <-  SEARCH(s) to a fixed depth, whose leaves have the value that is remembered of them, else EVAL
    remember v of s
    s  <-  RESULT(s, a), or with probability epsilon that of any action

The error that is counted is how far the value of s was from what the search finds.
"""

from __future__ import annotations

from ..bits import u64
from ..game import CHANCE, Game
from ..rng import split, step
from ..search.model.rote import remember_value, rote_value
from .searched import Searching, after_chance, chosen, search
from .td import count_game


def learn_games(game: Game, work: Searching) -> int:
    """Play the games of the record and remember what each search finds; how many were played."""
    for g in range(work.games):
        n = play_and_remember(game, split(work.seed, u64(work.first + g)) | 1, work)
        if work.stopped != 0 or not count_game(n, work):
            return g
    return work.games


def play_and_remember(game: Game, random: u64, work: Searching) -> int:
    """Play a game and remember the value of each state that was searched; how many there were, or -1 if the game has no end."""
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
            v = work.worth if work.me == 0 else -work.worth
            wrong = v - rote_value(game, s, 0, work)
            work.error += wrong * wrong
            work.steps += 1
            remember_value(game, s, v, work)
            s = game.result(s, chosen(random, work))
            work.plies += 1
            n += 1
    return -1
