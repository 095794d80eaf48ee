"""Tables of openings: numbers of the first positions, the search of those that lead beyond them, play where the table ends."""

from __future__ import annotations

import os
import random
from itertools import islice, pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from helpers_cli import called

import zermelo
from zermelo.arena.books.files import find_book, load, opening_table
from zermelo.arena.clock import Clock, Control
from zermelo.arena.players.by_text import player
from zermelo.errors import ZermeloError
from zermelo.history import History
from zermelo.lookup import searched
from zermelo.lookup.build import build_table
from zermelo.lookup.parts import Parts
from zermelo.lookup.verify import verify_table
from zermelo.lower.native import native
from zermelo.search.alphabeta import solve_cuda
from zermelo.search.alphabeta.solve import Ranks, Solver, rows_of, sizes_of, solve
from zermelo.search.alphabeta.solve_cuda import DeviceRanks
from zermelo.search.endgames.table import Table, save_results
from zermelo.search.endgames.values import plies_of, sign_of
from zermelo.search.records import record_of

DATA = os.environ.get("ZERMELO_DATA")


def numbered(width, height):
    """A small board that numbers its first positions as the whole one does."""
    game = zermelo.game(f"connect4:width={width},height={height}")
    game.numbers_opening = True
    game.number_columns(width, height)
    return game


def layers(game, plies):
    """All positions by ply, terminal ones with them."""
    layer = {game.initial()}
    for _ in range(plies + 1):
        yield layer
        layer = {game.result(s, a) for s in layer if not game.is_terminal(s) for a in game.actions(s)}


def random_states(game, count, seed, plies):
    rng, found = random.Random(seed), []
    while len(found) < count:
        s = game.initial()
        for _ in range(rng.randint(*plies)):
            if game.is_terminal(s):
                break
            s = game.result(s, rng.choice(list(game.actions(s))))
        found.append(s)
    return found


def test_numbers():
    """Each number belongs to one position, a position and its mirror image have the same, and all of one size follow each other."""
    game = zermelo.game("connect4")
    ranges = game.endings("13")
    assert [name for name, _, _ in ranges] == [str(n) for n in range(13, -1, -1)]
    assert ranges[0][1] == 0 and all(a[2] == b[1] for a, b in pairwise(ranges))
    assert [last - first for _, first, last in ranges[-4:]] == [84 * 3, 28 * 2, 7, 1]  # ways to fill columns, and colours
    for s in random_states(game, 400, 1, (0, 13)):
        (image,) = game.symmetries(s)
        i = game.index(s)
        assert game.index(image) == i and game.state_at(i) in (s, image)
        assert ranges[13 - s.all.bit_count()][1] <= i < ranges[13 - s.all.bit_count()][2]
    first, last = ranges[9][1], ranges[13][2]
    assert [game.number_of(*game.state_at(i)) for i in range(first, last)] == list(range(first, last))
    (beyond,) = (s for s in random_states(game, 1, 2, (14, 14)))
    assert game.index(beyond) == -1
    for wrong in ("14", "-1", "x", "9999"):
        with pytest.raises(ZermeloError, match="expected 0 to 13 stones"):
            game.endings(wrong)
    with pytest.raises(ZermeloError, match="expected 0 to 13 stones"):
        zermelo.game("connect4:width=5,height=4").endings("3")


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """The table of all states of a small board, and that of its first six plies."""
    folder = tmp_path_factory.mktemp("openings")
    whole, opening = zermelo.game("connect4:width=4,height=4"), numbered(4, 4)
    build_table(whole, folder / "whole.table")
    build_table(opening, folder / "opening.table", ending="6", table=1)
    return whole, Table(folder / "whole.table"), opening, Table(folder / "opening.table")


def test_values_are_those_of_the_whole_table(tables):
    whole, all_states, opening, table = tables
    known = 0
    for layer in layers(whole, 6):
        for s in layer:
            assert table.value(opening, s) == all_states.value(whole, s)
            known += 1
    assert known > 1000
    assert verify_table(table, opening).wrong == 0
    assert table.about.win == 1.0


def test_where_it_ends(tables, tmp_path):
    """A state of the last ply has a value and no actions: players and searches go on by themselves."""
    whole, all_states, opening, table = tables
    last = next(s for s in list(layers(whole, 6))[6] if not whole.is_terminal(s) and not whole.is_won(s.mine))
    assert table.value(opening, last) == all_states.value(whole, last)
    assert table.action_values(opening, last) == {}
    assert table.action_values(opening, whole.initial()) == all_states.action_values(whole, whole.initial())
    one = player(f"table:{table.path}|random")
    one.begin(opening, 0, 1)
    assert one.choose(opening, History(opening, last), Clock(Control(), 2)) in list(whole.actions(last))
    proven = zermelo.AlphaBeta(endgames=str(table.path)).search(opening, last)
    assert proven.value == zermelo.AlphaBeta().search(whole, last).value


