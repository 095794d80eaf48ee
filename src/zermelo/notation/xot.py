"""XOT and other lists of Othello openings: a line of moves without spaces, like f5d6c4d3c2b3b4b5."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..errors import ZermeloError
from ..system.limits import shown

_MOVE = re.compile(r"\s*([a-h][1-8]|pass|--)", re.IGNORECASE)


def read_moves(line: str) -> list[str]:
    """The moves in this line, in lower case; ZermeloError if it contains anything else."""
    moves, at, line = list[str](), 0, line.strip()
    while at < len(line):
        found = _MOVE.match(line, at)
        if not found:
            raise ZermeloError(f"{shown(line)} is not a line of moves: expected squares like f5d6c4, not '{line[at : at + 10]}'")
        moves.append(found[1].lower())
        at = found.end()
    return moves


def write_moves(moves: list[str]) -> str:
    """The line that `read_moves` reads back."""
    return "".join(moves)


def read(text: str) -> Iterator[list[str]]:
    """The openings of a whole file; empty lines are skipped."""
    for line in text.splitlines():
        if line.strip():
            yield read_moves(line)
