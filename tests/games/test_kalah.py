"""Kalah, compared with seeds sown one by one."""

from __future__ import annotations

import random
from typing import Any

import pytest
from helpers import check_games, check_hostile, perft, refuses, walk

from zermelo.errors import ZermeloError
from zermelo.games.kalah import Kalah, State

BOARDS = [(6, 4), (6, 3), (1, 1), (1, 40), (2, 9), (3, 5), (4, 30), (12, 2), (31, 255)]


class Board:
    """The plain way: a list of pits, South's houses and store, then North's, and a seed at a time."""

    def __init__(self, houses: int, seeds: int) -> None:
        self.houses = houses
        self.pits = ([seeds] * houses + [0]) * 2
        self.turn = 0

    def moves(self) -> list[int]:
        first = self.turn * (self.houses + 1)
        return [i for i in range(self.houses) if self.pits[first + i]]

    def over(self) -> bool:
        return not sum(self.pits[: self.houses]) or not sum(self.pits[self.houses + 1 : -1])

    def play(self, house: int) -> None:
        own = range(self.turn * (self.houses + 1), self.turn * (self.houses + 1) + self.houses)
        store = own.stop
        other = (store + self.houses + 1) % len(self.pits)
        at = own[house]
        hand, self.pits[at] = self.pits[at], 0
        while hand:
            at = (at + 1) % len(self.pits)
            if at == other:
                continue
            self.pits[at] += 1
            hand -= 1
        if at in own and self.pits[at] == 1:
            opposite = 2 * self.houses - at
            if self.pits[opposite]:
                self.pits[store] += self.pits[opposite] + 1
                self.pits[opposite] = self.pits[at] = 0
        if at != store:
            self.turn = 1 - self.turn
        if self.over():
            for start in (0, self.houses + 1):
                self.pits[start + self.houses] += sum(self.pits[start : start + self.houses])
                self.pits[start : start + self.houses] = [0] * self.houses

    def copy(self) -> Board:
        board = Board(self.houses, 0)
        board.pits, board.turn = self.pits[:], self.turn
        return board


def as_board(game: Kalah, s: State) -> tuple[list[int], int]:
    pits = list(s.pits)
    return (pits if s.turn == 0 else pits[game.side :] + pits[: game.side]), s.turn


@pytest.mark.parametrize(("houses", "seeds"), BOARDS)
def test_against_sowing_one_by_one(houses: int, seeds: int) -> None:
    game, chooser, moves = Kalah(houses, seeds), random.Random(1), 0
    while moves < (60 if houses == 31 else 700):
        s, board = game.initial(), Board(houses, seeds)
        while not game.is_terminal(s) and moves < 1000:
            assert list(game.actions(s)) == board.moves()
            a = chooser.choice(board.moves())
            again = (a + s.pits[a]) % (2 * houses + 1) == houses
            assert game.order(s, a) == again
            board.play(a)
            s = game.result(s, a)
            assert as_board(game, s) == (board.pits, board.turn)
            assert sum(s.pits) == game.total
            assert game.is_terminal(s) == board.over()
            moves += 1
        if game.is_terminal(s):
            south, north = board.pits[houses], board.pits[-1]
            assert game.utility(s, 0) == (south > north) - (south < north)
            assert Kalah(houses, seeds, score=True).utility(s, 1) == north - south


def test_random_boards_against_sowing_one_by_one() -> None:
    """Positions that random play seldom meets: many seeds in few houses."""
    chooser = random.Random(2)
    for _ in range(3000):
        houses = chooser.randint(1, 7)
        game, board = Kalah(houses, 30), Board(houses, 30)
        board.pits = [chooser.choice((0, 0, 1, 2, chooser.randint(0, 40))) for _ in board.pits]
        if board.over():
            continue
        s = State(tuple(board.pits), 0)
        for a in board.moves():
            after = board.copy()
            after.play(a)
            assert as_board(game, game.result(s, a)) == (after.pits, after.turn)


