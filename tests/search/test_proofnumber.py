"""Proof-number search: brute force on random trees and graphs, known values, the same interpreted and native, stopped at once."""

from __future__ import annotations

import functools
import math
import operator
import random
import threading
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import solved, trees, two_sided

import zermelo
from zermelo import Game, ZermeloError, i64
from zermelo.games.nim import Nim
from zermelo.search import proofnumber
from zermelo.search.proofnumber import ProofNumber
from zermelo.search.stop import Stop


def sign(x: float) -> int:
    return (x > 0) - (x < 0)


def is_legal(game: Game, s: Any, line: tuple[int, ...]) -> Any:
    """Where a line leads, every action of which must be legal."""
    for a in line:
        assert a in set(game.actions(s))
        s = game.result(s, a)
    return s


@settings(max_examples=200, deadline=None)
@given(game=trees(depth=5), epsilon=st.sampled_from([0.0, 0.25, 1.0]))
def test_the_sign_of_the_value_is_brute_force(game, epsilon):
    s = game.initial()
    side = 1 if game.to_move(s) == 0 else -1
    result = ProofNumber(epsilon=epsilon, interpreted=True).search(game)
    assert result.exact
    assert result.value == sign(two_sided(game, s)) * side == result.values[game.to_move(s)] == -result.values[1 - game.to_move(s)]
    assert sign(two_sided(game, game.result(s, result.action)) * side) == result.value
    for a, v in result.scores.items():
        assert sign(two_sided(game, game.result(s, a)) * side) == v
    end = is_legal(game, s, result.line)
    assert result.line[0] == result.action
    gets = sign(game.utility(end, 0) * side)  # where nobody can win, the line only shows that the other one cannot
    assert game.is_terminal(end) and (gets == result.value if result.value else gets >= 0)


@settings(max_examples=150, deadline=None)
@given(game=trees(depth=4), target=st.integers(-4, 4))
def test_a_target_is_reached_or_not(game, target):
    s = game.initial()
    side = 1 if game.to_move(s) == 0 else -1
    values = {a: two_sided(game, game.result(s, a)) * side for a in game.actions(s)}
    result = ProofNumber(target=target, interpreted=True).search(game)
    assert result.exact and result.value == (1 if max(values.values()) >= target else -1)
    assert result.value == -1 or values[result.action] >= target
    for every in (result, ProofNumber(target=target, all_moves=True, interpreted=True).search(game)):
        assert all(v == (1 if values[a] >= target else -1) for a, v in every.scores.items())
    assert set(every.scores) == set(values) and every.value == result.value


@settings(max_examples=100, deadline=None)
@given(game=trees(depth=4))
def test_all_first_moves(game):
    s = game.initial()
    side = 1 if game.to_move(s) == 0 else -1
    result = ProofNumber(all_moves=True, interpreted=True).search(game)
    assert result.scores == {a: sign(two_sided(game, game.result(s, a)) * side) for a in game.actions(s)}
    assert result.exact and result.value == max(result.scores.values()) == result.scores[result.action]


# ---- states that come back -----------------------------------------------------------------------


class Node(NamedTuple):
    node: i64


class Graph(Game):
    """A walk on a graph: who owns a node chooses the next; a node without edges ends it."""

    def __init__(self, edges: tuple[tuple[int, ...], ...], owner: tuple[int, ...], worth: tuple[int, ...]):
        self.edges, self.owner, self.worth = edges, owner, worth

    def initial(self):
        return Node(0)

    def to_move(self, s):
        return self.owner[s.node]

    def actions(self, s):
        yield from self.edges[s.node]

    def result(self, s, a):
        return Node(a)

    def is_terminal(self, s):
        return not self.edges[s.node]

    def utility(self, s, p):
        return self.worth[s.node] if p == 0 else -self.worth[s.node]


def wins(game: Graph, p: int) -> set[int]:
    """The nodes from which player p can force an end above 0: grown backwards from those ends."""
    won = {n for n, edges in enumerate(game.edges) if not edges and game.utility(Node(n), p) > 0}
    while True:
        more = {
            n
            for n, edges in enumerate(game.edges)
            if edges and n not in won and (any if game.owner[n] == p else all)(e in won for e in edges)
        }
        if not more:
            return won
        won |= more


