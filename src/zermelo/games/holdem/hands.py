"""The strength of a poker hand of five to seven cards, exactly.

A set of cards is a word: bit 13 * suit + rank, where the deuce's rank is 0 and the ace's 12. Ranks are sets of 13 bits, which compare as
numbers do: the highest rank first. So a strength is a number of three parts: the class, the ranks that make it, and the ranks beside them.
"""

from __future__ import annotations

from ...bits import bit, clz, i64, popcount, rest, u64

RANKS, SUITS = "23456789TJQKA", "shdc"
SUIT = (1 << 13) - 1
HIGH_CARD, PAIR, TWO_PAIRS, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH = range(9)


def strength(cards: u64) -> i64:
    """How strong the best five of these cards are: the greater wins, equal ones share."""
    a, b, c, d = cards & SUIT, cards >> 13 & SUIT, cards >> 26 & SUIT, cards >> 39
    any_of, two = a | b | c | d, a & b | c & d | (a | b) & (c | d)
    three, four = a & b & (c | d) | c & d & (a | b), a & b & c & d
    flush = suited(a) | suited(b) | suited(c) | suited(d)
    if flush != 0 and straight(flush) != 0:
        return classed(STRAIGHT_FLUSH, straight(flush), u64(0))
    if four != 0:
        return classed(FOUR, four, top(any_of & ~four, 1))
    triple = top(three, 1)
    if triple != 0 and two & ~triple != 0:
        return classed(FULL_HOUSE, triple, top(two & ~triple, 1))
    if flush != 0:
        return classed(FLUSH, top(flush, 5), u64(0))
    if straight(any_of) != 0:
        return classed(STRAIGHT, straight(any_of), u64(0))
    if triple != 0:
        return classed(THREE, triple, top(any_of & ~triple, 2))
    pairs = top(two, 2)
    if popcount(pairs) == 2:
        return classed(TWO_PAIRS, pairs, top(any_of & ~pairs, 1))
    if pairs != 0:
        return classed(PAIR, pairs, top(any_of & ~pairs, 3))
    return classed(HIGH_CARD, top(any_of, 5), u64(0))


def class_of(value: i64) -> i64:
    """The class of a strength."""
    return value >> 26


def classed(kind: i64, ranks: u64, others: u64) -> i64:
    """The strength of a hand of this class, made by these ranks, with these beside them."""
    return kind << 26 | i64(ranks) << 13 | i64(others)


def suited(ranks: u64) -> u64:
    """The ranks of a suit if there are enough of them for a flush, else none."""
    return ranks if popcount(ranks) >= 5 else u64(0)


def straight(ranks: u64) -> u64:
    """The highest rank of five in a row, as a set; the ace is also below the deuce. None if there are not five."""
    low = ranks << 1 | ranks >> 12 & 1  # bit 0 is the ace below the deuce
    runs = low & low >> 1 & low >> 2 & low >> 3 & low >> 4
    return bit(66 - clz(runs)) if runs != 0 else u64(0)


def top(ranks: u64, n: i64) -> u64:
    """The n highest of these ranks."""
    while popcount(ranks) > n:
        ranks = rest(ranks)
    return ranks
