"""MCTS: it converges to the values of brute force, its proofs are right, and it obeys its seed and its memory limit."""

from __future__ import annotations

import random
import threading
import time
import tracemalloc
from itertools import pairwise

import pytest
from helpers import backed_up, walk
from hypothesis import given, settings
from hypothesis import strategies as st
from trees import CONNECT, TICTACTOE, spied, told, tree_of

import zermelo
from zermelo.errors import ZermeloError
from zermelo.games.mnk import MNK
from zermelo.games.tree import Tree
from zermelo.lower.memory import to_real
from zermelo.search import montecarlo
from zermelo.search.mcts.searcher import MCTS
from zermelo.search.mcts.tree import Pool
from zermelo.search.stop import Stop

LINES = (3, 2, 3, 2, 4, 2, 3, 2, 3)  # that each cell of tic-tac-toe is part of


class Centre(MNK):
    """Tic-tac-toe that knows a good order."""

    def order(self, s, a):
        return LINES[a]


CENTRE = Centre()


def best_actions(game, s, known):
    me = game.to_move(s)
    after = {a: backed_up(game, game.result(s, a), known)[me] for a in game.actions(s)}
    return [a for a, v in after.items() if v == pytest.approx(max(after.values()))]


@pytest.fixture(scope="module")
def solved():
    known = {}
    backed_up(TICTACTOE, TICTACTOE.initial(), known)
    return known


@pytest.fixture
def pools(monkeypatch):
    """The pools that searches have made."""
    return spied(monkeypatch)


# ---- what it finds -------------------------------------------------------------------------------


def test_tictactoe_converges(solved):
    result = MCTS(simulations=200_000, solver=False).search(TICTACTOE)
    assert abs(result.value) < 0.05 and not result.exact
    assert list(result.scores) == list(range(9)) and result.scores[result.action] == result.value
    for s in walk(TICTACTOE, 5, 20):
        if not TICTACTOE.is_terminal(s):
            assert MCTS(simulations=5000).search(TICTACTOE, s).action in best_actions(TICTACTOE, s, solved)


@pytest.mark.parametrize(("perfect", "games"), [(False, 1000), pytest.param(True, 1000, marks=pytest.mark.slow)])
def test_never_loses_a_drawn_game(solved, perfect, games):
    """As it comes, with 10,000 simulations; those who play at random are beaten, and perfect play is held."""
    chooser, got = random.Random(1), 0
    for number in range(games):
        s, me = TICTACTOE.initial(), number % 2
        while not TICTACTOE.is_terminal(s):
            if TICTACTOE.to_move(s) == me:
                a = MCTS(seed=number).search(TICTACTOE, s).action
            else:
                a = chooser.choice(best_actions(TICTACTOE, s, solved) if perfect else list(TICTACTOE.actions(s)))
            s = TICTACTOE.result(s, a)
        assert TICTACTOE.utility(s, me) >= 0, TICTACTOE.show(s)
        got += TICTACTOE.utility(s, me)
    assert got == 0 if perfect else got > 0.7 * games


def test_never_loses_a_won_nim():
    """Whoever can win by the sum of the heaps does, whatever the other plays: 1,000 games from every start that is won."""
    game, chooser = zermelo.game("nim:heaps=2,3,4"), random.Random(2)
    for number in range(1000):
        heaps = tuple(chooser.randrange(1, most + 1) for most in (2, 3, 4))
        s = game.initial()._replace(heaps=heaps)
        me = 0 if heaps[0] ^ heaps[1] ^ heaps[2] else 1
        while not game.is_terminal(s):
            mine = game.to_move(s) == me
            s = game.result(s, MCTS(seed=number).search(game, s).action if mine else chooser.choice(list(game.actions(s))))
        assert game.utility(s, me) == 1


