"""The checked build has Python's answer, or tells what Python refuses or 64 bits cannot hold: the line, the values and the state."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import pytest
from still import Still

from zermelo import bit, i8, i64, nth, popcount, u64
from zermelo.errors import RuleError
from zermelo.search.prepare import checked_build, prepare

FULL = (1 << 64) - 1
MOST = (1 << 63) - 1


class State(NamedTuple):
    n: i64
    w: u64
    t: tuple[i8, ...]


class Careless(Still):
    """`evaluate(s, p)` does the p-th of a row of things that are right for some states and wrong for others."""

    def __init__(self):
        self.table, self.grid = np.arange(5), np.arange(6).reshape(2, 3)

    def initial(self):
        return State(0, 0, (1, 2, 3))

    def deep(self, n):
        return 0 if n <= 0 else 1 + self.deep(n - 1)

    def evaluate(self, s, p):
        n, w = s.n, s.w
        if p == 0:
            return 7 // n
        if p == 1:
            return 7 % n
        if p == 2:
            return 7 / n
        if p == 3:
            return s.t[n]
        if p == 4:
            return self.table[n]
        if p == 5:
            return self.grid[1, n]
        if p == 6:
            return n + 1
        if p == 7:
            return n * n
        if p == 8:
            return -n
        if p == 9:
            return 1 << n
        if p == 10:
            return popcount(w >> n)
        if p == 11:
            return popcount(bit(n))
        if p == 12:
            return int(w)
        if p == 13:
            return int(math.sqrt(n))
        if p == 14:
            return int(math.exp(n))
        if p == 15:
            return nth(w, n)
        if p == 16:
            return State(n, w, (n, 0, 0)).t[0]
        if p == 17:
            return popcount(w + 1 >> 1)
        if p == 18:
            return popcount((w << 1 | 1) // 3)
        if p == 19:
            x = ~w
            x &= FULL
            y = w - 1
            return popcount(x) if y == 0 else 2
        if p == 20:
            return self.deep(n)
        if p == 21:
            total = 0
            for k in range(0, 4, n):
                total += k
            return total
        if p == 22:
            return 1 if n == 0.5 else 0
        if p == 23:
            return 7 // n if (w & 1 and n & 2) or not (w and n) else 1  # a word beside a number
        return abs(n) + n**3


def ask(game: Any, work: Any) -> int:
    work.value_ = game.evaluate(game.unpack(work.start), work.p)
    return 0


@pytest.fixture(scope="module")
def checked():
    game = Careless()
    fields = [("start", "u8", (game.layout.words,)), ("p", "i8", ()), ("value_", "f8", ())]
    with checked_build():
        run = prepare(game, ask, fields, False)
    return game, lambda p, s: run(start=game.layout.pack(s), p=p).value_


#: what is asked, values of n and w that are right, one that is wrong, and what is said of it
CASES: list[tuple[int, list[tuple[int, int]], tuple[int, int], str]] = [
    (0, [(2, 0), (-2, 0)], (0, 0), "`7 // n`: division by zero (with 7 and 0)"),
    (1, [(4, 0), (-4, 0)], (0, 0), "`7 % n`: division by zero (with 7 and 0)"),
    (2, [(4, 0)], (0, 0), "`7 / n`: division by zero, or of whole numbers beyond 2**53 (with 7.0 and 0.0)"),
    (2, [(1 << 53, 0)], ((1 << 53) + 1, 0), "`7 / n`: division by zero, or of whole numbers beyond 2**53 (with 7.0 and"),
    (3, [(2, 0), (-3, 0)], (3, 0), "`s.t[n]`: index out of range (with 3 and 3)"),
    (3, [(0, 0)], (-4, 0), "`s.t[n]`: index out of range (with -4 and 3)"),
    (4, [(4, 0), (-5, 0)], (5, 0), "`self.table[n]`: index out of range (with 5 and 5)"),
    (5, [(2, 0), (-1, 0)], (3, 0), "`self.grid[1, n]`: index out of range (with 3 and 3)"),
    (6, [(MOST - 1, 0)], (MOST, 0), f"`n + 1`: a number beyond 64 bits (with {MOST} and 1)"),
    (7, [(3_000_000_000, 0)], (4_000_000_000, 0), "`n * n`: a number beyond 64 bits (with 4000000000 and 4000000000)"),
    (8, [(MOST, 0)], (-MOST - 1, 0), "`-n`: a number beyond 64 bits (with -9223372036854775808)"),
    (9, [(0, 0), (62, 0)], (63, 0), "`1 << n`: a shift by less than 0 or more than 63, or a number beyond 64 bits (with 1 and 63)"),
    (9, [(5, 0)], (-1, 0), "`1 << n`: a shift by less than 0"),
    (10, [(0, FULL), (63, FULL)], (64, FULL), f"`w >> n`: a shift by less than 0 or more than 63 (with {FULL} and 64)"),
    (11, [(0, 0), (63, 0)], (64, 0), "`bit(n)`: a bit is one of 0 to 63 (with 64)"),
    (12, [(0, MOST)], (0, MOST + 1), f"`int(w)`: a number beyond 64 bits (with {MOST + 1})"),
    (13, [(16, 0)], (-1, 0), "`math.sqrt(n)`: math domain error or overflow (with -1.0)"),
    (14, [(43, 0)], (44, 0), "`int(math.exp(n))`: a number beyond 64 bits (with 1.2851600114359308e+19)"),
    (14, [(0, 0)], (800, 0), "`math.exp(n)`: math domain error or overflow (with 800.0)"),
    (15, [(1, 0b1010)], (2, 0b1010), "`nth(w, n)`: there are not as many bits set (with 2)"),
    (16, [(127, 0), (-128, 0)], (128, 0), "`(n, 0, 0)`: field t is one that no i8 can hold (with 128)"),
    (17, [(0, FULL - 1)], (0, FULL), "`w + 1`: a word beyond 64 bits is used: mask it before, like x & 0xFFFFFFFFFFFFFFFF (with 0)"),
    (18, [(0, MOST)], (0, MOST + 1), "`w << 1 | 1`: a word beyond 64 bits is used"),
    (19, [(0, 1), (0, 5)], (0, 0), "`y`: a word beyond 64 bits is used"),
    (20, [(900, 0)], (2000, 0), "it calls itself more than 1,000 times inside one another: write it as a loop"),
    (21, [(1, 0), (3, 0)], (0, 0), "`range(0, 4, n)`: the step of a range is 0 (with 0)"),
    (22, [(1 << 53, 0)], ((1 << 53) + 1, 0), "`n == 0.5`: a whole number beyond 2**53 meets a float, which cannot hold it"),
    (23, [(2, 1), (2, 2), (1, 1), (-2, 0)], (0, 1), "`7 // n`: division by zero (with 7 and 0)"),
    (24, [(2_000_000, 0), (-2_000_000, 0)], (3_000_000, 0), "`n ** 3`: a number beyond 64 bits"),
]


@pytest.mark.parametrize(("p", "right", "wrong", "told"), CASES)
def test_it_answers_like_python_or_tells_what_is_wrong(checked, p, right, wrong, told):
    game, run = checked
    for n, w in right:
        s = State(n, w, (1, 2, 3))
        assert run(p, s) == float(game.evaluate(s, p))  # a rule that gives a float rounds to one
    s = State(*wrong, (1, 2, 3))
    with pytest.raises(RuleError) as error:
        run(p, s)
    assert told in str(error.value)
    assert str(error.value).startswith("test_checked.py:") and ": Careless." in str(error.value)
    assert str(error.value).endswith(f"asked for evaluate in {s}")


def test_after_a_fault_the_next_answer_is_right(checked):
    _, run = checked
    s = State(0, 5, (1, 2, 3))
    with pytest.raises(RuleError):
        run(0, s)
    assert run(3, s) == 1


def test_the_fast_build_reads_nothing_outside_and_does_not_trap():
    """Its answers to what Python refuses mean nothing, but it stands."""
    game = Careless()
    run = prepare(game, ask, [("start", "u8", (game.layout.words,)), ("p", "i8", ()), ("value_", "f8", ())], False)
    for p, right, wrong, _ in CASES:
        for n, w in [*right, wrong, (1 << 40, 0), (-(1 << 62), FULL)]:
            if p == 20 and n > 1000:
                with pytest.raises(RuleError, match="it calls itself more than 1,000 times"):
                    run(start=game.layout.pack(State(n, w, (1, 2, 3))), p=p)
            elif p != 21 or n:
                run(start=game.layout.pack(State(n, w, (1, 2, 3))), p=p)