def test_goes_on_after_it_was_ended(tmp_path, monkeypatch):
    """What was searched before is not searched again, and the table is the same."""
    game = numbered(4, 4)
    build_table(game, tmp_path / "whole.table", ending="5", table=1)
    monkeypatch.setattr(searched, "KEEP_SECONDS", -1.0)
    monkeypatch.setattr("zermelo.search.alphabeta.solve.AT_ONCE", 50)
    kept, ending = Parts(tmp_path / "opening.table", "0" * 32), game.endings("5")[0]
    asked = list[int]()

    class Ended(Ranks):
        def solved(self, packed):
            asked.append(len(packed))
            yield from islice(super().solved(packed), 2)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        searched.search_range(game, Ended(game, 1, None, None, False), ending, kept, lambda *told: None, False)
    values = None
    while values is None:
        try:
            values = searched.search_range(game, Ended(game, 1, None, None, False), ending, kept, lambda *told: None, False)
        except KeyboardInterrupt:
            assert asked[-1] == asked[-2] - 100
            if asked[-1] < 200:
                oracle = Ranks(game, 1, None, None, False)
                values = searched.search_range(game, oracle, ending, kept, lambda *told: None, False)
    whole = np.concatenate([v for at, v, _ in Table(tmp_path / "whole.table").blocks() if ending[1] <= at < ending[2]])
    assert (values == whole).all()


class OnCard:
    """An array of a card that is none."""

    def __init__(self, array):
        self.array = np.array(array)
        self.nbytes, self.device_ctypes_pointer = self.array.nbytes, SimpleNamespace(value=self.array.ctypes.data)

    def copy_to_host(self, to=None):
        if to is None:
            return self.array.copy()
        to[:] = self.array
        return to


@pytest.fixture
def card(monkeypatch):
    """A GPU of 256 threads, which a processor runs one after another; how many nodes each had in each slice."""
    slices = list[int]()

    def record_kernel(game, function, kind, lanes, is_local):
        run = native(game, function, kind)

        def launch(on_card, count):
            before = on_card.array["nodes"].copy()
            for i in range(count):
                run(on_card.array.ctypes.data + i * kind.itemsize)
            slices.append(int((on_card.array["nodes"] - before).max()))

        return {(blocks, solve_cuda.BLOCK): launch for blocks in (1, 2)}

    driver = SimpleNamespace(device_memset=lambda *given: None)
    cuda = SimpleNamespace(
        to_device=OnCard,
        device_array=lambda n, kind: OnCard(np.zeros(n, kind)),
        get_current_device=lambda: SimpleNamespace(MULTIPROCESSOR_COUNT=1),
        cudadrv=SimpleNamespace(driver=driver),
    )
    monkeypatch.setattr(solve_cuda, "device", SimpleNamespace(require_gpu=lambda: cuda, record_kernel=record_kernel))
    for name, value in {"RESIDENT": 256, "NODES": 500, "FIRST_PLIES": 4}.items():
        monkeypatch.setattr(solve_cuda, name, value)
    return slices


@pytest.mark.parametrize("name", ["connect4:width=5,height=4", "kalah:houses=3,seeds=3"])
def test_slices_and_division(name, card):
    """Ranks are those of the processor, also where a turn does not pass: threads go on where they were stopped, with more room if
    need be, and what they leave is divided."""
    game = zermelo.game(name)
    states = rows_of(game, random_states(game, 400, 3, (2, 10)))
    expected, device = Ranks(game, 16, None, None, False).ranks(states), DeviceRanks(game, 1)
    assert (device.ranks(states) == expected).all()
    unfinished = [i for i, row in enumerate(states.tolist()) if not game.is_terminal(game.layout.unpack(row))][:20]
    assert (device._divided(states[unfinished]) == expected[unfinished]).all()
    assert len(card) > 3 and 500 <= max(card) < 800


def test_solver_compiles_for_a_gpu():
    from zermelo.lower.device import record_ptx

    game = zermelo.game("connect4:width=4,height=4")
    code = record_ptx(game, solve, record_of(Solver.fields(**sizes_of(game, 4))), 1, is_local=True)
    assert "vote" in code and ".local" in code  # neighbours wait for each other, each with a record of its own


