"""The hooks of chess: evaluation, exchanges, order, null moves, features, pictures."""

from __future__ import annotations

import random
from typing import Any
from xml.etree import ElementTree

import pytest
from helpers import walk

from zermelo.bits import byteswap
from zermelo.games.chess import Chess, evaluation, static_exchange, uci, weights
from zermelo.games.chess.sliders import bishop, bishops, kings, knights, line, pawns_down, pawns_up, rook, rooks
from zermelo.games.chess.state import State, turned

GAME = Chess()
STATES = [s for n, s in enumerate(walk(GAME, 11, 6)) if n % 7 == 0]


def action(s: State, name: str) -> int:
    return uci.read(s, name, GAME.actions(s), False)


# ---- what men attack, against steps one by one ---------------------------------------------------


def naive(i: int, ways: tuple[tuple[int, int], ...], occupied: int, far: bool) -> int:
    seen = 0
    for dx, dy in ways:
        x, y = i % 8 + dx, i // 8 + dy
        while 0 <= x < 8 and 0 <= y < 8:
            seen |= 1 << 8 * y + x
            if occupied >> 8 * y + x & 1 or not far:
                break
            x, y = x + dx, y + dy
    return seen


STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
OBLIQUE = ((1, 1), (1, -1), (-1, 1), (-1, -1))
JUMPS = tuple((x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y))


def test_attacks() -> None:
    chooser = random.Random(1)
    for n in range(3000):
        occupied = chooser.getrandbits(64) & (chooser.getrandbits(64) if n % 3 else -1)
        i = n % 64
        assert rook(i, occupied) == naive(i, STRAIGHT, occupied, True)
        assert bishop(i, occupied) == naive(i, OBLIQUE, occupied, True)
        men = occupied & chooser.getrandbits(64) & chooser.getrandbits(64)
        squares = [k for k in range(64) if men >> k & 1]
        for attacks, ways, far in ((rooks, STRAIGHT, True), (bishops, OBLIQUE, True)):
            wanted = 0
            for k in squares:
                wanted |= naive(k, ways, occupied, far)
            assert attacks(men, occupied) == wanted
    for i in range(64):
        assert knights(1 << i) == naive(i, JUMPS, 0, False)
        assert kings(1 << i) == naive(i, STRAIGHT + OBLIQUE, 0, False) | 1 << i
        assert pawns_up(1 << i) == naive(i, ((1, 1), (-1, 1)), 0, False)
        assert pawns_down(1 << i) == naive(i, ((1, -1), (-1, -1)), 0, False)
        for way in (*STRAIGHT, *OBLIQUE):
            ray = naive(i, (way,), 0, True)
            back = naive(i, ((-way[0], -way[1]),), 0, True)
            assert all(line(i, k) == ray | back for k in range(64) if ray >> k & 1)


# ---- evaluation ----------------------------------------------------------------------------------


def test_evaluation_is_antisymmetric_and_within_bounds() -> None:
    for s in STATES:
        v = GAME.evaluate(s, 0)
        assert -0.9 <= v <= 0.9
        assert v == -GAME.evaluate(s, 1)
        # the same men with the colours changed are worth as much to the side to move
        mirrored = s._replace(t=s.t ^ 1)
        assert evaluation.value(mirrored) == evaluation.value(s)
        for image in GAME.symmetries(s):
            assert evaluation.value(image) == evaluation.value(s)


def test_terms_cancel_where_both_sides_have_the_same() -> None:
    middle, end = weights.TEMPO & 0xFFFFFFFF, weights.TEMPO >> 32
    assert min(middle, end) <= evaluation.value(GAME.initial()) <= max(middle, end)
    assert evaluation.side(*_words(GAME.initial())) == evaluation.side(*_words(turned(GAME.initial())))


def _words(s: State) -> Any:
    return (s.p, s.n, s.d, s.o, s.k, s.me, s.p | s.n | s.d | s.o | s.k)


