"""Tables of chess: the longest mates are those that are known, every result is Syzygy's, and players mate in time."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import zermelo
from zermelo.arena.clock import Clock, Control
from zermelo.arena.players.by_text import player
from zermelo.errors import ZermeloError
from zermelo.games.chess import endings
from zermelo.history import History
from zermelo.lookup.build import build_table
from zermelo.lookup.side_by_side import TooEarly, call_all
from zermelo.lookup.verify import verify_table
from zermelo.rng import below, draw
from zermelo.search.endgames.table import Table, save_results
from zermelo.search.endgames.values import DRAWN, NO_STATE, is_won, plies_of, sign_of

GAME = zermelo.game("chess")
DATA = os.environ.get("ZERMELO_DATA")
needs_data = pytest.mark.skipif(DATA is None, reason="ZERMELO_DATA is not set: Syzygy's tables are not here")
#: moves of the longest mate
MATES = {"KQK": 10, "KRK": 16, "KPK": 28}


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    """The table of all endings with three pieces."""
    path = tmp_path_factory.mktemp("tables") / "three.table"
    build_table(GAME, path, ending="3")
    return Table(path)


def numbers(table, name):
    """The values of all numbers of an ending."""
    first, last = next((first, last) for n, first, last in table.about.ranges if n == name)
    return np.concatenate([v for at, v, _ in table.blocks() if first <= at < last])


def longest(table, name):
    """The moves of the longest win of an ending."""
    found = numbers(table, name)
    return (plies_of(int(found[(found > DRAWN) & (found & 1 == 1)].max())) + 1) // 2


def values(table, name, each=1):
    """The states of an ending with their values, all or some at random."""
    first, last = next((first, last) for n, first, last in table.about.ranges if n == name)
    for at, some, _ in table.blocks():
        if first <= at < last:
            for k, v in enumerate(some.tolist()):
                if v != NO_STATE and (each == 1 or below(draw(7, at + k), each) == 0):
                    yield GAME.state_at(at + k), v


def test_results_alone(three, tmp_path):
    """The same results of all states in a fifth of the bytes; a search outside the table uses them, one inside does not."""
    path = tmp_path / "results.table"
    about = save_results(three, path)
    alone = Table(path)
    assert (about.states, about.longest) == (three.about.states, 55)
    assert path.stat().st_size < min(0.05 * about.states, three.path.stat().st_size / 5)
    for name, _, _ in three.about.ranges:
        before, now = numbers(three, name), numbers(alone, name)
        there = before != NO_STATE
        assert (np.where(before > DRAWN, before & 1, 2)[there] == np.where(now > DRAWN, now & 1, 2)[there]).all()
    assert all(plies_of(v) == 55 for _, v in values(alone, "KQK", 1000) if v > DRAWN)
    one = zermelo.AlphaBeta(depth=1, endgames=str(path), interpreted=True)
    found = one.search(GAME, GAME.read_state("7k/8/8/3Q4/8/8/1r6/K7 w - - 0 1"))  # the rook can be taken
    assert found.value > 0.99999 and found.action == 9 << 6
    inside = GAME.read_state("8/8/8/8/8/2k5/8/K6Q w - - 0 1")
    assert one.search(GAME, inside).scores == replace(one, endgames=None).search(GAME, inside).scores
    with pytest.raises(ZermeloError, match="holds results without plies: expected it as alphabeta:endgames="):
        player(f"table:{path}")
    with pytest.raises(ZermeloError, match="has no plies: expected a table of wins, draws and losses with the plies to them"):
        save_results(alone, path)


#: builds a table in a process that kills itself when the ending KPK begins, as nobody could clean up after it
KILLED = """
import os, signal, sys
from pathlib import Path
import zermelo
from zermelo.lookup.build import build_table

def progress(what, done, whole):
    if what.startswith("KPK"):
        os.kill(os.getpid(), signal.SIGKILL)

