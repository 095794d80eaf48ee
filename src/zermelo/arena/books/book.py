"""An opening book: for each position the actions that are known there, how often they were taken, how the games ended, what they are worth.

    "zermelo book 1\\n", the length of the header (8 bytes), SHA-256 of header and rows, the header (JSON), the rows, compressed (zlib)

A position is known by its `repetition_key`, so that lines that transpose meet. The header names the game and a fingerprint of its
first plies: a book of another game, or of rules that have changed since, is refused.
"""

from __future__ import annotations

import hashlib
import json
import math
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ...bits import i64, u64
from ...errors import ZermeloError
from ...game import Game, State
from ...rng import below, draw, split
from ...system.files import write_bytes

MAGIC = b"zermelo book 1\n"
MOST_HEADER = 1 << 16  # bytes
MOST_ROWS = 1 << 26
MOST_COUNT = (1 << 32) - 1  # that a row can hold
GAMES, PLIES = 8, 16  # of random play, whose positions are the fingerprint of a game
RATING_REACH = 800.0  # the most by which a performance is above or below the opponents: scores of 0 and 1 say no more

ROW = np.dtype(
    [
        ("key", "<u8"),
        ("action", "<i8"),
        *((name, "<u4") for name in ("weight", "games", "wins", "draws", "losses", "rated", "halves")),
        ("ratings", "<f8"),
        ("value", "<f8"),
    ]
)


@dataclass(slots=True)
class Entry:
    """An action of a book: how readily it is chosen, the games in which it was taken, what a search found it worth."""

    weight: int = 0  # 0: known, but not to be chosen
    games: int = 0
    wins: int = 0  # of the player who took it; games without a result count as neither of the three
    draws: int = 0
    losses: int = 0
    rated: int = 0  # games with a result against an opponent with a rating
    halves: int = 0  # half points in those
    ratings: float = 0.0  # the sum of the opponents' ratings
    value: float = math.nan  # of the state after it, to the player who takes it

    @property
    def score(self) -> float | None:
        """The share of the points that its games brought the player; None if none has a result."""
        decided = self.wins + self.draws + self.losses
        return (self.wins + self.draws / 2) / decided if decided else None

    @property
    def performance(self) -> float | None:
        """The rating at which its rated games would be expected to end as they did; None if there are none."""
        if not self.rated:
            return None
        score = self.halves / (2 * self.rated)
        reach = RATING_REACH if score == 1 else -RATING_REACH if score == 0 else 400 * math.log10(score / (1 - score))
        return self.ratings / self.rated + max(-RATING_REACH, min(RATING_REACH, reach))

    def add(self, other: Entry) -> None:
        """Count what another book knows of the same action; its value only if there is none here."""
        for name in COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.ratings += other.ratings
        if math.isnan(self.value):
            self.value = other.value


COUNTS = [f.name for f in fields(Entry) if f.type == "int"]


