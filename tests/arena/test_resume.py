"""A match that is killed: recorded games stay, none is played twice, and the same command completes it."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

import zermelo
from zermelo.arena.match import Match, play_match
from zermelo.arena.records.store import Store

PLAYERS, GAMES = ("random", "greedy"), 400

MATCH = f"""\
import sys
import zermelo
from zermelo.arena.match import Match, play_match
from zermelo.arena.records.store import Store

if __name__ == "__main__":
    with Store(sys.argv[1]) as store:
        play_match(Match(zermelo.game(sys.argv[2]), {PLAYERS!r}, int(sys.argv[3])), store, 2)
    print("complete")
"""


def content(path):
    """The games that have ended, by their place; the file must be sound."""
    sql = sqlite3.connect(path, timeout=30)
    try:
        assert sql.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert sql.execute("PRAGMA foreign_key_check").fetchall() == []
        if not sql.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            return {}  # it was killed before it began
        games, places = {}, set()
        for number, *place, result, reason, start in sql.execute("SELECT id, round, pair, side, result, reason, start FROM games"):
            assert tuple(place) not in places
            places.add(tuple(place))
            moves = sql.execute("SELECT ply, seat, action, note FROM moves WHERE game = ? ORDER BY ply", (number,)).fetchall()
            assert [m[0] for m in moves] == list(range(len(moves)))
            if result is not None:
                games[tuple(place)] = result, reason, start, moves
        assert sql.execute("SELECT count(*) FROM moves WHERE game NOT IN (SELECT id FROM games)").fetchone() == (0,)
        return games
    finally:
        sql.close()


def reference(tmp_path, game):
    """The same match without a break, in one process."""
    with Store(tmp_path / "whole") as store:
        play_match(Match(zermelo.game(game), PLAYERS, GAMES), store, 1)
    return content(tmp_path / "whole")


def start(tmp_path, game):
    script = tmp_path / "play.py"
    script.write_text(MATCH)
    return subprocess.Popen([sys.executable, script, tmp_path / "killed", game, str(GAMES)], stdout=subprocess.PIPE, text=True)


def moves_in(path):
    try:
        sql = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=30)
    except sqlite3.OperationalError:
        return 0
    try:
        return sql.execute("SELECT count(*) FROM moves").fetchone()[0]
    except sqlite3.OperationalError:
        return 0
    finally:
        sql.close()


def kill_often(tmp_path, game, times, chance):
    """Kill the match at random moments while it plays, begin it again each time; what is complete begins anew."""
    whole, before, kills, completed = reference(tmp_path, game), {}, 0, 0
    while kills < times:
        had = moves_in(tmp_path / "killed")
        process = start(tmp_path, game)
        wait = chance.random() * 0.7
        while process.poll() is None and moves_in(tmp_path / "killed") == had and kills % 5:
            time.sleep(0.002)  # most are killed while games are played, the others whenever
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)
        told = process.communicate()[0]
        if "complete" not in told:
            kills += 1
        now = content(tmp_path / "killed")
        assert before.items() <= now.items() <= whole.items()
        before = now
        if len(now) == len(whole):
            completed += 1
            for file in tmp_path.glob("killed*"):
                file.unlink()
            before = {}
    process = start(tmp_path, game)
    assert "complete" in process.communicate()[0]
    assert content(tmp_path / "killed") == whole and len(whole) == GAMES
    return completed


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no kill -9 here")
def test_killed_a_few_times(tmp_path):
    kill_often(tmp_path, "tictactoe", 3, random.Random(1))


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no kill -9 here")
@pytest.mark.parametrize("game", ["tictactoe", "connect4"])
def test_killed_25_times(tmp_path, game):
    kill_often(tmp_path, game, 25, random.Random(2))


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no kill -9 here")
def test_processes_end_with_the_one_that_wants_the_games(tmp_path):
    if not os.path.isdir("/proc/self/task"):
        pytest.skip("no /proc to see who is alive")
    process = start(tmp_path, "tictactoe")
    while process.poll() is None and not moves_in(tmp_path / "killed"):
        time.sleep(0.01)
    with open(f"/proc/{process.pid}/task/{process.pid}/children") as file:
        children = file.read().split()
    process.kill()
    process.communicate()
    assert children
    for _ in range(6000):
        if not any(os.path.exists(f"/proc/{child}/cmdline") and _is_worker(child) for child in children):
            return
        time.sleep(0.01)
    raise AssertionError("a process plays on for nobody")


def _is_worker(pid):
    try:
        with open(f"/proc/{pid}/cmdline") as file:
            return "spawn_main" in file.read()
    except OSError:
        return False