def test_nim():
    game = zermelo.game("nim:heaps=2,3,4")
    for heaps in ((2, 3, 4), (1, 3, 4), (2, 3, 2), (0, 1, 4), (2, 2, 1), (1, 2, 3)):
        s = game.initial()._replace(heaps=heaps)
        for solver in (False, True):
            result = MCTS(simulations=20_000, solver=solver).search(game, s)
            t = game.result(s, result.action)
            won = heaps[0] ^ heaps[1] ^ heaps[2] != 0
            assert not won or t.heaps[0] ^ t.heaps[1] ^ t.heaps[2] == 0
            assert result.exact == solver and result.value == (1 if won else -1) if solver else (result.value > 0) == won


def test_three_players_take_a_win_in_one():
    game = zermelo.game("trio")
    result = MCTS(simulations=2000).search(game, game.read_state("XX../OO../Z.../...Z"))
    assert game.write_action(game.initial(), result.action) == "c4"
    assert result.values == pytest.approx((1, -0.5, -0.5), abs=0.1) and result.value == result.values[0]
    late = game.read_state("XX../OO../Z.../XZ..")  # O wins at c3, or must at least not let X win
    assert game.write_action(late, MCTS(simulations=2000).search(game, late).action) == "c3"


def test_chance_in_bins():
    result = MCTS(simulations=20_000).search(zermelo.game("bins:game=2"))
    assert result.action == 2 and result.line == (2,)  # what chance does then is no part of the line
    assert result.value == pytest.approx(-2, abs=1) and max(result.scores, key=result.scores.get) == 2


def test_chance_in_pig():
    """Against the values that iteration finds, where one choice is clearly better."""
    target = 10
    game = zermelo.game(f"pig:target={target}")
    win = {}  # the chance to win of who has a and, against b, t in this turn

    def value(a, b, t, known):
        roll = known.get((b, a, 0), 0.5)
        rolls = [1 - roll] + [1.0 if a + t + k >= target else known.get((a, b, t + k), 0.5) for k in range(2, 7)]
        return sum(rolls) / 6, (1 - roll if t == 0 else 1 - known.get((b, a + t, 0), 0.5))

    cells = [(a, b, t) for a in range(target) for b in range(target) for t in range(target - a)]
    for _ in range(60):
        win = {(a, b, t): max(value(a, b, t, win)) if t else value(a, b, 0, win)[0] for a, b, t in cells}
    clear = [(a, b, t) for a, b, t in cells if t >= 2 and abs(value(a, b, t, win)[0] - value(a, b, t, win)[1]) > 0.12]
    for a, b, t in random.Random(2).sample(clear, 12):
        s = game.initial()._replace(scores=(a, b), total=t)
        roll, hold = value(a, b, t, win)
        result = MCTS(simulations=30_000).search(game, s)
        assert result.action == (0 if roll > hold else 1), (a, b, t)
        assert result.value == pytest.approx(2 * max(roll, hold) - 1, abs=0.1)


# ---- proofs --------------------------------------------------------------------------------------


def test_proofs_are_exact():
    known, proven = {}, 0
    for s in walk(CONNECT, 3, 30):
        if not CONNECT.is_terminal(s) and s.all.bit_count() > 3:
            result = MCTS(simulations=30_000).search(CONNECT, s)
            value = backed_up(CONNECT, s, known)[CONNECT.to_move(s)]
            assert result.action in best_actions(CONNECT, s, known)
            proven += result.exact
            if result.exact:
                assert result.value == value and result.values[CONNECT.to_move(s)] == value == -result.values[1 - CONNECT.to_move(s)]
                t = s
                for a in result.line:
                    t = CONNECT.result(t, a)
                assert not CONNECT.is_terminal(t) or CONNECT.utility(t, CONNECT.to_move(s)) == value
    assert proven > 100


