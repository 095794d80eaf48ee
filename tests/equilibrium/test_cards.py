"""Buckets of hands, the tree of betting, sampling over both, and strategies that are played by lookup: with a deck of sixteen cards."""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from helpers_cli import called, refusal

import zermelo
from zermelo import ZermeloError
from zermelo.equilibrium.cards import buckets as of_buckets
from zermelo.equilibrium.cards.betting import betting_tree
from zermelo.equilibrium.cards.boards import ROW, sorted_boards, starting_hand
from zermelo.equilibrium.cards.buckets import make_buckets
from zermelo.equilibrium.cards.duel import duel
from zermelo.equilibrium.cards.equities import BINS, Equities, score, spread, top_score
from zermelo.equilibrium.cards.game import follow
from zermelo.equilibrium.cards.kmeans import assigned, centres_of, cumulative, line_clusters
from zermelo.equilibrium.cards.response import Responding, Response, all_boards, draw_boards, walk_boards
from zermelo.equilibrium.cards.sampling import Sampling, sample
from zermelo.equilibrium.cards.solve import solve_cards
from zermelo.equilibrium.cards.strategy import CardStrategy, CardTable
from zermelo.lower.memory import Words
from zermelo.search.prepare import prepare

TEXT, BUCKETS = "holdem:ranks=4", 8
GAME = zermelo.game(TEXT)
CARDS = [c for c in range(52) if GAME.deck >> c & 1]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A strategy over few buckets."""
    path = tmp_path_factory.mktemp("cards") / "cards.strategy"
    solve_cards(GAME, buckets=BUCKETS, iterations=20_000, seed=3, run=path)
    return path


@pytest.fixture(scope="module")
def strategy(file):
    found = CardStrategy.load(file)
    found.check_game(GAME)
    return found


def word(cards) -> int:
    return sum(1 << c for c in cards)


def brute_score(hand: int, board: int) -> int:
    """Twice the hands that this one beats, and those that equal it."""
    own, unseen = GAME.strength(hand | board), [c for c in CARDS if not (hand | board) >> c & 1]
    others = [GAME.strength(word(pair) | board) for pair in itertools.combinations(unseen, 2)]
    return 2 * sum(own > x for x in others) + sum(own == x for x in others)


# ---- hands and boards ----------------------------------------------------------------------------


def test_boards_up_to_the_names_of_suits():
    """The published numbers; with their weights they are all boards."""
    found = [sorted_boards((1 << 52) - 1, size) for size in (3, 4, 5)]
    assert [len(boards) for boards, _ in found] == [1755, 16_432, 134_459]
    assert [weights.sum() for _, weights in found] == [22_100, 270_725, 2_598_960]


def test_starting_hands():
    kinds = [starting_hand(word(pair)) for pair in itertools.combinations(range(52), 2)]
    counts = np.bincount(kinds, minlength=169)
    assert sorted(set(counts)) == [4, 6, 12] and [(counts == n).sum() for n in (4, 6, 12)] == [78, 13, 78]


def test_scores_and_histograms_are_those_of_all_hands():
    """All hands at once, by sorting, against one hand at a time; histograms against all cards that may come, one after the other."""
    boards, begins = of_buckets._all_boards(GAME)
    words, chooser = Words.of(boards, False), random.Random(1)
    scores = of_buckets._scores(GAME, words, begins[3], begins[4], False, lambda name, share: None)
    rows = scores.read(0, (begins[4] - begins[3]) * ROW).view("<u2").reshape(-1, 4 * ROW)
    for _ in range(40):
        row = chooser.randrange(len(rows))
        board = int(boards[begins[3] + row])
        a, b = sorted(chooser.sample([c for c in CARDS if not board >> c & 1], 2))
        assert rows[row, b * (b - 1) // 2 + a] == score(GAME, 1 << a | 1 << b, board) == brute_score(1 << a | 1 << b, board)
    assert top_score(GAME) - 1 == 2 * 9 * 8 // 2
    tables, others = {}, Words(0, False)
    for r in (2, 1):
        tables[r] = Words((begins[r + 1] - begins[r]) * 4 * ROW * BINS // 4, False)
        given = {"boards": words.table, "board_begin": begins, "round": r, "top": top_score(GAME), "rows": scores.table}
        given |= {"row_begin": begins[3], "histograms": tables[r].table, "others": others.table}
        prepare(GAME, spread, Equities, False)(**given, begin=begins[r], end=begins[r + 1])
        others = tables[r]
        found = tables[r].array.view("<u2").reshape(-1, 4 * ROW, BINS)
        for _ in range(3):
            row = chooser.randrange(len(found))
            board = int(boards[begins[r] + row])
            a, b = sorted(chooser.sample([c for c in CARDS if not board >> c & 1], 2))
            unseen = [c for c in CARDS if not (board | 1 << a | 1 << b) >> c & 1]
            ends = [score(GAME, 1 << a | 1 << b, board | word(some)) for some in itertools.permutations(unseen, 3 - r)]
            expected = np.bincount([x * BINS // top_score(GAME) for x in ends], minlength=BINS)
            assert np.array_equal(found[row, b * (b - 1) // 2 + a], expected)


def test_suits_have_no_names(strategy):
    chooser, buckets = random.Random(2), strategy.table.buckets
    for _ in range(30):
        cards, suits = chooser.sample(CARDS, 7), chooser.sample(range(4), 4)
        renamed = [13 * suits[c // 13] + c % 13 for c in cards]
        for n in (0, 3, 4, 5):
            assert buckets.of(word(cards[:2]), word(cards[2 : 2 + n])) == buckets.of(word(renamed[:2]), word(renamed[2 : 2 + n]))


def test_buckets_natively_and_interpreted():
    native, again = make_buckets(GAME, 3, 5), make_buckets(GAME, 3, 5)
    assert np.array_equal(native.rows, again.rows) and native.sizes == (169, 3, 3, 3)
    interpreted = of_buckets.Buckets(GAME, native.rows, native.clusters, interpreted=True)
    chooser = random.Random(3)
    for _ in range(20):
        cards = chooser.sample(CARDS, 7)
        for n in (0, 3, 4, 5):
            hand, board = word(cards[:2]), word(cards[2 : 2 + n])
            assert native.of(hand, board) == interpreted.of(hand, board)


# ---- clusters ------------------------------------------------------------------------------------


def test_clusters():
    """The nearest centre is found among all, interpreted and native; better hands have later, or earlier, buckets on a line."""
    chooser = np.random.default_rng(1)
    counts = chooser.multinomial(46, chooser.dirichlet(np.full(BINS, 0.4), 300)).astype("<u2")
    points = counts.view(np.uint64).reshape(-1, BINS // 4)
    centres = centres_of(GAME, points, 20, np.random.default_rng(2))
    x = cumulative(points)
    distances = ((x[:, None] - centres[None]) ** 2).sum(axis=2)
    for interpreted in (False, True):
        found = assigned(GAME, Words.of(points, interpreted), len(points), centres, interpreted)
        assert np.allclose(distances[np.arange(len(x)), found], distances.min(axis=1), atol=1e-12)
    start = ((x[:, None] - x[None, :20]) ** 2).sum(axis=2).min(axis=1).sum()
    assert len(centres) == 20 and distances.min(axis=1).sum() < 0.8 * start
    twins = np.repeat(points[:5], 10, axis=0)
    assert len(centres_of(GAME, twins, 20, np.random.default_rng(2))) == 5


def test_clusters_on_a_line():
    weights = np.array([5.0, 5, 0, 0, 0, 9, 9, 0, 0, 0, 0, 1, 1])
    assert line_clusters(weights, 3)[weights > 0].tolist() == [0, 0, 1, 1, 2, 2]
    assert line_clusters(np.ones(50), 50).tolist() == list(range(50))


# ---- the betting -----------------------------------------------------------------------------------


def test_the_tree_of_betting():
    tree = betting_tree(GAME)
    rounds = [node.round for node in tree.nodes if node.actions]
    assert [rounds.count(r) for r in range(4)] == [8, 70, 630, 5670]
    chooser = random.Random(4)
    for _ in range(50):
        cards = chooser.sample(CARDS, 9)
        s, i, dealt = follow(GAME, GAME.initial(), cards), 0, 4
        while not GAME.is_terminal(s):
            assert tree.by_betting[GAME.betting(s)] == i and tree.nodes[i].actions == tuple(GAME.actions(s))
            k = chooser.randrange(len(tree.nodes[i].actions))
            s, i = GAME.result(s, tree.nodes[i].actions[k]), tree.nodes[i].child + k
            t = follow(GAME, s, cards[dealt:])
            dealt, s = dealt + (GAME.board(t) ^ GAME.board(s)).bit_count(), t
        mine, theirs = (GAME.strength(word(some) | word(cards[4:])) for some in (cards[:2], cards[2:4]))
        assert tree.ends[tree.nodes[i].end][0 if mine < theirs else 1 if mine == theirs else 2] == GAME.utility(s, 0)


def test_games_without_cards_are_refused():
    with pytest.raises(ZermeloError, match="does not say what its hands are"):
        solve_cards(zermelo.game("kuhn"), buckets=3, iterations=1)


# ---- sampling --------------------------------------------------------------------------------------


def test_sampling_natively_and_interpreted(strategy):
    """The same regrets and averages to the bit."""
    table, found = strategy.table, []
    interpreted = of_buckets.Buckets(GAME, table.buckets.rows, table.buckets.clusters, interpreted=True)
    for is_interpreted, buckets in ((False, table.buckets), (True, interpreted)):
        regrets, averages = (Words(table.sequences, is_interpreted) for _ in range(2))
        nodes = Words.of(table.tree.words(table.buckets.sizes), is_interpreted)
        ends = Words.of(np.array(table.tree.ends), is_interpreted)
        given = {"regrets": regrets.table, "averages": averages.table, "nodes": nodes.table, "ends": ends.table, "seed": 7}
        prepare(GAME, sample, Sampling, is_interpreted)(**buckets.fields, **given, iterations=8)
        found.append([words.read(0, table.sequences).copy() for words in (regrets, averages)])
    assert np.array_equal(found[0], found[1]) and all(words.any() for words in found[0])


def always(table, action):
    """The weights of a player who takes this action, or the next one, whenever it can."""
    found = np.zeros(table.sequences)
    for i, node in enumerate(table.tree.nodes):
        if node.actions:
            k = next(k for k, a in enumerate(node.actions) if a >= action)
            found[table.firsts[i] : table.firsts[i + 1]].reshape(-1, len(node.actions))[:, k] = 1.0
    return found


def test_it_learns(strategy):
    """It wins from those who call or do anything."""
    table, averages = strategy.table, strategy.arrays["averages"]
    anything, calls = np.ones(table.sequences), always(table, 1)
    for other in (anything, calls):
        won = duel(GAME, table.fields, averages, other, 5000, 1)
        assert won.mean > 4 * won.error > 0
    assert duel(GAME, table.fields, calls, calls, 500, 2).mean == 0.0  # what one seat wins, the other loses with the same cards


# ---- responses -------------------------------------------------------------------------------------


def test_responses_win_what_duels_say(strategy):
    """On boards that they have not seen; less from the strategy than from a player who does anything."""
    table, averages, gains = strategy.table, strategy.arrays["averages"], []
    for weights in (averages, np.ones(table.sequences)):
        response = Response(table, weights)
        assert list(response.learn(draw_boards(GAME, 25, 1))) == [3, 2, 1, 0]
        found = response.gains(draw_boards(GAME, 50, 2))
        won = duel(GAME, table.fields, response.weights, weights, 5000, 3)
        assert abs(found.mean() - won.mean) < 4 * (won.error + found.std() / 50**0.5)
        gains.append(found.mean())
    assert 0 < gains[0] < 0.5 * gains[1]


def edges(table, boards):
    """Of each board and hand the buckets of all rounds, and how many more of the other's hands it beats than beat it."""
    for board in boards.tolist():
        hands = [sum(1 << c for c in pair) for pair in itertools.combinations([c for c in CARDS if not board[2] >> c & 1], 2)]
        strengths = {hand: GAME.strength(hand | board[2]) for hand in hands}
        for hand in hands:
            others = [x for other, x in strengths.items() if not other & hand]
            kinds = tuple(table.buckets.of(hand, seen) for seen in (0, *board[:3]))
            yield kinds, sum(strengths[hand] > x for x in others) - sum(strengths[hand] < x for x in others), len(others)


