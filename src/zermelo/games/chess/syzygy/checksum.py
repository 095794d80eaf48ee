"""The checksum at the end of Syzygy's files: 128 bits of CityHash over all that is before them.

Each part of 2^24 bytes is hashed to 256 bits (CityHashCrc256), and the results, one after another, to 128 (CityHash128): here of files
that are one part. CityHash is by Pike and Alakuijala (Google 2011, MIT licence); of its version 1.0 here is what this needs.
"""

from __future__ import annotations

import struct

from ....bits import FULL

PART = 1 << 24  # bytes
K0, K1, K3 = 0xC3A5C85C97CB3127, 0xB492B66FBE98F273, 0xC949D7C7509E6557
MIX = 0x9DDFEA08EB382D69
CASTAGNOLI = 0x82F63B78  # the polynomial of CRC-32C, its bits reversed
STEP, ROUND = 40, 240  # bytes that are mixed at a time, and in a round of six times

Words = tuple[int, ...]


def _crc_table() -> list[int]:
    table = list(range(256))
    for _ in range(8):
        table = [x >> 1 ^ (CASTAGNOLI if x & 1 else 0) for x in table]
    return table


CRC = _crc_table()


def crc(state: int, word: int) -> int:
    """CRC-32C of eight bytes more, as processors compute it."""
    state = word ^ state & 0xFFFFFFFF
    for _ in range(8):
        state = state >> 8 ^ CRC[state & 0xFF]
    return state


def rotated(x: int, k: int) -> int:
    """A word turned to the right by k bits."""
    return (x >> k | x << 64 - k) & FULL


def shift_mix(x: int) -> int:
    x &= FULL
    return x ^ x >> 47


def hash_16(u: int, v: int) -> int:
    """64 bits for two words."""
    a = shift_mix((u ^ v) * MIX)
    return shift_mix((v ^ a) * MIX) * MIX & FULL


def hash_256(data: bytes) -> Words:
    """CityHashCrc256 of at least 240 bytes; of fewer, with zeros behind them."""
    size, seed = len(data), 0
    if size < ROUND:
        data, size, seed = data.ljust(ROUND, b"\0"), ROUND, ~size & 0xFFFFFFFF
    at_56, at_96, at_120, at_184 = (struct.unpack_from("<Q", data, at)[0] for at in (56, 96, 120, 184))
    first, second = hash_16(at_96 + K0 & FULL, size), at_120 * K0 + size & FULL
    state: Words = (at_56 + K0 & FULL, at_96 + K0 & FULL, first, second, at_184 + seed & FULL, first + second & FULL)
    sums, rounds = [seed, 0, 0, 0, 0], size // ROUND
    for k in range(6 * rounds):
        state = _step(data, k * STEP, state, sums, k & 1)
    at = rounds * ROUND
    while at + STEP <= size:
        state = _step(data, at, state, sums, 1)
        at += STEP
    if at < size:
        state = _step(data, size - STEP, state, sums, 1)
    return _last(state, sums, first, second)


def _step(data: bytes, at: int, state: Words, sums: list[int], is_multiplied: int) -> Words:
    """Mix 40 bytes into the state and the five sums."""
    a, b, c, d, e, t = state
    factor, z = (K0, 0) if is_multiplied else (1, 1)
    words = struct.unpack_from("<5Q", data, at)
    turned = (rotated(b, 41 ^ z), rotated(c, 27 ^ z), rotated(d, 41 ^ z), rotated(e, 33 ^ z), rotated(t, 25 ^ z))
    mixed = tuple(x * factor + word & FULL for x, word in zip(turned, words, strict=True))
    for k, word in enumerate(mixed):
        sums[k] = crc(sums[k], word)
    return *mixed, a


def _last(state: Words, sums: list[int], first: int, second: int) -> Words:
    """The four words of CityHashCrc256, from the last state and the sums."""
    a, b, c, d, e, t = state
    f, g, h, i, j = sums
    j += i << 32
    a = hash_16(a, j)
    h += g << 32
    b += h
    c = hash_16(c, f) + i & FULL
    d = hash_16(d, e + first & FULL)
    j = j + e & FULL
    i += hash_16(h, t)
    e = hash_16(a, d) + j & FULL
    f = hash_16(b & FULL, c) + a & FULL
    g = hash_16(j, i & FULL) + c & FULL
    words = [e + f + g + h & FULL]
    a = shift_mix((a + g) * K0) * K0 + b & FULL
    words.append(second + a + words[0] & FULL)
    a = shift_mix(a * K0) * K0 + c & FULL
    words.append(a + words[1] & FULL)
    a = shift_mix((a + e) * K0) * K0 & FULL
    words.append(a + words[2] & FULL)
    return tuple(words)


def hash_128(words: Words) -> tuple[int, int]:
    """CityHash128 of four words."""
    seed, b, x, y = words
    a = shift_mix((seed ^ K3) * K1) * K1 & FULL
    c = b * K1 + (hash_16(x, rotated(y + 16 & FULL, 16)) ^ y) & FULL
    d = shift_mix(a + x)
    a, b = hash_16(a, c), hash_16(d, b)
    return a ^ b, hash_16(b, a)


def checksum(data: bytes) -> bytes:
    """The 16 bytes that end a file whose other bytes are these, at most PART."""
    return struct.pack("<2Q", *hash_128(hash_256(data)))