def test_a_proven_root_ends_the_search():
    result = MCTS(simulations=1_000_000).search(TICTACTOE, TICTACTOE.read_state("OO./XX./..."))
    assert result.exact and result.value == 1 and result.action == 5 and result.nodes < 100
    assert MCTS(simulations=1000, solver=False).search(TICTACTOE, TICTACTOE.read_state("OO./XX./...")).nodes == 1000


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(st.data())
def test_random_trees(tmp_path_factory, data):
    """Any tree, whoever's turn it is: its value is proven."""
    lines, count = [], 0

    def grow(name, depth):
        nonlocal count
        if depth == 0 or (depth < 3 and data.draw(st.booleans())):
            lines.append(f"{name} = {data.draw(st.integers(-1, 1))}")
            return
        children = []
        for _ in range(data.draw(st.integers(1, 3))):
            count += 1
            children.append(f"n{count}")
        lines.append(f"{data.draw(st.sampled_from(['max', 'min']))} {name}: {' '.join(children)}")
        for child in children:
            grow(child, depth - 1)

    grow("n0", 4)
    file = tmp_path_factory.mktemp("trees") / "random.tree"
    file.write_text("\n".join(lines) + "\n")
    game = Tree(file)
    me, known = game.to_move(game.initial()), {}
    expected = backed_up(game, game.initial(), known)
    result = MCTS(simulations=3000, interpreted=True).search(game)
    assert result.exact and result.value == expected[me]
    assert result.action in best_actions(game, game.initial(), known)


def test_utilities_beyond_a_win_are_not_proven():
    game = zermelo.game("bins:game=1")
    result = MCTS(simulations=3000, interpreted=True).search(game)
    assert result.action == 1 and result.value == pytest.approx(1, abs=1) and not result.exact
    proven = MCTS(simulations=3000, win=50, interpreted=True).search(game)
    assert proven.action == 1 and proven.value == 1 and proven.exact and proven.line == (1, 0)


def test_proofs_are_forgotten_where_they_do_not_hold(tmp_path):
    """A small win is proven at once; when a greater one is met, the search goes on."""
    file = tmp_path / "late.tree"
    file.write_text("max R: A B\nmin A: A1 A2\nA1 = 0.5\nA2 = 0.5\nmin B: C D\nmax C: E F\nE = 0\nF = 5\nmax D: G H\nG = 4\nH = 0\n")
    for seed in range(10):
        result = MCTS(simulations=500, seed=seed, interpreted=True).search(Tree(file))
        assert result.action == 1 and result.value > 2 and not result.exact


def test_utilities_that_do_not_sum_to_zero(tmp_path):
    file = tmp_path / "both.tree"
    file.write_text("player 0 R: A B\nplayer 1 A: C D\nC = 1 1\nD = 0 0.5\nB = 0.5 -0.5\n")
    result = MCTS(simulations=2000, interpreted=True).search(Tree(file))
    assert result.action == 0 and result.values == pytest.approx((1, 1), abs=0.1) and not result.exact


def test_priors_and_widening_follow_the_order(solved, pools):
    MCTS(simulations=40, puct=True, interpreted=True).search(CENTRE)
    pool, found = pools[-1], [c.action for c in pools[-1].family(0)[1]]
    assert found == [4, 0, 2, 6, 8, 1, 3, 5, 7]
    priors = [to_real(pool.table[pool.places()["priors"] + 1 + i]) for i in range(9)]
    assert priors == pytest.approx([w / (1 + 4 / 2 + 4 / 6) for w in [1] + [1 / 2] * 4 + [1 / 6] * 4]) and sum(priors) == pytest.approx(1)
    for simulations, tried in ((1, 1), (3, 2), (8, 3), (15, 4)):
        MCTS(simulations=simulations, widening=1, solver=False, interpreted=True).search(CENTRE)
        assert [c.action for c in pools[-1].family(0)[1] if c.visits] == found[:tried]
    for s in walk(CENTRE, 6, 10):
        if not CENTRE.is_terminal(s):
            assert MCTS(simulations=5000, puct=True).search(CENTRE, s).action in best_actions(TICTACTOE, s, solved)
            assert MCTS(simulations=5000, widening=2).search(CENTRE, s).action in best_actions(TICTACTOE, s, solved)