def test_a_response_that_remembers_is_exact():
    """Against a player who always calls, one bet a round is won with each history of buckets that wins more often than it loses."""
    table, boards = CardTable(GAME, make_buckets(GAME, 2, 5)), draw_boards(GAME, 3, 1)
    for weights, expected in ((always(table, 1), None), (always(table, 0), 1.5)):  # who always folds loses a blind, 2 or 1
        response = Response(table, weights, remembers=True)
        assert list(response.learn(boards)) == [3, 2, 1, 0]
        if expected is None:
            gains, counts = [dict[tuple[int, ...], int]() for _ in range(4)], dict[int, int]()
            for kinds, edge, others in edges(table, boards):
                counts[kinds[0]] = counts.get(kinds[0], 0) + others
                for r in range(4):
                    gains[r][kinds[: r + 1]] = gains[r].get(kinds[: r + 1], 0) + edge
            bets = [
                sum(size * max(0, x) for k, x in gains[r].items() if k[0] == start)
                for start in counts
                for r, size in enumerate((2, 2, 4, 4))
            ]
            called = [2 * gains[0][start,] + sum(bets[4 * i : 4 * i + 4]) for i, start in enumerate(counts)]
            folded = [max(x, -n) for x, n in zip(called, counts.values(), strict=True)]  # player 0 may also fold at once, and lose 1
            expected = (sum(called) + sum(folded)) / (2 * sum(counts.values()))
        assert response.gains(boards).mean() == pytest.approx(expected, abs=1e-9)


