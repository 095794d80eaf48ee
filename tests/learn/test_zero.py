"""Self-play with a guided search: what it remembers, what the network learns from, runs that go on, and files that are refused."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import time

import numpy as np
import pytest
from helpers_files import resealed
from small_games import Ambush

import zermelo
from zermelo.cli.train import _say_look
from zermelo.errors import ZermeloError
from zermelo.learn.look import Look
from zermelo.learn.runs import Run
from zermelo.learn.training import train
from zermelo.search.mcts.searcher import MCTS
from zermelo.search.puct.gumbel import SHARES
from zermelo.search.puct.network import FILE, OnnxNetwork, load, load_for, save
from zermelo.search.puct.puct import begin
from zermelo.search.puct.record import NOBODY
from zermelo.search.puct.shape import shape_for
from zermelo.search.puct.trees import Trees

torch = pytest.importorskip("torch")

from zermelo.learn.zero.network import Folded, Network, folded  # noqa: E402
from zermelo.learn.zero.player import GumbelPlayer, Player  # noqa: E402
from zermelo.learn.zero.score import preferred  # noqa: E402
from zermelo.learn.zero.settings import ZeroTraining  # noqa: E402
from zermelo.learn.zero.trainer import Trainer  # noqa: E402
from zermelo.learn.zero.training import GAMES_FILE, Zero  # noqa: E402

SMALL = {"method": "zero", "model": "resnet:1x8", "simulations": 8, "slots": 8, "batch": 16, "device": "cpu"}


def network_of(name: str, blocks: int = 2, filters: int = 16) -> tuple[object, Network]:
    """A network whose norms are not those of the start."""
    torch.manual_seed(1)
    game = zermelo.game(name)
    network = Network(shape_for(game, blocks, filters)).train()
    for _ in range(3):
        network(torch.rand(32, network.shape.inputs))
    return game, network.eval()


@pytest.mark.parametrize("name", ["connect4", "kalah", "trio"])
def test_the_network_is_one_function_in_all_its_forms(name, tmp_path):
    pytest.importorskip("onnxruntime")
    _, network = network_of(name)
    inputs = torch.rand(5, network.shape.inputs)
    expected = [x.detach().numpy() for x in network(inputs)]
    plays = Folded(network.shape, folded(network))(inputs)
    save(tmp_path / FILE, network.shape, {n: t.numpy() for n, t in folded(network).items()}, {"games": 3.0})
    shape, weights, about = load(tmp_path / FILE)
    assert (shape, about) == (network.shape, {"games": 3.0})
    for found in ([x.numpy() for x in plays], OnnxNetwork(shape, weights)(inputs.numpy())):
        assert all(np.allclose(a, b, atol=1e-5) for a, b in zip(found, expected, strict=True))


@pytest.fixture(scope="module")
def played() -> tuple[object, Player, Network]:
    game, network = network_of("tictactoe")
    settings = ZeroTraining(simulations=12).playing(game, 8)
    player = Player(game, network.shape, Folded(network.shape, folded(network)), 6, 64, "cpu", settings)
    for _ in range(12):
        player.play_round()
    return game, player, network


def test_what_is_remembered_are_games(played):
    """Each state that is remembered follows from the one before, and all of a game know how it ended."""
    game, player, _ = played
    field = player.slots.field
    assert player.count("games") > 6
    for g in range(player.slots.count):
        kept, fresh = int(field("kept")[g]), int(field("fresh")[g])
        states = [game.layout.unpack(row) for row in field("kept_states")[g, :kept].numpy().view(np.uint64).tolist()]
        begins = [i for i, s in enumerate(states) if s == game.initial()] + [kept]
        for first, end in itertools.pairwise(begins):
            for s, t in itertools.pairwise(states[first:end]):
                assert t in [game.result(s, a) for a in game.actions(s)]
            known = field("is_known")[g, first:end]
            assert (known == int(first < kept - fresh)).all()
            if not known.all():
                continue
            outcome = field("kept_outcome")[g, first:end].numpy()
            assert (outcome == outcome[0]).all()
            assert outcome[0].sum() == 0
            # the last state is one action from an end of that outcome, or one more if there was nothing to choose
            after = [game.result(states[end - 1], a) for a in game.actions(states[end - 1])]
            after += [game.result(t, a) for t in after if game.count(t) == 1 for a in game.actions(t)]
            assert tuple(outcome[0]) in [(game.utility(t, 0), game.utility(t, 1)) for t in after if game.is_terminal(t)]
        for i, s in enumerate(states):
            visits = field("kept_visits")[g, i]
            assert int(visits.sum()) == 12
            assert int((visits[game.count(s) :]).sum()) == 0
            assert int(field("kept_mover")[g, i]) == game.to_move(s)


def test_players_give_up(played):
    """A game that did not come to an end is one that the player to move in its last state lost; some are played on all the same."""
    game, _, network = played
    settings = ZeroTraining(simulations=12, resign=0.2).playing(game, 8)
    player = Player(game, network.shape, Folded(network.shape, folded(network)), 6, 64, "cpu", settings)
    for _ in range(40):
        player.play_round()
    field, broken_off = player.slots.field, 0
    for g in range(player.slots.count):
        kept, fresh = int(field("kept")[g]), int(field("fresh")[g])
        assert kept <= 64
        states = [game.layout.unpack(row) for row in field("kept_states")[g, :kept].numpy().view(np.uint64).tolist()]
        begins = [i for i, s in enumerate(states[: kept - fresh]) if s == game.initial()] + [kept - fresh]
        for first, end in itertools.pairwise(begins):
            assert (field("is_known")[g, first:end] == 1).all()
            outcome, last = field("kept_outcome")[g, first:end].numpy(), states[end - 1]
            assert (outcome == outcome[0]).all()
            after = [game.result(last, a) for a in game.actions(last)]
            after += [game.result(t, a) for t in after if game.count(t) == 1 for a in game.actions(t)]
            if tuple(outcome[0]) not in [(game.utility(t, 0), game.utility(t, 1)) for t in after if game.is_terminal(t)]:
                broken_off += 1
                assert outcome[0][game.to_move(last)] == -1
                assert outcome[0].sum() == 0
    assert 0 < broken_off <= player.count("given_up") < player.count("games")
    assert 0 <= player.count("wrong") <= player.count("checked") < player.count("given_up")


def test_players_give_up_later_if_that_was_wrong(tmp_path):
    zero = Zero(zermelo.game("tictactoe"), ZeroTraining(**SMALL | {"resign": 0.8, "games": 100}), Run(tmp_path / "run"))
    field = zero.player.slots.field
    told = []
    for checked, wrong in ((100, 50), (200, 11), (400, 21), (600, 21), (800, 21)):  # since the run began
        field("checked")[0], field("wrong")[0] = checked, wrong
        zero._check_giving_up()
        told.append(round(float(field("hopeless").max()), 4))
        assert float(field("hopeless").min()) == float(field("hopeless").max())
    assert told == [-0.8, -0.86, -0.86, -0.8, -0.8]
    assert zero.look().wrongly == 21 / 800
    with pytest.raises(ZermeloError, match="trio has 3 players: expected no resign"):
        Zero(zermelo.game("trio"), ZeroTraining(**SMALL | {"resign": 0.8}), Run(tmp_path / "other"))


def test_examples_are_what_is_remembered(played):
    """Shares of visits stand at the places of their actions, in each symmetry; outcomes are the mover's."""
    _, player, network = played
    trainer = Trainer(player.slots, network, 64)
    trainer.window.fill_(64)
    inputs, target, outcome, weight = trainer._examples(*trainer._drawn(), trainer.symmetries.drawn(64))
    assert torch.allclose(target.sum(1), torch.ones(64))
    cells = inputs.view(64, 9, 8)
    taken = cells[:, :, 0] + cells[:, :, 1]
    assert (target * taken == 0).all()  # never a cell that is taken
    assert float(weight.sum()) == pytest.approx(1)
    assert set(outcome[weight > 0].flatten().tolist()) <= {-1.0, 0.0, 1.0}
    turned = {tuple(c) for c in trainer.symmetries.cells.tolist()}
    assert len(turned) == 8


