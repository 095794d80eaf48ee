"""What a second game of the same text costs in a running process: python -m bench.second_game.

The first object of a game compiles its code or loads it. Here the median time of a new object and its first search is compared
with that of another search of the first object.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import zermelo
from zermelo.search.searcher import Searcher

ROUNDS = 20
MOST = 3.0  # milliseconds more
GAMES = ("connect4", "chess", "go", "tictactoe", str(Path(__file__).parent / "my_connect4.py"))
SEARCHERS: tuple[Searcher, ...] = (zermelo.AlphaBeta(depth=2), zermelo.MCTS(simulations=50))


def median(run: Callable[[], object]) -> float:
    """The median of the milliseconds of CPU that this takes."""
    times = []
    for _ in range(ROUNDS):
        began = time.process_time()
        run()
        times.append((time.process_time() - began) * 1000)
    return statistics.median(times)


def measure(text: str, searcher: Searcher) -> tuple[float, float]:
    """Milliseconds of a search of the first object, and of a new object with its first search."""
    first = zermelo.game(text)
    searcher.search(first, first.initial())

    def another() -> None:
        game = zermelo.game(text)
        searcher.search(game, game.initial())

    return median(lambda: searcher.search(first, first.initial())), median(another)


def main() -> None:
    worst = 0.0
    print("| game | searcher | search again, ms | new game and search, ms | more, ms |\n| --- | --- | ---: | ---: | ---: |")
    for text in GAMES:
        for searcher in SEARCHERS:
            again, new = measure(text, searcher)
            worst = max(worst, new - again)
            print(f"| {Path(text).name} | {type(searcher).__name__} | {again:.2f} | {new:.2f} | {new - again:.2f} |", flush=True)
    print(f"\nmost of them: {worst:.2f} ms, at most {MOST:g}: {'holds' if worst < MOST else 'does not hold'}")
    sys.exit(worst >= MOST)


if __name__ == "__main__":
    main()
