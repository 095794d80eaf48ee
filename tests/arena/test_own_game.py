"""A game in a user's own file has all that the built-in ones have: names, symbols, colours, a unit, files of records and openings, GTP."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from helpers_cli import called

import zermelo
from zermelo.arena import openings
from zermelo.arena.rating.accuracy import scale_of
from zermelo.arena.records.record_formats import read, write
from zermelo.cli import board_view
from zermelo.errors import ZermeloError
from zermelo.protocols.gtp import Gtp

RULES = '''
"""Take one or two of the coins that are left; the last one wins."""

from typing import NamedTuple

from zermelo import Game, i8
from zermelo.history import History, written_down
from zermelo.notation.dialects import Gtp
from zermelo.notation.sheet import Format, Opening, OpeningFormat


class State(NamedTuple):
    left: i8
    turn: i8


class Coins(Game):
    player_names = ("Heads", "Tails")
    symbols = ("H", "T")
    colours = ("red", "blue")
    unit = (0.25, "coin")
    value_scale = 0.5
    gtp = Gtp()

    def __init__(self, size: int = 7):
        self.size = size

    def initial(self):
        return State(self.size, 0)

    def to_move(self, s):
        return s.turn

    def actions(self, s):
        for a in range(1, 3):
            if a <= s.left:
                yield a

    def result(self, s, a):
        return State(s.left - a, 1 - s.turn)

    def is_terminal(self, s):
        return s.left == 0

    def utility(self, s, p):
        return -1.0 if s.turn == p else 1.0

    def evaluate(self, s, p):
        return 0.25 if s.turn == p else -0.25

    def show(self, s):
        return "HT"[s.turn] + " " + "o " * s.left


def read_game(line):
    names, _, moves = line.partition(": ")
    history = History(Coins())
    for move in moves.split("+"):
        history.do(history.game.read_action(history.state, move))
    return written_down(history, names.split(" - "), {}, None)


def write_games(played):
    lines = [" - ".join(sheet.about.players) + ": " + "+".join(e.action for e in sheet.moves) for sheet, history in played]
    return "\\n".join(lines) + "\\n"


def read_opening(game, text):
    return Opening("", tuple(text.split("+")))


Coins.formats = {"coins": Format(lambda data: data.decode().splitlines(), read_game, write_games)}
Coins.opening_formats = {"coins": OpeningFormat(lambda data: data.decode().splitlines(), read_opening)}
'''


@pytest.fixture
def coins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("ZERMELO_RECORD", str(tmp_path / "games.sqlite"))
    (tmp_path / "coins.py").write_text(RULES)
    return f"{tmp_path / 'coins.py'}:Coins"


def test_names_and_the_unit_at_the_terminal(coins, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("1\nwhy\n1\n2\n"))
    done = called(capsys, "play", coins, "--side", "heads", "--against", "alphabeta:depth=1,interpreted=true")
    assert "Heads: you, Tails: alphabeta:depth=1" in done.out
    assert "Heads> 1\n" in done.out and "Tails plays" in done.out
    assert "(value -1 coins, 38 % of the points" in done.out  # -0.25 of evaluate, on a scale of 0.5
    assert "there is no side 'white'" in called(capsys, "play", coins, "--side", "white").err


def test_symbols_and_colours(coins):
    game = zermelo.game(coins)
    assert board_view.painted(game, "H o\nT o") == "\x1b[1;31mH\x1b[0m o\n\x1b[1;34mT\x1b[0m o"
    assert (scale_of(game).unit, scale_of(game, "mcts").unit) == (0.5, 0.23)


def test_a_format_of_its_own(coins, capsys, tmp_path):
    match = called(capsys, "match", coins, "random", "random", "--games", "2", "--json")
    assert match.code == 0, match.err
    file = tmp_path / "played.coins"
    assert called(capsys, "export", str(file)).code == 0
    assert file.read_text().startswith("random - random: ") and len(file.read_text().splitlines()) == 2
    assert "there is no format 'coins'" in called(capsys, "import", str(file)).err
    done = called(capsys, "import", str(file), "--game", coins)
    assert (done.code, done.err) == (0, "") and "2 games, 3 to 4" in done.out
    sheets = read("coins", b"a - b: 1+2+1\n", coins)
    assert sheets[0].about.players == ("a", "b") and write("coins", sheets) == "a - b: 1+2+1\n"
    with pytest.raises(ZermeloError, match=r"^game 2: '3' is no"):
        read("coins", b"a - b: 1\na - b: 3\n", coins)
    judged = called(capsys, "analyse", str(file), "--game", coins, "--nodes", "100", "--with", "minimax", "--json")
    assert judged.code == 0 and json.loads(judged.out.splitlines()[-1])["moves"] > 0


def test_openings_and_gtp(coins, tmp_path):
    game = zermelo.game(coins)
    (tmp_path / "a.coins").write_text("1+2\n2+2\n")
    book = openings.load(tmp_path / "a.coins", game)
    assert {book.opening(game, i, 0).actions for i in range(2)} == {("1", "2"), ("2", "2")}
    said: list[str] = []
    engine = Gtp(said.append, "0", game, "alphabeta:depth=3,interpreted=true")
    for command in ("boardsize 3", "clear_board", "genmove b", "play w 3", "final_score", "play w 1", "play b 1", "final_score"):
        engine.handle(command)
    assert said[2:] == ["= 1\n", "? illegal move\n", "? cannot score\n", "=\n", "=\n", "= B+\n"]
    with pytest.raises(ZermeloError, match="a game of GTP, go, hex or othello, not tictactoe"):
        Gtp(said.append, "0", zermelo.game("tictactoe"))
