"""Perft: the number of ways to play on from a state, the fingerprint of a game's rules.

Two programs whose counts agree to a good depth almost surely agree on the rules. A finished game has
no successors; chance's actions count like a player's.
"""

from __future__ import annotations

from ..bits import u64
from ..errors import ZermeloError
from ..game import Game, State
from ..history import start_of
from .depth_first import Lists, actions
from .prepare import prepare, width_of, with_room
from .records import WORDS, room

MAX_PLIES = 1024  # what the stacks of the interpreter and of a thread hold


class Counting(Lists):
    """The record of perft."""

    start: list[u64] = room(WORDS)
    depth: int


def perft(game: Game, depth: int | None, state: State | None = None, *, interpreted: bool = False) -> int:
    """How many sequences of exactly `depth` actions start in `state`; with depth None, how many complete games."""
    if depth is not None and not 0 <= depth <= MAX_PLIES:
        raise ZermeloError(f"perft: expected a depth of 0 to {MAX_PLIES:,}, not {depth}")
    if interpreted:  # then a game may have any states, and nobody asks who is to move
        start = game.initial() if state is None else state
    else:
        start = game.layout.pack(start_of(game, state, "perft"))
    plies = 64
    while depth is not None and plies < depth:  # few sizes, so that few are compiled
        plies *= 2

    def attempt(plies: int, width: int) -> Counting:
        count = count_games if depth is None else count_leaves
        return prepare(game, count, Counting, interpreted, plies=plies, width=width)(start=start, depth=depth or 0)

    endless = f"perft: some game of {game!r} has no end after {MAX_PLIES:,} actions: expected a depth"
    return int(with_room(attempt, plies, width_of(game), endless, MAX_PLIES).value)


def count_leaves(game: Game, work: Counting) -> int:
    return leaves(game, game.unpack(work.start), work.depth, 0, work)


def leaves(game: Game, s: State, depth: int, ply: int, work: Counting) -> int:
    """The nodes `depth` below s. The last ply is only counted, not made."""
    if depth == 0:
        return 1
    if depth == 1:
        if not game.ends_without_actions and game.is_terminal(s):
            return 0
        return game.count(s)
    n = actions(game, s, ply, work)
    total = 0
    for i in range(n):
        total += leaves(game, game.result(s, work.moves[ply][i]), depth - 1, ply + 1, work)
    return total


def count_games(game: Game, work: Counting) -> int:
    return games(game, game.unpack(work.start), 0, work)


def games(game: Game, s: State, ply: int, work: Counting) -> int:
    """The ways to play from s to the end."""
    work.deepest = max(work.deepest, ply)
    if ply == len(work.moves):
        return 0
    if game.is_terminal(s):
        return 1
    n = actions(game, s, ply, work)
    total = 0
    for i in range(n):
        total += games(game, game.result(s, work.moves[ply][i]), ply + 1, work)
    return total
