"""The bit helpers and random numbers: exact answers, equal in the interpreter and natively."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from zermelo import bit, bitreverse, byteswap, clz, ctz, i8, i16, i32, i64, lowest, nth, popcount, rest, u8, u16, u32, u64
from zermelo.lower.object_code import cpu, deposits_quickly
from zermelo.rng import below, draw, mix, split, step, unit
from zermelo.search.prepare import prepare

WORDS = st.integers(0, (1 << 64) - 1) | st.sampled_from([0, 1, 2, 1 << 63, (1 << 64) - 1, (1 << 63) - 1, 0x8000000000000001])


def helpers(game: Any, work: Any) -> int:
    x, y = work.x, work.y
    work.words[0] = lowest(x)
    work.words[1] = rest(x)
    work.words[2] = byteswap(x)
    work.words[3] = bitreverse(x)
    work.words[4] = bit(i64(x & 63))
    work.words[5] = mix(x)
    work.words[6] = draw(x, y)
    work.words[7] = split(x, y)
    work.words[8] = step(x)
    work.words[9] = u64(i64(x))
    work.numbers[0] = popcount(x)
    work.numbers[1] = ctz(x)
    work.numbers[2] = clz(x)
    work.numbers[3] = nth(x, i64(y) % popcount(x)) if x else -1
    work.numbers[4] = below(x, 1 + i64(y >> 40))
    work.numbers[5] = i64(x)
    work.numbers[6] = i32(x)
    work.numbers[7] = i16(x)
    work.numbers[8] = i8(x)
    work.numbers[9] = u32(x)
    work.numbers[10] = u16(x)
    work.numbers[11] = u8(x)
    work.real = unit(x)
    return popcount(i64(x)) + ctz(i64(x)) + popcount(lowest(i64(x))) + popcount(rest(i64(x)))


@pytest.fixture(scope="module")
def both():
    fields = [("x", "u8", ()), ("y", "u8", ()), ("words", "u8", (10,)), ("numbers", "i8", (12,)), ("real", "f8", ())]
    game = zermelo.game("tictactoe")
    return prepare(game, helpers, fields, interpreted=True), prepare(game, helpers, fields, interpreted=False)


@settings(max_examples=300, deadline=None)
@given(x=WORDS, y=WORDS)
def test_helpers_mean_the_same_interpreted_and_native(both, x, y):
    slow, fast = (run(x=x, y=y) for run in both)
    assert slow.words == [int(w) for w in fast.words]
    assert slow.numbers == [int(n) for n in fast.numbers]
    assert slow.real == fast.real
    assert slow.value == fast.value


def test_helpers_are_what_they_say():
    x = 0b1011_0000
    assert (popcount(x), ctz(x), clz(x), lowest(x), rest(x)) == (3, 4, 56, 0b1_0000, 0b1010_0000)
    assert (popcount(0), ctz(0), clz(0), lowest(0), rest(0)) == (0, 64, 64, 0, 0)
    assert [nth(x, k) for k in range(3)] == [4, 5, 7]
    assert byteswap(0x0123456789ABCDEF) == 0xEFCDAB8967452301
    assert bitreverse(1) == 1 << 63
    assert (u64(-1), i64(1 << 63), i8(200), u8(-1), i8(-129)) == ((1 << 64) - 1, -(1 << 63), -56, 255, 127)


def test_random_words_are_those_of_splitmix64():
    """The first words of the generator's published test vector, for the seed 1234567."""
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]
    assert [draw(1234567, i) for i in range(1, 6)] == expected


def test_random_numbers_are_even():
    n, size = 60_000, 6
    counts = [0] * size
    for i in range(n):
        counts[below(draw(7, i), size)] += 1
    assert sum((c - n / size) ** 2 / (n / size) for c in counts) < 20.5  # chi-square, 5 degrees, 0.1 %
    assert 0.49 < sum(unit(draw(3, i)) for i in range(10_000)) / 10_000 < 0.51
    x = 1
    for _ in range(1000):
        x = step(x)
        assert 0 < x < 1 << 64
    assert len({split(1, i) for i in range(1000)} | {draw(1, i) for i in range(1000)}) == 2000


@pytest.mark.parametrize(
    ("name", "features", "quick"),
    [
        ("emeraldrapids", "+avx2,+bmi2,+popcnt", True),
        ("znver3", "+bmi,+bmi2", True),
        ("znver2", "+bmi,+bmi2", False),
        ("sandybridge", "+avx,-bmi2", False),
        ("neoverse-n1", "+neon", False),
    ],
)
def test_bits_are_deposited_only_where_that_is_quick(name, features, quick):
    assert deposits_quickly(name, features) is quick


def test_every_way_to_the_nth_bit_is_the_same():
    import numba

    from zermelo.lower import intrinsics

    ways = [intrinsics.portable_nth] + ([intrinsics.deposited_nth] if deposits_quickly(*cpu()) else [])
    for way in ways:
        found = numba.njit(lambda x, k, way=way: way(x, k))
        for x in (1, 1 << 63, (1 << 64) - 1, 0x8000000000000001, 0x5555555555555555, mix(1), mix(2) & mix(3), mix(4) | mix(5)):
            assert [found(np.uint64(x), k) for k in range(popcount(x))] == [i for i in range(64) if x >> i & 1]
