"""Generated text is translated without numba's front half, for every game and search that the package has."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import pytest

import zermelo
from zermelo.learn.self_play import Learner
from zermelo.lower import compile, native
from zermelo.lower.translate import translate
from zermelo.search import prepare
from zermelo.search.alphabeta.searcher import AlphaBeta
from zermelo.search.expectiminimax import Expectiminimax
from zermelo.search.maxn import MaxN
from zermelo.search.mcts.searcher import MCTS
from zermelo.search.model.model import Model


class Translated(BaseException):
    """The code is there, its argument; assembling it is not tested here."""


@pytest.fixture
def only_translated(monkeypatch, tmp_path):
    """Nothing is known from before, and nothing is assembled; what is left to numba fails."""

    def translated(*args):
        raise Translated(translate.translate(*args))

    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    monkeypatch.setattr(native, "_loaded", {})
    monkeypatch.setattr(prepare, "_prepared", WeakKeyDictionary())
    monkeypatch.setattr(compile, "translate", translated)


@pytest.mark.parametrize("name", ["chess", "checkers", "othello", "hex:size=5", "go:size=5", "kalah", "tictactoe", "antichess"])
def test_games_of_two(name, only_translated):
    for searcher in (AlphaBeta(depth=2), MCTS(simulations=10)):
        with pytest.raises(Translated):
            searcher.search(zermelo.game(name))


def test_places_on_the_stack_are_in_the_first_block(only_translated):
    """Elsewhere they would keep LLVM from inlining the function."""
    with pytest.raises(Translated) as translated:
        AlphaBeta(depth=2).search(zermelo.game("checkers"))
    functions = [f for f in translated.value.args[0]._final_module.functions if not f.is_declaration]
    blocks = [[{i.opcode for i in block.instructions} for block in f.blocks] for f in functions]
    assert all("call" not in first for first, *_ in blocks) and not any("alloca" in block for _, *others in blocks for block in others)


@pytest.mark.parametrize("name", ["pig", "backgammon", "trio", "whist"])
def test_games_of_chance_and_of_several(name, only_translated):
    game = zermelo.game(name)
    with pytest.raises(Translated):
        (Expectiminimax(depth=1) if game.has_chance and game.players == 2 else MaxN(depth=1)).search(game)
    with pytest.raises(Translated):
        zermelo.playouts(game, 10, seed=1)


def test_learning(only_translated):
    game = zermelo.game("connect4")
    with pytest.raises(Translated):
        Learner(game, Model.new(game, 16)).learn(1, 0, 0, {})
