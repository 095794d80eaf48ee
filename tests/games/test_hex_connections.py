"""What Hex claims to know before the edges are joined, compared with brute force."""

from __future__ import annotations

import json
import os
import random
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from zermelo import Game
from zermelo.bits import popcount, u64
from zermelo.games.hex import Hex
from zermelo.lower.memory import Words, load, store
from zermelo.search.prepare import prepare
from zermelo.search.proofnumber import ProofNumber
from zermelo.search.records import WORDS, Record, Size, room

DATA = Path(os.environ.get("ZERMELO_DATA", "missing")) / "hex"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="ZERMELO_DATA names no folder with hex/")


@cache
def small() -> Hex:
    return Hex(3)


@cache
def joins(size: int, black: int) -> bool:
    """Whether these stones join the top to the bottom."""
    todo = [i for i in range(size) if black >> i & 1]
    seen = set(todo)
    while todo:
        i = todo.pop()
        x, y = i % size, i // size
        near = ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1), (x + 1, y - 1), (x - 1, y + 1))
        new = {v * size + u for u, v in near if 0 <= u < size and 0 <= v < size and black >> (v * size + u) & 1} - seen
        seen |= new
        todo += new
    return any(i >= size * (size - 1) for i in seen)


@cache
def black_wins(black: int, white: int, turn: int) -> bool:
    """Who wins on 3 x 3, by trying everything; a board is filled to the last cell, which changes no winner."""
    free = [1 << i for i in range(9) if not (black | white) >> i & 1]
    if not free:
        return joins(3, black)
    if turn == 0:
        return any(black_wins(black | stone, white, 1) for stone in free)
    return all(black_wins(black, white | stone, 0) for stone in free)


def boards() -> list[tuple[int, int]]:
    """All ways to put stones on 3 x 3 so that nobody has joined the edges, whether play leads to them or not."""
    found = []
    for cells in product(range(3), repeat=9):
        black, white = (sum(1 << i for i, c in enumerate(cells) if c == side) for side in (1, 2))
        if not joins(3, black) and joins(3, 511 ^ white):
            found.append((black, white))
    return found


def agrees_with_brute_force(black: int, white: int, turn: int) -> None:
    """One of the cells that are told wins if any does, filling changes nothing, and what is dead makes no difference."""
    game, s = small(), small().state(black, white, turn)
    told, actions = list(game.relevant_actions(s)), list(game.actions(s))
    assert set(told) <= set(actions) and len(set(told)) == len(told)

    def wins(a: int) -> bool:
        after = (black | 1 << a, white) if turn == 0 else (black, white | 1 << a)
        return black_wins(*after, 1 - turn) == (turn == 0)

    assert any(map(wins, told)) == any(map(wins, actions)), game.write_state(s)
    mine, theirs = game.filled(s.mine, s.theirs, turn)
    assert not mine[0] & theirs[0] and mine[0] & s.mine[0] == s.mine[0] and theirs[0] & s.theirs[0] == s.theirs[0]
    full = (mine[0], theirs[0]) if turn == 0 else (theirs[0], mine[0])
    assert all(black_wins(*full, p) == black_wins(black, white, p) for p in (0, 1)), game.write_state(s)
    dead = game.dead(game.around(s.mine, turn), game.around(s.theirs, 1 - turn))[0]
    for a in actions:
        if dead >> a & 1:
            others = [i for i in actions if i != a]
            for colours in product((False, True), repeat=len(others)):
                stones = black | sum(1 << i for i, is_black in zip(others, colours, strict=True) if is_black)
                assert joins(3, stones) == joins(3, stones | 1 << a), game.write_state(s)


def test_some_boards() -> None:
    for black, white in random.Random(1).sample(boards(), 400):
        agrees_with_brute_force(black, white, (black + white) % 2)


@pytest.mark.slow
def test_all_boards() -> None:
    for black, white in boards():
        for turn in (0, 1):
            agrees_with_brute_force(black, white, turn)


# ---- all states of 4 x 4 ------------------------------------------------------------------------

