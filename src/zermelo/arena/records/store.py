"""The record: all games, their moves and what they were played for, in one SQLite file.

    with Store(path) as store:
        event = store.event("match", "chess", key, settings)
        number = store.begin(event, Slot(0, 0, 0), about)
        store.move(number, 0, Entry(0, "e4"))
        store.end(number, Ending((1.0, -1.0), "ended"))

A game is there from its first move on, without a result while it is played. A file in WAL mode keeps what was committed whatever
happens to the process, and `synchronous` is NORMAL: moves are committed every few milliseconds, and to wait for the disk each
time would cost more than all else that the arena does. If the power fails, games of the last moments may be gone, and are
played again; the file stays whole.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import quote

from ...errors import ZermeloError
from ...notation.sheet import About, Ending, Entry, Sheet
from ...system import folders, locks
from .told import about_of, ending_of, entry_of, object_of, whole_of

MARK = 0x5A45524D  # by which the file is known as ours
WAIT = 30.0  # seconds for another process to finish its writing

#: how each version is made from the one before; a new file goes through all
VERSIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE events (
            id INTEGER PRIMARY KEY, kind TEXT NOT NULL, game TEXT NOT NULL, key TEXT NOT NULL UNIQUE,
            settings TEXT NOT NULL, began TEXT NOT NULL)""",
        """CREATE TABLE games (
            id INTEGER PRIMARY KEY, event INTEGER NOT NULL REFERENCES events (id),
            round INTEGER NOT NULL, pair INTEGER NOT NULL, side INTEGER NOT NULL,
            game TEXT NOT NULL, players TEXT NOT NULL, seed INTEGER NOT NULL, start TEXT NOT NULL,
            result TEXT, reason TEXT NOT NULL DEFAULT '', fault INTEGER, began TEXT NOT NULL, seconds REAL NOT NULL DEFAULT 0,
            UNIQUE (event, round, pair, side))""",
        """CREATE TABLE moves (
            game INTEGER NOT NULL REFERENCES games (id), ply INTEGER NOT NULL, seat INTEGER NOT NULL, action TEXT NOT NULL,
            left REAL, seconds REAL NOT NULL, value REAL, depth INTEGER NOT NULL, nodes INTEGER NOT NULL, line TEXT NOT NULL,
            PRIMARY KEY (game, ply)) WITHOUT ROWID""",
    ),
    (
        "ALTER TABLE games ADD COLUMN luck TEXT",  # what chance gave each player, as the evaluation sees it
        "ALTER TABLE games ADD COLUMN remark TEXT NOT NULL DEFAULT ''",  # the sentence about a fault
        "ALTER TABLE games ADD COLUMN tags TEXT NOT NULL DEFAULT '{}'",  # what the file said of a game that was imported
        "ALTER TABLE moves ADD COLUMN note TEXT NOT NULL DEFAULT ''",  # the player's own words; 'book' in an opening
    ),
)


@dataclass(frozen=True, order=True)
class Slot:
    """The place of a game in its event. The two games of a pair have the same opening and dice, and the players change sides."""

    round: int
    pair: int
    side: int


@dataclass(frozen=True)
class Recorded:
    """A game as it stands in the record; without an ending while it is played."""

    id: int
    event: int
    slot: Slot
    about: About
    ending: Ending | None


def default_path() -> Path:
    """Where games are recorded by default: ZERMELO_RECORD, or zermelo/games.sqlite in the user's data folder."""
    if given := os.environ.get("ZERMELO_RECORD"):
        return Path(given)
    return folders.data() / "games.sqlite"


class Unwritable(ZermeloError):
    """A file, or one that must be beside it, that cannot be written."""


class Cursor(sqlite3.Cursor):
    """What was asked for, row by row, with the same errors."""

    def __next__(self) -> Any:
        try:
            return super().__next__()
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise sentence(self.connection.path, error) from None  # type: ignore[attr-defined]

    def fetchone(self) -> Any:
        return next(self, None)


