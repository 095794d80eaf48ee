"""Integer networks: lowered, interpreted and numpy's outputs are equal bit for bit, and so are sums that are updated and made anew."""

from __future__ import annotations

import random

import numpy as np
import pytest

import zermelo
from zermelo import Game, u64
from zermelo.errors import ZermeloError
from zermelo.game import State
from zermelo.games.chess.state import CASTLING, EN_PASSANT, PLAIN
from zermelo.games.mnk import MNK
from zermelo.lower.memory import load, store
from zermelo.lower.short_rows import short
from zermelo.rng import below, split, step
from zermelo.search.evaluation import enter_ply, estimate_at, estimates
from zermelo.search.model.kinds import KINDS
from zermelo.search.model.model import find_model, planes_of, with_model
from zermelo.search.model.nnue import ONE, READY, TOP, line_at, sums_at, sums_output
from zermelo.search.model.nnue_model import Nnue, nnue_shape
from zermelo.search.model.record import Judging
from zermelo.search.prepare import prepare
from zermelo.search.records import WORDS, room

CHESS = zermelo.game("chess")
TICTACTOE = zermelo.game("tictactoe")
LONGEST = 120  # plies of a random game


class Planed(MNK):
    """A game whose planes each player sees differently, and that does not say how."""

    def planes(self, s, p):
        yield s.mine if p == self.to_move(s) else s.theirs
        yield s.theirs if p == self.to_move(s) else s.mine


class Placed(Planed):
    """One with other inputs for a player who has the middle cell."""

    plane_views = 256

    def plane_view(self, s, p):
        mine = s.mine if p == self.to_move(s) else s.theirs
        return 64 * p | (128 if mine & 16 else 0)


class Marginal(Planed):
    """One with margins, and no evaluation of its own that could say how to go on."""

    quiet_margin = 0.1
    evaluate = Game.evaluate


def random_network(game: Game, sums: int = 64, seed: int = 1, most_on: int = 32) -> Nnue:
    """A network of any weights: some sums are below 0, some above TOP."""
    rng, shape = np.random.default_rng(seed), nnue_shape(game, sums, most_on)
    rows = rng.integers(-60, 90, (shape.inputs + 1, sums)).astype(np.int16)
    outputs = rng.integers(-127, 128, (shape.phases, 2 * sums)).astype(np.int16)
    return Nnue(shape, rows, outputs, rng.integers(-40_000, 40_000, shape.phases).astype(np.int32))


