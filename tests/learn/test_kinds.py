"""Kinds of states: what a model has learned from is told in its run, and searches ask it about nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from helpers_files import resealed

import zermelo
from zermelo.errors import ZermeloError
from zermelo.game import CHANCE
from zermelo.learn import score
from zermelo.learn.examples import read_examples
from zermelo.learn.self_play import Learner, kinds_of
from zermelo.search import depth_first, maxn, montecarlo, rollouts
from zermelo.search.model.kinds import AFTER_PLAYERS, KINDS, WITH_PLAYERS
from zermelo.search.model.model import Model, load_model, model_values, shape_for, with_model

PIG = zermelo.game("pig:target=12")
UR = zermelo.game(str(Path(__file__).parents[2] / "examples" / "ur.py") + ":Ur")
SETTINGS = {"rate": 0.1, "faster": 1.0, "trace": 0.7, "epsilon": 0.0, "random_plies": 0}


def model_of(game: zermelo.Game, kinds: tuple[str, ...]) -> Model:
    """A model with random weights that has learned from these kinds of states."""
    model, rng = Model.new(game, 16), np.random.default_rng(4)
    model.weights[:] = rng.uniform(-0.5, 0.5, model.weights.shape)
    model.kinds = kinds
    return model


def saved(model: Model, folder: Path) -> str:
    model.save(folder / "model.safetensors")
    return str(folder)


def kind(game: zermelo.Game, mover: int, t: zermelo.State) -> str:
    names = ["chance" if p == CHANCE else "player" for p in (mover, game.to_move(t))]
    return "-".join(names)


def value(game: zermelo.Game, s: zermelo.State, mover: int, depth: int, me: int) -> float:
    """What expectiminimax gives to `me` by brute force, if the model is asked about the kinds of states alone that it knows."""
    if game.is_terminal(s):
        return game.utility(s, me)
    if depth <= 0 and kind(game, mover, s) in game.model.kinds:
        return model_values(game, s)[me]
    p = game.to_move(s)
    below = {a: value(game, game.result(s, a), p, depth - 1, me) for a in game.actions(s)}
    if p == CHANCE:
        return sum(game.probability(s, a) * v for a, v in below.items())
    return max(below.values()) if p == me else min(below.values())


@pytest.mark.parametrize("kinds", [AFTER_PLAYERS, WITH_PLAYERS, KINDS[:3], KINDS])
def test_expectiminimax_goes_on_to_states_of_kinds_that_were_learned(kinds, tmp_path):
    model = model_of(PIG, kinds)
    judged, text = with_model(PIG, model), saved(model, tmp_path)
    for scores, total, rolling in (((3, 0), 0, False), ((4, 5), 6, False), ((4, 5), 6, True)):
        s = PIG.initial()._replace(scores=scores, total=total, rolling=rolling)
        p = PIG.to_move(s)
        for depth in (1, 2, 3):
            searches = [zermelo.searcher("expectiminimax", depth=depth, eval=text, interpreted=True, star=star) for star in (0, 2)]
            searches.append(zermelo.searcher("maxn", depth=depth, eval=text, interpreted=True))
            for found in (one.search(PIG, s) for one in searches):
                for a in PIG.actions(s):
                    true = value(judged, PIG.result(s, a), p, depth - 1, 0)
                    assert found.scores[a] == pytest.approx(true, abs=1e-6) or a != found.action
                assert found.value == pytest.approx(value(judged, s, p, depth, 0), abs=1e-6)


@pytest.mark.parametrize(
    ("name", "settings"),
    [("expectiminimax", {"depth": 2}), ("expectiminimax", {"depth": 3, "candidates": 1}), ("maxn", {"depth": 2}),
     ("mcts", {"simulations": 80}), ("mcts", {"simulations": 40, "policy": "learned", "plies": 2}),
     ("montecarlo", {"playouts": 10, "depth": 2}), ("ismcts", {"simulations": 40, "depth": 1}),
     ("rollouts", {"trials": 2, "depth": 3, "candidates": 2, "luck": False})],
)  # fmt: skip
def test_no_search_asks_about_a_state_that_tells_the_roll(name, settings, tmp_path, monkeypatch):
    """In Ur self-play sees no state after the dice; as many are asked about as there were evaluations."""
    asked = []
    for module, function in ((depth_first, "estimate_at"), (maxn, "estimate"), (montecarlo, "estimate"), (rollouts, "estimate")):
        given = getattr(module, function)
        monkeypatch.setattr(module, function, lambda game, s, *rest, given=given: asked.append(game.unpack(s)) or given(game, s, *rest))
    s = UR.result(UR.result(UR.result(UR.initial(), 2), 0), 3)
    zermelo.searcher(name, eval=saved(model_of(UR, AFTER_PLAYERS), tmp_path), interpreted=True, **settings).search(UR, s)
    assert asked
    assert all(UR.to_move(t) == CHANCE for t in asked)


def test_a_depth_that_would_find_what_the_one_before_found_is_left_out(tmp_path):
    """In Ur dice follow each move: depth 2 goes on beyond the dice, as depth 3 does."""
    text, s = saved(model_of(UR, AFTER_PLAYERS), tmp_path), UR.result(UR.initial(), 2)
    by_depth = {r.depth: r.value for r in zermelo.searcher("expectiminimax", nodes=2000, eval=text, interpreted=True).deepen(UR, s)}
    assert {1, 2, 4} <= by_depth.keys()
    assert 3 not in by_depth
    third = zermelo.searcher("expectiminimax", depth=3, eval=text, interpreted=True).search(UR, s)
    assert (third.depth, third.value) == (3, by_depth[2])


@pytest.mark.parametrize(
    ("method", "depth", "kinds"),
    [("td", 0, AFTER_PLAYERS), ("q", 0, AFTER_PLAYERS), ("rote", 2, WITH_PLAYERS), ("treestrap", 1, WITH_PLAYERS),
     ("treestrap", 2, KINDS[:3]), ("treestrap", 3, KINDS)],
)  # fmt: skip
def test_each_method_tells_what_it_learns_from(method, depth, kinds):
    assert kinds_of(method, depth) == kinds


def test_treestrap_asks_about_what_it_learns(monkeypatch):
    """With one ply it learns from states in which a player moves: its searches go on to such, and values come from the end of the game."""
    asked, given = [], depth_first.estimate_at
    monkeypatch.setattr(depth_first, "estimate_at", lambda game, s, *rest: asked.append(s) or given(game, s, *rest))
    Learner(PIG, Model.new(PIG, 8), method="treestrap", depth=1, interpreted=True).learn(1, 0, 3, SETTINGS)
    assert len(asked) > 20
    assert not any(s.rolling for s in asked)


def test_the_score_of_a_run_is_that_of_what_it_learned(monkeypatch):
    """A model that knows states after the dice alone is asked for their mean."""
    asked, given = [], score.estimate
    monkeypatch.setattr(score, "estimate", lambda game, s, *rest: asked.append(game.unpack(s)) or given(game, s, *rest))
    score.score_against_random(PIG, model_of(PIG, WITH_PLAYERS), 2, 1, interpreted=True)
    assert asked
    assert not any(s.rolling for s in asked)


@pytest.mark.parametrize(("more", "kinds"), [("", WITH_PLAYERS), (" rolling", KINDS)])
def test_states_without_a_past_may_be_of_two_kinds(more, kinds, tmp_path):
    states = ["0,0 0 1", f"3,0 0 2{more}", f"3,4 5 1{more}", "2,0 0 2"]
    path = tmp_path / "states.jsonl"
    path.write_text("\n".join(json.dumps({"state": text, "value": 0.5}) for text in states))
    assert read_examples(PIG, shape_for(PIG, 0), [path], 1).kinds == kinds


def test_a_file_from_before_kinds_were_told_is_one_of_self_play(tmp_path):
    from safetensors import safe_open
    from safetensors.numpy import save_file

    def write(tensors, path, about):
        save_file(tensors, path, about)
        path.write_bytes(resealed(path.read_bytes()))

    path = tmp_path / "model.safetensors"
    saved(model_of(PIG, KINDS), tmp_path)
    assert load_model(path).kinds == KINDS
    with safe_open(path, "numpy") as file:
        about, weights = file.metadata(), file.get_tensor("weights")
    del about["kinds"]
    write({"weights": weights}, path, about)
    assert load_model(path).kinds == AFTER_PLAYERS
    write({"weights": weights}, path, about | {"kinds": "before-dinner"})
    with pytest.raises(ZermeloError, match="is not a model of ours"):
        load_model(path)


def test_games_without_chance_know_no_kinds():
    game = zermelo.game("tictactoe")
    assert with_model(game, model_of(game, WITH_PLAYERS)).unseen_kinds == 0
    assert with_model(PIG, model_of(PIG, AFTER_PLAYERS)).unseen_kinds == 0b1100


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "settings"), [("maxn", {"depth": 2}), ("mcts", {"simulations": 80}), ("montecarlo", {"playouts": 10, "depth": 2}),
                           ("rollouts", {"trials": 2, "depth": 3})]
)  # fmt: skip
def test_native_searches_go_on_to_the_same_states(name, settings, tmp_path):
    text, s = saved(model_of(UR, AFTER_PLAYERS), tmp_path), UR.result(UR.initial(), 2)
    found = [zermelo.searcher(name, eval=text, interpreted=x, **settings).search(UR, s) for x in (False, True)]
    assert found[0].scores == pytest.approx(found[1].scores, abs=1e-6)
    assert found[0].nodes == found[1].nodes
