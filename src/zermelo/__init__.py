"""Zermelo: write the rules of a game once, in plain Python, and have it played interpreted, natively and on a GPU.

>>> import zermelo
>>> zermelo.perft(zermelo.game("connect4", width=7, height=6), 7)
823536
"""

from __future__ import annotations

from .bits import (
    bit,
    bitreverse,
    byteswap,
    clz,
    ctz,
    i8,
    i16,
    i32,
    i64,
    lowest,
    nth,
    popcount,
    rest,
    u8,
    u16,
    u32,
    u64,
)
from .errors import LoweringError, ZermeloError
from .game import CHANCE, Game
from .registry import game, names
from .rng import below, draw, mix, split, unit
from .search.alphabeta import AlphaBeta
from .search.expectiminimax import Expectiminimax
from .search.maxn import MaxN, Paranoid
from .search.mcts import MCTS
from .search.minimax import Minimax
from .search.montecarlo import MonteCarlo
from .search.names import searcher
from .search.perft import perft
from .search.playouts import Playouts, playouts
from .search.searcher import Result, Searcher
from .search.work import Stop

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "MCTS",
    "AlphaBeta",
    "Expectiminimax",
    "Game",
    "LoweringError",
    "MaxN",
    "Minimax",
    "MonteCarlo",
    "Paranoid",
    "Playouts",
    "Result",
    "Searcher",
    "Stop",
    "ZermeloError",
    "below",
    "bit",
    "bitreverse",
    "byteswap",
    "clz",
    "ctz",
    "draw",
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
    "split",
    "u8",
    "u16",
    "u32",
    "u64",
    "unit",
]