def worth(text: str) -> int:
    """What a position is worth to White, the mean of both being on the move."""
    return sum(sign * evaluation.value(GAME.read_state(f"{text} {side} - - 0 1")) for side, sign in (("w", 1), ("b", -1))) // 2


def test_more_is_better() -> None:
    base = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
    assert worth(base) == 0
    without = {man: worth(base.replace(man, "1", 1)) for man in "nbrq"}
    pawns = [worth(base.replace("pppppppp", "p" * i + "1" + "p" * (7 - i))) for i in range(8)]  # the rook gets a file for the one on a7
    assert min(pawns) > 0 and pawns[0] > 30 and 50 < sum(pawns) / 8 < without["n"] <= without["b"] < without["r"] < without["q"] < 1500
    # structure: passed further is better than passed, doubled and isolated pawns are worse than two that are connected
    assert worth("4k3/p7/8/7P/8/8/8/4K3") < worth("4k3/p7/7P/8/8/8/8/4K3")
    assert worth("r3k3/pp6/8/8/8/P7/P7/R3K3") < worth("r3k3/pp6/8/8/8/8/PP6/R3K3")
    # rooks like open files, and two bishops are more than a bishop and a knight
    assert worth("r3k3/pp3ppp/8/8/8/8/PP3PPP/3RK3") > worth("r3k3/pp3ppp/8/8/8/8/PP3PPP/R3K3")


def test_endgames() -> None:
    won = worth("8/8/8/4k3/8/8/8/R3K3")
    assert won > 300
    assert worth("k7/8/1K6/8/8/8/8/6R1") > won  # nearer to mate
    assert abs(worth("4k3/8/8/8/8/4n3/8/R3K3")) < 100  # a rook for a knight, without pawns
    assert abs(worth("4k1b1/pppp4/8/8/8/8/PPPPP3/4KB2")) > abs(worth("4kb2/pppp4/8/8/8/8/PPPPP3/4KB2"))  # bishops of other colours


# ---- exchanges -----------------------------------------------------------------------------------


def swap(chess: Any, board: Any, move: Any) -> int:
    """The same exchange played out: each side takes with its least man, or stops if that is better."""
    values = {1: 100, 2: 300, 3: 310, 4: 500, 5: 900, 6: 10000}
    square = move.to_square
    won = 100 if board.is_en_passant(move) else values.get(board.piece_type_at(square) or 0, 0)
    mover = board.remove_piece_at(move.from_square)
    if board.is_en_passant(move) or (mover.piece_type == 1 and not won and (move.from_square ^ square) & 7):
        board.remove_piece_at(square + (-8 if mover.color else 8))
    at_stake = values[mover.piece_type]
    board.set_piece_at(square, mover)
    return won - reply(board, square, not mover.color, at_stake, values)


def reply(board: Any, square: int, side: bool, at_stake: int, values: dict[int, int]) -> int:
    attackers = sorted(board.attackers(side, square), key=lambda i: values[board.piece_type_at(i)])
    if not attackers:
        return 0
    man = board.remove_piece_at(attackers[0])
    if man.piece_type == 6 and board.attackers(not side, square):
        return 0
    board.set_piece_at(square, man)
    return max(0, at_stake - reply(board, square, not side, values[man.piece_type], values))


def test_exchanges_against_playing_them_out() -> None:
    chess = pytest.importorskip("chess")
    looked = 0
    for s in walk(GAME, 21, 8):
        for a in GAME.actions(s):
            if static_exchange.is_capture_or_promotion(s, a) and not 1 <= a >> 12 <= 4:
                board = chess.Board(GAME.write_state(s))
                move = chess.Move.from_uci(uci.write(s, a, False))
                assert static_exchange.pays(s, a, 0) == (swap(chess, board, move) >= 0), (GAME.write_state(s), move)
                looked += 1
    assert looked > 1000