def count(board: Board, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for a in [] if board.over() else board.moves():
        after = board.copy()
        after.play(a)
        total += count(after, depth - 1)
    return total


@pytest.mark.parametrize(("houses", "seeds", "depth"), [(6, 4, 5), (3, 2, 7), (2, 5, 9)])
def test_perft(houses: int, seeds: int, depth: int) -> None:
    game = Kalah(houses, seeds)
    for d in range(depth):
        assert perft(game, game.initial(), d) == count(Board(houses, seeds), d)


def best(game: Kalah, s: State, known: dict[State, float]) -> float:
    """The most that the player to move can get, who may be to move again."""
    if s not in known:
        if game.is_terminal(s):
            known[s] = game.utility(s, s.turn)
        else:
            after = [game.result(s, a) for a in game.actions(s)]
            known[s] = max(best(game, t, known) * (1 if t.turn == s.turn else -1) for t in after)
    return known[s]


def naive_best(board: Board, known: dict[Any, int]) -> int:
    """The same margin from seeds sown one by one."""
    key = (*board.pits, board.turn)
    if key not in known:
        margin = board.pits[board.houses] - board.pits[-1]
        values = [margin if board.turn == 0 else -margin] if board.over() else []
        for a in [] if board.over() else board.moves():
            after = board.copy()
            after.play(a)
            values.append(naive_best(after, known) * (1 if after.turn == board.turn else -1))
        known[key] = max(values)
    return known[key]


@pytest.mark.parametrize(("houses", "results"), [(1, "=-+-+="), (2, "+---++"), (3, "=+")])
def test_solved_boards(houses: int, results: str) -> None:
    """Who wins with 1, 2, ... seeds in a house, and by how much."""
    for seeds, result in enumerate(results, 1):
        margin = best(Kalah(houses, seeds, score=True), Kalah(houses, seeds).initial(), {})
        assert margin == naive_best(Board(houses, seeds), {})
        assert result == ("=" if margin == 0 else "+" if margin > 0 else "-")
        assert best(Kalah(houses, seeds), Kalah(houses, seeds).initial(), {}) == "-=+".index(result) - 1


def test_rules_by_example() -> None:
    game = Kalah()
    s = game.initial()
    again = game.result(s, 2)  # the last of four seeds falls into the store
    assert game.write_state(again) == "4,4,0,5,5,5,1/4,4,4,4,4,4,0 S"
    assert game.to_move(again) == 0
    s = game.result(s, 0)
    assert game.write_state(s) == "0,5,5,5,5,4,0/4,4,4,4,4,4,0 N"
    capture = game.read_state("4,0,4,4,0,0,10/4,4,4,4,4,4,2 S")
    assert game.write_state(game.result(capture, 0)) == "0,1,5,5,0,0,15/4,0,4,4,4,4,2 N"
    nothing_opposite = game.read_state("4,0,4,4,0,0,14/4,0,4,4,4,4,2 S")
    assert game.write_state(game.result(nothing_opposite, 0)) == "0,1,5,5,1,0,14/4,0,4,4,4,4,2 N"
    round_trip = game.read_state("0,0,13,0,0,0,10/1,1,1,1,1,1,19 S")  # back to where they came from, and captures
    assert game.write_state(game.result(round_trip, 2)) == "1,1,0,1,1,1,14/2,2,2,0,2,2,19 N"
    end = game.result(game.read_state("0,0,0,0,0,1,20/1,0,0,0,0,2,24 S"), 5)
    assert game.write_state(end) == "0,0,0,0,0,0,21/0,0,0,0,0,0,27 S"
    assert game.is_terminal(end)
    assert [game.utility(end, p) for p in (0, 1)] == [-1, 1]
    assert [Kalah(score=True).utility(end, p) for p in (0, 1)] == [-6, 6]


@pytest.mark.parametrize("score", [False, True])
def test_evaluation_lies_between_loss_and_win(score: bool) -> None:
    game = Kalah(4, 3, score)
    for s in walk(game, 3, 50):
        if not game.is_terminal(s):
            assert abs(game.evaluate(s, 0)) < (game.total if score else 1)
            assert game.evaluate(s, 0) == -game.evaluate(s, 1)


@pytest.mark.parametrize(("houses", "seeds"), BOARDS[:-1])
def test_rules_and_text(houses: int, seeds: int) -> None:
    check_games(Kalah(houses, seeds), 4, 2)


def test_notation() -> None:
    game = Kalah(3, 2)
    assert game.write_state(game.initial()) == "2,2,2,0/2,2,2,0 S"
    assert game.write_action(game.initial(), 0) == "1"
    s = game.result(game.read_state("1,1,3,1/4,2,0,0 N"), 1)
    assert s == State((4, 0, 1, 1, 1, 1, 3, 1), 1)
    assert game.show(s).splitlines() == [
        "           3  2  1",
        "North      1  0  4",
        "        1           1",
        "South      1  1  3",
        "           1  2  3",
        "North to move",
    ]
    refuses(game, "2,2,2,0/2,2,2,0", "who is to move")
    refuses(game, "2,2,2/2,2,2,0 S", "3 houses")
    refuses(game, "2,2,2,1/2,2,2,0 S", "12 seeds")
    refuses(game, "0,0,0,6/2,2,2,0 N", "once the other's houses are empty")
    refuses(game, "2,2,-2,4/2,2,2,0 S", "3 houses")


def test_hostile_text() -> None:
    check_hostile(Kalah(), 6)
    check_hostile(Kalah(2, 1), 7)


@pytest.mark.parametrize(
    "wrong", [{"houses": 0}, {"houses": 32}, {"seeds": 0}, {"seeds": 256}, {"houses": "6"}, {"seeds": 4.0}, {"houses": True}, {"score": 1}]
)
def test_bad_parameters(wrong: dict[str, Any]) -> None:
    with pytest.raises(ZermeloError, match=f"kalah: expected {next(iter(wrong))} "):
        Kalah(**wrong)