@st.composite
def graphs(draw: Any) -> Graph:
    n = draw(st.integers(2, 9))
    edges = [tuple(sorted(draw(st.sets(st.integers(0, n - 1), max_size=3)))) for _ in range(n)]
    edges[0] = edges[0] or (draw(st.integers(1, n - 1)),)
    owner = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    worth = draw(st.lists(st.integers(-1, 1), min_size=n, max_size=n))
    return Graph(tuple(edges), tuple(owner), tuple(worth))


@settings(max_examples=400, deadline=None)
@given(game=graphs(), every=st.booleans())
def test_states_that_come_back(game, every):
    me = game.owner[0]
    mine, theirs = wins(game, me), wins(game, 1 - me)

    def value(n: int) -> int:
        return 1 if n in mine else -1 if n in theirs else 0

    result = ProofNumber(all_moves=every, interpreted=True).search(game)
    assert result.exact and result.value == value(0) == value(result.action)
    assert all(v == value(a) for a, v in result.scores.items())
    assert not every or set(result.scores) == set(game.edges[0])
    is_legal(game, game.initial(), result.line)


def test_what_rests_on_the_path_is_not_kept():
    """Refuted on the path through 1, because 1 comes back there; but a win, as 1 is one by way of 4."""
    game = Graph(edges=((1,), (2, 4), (1,), (), ()), owner=(0, 0, 0, 0, 0), worth=(0, 0, 0, 0, 1))
    assert ProofNumber(all_moves=True, interpreted=True).search(game, Node(1)).scores == {2: 1.0, 4: 1.0}


# ---- games ---------------------------------------------------------------------------------------

GAMES = ["tictactoe", "nim:heaps=2,3,4", "nim:heaps=3,4,misere=true", "kalah:houses=2,seeds=2", "connect4:width=4,height=3,line=3"]


@pytest.mark.parametrize("text", GAMES)
def test_native_searches_are_exact_and_the_interpreters_node_for_node(text):
    game = zermelo.game(text)
    value = solved(game)
    chooser = random.Random(3)
    for every in (False, True):
        for _ in range(4):
            s = game.initial()
            for _ in range(chooser.randrange(2, 5) if text == "tictactoe" else chooser.randrange(3)):
                moves = list(game.actions(s))
                if moves and not game.is_terminal(game.result(s, moves[0])):
                    s = game.result(s, chooser.choice(moves))
            if game.is_terminal(s):
                continue
            side = 1 if game.to_move(s) == 0 else -1
            fast, slow = (ProofNumber(all_moves=every, interpreted=i).search(game, s) for i in (False, True))
            assert fast.exact and fast.value == sign(value(s)) * side
            assert all(v == sign(value(game.result(s, a))) * side for a, v in fast.scores.items())
            assert (fast.nodes, fast.evaluations, fast.depth, fast.line, fast.scores) == (
                slow.nodes, slow.evaluations, slow.depth, slow.line, slow.scores,
            )  # fmt: skip
            is_legal(game, s, fast.line)


def test_known_values():
    for text, value in (("tictactoe", 0), ("connect4:width=4,height=4", 0), ("nim", 0), ("mnk:width=4,height=3,line=3", 1)):
        game = zermelo.game(text)
        result = ProofNumber().search(game)
        assert result.exact and (text == "nim" or result.value == value)
    assert ProofNumber(target=1).search(zermelo.game("tictactoe")).value == -1
    assert ProofNumber(target=0).search(zermelo.game("tictactoe")).value == 1


def test_a_table_that_forgets_costs_time_but_no_answer(monkeypatch):
    """Two entries in all: everything is forgotten at once."""
    game = zermelo.game("nim:heaps=2,3,2")
    whole = ProofNumber(interpreted=True).search(game)
    monkeypatch.setattr(proofnumber, "Memory", lambda mib, interpreted: Tiny())
    tiny = ProofNumber(interpreted=True).search(game)
    assert (tiny.value, tiny.exact) == (whole.value, True)
    assert tiny.nodes >= whole.nodes


class Tiny:
    mask = 0

    def __init__(self) -> None:
        self.table = [0] * 8


# ---- limits --------------------------------------------------------------------------------------


