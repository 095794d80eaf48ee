"""How strong each hand is on a board: against all hands that the opponent may have, and by how the board may go on.

rate(board):                                      the score of all hands on a full board at once
    sort the hands by their strength
    for each group of equal hands, the weakest first
        score(h) = 2 (weaker hands without a card of h) + (equal hands without a card of h)
spread(board):                                    a histogram of each hand on a board that is not full
    for each card c that may come
        histogram(h, board) += histogram(h, board + c)        of a full board: the bin of its score
"""

from __future__ import annotations

from typing import Any

from ...bits import bit, ctz, i64, popcount, rest, u64
from ...lower.memory import load, store
from ...search.records import room
from .boards import ROW, Boards, entry, find_board, pair, put_entry, renamed_card, sort_suits

BINS = 16  # of a histogram: 16 bits each, four words, whose sums are those of all bins at once
BIN_WORDS = BINS // 4
DIGIT = 10  # bits by which hands are sorted at once
DIGIT_MASK = (1 << DIGIT) - 1  # digit of a word
STRENGTH = 30  # bits of a strength


class Equities(Boards):
    """The record of `rate` and `spread`."""

    begin: int  # the boards to look at
    end: int
    round: int  # of the boards that `spread` looks at
    top: int  # one more than the highest score
    rows: int  # scores of the boards of the last round
    row_begin: int  # the first board that has a row
    histograms: int  # of all hands on the boards of round `round`: made here
    others: int  # ... of the next round
    card: list[int] = room(64)
    keys: list[u64] = room(2048)
    spare: list[u64] = room(2048)
    counts: list[int] = room(1 << DIGIT)
    weaker: list[int] = room(64)  # hands below the group with this card
    equal: list[int] = room(64)  # hands of the group with this card


def list_cards(cards: u64, work: Equities) -> int:
    """Write the numbers of these cards down; how many there are."""
    n = 0
    while cards != 0:
        work.card[n] = ctz(cards)
        cards = rest(cards)
        n += 1
    return n


def rate(game: Any, work: Equities) -> int:
    """Find the score of all hands on some full boards; how many boards."""
    for i in range(work.begin, work.end):
        board = load(work.boards, i)
        n = list_cards(game.deck & ~board, work)
        count = 0
        for x in range(n):
            work.weaker[work.card[x]] = 0
            work.equal[work.card[x]] = 0
            for y in range(x):
                a, b = work.card[x], work.card[y]
                work.keys[count] = u64(game.strength(board | bit(a) | bit(b))) << 12 | u64(a << 6 | b)
                count += 1
        sort_keys(count, work)
        score_groups(i - work.row_begin, count, work)
    return work.end - work.begin


def sort_keys(count: int, work: Equities) -> int:
    """Sort the keys by all but their lowest twelve bits, digit by digit; their number."""
    for shift in range(12, 12 + STRENGTH, DIGIT):
        for k in range(1 << DIGIT):
            work.counts[k] = 0
        for i in range(count):
            work.counts[i64(work.keys[i] >> shift & DIGIT_MASK)] += 1
        total = 0
        for k in range(1 << DIGIT):
            here = work.counts[k]
            work.counts[k] = total
            total += here
        for i in range(count):
            digit = i64(work.keys[i] >> shift & DIGIT_MASK)
            work.spare[work.counts[digit]] = work.keys[i]
            work.counts[digit] += 1
        for i in range(count):
            work.keys[i] = work.spare[i]
    return count


def score_groups(row: int, count: int, work: Equities) -> int:
    """Write the scores of the sorted hands into a row; their number."""
    begin = 0
    while begin < count:
        end = begin
        while end < count and work.keys[end] >> 12 == work.keys[begin] >> 12:
            work.equal[i64(work.keys[end] >> 6 & 63)] += 1
            work.equal[i64(work.keys[end] & 63)] += 1
            end += 1
        for i in range(begin, end):
            a, b = i64(work.keys[i] >> 6 & 63), i64(work.keys[i] & 63)
            below = begin - work.weaker[a] - work.weaker[b]
            tied = end - begin - work.equal[a] - work.equal[b] + 1  # the hand itself has both cards
            put_entry(work.rows, row, pair(a, b), 2 * below + tied)
        for i in range(begin, end):
            a, b = i64(work.keys[i] >> 6 & 63), i64(work.keys[i] & 63)
            work.weaker[a] += 1
            work.weaker[b] += 1
            work.equal[a] = 0
            work.equal[b] = 0
        begin = end
    return count


def score(game: Any, hand: u64, board: u64) -> int:
    """The score of one hand on a full board, by looking at all others."""
    cards, own, total = game.deck & ~(hand | board), game.strength(hand | board), 0
    while cards != 0:
        first, others = bit(ctz(cards)), rest(cards)
        cards = others
        while others != 0:
            other = game.strength(board | first | bit(ctz(others)))
            total += 2 if own > other else 1 if own == other else 0
            others = rest(others)
    return total


def spread(game: Any, work: Equities) -> int:
    """Find the histograms of all hands on some boards of a round from the boards of the next; how many boards."""
    first, is_last = work.board_begin[work.round], work.round + 2 == len(game.board_sizes)
    for i in range(work.begin, work.end):
        board = load(work.boards, i)
        cards = game.deck & ~board
        while cards != 0:
            c = bit(ctz(cards))
            cards = rest(cards)
            j = find_board(sort_suits(board | c, work), work.round + 1, work)
            add_histograms(game.deck & ~(board | c), i - first, j, is_last, work)
    return work.end - work.begin


def add_histograms(unseen: u64, row: int, j: int, is_last: bool, work: Equities) -> int:
    """Add to the histograms of hands on a board those on a board with one more card, whose number is j; how many hands."""
    n = list_cards(unseen, work)
    for x in range(n):
        a = work.card[x]
        also = renamed_card(a, work)
        for y in range(x):
            at = BIN_WORDS * (4 * ROW * row + pair(a, work.card[y]))
            place = pair(also, renamed_card(work.card[y], work))
            if is_last:
                k = entry(work.rows, j - work.row_begin, place) * BINS // work.top
                store(work.histograms, at + k // 4, load(work.histograms, at + k // 4) + (u64(1) << 16 * (k % 4)))
            else:
                other = BIN_WORDS * (4 * ROW * (j - work.board_begin[work.round + 1]) + place)
                for k in range(BIN_WORDS):
                    store(work.histograms, at + k, load(work.histograms, at + k) + load(work.others, other + k))
    return n


def top_score(game: Any) -> int:
    """One more than the highest score of a hand on a full board."""
    left = popcount(game.deck) - game.board_sizes[-1] - 2
    return left * (left - 1) + 1
