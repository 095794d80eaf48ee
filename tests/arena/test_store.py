"""The record: complete after every write, in files of every version; other files are left alone."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess

import pytest

from zermelo import ZermeloError
from zermelo.arena.records.store import MARK, VERSIONS, Slot, Store, alone, default_path
from zermelo.cli import app
from zermelo.notation.sheet import About, Ending, Entry

ABOUT = About("tictactoe", ("random", "greedy"), 7, "......... X")


def test_a_game_from_beginning_to_end(tmp_path):
    path = tmp_path / "deep" / "games.sqlite"
    with Store(path) as store, Store(path) as other:
        event = store.event("match", "tictactoe", "key", {"games": 2})
        number = store.begin(event, Slot(0, 0, 1), ABOUT)
        store.move(number, 0, Entry(0, "a1", 9.5, 0.25, 0.5, 3, 100, "a1 b2", "note"))
        # somebody else sees the game while it is played
        assert other.game(number).ending is None and other.moves(number)[0].line == "a1 b2"
        ending = Ending((1.0, -1.0), "illegal move", 1, "greedy played nonsense", 0.5, (0.25, -0.25))
        store.end(number, ending)
        found = other.game(number)
        assert (found.slot, found.ending, found.about.players, found.about.seed) == (Slot(0, 0, 1), ending, ("random", "greedy"), 7)
        assert other.events()[0][1:4] == ("match", "tictactoe", {"games": 2})
        with pytest.raises(ZermeloError, match="not being played"):
            store.end(number, ending)


def test_no_place_has_two_games(tmp_path):
    with Store(tmp_path / "r") as store:
        event = store.event("match", "tictactoe", "key", {})
        store.begin(event, Slot(0, 0, 0), ABOUT)
        with pytest.raises(sqlite3.IntegrityError):
            store.begin(event, Slot(0, 0, 0), ABOUT)


def test_games_without_an_end_are_dropped_with_their_moves(tmp_path):
    with Store(tmp_path / "r") as store:
        event = store.event("match", "tictactoe", "key", {})
        kept, dropped = (store.begin(event, Slot(0, i, 0), ABOUT) for i in range(2))
        for number in (kept, dropped):
            store.move(number, 0, Entry(0, "a1"))
        store.end(kept, Ending((0.0, 0.0), "ended"))
        assert store.drop_unfinished(event) == 1
        assert [g.id for g in store.games()] == [kept] and store.moves(kept) and not store.moves(dropped)


def test_an_event_is_found_again_by_its_key(tmp_path):
    with Store(tmp_path / "r") as store:
        first = store.event("match", "tictactoe", "key", {"games": 2})
        assert store.event("match", "tictactoe", "key", {"games": 4}) == first
        assert store.events()[0][3] == {"games": 4}
        assert store.event("match", "tictactoe", "other", {}) != first


def test_all_or_nothing(tmp_path):
    with Store(tmp_path / "r") as store:
        with pytest.raises(RuntimeError), store.saved():
            store.event("match", "tictactoe", "key", {})
            raise RuntimeError
        assert store.events() == []


def version_1(path):
    """A file as version 1 wrote it, with a game in it."""
    with sqlite3.connect(path) as sql:
        for step in VERSIONS[0]:
            sql.execute(step)
        sql.execute(f"PRAGMA application_id = {MARK}")
        sql.execute("PRAGMA user_version = 1")
        sql.execute("INSERT INTO events VALUES (1, 'match', 'tictactoe', 'key', '{}', '2020-01-01')")
        values = (1, 1, 0, 0, 0, "tictactoe", json.dumps(ABOUT.players), 7, ABOUT.start, "[1.0, -1.0]", "ended", None, "2020-01-01", 1.5)
        sql.execute(f"INSERT INTO games VALUES ({','.join('?' * len(values))})", values)
        sql.execute("INSERT INTO moves VALUES (1, 0, 0, 'a1', NULL, 0.5, 0.25, 2, 10, 'a1')")
    sql.close()


def test_a_file_of_version_1_becomes_one_of_today(tmp_path):
    path = tmp_path / "old.sqlite"
    version_1(path)
    with Store(path) as store:
        found = store.game(1)
        assert found.ending == Ending((1.0, -1.0), "ended", seconds=1.5) and found.about.tags == {}
        assert store.moves(1) == [Entry(0, "a1", None, 0.5, 0.25, 2, 10, "a1", "")]
        store.begin(1, Slot(0, 0, 1), ABOUT)
    with sqlite3.connect(path) as sql:
        assert sql.execute("PRAGMA user_version").fetchone()[0] == len(VERSIONS) > 1
        assert sql.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        assert sql.execute("PRAGMA journal_mode").fetchone()[0] == "wal"


def test_old_and_new_files_have_the_same_tables(tmp_path):
    version_1(tmp_path / "old")
    schemas = []
    for name in ("old", "new"):
        with Store(tmp_path / name):
            pass
        with sqlite3.connect(tmp_path / name) as sql:
            tables = ("events", "games", "moves")
            schemas.append([sql.execute(f"PRAGMA table_info({t})").fetchall() for t in tables])
    assert schemas[0] == schemas[1]


def test_a_step_that_fails_changes_nothing(tmp_path, monkeypatch):
    version_1(tmp_path / "old")
    monkeypatch.setattr("zermelo.arena.records.store.VERSIONS", (VERSIONS[0], (*VERSIONS[1][:2], "ALTER TABLE absent ADD COLUMN x")))
    with pytest.raises(ZermeloError, match="no such table"):
        Store(tmp_path / "old")
    monkeypatch.undo()
    with Store(tmp_path / "old") as store:
        assert store.game(1).about.players == ABOUT.players


def test_files_that_are_not_ours_are_left_alone(tmp_path):
    text, foreign, later = tmp_path / "text", tmp_path / "foreign", tmp_path / "later"
    text.write_text("hello " * 1000)
    with sqlite3.connect(foreign) as sql:
        sql.execute("CREATE TABLE mine (x)")
    with Store(later) as store:
        store._sql.execute(f"PRAGMA user_version = {len(VERSIONS) + 1}")
    for path, expected in (
        (text, "is not a record"),
        (foreign, "another database"),
        (later, "later version"),
        (tmp_path, "cannot be opened"),
    ):
        before = path.read_bytes() if path.is_file() else b""
        with pytest.raises(ZermeloError, match=expected):
            Store(path)
        assert not before or path.read_bytes() == before
    with pytest.raises(ZermeloError, match="there is no record"):
        Store(tmp_path / "missing", create=False)
    assert not (tmp_path / "missing").exists()


def test_a_game_that_is_not_there(tmp_path):
    with Store(tmp_path / "r") as store:
        for number in (0, -1, 5, 1 << 70):
            with pytest.raises(ZermeloError, match="which has 0 games"):
                store.game(number)


def test_two_do_not_play_the_same_event(tmp_path):
    pytest.importorskip("fcntl")
    with alone(tmp_path / "r", "key"):
        with alone(tmp_path / "r", "other"):
            pass
        with pytest.raises(ZermeloError, match="another process is playing"), alone(tmp_path / "r", "key"):
            pass
    with alone(tmp_path / "r", "key"):
        pass
    assert not list(tmp_path.iterdir())


def test_where_games_are_recorded(monkeypatch, tmp_path):
    monkeypatch.setenv("ZERMELO_RECORD", str(tmp_path / "x"))
    assert default_path() == tmp_path / "x"
    monkeypatch.delenv("ZERMELO_RECORD")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_path() == tmp_path / "zermelo" / "games.sqlite"


# ---- files that cannot be written ----------------------------------------------------------------


def filled(store: Store) -> int:
    """Put a game into the record; its number."""
    number = store.begin(
        store.event("match", "tictactoe", "key", {}), Slot(0, 0, 0), About("tictactoe", ("random", "greedy"), 7, ".../.../...")
    )
    store.move(number, 0, Entry(0, "a1"))
    store.end(number, Ending((1.0, -1.0), "resigned"))
    return number


@pytest.fixture
def mounted(tmp_path):
    """A small file system of its own: its folder, and how to mount it again with other options."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if os.name != "posix" or os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("only root can mount")

    def mount(options: str) -> bool:
        return subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True, check=False).returncode == 0

    if not mount("size=400k"):
        pytest.skip("nothing can be mounted here")
    yield folder, lambda: mount("remount,ro")
    subprocess.run(["umount", folder], check=True)