def test_order_and_gain() -> None:
    s = GAME.read_state("4k3/Pp1p4/p1r1q3/3P4/8/3Q4/2P1P3/R3K2n w Q - 0 1")
    by_order = sorted(GAME.actions(s), key=lambda a: -GAME.order(s, a))
    names = [uci.write(s, a, False) for a in by_order]
    assert names[:3] == ["d5e6", "a7a8q", "d5c6"]
    assert names.index("e1c1") == 3
    assert names[-1] == "d3a6"  # the queen for a pawn
    assert [GAME.is_tactical(s, action(s, name)) for name in ("d5e6", "a7a8q", "a7a8r", "d3a6", "e1c1", "a1b1")] == [True, True] + 4 * [
        False
    ]
    assert GAME.material_gain(s, action(s, "d5e6")) == pytest.approx(0.108)
    assert GAME.material_gain(s, action(s, "a7a8q")) == pytest.approx(0.096)
    assert GAME.material_gain(s, action(s, "a1b1")) == 0


def test_gain_and_slack_bound_what_a_move_adds() -> None:
    """Within reason: seldom does the evaluation grow by more than the man taken and a pawn."""
    over, all_ = 0, 0
    for s in STATES:
        for a in GAME.actions(s):
            t = GAME.result(s, a)
            if not GAME.is_terminal(t):
                all_ += 1
                over += -GAME.evaluate(t, t.t & 1) - GAME.evaluate(s, s.t & 1) > GAME.material_gain(s, a) + GAME.quiet_margin
    assert over < all_ / 40


# ---- skipping, extending -------------------------------------------------------------------------


def test_skip() -> None:
    for s in STATES:
        if GAME.allows_null_move(s):
            t = GAME.null_move(s)
            assert GAME.to_move(t) == 1 - GAME.to_move(s)
            assert t.x & 0xFF0000000000 == 0 and t.p == byteswap(s.p)
            assert not GAME.is_forcing(s)
            assert GAME.read_state(GAME.write_state(t)) == t or GAME.is_terminal(t)
    assert not GAME.allows_null_move(GAME.read_state("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1"))
    check = GAME.read_state("4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1")
    assert GAME.is_forcing(check) and not GAME.allows_null_move(check)


# ---- features, symmetries, pictures --------------------------------------------------------------


def test_features() -> None:
    s = GAME.initial()
    values = list(GAME.features(s, 0))
    assert len(values) == 773 and sum(values) == 32 + 4 + 1
    assert values == [*list(GAME.features(s, 1))[:772], 1.0]
    s = GAME.read_state("r3k3/8/8/8/8/8/P7/4K2R w Kq - 0 1")
    white, black = list(GAME.features(s, 0)), list(GAME.features(s, 1))
    assert [i for i, x in enumerate(white) if x] == [8, 3 * 64 + 7, 5 * 64 + 4, 9 * 64 + 56, 11 * 64 + 60, 768, 771, 772]
    assert [i for i, x in enumerate(black) if x] == [3 * 64, 5 * 64 + 4, 6 * 64 + 48, 9 * 64 + 63, 11 * 64 + 60, 769, 770]


def test_symmetries() -> None:
    assert list(GAME.symmetries(GAME.initial())) == []
    (image,) = GAME.symmetries(GAME.read_state("4k3/8/8/3pP3/8/8/8/R3K3 w - d6 3 9"))
    assert GAME.write_state(image) == "3k4/8/8/3Pp3/8/8/8/3K3R w - e6 3 9"


def test_drawings() -> None:
    s = GAME.result(GAME.initial(), action(GAME.initial(), "e2e4"))
    assert GAME.show(s).splitlines() == [
        "8 r n b q k b n r",
        "7 p p p p p p p p",
        "6 . . . . . . . .",
        "5 . . . . . . . .",
        "4 . . . . P . . .",
        "3 . . . . . . . .",
        "2 P P P P . P P P",
        "1 R N B Q K B N R",
        "  a b c d e f g h",
        "Black to move",
    ]
    picture = ElementTree.fromstring(GAME.svg(s))
    assert len([part for part in picture if part.tag.endswith("rect")]) == 64
    assert len([part for part in picture if part.tag.endswith("text")]) == 32 + 16
