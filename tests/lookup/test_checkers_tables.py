"""Tables of checkers: published counts, CheckerBoard's databases at every position, players that win in time."""

from __future__ import annotations

import os
from math import comb
from pathlib import Path

import checkerboard
import numpy as np
import pytest

import zermelo
from zermelo.arena.clock import Clock, Control
from zermelo.arena.players.by_text import player
from zermelo.errors import ZermeloError
from zermelo.games._subsets import CHOOSE
from zermelo.games.checkers import endings
from zermelo.games.checkers.moves import State, empty_squares, jumpers
from zermelo.games.checkers.patterns import compact
from zermelo.history import History
from zermelo.lookup.build import build_table
from zermelo.lookup.verify import verify_table
from zermelo.rng import below, draw
from zermelo.search.endgames.table import Table
from zermelo.search.endgames.values import DRAWN, LOST, NO_STATE, is_won, plies_of

GAME = zermelo.game("checkers")
DATA = os.environ.get("ZERMELO_DATA")
needs_data = pytest.mark.skipif(DATA is None, reason="ZERMELO_DATA is not set: CheckerBoard's databases are not here")
#: positions with so many pieces, also those of one colour (Schaeffer et al.)
PUBLISHED = {1: 120, 2: 6_972, 3: 261_224, 4: 7_092_774, 5: 148_688_232, 6: 2_503_611_964}


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    """The table of all positions with at most three pieces."""
    path = tmp_path_factory.mktemp("tables") / "three.table"
    build_table(GAME, path, ending="3")
    return Table(path)


def values_of(table):
    """All values by number."""
    found = np.zeros(max(last for _, _, last in table.about.ranges), np.uint16)
    for at, values, _ in table.blocks():
        found[at : at + len(values)] = values
    return found


def counts_of(table):
    """The positions of a table by their number of pieces."""
    found = dict.fromkeys(range(1, 7), 0)
    values = values_of(table)
    for kind, first, last in zip(endings.CLASSES, endings.FIRSTS, endings.FIRSTS[1:], strict=False):
        if last <= len(values):
            found[sum(kind)] += int(np.count_nonzero(values[first:last]))
    return {n: many for n, many in found.items() if many}


def test_every_number_is_of_one_position_or_of_none():
    found = 0
    for k in range(3000):
        i = below(draw(3, k), endings.FIRSTS[-1])
        s = GAME.state_at(i)
        if s.mine | s.theirs:
            found += 1
            assert GAME.layout.fault(s) is None and GAME.index(s) == i and s.kings & ~(s.mine | s.theirs) == 0
            assert GAME.index(s._replace(quiet=7, turn=1)) == i
    assert found > 2500
    assert GAME.index(GAME.initial()) == -1


def test_the_numbers_of_positions_are_those_published():
    """Without the numbers of no position: men of both sides that share squares."""
    for pieces, published in PUBLISHED.items():
        found = 0
        for a, b, c, d in (kind for kind in endings.CLASSES if sum(kind) == pieces):
            # of the squares of both, 24 may have men of either side
            men = sum(comb(4, k) * comb(24, a - k) * comb(28 - (a - k), b) for k in range(a + 1))
            found += men * comb(32 - a - b, c) * comb(32 - a - b - c, d)
        assert found == published


def test_counts_and_longest_wins(three):
    assert counts_of(three) == {n: PUBLISHED[n] for n in (1, 2, 3)}
    assert three.about.states == sum(PUBLISHED[n] for n in (1, 2, 3)) and three.about.longest == 61
    assert verify_table(three, GAME).wrong == 0


@pytest.mark.parametrize("wanted", ["", "1", "7", "KK", "-2"])
def test_an_ending_that_is_none_is_refused(wanted):
    with pytest.raises(ZermeloError, match=f"'{wanted}' is not an ending of checkers: expected 2 to 6, the most pieces on the board"):
        GAME.endings(wanted)


def test_ranges_lead_to_themselves_and_earlier_ones():
    ranges = GAME.endings("4")
    assert [first for _, first, _ in ranges[1:]] == [last for _, _, last in ranges[:-1]]
    assert [name for name, _, _ in ranges[:8]] == ["1K-0", "1M-0", "1K-1K", "2K-0", "1M-1K", "1M1K-0", "1M-1M", "2M-0"]


# ---- CheckerBoard --------------------------------------------------------------------------------


def spread(squares):
    """32 squares with the holes of our board between them."""
    rows = (squares >> np.uint64(8 * k) & np.uint64(0xFF) for k in range(4))
    return sum(row << np.uint64(9 * k) for k, row in enumerate(rows))


