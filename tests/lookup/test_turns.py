"""Tables of one side of a race: exact recursion over another implementation of the rules, tables of both sides, GNU Backgammon."""

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
from zermelo.bits import pair_at, paired
from zermelo.games.backgammon import bearoff
from zermelo.games.backgammon.state import unpacked
from zermelo.lookup.build import build_table
from zermelo.lookup.expected import ONE_SIDED
from zermelo.lookup.turns import build_rows
from zermelo.lookup.verify import verify_table
from zermelo.search.endgames.table import Table, save
from zermelo.search.endgames.turns import CERTAIN, ROW, TURNS

THREE = comb(9, 6)  # sides of at most three men
DONE = (15, *[0] * 25)
ROLLS = tuple(product(range(1, 7), repeat=2))


def quiet(*_):
    """Report nothing."""


@pytest.fixture(scope="module")
def small():
    """The rows of sides with at most three men."""
    return build_rows(PLAIN, THREE, quiet, False)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A table of both sides with at most two men, and of all single sides."""
    path = tmp_path_factory.mktemp("table") / "race.table"
    build_table(PLAIN, path, ending="2,one-sided")
    return path


@cache
def turns(side) -> tuple[Fraction, ...]:
    """How likely a side is done after 0, 1, 2, ... turns, each play being one from which the fewest are expected."""
    if side == DONE:
        return (Fraction(1),)
    total = [Fraction(0)] * TURNS
    for x, y in ROLLS:
        after = min((turns(t) for t, _ in plays(side, DONE, x, y)), key=mean)
        for n, p in enumerate(after, 1):
            total[n] += p / 36
    while not total[-1]:
        total.pop()
    return tuple(total)


def mean(chances) -> Fraction:
    return sum(n * p for n, p in enumerate(chances))


def test_numbers_of_pairs():
    pairs = [pair_at(i) for i in range(400)]
    assert [paired(a, b) for a, b in pairs] == list(range(400)) and set(pairs) == set(product(range(20), repeat=2))


def test_rows_are_those_of_exact_fractions(small):
    floats, codes = small
    for a in range(1, THREE):
        exact = turns(unpacked(*bearoff.side_at(a)))
        assert floats[a, : len(exact) - 1].tolist() == pytest.approx([float(p) for p in exact[1:]], abs=1e-12)
        assert not floats[a, len(exact) - 1 :].any()  # nobody who has borne off a man loses a gammon
        row = codes.reshape(-1, ROW)[a].astype(int)
        assert row.sum() == CERTAIN and np.abs(row / CERTAIN - floats[a]).max() < TURNS / CERTAIN
    assert floats[bearoff.rank(*state({6: 1}, {})[:2]), :2].tolist() == pytest.approx([27 / 36, 9 / 36])


def test_interpreted_rows_are_the_same(small):
    sides = comb(8, 6)
    floats, codes = build_rows(PLAIN, sides, quiet, True)
    assert (floats == small[0][:sides]).all() and (codes == small[1][: sides * ROW]).all()


def test_a_pair_of_rows_is_the_chance_to_be_first(file, small):
    table, floats = Table(file), small[0][:, :TURNS]
    for a, b in product(range(28, THREE, 5), range(1, THREE, 7)):
        mine, theirs = floats[a], floats[b]
        chance = sum(mine[n] * theirs[n:].sum() for n in range(TURNS))
        assert table.expected(PLAIN, PLAIN.state_at(paired(a, b))) == pytest.approx(2 * chance - 1, abs=4 * TURNS / CERTAIN)


def test_both_sides_and_one(file):
    """What the table of both sides has is taken from it; single sides differ from it by no more than 0.003 here."""
    table, greatest = Table(file), 0.0
    both = {i: table.expected(PLAIN, PLAIN.state_at(i)) for i in range(28**2) if PLAIN.index(PLAIN.state_at(i)) >= 0}
    floats, _ = build_rows(PLAIN, 28, quiet, False)
    for i, v in both.items():
        a, b = pair_at(i)
        chance = sum(floats[a, n] * floats[b, n:TURNS].sum() for n in range(TURNS))
        greatest = max(greatest, abs(v - (2 * chance - 1)))
    assert len(both) == 27**2 and greatest < 0.003


def test_gammons(file):
    """A side that is done next turn against fifteen men at home wins a gammon; fifteen men against one are lost doubly if they are slow."""
    table, full = Table(file), {6: 15}
    assert table.expected(PLAIN, state({1: 1}, full)) == pytest.approx(2.0, abs=1e-4)
    first = sum(all(after[0] == 0 for after, _ in plays((*[0] * 6, 15, *[0] * 19), DONE, x, y)) for x, y in ROLLS)
    assert table.expected(PLAIN, state(full, {1: 1})) == pytest.approx(-1 - first / 36, abs=1e-4)
    assert table.expected(PLAIN, state(full, {7: 1})) is None


def test_searches_take_values_from_the_rows(file):
    """A play is chosen by the rows of the sides after it, natively and interpreted alike."""
    table, s = Table(file), state({6: 4, 5: 3, 3: 2}, {5: 4, 4: 4, 1: 3}, roll="41")
    wanted = {a: -table.expected(PLAIN, PLAIN.result(s, a)) for a in PLAIN.actions(s)}
    found = zermelo.searcher("expectiminimax", depth=3, endgames=str(file)).search(PLAIN, s)
    assert found.exact and found.nodes <= 1 + len(wanted)
    assert found.value == pytest.approx(max(wanted.values()), abs=1e-12) and wanted[found.action] == max(wanted.values())


def test_verification_and_commands(file, tmp_path, capsys):
    table = Table(file)
    assert (table.about.states, table.about.sides) == (27**2 + comb(21, 6), comb(21, 6))
    parts = [np.concatenate([v for at, v, _ in table.blocks() if (at < table.size) == first]) for first in (True, False)]
    parts[1][1000 * ROW + 3] ^= 1
    save(tmp_path / "wrong", table.about, parts, None)
    found = verify_table(Table(tmp_path / "wrong"), PLAIN)
    assert found.wrong == 1 and found.example == PLAIN.write_state(PLAIN.state_at(paired(1000, 1)))
    assert "54,264, each with how many turns it needs" in called(capsys, "table", "info", str(file)).out
    s = PLAIN.write_state(state({6: 3}, {1: 3}))
    probed = json.loads(called(capsys, "table", "probe", str(file), "--state", s, "--json").out)
    assert probed["value"] == table.expected(PLAIN, PLAIN.read_state(s))
    for ending in ("one-sided,one-sided", "6,7", "one"):
        told = refusal(called(capsys, "table", "build", "backgammon", str(tmp_path / "t"), "--ending", ending))
        assert "is not an ending of backgammon: expected the most men" in told
    told = refusal(called(capsys, "table", "build", "backgammon:cube=true", str(tmp_path / "t"), "--ending", ONE_SIDED))
    assert "numbers no states" in told


@needs("gnubg")
@pytest.mark.slow
def test_values_are_those_of_gnu_backgammon(file):
    """10,000 positions in which a side has more than six men: GNU Backgammon has a table of one side, of 16 bits, too.

    Of plays from which nearly the same number of turns is expected it takes others, now and then.
    """
    from bench.gnubg import Gnubg, boards_of

    table, rng = Table(file), np.random.default_rng(1)
    a, b = rng.integers(comb(12, 6), comb(21, 6), 10_000), rng.integers(1, comb(21, 6), 10_000)
    swap = rng.integers(0, 2, 10_000).astype(bool)
    a, b = np.where(swap, b, a), np.where(swap, a, b)
    states = [PLAIN.state_at(paired(int(x), int(y))) for x, y in zip(a, b, strict=True)]
    gnubg = Gnubg()
    try:
        theirs = gnubg.values(boards_of(np.array([PLAIN.layout.pack(s) for s in states], np.uint64)))
    finally:
        gnubg.close()
    ours = np.array([table.expected(PLAIN, s) for s in states])
    differences = np.abs(ours - theirs[:, 5])
    print(f"greatest {differences.max():.6f}, mean {differences.mean():.7f}")
    assert differences.max() < 1e-3 and differences.mean() < 2e-5 and (differences > 1e-4).mean() < 0.01