class Connection(sqlite3.Connection):
    """A connection whose errors are sentences about the file."""

    path: Path

    def execute(self, sql: str, values: Any = (), /) -> sqlite3.Cursor:
        try:
            return self.cursor(Cursor).execute(sql, values)
        except (sqlite3.IntegrityError, sqlite3.ProgrammingError):  # not the file's fault
            raise
        except (sqlite3.Error, UnicodeDecodeError) as error:  # SQLite repeats what it cannot understand
            raise sentence(self.path, error) from None


def connect(path: Path, mode: str) -> Connection:
    """A connection to this file; `mode` is SQLite's: ro, rw or rwc."""
    try:
        address = f"file:{quote(str(path.absolute()))}?mode={mode}"
        found = sqlite3.connect(address, timeout=WAIT, isolation_level=None, uri=True, factory=Connection)
    except sqlite3.Error as error:
        raise sentence(path, error) from None
    found.path = path
    return found


def sentence(path: Path, error: sqlite3.Error | UnicodeDecodeError) -> ZermeloError:
    """What is wrong with the file, in one sentence."""
    kind = getattr(error, "sqlite_errorname", "").removeprefix("SQLITE_").partition("_")[0]
    if kind in ("READONLY", "CANTOPEN"):
        return Unwritable(f"{path} cannot be opened: expected a file that may be read and written, in such a folder")
    told = {
        "FULL": f"{path} cannot be written: the disk is full",
        "IOERR": f"{path} cannot be read or written: the disk is full or faulty",
        "BUSY": f"{path} is in use: another process has been writing to it for {WAIT:.0f} seconds",
        "LOCKED": f"{path} is in use: another process has been writing to it for {WAIT:.0f} seconds",
    }
    return ZermeloError(told.get(kind, f"{path} is not a record of games: {' '.join(str(error).split())}"))


