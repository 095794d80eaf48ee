"""Runs of training: what is in their folder, that they survive being killed, and what they say of files that are none of theirs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from small_games import Race

import zermelo
from zermelo.errors import ZermeloError
from zermelo.learn.runs import Run
from zermelo.search.model.model import Model, find_model, with_model
from zermelo.search.stop import Stop

train = zermelo.train
TICTACTOE = zermelo.game("tictactoe")
SMALL = {"model": "mlp:16", "games": 1000, "seed": 5}


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A run of a thousand games of tic-tac-toe."""
    return train(TICTACTOE, run=tmp_path_factory.mktemp("runs") / "whole", **SMALL)


def weights(run):
    return run.model.array.tobytes()


# ---- runs ------------------------------------------------------------------------------------


def test_a_run_tells_what_it_did(trained):
    assert trained.configuration["game"] == "tictactoe" and trained.configuration["rate"] > 0
    looks = trained.looks()
    assert [look.games for look in looks] == sorted({look.games for look in looks}) and looks[-1].games == 1000
    assert trained.model.games == 1000 and trained.model.seconds > 0
    assert ET.fromstring(trained._repr_svg_()).tag.endswith("svg")


def test_stopped_and_gone_on_with_it_learns_the_same(trained, tmp_path):
    stop = Stop()
    first = train(TICTACTOE, run=tmp_path / "stopped", stop=stop, on_progress=lambda look: stop.set(), **SMALL)
    assert 0 < first.model.games < 1000
    again = train(TICTACTOE, run=tmp_path / "stopped", **SMALL)
    assert weights(again) == weights(trained)
    assert [look.games for look in again.looks()] == [look.games for look in trained.looks()]


def test_killed_and_gone_on_with_it_learns_the_same(trained, tmp_path):
    """The process is killed as soon as it has said how far it is, wherever it then is."""
    command = [
        sys.executable,
        "-m",
        "zermelo",
        "train",
        "tictactoe",
        "--model",
        "mlp:16",
        "--games",
        "1000",
        "--seed",
        "5",
        "--run",
        "killed",
    ]
    for _ in range(2):
        with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
            for line in process.stdout:
                if "games/s" in line:
                    os.kill(process.pid, signal.SIGKILL)
                    break
    assert Run(tmp_path / "killed").model.games < 1000
    done = subprocess.run([*command, "--json"], cwd=tmp_path, capture_output=True, text=True, check=True)
    told = json.loads(done.stdout.splitlines()[-1])
    assert set(told) == {"run", "games", "seconds", "games_per_second"} and told["games"] == 1000
    assert weights(Run(tmp_path / "killed")) == weights(trained)


def test_another_run_in_the_same_folder_is_refused(trained):
    with pytest.raises(ZermeloError, match=r"is a run with seed 5: expected that, not 6, or another folder"):
        train(TICTACTOE, run=trained.folder, **(SMALL | {"seed": 6}))
    with pytest.raises(ZermeloError, match="is a run with game tictactoe"):
        train(zermelo.game("connect4"), run=trained.folder, **SMALL)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"model": "mlp:0"}, "expected a model linear, ntuple, nnue:SUMS, mlp:UNITS or mlp:UNITS,UNITS with 1 to 4,096 units, not 'mlp:0'"),
        ({"model": "mlp:9999999"}, "expected a model linear, ntuple, nnue:SUMS, mlp:UNITS"),
        ({"model": "mlp:16,0"}, "expected a model linear, ntuple, nnue:SUMS, mlp:UNITS"),
        ({"model": "mlp:16,16,16"}, "expected a model linear, ntuple, nnue:SUMS, mlp:UNITS"),
        ({"model": "cnn"}, "expected a model linear, ntuple, nnue:SUMS, mlp:UNITS"),
        ({"method": "magic"}, "expected method td, mc, traces, q, sarsa, tdleaf, treestrap, rote, expected or fit, not 'magic'"),
        ({"games": 0}, "expected games"),
        ({"trace": 1.5}, "expected trace from 0 to 1, not 1.5"),
        ({"rate": -1.0}, "expected rate above 0"),
        ({"epsilon": 2.0}, "expected epsilon of at most 1, not 2.0"),
        ({"threads": 0}, "expected threads from 1 to 256"),
        ({"seed": -1}, "expected seed from 0"),
        ({"model": "mlp:00000000199999"}, "expected a model linear, ntuple, nnue:SUMS, mlp:UNITS"),
        ({"model": 5}, "expected a model linear, ntuple, nnue:SUMS, mlp:UNITS"),
        ({"speed": 5}, "train has no setting 'speed'"),
    ],
)
def test_settings_out_of_range_are_refused(settings, sentence, tmp_path):
    with pytest.raises(ZermeloError) as error:
        train(TICTACTOE, run=tmp_path / "run", **settings)
    assert sentence in str(error.value)
    assert not (tmp_path / "run").exists()


