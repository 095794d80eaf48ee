"""Games side by side: they are the games of `td.py`, their returns are those of the formula, and values that are known are learned."""

from __future__ import annotations

import numpy as np
import pytest
from reference import inputs, outputs
from small_games import STATES, Place, Race, WalkInTwoPhases

import zermelo
from zermelo.errors import ZermeloError
from zermelo.learn.self_play import Learner
from zermelo.search.model.model import Model

pytest.importorskip("torch")
import torch

from zermelo.learn.many import learner
from zermelo.learn.many.learner import ManyGames
from zermelo.learn.many.network import Network
from zermelo.learn.many.playing import deliver

WALK, RACE = WalkInTwoPhases(), Race()
STILL = {"rate": 0.0, "faster": 1.0, "trace": 0.7, "epsilon": 0.2, "random_plies": 3}


@pytest.fixture(autouse=True)
def _one_record(monkeypatch):
    """The same room for td and expected, so that both are compiled once."""
    monkeypatch.setattr(learner, "WHOLE_LEAVES", 2)


def many(game, hidden, **settings):
    return ManyGames(game, Model.new(game, hidden, 3), where="cpu", **{"slots": 1, "batch": 4096} | settings)


def value(model, s):
    """What a model says of the random walk, or what it has come to."""
    return WALK.utility(s, 0) if WALK.is_terminal(s) else float(outputs(model, inputs(WALK, s, 0), WALK.phase(s))[0])


@pytest.mark.parametrize(
    "game", [WALK, pytest.param(RACE, marks=pytest.mark.slow), pytest.param(zermelo.game("backgammon"), marks=pytest.mark.slow)], ids=repr
)
def test_a_game_alone_is_the_game_of_td(game):
    alone, other = many(game, 16), Learner(game, Model.new(game, 16, 3))
    for i in range(8):
        a, b = alone.learn(1, 0, 5, STILL), other.learn(1, i, 5, STILL)
        assert (a.games, a.plies, a.unfinished) == (b.games, b.plies, b.unfinished)
        assert a.error == pytest.approx(b.error, rel=1e-4)


@pytest.mark.parametrize("layers", [(0, 0), (16, 0), (20, 24)], ids=str)
def test_the_network_in_torch_is_the_formula(layers):
    model = Model.new(WALK, layers[0], 4, second=layers[1])
    model.weights[:] += np.linspace(-0.2, 0.2, model.weights.size, dtype=np.float32)
    states = [Place(k, True) for k in range(1, STATES + 1)]
    rows = torch.tensor(np.array([inputs(WALK, s, 0) for s in states]), dtype=torch.float32)
    with torch.no_grad():
        found = Network(model, "cpu").logits_by_phase(rows, torch.tensor([WALK.phase(s) for s in states])).sigmoid().numpy()
    wanted = [outputs(model, inputs(WALK, s, 0), WALK.phase(s)) for s in states]
    assert found == pytest.approx(np.array(wanted)[:, : model.shape.outputs], abs=1e-6)


@pytest.mark.parametrize("is_whole", [False, True])
def test_returns_are_those_of_the_formula(is_whole, monkeypatch):
    """Before a game's returns are formed there is B for each state, the value of the next or the mean of both; then there is G."""
    games = many(WALK, 16, slots=4, is_whole=is_whole)
    slots, run, seen = games.slots, games.slots.run, []

    def watched(function):
        before = {name: slots.field(name).clone().numpy() for name in ("over", "length", "kept_states", "kept_values", "kept_returns")}
        run(function)
        for g in np.flatnonzero(before["over"] == 1) if function is deliver else ():
            n = before["length"][g]
            states = [WALK.layout.unpack(row.astype(np.uint64).tolist()) for row in before["kept_states"][g, :n]]
            seen.append(
                (
                    states,
                    before["kept_values"][g, :n, 0],
                    before["kept_returns"][g, :n, 0],
                    slots.field("kept_returns")[g, :n, 0].numpy().copy(),
                )
            )

    monkeypatch.setattr(slots, "run", watched)
    games.learn(20, 0, 1, STILL | {"epsilon": 0.0, "random_plies": 0})
    assert len(seen) >= 20
    for states, values, backups, returns in seen:
        assert values == pytest.approx([value(games.model, s) for s in states], abs=1e-6)
        ends = [WALK.result(s, a) for s in states for a in (0, 1)]
        after = np.array([value(games.model, e if WALK.is_terminal(e) else WALK.result(e, 0)) for e in ends]).reshape(-1, 2)
        if is_whole:
            assert backups == pytest.approx(after.mean(axis=1), abs=1e-6)
        else:
            assert backups[:-1] == pytest.approx(values[1:]) and backups[-1] in (0.0, 1.0)
        g = backups[-1]
        wanted = [g := backups[i] + (0.7 * (g - values[i + 1]) if i + 1 < len(states) else 0.0) for i in range(len(states) - 1, -1, -1)]
        assert returns == pytest.approx(wanted[::-1])


def test_expected_learns_what_the_random_walk_is_worth(tmp_path):
    """Within 0.02 after 400 games, as luck teaches nothing: td needs many times as many."""
    run = zermelo.train(
        WALK, method="expected", model="linear", games=400, slots=32, batch=32, samples=4, rate=0.3, trace=0.7, seed=1, run=tmp_path / "run"
    )
    assert 400 <= run.model.games < 432
    values = [value(run.model, Place(k, True)) for k in range(1, STATES + 1)]
    assert values == pytest.approx([k / 6 for k in range(1, STATES + 1)], abs=0.02)
    again = zermelo.train(WALK, method="td", model="linear", games=50, start=str(run.folder), rate=1e-9, run=tmp_path / "again")
    assert [value(again.model, Place(k, True)) for k in range(1, STATES + 1)] == pytest.approx(values, abs=1e-3)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"method": "q", "device": "cuda"}, "expected td, mc, expected, or fit of nnue:SUMS, on the device cuda, not q of mlp:80"),
        ({"method": "expected", "model": "ntuple"}, "expected linear or mlp:UNITS and one thread"),
        ({"slots": 4}, "expected slots for expected or the device cuda alone, not for td"),
        ({"start": "nowhere"}, "there is no run or model 'nowhere'"),
    ],
)
def test_what_cannot_be_is_refused(settings, told, tmp_path):
    with pytest.raises(ZermeloError, match=told):
        zermelo.train(WALK, games=10, rate=0.1, run=tmp_path / "run", **settings)
