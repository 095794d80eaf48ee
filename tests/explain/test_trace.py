"""Traces: the same events from native and interpreted runs, and the answers of the lectures."""

from __future__ import annotations

import gc
import math
from collections import Counter
from dataclasses import replace
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from oracle import trees

import zermelo
from zermelo import MCTS, AlphaBeta, Expectiminimax, MaxN, Minimax, Paranoid, ZermeloError, trace
from zermelo.explain import events as e
from zermelo.explain.narrate import text
from zermelo.explain.sanity import sanity
from zermelo.search.notes import JUDGED, NO_PLAYOUT

PLAIN = AlphaBeta.plain(interpreted=True)
WATCHED = [
    ("tree", Minimax()),
    ("tree", AlphaBeta.plain()),
    ("tictactoe", AlphaBeta(depth=5)),
    ("tictactoe", AlphaBeta(depth=4, aspiration=0.5, distance=True)),
    ("connect4", AlphaBeta.plain(depth=4)),
    ("connect4", AlphaBeta(depth=5)),
    pytest.param("othello", AlphaBeta(depth=4), marks=pytest.mark.slow),
    pytest.param("chess", AlphaBeta(depth=3), marks=pytest.mark.slow),
    ("bins:game=2", Expectiminimax(bounds=(-60, 60))),
    ("pig", Expectiminimax(depth=5, bounds=(-1, 1))),
    ("tree:file=three-players", MaxN()),
    ("trio", MaxN(depth=2)),
    ("trio", Paranoid(depth=3)),
    ("tictactoe", MCTS(simulations=200)),
    ("tictactoe", MCTS(simulations=100, puct=True)),
    ("pig", MCTS(simulations=50)),
]


def told(found):
    """A trace without what differs from run to run: no number equals no number, and seconds are seconds."""
    return repr(found.events), replace(found.result, seconds=0.0), found.reached


@pytest.mark.parametrize(("game", "searcher"), WATCHED, ids=lambda x: x if isinstance(x, str) else type(x).__name__)
def test_native_and_interpreted_runs_tell_the_same(game, searcher):
    it = zermelo.game(game)
    native, interpreted = (told(trace(replace(searcher, interpreted=i), it)) for i in (False, True))
    assert native == interpreted
    assert native[1] == replace(searcher.search(it), seconds=0.0), "to be watched changes nothing"


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(trees(depth=4))
def test_native_and_interpreted_runs_tell_the_same_of_random_trees(tree):
    for searcher in (AlphaBeta.plain(), AlphaBeta(), Expectiminimax()):
        native, interpreted = (told(trace(replace(searcher, interpreted=i), tree)) for i in (False, True))
        assert native == interpreted


# ---- the lectures ----------------------------------------------------------------------------


def test_the_recitations_tree():
    tree = zermelo.game("tree")
    story = trace(Minimax(interpreted=True), tree).story
    assert story.names(story.evaluated) == ["E", "K", "L", "Q", "R", "N", "H", "I", "O", "P"]
    assert (story.value, story.names(story.path), story.pruned, story.cuts) == (6, ["A", "C", "H"], [], [])
    found = trace(PLAIN, tree)
    story = found.story
    assert story.names(story.evaluated) == ["E", "K", "Q", "N", "H", "I"]
    assert (story.value, story.names(story.path)) == (6, ["A", "C", "H"])
    assert story.names(story.pruned) == ["L", "R", "J", "O", "P"]
    assert [(story.name(c.node), story.name(c.by), c.bound, c.value) for c in story.cuts] == [
        ("F", "B", 2, 3),
        ("M", "A", 2, 1),
        ("D", "A", 6, 1),
    ]
    assert story.counts["minimax"] == 10 and story.counts["saved"] == 4 and story.counts["ideal"] == 4
    assert story.counts["evaluations"] == found.result.evaluations and story.counts["nodes"] == found.result.nodes
    assert {node.name: node.bound for node in story.nodes.values() if node.bound != "exact"} == {
        "F": "at least",
        "M": "at most",
        "D": "at most",
    }


@pytest.mark.parametrize("file", ["three-by-three", "three-by-three-variant"])
def test_three_by_three(file):
    found = trace(PLAIN, zermelo.game("tree", file=file))
    story = found.story
    assert story.value == 3 and found.result.action == 0
    assert story.names(story.pruned) == ["C2", "C3"]
    tree = zermelo.game("tree")
    assert tree  # the middle's second and third: 4 and 6
    assert [story.nodes[id].value for id in story.pruned] == ([4, 6] if file == "three-by-three" else [-5, -9])