def test_learning_lowers_the_loss(played):
    _, player, _ = played
    _, network = network_of("tictactoe")
    trainer = Trainer(player.slots, network.train(), 64)
    trainer.learn(1, 2e-3, 64)
    first = float(trainer.losses.sum())
    trainer.learn(60, 2e-3, 64)
    assert float(trainer.losses.sum()) < first - 0.2


def test_games_that_chance_ends_at_once_are_begun_anew():
    game = Ambush()
    torch.manual_seed(1)
    network = Network(shape_for(game, 1, 8)).eval()
    settings = ZeroTraining(simulations=4).playing(game, 8)
    player = Player(game, network.shape, Folded(network.shape, folded(network)), 8, 64, "cpu", settings)
    for _ in range(2):
        before = player.slots.field("games").clone()
        for _ in range(30):
            player.play_round()
        assert (player.slots.field("games") > before).all()
    assert int(player.slots.field("kept").min()) > 0, "states in which there is nothing to choose are asked about, and so remembered"


def test_what_cannot_be_learned_is_refused_before_it_is_written(tmp_path):
    """States with more actions than there is room for; games that never end."""
    run = Zero(zermelo.game("tictactoe"), ZeroTraining(**SMALL, games=100), Run(tmp_path / "run"))
    run.player.slots.field("unfinished").fill_(1)
    run.owed_steps(1.0)
    run.player.slots.field("unfinished")[0] = 2
    with pytest.raises(ZermeloError, match="no game of tictactoe comes to an end: there is nothing to learn from"):
        run.owed_steps(1.0)
    run.player.slots.field("widest")[3] = 200
    with pytest.raises(ZermeloError, match="tictactoe has a state of 200 actions: expected at most max_actions, which is 16"):
        run.save_all()
    assert not (tmp_path / "run" / FILE).exists()


