"""Kriegspiel against an independent umpire over python-chess; what players see; what resample deals; text."""

from __future__ import annotations

import random

import pytest
from helpers import check_state, refuses, walk

import zermelo
from zermelo.games._hidden_chess import position
from zermelo.games.chess import Chess
from zermelo.games.kriegspiel import Kriegspiel
from zermelo.games.kriegspiel import text as texts
from zermelo.games.kriegspiel.state import ANY, TRY
from zermelo.history import History

ICC, BERKELEY = Kriegspiel(), Kriegspiel("berkeley")


def play_by_referee(game: Kriegspiel, seed: int) -> int:
    """Play a random game beside the referee; how many answers agreed."""
    referee_of = pytest.importorskip("kriegspiel_referee").Referee
    rules = game.parameters["rules"]
    referee, s, chooser, answers = referee_of(rules), game.initial(), random.Random(seed), 0
    while not game.is_terminal(s):
        actions = list(game.actions(s))
        if answers % 8 == 0:  # whatever is legal may be attempted
            assert {game.write_action(s, a) for a in actions} >= {m.uci() for m in referee.board.legal_moves if s.asked != TRY}
        captures = [a for a in actions if a != ANY and texts.umpire.is_pawn_capture(s, a & 63, a >> 6 & 63)]
        a = chooser.choice(captures if captures and chooser.random() < 0.2 else actions)
        me, after = game.to_move(s), game.result(s, a)
        mine, theirs = game.announce(s, a, me), game.announce(s, a, 1 - me)
        answers += 1
        if a == ANY:
            assert mine == theirs == ("any? try!" if referee.tries() else "any? no")
        elif not referee.is_legal(game.write_action(s, a)):
            assert mine == f"{game.write_action(s, a)}: no" and theirs == ("" if rules == "icc" else "no")
            assert game.to_move(after) == me and a not in game.actions(after)
        else:
            attempt = game.write_action(s, a)
            said = referee.play(attempt)
            end = referee.ending()
            assert mine == "; ".join([attempt, *said, *filter(None, [end])])
            assert theirs == "; ".join(["a move", *said, *filter(None, [end])])
            assert game.is_terminal(after) == bool(end) and game.to_move(after) != me
            assert position(after) == Chess().read_state(referee.board.fen(en_passant="legal"))
        s = after
    outcome = referee.board.outcome()
    assert game.utility(s, 0) == (0 if outcome is None or outcome.winner is None else 1 if outcome.winner else -1)
    return answers


@pytest.mark.parametrize("game", [ICC, BERKELEY], ids=repr)
def test_every_answer_agrees_with_an_independent_referee(game):
    assert sum(play_by_referee(game, seed) for seed in range(3)) > 500


@pytest.mark.slow
@pytest.mark.parametrize("game", [ICC, BERKELEY], ids=repr)
def test_every_answer_agrees_in_a_thousand_games(game):
    assert sum(play_by_referee(game, 1000 + seed) for seed in range(1000)) > 100_000


def test_a_pin_and_a_check_refuse():
    s = ICC.read_state("4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1")
    assert ICC.announce(s, ICC.read_action(s, "e2c3"), 0) == "e2c3: no"
    s = ICC.result(s, ICC.read_action(s, "e2c3"))
    assert "e2c3" not in {ICC.write_action(s, a) for a in ICC.actions(s)} and ICC.show_to(s, 0).endswith("refused: e2c3")
    assert ICC.announce(s, ICC.read_action(s, "e1d1"), 1) == "a move"


def test_en_passant_is_a_pawn_try_and_not_named():
    s = ICC.read_state("4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1")
    s = ICC.result(s, ICC.read_action(s, "d2d4"))
    assert texts.words(s.said) == ["one pawn try"]
    assert ICC.announce(s, ICC.read_action(s, "e4d3"), 0) == "a move; pawn captured on d4"


def test_castling_is_refused_through_check_and_when_something_stands_between():
    for fen, answer in (("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"), ("5rk1/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1: no")):
        s = ICC.read_state(fen)
        assert ICC.announce(s, ICC.read_action(s, "e1g1"), 0) == answer
    s = ICC.read_state("4k3/8/8/8/8/8/8/4KbR1 w - - 0 1")
    assert "e1g1" not in {ICC.write_action(s, a) for a in ICC.actions(s)}


