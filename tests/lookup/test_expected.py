"""Tables of expected values: bear-offs of backgammon beside exact fractions, natively and interpreted, and what is refused."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

import numpy as np
import pytest
from arena.programs import needs
from helpers_backgammon import PLAIN, plays, state
from helpers_cli import called, refusal

import zermelo
from zermelo.arena.players.by_text import player
from zermelo.bits import pair_at
from zermelo.errors import ZermeloError
from zermelo.games.backgammon import bearoff
from zermelo.games.backgammon.state import sides, unpacked
from zermelo.lookup.build import build_table
from zermelo.lookup.verify import verify_table
from zermelo.search.endgames.table import Table, find_table, save
from zermelo.search.endgames.values import HALF, NO_STATE, expected_value

BIT = 1 / HALF  # the last of a value


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """The table of at most two men of a side."""
    path = tmp_path_factory.mktemp("table") / "bearoff.table"
    build_table(PLAIN, path, ending="2")
    return path


@cache
def exact(mine, other) -> Fraction:
    """What the side on roll wins, by the definition and over another implementation of the rules."""
    total = Fraction(0)
    for x, y in product(range(1, 7), repeat=2):
        total += max(1 if after[0] == 15 else -exact(other, after) for after, _ in plays(mine, other, x, y))
    return total / 36


def value(table: Table, s) -> float:
    return expected_value(table.value(PLAIN, s), table.about.win)


def test_ranks_number_all_sides_and_moves_lower_them():
    found = [unpacked(*bearoff.side_at(r)) for r in range(0, comb(21, 6), 11)]
    assert all(not any(side[7:]) for side in found) and len(set(found)) == len(found)
    assert [bearoff.rank(*bearoff.side_at(r)) for r in range(0, comb(21, 6), 11)] == list(range(0, comb(21, 6), 11))
    assert [15 - unpacked(*bearoff.side_at(comb(n + 6, 6) - 1))[0] for n in range(16)] == list(range(16))  # the last with n men
    for i in (*range(60), 10**6, 54_264**2 - 1):
        a, b = pair_at(i)
        assert PLAIN.index(PLAIN.state_at(i)) == (i if a and b else -1)
    s = PLAIN.state_at(54_263**2 + 40_000)
    for roll in PLAIN.rolls:
        t = PLAIN.result(s, roll)
        assert all(PLAIN.index(PLAIN.result(t, a)) < PLAIN.index(s) for a in PLAIN.actions(t))


def test_values_are_those_of_exact_fractions(file):
    table = Table(file)
    codes = next(table.blocks())[1]
    assert (len(codes), table.about.states, int((codes != NO_STATE).sum())) == (28**2, 27**2, 27**2)
    for i in range(28**2):
        s = PLAIN.state_at(i)
        if PLAIN.index(s) < 0:
            assert codes[i] == NO_STATE
            continue
        assert value(table, s) == pytest.approx(float(exact(*sides(s))), abs=0.51 * BIT)
    one = state({1: 2}, {6: 1})  # two men on the ace point: any roll bears them off
    assert value(table, one) == 1.0
    six = state({6: 1}, {1: 1})  # 27 of 36 rolls bear off a man on the six point
    assert value(table, six) == pytest.approx(2 * 27 / 36 - 1, abs=0.51 * BIT)


def test_interpreted_building_writes_the_same_table(tmp_path):
    for interpreted in (False, True):
        build_table(PLAIN, tmp_path / str(interpreted), ending="1", interpreted=interpreted)
    native, plain = (next(Table(tmp_path / str(interpreted)).blocks())[1] for interpreted in (False, True))
    assert (native == plain).all() and len(native) == 49


def test_verification_finds_a_wrong_value(file, tmp_path):
    table = Table(file)
    assert verify_table(table, PLAIN).wrong == 0
    codes = next(table.blocks())[1].copy()
    codes[500] += 3
    save(tmp_path / "wrong", table.about, [codes], None)
    found = verify_table(Table(tmp_path / "wrong"), PLAIN)
    assert (found.states, found.wrong) == (27**2, 1)


def test_searches_take_values_from_the_table(file):
    """A play is chosen by what the table says of the positions after it, natively and interpreted, without a deeper look."""
    s = state({6: 1, 4: 1}, {5: 1, 2: 1}, roll="31")
    table = Table(file)
    wanted = {a: -value(table, PLAIN.result(s, a)) for a in PLAIN.actions(s)}
    for interpreted in (False, True):
        found = zermelo.searcher("expectiminimax", depth=3, endgames=str(file), interpreted=interpreted).search(PLAIN, s)
        assert found.exact and found.nodes <= 1 + len(wanted)
        assert found.value == pytest.approx(max(wanted.values()), abs=1e-12) and wanted[found.action] == max(wanted.values())


def test_commands(file, tmp_path, capsys):
    built = tmp_path / "b.table"
    told = json.loads(called(capsys, "table", "build", "backgammon", str(built), "--ending", "1", "--json").out.splitlines()[-1])
    assert (told["states"], told["endings"], told["longest"], told["won"] + told["lost"] + told["drawn"]) == (36, ["1 men"], 0, 36)
    assert json.loads(called(capsys, "table", "verify", str(built), "--json").out)["contradictions"] == 0
    assert "expected values" in called(capsys, "table", "info", str(file)).out
    s = PLAIN.write_state(state({6: 1}, {1: 1}))
    probed = json.loads(called(capsys, "table", "probe", str(file), "--state", s, "--json").out)
    assert probed["player"] == 0 and probed["value"] == pytest.approx(0.5, abs=0.51 * BIT)
    assert "worth +0.5" in called(capsys, "table", "probe", str(file), "--state", s).out
    for words, sentence in (
        (("build", "backgammon", str(built)), "'' is not an ending of backgammon: expected the most men of a side, from 1 to 10"),
        (("build", "backgammon", str(built), "--ending", "KQK"), "'KQK' is not an ending of backgammon"),
        (("build", "backgammon:cube=true", str(built), "--ending", "3"), "expected backgammon without the cube"),
        (("build", "pig", str(built)), "pig has chance: expected a game of two that numbers its states"),
        (("probe", str(file)), "does not have the state"),
    ):
        assert sentence in refusal(called(capsys, "table", *words))
    with pytest.raises(ZermeloError, match="holds expected values: expected it as expectiminimax:endgames="):
        player(f"table:{file}")
    with pytest.raises(ZermeloError, match=r"is a table of backgammon: expected one of backgammon:gammons=false"):
        find_table(str(file)).check_game(zermelo.game("backgammon:gammons=false"))


@needs("gnubg")
@pytest.mark.slow
def test_values_are_those_of_gnu_backgammon(tmp_path):
    """10,000 positions with at most six men of a side, of which GNU Backgammon has a table of 16 bits, too."""
    from bench.gnubg import Gnubg, boards_of

    build_table(PLAIN, tmp_path / "six", ending="6")
    table, rng = Table(tmp_path / "six"), np.random.default_rng(1)
    a, b = rng.integers(1, comb(12, 6), (2, 10_000))
    states = [PLAIN.state_at(int(i)) for i in np.where(a >= b, a * a + b, b * b + b + 1 + a)]
    gnubg = Gnubg()
    try:
        theirs = gnubg.values(boards_of(np.array([PLAIN.layout.pack(s) for s in states], np.uint64)))
    finally:
        gnubg.close()
    assert np.abs(np.array([value(table, s) for s in states]) - (2 * theirs[:, 0] - 1)).max() < 2e-4