def test_limits_and_stops_leave_a_legal_answer():
    game = zermelo.game("connect4")
    for settings_ in (
        {"nodes": 500},
        {"nodes": 500, "interpreted": True},
        {"seconds": 0.05},
        {"nodes": 1},
        {"nodes": 300, "all_moves": True},
    ):
        result = ProofNumber(**settings_).search(game)
        assert result.action in set(game.actions(game.initial())) and not result.exact and result.value == 0
        assert "nodes" not in settings_ or result.nodes <= settings_["nodes"] + 20
    stop = Stop()
    threading.Timer(0.05, stop.set).start()
    assert ProofNumber().search(game, stop=stop).action in set(game.actions(game.initial()))
    stopped = Stop()
    stopped.set()
    assert ProofNumber().search(game, stop=stopped).action in set(game.actions(game.initial()))
    fast, slow = (ProofNumber(nodes=2000, interpreted=i).search(game) for i in (False, True))
    assert (fast.nodes, fast.action, fast.line) == (slow.nodes, slow.action, slow.line)


def test_a_terminal_state_has_no_action():
    game = zermelo.game("connect4")
    result = ProofNumber().search(game, game.read_state("1122334"))
    assert (result.action, result.values, result.exact) == (None, (1.0, -1.0), True)


class Ladder(Graph):
    """A game of 300 plies in which the one who climbs wins: deeper than the room at first."""

    def __init__(self) -> None:
        n = 300
        super().__init__((*((i + 1,) for i in range(n)), ()), tuple(i % 2 for i in range(n + 1)), (0,) * n + (1,))


def test_room_grows_with_the_game():
    result = ProofNumber(interpreted=True).search(Ladder())
    assert (result.value, result.exact, len(result.line)) == (1, True, 300)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ProofNumber(depth=3), "expected no depth, as a proof goes to the end of the game, not 3"),
        (lambda: ProofNumber(table=0), "expected a table of 1 to"),
        (lambda: ProofNumber(table=None), "expected a table of 1 to 1,048,576 MiB, not None"),
        (lambda: ProofNumber(target=math.nan), "expected a number as target, or None for a win, not nan"),
        (lambda: ProofNumber(epsilon=-1), "expected an epsilon from 0 to 10, not -1"),
        (lambda: ProofNumber(nodes=0), "expected nodes of at least 1, not 0"),
        (lambda: ProofNumber().search(zermelo.game("trio")), "use MaxN or Paranoid"),
        (lambda: ProofNumber().search(zermelo.game("pig")), "use Expectiminimax"),
    ],
)
def test_bad_settings_are_refused_before_the_search(make, message):
    with pytest.raises(ZermeloError, match=message):
        make()


# ---- what a game knows before the end ------------------------------------------------------------


class KnownNim(Nim):
    """Nim that knows at every second state, by the nim-sum, that it is lost, or an action that wins."""

    def relevant_actions(self, s):
        told = list(self.actions(s))
        if sum(s.heaps) % 2:
            told = [a for a in told if not functools.reduce(operator.xor, self.result(s, a).heaps)][:1]
        yield from told


@pytest.mark.parametrize("heaps", [(1, 2, 3), (2, 3, 3), (1, 2, 5), (3, 4), (4, 4, 1)])
def test_what_a_game_knows_changes_no_answer(heaps):
    game, known = Nim(heaps), KnownNim(heaps)
    for every in (False, True):
        plain, told = (ProofNumber(all_moves=every, interpreted=True).search(g) for g in (game, known))
        assert told.exact and told.value == plain.value
        assert not every or told.scores == plain.scores
        assert all(plain.scores.get(a, v) == v for a, v in told.scores.items()) and is_legal(known, known.initial(), told.line)


def test_a_target_beyond_a_win_is_never_reached():
    for target, value in ((1, 1), (1.5, -1), (-1, 1)):
        assert ProofNumber(target=target, interpreted=True).search(KnownNim((1, 2, 5))).value == value
    for target, value in ((1, -1), (-1, 1), (-1.5, 1)):
        assert ProofNumber(target=target, interpreted=True).search(KnownNim((1, 2, 3))).value == value


def test_of_two_images_one_is_asked_about():
    game = zermelo.game("hex:size=3")
    assert proofnumber.images(game, game.initial(), list(range(9))) == {5: 3, 6: 2, 7: 1, 8: 0}
    board = zermelo.game("tictactoe")
    s = board.result(board.initial(), 4)  # a stone in the middle: a corner holds the draw
    assert len(proofnumber.images(board, s, list(board.actions(s)))) == 6
    found = ProofNumber(all_moves=True, interpreted=True).search(board, s)
    assert found.exact and found.scores == {a: -1.0 if a % 2 else 0.0 for a in (0, 1, 2, 3, 5, 6, 7, 8)}
