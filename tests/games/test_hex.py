"""Hex, compared with a path search cell by cell, and with solved small boards."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from helpers import check_games, check_hostile, refuses, walk

import zermelo
from zermelo.errors import ZermeloError
from zermelo.games.hex import Hex, State
from zermelo.search.alphabeta.searcher import AlphaBeta

DATA = Path(os.environ.get("ZERMELO_DATA", "missing")) / "hex"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="ZERMELO_DATA names no folder with hex/")
NEAR = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
SIZES = [2, 3, 5, 8, 9, 11, 12, 16, 19]  # of one word to six, and the largest of one word


def joined(size: int, stones: set[tuple[int, int]], p: int) -> set[tuple[int, int]]:
    """The stones (x, y) from which a path of stones leads to the top (p = 0) or the left."""
    todo = [cell for cell in stones if cell[1 - p] == 0]
    seen = set(todo)
    while todo:
        x, y = todo.pop()
        new = {(x + dx, y + dy) for dx, dy in NEAR} & stones - seen
        seen |= new
        todo += new
    return seen


def cells(game: Hex, words: tuple[int, ...]) -> set[tuple[int, int]]:
    return {(i % game.size, i // game.size) for i in range(64 * game.words) if words[i // 64] >> i % 64 & 1}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("swap", [False, True])
def test_against_a_search_for_paths(size: int, swap: bool) -> None:
    game, chooser, swaps = Hex(size, swap), random.Random(size), 0
    for n in range(40 if size < 6 else 4 if size < 12 else 2):
        s, sides, turn = game.initial(), (set[tuple[int, int]](), set[tuple[int, int]]()), 0
        while not game.is_terminal(s):
            free = [y * size + x for y in range(size) for x in range(size) if (x, y) not in sides[0] | sides[1]]
            may = swap and turn == 1 and len(sides[0]) == 1 and not sides[1]
            assert list(game.actions(s)) == free + [size * size] * may
            a = size * size if may and n % 2 else chooser.choice(free)
            s = game.result(s, a)
            if a == size * size:
                ((x, y),) = sides[0]
                sides, swaps = (set(), {(y, x)}), swaps + 1
            else:
                sides[turn].add((a % size, a // size))
            turn = 1 - turn
            assert (s.turn, game.to_move(s)) == (turn, turn)
            assert [cells(game, x) for x in (s.mine, s.theirs)] == [sides[turn], sides[1 - turn]]
            paths = [joined(size, sides[p], p) for p in (turn, 1 - turn)]
            assert [cells(game, x) for x in (s.mine_joined, s.theirs_joined)] == paths
            won = [any(cell[1 - p] == size - 1 for cell in joined(size, sides[p], p)) for p in (0, 1)]
            assert won[turn] is False and s.won is won[1 - turn]
        assert [game.utility(s, p) for p in (0, 1)] == ([-1, 1] if turn == 0 else [1, -1])
        if not swap:
            rest = {(x, y) for x in range(size) for y in range(size)} - sides[0] - sides[1]
            assert not any(cell[1 - turn] == size - 1 for cell in joined(size, sides[turn] | rest, turn))  # never both
    assert bool(swaps) is swap


def winning_first_moves(size: int) -> list[str]:
    """By our own search of every first move; of two that a half turn exchanges, one is searched."""
    game, half = Hex(size), (size * size + 1) // 2
    s = game.initial()
    searcher = AlphaBeta(deepening=False, table=256 if size > 4 else 16, interpreted=size == 2)
    won = [a for a in range(half) if searcher.search(game, game.result(s, a)).values[0] > 0]
    return sorted({game.write_action(s, b) for a in won for b in (a, size * size - 1 - a)})


@needs_data
@pytest.mark.parametrize("size", [2, 3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_winning_first_moves(size: int) -> None:
    known = json.loads((DATA / "winning_first_moves_2_5.json").read_text())[str(size)]
    assert winning_first_moves(size) == sorted(known)


def test_what_is_immediate() -> None:
    """1 exactly for what wins at once, -1 for what a reply beats at once."""
    for game, games in ((Hex(4), 4), (Hex(5), 1), (Hex(3, True), 8)):
        seen = set()
        for s in walk(game, 4, games):
            for a in game.actions(s):
                after, told = game.result(s, a), game.immediate(s, a)
                assert (told > 0) == after.won
                loses = not after.won and any(game.result(after, b).won for b in game.actions(after))
                assert (told < 0) == loses
                seen.add((after.won, loses))
        assert len(seen) == 3


def naive_distance(size: int, own: set[tuple[int, int]], other: set[tuple[int, int]], p: int) -> int:
    """Stones that this player needs to join the edges, found by Bellman and Ford."""
    cost = {(x, y): 0 if (x, y) in own else 1 for x in range(size) for y in range(size) if (x, y) not in other}
    best = {cell: cost[cell] if cell[1 - p] == 0 else 10_000 for cell in cost}
    for _ in cost:
        for (x, y), more in cost.items():
            best[x, y] = min([best[x, y], *(best[n] + more for dx, dy in NEAR if (n := (x + dx, y + dy)) in cost)])
    return min(best[cell] for cell in cost if cell[1 - p] == size - 1)


@pytest.mark.parametrize("size", [3, 5, 7])
def test_distances(size: int) -> None:
    game = Hex(size)
    for s in list(walk(game, 7, 1))[:-1]:
        mine, theirs = cells(game, s.mine), cells(game, s.theirs)
        far = naive_distance(size, mine, theirs, s.turn)
        assert game.distance(s.mine, s.theirs, s.turn) == min(far, size + 1)
        links, ways = game.links(s.mine, s.theirs, s.turn)
        assert links <= far and ways <= size * size - len(mine) - len(theirs)


def test_links() -> None:
    """A bridge, and a stone on the second row above two free cells, lack nothing."""
    game = Hex(4)

    def lacks(text: str) -> tuple[int, int]:
        s = game.read_state(text)
        return game.links(s.mine, s.theirs, s.turn)

    assert lacks("..../..X./.X../O..O X")[0] == 1  # the lower stone has one free cell below it
    assert lacks("...O/..X./.X../O... X")[0] == 2
    assert lacks("O.../..X./.X../...O X")[0] == 0
    assert lacks("..../..../..../.... X")[0] == 2
    assert game.evaluate(game.initial(), 0) > 0


@pytest.mark.parametrize(("size", "swap"), [(2, False), (3, True), (5, False), (9, True)])
def test_rules_and_text(size: int, swap: bool) -> None:
    check_games(Hex(size, swap), 3, 2)


@pytest.mark.parametrize(("size", "swap"), [(4, False), (8, False), (9, True), (11, False), (19, True)])
def test_native_is_interpreted(size: int, swap: bool) -> None:
    there, here = (zermelo.playouts(Hex(size, swap), 20, seed=5, threads=1, interpreted=i) for i in (False, True))
    assert (there.moves, there.utility) == (here.moves, here.utility)


@pytest.mark.slow
def test_native_is_interpreted_in_many_games() -> None:
    there, here = (zermelo.playouts(Hex(), 10_000, seed=6, threads=1, interpreted=i) for i in (False, True))
    assert (there.moves, there.utility) == (here.moves, here.utility)


def test_random_play_is_like_that_of_openspiel() -> None:
    """The same moves end the game with the same winner; OpenSpiel's first player joins the top to the bottom, too."""
    spiel = pytest.importorskip("pyspiel").load_game("hex(board_size=7)")
    game, chooser = Hex(7), random.Random(3)
    for _ in range(20):
        s, other = game.initial(), spiel.new_initial_state()
        while not other.is_terminal():
            assert list(game.actions(s)) == other.legal_actions()
            a = chooser.choice(other.legal_actions())
            s = game.result(s, a)
            other.apply_action(a)
        assert game.is_terminal(s)
        assert [game.utility(s, p) for p in (0, 1)] == other.returns()


