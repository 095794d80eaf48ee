"""Analysis: approves of perfect play, finds planted mistakes, reads every format, draws a picture."""

from __future__ import annotations

import json
import math
import os
import re
import signal
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from helpers_cli import called, refusal

import zermelo
from zermelo.arena.players.by_text import player
from zermelo.arena.rating.accuracy import CERTAIN, Scale, accuracy, fit, mark_of, scale_of
from zermelo.arena.rating.analyse import Analysis, sides
from zermelo.arena.rating.plot import picture
from zermelo.arena.records.record_formats import write
from zermelo.arena.records.saved_games import load
from zermelo.arena.records.store import Slot, Store
from zermelo.arena.referee import play_game
from zermelo.errors import ZermeloError
from zermelo.game import Game
from zermelo.history import History, entries_of
from zermelo.notation.sheet import About, Ending, Entry, Sheet
from zermelo.system.files import write_text


def history_of(game: Game, moves: str) -> History:
    history = History(game)
    for text in moves.split():
        history.do(game.read_action(history.state, text))
    return history


def sheet_of(history: History, players: tuple[str, ...] = ("one", "two")) -> Sheet:
    about = About(repr(history.game), players, 0, history.game.write_state(history.states[0]))
    return Sheet(about, entries_of(history), None)


def perfect(game: Game, seed: int) -> History:
    """A game in which each takes one of its best moves, by a search to the end."""
    from zermelo.search.alphabeta.searcher import AlphaBeta

    history, search = History(game), AlphaBeta()
    while not history.is_over:
        s = history.state
        values = {a: search.search(game, game.result(s, a)).values[game.to_move(s)] for a in history.actions()}
        signs = {a: (v > 0.5) - (v < -0.5) for a, v in values.items()}
        best = [a for a in values if signs[a] == max(signs.values())]
        history.do(best[seed % len(best)])
    return history


@pytest.mark.parametrize(
    "text", ["connect4:width=4,height=4", *(pytest.param(x, marks=pytest.mark.slow) for x in ("tictactoe", "mnk:width=4,height=3,line=3"))]
)
@pytest.mark.parametrize("seed", [0, 1, 2, 3, 5, 7])
def test_perfect_play_has_no_mistake(text: str, seed: int):
    history = perfect(zermelo.game(text), seed)
    judged = list(Analysis(history, nodes=5_000_000).moves())
    assert len(judged) == len(history.taken)
    assert all(j.exact for j in judged)
    assert [j.text + j.mark for j in judged if j.loss] == []
    assert {side.accuracy for side in sides(history.game, judged)} <= {100.0, None}


def test_a_planted_blunder_is_found_and_named():
    game = zermelo.game("tictactoe")
    history = history_of(game, "b2 a1 c1 a3 a2 c2 b3 b1 c3")
    assert not any(j.mark for j in Analysis(history, nodes=100_000).moves())
    history = history_of(game, "b2 a1 c1 b1 a3")
    marks = {j.text: (j.mark, j.best, j.expected, j.best_expected) for j in Analysis(history, nodes=100_000).moves()}
    assert marks["b1"] == ("??", "a3", 0.0, 0.5)
    assert [text for text, (mark, *_) in marks.items() if mark] == ["b1"]


def test_a_blunder_at_chess_is_found_and_named():
    game = zermelo.game("chess")
    history = history_of(game, "e4 e5 Qh5 Ke7 Qxe5#")
    judged = {j.text: j for j in Analysis(history, nodes=20_000).moves()}
    assert judged["Ke7"].mark == "??"
    assert judged["Ke7"].expected == 0
    assert judged["Qxe5#"].expected == 1
    assert judged["Qxe5#"].loss == 0
    assert not judged["e4"].mark
    found = sides(game, list(judged.values()))
    assert found[1].marks["??"] == 1
    assert found[0].accuracy is not None
    assert found[1].accuracy is not None
    assert found[0].accuracy > found[1].accuracy


def test_an_extra_turn_keeps_the_side():
    """At Kalah who moves again is judged by the value for itself."""
    history = history_of(zermelo.game("kalah"), "3 6")
    judged = list(Analysis(history, nodes=20_000).moves())
    assert [j.seat for j in judged] == [0, 0]
    assert all(j.expected > 0.4 for j in judged)