@pytest.fixture(scope="module")
def shipped():
    """Connect Four, and the table of its first 13 plies that comes with it."""
    game = zermelo.game("connect4")
    return game, opening_table(game)


@pytest.mark.skipif(DATA is None, reason="ZERMELO_DATA is not set: Pons' scores are not here")
@pytest.mark.parametrize(("name", "known"), [("Test_L1_R1", 407), ("Test_L1_R2", 417), ("Test_L1_R3", 500)])
def test_the_shipped_table_has_the_scores_of_pons(shipped, name, known):
    game, table = shipped
    rows = [line.split() for line in (Path(DATA) / "connect4" / name).read_text().splitlines()]
    rows = [(moves, int(score)) for moves, score in rows if len(moves) <= 13]
    assert len(rows) == known
    for moves, score in rows:
        v = table.value(game, game.read_state(moves))
        assert sign_of(v) * (22 - (len(moves) + plies_of(v) + 1) // 2) == score


def test_the_shipped_table_as_a_book(shipped):
    """Of each action what it is worth, with a weight if it is best; the first move that wins is the middle one."""
    game, table = shipped
    book = find_book("shipped", game)
    assert {a: (e.weight, e.value) for a, e in book.moves(game.initial()).items()} == {
        a: (int(a == 3), value) for a, value in enumerate([-1, -1, 0, 1, 0, -1, -1])
    }
    for s in random_states(game, 100, 5, (0, 15)):
        entries = {} if game.is_terminal(s) else book.moves(s)
        assert set(entries) == (set(game.actions(s)) if s.all.bit_count() < 13 and not game.is_terminal(s) else set())
        assert not entries or max(e.value for e in entries.values()) == sign_of(table.value(game, s))
    with pytest.raises(ZermeloError, match="is a table, which nobody changes"):
        load(table.path, game)


def test_a_table_is_not_overwritten_by_a_book_nor_taken_if_damaged(tables, tmp_path, capsys):
    _, _, opening, table = tables
    whole = table.path.read_bytes()
    copy = tmp_path / "copy.table"
    copy.write_bytes(whole)
    for arguments in (["merge", str(copy), str(copy)], ["build", "connect4", str(copy), "--from", str(copy)]):
        done = called(capsys, "book", *arguments)
        assert done.code == 2 and f"expected another file for the book: {copy} is a table" in done.err
    assert copy.read_bytes() == whole
    assert "shipped is the name of those that come with games" in called(capsys, "book", "expand", "tictactoe", "shipped").err
    copy.write_bytes(whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:])
    with pytest.raises(ZermeloError, match="is damaged: block"):
        find_book(str(copy), opening)


def test_results_alone_are_no_book(tables, tmp_path):
    """Without the plies a win could be put off for ever."""
    _, _, opening, table = tables
    save_results(table, tmp_path / "results.table")
    with pytest.raises(ZermeloError, match="holds no plies to the end"):
        find_book(str(tmp_path / "results.table"), opening)


@pytest.mark.slow
def test_the_shipped_table_agrees_with_the_solver(shipped):
    """Of random positions of the last ply, which `table verify` cannot derive."""
    game, table = shipped
    last = [s for s in random_states(game, 60, 6, (13, 13)) if s.all.bit_count() == 13 and not game.is_terminal(s)]
    solved = zermelo.AlphaBeta(table=256).solve(game, last)
    assert len(last) > 30
    for s, value, plies in zip(last, solved.values.tolist(), solved.plies.tolist(), strict=True):
        v = table.value(game, s)
        assert (sign_of(v), plies_of(v) if value else 0) == (value, plies)


def test_states_of_a_numbered_board_from_a_late_position(tmp_path):
    """Without a number of stones the table is of all states from there on, as of any game."""
    game, path = zermelo.game("connect4"), tmp_path / "late.table"
    late = next(s for s in random_states(game, 500, 4, (28, 28)) if s.all.bit_count() == 28 and not game.is_terminal(s))
    build_table(game, path, state=late)
    table = Table(path)
    table.check_game(game)
    assert verify_table(table, game).wrong == 0
    solved = zermelo.AlphaBeta(table=1).solve(game, [late])
    value = table.value(game, late)
    assert (sign_of(value), plies_of(value)) == (int(solved.values[0]), int(solved.plies[0]))
    for after in [late, *(game.result(late, a) for a in game.actions(late))]:  # with the table the search asks nothing else
        if not game.is_terminal(after):
            assert np.sign(zermelo.AlphaBeta(endgames=str(path)).search(game, after).value) == sign_of(table.value(game, after))
