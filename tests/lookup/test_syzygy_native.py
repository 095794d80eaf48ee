"""Syzygy's results inside searches: lowered code finds what the reader in Python finds, searches use it, damage does no harm."""

from __future__ import annotations

import shutil
from dataclasses import replace

import numpy as np
import pytest
from test_syzygy import DATA, FOLDER, GAME, NAMES, PLAIN, needs_data, random_boards

import zermelo
from zermelo.bits import u64
from zermelo.errors import ZermeloError
from zermelo.explain.narrate import text
from zermelo.games.chess.rules import Chess
from zermelo.games.chess.syzygy import Syzygy
from zermelo.games.chess.syzygy.stored import UNKNOWN, stored_result
from zermelo.lookup.build import build_table
from zermelo.lower.memory import Mapped, Words, load, store
from zermelo.rng import below, draw
from zermelo.search.endgames.folder import FolderTable
from zermelo.search.endgames.probe import UNKNOWN_WIN_PLIES, Probing, table_value
from zermelo.search.endgames.table import find_table, is_known, with_table
from zermelo.search.endgames.values import DRAWN, LOST, NO_STATE, WON
from zermelo.search.mate_distance import PLY_VALUE
from zermelo.search.prepare import prepare

PROVEN = with_table(GAME, find_table(str(FOLDER))) if DATA else GAME
ROOM = 16  # bits for a result


class Asking(Probing):
    """The record of `ask`."""

    states: int  # one after another, in words
    many: int
    found: int  # a word for each


def state_number(game, i, work):
    """State i of those that are asked about."""
    words = len(work.endgames_state)
    for k in range(words):
        work.endgames_state[k] = load(work.states, i * words + k)
    return game.unpack(work.endgames_state)


def ask_stored(game, work):
    """Write for each state what the table stores, from -2 to 2, more by 2."""
    for i in range(work.many):
        store(work.found, i, u64(stored_result(state_number(game, i, work), work.endgames) + 2))
    return 0


def ask(game, work):
    """Write for each state its result, from -2 to 2, more by 2, and its value behind that."""
    for i in range(work.many):
        s = state_number(game, i, work)
        store(work.found, i, u64(game.wdl(s, work.endgames) + 2) | u64(table_value(game, s, work)) << ROOM)
    return 0


def asked(function, states, **given):
    """The results of states by native code, None if they are not known, and their values."""
    memory = Words.of(np.array([GAME.layout.pack(s) for s in states], np.uint64), False)
    found = Words(len(states), False)
    prepare(PROVEN, function, Asking, False)(states=memory.table, many=len(states), found=found.table, **given)
    results = [int(x & 0xFF) - 2 for x in found.array]
    return [None if x == UNKNOWN else x for x in results], [int(x >> np.uint64(ROOM)) for x in found.array]


def taken_en_passant(many, seed):
    """Yield positions of two pawns, one of which has just gone two squares and can be taken."""
    chess, i = pytest.importorskip("chess"), 0
    while many:
        i += 1
        file, flip, squares = below(draw(seed, i), 7), below(draw(seed + 1, i), 4), [below(draw(seed + 2 + k, i), 64) for k in range(2)]
        mine, theirs = (file, file + 1) if flip & 1 else (file + 1, file)
        board = chess.Board(None)
        board.turn, rank = flip < 2, 4 if flip < 2 else 3
        board.set_piece_at(chess.square(mine, rank), chess.Piece(chess.PAWN, board.turn))
        board.set_piece_at(chess.square(theirs, rank), chess.Piece(chess.PAWN, not board.turn))
        board.ep_square = chess.square(theirs, 5 if flip < 2 else 2)
        if any(board.piece_at(square) for square in squares) or board.ep_square in squares:
            continue
        board.set_piece_at(squares[0], chess.Piece(chess.KING, True))
        board.set_piece_at(squares[1], chess.Piece(chess.KING, False))
        if board.is_valid() and board.has_legal_en_passant():
            many -= 1
            yield board


def states_of(name, many, seed):
    """Random positions of a table, of KPvKP also such that a pawn can be taken en passant."""
    states = [GAME.read_state(board.fen()) for board in random_boards(name, many, seed)]
    if name == "KPvKP":
        states += [GAME.read_state(board.fen()) for board in taken_en_passant(many, seed)]
        assert sum(s.x != 0 for s in states) == many
    return states


