"""Games as they were played: from PGN to a `History` made by the rules, and back.

    for record in pgn.read_file("games.pgn"):
        history = replay(record)
        print(history.state, pgn.write(record_of(history)))

What was played was played: a game goes on after a draw that nobody claimed, so the rules here end none by themselves.
"""

from __future__ import annotations

from ...errors import ZermeloError
from ...game import Game
from ...history import History
from ...notation.pgn import Move, Record
from ..antichess import Antichess
from .rules import Chess
from .state import PLY, RANK_1, RANK_8, State, as_white

#: names of variants in the tag Variant, and how their rules are called here
VARIANTS = {
    **dict.fromkeys(("chess", "standard", "normal", "from position"), "chess"),
    **dict.fromkeys(("chess960", "chess 960", "fischerandom", "fischer random"), "chess960"),
    **dict.fromkeys(("antichess", "giveaway", "anti"), "antichess"),
    "suicide": "suicide",
}
UNKNOWN = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?", "Result": "*"}


def game_of(record: Record) -> Game:
    """The game whose rules the record was played by, as its tag Variant tells."""
    name = record.tags.get("Variant", "chess")
    rules = VARIANTS.get(name.lower())
    if rules is None:
        raise ZermeloError(f"line {record.at}: expected one of {', '.join(sorted(VARIANTS))} as Variant, not '{name}'")
    if rules in ("chess", "chess960"):
        return Chess(draws=False)
    return Antichess("fewer" if rules == "suicide" else "win", draws=False)


def replay(record: Record) -> History:
    """The moves of a record made one after another; ZermeloError, with the line of the text, at the first that is not legal."""
    game, told = game_of(record), record.tags.get("FEN")
    if told is None and (record.tags.get("SetUp") == "1" or VARIANTS.get(record.tags.get("Variant", "").lower()) == "chess960"):
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
    """The game as a record with the seven usual tags, and those that tell another start or variant.

    `tags` are set too, and may tell a result that the rules do not know of: that a player has resigned.
    """
    game, start = history.game, history.states[0]
    record = Record(UNKNOWN | {"Result": result_of(history)}, ply=start.t & PLY)
    if isinstance(game, Antichess):
        record.tags["Variant"] = "Suicide" if game.parameters["stalemate"] == "fewer" else "Antichess"
    elif _is_chess960(start):
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
