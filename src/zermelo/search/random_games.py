"""Games played at random: the algorithm, for the CPU and for a thread of a GPU."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ..bits import u64
from ..game import CHANCE, Game, State
from ..rng import below, split, step, unit
from .records import PLAYERS, WIDTH, WORDS, Grows, room

LIMIT = 100_000  # actions after which a game is given up


@dataclass(frozen=True)
class Playouts:
    """What random play gave: how many games and actions, and the mean utility of each player."""

    game: str
    device: str
    threads: int
    games: int
    moves: int
    unfinished: int  # games given up after `limit` actions; they count as 0 for everybody
    widest: int  # the most actions that a state had, where they were listed
    seconds: float
    utility: tuple[float, ...]

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds if self.seconds else math.inf

    @property
    def moves_per_second(self) -> float:
        return self.moves / self.seconds if self.seconds else math.inf


class Games(Grows):
    """The record of a run of random games."""

    start: list[u64] = room(WORDS)
    seed: u64
    first: int
    games: int
    limit: int
    moves: list[int] = room(WIDTH)
    totals: list[float] = room(PLAYERS)
    counts: list[int] = room(2)
    unfinished: int


def play_chunk(game: Game, work: Games) -> int:
    """Play the games of the record; the number of actions taken."""
    taken = play(game, game.unpack(work.start), work.seed, work.first, work.games, work.limit, work.moves, work.totals, work.counts)
    work.unfinished = work.counts[0]
    work.widest = work.counts[1]
    return taken


def play(game: Game, start: State, seed: u64, first: int, games: int, limit: int, moves: Any, totals: Any, counts: Any) -> int:
    """Play the games numbered first..first+games-1; the number of actions taken.

    Adds each player's utility to `totals`; `counts` gets the games given up and the most actions seen.
    One loop steps through all games, so that on a GPU no thread waits for its neighbours' games to end.
    """
    taken, number, ply, unfinished, widest = 0, 0, 0, 0, 0
    s, random = start, split(seed, u64(first)) | 1
    upcoming = split(seed, u64(first + 1)) | 1  # the next game's words: asked for early, they are there when this game ends
    while number < games:
        n = 0  # a state without actions is terminal: where they are listed anyway, nobody needs to be asked
        if game.has_sample:
            over = game.is_terminal(s)
        else:
            n = game.fill(s, moves)
            over = n == 0
        if over or ply == limit:
            if over:
                for p in range(game.players):
                    totals[p] += game.utility(s, p)
            else:
                unfinished += 1
            number += 1
            taken += ply
            s, ply, random = start, 0, upcoming
            upcoming = split(seed, u64(first + number + 1)) | 1
        else:
            random = step(random)
            if game.has_sample and not (game.has_chance and game.to_move(s) == CHANCE):
                a = game.sample(s, random)
            else:
                if game.has_sample:
                    n = game.fill(s, moves)
                widest = max(widest, n)
                a = choose(game, s, random, moves, min(n, len(moves)))
            s = game.result(s, a)
            ply += 1
    counts[0] = unfinished
    counts[1] = widest
    return taken


def choose(game: Game, s: State, random: u64, moves: Any, n: int) -> Any:
    """One of the n actions in `moves`: uniformly, or by its probability where chance is to move."""
    if game.has_chance and game.to_move(s) == CHANCE:
        x = unit(random)
        for i in range(n - 1):
            x -= game.probability(s, moves[i])
            if x < 0.0:
                return moves[i]
        return moves[n - 1]
    return moves[below(random, n)]
