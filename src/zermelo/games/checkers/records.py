"""Games of checkers as PDN records: played by the rules, and written down."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...errors import ZermeloError
from ...notation.pgn import Line, Move, Record
from .moves import State
from .rules import Checkers

#: by what the first player gets
RESULTS = {1.0: "1-0", 0.0: "1/2-1/2", -1.0: "0-1"}


def start(game: Checkers, record: Record) -> State:
    """Where the recorded game begins: its tag FEN, or the usual start."""
    return game.read_state(record.tags["FEN"]) if "FEN" in record.tags else game.initial()


def replay(game: Checkers, record: Record) -> tuple[list[State], list[int]]:
    """The states of the recorded game, its start first, and the actions between them; ZermeloError where a move is not legal.

    Players may go on after a position came back: a record is not ended by repetition.
    """
    states, actions = [start(game, record)], []
    for n, move in enumerate(record.line.moves, 1):
        try:
            actions.append(game.read_action(states[-1], move.text))
        except ZermeloError as error:
            raise ZermeloError(f"line {move.at}: at the {n}. move: {error}") from None
        states.append(game.result(states[-1], actions[-1]))
    return states, actions


def write_down(game: Checkers, actions: Iterable[int], tags: Mapping[str, str] | None = None, first: State | None = None) -> Record:
    """The record of a game with these actions: with its tags, its start if it is not the usual one, and its result.

    The result is what the rules say at the end, or else the tag Result, or else *.
    """
    s = game.initial() if first is None else first
    told = dict(tags or {})
    if s != game.initial():
        told |= {"SetUp": "1", "FEN": game.write_state(s)}
    moves, ply = [], game.to_move(s)
    for a in actions:
        moves.append(Move(game.write_action(s, a)))
        s = game.result(s, a)
    told["Result"] = RESULTS[float(game.utility(s, 0))] if game.is_terminal(s) else told.get("Result", "*")
    return Record(told, Line(moves, result=told["Result"]), ply)
