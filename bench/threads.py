"""What threads gain: `python -m bench.threads PART ... --into FOLDER [--threads 1,2,4,8,14] [--seconds 540]`.

depth: seconds until alpha-beta has searched positions of chess to a depth, by the number of threads.
nodes: nodes that alpha-beta looks at for a depth, by the number of threads, with and without what makes its tree narrow.
games: games of alpha-beta with many threads against one thread, at equal time for a move.
simulations: simulations a second of MCTS, by game and threads: threads on one tree, and the most with a tree each.
trees: games of MCTS with threads on one tree against as many with a tree each, at equal time for a move.
others: what else takes threads: random games, self-play that learns, endgame tables.

Each part ends after its share of the seconds, and says what it has by then. After each row its table is printed and FOLDER/PART.json
written again. Nothing else should run meanwhile: the load before each part is in its file.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import zermelo
from zermelo.arena.openings import random_opening
from zermelo.arena.rating.elo import estimate
from zermelo.arena.referee import begin
from zermelo.learn.first_models import first_model
from zermelo.learn.self_play import Learner
from zermelo.lookup.build import build_table
from zermelo.search.alphabeta.searcher import AlphaBeta
from zermelo.search.mcts.searcher import MCTS

from . import report
from .version_match import PLIES, Player, play
from .versions import HERE

DEPTH_BARS = {2: 1.7, 4: 2.8, 8: 4.5, 14: 6.0}
SIMULATION_BARS = {"connect4": 8.0, "othello": 9.0, "go": 10.0, "chess": 10.0}
QUICK = 5  # the depth by which positions are played on to
RANDOM_PLIES, FIRST_PLIES, MORE_PLIES = 4, 6, 30  # of a position: random ones, the fewest others, and how many more at most
ENDING = "3"  # of chess, whose tables are built
PACKAGES = ("zermelo", "numba", "llvmlite", "numpy")

Row = dict[str, Any]


@dataclass
class Report:
    """The rows of a part, as they come, in a file and on the terminal."""

    part: str
    folder: Path
    asked: dict[str, Any]
    rows: list[Row] = field(default_factory=list)
    summary: Row = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._load, self._began = os.getloadavg(), time.time()

    def add(self, row: Row) -> None:
        """One row more."""
        self.rows.append(row)
        print(f"{self.part}: " + ", ".join(f"{name} {_short(x)}" for name, x in row.items()), flush=True)

    def conclude(self, **known: Any) -> None:
        """What the rows so far come to."""
        self.summary = known
        print(f"{self.part}: so far: " + ", ".join(f"{name} {_short(x)}" for name, x in known.items()), flush=True)
        facts = {
            "part": self.part,
            "asked": self.asked,
            "machine": report.machine(),
            "versions": {p: report.version_of(p) for p in PACKAGES},
            "load before": self._load,
            "seconds": round(time.time() - self._began, 1),
        }
        report.write(self.folder / f"{self.part}.json", json.dumps(facts | {"summary": known, "rows": self.rows}, indent=1) + "\n")


def _short(x: Any) -> str:
    return f"{x:,.4g}" if isinstance(x, float) else f"{x:,}" if isinstance(x, int) else str(x)


# ---- time to a depth ---------------------------------------------------------------------------


def positions(game: zermelo.Game, count: int) -> Iterator[zermelo.State]:
    """Yield positions of the game: a few random plies, then quick searches, always the same."""
    for seed in range(count):
        history = begin(game, random_opening(game, RANDOM_PLIES, seed))
        for _ in range(FIRST_PLIES + random.Random(seed).randrange(MORE_PLIES)):
            if not history.is_over:
                history.do(AlphaBeta(depth=QUICK, table=1).search(game, history).action or 0)
        if not history.is_over:
            yield history.state


def depth(told: Report, options: argparse.Namespace, end: float) -> None:
    """The seconds of searches to a depth, of each position by all numbers of threads in turn."""
    game, taken = zermelo.game("chess"), dict[int, list[float]]()
    AlphaBeta(depth=8, threads=2, eval=options.eval).search(game)  # compiles
    for number, s in enumerate(positions(game, options.positions)):
        row: Row = {"position": number}
        for n in options.threads:
            search = AlphaBeta(depth=options.depth, threads=n, table=options.table, eval=options.eval)
            began, worked = time.time(), time.process_time()
            nodes = search.search(game, s).nodes
            spent, worked = time.time() - began, time.process_time() - worked
            taken.setdefault(n, []).append(spent)
            row |= {f"seconds {n}": spent, f"cpu {n}": worked, f"nodes {n}": nodes}
        told.add(row)
        told.conclude(depth=options.depth, positions=number + 1, **_quicker(taken))
        if time.time() + sum(times[-1] for times in taken.values()) > end:
            break


PLAIN = {"reductions": False, "futility": False, "extensions": False}
#: a game, a depth, and settings of the search
NARROWER: list[tuple[str, int, Row]] = [
    ("othello", 11, {}),
    ("chess", 8, {**PLAIN, "nulls": False}),
    ("chess", 9, PLAIN),
    ("chess", 16, {}),
]


def nodes(told: Report, options: argparse.Namespace, end: float) -> None:
    """The nodes of searches to a depth, as a multiple of one thread's: what threads look at twice."""
    for name, deep, settings in NARROWER:
        game = zermelo.game(name)
        starts = list(positions(game, options.positions))
        counts = dict[int, int]()
        for n in options.threads:
            searches = [AlphaBeta(depth=deep, threads=n, table=options.table, **settings) for _ in starts]
            counts[n] = sum(search.search(game, s).nodes for search, s in zip(searches, starts, strict=True))
        first = next(iter(counts.values()))
        told.add({"game": name, "depth": deep, "settings": settings, "nodes": first} | {f"times {n}": x / first for n, x in counts.items()})
        told.conclude(positions=len(starts))
        if time.time() > end:
            break


