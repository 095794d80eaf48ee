"""Games of checkers in PDN: played by the rules, and written down; and files of openings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...errors import ZermeloError
from ...history import History
from ...notation import pdn
from ...notation.pgn import Line, Move, Record
from ...notation.sheet import Format, Sheet
from ...notation.text import decode
from .. import _records
from .moves import State
from .rules import Checkers

#: by what the first player gets
RESULTS = {1.0: "1-0", 0.0: "1/2-1/2", -1.0: "0-1"}
SIDES = ("Black", "White")
ENGLISH = "21"  # the number of English draughts in the tag GameType


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


# ---- files -------------------------------------------------------------------------------------


def _parse(data: bytes) -> list[Record]:
    return list(pdn.read(decode(data)))


def _read(record: Record) -> Sheet:
    if record.tags.get("GameType", ENGLISH).partition(",")[0] != ENGLISH:
        raise ZermeloError(f"line {record.at}: expected English draughts, GameType {ENGLISH}, not {record.tags['GameType'][:20]}")
    game = Checkers()
    states, actions = replay(game, record)
    history = History(game, states[0])
    for a, move in zip(actions, record.line.moves, strict=True):
        if history.is_over:
            raise ZermeloError(f"line {move.at}: expected no move after the end of the game, {move.text}")
        history.do(a)
    return _records.read(record, history, SIDES)


def _record_of(history: History, tags: dict[str, str]) -> Record:
    assert isinstance(history.game, Checkers)
    return write_down(history.game, history.taken, {"GameType": ENGLISH} | tags, history.states[0])


OPENINGS = {"pdn": _records.openings(lambda text: next(pdn.read(text)))}
FORMATS = {"pdn": Format(_parse, _read, lambda played: "\n".join(map(pdn.write, _records.write(played, _record_of, SIDES))))}
