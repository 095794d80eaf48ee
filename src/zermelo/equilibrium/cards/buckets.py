"""Buckets: hands of a round that are alike, so that one strategy serves them all.

Before the board, each of the 169 hands that differ by more than the names of suits is a bucket. While cards are to come, hands are
clustered by the histogram of what their score may become (`kmeans.py`); on the full board by the score itself.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from ...bits import i64, popcount, u64
from ...game import Game
from ...lower.memory import Words, load
from ...search.prepare import prepare
from .boards import ROW, STARTING_HANDS, Array, Boards, entry, find_board, renamed_pair, sort_suits, sorted_boards, starting_hand
from .equities import BIN_WORDS, Equities, rate, score, spread, top_score
from .game import ROUNDS
from .kmeans import POINTS_A_CENTRE, assigned, centres_of, line_clusters

MAX_BUCKETS = 1 << 15  # buckets of a round
PART = 64  # boards after which a stop is looked for
LAST_ROUND = ROUNDS - 1


class Lookup(Boards):
    """The record of what looks buckets up."""

    hand: u64
    board: u64
    rows: int  # of each board: the bucket of each hand; in the last round its score, if has_scores
    clusters: int  # the bucket of each score
    has_scores: int


def bucket(game: Any, hand: u64, board: u64, r: int, work: Lookup) -> int:
    """The bucket of a hand in round r."""
    if r == 0:
        return starting_hand(hand)
    if r == LAST_ROUND and work.has_scores == 0:
        return i64(load(work.clusters, score(game, hand, board)))
    x = entry(work.rows, find_board(sort_suits(board, work), r, work), renamed_pair(hand, work))
    return i64(load(work.clusters, x)) if r == LAST_ROUND else x


def look_up(game: Any, work: Lookup) -> int:
    """The bucket of `hand` on `board`."""
    r = 0
    while game.board_sizes[r] < popcount(work.board):
        r += 1
    return bucket(game, work.hand, work.board, r, work)


class Buckets:
    """The buckets of all hands: `rows` for the rounds between, `clusters` of scores for the last."""

    def __init__(self, game: Any, rows: Array, clusters: Array, interpreted: bool = False):
        self.game, self.interpreted = game, interpreted
        self.boards, self.board_begin = _all_boards(game)
        self.rows, self.clusters = rows, clusters
        self._boards, self._rows = Words.of(self.boards, interpreted), Words.of(rows, interpreted)
        self._clusters = Words.of(clusters.astype(np.int64), interpreted)
        self._has_scores = 0

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """How many buckets each round has."""
        begins = self.board_begin
        between = [int(self.rows[begins[r] * ROW : begins[r + 1] * ROW].view("<u2").max()) + 1 for r in range(1, LAST_ROUND)]
        return (STARTING_HANDS, *between, int(self.clusters.max()) + 1)

    @property
    def fields(self) -> dict[str, Any]:
        """What a record needs to look buckets up."""
        tables = {"boards": self._boards.table, "rows": self._rows.table, "clusters": self._clusters.table}
        return tables | {"board_begin": self.board_begin, "has_scores": self._has_scores}

    def of(self, hand: int, board: int) -> int:
        """The bucket of a hand on a board."""
        return int(prepare(self.game, look_up, Lookup, self.interpreted)(**self.fields, hand=hand, board=board).value)

    def keep_scores(self) -> None:
        """Find the scores of all hands on all full boards at once, so that looking them up is quick: 357 MB for 52 cards."""
        if not self._has_scores:
            begin, end = self.board_begin[LAST_ROUND : LAST_ROUND + 2]
            scores = _scores(self.game, self._boards, begin, end, self.interpreted, lambda name, share: None)
            self._rows = Words.of(np.concatenate([self.rows, scores.read(0, (end - begin) * ROW)]), self.interpreted)
            self._has_scores = 1


def _all_boards(game: Any) -> tuple[Array, list[int]]:
    """The sorted boards of all rounds, and the first of each round."""
    boards = [sorted_boards(game.deck, size)[0] for size in game.board_sizes[1:]]
    return np.concatenate(boards), [0, *np.cumsum([0, *map(len, boards)]).tolist()]


def make_buckets(
    game: Any, count: int, seed: int, *, interpreted: bool = False, on_part: Callable[[str, float], None] = lambda name, share: None
) -> Buckets:
    """At most `count` buckets for each round after the first. `on_part` is called with what is done and how much of it; it may raise."""
    boards, begins = _all_boards(game)
    words, chooser = Words.of(boards, interpreted), np.random.default_rng(seed)
    scores = _scores(game, words, begins[LAST_ROUND], begins[LAST_ROUND + 1], interpreted, on_part)
    clusters = line_clusters(_score_weights(game, scores.read(0, (begins[LAST_ROUND + 1] - begins[LAST_ROUND]) * ROW)), count)
    rows, others = [], Words(0, interpreted)
    for r in range(LAST_ROUND - 1, 0, -1):
        n = begins[r + 1] - begins[r]
        histograms = Words(n * 4 * ROW * BIN_WORDS, interpreted)
        run = prepare(game, spread, Equities, interpreted)
        given: dict[str, Any] = {"boards": words.table, "board_begin": begins, "round": r, "top": top_score(game)}
        given |= {"rows": scores.table, "row_begin": begins[LAST_ROUND], "histograms": histograms.table, "others": others.table}
        for i in range(begins[r], begins[r + 1], PART):
            on_part(f"histograms of round {r}", (i - begins[r]) / n)
            run(**given, begin=i, end=min(i + PART, begins[r + 1]))
        points = histograms.read(0, n * 4 * ROW * BIN_WORDS).reshape(-1, BIN_WORDS)
        on_part(f"clusters of round {r}", 0.0)
        centres = centres_of(game, _drawn(game, points, r, POINTS_A_CENTRE * count, chooser), count, chooser, interpreted)
        rows.append(assigned(game, histograms, len(points), centres, interpreted).copy().view(np.uint64))
        others = histograms
    return Buckets(game, np.concatenate(rows[::-1]), clusters, interpreted)


def _scores(game: Any, boards: Words, begin: int, end: int, interpreted: bool, on_part: Callable[..., None]) -> Words:
    """Rows of the scores of all hands on these full boards."""
    rows, run = Words((end - begin) * ROW, interpreted), prepare(game, rate, Equities, interpreted)
    for i in range(begin, end, PART):
        on_part("scores on full boards", (i - begin) / (end - begin))
        run(boards=boards.table, begin=i, end=min(i + PART, end), rows=rows.table, row_begin=begin)
    return rows


def _score_weights(game: Any, rows: Array) -> Array:
    """How often each score occurs among all hands on all full boards, with hands of score 0 left out."""
    top, weights = top_score(game), sorted_boards(game.deck, game.board_sizes[LAST_ROUND])[1]
    scores, total = rows.view("<u2").reshape(-1, 4 * ROW), np.zeros(top_score(game))
    for weight in np.unique(weights):
        for some in np.array_split(scores[weights == weight], 1 + len(scores) // 4096):
            total += weight * np.bincount(some.ravel(), minlength=top)
    total[0] = 0  # places without a hand hold 0, too
    return total


def _drawn(game: Game, points: Array, r: int, count: int, chooser: np.random.Generator) -> Array:
    """Some of the histograms of round r that are not empty, each as likely as its hand and board are."""
    weights = sorted_boards(game.deck, game.board_sizes[r])[1]  # type: ignore[attr-defined]
    boards = chooser.choice(len(weights), 2 * count, p=weights / weights.sum())
    found = points[boards * 4 * ROW + chooser.integers(4 * ROW, size=2 * count)]
    return np.ascontiguousarray(found[found.any(axis=1)][:count])
