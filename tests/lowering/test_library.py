"""Numba compiles for us without optimising; a program that uses numba itself, before and after, goes on as if we were not there."""

from __future__ import annotations

import math
from typing import NamedTuple

import numba
from still import Still

from zermelo import i64
from zermelo.search.prepare import prepare


class State(NamedTuple):
    n: i64


class Helpers(Still):
    """A value that takes numba's own helpers: powers, remainders of negative numbers, minima, logarithms."""

    def initial(self):
        return State(0)

    def evaluate(self, s, p):
        return helped(float(s.n), s.n)


def helped(x: float, n: int) -> float:
    return math.pow(x, 0.5) + (n - 7) % 5 + (n - 7) // 3 + min(x, 4.0, n - 1.0) + max(n, 3)


def ask(game, work):
    work.value_ = game.evaluate(game.unpack(work.start), 0)
    return 0


def plain(x: float, n: int) -> float:
    return math.pow(x, 0.5) + min(x, n - 1.0)


def test_a_program_of_numba_beside_ours():
    numbers = range(20)
    expected = [plain(float(n), n) for n in numbers]
    assert [numba.njit(plain)(float(n), n) for n in numbers] == expected
    run = prepare(Helpers(), ask, [("start", "u8", (1,)), ("value_", "f8", ())], False)
    assert [run(start=[n]).value_ for n in numbers] == [helped(float(n), n) for n in numbers]
    # with helpers that we compiled first
    assert [numba.njit(plain)(float(n), n) for n in numbers] == expected
    assert [numba.njit(helped)(float(n), n) for n in numbers] == [helped(float(n), n) for n in numbers]