def test_bins():
    one = trace(PLAIN, zermelo.game("tree", file="bins-1"))
    assert one.story.value == 1 and one.story.names(one.story.path)[1] == "B"
    two = trace(Expectiminimax(interpreted=True), zermelo.game("bins", game=2)).story
    assert two.value == -2 and two.names(two.path)[1] == "C"
    values = {two.name(id): two.nodes[id].value for id in two.nodes[two.root].children}
    assert values == {"A": -27.5, "B": -24.5, "C": -2}
    averages = [step for step in two.steps if isinstance(step, e.Average)]
    assert [step.sum for step in averages if step.of == 1] == [-27.5, -24.5, -2]
    assert all(step.probability == 0.5 for step in averages)


def test_vectors():
    found = trace(MaxN(interpreted=True), zermelo.game("tree", file="three-players"))
    assert found.story.values == found.result.values
    assert found.story.names(found.story.path) == ["A", "B", "D", "D1"]
    taken = [step for step in found.story.steps if isinstance(step, e.Vector) and step.taken]
    assert taken[-1].values == (5, 4, 5)


def test_the_four_steps_of_mcts():
    found = trace(MCTS(simulations=300, interpreted=True), zermelo.game("tictactoe"))
    kinds = Counter(type(step) for step in found.events)
    assert kinds[e.Simulate] == 300 and kinds[e.Enter] == len(found.story.nodes)
    chosen = [step for step in found.events if isinstance(step, e.Select) and math.isfinite(step.bonus)]
    for step in chosen[:50]:  # UCB1 with C = sqrt(2) and utilities from -1 to 1
        expected = math.sqrt(2) * math.sqrt(math.log(step.parent_visits) / step.visits)
        assert step.bonus == pytest.approx(expected, rel=0.01)
    root = found.story.nodes[found.story.root]
    children = [found.story.nodes[c] for c in root.children]
    assert root.visits == 301 and sum(c.visits for c in children) == 300
    scores = {c.action: c.mean for c in children}
    assert scores == pytest.approx(found.result.scores)


@pytest.mark.parametrize("solver", [False, True])
def test_the_steps_of_a_search_by_a_network(solver):
    """Every leaf is judged by the network, over or proven; terms are those of PUCT's formula; what the root knows is the Result's."""
    pytest.importorskip("onnxruntime")
    searcher, game = MCTS(net="learned", simulations=60, solver=solver, interpreted=True), zermelo.game("connect4")
    s = game.initial()
    for a in (3, 3, 2, 2):  # a third in the row wins at either side, or is met
        s = game.result(s, a)
    found = trace(searcher, game, s)
    assert replace(found.result, seconds=0.0) == replace(searcher.search(game, s), seconds=0.0), "to be watched changes nothing"
    kinds = Counter(type(step) for step in found.events)
    ends = Counter(step.plies for step in found.events if isinstance(step, e.Simulate))
    n = found.result.nodes
    assert kinds[e.Simulate] == ends[JUDGED] + ends[0] + ends[NO_PLAYOUT] == n
    assert found.result.exact and n < 60 if solver else n == 60 and not ends[NO_PLAYOUT]
    assert kinds[e.Expand] == 1 + ends[JUDGED] and kinds[e.Enter] == len(found.story.nodes)
    chosen = [step for step in found.events if isinstance(step, e.Select)]
    for step in chosen:
        expected = math.sqrt(2) * step.prior * math.sqrt(step.parent_visits) / (1 + step.visits)
        assert step.bonus == pytest.approx(expected)
    root = found.story.nodes[found.story.root]
    children = [found.story.nodes[c] for c in root.children]
    assert root.visits == n + 1 and sum(c.visits for c in children) == n
    sure = {a: v for a, v in found.result.scores.items() if a not in found.result.bounds}
    assert {c.action: c.mean for c in children if c.action in sure} == pytest.approx(sure)
    given = [step.values[0] for step in found.events if isinstance(step, e.Simulate)]
    assert root.mean == pytest.approx(sum(given) / n)
    assert any("the network says" in line for line in text(found.story))


@pytest.mark.slow
@pytest.mark.parametrize("mix", [0.0, 0.5])
def test_native_and_interpreted_searches_by_a_network_tell_the_same(mix):
    pytest.importorskip("onnxruntime")
    searcher, game = MCTS(net="learned", simulations=60, mix=mix), zermelo.game("connect4")
    assert told(trace(searcher, game)) == told(trace(replace(searcher, interpreted=True), game))


