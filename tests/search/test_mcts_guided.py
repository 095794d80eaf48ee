"""Playout policies, RAVE and evaluators of MCTS: each works, the same interpreted and native, and helps in suitable games."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from helpers import backed_up
from trees import CONNECT, TICTACTOE, spied, told, tree_of

import zermelo
from zermelo.bits import bit, u64
from zermelo.errors import ZermeloError
from zermelo.games.mnk import MNK, State
from zermelo.lower.memory import to_real
from zermelo.rng import below
from zermelo.search.mcts.rave import SLOTS
from zermelo.search.mcts.rollout_policies import note_taken, slot_of
from zermelo.search.mcts.searcher import MCTS


class Greedy(MNK):
    """Tic-tac-toe whose own playouts take a win, else any cell."""

    def playout_action(self, s, random: u64):
        for a in self.actions(s):
            if self.is_won(s.mine | bit(a)):
                return a
        return self.sample(s, random)


class Bits(MNK):
    """An m,n,k-game on 64 cells whose actions are words with one bit."""

    def __init__(self):
        super().__init__(8, 8, 3)

    def actions(self, s):
        free = self.free(s) & u64(0xFFFF000000000001)
        while free:
            yield free & ~(free - u64(1))
            free = free & (free - u64(1))

    def result(self, s, a: u64):
        return State(s.theirs, s.mine | a)

    def is_terminal(self, s):
        return self.free(s) & u64(0xFFFF000000000001) == 0

    def count(self, s):
        n = 0
        for _ in self.actions(s):
            n += 1
        return n

    def sample(self, s, random: u64):
        k, chosen = below(random, self.count(s)), u64(0)
        for a in self.actions(s):
            if k == 0:
                chosen = a
            k -= 1
        return chosen


GREEDY, BITS = Greedy(), Bits()


@pytest.fixture
def pools(monkeypatch):
    return spied(monkeypatch)


def same_both_ways(pools, game, simulations, **given):
    native = MCTS(simulations=simulations, **given).search(game)
    assert told(native) == told(MCTS(simulations=simulations, interpreted=True, **given).search(game))
    assert tree_of(pools[-1]) == tree_of(pools[-2])
    return native


# ---- policies --------------------------------------------------------------------------------------


def test_the_games_own_policy(pools):
    same_both_ways(pools, GREEDY, 300, policy="game")
    plain, own = (MCTS(simulations=2000, policy=policy, depth=1, solver=False).search(GREEDY) for policy in ("uniform", "game"))
    assert told(plain) != told(own)
    s = GREEDY.read_state("OO./X../..X")  # its playouts see that O wins next, where nobody defends
    seen = MCTS(simulations=400, policy="game", depth=1, solver=False).search(GREEDY, s)
    assert seen.action == 8 and all(v == -1 for a, v in seen.scores.items() if a != 8)
    with pytest.raises(ZermeloError, match="expected a game that has a playout policy of its own, and tictactoe has none"):
        MCTS(policy="game").search(TICTACTOE)


def test_learned_averages_are_those_of_the_simulations(pools):
    """One simulation, one average: the actions that it took, each for the player who took it."""
    MCTS(simulations=1, policy="learned", interpreted=True, solver=False).search(TICTACTOE)
    pool = pools[-1]
    learned = pool.places()["learned"]
    known = {}
    for p in range(2):
        for a in range(9):
            at = learned + 2 * slot_of(p, a)
            if pool._words.word(at + 1):
                known[p, a] = to_real(pool._words.word(at))
    values = {p: {v for (q, _), v in known.items() if q == p} for p in range(2)}
    assert 5 <= len(known) <= 9 and len({a for _, a in known}) == len(known)
    assert len(values[0]) == len(values[1]) == 1 and values[0].pop() == -values[1].pop()
    assert pool.slots == 4 * SLOTS


def test_small_actions_have_slots_of_their_own():
    assert len({slot_of(p, a) for p in range(2) for a in range(1500)}) == 3000


@pytest.mark.parametrize("given", [{"policy": "learned"}, {"rave": 100}, {"policy": "learned", "rave": 100, "puct": True}], ids=str)
def test_guided_searches_converge(given):
    known = {}
    for heaps in ((2, 3, 4), (1, 3, 4), (2, 2, 1), (1, 2, 3)):
        game = zermelo.game("nim:heaps=2,3,4")
        s = game.initial()._replace(heaps=heaps)
        result = MCTS(simulations=20_000, **given).search(game, s)
        assert result.exact and result.values == backed_up(game, s, known)
    assert MCTS(simulations=20_000, solver=False, **given).search(TICTACTOE).value == pytest.approx(0, abs=0.35)


def test_chance_is_not_learned(pools):
    """The dice are nobody's actions: with chance, and with three players, all is the same natively."""
    for text in ("pig:target=10", "trio"):
        same_both_ways(pools, zermelo.game(text), 200, policy="learned", rave=30)