def test_all_boards():
    boards = all_boards(GAME)
    weights = boards[:, 3].view(np.float64)
    assert weights.mean() == pytest.approx(1) and len(boards) == 4272
    least = 24 * weights.min() / (weights.sum() * 24)  # of a board that 24 ways to name the suits make different, or fewer
    assert 1 / least == pytest.approx(560 * 13 * 12 / round(least * 560 * 13 * 12))


def test_walks_natively_and_interpreted(strategy):
    """The same values to the bit."""
    table, board, found = strategy.table, draw_boards(GAME, 1, 4), []
    interpreted = of_buckets.Buckets(GAME, table.buckets.rows, table.buckets.clusters, interpreted=True)
    for is_interpreted, buckets in ((False, table.buckets), (True, interpreted)):
        arrays = {"nodes": table.tree.words(table.buckets.sizes), "ends": np.array(table.tree.ends), "samples": board}
        arrays |= {"starts": np.arange(169), "sigma": always(table, 1), "own": always(table, 1) / 2, "earned": np.zeros(table.sequences)}
        words = {name: Words.of(array, is_interpreted) for name, array in (arrays | {"gains": np.zeros(1)}).items()}
        given = buckets.fields | {name: x.table for name, x in words.items()} | {"has_scores": 0}
        prepare(GAME, walk_boards, Responding, is_interpreted)(**given, begin=0, end=1, round=2, player=1, recall=[0] * 4)
        found.append(words["earned"].read(0, table.sequences).copy())
    assert np.array_equal(found[0], found[1]) and found[0].any()


