"""Games of Othello between the rules and GGF."""

from __future__ import annotations

from ...errors import ZermeloError
from ...history import History
from ...notation import ggf
from . import text
from .rules import Othello

TO_GGF, FROM_GGF = str.maketrans("X", "*"), str.maketrans("*", "X")


def read_record(record: ggf.Record) -> History:
    """The recorded game, made by the rules; ZermeloError where it is none. A forced pass may be left out."""
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