@needs_data
def test_native_code_finds_what_is_stored():
    reader, states = Syzygy(FOLDER), [s for name in NAMES for s in states_of(name, 30, 11)]
    found, _ = asked(ask_stored, states)
    assert found == [reader._lookup(s, ".rtbw", 0) for s in states]
    assert len(found) == 300 and set(found) == {-2, 0, 2}


@needs_data
@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_native_code_finds_the_results_of_the_reader(name):
    """With captures, also en passant; what searches are told is that, but for states in which the game is over."""
    states, reader = states_of(name, 5000, 23), Syzygy(FOLDER)
    results, values = asked(ask, states)
    assert results == [reader.wdl(GAME, s) for s in states] and None not in results
    for s, result, v in zip(states, results, values, strict=True):
        assert v == (NO_STATE if GAME.is_terminal(s) else {2: WON + 200, 0: DRAWN, -2: LOST + 200}[result])


@needs_data
def test_the_interpreter_finds_the_same():
    reader, given = Syzygy(FOLDER), find_table(str(FOLDER)).given(PROVEN, True)
    for name in NAMES:
        for s in states_of(name, 5, 31):
            assert GAME.wdl(s, given["endgames"]) == reader.wdl(GAME, s)
            assert stored_result(s, given["endgames"]) == reader._lookup(s, ".rtbw", 0)


