"""Where tournament games of checkers begin: after three moves that are drawn by lot, or with eleven men a side.

Three moves can be played in 302 ways, which lead to 216 positions. In 42 of them a man is lost at once; the other 174 have numbers, as
the American Checker Federation lists them. 18 of those are barred, as one side is thought to lose: the tournament deck
is the 156 others (since 2003; before, it had 144).
"""

from __future__ import annotations

from pathlib import Path

from ...errors import ZermeloError
from ...notation import pdn
from .moves import State
from .records import replay
from .rules import Checkers

#: the first two moves, and the third moves that follow them; in this order they are numbered from 1
_MOVES = {
    "9-13 21-17": "5-9 6-9 10-14",
    "9-13 22-17": "13x22",
    "9-13 22-18": "6-9 10-14 10-15 11-15 11-16 12-16",
    "9-13 23-18": "5-9 6-9 10-14 10-15 11-15 11-16 12-16",
    "9-13 23-19": "5-9 6-9 10-14 10-15 11-16",
    "9-13 24-19": "5-9 6-9 10-14 10-15 11-15 11-16",
    "9-13 24-20": "5-9 6-9 10-14 10-15 11-15 11-16 12-16",
    "9-14 22-17": "5-9 6-9 11-15 11-16",
    "9-14 22-18": "5-9 10-15 11-15 11-16 12-16 14-17",
    "9-14 23-18": "14x23",
    "9-14 23-19": "5-9 10-15 11-16 14-18",
    "9-14 24-19": "5-9 10-15 11-15 11-16",
    "9-14 24-20": "5-9 10-15 11-15 11-16",
    "10-14 22-17": "7-10 9-13 11-15 11-16 14-18",
    "10-14 22-18": "6-10 7-10 11-15 11-16 12-16",
    "10-14 23-18": "14x23",
    "10-14 23-19": "6-10 7-10 11-15 11-16 14-18",
    "10-14 24-19": "6-10 7-10 11-15 11-16 14-18",
    "10-14 24-20": "6-10 7-10 11-15 11-16 14-18",
    "10-15 21-17": "6-10 7-10 9-13 9-14 11-16 15-18",
    "10-15 22-17": "6-10 7-10 9-13 9-14 11-16 15-19",
    "10-15 22-18": "15x22",
    "10-15 23-18": "6-10 7-10 9-14 11-16 12-16",
    "10-15 23-19": "6-10 7-10 11-16",
    "10-15 24-19": "15x24",
    "10-15 24-20": "6-10 7-10 11-16 15-19",
    "11-15 21-17": "8-11 9-13 9-14 10-14 15-19",
    "11-15 22-17": "8-11 9-13 15-18 15-19",
    "11-15 22-18": "15x22",
    "11-15 23-18": "8-11 9-14 10-14 12-16 15-19",
    "11-15 23-19": "8-11 9-13 9-14",
    "11-15 24-19": "15x24",
    "11-15 24-20": "8-11 12-16 15-18",
    "11-16 21-17": "7-11 8-11 9-13 9-14 10-14 16-20",
    "11-16 22-17": "7-11 8-11 9-13 16-20",
    "11-16 22-18": "7-11 8-11 10-15 16-19 16-20",
    "11-16 23-18": "7-11 8-11 9-14 10-14 16-20",
    "11-16 23-19": "16x23",
    "11-16 24-19": "7-11 8-11 10-15 16-20",
    "11-16 24-20": "7-11 16-19",
    "12-16 21-17": "9-13 9-14 16-19 16-20",
    "12-16 22-17": "16-19 16-20",
    "12-16 22-18": "16-19 16-20",
    "12-16 23-18": "9-14 16-19 16-20",
    "12-16 23-19": "16x23",
    "12-16 24-19": "16-20",
    "12-16 24-20": "8-12 10-15",
}

#: the 174 openings, number 1 first
THREE_MOVES = tuple(f"{two} {third}" for two, thirds in _MOVES.items() for third in thirds.split())

#: the numbers of those that are not in the tournament deck
BARRED = (3, 13, 26, 35, 44, 45, 48, 52, 77, 88, 94, 109, 114, 137, 145, 156, 168, 171)


def three_move(game: Checkers, barred: bool = False) -> dict[int, State]:
    """The positions of the tournament deck by their numbers; with the barred ones, if they are asked for."""
    return {n: _after(game, line) for n, line in enumerate(THREE_MOVES, 1) if barred or n not in BARRED}


def _after(game: Checkers, line: str) -> State:
    s = game.initial()
    for move in line.split():
        s = game.result(s, game.read_action(s, move))
    return s


def eleven_man(game: Checkers, path: Path | str) -> list[State]:
    """The positions of a PDN file of 11-man ballots: one man of each side is taken off, and each has made a move."""
    states = []
    for record in pdn.read_file(path):
        s = replay(game, record)[0][-1]
        if s.mine.bit_count() != 11 or s.theirs.bit_count() != 11:
            raise ZermeloError(f"{path}: line {record.at}: expected a position of 11 men a side, not {game.write_state(s)}")
        states.append(s)
    return states
