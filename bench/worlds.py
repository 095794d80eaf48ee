"""What averaging over worlds costs: how far it and information-set MCTS are from an equilibrium, and how they play against each other.

    python -m bench.worlds [--pairs 100] [--seconds 0.05] [--only GAME] [--write FILE]

Exploitability: each search chooses in every information set of the game, and NashConv of all its choices together is exact. Matches:
pairs of games with seats exchanged and the same chance, at equal time for each move; what ISMCTS gets a game against averaging over
worlds, and what the search inside gets against it if it sees the true world instead, with 95 % intervals. Partners play alike.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Sequence
from statistics import fmean, stdev
from typing import Any

import numpy as np

import zermelo
from zermelo import CHANCE, Game
from zermelo.arena.referee import outcome
from zermelo.equilibrium.form import SequenceForm, sequence_form
from zermelo.equilibrium.solve import solve
from zermelo.equilibrium.solver import Evaluation
from zermelo.rng import draw
from zermelo.search import by_name
from zermelo.search.ismcts import ISMCTS
from zermelo.search.searcher import Searcher
from zermelo.search.worlds import Worlds

from . import report

EXPLOITED = ("kuhn", "leduc")
WHIST = ("hiddenwhist:ranks=6", "hiddenwhist:players=2,hand=6")
MATCHES = (
    "liarsdice",
    "goofspiel:cards=5,order=random,hidden=true",
    "phantomttt",
    "leduc",
    "hiddenwhist:ranks=6",
    "hiddenwhist:players=2,hand=6",
)
PACKAGES = ("zermelo", "numba", "llvmlite", "numpy")


def choices(game: Game, form: SequenceForm, search: Searcher, is_mixed: bool) -> np.ndarray[Any, Any]:
    """What a search does in each information set, as a strategy: its policy, or the action that it would take."""
    sets = {(p, *words): i for i, (p, words) in enumerate(zip(form.owners.tolist(), form.observations.tolist(), strict=True))}
    strategy, left, todo = np.zeros(form.sequences), set(sets.values()), [game.initial()]
    while left:
        s = todo.pop()
        todo += [game.result(s, a) for a in game.actions(s)]
        p = game.to_move(s)
        if game.is_terminal(s) or p == CHANCE:
            continue
        words = [0] * form.observations.shape[1]
        game.pack_observation(s, p, words)
        i = sets[p, *words]
        if i in left:
            left.remove(i)
            found = search.search(game, s)
            for k, a in enumerate(form.actions[form.firsts[i] : form.firsts[i + 1]].tolist()):
                strategy[form.firsts[i] + k] = found.policy[a] if is_mixed else float(a == found.action)
    return strategy


def exploited() -> str:
    lines = ["| game | player | NashConv | value of player 0 |", "| --- | --- | ---: | ---: |"]
    for name in EXPLOITED:
        game = zermelo.game(name)
        form = sequence_form(game)
        evaluation = Evaluation(game, form)
        found = {"equilibrium (CFR+, 10,000 iterations)": solve(game, iterations=10_000).probabilities}
        rows: tuple[tuple[str, Searcher, bool], ...] = (
            ("averaging over 60 worlds", Worlds(worlds=60, seed=1), True),
            ("ISMCTS, 10,000 simulations, the action taken most", ISMCTS(simulations=10_000, seed=1), False),
            ("ISMCTS, 10,000 simulations, in proportion to how often they were taken", ISMCTS(simulations=10_000, seed=1), True),
        )
        for label, search, is_mixed in rows:
            report.tell(f"{name}: {label}")
            found[label] = choices(game, form, search, is_mixed)
        found["any action"] = np.concatenate([np.ones(form.players), np.repeat(1 / np.diff(form.firsts), np.diff(form.firsts))])
        for label, strategy in found.items():
            values = evaluation.of(strategy)
            lines.append(f"| {name} | {label} | {values.nash_conv:.3g} | {values.expected[0]:+.4f} |")
    return "\n".join(["## Exploitability", "", *lines, ""])


def play(game: Game, seats: tuple[Searcher, Searcher], seed: int) -> float:
    """What player 0 gets in a game of two searches; of four players each search has two."""
    s, ply = game.initial(), 0
    while not game.is_terminal(s):
        p = game.to_move(s)
        s = game.result(s, outcome(game, s, draw(seed, ply)) if p == CHANCE else seats[p % 2].search(game, s).action or 0)
        ply += 1
    return float(game.utility(s, 0))


def gains(game: Game, name: str, pairs: int, one: Callable[[int], Searcher], other: Callable[[int], Searcher]) -> str:
    """What a search gets a game against another in pairs of games with seats exchanged, with a 95 % interval; both by their seeds."""
    got, began = list[float](), time.monotonic()
    for pair in range(pairs):
        report.tell(f"{name}: pair {pair + 1} of {pairs}, {time.monotonic() - began:.0f} s")
        got.append((play(game, (one(pair), other(pair)), pair) - play(game, (other(pair), one(pair)), pair)) / 2)
    return f"{fmean(got):+.3f} ± {1.96 * stdev(got) / math.sqrt(len(got)):.3f}"


def matches(names: Sequence[str], pairs: int, seconds: float) -> str:
    lines = ["| game | pairs | ISMCTS gets a game | who sees everything gets |", "| --- | ---: | ---: | ---: |"]
    for name in names:
        game = zermelo.game(name)

        def worlds(seed: int) -> Searcher:
            return Worlds(worlds=10, seconds=seconds, seed=seed)

        trees = gains(game, name, pairs, lambda seed: ISMCTS(simulations=10**9, seconds=seconds, seed=seed), worlds)
        sees = gains(game, name, pairs, lambda seed, game=game: by_name.open_searcher(game, seconds=seconds), worlds)
        lines.append(f"| {name} | {pairs} | {trees} | {sees} |")
    return "\n".join([f"## Against averaging over worlds, {seconds:g} s a move", "", *lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.worlds", description="Averaging over worlds and information-set MCTS.")
    parser.add_argument("--pairs", type=int, default=100, help="pairs of games of a match (100)")
    parser.add_argument("--seconds", type=float, default=0.05, help="for each move of a match (0.05)")
    parser.add_argument("--only", metavar="GAME", help="only the match of this game (all, and exploitability)")
    report.options(parser, rounds=1)
    given = parser.parse_args()
    if given.pairs < 2 or not 0 < given.seconds < 1e4:
        parser.error(f"expected at least 2 pairs and a positive number of seconds, not {given.pairs} and {given.seconds}")
    text = report.header(" ".join(["python -m bench.worlds", *sys.argv[1:]]), 1, PACKAGES)
    parts = [] if given.only else [exploited]
    for part in (*parts, lambda: matches([given.only] if given.only else MATCHES, given.pairs, given.seconds)):
        table = part()
        report.tell("")
        print(table, flush=True)
        text += "\n" + table
    if given.write:
        report.write(given.write, text)


if __name__ == "__main__":
    main()
