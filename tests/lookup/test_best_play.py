"""The whole solution of small games: every action of the map keeps the value that brute force finds, in every file format."""

from __future__ import annotations

import csv
import json
import sqlite3
from functools import cache
from xml.etree import ElementTree

import pytest
from helpers_cli import called, refusal

import zermelo
from zermelo.arena.clock import Clock, Control
from zermelo.arena.players.by_text import player
from zermelo.explain.optimal_tree import optimal_tree
from zermelo.history import History
from zermelo.lookup.best_play import BestPlay


def brute_force(game):
    """A function of a state: its value to the mover, and the plies to a win or loss."""

    @cache
    def best(s):
        me = game.to_move(s)
        if game.is_terminal(s):
            return float(game.utility(s, me)), 0
        found = []
        for t in (game.result(s, a) for a in game.actions(s)):
            v, plies = best(t)
            found.append((v if game.to_move(t) == me else -v, plies + 1))
        return max(found, key=lambda x: (x[0], 0 if game.has_scores else -x[0] * x[1]))

    return best


@pytest.mark.parametrize("text", ["tictactoe", "kalah:houses=2,seeds=2,score=true"])
def test_every_state_has_its_best_actions(text):
    game = zermelo.game(text)
    worth, play = brute_force(game), BestPlay(game, game.initial(), 10_000)
    many = 0
    for c in play.choices():
        many += 1
        v, plies = worth(c.state)
        assert (c.value, c.plies) == (v, plies if v and not game.has_scores else None)
        for a in game.actions(c.state):
            t = game.result(c.state, a)
            w, left = worth(t)
            w = w if game.to_move(t) == c.player else -w
            assert (a in c.best) == (w == v and (c.plies is None or left + 1 == plies))
    assert text != "tictactoe" or (many, play.size) == (4520, 5478)


def test_files_agree_and_are_played(tmp_path, capsys):
    files = [tmp_path / f"ttt.{kind}" for kind in ("json", "csv", "sqlite")]
    for file in files:
        called(capsys, "strategy", "tictactoe", "--rows", "1", "--save", str(file))
    by_json = json.loads(files[0].read_text())
    with files[1].open() as rows:
        assert {row["state"]: row["action"] for row in csv.DictReader(rows)} == by_json
    with sqlite3.connect(files[2]) as base:
        assert dict(base.execute("select state, action from strategy")) == by_json
        assert base.execute("select value, plies from strategy where state = 'XX./OO./...'").fetchone() == (1.0, 1)
    game, clock = zermelo.game("tictactoe"), Clock(Control(), 2)
    for file in files:
        perfect, other = player(f"table:{file}|random"), player("random")
        for seed in range(10):
            history = History(game)
            perfect.begin(game, seed % 2, seed)
            other.begin(game, 1 - seed % 2, seed)
            while not history.is_over:
                side = perfect if game.to_move(history.state) == seed % 2 else other
                history.do(side.choose(game, history, clock))
            assert game.utility(history.state, seed % 2) >= 0


def test_the_tree_of_best_play(tmp_path, capsys):
    game = zermelo.game("nim:heaps=1,2,3")
    story = optimal_tree(BestPlay(game, game.initial(), 100), 1)
    for node in story.nodes.values():
        assert node.value == -1  # the second player wins whatever the first does
        assert node.mover == 0 or len(node.children) + node.more <= 1
    called(capsys, "strategy", "nim:heaps=1,2,3", "--player", "1", "--tree", str(tmp_path / "nim.svg"))
    assert ElementTree.fromstring((tmp_path / "nim.svg").read_text()).tag.endswith("svg")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["connect4", "--limit", "1000"], "connect4 has more than 1,000 states: expected a smaller game, or a greater --limit"),
        (["kuhn"], "kuhn has hidden information: zermelo solve kuhn --run FILE finds its strategy, then show FILE"),
        (["tictactoe", "--save", "x.txt"], "x.txt: expected a name that ends with .json, .csv, .sqlite"),
        (["tictactoe", "--tree", "no/x.svg"], "cannot write no/x.svg: the folder no does not exist"),
        (["tictactoe", "--player", "2"], "expected a player from 0 to 1, not 2"),
        (["pig"], "expected a game without chance"),
    ],
)
def test_what_has_no_strategy_is_refused(capsys, words, sentence):
    assert sentence in refusal(called(capsys, "strategy", *words))


@pytest.mark.parametrize(
    ("name", "content"), [("a.csv", b"x,y\n1,2\n"), ("a.sqlite", b"no database at all, but text " * 40), ("b.sqlite", None)]
)
def test_files_that_are_no_strategy(tmp_path, name, content):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(zermelo.ZermeloError, match=r"expected|cannot be read"):
        player(f"table:{tmp_path / name}")
