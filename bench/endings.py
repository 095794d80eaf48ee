"""The chess player with endgame tables against Stockfish, which defends: python -m bench.endings KBNK KQKR [--games 100]

Each game begins in a random position of the ending that the player to move wins, the first in one that takes longest. The default player
looks states up in a table that is built first; Stockfish has a fixed time for each move. A game counts if it is won within the plies
that the table says.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np

import zermelo
from zermelo.arena.clock import Clock, Control
from zermelo.arena.players.by_text import player
from zermelo.arena.players.player import Player
from zermelo.history import History
from zermelo.lookup.build import build_table
from zermelo.search.endgames.table import Table
from zermelo.search.endgames.values import plies_of

GAME = zermelo.game("chess")


def won_states(table: Table, ending: str, games: int, seed: int) -> list[tuple[int, int]]:
    """Numbers of states of an ending that the mover wins, and the plies that takes: the longest, and random ones."""
    first, last = next((a, b) for name, a, b in table.about.ranges if name == ending)
    values = np.concatenate([v for at, v, _ in table.blocks() if first <= at < last])
    won = np.flatnonzero((values > 2) & (values & 1 == 1))
    chosen = np.random.default_rng(seed).choice(won, games - 1, replace=False)
    longest = int(won[values[won].argmax()])
    return [(first + int(i), plies_of(int(values[i]))) for i in (longest, *chosen)]


def play(i: int, sides: list[Player], clock: Clock, seed: int) -> tuple[float, int]:
    """The result of a game from the state with this number to the player who begins, and the plies it took."""
    for seat, side in enumerate(sides):
        side.begin(GAME, seat, seed)
    history = History(GAME, GAME.state_at(i))
    while not history.is_over:
        history.do(sides[GAME.to_move(history.state)].choose(GAME, history, clock))
    return history.utility(0), len(history.taken)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.endings", description="Endings with tables against Stockfish.")
    parser.add_argument("endings", nargs="+", metavar="ENDING")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=0.01, help="that Stockfish has for a move")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    print("| ending | games | won | within the distance | longest | plies, mean | s |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for ending in asked.endings:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "ending.table"
            build_table(GAME, file, ending=ending)
            sides = [player(f"default:depth=4,endgames={file}"), player("uci:stockfish?Threads=1")]
            began, results = time.perf_counter(), list[tuple[float, int, int]]()
            for n, (i, plies) in enumerate(won_states(Table(file), ending, asked.games, asked.seed)):
                results.append((*play(i, sides, Clock(Control(move=asked.seconds), 2), asked.seed + n), plies))
            for side in sides:
                side.close()
        won, within = sum(u == 1 for u, _, _ in results), sum(u == 1 and taken <= plies for u, taken, plies in results)
        mean, seconds = sum(taken for _, taken, _ in results) / len(results), time.perf_counter() - began
        print(f"| {ending} | {asked.games} | {won} | {within} | {results[0][1]} plies | {mean:.1f} | {seconds:.0f} |", flush=True)


if __name__ == "__main__":
    main()