# ---- on anything -----------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(trees(depth=5))
def test_stories_of_random_trees(tree):
    found = trace(PLAIN, tree)
    story = found.story
    assert story.value == found.result.values[0]
    assert story.counts["nodes"] == found.result.nodes and story.counts["evaluations"] == found.result.evaluations
    looked_at = {n.name for n in story.nodes.values() if n.status != "unseen"}
    unseen = {n.name for n in story.nodes.values() if n.status == "unseen"}
    assert looked_at | unseen == set(tree.names) and not looked_at & unseen
    everything = trace(Minimax(interpreted=True), tree).story
    assert story.counts["minimax"] == everything.counts["evaluations"] >= story.counts["evaluations"] >= story.counts["ideal"]
    exact = {n.name: n.value for n in everything.nodes.values()}
    for node in story.nodes.values():
        if node.status != "unseen":
            good = {
                "exact": node.value == exact[node.name],
                "at least": node.value <= exact[node.name],
                "at most": node.value >= exact[node.name],
            }
            assert good[node.bound], node
    for cut in story.cuts:
        node, by = story.nodes[cut.node], story.nodes[cut.by]
        assert by.kind != node.kind and by.id < node.id
        at = node
        while at.parent is not None and at.id != by.id:
            at = story.nodes[at.parent]
        assert at.id == by.id, "only an ancestor has a bound here"


@settings(max_examples=40, deadline=None)
@given(trees(depth=4))
def test_sanity_of_every_cut(tree):
    """What was not looked at may be worth anything: minus and plus infinity leave the root as it is."""
    tested = sanity(trace(PLAIN, tree))
    assert all(t.holds for t in tested), tested


def test_limit_is_said():
    found = trace(Minimax(depth=5, interpreted=True), zermelo.game("tictactoe"), limit=500)
    assert found.reached and found.story.reached
    assert found.events[-1] == e.Ended("limit")
    assert len([x for x in found.events if isinstance(x, e.Enter)]) == 500
    assert found.result.value == 0
    whole = trace(Minimax(depth=2, interpreted=True), zermelo.game("tictactoe"))
    assert not whole.reached and whole.events[-1] == e.Ended("done")


def test_what_cannot_be_watched_is_refused():
    game = zermelo.game("tictactoe")
    for searcher, why in [
        (zermelo.ProofNumber(), "expected a searcher that can be watched"),
        (zermelo.MonteCarlo(), "expected a searcher that can be watched"),
        (AlphaBeta(threads=2), "expected one thread"),
        (MCTS(threads=2), "expected one thread"),
        (MCTS(playouts_per_leaf=4), "one playout"),
    ]:
        with pytest.raises(ZermeloError, match=why):
            trace(searcher, game)
    with pytest.raises(ZermeloError, match="expected a limit"):
        trace(PLAIN, game, limit=0)


def test_a_game_that_is_over():
    game = zermelo.game("tree")
    found = trace(PLAIN, game, game.read_state("K"))
    assert found.events == [e.Ended("done")] and found.result.action is None
    with pytest.raises(ZermeloError, match="nothing to search"):
        assert found.story


def test_notebooks():
    game = zermelo.game("tictactoe")
    found = trace(AlphaBeta(depth=2, interpreted=True), game)
    assert "<svg" in found._repr_svg_() and "<svg" in found._repr_html_()
    assert "<table>" in found.result._repr_html_()
    view = game.view(game.initial())
    assert view._repr_svg_() == game.svg(game.initial()) and repr(view) == game.show(game.initial())


class Lamp(NamedTuple):
    lit: zermelo.i8


class Lamps(zermelo.Game):
    """Who lights the last lamp wins."""

    def __init__(self, many: int = 3):
        self.many = many

    def initial(self):
        return Lamp(0)

    def to_move(self, s):
        return s.lit % 2

    def actions(self, s):
        if s.lit < self.many:
            yield 0

    def result(self, s, a):
        return Lamp(s.lit + 1)

    def is_terminal(self, s):
        return s.lit == self.many

    def utility(self, s, p):
        return 1 if p != s.lit % 2 else -1


def test_states_show_themselves_where_one_game_has_them():
    game = Lamps()
    s = game.result(game.initial(), 0)
    assert game.layout.fault(s) is None
    assert s._repr_svg_() == game.svg(s)
    other = Lamps(4)
    assert other.layout.fault(s) is None
    assert s._repr_svg_() is None  # whose is it?
    del other
    gc.collect()
    assert s._repr_svg_() == game.svg(s)