def mirrored(squares):
    """CheckerBoard counts the squares of a row from left to right, we from right to left."""
    found = np.zeros_like(squares)
    for at, to in enumerate((3, 2, 1, 0)):
        found |= (squares >> np.uint64(at) & np.uint64(0x11111111)) << np.uint64(to)
    return found


def ranked(some, taken):
    """`rank` of many sets."""
    number, k, free = np.zeros(len(some), np.int64), np.zeros(len(some), np.int64), np.zeros(len(some), np.int64)
    choose = np.array(CHOOSE)
    for square in range(32):
        here = (some >> np.uint64(square) & np.uint64(1)).astype(np.int64)
        k += here
        number += here * choose[free, np.minimum(k, endings.MOST_PIECES)]
        free += (taken >> np.uint64(square) & np.uint64(1) == 0).astype(np.int64)
    return number


def numbered(counts, men, kings, other_men, other_kings):
    """`endings.number` of many positions with these counts."""
    a, c, b, d = counts
    none, choose = np.zeros_like(men), CHOOSE
    i = ranked(men, none) * choose[28][b] + ranked(other_men >> np.uint64(4), none)
    i = i * choose[32 - a - b][c] + ranked(kings, men | other_men)
    i = i * choose[32 - a - b - c][d] + ranked(other_kings, men | other_men | kings)
    return endings.FIRSTS[endings.CLASSES.index((a, b, c, d))] + i


def compared(table, pieces):
    """Compare a table with CheckerBoard's at every position where no side can capture; how many there were."""
    values, seen = values_of(table), 0
    for counts, turn, signs in checkerboard.slices(Path(DATA) / "checkers", pieces):
        bm, bk, wm, wk, *_ = counts
        for first, *sides in checkerboard.positions(counts):
            men, kings, other_men, other_kings = (mirrored(some) for some in sides)
            own = bm, bk, wm, wk
            if turn == "w":
                men, kings, other_men, other_kings = map(checkerboard.reverse, (other_men, other_kings, men, kings))
                own = wm, wk, bm, bk
            mine, theirs = spread(men | kings), spread(other_men | other_kings)
            s = State(mine, theirs, spread(kings | other_kings), 0, 0)
            turned = State(*(spread(checkerboard.reverse(compact(some))) for some in (theirs, mine, s.kings)), 0, 1)
            quiet = (men & other_men == 0) & (jumpers(s, empty_squares(s)) == 0) & (jumpers(turned, empty_squares(turned)) == 0)
            found = values[numbered(own, men, kings, other_men, other_kings)]
            sign = np.where(found <= DRAWN, 0, np.where(found & 1, 1, -1))
            assert (found[quiet] != NO_STATE).all()
            assert (sign == signs[first : first + len(sign)])[quiet].all(), (counts, turn)
            seen += int(np.count_nonzero(quiet))
    return seen


@needs_data
def test_every_value_is_that_of_checkerboard(three):
    assert compared(three, 2) > 3_000 and compared(three, 3) > 150_000


@needs_data
@pytest.mark.slow
def test_every_value_of_four_pieces_is_that_of_checkerboard(tmp_path):
    build_table(GAME, tmp_path / "t", ending="4")
    table = Table(tmp_path / "t")
    assert counts_of(table) == {n: PUBLISHED[n] for n in (1, 2, 3, 4)}
    assert compared(table, 4) > 4_000_000
    assert verify_table(table, GAME).wrong == 0


# ---- with the table ------------------------------------------------------------------------------


def longest(table):
    """A state that takes longest to win, with men that may still be crowned or without."""
    values = values_of(table)
    won = np.where((values >= LOST) & (values & 1 == 1), values, 0)
    return GAME.state_at(int(won.argmax())), int(won.max())


def test_players_win_in_as_many_plies_as_the_table_says(three):
    s, v = longest(three)
    assert is_won(v)
    for text in (f"table:{three.path}|random", f"alphabeta:depth=4,interpreted=true,endgames={three.path}"):
        sides = [player(text), player(f"table:{three.path}|random")]
        for seat, side in enumerate(sides):
            side.begin(GAME, seat, 5)
        history, clock = History(GAME, s), Clock(Control(), 2)
        while not history.is_over:
            history.do(sides[GAME.to_move(history.state)].choose(GAME, history, clock))
        assert history.utility(0) == 1 and len(history.taken) == plies_of(v)
