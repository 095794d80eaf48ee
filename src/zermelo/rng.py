"""Random numbers without state: the i-th word of a stream is a function of its key and i.

The same numbers come out interpreted, native and on a GPU, and a stream can be split (seed -> game
-> move), so that results never depend on how the work was divided among threads.
"""

from __future__ import annotations

from .bits import FULL, i64, u64


def mix(x: u64) -> u64:
    """The finaliser of splitmix64: a bijection of the words that looks random."""
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & FULL
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & FULL
    return x ^ (x >> 31)


def draw(key: u64, i: u64) -> u64:
    """The i-th random word of the stream `key`."""
    return mix((key + i * 0x9E3779B97F4A7C15) & FULL)


def split(key: u64, i: u64) -> u64:
    """The key of the i-th stream below the stream `key`."""
    return mix(draw(key, i) ^ 0xD1B54A32D192ED03)


def step(x: u64) -> u64:
    """The next word of a quick sequence (xorshift64) that starts with any word but 0.

    For loops that use one word after another: three instructions, where `draw` has three long
    multiplications. What is drawn beside the sequence must come from `draw`, or it repeats it.
    """
    x = x ^ (x << 13 & FULL)
    x = x ^ (x >> 7)
    return x ^ (x << 17 & FULL)


def below(word: u64, n: i64) -> i64:
    """A number in 0..n-1 from a random word, by its high half and no division."""
    return i64(((word >> 32) * u64(n)) >> 32)


def unit(word: u64) -> float:
    """A number in [0, 1) from a random word: its upper 53 bits."""
    return float(word >> 11) * (1.0 / 9007199254740992.0)
