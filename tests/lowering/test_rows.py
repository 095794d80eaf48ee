"""Rows of 32-bit floats: native code gives the interpreter's bits, and the interpreter is checked against exact arithmetic."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest
from still import Still

from zermelo import i64
from zermelo.lower.rows import LANES, Floats, axpy, clear, copy, dot, get, put, sigmoids, slopes
from zermelo.search.prepare import prepare

N = 5 * LANES
FIELDS = [("which", "i8", ()), ("t", "i8", ()), ("u", "i8", ()), ("n", "i8", ()), ("x", "f8", ()), ("made", "f8", ())]


class State(NamedTuple):
    n: i64


class Quiet(Still):
    def initial(self):
        return State(0)


def operate(game, work):
    """One operation, with rows that begin at odd places: 3 of u and 5 of t."""
    if work.which == 0:
        work.made = dot(work.n, work.t, 5, work.u, 3)
    elif work.which == 1:
        axpy(work.n, work.x, work.u, 3, work.t, 5)
    elif work.which == 2:
        copy(work.n, work.u, 3, work.t, 5)
    elif work.which == 3:
        clear(work.n, work.t, 5)
    elif work.which == 4:
        sigmoids(work.n, work.u, 3, work.t, 5)
    elif work.which == 5:
        slopes(work.n, work.u, 3, work.t, 5)
    else:
        put(work.t, 5, get(work.u, 3) * work.x)
    return 0


OPERATIONS = ("dot", "axpy", "copy", "clear", "sigmoids", "slopes", "get and put")


def operands(seed: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Numbers of every size, with zeros, subnormals and the largest."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(2, N + 8)) * 2.0 ** rng.integers(-4, 5, (2, N + 8))
    if seed % 3 == 0:
        rows *= 2.0 ** rng.integers(-120, 60, (2, N + 8))
    rows[rng.random((2, N + 8)) < 0.1] = 0.0
    return rows[0].astype(np.float32), rows[1].astype(np.float32), float(rng.normal())


def run(which: int, t: np.ndarray, u: np.ndarray, x: float, n: int, interpreted: bool) -> tuple[bytes, float]:
    tables = [Floats(N + 8, interpreted) for _ in range(2)]
    for table, values in zip(tables, (t, u), strict=True):
        table.array[:] = values
    work = prepare(Quiet(), operate, FIELDS, interpreted)(which=which, t=tables[0].table, u=tables[1].table, n=n, x=x)
    return tables[0].array.tobytes(), float(work.made)


@pytest.mark.parametrize("which", range(len(OPERATIONS)), ids=OPERATIONS)
def test_native_rows_have_the_bits_of_interpreted_ones(which):
    with np.errstate(all="ignore"):
        for seed in range(60):
            n = LANES * (seed % 6)
            assert run(which, *operands(seed), n, False) == run(which, *operands(seed), n, True), (OPERATIONS[which], seed)


def test_a_dot_is_the_exact_sum_to_32_bits():
    for seed in range(1, 40, 3):
        t, u, x = operands(seed)
        products = [float(a) * float(b) for a, b in zip(t[5 : 5 + N], u[3 : 3 + N], strict=True)]
        _, made = run(0, t, u, x, N, True)
        assert abs(made - math.fsum(products)) <= 1e-6 * math.fsum(map(abs, products))


def test_sigmoids_and_their_slopes_are_those_of_math():
    x = np.linspace(-100, 100, 4001, dtype=np.float32)[: LANES * 250]
    values = np.zeros_like(x)
    sigmoids(len(x), x, 0, values, 0)
    exact = 1 / (1 + np.exp(-np.clip(x.astype(float), -40, 40)))
    assert np.abs(values / exact - 1).max() < 1e-5
    assert np.abs(values - exact).max() < 2e-7
    slope = np.ones_like(x)
    slopes(len(x), values, 0, slope, 0)
    assert np.abs(slope - exact * (1 - exact)).max() < 3e-7