# ---- the same each time ----------------------------------------------------------------------------


SETTINGS = [
    {},
    {"solver": False},
    {"urgency": 0.3},
    {"widening": 0.7},
    {"plies": 2},
    {"plies": 0},
    {"depth": 2},
    {"puct": True},
    {"rave": 50},
    {"rave": 50, "puct": True, "solver": False},
    {"policy": "learned"},
    {"policy": "learned", "epsilon": 0.1, "rave": 20, "urgency": 0.2},
    {"playouts_per_leaf": 3, "batch": 1},
    {"playouts_per_leaf": 3, "batch": 7},
]


@pytest.mark.parametrize("given", SETTINGS, ids=str)
def test_interpreted_is_native_node_for_node(pools, given):
    for game in (CENTRE, CONNECT):
        native = MCTS(simulations=300, **given).search(game)
        assert told(native) == told(MCTS(simulations=300, interpreted=True, **given).search(game))
        assert tree_of(pools[-1]) == tree_of(pools[-2])
        assert native.exact or sum(child.visits for child in pools[-2].family(0)[1]) == native.nodes == 300


def test_interpreted_is_native_with_chance_and_three_players(pools):
    for text in ("pig:target=10", "bins:game=2", "trio"):
        game = zermelo.game(text)
        assert told(MCTS(simulations=300).search(game)) == told(MCTS(simulations=300, interpreted=True).search(game))
        assert tree_of(pools[-1]) == tree_of(pools[-2])


def test_a_seed_is_a_search(pools):
    first, again, other = (MCTS(simulations=20_000, seed=seed).search(CONNECT) for seed in (7, 7, 8))
    assert told(first) == told(again) and tree_of(pools[0]) == tree_of(pools[1])
    assert told(first) != told(other)


def test_steps_do_not_change_the_tree(monkeypatch, pools):
    whole = MCTS(simulations=3000).search(TICTACTOE)
    monkeypatch.setattr(montecarlo, "FIRST_STEP", 1)
    steps = list(MCTS(simulations=3000).deepen(TICTACTOE))
    assert [r.nodes for r in steps] == [256, 512, 1024, 2048, 3000]
    assert told(steps[-1]) == told(whole) and tree_of(pools[0]) == tree_of(pools[1])


@pytest.mark.parametrize("plies", [None, 0])
def test_more_actions_than_there_was_room_for(tmp_path, plies):
    """Room for 64 at first, then a state of 100: met by a playout or by the tree, the search begins again with more."""
    file = tmp_path / "wide.tree"
    leaves = [f"L{i}" for i in range(100)]
    file.write_text("\n".join(["max R: A B", "B = 0.5", f"max A: {' '.join(leaves)}", *(f"{x} = {i / 99}" for i, x in enumerate(leaves))]))
    result = MCTS(simulations=3000, plies=plies, interpreted=True).search(Tree(file))
    assert result.line == (0, 99) and result.value == 1 and result.exact


def test_threads_are_trees_added_up(pools):
    """A thread's tree does not know of the others, so the result is the same each time."""
    results = [told(MCTS(simulations=30_001, threads=3, parallel="root", solver=False).search(CONNECT)) for _ in range(2)]
    assert results[0] == results[1] and results[0].nodes == 30_001 and len(pools) == 6
    families = [{c.action: c for c in pool.family(0)[1]} for pool in pools[:3]]
    assert [sum(c.visits for c in family.values()) for family in families] == [10_001, 10_000, 10_000]
    assert families[0] != families[1] != families[2]
    visits = {a: sum(family[a].visits for family in families) for a in range(4)}
    means = {a: sum(family[a].visits * family[a].mean for family in families) / visits[a] for a in range(4)}
    assert results[0].action == max(visits, key=visits.get) and results[0].scores == pytest.approx(means)
    assert results[0].values == pytest.approx((results[0].value, -results[0].value))
    assert told(MCTS(simulations=2, threads=8, parallel="root", interpreted=True).search(CONNECT)).nodes == 2