def test_a_record_is_read_where_nobody_can_write(mounted, capsys):
    folder, make_read_only = mounted
    with Store(folder / "r") as store:
        number = filled(store)
        told = store.game(number), store.moves(number), store.events()
    assert make_read_only()
    with Store(folder / "r", create=False) as store:
        assert (store.game(number), store.moves(number), store.events()) == told
        with pytest.raises(ZermeloError, match="r cannot be opened: expected a file that may be read and written"):
            store.event("match", "tictactoe", "another", {})
    with pytest.raises(ZermeloError, match="r cannot be opened: expected a file that may be read and written"):
        Store(folder / "r")
    for line in (f"replay {number}", "ratings tictactoe", "export - --format json"):
        assert app.main([*line.split(), "--record", str(folder / "r")]) == 0
    assert "tictactoe" in capsys.readouterr().out


def test_a_record_whose_last_games_cannot_be_read(mounted):
    folder, make_read_only = mounted
    store = Store(folder / "r")
    filled(store)
    for file in ("r", "r-wal"):
        shutil.copy(folder / file, folder / f"other{file[1:]}")
    store.close()
    assert make_read_only()
    with pytest.raises(ZermeloError, match="other cannot be read, as other-wal cannot be written: copy both"):
        Store(folder / "other", create=False)


