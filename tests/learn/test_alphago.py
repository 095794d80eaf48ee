"""AlphaGo's way: games of experts as positions, a policy that learns them, one that plays better than they did, and its search."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import numpy as np
import pytest

import zermelo
from zermelo.arena.records.record_formats import read, write
from zermelo.errors import ZermeloError
from zermelo.games.go import letters
from zermelo.history import History, written_down
from zermelo.learn.runs import Run
from zermelo.learn.training import train, training_of
from zermelo.search.mcts.searcher import MCTS
from zermelo.search.puct.network import FILE, load, save
from zermelo.search.puct.puct import begin
from zermelo.search.puct.record import Tree
from zermelo.search.puct.shape import shape_for
from zermelo.search.puct.trees import Trees

torch = pytest.importorskip("torch")

from zermelo.learn.alphago.expert import ExpertTrainer  # noqa: E402
from zermelo.learn.alphago.policy_play import PolicyPlayer  # noqa: E402
from zermelo.learn.alphago.positions import Positions, read_positions  # noqa: E402
from zermelo.learn.alphago.reinforce import PolicyGradient, Reinforce  # noqa: E402
from zermelo.learn.alphago.settings import ReinforceTraining  # noqa: E402
from zermelo.learn.zero.network import Folded, Network, folded, unfold  # noqa: E402
from zermelo.learn.zero.score import score_against_random  # noqa: E402

NIM = "nim:heaps=2,3,4"
GO_LINE = "W+3.5 pddpqpddtt"


def games_of(text: str, count: int, choose, path) -> list[History]:
    """Games in which `choose` takes each action, written into a file of JSON."""
    game, chance = zermelo.game(text), random.Random(1)
    played = []
    for _ in range(count):
        history = History(game)
        while not history.is_over:
            history.do(choose(game, history.state, chance))
        played.append(history)
    path.write_text(write("json", [written_down(history, ("a", "b"), {}, None) for history in played]))
    return played


def any_action(game, s, chance):
    return chance.choice(list(game.actions(s)))


# ---- positions -------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["tictactoe", "pig:target=20"])
def test_positions_are_the_states_in_which_players_moved(text, tmp_path):
    played = games_of(text, 6, any_action, tmp_path / "games.json")
    game = zermelo.game(text)
    found = read_positions(game, shape_for(game, 1, 8), [tmp_path / "games.json"])
    expected = []
    for number, history in enumerate(played):
        for s, a in zip(history.states, history.taken, strict=False):
            if game.to_move(s) >= 0:
                output = game.policy_index(s, a) if game.has_policy_index else list(game.actions(s)).index(a)
                outcome = [float(history.utility(p)) for p in range(game.players)]
                expected.append((list(game.layout.pack(s)), game.to_move(s), output, outcome, number))
    rows = zip(*(x.tolist() for x in (found.states, found.movers, found.played, found.outcomes, found.games)), strict=True)
    middle, reach = (
        (shape_for(game, 1, 8).low + shape_for(game, 1, 8).high) / 2,
        (shape_for(game, 1, 8).high - shape_for(game, 1, 8).low) / 2,
    )
    assert [(s, m, k, [x * reach + middle for x in z], n) for s, m, k, z, n in rows] == expected
    shown, held = found.split(3)
    assert len(shown) + len(held) == len(found)
    assert not set(shown.games.tolist()) & set(held.games.tolist())


def test_lines_of_letters(tmp_path):
    game = zermelo.game("go:size=19")
    (line,) = letters.parse(GO_LINE.encode())
    actions, result = letters.actions(game, line)
    assert result == (-1.0, 1.0)
    assert [game.write_action(None, a) for a in actions] == ["Q16", "D4", "R4", "D16", "pass", "pass", "pass"]
    (sheet,) = read("letters", GO_LINE.encode())
    assert [entry.action for entry in sheet.moves] == ["Q16", "D4", "R4", "D16", "pass", "pass"]
    assert letters.parse(write("letters", [sheet]).encode())[0][3] == "pddpqpddtttt"
    (tmp_path / "few.txt").write_text(GO_LINE + "\nB+R ddddpp\n")
    with pytest.raises(ZermeloError, match=r"few\.txt, game 2, move 2: expected an action that the rules allow"):
        read_positions(game, shape_for(game, 1, 8), [tmp_path / "few.txt"])
    with pytest.raises(ZermeloError, match="expected a game of go:size=19"):
        read_positions(zermelo.game("go"), shape_for(zermelo.game("go"), 1, 8), [tmp_path / "few.txt"])
    (tmp_path / "bad.txt").write_text("W+R pdd\n")
    with pytest.raises(ZermeloError, match="line 1: expected a result and pairs of letters"):
        read_positions(game, shape_for(game, 1, 8), [tmp_path / "bad.txt"])
    (tmp_path / "cut.txt.xz").write_bytes(b"no xz")
    with pytest.raises(ZermeloError, match="expected a file that xz packed"):
        read_positions(game, shape_for(game, 1, 8), [tmp_path / "cut.txt.xz"])


# ---- experts ---------------------------------------------------------------------------------


def test_an_example_and_its_move_are_turned_together():
    """In each symmetry of tic-tac-toe the move that is learned is a free cell: the one free cell of a board that is full but for it."""
    game = zermelo.game("tictactoe")
    shape = shape_for(game, 1, 8)
    states, played = [], []
    for order in itertools.islice(itertools.permutations(range(9)), 0, 40_000, 997):
        s = game.initial()
        for a in order[:8]:
            if game.is_terminal(s):
                break
            s = game.result(s, a)
        if not game.is_terminal(s):
            states.append(game.layout.pack(s))
            played.append(order[8])
    n = len(states)
    assert n > 3
    rows = (np.array(states, np.uint64), np.zeros(n, np.int8), np.array(played, np.int32), np.ones((n, 2), np.float32), np.arange(n))
    trainer = ExpertTrainer(game, Network(shape), Positions(*rows), 64, "cpu")
    seen = {}

    def answers(inputs):
        seen["taken"] = inputs.view(64, 9, shape.channels)[:, :, :2].sum(2)
        return torch.zeros(64, 9), torch.zeros(64, 1)

    trainer.answers = answers
    real = torch.nn.functional.cross_entropy
    try:
        torch.nn.functional.cross_entropy = lambda logits, played: seen.update(played=played) or real(logits, played)
        trainer._losses()
    finally:
        torch.nn.functional.cross_entropy = real
    assert (seen["taken"].argmin(1) == seen["played"]).all()
    assert len(set(seen["played"].tolist())) > 4


@pytest.fixture(scope="module")
def expert(tmp_path_factory) -> Run:
    """A run that learned from games of somebody who takes any action at first, and then always the last."""
    folder = tmp_path_factory.mktemp("expert")

    def choose(game, s, chance):
        return any_action(game, s, chance) if s == game.initial() else max(game.actions(s))

    games_of(NIM, 60, choose, folder / "games.json")
    settings = {"method": "expert", "data": [folder / "games.json"], "model": "resnet:1x16", "batch": 32, "device": "cpu"}
    return train(zermelo.game(NIM), run=folder / "run", games=4000, **settings)


def test_a_policy_learns_what_experts_play(expert):
    looks = expert.looks()
    assert looks[-1].games >= 4000
    assert looks[-1].accuracy > 0.6  # of a game that is held out, whose first of three moves nobody can know
    again = train(zermelo.game(NIM), run=expert.folder, method="expert", data=expert.configuration["data"], batch=32, games=4064)
    assert again.trained[0] == 4064


def test_what_an_expert_needs():
    with pytest.raises(ZermeloError, match="expected files of games as data for expert"):
        training_of({"method": "expert"})
    with pytest.raises(ZermeloError, match="expected a network to begin with for reinforce"):
        training_of({"method": "reinforce"})
    with pytest.raises(ZermeloError, match="train by expert has no setting 'simulations'"):
        training_of({"method": "expert", "simulations": 3})


# ---- reinforcement ---------------------------------------------------------------------------


def test_a_network_of_a_file_learns_on_as_the_same_function(expert):
    shape, weights, _ = load(expert.folder / FILE)
    network = Network(shape)
    unfold(network, weights)
    inputs = torch.rand(4, shape.inputs)
    for a, b in zip(network.eval()(inputs), Folded.of(shape, weights, "cpu")(inputs), strict=True):
        assert torch.allclose(a, b, atol=1e-5)


def test_only_the_moves_of_the_one_who_learns_are_remembered(expert):
    """And each with the action that was taken as its only visit; the other player is played by the other network."""
    game, (shape, weights, _) = zermelo.game(NIM), load(expert.folder / FILE)
    mine = Folded.of(shape, weights, "cpu")
    last = {name: 0 * w for name, w in weights.items()} | {"out.bias": np.arange(len(weights["out.bias"]), dtype=np.float32) * 99}
    other = Folded.of(shape, last, "cpu")  # always the last action
    settings = ReinforceTraining(start="x").playing(8)
    player = PolicyPlayer(game, shape, mine, other, 6, 64, "cpu", settings)
    for _ in range(40):
        player.step()
    field, checked = player.slots.field, 0
    for g in range(6):
        for i in range(int(field("kept")[g])):
            s = game.layout.unpack(field("kept_states")[g, i].numpy().view(np.uint64).tolist())
            visits = field("kept_visits")[g, i]
            assert int(visits.sum()) == int(visits.max()) == 1
            assert float(field("kept_chance")[g, i]) == pytest.approx(chance_of(game, shape, mine, s, int(visits.argmax())), abs=1e-5)
            t = game.result(s, list(game.actions(s))[int(visits.argmax())])
            if i + 1 < int(field("kept")[g]) and bool(field("is_known")[g, i]) and not game.is_terminal(t):
                u = game.result(t, max(game.actions(t)))
                after = game.layout.unpack(field("kept_states")[g, i + 1].numpy().view(np.uint64).tolist())
                assert after == u or game.is_terminal(u)
                checked += 1
    assert checked > 10


def chance_of(game, shape, network, s, k):
    """With what probability the policy takes the k-th action."""
    trees = Trees(game, shape, 1, Tree, nodes=2)
    trees.set("start", [game.layout.pack(s)])
    trees.run(begin)
    logits = network(torch.from_numpy(trees.inputs))[0][0]
    places = [game.policy_index(s, a) if game.has_policy_index else i for i, a in enumerate(game.actions(s))]
    return float(logits[places].softmax(0)[k])


@pytest.fixture(scope="module")
def gradient():
    """What learns from games of tic-tac-toe that a policy played, and that policy."""
    game = zermelo.game("tictactoe")
    shape = shape_for(game, 1, 16)
    torch.manual_seed(2)
    network = Network(shape).eval()
    mine = Folded(shape, folded(network))
    player = PolicyPlayer(game, shape, mine, mine, 16, 64, "cpu", ReinforceTraining(start="x").playing(8))
    for _ in range(40):
        player.step()
    trainer = PolicyGradient(player.slots, network, 64)
    trainer.window.fill_(12)
    return trainer


def slopes_by(trainer, times=1.0):
    """The slope of the policy's loss by the logits, where what was played had so many times its chance; and the batch."""
    asked = []

    def answers(inputs):
        logits, values = trainer.network(inputs)
        asked.append((logits.detach().requires_grad_(), values.detach()))
        return asked[-1]

    chances = trainer.slots.field("kept_chance")
    chances *= times
    trainer.answers = answers
    torch.manual_seed(5)
    trainer._losses()[0].backward()
    chances /= times
    torch.manual_seed(5)
    g, at = trainer._drawn()
    _, target, outcome, weight = trainer._examples(g, at, torch.zeros_like(g))
    logits, values = asked[0]
    return logits.grad, (logits.detach(), target, (outcome - values)[:, 0], weight)