@pytest.mark.parametrize(
    "text", ["pig:target=20", "kuhn", "trio", *(pytest.param(x, marks=pytest.mark.slow) for x in ("backgammon", "bins", "nim"))]
)
def test_any_game_can_be_looked_at(text: str):
    game = zermelo.game(text)
    moves: list[Entry] = []
    play_game(game, [player("random") for _ in range(game.players)], 3, tell=lambda _, e: moves.append(e))
    history = History(game)
    for entry in moves[:40]:
        history.do(game.read_action(history.state, entry.action))
    analysis = Analysis(history, nodes=300)
    judged = list(analysis.moves())
    assert len(judged) == sum(e.seat >= 0 for e in moves[:40])
    assert all(0 <= j.loss <= 1 for j in judged)
    assert all(len(j.after) == game.players for j in judged)
    ET.fromstring(picture(text, [f"p{i}" for i in range(game.players)], analysis.start(), judged, "how it went"))


def test_a_forced_move_does_not_count():
    judged = list(Analysis(history_of(zermelo.game("nim:heaps=2"), "1-1 1-1"), nodes=1000).moves())
    assert [j.is_forced for j in judged] == [False, True]
    assert judged[0].mark == "??"
    assert [side.moves for side in sides(zermelo.game("nim:heaps=2"), judged)] == [1, 0]
    assert sides(zermelo.game("nim:heaps=2"), judged)[1].accuracy is None


def test_it_is_told_what_the_limit_is():
    history = history_of(zermelo.game("tictactoe"), "b2")
    for limits in ({}, {"seconds": 1.0, "nodes": 5}):
        with pytest.raises(ZermeloError, match="expected seconds or nodes"):
            Analysis(history, **limits)


# ---- scores --------------------------------------------------------------------------------------


def test_values_become_scores_by_the_logistic_that_is_told():
    scale = Scale(0.02)
    assert scale.expected(0.0) == 0.5
    assert scale.expected(0.02) == pytest.approx(1 / (1 + math.exp(-1)))
    assert scale.expected(-0.02) == pytest.approx(1 - scale.expected(0.02))
    assert scale.expected(1e9) == 1
    assert scale.expected(-1e9) == 0
    assert scale.expected(0.3, is_known=True) == 1
    assert scale.expected(0.0, is_known=True) == 0.5
    assert scale_of(zermelo.game("connect4")).expected(CERTAIN) == 1
    assert scale_of(zermelo.game("othello:score=true")).expected(2.0) < 1
    assert scale_of(zermelo.game("backgammon")).expected(1.0) < 1


def test_marks_and_accuracy():
    assert [mark_of(x) for x in (0, 0.049, 0.05, 0.1, 0.199, 0.2, 1)] == ["", "", "?!", "?", "?", "??", "??"]
    assert accuracy([0.0, 0.5]) == 75
    assert accuracy([]) is None


def test_the_unit_is_found_again():
    """Scores drawn as a logistic of a known unit has them."""
    told = []
    for i in range(-100, 101):
        v = i / 100
        p = Scale(0.3).expected(v)
        told += [(v, 1.0)] * round(1000 * p) + [(v, 0.0)] * round(1000 * (1 - p))
    assert fit(told) == pytest.approx(0.3, rel=0.01)


# ---- files ---------------------------------------------------------------------------------------

GAMES = {
    "pgn": ("chess", "e4 e5 Nf3 Nc6 Bb5"),
    "pdn": ("checkers", "11-15 23-19 8-11"),
    "sgf": ("go", "E5 C3 pass"),
    "ggf": ("othello", "d3 c3 c4"),
    "json": ("tictactoe", "b2 a1 c1"),
}