def test_games_are_written_however_often_the_run_is_looked_at(tmp_path, monkeypatch):
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    run = Zero(zermelo.game("tictactoe"), ZeroTraining(**SMALL, games=10**6), Run(tmp_path / "run"))
    for _ in range(4):
        now += 5.0
        run.learn()
        run.save()  # as a look does
    assert (tmp_path / "run" / GAMES_FILE).exists()


def test_a_run_goes_on(tmp_path):
    game = zermelo.game("tictactoe")
    run = train(game, run=tmp_path / "run", games=40, **SMALL)
    first = run.trained[0]
    assert first >= 40
    assert [look.games for look in run.looks()][-1] == first
    weights = load(tmp_path / "run" / FILE)[1]
    again = train(game, run=tmp_path / "run", games=80, **SMALL)
    assert 80 <= again.trained[0] < 80 + 8 * 5
    assert again.looks()[0].games < first < again.looks()[-1].games
    assert not np.array_equal(load(tmp_path / "run" / FILE)[1]["out.bias"], weights["out.bias"])
    assert again.configuration["simulations"] == 8
    more = train(game, run=tmp_path / "run", games=90, **SMALL | {"simulations": 9})
    assert (more.configuration["simulations"], more.trained[0] >= 90) == (9, True)
    with pytest.raises(ZermeloError, match=r"is a run with samples 2\.0: expected that, not 3\.0"):
        train(game, run=tmp_path / "run", **SMALL | {"samples": 3.0})