# ---- RAVE ------------------------------------------------------------------------------------------


def test_amaf_counts_what_was_taken_later(pools):
    """After one simulation, every cell that the first player took counts once, and no other."""
    MCTS(simulations=1, rave=10, interpreted=True, solver=False).search(TICTACTOE)
    pool = pools[-1]
    amaf, (first, found) = pool.places()["amaf"], pool.family(0)
    counts = [pool._words.word(amaf + 2 * (first + i) + 1) for i in range(9)]
    means = {to_real(pool._words.word(amaf + 2 * (first + i))) for i in range(9) if counts[i]}
    assert 3 <= sum(counts) <= 5 and max(counts) == 1 and len(means) == 1
    assert [c.visits for c in found].count(1) == 1 and counts[[c.visits for c in found].index(1)] == 1


def test_priors_count_as_visits_of_amaf(pools):
    """Before anything was tried, AMAF knows what the game expects; it then learns as if it had seen that so often."""
    game = zermelo.game("go:size=4")
    same_both_ways(pools, game, 120, policy="game", rave=100, prior=7, ripe=3, exploration=0.1)
    MCTS(simulations=1, policy="game", rave=100, prior=7, interpreted=True, solver=False).search(game)
    pool, s = pools[-1], game.initial()
    amaf, (first, found) = pool.places()["amaf"], pool.family(0)
    for i, child in enumerate(found):
        count, mean = pool._words.word(amaf + 2 * (first + i) + 1), to_real(pool._words.word(amaf + 2 * (first + i)))
        assert count in (7, 8)
        assert count == 8 or mean == game.prior_value(s, child.action)
    best = max(game.prior_value(s, a) for a in game.actions(s))
    assert [game.prior_value(s, c.action) for c in found if c.visits] == [best]


def test_who_was_first_there_counts():
    """Notes are made from the end of a simulation: whoever took an action before another player did, has it."""
    work = SimpleNamespace(taken=[0] * (2 * SLOTS), simulations=5, learned=0)
    black, white = slot_of(0, 3), slot_of(1, 3)
    note_taken(black, 1.0, work)
    assert (work.taken[black], work.taken[white]) == (5, 0)
    note_taken(white, -1.0, work)
    assert (work.taken[black], work.taken[white]) == (0, 5)
    note_taken(slot_of(0, 4), 1.0, work)
    assert work.taken[white] == 5


@pytest.mark.parametrize("ripe", [1, 4])
def test_a_ripe_leaf_gets_its_children(pools, ripe):
    MCTS(simulations=300, ripe=ripe, solver=False, interpreted=True).search(CONNECT)
    tree = tree_of(pools[-1])
    assert any(child.visits == ripe for child in tree.values())
    for path, child in tree.items():
        assert child.visits > ripe or not any(other[: len(path)] == path and len(other) > len(path) for other in tree)


@pytest.mark.slow
@pytest.mark.parametrize(("text", "given"), [("hex:size=5", {"rave": 300}), ("mnk:width=6,height=6,line=4", {"policy": "learned"})])
def test_it_learns_faster_where_actions_keep_their_meaning(text, given):
    """With as few simulations it beats plain MCTS: 40 games, each from both sides."""
    game, score = zermelo.game(text), 0
    searches = [MCTS(simulations=300, **given), MCTS(simulations=300)]
    for number in range(40):
        s, me = game.initial(), number % 2
        while not game.is_terminal(s):
            search = searches[game.to_move(s) != me]
            s = game.result(s, replace(search, seed=number).search(game, s).action)
        score += game.utility(s, me)
    assert score >= 8  # three games in five are won


# ---- evaluators ------------------------------------------------------------------------------------


def model(leaves):
    """A made-up policy and value, from the packed words alone."""
    priors = [[1 + (a * 7 + len(row)) % 5 for a in row] for row in leaves.actions]
    return priors, ((leaves.words[:, 0] * np.uint64(31) + leaves.words[:, -1]) % np.uint64(101)).astype(float) / 60 - 0.8


