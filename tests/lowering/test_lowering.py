"""Lowered rules agree with the interpreter: odd expressions, state by state."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

import zermelo
from zermelo import Game, bit, ctz, i8, i16, i64, popcount, u64
from zermelo.check import check
from zermelo.lower.generate import generate
from zermelo.search.perft import count_leaves


class State(NamedTuple):
    w: u64
    t: tuple[i8, ...]
    i: i16
    flag: bool


TOP = 1 << 63


def helper(x: u64, n: i64) -> u64:
    """Takes a word and a number, loops, and joins literals with words."""
    y = 0
    for k in range(n):
        y |= x >> k & 1
    return y + 1


class Odd(Game):
    """Every construct that once meant something else natively, or might."""

    players = 3
    LIMIT = -2

    def __init__(self):
        self.masks = (TOP, 5)
        self.rows = ((1, 2), (3, 4), (5, 6))
        self.long = tuple(range(40))
        self.half = 0.5
        self.table = np.array([[3, 1, 4], [1, 5, 9]], dtype=np.int32)
        self.__hidden = 11

    def initial(self):
        return State(TOP | 7, (1, -2, 3, 2), 0, False)

    def to_move(self, s):
        return s.i % 3

    def actions(self, s):
        if s.i < 5:
            for a in range(2):
                yield a - 1 if s.flag else a

    def result(self, s, a):
        t = tuple(-x if j == s.i % 4 else x + a for j, x in enumerate(s.t))
        return s._replace(w=(s.w << 1 | bit(s.i) | s.w & self.masks[a * a]) & (TOP | 0xFFFF), t=t, i=s.i + 1, flag=not s.flag)

    def is_terminal(self, s):
        return s.i >= 5

    def utility(self, s, p):
        return s.t[p] * self.half - (1 if s.flag else 0) / 4

    def evaluate(self, s, p):
        return (s.i or 7) + 10 * (s.i and 9) + 100 * s.t[s.i - 2] + 1000 * s.t[-s.i % 4] + (5 if all(s.t) else 6) + (7 if any(s.t) else 8)

    def order(self, s, a):
        total = 0
        for x, y in self.rows:
            total += x * y if s.flag and s.i > 2 else x - y
        for x in self.long:
            total += x if x % 3 == s.i % 3 else 0
        for word, shift in ((s.w, 1), (s.w >> 3, s.i), (bit(s.i), 2)):
            total += popcount(word >> shift)
        return total + self.table[s.i % 2, a + 1] - self.table[1 - s.i % 2][2] * (s.i > 1 or s.flag) + (10 if not s.flag and s.i else 20)

    def is_tactical(self, s, a):
        return (s.t[0] in (1, -1, 5) and 0 <= s.i < 4) or s.i not in (2, 3)

    def key(self, s):
        word = helper(s.w, 12) if s.i else u64(popcount(s.w))
        return (word * 3 + (TOP if s.flag else 1) ^ u64(max(s.t)) ^ u64(min(s.t)) << 32) & 0xFFFFFFFFFFFFFFFF

    def features(self, s, p):
        yield sum(x for x in s.t if x > 0)
        yield s.i // 2 - -s.i // 3 + -s.i % 4
        yield abs(s.t[1]) + ctz(s.w) * self.half
        yield float(s.w >> 60) + len(s.t) + int(s.flag)
        select, fn_below, rule_count, len_, my_x = self.__hidden, Odd.LIMIT, s.i, ~bool(s.i), 5  # names that generated code has
        yield select * fn_below - rule_count * len_ + my_x

    def observe(self, s, p):
        return (s.i, s.t[p], s.w & 0xFF)


def test_odd_expressions_mean_the_same_in_every_way_to_run_them():
    report = check(Odd(), states=1000, cuda=True)
    failed = [f for f in report.findings if f.ok is False and ("native" in f.what or "CUDA" in f.what or "GPU" in f.what)]
    assert not failed, failed
    assert any(f.what == "interpreted = native" and f.ok for f in report.findings)
    assert any(f.what in ("compiles for a GPU", "interpreted = CUDA") and f.ok for f in report.findings)


def test_the_generated_text_reads_like_the_rules():
    text = generate(
        zermelo.game("connect4"),
        count_leaves,
        {"work": np.dtype([("start", "u8", (2,)), ("depth", "i8"), ("moves", "i8", (8, 8)), ("widest", "i8"), ("stopped", "i8")])},
    )
    assert "def rule_result(s, a):" in text.source
    assert "self" not in text.source
    assert "found = u64(0)" in text.source
    assert all(file.endswith(".py") and line > 0 for file, line, _ in text.lines.values())


@pytest.mark.parametrize("text", ["kalah:houses=16,seeds=3", "nim:heaps=" + ",".join(["2"] * 32), "pig:players=16,target=6"])
def test_long_tuples_lower(text):
    game = zermelo.game(text)
    fast, slow = (zermelo.playouts(game, 20, seed=1, interpreted=i) for i in (False, True))
    assert (fast.moves, fast.utility) == (slow.moves, slow.utility)


class Many(NamedTuple):
    t: tuple[i8, ...]
    i: i16


class Wide(Game):
    """Tuples of more elements than CPython nests parentheses: one of the state, and rows of a constant."""

    def __init__(self):
        self.rows = tuple((i * i % 101, -i) for i in range(230))

    def initial(self):
        return Many(tuple(i % 7 for i in range(230)), 5)

    def to_move(self, s):
        return s.i % 2

    def actions(self, s):
        if s.i < 200:
            for a in range(3):
                yield a

    def is_terminal(self, s):
        return s.i >= 200

    def result(self, s, a):
        low, high = self.rows[s.i + a]
        row = self.rows[-1 - s.i]
        return Many(s.t, s.i + 1 + s.t[(low + a) % 230] + s.t[-a - 1] + (row[0] + high) % 3)

    def utility(self, s, p):
        return 1.0 if (s.i + p) % 2 else -1.0


def test_wide_tuples_lower():
    fast, slow = (zermelo.playouts(Wide(), 20, seed=1, interpreted=i) for i in (False, True))
    assert (fast.moves, fast.utility) == (slow.moves, slow.utility)