def test_a_policy_that_played_learns_as_by_reinforce(gradient):
    """The slope of - better * log policy, over the actions of a state alone: what is no action is neither more nor less likely then."""
    slopes, (logits, target, better, weight) = slopes_by(gradient)
    assert float(weight.sum()) == pytest.approx(1)
    assert (target == 0).any()
    policy = logits.masked_fill(target == 0, -np.inf).softmax(1)
    expected = -(weight * better)[:, None] * ((target == 2).float() - policy)
    assert torch.allclose(slopes, expected, atol=1e-5)


@pytest.mark.parametrize(("times", "sign"), [(0.1, 1), (10.0, -1)], ids=["more likely now", "less likely now"])
def test_what_is_much_more_or_less_likely_already_is_left_alone(gradient, times, sign):
    slopes, (_, target, better, weight) = slopes_by(gradient, times)
    moved, has_choice = slopes.abs().sum(1) > 0, (target > 0).sum(1) > 1
    assert (moved == ((weight > 0) & (sign * better < 0) & has_choice)).all()
    assert moved.any() and not moved.all()


def test_nothing_is_learned_before_games_have_ended_almost_everywhere(tmp_path):
    """The first games to end are the short ones."""
    game = zermelo.game("tictactoe")
    save(tmp_path / "start.safetensors", *untrained(game), {})
    training = ReinforceTraining(start=str(tmp_path / "start.safetensors"), slots=20, batch=32, model="resnet:1x16", rate=1e-3, games=99)
    run = Reinforce(game, training, Run(tmp_path / "run"))
    run.player.slots.field("games")[:17] = 1
    assert not run.have_games_ended()
    run.player.slots.field("unfinished")[18:] = 1
    assert run.have_games_ended()


