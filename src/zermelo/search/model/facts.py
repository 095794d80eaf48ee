"""What a model must know of a game: the inputs that its planes have, and the range of its utilities."""

from __future__ import annotations

from typing import Any

from ...errors import ZermeloError
from ...game import Game
from .network import PLANE

MOST_PLANES, MOST_INPUTS = 255, 1 << 20
MOST_ROWS = 65_535  # of an integer network: fitting keeps their numbers in 16 bits
LARGEST_VALUE = 1e9  # of anything that a value is made of
LARGEST_WEIGHT = 1e6  # of what is learned: those of models that did not diverge are below 10,000


def planes_of(game: Game) -> tuple[tuple[int, int, float], ...]:
    """The inputs that each plane of the game has; of a game without planes: every bit of the packed state, and who looks and moves."""
    n = sum(1 for _ in game.planes(game.initial(), 0)) if game.has_planes else game.layout.words + 1
    if n > MOST_PLANES:
        raise ZermeloError(f"{game!r} has states of {n:,} words: expected at most {MOST_PLANES}, or planes that say what matters of them")
    if not game.plane_inputs:
        return tuple((64 * k, 1, 1.0) for k in range(n))
    is_tuple = isinstance(game.plane_inputs, tuple)
    if not game.has_planes or not is_tuple or len(game.plane_inputs) != n or not all(map(_is_plane, game.plane_inputs)):
        expected = f"a tuple of {n} (first, step, scale), a line for each plane: whole numbers of 0 to {MOST_INPUTS:,} and a float"
        raise ZermeloError(f"{game!r}: expected plane_inputs to be {expected}")
    return tuple((int(first), int(step), float(scale)) for first, step, scale in game.plane_inputs)


def _is_plane(line: Any) -> bool:
    """Whether this is how the bits of a plane are inputs."""
    if not isinstance(line, tuple) or len(line) != PLANE or not all(type(n) is int and n >= 0 for n in line[:2]):
        return False
    is_number = isinstance(line[2], (int, float)) and abs(line[2]) <= LARGEST_VALUE
    return is_number and line[0] + 63 * line[1] < MOST_INPUTS


def range_of(game: Game) -> tuple[float, float]:
    """The least and the greatest utility."""
    given = (-1.0, 1.0) if game.value_range is None else game.value_range
    is_pair = isinstance(given, tuple) and len(given) == 2 and all(isinstance(x, (int, float)) and abs(x) <= LARGEST_VALUE for x in given)
    if not is_pair or not given[0] < given[1]:
        raise ZermeloError(f"{game!r}: expected value_range to be two numbers, the least and the greatest utility, not {given!r}")
    return float(given[0]), float(given[1])
