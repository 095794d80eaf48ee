"""Syzygy's tables by our own reader: python-chess finds the same results and plies; players win by them; damage is told."""

from __future__ import annotations

import json
import os
import shutil
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from helpers_cli import called, refusal
from syzygy_numbers import pieces_of, squares_of, stored_results

import zermelo
from zermelo.arena.clock import Clock, Control
from zermelo.arena.players.by_text import player
from zermelo.bits import popcount, u64
from zermelo.errors import ZermeloError
from zermelo.games.chess.endings import FIRSTS, KINDS
from zermelo.games.chess.moves import occupied
from zermelo.games.chess.syzygy import Syzygy
from zermelo.games.chess.syzygy.numbering import KING_PAIRS, OF_KINGS, PAWN_NUMBERS, leading, twist
from zermelo.games.chess.syzygy.pairs import value_at
from zermelo.games.chess.syzygy.table import SyzygyTable
from zermelo.history import History
from zermelo.lookup.build import build_table
from zermelo.lower.memory import Words, store
from zermelo.rng import below, draw
from zermelo.search.endgames.probe import Probing, table_value
from zermelo.search.endgames.table import Table, find_table, with_table
from zermelo.search.endgames.values import DRAWN, is_won, sign_of
from zermelo.search.prepare import prepare
from zermelo.search.records import WIDTH, room

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


class Capturing(Probing):
    """The record of `best_captures`."""

    at: int
    until: int
    moves: list[int] = room(WIDTH)
    found: int  # a word for each number: the best result of a capture, and 3 if there are other actions


def best_captures(game, work):
    """Write for each number what captures lead to by the table, from -1 to 1, more by 2, and 4 more if there are other actions; else 0."""
    first = work.at
    while work.at < work.until:
        s, best, others = game.state_at(work.at), 0, 0
        if game.index(s) == work.at:
            for k in range(game.fill(s, work.moves)):
                t = game.result(s, work.moves[k])
                if popcount(occupied(t)) < popcount(occupied(s)):
                    best = max(best, 2 - sign_of(table_value(game, t, work)))
                else:
                    others = 4
            store(work.found, work.at - first, u64(8 + best + others))
        work.at += 1
    return 0


def all_results(table, folder, name):
    """Compare every state of an ending in our table with Syzygy's; how many states there are, and how many can take en passant."""
    game, found, passing = with_table(PLAIN, table), 0, 0
    syzygy = SyzygyTable(folder / f"{name}.rtbw")
    ours = name.replace("v", "")
    (first, last), blocks = next((a, b) for ending, a, b in table.about.ranges if ending == ours), table.blocks()
    values = np.concatenate([v for at, v, _ in blocks if first <= at < last]).astype(np.int64)
    words = Words(last - first, False)
    prepare(game, best_captures, Capturing, False, width=64)(at=first, until=last, found=words.table)
    captures = words.array.astype(np.int64)
    assert ((captures > 0) == (values > 0)).all()
    for which, kinds in enumerate(KINDS):
        if not first <= FIRSTS[which] < last:
            continue
        numbers = FIRSTS[which] + np.flatnonzero(values[FIRSTS[which] - first : FIRSTS[which + 1] - first])
        squares, taking = squares_of(numbers, which)
        stored = np.sign(stored_results(syzygy, pieces_of(kinds), squares))
        best, v = captures[numbers - first], values[numbers - first]
        forced = (best & 3 > 0) & (best & 4 == 0)  # Syzygy's tables know nothing of captures en passant
        result = np.where(forced, (best & 3) - 2, np.where(best & 3 > 0, np.maximum(stored, (best & 3) - 2), stored))
        true = np.where(v == DRAWN, 0, np.where(v & 1 == 1, 1, -1))
        assert (result == true).all(), PLAIN.write_state(PLAIN.state_at(int(numbers[np.flatnonzero(result != true)[0]])))
        found, passing = found + len(numbers), passing + int(taking.sum())
    return found, passing