def wanted(game: Game, net: Nnue, s: State, view: int) -> int:
    """The output by the formulas, from the planes that each player sees."""
    words = [list(game.planes(s, p)) if game.has_planes else [*game.layout.pack(s), 1 << p | 2 << (2 + game.to_move(s))] for p in range(2)]
    sums = []
    for p in range(2):
        inputs = [64 * k + b for k, word in enumerate(words[0 if game.has_plane_view else p]) for b in range(64) if word >> b & 1]
        seen = [i ^ game.plane_view(s, p) for i in inputs] if game.has_plane_view else inputs
        sums.append(net.rows[-1].astype(int) + net.rows[seen].astype(int).sum(0))
    on = sum(word.bit_count() for word in words[0])
    phase = game.phase(s) if game.has_phases else min(7, on * 8 // (net.shape.most_on + 1))
    clipped = np.clip(np.concatenate([sums[view], sums[1 - view]]), 0, TOP)
    return int((clipped * clipped * net.outputs[phase].astype(int)).sum()) + TOP * int(net.biases[phase])


def states_of(game: Game, count: int) -> list[State]:
    rng, found = random.Random(2), []
    while len(found) < count:
        s = game.initial()
        while not game.is_terminal(s):
            if rng.random() < 0.2:
                found.append(s)
            s = game.result(s, rng.choice(list(game.actions(s))))
    return found[:count]


class Asked(Judging):
    start: list[u64] = room(WORDS)
    output: int
    first: float
    second: float


def ask(game, work):
    s = game.unpack(work.start)
    enter_ply(game, 0, work)
    work.output = sums_output(game, s, game.perspective(s), 0, work)
    work.first = estimate_at(game, s, 0, 0, work)
    work.second = estimate_at(game, s, 1, 0, work)
    return 0


def decided(game: Game, s: State, view: int, logit: float) -> float:
    """The value of a logarithm of odds in chess: the more it is above 6, the more counts `evaluate`, and that alone for four pieces."""
    share, own = min(1.0, max(0.0, abs(logit) / 6 - 1)), game.evaluate(s, view)
    value = (1 - share) * game.value_scale * logit + share * (own + np.sign(logit) * 6 * game.value_scale)
    men = s.p | s.n | s.d | s.o | s.k
    return max(-0.9, min(0.9, own if men.bit_count() <= 4 else value))


@pytest.mark.parametrize("name", ["chess", "tictactoe", "planed", "placed", "marginal", "pig"])
def test_outputs_are_the_formula_lowered_and_interpreted(name):
    """Chess and `Placed` say how players see their planes, `Planed` and tic-tac-toe do not; pig has no planes, but dice."""
    own = {"planed": Planed, "placed": Placed, "marginal": Marginal}
    game = own[name](3, 3, 3) if name in own else zermelo.game(name)
    net = random_network(game, 32 if name in own else 64)
    judged = with_model(game, net)
    native, plain = (prepare(judged, ask, Asked, interpreted) for interpreted in (False, True))
    ending = [game.read_state("8/8/8/3k4/8/8/8/KR6 w - - 0 1")] if name == "chess" else []
    for s in [*states_of(game, 60), *ending]:
        start, view = game.layout.pack(s), game.perspective(s)
        there, here = native(start=start), plain(start=start)
        assert there.output == here.output == wanted(game, net, s, view)
        assert (there.first, there.second) == (here.first, here.second) == estimates(judged, s)
        logit = there.output / ONE
        if name == "chess":
            value = decided(game, s, view, logit)
        elif name == "marginal":
            value = max(-0.9, min(0.9, game.quiet_margin * logit))
        else:
            value = np.tanh(np.clip(logit, -80, 80) / 2) * net.shape.span / 2
        assert abs((there.second if view else there.first) - net.shape.low - net.shape.span / 2 - value) < 1e-5
    assert net.shape.planes == len(planes_of(game))
    assert net.shape.inputs == (game.plane_views or 64 * net.shape.planes)


KINGS = [(0, "a1"), (0, "b1"), (0, "g1"), (0, "h1"), (1, "c1"), (1, "d1"), (1, "e1"), (1, "f1"), (2, "a2"), (2, "e2"), (3, "d4"), (3, "h6")]


@pytest.mark.parametrize(("place", "square"), KINGS, ids=[square for _, square in KINGS])
def test_inputs_of_chess_depend_on_the_place_of_the_own_king(place, square):
    """On the first rank in a corner or not, on the second, or above; Black's king is in a corner all the time."""
    file, rank = "abcdefgh".index(square[0]), int(square[1])
    rows = ["1k6", *["8"] * 7]
    rows[8 - rank] = f"{file or ''}K{7 - file or ''}"
    for turn in "wb":
        s = CHESS.read_state(f"{'/'.join(rows)} {turn} - - 0 1")
        assert CHESS.plane_view(s, 0) == place << 10 | (7 if file > 3 else 0)
        assert CHESS.plane_view(s, 1) == 64 | 56


class Walking(Judging):
    start: list[u64] = room(WORDS)
    seed: u64
    games: int
    plies: int
    kinds: list[int] = room(8)
    nulls: int
    compared: int
    wrong: int
    fresh: list[int] = room(2 * 64)
    kept: list[int] = room(LONGEST + 2)


def walk(game, work):
    """Random games, some of whose plies are evaluated: the sums must be those that are made anew, to the last bit."""
    for g in range(work.games):
        random, s = split(work.seed, u64(g)) | 1, game.unpack(work.start)
        enter_ply(game, 0, work)
        ply = 0
        while ply < LONGEST and not game.is_terminal(s):
            random = step(random)
            if game.allows_null_move(s) and below(random, 8) == 0:
                s = game.null_move(s)
                work.nulls += 1
            else:
                a = game.sample(s, random)
                work.kinds[a >> 12] += 1
                s = game.result(s, a)
            ply += 1
            work.plies += 1
            enter_ply(game, ply, work)
            if below(random, 3) > 0:
                compare(game, s, ply, work)
    return work.wrong


def compare(game, s, ply, work):
    updated = estimate_at(game, s, 0, ply, work)
    for k in range(2 * 64):
        work.fresh[k] = short(work.net_sums, sums_at(game, 0, ply) + k)
    for k in range(ply + 1):
        work.kept[k] = int(load(work.net_plies, line_at(k, work) + READY))
        enter_ply(game, k, work)
    work.wrong += int(estimate_at(game, s, 0, ply, work) != updated)
    for k in range(2 * 64):
        work.wrong += int(work.fresh[k] != short(work.net_sums, sums_at(game, 0, ply) + k))
    for k in range(ply + 1):
        store(work.net_plies, line_at(k, work) + READY, u64(work.kept[k]))
    work.compared += 1
    return work.wrong


def walked(games: int, seed: int):
    run = prepare(with_model(CHESS, random_network(CHESS)), walk, Walking.fields(words=8, planes=16), False, plies=LONGEST)
    return run(start=list(CHESS.layout.pack(CHESS.initial())), games=games, seed=seed)


def test_updated_sums_are_those_made_anew():
    work = walked(100, seed=1)
    assert work.wrong == 0
    assert work.compared > 5_000
    assert all(n > 0 for n in work.kinds[PLAIN : CASTLING + 1])
    assert work.nulls > 100


@pytest.mark.slow
def test_updated_sums_are_those_made_anew_on_200_000_plies():
    work = walked(3_000, seed=2)
    assert work.wrong == 0
    assert work.compared > 200_000
    assert work.kinds[EN_PASSANT] > 20
    assert work.kinds[CASTLING] > 100


SEARCHES = [
    (CHESS, "alphabeta", {"depth": 3}),
    (TICTACTOE, "mcts", {"nodes": 60, "plies": 2, "seed": 1}),
    (TICTACTOE, "minimax", {"depth": 2}),
]


@pytest.mark.parametrize(("game", "name", "settings"), SEARCHES, ids=["alphabeta", "mcts", "minimax"])
def test_searches_with_a_network_are_the_same_lowered_and_interpreted(game, name, settings, tmp_path):
    random_network(game).save(tmp_path / "net")
    state = game.read_state("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1") if game is CHESS else None
    found = [
        zermelo.searcher(name, eval=str(tmp_path / "net"), interpreted=interpreted, **settings).search(game, state)
        for interpreted in (False, True)
    ]
    assert found[0].scores == found[1].scores
    assert found[0].nodes == found[1].nodes
    assert found[0].value == found[1].value


def test_chance_nodes_are_valued_by_a_network(tmp_path):
    """Expectiminimax of one ply is the mean over the dice of what the network says, if it has learned from states after them."""
    pig = zermelo.game("pig")
    net = random_network(pig)
    net.kinds = KINDS
    net.save(tmp_path / "net")
    result = zermelo.searcher("expectiminimax", depth=2, eval=str(tmp_path / "net")).search(pig)
    judged, s = with_model(pig, net), pig.initial()

    def value(t, depth):
        if pig.is_terminal(t):
            return pig.utility(t, 0)
        if depth == 0:
            return estimates(judged, t)[0]
        if pig.to_move(t) == zermelo.CHANCE:
            return sum(pig.probability(t, a) * value(pig.result(t, a), depth - 1) for a in pig.actions(t))
        return max(value(pig.result(t, a), depth - 1) for a in pig.actions(t))

    assert abs(result.value - value(s, 2)) < 1e-12


def test_a_file_is_the_network(tmp_path):
    net = random_network(CHESS)
    net.save(tmp_path / "net")
    found = find_model(str(tmp_path / "net"))
    assert isinstance(found, Nnue)
    assert found.shape == net.shape
    assert (found.rows == net.rows).all() and (found.outputs == net.outputs).all() and (found.biases == net.biases).all()
    addresses = {found.memory(False, plies)["net_rows"].table for plies in (1, 9)}
    assert len(addresses) == 1  # shared by all threads


def test_files_and_games_that_do_not_fit_are_refused(tmp_path):
    net = random_network(CHESS)
    net.outputs[0, 0] = 129  # its product with 255 has more than 16 bits
    net.save(tmp_path / "steep")
    with pytest.raises(ZermeloError, match="not a model of ours"):
        find_model(str(tmp_path / "steep"))
    with pytest.raises(ZermeloError, match="the network is of chess"):
        random_network(CHESS).check_game(zermelo.game("chess:start=1"))
    few = Planed(3, 3, 3)
    for views in (127, 65_536, True, "128"):
        few.plane_views = views
        with pytest.raises(ZermeloError, match=f"expected plane_views to be 0, or from 128, the planes' bits, to 65,535, not {views!r}"):
            nnue_shape(few, 64, 32)
    with pytest.raises(ZermeloError, match="two players and one outcome"):
        nnue_shape(zermelo.game("backgammon"), 64, 32)


@pytest.mark.parametrize("position", ["8/8/8/3k4/8/8/8/KR6 w - - 0 1", "8/5p2/8/3k4/8/8/5P2/KQ6 w - - 0 1"], ids=["rook", "queen"])
def test_the_network_of_chess_mates(position):
    """By its own values alone it went back and forth."""
    history = zermelo.History(CHESS, CHESS.read_state(position))
    thinking = zermelo.Thinking(zermelo.AlphaBeta(nodes=5000, eval="learned"), CHESS)
    while not history.is_over:
        history.do(thinking.search(history).action)
    assert history.utility(0) == 1


def test_a_network_of_our_own_comes_with_chess():
    own, learned = find_model("own", CHESS), find_model("learned", CHESS)
    assert own.shape == learned.shape and (own.rows != learned.rows).any()
    for text, better in (("4k3/8/8/8/8/8/PP6/3QK3 w - - 0 1", 1), ("3qk3/pp6/8/8/8/8/8/4K3 w - - 0 1", -1)):
        value = zermelo.AlphaBeta(depth=1, eval="own").search(CHESS, CHESS.read_state(text)).value
        assert better * value > 4 * CHESS.quiet_margin
    with pytest.raises(ZermeloError, match="there is no run or model 'own'"):
        find_model("own", zermelo.game("othello"))
