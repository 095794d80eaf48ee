"""Boards that differ only by the names of suits are one board: its suits are sorted by their ranks, as sets.

A row has a place for each pair of the 52 cards, four to a word. The row of a board holds something of each hand, by the cards that they
become when the suits of the board are sorted.
"""

from __future__ import annotations

import itertools
import math
from functools import cache
from typing import Any

import numpy as np

from ...bits import ctz, i64, rest, u64
from ...lower.memory import load, store
from ...search.records import Record, room
from .game import ROUNDS

SUITS, RANKS = 4, 13
SUIT = (1 << RANKS) - 1
PAIRS = 52 * 51 // 2
ROW = (PAIRS + 3) // 4  # words
STARTING_HANDS = RANKS * RANKS

Array = np.ndarray[Any, Any]


class Suits(Record):
    """The record of what renames suits."""

    ranks: list[u64] = room(SUITS)
    order: list[int] = room(SUITS)
    renamed: list[int] = room(SUITS)  # what each suit becomes


class Boards(Suits):
    """The record of what looks boards up."""

    boards: int  # the sorted boards of all rounds after the first, one after the other
    board_begin: list[int] = room(ROUNDS + 1)  # the first board of each round


def sort_suits(board: u64, work: Suits) -> u64:
    """The board with its suits renamed so that they are sorted; `renamed` says how."""
    for suit in range(SUITS):
        ranks, at = board >> RANKS * suit & SUIT, suit
        while at > 0 and work.ranks[at - 1] < ranks:
            work.ranks[at] = work.ranks[at - 1]
            work.order[at] = work.order[at - 1]
            at -= 1
        work.ranks[at] = ranks
        work.order[at] = suit
    found = u64(0)
    for k in range(SUITS):
        work.renamed[work.order[k]] = k
        found |= work.ranks[k] << RANKS * k
    return found


def renamed_card(card: int, work: Suits) -> int:
    """What a card becomes when suits are renamed."""
    return RANKS * work.renamed[card // RANKS] + card % RANKS


def pair(a: int, b: int) -> int:
    """The place of two cards in a row."""
    return a * (a - 1) // 2 + b if a > b else b * (b - 1) // 2 + a


def renamed_pair(hand: u64, work: Suits) -> int:
    """The place of a hand in a row when suits are renamed."""
    return pair(renamed_card(ctz(hand), work), renamed_card(ctz(rest(hand)), work))


def starting_hand(hand: u64) -> int:
    """Which of the 169 hands that differ by more than suits' names this is: 13 * the higher rank + the lower, exchanged if unsuited."""
    a, b = ctz(hand), ctz(rest(hand))
    high, low = max(a % RANKS, b % RANKS), min(a % RANKS, b % RANKS)
    return RANKS * high + low if a // RANKS == b // RANKS else RANKS * low + high


def find_board(board: u64, r: int, work: Boards) -> int:
    """The number of this sorted board of round r, by bisection."""
    low, high = work.board_begin[r], work.board_begin[r + 1] - 1
    while low < high:
        middle = (low + high) // 2
        if load(work.boards, middle) < board:
            low = middle + 1
        else:
            high = middle
    return low


def entry(rows: int, row: int, place: int) -> int:
    """What a row holds at this place."""
    return i64(load(rows, ROW * row + place // 4) >> 16 * (place % 4) & 0xFFFF)


def put_entry(rows: int, row: int, place: int, x: int) -> int:
    """Make a row hold x at this place, where it held nothing; x."""
    at = ROW * row + place // 4
    store(rows, at, load(rows, at) | u64(x) << 16 * (place % 4))
    return x


@cache
def sorted_boards(deck: int, size: int) -> tuple[Array, Array]:
    """All boards of this size with sorted suits, in ascending order, and how many boards each stands for."""
    ranks = [r for r in range(RANKS) if deck >> r & 1]
    subsets = [[sum(1 << r for r in some) for some in itertools.combinations(ranks, n)] for n in range(min(size, len(ranks)) + 1)]
    found: dict[int, int] = {}

    def add(suits: tuple[int, ...], left: int) -> None:
        if len(suits) == SUITS:
            if left == 0:
                same = math.prod(math.factorial(suits.count(x)) for x in set(suits))
                found[sum(x << RANKS * k for k, x in enumerate(suits))] = math.factorial(SUITS) // same
            return
        for n in range(min(left, len(subsets) - 1) + 1):
            for x in subsets[n]:
                if not suits or x <= suits[-1]:
                    add((*suits, x), left - n)

    add((), size)
    boards = np.array(sorted(found), np.uint64)
    return boards, np.array([found[int(b)] for b in boards])
