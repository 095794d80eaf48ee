"""Rows of records never overflow: games of any width, depth, kind of action and number of players, compared with brute force."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from strange import HUGE, NEGATIVE, PLAIN, Forced, Last, Lottery, Strange, Walk, Words
from trees import told

import zermelo
from zermelo import CHANCE, Game, History, ZermeloError
from zermelo.arena.rating.luck import Luck
from zermelo.search.alphabeta.searcher import AlphaBeta
from zermelo.search.bestfirst import BestFirst
from zermelo.search.expectiminimax import Expectiminimax
from zermelo.search.maxn import MaxN, Paranoid
from zermelo.search.mcts.searcher import MCTS
from zermelo.search.minimax import Minimax
from zermelo.search.montecarlo import MonteCarlo
from zermelo.search.prepare import room_for
from zermelo.search.proofnumber import ProofNumber

#: of two players: those that find the value of the game, and those that need not
EXACT = [
    Minimax(),
    AlphaBeta.plain(),
    AlphaBeta(),
    AlphaBeta(table=None, deepening=False),
    Expectiminimax(),
    Paranoid(),
    MaxN(),
    BestFirst(),
]
OTHERS = [ProofNumber(), MonteCarlo(playouts=2), MCTS(simulations=100)]
#: the other ways of MCTS, each another native code
WAYS = [MCTS(simulations=100, puct=True, widening=2), MCTS(simulations=100, rave=10, policy="learned")]
WAYS += [MCTS(simulations=30, playouts_per_leaf=3, batch=4)]
SLOW_WAYS = [pytest.param(way, marks=pytest.mark.slow) for way in WAYS]

#: actions at the root, actions below it, plies
SHAPES = [(1, 1, 1), (1, 65, 2), (65, 1, 2), (64, 65, 2), (100, 3, 3), (300, 2, 2), (1, 300, 2), (5000, 1, 2), (1, 1000, 2)]
NATIVE = [(1, 65, 2), (65, 1, 2), (100, 3, 3)]
LONG = 130  # plies, for which there is no room at first, and twice as much is enough
WIDEST = (5000, 1, 2)  # another length of rows, and so another native code


def name_of(searcher):
    return type(searcher).__name__ + ("" if searcher == type(searcher)() else f" {searcher.__dict__}"[:60])


@cache
def worth(game: Game, s) -> tuple[float, ...]:
    """What s is worth to each player, by the definition: of equals the first; chance is averaged."""
    if game.is_terminal(s):
        return tuple(game.utility(s, p) for p in range(game.players))
    p, found = game.to_move(s), [worth(game, game.result(s, a)) for a in game.actions(s)]
    if p == CHANCE:
        odds = [game.probability(s, a) for a in game.actions(s)]
        return tuple(sum(w * v[q] for w, v in zip(odds, found, strict=True)) for q in range(game.players))
    return max(found, key=lambda v: v[p])


def agree(searcher, game, state=None):
    """The same interpreted and natively; the Result."""
    native = searcher.search(game, state)
    assert told(replace(searcher, interpreted=True).search(game, state)) == told(native)
    return native


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("searcher", EXACT, ids=name_of)
def test_any_width_interpreted(searcher, shape):
    if isinstance(searcher, BestFirst) and shape[0] == 5000:
        return  # it looks at every action of the root for each expansion
    game = Strange(*shape)
    result = replace(searcher, interpreted=True).search(game)
    assert result.exact and result.values == worth(game, game.initial())
    assert worth(game, game.result(game.initial(), result.action)) == result.values


@pytest.mark.parametrize("searcher", EXACT, ids=name_of)
def test_any_width_natively(searcher):
    """Also by any numbers of the actions: the code is the same."""
    for shape in NATIVE:
        for names in (PLAIN, NEGATIVE, HUGE):
            game = Strange(*shape, names)
            result = agree(searcher, game)
            assert result.exact and result.values == worth(game, game.initial())


@pytest.mark.parametrize("searcher", [*EXACT, ProofNumber()], ids=name_of)
def test_no_table_keeps_what_was_found_with_actions_missing(searcher):
    """There is room for 64 at first, and the 65th decides: a value of the other 64 must not be met by the search with more room."""
    game = Last()
    for interpreted in (True, False):
        result = replace(searcher, interpreted=interpreted).search(game)
        assert result.exact and result.values == (-1.0, 1.0)


@pytest.mark.parametrize("searcher", [*OTHERS, *SLOW_WAYS], ids=name_of)
def test_any_width_of_searches_that_simulate_or_prove(searcher):
    for shape, names in zip(NATIVE, (NEGATIVE, HUGE, PLAIN), strict=True):
        game = Strange(*shape, names)
        assert agree(searcher, game).action in set(game.actions(game.initial()))


QUICK = (Minimax(), MCTS(simulations=100))


@pytest.mark.parametrize("names", [PLAIN, NEGATIVE, HUGE])
@pytest.mark.parametrize(
    "searcher", [s if s in QUICK else pytest.param(s, marks=pytest.mark.slow) for s in (*EXACT, *OTHERS, *WAYS)], ids=name_of
)
def test_the_greatest_width_natively(searcher, names):
    game = Strange(*WIDEST, names)
    result = searcher.search(game)
    assert result.action in set(game.actions(game.initial()))
    if searcher in EXACT:
        assert result.exact and result.values == worth(game, game.initial())


@pytest.mark.parametrize("searcher", [*EXACT, *OTHERS, *SLOW_WAYS], ids=name_of)
def test_actions_that_are_words(searcher):
    for many in (3, 70):
        game = Words(many)
        result = agree(searcher, game)
        assert result.action >= 1 << 63 and set(result.scores) <= set(game.actions(game.initial()))
        if searcher in EXACT:
            assert result.values == worth(game, game.initial())


@pytest.mark.parametrize("searcher", [*EXACT, *OTHERS, *SLOW_WAYS], ids=name_of)
def test_chains_that_are_longer_than_the_room(searcher):
    game = Strange(2, 1, LONG)
    if isinstance(searcher, MCTS):
        searcher = replace(searcher, simulations=3 * LONG)
    result = agree(searcher, game)
    if searcher in EXACT:
        assert result.exact and result.depth == LONG and result.values == worth(game, game.initial())


def test_tactical_lines_that_are_longer_than_the_room():
    """Quiescence goes to the end of the chain, though the depth is spent at once."""
    game = Forced(2, 1, LONG)
    result = agree(AlphaBeta(depth=1), game)
    assert result.values == worth(game, game.initial()) and len(result.line) == LONG


def test_lines_that_no_interpreter_follows_are_refused():
    game = Strange(1, 1, 3000)
    with pytest.raises(ZermeloError, match="Strange has longer lines than the interpreter follows: expected a depth, or native code"):
        Minimax(interpreted=True).search(game)
    assert Minimax().search(game).depth == 3000
    with pytest.raises(ZermeloError, match="the game may have no end: expected a depth to stop at"):
        Minimax(nodes=10**6).search(Strange(1, 1, 30_000))


@pytest.mark.parametrize("first", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "searcher", [Expectiminimax(), Expectiminimax(bounds=(-1, 1)), Paranoid(), MaxN(), MCTS(), MonteCarlo(playouts=2)], ids=name_of
)
def test_any_number_of_outcomes(searcher, first):
    if first and isinstance(searcher, (MCTS, MonteCarlo)):
        return
    for shape in ((1, 65, 2), (65, 1, 3), (2, 100, 2)):
        game = Lottery(*shape, NEGATIVE, first)
        result = agree(replace(searcher, simulations=300) if isinstance(searcher, MCTS) else searcher, game)
        if not isinstance(searcher, (MCTS, MonteCarlo)):
            assert result.values == pytest.approx(worth(game, game.initial()))


@pytest.mark.parametrize("players", [pytest.param(1, marks=pytest.mark.slow), 3, pytest.param(8, marks=pytest.mark.slow)])
def test_any_number_of_players(players):
    for shape in ((65, 2, 2), (2, 65, 3)):
        game = Strange(*shape, NEGATIVE, players)
        game.max_actions = 65  # how rows grow does not depend on the players
        assert agree(MaxN(), game).values == worth(game, game.initial())
        for searcher in (Paranoid(), MCTS(simulations=200), MonteCarlo(playouts=2)):
            assert agree(searcher, game).action in set(game.actions(game.initial()))


@pytest.mark.parametrize("players", [pytest.param(1, marks=pytest.mark.slow), 3, pytest.param(8, marks=pytest.mark.slow)])
def test_a_learned_policy_for_any_number_of_players(players):
    for shape in ((65, 2, 2), (2, 65, 3)):
        game = Strange(*shape, NEGATIVE, players)
        game.max_actions = 65
        assert agree(MCTS(simulations=200, policy="learned", rave=3), game).action in set(game.actions(game.initial()))


def test_more_players_than_a_record_holds():
    with pytest.raises(ZermeloError, match="Strange: players is 65, expected a whole number of 1 or more, and at most 64"):
        MCTS(simulations=10, interpreted=True).search(Strange(2, 2, 2, PLAIN, 65))
    assert MCTS(simulations=10, interpreted=True).search(Strange(2, 2, 2, PLAIN, 64)).action is not None


@pytest.mark.parametrize("searcher", [MCTS(simulations=10), BestFirst()], ids=name_of)
def test_more_actions_than_a_node_counts(searcher):
    for shape in ((65_536, 1, 2), (1, 65_536, 3)):
        for interpreted in (True, False):
            with pytest.raises(ZermeloError, match="expected a game of at most 65,535 actions in a state, and one has 65,536"):
                replace(searcher, interpreted=interpreted).search(Strange(*shape))
    game = Strange(65_535, 1, 1)
    assert agree(BestFirst(), game).values == worth(game, game.initial())


def test_more_actions_than_any_row_holds():
    assert [room_for(n) for n in (-5, 0, 1, 64, 65, 1 << 20)] == [64, 64, 64, 64, 128, 1 << 20]
    with pytest.raises(ZermeloError, match="expected a game of at most 1,048,576 actions in a state, and one has 1,048,577"):
        AlphaBeta(depth=2).search(Strange(1, (1 << 20) + 1, 2))


@pytest.mark.parametrize(
    "searcher", [MonteCarlo(playouts=3), MCTS(simulations=300), BestFirst(), AlphaBeta(), Minimax(), MaxN()], ids=name_of
)
def test_what_is_barred_has_room_too(searcher):
    """65 actions, of which the history forbids one: a row for the 64 that are left would be too short."""
    game = Walk()
    history = History(game)
    history.do(5)
    assert game.count(history.state) == 65 and len(list(history.actions())) == 64
    result = agree(searcher, game, history)
    assert set(result.scores) <= set(history.actions()) and result.action in set(history.actions())


def test_a_state_without_actions_that_is_not_terminal_is_refused():
    class Stuck(Walk):
        def actions(self, s):
            if s.ply == 0:
                yield 1

    game = Stuck()
    for searcher in (*EXACT, *OTHERS[1:]):
        with pytest.raises(ZermeloError, match="expected an action in a state of Stuck that is not terminal"):
            replace(searcher, interpreted=True).search(game, game.result(game.initial(), 1))


def test_all_at_once():
    """Counting and playing: the same, interpreted and natively."""
    for shape in (*NATIVE, WIDEST):
        for names in (PLAIN, NEGATIVE):
            game = Strange(*shape, names)
            assert zermelo.perft(game, None) == zermelo.perft(game, None, interpreted=True)
            played = [zermelo.playouts(game, 50, interpreted=way, threads=1) for way in (True, False)]
            assert played[0].utility == played[1].utility and played[0].widest == played[1].widest
            solved = [AlphaBeta(table=1, interpreted=way).solve(game, [game.initial()]) for way in (True, False)]
            assert solved[0].values == solved[1].values and solved[0].plies == solved[1].plies and solved[0].nodes == solved[1].nodes


def test_luck_has_room_for_all_outcomes():
    """The game says that there are 5, which is no power of two, and there are 100."""

    class Few(Lottery):
        max_actions = 5

    for shape in ((100, 3, 3), (3, 100, 3)):
        game = Few(*shape, NEGATIVE, True)
        s = game.initial()
        for a in list(game.actions(s))[::30]:
            here, there = Luck(game, interpreted=True).of(s, a), Luck(game).of(s, a)
            assert here == pytest.approx(there, abs=1e-12) and here[0] == pytest.approx(-here[1], abs=1e-12)
        odds = [(game.probability(s, a), Luck(game).of(s, a)[0]) for a in game.actions(s)]
        assert sum(w * v for w, v in odds) == pytest.approx(0, abs=1e-12)


def test_limits_beyond_any_number_are_refused():
    for what, most in (("depth", "10,000"), ("nodes", "1,000,000,000,000,000")):
        with pytest.raises(ZermeloError, match=f"Minimax: expected {what} of at most {most}, not 18446744073709551616"):
            Minimax(**{what: 1 << 64})
    game = zermelo.game("nim:heaps=2,3,4")
    for searcher in (
        AlphaBeta(depth=10_000),
        AlphaBeta(nodes=10**15),
        Minimax(depth=10_000),
        Expectiminimax(depth=10_000, samples=10**15),
    ):
        assert agree(searcher, game).exact