@pytest.mark.parametrize(("size", "swap"), [(3, False), (4, True), (6, False)])
def test_hints(size: int, swap: bool) -> None:
    game = Hex(size, swap)
    for s in walk(game, 2, 1):
        (turned,) = game.symmetries(s)
        assert next(iter(game.symmetries(turned))) == s
        mine = list(game.features(s, s.turn))
        assert len(mine) == 1 + size * size and sum(map(abs, mine)) == 1 + sum(x.bit_count() for x in (*s.mine, *s.theirs))
        if not game.is_terminal(s):
            assert game.evaluate(s, 0) == -game.evaluate(s, 1)
            assert abs(game.evaluate(s, 0)) < 1
            assert all(abs(game.order(s, a)) < 1 << 20 for a in game.actions(s))


def test_swap_takes_the_mirrored_stone() -> None:
    game = Hex(4, True)
    s = game.read_state("b1 swap")
    assert game.write_state(s) == "..../O.../..../.... X"
    assert game.read_state("..../O.../..../.... X") == s
    assert "swap" not in [game.write_action(s, a) for a in game.actions(s)]
    one = game.read_state("b1")
    assert game.read_action(one, "swap-pieces") == game.read_action(one, "Swap") == 16
    assert game.evaluate(one, 1) >= 0
    refuses(Hex(4), "b1 swap", "a legal action where the 2. is swap")
    refuses(Hex(4), "..../O.../..../.... X", "as many X as O")
    refuses(game, "..../..../..../.... O", "as many X as O")