def test_a_run_of_reinforcement_has_the_model_of_its_start(tmp_path):
    game = zermelo.game("tictactoe")
    save(tmp_path / "start.safetensors", *untrained(game), {})
    training = ReinforceTraining(start=str(tmp_path / "start.safetensors"), slots=4, batch=32, rate=1e-3, games=99)
    assert Reinforce(game, training, Run(tmp_path / "run")).training.model == "resnet:1x16"
    assert Reinforce(game, replace(training, random_plies=3), Run(tmp_path / "run")).training.random_plies == 3
    with pytest.raises(ZermeloError, match=r"is a network of resnet:1x16: expected no other model, not resnet:2x8"):
        Reinforce(game, replace(training, model="resnet:2x8"), Run(tmp_path / "other"))


def untrained(game):
    """The shape and the weights of a network."""
    torch.manual_seed(1)
    network = Network(shape_for(game, 1, 16)).eval()
    return network.shape, {name: tensor.numpy() for name, tensor in folded(network).items()}


@pytest.mark.slow
def test_reinforcement_makes_a_policy_stronger(tmp_path):
    """Of tic-tac-toe, in which most moves are played long before the game is over."""
    game = zermelo.game("tictactoe")
    shape, weights = untrained(game)
    save(tmp_path / "start.safetensors", shape, weights, {})
    settings = {"slots": 32, "batch": 64, "rate": 2e-3, "device": "cpu", "games": 4000}
    run = train(game, run=tmp_path / "run", method="reinforce", start=str(tmp_path / "start.safetensors"), **settings)
    before, after = (Folded.of(shape, w, "cpu") for w in (weights, load(run.folder / FILE)[1]))
    assert scored(game, shape, after) > scored(game, shape, before) + 0.2


