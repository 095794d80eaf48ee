"""FEN and UCI coordinates: what is read, what is refused, and hostile text."""

from __future__ import annotations

import random

import pytest
from helpers import check_hostile, refuses, walk

from zermelo.errors import ZermeloError
from zermelo.games.chess import Chess, uci

GAME, FISCHER = Chess(), Chess(105)
TEXTS = [GAME.write_state(s) for game in (GAME, FISCHER) for s in walk(game, 7, 3)]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("4k3/8/8/8/8/8/8/4K2R w K -", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),  # four fields, as in EPD
        ("4k3/8/8/8/8/8/8/4K2R  w H - 0  1\n", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),  # Shredder-FEN
        ("4k3/8/8/8/8/8/8/4KRR1 w F - 0 1", "4k3/8/8/8/8/8/8/4KRR1 w F - 0 1"),  # X-FEN: not the outermost rook
        ("4k3/8/8/8/8/8/8/4KRR1 w K - 0 1", "4k3/8/8/8/8/8/8/4KRR1 w K - 0 1"),
        ("rr2k3/8/8/8/8/8/8/4K3 b b - 7 30", "rr2k3/8/8/8/8/8/8/4K3 b b - 7 30"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
        ("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3p4/8/8/8/4K3 w - - 0 1"),  # nobody can take
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"),
    ],
)
def test_read(text: str, written: str) -> None:
    assert GAME.write_state(GAME.read_state(text)) == written


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0", "a FEN of six fields"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", "w or b"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - x 1", "halfmove clock"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 0", "move number"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 ١", "move number"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", "eight rows"),
        ("rnbqkbnr/pppppppp/44/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "eight rows"),
        ("rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "eight squares in the row 'ppppppp'"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQXBNR w KQkq - 0 1", "eight rows"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "one king"),
        ("kk6/8/8/8/8/8/8/K7 w - - 0 1", "one king"),
        ("k7/8/8/8/8/8/8/K6P w - - 0 1", "no pawn on the first"),
        ("k7/8/8/8/8/8/PPPPPPPP/K6P w - - 0 1", "eight pawns|no pawn"),
        ("k7/8/8/QQQQQQQQ/QQQQQQQQ/8/8/K7 w - - 0 1", "sixteen pieces"),
        ("k7/8/8/8/8/8/8/R6K w - - 0 1", "cannot take the king"),
        ("8/8/8/8/8/8/kK6/8 w - - 0 1", "cannot take the king"),
        ("4k3/8/8/8/8/8/8/4K2R w Q - 0 1", "castling rights"),
        ("4k3/8/8/8/8/8/4K3/7R w K - 0 1", "castling rights"),
        ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "castling rights"),
        ("4k3/8/8/8/8/8/8/4K1RR w GH - 0 1", "castling rights"),
        ("4k3/8/8/8/8/8/8/4K2Q w K - 0 1", "castling rights"),
        ("4k3/8/8/8/8/8/8/4K2R w -K - 0 1", "castling rights"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d3 0 1", "sixth rank"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d9 0 1", "sixth rank"),
        ("4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1", "two steps"),
        ("4k3/3r4/8/3pP3/8/8/8/4K3 w - d6 0 1", "two steps"),
        ("4k3/8/3r4/3pP3/8/8/8/4K3 w - d6 0 1", "two steps"),
    ],
)
def test_refuse(text: str, reason: str) -> None:
    refuses(GAME, text, f"is not a state of chess: expected .*{reason}".replace("|", "|.*"))


def test_coordinates() -> None:
    s = GAME.read_state("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    actions = list(GAME.actions(s))
    assert uci.read(s, " e1g1 ", actions, False) == uci.read(s, "e1h1", actions, False) == uci.read(s, "e1g1", actions, True)
    castles = uci.read(s, "e1g1", actions, False)
    assert (uci.write(s, castles, False), uci.write(s, castles, True)) == ("e1g1", "e1h1")
    step = GAME.read_state("4k3/8/8/8/8/8/8/5K1R w H - 0 1")  # here f1g1 is a step, and no castling
    assert uci.read(step, "f1g1", GAME.actions(step), True) >> 12 == 0
    assert uci.read(step, "f1h1", GAME.actions(step), True) >> 12 == 6
    for wrong in ("", "e1", "e1e9", "a7a8q", "e1g1q", "♔"):
        with pytest.raises(ZermeloError, match="is not a legal action here"):
            uci.read(s, wrong, actions, False)


def spoil(text: str, chooser: random.Random) -> str:
    """A FEN with some letters changed, or some of its fields taken from another."""
    if chooser.random() < 0.3:
        other = chooser.choice(TEXTS).split()
        return " ".join(chooser.choice(pair) for pair in zip(text.split(), other, strict=True))
    for _ in range(chooser.randint(1, 4)):
        i = chooser.randrange(len(text) + 1)
        text = text[:i] + chooser.choice(["", *"pnbrqkPNBRQK12345678/ -wbKQkqabcdefgh0"]) + text[i + chooser.randint(0, 2) :]
    return text


def hostile(inputs: int, seed: int) -> None:
    """A clear error, or a position that reads back and can be played to the end."""
    chooser, accepted = random.Random(seed), 0
    for n in range(inputs):
        text = spoil(chooser.choice(TEXTS), chooser)
        try:
            s = GAME.read_state(text)
        except ZermeloError as error:
            assert str(error).startswith(f"'{text}' is not a state of chess: expected ")
            continue
        accepted += 1
        assert GAME.read_state(GAME.write_state(s)) == s
        actions = list(GAME.actions(s))
        assert len(set(actions)) == len(actions) == GAME.count(s)
        assert GAME.is_terminal(s) == (not actions)
        for _ in range(40 if n % 50 == 0 else 1):
            if not actions:
                break
            s = GAME.result(s, chooser.choice(actions))
            assert GAME.read_state(GAME.write_state(s)) == s
            actions = list(GAME.actions(s))
    assert accepted > inputs / 50


def test_hostile_text() -> None:
    check_hostile(GAME, 6)
    hostile(4000, 1)


@pytest.mark.slow
def test_much_hostile_text() -> None:
    hostile(100_000, 2)


def test_hostile_positions_against_python_chess() -> None:
    """What is accepted has the same legal moves there, however strange."""
    chess = pytest.importorskip("chess")
    chooser, seen = random.Random(3), 0
    while seen < 150:
        text = spoil(chooser.choice(TEXTS), chooser)
        try:
            s = GAME.read_state(text)
        except ZermeloError:
            continue
        if not GAME.is_terminal(s):
            board = chess.Board(GAME.write_state(s), chess960=True)
            assert {uci.write(s, a, True) for a in GAME.actions(s)} == {m.uci() for m in board.legal_moves}, text
            seen += 1
