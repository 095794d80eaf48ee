"""Syzygy's tables by our own reader: python-chess finds the same results and plies; players win by them; damage is told."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from helpers_cli import called, refusal

import zermelo
from zermelo.arena.clock import Clock, Control
from zermelo.arena.players.by_text import player
from zermelo.errors import ZermeloError
from zermelo.games.chess.syzygy import Syzygy
from zermelo.games.chess.syzygy.numbering import KING_PAIRS, OF_KINGS, PAWN_NUMBERS, leading, twist
from zermelo.games.chess.syzygy.table import SyzygyTable
from zermelo.history import History
from zermelo.lookup.build import build_table
from zermelo.rng import below, draw
from zermelo.search.endgames.table import Table, find_table
from zermelo.search.endgames.values import is_won, sign_of

GAME = zermelo.game("chess")
PLAIN = zermelo.game("chess:draws=false")
DATA = os.environ.get("ZERMELO_DATA")
FOLDER = Path(DATA or "") / "chess" / "syzygy"
NAMES = sorted(path.stem for path in FOLDER.glob("*.rtbw")) if DATA else []
needs_data = pytest.mark.skipif(DATA is None, reason="ZERMELO_DATA is not set: Syzygy's tables are not here")


def random_boards(name, many, seed):
    """Yield positions with the pieces of a table, of either colour and with either side to move."""
    chess = pytest.importorskip("chess")
    sides, i = name.split("v"), 0
    while many:
        board, i = chess.Board(None), i + 1
        squares = sorted(range(64), key=lambda k, i=i: draw(seed * 1_000_003 + i, k))
        flip = below(draw(seed, i), 4)
        for side, letters in enumerate(sides):
            for letter in letters:
                board.set_piece_at(squares.pop(), chess.Piece.from_symbol(letter if side == flip & 1 else letter.lower()))
        board.turn = flip > 1
        if board.is_valid():
            many -= 1
            yield board


def agree(name, many, seed):
    """Compare results and plies with python-chess, where no table is missing; how many results and plies were compared."""
    syzygy, results, plies = pytest.importorskip("chess.syzygy"), 0, 0
    ours = Syzygy(FOLDER)
    with syzygy.open_tablebase(str(FOLDER)) as theirs:
        for board in random_boards(name, many, seed):
            s = PLAIN.read_state(board.fen())
            wdl = theirs.get_wdl(board)
            assert ours.wdl(PLAIN, s) == wdl, board.fen()
            results += wdl is not None
            mine, other = ours.dtz(PLAIN, s), theirs.get_dtz(board)
            if mine is not None and other is not None:
                assert mine == other, board.fen()
                plies += 1
    return results, plies


@needs_data
@pytest.mark.parametrize("name", NAMES)
def test_python_chess_finds_the_same(name):
    results, plies = agree(name, 12, 1)
    assert results == 12 and plies >= 8


@needs_data
@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_python_chess_finds_the_same_in_many_positions(name):
    results, plies = agree(name, 2000, 7)
    assert results == 2000 and plies >= 1500


@needs_data
def test_en_passant_decides():
    """Where all that is left is to take en passant, the table alone would be wrong."""
    chess, syzygy = pytest.importorskip("chess"), pytest.importorskip("chess.syzygy")
    ours = Syzygy(FOLDER)
    with syzygy.open_tablebase(str(FOLDER)) as theirs:
        for fen in ("8/8/8/3pP3/8/8/8/k1K5 w - d6 0 1", "8/8/8/8/3Pp3/8/8/K1k5 b - d3 0 1", "8/8/8/8/k1pP4/8/8/1K6 b - d3 0 1"):
            s = PLAIN.read_state(fen)
            assert s.x and ours.wdl(PLAIN, s) == theirs.probe_wdl(chess.Board(fen))


@needs_data
@pytest.mark.slow
def test_results_are_those_of_our_own_tables(tmp_path):
    build_table(GAME, tmp_path / "t", ending="3")
    table, ours, seen = Table(tmp_path / "t"), Syzygy(FOLDER), 0
    for at, values, _ in table.blocks():
        for k, v in enumerate(values.tolist()):
            if v and below(draw(3, at + k), 10) == 0:
                wdl = ours.wdl(PLAIN, GAME.state_at(at + k))
                assert wdl is not None and (wdl > 0) - (wdl < 0) == sign_of(v)
                seen += 1
    assert seen > 30_000


def test_the_numbers_of_kings_and_pawns():
    assert len(KING_PAIRS) == OF_KINGS
    squares = range(8, 56)
    assert sorted(map(twist, squares)) == list(range(48))
    assert [leading(square) for square in (8, 16, 48, 9, 15, 51)] == [0, 1, 5, 6, 0, 23]
    assert [sizes for _, sizes in PAWN_NUMBERS[:2]] == [[6, 6, 6, 6], [252, 180, 108, 36]]


# ---- players and searches ----------------------------------------------------------------------


@needs_data
@pytest.mark.parametrize("text", ["table:{}|random", "alphabeta:depth=1,interpreted=true,endgames={}"])
def test_players_mate(text):
    s = GAME.read_state("8/8/8/3k4/8/8/8/KQ6 w - - 0 1")
    sides = [player(text.format(FOLDER)), player(f"table:{FOLDER}|random")]
    for seat, side in enumerate(sides):
        side.begin(GAME, seat, 5)
    history, clock = History(GAME, s), Clock(Control(), 2)
    while not history.is_over:
        history.do(sides[GAME.to_move(history.state)].choose(GAME, history, clock))
    assert history.utility(0) == 1 and len(history.taken) <= 20


@needs_data
def test_the_rule_of_fifty_moves_is_respected():
    table, s = find_table(str(FOLDER)), GAME.read_state("8/8/8/3k4/8/8/8/KR6 w - - 0 1")
    searcher = zermelo.AlphaBeta(depth=1, endgames=str(FOLDER), interpreted=True)
    assert is_won(table.value(GAME, s)) and searcher.search(GAME, s).value == 1
    assert not searcher.search(GAME, GAME.read_state("8/8/8/3k4/8/8/8/KR6 w - - 90 60")).exact


@needs_data
def test_the_command_probes_a_folder(capsys):
    told = called(capsys, "table", "probe", str(FOLDER), "--state", "8/8/8/8/8/2k5/8/KQ6 w - - 0 1").out
    assert "won in 11 plies" in told and "counted to the next capture" in told
    assert "is a folder: expected a file" in refusal(called(capsys, "table", "info", str(FOLDER)))


# ---- damage ------------------------------------------------------------------------------------


@needs_data
def test_damage_is_told(tmp_path):
    for name in ("KQvK.rtbw", "KPvKP.rtbz"):
        whole = (FOLDER / name).read_bytes()
        for size in (0, 3, 20, len(whole) // 2, len(whole) - 1):
            (tmp_path / name).write_bytes(whole[:size])
            with pytest.raises(ZermeloError, match=r"is (damaged|not a table of Syzygy's)"):
                SyzygyTable(tmp_path / name)
    shutil.copy(FOLDER / "KQvK.rtbw", tmp_path / "KPvK.rtbw")
    with pytest.raises(ZermeloError, match="is damaged: its name has other pieces"):
        SyzygyTable(tmp_path / "KPvK.rtbw")


def test_a_folder_without_tables(tmp_path):
    with pytest.raises(ZermeloError, match=r"has no tables of Syzygy.s: expected files like KQvK\.rtbw"):
        zermelo.AlphaBeta(depth=1, endgames=str(tmp_path)).search(GAME)
    with pytest.raises(ZermeloError, match="is a folder: expected the file of a table of tictactoe"):
        zermelo.AlphaBeta(depth=1, endgames=str(tmp_path)).search(zermelo.game("tictactoe"))
