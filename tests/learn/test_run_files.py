"""Runs as they are found: damaged, of somebody else, in use, or without time to learn anything."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from helpers_cli import called
from helpers_files import resealed

import zermelo
from zermelo import ZermeloError
from zermelo.learn.runs import CONFIGURATION, LOG, Run
from zermelo.learn.training import train

GAME = zermelo.game("tictactoe")


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    return train(GAME, run=tmp_path_factory.mktemp("runs") / "good", model="linear", games=20)


@pytest.mark.parametrize(
    "told", [{"games": -5}, {"games": 1.5}, {"games": True}, {"seconds": float("nan")}, {"model": ["linear"]}, {"method": {}}, {"game": 3}]
)
def test_what_a_run_cannot_have_been_asked_for(told, trained, tmp_path):
    (tmp_path / CONFIGURATION).write_text(json.dumps(trained.configuration | told))
    with pytest.raises(ZermeloError, match=r"run\.json is damaged: expected what zermelo train wrote"):
        _ = Run(tmp_path).configuration
    with pytest.raises(ZermeloError, match="is damaged"):
        train(GAME, run=tmp_path)


@pytest.mark.parametrize(
    "change", [(b'"games":"20"', b'"games":"-5"'), (b'"seconds":"', b'"seconds":"-'), (b'"seconds":"', b'"seconds":"nan')]
)
def test_what_a_model_cannot_have_learned(change, trained, tmp_path):
    whole = (trained.folder / "model.safetensors").read_bytes()
    other = whole.replace(*change)
    grown = len(other) - len(whole)
    size = int.from_bytes(other[:8], "little") + grown
    (tmp_path / "m").write_bytes(resealed(size.to_bytes(8, "little") + other[8:]))
    with pytest.raises(ZermeloError, match="is not a model of ours"):
        zermelo.searcher("alphabeta", depth=1, eval=str(tmp_path / "m")).search(GAME)


def test_one_bad_run_hides_no_other(trained, tmp_path, capsys):
    for name, text in {"a": "{", "b": '{"game": 3}', "c": '{"game": "x", "model": [1]}', "d": '{"game": "x\\ud800\\n"}'}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / CONFIGURATION).write_text(text)
    (tmp_path / "e").mkdir()
    (tmp_path / "e" / CONFIGURATION).symlink_to("run.json")
    (tmp_path / "f").symlink_to(trained.folder)
    (tmp_path / "d" / LOG).write_text('{"games": 1' + "0" * 400 + "}\n[]\n3\n")
    done = called(capsys, "runs", str(tmp_path))
    assert done.code == 0 and len([line for line in done.out.splitlines() if "tictactoe" in line]) == 1
    assert sum("is damaged" in line for line in done.err.splitlines()) == 3


def test_two_processes_do_not_train_one_run(tmp_path):
    fcntl = pytest.importorskip("fcntl")
    folder = tmp_path / "run"
    train(GAME, run=folder, model="linear", games=20)
    with open(folder / ".lock", "w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(ZermeloError, match=r"another process is training in .*: expected to be alone"):
            train(GAME, run=folder, model="linear", games=40)
    assert train(GAME, run=folder, model="linear", games=40).trained[0] == 40
    assert not (folder / ".lock").exists()


def test_who_dies_lets_go_of_a_run(tmp_path):
    pytest.importorskip("fcntl")
    code = f"from zermelo.learn.runs import Run; Run(__import__('pathlib').Path({str(tmp_path)!r})).begin({{'game': 'x'}}); input()"
    child = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE)
    while not (tmp_path / CONFIGURATION).exists():
        assert child.poll() is None
    with pytest.raises(ZermeloError, match="another process"):
        Run(tmp_path).begin({"game": "x"})
    os.kill(child.pid, 9)
    child.wait()
    Run(tmp_path).begin({"game": "x"})
    Run(tmp_path).end()


def test_weights_that_are_no_weights(trained, tmp_path):
    model = trained.model
    model.array[0] = np.float32(3e38)
    model.save(tmp_path / "m")
    with pytest.raises(ZermeloError, match="too large, or no numbers"):
        zermelo.searcher("alphabeta", depth=1, eval=str(tmp_path / "m")).search(GAME)


def test_seconds_that_end_before_a_game_does_are_no_success(tmp_path, capsys, monkeypatch: pytest.MonkeyPatch):
    def nothing(game, training, place, stop):
        place.begin({"game": repr(game), "games": 10**15, "seconds": 2.5})
        place.end()
        yield from ()

    monkeypatch.setattr("zermelo.learn.training.steps", nothing)
    monkeypatch.setattr(Run, "trained", (0, 2.6))
    done = called(capsys, "train", "tictactoe", "--method", "zero", "--run", str(tmp_path / "run"))
    assert "2.5 seconds were over before a game had ended" in done.err and done.code == 2 and "play against it" not in done.out


def test_compiling_is_not_learning(tmp_path):
    pytest.importorskip("torch")
    from zermelo.learn.zero.settings import ZeroTraining
    from zermelo.learn.zero.training import Zero

    settings = ZeroTraining(model="resnet:0x1", slots=4, simulations=2, batch=2, device="cpu", games=8)
    zero = Zero(GAME, settings, Run(tmp_path / "run"))
    zero.learn()
    assert zero.seconds == 0.0
    zero.learn()
    assert zero.seconds > 0.0
    zero.place.end()
