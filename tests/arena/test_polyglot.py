"""Polyglot's format of opening books: its keys, and books that python-chess and we read alike."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

import pytest

import zermelo
from zermelo.arena.books import files
from zermelo.arena.books.book import Book
from zermelo.errors import ZermeloError
from zermelo.games.chess import polyglot
from zermelo.rng import below, draw

CHESS, TTT = zermelo.game("chess"), zermelo.game("tictactoe")
DATA = os.environ.get("ZERMELO_DATA")
#: positions and keys of the specification
KEYS = {
    "": 0x463B96181691FC9C,
    "e4": 0x823C9B50FD114196,
    "e4 d5": 0x0756B94461C50FB0,
    "e4 d5 e5": 0x662FAFB965DB29D4,
    "e4 d5 e5 f5": 0x22A48B5A8E47FF78,
    "e4 d5 e5 f5 Ke2": 0x652A607CA3F242C1,
    "e4 d5 e5 f5 Ke2 Kf7": 0x00FDD303C946BDD9,
    "a4 b5 h4 b4 c4": 0x3C8123EA7B067637,
    "a4 b5 h4 b4 c4 bxc3 Ra3": 0x5C3F9B829B279560,
}


def test_polyglots_keys():
    for moves, key in KEYS.items():
        s = CHESS.initial()
        for word in moves.split():
            s = CHESS.result(s, CHESS.read_action(s, word))
        assert polyglot.key(s) == key


def test_castling_and_promotion():
    castle = CHESS.read_state("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    assert polyglot.move(castle, CHESS.read_action(castle, "O-O")) == 4 << 6 | 7  # e1h1
    black = CHESS.read_state("4k3/8/8/8/8/8/p7/4K3 b - - 0 1")
    assert polyglot.move(black, CHESS.read_action(black, "a1=Q")) == 4 << 12 | 8 << 6 | 0
    assert polyglot.move(black, CHESS.read_action(black, "a1=N")) == 1 << 12 | 8 << 6 | 0


def random_book(positions):
    """A book of positions of random games, with random weights, of which some are too large for Polyglot."""
    book, n = Book(CHESS), 0
    while len(book.positions) < positions:
        s, n = CHESS.initial(), n + 1
        for ply in range(40):
            actions = list(CHESS.actions(s))
            if not actions:
                break
            word = draw(n, ply)
            a = actions[below(word, len(actions))]
            book.entry(s, a).weight += word & (0xFFFFF if word & 7 == 0 else 0x3FF)
            s = CHESS.result(s, a)
    return book


def agree(path, book):
    """Compare a file as python-chess reads it with the book it was made from; how many positions there were."""
    chess = pytest.importorskip("chess")
    reader, n = pytest.importorskip("chess.polyglot"), 0
    with reader.open_reader(str(path)) as theirs:
        for s in book.states():
            board, known = chess.Board(CHESS.write_state(s)), book.moves(s)
            scale = max(1, max(e.weight for e in known.values()) / 0xFFFF)
            mine = {CHESS.uci.write(CHESS, s, a, False): max(min(e.weight, 1), int(e.weight / scale)) for a, e in known.items()}
            assert {e.move.uci(): e.weight for e in theirs.find_all(board, minimum_weight=0)} == mine
            n += 1
    return n


def test_python_chess_reads_our_books(tmp_path):
    book = random_book(200)
    files.save(tmp_path / "b.bin", book)
    assert agree(tmp_path / "b.bin", book) == len(book.positions)
    again = files.load(tmp_path / "b.bin", CHESS)
    assert again.positions.keys() == book.positions.keys()
    found = files.find_book(str(tmp_path / "b.bin"), CHESS)
    assert {a: e.weight for a, e in found.moves(CHESS.initial()).items()} == {a: e.weight for a, e in again.moves(CHESS.initial()).items()}


@pytest.mark.slow
def test_python_chess_reads_a_hundred_thousand_positions(tmp_path):
    book = random_book(100_000)
    files.save(tmp_path / "b.bin", book)
    assert agree(tmp_path / "b.bin", book) >= 100_000


@pytest.mark.skipif(DATA is None, reason="ZERMELO_DATA is not set: there is no book of Polyglot's here")
def test_we_read_what_python_chess_reads():
    chess = pytest.importorskip("chess")
    path = Path(DATA) / "chess" / "polyglot" / "performance.bin"
    book = files.find_book(str(path), CHESS)
    with pytest.importorskip("chess.polyglot").open_reader(str(path)) as theirs:
        for s in itertools.islice(book.states(), 300):
            mine = {CHESS.uci.write(CHESS, s, a, False): e.weight for a, e in book.moves(s).items()}
            assert {e.move.uci(): e.weight for e in theirs.find_all(chess.Board(CHESS.write_state(s)), minimum_weight=0)} == mine


def test_a_bin_that_is_none(tmp_path):
    (tmp_path / "a.bin").write_bytes(b"x" * 17)
    (tmp_path / "b.bin").write_bytes(b"\2" * 16 + b"\1" * 16)
    with pytest.raises(ZermeloError, match=r"a.bin is not a book of Polyglot's: expected entries of 16 bytes, not 17 bytes"):
        files.load(tmp_path / "a.bin", CHESS)
    with pytest.raises(ZermeloError, match="in ascending order"):
        files.load(tmp_path / "b.bin", CHESS)
    with pytest.raises(ZermeloError, match="expected a game that has books in Polyglot's format, not tictactoe"):
        files.save(tmp_path / "c.bin", Book(TTT))
