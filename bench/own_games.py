"""Games as their users write them, without an evaluation: what a learned model is worth at each depth, and the default player beside MCTS.

    python -m bench.own_games train FOLDER [GAME ...]
    python -m bench.own_games depths FOLDER [GAME ...] [--pairs 100] [--seconds 0.05] [--longest 600] [--write FILE]
    python -m bench.own_games default [GAME ...] [--pairs 20] [--seconds 0.1] [--longest 600] [--write FILE]

`train` learns a model of each game with dice, by the usual settings. `depths` lets a search with that model meet the one that looks a ply
less far, those of depths 1 and 4 the search by the clock, and this one MCTS in the same time. `default` lets the default player meet MCTS
in the same time, without a model. Games are played in pairs, each side once, with the same dice or from the same random opening of four
plies.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import zermelo
from zermelo.arena.openings import random_opening
from zermelo.arena.players.by_text import player
from zermelo.arena.rating.elo import Estimate, estimate
from zermelo.arena.referee import play_game, points
from zermelo.game import Game
from zermelo.notation.sheet import Opening

from . import report

DICE: dict[str, dict[str, Any]] = {
    "examples/ur.py:Ur": {"games": 40_000},
    "examples/cantstop.py:CantStop": {"games": 30_000},
    "pig": {"games": 150_000, "epsilon": 0.05},  # without actions at random it never learns what it is to hold
    "examples/hypergammon.py:Hypergammon": {"games": 30_000},
    "examples/einstein.py:EinStein": {"games": 60_000},
}  # and how their models learn
PLAIN = (
    "examples/cantstop.py:CantStop",
    "examples/ultimate.py:Ultimate",
    "examples/gomoku.py:Gomoku",
    "examples/ur.py:Ur",
    "examples/domineering.py:size=8",
)
MODEL = "mlp:40"
DEEPEST, PLIES = 4, 4
PACKAGES = ("zermelo", "numba", "llvmlite", "numpy")


def run_of(folder: Path, text: str) -> Path:
    """Where the model of this game is."""
    return folder / Path(text.partition(":")[0]).stem


def depth_pairs(run: Path, seconds: float) -> Iterator[tuple[str, str]]:
    """Who meets whom, the one expected to be stronger first."""
    by_depth = [f"expectiminimax:depth={depth},eval={run}" for depth in range(1, DEEPEST + 1)]
    clocked = f"default:seconds={seconds:g},eval={run}"
    yield from zip(by_depth[1:], by_depth, strict=False)
    yield clocked, by_depth[0]
    yield clocked, by_depth[-1]
    yield f"default:seconds={2 * seconds:g},eval={run}", clocked
    yield clocked, f"mcts:seconds={seconds:g}"


def match(game: Game, names: tuple[str, str], pairs: int, longest: float) -> tuple[int, Estimate]:
    """Pairs of games of these two players, fewer if they take longer than so many seconds; the number of games."""
    players, counts = {name: player(name) for name in names}, [0] * 5
    began = time.monotonic()
    for pair in range(pairs):
        if pair > 0 and time.monotonic() - began > longest:
            break
        opening = Opening() if game.has_chance else random_opening(game, PLIES, pair)
        made = 0.0
        for stream, seats in enumerate((names, names[::-1])):
            ending = play_game(game, [players[name] for name in seats], pair, opening, stream=stream)
            made += points(ending.result, seats.index(names[0]))
        counts[round(2 * made)] += 1
        report.tell(f"{names[0]} {counts} {names[1]}")
    for one in players.values():
        one.close()
    found = estimate(counts)
    assert found is not None
    return 2 * sum(counts), found


def row(text: str, names: tuple[str, str], pairs: int, longest: float) -> str:
    """The row of a table."""
    began = time.monotonic()
    games, found = match(zermelo.game(text), names, pairs, longest)
    sure = f"{found.elo:+.0f} [{found.low:+.0f}, {found.high:+.0f}]"
    cells = (text, *(f"`{_short(name)}`" for name in names), games, f"{found.score:.1%}", sure, f"{time.monotonic() - began:.0f}")
    return "| " + " | ".join(map(str, cells)) + " |"


def _short(name: str) -> str:
    """The player without the folder of its run."""
    return ",".join("eval=RUN" if part.startswith("eval=") else part for part in name.split(","))


def rows(given: argparse.Namespace) -> Iterator[str]:
    """The rows that were asked for."""
    yield "| game | player | against | games | score | Elo | seconds |"
    yield "| --- | --- | --- | ---: | ---: | --- | ---: |"
    for text in given.games or (DICE if given.what == "depths" else PLAIN):
        met = [(f"default:seconds={given.seconds:g}", f"mcts:seconds={given.seconds:g}")]
        for names in depth_pairs(run_of(given.folder, text), given.seconds) if given.what == "depths" else met:
            yield row(text, names, given.pairs, given.longest)


def train(folder: Path, games: Sequence[str]) -> None:
    """Learn the games, each in a run below the folder."""
    for text in games or DICE:
        run = zermelo.train(zermelo.game(text), model=MODEL, run=run_of(folder, text), **DICE[text])
        look = run.looks()[-1]
        print(f"{text}: {look.games:,} games in {look.seconds:.0f} s, {look.score:+.3f} against random players", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.own_games", description="Games as their users write them.")
    tasks = parser.add_subparsers(dest="what", required=True)
    for what, pairs, seconds in (("train", 0, 0.0), ("depths", 100, 0.05), ("default", 20, 0.1)):
        task = tasks.add_parser(what)
        if what != "default":
            task.add_argument("folder", type=Path, metavar="FOLDER", help="of the runs")
        task.add_argument("games", nargs="*", metavar="GAME")
        if what != "train":
            task.add_argument("--pairs", type=int, default=pairs, help=f"pairs of games of each two players ({pairs})")
            task.add_argument("--seconds", type=float, default=seconds, help=f"for a move ({seconds:g})")
            task.add_argument("--longest", type=float, default=600.0, help="seconds after which a match begins no pair (600)")
            report.options(task, rounds=1)
    given = parser.parse_args()
    if given.what == "train":
        train(given.folder, given.games)
        return
    lines = []
    for line in rows(given):
        report.tell("")
        print(line, flush=True)
        lines.append(line)
    if given.write:
        header = report.header(" ".join(["python -m bench.own_games", *sys.argv[1:]]), 1, PACKAGES)
        report.write(given.write, "\n".join([header, *lines, ""]))


if __name__ == "__main__":
    main()
