"""The m,n,k-games: known values of small boards, symmetries, exactly the positions that play can reach."""

from __future__ import annotations

import pytest
from helpers import backed_up, check_games, check_hostile, perft, reachable, refuses, walk

from zermelo.errors import ZermeloError
from zermelo.games.mnk import MNK, State

BOARDS = [
    (3, 3, 3),
    (4, 3, 3),
    (5, 4, 4),
    (8, 8, 5),
    (7, 9, 5),
    (64, 1, 2),
    (1, 64, 3),
    (32, 2, 2),
    (2, 32, 2),
    (2, 2, 2),
    (8, 8, 8),
    (13, 4, 5),
]


@pytest.mark.parametrize("board", BOARDS)
def test_rules_and_text(board: tuple[int, int, int]) -> None:
    check_games(MNK(*board), 2, 2)


def test_moves() -> None:
    game = MNK(8, 8, 5)
    assert [perft(game, game.initial(), d) for d in range(4)] == [1, 64, 64 * 63, 64 * 63 * 62]
    s = game.result(game.initial(), 63)
    assert s == State(0, 1 << 63)
    assert game.to_move(s) == 1
    assert 63 not in set(game.actions(s))


@pytest.mark.parametrize(("board", "known"), [((3, 3, 3), 0), ((4, 3, 3), 1), ((3, 2, 2), 1), ((3, 3, 2), 1), ((4, 2, 3), 0)])
def test_values(board: tuple[int, int, int], known: int) -> None:
    assert backed_up(MNK(*board), MNK(*board).initial()) == (known, -known)


def test_notation() -> None:
    game = MNK(4, 3, 3)
    start = game.initial()
    assert game.write_action(start, 0) == "a1"
    assert game.write_action(start, 11) == "d3"
    assert game.read_action(start, " b2 ") == 5
    s = game.result(game.result(start, 5), 0)
    assert game.write_state(s) == "..../.X../O..."
    assert game.show(s) == "3 . . . .\n2 . X . .\n1 O . . .\n  a b c d"
    wide = MNK(64, 1, 3)
    names = [wide.write_action(wide.initial(), a) for a in range(64)]
    assert len(set(names)) == 64
    assert names[25:28] == ["z1", "aa1", "ab1"]
    assert wide.show(wide.initial()).splitlines()[1].split() == [name[:-1] for name in names]


@pytest.mark.parametrize("board", BOARDS)
def test_symmetries(board: tuple[int, int, int]) -> None:
    game = MNK(*board)
    width, height, _ = board
    assert len(list(game.symmetries(game.initial()))) == (1 if 1 in (width, height) else 7 if width == height else 3)
    for s in walk(game, 4):
        for image in game.symmetries(s):
            assert game.layout.fault(image) is None
            assert s == image or s in set(game.symmetries(image))
            assert game.is_won(image.theirs) == game.is_won(s.theirs)
            assert game.read_state(game.write_state(image)) == image
    corners = {next(iter(game.actions(game.initial()))), *(image.theirs.bit_length() - 1 for image in game.symmetries(State(0, 1)))}
    assert corners == {0, width - 1, (height - 1) * width, width * height - 1}


def test_impossible_positions() -> None:
    game = MNK(4, 3, 3)
    refuses(game, "..../....", "3 rows of 4")
    refuses(game, "..../..../...x", "3 rows of 4")
    refuses(game, "OO../X.../....", "as many X")
    refuses(game, "XX../..../....", "as many X")
    refuses(game, "XXX./OOO./....", "moved last")
    refuses(game, "XXX./OO../O...", "moved last")
    refuses(MNK(7, 2, 3), "XXX.XXX/OO.OO.O", "share the stone")


def test_a_last_stone_may_close_two_lines() -> None:
    game = MNK(5, 2, 3)
    assert game.is_terminal(game.read_state("XXXXX/OO.OO"))
    refuses(MNK(6, 2, 3), "XXXXXX/OO.OOO", "moved last")


def test_exactly_the_reachable_positions_are_read() -> None:
    game = MNK(3, 2, 2)
    texts = [""]
    for _ in range(6):
        texts = [text + cell for text in texts for cell in "XO."]
    read = set()
    for text in texts:
        try:
            read.add(game.read_state(f"{text[:3]}/{text[3:]}"))
        except ZermeloError:
            continue
    assert read == reachable(game)


def test_hostile_text() -> None:
    check_hostile(MNK(4, 3, 3), 5)
    check_hostile(MNK(8, 8, 5), 6)


@pytest.mark.parametrize(
    "wrong", [(0, 3, 3), (3, 0, 3), (9, 8, 5), (3, 3, 1), (3, 3, 4), (65, 1, 3), (-3, -3, 3), ("3", 3, 3), (3, 3.0, 3), (3, 3, True)]
)
def test_bad_parameters(wrong: tuple[int, int, int]) -> None:
    with pytest.raises(ZermeloError, match="mnk: expected at most 64 cells"):
        MNK(*wrong)
