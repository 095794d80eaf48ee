"""Times, counts and depths from outside: every request gets a move or one sentence, and the timers survive."""

from __future__ import annotations

import json
import math
import threading
from functools import partial

import pytest
from helpers_cli import called, refusal

import zermelo
from zermelo import ZermeloError
from zermelo.arena.clock import Control
from zermelo.protocols.gtp import Gtp
from zermelo.protocols.jsonl import Jsonl
from zermelo.protocols.uci import Uci
from zermelo.system import limits
from zermelo.system.timer import Alarm

BAD_SECONDS = [math.nan, math.inf, -math.inf, -1, 0, 1e300, 10**30, 2e8, "1", True, None, [], 10**5000]
BAD_COUNTS = [math.nan, math.inf, -1, 0, 1e3, 10**30, 2**63, "1", True, [], 10**5000]
QUICK = "alphabeta:interpreted=true"


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]):
    """Run a command line that is refused: its one sentence."""
    return lambda *argv: refusal(partial(called, capsys)(*argv))


# ---- the bounds themselves ---------------------------------------------------------------------


@pytest.mark.parametrize("given", BAD_SECONDS, ids=lambda x: type(x).__name__)
def test_seconds_that_cannot_be(given):
    with pytest.raises(ZermeloError, match=r"^it: expected (a positive number of seconds|at most 100,000,000 seconds), not .{1,50}$"):
        limits.check_seconds("it: ", given)


def test_what_can_be():
    for given in (1e-9, 1, 0.5, limits.MAX_SECONDS):
        limits.check_seconds("", given)
    for given in (1, limits.MAX_COUNT):
        limits.check_count("", "nodes", given)
    assert [limits.clamped_seconds(x) for x in (math.nan, -1, 0.5, 1e300)] == [0.0, 0.0, 0.5, limits.MAX_SECONDS]
    texts = ("7", "-3", "+2", "9" * 5000, "-" + "9" * 5000, "0" * 30 + "4", "", "x", "1.5", "²", "٣", "--5")
    assert [limits.clamped(text, 1, 10) for text in texts] == [7, 1, 2, 10, 1, 4, None, None, None, None, None, None]


@pytest.mark.parametrize("given", [x for x in BAD_SECONDS if x is not None], ids=lambda x: type(x).__name__)
def test_searchers_and_clocks_refuse_seconds(given):
    for make in (
        lambda: zermelo.AlphaBeta(seconds=given),
        lambda: zermelo.MCTS(seconds=given),
        lambda: Control(move=given),
        lambda: Control(base=given),
        lambda: zermelo.playouts(zermelo.game("tictactoe"), seconds=given),
    ):
        with pytest.raises(ZermeloError, match="seconds, not"):
            make()


@pytest.mark.parametrize("given", BAD_COUNTS, ids=lambda x: type(x).__name__)
@pytest.mark.parametrize("what", ["depth", "nodes"])
def test_searchers_refuse_counts(what, given):
    with pytest.raises(ZermeloError, match=f"AlphaBeta: expected {what} of at (least 1|most [0-9,]+), not"):
        zermelo.AlphaBeta(**{what: given})


# ---- the timer ---------------------------------------------------------------------------------


def test_a_timer_outlives_what_it_is_asked_for(monkeypatch: pytest.MonkeyPatch):
    """Times beyond all bounds, and functions that fail, end no thread: the next alarm rings."""
    alarm, told, rung = Alarm(), threading.Event(), threading.Event()
    monkeypatch.setattr(threading, "excepthook", lambda args: told.set() if args.exc_type is ZeroDivisionError else None)
    with (
        alarm.after(1e300, rung.set),
        alarm.after(math.nan, lambda: 1 / 0),
        alarm.after(math.inf, rung.set),
        alarm.after(10**400, rung.set),
    ):
        assert told.wait(60)
        assert not rung.is_set()
        with alarm.after(0.001, rung.set):
            assert rung.wait(60)


def test_a_timer_is_started_once():
    """However many threads ask first at the same time, all are called."""
    for _ in range(20):
        alarm, ready, rung = Alarm(), threading.Barrier(8), [threading.Event() for _ in range(8)]

        def ask(one: threading.Event, alarm: Alarm = alarm, ready: threading.Barrier = ready) -> None:
            ready.wait()
            with alarm.after(0.001, one.set):
                one.wait(60)

        threads = [threading.Thread(target=ask, args=(one,)) for one in rung]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert all(one.is_set() for one in rung)


