"""N-tuple networks against their formula in numpy and finite differences; the patterns of games against plain boards."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import asdict

import numpy as np
import pytest
from reference import inputs, loss, outputs
from safetensors.numpy import save_file
from small_games import Counted, Race
from test_network import Asked, Descending, ask, states_of, step_down

import zermelo
from zermelo.errors import ZermeloError
from zermelo.games.othello import State
from zermelo.learn.score import score_against_random
from zermelo.learn.self_play import Learner
from zermelo.lower.memory import Words
from zermelo.lower.rows import Floats
from zermelo.search.model.model import Model, find_model, with_model
from zermelo.search.prepare import prepare

OTHELLO, CHECKERS = zermelo.game("othello"), zermelo.game("checkers")
GAMES = {"othello": OTHELLO, "checkers": CHECKERS, "race": Counted(), "connect4": zermelo.game("connect4"), "kalah": zermelo.game("kalah")}


def trained(game, seed=5):
    """A network with any weights."""
    model = Model.new(game, is_tuples=True)
    model.weights[:] = np.random.default_rng(seed).normal(size=len(model.weights)) * 0.2
    return model


@pytest.mark.parametrize("name", GAMES)
def test_outputs_are_the_formula_and_native_ones_have_the_same_bits(name):
    game = GAMES[name]
    model = trained(game)
    judged = with_model(game, model)
    runs = [prepare(judged, ask, Asked, interpreted) for interpreted in (True, False)]
    for s in states_of(game, 20):
        found = [run(start=game.layout.pack(s)) for run in runs]
        assert list(found[0].values) == list(found[1].values)
        wanted = outputs(model, inputs(game, s, game.perspective(s), is_tuples=True))
        assert np.allclose(found[1].shown[: len(wanted)], wanted, atol=2e-5)


@pytest.mark.parametrize("name", ["checkers", "race"])
def test_the_gradient_is_that_of_finite_differences(name):
    game, rate, rng = GAMES[name], 1e-2, np.random.default_rng(7)
    model, s = trained(game), states_of(game, 3, seed=9)[2]
    before, x = np.array(model.array, float), inputs(game, s, game.perspective(s), is_tuples=True)
    targets = np.array([0.8, 0.2, 0.5])[: model.shape.outputs]
    path, trail = Words(64, False), Floats(256, False)
    run = prepare(with_model(game, model), step_down, Descending, False)
    run(start=game.layout.pack(s), targets=[*targets, *[0.0] * (16 - len(targets))], rate=rate, path=path.table, trail=trail.table)
    taken = (np.array(model.array, float) - before) / rate
    changed = np.flatnonzero(taken)
    assert len(changed) > 2
    assert max(changed) < model.shape.first_row + model.shape.width + model.shape.pattern_weights * model.shape.weight_floats
    for i in [*changed, *rng.integers(model.shape.first_row, model.shape.size, 20)]:
        above, below = before.copy(), before.copy()
        above[i] += 1e-5
        below[i] -= 1e-5
        slope = (loss(model, x, targets, 0, above) - loss(model, x, targets, 0, below)) / 2e-5
        assert taken[i] == pytest.approx(-slope, abs=2e-3), i


@pytest.mark.parametrize("name", ["othello", "race"])
def test_interpreted_learning_leaves_the_weights_of_native_learning(name):
    game = GAMES[name]
    models = [trained(game) for _ in range(2)]
    for model, interpreted in zip(models, (False, True), strict=True):
        settings = {"rate": 0.05, "trace": 0.7, "epsilon": 0.2, "faster": 1.0}
        Learner(game, model, interpreted=interpreted).learn(20 if name == "race" else 1, 0, 7, settings)
    assert models[0].array.tobytes() == models[1].array.tobytes() != trained(game).array.tobytes()


def test_three_players_learn_who_wins():
    game = GAMES["race"]
    model = Model.new(game, is_tuples=True)
    Learner(game, model).learn(30_000, 0, 3, {"rate": 0.05, "trace": 0.7, "epsilon": 0.2, "faster": 1.0})
    assert score_against_random(game, model, 3000, 5).mean > 0.55  # of 2 at most; random players get 0


class Outside(Counted):
    """Names weights that are not there, and more than at the start."""

    def patterns(self, s, p):
        yield s.left
        yield -1 if s.left % 2 else 1 << 40
        if s.left < 5:
            yield 3


def test_rules_that_break_their_word_read_no_memory_of_others():
    game = Outside()
    run = prepare(with_model(game, trained(game)), ask, Asked, False)
    for s in states_of(game, 20):
        assert all(-1 <= v <= 2 for v in run(start=game.layout.pack(s)).values)


# ---- files and names -------------------------------------------------------------------------


def test_a_game_without_a_model_says_so():
    with pytest.raises(ZermeloError, match="comes without a learned model"):
        zermelo.searcher("maxn", depth=1, eval="learned").search(Race())


def test_patterns_that_mean_nothing_are_refused(tmp_path):
    for written in ({"pattern_weights": 0}, {"pattern_weights": 2.5}, {"patterns": lambda self, s, p: iter(())}):
        with pytest.raises(ZermeloError, match="expected 1 to 255 patterns, and pattern_weights from 1 to"):
            zermelo.train(type("Wrong", (Counted,), written)(), run=tmp_path / "run", model="ntuple", games=10, rate=0.1)


@pytest.mark.parametrize("damage", [{"patterns": 3}, {"tuples": [[0] * 12]}, {"pattern_weights": -1}, {"hidden": 16}, {"tuples": 5}])
def test_a_file_whose_tables_mean_nothing_is_refused(damage, tmp_path):
    model = Model.new(zermelo.game("tictactoe"), is_tuples=True)
    about = {"format": "zermelo model 1", "games": "1", "seconds": "1", "shape": json.dumps(asdict(model.shape) | damage)}
    save_file({"weights": model.array}, tmp_path / "file", about)
    with pytest.raises(ZermeloError, match="is not a model of ours"):
        Model.load(tmp_path / "file")


def test_weights_of_16_bits_are_nearly_the_same(tmp_path):
    model = trained(GAMES["race"])
    model.save(tmp_path / "whole")
    model.save(tmp_path / "half", is_half=True)
    assert Model.load(tmp_path / "whole").array.tobytes() == model.array.tobytes()
    assert np.allclose(find_model(str(tmp_path / "half")).array, model.array, rtol=1e-3)


def test_a_run_of_another_kind_of_model_is_told_apart(tmp_path):
    game = GAMES["race"]
    run = zermelo.train(game, run=tmp_path / "run", model="ntuple", games=20)
    assert run.model.shape.patterns == 2
    (tmp_path / "run" / "run.json").write_text((tmp_path / "run" / "run.json").read_text().replace("ntuple", "linear"))
    with pytest.raises(ZermeloError, match="is not the model of this run: expected linear"):
        zermelo.train(game, run=tmp_path / "run", model="linear", games=20)


def test_the_models_that_come_with_games_are_of_these_games():
    found = [game for name in zermelo.registry.names() if (game := zermelo.game(name)).learned]
    assert {game.name for game in found} >= {"chess", "othello", "checkers"}
    for game in found:
        find_model("learned", game).check_game(game)
        assert game.learned.stat().st_size < 16 << 20
    assert zermelo.game("chess").learned.stat().st_size < 1 << 20
    assert zermelo.game("chess:start=1").learned is None and zermelo.game("chess:draws=false").learned is None
    assert zermelo.game("othello:size=6").learned is None and zermelo.game("checkers:draw_after=40").learned is None


@pytest.mark.slow
def test_the_learned_othello_beats_the_evaluation():
    players = [zermelo.searcher("alphabeta", depth=2, eval=one) for one in ("learned", None)]
    won = 0
    for seed in range(20):
        rng, s = random.Random(seed // 2), OTHELLO.initial()
        for _ in range(6):
            s = OTHELLO.result(s, rng.choice(list(OTHELLO.actions(s))))
        while not OTHELLO.is_terminal(s):
            s = OTHELLO.result(s, players[(s.turn + seed) % 2].search(OTHELLO, s).action)
        won += OTHELLO.utility(s, seed % 2) > 0
    assert won >= 15


# ---- the patterns of games -------------------------------------------------------------------

TURNS = [lambda x, y: (x, y), lambda x, y: (7 - y, x), lambda x, y: (7 - x, 7 - y), lambda x, y: (y, 7 - x)]


def rectangle(width, height):
    return [(x, y) for y in range(height) for x in range(width)]


#: the squares of each pattern, in order, at one place
SHAPES = {
    "edge": [*rectangle(8, 1), (1, 1), (6, 1)],
    "corner": rectangle(3, 3),
    "block": rectangle(5, 2),
    **{f"row {y}": [(x, y) for x in range(8)] for y in (1, 2, 3)},
    **{f"diagonal {k}": [(k + i, i) for i in range(8 - k)] for k in range(5)},
}


def seen_at(board, squares, turn, is_mirrored):
    """What these squares look like as a number, the first one its lowest digit, on a board that is turned and reflected as a whole."""
    return sum(board.get(turn(x, 7 - y if is_mirrored else y), 0) * 3**i for i, (x, y) in enumerate(squares))


def test_the_patterns_of_othello_are_those_of_a_plain_board():
    for s in states_of(OTHELLO, 40):
        for p in range(2):
            own, other = (s.mine, s.theirs) if p == s.turn else (s.theirs, s.mine)
            board = {(i % 8, i // 8): digit for i in range(64) for digit, discs in ((1, own), (2, other)) if discs >> i & 1}
            wanted, first = [], 168_289 * min(11, (len(board) - 4) // 5)
            for name, squares in SHAPES.items():
                turns = TURNS[:1] if name == "diagonal 0" else TURNS
                mirrors = (False, True) if name in ("block", "diagonal 0") else (False,)
                wanted += [first + seen_at(board, squares, turn, mirror) for turn in turns for mirror in mirrors]
                first += 3 ** len(squares)
            sides = [len([a for a in OTHELLO.actions(t) if a < 64]) for t in (State(own, other, 0), State(other, own, 0))]
            wanted.append(first + 32 * sides[0] + sides[1])
            assert sorted(OTHELLO.patterns(s, p)) == sorted(wanted)


def test_what_is_equal_by_rotation_has_the_same_weights():
    """Reflections read lines from the other end, and rotations the two long diagonals."""
    for s in states_of(OTHELLO, 10):
        weights = Counter(OTHELLO.patterns(s, 0))
        shared = sorted((weights & Counter(OTHELLO.patterns(t, 0))).total() for t in OTHELLO.symmetries(s))
        assert min(shared[-3:]) >= 45


def squares_of(s, p):
    """What is on each square (row, place) of checkers as p sees it: 1 and 2 men, 3 and 4 kings, own ones odd."""
    board = {}
    for row in range(8):
        for k in range(4):
            bit = 1 << 9 * (row // 2) + 4 * (row % 2) + k
            at = (row, k) if p == s.turn else (7 - row, 3 - k)
            if (s.mine | s.theirs) & bit:
                is_own = bool(s.mine & bit) == (p == s.turn)
                board[at] = (1 if is_own else 2) + (2 if s.kings & bit else 0)
    return board


def test_the_patterns_of_checkers_are_those_of_a_plain_board():
    """The windows and the count of pieces; the terms are those of the evaluation, which has tests of its own."""
    for s in states_of(CHECKERS, 40):
        for p in range(2):
            board = squares_of(s, p)
            wanted, first = [], 119_637 * min(4, (23 - len(board)) // 4 if len(board) < 24 else 0)
            for y in range(7):
                cells = [(y + i // 4, i % 4) for i in range(8)]
                wanted.append(first + 6561 * y + number(board, cells, 3))
            for y in (0, 2, 4):
                for k in range(3):
                    cells = [(y + i // 2, k + i % 2) for i in range(8)]
                    wanted.append(first + 6561 * (7 + 3 * y // 2 + k) + number(board, cells, 3))
            for y in range(7):
                for k in range(3):
                    cells = [(y + i // 2, k + i % 2) for i in range(4)]
                    wanted.append(first + 6561 * 16 + 625 * (3 * y + k) + number(board, cells, 5))
            men, other_men, kings, other_kings = (list(board.values()).count(n) for n in (1, 2, 3, 4))
            wanted.append(5 * 119_637 + ((men * 13 + kings) * 13 + other_men) * 13 + other_kings)
            found = list(CHECKERS.patterns(s, p))
            assert len(found) == len(wanted) + 10 and set(wanted) <= set(found)


def number(board, cells, base):
    """What is on the cells, the first one the lowest digit; kings are no men in base 3."""
    return sum(base**i * (n if (n := board.get(cell, 0)) < base else 0) for i, cell in enumerate(cells))