def test_it_looks_only_at_what_the_player_sees(strategy):
    s = GAME.read_state("AsKd QhQc rc/AdQdJh")
    policies = [strategy.policy(GAME, GAME.resample(s, 1, seed)) for seed in range(20)]
    assert policies == [strategy.policy(GAME, s)] * 20 and sum(policies[0].values()) == pytest.approx(1)
    with pytest.raises(ZermeloError, match="no player is to move"):
        strategy.policy(GAME, GAME.initial())


def test_a_run_goes_on_as_if_nothing_had_happened(tmp_path):
    whole = solve_cards(GAME, buckets=BUCKETS, iterations=900, seed=5)
    for iterations in (200, 500, 900):
        parts = solve_cards(zermelo.game(TEXT), buckets=BUCKETS, iterations=iterations, seed=5, run=tmp_path / "s")
    for name in whole.arrays:
        assert np.array_equal(whole.arrays[name], parts.arrays[name]), name


KILLED = """
import sys, zermelo
from zermelo.equilibrium.cards import solve
solve.SAVED_EVERY = solve.PART = 0.01
solve.solve_cards(zermelo.game("holdem:ranks=4"), buckets=8, iterations=10**12, seed=5, run=sys.argv[1])
"""


def test_a_run_goes_on_after_kill_9(tmp_path):
    path = tmp_path / "s"
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(path)])
    while not path.exists():
        assert process.poll() is None
        time.sleep(0.02)
    time.sleep(0.2)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    done = CardStrategy.load(path).about.iterations
    parts = solve_cards(GAME, buckets=BUCKETS, iterations=done + 50, seed=5, run=path)
    whole = solve_cards(GAME, buckets=BUCKETS, iterations=done + 50, seed=5)
    assert np.array_equal(whole.arrays["regrets"], parts.arrays["regrets"]) and parts.about.iterations == done + 50


