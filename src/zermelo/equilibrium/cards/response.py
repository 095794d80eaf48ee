"""A best response to a strategy over buckets, on given boards: what a player who sees the same buckets can win from it.

On a board all hands are followed through the betting at once. The value v(h) of a hand h of the responder is the sum, over the other's
hands that share no card with h, of their reach times what the responder gets.

    respond:
        play sigma, and anything now and then
        for each round r, the last one first
            for each board and responder:  walk(root)
            for each node n of round r, the last one first, and each bucket b
                play only the best k of Q(n, b, k); add its Q to that of the action of the same round by which its player came to n

    walk(n):
        if n is an end:                           v(h), by sorted hands
        if the other is to move:                  v(h) = sum of walk(child k), to which its hands come with reach * sigma(k)
        if the responder is, after round r:       v(h) = sum of own(k) walk(child k)
        if the responder is, in round r:          Q(n, bucket of h, k) += own reach(h) * walk(child k), for all h;  v = 0

A responder who forgets the buckets of earlier rounds, as the strategy does, does not find the best of all responses in this way: what it
wins on other boards is a lower bound of the exploitability. One who remembers them all does: on all boards of a game its response is
exact, as v of a node in round r does not depend on what was played before.

Johanson et al., Accelerating best response calculation in large extensive games, IJCAI 2011.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ...bits import bit, i64, popcount, u64
from ...errors import ZermeloError
from ...lower.memory import Words, load
from ...search.prepare import prepare
from ...search.records import room
from ..sequences import add_real, number, real
from .betting import CHILD, COUNT, DEPTH, END, LOSES, NODE, ROUND, SHARES, WINS, BettingTree
from .boards import PAIRS, RANKS, SUITS, Array, sorted_boards, starting_hand
from .buckets import Lookup, bucket
from .equities import Equities, list_cards, sort_keys
from .game import ROUNDS
from .strategy import CardTable

TREMBLE = 0.1  # how often the responder does anything, until its response is known
MAX_SEQUENCES = 1 << 29  # sequences of a response, of 24 bytes each
BOARD = ROUNDS  # words of a board: after each round but the first, and its weight


class Responding(Lookup, Equities):
    """The record of `walk_boards`."""

    nodes: int
    ends: int
    samples: int  # the boards
    sigma: int  # how likely each sequence is, by the strategy
    own: int  # ... by the responder
    earned: int  # Q
    gains: int  # what the responder gets on each board, if the round is -1
    player: int
    starts: int  # the number of each starting hand
    recall: list[int] = room(ROUNDS)  # by which the bucket of the round before is multiplied and added: 0 if it is forgotten
    hands: int
    first_card: list[int] = room(PAIRS)  # of each hand, the weakest first
    second_card: list[int] = room(PAIRS)
    stronger: list[int] = room(PAIRS)  # the first hand that is stronger
    kinds: list[list[int]] = room(ROUNDS, PAIRS)  # the bucket of each hand
    reach: list[list[float]] = room(DEPTH, PAIRS)
    values: list[list[float]] = room(DEPTH, PAIRS)
    by_card: list[float] = room(64)  # the reach of all hands with this card
    below: list[float] = room(64)  # ... of those that are weaker
    tied: list[float] = room(64)  # ... of those that are equal


def walk_boards(game: Any, work: Responding) -> int:
    """Walk over the betting on some boards; how many boards."""
    for i in range(work.begin, work.end):
        list_hands(game, i, work)
        for h in range(work.hands):
            work.reach[0][h] = 1.0
            work.reach[1][h] = real(work.samples, BOARD * i + ROUNDS - 1)
        walk(0, 1, 0, 1, work)
        total = 0.0
        for h in range(work.hands):
            total += work.values[1][h]
        add_real(work.gains, i, total)
    return work.end - work.begin


def list_hands(game: Any, i: int, work: Responding) -> int:
    """List the hands of board i, the weakest first, and look up their buckets; their number."""
    board, n = load(work.samples, BOARD * i + ROUNDS - 2), 0
    cards = list_cards(game.deck & ~board, work)
    for x in range(cards):
        for y in range(x):
            a, b = work.card[x], work.card[y]
            work.keys[n] = u64(game.strength(board | bit(a) | bit(b))) << 12 | u64(a << 6 | b)
            n += 1
    work.hands = sort_keys(n, work)
    for h in range(n - 1, -1, -1):
        a, b = i64(work.keys[h] >> 6 & 63), i64(work.keys[h] & 63)
        work.first_card[h] = a
        work.second_card[h] = b
        is_weaker = h + 1 < n and work.keys[h] >> 12 != work.keys[h + 1] >> 12
        work.stronger[h] = h + 1 if is_weaker or h + 1 == n else work.stronger[h + 1]
        before = number(work.starts, starting_hand(bit(a) | bit(b)))
        work.kinds[0][h] = before
        for r in range(1, ROUNDS):
            before = work.recall[r] * before + bucket(game, bit(a) | bit(b), load(work.samples, BOARD * i + r - 1), r, work)
            work.kinds[r][h] = before
    return n


def walk(node: int, ply: int, mine: int, theirs: int, work: Responding) -> int:
    """Find the values of all hands at a node, to which hands come with the reach in these two rows; how many hands."""
    head, first = load(work.nodes, NODE * node), number(work.nodes, NODE * node + 1)
    mover = i64(head & 255)
    if mover == END:
        return pay_hands(first, ply, theirs, work)
    count, child, r = i64(head >> COUNT & 255), i64(head >> CHILD), i64(head >> ROUND & 255)
    for h in range(work.hands):
        work.values[ply][h] = 0.0
    for k in range(count):
        if mover != work.player:
            if follow(first + k, count, r, ply, theirs, work.sigma, work) > 0.0:
                walk(child + k, ply + 1, mine, ply + 1, work)
                for h in range(work.hands):
                    work.values[ply][h] += work.values[ply + 1][h]
        elif r == work.round:
            walk(child + k, ply + 1, mine, theirs, work)
            for h in range(work.hands):
                add_real(work.earned, first + k + count * work.kinds[r][h], work.reach[mine][h] * work.values[ply + 1][h])
        elif follow(first + k, count, r, ply, mine, work.own, work) > 0.0:
            walk(child + k, ply + 1, ply + 1, theirs, work)
            for h in range(work.hands):
                work.values[ply][h] += real(work.own, first + k + count * work.kinds[r][h]) * work.values[ply + 1][h]
    return work.hands


def follow(first: int, count: int, r: int, ply: int, row: int, odds: int, work: Responding) -> float:
    """Find the reach after an action of those who come with that of a row; its sum over all hands."""
    total = 0.0
    for h in range(work.hands):
        x = work.reach[row][h] * real(odds, first + count * work.kinds[r][h])
        work.reach[ply + 1][h] = x
        total += x
    return total


def pay_hands(end: int, ply: int, theirs: int, work: Responding) -> int:
    """Find the values of all hands at an end; how many hands."""
    total, lost, won = 0.0, real(work.ends, 3 * end + LOSES), real(work.ends, 3 * end + WINS)
    for c in range(64):
        work.by_card[c] = 0.0
        work.below[c] = 0.0
        work.tied[c] = 0.0
    for h in range(work.hands):
        x = work.reach[theirs][h]
        work.by_card[work.first_card[h]] += x
        work.by_card[work.second_card[h]] += x
        total += x
    lost, won = (lost, won) if work.player == 0 else (-won, -lost)
    for h in range(work.hands):  # whatever the other holds, unless it shares a card
        met = total - work.by_card[work.first_card[h]] - work.by_card[work.second_card[h]] + work.reach[theirs][h]
        work.values[ply][h] = lost * met
    if lost != won:
        shared = real(work.ends, 3 * end + SHARES)
        compare_hands(won - lost, (shared if work.player == 0 else -shared) - lost, ply, theirs, work)
    return work.hands


def compare_hands(win: float, tie: float, ply: int, theirs: int, work: Responding) -> int:
    """Add to the values of all hands what they win from weaker ones and from equal ones; how many hands."""
    h, weaker = 0, 0.0
    while h < work.hands:
        end, equal = work.stronger[h], 0.0
        for i in range(h, end):
            x = work.reach[theirs][i]
            work.tied[work.first_card[i]] += x
            work.tied[work.second_card[i]] += x
            equal += x
        for i in range(h, end):
            a, b, x = work.first_card[i], work.second_card[i], work.reach[theirs][i]
            beaten = weaker - work.below[a] - work.below[b]
            work.values[ply][i] += win * beaten + tie * (equal - work.tied[a] - work.tied[b] + x)
        for i in range(h, end):
            a, b, x = work.first_card[i], work.second_card[i], work.reach[theirs][i]
            work.below[a] += x
            work.below[b] += x
            work.tied[a] = 0.0
            work.tied[b] = 0.0
        weaker += equal
        h = end
    return work.hands


# ---- boards ------------------------------------------------------------------------------------


def draw_boards(game: Any, count: int, seed: int) -> Array:
    """Boards drawn at random, as `walk_boards` takes them."""
    chooser, cards = np.random.default_rng(seed), [c for c in range(64) if game.deck >> c & 1]
    return _boards(game, ((chooser.choice(cards, game.board_sizes[-1], replace=False).tolist(), 1.0) for _ in range(count)))


def all_boards(game: Any) -> Array:
    """All boards of a game up to the names of suits, and how likely each is, with a mean of 1."""
    found: dict[tuple[int, ...], float] = defaultdict(float)
    for flop, weight in zip(*(x.tolist() for x in sorted_boards(game.deck, game.board_sizes[1])), strict=True):
        first, others = ([c for c in range(64) if cards >> c & 1] for cards in (flop, game.deck & ~flop))
        for more in itertools.permutations(others, game.board_sizes[-1] - len(first)):
            renamed = ((suits[c // RANKS] * RANKS + c % RANKS for c in (*first, *more)) for suits in itertools.permutations(range(SUITS)))
            found[min((*sorted(cards[: len(first)]), *cards[len(first) :]) for cards in map(tuple, renamed))] += weight
    mean = sum(found.values()) / len(found)
    return _boards(game, ((cards, weight / mean) for cards, weight in found.items()))


def _boards(game: Any, drawn: Iterable[tuple[Sequence[int], float]]) -> Array:
    """Cards in the order in which they come, each with a weight, as rows of words."""
    rows = [[*(sum(1 << c for c in cards[:n]) for n in game.board_sizes[1:]), np.float64(x).view(np.uint64)] for cards, x in drawn]
    return np.array(rows, np.uint64)


# ---- responses -----------------------------------------------------------------------------------


class Response:
    """A response of both seats to the average strategy of a table of sequences: in rounds that are not learned, that strategy itself."""

    def __init__(self, table: CardTable, averages: Array, remembers: bool = False):
        self._table, sizes = table, table.buckets.sizes
        starts = _starting_hands(table.game) if remembers else np.arange(sizes[0])
        self._starts = Words(sizes[0], False)
        self._starts.array[starts] = np.arange(len(starts))
        self._recall = list(sizes) if remembers else [0] * ROUNDS
        self._sizes = tuple(itertools.accumulate((len(starts), *sizes[1:]), lambda x, y: x * y)) if remembers else sizes
        self._firsts = table.tree.first_sequences(self._sizes)
        if self._firsts[-1] > MAX_SEQUENCES:
            raise ZermeloError(
                f"expected at most {MAX_SEQUENCES:,} sequences of a response, not {self._firsts[-1]:,}: solve with fewer buckets"
            )
        self._nodes = Words.of(table.tree.words(self._sizes), False)
        self._sigma, self._own = (Words(int(self._firsts[-1]), False) for _ in range(2))
        self._learned = ROUNDS  # the first round that is
        for i, node in enumerate(table.tree.nodes):
            if node.actions:
                n, span = len(node.actions), slice(int(table.firsts[i]), int(table.firsts[i + 1]))
                odds = _likelihoods(averages[span].reshape(-1, n))
                odds = odds[starts] if node.round == 0 else odds
                self._rows(self._sigma, i)[:] = np.tile(odds, (self._sizes[node.round] // len(odds), 1))
                self._rows(self._own, i)[:] = (1 - TREMBLE) * self._rows(self._sigma, i) + TREMBLE / n

    @property
    def weights(self) -> Array:
        """How likely it makes each sequence."""
        found = self._own.array.view(np.float64).copy()
        for i, node in enumerate(self._table.tree.nodes):
            if node.actions and node.round < self._learned:
                found[self._firsts[i] : self._firsts[i + 1]] = self._rows(self._sigma, i).ravel()
        return found

    def _rows(self, words: Words, i: int) -> Array:
        """The floats of node i, of each bucket a row."""
        found: Array = words.array[self._firsts[i] : self._firsts[i + 1]].view(np.float64)
        return found.reshape(-1, len(self._table.tree.nodes[i].actions))

    def learn(self, boards: Array) -> Iterator[int]:
        """Respond as well as possible on these boards, from one round on to the end, then from the one before it; yield each."""
        before = _actions_before(self._table.tree)
        for r in range(ROUNDS - 1, -1, -1):
            earned = Words(len(self._sigma.array), False)
            self._walk(boards, r, self._own, earned)
            for i in range(len(before) - 1, -1, -1):
                if self._table.tree.nodes[i].actions and self._table.tree.nodes[i].round == r:
                    self._decide(i, before[i], earned)
            self._learned = r
            yield r

    def _decide(self, i: int, before: tuple[int, int] | None, earned: Words) -> None:
        """Take the best action of each bucket at node i, and count it as earned by the action before."""
        q, own, buckets = self._rows(earned, i), self._rows(self._own, i), np.arange(self._sizes[self._table.tree.nodes[i].round])
        own[:] = 0.0
        own[buckets, q.argmax(axis=1)] = 1.0
        unseen = ~q.any(axis=1)
        own[unseen] = self._rows(self._sigma, i)[unseen]
        if before is not None:
            self._rows(earned, before[0])[:, before[1]] += q.max(axis=1)

    def gains(self, boards: Array) -> Array:
        """What it wins a hand on each board, in the mean of both seats, times the board's weight."""
        n, left = (math.comb(popcount(self._table.game.deck) - self._table.game.board_sizes[-1] - k, 2) for k in (0, 2))
        return self._walk(boards, -1, Words.of(self.weights, False), Words(1, False)) / (2 * n * left)

    def _walk(self, boards: Array, r: int, own: Words, earned: Words) -> Array:
        """Walk over the betting on these boards, once for each seat; the sum of both on each board."""
        self._table.buckets.keep_scores()
        samples, gains = Words.of(boards, False), Words(len(boards), False)
        tables = {"nodes": self._nodes, "samples": samples, "starts": self._starts, "sigma": self._sigma, "own": own}
        tables |= {"earned": earned, "gains": gains}
        given: dict[str, Any] = self._table.fields | {name: words.table for name, words in tables.items()}
        run = prepare(self._table.game, walk_boards, Responding, False)
        for p in range(2):
            run(**given, begin=0, end=len(boards), round=r, player=p, recall=self._recall)
        return gains.array.view(np.float64)


def _starting_hands(game: Any) -> Array:
    """The starting hands that can be dealt."""
    cards = [1 << c for c in range(64) if game.deck >> c & 1]
    return np.unique([starting_hand(a | b) for a, b in itertools.combinations(cards, 2)])


def _likelihoods(weights: Array) -> Array:
    """How likely each action is in each row; all alike if none has any weight."""
    total = weights.sum(axis=1, keepdims=True)
    return np.where(total > 0, weights / np.where(total > 0, total, 1.0), 1.0 / weights.shape[1])


def _actions_before(tree: BettingTree) -> list[tuple[int, int] | None]:
    """For each node its mover's last node and action of the same round before it, if there was one."""
    latest: list[dict[int, tuple[int, int]]] = [{} for _ in tree.nodes]
    for i, node in enumerate(tree.nodes):
        for k in range(len(node.actions)):
            is_same = tree.nodes[node.child + k].round == node.round
            latest[node.child + k] = latest[i] | {node.mover: (i, k)} if is_same else {}
    return [known.get(node.mover) for known, node in zip(latest, tree.nodes, strict=True)]