ROW, CELLS, BOARDS = (
    Size("row"),
    16,
    3**16,
)  # a board is a number of 16 ternary digits: 0 for a free cell, 1 for a black one, 2 for a white one


class Audit(Record):
    """What is compared: who wins on each board, two bits for either player to move, and what the game tells of it."""

    start: list[u64] = room(WORDS)
    moves: list[int] = room(ROW)
    winners: int  # a table of bits: whether Black wins
    joined: int  # a table of bits: whether these black stones join the edges
    states: int
    lost: int
    wrong: int
    example: list[int] = room(2)


def audit(game: Game, work: Audit) -> int:
    """Solve all boards, those with more stones first, and compare the states that play reaches with what the game tells of them."""
    board = BOARDS - 1
    while board >= 0:
        black, white, digits = 0, 0, board
        for i in range(CELLS):
            black |= (1 if digits % 3 == 1 else 0) << i
            white |= (1 if digits % 3 == 2 else 0) << i
            digits //= 3
        solve(board, black, white, work)
        turn = popcount(u64(black)) - popcount(u64(white))
        if 0 <= turn <= 1 and not joins_edges(black, work) and joins_edges(65_535 ^ white, work):
            compare(game, board, black, white, turn, work)
        board -= 1
    return work.wrong


def joins_edges(black: int, work: Audit) -> bool:
    return load(work.joined, black >> 6) >> (black & 63) & 1 != 0


def black_is_winner(board: int, turn: int, work: Audit) -> bool:
    return load(work.winners, board >> 5) >> (2 * (board & 31) + turn) & 1 != 0


def solve(board: int, black: int, white: int, work: Audit) -> int:
    """Write down who wins on this board, from the boards with one stone more."""
    first, second = joins_edges(black, work), joins_edges(black, work)
    if black | white != 65_535:
        first, second = False, True
    place = 1
    for i in range(CELLS):
        if (black | white) >> i & 1 == 0:
            first = first or black_is_winner(board + place, 1, work)
            second = second and black_is_winner(board + 2 * place, 0, work)
        place *= 3
    bits = (1 if first else 0) + (2 if second else 0)
    store(work.winners, board >> 5, load(work.winners, board >> 5) | u64(bits) << (2 * (board & 31)))
    return bits


def compare(game: Game, board: int, black: int, white: int, turn: int, work: Audit) -> int:
    """Compare one state."""
    work.states += 1
    work.start[0] = u64(black if turn == 0 else white)
    work.start[1] = u64(white if turn == 0 else black)
    work.start[4] = u64(turn)
    n = game.fill_relevant(game.unpack(work.start), work.moves)
    told = False
    for k in range(n):
        place = 1
        for _ in range(work.moves[k]):
            place *= 3
        told = told or black_is_winner(board + (turn + 1) * place, 1 - turn, work) == (turn == 0)
    work.lost += 1 if n == 0 else 0
    if told != (black_is_winner(board, turn, work) == (turn == 0)):
        work.wrong += 1
        work.example[0], work.example[1] = black, white
    return n