class Store:
    """An open record. Not for several threads at once; several processes may have it open.

    `create=False`: it must be there, and is only read, so that it may be in a folder that cannot be written.
    """

    def __init__(self, path: Path | str, create: bool = True):
        self.path = Path(path)
        if create:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise ZermeloError(f"{self.path} cannot be opened: {error.strerror}") from None
            self._open("rwc", self._prepare)
            return
        if not self.path.exists():
            raise ZermeloError(f"there is no record {self.path}: expected a file in which games were recorded")
        self._open_to_read()

    def _open(self, mode: str, then: Callable[[], None]) -> None:
        """Open the file, closed again if what is done then fails."""
        self._sql = connect(self.path, mode)
        try:
            then()
        except BaseException:
            self._sql.close()
            raise

    def _open_to_read(self) -> None:
        try:
            self._open("ro", self._check)
        except Unwritable:  # if the files beside it cannot be made, it can still be read as long as everything is in the one
            log = self.path.with_name(f"{self.path.name}-wal")
            if log.exists() and log.stat().st_size:
                raise ZermeloError(f"{self.path} cannot be read, as {log.name} cannot be written: copy both to another folder") from None
            self._open("ro&immutable=1", self._check)
        if self._version() < len(VERSIONS):  # which only a writer can mend
            self._sql.close()
            self._open("rw", self._prepare)

    def _check(self) -> None:
        """Refuse what is not ours, or from a later time than we are."""
        if self._one("PRAGMA application_id") != MARK or not self._version():
            raise ZermeloError(f"{self.path} is not a record of games but another database")
        self._refuse_later()
        self._one("SELECT count(*) FROM sqlite_master")

    def _refuse_later(self) -> None:
        if self._version() > len(VERSIONS):
            raise ZermeloError(f"{self.path} was written by a later version of zermelo: expected version {len(VERSIONS)} at most")

    def _prepare(self) -> None:
        """Bring the file to the present version; what is not ours is left as it is."""
        if self._version() < len(VERSIONS) or self._one("PRAGMA application_id") != MARK:
            with self.saved():  # nobody else does it at the same time
                version = self._version()
                mark, tables = self._one("PRAGMA application_id"), self._one("SELECT count(*) FROM sqlite_master")
                if (mark != MARK or version == 0) and (tables or mark or version):
                    raise ZermeloError(f"{self.path} is not a record of games but another database")
                for steps in VERSIONS[version:]:
                    for step in steps:
                        self._sql.execute(step)
                self._sql.execute(f"PRAGMA application_id = {MARK}")
                self._sql.execute(f"PRAGMA user_version = {max(version, len(VERSIONS))}")
        self._refuse_later()
        self._sql.execute("PRAGMA journal_mode = WAL")
        self._sql.execute("PRAGMA synchronous = NORMAL")
        self._sql.execute("PRAGMA foreign_keys = ON")

    def _version(self) -> int:
        return int(self._one("PRAGMA user_version"))

    def _one(self, question: str, *values: Any) -> Any:
        return self._sql.execute(question, values).fetchone()[0]

    def close(self) -> None:
        self._sql.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @contextmanager
    def saved(self) -> Iterator[None]:
        """All that is written meanwhile is there together, or not at all."""
        if self._sql.in_transaction:
            yield
            return
        self._sql.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._sql.execute("COMMIT")
        except BaseException:
            if self._sql.in_transaction:  # a full disk has ended it already
                self._sql.execute("ROLLBACK")
            raise

    # ---- writing -------------------------------------------------------------------------------

    def event(self, kind: str, game: str, key: str, settings: Mapping[str, Any]) -> int:
        """The event of this key, a new one if there is none; its settings are what they are now."""
        told = json.dumps(dict(settings), ensure_ascii=False)
        with self.saved():
            self._sql.execute(
                "INSERT INTO events (kind, game, key, settings, began) VALUES (?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET settings = ?",
                (kind, game, key, told, now(), told),
            )
            return int(self._one("SELECT id FROM events WHERE key = ?", key))

    def drop_unfinished(self, event: int) -> int:
        """Take the games without a result out of an event, so that they can be played again; how many there were."""
        with self.saved():
            unfinished = "SELECT id FROM games WHERE event = ? AND result IS NULL"
            self._sql.execute(f"DELETE FROM moves WHERE game IN ({unfinished})", (event,))
            return self._sql.execute("DELETE FROM games WHERE event = ? AND result IS NULL", (event,)).rowcount

    def drop(self, game: int) -> None:
        """Take one game out."""
        with self.saved():
            self._sql.execute("DELETE FROM moves WHERE game = ?", (game,))
            self._sql.execute("DELETE FROM games WHERE id = ?", (game,))

    def begin(self, event: int, slot: Slot, about: About) -> int:
        """A game begins: its number."""
        done = self._sql.execute(
            "INSERT INTO games (event, round, pair, side, game, players, seed, start, tags, began) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(event, slot.round, slot.pair, slot.side, about.game, json.dumps(about.players, ensure_ascii=False)),
                *(about.seed, about.start, json.dumps(dict(about.tags), ensure_ascii=False), about.began or now()),
            ),
        )
        return int(done.lastrowid or 0)

    def move(self, game: int, ply: int, entry: Entry) -> None:
        """A move was made."""
        values = (entry.left, entry.seconds, entry.value, entry.depth, entry.nodes, entry.line, entry.note)
        self._sql.execute(
            "INSERT INTO moves (game, ply, seat, action, left, seconds, value, depth, nodes, line, note) VALUES (?,?,?,?,?,?,?,?,?,?,?)",
            (game, ply, entry.seat, entry.action, *values),
        )

    def end(self, game: int, ending: Ending) -> None:
        """A game has ended."""
        luck = None if ending.luck is None else json.dumps(ending.luck)
        done = self._sql.execute(
            "UPDATE games SET result = ?, reason = ?, fault = ?, remark = ?, seconds = ?, luck = ? WHERE id = ? AND result IS NULL",
            (json.dumps(ending.result), ending.reason, ending.fault, ending.remark, ending.seconds, luck, game),
        )
        if done.rowcount != 1:
            raise ZermeloError(f"game {game} is not being played: expected one that has begun and not ended in {self.path}")

    # ---- reading -------------------------------------------------------------------------------

    def events(self) -> list[tuple[int, str, str, dict[str, Any], str]]:
        """Number, kind, game, settings and beginning of all events."""
        rows = self._sql.execute("SELECT id, kind, game, settings, began FROM events ORDER BY id")
        with told_of(self.path):
            return [(id_, kind, game, object_of(json.loads(settings)), began) for id_, kind, game, settings, began in rows]

    def games(self, event: int | None = None, game: str | None = None) -> Iterator[Recorded]:
        """The games of an event, or of a game by its text, or all."""
        where = [(column, value) for column, value in (("event", event), ("game", game)) if value is not None]
        clause = " AND ".join(f"{column} = ?" for column, _ in where) or "1"
        for row in self._sql.execute(f"{SELECT} WHERE {clause} ORDER BY id", [value for _, value in where]):
            yield self._recorded(row)

    def game(self, number: int) -> Recorded:
        """The game of this number."""
        row = self._sql.execute(f"{SELECT} WHERE id = ?", (number,)).fetchone() if abs(number) < 1 << 63 else None
        if row is None:
            many = self._one("SELECT count(*) FROM games")
            raise ZermeloError(f"there is no game {number} in {self.path}, which has {many} game{'' if many == 1 else 's'}")
        return self._recorded(row)

    def moves(self, number: int) -> list[Entry]:
        """The moves of a game, in their order."""
        columns = "seat, action, left, seconds, value, depth, nodes, line, note"
        rows = self._sql.execute(f"SELECT {columns} FROM moves WHERE game = ? ORDER BY ply", (number,))
        with told_of(self.path):
            return [entry_of(dict(zip(columns.split(", "), row, strict=True))) for row in rows]

    def _recorded(self, row: tuple[Any, ...]) -> Recorded:
        told = dict(zip(COLUMNS, row, strict=True))
        with told_of(self.path):
            for name in ("players", "tags", "result", "luck"):
                told[name] = None if told[name] is None else json.loads(told[name])
            place = Slot(*(whole_of(told[name], name) for name in ("round", "pair", "side")))
            ending = None if told["result"] is None else ending_of(told)
            return Recorded(told["id"], whole_of(told["event"], "event"), place, about_of(told), ending)

    def sheet(self, number: int) -> Sheet:
        """The game of this number with its moves."""
        found = self.game(number)
        return Sheet(found.about, tuple(self.moves(number)), found.ending)


COLUMNS = (
    *("id", "event", "round", "pair", "side", "game", "players", "seed", "start", "tags", "began"),
    *("result", "reason", "fault", "remark", "seconds", "luck"),
)
SELECT = f"SELECT {', '.join(COLUMNS)} FROM games"


@contextmanager
def told_of(path: Path) -> Iterator[None]:
    """Whatever makes no sense meanwhile is the file's fault."""
    try:
        yield
    except (ValueError, TypeError, RecursionError):
        raise ZermeloError(f"{path} is damaged: expected JSON in its columns") from None
    except ZermeloError as error:
        raise error if str(path) in str(error) else ZermeloError(f"{path} is damaged: {error}") from None


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


@contextmanager
def alone(path: Path, key: str) -> Iterator[None]:
    """Nobody else plays this event meanwhile, as far as the system has locks; ZermeloError if somebody does."""
    name = hashlib.sha256(key.encode()).hexdigest()[:12]
    lock = path.with_name(f"{path.name}-{name}.lock")
    locks.hold(lock, f"another process is playing these games into {path}: expected to be alone")
    try:
        yield
    finally:
        locks.release(lock)
