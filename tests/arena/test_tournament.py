"""Tournaments: pairings, standings, and resumption."""

from __future__ import annotations

from collections import Counter

import pytest

import zermelo
from zermelo import ZermeloError
from zermelo.arena.records.store import Store
from zermelo.arena.schedule import gauntlet, round_robin, swiss
from zermelo.arena.tournament import Tournament, play_tournament

PLAYERS = ("alphabeta:depth=3,interpreted=true", "alphabeta:depth=1,interpreted=true", "greedy", "random")


@pytest.mark.parametrize("n", range(2, 9))
def test_everybody_meets_everybody_once(n):
    meetings = round_robin(n)
    assert sorted(map(sorted, meetings)) == [[a, b] for a in range(n) for b in range(a + 1, n)]
    first = Counter(a for a, _ in meetings)
    assert max(first.values()) - min(first[i] for i in range(n)) <= 2


def test_the_first_meets_all_others():
    assert gauntlet(4) == [(0, 1), (0, 2), (0, 3)]


@pytest.mark.parametrize("n", [2, 4, 5, 8, 9])
def test_swiss_rounds(n):
    points, met, byes = [0.0] * n, set(), {}
    for _ in range(n - 1 if n % 2 == 0 else n - 2):
        meetings, out = swiss(points, met, byes)
        assert (out is not None) == bool(n % 2)
        assert sorted([i for pair in meetings for i in pair] + ([] if out is None else [out])) == list(range(n))
        met |= {frozenset(pair) for pair in meetings}
        for a, _ in meetings:
            points[a] += 1
        if out is not None:
            byes[out] = byes.get(out, 0) + 1
            points[out] += 1
    assert max(byes.values(), default=1) == 1


def test_equals_meet_in_a_swiss_round():
    meetings, out = swiss([3, 0, 3, 1, 1, 0], set(), {})
    assert out is None and {frozenset(pair) for pair in meetings} == {frozenset(x) for x in ((0, 2), (3, 4), (1, 5))}
    again, _ = swiss([3, 0, 3, 1, 1, 0], {frozenset((0, 2))}, {})
    assert frozenset((0, 2)) not in {frozenset(pair) for pair in again}
    everybody = {frozenset((a, b)) for a in range(4) for b in range(a)}
    assert len(swiss([0.0] * 4, everybody, {})[0]) == 2  # then they meet again


@pytest.mark.parametrize(("kind", "rounds", "games"), [("roundrobin", 1, 12), ("gauntlet", 2, 12), ("swiss", 3, 12)])
def test_a_tournament(tmp_path, kind, rounds, games):
    held = Tournament(zermelo.game("connect4"), PLAYERS, kind, rounds)
    with Store(tmp_path / "r") as store:
        standing = play_tournament(held, store, 2)
        assert len(standing.endings) == standing.games == games == len(list(store.games()))
        again = play_tournament(held, store, 1)
        assert again.endings == standing.endings and len(list(store.games())) == games
    with Store(tmp_path / "other") as store:
        alone = play_tournament(held, store, 1)
    assert {slot: e.result for slot, e in alone.endings.items()} == {slot: e.result for slot, e in standing.endings.items()}
    rated = standing.ratings()
    assert rated.players[0].name == PLAYERS[0] and sum(r.games for r in rated.players) == 2 * games
    assert sum(r.points for r in rated.players) == games == sum(standing.points())
    heads, rows = standing.table()
    assert len(rows) == 4 and all(len(row) == len(heads) for row in rows) and rows[0][7] == "*"


def test_more_rounds_go_on_with_the_same(tmp_path):
    game = zermelo.game("tictactoe")
    with Store(tmp_path / "r") as store:
        one = play_tournament(Tournament(game, ("random", "greedy", "alphabeta:depth=2,interpreted=true"), "swiss", 1), store)
        two = play_tournament(Tournament(game, ("random", "greedy", "alphabeta:depth=2,interpreted=true"), "swiss", 3), store)
    assert one.endings.items() <= two.endings.items() and len(two.endings) == 6
    assert sum(two.out.values()) == 3 and max(two.out.values()) == 1


def test_what_is_no_tournament():
    game = zermelo.game("tictactoe")
    for settings, expected in (
        ({"players": ("random",)}, "at least two players"),
        ({"players": ("random", "random")}, "different"),
        ({"players": ("random", "greedy"), "kind": "swis"}, "did you mean swiss"),
        ({"players": ("random", "greedy"), "rounds": 0}, "at least one round"),
        ({"players": ("random", "human")}, "zermelo play"),
    ):
        with pytest.raises(ZermeloError, match=expected):
            Tournament(game, **settings)