class Book:
    """The actions of positions; an entry is changed in place."""

    def __init__(self, game: Game):
        self.game = game
        self.positions: dict[int, dict[int, Entry]] = {}  # by key, then by the action as a signed number

    def moves(self, s: State) -> dict[int, Entry]:
        """What is known of the actions of s; empty if the position is not in the book."""
        known = self.positions.get(position_of(self.game, s), {})
        return {a: known[i64(a)] for a in self.game.actions(s) if i64(a) in known} if known else {}

    def entry(self, s: State, a: int) -> Entry:
        """What is known of an action, to be changed; it is new if nothing is."""
        return self.positions.setdefault(position_of(self.game, s), {}).setdefault(i64(a), Entry())

    def remove(self, s: State, a: int) -> None:
        """Forget an action."""
        key = position_of(self.game, s)
        self.positions.get(key, {}).pop(i64(a), None)
        if not self.positions.get(key, True):
            del self.positions[key]

    def keep(self, least: int) -> None:
        """Forget actions that were taken in fewer games."""
        for key, known in list(self.positions.items()):
            self.positions[key] = {a: e for a, e in known.items() if e.games >= least}
            if not self.positions[key]:
                del self.positions[key]

    def add(self, other: Book) -> None:
        """Count all that another book of the same game knows."""
        for key, known in other.positions.items():
            here = self.positions.setdefault(key, {})
            for a, entry in known.items():
                here.setdefault(a, Entry()).add(entry)

    def states(self) -> Iterator[State]:
        """Yield each state of the book that its own actions lead to from the start, once, those of fewer plies first."""
        level, seen = [self.game.initial()], set[int]()
        while level:
            below_it = []
            for s in level:
                key, known = position_of(self.game, s), self.moves(s)
                if known and key not in seen:
                    seen.add(key)
                    yield s
                    below_it += [self.game.result(s, a) for a in known]
            level = below_it

    # ---- files -----------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Write the book, whole or not at all."""
        rows = [(k, a, *(getattr(e, f.name) for f in fields(e))) for k, known in self.positions.items() for a, e in known.items()]
        for row in rows:
            if max(row[2:9]) > MOST_COUNT:
                raise ZermeloError(f"{path} cannot be written: a book counts to {MOST_COUNT:,}")
        table = np.sort(np.array(rows, ROW), order=["key", "action"])
        packed = zlib.compress(table.view(np.uint8).reshape(len(table), ROW.itemsize).T.tobytes(), 9)
        about = {"game": repr(self.game), "fingerprint": fingerprint(self.game), "rows": len(table), "bytes": len(packed)}
        header = json.dumps(about).encode()
        write_bytes(path, b"".join([MAGIC, len(header).to_bytes(8, "little"), hashlib.sha256(header + packed).digest(), header, packed]))

    @classmethod
    def read(cls, path: Path, game: Game) -> Book:
        """The book in a file; ZermeloError if it is damaged, or of another game."""
        about, packed = _content(path)
        if about["fingerprint"] != fingerprint(game):
            if about["game"] != repr(game):
                raise ZermeloError(f"{path} is a book of {about['game']}: expected one of {game!r}")
            raise ZermeloError(f"{path} was made with other rules of {game!r}: build it again")
        book = cls(game)
        rows = np.frombuffer(_unpacked(path, packed, about["rows"]), np.uint8).reshape(ROW.itemsize, -1).T
        for key, action, *told in np.ascontiguousarray(rows).view(ROW).ravel().tolist():
            book.positions.setdefault(key, {})[action] = Entry(*told)
        return book


def game_of(path: Path) -> str:
    """The game that the book in a file names."""
    return str(_content(path)[0]["game"])


def _content(path: Path) -> tuple[dict[str, Any], bytes]:
    """What a book says of itself, and its rows as they are compressed."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ZermeloError(f"{path} cannot be read: {error.strerror}") from None
    begin = len(MAGIC) + 8 + 32
    if not data.startswith(MAGIC) or len(data) < begin:
        raise ZermeloError(f"{path} is not an opening book: expected a file that zermelo book build wrote")
    size = int.from_bytes(data[len(MAGIC) : len(MAGIC) + 8], "little")
    if size > MOST_HEADER or hashlib.sha256(data[begin:]).digest() != data[begin - 32 : begin]:
        raise ZermeloError(f"{path} is damaged: it has another checksum")
    try:
        return _about(json.loads(data[begin : begin + size])), data[begin + size :]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ZermeloError(f"{path} is damaged: its header makes no sense") from None


def _about(told: dict[str, Any]) -> dict[str, Any]:
    """What a header tells, each of its kind; KeyError, ValueError or TypeError if it does not."""
    return {"game": str(told["game"]), "fingerprint": str(told["fingerprint"]), "rows": int(told["rows"])}


def _unpacked(path: Path, packed: bytes, rows: int) -> bytes:
    """The rows, of which there are as many as the header says."""
    size = rows * ROW.itemsize
    raw = zlib.decompressobj().decompress(packed, size + 1) if 0 <= rows <= MOST_ROWS and packed else b""
    if len(raw) != size:
        raise ZermeloError(f"{path} is damaged: expected {rows:,} rows")
    return raw


# ---- positions and rules -----------------------------------------------------------------------


def position_of(game: Game, s: State) -> int:
    """The key of the position, without a sign."""
    return int(u64(game.repetition_key(s)))


_known: WeakKeyDictionary[Game, str] = WeakKeyDictionary()


def fingerprint(game: Game) -> str:
    """A hash of what the rules make of some random games: the same for games whose first plies are the same."""
    if game not in _known:
        seen = hashlib.sha256(game.name.encode())
        for k in range(GAMES):
            s = game.initial()
            for i in range(PLIES):
                actions = [] if game.is_terminal(s) else list(game.actions(s))
                seen.update(repr((position_of(game, s), [int(a) for a in actions])).encode())
                if not actions:
                    break
                s = game.result(s, actions[below(draw(split(0, k), i), len(actions))])
        _known[game] = seen.hexdigest()[:32]
    return _known[game]
