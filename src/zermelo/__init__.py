"""Zermelo: write the rules of a game once, in plain Python, and have them played, solved and explained.

    import zermelo
    game = zermelo.game("connect4", width=7, height=6)
    zermelo.perft(game, 8)
    zermelo.playouts(game, 100_000, seed=1)
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
from .search.perft import perft
from .search.playouts import Playouts, playouts

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "Game",
    "LoweringError",
    "Playouts",
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
    "split",
    "u8",
    "u16",
    "u32",
    "u64",
    "unit",
]