def test_any_obliges_to_try_one_capture():
    s = BERKELEY.read_state("4k3/8/8/3p4/4P2P/8/8/4K3 w - - 0 1")
    s = BERKELEY.result(s, ANY)
    assert sorted(BERKELEY.write_action(s, a) for a in BERKELEY.actions(s)) == ["e4d5", "e4f5", "h4g5"]
    s = BERKELEY.result(s, BERKELEY.read_action(s, "h4g5"))
    assert BERKELEY.read_action(s, "e1e2") in BERKELEY.actions(s) and ANY not in BERKELEY.actions(s)
    with pytest.raises(zermelo.ZermeloError, match="not a legal action"):
        BERKELEY.read_action(s, "any?")


def test_attempts_do_not_repeat_a_position():
    history = History(ICC, ICC.read_state("4k3/8/8/3ppp2/3PPP2/8/8/4K3 w - - 0 1"))
    for text in ("d4c5", "e4e5", "f4g5", "d4d5"):
        history.do(ICC.read_action(history.state, text))
    assert not history.is_repeated
    for text in 2 * ("e1e2", "e8e7", "e2e1", "e7e8"):
        history.do(ICC.read_action(history.state, text))
    assert history.is_repeated


@pytest.mark.parametrize("game", [ICC, BERKELEY], ids=repr)
def test_random_games(game):
    for number, s in enumerate(walk(game, 1)):
        if number % 12 == 0 or game.is_terminal(s):
            check_state(game, s)


@pytest.mark.parametrize("game", [ICC, BERKELEY], ids=repr)
def test_resample_looks_the_same_and_depends_on_nothing_hidden(game):
    kept = total = 0
    for number, s in enumerate(walk(game, 4, 2)):
        for p in range(2 if number % 11 == 0 and not game.is_terminal(s) else 0):
            t = game.resample(s, p, number)
            total, kept = total + 1, kept + (t == s)
            assert game.observe(t, p) == game.observe(s, p) and game.to_move(t) == game.to_move(s) and not game.is_terminal(t)
            assert game.show_to(t, p) == game.show_to(s, p)
            if t != s and game.to_move(s) == p:
                assert sorted(game.actions(t)) == sorted(game.actions(s))
                assert game.resample(t, p, number) == t  # whatever lies behind what is seen, the same is dealt
    assert kept <= 0.02 * total


def test_perfect_recall():
    """Players who see the same have seen the same all along."""
    for game in (ICC, BERKELEY):
        before: dict = {}
        for seed in range(2):
            seen = [(), ()]
            for s in walk(game, seed, 1):
                for p in range(2):
                    now = game.observe(s, p)
                    if not seen[p] or seen[p][-1] != now:
                        seen[p] = (*seen[p][-3:], now)
                    assert before.setdefault((p, now), seen[p]) == seen[p]


def test_views():
    s = ICC.result(ICC.initial(), ICC.read_action(ICC.initial(), "e2e4"))
    assert ICC.show_to(s, 0).splitlines()[4] == "4 . . . . P . . ." and "p" not in ICC.show_to(s, 0).split("a b c")[0]
    assert ICC.show_to(s, 1).splitlines()[4] == "4 . . . . . . . ." and "P" not in ICC.show_to(s, 1).split("a b c")[0]
    assert ICC.svg(s).startswith("<svg")


def test_text():
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    assert ICC.write_state(ICC.initial()) == start
    for extra in (
        "taken=Qe4",
        "taken=?e4",
        "asked=1",
        "gone=9,0",
        "refused=e2e4",
        "refused=e2e5",
        "heard=x,1",
        "foo=1",
        "gone=1,1 gone=1,1",
    ):
        refuses(ICC, f"{start} {extra}", "is not a state of kriegspiel: expected")
    refuses(BERKELEY, f"{start} taken=Pe4", "expected ")
    with pytest.raises(zermelo.ZermeloError, match="expected rules icc or berkeley, not 'x'"):
        Kriegspiel("x")
