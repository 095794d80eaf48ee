"""The books that come with games: how long a lookup takes, and whether another program would play the same.

python -m bench.books lookups [--positions 20000]     Connect Four: random positions of 0 to 12 stones, with all their actions
python -m bench.books gnubg [--plies 2]               backgammon: how often GNU Backgammon's best play is the book's
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import zermelo
from zermelo.arena.books.files import find_book
from zermelo.arena.openings import random_opening
from zermelo.arena.referee import begin

from .gnubg import Gnubg, boards_of_states

PLIES = 13  # positions have fewer stones


def lookups(positions: int) -> None:
    """Processor time of looking up random positions."""
    game = zermelo.game("connect4")
    book, spent = find_book("shipped", game), list[float]()
    for k in range(positions):
        s = begin(game, random_opening(game, k % PLIES, k)).state
        began = time.process_time()
        known = book.moves(s)
        spent.append(1e3 * (time.process_time() - began))
        assert known
    print(
        f"{positions:,} positions: {np.mean(spent):.2f} ms on average, 99 % within {np.quantile(spent, 0.99):.2f}, at most {max(spent):.1f}"
    )


def agreement(plies: int) -> None:
    """How many plays of the book are those of GNU Backgammon: of the opening rolls, and of all positions that the book's plays lead to."""
    game, opponent = zermelo.game("backgammon"), Gnubg(plies)
    book, start = find_book("shipped", game), game.initial()
    firsts = [game.result(start, roll) for roll in game.actions(start)]
    played = [game.result(s, next(iter(book.moves(s)))) for s in firsts]
    states = firsts + [game.result(t, roll) for t in played for roll in game.actions(t)]
    after = [[game.result(s, a) for a in game.actions(s)] for s in states]
    rolls = np.array([(s.roll >> 3, s.roll & 7) for s in states])
    found = opponent.plays(boards_of_states(game, states), rolls, [boards_of_states(game, of) for of in after])
    opponent.close()
    same = [of[k] == game.result(s, next(iter(book.moves(s)))) for s, of, k in zip(states, after, found, strict=True)]
    first, rolls_same = len(firsts), sum(same[: len(firsts)])
    print(f"GNU Backgammon {plies}-ply: the same play in {rolls_same} of {first} opening rolls, {sum(same)} of {len(same)} in all")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("what", choices=["lookups", "gnubg"])
    arguments.add_argument("--positions", type=int, default=20_000)
    arguments.add_argument("--plies", type=int, default=2)
    given = arguments.parse_args()
    if given.what == "lookups":
        lookups(given.positions)
    else:
        agreement(given.plies)


if __name__ == "__main__":
    main()
