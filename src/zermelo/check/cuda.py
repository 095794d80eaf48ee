"""Whether the rules on a GPU are the ones that the interpreter runs.

With a GPU every state is asked there. Without, the same code is compiled for one (to PTX), and the simulator of
numba plays random games, in a process of its own: it must be chosen before numba is loaded.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from ..errors import ZermeloError
from ..game import Game, State
from ..lower import device, gpu
from ..registry import game as game_of
from ..search.playouts import playouts
from ..search.records import record_of
from .answers import Answers, difference
from .ask import Failed, attempt
from .native import ADVICE, refusal
from .probe import probe
from .report import Finding

COMPILES, SAME = "compiles for a GPU", "interpreted = CUDA"
GAMES, SEED, LENGTH = 20, 1, 1_000  # that the simulator plays

SIMULATE = """
import json, sys, zermelo
name, games, seed, limit = json.loads(sys.argv[1])
r = zermelo.playouts(zermelo.game(name), games, seed=seed, limit=limit, device="cuda")
print(json.dumps([r.moves, r.unfinished, *r.utility]))
"""


def kernel(game: Game, works: Any) -> None:
    """Thread i probes the state of record i."""
    i = gpu.thread()
    if i < len(works):
        probe(game, works[i])


def cuda_findings(game: Game, asked: Answers, write: Callable[[State], str]) -> list[Finding]:
    """Compare the interpreted answers with those of CUDA code; `write` shows a state."""
    if not asked.states:
        return [Finding(SAME, None, f"not checked: {asked.failure}")]
    module = attempt(device.cuda)
    if isinstance(module, Failed):
        return [Finding(SAME, None, f"not checked: {module.error}")]
    if module.is_available():
        return [_on_gpu(module, game, asked, write)]
    arrays = {"works": (record_of(asked.fields), 1)}
    code = attempt(device.ptx, game, kernel, arrays, {})
    if isinstance(code, Failed):
        return [Finding(COMPILES, False, refusal(code)), Finding(SAME, None, "not checked: the rules do not compile for a GPU")]
    return [Finding(COMPILES, True, f"{code.count(';'):,} instructions of PTX"), _in_simulator(game, asked)]


def _on_gpu(module: Any, game: Game, asked: Answers, write: Callable[[State], str]) -> Finding:
    record = record_of(asked.fields)
    works = np.zeros(len(asked.states), record)
    for work, (_, given, _) in zip(works, asked.states, strict=True):
        for name, value in given.items():
            work[name] = value
    there = module.to_device(works)
    launched = attempt(lambda: device.kernel(game, kernel, {"works": (record, 1)}, {})[-(-len(works) // 64), 64](there))
    if isinstance(launched, Failed):
        return Finding(SAME, False, refusal(launched))
    for (s, _, here), work in zip(asked.states, there.copy_to_host(), strict=True):
        if why := difference(here, SimpleNamespace(**{name: work[name] for name in record.names or ()})):
            return Finding(SAME, False, f"{why} on the GPU{ADVICE}", write(s))
    return Finding(SAME, True, f"{len(works):,} states on a GPU, every method")


def _in_simulator(game: Game, asked: Answers) -> Finding:
    if asked.games is None:
        return Finding(SAME, None, asked.why_no_games)
    try:
        known = type(game_of(repr(game))).__qualname__ == type(game).__qualname__
    except ZermeloError:
        known = False
    if not known:
        return Finding(SAME, None, "not checked: the simulator needs a game that is found by name or in a file")
    env = os.environ | {"NUMBA_ENABLE_CUDASIM": "1"}
    order = [sys.executable, "-c", SIMULATE, json.dumps([repr(game), GAMES, SEED, LENGTH])]
    run = subprocess.run(order, capture_output=True, text=True, env=env, check=False)
    if run.returncode != 0:
        return Finding(SAME, False, f"the simulator fails: {(run.stderr.strip().splitlines() or ['no reason given'])[-1]}")
    moves, unfinished, *utility = json.loads(run.stdout.splitlines()[-1])
    here = playouts(game, GAMES, seed=SEED, limit=LENGTH, interpreted=True, threads=1)
    if (moves, unfinished) != (here.moves, here.unfinished) or not np.allclose(utility, here.utility, rtol=1e-12):
        return Finding(SAME, False, f"random games differ in the simulator{ADVICE}")
    return Finding(SAME, True, f"{GAMES} games in the simulator, {moves:,} actions")