@pytest.mark.slow
def test_a_run_with_gumbels_root_goes_on(tmp_path):
    game, told = zermelo.game("tictactoe"), SMALL | {"root": "gumbel"}
    train(game, run=tmp_path / "run", games=40, **told)
    again = train(game, run=tmp_path / "run", games=80, **SMALL)  # as it was begun
    assert again.configuration["root"] == "gumbel"
    assert 80 <= again.trained[0] < 80 + 8 * 5
    with pytest.raises(ZermeloError, match="is a run with root gumbel: expected that, not puct"):
        train(game, run=tmp_path / "run", **SMALL | {"root": "puct"})


def test_games_with_gumbels_root_are_remembered_with_the_improved_policy(played):
    """Each state that is remembered follows from the one before, and the shares of its actions make a whole."""
    game, _, network = played
    settings = ZeroTraining(simulations=8, root="gumbel").playing(game, 8)
    player = GumbelPlayer(game, network.shape, Folded(network.shape, folded(network)), 4, 8192, "cpu", settings)
    for _ in range(14):
        player.play_round()
    field = player.slots.field
    assert player.count("games") > 4
    for g in range(4):
        kept = int(field("kept")[g])
        states = [game.layout.unpack(row) for row in field("kept_states")[g, :kept].numpy().view(np.uint64).tolist()]
        for i, s in enumerate(states):
            shares = field("kept_visits")[g, i]
            assert abs(int(shares.sum()) - SHARES) < 9
            assert int(shares[game.count(s) :].sum()) == 0
            if i + 1 < kept and states[i + 1] != game.initial():
                assert states[i + 1] in [game.result(s, a) for a in game.actions(s)]


def test_the_same_seed_gives_the_same_network(tmp_path):
    game = zermelo.game("tictactoe")
    for name in ("a", "b"):
        train(game, run=tmp_path / name, games=30, seed=5, **SMALL)
    a, b = (load(tmp_path / name / FILE)[1] for name in ("a", "b"))
    assert all(np.array_equal(a[name], b[name]) for name in a)


def test_a_search_asks_the_network(tmp_path):
    pytest.importorskip("onnxruntime")
    game, network = network_of("tictactoe")
    save(tmp_path / FILE, network.shape, {n: t.numpy() for n, t in folded(network).items()}, {})
    result = MCTS(net=str(tmp_path), simulations=50).search(game)
    assert result.nodes == 50
    slow = MCTS(net=str(tmp_path), simulations=50, interpreted=True).search(game)
    assert (slow.action, slow.scores) == (result.action, result.scores)
    one = MCTS(net=str(tmp_path), simulations=1).search(game)
    logits = OnnxNetwork(network.shape, load(tmp_path / FILE)[1])
    seen = np.zeros((1, network.shape.inputs), np.float32)
    seen[0, 2::8] = 1.0  # the empty board
    assert one.action == int(np.argmax(logits(seen)[0][0]))


def test_a_search_that_only_sees_a_win_ends_in_time(monkeypatch):
    """The network likes nothing but the action that wins: without proofs all simulations end there, and it is never asked again."""
    game = zermelo.game("tictactoe")
    shape, s = shape_for(game, 1, 8), game.initial()
    for a in (0, 3, 1, 4):
        s = game.result(s, a)
    likes = np.full((1, shape.policy), -1000.0, np.float32)
    likes[0, 2] = 0.0
    monkeypatch.setattr("zermelo.search.puct.search.load_for", lambda *_: (shape, lambda _: (likes, np.zeros((1, 1), np.float32))))
    found = MCTS(net="likes", seconds=0.1, solver=False).search(game, s)
    assert (found.action, found.value, found.exact) == (2, 1.0, False)
    assert 0.1 <= found.seconds < 5
    found = MCTS(net="likes", seconds=5.0).search(game, s)
    assert (found.action, found.value, found.exact, found.nodes) == (2, 1.0, True, 1)
    assert found.seconds < 3


