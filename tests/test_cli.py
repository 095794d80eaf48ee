"""The commands and their output."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from helpers_cli import WRONG, called, refusal

import zermelo
from zermelo.check import Finding, Report
from zermelo.cli import app, scaffold
from zermelo.lower import cache as kept


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    file = tmp_path / "wrong.py"
    file.write_text(WRONG)
    return file


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]):
    """Run a command line in this process: how it ended."""
    return partial(called, capsys)


@pytest.fixture
def refused(call):
    """Run a command line that is refused: its one sentence."""
    return lambda *argv: refusal(call(*argv))


# ---- games and show -------------------------------------------------------------------------


def test_games(call):
    done = call("games")
    assert (done.code, done.err) == (0, "")
    head, *rows = done.out.splitlines()
    assert head.split() == ["name", "what", "it", "is", "players", "with", "parameters"]
    assert [row.split()[0] for row in rows] == zermelo.names()
    told = {row.split()[0]: row for row in rows}
    assert "Connect Four: drop stones" in told["connect4"]
    assert told["connect4"].endswith("width=7 height=6 line=4")
    assert "chance, hidden" in told["kuhn"]
    assert told["nim"].endswith("heaps=1,3,5,7 misere=false")


def test_games_as_json(call):
    lines = [json.loads(line) for line in call("games", "--json").out.splitlines()]
    assert [line["name"] for line in lines] == zermelo.names()
    assert next(line for line in lines if line["name"] == "trio") == {
        "name": "trio",
        "about": "Trio: noughts and crosses for three players, each for itself.",
        "players": 3,
        "chance": False,
        "hidden": False,
        "parameters": {"width": 4, "height": 4, "line": 3},
    }


def test_games_on_a_terminal(call, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "200")
    assert "Connect Four: drop stones into columns" in call("games").out


def test_show(call):
    done = call("show", "connect4", "--state", "4453")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[-3:] == [
        f"state     {'......./' * 4}...O.../..OXX..",
        "to move   player 0",
        "actions   1  2  3  4  5  6  7",
    ]
    assert ". . O X X . ." in done.out


def test_show_chance_and_the_end(call):
    assert "to move   chance" in call("show", "kuhn").out
    assert "actions   J (0.333)  Q (0.333)  K (0.333)" in call("show", "kuhn").out
    assert "utility   player 0: +1  player 1: -1" in call("show", "tictactoe", "--state", "OO./.../XXX").out


def test_many_actions_are_wrapped(call):
    lines = call("show", "nim:heaps=255").out.splitlines()
    assert max(len(line) for line in lines[-20:] if line.startswith(" " * 10)) <= 100


# ---- perft and playouts ---------------------------------------------------------------------


def test_perft(call):
    assert call("perft", "connect4", "7").out.startswith("connect4: 823,536 nodes at depth 7 in ")
    assert call("perft", "tictactoe", "all").out.startswith("tictactoe: 255,168 complete games in ")
    assert call("perft", "connect4:width=4", "3", "--interpreted").out.startswith("connect4:width=4: 64 nodes at depth 3 in ")
    assert call("perft", "connect4", "0").out.startswith("connect4: 1 nodes at depth 0")
    assert call("perft", "connect4", "2", "--state", "1212121").out.startswith("connect4: 0 nodes")


@pytest.mark.parametrize(("depth", "told"), [("4", 4), ("all", "all")])
def test_perft_as_json(call, depth: str, told: object):
    done = call("perft", "nim:heaps=2,2", depth, "--json")
    found = json.loads(done.out)
    assert list(found) == ["game", "depth", "nodes", "seconds"]
    assert (found["game"], found["depth"]) == ("nim:heaps=2,2", told)
    assert found["nodes"] == zermelo.perft(zermelo.game("nim:heaps=2,2"), None if depth == "all" else 4, interpreted=True)
    assert found["seconds"] > 0


KEYS = ["game", "device", "threads", "games", "moves", "seconds", "games_per_second", "moves_per_second", "utility"]


def test_playouts_as_json(call):
    found = [json.loads(call("playouts", "connect4", "--games", "5000", "--seed", "7", "--threads", n, "--json").out) for n in "12"]
    assert list(found[0]) == KEYS
    assert [f["threads"] for f in found] == [1, 2]
    one, two = ({key: f[key] for key in ("game", "device", "games", "moves", "utility")} for f in found)
    assert one == two
    done = zermelo.playouts(zermelo.game("connect4"), 5000, seed=7)
    assert (one["games"], one["moves"], one["utility"]) == (5000, done.moves, list(done.utility))
    assert found[0]["games_per_second"] == pytest.approx(5000 / found[0]["seconds"])


def test_playouts(call):
    lines = call("playouts", "connect4", "--games", "5000", "--threads", "1").out.splitlines()
    assert lines[0].startswith("connect4: 5,000 random games in ")
    assert lines[0].endswith(" on 1 thread")
    assert [line.split()[0] for line in lines[1:]] == ["games/s", "moves/s", "length", "utility"]
    over = call("playouts", "connect4", "--games", "10", "--state", "1212121").out
    assert "length    0.0 moves a game" in over
    assert "player 0: +1  player 1: -1" in over


def test_playouts_last_a_second_if_nothing_is_said(call):
    found = json.loads(call("playouts", "connect4", "--json").out)
    assert 1.0 <= found["seconds"] < 3.0
    assert found["games"] > 1000


def test_games_without_end_are_told(call, monkeypatch: pytest.MonkeyPatch):
    given = dataclasses.replace(zermelo.playouts(zermelo.game("connect4"), 10), unfinished=3)
    monkeypatch.setattr(app, "play_at_random", lambda *_, **__: given)
    assert "3 games were given up unfinished" in call("playouts", "connect4").out


# ---- check ----------------------------------------------------------------------------------


def test_check_of_a_right_game(call):
    done = call("check", "kuhn", "--no-cuda", "--games", "20")
    assert (done.code, done.err) == (0, "")
    *lines, last = done.out.splitlines()
    assert {line.split()[0] for line in lines} == {"ok", "skipped"}
    assert last == "kuhn: nothing wrong, all 58 states looked at"


def test_check_of_a_wrong_game(call, wrong: Path):
    done = call("check", str(wrong), "--no-cuda", "--games", "20")
    assert done.code == 1
    assert [line for line in done.out.splitlines() if line.startswith("FAIL") and "actions are distinct" in line]
    assert "in the state 2" in done.out
    assert "checks fail" in done.out.splitlines()[-1]


def test_check_as_json(call, monkeypatch: pytest.MonkeyPatch):
    asked = {}

    def examine(game: str, **options: object) -> Report:
        asked.update(options)
        return Report(game, (Finding("a", True, "b"), Finding("c", False, "d", "e"), Finding("f", None, "g")), 5, False)

    monkeypatch.setattr("zermelo.check.check_apart", examine)
    done = call("check", "nim", "--games", "3", "--states", "4", "--seed", "5", "--no-cuda", "--json")
    assert done.code == 1
    assert [json.loads(line) for line in done.out.splitlines()] == [
        {"game": "nim", "what": "a", "ok": True, "detail": "b", "state": ""},
        {"game": "nim", "what": "c", "ok": False, "detail": "d", "state": "e"},
        {"game": "nim", "what": "f", "ok": None, "detail": "g", "state": ""},
    ]
    assert {key: asked[key] for key in ("games", "states", "seed", "cuda")} == {"games": 3, "states": 4, "seed": 5, "cuda": False}


# ---- new ------------------------------------------------------------------------------------


def test_new_writes_a_game_and_its_test_that_pass(call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    done = call("new", "Takeaway")
    assert (done.code, done.err) == (0, "")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["Takeaway.py", "test_Takeaway.py"]
    assert [line.strip() for line in done.out.splitlines()[1:]] == [
        "zermelo show Takeaway.py",
        "zermelo check Takeaway.py",
        "zermelo playouts Takeaway.py",
        "python -m pytest test_Takeaway.py",
    ]
    assert call("show", "Takeaway.py:Takeaway:heap=3").out.splitlines()[-1] == "actions   take 1  take 2  take 3"
    assert call("check", "Takeaway.py", "--no-cuda").code == 0
    assert call("playouts", "Takeaway.py", "--games", "10").code == 0
    tested = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"], capture_output=True, text=True, check=False)
    assert "3 passed" in tested.stdout, tested.stdout


def test_new_files_are_well_formed(tmp_path: Path):
    files = scaffold.write("Takeaway", tmp_path)
    options = ["--isolated", "--line-length", "140", "--target-version", "py311"]
    for command in (["check", *options], ["format", "--check", *options]):
        done = subprocess.run([sys.executable, "-m", "ruff", *command, *files], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout


def test_new_into_another_folder(call, tmp_path: Path):
    folder = tmp_path / "my games"
    folder.mkdir()
    done = call("new", "Größe", "--in", str(folder))
    assert f"zermelo show '{folder}/Größe.py'" in done.out
    assert zermelo.game(f"{folder}/Größe.py:Größe").initial() == (12, 0)


@pytest.mark.parametrize("there", ["Mine.py", "test_Mine.py"])
def test_new_overwrites_nothing(refused, tmp_path: Path, there: str):
    (tmp_path / there).write_text("precious")
    assert refused("new", "Mine", "--in", str(tmp_path)).startswith(f"{tmp_path / there} is there already")
    assert [file.name for file in tmp_path.iterdir()] == [there]
    assert (tmp_path / there).read_text() == "precious"


@pytest.mark.parametrize(
    "name", ["1x", "a-b", "a b", "", "class", "None", "a/b", "../x", "x.py", "random", "zermelo", "numpy", "State", "Game", "i64"]
)
def test_new_names_that_cannot_be(refused, tmp_path: Path, name: str):
    assert "expected" in refused("new", name, "--in", str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_new_without_a_folder(refused, tmp_path: Path):
    assert refused("new", "Mine", "--in", f"{tmp_path}/nowhere") == f"there is no folder {tmp_path}/nowhere"


# ---- cache ----------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_cache(call, folder: Path):
    assert call("cache").out == f"0 entries, 0 bytes in {folder}\n"
    kept.save(kept.Entry("abc", b"code", {"game": "nim:heaps=1,2", "algorithm": "play", "symbol": "play", "outside": []}), "source")
    head, row, total = call("cache").out.splitlines()
    assert head.split() == ["game", "algorithm", "bytes", "folder"]
    assert row.split()[::3] == ["nim:heaps=1,2", "abc"]
    assert total.startswith("1 entry, ")
    found = json.loads(call("cache", "show", "--json").out)
    size = sum(file.stat().st_size for file in (folder / "abc").iterdir())
    assert found == {"game": "nim:heaps=1,2", "algorithm": "play", "bytes": size, "folder": str(folder / "abc")}
    assert call("cache", "clear").out == f"1 entry removed from {folder}\n"
    assert json.loads(call("cache", "--clear", "--json").out) == {"folder": str(folder), "removed": 0}


def test_a_cache_that_cannot_be_read_or_cleared(refused, folder: Path, monkeypatch: pytest.MonkeyPatch):
    kept.save(kept.Entry("abc", b"code", {"symbol": "play", "outside": []}), "source")

    def denied(*_: object) -> None:
        raise PermissionError(13, "Permission denied", str(folder))

    with monkeypatch.context() as patch:
        patch.setattr("pathlib.Path.iterdir", denied)
        assert refused("cache") == f"Permission denied: {folder}"
    with monkeypatch.context() as patch:
        patch.setattr("shutil.rmtree", lambda *_, **__: None)
        assert refused("cache", "clear") == f"1 entries of {folder} could not be removed: may you write there?"
