"""A strategy of hold'em over buckets against simple players, in duplicate hands, and against best responses over the same buckets.

    python -m bench.holdem FILE [--deals 100000] [--seed 1] [--respond BOARDS | --exact] [--write FILE]

Each deal is played twice with seats exchanged. `caller` always calls, `random` does anything, `tight` (tight-aggressive) raises with good
hands, calls with fair ones and folds the others, by how often a hand of its bucket wins. With --respond both seats find a response to the
strategy with the same buckets on so many boards, on the river alone, then from the turn on, and so on: what it wins a hand on as many other
boards is a lower bound of the exploitability in the game of buckets. With --exact responses are found on all boards, which a small deck
allows: by a player who forgets earlier buckets, as the strategy does, and by one who remembers them, who wins exactly what can be won.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import zermelo
from zermelo.bits import u64
from zermelo.equilibrium.cards.duel import Winnings, duel
from zermelo.equilibrium.cards.game import ROUNDS
from zermelo.equilibrium.cards.response import Response, all_boards, draw_boards
from zermelo.equilibrium.cards.sampling import Dealing, deal
from zermelo.equilibrium.cards.strategy import CardStrategy, CardTable
from zermelo.equilibrium.sequences import add_real
from zermelo.lower.memory import Words
from zermelo.rng import split
from zermelo.search.prepare import prepare

from . import report

FOLD, CALL, RAISE = range(3)
RAISES, CALLS = (0.57, 0.66, 0.68, 0.72), (0.48, 0.50, 0.50, 0.50)  # how often hands win that `tight` raises or calls with, by round
TALLIED = 200_000  # deals that show how often the hands of a bucket win
BIG_BLIND = 2.0
ERRORS = 3.0  # standard errors by which the strategy is to win


class Tallying(Dealing):
    """The record of `tally`."""

    deals: int
    stride: int
    counts: int  # of each round and bucket
    wins: int


def tally(game: Any, work: Tallying) -> int:
    """Count how often the hands of each bucket win, of all deals; how many deals."""
    for k in range(work.deals):
        work.random = split(work.seed, u64(k)) | u64(1)
        deal(game, work)
        for p in range(2):
            share = work.outcome / 2.0 if p == 0 else 1.0 - work.outcome / 2.0
            for r in range(ROUNDS):
                at = work.stride * r + work.buckets[ROUNDS * p + r]
                add_real(work.counts, at, 1.0)
                add_real(work.wins, at, share)
    return work.deals


def equities(table: CardTable, seed: int) -> np.ndarray[Any, Any]:
    """How often the hands of each round and bucket win; a half if none was dealt."""
    stride = max(table.buckets.sizes)
    counts, wins = (Words(ROUNDS * stride, False) for _ in range(2))
    run = prepare(table.game, tally, Tallying, False)
    run(**table.fields, deals=TALLIED, seed=seed, stride=stride, counts=counts.table, wins=wins.table)
    n, won = counts.array.view(np.float64), wins.array.view(np.float64)
    return np.where(n > 0, won / np.maximum(n, 1), 0.5).reshape(ROUNDS, stride)


def simple(table: CardTable, kind: str, seed: int) -> np.ndarray[Any, Any]:
    """The weights of a simple player."""
    found = np.zeros(table.sequences)
    won = equities(table, seed) if kind == "tight" else np.zeros((ROUNDS, 1))
    for i, node in enumerate(table.tree.nodes):
        if not node.actions:
            continue
        part = found[table.firsts[i] : table.firsts[i + 1]].reshape(-1, len(node.actions))
        at = {a: k for k, a in enumerate(node.actions)}
        if kind == "tight":
            equity = won[node.round, : len(part)]
            raises = (equity >= RAISES[node.round]) & (RAISE in at)
            folds = (equity < CALLS[node.round]) & (FOLD in at)
            part[raises, at.get(RAISE, 0)] = 1.0
            part[folds & ~raises, at.get(FOLD, 0)] = 1.0
            part[~raises & ~folds, at[CALL]] = 1.0
        else:
            part[:, at[CALL] if kind == "caller" else slice(None)] = 1.0
    return found


def row(name: str, won: Winnings, seconds: float, bar: str = "") -> str:
    """A row of the table."""
    errors = won.mean / won.error if won.error else 0.0
    blinds = f"{1000 * won.mean / BIG_BLIND:+,.1f} ± {1000 * 1.96 * won.error / BIG_BLIND:,.1f}"
    return f"| {name} | {won.deals:,} | {won.mean:+.4f} ± {1.96 * won.error:.4f} | {blinds} | {errors:+.1f} | {seconds:.1f} | {bar} |"


def response_rows(response: Response, boards: Any, kinds: dict[str, Any], last: int = ROUNDS - 1) -> Iterator[str]:
    """Rows for responses that are found on some boards, from round `last` on and then from earlier ones: what the strategy wins."""
    began = time.process_time()
    for r in response.learn(boards):
        report.tell(f"a response from round {r} on")
        for name, some in kinds.items() if r <= last else ():
            gains = response.gains(some)
            error = float(gains.std()) / len(some) ** 0.5 if last else 0.0
            won = Winnings(len(some), -float(gains.mean()), error)
            yield row(f"a response from round {r} on, {name}", won, time.process_time() - began)
            began = time.process_time()


def all_rows(given: argparse.Namespace, table: CardTable, averages: Any) -> Iterator[str]:
    """The rows that are asked for, as they come."""
    for kind in ("caller", "random", "tight"):
        began = time.process_time()
        won = duel(table.game, table.fields, averages, simple(table, kind, given.seed + 1), given.deals, given.seed)
        yield row(kind, won, time.process_time() - began, "kept" if won.mean > ERRORS * won.error else "missed")
    if given.respond:
        found, others = (draw_boards(table.game, given.respond, given.seed + k) for k in (2, 3))
        yield from response_rows(Response(table, averages), found, {"the same boards": found, "other boards": others})
    if given.exact:
        boards = all_boards(table.game)
        for remembers, name in ((False, "all boards, forgets"), (True, "all boards, remembers")):
            yield from response_rows(Response(table, averages, remembers), boards, {name: boards}, last=0)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.holdem", description="A strategy over buckets against simple players.")
    parser.add_argument("file", type=Path, help="that zermelo solve --buckets wrote")
    parser.add_argument("--deals", type=int, default=100_000, help="each is played twice (100,000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--respond", type=int, default=0, help="boards on which a response is found (0: none)")
    parser.add_argument("--exact", action="store_true", help="find responses on all boards")
    report.options(parser, rounds=1)
    given = parser.parse_args()
    if given.deals < 1 or given.respond < 0:
        parser.error(f"expected at least one deal, and 0 or more boards, not {given.deals} and {given.respond}")
    strategy = CardStrategy.load(given.file)
    strategy.check_game(zermelo.game(strategy.about.game))
    table, averages = strategy.table, strategy.arrays["averages"]
    text = report.header(" ".join(["python -m bench.holdem", *sys.argv[1:]]), 1, ("zermelo", "numba", "numpy"))
    about = strategy.about
    facts = f"{about.game}, buckets {table.buckets.sizes}, {table.sets:,} information sets"
    facts += f", {about.iterations:,} iterations in {about.seconds:.0f} s"
    heads = ("against", "deals, twice each", "chips a hand, 95 %", "thousandths of a big blind", "standard errors", "seconds", "bar")
    lines = [facts, "", f"| {' | '.join(heads)} |"]
    lines.append("| --- | ---: | ---: | ---: | ---: | ---: | --- |")
    print("\n".join(lines), flush=True)
    for line in all_rows(given, table, averages):
        print(line, flush=True)
        lines.append(line)
    if given.write:
        report.write(given.write, text + "\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