@pytest.mark.parametrize("interpreted", [pytest.param(False, marks=pytest.mark.slow), True])
def test_a_tree_is_kept_from_move_to_move(tmp_path, interpreted):
    """After an action and a reply, the search goes on with what it knew: as many visits, the same totals, and a whole tree below them."""
    pytest.importorskip("onnxruntime")
    game, network = network_of("tictactoe")
    save(tmp_path / FILE, network.shape, {n: t.numpy() for n, t in folded(network).items()}, {})
    searcher = MCTS(net=str(tmp_path), simulations=200, interpreted=interpreted)
    kept, s = searcher.new_memory(game), game.initial()
    found = list(searcher.deepen(game, s, kept=kept))[-1]
    assert (found.nodes, kept.visits) == (200, 0)
    assert found.scores == searcher.search(game, s).scores
    old = kept._tree
    child = int(old.get("child")[0][0][found.line[0]])
    grandchild = int(old.get("child")[0][child][int(old.get("visits")[0][child].argmax())])
    known = {name: old.get(name)[0][grandchild].copy() for name in ("visits", "total", "prior")}
    s = game.layout.unpack(old.get("states")[0][grandchild].tolist())
    tree = Trees(game, network.shape, 1, interpreted=interpreted, nodes=512)
    tree.set("start", [game.layout.pack(s)])
    tree.run(begin)
    kept.carry(tree, 300)
    assert kept.visits == known["visits"].sum() > 0
    assert all((tree.get(name)[0][0] == values).all() for name, values in known.items())
    kept._tree = old
    found = list(searcher.deepen(game, s, kept=kept))[-1]
    assert found.nodes == 200
    tree, count = kept._tree, int(kept._tree.get("used")[0])
    visits, child, parent, visited = (tree.get(name)[0] for name in ("visits", "child", "parent", "visited"))
    assert visited[0] == kept.visits + 200
    for n in range(count):
        edges = int(tree.get("count")[0][n])
        assert visited[n] == visits[n][:edges].sum()
        for k in range(edges):
            c = int(child[n][k])
            if c >= 0:
                assert (parent[c], tree.get("via")[0][c]) == (n, k)
                assert visits[n][k] == visited[c] + 1 or tree.get("mover")[0][c] == NOBODY
            else:
                assert visits[n][k] == 0


def test_networks_that_come_with_games():
    """Each is of its game, and knows that a state is won in which a win is one action away; on an empty board of Go none likes a pass."""
    pytest.importorskip("onnxruntime")
    before = {"connect4": [0, 6, 1, 6, 2, 5], "hex": [x for y in range(10) for x in (11 * y + 5, 11 * y + 9)]}
    won = {"othello": "XXXXXX-OOXXXXXOXXOXXXOXXXXOXXXXXXXOOXOXXXOXOXXOXXOOXXOOXXOXXXXXX X"}
    for name in ("connect4", "hex", "othello", "go", "go:size=19"):
        game = zermelo.game(name)
        s = game.read_state(won[name]) if name in won else game.initial()
        for a in before.get(name, []):
            s = game.result(s, a)
        shape, network = load_for(game, "learned")
        trees = Trees(game, shape, 1, interpreted=True, nodes=2)
        trees.set("start", [game.layout.pack(s)])
        trees.run(begin)
        logits, values = network(trees.inputs)
        liked = preferred(game, s, logits[0])
        knows_win = name in before or name in won
        assert knows_win or liked != game.pass_, name
        assert (values[0, 0] > 0.9) == knows_win, name


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda b: b[: len(b) // 2], "is not a network, or is damaged"),
        (lambda b: b"", "is not a network, or is damaged"),
        (lambda b: b.replace(b"zermelo network 1", b"zermelo network 9"), "is not a network, or is damaged"),
        (lambda b: b.replace(b'\\"filters\\": 16', b'\\"filters\\": 17'), "another shape"),
        (lambda b: b.replace(b"tictactoe", b"tictactoo"), "is a network of tictactoo: expected one of tictactoe"),
        (lambda b: b[:-4] + b"\x00\x00\xc0\x7f", "no numbers"),
    ],
)
def test_files_that_are_not_networks(tmp_path, damage, told):
    game, network = network_of("tictactoe")
    save(tmp_path / FILE, network.shape, {n: t.numpy() for n, t in folded(network).items()}, {})
    (tmp_path / FILE).write_bytes(resealed(damage((tmp_path / FILE).read_bytes())))
    with pytest.raises(ZermeloError, match=told):
        MCTS(net=str(tmp_path / FILE), simulations=2).search(game)


