"""Native code evaluates what Python evaluates: everything that it computes, each value once, and nothing that it skips.

Each case below fails for some states, because it divides by zero or leaves 64 bits. The checked build must fail for the same
states and no other, and wherever Python has an answer all builds must have the same one.
"""

from __future__ import annotations

import math
import random
import struct
from typing import Any, NamedTuple

import numpy as np
import pytest
from still import Still

from zermelo import i64, u64
from zermelo.errors import RuleError
from zermelo.lower import device, float_sums, gpu, native
from zermelo.lower.memory import to_real, to_word
from zermelo.search.prepare import checked_build, prepare


class State(NamedTuple):
    n: i64
    m: i64
    t: tuple[i64, ...]


def first(a, b):
    return a


def pair(a, b):
    return (a, b)


def rest_of(x, y):
    return x % y


class Eager(Still):
    """`evaluate(s, p)` is the p-th case."""

    def initial(self):
        return State(0, 0, (1, 0, 2))

    def actions(self, s):
        yield 7 // s.n
        if s.m:
            yield 5

    def made(self, n, m):
        return State(6 // n, m, (n, m, 1))

    def evaluate(self, s, p):
        n, m, t = s.n, s.m, s.t
        if p == 0:
            return 1 if m in (1, 2, 6 // n) else 2
        if p == 1:
            return 1 if m not in (1, 2, 6 // n) else 2
        if p == 2:
            return 1 if 6 // n in (1, 2, m) else 2
        if p == 3:
            return 1 if m in pair(3, 6 // n) else 2
        if p == 4:
            return 1 if any((m, 6 // n)) else 2
        if p == 5:
            return 1 if all((m, 6 // n)) else 2
        if p == 6:
            return min((m, 6 // n)) + max((6 // n, 3)) + sum((1, 6 // n, m))
        if p == 7:
            return (m, 6 // n, 3)[0]
        if p == 8:
            return (m, 6 // n, 3)[:2][0]
        if p == 9:
            return first(m, 6 // n)
        if p == 10:
            return 6 // n if m else 3
        if p == 11:
            return 3 if m else 6 // n
        if p == 12:
            return 1 if 0 < m < 6 // n else 2
        if p == 13:
            return 1 if 6 // n < m < 12 // m else 2
        if p == 14:
            return 1 if m or 6 // n > 1 else 2
        if p == 15:
            return 1 if m and 6 // n > 1 else 2
        if p == 16:
            return 1 if 6 // n > 1 or True else 2
        if p == 17:
            return 1 if 6 // n > 1 and False else 2
        if p == 18:
            return 1 if True or 6 // n > 1 else 2  # noqa: SIM222
        if p == 19:
            return sum(1 for x in (m, 6 // n))
        if p == 20:
            return sum(x for x, y in zip(t, (1, 2, 6 // n)))
        if p == 21:
            return sum(j for j, x in enumerate((m, 6 // n)))
        if p == 22:
            return 1 if any(m > 0 or x > 0 for x in (1, 6 // n)) else 2
        if p == 23:
            return 1 if any(6 // x > 2 for x in t) else 2
        if p == 24:
            return 1 if all(6 // x > 2 for x in t) else 2
        if p == 25:
            return sum(6 // x for x in t if x != 0)
        if p == 26:
            return sum(6 // x for x in t if x != 0 if 6 // x > 2)
        if p == 27:
            return tuple(6 // x for x in t)[1]
        if p == 28:
            return sum(j for j in range(3) if 6 // (n + j))
        if p == 29:
            6 // n
            return 1
        if p == 30:
            x = 6 // n
            y = 6 // m if x > 2 else 1
            return x + y
        if p == 31:
            return self.made(n, m)._replace(m=3).t[1]
        if p == 32:
            return self.made(n, m)._replace(t=(1, 2, 3), n=1, m=2).m
        if p == 33:
            return State(m=6 // n, n=6 // m, t=t).n
        if p == 34:
            return len((m, 6 // n))
        if p == 35:
            total = 0
            for x in (m, 6 // n):
                total += x
                if total:
                    break
            return total
        if p == 36:
            total = 0
            for j in range(n):
                total += 6 // (j - m)
                if total > 3:
                    return total
            return total
        if p == 37:
            return 1 if (m, 6 // n) == (1, 6) else 2
        if p == 38:
            return self.count(s)
        if p == 39:
            return max(6 // x for x in pair(m, 6 // n))
        if p == 40:
            return 1 if not (m in (1, 6 // n) or m > 2) else 2
        if p == 41:
            return 1 if n in (0.5, m, 6 / n) else 2
        if p == 42:
            return 1 if 6 // n and m else 2
        if p == 43:
            return first(rest_of(m, n), rest_of(m / 2, 0.75)) * 10 + rest_of(n, 7)
        return math.fmod(m, n) + math.pow(m, 2) if m < 100 else (m / 2) ** 65


CASES = 45


def ask(game: Any, work: Any) -> int:
    work.out = game.evaluate(game.unpack(work.start), work.p)
    return 0


def asked(game: Any, p: int, s: Any) -> float | None:
    try:
        return float(game.evaluate(s, p))
    except (ArithmeticError, ValueError):
        return None


@pytest.fixture(scope="module")
def eager():
    game = Eager()
    fields = [("start", "u8", (game.layout.words,)), ("p", "i8", ()), ("out", "f8", ())]
    fast = prepare(game, ask, fields, False)
    with checked_build():
        return game, fast, prepare(game, ask, fields, False)


STATES = [
    State(n, m, t)
    for n in (0, 1, 2, -3, 7)
    for m in (0, 1, -1, 3, (1 << 53) + 1)
    for t in ((1, 0, 2), (0, 1, 2), (3, 1, 0), (7, 6, 1), (-1, 2, 3))
] + [State(2, 10**9, (1, 2, 3))]


@pytest.mark.parametrize("p", range(CASES))
def test_it_fails_where_python_fails_and_answers_where_python_answers(eager, p):
    game, fast, checked = eager
    answers = 0
    for s in STATES:
        here, start = asked(game, p, s), game.layout.pack(s)
        try:
            there = checked(start=start, p=p).out
        except RuleError as error:
            assert here is None or "2**53" in str(error) or "beyond 64 bits" in str(error), (s, here, str(error))
            continue
        answers += 1
        assert here is not None and there == here, (s, here, there)
        assert fast(start=start, p=p).out == here, s
    assert answers > 20


# ---- floats ----------------------------------------------------------------------------------


class Bits(NamedTuple):
    x: u64
    y: u64


class Floats(Still):
    """Operations on floats that a processor has no instruction for."""

    def initial(self):
        return Bits(0, 0)

    def evaluate(self, s, p):
        x, y = to_real(s.x), to_real(s.y)
        if p == 0:
            return x**2
        if p == 1:
            return x**3
        if p == 2:
            return x**7
        if p == 3:
            return x**0
        if p == 4:
            return x % y
        if p == 5:
            return x // y
        if p == 6:
            return math.pow(x, y)
        if p == 7:
            return math.fmod(x, y)
        return x * y + 1.0


def rows(game: Any, work: Any) -> int:
    for i in range(len(work.xs)):
        work.out[i] = game.evaluate(game.result(Bits(work.xs[i], work.ys[i]), 0), work.p)
    return 0


SPECIAL = (0.0, 1.0, 0.5, 3.0, 0.7, 1e16, 4.6e18, 1e308, 1e-200, 5e-324, math.inf, math.nan)
ROW = 4096


@pytest.fixture(scope="module")
def floats():
    game = Floats()
    fields = [("xs", "u8", (ROW,)), ("ys", "u8", (ROW,)), ("p", "i8", ()), ("out", "f8", (ROW,))]
    return game, prepare(game, rows, fields, False)


@pytest.mark.parametrize("p", range(9))
def test_floats_are_pythons_to_the_last_bit(floats, p):
    game, run = floats
    r = random.Random(p)
    signed = [sign * x for x in SPECIAL for sign in (1, -1)]
    pairs = [(x, y) for x in signed for y in signed]
    while len(pairs) < ROW:
        x, y = (
            r.choice([r.uniform(-10, 10), r.gauss(0, 1) * 10.0 ** r.randint(-20, 20), struct.unpack("<d", r.randbytes(8))[0]])
            for _ in range(2)
        )
        pairs.append((x, y))
    words = [(to_word(x), to_word(y)) for x, y in pairs]
    out = run(xs=[x for x, _ in words], ys=[y for _, y in words], p=p).out
    for (x, y), (a, b), there in zip(pairs, words, out, strict=True):
        try:
            here = game.evaluate(Bits(a, b), p)
        except (ArithmeticError, ValueError):
            continue
        assert to_word(here) == to_word(float(there)) or (math.isnan(here) and math.isnan(there)), (x, y, here, there)


def test_a_power_that_is_too_large_is_told():
    game = Eager()
    with checked_build():
        run = prepare(game, ask, [("start", "u8", (game.layout.words,)), ("p", "i8", ()), ("out", "f8", ())], False)
    assert run(start=game.layout.pack(State(1, 200, (1, 1, 1))), p=44).out == 100.0**65
    with pytest.raises(RuleError, match=r"`\(m / 2\) \*\* 65`: math domain error or overflow"):
        run(start=game.layout.pack(State(1, 10**15, (1, 1, 1))), p=44)


class Sums(Still):
    """Sums of floats and of whole numbers among floats."""

    def __init__(self):
        self.mixed = (2, 3, 0.1, 1e16, 1, 1, 0.7)
        self.tenths = (0.1,) * 10

    def initial(self):
        return Bits(0, 0)

    def evaluate(self, s, p):
        x, y = to_real(s.x), to_real(s.y)
        n = i64(s.x & 0xFFFF) - 30000
        if p == 0:
            return sum((x, y))
        if p == 1:
            return sum((x, y, 1e16, 0.1, -x, -y, x * 0.5, 0.3, -1e16))
        if p == 2:
            return sum((n, 7, x, n, 0.1, y, 3, -x, n))
        if p == 3:
            return sum(self.mixed)
        if p == 4:
            return sum(a * x for a in self.tenths)
        if p == 5:
            return sum(a for a in self.tenths if a < x)
        return sum(a * y for a in (x,))


def sum_of(values: Any, compensates: bool, compensates_whole: bool) -> Any:
    """The sum as Python 3.11 computes it, as 3.12 does, which compensates floats, or as 3.14 does: whole numbers among them, too."""
    total, lost, is_real = 0, 0.0, False
    for x in values:
        more = total + x
        if is_real and (compensates if isinstance(x, float) else compensates_whole):
            lost += (total - more) + x if abs(total) >= abs(x) else (x - more) + total
        total, is_real = more, is_real or isinstance(x, float)
    return total + lost if is_real and lost and math.isfinite(lost) else total


@pytest.mark.parametrize("how", [None, (False, False), (True, False), (True, True)])
def test_sums_of_floats_are_pythons_to_the_last_bit(monkeypatch, how):
    """Those of the Python that runs, and those of other versions."""
    if how is not None:
        monkeypatch.setattr(float_sums, "COMPENSATES", how[0])
        monkeypatch.setattr(float_sums, "COMPENSATES_WHOLE", how[1])
    monkeypatch.setattr(native, "_texts", {})  # no text of another version
    game, r = Sums(), random.Random(7)
    run = prepare(game, rows, [("xs", "u8", (ROW,)), ("ys", "u8", (ROW,)), ("p", "i8", ()), ("out", "f8", (ROW,))], False)
    signed = [sign * x for x in SPECIAL for sign in (1, -1)]
    pairs = [(x, y) for x in signed for y in signed]
    pairs += [(r.gauss(0, 1) * 10.0 ** r.randint(-20, 20), r.uniform(-10, 10)) for _ in range(ROW - len(pairs))]
    words = [(to_word(x), to_word(y)) for x, y in pairs]
    if how is not None:
        monkeypatch.setattr("builtins.sum", lambda values: sum_of(values, *how))
    for p in range(7):
        out = run(xs=[x for x, _ in words], ys=[y for _, y in words], p=p).out
        for (a, b), there in zip(words, out, strict=True):
            here = game.evaluate(Bits(a, b), p)
            assert to_word(float(here)) == to_word(float(there)) or (math.isnan(here) and math.isnan(there)), (p, a, b, here, there)


def kernel(game: Any, words: Any) -> None:
    i = gpu.thread()
    if i < len(words):
        words[i] = to_word(game.evaluate(game.result(Bits(words[i], words[i] >> 1), 0), WHICH))


WHICH = 8


def test_a_gpu_rounds_a_product_before_it_is_added():
    text = device.ptx(Floats(), kernel, {"words": ("u8", 1)}, {"WHICH": 8})
    assert "mul.rn.f64" in text and "add.rn.f64" in text and "fma" not in text


@pytest.mark.skipif(not device.cuda().is_available(), reason="there is no GPU")
@pytest.mark.parametrize("p", [3, 4, 5, 7, 8])
def test_floats_are_pythons_on_a_gpu(p):
    r = random.Random(p)
    words = [r.getrandbits(64) for _ in range(ROW)]
    there = device.require_gpu().to_device(np.array(words, np.uint64))
    device.kernel(Floats(), kernel, {"words": ("u8", 1)}, {"WHICH": p})[ROW // 64, 64](there)
    for word, x in zip(words, there.copy_to_host(), strict=True):
        try:
            here = Floats().evaluate(Bits(word, word >> 1), p)
        except (ArithmeticError, ValueError):
            continue
        assert to_word(here) == int(x) or math.isnan(here)
