"""Rows of 16-bit integers: native code gives the interpreter's bits, and both are checked against whole numbers."""

from __future__ import annotations

import numpy as np
import pytest
from test_rows import Quiet

from zermelo.lower import native, object_code, short_vectors
from zermelo.lower.memory import Words
from zermelo.lower.short_rows import SHORT_LANES, Shorts, clipped_squares, short, short_change
from zermelo.search.prepare import prepare

N = 2 * short_vectors.WIDE_FROM
ROWS = 5
FIELDS = [(name, "i8", ()) for name in ("which", "t", "u", "c", "n", "view", "added", "removed", "made")]
OPERATIONS = ("short", "short_change", "clipped_squares")
#: the features of the processor that code is made without
WITHOUT = {"the processor's": (), "AVX2": ("avx512bw",), "portable": ("avx512bw", "avx2")}


def operate(game, work):
    """One operation, with rows that begin at odd places: 3 of u, 5 and N + 6 of t."""
    if work.which == 0:
        work.made = short(work.u, work.n)
    elif work.which == 1:
        short_change(work.n, work.t, 5, work.u, 5, work.view, work.c, 1, work.added, 9, work.removed, work.t, 5)
    else:
        work.made = clipped_squares(work.n, 255, work.t, 5, 520 + 6, work.u, 3)
    return 0


@pytest.fixture(params=WITHOUT, ids=list(WITHOUT))
def features(request, monkeypatch):
    """Code as it is made for a processor without some features; it has a place of its own in the cache, and nothing is kept for later."""
    name, known = object_code.cpu()
    for feature in WITHOUT[request.param]:
        known = known.replace(f"+{feature},", f"-{feature},")
    for module in (object_code, short_vectors):
        monkeypatch.setattr(module, "cpu", lambda: (name, known))
    wide = object_code.wide_features.__wrapped__()
    assert wide is None or request.param == "the processor's"
    monkeypatch.setattr(short_vectors, "wide_features", lambda: wide)
    monkeypatch.setattr(native, "_toolchain", native._toolchain.__wrapped__)
    assert native._toolchain()[-1] == known


def operands(which: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Integers of every size, and words that name rows, one of which is not there; the weights of an output are small."""
    rng = np.random.default_rng(seed)
    t, u = rng.integers(-32768, 32768, (2, ROWS * N)).astype(np.int16)
    if which == 2:
        t, u = (t >> rng.integers(0, 9)).astype(np.int16), rng.integers(-128, 129, ROWS * N).astype(np.int16)
    return t, u, rng.integers(0, ROWS + 1, 16).astype(np.uint64)


def run(game: Quiet, which: int, seed: int, n: int, interpreted: bool) -> tuple[bytes, int]:
    t, u, c = operands(which, seed)
    tables = [Shorts(ROWS * N, interpreted) for _ in range(2)]
    for table, values in zip(tables, (t, u), strict=True):
        table.array[:] = values
    places = {"t": tables[0].table, "u": tables[1].table, "c": (listed := Words.of(c, interpreted)).table}
    counts = {"view": seed % 3, "added": seed % 5, "removed": seed % 4}
    work = prepare(game, operate, FIELDS, interpreted)(which=which, n=n, **places, **counts)
    assert listed is not None
    return tables[0].array.tobytes(), int(work.made)


@pytest.mark.parametrize("which", range(len(OPERATIONS)), ids=OPERATIONS)
def test_native_rows_have_the_bits_of_interpreted_ones(which, features):
    game = Quiet()
    for seed in range(60):
        n = SHORT_LANES * (seed % 17)
        found = run(game, which, seed, n, False)
        assert found == run(game, which, seed, n, True), (OPERATIONS[which], seed)
        t, u, c = ([int(x) for x in values] for values in operands(which, seed))
        if which == 1:
            rows = [[x ^ seed % 3 for x in part] for part in (c[1 : 1 + seed % 5], c[9 : 9 + seed % 4])]
            begins = [[n * (x if x < ROWS else 0) for x in part] for part in rows]
            made = [t[5 + k] + sum(u[b + k] for b in begins[0]) - sum(u[b + k] for b in begins[1]) for k in range(n)]
            assert np.frombuffer(found[0], np.int16)[5 : 5 + n].tolist() == [(x + 32768) % 65536 - 32768 for x in made]
        if which == 2:
            clipped = [max(0, min(255, x)) for x in t[5 : 5 + n] + t[526 : 526 + n]]
            assert found[1] == sum(x * x * w for x, w in zip(clipped, u[3 : 3 + 2 * n], strict=True))


def test_the_largest_output_does_not_wrap_around(features):
    """As many sums of both players as may be, at the top, with the steepest weights."""
    n = 4096
    t, u = Shorts(2 * n, False), Shorts(2 * n, False)
    t.array[:], u.array[:] = 32767, 128
    work = prepare(Quiet(), largest, FIELDS, False)(t=t.table, u=u.table, n=n)
    assert work.made == 2 * n * 255 * 255 * 128


def largest(game, work):
    work.made = clipped_squares(work.n, 255, work.t, 0, work.n, work.u, 0)
    return 0
