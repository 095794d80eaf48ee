"""Our engines while native code is compiled: they answer, stop and end as usual."""

from __future__ import annotations

import os
import threading
import time

import pytest
from protocols.programs import Program

import zermelo
from zermelo import protocols
from zermelo.arena.players.search_player import SearchPlayer
from zermelo.protocols import lines_of
from zermelo.protocols.gtp import Gtp
from zermelo.protocols.ready import Ready


@pytest.fixture
def empty(tmp_path, monkeypatch: pytest.MonkeyPatch):
    """A cache without anything: chess and Go take a minute to compile."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def has_compiled(cache) -> bool:
    return cache.exists() and any(not folder.name.startswith(".") for folder in cache.iterdir())


def test_uci_stops_and_quits(empty):
    with Program("uci") as it:
        it.say("uci", "isready", "go infinite", "stop")
        lines = it.until("bestmove")
        assert "readyok" not in lines and not has_compiled(empty)
        it.say("setoption name Hash value 8", "ucinewgame", "position startpos moves e2e4", "go movetime 10", "quit")
        assert it.child.wait(600) == 0
    assert not has_compiled(empty)


def test_uci_answers_what_was_asked_before_the_end_of_its_input():
    with Program("uci", "--with", "alphabeta:interpreted=true") as it:
        it.say("isready", "go depth 1")
        it.child.stdin.close()
        it.until("bestmove")
        assert it.child.wait(600) == 0


@pytest.mark.parametrize("last", ['{"command": "quit"}', "quit", None], ids=["object", "word", "end of input"])
def test_json_lines_quit_at_the_start(empty, last):
    with Program("serve-json", "chess") as it:
        if last is None:
            it.child.stdin.close()
        else:
            it.say(last)
        assert it.child.wait(600) == 0
    assert not has_compiled(empty)


def test_json_lines_quit_while_another_player_is_made_ready(empty):
    with Program("serve-json", "chess", "--with", "random") as it:
        it.say('{"command": "choose", "with": "alphabeta", "id": 1}', '{"command": "hello", "id": 2}')
        it.until('{"id": 2')
        it.say('{"command": "quit", "id": 3}')
        assert it.child.wait(600) == 0
    assert not has_compiled(empty)


@pytest.mark.parametrize("last", ["quit\n", ""], ids=["quit", "end of input"])
def test_all_that_was_asked_is_answered(monkeypatch: pytest.MonkeyPatch, last):
    """The start and the answers take longer than `quit` may wait for what nobody has asked for."""
    answered = list[str]()

    class Slow:
        def __init__(self, say):
            time.sleep(0.1)

        def handle(self, line):
            time.sleep(0.01)
            answered.append(line)
            return line != "quit"

        def end(self):
            answered.append("end")

    ends_at, (reads, writes) = list[int](), os.pipe()
    os.write(writes, b"x\n" * 20 + last.encode())
    os.close(writes)
    monkeypatch.setattr(protocols, "GRACE", 0.02)
    monkeypatch.setattr(protocols.interrupt, "finish", lambda code: ends_at.append(len(answered)))
    with open(reads) as given:
        monkeypatch.setattr("sys.stdin", given)
        protocols.serve(Slow, lambda line: line == "quit")
    assert answered == ["x"] * 20 + [last.strip() or "end"] and ends_at == [21]


def test_uci_answers_what_was_asked_before_quit():
    with Program("uci", "--with", "alphabeta:interpreted=true") as it:
        it.say("isready", *["position startpos", "go depth 1"] * 20, "quit")
        assert it.child.wait(600) == 0
        assert sum(line.startswith("bestmove") for line in iter(it.lines.get, None)) == 20


def test_json_lines_answer_for_a_player_that_is_not_ready(empty):
    with Program("serve-json", "chess", "--with", "random") as it:
        it.say('{"command": "choose", "with": "alphabeta", "id": 1}', '{"command": "quit", "id": 2}')
        assert "error" in it.until('{"id": 1')[-1]
        assert it.until('{"id": 2') and it.child.wait(600) == 0


def test_gtp_answers_before_it_has_compiled(empty):
    with Program("gtp", "go:size=9") as it:
        for size in (9, 13, 19):
            it.say(f"1 boardsize {size}", "2 clear_board", "3 komi 6.5", "4 play b D4")
            it.until("=4")
        assert not has_compiled(empty)
        it.say("5 quit")
        it.until("=5")
        assert it.child.wait(600) == 0
    assert not has_compiled(empty)


def test_gtp_does_not_compile_what_nobody_wants(monkeypatch: pytest.MonkeyPatch):
    """While one size is compiled others are asked for: only the last of them is compiled next, and a move waits for it."""
    begun, go_on, sizes = threading.Event(), threading.Event(), list[int]()
    usual = SearchPlayer.begin

    def begin(self, game, seat, seed):
        sizes.append(game.size)
        begun.set()
        assert go_on.wait(600)
        usual(self, game, seat, seed)

    monkeypatch.setattr(SearchPlayer, "begin", begin)
    said = list[str]()
    it = Gtp(said.append, "0", zermelo.game("othello"), "alphabeta:interpreted=true,nodes=20")
    for size in (4, 6):
        it.handle(f"boardsize {size}")
    assert not sizes
    it.handle("clear_board")
    assert begun.wait(600)
    for size in (8, 4, 6, 8):
        it.handle(f"boardsize {size}")
        it.handle("clear_board")
    assert sizes == [6] and all(line == "=\n" for line in said)
    go_on.set()
    it.handle("genmove b")
    assert sizes == [6, 8] and said[-1].startswith("= ")


def test_what_is_asked_for_last_counts():
    ready, done, go_on = Ready(), list[int](), threading.Event()
    asked = [ready.get(lambda i=i: (go_on.wait(600), done.append(i))) for i in range(5)]
    go_on.set()
    for one in asked:
        one.result()
    assert done[-1] == 4 and len(done) <= 2
    with pytest.raises(ZeroDivisionError):
        ready.get(lambda: 1 / 0).result()
    assert ready.get(lambda: done.append(9)).result() is None and done[-1] == 9


def test_lines_whatever_they_are(tmp_path):
    file = tmp_path / "lines"
    file.write_bytes(b"one\r\n\n\xff\x00two\n" + b"x" * (3 << 20) + b"\nlast")
    with open(file, "rb") as opened:
        lines = list(lines_of(opened.fileno()))
    assert lines[:3] == ["one", "", "\ufffd\x00two"] and lines[-1] == "last"
    assert "".join(lines[3:-1]) == "x" * (3 << 20) and all(len(line) < 2 << 20 for line in lines)
