"""Beliefs: exact ones against all worlds by brute force and by Bayes; particles that fit; quick values; the player; the command."""

from __future__ import annotations

import json
import random
from collections import defaultdict

import pytest
from helpers_cli import called

import zermelo
from zermelo.arena.players.by_text import player
from zermelo.arena.referee import play_game
from zermelo.history import History
from zermelo.search.beliefs.exact import exact_belief, uniform
from zermelo.search.beliefs.noticed import events_of, observation
from zermelo.search.beliefs.particles import Particles
from zermelo.search.beliefs.quick import values_of
from zermelo.search.beliefs.searcher import Beliefs, _freshness

PHANTOM = zermelo.game("phantomttt")


def played(game, seed: int, plies: int) -> History:
    """A random game of so many plies, or to its end."""
    history, chooser = History(game), random.Random(seed)
    while not history.is_over and len(history.taken) < plies:
        history.do(chooser.choice(list(history.actions())))
    return history


def by_brute_force(history: History, p: int) -> dict:
    """The belief by Bayes over all games that p noticed the same of, each as likely as its actions are."""
    game, events = history.game, events_of(history, p)
    found = defaultdict(float)

    def follow(other: History, x: float) -> None:
        noticed = events_of(other, p)
        if noticed != events[: len(noticed)]:
            return
        if noticed == events:
            found[other.state] += x
        if other.is_over:
            return
        mover, s = game.to_move(other.state), other.state
        for a, y in uniform(game, s).items():
            if mover == p and (len(noticed) == len(events) or events[len(noticed)].action != a):
                continue
            other.do(a)
            follow(other, x if mover == p else x * y)
            other.undo()

    follow(History(game), 1.0)
    total = sum(found.values())
    return {s: x / total for s, x in found.items()}


@pytest.mark.parametrize(("text", "plies"), [("kuhn", 4), ("leduc:ranks=2", 5), ("phantomttt", 4), ("goofspiel:cards=3,hidden=true", 5)])
def test_exact_beliefs_are_those_of_bayes(text, plies):
    game = zermelo.game(text)
    for seed in range(4):
        history = played(game, seed, plies)
        for p in range(2):
            exact, brute = exact_belief(history, p), by_brute_force(history, p)
            assert exact.keys() == brute.keys()
            assert all(exact[s] == pytest.approx(x, abs=1e-12) for s, x in brute.items())


@pytest.mark.parametrize("text", ["kuhn", "leduc", "liarsdice", "goofspiel:hidden=true", "phantomttt"])
def test_exact_beliefs_contain_the_truth(text):
    game = zermelo.game(text)
    for seed in range(12):
        history = played(game, seed, 5)
        for p in range(2):
            worlds = exact_belief(history, p)
            assert sum(worlds.values()) == pytest.approx(1) and min(worlds.values()) > 0
            assert {observation(game, w, p) for w in worlds} == {observation(game, history.state, p)}
            assert history.state in worlds


def test_a_model_of_the_opponent_changes_the_odds():
    """In Kuhn poker an opponent who bets only with the king has it, if it bets."""
    kuhn = zermelo.game("kuhn")
    history = History(kuhn)
    for text in ("K", "Q", "bet"):
        history.do(kuhn.read_action(history.state, text))

    def honest(game, s):
        if game.to_move(s) < 0:
            return uniform(game, s)
        bet, has_king = game.read_action(s, "bet"), game.write_state(s)[0] == "K"
        return {a: float((a == bet) == has_king) for a in game.actions(s)}

    assert exact_belief(history, 1, honest) == {history.state: 1.0}
    assert len(exact_belief(history, 1)) == 2
    with pytest.raises(zermelo.ZermeloError, match="expected a model of the others"):
        exact_belief(history, 1, lambda g, s: uniform(g, s) if g.to_move(s) < 0 else dict.fromkeys(g.actions(s), 0.0))
    with pytest.raises(zermelo.ZermeloError, match="expected at most 3 worlds"):
        exact_belief(played(PHANTOM, 1, 4), 0, limit=3)


@pytest.mark.parametrize("interpreted", [True, False])
def test_particles_fit_and_come_to_what_is_exact(interpreted):
    """In phantom tic-tac-toe all particles are worlds of the exact belief, about as often as they are likely."""
    history = played(PHANTOM, 3, 5)
    p = PHANTOM.to_move(history.state)
    exact, particles = exact_belief(history, p), Particles(PHANTOM, p, 100 if interpreted else 4000, 1, interpreted)
    particles.follow(history)
    drawn = particles.states()
    assert len(drawn) > 20 and set(drawn) <= set(exact)
    if not interpreted:
        for cell in range(9):
            share = sum(w.marks[1 - p] >> cell & 1 for w in drawn) / len(drawn)
            assert share == pytest.approx(sum(x for w, x in exact.items() if w.marks[1 - p] >> cell & 1), abs=0.06)


