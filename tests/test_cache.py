"""The cache of native code: a second start is fast and never stale, whatever happened in between."""

from __future__ import annotations

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers_cli import called

import zermelo
from zermelo.lower import cache

GAME = '''
from typing import NamedTuple
from zermelo import Game, i64
{imports}

class State(NamedTuple):
    left: i64
    turn: i64

TAKE = {take}

def most(left):
    return min({most}, left)

class Heap(Game):
    """Take from one heap."""

    def __init__(self, size: int = {size}):
        self.size = size

    def initial(self):
        return State(self.size, 0)

    def to_move(self, s):
        return s.turn

    def actions(self, s):
        for k in range(TAKE, most(s.left) + 1):
            yield k

    def result(self, s, a):
        return State(s.left - a, 1 - s.turn)

    def is_terminal(self, s):
        return s.left < TAKE

    def utility(self, s, p):
        return -1 if p == s.turn else 1
'''


def write(path: Path, take: int = 1, most: object = 3, size: int = 10, imports: str = "") -> Path:
    path.write_text(GAME.format(take=take, most=most, size=size, imports=imports))
    return path


def fresh(code: str, **env: str) -> str:
    """What a fresh Python process prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ | env, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def count(game: str, depth: object = None) -> str:
    """Perft of a game in a fresh process, and whether that needed numba."""
    return fresh(f"import sys, zermelo; print(zermelo.perft(zermelo.game({game!r}), {depth}), 'numba' in sys.modules)")


def expected(path: Path | str, depth: int | None = None) -> int:
    return zermelo.perft(zermelo.game(str(path)), depth, interpreted=True)


def test_a_second_start_needs_no_compiler(fresh_cache, tmp_path):
    path = write(tmp_path / "heap.py")
    answer = expected(path)
    assert count(str(path)) == f"{answer} True"
    assert count(str(path)) == f"{answer} False"
    assert [about["game"] for _, about, _ in cache.entries()] == [f"{path}:Heap"]


def test_an_edit_is_never_met_by_old_code(fresh_cache, tmp_path):
    """A constant, a helper function, a default parameter, and another file that the rules call into."""
    path, other = tmp_path / "heap.py", tmp_path / "amounts.py"
    seen = set()
    for change in ({}, {"take": 2}, {"most": 4}, {"size": 12}):
        write(path, **change)
        answer = expected(path)
        first = "size" not in change  # the size is where play starts, and in no rule: the code is the same
        assert count(str(path)) == f"{answer} {first}"
        assert count(str(path)) == f"{answer} False"
        seen.add(answer)
    for amount in (2, 5):
        other.write_text(f"def amount(left):\n    return min({amount}, left)\n")
        write(path, most="amount(left)", imports=f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from amounts import amount")
        answer = fresh(f"import zermelo; print(zermelo.perft(zermelo.game({str(path)!r}), None, interpreted=True))")
        assert count(str(path)) == f"{answer} True"
        assert count(str(path)) == f"{answer} False"
        seen.add(int(answer))
    assert len(seen) == 6


def test_parameters_have_code_of_their_own(fresh_cache):
    sizes = ["connect4:width=4,height=4", "connect4:width=5,height=4", "connect4:width=4,height=5", "connect4:width=4,height=4,line=3"]
    answers = [expected(g, 6) for g in sizes]
    for _ in range(2):
        assert fresh(f"import zermelo; print([zermelo.perft(zermelo.game(g), 6) for g in {sizes}])") == str(answers)
    assert len(list(cache.entries())) == len(sizes)


def test_other_versions_have_code_of_their_own(fresh_cache, monkeypatch):
    from zermelo.lower import native

    text = "nim:heaps=1,2,1,2,1,2,1"  # seven heaps, as nowhere else: no code of it is loaded yet
    zermelo.perft(zermelo.game(text), 3)
    for facts in (["another numba"], ["another processor"]):
        monkeypatch.setattr(native, "_toolchain", lambda facts=facts: facts)
        game = zermelo.game(text)
        assert zermelo.perft(game, 3) == zermelo.perft(game, 3, interpreted=True)
    assert len(list(cache.entries())) == 3


def test_code_under_another_name_is_made_again(fresh_cache):
    """It was made for another record: to run it would end the process."""
    for heaps in ("2,7,1,8", "2,8,1,8,2"):
        zermelo.perft(zermelo.game(f"nim:heaps={heaps}"), 3)
    one, other = (folder for folder in fresh_cache.iterdir() if not folder.name.startswith("."))
    shutil.rmtree(one)
    shutil.copytree(other, one)
    assert cache.load(one.name) is None and cache.load(other.name) is not None


def test_what_is_no_entry_is_not_listed(fresh_cache, capsys):
    zermelo.perft(zermelo.game("nim:heaps=3,1,4,1,5,9"), 2)
    for number, text in enumerate(("[]", "3", "{", "[" * 100_000, '{"game": 3}')):
        (fresh_cache / f"bad-{number}").mkdir(parents=True)
        (fresh_cache / f"bad-{number}" / "about.json").write_text(text)
    done = called(capsys, "cache")
    assert done.code == 0 and "2 entries" in done.out and "nim:heaps=3,1,4,1,5,9" in done.out


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A game, its count and a cache that has its code."""
    folder = tmp_path_factory.mktemp("filled")
    path = write(folder / "heap.py", size=9)
    answer = fresh(f"import zermelo; print(zermelo.perft(zermelo.game({str(path)!r}), None))", ZERMELO_CACHE=str(folder / "cache"))
    return path, answer, folder / "cache"


