"""Perft: the number of ways to play on from a state, the fingerprint of a game's rules.

Two programs whose counts agree to a good depth almost surely agree on the rules. A finished game has
no successors; chance's actions count like a player's.
"""

from __future__ import annotations

from typing import Any

from ..errors import ZermeloError
from ..game import Game, State
from ..history import start_of
from .minimax import width_of
from .records import Fields, prepare, room_for

DEEPEST = 1024  # plies: what the stacks of the interpreter and of a thread hold


def perft(game: Game, depth: int | None, state: State | None = None, *, interpreted: bool = False) -> int:
    """How many sequences of exactly `depth` actions start in `state`; with depth None, how many complete games."""
    if depth is not None and not 0 <= depth <= DEEPEST:
        raise ZermeloError(f"perft: expected a depth of 0 to {DEEPEST:,}, not {depth}")
    if interpreted:  # then a game may have any states, and nobody asks who is to move
        start = game.initial() if state is None else state
    else:
        start = start_of(game, state, "perft")
    rows, width = 64, width_of(game)
    while depth is not None and rows < depth:  # few sizes, so that few are compiled
        rows *= 2
    while True:
        fields: Fields = [
            ("start", "u8", (1 if interpreted else game.layout.words,)),
            ("depth", "i8", ()),
            ("moves", "i8", (rows, width)),
            ("deepest", "i8", ()),
            ("widest", "i8", ()),
        ]
        run = prepare(game, count_games if depth is None else count_leaves, fields, interpreted)
        work = run(start=start if interpreted else game.layout.pack(start), depth=depth or 0)
        if work.deepest < rows and work.widest <= width:
            return int(work.value)
        if work.deepest >= DEEPEST:
            raise ZermeloError(f"perft: some game of {game!r} has no end after {DEEPEST:,} actions: expected a depth")
        while work.deepest >= rows:  # the tree is deeper or wider than the room for it: count again with more
            rows *= 2
        width = max(width, room_for(int(work.widest)))


def count_leaves(game: Game, work: Any) -> int:
    return leaves(game, game.unpack(work.start), work.depth, 0, work)


def leaves(game: Game, s: State, depth: int, ply: int, work: Any) -> int:
    """The nodes `depth` below s. The last ply is only counted, not made."""
    if depth == 0:
        return 1
    if depth == 1:
        return game.count(s)
    n = actions(game, s, ply, work)
    total = 0
    for i in range(n):
        total += leaves(game, game.result(s, work.moves[ply][i]), depth - 1, ply + 1, work)
    return total


def count_games(game: Game, work: Any) -> int:
    return games(game, game.unpack(work.start), 0, work)


def games(game: Game, s: State, ply: int, work: Any) -> int:
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


def actions(game: Game, s: State, ply: int, work: Any) -> int:
    """Write the actions of s into the row of this ply; how many fit (`widest` tells if some did not)."""
    n = game.fill(s, work.moves[ply])
    work.widest = max(work.widest, n)
    return min(n, len(work.moves[ply]))