def test_interpreted_particles_and_values_are_those_of_native_code():
    history = played(PHANTOM, 4, 4)
    p = PHANTOM.to_move(history.state)
    both = []
    for interpreted in (True, False):
        particles = Particles(PHANTOM, p, 60, 9, interpreted)
        particles.follow(history)
        values, nodes = values_of(PHANTOM, particles.rows, list(PHANTOM.actions(history.state)), 3, interpreted)
        both.append((particles.rows.tolist(), values.tolist(), nodes))
    assert both[0] == both[1]


def test_particles_of_kriegspiel_fit_every_message():
    """All worlds, followed back through the game of the truth, are observed as it is; dry filters are repaired."""
    game = zermelo.game("kriegspiel")
    history, chooser = History(game), random.Random(5)
    particles = Particles(game, 0, 10, 1, interpreted=True)
    for _ in range(14):
        history.do(chooser.choice(list(history.actions())))
        particles.follow(history)
    noticed = events_of(history, 0)
    assert particles.deals == 0 and len(particles.rows) > 0
    assert {observation(game, w, 0) for w in particles.states()} == {noticed[-1].seen}  # which holds a hash of all that was heard
    assert len(set(particles.states())) > 2


def test_a_filter_that_runs_dry_deals_new_worlds():
    game = zermelo.game("kriegspiel")
    history = played(game, 2, 9)
    particles = Particles(game, 1, 8, 1, interpreted=True)
    particles.follow(history)
    particles.rows = particles.rows[:0]
    particles._trail = [(rows[:0], event) for rows, event in particles._trail]
    while not particles.deals:
        history.do(next(iter(history.actions())))
        particles.follow(history)
    assert len(particles.rows) > 0
    assert all(observation(game, w, 1) == events_of(history, 1)[-1].seen for w in particles.states())


def test_the_player_beats_random():
    players = [player("beliefs:particles=200,depth=3"), player("random")]
    results = [play_game(PHANTOM, players if k % 2 else players[::-1], k).result[1 - k % 2] for k in range(20)]
    assert sum(results) > 5
    with pytest.raises(zermelo.ZermeloError, match="expected a game of two players without chance, not kuhn"):
        zermelo.search.by_name.searcher("beliefs").search(zermelo.game("kuhn"), zermelo.game("kuhn").read_state("KJ"))


def test_a_mate_is_not_put_off():
    game = zermelo.game("kriegspiel")
    s = game.read_state("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1")
    found = Beliefs(depth=3, interpreted=True).search(game, s)
    later = [a for a, v in found.scores.items() if 0.9 < v < 1.0]  # mates in two
    assert game.write_action(s, found.action) == "g5g7" and found.value == 1.0 and later


def test_what_was_done_before_is_nearer_to_a_draw():
    game = zermelo.game("kriegspiel")
    history = History(game)
    for written in ("e2e4", "e7e5", "e4e5", "g1f3", "b8c6", "f3g1", "c6b8"):  # e4e5 is refused
        history.do(game.read_action(history.state, written))
    actions = list(history.actions())
    stale = [a for a, x in zip(actions, _freshness(history, actions, 0), strict=True) if x < 1]
    assert [game.write_action(history.state, a) for a in stale] == ["g1f3"]
    assert set(_freshness(History(PHANTOM), [0, 1], 0)) == {1.0}


def test_the_command(capsys):
    done = called(capsys, "belief", "kuhn", "--moves", "K Q bet", "--player", "1", "--json")
    said = json.loads(done.out)
    assert said["exact"] and {w["state"]: w["probability"] for w in said["worlds"]} == {"JQ b": 0.5, "KQ b": 0.5}
    assert [cell["values"] for cell in said["cells"]] == [{"JQ": 0.5, "KQ": 0.5}]
    done = called(capsys, "belief", "phantomttt", "--moves", "5 1 9 2", "--player", "X")
    assert done.out.startswith("phantomttt: what X knows: 294 worlds, all that there can be\n29 29 29\n29  X 29\n29 29  X\n")
    done = called(capsys, "belief", "kriegspiel", "--moves", "e2e4 e7e5 f1b5 a7a6", "--player", "White", "--particles", "20")
    assert "R  N  B  Q  K  .  N  R" in done.out and done.code == 0
    for arguments, message in [
        (("chess",), "chess hides nothing: expected a game that writes observe"),
        (("kuhn", "--player", "x"), "there is no player 'x'"),
        (("kuhn", "--particles", "-1"), "expected 0 to"),
        (("kuhn", "--moves", "K K"), "'K' is not a legal action here"),
    ]:
        done = called(capsys, "belief", *arguments)
        assert done.code == 2 and message in done.err
