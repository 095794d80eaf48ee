"""Backgammon. `men`: sets of points; `plays`: the ways to play a roll; `state`, `rules`: the game; `evaluation`: what a position is
worth; `ids`: GNU Backgammon's position and match IDs; `text`: moves; `board`: pictures; `records`: games of .mat files."""

from .records import FORMATS, Gnubg, read_record, write_record
from .rules import Backgammon

Backgammon.formats, Backgammon.gnubg = FORMATS, Gnubg()

__all__ = ["Backgammon", "read_record", "write_record"]