@pytest.mark.parametrize("batch", [1, 5])
def test_an_evaluator_is_the_same_interpreted_and_native(pools, batch):
    for given in ({}, {"solver": False}):
        result = same_both_ways(pools, CONNECT, 200, evaluator=model, batch=batch, **given)
        assert result.nodes == 200 and sum(c.visits for c in pools[-1].family(0)[1]) == 200


def test_what_an_evaluator_is_given(pools):
    asked = []

    def spy(leaves):
        asked.append(leaves)
        assert all(not TICTACTOE.is_terminal(s) for s in leaves.states)
        assert [sorted(row) for row in leaves.actions] == [list(TICTACTOE.actions(s)) for s in leaves.states]
        assert leaves.to_move == [TICTACTOE.to_move(s) for s in leaves.states]
        return None, np.zeros(len(leaves))

    result = MCTS(simulations=100, evaluator=spy, batch=6, solver=False, interpreted=True).search(TICTACTOE)
    assert [len(leaves) for leaves in asked[:2]] == [1, 6] and max(map(len, asked)) == 6
    assert asked[0].states == [TICTACTOE.initial()] and result.evaluations >= sum(map(len, asked))
    states = [s for leaves in asked for s in leaves.states]
    assert len(states) == len(tree_inner(pools[-1]))  # each node is asked for once


def tree_inner(pool):
    """The paths of all nodes that have children."""
    return {path[:-1] for path in tree_of(pool)}


def test_priors_and_values_are_what_was_said(pools):
    def sure(leaves):
        """Cell 3 before all others, and whoever has the corner 0 wins."""
        values = [0.0 if not (s.mine | s.theirs) & 1 else 0.9 if s.mine & 1 else -0.9 for s in leaves.states]
        return [[10.0 if a == 3 else 1.0 for a in row] for row in leaves.actions], values

    few = MCTS(simulations=5, evaluator=sure, batch=1, interpreted=True, solver=False).search(TICTACTOE)
    pool = pools[-1]
    priors = pool.places()["priors"]
    first, found = pool.family(0)
    assert {c.action: to_real(pool._words.word(priors + first + i)) for i, c in enumerate(found)} == pytest.approx(
        {a: (10 if a == 3 else 1) / 18 for a in range(9)}
    )
    assert few.action == 3
    many = MCTS(simulations=3000, evaluator=sure, batch=8, solver=False).search(TICTACTOE)
    assert many.action == 0 and many.value > 0.5


def test_an_evaluator_for_three_players_and_chance():
    trio, pig = zermelo.game("trio"), zermelo.game("pig:target=10")
    values = MCTS(simulations=50, evaluator=lambda x: (None, [(0.5, -0.25, -0.25)] * len(x)), interpreted=True).search(trio).values
    assert values == pytest.approx((0.5, -0.25, -0.25), abs=0.2)
    assert MCTS(simulations=300, evaluator=lambda x: (None, [0.0] * len(x)), interpreted=True).search(pig).nodes == 300


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        (5, "expected a pair of priors and values, not int"),
        ((None, [0.0, 1.0]), "expected for each leaf a value for the player to move, or a value for each of 2 players"),
        ((None, [float("nan")]), "expected for each leaf a value"),
        (([[1.0]], [0.0]), "expected for each leaf as many priors as it has actions"),
        (([[-1.0] * 9], [0.0]), "expected priors of at least 0"),
    ],
)
def test_an_evaluator_that_says_nonsense(said, wrong):
    with pytest.raises(ZermeloError, match=wrong):
        MCTS(evaluator=lambda leaves: said, interpreted=True).search(TICTACTOE)


# ---- actions that are words ------------------------------------------------------------------------


@pytest.mark.slow
def test_actions_that_are_words_of_64_bits(pools):
    """A word from 2^63 on is a negative number natively, and the game's own action in the result."""
    result = same_both_ways(pools, BITS, 300)
    assert sorted(result.scores) == sorted(BITS.actions(BITS.initial())) and max(result.scores) == 1 << 63
    same_both_ways(pools, BITS, 200, policy="learned", rave=30)
    seen = []

    def spy(leaves):
        seen.extend(a for row in leaves.actions for a in row)
        return None, np.zeros(len(leaves))

    same_both_ways(pools, BITS, 100, evaluator=spy, batch=3)
    assert max(seen) == 1 << 63 and min(seen) == 1
