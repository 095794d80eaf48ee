"""Symmetries of boards as networks learn by them (`Game.board_symmetries`): which cell comes to each cell, and which action to each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Permutation = tuple[int, ...]
Symmetries = tuple[tuple[Permutation, Permutation], ...]


def turns(height: int, width: int) -> list[Permutation]:
    """The turns and reflections that keep a board's shape, of cells row by row: seven of a square, three of another board."""
    rows = [[y * width + x for x in range(width)] for y in range(height)]
    flips = [[row[::h] for row in rows[::v]] for h in (1, -1) for v in (1, -1)]
    images = flips + ([[list(column) for column in zip(*flip, strict=True)] for flip in flips] if height == width else [])
    return list(dict.fromkeys(tuple(cell for row in image for cell in row) for image in images))[1:]


def mirror(height: int, width: int) -> Permutation:
    """Left and right exchanged."""
    return tuple(y * width + width - 1 - x for y in range(height) for x in range(width))


def half_turn(height: int, width: int) -> Permutation:
    """The board turned upside down."""
    return tuple(reversed(range(height * width)))


def of_cells(permutations: Iterable[Permutation], actions: Sequence[int], size: int) -> Symmetries:
    """Symmetries of a game whose action for cell i has the policy index actions[i], of `size` in all; others stay where they are."""
    made = []
    for cells in permutations:
        policy = list(range(size))
        for i, j in enumerate(cells):
            policy[actions[i]] = actions[j]
        made.append((cells, tuple(policy)))
    return tuple(made)