# ---- commands --------------------------------------------------------------------------------------


def test_the_command(tmp_path, file, capsys):
    path = tmp_path / "s"
    done = called(capsys, "solve", TEXT, "--buckets", "5", "--iterations", "300", "--run", str(path), "--json")
    lines = done.out.splitlines()
    last = json.loads(lines[-1])
    assert (last["iterations"], last["buckets"], last["method"]) == (300, [169, 5, 5, 5], "mccfr") and last["nash_conv"] is None
    assert CardStrategy.load(path).about.iterations == 300
    shown = called(capsys, "strategy", str(file)).out.splitlines()
    assert "A" in shown[3] and "raise" in shown[3] and "%" in shown[3]
    one = json.loads(called(capsys, "strategy", str(file), "--state", "AsKd QhQc rc/AdQdJh c", "--json").out)
    assert sum(one["policy"].values()) == pytest.approx(1) and set(one["policy"]) == {"call", "raise"}
    done = called(capsys, "match", TEXT, f"strategy:{file}", "random", "--games", "4", "--seed", "1")
    assert done.code == 0 and "strategy" in done.out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--buckets", "5"], "expected seconds or iterations"),
        (["--buckets", "0", "--iterations", "5"], "buckets from 1"),
        (["--buckets", "5", "--until", "1", "--iterations", "5"], "expected no --until"),
        (["--buckets", "5", "--method", "cfr", "--iterations", "5"], "no --method but mccfr"),
        (["--seconds", "5"], "expected no --seconds"),
    ],
)
def test_what_cannot_be_asked_for(options, sentence, capsys):
    assert sentence in refusal(called(capsys, "solve", TEXT, *options))


def test_other_files_are_refused(tmp_path, file, capsys):
    for asked, sentence in ((["--seed", "4"], "was begun with seed 3"), (["--seed", "3", "--buckets", "9"], "was begun with buckets 8")):
        given = ["--buckets", str(BUCKETS), *asked, "--iterations", "5", "--run", str(file)]
        assert sentence in refusal(called(capsys, "solve", TEXT, *given))
    with pytest.raises(ZermeloError, match="the strategy is of holdem:ranks=4"):
        CardStrategy.load(file).check_game(zermelo.game("holdem"))
    whole = CardStrategy.load(file)
    for name in ("rows", "averages"):
        other = CardStrategy(whole.about, whole.arrays | {name: whole.arrays[name][:-1]})
        with pytest.raises(ZermeloError, match="expected"):
            other.check_game(GAME)
    damaged = tmp_path / "s"
    damaged.write_bytes(file.read_bytes()[:-9])
    with pytest.raises(ZermeloError, match="is damaged: it has another checksum"):
        CardStrategy.load(damaged)