def test_settings_that_cannot_be():
    with pytest.raises(ZermeloError, match="expected a model resnet:BLOCKSxFILTERS"):
        ZeroTraining(model="mlp:80")
    with pytest.raises(ZermeloError, match="train by zero has no setting 'trace'"):
        train(zermelo.game("tictactoe"), method="zero", trace=0.5)
    with pytest.raises(ZermeloError, match="expected a network without rave"):
        MCTS(net="x", rave=100.0)
    with pytest.raises(ZermeloError, match="there is no network nowhere"):
        MCTS(net="nowhere").search(zermelo.game("tictactoe"))


def test_a_log_is_json(tmp_path):
    run = train(zermelo.game("tictactoe"), run=tmp_path / "run", games=20, **SMALL)
    lines = [json.loads(line) for line in (tmp_path / "run" / "log.jsonl").read_text().splitlines()]
    assert all(line["policy_error"] >= 0 for line in lines)
    assert Run(tmp_path / "run").trained == run.trained


def test_what_is_learned_from_first_are_not_short_games_alone(tmp_path):
    """There are states enough after two rounds, but no step before a game has ended in every slot."""
    zero = Zero(zermelo.game("tictactoe"), ZeroTraining(**SMALL | {"batch": 2, "games": 100}), Run(tmp_path / "run"))
    while not zero.learned:
        ended = int((zero.player.slots.field("games") > 0).sum())
        zero.learn()
        assert ended < 8 or zero.learned
    assert zero._states > 5 * 8
    known = zero.player.slots.field("is_known") > 0
    won = (zero.player.slots.field("kept_outcome") > 0) & known[:, :, None]
    assert zero.look().one_sided == pytest.approx(float(max(won[:, :, 0].sum(), won[:, :, 1].sum()) / known.sum()))


def test_a_run_in_which_one_side_always_wins_is_told(capsys):
    for share, told in ((0.995, "one side won 99.5% of what is learned from"), (0.9, "")):
        _say_look(Look(1, 1.0, 1.0, 0.0, 9.0, 0, 0.0, 0.0, one_sided=share), "games", False)
        err = capsys.readouterr().err
        assert told in err and bool(told) == bool(err)


@pytest.mark.slow
def test_twenty_kills(tmp_path):
    """A run that is killed goes on where it was, loses less than 30 s, and its log has no break."""
    folder, chance = tmp_path / "run", np.random.default_rng(1)
    told = ["--method", "zero", "--device", "cpu", "--seconds", "2000", "--run", str(folder)]
    call = [sys.executable, "-m", "zermelo", "train", "tictactoe", *told]
    before = (0, 0.0)
    for _ in range(20):
        written = (folder / FILE).stat().st_mtime if (folder / FILE).exists() else 0.0
        process = subprocess.Popen(call, stdout=subprocess.DEVNULL)
        while not (folder / FILE).exists() or (folder / FILE).stat().st_mtime == written:
            assert process.poll() is None
            time.sleep(0.02)
        time.sleep(chance.random() * 14)
        process.kill()
        process.wait()
        assert time.time() - (folder / FILE).stat().st_mtime < 30
        now = Run(folder).trained
        assert now[0] >= before[0] and now[1] > before[1]  # games, seconds of training
        before = now
    looks = Run(folder).looks()
    assert looks[-1].games > 1000
    assert len(looks) >= int(before[1] / 100)  # one for every twentieth of the run
    assert all(a.games < b.games and a.seconds < b.seconds for a, b in itertools.pairwise(looks))