@pytest.mark.parametrize("kind", GAMES)
def test_every_format_is_read(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    text, moves = GAMES[kind]
    history = history_of(zermelo.game(text), moves)
    file = tmp_path / f"game.{kind}"
    file.write_text(write(kind, [sheet_of(history)]))
    done = called(capsys, "analyse", str(file), "--nodes", "200", "--json")
    assert (done.code, done.err) == (0, "")
    *rows, last = [json.loads(line) for line in done.out.splitlines()]
    assert [row["move"] for row in rows] == moves.split()
    assert (last["moves"], last["judged"]) == (len(moves.split()), len(moves.split()))
    assert {row["seat"] for row in rows} == {0, 1}


def test_matches_of_backgammon_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    game = zermelo.game("backgammon")
    history = history_of_entries(game, 3, 8)
    file = tmp_path / "game.mat"
    file.write_text(write("mat", [sheet_of(history)]))
    done = called(capsys, "analyse", str(file), "--nodes", "100")
    assert done.code == 0
    assert "accuracy" in done.out


def history_of_entries(game: Game, seed: int, many: int) -> History:
    moves: list[Entry] = []
    play_game(game, [player("random") for _ in range(game.players)], seed, tell=lambda _, e: moves.append(e))
    history = History(game)
    for entry in moves[:many]:
        history.do(game.read_action(history.state, entry.action))
    return history


def test_a_transcript_of_othello_is_read_and_passes_may_lack(tmp_path: Path):
    game = zermelo.game("othello")
    played = ([e.action for e in entries_of(history_of_entries(game, seed, 80))] for seed in range(20))
    texts = next(moves for moves in played if "pass" in moves)
    for i, shown in enumerate((texts, [t for t in texts if t != "pass"])):
        file = tmp_path / f"{i}.txt"
        file.write_text("".join(shown) + "\n")
        found = [e.action for e in load(file, 1).moves]
        while texts[-1] == "pass" and len(found) < len(texts):
            texts.pop()
        assert found == texts


def test_a_game_of_the_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    history = history_of(zermelo.game("tictactoe"), "b2 a1 c1 b1 a3")
    path = tmp_path / "games.sqlite"
    with Store(path) as store:
        number = store.begin(store.event("match", "tictactoe", "k", {}), Slot(0, 0, 0), sheet_of(history).about)
        for ply, entry in enumerate(entries_of(history)):
            store.move(number, ply, entry)
        store.end(number, Ending((1.0, -1.0), "ended"))
    done = called(capsys, "analyse", str(number), "--record", str(path), "--nodes", "10000")
    assert done.code == 0
    assert re.search(r"4\. O +b1\?\? +0 % +-1 exact +a3 was better: 50 %, \+0; a3", done.out)
    assert "O (two): accuracy 75.0 % in 2 moves; 1 blunder, 0 mistakes, 0 inaccuracies" in done.out
    assert refusal(called(capsys, "analyse", "99", "--record", str(path))).startswith("there is no game 99")
    assert "there is no record" in refusal(called(capsys, "analyse", "1", "--record", str(tmp_path / "none")))


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.pgn", "1. e4 e5 2. Ke3 *", "a.pgn: "),
        ("a.xyz", "", "there is no format 'xyz'"),
        ("a.json", "{}", "expected an object with"),
        ("a.txt", "hello", "is not a line of moves"),
        ("a.pgn", "", "expected a game, and there is none"),
    ],
)
def test_what_cannot_be_read_is_refused(name: str, text: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / name).write_text(text)
    assert expected in refusal(called(capsys, "analyse", str(tmp_path / name)))


def test_options_that_cannot_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "g.pgn"
    file.write_text("1. e4 *\n")
    assert "not both" in refusal(called(capsys, "analyse", str(file), "--nodes", "5", "--seconds-per-move", "1"))
    assert "there is no folder" in refusal(called(capsys, "analyse", str(file), "--svg", str(tmp_path / "no" / "x.svg")))
    assert "expected a game from 1 to 1, not 2" in refusal(called(capsys, "analyse", str(file), "--number", "2"))
    assert "there is no searcher" in refusal(called(capsys, "analyse", str(file), "--with", "magic"))


# ---- the picture ---------------------------------------------------------------------------------


def test_the_picture_tells_what_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file, drawn = tmp_path / "g.json", tmp_path / "g.svg"
    write_text(file, write("json", [sheet_of(history_of(zermelo.game("tictactoe"), "b2 a1 c1 b1 a3"), ("a<b", "c&d"))]))
    assert called(capsys, "analyse", str(file), "--nodes", "10000", "--svg", str(drawn)).code == 0
    root = ET.fromstring(drawn.read_text())
    space = "{http://www.w3.org/2000/svg}"
    assert root.get("role") == "img"
    assert (root.findtext(f"{space}title") or "").startswith("tictactoe: X (a<b) against O (c&d)")
    assert "accuracy" in (root.findtext(f"{space}desc") or "")
    assert "prefers-color-scheme:dark" in (root.findtext(f"{space}style") or "")
    said = [t.text for g in root.iter(f"{space}g") for t in g.iter(f"{space}title")]
    assert said == ["4. b1??, better a3: 50 % of a point lost"]
    points = next(root.iter(f"{space}polyline")).get("points", "").split()
    assert len(points) == 6
    assert not list(tmp_path.glob(".g*"))


# ---- Ctrl-C --------------------------------------------------------------------------------------


def test_ctrl_c_keeps_what_was_done(tmp_path: Path):
    file, drawn = tmp_path / "g.json", tmp_path / "g.svg"
    history = history_of(zermelo.game("connect4"), "4 4 4 4 4 3 3 3 3 5 5 5 5")
    file.write_text(write("json", [sheet_of(history)]))
    command = [sys.executable, "-m", "zermelo", "analyse", str(file), "--seconds-per-move", "6", "--svg", str(drawn)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        head = [process.stdout.readline() for _ in range(4)]
        assert head[0].startswith("connect4")
        assert re.match(r" +1\. X", head[3])
        os.kill(process.pid, signal.SIGINT)
        rest = process.stdout.read()
        assert process.wait(60) == 130
        assert "accuracy" in rest
        assert "Traceback" not in process.stderr.read()
    ET.fromstring(drawn.read_text())
