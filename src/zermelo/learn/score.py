"""How well a model plays without searching: games in which one player takes the action that the model likes best, the others any.

Seats change from game to game, and games come in rounds with the same dice: as many as there are players.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..bits import u64
from ..game import CHANCE, Game, State
from ..rng import below, split, step
from ..search.endgames.probe import Probing
from ..search.evaluation import estimate, is_proven, proven_value
from ..search.model.kinds import is_unseen
from ..search.model.model import AnyModel, with_model
from ..search.model.record import Judging
from ..search.prepare import prepare, width_of, with_room
from ..search.random_games import choose
from ..search.records import WIDTH, WORDS, Grows, room

MAX_GAME_ACTIONS = 4096  # actions of a game, which then counts as 0


class Games(Judging, Probing, Grows):
    """The record of games of a model against random players."""

    start: list[u64] = room(WORDS)
    seed: u64
    games: int
    limit: int
    stop: int
    moves: list[int] = room(WIDTH)
    outcomes: list[int] = room(WIDTH)  # of chance
    total: float
    squares: float


def play_games(game: Game, work: Games) -> int:
    """Play the games; how many were played. The record gets the sum and the squares of what the model got."""
    for g in range(work.games):
        seat, random = g % game.players, split(work.seed, u64(g // game.players)) | 1
        s = game.unpack(work.start)
        for _ in range(work.limit):
            if game.is_terminal(s):
                break
            n = game.fill(s, work.moves)
            work.widest = max(work.widest, n)
            if work.widest > len(work.moves):
                return g
            random = step(random)
            mover = game.to_move(s)
            if mover == seat:
                s = game.result(s, greedy(game, s, n, work))
            elif mover == CHANCE:
                s = game.result(s, choose(game, s, random, work.moves, n))
            else:
                s = game.result(s, work.moves[below(random, n)])
        if game.is_terminal(s):
            u = game.utility(s, seat)
            work.total += u
            work.squares += u * u
        if work.stop != 0:
            return g + 1
    return work.games


def greedy(game: Game, s: State, n: int, work: Games) -> int:
    """The one of the n actions after which the state is worth most to its player."""
    me, best, chosen = game.to_move(s), -1.0e300, 0
    for i in range(n):
        v = worth(game, game.result(s, work.moves[i]), me, work)
        if v > best:
            best, chosen = v, i
    return work.moves[chosen]


def worth(game: Game, t: State, me: int, work: Games) -> float:
    """What t, after an action of a player, is worth to `me`: where the model knows only states after the dice, the mean of these."""
    if game.unseen_kinds != 0:
        if is_unseen(game, me, t) and game.to_move(t) == CHANCE:
            mean, n = 0.0, game.fill(t, work.outcomes)
            work.widest = max(work.widest, n)
            for i in range(min(n, len(work.outcomes))):
                mean += game.probability(t, work.outcomes[i]) * value(game, game.result(t, work.outcomes[i]), me, work)
            return mean
    return value(game, t, me, work)


def value(game: Game, t: State, me: int, work: Games) -> float:
    """What t is worth to `me` by the rules or the model."""
    return proven_value(game, t, me, work) if is_proven(game, t, work) else estimate(game, t, me, work)


@dataclass(frozen=True)
class Score:
    """What the model got in a game on average, and the standard error of that."""

    mean: float
    error: float
    games: int


def score_against_random(game: Game, model: AnyModel, games: int, seed: int, interpreted: bool = False) -> Score:
    """What the model, without searching, gets in a game against players that move at random."""
    judged = with_model(game, model)

    def attempt(_: int, width: int) -> Games:
        run = prepare(judged, play_games, Games, interpreted, width=width)
        return run(start=game.layout.pack(game.initial()), games=games, seed=seed, limit=MAX_GAME_ACTIONS)

    work = with_room(attempt, MAX_GAME_ACTIONS, width_of(game), "")
    mean = float(work.total) / games
    return Score(mean, math.sqrt(max(0.0, float(work.squares) / games - mean * mean) / games), games)