@pytest.mark.slow
def test_all_states_of_a_larger_board() -> None:
    joined = np.packbits([joins(4, black) for black in range(1 << 16)], bitorder="little").view(np.uint64)
    tables = Words(BOARDS // 32 + 1, False), Words.of(joined, False)
    run = prepare(Hex(4), audit, Audit, False, row=64)
    work = run(winners=tables[0].table, joined=tables[1].table)
    assert work.wrong == 0, list(work.example)
    assert work.states > 4_000_000 and work.lost > 1_000_000


# ---- larger boards ------------------------------------------------------------------------------


class Plain(Hex):
    """Hex without the hint."""

    relevant_actions = Game.relevant_actions


@pytest.mark.slow
def test_winners_of_random_states_are_those_without_the_hint() -> None:
    chooser, games = random.Random(2), (Hex(5), Plain(5))
    for _ in range(200):
        s = games[0].initial()
        for _ in range(chooser.randint(13, 17)):
            s = s if s.won else games[0].result(s, chooser.choice(list(games[0].actions(s))))
        if not s.won:
            told, found = (ProofNumber(all_moves=True).search(game, s) for game in games)
            assert told.exact and told.scores == found.scores, games[0].write_state(s)


@pytest.mark.slow
@pytest.mark.parametrize("size", [9, 12])
def test_native_is_interpreted_on_boards_of_several_words(size: int) -> None:
    """Late enough in a game that something is left out."""
    game, chooser = Hex(size), random.Random(size)
    s = game.initial()
    for _ in range(size * size // 2):
        s = s if s.won else game.result(s, chooser.choice(list(game.actions(s))))
    assert not s.won and len(list(game.relevant_actions(s))) < game.count(s)
    there, here = (ProofNumber(nodes=150, interpreted=i).search(game, s) for i in (False, True))
    assert (there.nodes, there.evaluations, there.line, there.scores) == (here.nodes, here.evaluations, here.line, here.scores)


def test_ziggurats() -> None:
    """A stone on the third row is connected to the edge if all cells of one of two shapes are free, on each of the four edges."""
    game = Hex(6)

    def carriers(x: int, y: int, edge: int, taken: tuple[int, ...] = ()) -> set[tuple[int, int]]:
        free = game.packed(i for i in range(36) if i not in (*taken, y * 6 + x))
        (word,) = game.ziggurat(game.cell(y * 6 + x), free, edge)
        return {(i % 6, i // 6) for i in range(36) if word >> i & 1}

    shape = {(4, 3), (2, 4), (3, 4), (4, 4), (1, 5), (2, 5), (3, 5), (4, 5)}
    assert carriers(3, 3, 1) == shape
    assert carriers(3, 3, 1, (34,)) == {(2, 3), (1, 4), (2, 4), (3, 4), (0, 5), (1, 5), (2, 5), (3, 5)}  # the other one, as e6 is taken
    assert carriers(3, 3, 1, (27,)) == carriers(3, 3, 1, (32,)) == carriers(2, 3, 0) == carriers(5, 3, 1, (34,)) == set()
    assert carriers(2, 2, 0) == {(5 - x, 5 - y) for x, y in shape}
    assert carriers(3, 3, 3) == {(y, x) for x, y in shape}
    assert carriers(2, 2, 2) == {(5 - y, 5 - x) for x, y in shape}


def test_what_must_be_played() -> None:
    def told(game: Hex, text: str) -> list[str]:
        s = game.read_state(text)
        return [game.write_action(s, a) for a in game.relevant_actions(s)]

    assert told(small(), "b2") == told(Hex(4), "b3") == []  # a bridge to one edge, and a bridge or a ziggurat to the other
    assert told(small(), "a1") == ["b2"] and told(Hex(4), "a1") == ["b3"]
    assert told(Hex(5), "c2") == ["c3", "b5"]
    assert told(Hex(4), "..../.OX./..../.... X") == ["a1"]  # connected already: any cell will do
    swap = Hex(4, swap=True)  # a stone that may change hands decides nothing
    assert len(told(swap, "b3")) == 16 and told(swap, "b3 a1") == told(Hex(4), "b3 a1") == ["c1"]


def first_moves(size: int, interpreted: bool) -> list[str]:
    game = Hex(size)
    result = ProofNumber(table=256, all_moves=True, interpreted=interpreted).search(game)
    assert result.exact and len(result.scores) == size * size and set(result.scores.values()) == {1.0, -1.0}
    return sorted(game.write_action(game.initial(), a) for a, v in result.scores.items() if v > 0)


@needs_data
@pytest.mark.parametrize("size", [2, 3, 4, *(pytest.param(size, marks=pytest.mark.slow) for size in (5, 6))])
def test_winning_first_moves_by_proofs(size: int) -> None:
    known = json.loads((DATA / f"winning_first_moves_{'2_5' if size < 6 else '6'}.json").read_text())[str(size)]
    assert first_moves(size, interpreted=size < 5) == sorted(known)
