"""Random moves on a GPU: Zermelo and pgx on the same GPU, in one run.

    python -m bench.gpu [GAME ...] --pgx FOLDER [--write FILE]

FOLDER contains pgx and its dependencies besides jax (svgwrite, typing_extensions), as wheels from pip download,
or unpacked. If Zermelo is not installed, set PYTHONPATH=src. With --tiny and without a GPU
(NUMBA_ENABLE_CUDASIM=1) the same code runs on the CPU as a smoke test; such figures are meaningless.
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import zermelo

from . import report
from .harness import Candidate, Claim, Result, Sample, Table, measure, timed
from .peers import installed

OURS = "Zermelo"
PACKAGES = ("zermelo", "numba", "numba-cuda", "numpy", "jax", "jaxlib", "pgx")


@dataclass(frozen=True)
class Subject:
    """A game on both sides: the number of our games per run, and of pgx's moves, with its batch sizes."""

    title: str
    ours: str
    pgx: str
    games: int
    batches: tuple[int, ...]
    moves: int
    bar: float
    shortest: int  # moves of a game
    longest: int
    note: str = ""


SUBJECTS = {
    "connect4": Subject("Connect Four", "connect4", "connect_four", 1 << 28, (1 << 17, 1 << 20), 1 << 28, 40, 7, 42),
    "othello": Subject("Othello", "othello", "othello", 1 << 25, (1 << 14, 1 << 17), 1 << 25, 200, 9, 128),
    "hex": Subject("Hex 11x11", "hex:size=11", "hex", 1 << 24, (1 << 14, 1 << 17), 1 << 25, 100, 21, 122, "pgx plays with the swap rule."),
    "go": Subject(
        "Go 9x9", "go:size=9", "go_9x9", 1 << 24, (1 << 14, 1 << 17), 1 << 22, 200, 2, 300, "Ko: pgx by superko, ours by the simple rule."
    ),
    "chess": Subject(
        "chess",
        "chess",
        "chess",
        1 << 22,
        (1 << 14, 1 << 17),
        1 << 22,
        1000,
        4,
        1000,
        "pgx ends games by repetition too; ours in play only.",
    ),
    "backgammon": Subject(
        "backgammon",
        "backgammon",
        "backgammon",
        1 << 22,
        (1 << 14, 1 << 17),
        1 << 25,
        20,
        15,
        10_000,
        "Moves of single checkers on both sides; ours by their mean in a game, counted in 400 games on the CPU.",
    ),
}


def zermelo_moves(subject: Subject, tiny: bool) -> Candidate:
    """Random games on the GPU; the time is that of the kernel and the copying, without compiling."""
    game = zermelo.game(subject.ours)
    each = checkers_moved(game, 4 if tiny else 400) if subject.ours == "backgammon" else None

    def run() -> Sample:
        played = zermelo.playouts(game, 100 if tiny else subject.games, device="cuda", seed=1)
        return Sample(played.moves if each is None else played.games * each, played.seconds)

    return Candidate(OURS, run)


def checkers_moved(game: zermelo.Game, games: int) -> float:
    """The mean number of checkers moved in a random game of backgammon: an action has five bits for each."""
    total, chance = 0, random.Random(1)
    for _ in range(games):
        s = game.initial()
        while not game.is_terminal(s):
            if game.to_move(s) == zermelo.CHANCE:
                rolls = list(game.actions(s))
                a = chance.choices(rolls, [game.probability(s, a) for a in rolls])[0]
            else:
                a = game.sample(s, chance.getrandbits(64))
                total += sum(a >> 5 * k & 31 != 0 for k in range(4))
            s = game.result(s, a)
    return total / games


