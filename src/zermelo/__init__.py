"""Zermelo: write the rules of a game once, in plain Python, and have it played interpreted, natively and on a GPU.

>>> import zermelo
>>> zermelo.perft(zermelo.game("connect4", width=7, height=6), 7)
823536
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .bits import bit, bitreverse, byteswap, clz, ctz, i8, i16, i32, i64, lowest, nth, popcount, rest, u8, u16, u32, u64
from .errors import LoweringError, ZermeloError
from .game import CHANCE, Game
from .history import History
from .registry import game, names
from .rng import below, draw, mix, split, unit
from .search.alphabeta.searcher import AlphaBeta
from .search.alphabeta.solve import Solved
from .search.beliefs.exact import exact_belief
from .search.beliefs.particles import Particles
from .search.beliefs.searcher import Beliefs
from .search.bestfirst import BestFirst
from .search.by_name import searcher
from .search.expectiminimax import Expectiminimax
from .search.ismcts import ISMCTS
from .search.maxn import MaxN, Paranoid
from .search.mcts.searcher import MCTS
from .search.minimax import Minimax
from .search.montecarlo import MonteCarlo
from .search.perft import perft
from .search.playouts import playouts
from .search.proofnumber import ProofNumber
from .search.random_games import Playouts
from .search.rollouts import Rollouts
from .search.searcher import Result, Searcher
from .search.session import Thinking
from .search.stop import Stop
from .search.worlds import Worlds
from .system import interrupt  # noqa: F401 - before all that takes its time

if TYPE_CHECKING:
    from .equilibrium.solve import solve
    from .equilibrium.strategy import Strategy
    from .explain.trace import Trace, trace
    from .learn.runs import Run
    from .learn.training import train

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "ISMCTS",
    "MCTS",
    "AlphaBeta",
    "Beliefs",
    "BestFirst",
    "Expectiminimax",
    "Game",
    "History",
    "LoweringError",
    "MaxN",
    "Minimax",
    "MonteCarlo",
    "Paranoid",
    "Particles",
    "Playouts",
    "ProofNumber",
    "Result",
    "Rollouts",
    "Run",
    "Searcher",
    "Solved",
    "Stop",
    "Strategy",
    "Thinking",
    "Trace",
    "Worlds",
    "ZermeloError",
    "below",
    "bit",
    "bitreverse",
    "byteswap",
    "clz",
    "ctz",
    "draw",
    "exact_belief",
    "game",
    "i8",
    "i16",
    "i32",
    "i64",
    "lowest",
    "mix",
    "names",
    "nth",
    "perft",
    "playouts",
    "popcount",
    "rest",
    "searcher",
    "solve",
    "split",
    "trace",
    "train",
    "u8",
    "u16",
    "u32",
    "u64",
    "unit",
]


def __getattr__(name: str) -> Any:
    """What explains, learns and solves, loaded when somebody asks for it: most programs only search."""
    if name in ("Trace", "trace"):
        from .explain import trace

        return getattr(trace, name)
    if name in ("Strategy", "solve"):
        from .equilibrium import solve, strategy

        return strategy.Strategy if name == "Strategy" else solve.solve
    if name in ("Run", "train"):
        from .learn import runs, training

        return runs.Run if name == "Run" else training.train
    raise AttributeError(f"module 'zermelo' has no attribute '{name}'")
