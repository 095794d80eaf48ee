"""A model of backgammon against pubeval, Tesauro's public benchmark player, both without searching.

    ZERMELO_DATA=... python -m bench.pubeval RUN ... [--games 20000] [--seed 1] [--endgames FILE] [--write FILE]

RUN is a run of `zermelo train backgammon`, or the file of a model. Games come in pairs with the same dice and exchanged seats, for
cubeless money: a gammon counts 2, a backgammon 3. pubeval's weights are read from ZERMELO_DATA/backgammon/pubeval.
"""

from __future__ import annotations

import argparse
import math
import os
from pathlib import Path
from typing import Any

import numpy as np

import zermelo
from zermelo.bits import ctz, rest, u64
from zermelo.errors import ZermeloError
from zermelo.game import CHANCE
from zermelo.games.backgammon.men import BAR, BOARD, FULL_SIDE, POINTS, any_men, men_in, men_on, seen_by_other
from zermelo.learn.score import greedy
from zermelo.rng import split, step
from zermelo.search.endgames.probe import Probing
from zermelo.search.endgames.table import find_table, with_table
from zermelo.search.model.model import Model, find_model, with_model
from zermelo.search.model.record import Judging
from zermelo.search.prepare import prepare
from zermelo.search.random_games import choose
from zermelo.search.records import WORDS, Grows, room

from . import report

LONGEST = 3000  # actions of a game, which then counts as 0
WEIGHTS = 122  # of a kind of position: contact, race


class Match(Judging, Probing, Grows):
    start: list[u64] = room(WORDS)
    seed: u64
    games: int
    moves: list[int] = room(1024)
    weights: list[list[float]] = room(2, WEIGHTS)
    total: float
    squares: float
    won: int


def play(game: Any, work: Match) -> int:
    """Play the games; the record gets what the model got."""
    for g in range(work.games):
        random, seat = split(work.seed, u64(g >> 1)) | 1, g & 1
        s = game.unpack(work.start)
        for _ in range(LONGEST):
            if game.is_terminal(s):
                break
            n = min(game.fill(s, work.moves), len(work.moves))
            random = step(random)
            mover = game.to_move(s)
            if mover == CHANCE:
                s = game.result(s, choose(game, s, random, work.moves, n))
            elif mover == seat:
                s = game.result(s, greedy(game, s, n, work))
            else:
                s = game.result(s, best_of_pubeval(game, s, n, work))
        if game.is_terminal(s):
            u = game.utility(s, seat)
            work.total += u
            work.squares += u * u
            work.won += 1 if u > 0.0 else 0
    return work.games


def best_of_pubeval(game: Any, s: Any, n: int, work: Match) -> int:
    """The play that pubeval likes best. Which of its sets of weights counts is decided before the play."""
    mine, theirs = any_men(s.low, s.high), seen_by_other(any_men(s.low2, s.high2) & BOARD)
    is_contact = men_on(s.low2, s.high2, BAR) > 0 or men_on(s.low, s.high, BAR) > 0 or mine > (theirs & (0 - theirs))
    kind, best, chosen = 0 if is_contact else 1, -1.0e9, 0
    for i in range(n):
        t = game.result(s, work.moves[i])
        v = 1.0e8 if game.is_terminal(t) else value_by_pubeval(t, kind, work)
        if v > best:
            best, chosen = v, i
    return work.moves[chosen]


def value_by_pubeval(t: Any, kind: int, work: Match) -> float:
    """What pubeval says of a position to the player who has just played."""
    v = 0.5 * men_on(t.low, t.high, BAR) * work.weights[kind][120]
    v += (FULL_SIDE - men_in(t.low2, t.high2, u64(POINTS))) / 15.0 * work.weights[kind][121]
    points = (any_men(t.low2, t.high2) | seen_by_other(any_men(t.low, t.high))) & BOARD
    while points:
        p = ctz(points)
        x, m = 5 * (24 - p), men_on(t.low2, t.high2, p)
        if m == 0 and men_on(t.low, t.high, 25 - p) == 1:
            v += work.weights[kind][x]
        elif m == 1:
            v += work.weights[kind][x + 1]
        elif m >= 2:
            v += work.weights[kind][x + 2]
            if m == 3:
                v += work.weights[kind][x + 3]
            elif m >= 4:
                v += work.weights[kind][x + 4] * (m - 2) / 2.0
        points = rest(points)
    return v


def against_pubeval(model: Model, games: int, seed: int, endgames: str | None = None) -> tuple[float, float, float]:
    """Points a game, their standard error, and the share of games won."""
    folder = Path(os.environ.get("ZERMELO_DATA", "data")) / "backgammon" / "pubeval"
    try:
        weights = np.array([np.loadtxt(folder / "WT.cntc"), np.loadtxt(folder / "WT.race")])
    except OSError:
        raise ZermeloError(f"there are no weights of pubeval in {folder}: set ZERMELO_DATA to the folder of test data") from None
    game = zermelo.game(model.shape.game)
    judged = with_model(game, model)
    run = prepare(with_table(judged, find_table(endgames)) if endgames else judged, play, Match, False)
    work = run(start=game.layout.pack(game.initial()), seed=seed, games=games, weights=weights)
    mean = float(work.total) / games
    return mean, math.sqrt((float(work.squares) / games - mean * mean) / games), int(work.won) / games


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.pubeval", description="Models of backgammon against pubeval.")
    parser.add_argument("runs", nargs="+", metavar="RUN")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--endgames", metavar="FILE", help="a table of bear-offs that the models use")
    parser.add_argument("--write", metavar="FILE")
    told = parser.parse_args()
    lines = ["| run | games of training | points a game | 95 % | won |", "| --- | ---: | ---: | ---: | ---: |"]
    print("\n".join(lines))
    for name in told.runs:
        model = find_model(name)
        mean, error, won = against_pubeval(model, told.games, told.seed, told.endgames)
        lines.append(f"| {Path(name).name} | {model.games:,} | {mean:+.3f} | +-{1.96 * error:.3f} | {won:.1%} |")
        print(lines[-1], flush=True)
    if told.write:
        report.write(told.write, "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
