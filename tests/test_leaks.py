"""Nothing that a player cannot know is shown: games are played at the terminal, and whoever noticed the same has read the same.

A person at a table asks for everything that can be asked for, and then takes an action that depends only on what it noticed. Over many
games the hidden truth differs where what was noticed does not; then all that was printed so far must be the same, to the letter.
"""

from __future__ import annotations

import io
import json
import random
from collections import defaultdict
from contextlib import redirect_stdout
from typing import Any

import pytest
from helpers_cli import called

import zermelo
from zermelo.arena.clock import Clock, Control
from zermelo.arena.live_game import LiveGame
from zermelo.arena.players.by_text import player
from zermelo.arena.players.jsonl import JsonPlayer
from zermelo.cli import play_session
from zermelo.history import History
from zermelo.search.beliefs.noticed import Event, events_of

GAMES = {  # and the plies after which the person leaves: later hardly two games are alike
    "kuhn": 20,
    "leduc:ranks=2": 20,
    "liarsdice:sides=2": 20,
    "goofspiel:cards=3": 20,
    "goofspiel:cards=3,hidden=true": 20,
    "holdem": 6,
    "nolimit:ranks=4": 6,
    "phantomttt": 4,
    "darkhex": 4,
    "kriegspiel": 4,
    "kriegspiel:rules=berkeley": 4,
}
QUESTIONS = ("board", "moves", "list", "why", "nonsense")


class Reader:
    """A person who reads all, and remembers what was read where the same was noticed before."""

    def __init__(self, text: str):
        self.game, self.plies = zermelo.game(text), GAMES[text]
        self.read: dict[tuple[int, tuple[Event, ...]], str] = {}
        self.truths: dict[Any, set[Any]] = defaultdict(set)

    def play(self, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
        """Play a game against random players, at a seat by turns."""
        game, seat = self.game, seed % self.game.players
        live = LiveGame(game, [None if p == seat else player("random") for p in range(game.players)], seed, Control(), "")
        printed, asked = io.StringIO(), list[str]()

        def answer(prompt: str) -> str:
            noticed = tuple(events_of(live.history, seat))
            self.truths[seat, noticed].add(live.history.state)
            before = self.read.setdefault((seat, noticed, len(asked)), printed.getvalue() + prompt)
            assert before == printed.getvalue() + prompt, f"{game!r}, seed {seed}: what is hidden shows"
            if len(live.history.taken) > self.plies:
                return "quit"
            if len(asked) < len(QUESTIONS):
                asked.append(QUESTIONS[len(asked)])
                return asked[-1]
            asked.clear()
            chooser = random.Random(str(noticed))
            return game.write_action(live.history.state, chooser.choice(sorted(live.history.actions())))

        monkeypatch.setattr(play_session, "asked", answer)
        with redirect_stdout(printed):
            play_session.Table(live).play()

    @property
    def alike(self) -> int:
        """How often what was noticed was the same and the truth was not."""
        return sum(len(states) > 1 for states in self.truths.values())


@pytest.mark.parametrize("text", GAMES)
def test_whoever_noticed_the_same_has_read_the_same(text, monkeypatch):
    reader = Reader(text)
    for seed in range(8 if text.startswith("goofspiel") else 30):
        reader.play(seed, monkeypatch)
    assert reader.alike >= (0 if text in ("holdem", "kriegspiel:rules=berkeley") else 1)


def test_a_leak_is_found(monkeypatch):
    reader = Reader("phantomttt")
    monkeypatch.setattr(type(reader.game), "announce", lambda game, s, a, p: game.write_action(s, a))
    with pytest.raises(AssertionError, match="what is hidden shows"):
        for seed in range(30):
            reader.play(seed, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("text", GAMES)
def test_nothing_shows_in_ten_thousand_games(text, monkeypatch):
    reader = Reader(text)
    for seed in range(10_000 // len(GAMES) + 1):
        reader.play(1000 + seed, monkeypatch)
    assert reader.alike > 0 or text == "holdem"


@pytest.mark.parametrize("text", ["kuhn", "phantomttt", "kriegspiel"])
def test_engines_are_sent_nothing_hidden(text, monkeypatch):
    """A program that plays gets a state that its player cannot tell from the truth, and none of the actions of others."""
    game, chooser = zermelo.game(text), random.Random(1)
    engine, sent = JsonPlayer("json:none", "none"), list[dict[str, Any]]()
    monkeypatch.setattr(JsonPlayer, "_must", lambda self, request: sent.append(request) or {})
    engine._key = 5
    others = 0
    for _ in range(8):
        history = History(game)
        while not history.is_over and len(history.taken) < 7:
            p = game.to_move(history.state)
            if p >= 0:
                sent.clear()
                engine._tell(game, history, p)
                (request,) = sent
                assert request.keys() == {"command", "state"}
                world = game.read_state(request["state"])
                assert game.observe(world, p) == game.observe(history.state, p)
                others += world != history.state
            history.do(chooser.choice(list(history.actions())))
    assert others > 5


def test_recorded_thoughts_hold_nothing_hidden():
    """Players who search note a line of their own action alone: what would follow depends on what is hidden."""
    for text, name in (("leduc", "ismcts:simulations=50,interpreted=true"), ("leduc", "worlds:worlds=2,nodes=500,interpreted=true")):
        game = zermelo.game(text)
        one, history, chooser = player(name), History(game), random.Random(2)
        while game.to_move(history.state) < 0:
            history.do(chooser.choice(list(history.actions())))
        one.begin(game, 0, 1)
        a = one.choose(game, history, Clock(Control(), 2))
        assert one.thought is None or one.thought.line in ((), (a,))


def test_commands_say_that_they_see_everything(capsys):
    done = called(capsys, "search", "kuhn", "--state", "KJ p", "--nodes", "100", "--set", "interpreted=true", "--json")
    assert done.code == 0 and json.loads(done.out.splitlines()[-1])["sees"] == "everything, also what is hidden"
    quick = ("--set", "simulations=50", "--set", "interpreted=true")
    done = called(capsys, "search", "kuhn", "--state", "KJ p", "--with", "ismcts", *quick, "--json")
    assert json.loads(done.out.splitlines()[-1])["sees"] == "what the player knows"