def test_a_full_disk_is_told_in_one_sentence(mounted):
    folder, _ = mounted
    with Store(folder / "r") as store:
        event = store.event("match", "tictactoe", "key", {})
        number = store.begin(event, Slot(0, 0, 0), ABOUT)
        with pytest.raises(
            ZermeloError, match=f"^{folder}/r cannot be (written: the disk is full|read or written: the disk is full or faulty)$"
        ):
            for ply in range(10_000):
                with store.saved():
                    store.move(number, ply, Entry(0, "x" * 1000))
    with Store(folder / "r", create=False) as store:  # what was saved before is there
        assert [entry.action for entry in store.moves(number)] == ["x" * 1000] * len(store.moves(number))


def test_a_locked_record_is_told_in_one_sentence(tmp_path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("zermelo.arena.records.store.WAIT", 0.0)
    with Store(tmp_path / "r") as store, store.saved(), Store(tmp_path / "r") as other:
        with pytest.raises(ZermeloError, match=r"r is in use: another process has been writing to it for 0 seconds$"):
            other.event("match", "tictactoe", "key", {})
        with pytest.raises(ZermeloError, match="r is in use"), other.saved():
            pass
        assert other.events() == []


def test_what_is_no_record_is_not_read(tmp_path):
    (tmp_path / "text").write_text("no database at all, but some text that is long enough to be taken for one" * 20)
    with sqlite3.connect(tmp_path / "other") as sql:
        sql.execute("CREATE TABLE t (x)")
    sql.close()
    (tmp_path / "empty").write_bytes(b"")
    for name, told in (
        ("text", "is not a record of games: "),
        ("other", "another database"),
        ("empty", "another database"),
        ("none", "there is no"),
    ):
        with pytest.raises(ZermeloError, match=told):
            Store(tmp_path / name, create=False)