def test_notation() -> None:
    game = Hex(3)
    s = game.read_state("b2 A1 c1")
    assert game.write_state(s) == "O.X/.X./... O"
    assert [game.write_action(s, a) for a in game.actions(s)] == ["b1", "a2", "c2", "a3", "b3", "c3"]
    assert game.show(s).splitlines() == [
        "   a b c",
        " 1 O . X",
        "  2 . X .",
        "   3 . . .",
        "      a b c",
        "White (O) to move",
    ]
    won = game.read_state("O.X/.XO/X.. O")
    assert game.is_terminal(won) and game.show(won).endswith("Black has won")
    assert ElementTree.fromstring(game.svg(won)).tag.endswith("svg")
    refuses(game, "O.X/.XO/X.. X", "as many X as O")
    refuses(game, "OXX/OX./.X. X", "as many X as O")
    refuses(game, "X../X../XOO X", "as many")
    refuses(game, "XO./XO./X.O X", "no joined edges of the side that is to move")
    refuses(game, "O.X/.X./.. O", "3 rows of 3 cells")
    refuses(game, "b2 b2", "a legal action where the 2. is b2")
    refuses(game, "d1", "a legal action where the 1. is d1")
    with pytest.raises(ZermeloError, match="'d4' is not a legal action here"):
        game.read_action(s, "d4")
    assert game.key(s) != game.key(game.read_state("b2 a1"))


def test_joined_twice_over_is_no_position() -> None:
    refuses(Hex(4), "XOXO/XOXO/XOXO/XOX. O", "edges joined by the stone played last")


def test_hostile_text() -> None:
    check_hostile(Hex(4, True), 6)
    check_hostile(Hex(9), 7)


@pytest.mark.slow
def test_hostile_text_at_length() -> None:
    game, chooser = Hex(5, True), random.Random(8)
    texts = [game.write_state(s) for s in walk(game, 9, 6)] + ["a1 swap b2 c3 d4", "c3 b2 a1 e5"]
    for _ in range(100_000):
        text = list(chooser.choice(texts))
        for _ in range(chooser.randint(1, 4)):
            at = chooser.randrange(len(text) + 1)
            text[at : at + chooser.randint(0, 2)] = chooser.choice(["", "X", "O", ".", " ", "/", "a1", "e5", "swap", "é", "-1", "\n"])
        try:
            s = game.read_state("".join(text))
        except ZermeloError as error:
            assert "expected" in str(error)
        else:
            assert isinstance(s, State) and game.read_state(game.write_state(s)) == s


@pytest.mark.parametrize("wrong", [{"size": 1}, {"size": 20}, {"size": "5"}, {"size": True}, {"size": 5.0}, {"swap": 1}])
def test_bad_parameters(wrong: dict[str, Any]) -> None:
    with pytest.raises(ZermeloError, match=f"hex: expected {next(iter(wrong))} "):
        Hex(**wrong)


def naive_saving(size: int, mine: set[tuple[int, int]], theirs: set[tuple[int, int]], p: int) -> set[tuple[int, int]]:
    """Free cells that save a bridge: two own stones, or a stone and an edge, that share this cell and one of the other's."""

    def own(x: int, y: int) -> bool:
        return (x, y) in mine or (not 0 <= (y, x)[p] < size and 0 <= (x, y)[p] <= size - 1)

    found = set()
    for x in range(size):
        for y in range(size):
            for dx, dy in NEAR:
                between = (x + dx, y + dy)
                sides = [(x + i, y + j) for i, j in NEAR if (between[0] - x - i, between[1] - y - j) in NEAR]
                if (x, y) not in mine | theirs and between in theirs and all(own(*at) for at in sides):
                    found.add((x, y))
    return found


@pytest.mark.parametrize("size", [3, 5, 8, 11])
def test_playouts_save_bridges(size: int) -> None:
    game, chooser, met = Hex(size), random.Random(size), 0
    while met < 30:
        s = game.initial()
        while not game.is_terminal(s):
            expected = naive_saving(size, cells(game, s.mine), cells(game, s.theirs), s.turn)
            assert cells(game, game.saving(s)) == expected
            a = game.playout_action(s, chooser.getrandbits(64))
            assert a in game.actions(s)
            assert not expected or (a % size, a // size) in expected
            met += bool(expected)
            s = game.result(s, a if chooser.random() < 0.5 else game.sample(s, chooser.getrandbits(64)))


def test_keys_tell_all_states_of_a_small_board_apart() -> None:
    game = Hex(3, swap=False)
    found, waiting = {game.initial()}, [game.initial()]
    while waiting:
        s = waiting.pop()
        for a in [] if game.is_terminal(s) else game.actions(s):
            t = game.result(s, a)
            if t not in found:
                found.add(t)
                waiting.append(t)
    boards = {(s.mine, s.theirs, s.turn): game.key(s) for s in found}
    assert len(set(boards.values())) == len(boards) > 5000