build_table(zermelo.game("chess"), Path(sys.argv[1]), ending="3", progress=progress)
"""


def test_building_goes_on_after_it_was_killed(three, tmp_path):
    path, begun = tmp_path / "t.table", set()
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL and not path.exists()
    parts = tmp_path / "t.table.parts"
    assert {file.name for file in parts.iterdir() if file.name[0] != "."} == {"KK", "KBK", "KNK", "KQK", "KRK"}
    damaged = bytearray((parts / "KQK").read_bytes())
    damaged[-9] ^= 4
    (parts / "KQK").write_bytes(damaged)
    build_table(GAME, path, ending="3", progress=lambda what, done, whole: begun.add(what.split(":")[0]))
    assert begun == {"KQK", "KPK"} and not parts.exists()
    assert all((x == y).all() for (_, x, _), (_, y, _) in zip(Table(path).blocks(), three.blocks(), strict=True))
    assert Table(path).about.win == three.about.win and Table(path).about.won == three.about.won


def test_endings_side_by_side(three, tmp_path):
    """Four threads begin with endings that lead to each other: the table is the same."""
    build_table(GAME, tmp_path / "t", ending="3", threads=4)
    assert all((x == y).all() for (_, x, _), (_, y, _) in zip(Table(tmp_path / "t").blocks(), three.blocks(), strict=True))
    with pytest.raises(ZermeloError, match="threads"):
        build_table(GAME, tmp_path / "t", ending="3", threads=0)


def test_what_is_too_early_is_called_again():
    begun, lock = list[int](), threading.Lock()

    def work(k):
        with lock:
            is_early = set(range(k)) - set(begun)
        if is_early:
            raise TooEarly
        time.sleep(0.001 * (k % 3))
        with lock:
            begun.append(k)

    for threads in (1, 2, 5):
        begun.clear()
        call_all(work, 12, threads)
        assert begun == list(range(12))

    def wrong(k):
        raise ZermeloError(str(k))

    with pytest.raises(ZermeloError, match="0"):
        call_all(wrong, 3, 1)


def board_of(s):
    """A state with White to move as python-chess has it."""
    import chess

    board = chess.Board(None)
    board.pawns, board.knights, board.bishops = int(s.p), int(s.n), int(s.d & ~s.o)
    board.rooks, board.queens, board.kings = int(s.o & ~s.d), int(s.o & s.d), int(s.k)
    board.occupied = int(s.p | s.n | s.d | s.o | s.k)
    board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK] = int(s.me), board.occupied ^ int(s.me)
    board.ep_square = int(s.x).bit_length() - 1 if s.x else None
    return board


def agree(table, names, each=1):
    """Compare the results of endings with Syzygy's; how many positions were compared, and how many had a pawn to take en passant."""
    syzygy = pytest.importorskip("chess.syzygy")
    seen = passing = 0
    with syzygy.open_tablebase(str(Path(DATA) / "chess" / "syzygy")) as base:
        for name in names:
            for s, v in values(table, name, each):
                theirs = base.probe_wdl(board_of(s))
                assert sign_of(v) == (theirs > 0) - (theirs < 0), GAME.write_state(s)
                seen += 1
                passing += s.x != 0
    return seen, passing


def test_every_number_is_of_one_position_or_of_none():
    found = 0
    for i in range(3000):
        n = below(draw(3, i), endings.FIRSTS[-1])
        s = GAME.state_at(n)
        if s.k == 0:
            continue
        number, found = GAME.index(s), found + 1  # another one if two pieces are of one kind
        assert GAME.layout.fault(s) is None and GAME.index(GAME.state_at(number)) == number
        for mirrored in GAME.symmetries(s):
            assert GAME.index(mirrored) == number or s.p == 0  # a king on the diagonal has twins
    assert found > 1000
    assert GAME.index(GAME.initial()) == -1
    assert GAME.index(GAME.read_state("8/8/8/8/8/4k3/8/R3K3 w Q - 0 1")) == -1
    passing = GAME.read_state("8/8/8/3pP3/8/8/8/k1K5 w - d6 0 1")
    assert GAME.index(passing) != GAME.index(passing._replace(x=0)) and GAME.state_at(GAME.index(passing)).x != 0


def test_the_longest_mates_and_the_counts_of_three_pieces(three):
    assert {name: longest(three, name) for name in MATES} == MATES
    assert set(numbers(three, "KBK")) == set(numbers(three, "KNK")) == {NO_STATE, DRAWN}
    # known: 331,352 positions of KPK with their mirror images, of which White wins 222,564
    found = numbers(three, "KPK")
    assert np.count_nonzero(found) == 331_352 // 2 and np.count_nonzero(found > DRAWN) == 222_564 // 2


@needs_data
def test_some_results_are_those_of_syzygy(three):
    names = [name for name, _, _ in three.about.ranges]
    assert agree(three, names, each=200)[0] > 1000


@needs_data
@pytest.mark.slow
def test_every_result_of_three_pieces_is_that_of_syzygy(three):
    assert agree(three, [name for name, _, _ in three.about.ranges])[0] == three.about.states


@pytest.mark.slow
def test_three_pieces_have_no_contradiction(three):
    found = verify_table(three, GAME)
    assert (found.states, found.wrong) == (three.about.states, 0)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "moves"), [("KBNK", 33), ("KQKR", 35)])
