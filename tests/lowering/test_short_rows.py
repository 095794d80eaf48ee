"""Rows of 16-bit integers: native code gives the interpreter's bits, and both are checked against whole numbers."""

from __future__ import annotations

import numpy as np
import pytest
from test_rows import Quiet

from zermelo.lower.short_rows import (
    SHORT_LANES,
    Shorts,
    clipped_squares,
    short,
    short_add,
    short_copy,
    short_replace,
    short_replace_two,
    short_subtract,
)
from zermelo.search.prepare import prepare

N = 6 * SHORT_LANES
FIELDS = [("which", "i8", ()), ("t", "i8", ()), ("u", "i8", ()), ("n", "i8", ()), ("made", "i8", ())]
OPERATIONS = ("short", "short_copy", "short_add", "short_subtract", "short_replace", "short_replace_two", "clipped_squares")


def operate(game, work):
    """One operation, with rows that begin at odd places: 3 of u and 5 of t."""
    if work.which == 0:
        work.made = short(work.u, work.n)
    elif work.which == 1:
        short_copy(work.n, work.u, 3, work.t, 5)
    elif work.which == 2:
        short_add(work.n, work.u, 3, work.t, 5)
    elif work.which == 3:
        short_subtract(work.n, work.u, 3, work.t, 5)
    elif work.which == 4:
        short_replace(work.n, work.t, 5, work.u, 1, 3, work.t, 5)
    elif work.which == 5:
        short_replace_two(work.n, work.t, 5, work.u, 1, 3, 2, work.t, 5)
    else:
        work.made = clipped_squares(work.n, 255, work.t, 5, work.u, 3)
    return 0


def operands(which: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Integers of every size; the weights of an output are small."""
    rng = np.random.default_rng(seed)
    t, u = rng.integers(-32768, 32768, (2, N + 8)).astype(np.int16)
    if which == 6:
        t, u = (t >> rng.integers(0, 9)).astype(np.int16), rng.integers(-128, 129, N + 8).astype(np.int16)
    return t, u


def run(which: int, t: np.ndarray, u: np.ndarray, n: int, interpreted: bool) -> tuple[bytes, int]:
    tables = [Shorts(N + 8, interpreted) for _ in range(2)]
    for table, values in zip(tables, (t, u), strict=True):
        table.array[:] = values
    work = prepare(Quiet(), operate, FIELDS, interpreted)(which=which, t=tables[0].table, u=tables[1].table, n=n)
    return tables[0].array.tobytes(), int(work.made)


@pytest.mark.parametrize("which", range(len(OPERATIONS)), ids=OPERATIONS)
def test_native_rows_have_the_bits_of_interpreted_ones(which):
    for seed in range(40):
        n = SHORT_LANES * (seed % 7)
        t, u = operands(which, seed)
        found = run(which, t, u, n, False)
        assert found == run(which, t, u, n, True), (OPERATIONS[which], seed)
        if which == 6:
            assert found[1] == sum(max(0, min(255, int(x))) ** 2 * int(w) for x, w in zip(t[5 : 5 + n], u[3 : 3 + n], strict=True))
        if which == 4:
            made = [(int(x) + int(a) - int(b) + 32768) % 65536 - 32768 for x, a, b in zip(t[5:], u[1:], u[3:], strict=False)][:n]
            assert np.frombuffer(found[0], np.int16)[5 : 5 + n].tolist() == made
        if which == 5:
            rows = zip(t[5:], u[1:], u[3:], u[2:], strict=False)
            made = [(int(x) + int(a) - int(b) - int(c) + 32768) % 65536 - 32768 for x, a, b, c in rows][:n]
            assert np.frombuffer(found[0], np.int16)[5 : 5 + n].tolist() == made


def test_the_largest_output_does_not_wrap_around():
    """1,024 sums of one player at the top, with the steepest weights."""
    n, t, u = 1024, Shorts(1024, False), Shorts(1024, False)
    t.array[:], u.array[:] = 32767, 128
    work = prepare(Quiet(), largest, FIELDS, False)(t=t.table, u=u.table, n=n)
    assert work.made == 1024 * 255 * 255 * 128


def largest(game, work):
    work.made = clipped_squares(work.n, 255, work.t, 0, work.u, 0)
    return 0