# ---- the protocols -----------------------------------------------------------------------------


def test_json_lines_refuse_and_go_on():
    said: list[dict] = []
    server = Jsonl(lambda line: said.append(json.loads(line)), "0", zermelo.game("tictactoe"), QUICK)
    for key, bad in (("seconds", BAD_SECONDS), ("depth", BAD_COUNTS), ("nodes", BAD_COUNTS)):
        for value in bad:
            if value is None or value == 10**5000:
                continue
            for request in ({key: value}, {"clock": {"move": value}}, {"clock": {"left": [value, 1]}}, {"clock": value}):
                if key != "seconds" and "clock" in request:
                    continue
                if request in ({"clock": {"left": [0, 1]}},):  # nothing left is a clock
                    continue
                said.clear()
                assert server.handle(json.dumps({"command": "choose"} | request))
                assert set(said[-1]) == {"error"} and said[-1]["error"].startswith("expected "), request
                assert len(said[-1]["error"]) < 120
    said.clear()
    server.handle('{"command": "choose", "seconds": 1e8, "nodes": 20, "id": 1}')
    server._choosing.join()
    assert said[-1]["id"] == 1 and "action" in said[-1]
    server.handle('{"command": "choose", "seconds": ' + "9" * 5000 + "}")
    assert "error" in said[-1]


@pytest.mark.parametrize("number", ["9" * 30, "9" * 5000, "-" + "9" * 30, "0", "-1"])
@pytest.mark.parametrize("what", ["movetime", "wtime", "winc", "movestogo", "depth", "nodes", "mate"])
def test_uci_brings_numbers_within_bounds(what, number):
    said: list[str] = []
    it = Uci(said.append, "0", zermelo.game("chess"), "alphabeta", {"interpreted": "true"})
    it.handle("position fen 7k/5Q2/8/6K1/8/8/8/8 w - - 0 1")
    it.handle(f"go {what} {number}" + ("" if what == "nodes" and number.startswith("-") else " nodes 5"))
    it._search._thread.join()
    assert said[-1].startswith("bestmove ") and not any("failed" in line for line in said)


@pytest.mark.parametrize("number", ["1e300", "9" * 400, "-1e300", "-5", "0"])
def test_gtp_brings_times_within_bounds(number):
    said: list[str] = []
    it = Gtp(said.append, "0", zermelo.game("othello:size=4"), f"{QUICK},nodes=20")
    for line in (f"time_settings {number} 0 0", f"time_settings 10 {number} {number}", f"time_left b {number} {number}", "genmove b"):
        said.clear()
        it.handle(line)
        assert said[0][0] in "=?" and not (line == "genmove b" and said[0][0] == "?")
    for line in ("time_settings nan 0 0", "time_settings inf 0 0", "time_left b x 0", "time_settings 1 2"):
        said.clear()
        it.handle(line)
        assert said == ["? syntax error\n"]


@pytest.mark.parametrize("options", ["--seconds 1e300", "--seconds nan", "--nodes 1" + "0" * 30, "--depth 1" + "0" * 30, "--depth 10001"])
def test_the_command_line_refuses(refused, options):
    assert "expected" in refused("search", "tictactoe", *options.split())


@pytest.mark.parametrize(
    "line",
    [
        "playouts tictactoe --seconds 1e300",
        "playouts tictactoe --games 1" + "0" * 30,
        "match tictactoe random random --games 1" + "0" * 30,
        "match tictactoe random random --random-plies 1" + "0" * 30,
        "match tictactoe random random --max-plies 1" + "0" * 30,
        "match tictactoe random random --clock 1" + "0" * 300,
        "match tictactoe random random --clock 1" + "0" * 30 + "/move",
        "match tictactoe random random --clock 1+1" + "0" * 30,
        "match tictactoe alphabeta:seconds=1e300 random",
        "match tictactoe alphabeta:nodes=1" + "0" * 30 + " random",
        "match tictactoe alphabeta:nodes=1" + "0" * 5000 + " random",
        "tournament tictactoe random greedy --rounds 1" + "0" * 30,
        "play tictactoe --clock 1" + "0" * 30,
    ],
)
def test_commands_refuse_in_one_short_sentence(refused, monkeypatch, tmp_path, line):
    monkeypatch.setenv("ZERMELO_RECORD", str(tmp_path / "games.sqlite"))
    told = refused(*line.split())
    assert "expected" in told and len(told) < 300
