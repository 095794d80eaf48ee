"""Games of chess in PGN, played by the rules and written down; and files of openings.

    for record in pgn.read_file("games.pgn"):
        history = replay(record)
        print(history.state, pgn.write(record_of(history)))

What was played was played: a game goes on after a draw that nobody claimed, so the rules here end none by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from ...errors import ZermeloError
from ...game import Game
from ...history import History
from ...notation import epd, pgn
from ...notation.pgn import Move, Record
from ...notation.sheet import Format, Opening, OpeningFormat
from ...notation.text import decode, lines
from .. import _records
from .rules import Chess
from .state import PLY, RANK_1, RANK_8, State, as_white

#: names of variants in the tag Variant
CHESS_NAMES = ("chess", "standard", "normal", "from position")
CHESS960 = ("chess960", "chess 960", "fischerandom", "fischer random")
UNKNOWN = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?", "Result": "*"}
SIDES = ("White", "Black")


def variant_of(record: Record, known: Collection[str]) -> str:
    """The tag Variant in small letters; ZermeloError if it is none of these."""
    name = record.tags.get("Variant", CHESS_NAMES[0])
    if name.lower() not in known:
        raise ZermeloError(f"line {record.at}: expected one of {', '.join(sorted(known))} as Variant, not '{name}'")
    return name.lower()


def replay(record: Record) -> History:
    """The moves of a record made one after another; ZermeloError, with the line of the text, at the first that is not legal."""
    is_960 = variant_of(record, CHESS_NAMES + CHESS960) in CHESS960
    if "FEN" not in record.tags and is_960:
        raise ZermeloError(f"line {record.at}: expected the tag FEN with the position at the start")
    return played_by(Chess(draws=False), record)


def played_by(game: Game, record: Record) -> History:
    """The moves of a record made by the rules of this game."""
    told = record.tags.get("FEN")
    if told is None and record.tags.get("SetUp") == "1":
        raise ZermeloError(f"line {record.at}: expected the tag FEN with the position at the start")
    try:
        history = History(game, None if told is None else game.read_state(told))
    except ZermeloError as error:
        raise ZermeloError(f"line {record.at}: {error}") from None
    for move in record.line.moves:
        try:
            history.do(game.read_action(history.state, move.text))
        except ZermeloError as error:
            raise ZermeloError(f"line {move.at}: {error}") from None
    return history


def record_of(history: History, tags: dict[str, str] | None = None) -> Record:
    """The game as a record with the seven usual tags, and those that tell another start or Chess960.

    `tags` are set too, and may tell a result that the rules do not know of: that a player has resigned.
    """
    game, start = history.game, history.states[0]
    record = Record(UNKNOWN | {"Result": result_of(history)}, ply=start.t & PLY)
    if isinstance(game, Chess) and _is_chess960(start):
        record.tags["Variant"] = "Chess960"
    if start != type(game)().initial():
        record.tags |= {"SetUp": "1", "FEN": game.write_state(start)}
    record.tags |= tags or {}
    for s, a in zip(history.states, history.taken, strict=False):
        record.line.moves.append(Move(game.write_action(s, a)))
    record.line.result = record.tags["Result"]
    return record


def _is_chess960(s: State) -> bool:
    """Whether somebody may castle from squares where kings and rooks do not stand in common chess."""
    white = as_white(s)
    for rank, own in ((RANK_1, white.me), (RANK_8, ~white.me)):
        rooks = white.x & rank
        if rooks and (rooks & ~(0x81 * (rank // 255)) or not white.k & own & 0x10 * (rank // 255)):
            return True
    return False


def result_of(history: History) -> str:
    """The result in PGN's words."""
    if not history.is_over:
        return "*"
    value = history.utility(0)
    return "1-0" if value > 0 else "0-1" if value < 0 else "1/2-1/2"


# ---- files -------------------------------------------------------------------------------------


def _parse(data: bytes) -> list[Record]:
    return list(pgn.read(decode(data)))


def pgn_format(
    replay: Callable[[Record], History], record_of: Callable[[History, dict[str, str]], Record], variants: Collection[str]
) -> Format:
    """PGN of a game with these names in the tag Variant."""
    return Format(
        _parse,
        lambda record: _records.read(record, replay(record), SIDES),
        lambda played: "\n".join(map(pgn.write, _records.write(played, record_of, SIDES))),
        lambda record: record.tags.get("Variant", CHESS_NAMES[0]).lower() in variants,
    )


def _read_epd(game: object, line: str) -> Opening:
    position = epd.read_line(line)
    named = position.operations.get("id")
    return Opening(position.fen, name=named if isinstance(named, str) else "")


EPD = OpeningFormat(lambda data: lines(decode(data), "#%"), _read_epd)
OPENINGS = {"pgn": _records.openings(lambda text: next(pgn.read(text))), "epd": EPD, "fen": EPD}
FORMATS = {"pgn": pgn_format(replay, record_of, CHESS_NAMES + CHESS960)}
