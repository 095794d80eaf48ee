"""OBF, the format of Othello's endgame suites (FFO): a position in a line, and what its moves are worth.

    --XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12;

The squares row by row from a1, X for Black and O for White; who is to move; then moves with their scores in discs for that side.
Anything behind a % is a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..errors import ZermeloError
from ..system.limits import shown

_POSITION = re.compile(r"([XO-]+) ([XO])")
_SCORE = re.compile(r"([A-Za-z][0-9]|--|pass) ?: ?([+-]?[0-9]{1,2})", re.IGNORECASE)


@dataclass(frozen=True)
class Problem:
    """A position, as `write_state` of Othello writes it, and the scores of its moves, each in small letters."""

    position: str
    scores: dict[str, int] = field(default_factory=dict)

    @property
    def score(self) -> int | None:
        """What the best move is worth; None where no move is told."""
        return max(self.scores.values(), default=None)


def read_line(line: str) -> Problem:
    """The problem in this line; ZermeloError if it is none."""

    def refuse(expected: str) -> ZermeloError:
        return ZermeloError(f"{shown(line)} is no line of OBF: expected {expected}")

    first, *rest = (part.strip() for part in line.partition("%")[0].split(";"))
    found = _POSITION.fullmatch(first)
    if not found or len(found[1]) not in (16, 36, 64):
        raise refuse("64 squares X, O or -, a space, X or O, who is to move, and a ';'")
    scores: dict[str, int] = {}
    for part in filter(None, rest):
        told = _SCORE.fullmatch(part)
        if not told:
            raise refuse(f"moves with scores like G8:+18, not {shown(part)}")
        move = told[1].lower()
        if move in scores:
            raise refuse(f"each move once, not {move} again")
        scores[move] = int(told[2])
    return Problem(first, scores)


def write_line(problem: Problem) -> str:
    """The line from which `read_line` makes the problem again."""
    return " ".join([f"{problem.position};", *(f"{move.upper()}:{score:+d};" for move, score in problem.scores.items())])


def read(text: str) -> Iterator[Problem]:
    """The problems of a whole file; empty lines and comments are none."""
    for line in text.splitlines():
        if line.partition("%")[0].strip():
            yield read_line(line)
