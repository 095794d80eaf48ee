"""Othello in files: GGF, transcripts (f5d6c3...), positions of OBF; and in GTP."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...errors import ZermeloError
from ...game import Game
from ...history import History, actions_of, opening_of, written_down
from ...notation import dialects, ggf, obf, xot
from ...notation.sheet import Format, Opening, OpeningFormat, Sheet
from ...notation.text import decode, lines
from . import text
from .rules import Othello

PASS = "pass"
TO_GGF, FROM_GGF = str.maketrans("X", "*"), str.maketrans("*", "X")


def read_record(record: ggf.Record) -> History:
    """The recorded game, made by the rules; ZermeloError if it is not a game of Othello. A forced pass may be left out."""
    kind = record.tags.get("GM", "Othello")
    if kind.strip().lower() not in ("othello", "reversi"):
        raise ZermeloError(f"GGF: expected GM[Othello], not GM[{kind}]")
    if record.size not in (4, 6, 8):
        raise ZermeloError(f"GGF of Othello: expected a board of 4, 6 or 8 rows, not {record.size}")
    game = Othello(record.size)
    history = History(game, game.read_state(f"{record.board.translate(FROM_GGF)} {record.turn.translate(FROM_GGF)}"))
    for n, move in enumerate(record.moves, 1):
        if move.colour != _colour(history) and list(history.actions()) == [game.cells]:
            history.do(game.cells)
        if history.is_over or move.colour != _colour(history):
            whose = "no move after the end" if history.is_over else f"one of {_colour(history)}"
            raise ZermeloError(f"GGF of Othello, move {n}, {move.colour}[{move.text}]: expected {whose}")
        try:
            history.do(game.read_action(history.state, move.text))
        except ZermeloError as error:
            raise ZermeloError(f"GGF of Othello, move {n}: {error}") from None
    return history


def _colour(history: History) -> str:
    return "BW"[history.state.turn]


def write_record(history: History, tags: dict[str, str] | None = None) -> ggf.Record:
    """The game with its tags; RE is the margin of Black where it is over and nothing else is told."""
    game, start = history.game, history.states[0]
    assert isinstance(game, Othello)
    board = text.letters(game.size, game.discs(start)).translate(TO_GGF)
    told = {"GM": "Othello", "TY": str(game.size)} | (tags or {})
    if history.is_over and "RE" not in told:
        told["RE"] = f"{margin(history):+d}"
    record = ggf.Record(told, game.size, board, "*O"[start.turn])
    for s, a in zip(history.states, history.taken, strict=False):
        record.moves.append(ggf.Move("BW"[s.turn], game.write_action(s, a)))
    return record


def margin(history: History) -> int:
    """By how many discs Black has won, the winner having the empty squares too."""
    game = history.game
    assert isinstance(game, Othello)
    return int(Othello(game.size, score=True).utility(history.state, 0))


# ---- files -------------------------------------------------------------------------------------

Played = Sequence[tuple[Sheet, History]]


def _write_ggf(played: Played) -> str:
    records = []
    for sheet, history in played:
        tags = {"PC": "zermelo", "DT": sheet.about.began[:10].replace("-", ".")}
        tags |= {name: value for name, value in sheet.about.tags.items() if re.fullmatch("[A-Z]{2}", name)}
        tags |= {side: re.sub(r"[\[\]\s]+", " ", p) for side, p in zip(("PB", "PW"), sheet.about.players, strict=True)}
        if sheet.sign is not None and not history.is_over:  # a margin is not known: 64 discs, and how it came about
            how = {"time": ":t", "max plies": ":s"}.get(sheet.ending.reason if sheet.ending else "", ":r")
            tags["RE"] = f"{64 * sheet.sign[0]:+d}{how}"
        record = write_record(history, {name: value for name, value in tags.items() if value})
        for move, entry in zip(record.moves, sheet.moves, strict=True):
            move.value, move.seconds = entry.value, entry.seconds or None
        records.append(record)
    return ggf.write(records)


def _read_ggf(record: ggf.Record) -> Sheet:
    history = read_record(record)
    tags = {k: v for k, v in record.tags.items() if k not in ("GM", "TY", "PB", "PW", "RE", "BO")}
    found = re.match(r"[+-]?[0-9]{1,4}(?:\.[0-9]{0,6})?", record.tags.get("RE", ""))
    lead = float(found[0]) if found else 0.0
    told = None if not found else (float((lead > 0) - (lead < 0)), float((lead < 0) - (lead > 0)))
    sheet = written_down(history, (record.tags.get("PB", "?"), record.tags.get("PW", "?")), tags, told)
    if len(record.moves) != len(sheet.moves):  # passes were left out
        return sheet
    pairs = zip(sheet.moves, record.moves, strict=True)
    return replace(sheet, moves=tuple(replace(e, value=m.value, seconds=m.seconds or 0.0) for e, m in pairs))


def _write_transcripts(played: Played) -> str:
    for _, history in played:
        if history.states[0] != Othello().initial():
            raise ZermeloError("transcripts of Othello: expected games from the usual start")
    return "".join(xot.write_moves([entry.action for entry in sheet.moves]) + "\n" for sheet, _ in played)


def _read_transcript(moves: list[str]) -> Sheet:
    game = Othello()
    history = History(game)
    for move in moves:
        if move not in (PASS, "--") and list(history.actions()) == [game.cells]:  # most leave passes out
            history.do(game.cells)
        history.do(game.read_action(history.state, move))
    return replace(written_down(history, ("?", "?"), {}, None), ending=None)


def _read_line(game: Game, line: str) -> Opening:
    """An opening in a line: moves without spaces, or as in any other game."""
    if re.fullmatch(r"(?:[a-hA-H][1-8])+", line):
        return Opening("", actions_of(game, xot.read_moves(line)))
    return opening_of(game, line)


FORMATS = {
    "ggf": Format(lambda data: ggf.read(decode(data)), _read_ggf, _write_ggf),
    "txt": Format(lambda data: list(xot.read(decode(data))), _read_transcript, _write_transcripts),
}
OPENINGS = {
    "obf": OpeningFormat(lambda data: lines(decode(data), "%"), lambda game, line: Opening(obf.read_line(line).position)),
    "": OpeningFormat(lambda data: lines(decode(data)), _read_line),
}


class Gtp(dialects.Gtp):
    """GTP about Othello."""

    def may_refuse(self, text: str) -> bool:
        """Whether it is a pass: some engines pass by themselves where they must."""
        return text == PASS

    def turn_to(self, history: History, p: int) -> None:
        """Make it player p's turn, if the other one must pass."""
        if not history.is_over and history.game.to_move(history.state) != p:
            history.do(history.game.read_action(history.state, PASS))

    def score(self, history: Any) -> float:
        black, white = (x.bit_count() for x in history.game.discs(history.state))
        return float(black - white)