def test_a_run_that_diverges_says_so_and_keeps_what_it_had(tmp_path):
    with np.errstate(all="ignore"), pytest.raises(ZermeloError, match=r"the run diverged after .* games: expected a rate below"):
        train(zermelo.game("trio"), run=tmp_path / "run", **(SMALL | {"rate": 100.0, "model": "mlp:512", "games": 100_000}))
    assert Run(tmp_path / "run").configuration["rate"] == 100.0


def test_utilities_outside_the_range_are_told(tmp_path):
    class Wide(Race):
        value_range = (-1.0, 1.0)

    with pytest.raises(ZermeloError, match="has a utility outside -1 to 1: write value_range in the game"):
        train(Wide(), run=tmp_path / "run", **SMALL)


# ---- models ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["alphabeta", "plain", "minimax", "mcts", "montecarlo", "rollouts", "bestfirst", "maxn", "paranoid"])
def test_every_searcher_asks_the_model(name, trained):
    """Interpreted and native searches find the same, and something else than without it."""
    given = {
        "mcts": {"simulations": 60, "plies": 1, "seed": 1},
        "montecarlo": {"playouts": 5, "depth": 1, "seed": 1},
        "bestfirst": {"nodes": 60},
        "rollouts": {"trials": 1},
    }
    settings = given.get(name, {"depth": 2})
    judged = [zermelo.searcher(name, eval=str(trained.folder), interpreted=i, **settings).search(TICTACTOE) for i in (True, False)]
    assert judged[0].scores == judged[1].scores and judged[0].action == judged[1].action
    assert judged[0].scores != zermelo.searcher(name, **settings).search(TICTACTOE).scores


def test_dice_too(tmp_path):
    game = zermelo.game("pig")
    run = train(game, run=tmp_path / "pig", model="linear", games=200, seed=1)
    assert tuple(run.configuration["kinds"]) == run.model.kinds == ("player-player", "player-chance")
    found = [zermelo.searcher("expectiminimax", depth=2, eval=str(run.folder), interpreted=i).search(game) for i in (True, False)]
    assert found[0].scores == pytest.approx(found[1].scores) and found[0].nodes == found[1].nodes


def test_a_search_of_one_ply_takes_the_state_the_model_likes_best(trained):
    found = zermelo.searcher("plain", depth=1, eval=str(trained.folder)).search(TICTACTOE)
    deeper = {}
    for a in TICTACTOE.actions(TICTACTOE.initial()):
        t = TICTACTOE.result(TICTACTOE.initial(), a)
        game = with_model(TICTACTOE, trained.model)
        deeper[a] = zermelo.searcher("minimax", depth=1, interpreted=True).search(game, t).value
    assert set(found.scores) == set(deeper) and found.action == max(found.scores, key=found.scores.get)


@pytest.mark.parametrize("damage", ["truncated", "text", "empty", "other", "nan", "shape", "format"])
def test_a_file_that_is_no_model_is_refused_in_one_sentence(damage, trained, tmp_path):
    from safetensors.numpy import load_file, save_file

    path, good = tmp_path / "model.safetensors", trained.folder / "model.safetensors"
    if damage in ("truncated", "text", "empty"):
        path.write_bytes({"truncated": good.read_bytes()[:-100], "text": b"hello, this is no model at all", "empty": b""}[damage])
    elif damage == "other":
        save_file({"weights": np.zeros(3, np.float32)}, path)
    else:
        model, floats = trained.model, load_file(good)["weights"]
        if damage == "nan":
            floats[-1] = np.nan
        about = {"format": "zermelo model 1" if damage != "format" else "zermelo model 9", "games": "1", "seconds": "1"}
        about["shape"] = json.dumps(model.shape.__dict__ | ({"hidden": 32} if damage == "shape" else {}))
        save_file({"weights": floats}, path, about)
    with pytest.raises(ZermeloError) as error:
        Model.load(path)
    assert ("expected" in str(error.value) or damage == "truncated") and "\n" not in str(error.value)


def test_a_model_of_another_game_is_refused(trained):
    with pytest.raises(ZermeloError, match="the model is of tictactoe: expected one of connect4"):
        zermelo.searcher("alphabeta", depth=1, eval=str(trained.folder)).search(zermelo.game("connect4"))
    with pytest.raises(ZermeloError, match="there is no run or model 'nowhere'"):
        find_model("nowhere")


# ---- the commands ----------------------------------------------------------------------------


