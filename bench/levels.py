"""How far the levels are apart: a rating list of each game, made of games that they play here.

    python -m bench.levels [GAME ...] [--pairs 20] [--levels 1,2,...] [--plies 4] [--write FILE]

Each level meets the next two, and the first one meets `random` and `greedy`: in pairs of games from a random opening, each side
once; with the same dice where there are any. Ratings are by maximum likelihood (`arena/rating/ratings.py`), with the first level at 0.
Below them is the unit of the game: the scale on which what two searchers without haste thought in games with each other, four times as
many pairs, makes the results likeliest (`arena/rating/accuracy.py`).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence

import zermelo
from zermelo.arena.openings import random_opening
from zermelo.arena.players.by_text import player
from zermelo.arena.players.levels import LEVELS
from zermelo.arena.rating.accuracy import fit
from zermelo.arena.rating.ratings import meetings, rate
from zermelo.arena.referee import play_game, points
from zermelo.game import Game
from zermelo.notation.sheet import Entry, Opening

from . import report

GAMES = ("connect4", "othello", "checkers", "kalah", "chess", "hex:size=7", "go", "backgammon")
OTHERS = ("random", "greedy")
THINKERS = ("default:nodes=6000", "default:nodes=8000")
PACKAGES = ("zermelo", "numba", "llvmlite", "numpy")


def met(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Who plays whom."""
    for i, name in enumerate(names):
        yield from ((name, other) for other in names[i + 1 : i + 3])
    yield from ((names[0], other) for other in OTHERS)


def games(game: Game, a: str, b: str, pairs: int, plies: int, told: list[tuple[float, float]]) -> Iterator[tuple[str, str, float]]:
    """Pairs of games: the first player, the second, the points of the first. What they thought, and what came of it, goes to `told`."""
    by = {name: player(name) for name in (a, b)}
    for pair in range(pairs):
        opening = Opening() if game.has_chance else random_opening(game, plies, pair)
        for stream, seats in enumerate(((a, b), (b, a))):
            moves: list[Entry] = []
            ending = play_game(game, [by[name] for name in seats], pair, opening, tell=lambda _, e: moves.append(e), stream=stream)  # noqa: B023
            told += [(e.value, points(ending.result, e.seat)) for e in moves if e.value is not None]
            yield *seats, points(ending.result, 0)
    for one in by.values():
        one.close()


def column(text: str, names: Sequence[str], pairs: int, plies: int) -> dict[str, str]:
    """What is measured of a game, by the name of its row."""
    game, began = zermelo.game(text), time.monotonic()
    results: list[tuple[str, str, float]] = []
    for a, b in met(names):
        report.tell(f"{text}: {a} and {b}, {time.monotonic() - began:.0f} s")
        results += games(game, a, b, pairs, plies, [])
    rated = rate(meetings(results), {names[0]: 0.0})
    shown = {r.name: f"{r.rating:+.0f} ± {r.error:.0f}" for r in rated.players}
    return shown | {"games": str(len(results)), "unit": f"{unit(game, 4 * pairs, plies):.3g}", "seconds": f"{time.monotonic() - began:.0f}"}


def unit(game: Game, pairs: int, plies: int) -> float:
    """The unit of the values that the default searcher tells."""
    told: list[tuple[float, float]] = []
    report.tell(f"{game!r}: the unit")
    list(games(game, *THINKERS, pairs, plies, told))
    return fit(told)


def table(columns: dict[str, dict[str, str]], names: Sequence[str]) -> str:
    rows = [*OTHERS, *names, "games", "unit", "seconds"]
    lines = [["", *columns], ["---", *("---:" for _ in columns)], *([row, *(c[row] for c in columns.values())] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.levels", description="Ratings of the levels.")
    parser.add_argument("games", nargs="*", metavar="GAME", default=GAMES)
    parser.add_argument("--pairs", type=int, default=20, help="pairs of games of each two players (20)")
    parser.add_argument("--levels", default=",".join(str(n + 1) for n in range(len(LEVELS))), help="which levels, like 1,2,3")
    parser.add_argument("--plies", type=int, default=4, help="random plies of an opening, where there are no dice (4)")
    report.options(parser, rounds=1)
    given = parser.parse_args()
    names = [f"level:{n}" for n in given.levels.split(",")]
    columns: dict[str, dict[str, str]] = {}
    for text in given.games:
        columns[text] = column(text, names, given.pairs, given.plies)
        report.tell("")
        print(table({text: columns[text]}, names), flush=True)
        if given.write:
            header = report.header(" ".join(["python -m bench.levels", *sys.argv[1:]]), 1, PACKAGES)
            report.write(given.write, f"{header}\n{table(columns, names)}")


if __name__ == "__main__":
    main()
