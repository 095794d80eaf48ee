"""Games between the rules and the text of .mat files: what `notation/mat.py` reads, replayed; what was played, written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from ...errors import ZermeloError
from ...history import History, written_down
from ...notation import dialects, mat
from ...notation.sheet import Format, Sheet
from ...notation.text import decode
from . import text
from .match_equity import MAX_POINTS_AWAY
from .rules import Backgammon
from .state import DOUBLED, MAY_DOUBLE, OPENING, ROLL, TO_ROLL, State


def read_record(game: Backgammon, record: mat.Record) -> list[int]:
    """The actions of a recorded game, chance's too, from the initial state; ZermeloError that names the line of an illegal one.

    A record may end before the game does: then somebody has resigned. When the game is over, who won how much must be right.
    """
    s, actions = game.initial(), []

    def take(a: int) -> State:
        actions.append(a)
        return game.result(s, a)

    for turn in record.turns:
        where = f"line {turn.at} of the match"
        if game.is_terminal(s):
            raise ZermeloError(f"{where}: expected nothing after the end of the game")
        if s.roll == OPENING:
            dice = sorted(map(int, turn.dice), reverse=turn.player == 0)
            if len(set(dice)) != 2:
                raise ZermeloError(f"{where}: expected an opening roll of two different dice")
            s = take(dice[0] << 3 | dice[1])
        if turn.dice and s.roll == MAY_DOUBLE:
            s = take(ROLL)
        if turn.dice and s.roll == TO_ROLL:
            s = take(max(int(turn.dice[0]), int(turn.dice[1])) << 3 | min(int(turn.dice[0]), int(turn.dice[1])))
        if s.turn != turn.player or not (s.roll > 0 if turn.dice else s.roll in (MAY_DOUBLE, DOUBLED)):
            raise ZermeloError(f"{where}: expected of player {s.turn + 1} {_choice(s)}")
        if turn.text == mat.DOUBLE and turn.cube != 2 << s.cube:
            raise ZermeloError(f"{where}: expected a double to {2 << s.cube}, not to {turn.cube}")
        try:
            s = take(text.read_action(game, s, turn.text))
        except ZermeloError as error:
            raise ZermeloError(f"{where}: {error}") from None
    if game.is_terminal(s) and record.winner is not None:
        points = game.points(s) << s.cube
        if (record.winner, record.points) != (1 - s.turn, points):
            raise ZermeloError(f"expected player {2 - s.turn} to win {points}, not player {record.winner + 1} {record.points}")
    return actions


def _choice(s: State) -> str:
    if s.roll == DOUBLED:
        return "take or drop"
    return "dice, or a double" if s.roll == MAY_DOUBLE else "dice and moves"


def write_record(game: Backgammon, actions: Sequence[int], names: tuple[str, str] = ("player 1", "player 2")) -> mat.Record:
    """The game of these actions, chance's too, from the initial state."""
    record = mat.Record(names)
    s = game.initial()
    for a in actions:
        if s.roll > 0:
            told = text.write_play(s, a).replace("bar", "25").replace("off", "0").replace(text.NOTHING, "")
            record.turns.append(mat.Turn(s.turn, f"{s.roll >> 3}{s.roll & 7}", told))
        elif s.roll in (MAY_DOUBLE, DOUBLED) and (s.roll == DOUBLED or a != ROLL):
            told = text.write_action(s, a)
            record.turns.append(mat.Turn(s.turn, "", told, 2 << s.cube if told == mat.DOUBLE else 0))
        s = game.result(s, a)
    if game.is_terminal(s):
        record.winner, record.points = 1 - s.turn, game.points(s) << s.cube
    return record


# ---- files -------------------------------------------------------------------------------------


class InMatch(NamedTuple):
    """A game of a match: the tags of the match, and the stakes."""

    record: mat.Record
    tags: dict[str, str]
    game: Backgammon


def _parse(data: bytes) -> list[InMatch]:
    match = mat.read(decode(data))
    return [InMatch(record, dict(match.tags), _stakes(match, n)) for n, record in enumerate(match.games)]


def _stakes(match: mat.Match, n: int) -> Backgammon:
    """The rules of the n-th game: of a match at its score, or for money, with the cube if anybody doubled in any game."""
    left = [match.length - score for score in match.games[n].scores]
    if not all(1 <= x <= MAX_POINTS_AWAY for x in left):
        return Backgammon(cube=any(not turn.dice for record in match.games for turn in record.turns))
    was_close = any(match.length - 1 in record.scores for record in match.games[:n])
    return Backgammon(away=f"{left[0]}-{left[1]}", crawford=1 in left and left != [1, 1] and not was_close)


def _read(part: InMatch) -> Sheet:
    game, record = part.game, part.record
    history = History(game)
    for a in read_record(game, record):
        history.do(a)
    told = None
    if record.winner is not None:
        won = game.settled(record.winner, record.points)
        told = (won, -won) if record.winner == 0 else (-won, won)
    return written_down(history, record.names, part.tags, told)


def _write(played: Sequence[tuple[Sheet, History]]) -> str:
    match = mat.Match(max((max(history.game.left) for _, history in played if isinstance(history.game, Backgammon)), default=0))
    for sheet, history in played:
        assert isinstance(history.game, Backgammon)
        if history.states[0] != history.game.initial():
            raise ZermeloError("MAT: expected games from the usual start")
        first, second = (" ".join(re.sub(r"[:\s]+", " ", player).split()) or "?" for player in sheet.about.players)
        record = write_record(history.game, history.taken, (first, second))
        if record.winner is None and sheet.ending is not None and sheet.sign is not None and any(sheet.sign):
            record.winner = int(sheet.sign[1] > 0)
            record.points = _points(history.game, record.winner, abs(sheet.ending.result[0]))
        if history.game.is_match:
            record.scores = (match.length - history.game.left[0], match.length - history.game.left[1])
        match.games.append(record)
    return mat.write(match)


def _points(game: Backgammon, winner: int, worth: float) -> int:
    """How many points are worth this much to the winner: one at least."""
    if not game.is_match:
        return max(1, int(worth))
    return next((n for n in range(1, 3 << 6) if abs(game.settled(winner, n) - worth) < 1e-9), 1)


FORMATS = {"mat": Format(_parse, _read, _write)}


class Gnubg(dialects.Gnubg):
    """GNU Backgammon: a state is written with its ID first."""

    def has_cube(self, game: Any) -> bool:
        return bool(game.cube)
