"""Dark chess: moves and sight beside python-chess, what players know, what resample deals, text."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import check_state, refuses, walk

from zermelo.games.darkchess import DarkChess
from zermelo.games.darkchess import text as texts

GAME = DarkChess()


def after(moves: str, state: str = ""):
    s = GAME.read_state(state) if state else GAME.initial()
    for move in moves.split():
        s = GAME.result(s, GAME.read_action(s, move))
    return s


def moves_by_peer(board: Any) -> set[str]:
    """Moves without regard to check, but castling, which python-chess does not allow through attacks."""
    return {m.uci() for m in board.pseudo_legal_moves if not board.is_castling(m)}


def seen_by_peer(board: Any, colour: bool) -> set[int]:
    """The own squares, those that the own pieces can go to, and a pawn that can be taken en passant."""
    view = board.copy(stack=False)
    view.turn = colour
    if colour != board.turn:
        view.ep_square = None
    found = [m for m in view.pseudo_legal_moves if not view.is_castling(m)]
    own = {i for i in range(64) if view.occupied_co[colour] >> i & 1}
    passed = {m.to_square + (-8 if colour else 8) for m in found if view.is_en_passant(m)}
    return own | {m.to_square for m in found} | passed


def test_moves_and_sight_agree_with_python_chess():
    chess = pytest.importorskip("chess")
    states = [s for seed in range(3) for s in walk(GAME, seed)]
    for s in states[::3]:
        if GAME.is_terminal(s):
            continue
        board = chess.Board(GAME.write_state(s).partition(" taken=")[0].partition(" gone=")[0].partition(" heard=")[0])
        castling = {GAME.write_action(s, a) for a in GAME.actions(s) if a >> 12 == 6}
        assert {GAME.write_action(s, a) for a in GAME.actions(s)} - castling == moves_by_peer(board)
        assert {m.uci() for m in board.legal_moves if board.is_castling(m)} <= castling
        for p in range(2):
            rows = [line[2:].split() for line in GAME.show_to(s, p).split("\n")[:8]]
            seen = {8 * (7 - y) + x for y, row in enumerate(rows) for x, cell in enumerate(row) if cell != texts.FOG}
            assert seen == seen_by_peer(board, p == 0)
            for i in seen:
                piece = board.piece_at(i)
                assert rows[7 - i // 8][i % 8] == (piece.symbol() if piece else ".")
    assert len(states) > 200


def test_the_king_is_captured():
    s = after("e2e4 f7f6 d1h5 a7a6")  # Black is in check and need not mind
    assert not GAME.is_terminal(s) and "h5e8" in {GAME.write_action(s, a) for a in GAME.actions(s)}
    s = after("h5e8", GAME.write_state(s))
    assert GAME.is_terminal(s) and [GAME.utility(s, p) for p in range(2)] == [1, -1] and list(GAME.actions(s)) == []
    assert GAME.read_state(GAME.write_state(s)) == s


def test_castling_through_an_attack_and_en_passant_of_a_pinned_pawn():
    s = GAME.read_state("5rk1/8/8/8/8/8/8/4K2R w K - 0 1")
    assert "e1g1" in {GAME.write_action(s, a) for a in GAME.actions(s)}
    s = after("d2d4", "6K1/8/8/8/k3p2R/8/3P4/8 w - - 0 1")  # taking opens the rank to the rook
    assert "e4d3" in {GAME.write_action(s, a) for a in GAME.actions(s)}
    assert GAME.show_to(s, 1).split("\n")[4] == "4 k . ? P p ? ? ?"


def test_what_players_see_and_hear():
    s = after("e2e4 d7d5")
    assert GAME.show_to(s, 0).split("\n")[:8] == [
        "8 ? ? ? ? ? ? ? ?",
        "7 ? ? ? ? ? ? ? ?",
        "6 . ? ? ? ? ? ? ?",
        "5 ? . ? p . ? ? .",
        "4 . . . . P . . .",
        "3 . . . . ? . . .",
        "2 P P P P . P P P",
        "1 R N B Q K B N R",
    ]
    take = GAME.read_action(s, "e4d5")
    assert GAME.announce(s, take, 0) == "e4d5" and GAME.announce(s, take, 1) == "a capture on d5"
    assert GAME.announce(s, GAME.read_action(s, "e4e5"), 1) == "a move"
    s = GAME.result(s, take)
    assert s.gone == (0, 1) and GAME.show_to(s, 1).endswith("captured on d5")


def test_resample_keeps_what_is_seen_and_what_must_be():
    others = total = 0
    for seed in range(4):
        for number, s in enumerate(walk(GAME, seed)):
            for p in range(2 if number % 5 == 0 and not GAME.is_terminal(s) else 0):
                t = GAME.resample(s, p, number)
                total, others = total + 1, others + (t[:7] != s[:7])
                assert GAME.observe(t, p) == GAME.observe(s, p) and not GAME.is_terminal(t)
                assert GAME.show_to(t, p) == GAME.show_to(s, p) and t.gone == s.gone
                assert GAME.resample(t, p, number) == t  # whatever lies in the fog, the same is dealt
                if GAME.to_move(s) == p:
                    assert sorted(GAME.actions(t)) == sorted(GAME.actions(s))
    assert others > 0.9 * total


def test_nobody_forgets():
    """Players who see the same have seen the same all along."""
    before: dict = {}
    for seed in range(3):
        seen = [(), ()]
        for s in walk(GAME, seed):
            for p in range(2):
                seen[p] = (*seen[p][-3:], GAME.observe(s, p))
                assert before.setdefault((p, seen[p][-1]), seen[p]) == seen[p]


def test_random_games():
    for number, s in enumerate(walk(GAME, 7)):
        if number % 12 == 0 or GAME.is_terminal(s):
            check_state(GAME, s)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("8/8 w - - 0 1", "eight rows"),
        ("4k3/8/8/8/8/8/8/8 b - - 0 1", "a king of the side that has just moved"),
        ("4k3/8/8/8/8/8/8/K6K w - - 0 1", "one king of each side"),
        ("4k3/8/8/8/8/8/8/K7 w - - 0 1 taken=z9", "a square as taken="),
        ("4k3/8/8/8/8/8/8/K7 w - - 0 1 gone=x", "two numbers"),
        ("4k3/8/8/8/8/8/8/K7 w - - 0 1 heard=x", "two words"),
        ("4k3/8/8/8/8/8/8/K7 w - - 0 1 said=1", "taken=, gone=, heard= at most once"),
        ("4k3/8/8/8/8/8/8/K7 w Q - 0 1", "castling rights"),
    ],
)
def test_wrong_states(text, expected):
    refuses(GAME, text, expected)
