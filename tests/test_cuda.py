"""CUDA without a GPU: every game compiles to PTX, and the simulator plays the same games as the CPU."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import zermelo
from zermelo.learn.zero.self_play import SelfPlay, play
from zermelo.lower import device
from zermelo.search import playouts_cuda
from zermelo.search.puct.puct import advance
from zermelo.search.puct.record import Tree
from zermelo.search.puct.shape import actions_of, record_for

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.skipif(importlib.util.find_spec("numba_cuda") is None, reason="numba-cuda is not installed")

GAMES = [*zermelo.names(), "bins:game=2", "tree:file=three-players", "mnk:width=8,height=8,line=5", "connect4:width=8,height=7"]


CONSTANT_MEMORY = 0x10000  # bytes of a kernel on every card


def constant_bytes(ptx: str) -> int:
    return sum(int(size) for size in re.findall(r"^\.const .*?\[(\d+)\]", ptx, re.MULTILINE))


@pytest.mark.parametrize("text", GAMES)
def test_every_game_compiles_for_a_gpu(text):
    game = zermelo.game(text)
    ptx = device.ptx(game, playouts_cuda.kernel, playouts_cuda.ARRAYS, {"WIDTH": 16, "PLAYERS": game.players})
    assert ".visible .entry" in ptx
    assert "call" not in [line.split()[0] for line in ptx.splitlines() if line.strip()], "everything is in the kernel itself"
    assert constant_bytes(ptx) <= CONSTANT_MEMORY


@pytest.mark.parametrize(("text", "lanes"), [("tictactoe", 8), pytest.param("go", 32, marks=pytest.mark.slow)])
def test_self_play_compiles_for_a_gpu(text, lanes):
    """With the exchange between the lanes of a game, and without products that are rounded together with a sum, but in libraries."""
    game = zermelo.game(text)
    record = record_for(game, Tree, width=actions_of(game), nodes=18)
    ptx = device.record_ptx(game, advance, record, lanes)
    assert ".visible .entry" in ptx
    assert "shfl.sync.bfly" in ptx
    assert "fma.rn" not in ptx
    assert "shfl" not in device.record_ptx(game, advance, record, 1)
    record = record_for(game, SelfPlay, width=actions_of(game), nodes=18, keep=8)
    ptx = device.record_ptx(game, play, record, lanes)
    assert "bar.warp.sync" in ptx
    assert constant_bytes(ptx) <= CONSTANT_MEMORY


#: games whose states take the simulator so long that few are played, and not to the end
LONG = ("antichess", "backgammon", "checkers", "chess", "darkchess", "ginrummy", "go", "hex", "kriegspiel", "morris")


@pytest.mark.parametrize(
    ("games", "texts", "limit"),
    [
        (40, [text for text in GAMES if text not in LONG], 10_000),
        (2, LONG, 40),
        pytest.param(100, LONG, 10_000, marks=pytest.mark.slow),
    ],
)
def test_the_simulator_plays_the_games_of_the_cpu(games, texts, limit):
    code = (
        "import json, sys, zermelo\n"
        "for text in json.loads(sys.argv[1]):\n"
        f"    runs = [zermelo.playouts(zermelo.game(text), {games}, seed=9, device=d, limit={limit}) for d in ('cuda', 'cpu')]\n"
        "    print(json.dumps([text, *([r.games, r.moves, r.unfinished, r.utility] for r in runs)]))\n"
    )
    env = os.environ | {"NUMBA_ENABLE_CUDASIM": "1"}
    run = subprocess.run([sys.executable, "-c", code, json.dumps(texts)], capture_output=True, text=True, env=env, check=False)
    assert run.returncode == 0, run.stderr
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    assert [row[0] for row in rows] == list(texts)
    for text, on_cuda, on_cpu in rows:
        assert on_cuda[:3] == on_cpu[:3], text
        assert on_cuda[3] == pytest.approx(on_cpu[3], abs=1e-12), text


@pytest.mark.parametrize(("text", "depth", "leaves"), [("chess", 2, 2039), pytest.param("othello", 5, 1396, marks=pytest.mark.slow)])
def test_the_simulator_values_the_leaves_of_the_cpu(text, depth, leaves):
    """All leaves are there, and the sums of their values are the same to the last bit (`measure` asserts it)."""
    command = [sys.executable, "-m", "bench.leaves", text, "--depth", str(depth), "--rounds", "0", "--block", "8"]
    env = os.environ | {"NUMBA_ENABLE_CUDASIM": "1"}
    run = subprocess.run(command, capture_output=True, text=True, env=env, check=False, cwd=ROOT)
    assert run.returncode == 0, run.stderr
    told = json.loads(run.stdout)
    assert (told["leaves"], told["checked_leaves"]) == (leaves, leaves)
    assert told["sum"] != 0


def has_gpu() -> bool:
    return bool(device.cuda().is_available())


@pytest.mark.skipif("not has_gpu()", reason="there is no GPU here")
@pytest.mark.parametrize("text", GAMES)
def test_the_gpu_plays_the_games_of_the_cpu(text):
    on_cuda, on_cpu = (zermelo.playouts(zermelo.game(text), 20_000, seed=4, device=d) for d in ("cuda", "cpu"))
    assert (on_cuda.games, on_cuda.moves, on_cuda.unfinished) == (on_cpu.games, on_cpu.moves, on_cpu.unfinished)
    assert on_cuda.utility == pytest.approx(on_cpu.utility, abs=1e-12)


@pytest.mark.skipif("has_gpu()", reason="there is a GPU here")
def test_without_a_gpu_one_sentence_says_so():
    with pytest.raises(zermelo.ZermeloError, match="needs an NVIDIA GPU"):
        zermelo.playouts(zermelo.game("nim"), 10, device="cuda")
