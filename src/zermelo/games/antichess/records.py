"""Games of antichess in PGN, played by the rules and written down."""

from __future__ import annotations

from ...history import History
from ...notation.pgn import Record
from ..chess import records
from .rules import Antichess

GIVEAWAY = ("antichess", "giveaway", "anti")  # in the tag Variant
SUICIDE = ("suicide",)


def replay(record: Record) -> History:
    """The moves of a record made one after another; ZermeloError, with the line of the text, at the first that is not legal."""
    is_suicide = records.variant_of(record, GIVEAWAY + SUICIDE) in SUICIDE
    return records.played_by(Antichess("fewer" if is_suicide else "win", draws=False), record)


def record_of(history: History, tags: dict[str, str] | None = None) -> Record:
    """The game as a record with its variant; `tags` are set too."""
    variant = "Suicide" if history.game.parameters["stalemate"] == "fewer" else "Antichess"
    return records.record_of(history, {"Variant": variant} | (tags or {}))


FORMATS = {"pgn": records.pgn_format(replay, record_of, GIVEAWAY + SUICIDE)}
