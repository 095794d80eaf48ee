"""The perfect player of Connect Four against others: what theory says of the opening, it gets, or more.

    python -m bench.perfect [--games 1000] [--against random greedy ...]

Every other pair of games begins with the empty board, the others after 1 to 12 random plies, with exchanged sides. The table of the opening
tells what the perfect player must get there at least. A game in which it gets less is printed, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import sys
import time

import zermelo
from zermelo.arena.books.files import opening_table
from zermelo.arena.openings import random_opening
from zermelo.arena.players.by_text import player
from zermelo.arena.players.player import Player
from zermelo.arena.referee import begin, play_game
from zermelo.game import Game
from zermelo.search.endgames.values import sign_of

from . import report

PLIES = 12  # of the longest opening
OTHERS = [
    "random",
    "greedy",
    "level:1",
    "level:5",
    "minimax:depth=3",
    "plain:depth=5",
    "alphabeta:nodes=2000",
    "maxn:depth=3",
    "paranoid:depth=5",
    "expectiminimax:depth=3",
    "bestfirst:nodes=1000",
    "proofnumber:nodes=2000",
    "montecarlo:playouts=20",
    "mcts:simulations=500",
    "net:learned",
    "mcts:net=learned,simulations=20",
]


def measure(game: Game, perfect: Player, other: Player, games: int) -> tuple[str, int]:
    """A row of the table, and in how many games the perfect player got less than theory says."""
    table = opening_table(game)
    assert table is not None
    started, results, firsts, due, less = time.process_time(), list[float](), list[float](), 0, 0
    for number in range(games):
        pair, seat = divmod(number, 2)
        opening = random_opening(game, pair // 2 % PLIES + 1 if pair % 2 else 0, pair)
        s = begin(game, opening).state
        value = sign_of(table.value(game, s)) * (1 if game.to_move(s) == seat else -1)
        got = play_game(game, [perfect, other] if seat == 0 else [other, perfect], number, opening).result[seat]
        results.append(got)
        due += value == 1
        if not opening.actions and seat == 0:
            firsts.append(got)
        if got < value:
            less += 1
            print(f"game {number} against {other.text}: {got:+g} after {opening.actions}, which is worth {value:+d}")
        report.tell(f"{other.text}: {number + 1} games, {less} below theory")
    won, drawn, lost = (results.count(x) for x in (1.0, 0.0, -1.0))
    seconds = (time.process_time() - started) / games
    first = f"{firsts.count(1.0)} of {len(firsts)} won"
    return f"| {other.text} | {games:,} | {won} | {drawn} | {lost} | {due} | {less} | {first} | {seconds:.2f} |", less


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--games", type=int, default=1000)
    arguments.add_argument("--against", nargs="+", default=OTHERS)
    given = arguments.parse_args()
    if given.games < 1:
        arguments.error("expected at least 1 game")
    game, perfect, wrong = zermelo.game("connect4"), player("perfect"), 0
    print("| against | games | won | drawn | lost | won by theory | below theory | first with the empty board | CPU s a game |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for text in given.against:
        row, less = measure(game, perfect, player(text), given.games)
        print(row, flush=True)
        wrong += less
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