def test_threads_end_with_a_proof():
    s = TICTACTOE.read_state("OO./XX./...")
    for parallel in ("root", "tree"):
        result = MCTS(simulations=10**9, threads=2, parallel=parallel).search(TICTACTOE, s)
        assert result.exact and result.value == 1 and result.line == (5,)


# ---- limits ----------------------------------------------------------------------------------------


def test_memory_is_what_was_asked(pools):
    MCTS(simulations=100, memory=1, solver=False).search(TICTACTOE)
    tracemalloc.start()
    result = MCTS(simulations=200_000, memory=1, solver=False).search(TICTACTOE)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert result.nodes == 200_000 and result.action == 4 and (1 << 20) - 64 < pools[-1].room * 32 <= 1 << 20
    MCTS(simulations=100_000, memory=1, puct=True).search(TICTACTOE)
    assert (1 << 20) - 40 < pools[-1].room * 40 <= 1 << 20
    assert (1 << 20) - 64 <= peak < (1 << 20) + (128 << 10)  # the record and Python's own beside it


def test_a_full_pool_is_the_same_interpreted(monkeypatch):
    monkeypatch.setattr(Pool, "clear", lambda self, simulations, width, kept=0, clear=Pool.clear: clear(self, 10, 10))
    assert told(MCTS(simulations=300).search(TICTACTOE)) == told(MCTS(simulations=300, interpreted=True).search(TICTACTOE))


def test_a_stop_is_answered_at_once():
    game, late = zermelo.game("tictactoe"), []
    for number in range(40):
        stop, asked = Stop(), []

        def ask(stop=stop, asked=asked):
            asked.append(time.process_time())
            stop.set()

        timer = threading.Timer(0.002 * (number % 10), ask)
        timer.start()
        result = MCTS(simulations=10**9, solver=False, memory=16).search(game, stop=stop)
        late.append(time.process_time() - asked[0])
        assert result.action in range(9) and result.nodes < 10**9
    assert sorted(late)[-4] < 0.02  # a shared machine may be away for longer now and then


def test_stopped_before_it_began():
    stop = Stop()
    stop.set()
    for interpreted in (False, True):
        result = MCTS(interpreted=interpreted).search(TICTACTOE, stop=stop)
        assert result.nodes == 1 and result.action in range(9)


def test_seconds():
    began, worked = time.perf_counter(), time.process_time()
    results = list(MCTS(seconds=0.4, solver=False, memory=16).deepen(TICTACTOE))
    assert time.perf_counter() - began > 0.3 and time.process_time() - worked < 1.5
    assert len(results) > 4 and all(a.nodes < b.nodes for a, b in pairwise(results))


def test_limits_of_simulations():
    assert MCTS(interpreted=True, solver=False, nodes=30).search(TICTACTOE).nodes == 30
    assert MCTS(interpreted=True, solver=False, nodes=30, simulations=20).search(TICTACTOE).nodes == 20
    assert MCTS(solver=False).search(TICTACTOE).nodes == 10_000
    assert MCTS(solver=False, depth=1).search(TICTACTOE).depth == 1


def test_terminal_and_chance_roots():
    over = MCTS().search(TICTACTOE, TICTACTOE.read_state("XXX/OO./..."))
    assert over.action is None and over.values == (1, -1) and over.exact
    with pytest.raises(ZermeloError, match="expected a state where a player is to move"):
        MCTS().search(zermelo.game("kuhn"))
    with pytest.raises(ZermeloError, match="expected a state of tictactoe"):
        MCTS().search(TICTACTOE, (1, 2, 3))
