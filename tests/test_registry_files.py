"""Games from files: loaded, edited, chosen, refused."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest
from helpers_registry import MINE, refused

import zermelo
from zermelo import ZermeloError


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    file = tmp_path / "mine.py"
    file.write_text(MINE)
    return file


def test_a_file_of_that_name_is_suggested(mine: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(mine.parent)
    assert refused("mine") == "there is no game 'mine' (did you mean mine.py?)"


def test_a_file_is_loaded(mine: Path):
    game = zermelo.game(f"{mine}:Mine")
    assert game.initial() == (3,)
    assert zermelo.game(str(mine), size=5).initial() == (5,)
    assert zermelo.game(f"{mine}:size=4").initial() == (4,)
    assert zermelo.game(f"{mine}:Mine:size=6").initial() == (6,)
    assert type(zermelo.game(str(mine))) is type(game)
    assert zermelo.perft(game, None) == 1
    assert sys.modules[type(game).__module__].__file__ == str(mine)


@pytest.mark.parametrize("text", ["{}", "{}:Mine", "{}:size=5", "{}:Mine:size=5"])
def test_a_game_of_a_file_is_written_as_it_is_read(mine: Path, monkeypatch: pytest.MonkeyPatch, text: str):
    for file in (str(mine), "mine.py", "./mine.py"):
        monkeypatch.chdir(mine.parent)
        game = zermelo.game(text.format(file))
        assert repr(game) == f"{file}:Mine" + (":size=5" if "size" in text else "")
        assert zermelo.game(repr(game)).parameters == game.parameters


@pytest.mark.parametrize("folder", ["a b", "a:b", "a=b", "a,b", "x.py", "ü", "a:b=c,d"])
def test_folders_with_odd_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str):
    (tmp_path / folder).mkdir()
    (tmp_path / folder / "mine.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    for file in (f"{tmp_path}/{folder}/mine.py", f"./{folder}/mine.py"):
        game = zermelo.game(f"{file}:Mine:size=4")
        assert game.initial() == (4,)
        assert repr(zermelo.game(repr(game))) == f"{file}:Mine:size=4"


def test_a_file_without_ending_and_one_with_a_byte_order_mark(tmp_path: Path):
    (tmp_path / "mine").write_text(MINE)
    assert zermelo.game(f"{tmp_path}/mine:Mine").initial() == (3,)
    (tmp_path / "marked.py").write_bytes(b"\xef\xbb\xbf" + MINE.encode())
    assert zermelo.game(f"{tmp_path}/marked.py").initial() == (3,)


def test_an_edited_file_is_loaded_anew_and_the_old_game_stays(mine: Path):
    old = zermelo.game(str(mine))
    mine.write_text(MINE.replace("s.n - a", "max(0, s.n - 2 * a)").replace("class State", "\n\nclass State"))
    new = zermelo.game(str(mine))
    assert [zermelo.perft(game, None) for game in (old, new)] == [1, 1]
    assert [old.result(old.initial(), 1), new.result(new.initial(), 1)] == [(2,), (1,)]
    assert "s.n - a" in inspect.getsource(old.result)
    assert "2 * a" in inspect.getsource(new.result)
    assert "s.n - a" in inspect.getsource(old.result)
    # native code is made of the text that each was loaded from
    assert [zermelo.perft(game, 3) for game in (old, new)] == [1, 0]
    mine.write_text(MINE)
    assert type(zermelo.game(str(mine))) is type(old)


def test_edits_are_seen_in_fresh_processes(mine: Path):
    def count() -> str:
        program = f"import zermelo; print(zermelo.perft(zermelo.game({str(mine)!r}), 2))"
        return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip()

    assert count() == "1"
    mine.write_text(MINE.replace("yield 1", "yield 1\n            if s.n > 1:\n                yield 2"))
    assert count() == "3"
    mine.write_text(MINE)
    assert count() == "1"


def test_one_game_is_chosen_of_several(tmp_path: Path):
    file = tmp_path / "two.py"
    file.write_text(MINE + "\n\nclass Other(Mine):\n    pass\n\n\nAlias = Other\n")
    assert refused(str(file)) == f"{file} has several games: write one of {file}:Mine, {file}:Other"
    assert type(zermelo.game(f"{file}:Other")).__name__ == "Other"
    assert type(zermelo.game(f"{file}:Alias")).__name__ == "Other"
    assert refused(f"{file}:Othr") == f"{file} has no game 'Othr' (did you mean Other?)"
    assert refused(f"{file}:Zz") == f"{file} has no game 'Zz': it has Mine, Other"


def test_a_game_with_two_names_is_one_game_and_imported_ones_do_not_count(tmp_path: Path):
    file = tmp_path / "aliased.py"
    file.write_text("from zermelo.games.connect4 import ConnectFour\n" + MINE + "\n\nAlias = Mine\n")
    assert type(zermelo.game(str(file))).__name__ == "Mine"
    assert zermelo.game(f"{file}:ConnectFour").name == "connect4"


@pytest.mark.parametrize(
    ("content", "suffix", "told"),
    [
        ("x = 1\n", "", "has no subclass of zermelo.Game"),
        ("", "", "has no subclass of zermelo.Game"),
        ("x = 1\n", ":x", "has no game 'x': it has no subclass of zermelo.Game"),
        ("class X:\n    pass\n", ":X", "has no game 'X': it has no subclass of zermelo.Game"),
        ("from zermelo import Game\n", ":Game", "has no game 'Game': it has no subclass of zermelo.Game"),
        ("from zermelo import Game\n", "", "has no subclass of zermelo.Game"),
        ("x = 1\ndef f(:\n", "", "does not import: line 2: invalid syntax"),
        ("x = (\n", "", "does not import: line 1: '(' was never closed"),
        ("x = 1\n\nimport nowhere_at_all\n", "", "does not import: line 3: ModuleNotFoundError: No module named 'nowhere_at_all'"),
        ("def f():\n    return 1 // 0\n\n\nf()\n", "", "does not import: line 2: ZeroDivisionError: "),
        ("import sys\nsys.exit(3)\n", "", "does not import: line 2: SystemExit: 3"),
        ("raise ValueError('two\\nlines')\n", "", "does not import: line 1: ValueError: two"),
        ("x = 1\0\n", "", "does not import: "),
    ],
)
def test_what_cannot_be_a_game_in_a_file(tmp_path: Path, content: str, suffix: str, told: str):
    file = tmp_path / "wrong.py"
    file.write_text(content)
    with pytest.raises(ZermeloError) as refusal:
        zermelo.game(f"{file}{suffix}")
    assert str(refusal.value).startswith(f"{file} {told}")


def test_a_syntax_error_of_another_file_is_told_where_it_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "broken_neighbour.py").write_text("\n\n\ndef f(:\n")
    (tmp_path / "asks.py").write_text("\nimport broken_neighbour\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert "does not import: line 2: SyntaxError: invalid syntax (broken_neighbour.py, line 4)" in refused(f"{tmp_path}/asks.py")


def test_files_that_cannot_be_read(tmp_path: Path):
    assert refused(f"{tmp_path}/missing.py") == f"there is no file {tmp_path}/missing.py"
    assert refused(f"{tmp_path}/missing.py:Mine:size=3") == f"there is no file {tmp_path}/missing.py"
    assert refused(f"{tmp_path}/missing/mine") == f"there is no file {tmp_path}/missing/mine"
    (tmp_path / "folder.py").mkdir()
    assert refused(f"{tmp_path}/folder.py") == f"{tmp_path}/folder.py cannot be read: Is a directory"
    (tmp_path / "latin.py").write_bytes("x = 'é'".encode("latin-1"))
    assert refused(f"{tmp_path}/latin.py") == f"{tmp_path}/latin.py cannot be read: expected text in UTF-8, which byte 5 is not"
    assert "cannot be read" in refused(f"{tmp_path}/latin.py/mine.py")
    assert "cannot be read" in refused(f"{tmp_path}/a\0b.py")
    assert "cannot be read" in refused("/" + "x" * 5000 + ".py")
    (tmp_path / "loop.py").symlink_to(tmp_path / "loop.py")
    assert "cannot be read" in refused(f"{tmp_path}/loop.py")


def test_a_file_that_fails_leaves_nothing_behind(tmp_path: Path):
    file = tmp_path / "later.py"
    file.write_text("from zermelo import Game\n\n\nclass Later(Game):\n    pass\n\n\nraise OSError('not yet')\n")
    assert "OSError: not yet" in refused(str(file))
    assert not [name for name in sys.modules if name.startswith("zermelo_file_later")]
    file.write_text(MINE)
    assert zermelo.game(str(file)).initial() == (3,)


def test_ctrl_c_while_a_file_is_loaded_is_no_fault_of_the_file(tmp_path: Path):
    (tmp_path / "stopped.py").write_text("raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        zermelo.game(f"{tmp_path}/stopped.py")


def test_a_game_that_cannot_be_made(tmp_path: Path):
    file = tmp_path / "fussy.py"
    file.write_text("from zermelo import Game\n\n\nclass Fussy(Game):\n    def __init__(self, n=1):\n        self.x = 1 // n\n")
    assert refused(f"{file}:n=0") == f"{file} cannot be made with (n=0): ZeroDivisionError: integer division or modulo by zero"
