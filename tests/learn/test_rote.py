"""Rote learning: by heart it finds the values of best play, native as interpreted; a memory survives its file, and others are refused."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest
from small_games import BearOff, TicTacToe

import zermelo
from zermelo.errors import ZermeloError
from zermelo.game import CHANCE
from zermelo.games.nim import Nim
from zermelo.learn import rote
from zermelo.learn.self_play import Learner
from zermelo.learn.training import train
from zermelo.search.model.model import load_model, model_values, with_model
from zermelo.search.model.rote import SLOT, Rote

TICTACTOE, BEAR_OFF, NIM = TicTacToe(), BearOff(), Nim((2, 3))
SETTINGS = {"epsilon": 1.0}


@cache
def best(game, s):
    """What s is worth to player 0 by brute force."""
    if game.is_terminal(s):
        return game.utility(s, 0)
    values = [best(game, game.result(s, a)) for a in game.actions(s)]
    if game.to_move(s) == CHANCE:
        return sum(v * game.probability(s, a) for v, a in zip(values, game.actions(s), strict=True))
    return max(values) if game.to_move(s) == 0 else min(values)


def states_of(game):
    """All states in which a player moves."""
    found, waiting = {}, [game.initial()]
    while waiting:
        s = waiting.pop()
        if s not in found and not game.is_terminal(s):
            found[s] = game.to_move(s) != CHANCE
            waiting += [game.result(s, a) for a in game.actions(s)]
    return [s for s, is_players in found.items() if is_players]


def test_values_found_one_ply_deep_become_those_of_best_play():
    """Every search looks one action ahead; after some games of random moves the values have come from the ends of the game."""
    memory, game = Rote.new(NIM, 1000), NIM
    Learner(game, memory, method="rote", depth=1).learn(300, 0, 3, SETTINGS)
    judged, states = with_model(game, memory), states_of(game)
    assert [model_values(judged, s)[0] for s in states] == [best(game, s) for s in states] and memory.known == len(states) == 18


def test_what_is_remembered_is_what_the_search_found(monkeypatch):
    """The last search of each state, with the memory as it was then; also where dice are rolled."""
    found, remember = {}, rote.remember_value
    monkeypatch.setattr(rote, "remember_value", lambda g, s, v, work: found.update({s: v}) or remember(g, s, v, work))
    memory = Rote.new(BEAR_OFF, 4000)
    Learner(BEAR_OFF, memory, method="rote", depth=2, interpreted=True).learn(5, 0, 3, SETTINGS)
    judged = with_model(BEAR_OFF, memory)
    assert len(found) == memory.known > 10
    assert all(model_values(judged, s) == (v, -v) for s, v in found.items())


@pytest.mark.parametrize("states", [64, 4000])  # with and without forgetting
def test_native_memories_are_interpreted_ones(states):
    memories = [Rote.new(BEAR_OFF, states) for _ in range(2)]
    for memory, interpreted in zip(memories, (False, True), strict=True):
        Learner(BEAR_OFF, memory, method="rote", depth=2, interpreted=interpreted).learn(30, 0, 7, {"epsilon": 0.5})
    assert memories[0].array.tobytes() == memories[1].array.tobytes()
    keys = memories[0].array[::SLOT]
    assert 30 < memories[0].known <= len(keys) and len(set(keys[keys > 0])) == memories[0].known


def test_a_run_is_gone_on_with_and_its_file_is_a_value(tmp_path):
    asked = {"method": "rote", "model": "rote:1000", "depth": 1, "epsilon": 1.0, "seed": 3}
    whole = train(NIM, run=tmp_path / "whole", games=100, **asked)
    for games in (50, 100):
        parts = train(NIM, run=tmp_path / "parts", games=games, **asked)
    assert whole.model.array.tobytes() == parts.model.array.tobytes() and parts.model.games == 100
    found = zermelo.searcher("alphabeta", depth=1, eval=str(whole.folder), interpreted=True).search(NIM)
    assert found.value == best(NIM, NIM.initial()) and best(NIM, NIM.result(NIM.initial(), found.action)) == found.value
    with pytest.raises(ZermeloError, match="the memory is of nim:heaps"):
        with_model(zermelo.game("connect4"), whole.model)


@pytest.mark.parametrize("damage", ["truncated", "shape", "value"])
def test_a_file_that_is_no_memory_is_refused_in_one_sentence(damage, tmp_path):
    from safetensors.numpy import save_file

    path, memory = tmp_path / "model.safetensors", Rote.new(TICTACTOE, 64)
    memory.array[:2] = 5, np.float64(2.0 if damage == "value" else 0.5).view(np.uint64)
    memory.save(path)
    if damage == "truncated":
        path.write_bytes(path.read_bytes()[:-9])
    elif damage == "shape":
        about = {"format": "zermelo rote 1", "games": "1", "seconds": "1"}
        save_file({"words": memory.array}, path, about | {"shape": json.dumps(memory.shape.__dict__ | {"buckets": 17})})
    with pytest.raises(ZermeloError, match=r"is not a model of ours|is damaged") as error:
        load_model(path)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"method": "rote"}, "expected the method rote, a model rote:STATES and one thread together"),
        ({"model": "rote:100"}, "expected the method rote, a model rote:STATES and one thread together"),
        ({"method": "rote", "model": "rote:1"}, "expected rote:STATES with 64 to 67,108,864 states, not 'rote:1'"),
        ({"method": "rote", "model": "rote:1000", "threads": 2}, "expected the method rote"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings, sentence, tmp_path):
    with pytest.raises(ZermeloError, match=sentence):
        train(TICTACTOE, run=tmp_path / "run", **settings)