def scored(game, shape, network):
    """What the policy gets in a game against random players."""
    return score_against_random(game, shape, lambda inputs: [x.numpy() for x in network(torch.from_numpy(inputs))], 600, 1).mean


def test_reinforcement_finds_the_winning_move(tmp_path):
    """Nim with one heap: take it all. The network begins with nothing learned."""
    game = zermelo.game("nim:heaps=4")
    network = Network(shape_for(game, 1, 16)).eval()
    save(tmp_path / "start.safetensors", network.shape, {n: t.numpy() for n, t in folded(network).items()}, {})
    settings = {"start": str(tmp_path / "start.safetensors"), "slots": 16, "batch": 32, "rate": 5e-3, "device": "cpu", "games": 1500}
    run = train(game, run=tmp_path / "run", method="reinforce", **settings)
    assert run.trained[0] >= 1500
    assert run.looks()[-1].score > run.looks()[0].score - 0.2
    result = MCTS(net=str(run.folder), simulations=1).search(game)
    assert result.action == max(game.actions(game.initial()))
    with pytest.raises(ZermeloError, match="is a network of nim:heaps=4: expected one of tictactoe"):
        train(zermelo.game("tictactoe"), run=tmp_path / "other", method="reinforce", **settings)


# ---- the search ------------------------------------------------------------------------------


def test_a_leaf_is_worth_the_network_and_a_quick_game(expert):
    pytest.importorskip("onnxruntime")
    game = zermelo.game(NIM)
    found = {}
    for mix in (0.0, 0.5, 1.0):
        native, plain = (MCTS(net=str(expert.folder), mix=mix, simulations=40, seed=3, interpreted=x).search(game) for x in (False, True))
        assert (native.action, native.scores) == (plain.action, plain.scores)
        found[mix] = native.scores
    assert found[0.0] != found[0.5] != found[1.0]
    alone = MCTS(net=str(expert.folder), mix=1.0, simulations=1, seed=3).search(game)
    assert alone.value in (-1.0, 1.0)  # one simulation, worth its quick game alone
    with pytest.raises(ZermeloError, match=r"MCTS: expected mix with net, not mix=0\.5 without it"):
        MCTS(mix=0.5)