#: positions of each ending up to symmetry, and those in which a pawn can be taken en passant
POSITIONS = {
    **{"KBvK": (65_173, 0), "KNvK": (67_061, 0), "KPvK": (165_676, 0), "KQvK": (57_557, 0), "KRvK": (62_320, 0)},
    **{"KBNvK": (3_832_792, 0), "KQvKR": (3_082_739, 0), "KPvKP": (3_739_937, 21_893), "KRvKP": (9_031_524, 0)},
}


@needs_data
@pytest.mark.slow
@pytest.mark.parametrize("ending", ["3", "KBNK", "KQKR", "KPKP"])
def test_all_results_are_those_of_our_own_tables(tmp_path, ending):
    """Every position of every file, 20,104,779 in all; KRKP is part of the table of KPKP."""
    parts = {"3": [name for name in NAMES if len(name) == 4], "KBNK": ["KBNvK"], "KQKR": ["KQvKR"], "KPKP": ["KPvKP", "KRvKP"]}
    build_table(PLAIN, tmp_path / "t", ending=ending)
    for name in parts[ending]:
        assert all_results(Table(tmp_path / "t"), FOLDER, name) == POSITIONS[name]


@needs_data
def test_all_values_at_once_are_those_one_by_one():
    table = SyzygyTable(FOLDER / "KPvK.rtbw")
    for f, side in product(range(4), range(2)):
        found = table.values_of(f, side)
        numbers = range(side, len(found), 7)
        assert bytes(value_at(table._file, table.values[f][side], i) for i in numbers) == found[side::7]


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


@needs_data
def test_a_wrong_bit_is_told(tmp_path, capsys, monkeypatch):
    """By the checksum; and in a file that is too large for it, by values that make no sense, or not at all."""
    whole = (FOLDER / "KPvK.rtbw").read_bytes()
    places = [*range(5, 400, 13), *range(400, len(whole), 997)]
    for k, at in enumerate(places):
        (tmp_path / "KPvK.rtbw").write_bytes(whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :])
        os.utime(tmp_path / "KPvK.rtbw", ns=(k, k))
        with pytest.raises(ZermeloError, match="is damaged"):
            SyzygyTable(tmp_path / "KPvK.rtbw")
    told = called(capsys, "table", "verify", str(tmp_path))
    assert told.code == 1 and "KPvK.rtbw is damaged: it has another checksum" in told.out
    monkeypatch.setattr("zermelo.games.chess.syzygy.table.HASHED_AT_ONCE", 0)
    monkeypatch.setattr("zermelo.games.chess.syzygy.table.PART", 0)
    s, known = PLAIN.read_state("8/8/8/8/8/2k5/4P3/K7 w - - 0 1"), 0
    for at in places:
        (tmp_path / "KPvK.rtbw").write_bytes(whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :])
        try:
            known += Syzygy(tmp_path).wdl(PLAIN, s) is not None
            SyzygyTable(tmp_path / "KPvK.rtbw").verify()
        except ZermeloError as error:
            assert "is damaged" in str(error)
    assert known


@needs_data
def test_all_files_are_as_they_were_written(capsys):
    told = json.loads(called(capsys, "table", "verify", str(FOLDER), "--json").out)
    assert (told["files"], told["wrong"]) == (18, []) and told["values"] > 10_000_000


def test_a_folder_without_tables(tmp_path):
    with pytest.raises(ZermeloError, match=r"has no tables of Syzygy.s: expected files like KQvK\.rtbw"):
        zermelo.AlphaBeta(depth=1, endgames=str(tmp_path)).search(GAME)
    with pytest.raises(ZermeloError, match="is a folder: expected the file of a table of tictactoe"):
        zermelo.AlphaBeta(depth=1, endgames=str(tmp_path)).search(zermelo.game("tictactoe"))
