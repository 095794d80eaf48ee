"""Connect Four, its known counts and its two notations."""

from __future__ import annotations

import random

import pytest
from helpers import check_games, check_hostile, naive_line, perft, reachable, refuses, walk

from zermelo.errors import ZermeloError
from zermelo.games.connect4 import ConnectFour, State

GAME = ConnectFour()
BOARDS = [
    (7, 6, 4),
    (4, 4, 3),
    (1, 63, 4),
    (32, 1, 4),
    (9, 6, 4),
    (10, 5, 4),
    (2, 2, 2),
    (3, 2, 4),
    (8, 7, 4),
    (1, 63, 64),
    (32, 1, 64),
    (1, 1, 2),
]


def test_perft() -> None:
    assert [perft(GAME, GAME.initial(), d) for d in range(6)] == [1, 7, 49, 343, 2_401, 16_807]


def test_positions() -> None:
    """The number of positions after so many stones (OEIS A212693)."""
    counts, level = [], {GAME.initial()}
    for _ in range(6):
        counts.append(len(level))
        level = {GAME.result(s, a) for s in level for a in GAME.actions(s)}
    assert counts == [1, 7, 49, 238, 1_120, 4_263]


@pytest.mark.parametrize("board", BOARDS)
def test_rules_and_text(board: tuple[int, int, int]) -> None:
    check_games(ConnectFour(*board), 1, 3)


@pytest.mark.parametrize("board", BOARDS)
def test_lines(board: tuple[int, int, int]) -> None:
    """The bit tests agree with a look along every line."""
    game, (width, height, line) = ConnectFour(*board), board
    assert all(0 < k < 64 for shifts in game.shifts for k in shifts)
    chooser = random.Random(3)
    for n in range(200):
        density = (0.6, 0.9, 1)[n % 3]
        cells = {(x, y) for x in range(width) for y in range(height) if chooser.random() < density}
        assert game.is_won(sum(1 << x * (height + 1) + y for x, y in cells)) == naive_line(cells, line)


def test_notation() -> None:
    s = GAME.read_state("4453")
    assert GAME.write_state(s) == "......./......./......./......./...O.../..OXX.."
    assert GAME.read_state(GAME.write_state(s)) == s
    assert GAME.to_move(s) == 0
    assert GAME.show(s).splitlines()[-2:] == [". . O X X . .", "1 2 3 4 5 6 7"]
    assert GAME.write_state(GAME.initial()) == "/".join(["......."] * 6)
    assert GAME.is_terminal(GAME.read_state("1212121"))


def test_columns_are_legal_moves() -> None:
    refuses(GAME, "4444444", "the 7. is 4")
    refuses(GAME, "12121213", "the 8. is 3")
    refuses(GAME, "48", "the 2. is 8")
    refuses(GAME, "40", "the 2. is 0")
    refuses(GAME, "", "6 rows of 7")
    refuses(ConnectFour(10, 5), "12", "5 rows of 10 cells X, O or . joined by '/'$")
    chooser = random.Random(4)
    for _ in range(20):
        s, played = GAME.initial(), ""
        while not GAME.is_terminal(s):
            a = chooser.choice(list(GAME.actions(s)))
            played += GAME.write_action(s, a)
            s = GAME.result(s, a)
            assert GAME.read_state(played) == s
        refuses(GAME, played + "1", "legal move")


def test_impossible_boards() -> None:
    game = ConnectFour(4, 3, 3)
    refuses(game, "..../....", "3 rows of 4")
    refuses(game, "..../..../..x.", "3 rows of 4")
    refuses(game, "..../X.../....", "above an empty cell")
    refuses(game, "X.../..../O...", "above an empty cell")
    refuses(game, "..../..../OO.X", "as many X")
    refuses(game, "..../..../XX..", "as many X")
    refuses(game, "..../OOO./XXX.", "moved last")
    refuses(game, "..../.O.O/XXXO", "moved last")
    refuses(game, "O.../OO../XXX.", "moved last")


def test_the_line_holds_the_stone_played_last() -> None:
    game = ConnectFour(6, 2, 3)
    assert game.is_terminal(game.read_state("OO..../XXX..."))
    refuses(game, "OOX.../XXXO..", "share the stone")  # the X on top did not make the line below it


def test_every_reachable_board_is_read() -> None:
    game = ConnectFour(3, 3, 3)
    for s in reachable(game):
        assert game.read_state(game.write_state(s)) == s


@pytest.mark.parametrize("board", BOARDS)
def test_mirror(board: tuple[int, int, int]) -> None:
    game = ConnectFour(*board)
    for s in walk(game, 5):
        (image,) = game.symmetries(s)
        assert list(game.symmetries(image)) == [s]
        assert game.write_state(image) == "/".join(row[::-1] for row in game.write_state(s).split("/"))
        assert game.is_terminal(image) == game.is_terminal(s)


def test_hostile_text() -> None:
    check_hostile(GAME, 6)
    check_hostile(ConnectFour(4, 3, 3), 7)


@pytest.mark.parametrize(
    "wrong", [(0, 6, 4), (7, 0, 4), (7, 6, 1), (8, 8, 4), (64, 1, 4), ("7", 6, 4), (7, 6.0, 4), (7, 6, True), (7, 6, 10**9)]
)
def test_bad_parameters(wrong: tuple[int, int, int]) -> None:
    with pytest.raises(ZermeloError, match="connect4: expected"):
        ConnectFour(*wrong)


def test_state_is_seen_from_the_side_to_move() -> None:
    s = GAME.result(GAME.initial(), 0)
    assert s == State(0, 1)
    assert GAME.result(s, 0) == State(1, 3)
    assert GAME.result(s, 6) == State(1, 1 | 1 << 42)