def test_the_longest_mates_of_four_pieces(name, moves, tmp_path):
    build_table(GAME, tmp_path / "t", ending=name)
    table = Table(tmp_path / "t")
    assert longest(table, name) == moves
    assert verify_table(table, GAME).wrong == 0
    if DATA is not None:
        assert agree(table, [name], each=100)[0] > 20_000


@pytest.mark.slow
@needs_data
def test_pawns_of_both_sides_with_en_passant(tmp_path):
    build_table(GAME, tmp_path / "t", ending="KPKP")
    table = Table(tmp_path / "t")
    seen, passing = agree(table, ["KPKP"], each=50)
    assert seen > 50_000 and passing > 50
    known = re.findall(r"^(\S+ [wb] \S+ \S+) dm (-?\d+);", (Path(DATA) / "chess" / "endgame-dm-4.epd").read_text(), re.MULTILINE)
    found = {text: table.value(GAME, GAME.read_state(f"{text} 0 1")) for text, _ in known}
    mates = {text: sign_of(v) * (plies_of(v) + 1 >> 1) for text, v in found.items() if v != NO_STATE}
    assert len(mates) > 30 and mates == {text: int(moves) for text, moves in known if text in mates}


@pytest.mark.parametrize("wanted", ["", "KQ", "KQKRR", "QKR", "KXK", "5", "KKK"])
def test_an_ending_that_is_none_is_refused(wanted):
    with pytest.raises(ZermeloError, match=f"'{wanted}' is not an ending of chess: expected at most 4 pieces like KQKR"):
        GAME.endings(wanted)


def test_an_ending_needs_what_captures_and_promotions_lead_to():
    assert [name for name, _, _ in GAME.endings("KRvKQ")] == ["KK", "KQK", "KRK", "KQKR"]
    assert [name for name, _, _ in GAME.endings("KPK")] == ["KK", "KBK", "KNK", "KQK", "KRK", "KPK"]
    assert len(GAME.endings("KPKP")) == 1 + 5 + 10 + 4 + 1


# ---- with the table ------------------------------------------------------------------------------


def deepest(table, name, limit=200):
    """A state of an ending that takes longest to win."""
    return max((pair for pair in values(table, name, limit) if is_won(pair[1])), key=lambda pair: pair[1])


@pytest.mark.parametrize("name", ["KQK", "KRK", "KPK"])
def test_the_player_wins_in_as_many_plies_as_the_table_says(three, name):
    s, v = deepest(three, name)
    sides = [player(f"table:{three.path}|random") for _ in range(2)]
    for seat, side in enumerate(sides):
        side.begin(GAME, seat, 5)
    history, clock = History(GAME, s), Clock(Control(), 2)
    while not history.is_over:
        history.do(sides[GAME.to_move(history.state)].choose(GAME, history, clock))
        assert "known from the table" in sides[0].thought.note
    assert history.utility(0) == 1 and len(history.taken) == plies_of(v)


def test_alphabeta_with_the_table_wins_by_distance(three):
    s, v = deepest(three, "KRK")
    searcher, history = zermelo.AlphaBeta(depth=6, endgames=str(three.path)), History(GAME, s)
    while not history.is_over:
        result = searcher.search(GAME, history)
        assert result.exact and result.depth == 1  # all actions lead to states of the table
        history.do(result.action)
    assert history.utility(0) == 1 and len(history.taken) == plies_of(v)


def test_what_the_table_proves_interpreted_and_natively(three):
    """A pawn to be taken: the values of KQK and KPK stand one and two plies below the root."""
    for text in ("8/8/8/8/2k5/8/1p6/K7 w - - 0 1", "8/1k6/8/8/8/p7/2Q5/K7 b - - 0 1", "8/8/1q6/8/8/2k5/1P6/1K6 b - - 0 1"):
        s = GAME.read_state(text)
        results = [zermelo.AlphaBeta(depth=2, endgames=str(three.path), interpreted=i).search(GAME, s) for i in (False, True)]
        assert results[0].scores == results[1].scores and results[0].nodes == results[1].nodes


def test_the_rule_of_fifty_moves_is_respected(three):
    """Mate in 10 moves is no win with 90 plies gone."""
    s, v = deepest(three, "KQK", 20)
    searcher = zermelo.AlphaBeta(depth=2, endgames=str(three.path))
    assert plies_of(v) > 12
    assert searcher.search(GAME, s).value > 0.9
    late = s._replace(t=s.t + (90 << 32))
    assert GAME.plies_left(late) == 10 and not searcher.search(GAME, late).exact
