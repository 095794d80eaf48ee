"""Solving: when it ends, files from which it goes on, the commands, and the player."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter

import numpy as np
import pytest
from helpers_cli import called, refusal

import zermelo
from zermelo import CHANCE, Strategy, ZermeloError
from zermelo.arena.clock import Clock, Control
from zermelo.arena.players.by_text import player
from zermelo.equilibrium.form import sequence_form
from zermelo.equilibrium.solver import Evaluation
from zermelo.equilibrium.strategy import ARRAYS
from zermelo.history import History
from zermelo.rng import draw


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A strategy of Kuhn poker."""
    path = tmp_path_factory.mktemp("strategy") / "kuhn.strategy"
    zermelo.solve(zermelo.game("kuhn"), until=1e-5, run=path)
    return path


def test_it_ends_where_it_is_asked_to():
    looks = []
    found = zermelo.solve(zermelo.game("kuhn"), method="dcfr", until=1e-3, on_progress=looks.append)
    assert [look.nash_conv <= 1e-3 for look in looks] == [False] * (len(looks) - 1) + [True]
    assert found.about.nash_conv == looks[-1].nash_conv and found.about.iterations == looks[-1].iterations
    assert looks[-1].exploitability == looks[-1].nash_conv / 2
    assert zermelo.solve(zermelo.game("kuhn"), iterations=17).about.iterations == 17
    stop = zermelo.Stop()
    stop.set()
    assert zermelo.solve(zermelo.game("kuhn"), stop=stop).about.iterations == 0


@pytest.mark.parametrize("method", ["cfr", "cfr+", "dcfr", "mccfr"])
def test_a_run_goes_on_as_if_nothing_had_happened(tmp_path, method):
    game = zermelo.game("kuhn")
    whole = zermelo.solve(game, method=method, iterations=3000, seed=5)
    for iterations in (700, 1500, 3000):
        parts = zermelo.solve(zermelo.game("kuhn"), method=method, iterations=iterations, seed=5, run=tmp_path / "s")
    for name in ARRAYS:
        assert np.array_equal(whole.arrays[name], parts.arrays[name]), name
    assert whole.about.nash_conv == parts.about.nash_conv


KILLED = """
import sys, zermelo
from zermelo.equilibrium import solve
solve.SAVED_EVERY = solve.PART = 0.01
zermelo.solve(zermelo.game("leduc"), iterations=10**12, run=sys.argv[1])
"""


def test_a_run_goes_on_after_kill_9(tmp_path):
    path = tmp_path / "s"
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(path)])
    while not path.exists():
        assert process.poll() is None
        time.sleep(0.02)
    time.sleep(0.3)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    done = Strategy.load(path).about.iterations
    parts = zermelo.solve(zermelo.game("leduc"), iterations=done + 50, run=path)
    whole = zermelo.solve(zermelo.game("leduc"), iterations=done + 50)
    assert np.array_equal(whole.arrays["regrets"], parts.arrays["regrets"]) and parts.about.iterations == done + 50


def test_the_policy_is_the_published_equilibrium(file):
    game, strategy = zermelo.game("kuhn"), Strategy.load(file)
    bets = {text: strategy.policy(game, game.read_state(text))[1] for text in ("JQ", "QJ", "KJ", "QJ pb", "KJ p", "KJ b", "KQ b", "KQ p")}
    alpha = bets["JQ"]
    expected = {"JQ": alpha, "QJ": 0, "KJ": 3 * alpha, "QJ pb": alpha + 1 / 3, "KJ p": 1 / 3, "KJ b": 0, "KQ b": 1 / 3, "KQ p": 0}
    assert bets == pytest.approx(expected, abs=5e-3)
    with pytest.raises(ZermeloError, match=r"no player is to move in K\.: expected a state with a choice"):
        strategy.policy(game, game.read_state("K."))


def test_other_rules_and_damaged_files_are_refused(file, tmp_path):
    strategy = Strategy.load(file)
    with pytest.raises(ZermeloError, match="the strategy is of kuhn: expected one of leduc"):
        strategy.check_game(zermelo.game("leduc"))
    whole = file.read_bytes()
    for number, data in enumerate((b"", b"{}", whole[:100], whole[:-8], os.urandom(500), whole.replace(b"averages", b"averagex"))):
        path = tmp_path / str(number)
        path.write_bytes(data)
        with pytest.raises(ZermeloError, match=r"is not a strategy of ours: expected a file that zermelo solve --run wrote|is damaged"):
            Strategy.load(path)
    for name, bad in {"firsts": 1, "averages": np.nan, "actions": None}.items():
        arrays = dict(strategy.arrays)
        arrays[name] = arrays[name][:-1] if bad is None else np.full_like(arrays[name], bad)
        Strategy(strategy.about, arrays).save(tmp_path / "bad")
        with pytest.raises(ZermeloError, match="is not a strategy of ours"):
            Strategy.load(tmp_path / "bad")
    Strategy(strategy.about, strategy.arrays | {"actions": strategy.arrays["actions"] + 1}).save(tmp_path / "other")
    with pytest.raises(ZermeloError, match="is damaged: expected the information sets of kuhn"):
        zermelo.solve(zermelo.game("kuhn"), run=tmp_path / "other")
    with pytest.raises(ZermeloError, match=r"was begun with method cfr\+: expected that, not dcfr, or another file"):
        zermelo.solve(zermelo.game("kuhn"), method="dcfr", run=file)