@pytest.mark.parametrize("damage", ["cut", "garbage", "no about", "bad about", "other code"])
def test_damaged_entries_are_made_again(fresh_cache, filled, damage):
    path, answer, cached = filled
    shutil.copytree(cached, fresh_cache)
    (folder,) = fresh_cache.iterdir()
    code = folder / "code.o"
    if damage == "cut":
        code.write_bytes(code.read_bytes()[:100])
    elif damage == "garbage":
        code.write_bytes(b"\0" * len(code.read_bytes()))
    elif damage == "no about":
        (folder / "about.json").unlink()
    elif damage == "bad about":
        (folder / "about.json").write_text(json.dumps({"sha256": 1}))
    else:
        code.write_bytes(code.read_bytes() + b"x")
    assert count(str(path)) == f"{answer} True"
    assert count(str(path)) == f"{answer} False"


def test_four_processes_at_once_from_an_empty_cache(fresh_cache, tmp_path):
    path = write(tmp_path / "heap.py", size=11)
    code = f"import zermelo; print(zermelo.perft(zermelo.game({str(path)!r}), None))"
    processes = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(4)]
    answers = {p.communicate()[0].strip() for p in processes}
    assert answers == {str(expected(path))}
    assert all(p.returncode == 0 for p in processes)
    assert len(list(fresh_cache.iterdir())) == 1, "one entry, and nothing half-written"
    assert count(str(path)).endswith("False")


def test_the_same_code_is_made_by_one_process_at_a_time(fresh_cache, tmp_path):
    path = write(tmp_path / "heap.py", size=6)
    code = f"import sys, zermelo; print(zermelo.perft(zermelo.game({str(path)!r}), None), 'numba' in sys.modules)"
    processes = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(3)]
    answers = sorted(p.communicate()[0].strip() for p in processes)
    assert answers == [f"{expected(path)} False"] * 2 + [f"{expected(path)} True"]


def test_a_process_that_hangs_while_it_compiles_does_not_stop_others(fresh_cache, tmp_path, monkeypatch):
    fcntl = pytest.importorskip("fcntl")
    monkeypatch.setattr(cache, "LONGEST_WAIT", 0.1)
    fresh_cache.mkdir()
    with open(fresh_cache / ".writing-key", "w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with cache.alone("key"):
            pass


def test_a_killed_compile_leaves_nothing_that_hurts(fresh_cache, tmp_path):
    path = write(tmp_path / "heap.py", size=8)
    code = f"import zermelo; zermelo.perft(zermelo.game({str(path)!r}), None)"
    for wait in (0.3, 0.8, 1.2):
        process = subprocess.Popen([sys.executable, "-c", code])
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)
        process.wait()
    (fresh_cache / ".writing-left").mkdir(parents=True)  # what a kill between two writes would leave
    (fresh_cache / ".writing-left" / "code.o").write_bytes(b"half")
    answer = expected(path)
    assert count(str(path)).split()[0] == str(answer)
    assert count(str(path)) == f"{answer} False"
    assert cache.clear() == 1
    assert list(fresh_cache.iterdir()) == []


def test_without_a_place_to_write_it_runs_uncached(tmp_path):
    file = tmp_path / "a-file"
    file.write_text("")
    env = {"ZERMELO_CACHE": str(file / "cache")}
    code = "import zermelo; print(zermelo.perft(zermelo.game('tictactoe'), 5))"
    assert fresh(code, **env) == fresh(code, **env) == "15120"


def test_a_filled_cache_that_cannot_be_written_is_read(fresh_cache, tmp_path):
    path = write(tmp_path / "heap.py", size=7)
    answer = count(str(path)).split()[0]
    # running as an administrator no permission would keep anybody from writing, so writing itself is made to fail
    code = (
        "import sys, tempfile, zermelo\n"
        "def refuse(*a, **k): raise PermissionError('read-only')\n"
        "tempfile.mkdtemp = refuse\n"
        f"print(zermelo.perft(zermelo.game({str(path)!r}), None), 'numba' in sys.modules)\n"
    )
    assert fresh(code) == f"{answer} False"


def test_a_cache_is_its_users_alone(fresh_cache):
    cache.save(cache.Entry("abc", b"code", {"symbol": "play", "outside": []}), "source")
    assert {stat.S_IMODE(folder.stat().st_mode) for folder in (fresh_cache, *filter(Path.is_dir, fresh_cache.iterdir()))} == {0o700}


def test_clearing_removes_only_what_the_cache_wrote(fresh_cache, tmp_path):
    zermelo.perft(zermelo.game("nim:heaps=1,1,1,1,1,1,1,1,1"), 2)
    (fresh_cache / "letters").mkdir()
    (fresh_cache / "letters" / "to-mother.txt").write_text("dear")
    (fresh_cache / "note.txt").write_text("mine")
    assert cache.clear() == 1
    assert sorted(p.name for p in fresh_cache.iterdir()) == ["letters", "note.txt"]
