"""OBF, the format of Othello's endgame suites (FFO): one position per line, with the scores of its moves.

    --XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12;

The squares row by row from a1, X for Black and O for White; the side to move; then moves with their scores in discs for that side.
A % begins a comment.
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
    """A position, as `write_state` of Othello writes it, and the scores of its moves, which are in lower case."""

    position: str
    scores: dict[str, int] = field(default_factory=dict)

    @property
    def score(self) -> int | None:
        """The score of the best move; None if no move has one."""
        return max(self.scores.values(), default=None)


def read_line(line: str) -> Problem:
    """The problem in this line; ZermeloError if it is not a line of OBF."""

    def refuse(expected: str) -> ZermeloError:
        return ZermeloError(f"{shown(line)} is not a line of OBF: expected {expected}")

    first, *rest = (part.strip() for part in line.partition("%")[0].split(";"))
    found = _POSITION.fullmatch(first)
    if not found or len(found[1]) not in (16, 36, 64):
        raise refuse("64 squares X, O or -, a space, the side to move as X or O, and a ';'")
    scores: dict[str, int] = {}
    for part in filter(None, rest):
        found = _SCORE.fullmatch(part)
        if not found:
            raise refuse(f"moves with scores like G8:+18, not {shown(part)}")
        move = found[1].lower()
        if move in scores:
            raise refuse(f"each move once, not {move} again")
        scores[move] = int(found[2])
    return Problem(first, scores)


def read(text: str) -> Iterator[Problem]:
    """The problems of a whole file; empty lines and comments are skipped."""
    for line in text.splitlines():
        if line.partition("%")[0].strip():
            yield read_line(line)
