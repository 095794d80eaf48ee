"""Engines that fail, each in its own way: every fault is named, nothing is left behind, and the next game starts afresh."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

import zermelo
from zermelo.arena.clock import Clock, Control
from zermelo.arena.players.by_text import player
from zermelo.arena.players.player import KINDS, Fault
from zermelo.arena.players.process import FLOOD, Engine
from zermelo.errors import ZermeloError
from zermelo.history import History

BAD = Path(__file__).with_name("bad_engine.py")
GAMES = {"uci": "chess", "gtp": "go", "json": "connect4"}
MODES = {
    "hangs": "hang",
    "dies": "death",
    "crashes": "death",
    "illegal": "illegal move",
    "garbage": "garbage",
    "unreadable": "garbage",
    "floods": "flood",
    "long": "flood",
}


def bad(protocol, mode):
    return player(f"{protocol}:{sys.executable} {BAD} {protocol} {mode}")


@pytest.fixture
def impatient(monkeypatch):
    """Engines are given up after a moment."""
    for module in ("uci", "gtp", "jsonl"):
        monkeypatch.setattr(f"zermelo.arena.players.{module}.GRACE", 0.3)
        monkeypatch.setattr(f"zermelo.arena.players.{module}.PATIENCE", 20.0)


@pytest.mark.parametrize("protocol", GAMES)
@pytest.mark.parametrize("mode", MODES)
def test_every_fault_has_its_name(protocol, mode, impatient):
    if (protocol, mode) == ("json", "unreadable"):
        pytest.skip("whatever text JSON carries can be read: it is an illegal move")
    game = zermelo.game(GAMES[protocol])
    side, clock = bad(protocol, mode), Clock(Control.read("0.2+0.1" if mode == "hangs" else "30"), 2)
    side.begin(game, 0, 1)
    child = side._engine._process
    with pytest.raises(Fault) as fault:
        side.choose(game, History(game), clock)
    assert fault.value.kind == MODES[mode] and fault.value.kind in KINDS
    assert "\n" not in str(fault.value) and len(str(fault.value)) < 400
    side.close()
    assert child.returncode is not None  # ended, and waited for
    with pytest.raises(ProcessLookupError):
        os.killpg(child.pid, 0)


@pytest.mark.parametrize("protocol", GAMES)
def test_an_engine_that_failed_plays_the_next_game(protocol, impatient):
    game = zermelo.game(GAMES[protocol])
    side = bad(protocol, "dies")
    for _ in range(3):
        side.begin(game, 0, 1)
        with pytest.raises(Fault) as fault:
            side.choose(game, History(game), Clock(Control(), 2))
        assert "something is broken here" in str(fault.value)
    side.close()


@pytest.mark.parametrize("protocol", GAMES)
def test_an_engine_that_is_late_has_its_move(protocol):
    """What it means to be late, the clock tells whoever keeps it."""
    game = zermelo.game(GAMES[protocol])
    side, clock = bad(protocol, "late"), Clock(Control.read("0.1+0.1"), 2)
    side.begin(game, 0, 1)
    began = time.perf_counter()
    assert side.choose(game, History(game), clock) in game.actions(game.initial())
    assert not clock.spend(0, time.perf_counter() - began)
    side.close()


@pytest.mark.parametrize("protocol", GAMES)
def test_an_engine_that_never_starts(protocol, monkeypatch):
    game = zermelo.game(GAMES[protocol])
    with pytest.raises(Fault) as fault:
        player(f"{protocol}:/no/such/engine").begin(game, 0, 1)
    assert fault.value.kind == "start" and "/no/such/engine" in str(fault.value)
    with pytest.raises(Fault) as fault:
        player(f"{protocol}:{BAD.parent}").begin(game, 0, 1)
    assert fault.value.kind == "start"
    with pytest.raises(Fault) as fault:
        bad(protocol, "refuses").begin(game, 0, 1)
    assert fault.value.kind == "death" and "I do not want to" in str(fault.value)
    monkeypatch.setattr("zermelo.arena.players." + {"json": "jsonl"}.get(protocol, protocol) + ".PATIENCE", 0.3)
    with pytest.raises(Fault) as fault:
        bad(protocol, "silent").begin(game, 0, 1)
    assert fault.value.kind == "hang"


def test_memory_is_bounded():
    engine = Engine(f"{sys.executable} -c \"print('x' * {4 * FLOOD}); import time; time.sleep(60)\"")
    engine.start()
    with pytest.raises(Fault) as fault:
        engine.line(time.monotonic() + 600)
    assert fault.value.kind == "flood"
    assert sum(map(len, engine._lines)) <= FLOOD
    engine.close()


def test_what_an_engine_starts_is_ended_with_it(tmp_path):
    note = tmp_path / "pid"
    code = (
        "import subprocess, time; p = subprocess.Popen(['sleep', '600']); "
        f"open('{note}', 'w').write(str(p.pid)); print('on', flush=True); time.sleep(600)"
    )
    engine = Engine(f'{sys.executable} -c "{code}"')
    engine.start()
    assert engine.line(time.monotonic() + 600) == "on"
    engine.close()
    pid = int(note.read_text())
    for _ in range(6000):  # whoever inherits it may take a moment to bury it
        if not Path(f"/proc/{pid}/stat").exists() or Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z":
            return
        time.sleep(0.1)
    raise AssertionError("it still runs")


def test_no_shell_reads_the_command(tmp_path):
    engine = Engine(f"echo '$HOME' ; touch {tmp_path / 'made'}")
    engine.start()
    assert engine.line(time.monotonic() + 600).startswith("$HOME ;")
    engine.close()
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize("protocol", GAMES)
def test_a_game_that_the_protocol_does_not_know_is_refused(protocol):
    if protocol == "json":
        return
    with pytest.raises(ZermeloError, match="expected"):
        bad(protocol, "good").begin(zermelo.game("tictactoe"), 0, 1)