def run_cli(*args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "zermelo", *args], check=False, cwd=cwd, capture_output=True, text=True)


def test_runs_are_listed_compared_and_drawn(trained, tmp_path):
    listed = run_cli("runs", str(trained.folder.parent), "--json", cwd=tmp_path)
    assert json.loads(listed.stdout)["game"] == "tictactoe" and listed.returncode == 0
    drawn = run_cli("runs", str(trained.folder), "--plot", "curve.svg", cwd=tmp_path)
    assert "tictactoe" in drawn.stdout and ET.parse(tmp_path / "curve.svg").getroot().tag.endswith("svg")
    nothing = run_cli("runs", cwd=tmp_path)
    assert nothing.returncode == 2 and "there are no runs in runs" in nothing.stderr


def test_the_player_that_training_offers_plays(tmp_path):
    offered = run_cli("train", "tictactoe", "--model", "linear", "--games", "50", "--run", "offered", cwd=tmp_path).stdout.splitlines()[-1]
    command, _, player = offered.partition(" --against ")
    assert command == "play against it: zermelo play tictactoe"
    assert run_cli("match", "tictactoe", player.replace("seconds=1", "depth=1"), "random", "--games", "2", cwd=tmp_path).returncode == 0


def test_play_and_matches_with_a_model(trained, tmp_path):
    match = run_cli(
        "match", "tictactoe", f"alphabeta:depth=1,eval={trained.folder}", "random", "--games", "40", "--seed", "1", cwd=tmp_path
    )
    assert match.returncode == 0, match.stderr
    wrong = run_cli("search", "tictactoe", "--set", "eval=nowhere", cwd=tmp_path)
    assert wrong.returncode == 2 and "there is no run or model 'nowhere'" in wrong.stderr and "Traceback" not in wrong.stderr


# ---- games that break their word -------------------------------------------------------------


def race(**written):
    """Race with other attributes."""
    return type("Race", (Race,), written)()


def two_players(self, s, p):
    return 1.0 if s.turn != p else -1.0


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ({"planes": lambda self, s, p: iter([1]), "plane_inputs": ((63, -1, 1.0),)}, "expected plane_inputs to be a tuple of 1"),
        ({"planes": lambda self, s, p: iter([1]), "plane_inputs": ((0, 1, 1.0),) * 2}, "expected plane_inputs to be a tuple of 1"),
        ({"planes": lambda self, s, p: iter([1]), "plane_inputs": ((2**40, 1, 1.0),)}, "expected plane_inputs to be a tuple of 1"),
        ({"planes": lambda self, s, p: iter([1]), "plane_inputs": ((0.5, 1, 1.0),)}, "expected plane_inputs to be a tuple of 1"),
        ({"planes": lambda self, s, p: iter([1]), "plane_inputs": ((0, 1, float("nan")),)}, "expected plane_inputs to be a tuple of 1"),
        ({"planes": lambda self, s, p: iter([1] * 300)}, "has states of 300 words: expected at most 255"),
        ({"outcomes": two_players, "outcome_values": (1.0,)}, "expected outcomes in a game of two players alone, not 3"),
        ({"outcomes": two_players, "players": 2}, "expected outcome_values to be 1 to 8 numbers"),
        ({"outcomes": two_players, "players": 2, "outcome_values": (float("inf"),)}, "expected outcome_values to be 1 to 8 numbers"),
        ({"value_range": (1.0, -1.0)}, "expected value_range to be two numbers"),
        ({"value_range": "wide"}, "expected value_range to be two numbers"),
        ({"players": 0}, "players is 0, expected a whole number"),
        ({"is_terminal": lambda self, s: True, "actions": lambda self, s: iter(())}, "is over at the start"),
    ],
)
def test_hooks_that_mean_nothing_are_refused(written, sentence, tmp_path):
    with pytest.raises(ZermeloError) as error:
        train(race(**written), run=tmp_path / "run", model="linear", games=10)
    assert sentence in str(error.value)