def _quicker(taken: dict[int, list[float]]) -> Row:
    """How many times quicker each number of threads is than the first one: by the sums, and the geometric mean."""
    first, *others = taken
    found: Row = {f"seconds {first}": sum(taken[first])}
    for n in others:
        ratios = [a / b for a, b in zip(taken[first], taken[n], strict=True)]
        found |= {
            f"sum {n}": sum(taken[first]) / sum(taken[n]),
            f"geometric mean {n}": math.exp(sum(map(math.log, ratios)) / len(ratios)),
            f"bar {n}": DEPTH_BARS.get(n, 1.0),
        }
    return found


# ---- games -------------------------------------------------------------------------------------


def contest(told: Report, game_text: str, players: tuple[str, str], options: argparse.Namespace, end: float) -> None:
    """Pairs of games of the first player against the second, until there are enough or the time is over."""
    game, counts, started = zermelo.game(game_text), [0] * 5, time.time()

    def pairs(worker: int) -> None:
        sides = [Player(HERE, game_text, player) for player in players]
        for number in range(worker, options.games // 2, options.side_by_side):
            opening = random_opening(game, PLIES, options.seed + number)
            points = play(game, opening, sides) + 1 - play(game, opening, sides[::-1])
            counts[round(2 * points)] += 1
            depths = [sum(p.depths) / len(p.depths) for p in sides]
            told.add({"game": game_text, "pair": number, "points of 2": points, "mean depths": depths})
            told.conclude(game=game_text, players=players, games=2 * sum(counts), pairs=counts, **_elo(counts))
            if time.time() + (time.time() - started) / sum(counts) * options.side_by_side > end:
                break
        for player in sides:
            player.end()

    with ThreadPoolExecutor(options.side_by_side) as workers:
        list(workers.map(pairs, range(options.side_by_side)))


def _elo(counts: list[int]) -> Row:
    found = estimate(counts)
    return {} if found is None else {"elo": found.elo, "low": found.low, "high": found.high}


def games(told: Report, options: argparse.Namespace, end: float) -> None:
    """Alpha-beta with many threads against one."""
    common = f"table={options.table},seconds={options.move}" + (f",eval={options.eval}" if options.eval else "")
    contest(told, "chess", (f"alphabeta:threads={options.many},{common}", f"alphabeta:threads=1,{common}"), options, end)


def trees(told: Report, options: argparse.Namespace, end: float) -> None:
    """MCTS with threads on one tree against as many with a tree each."""
    names, began = options.games_of_mcts, time.time()
    for number, name in enumerate(names):
        common = f"mcts:threads={max(options.threads)},memory=1024,seconds={options.move}"
        until = began + (end - began) * (number + 1) / len(names)
        contest(told, name, (f"{common},parallel=tree", f"{common},parallel=root"), options, until)


# ---- simulations -------------------------------------------------------------------------------


def simulations(told: Report, options: argparse.Namespace, end: float) -> None:
    """Simulations a second: one tree by all numbers of threads in turn, and a tree each by the most."""
    best = dict[str, Row]()
    for name in options.games_of_mcts:
        MCTS(simulations=1000).search(zermelo.game(name))  # compiles
        MCTS(simulations=1000, threads=2, parallel="tree").search(zermelo.game(name))
    while time.time() < end and len(told.rows) < options.rounds * len(options.games_of_mcts):
        for name in options.games_of_mcts:
            row = {f"tree {n}": _rate(name, n, "tree", options) for n in options.threads}
            row[f"root {max(options.threads)}"] = _rate(name, max(options.threads), "root", options)
            told.add({"game": name} | row)
            best[name] = {what: max(rate, best.get(name, row)[what]) for what, rate in row.items()}
            told.conclude(rates=best, gains={of: _gains(rates, of) for of, rates in best.items()})
            if time.time() > end:
                break


def _rate(name: str, threads: int, parallel: str, options: argparse.Namespace) -> float:
    search = MCTS(seconds=options.search, threads=threads, parallel=parallel, memory=4096, solver=False)
    result = search.search(zermelo.game(name))
    return result.nodes / result.seconds


def _gains(rates: Row, name: str) -> Row:
    first = next(iter(rates.values()))
    return {what: round(rate / first, 2) for what, rate in rates.items()} | {"bar": SIMULATION_BARS.get(name.partition(":")[0], 1.0)}


# ---- others ------------------------------------------------------------------------------------


def others(told: Report, options: argparse.Namespace, end: float) -> None:
    """The seconds of other work, by the number of threads."""
    folder = Path(tempfile.mkdtemp())
    tasks: dict[str, Callable[[int], object]] = {
        "random games of Connect Four": lambda n: zermelo.playouts(zermelo.game("connect4"), 3_000_000, seed=1, threads=n),
        "self-play of backgammon, mlp:80": lambda n: _learn("backgammon", "mlp:80", 3000, n),
        "self-play of Connect Four, ntuple": lambda n: _learn("connect4", "ntuple", 20_000, n),
        f"tables of chess, {ENDING}": lambda n: build_table(zermelo.game("chess"), folder / f"table{n}", ending=ENDING, threads=n),
    }
    gains = dict[str, Row]()
    for name, task in tasks.items():
        task(min(2, max(options.threads)))  # compiles
        seconds = dict[int, float]()
        for n in options.threads:
            if time.time() > end:
                return
            began = time.time()
            task(n)
            seconds[n] = time.time() - began
        told.add({"what": name} | {f"seconds {n}": x for n, x in seconds.items()})
        first = next(iter(seconds.values()))
        gains[name] = {str(n): round(first / x, 2) for n, x in seconds.items()}
        told.conclude(gains=gains)


def _learn(name: str, model: str, count: int, threads: int) -> None:
    game = zermelo.game(name)
    settings = {"rate": 0.01, "faster": 10.0, "trace": 0.7, "epsilon": 0.1, "random_plies": 0}
    Learner(game, first_model(game, model, None, 1), threads=threads).learn(count, 0, 1, settings)


PARTS: dict[str, Callable[[Report, argparse.Namespace, float], None]] = {
    "depth": depth,
    "nodes": nodes,
    "games": games,
    "simulations": simulations,
    "trees": trees,
    "others": others,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.threads", description="What threads gain.")
    parser.add_argument("parts", nargs="+", metavar="PART", choices=list(PARTS), help=f"of: {', '.join(PARTS)}")
    parser.add_argument("--into", type=Path, required=True, metavar="FOLDER", help="where the files of the parts go")
    parser.add_argument("--threads", type=_numbers, default=[1, 2, 4, 8, 14], help="numbers of threads (default: 1,2,4,8,14)")
    parser.add_argument("--seconds", type=float, default=540.0, help="seconds for all parts together (default: %(default)s)")
    parser.add_argument("--depth", type=int, default=20, help="to which chess is searched (default: %(default)s)")
    parser.add_argument("--positions", type=int, default=30, help="of chess, at most (default: %(default)s)")
    parser.add_argument("--table", type=int, default=256, help="MiB of the table of alpha-beta (default: %(default)s)")
    parser.add_argument("--eval", help="the model that values positions of chess, learned for the one that comes with it")
    parser.add_argument("--many", type=int, default=8, help="threads of the first player in games (default: %(default)s)")
    parser.add_argument("--games", type=int, default=400, help="of a pair of players, at most (default: %(default)s)")
    parser.add_argument("--side-by-side", type=int, default=1, help="games at once (default: %(default)s)")
    parser.add_argument("--move", type=float, default=0.2, help="seconds for a move in games (default: %(default)s)")
    parser.add_argument("--search", type=float, default=1.0, help="seconds of a search by MCTS (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, help="searches of each kind by MCTS, the best counts (default: %(default)s)")
    parser.add_argument("--games-of-mcts", type=lambda text: text.split(","), default=list(SIMULATION_BARS), help="(default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the openings of games (default: %(default)s)")
    options = parser.parse_args()
    options.into.mkdir(parents=True, exist_ok=True)
    began = time.time()
    for number, part in enumerate(options.parts):
        asked = {name: str(x) for name, x in vars(options).items()}
        PARTS[part](Report(part, options.into, asked), options, began + options.seconds * (number + 1) / len(options.parts))


def _numbers(text: str) -> list[int]:
    return [int(n) for n in text.split(",")]


if __name__ == "__main__":
    main()