@needs_data
def test_what_is_not_known(tmp_path):
    """A table that is missing, also of what a capture leads to; castling; plies since a capture; the end, which searches see."""
    missing = ["8/8/8/3k4/8/8/8/KQQ5 w - - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]
    late = ["8/8/8/3k4/8/8/8/KR6 w - - 1 1", "k7/8/8/8/8/8/8/KQ6 w - - 99 90"]
    over = ["k7/1Q6/2K5/8/8/8/8/8 b - - 0 1", "k7/2Q5/8/2K5/8/8/8/8 b - - 0 1"]
    table = find_table(str(FOLDER)).given(PROVEN, True)["endgames"]
    assert {GAME.known_result(GAME.read_state(fen), table) for fen in [*missing, *late, *over]} == {2}
    shutil.copy(FOLDER / "KQvKR.rtbw", tmp_path)
    alone = find_table(str(tmp_path)).given(with_table(GAME, find_table(str(tmp_path))), True)["endgames"]
    taken, free = (GAME.read_state(f"8/8/4k3/8/3r4/8/{row}/4K3 w - - 0 1") for row in ("1Q6", "7Q"))
    assert [GAME.known_result(s, which) for s in (taken, free) for which in (table, alone)] == [1, 2, 1, 1]


def test_a_win_that_the_rule_of_fifty_moves_spoils(monkeypatch, tmp_path):
    s = GAME.read_state("8/8/8/3k4/8/8/8/KR6 w - - 0 1")
    for wdl, spoiled in ((2, 1), (1, 0), (0, 0), (-1, 0), (-2, -1)):
        monkeypatch.setattr(Chess, "wdl", lambda game, s, table, wdl=wdl: wdl)
        assert GAME.known_result(s, [3]) == spoiled and PLAIN.known_result(s, [3]) == (wdl > 0) - (wdl < 0)
    table = FolderTable(tmp_path)
    table._reader = type("Reader", (), {"longest": 100, "dtz": lambda self, game, s: 120})()
    assert (table.value(GAME, s), table.value(PLAIN, s)) == (DRAWN, WON + 240)
    assert UNKNOWN_WIN_PLIES > 240


# ---- searches ----------------------------------------------------------------------------------

FIVE = "8/8/8/4k3/1p1p4/8/1R6/4K3 w - - 0 1"  # Rxb4 wins against the other pawn
MATE = "k7/8/1K6/8/8/3pR3/7p/8 w - - 0 1"  # Re8 mates, Rxd3 wins by the table


@needs_data
def test_a_search_ends_where_the_table_knows():
    s = GAME.read_state(FIVE)
    searcher = zermelo.AlphaBeta(depth=1, interpreted=True)
    plain, found = (replace(searcher, endgames=folder).search(GAME, s) for folder in (None, str(FOLDER)))
    assert found.value > 0.99 > plain.value and GAME.write_action(s, found.action) == "Rxb4"
    sooner = replace(searcher, depth=2, endgames=str(FOLDER)).search(GAME, mate := GAME.read_state(MATE))
    assert GAME.write_action(mate, sooner.action) == "Re8#" and sooner.value > 1 - 2 * PLY_VALUE
    assert "is known from the table" in "\n".join(text(zermelo.trace(replace(searcher, endgames=str(FOLDER)), GAME, s).story))


@needs_data
@pytest.mark.slow
@pytest.mark.parametrize(
    "searcher", [zermelo.AlphaBeta(depth=3), zermelo.Minimax(depth=2), zermelo.MCTS(simulations=300)], ids=lambda x: type(x).__name__
)
def test_searches_are_the_same_natively(searcher):
    searcher = replace(searcher, endgames=str(FOLDER))
    for fen in (FIVE, MATE):
        s = GAME.read_state(fen)
        native, other = (replace(searcher, interpreted=i).search(GAME, s) for i in (False, True))
        assert (native.value, native.nodes, native.scores) == (other.value, other.nodes, other.scores)


@needs_data
@pytest.mark.slow
def test_results_are_those_of_our_own_tables(tmp_path):
    """From positions with four pieces, by tables of three: searches see the same wins, draws and losses."""
    for name in NAMES:
        if len(name) == 4:
            shutil.copy(FOLDER / f"{name}.rtbw", tmp_path / f"{name}.rtbw")
    build_table(GAME, tmp_path / "t", ending="3")
    searcher, decided = zermelo.AlphaBeta(depth=4), 0
    for name in ("KQvKR", "KRvKP", "KPvKP", "KBNvK"):
        for s in states_of(name, 100, 5):
            if GAME.is_terminal(s):
                continue
            results = [replace(searcher, endgames=str(file)).search(GAME, s) for file in (tmp_path, tmp_path / "t")]
            mine, other = (0 if abs(r.value) < 0.99 else 1 if r.value > 0 else -1 for r in results)
            assert mine == other, GAME.write_state(s)
            decided += mine != 0
    assert decided > 100


# ---- damage ------------------------------------------------------------------------------------


@needs_data
def test_a_damaged_file_is_refused_by_searches(tmp_path):
    shutil.copy(FOLDER / "KQvK.rtbw", tmp_path / "KQvK.rtbw")
    whole = (FOLDER / "KPvK.rtbw").read_bytes()
    (tmp_path / "KPvK.rtbw").write_bytes(whole[:2000] + bytes([whole[2000] ^ 1]) + whole[2001:])
    with pytest.raises(ZermeloError, match="is damaged"):
        zermelo.AlphaBeta(depth=1, endgames=str(tmp_path), interpreted=True).search(GAME, GAME.read_state(FIVE))


@needs_data
def test_wrong_bits_do_no_harm(tmp_path, monkeypatch):
    """In a file that is too large for its checksum to be asked: native code finds values, or none, and comes to an end."""
    monkeypatch.setattr("zermelo.games.chess.syzygy.table.HASHED_AT_ONCE", 0)
    path, whole, refused = tmp_path / "KQvKR.rtbw", (FOLDER / "KQvKR.rtbw").read_bytes(), 0
    states = states_of("KQvKR", 50, 3)
    for at in (*range(5, 300, 3), *range(300, 8000, 301), *range(8000, len(whole), 997)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :])
        try:
            told = Syzygy(tmp_path).memory()
        except ZermeloError:
            refused += 1
            continue
        memory = Mapped(told.words, told.files, told.places, False)
        assert set(asked(ask_stored, states, endgames=memory.table)[0]) <= {None, -2, -1, 0, 1, 2}
    assert refused


@needs_data
def test_a_root_is_searched_where_a_table_after_it_is_missing():
    """A pawn becomes a queen, and there is no table of queen against pawn."""
    s = GAME.read_state("8/4P3/8/8/8/7K/4p3/6k1 b - - 0 1")
    assert find_table(str(FOLDER)).value(GAME, s) != NO_STATE
    result = zermelo.AlphaBeta(depth=3, endgames=str(FOLDER)).search(GAME, s)
    assert result.action in GAME.actions(s) and result.nodes > 1


@needs_data
@pytest.mark.parametrize(("clock", "known"), [(97, True), (98, False)])
def test_plies_that_may_be_rounded_down_are_not_trusted_at_the_limit(clock, known):
    """By its table the queen is taken in two plies, in truth in three: with two left it is a draw."""
    s = GAME.read_state(f"6q1/8/8/K7/8/6k1/8/1R6 w - - {clock} 70")
    assert is_known(PROVEN, s) == known
