"""Engines that speak UCI: Stockfish and GNU Chess play whole games, and their output is understood."""

from __future__ import annotations

import numpy as np
import pytest
from arena.programs import needs, play

import zermelo
from zermelo.arena.clock import Clock, Control
from zermelo.arena.players.by_text import player
from zermelo.arena.players.uci import UciPlayer, _read
from zermelo.errors import ZermeloError
from zermelo.history import History
from zermelo.learn.labelling import begin_folder, read_labels, write_part
from zermelo.learn.player_games import PlayerLabeller, label_by_player
from zermelo.learn.relabelling import Relabeller, relabel

CHESS = zermelo.game("chess")


@needs("stockfish")
def test_stockfish_beats_random_play():
    fish, other = player("uci:stockfish?UCI_Elo=1350&Threads=1&nodes=2000"), player("random")
    for sides, best in (((fish, other), 0), ((other, fish), 1)):
        history = play(CHESS, sides, "none", most=300)
        assert history.is_over and history.utility(best) == 1.0
    assert fish.thought.depth > 0 and fish.thought.line and fish.thought.value is not None
    fish.close()


@needs("stockfish")
def test_stockfish_sees_a_mate_and_says_so():
    fish = player("uci:stockfish?depth=8")
    history = History(CHESS, CHESS.read_state("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1"))
    fish.begin(CHESS, 0, 1)
    a = fish.choose(CHESS, history, Clock(Control(), 2))
    assert fish.value == 1.0
    assert fish.thought.value == fish.value == 1.0 and fish.thought.note.startswith("mate")
    assert fish.thought.line[0] == a
    lost = CHESS.read_state("7k/8/5K2/8/8/8/6q1/8 w - - 0 1")
    asked = [(history.state, None), (lost, None), (history.state, a)]
    for in_flight in (1, 2, 8):
        found = list(fish.judge(CHESS, asked, in_flight))
        assert found[0] == found[2] == 1.0 and found[1] < -0.02
    fish.close()


@needs("stockfish")
def test_stockfish_labels_neighbours_for_the_player_to_move(tmp_path):
    """A queen more or less, seen after each action of both sides."""
    s = CHESS.read_state("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1")
    labels, near = tmp_path / "labels", tmp_path / "near"
    begin_folder(labels, {"game": "chess"})
    write_part(labels / "part-00000.npy", np.array([[*CHESS.layout.pack(s), 0, 0]], np.uint64))
    asked = Relabeller(by="uci:stockfish?depth=1", neighbours=12, in_flight=4, seed=1)
    *_, done = relabel(CHESS, asked, labels, near)
    found = read_labels(CHESS, near)
    assert done == len(found.values) and set(found.movers.tolist()) == {0, 1}
    assert ((found.values > 0.02) == (found.movers == 0)).all() and ((found.values < -0.02) == (found.movers == 1)).all()


@needs("stockfish")
def test_stockfish_labels_the_quiet_states_of_its_own_games(tmp_path, monkeypatch):
    monkeypatch.setattr("zermelo.learn.player_games.GAMES", 2)
    asked = PlayerLabeller(by="uci:stockfish?nodes=50&Threads=1", positions=1, longest=40, seed=1)
    *_, done = label_by_player(CHESS, asked, tmp_path / "labels")
    found = read_labels(CHESS, tmp_path / "labels")
    assert done == len(found.values) > 20
    assert not any(CHESS.is_forcing(CHESS.layout.unpack(row)) for row in found.states.tolist())


@needs("stockfish")
def test_an_option_that_is_not_there():
    with pytest.raises(ZermeloError, match="did you mean Threads"):
        player("uci:stockfish?Thread=1").begin(CHESS, 0, 1)


@needs("stockfish")
def test_chess960_with_castling_as_its_engines_write_it():
    game = zermelo.game("chess:start=100")
    fish = player("uci:stockfish?nodes=500")
    assert play(game, (fish, fish), "none", most=40).taken
    fish.close()


@needs("gnuchessu")
def test_gnu_chess_plays():
    other = player("uci:gnuchessu?depth=2")
    assert len(play(CHESS, (player("random"), other), "none", most=20).taken) == 20
    other.close()


def test_what_is_told_to_the_engine():
    side = UciPlayer("uci:x?Skill%20Level=3&nodes=7", "x?Skill%20Level=3&nodes=7")
    assert side._told == {"Skill Level": "3"} and side._go(Clock(Control(), 2), 0) == "nodes 7"
    free = UciPlayer("uci:x", "x")
    assert free._go(Clock(Control.read("10+0.5"), 2), 0) == "wtime 9970 btime 9970 winc 500 binc 500"
    assert free._go(Clock(Control.read("2/move"), 2), 0) == "movetime 1970"
    assert free._go(Clock(Control(), 2), 0) == "movetime 1000"
    free._is960, free._moves, free._taken, free._dialect = False, [], [], CHESS.uci
    history = History(CHESS)
    assert free._position(CHESS, history) == "position startpos"
    for word in ("e2e4", "e7e5"):
        history.do(CHESS.read_action(history.state, word))
    assert free._position(CHESS, history) == "position startpos moves e2e4 e7e5"
    history.undo()
    assert free._position(CHESS, history) == "position startpos moves e2e4"
    fen = "8/8/8/8/8/4k3/4p3/4K3 b - - 0 60"
    assert free._position(CHESS, History(CHESS, CHESS.read_state(fen))) == f"position fen {fen}"


@pytest.mark.parametrize(
    ("line", "value", "note"),
    [
        ("info depth 9 seldepth 12 score cp 35 nodes 1234 pv e2e4 e7e5", 0.0035, "cp 35"),
        ("info depth 9 score mate -3 nodes 1234 pv e2e4 e7e5", -1.0, "mate -3"),
        ("info depth 9 score cp 12 lowerbound nodes 1234 pv e2e4 zzzz", 0.0012, "cp 12"),
        ("info depth 9 score cp 999999 nodes 1234 pv", 0.99, "cp 999999"),
        ("info depth 9 nodes 1234 score pv", None, ""),
    ],
)
def test_what_the_engine_says(line, value, note):
    history = History(CHESS)
    thought = _read(history.state, line, False, history, CHESS.uci)
    assert (thought.value, thought.note, thought.depth, thought.nodes) == (value, note, 9, 1234)
    assert len(thought.line) <= 2