# ---- commands and players ------------------------------------------------------------------------


def test_the_commands(tmp_path, capsys):
    path = str(tmp_path / "k")
    lines = called(capsys, "solve", "kuhn", "--iterations", "500", "--json", "--run", path).out.splitlines()
    last = json.loads(lines[-1])
    assert {"iterations", "iterations_per_second", "nash_conv", "value"} <= last.keys()
    assert (last["iterations"], last["information_sets"], last["nodes"]) == (500, 12, 58)
    assert last["value"] == pytest.approx(-1 / 18, abs=1e-4) and last["nash_conv"] < 1e-3
    assert [json.loads(line)["iterations"] for line in lines[:4]] == [1, 2, 3, 4]
    said = called(capsys, "solve", "kuhn", "--until", "0.0001", "--run", path).out
    assert "kuhn: 58 nodes, 12 information sets, cfr+" in said and "exploitability" in said and f"strategy:{path}" in said
    shown = called(capsys, "strategy", path).out
    assert "12 of 12 information sets" in shown and "pass 66.7 %  bet 33.3 %" in shown and "?J b" in shown
    (one,) = called(capsys, "strategy", path, "--state", "KQ p", "--json").out.splitlines()
    assert json.loads(one)["seen"] == "?Q p" and json.loads(one)["policy"]["bet"] < 0.01
    assert len(called(capsys, "strategy", path, "--player", "1", "--rows", "4", "--json").out.splitlines()) == 4


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["solve", "kuhn", "--method", "cfrplus"], "expected method cfr, cfr+, dcfr or mccfr, not 'cfrplus'"),
        (["solve", "kuhn", "--until", "-1"], "expected until of at least 0, not -1.0"),
        (["solve", "kuhn", "--iterations", "0"], "expected iterations of at least 1, not 0"),
        (["solve", "kuhn", "--run", "no/such/file"], "cannot write no/such/file: the folder no/such does not exist"),
        (["solve", "kuhn", "--run", "pyproject.toml"], "is not a strategy of ours: expected a file that zermelo solve --run wrote"),
        (["solve", "leduc", "--limit", "100"], "leduc has more than 100 nodes: expected fewer, or a higher limit"),
        (["solve", "tictactoe", "--until", "0.1"], "tictactoe hides nothing: expected no --until"),
        (["strategy", "no.file"], "no.file cannot be read"),
        (["match", "kuhn", "strategy:no.file", "random"], "no.file cannot be read"),
    ],
)
def test_refusals(capsys, words, sentence):
    assert sentence in refusal(called(capsys, *words))


def test_the_player_plays_each_action_as_often_as_it_should(file):
    game, counts = zermelo.game("kuhn"), Counter[int]()
    one = player(f"strategy:{file}")
    expected = Strategy.load(file).policy(game, game.read_state("JQ"))
    for seed in range(2000):
        one.begin(game, 0, seed)
        counts[one.choose(game, History(game, game.read_state("JQ")), Clock(Control(), 2))] += 1
    assert counts[1] / 2000 == pytest.approx(expected[1], abs=0.04)
    assert one.thought is not None and "bet" in one.thought.note
    with pytest.raises(ZermeloError, match="the strategy is of kuhn: expected one of leduc"):
        one.begin(zermelo.game("leduc"), 0, 0)


def test_the_player_earns_what_its_strategy_does(file):
    """Against an opponent who does anything, by 4,000 games and exactly."""
    game = zermelo.game("kuhn")
    form = sequence_form(game)
    sigma = np.where(np.arange(form.sequences) < form.firsts[form.set_begin[1]], Strategy.load(file).probabilities, 0.5)
    expected = Evaluation(game, form).of(sigma).expected[0]
    seats, total, games = (player(f"strategy:{file}"), player("random")), 0.0, 4000
    for seed in range(games):
        history = History(game)
        for p, one in enumerate(seats):
            one.begin(game, p, seed)
        while not history.is_over:
            p, s = game.to_move(history.state), history.state
            history.do(
                game.sample(s, draw(seed, len(history.taken))) if p == CHANCE else seats[p].choose(game, history, Clock(Control(), 2))
            )
        total += history.utility(0)
    assert total / games == pytest.approx(expected, abs=4 * 1.5 / np.sqrt(games))
    assert expected > 0.1


def test_a_match_of_strategies(file, tmp_path, capsys):
    record = ["--record", str(tmp_path / "games.sqlite")]
    done = called(capsys, "match", "kuhn", f"strategy:{file}", "random", "--games", "20", "--json", *record)
    assert done.code == 0, done.err