def pgx_moves(subject: Subject, batch: int, steps: int, wrapper: bool) -> Candidate:
    """`steps` random legal moves in each of `batch` games at once, restarting finished ones: one jitted loop.

    With `wrapper` games restart by pgx's own auto_reset, as its documentation shows; without, by taking
    the initial state instead, which needs no random key. The loop returns only how many games ended, so
    that jax may eliminate everything else.
    """
    name = f"pgx, batch {batch:,}, {'auto_reset' if wrapper else 'reset by select'}"
    pgx = installed("pgx")
    if pgx is None:
        return Candidate(name, None)
    import jax
    import jax.numpy as jnp
    from pgx.experimental import act_randomly, auto_reset

    env = pgx.make(subject.pgx)
    fresh = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), batch))
    keyed = wrapper or subject.pgx == "backgammon"  # its steps roll the dice
    step = jax.vmap(auto_reset(env.step, env.init) if wrapper else env.step)

    def choose(done: Any, new: Any, old: Any) -> Any:
        return jnp.where(done.reshape((batch,) + (1,) * (new.ndim - 1)), new, old)

    def one(carry: tuple[Any, Any, Any], _: None) -> tuple[tuple[Any, Any, Any], None]:
        state, key, ended = carry
        key, act, reset = jax.random.split(key, 3)
        action = act_randomly(act, state.legal_action_mask)
        state = step(state, action, jax.random.split(reset, batch)) if keyed else step(state, action)
        done = state.terminated | state.truncated
        if not wrapper:
            state = jax.tree.map(lambda new, old: choose(done, new, old), fresh, state)
        return (state, key, ended + done.sum()), None

    def loop(state: Any, key: Any) -> Any:
        return jax.lax.scan(one, (state, key, jnp.int32(0)), None, length=steps)[0][2]

    run = jax.jit(loop)

    def work() -> float:
        ended = int(run(fresh, jax.random.PRNGKey(1)).block_until_ready())
        fits = subject.shortest * ended <= batch * steps <= subject.longest * (ended + batch)
        assert fits, f"{ended} games of {subject.shortest} to {subject.longest} moves cannot be {batch * steps} moves"
        return batch * steps

    return Candidate(name, timed(work, time.perf_counter))


def table(subject: Subject, tiny: bool) -> Table:
    """The candidates; every run of pgx makes the same number of moves."""
    batches, moves = ((64,), 1 << 11) if tiny else (subject.batches, subject.moves)
    told = "Elapsed time: for Zermelo the kernel and the copying of its sums, for pgx a jitted loop until its result is there."
    return Table(
        f"Random moves of {subject.title} on a GPU",
        "moves/s",
        [zermelo_moves(subject, tiny), *(pgx_moves(subject, b, moves // b, wrapper) for b in batches for wrapper in (True, False))],
        [] if tiny else [Claim("Zermelo against the fastest of pgx", lambda best: best[OURS] / _fastest(best), subject.bar)],
        f"{told} {subject.note}".strip(),
    )


def _fastest(best: Mapping[str, float]) -> float:
    others = [value for name, value in best.items() if name != OURS]
    if not others:
        raise KeyError("pgx")
    return max(others)


def lines(result: Result) -> str:
    """Each candidate as one line of JSON."""
    told = [
        {"name": row.name, "moves_per_second": row.best, "median": row.median, "values": row.values} for row in result.rows if row.values
    ]
    return "\n".join(map(json.dumps, told))


def gpu() -> str:
    """The name of the GPU and its driver."""
    try:
        asked = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip().replace(", ", ", driver ")
    except (OSError, subprocess.CalledProcessError):
        return "no GPU"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.gpu", description="Zermelo and pgx on one GPU.")
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"what to measure, of: {', '.join(SUBJECTS)} (default: all)")
    parser.add_argument("--pgx", type=Path, metavar="FOLDER", help="folder of pgx and its dependencies, as wheels or unpacked")
    parser.add_argument("--tiny", action="store_true", help="tiny sizes, as a smoke test")
    report.options(parser, rounds=5)
    told = parser.parse_args()
    if wrong := set(told.games) - set(SUBJECTS):
        parser.error(f"there is no game {', '.join(sorted(wrong))}: expected some of {', '.join(SUBJECTS)}")
    if told.pgx:
        if not told.pgx.is_dir():
            parser.error(f"there is no folder {told.pgx}")
        sys.path[:0] = [str(told.pgx), *map(str, sorted(told.pgx.glob("*.whl")))]
        try:
            importlib.import_module("pgx")
        except ImportError as error:
            parser.error(f"pgx in {told.pgx} does not import: {error}")
    text = report.header(" ".join(["python -m bench.gpu", *sys.argv[1:]]), told.rounds, PACKAGES, gpu())
    print(text)
    for name in told.games or SUBJECTS:
        try:
            result = measure(table(SUBJECTS[name], told.tiny), told.rounds, report.tell)
        except zermelo.ZermeloError as error:
            parser.error(str(error))
        report.tell("")
        print(report.show(result), lines(result), sep="\n", flush=True)
        text += "\n" + report.show(result)
    if told.write:
        report.write(told.write, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