GAMES_FILE = '''
from typing import NamedTuple
from zermelo import CHANCE, Game, i8


class State(NamedTuple):
    n: i8
    turn: i8


class Base(Game):
    """Two players take one in turn; who takes the fifth wins."""

    def initial(self):
        return State(0, 0)

    def to_move(self, s):
        return s.turn

    def actions(self, s):
        if s.n < 5:
            yield 0

    def result(self, s, a):
        return State(s.n + 1, 1 - s.turn)

    def is_terminal(self, s):
        return s.n == 5

    def utility(self, s, p):
        return 1.0 if s.turn != p else -1.0


class TooMany(Base):
    outcome_values = (1.0,)

    def outcomes(self, s, p):
        for i in range(40):
            yield 1.0 if s.turn != p else 0.0


class FromNoughtToOne(Base):
    value_range = (0.0, 1.0)

    def utility(self, s, p):
        return 1.0 if s.turn != p else 0.0


class Endless(Base):
    def result(self, s, a):
        return State(s.n, 1 - s.turn)


class LastByChance(Base):
    """Chance, which moves last, decides."""

    def to_move(self, s):
        return CHANCE if s.n == 4 else s.turn

    def actions(self, s):
        if s.n < 5:
            yield 0
        if s.n == 4:
            yield 1

    def result(self, s, a):
        return State(s.n + 1, a) if s.n == 4 else State(s.n + 1, 1 - s.turn)

    def probability(self, s, a):
        return 0.25 if a == 0 else 0.75
'''


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    file = tmp_path_factory.mktemp("games") / "games.py"
    file.write_text(GAMES_FILE)
    return lambda name: zermelo.game(f"{file}:{name}")


def learned_value(game, folder, **settings):
    run = train(game, run=folder, model="linear", games=3000, rate=0.05, **settings)
    return zermelo.searcher("maxn", depth=1, eval=str(run.folder)).search(game).values


def test_more_outcomes_than_said_do_no_harm(games, tmp_path):
    assert train(games("TooMany"), run=tmp_path / "run", model="linear", games=20).model.games == 20


def test_values_have_the_scale_of_utilities(games, tmp_path):
    """The first player takes the fifth: the value is that of winning, whatever the scale."""
    assert learned_value(games("Base"), tmp_path / "a") == pytest.approx((1, -1), abs=0.1)
    assert learned_value(games("FromNoughtToOne"), tmp_path / "b") == pytest.approx((1, 0), abs=0.05)


def test_a_game_that_chance_ends_is_learned_from(games, tmp_path):
    values = learned_value(games("LastByChance"), tmp_path / "run")
    assert values == pytest.approx((0.5, -0.5), abs=0.15)  # player 0 wins three times of four


def test_games_without_an_end_are_told(games, tmp_path):
    with pytest.raises(ZermeloError, match=r"none of .* games of .* ended within 4,096 actions"):
        train(games("Endless"), run=tmp_path / "run", model="linear", games=20)


def test_a_search_that_had_no_time_asks_the_model_too(tmp_path):
    for name, searcher in (("trio", "maxn"), ("trio", "paranoid"), ("pig", "expectiminimax")):
        game = zermelo.game(name)
        run = train(game, run=tmp_path / name, model="linear", games=50)
        assert len(zermelo.searcher(searcher, depth=2, nodes=1, eval=str(run.folder)).search(game).values) == game.players


def test_folders_that_were_left_half_way(trained, tmp_path):
    (tmp_path / "killed").mkdir()
    (tmp_path / "killed" / ".run.jsonabc").touch()
    assert train(TICTACTOE, run=tmp_path / "killed", model="linear", games=5).model.games == 5
    train(TICTACTOE, run=tmp_path / "other", model="linear", games=5)
    (tmp_path / "other" / "model.safetensors").write_bytes((trained.folder / "model.safetensors").read_bytes())
    with pytest.raises(ZermeloError, match="is not the model of this run: expected linear"):
        train(TICTACTOE, run=tmp_path / "other", model="linear", games=5)
    (tmp_path / "file").touch()
    with pytest.raises(ZermeloError, match="cannot be a run"):
        train(TICTACTOE, run=tmp_path / "file", model="linear", games=5)


@pytest.mark.parametrize("line", ["", "[" * 9999, '{"games": 0}', '{"games": "x"}', "\ufffd", '{"games": NaN}'])
def test_a_damaged_log_is_no_obstacle(line, trained, tmp_path):
    import shutil

    from zermelo.learn.curves import draw

    folder = shutil.copytree(trained.folder, tmp_path / "run")
    log = folder / "log.jsonl"
    log.write_bytes(line.encode() + b"\n\xff\xfe\n" + log.read_bytes())
    assert Run(folder).looks() == trained.looks()
    assert "nan," not in draw({"run": Run(folder).looks()})


@pytest.mark.parametrize("method", ["zero", "expert", "reinforce"])
def test_a_method_that_needs_torch_leaves_no_folder_without_it(method, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("zermelo.learn.training.find_spec", lambda name: None)
    more = {"zero": {}, "expert": {"data": ("a.sgf",)}, "reinforce": {"start": "a"}}[method]
    with pytest.raises(ZermeloError, match=f"the method {method} needs torch: install zermelo with its extra"):
        train(TICTACTOE, method=method, **more)
    assert not list(tmp_path.iterdir())
