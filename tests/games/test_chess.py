"""The rules of chess: published counts, python-chess move by move, and the special cases."""

from __future__ import annotations

import random
from typing import Any

import pytest
from chess_data import SUITES, perfts
from helpers import check_state, walk

from zermelo.errors import ZermeloError
from zermelo.games.chess import Chess, fen, uci
from zermelo.games.chess.state import CLOCK, State
from zermelo.history import History
from zermelo.search.perft import perft

GAME, PERFT = Chess(), Chess(draws=False)


def played(text: str, *names: str, game: Chess = GAME) -> State:
    """The state after these actions from a position."""
    s = game.read_state(text)
    for name in names:
        s = game.result(s, uci.read(s, name, game.actions(s), game.start != 518))
    return s


def names(s: State, chess960: bool = False) -> set[str]:
    """The legal actions as engines write them."""
    return {uci.write(s, a, chess960) for a in GAME.actions(s)}


# ---- counts --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", (20, 400, 8902, 197281, 4865609)),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", (48, 2039, 97862, 4085603)),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", (14, 191, 2812, 43238, 674624)),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", (6, 264, 9467, 422333)),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", (44, 1486, 62379, 2103487)),
    ],
)
def test_known_counts(text: str, counts: tuple[int, ...]) -> None:
    s = PERFT.read_state(text)
    for depth, count in enumerate(counts, 1):
        assert perft(PERFT, depth, s) == count
    assert perft(PERFT, 2, s, interpreted=True) == counts[1]


@pytest.mark.parametrize("suite", SUITES)
def test_sample_of_the_suites(suite: str) -> None:
    lines = [line for line in perfts(suite) if line[2] <= 300_000]
    for text, depth, count in random.Random(1).sample(lines, min(150, len(lines))):
        assert perft(PERFT, depth, PERFT.read_state(text)) == count, text


@pytest.mark.slow
@pytest.mark.parametrize("suite", SUITES)
def test_every_line_of_the_suites(suite: str) -> None:
    for text, depth, count in perfts(suite):
        if count <= 10_000_000:
            assert perft(PERFT, depth, PERFT.read_state(text)) == count, text


def test_starting_positions() -> None:
    rows = [fen.back_rank(n) for n in range(960)]
    assert len(set(rows)) == 960
    assert (rows[0], rows[518], rows[959]) == ("bbqnnrkr", "rnbqkbnr", "rkrnnqbb")
    assert Chess(0).write_state(Chess(0).initial()) == "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"
    for wrong in (-1, 960, "518", True):
        with pytest.raises(ZermeloError, match="expected start from 0 to 959"):
            Chess(wrong)  # type: ignore[arg-type]
    with pytest.raises(ZermeloError, match="expected draws true or false"):
        Chess(draws=1)  # type: ignore[arg-type]


# ---- move by move against python-chess -----------------------------------------------------------


def compare(game: Chess, board: Any, s: State) -> None:
    """Our state and python-chess's board tell the same."""
    board_over = board.is_checkmate() or board.is_stalemate() or board.is_insufficient_material() or board.halfmove_clock >= 100
    assert game.is_terminal(s) == board_over
    chess960 = game.start != 518
    ours = {uci.write(s, a, chess960) for a in game.actions(s)}
    assert ours == (set() if board_over else {m.uci() for m in board.legal_moves})
    assert game.count(s) == len(ours)
    assert game.write_state(s) == board.fen()
    assert game.read_state(board.fen()) == s
    assert game.is_forcing(s) == board.is_check()
    if board_over:
        lost = -1 if board.is_checkmate() else 0
        assert [game.utility(s, p) for p in (s.t & 1, 1 - (s.t & 1))] == [lost, -lost]


def against(game: Chess, seed: int, positions: int) -> None:
    """Random games, of which some captures are left out so that they last."""
    chess = pytest.importorskip("chess")
    chooser = random.Random(seed)
    while positions > 0:
        board, s = chess.Board(game.write_state(game.initial()), chess960=game.start != 518), game.initial()
        while True:
            compare(game, board, s)
            positions -= 1
            actions = list(game.actions(s))
            if not actions:
                break
            quiet = [a for a in actions if not game.is_tactical(s, a)]
            a = chooser.choice(quiet if quiet and chooser.random() < 0.5 else actions)
            board.push_uci(uci.write(s, a, game.start != 518))
            s = game.result(s, a)


def test_against_python_chess() -> None:
    against(GAME, 1, 4000)


@pytest.mark.parametrize("start", [0, 105, 692, 959])
def test_chess960_against_python_chess(start: int) -> None:
    against(Chess(start), start, 700)


@pytest.mark.slow
def test_long_against_python_chess() -> None:
    against(GAME, 2, 100_000)
    for start in range(0, 960, 7):
        against(Chess(start), start, 700)


# ---- traps ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "castles"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1 e1c1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8g8 e8c8"),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", ""),
        ("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "e1c1"),
        ("4k3/8/8/8/8/4r3/8/R3K2R w KQ - 0 1", ""),  # out of check
        ("4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", "e1c1"),  # through check
        ("4k3/8/8/8/8/6r1/8/R3K2R w KQ - 0 1", "e1c1"),  # into check
        ("4k3/8/8/8/8/1r6/8/R3K2R w KQ - 0 1", "e1g1 e1c1"),  # only the rook passes the attacked b1
        ("4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1", ""),
        ("4k3/8/8/8/8/7b/8/R3K2R w KQ - 0 1", "e1c1"),
    ],
)
def test_castling(text: str, castles: str) -> None:
    assert names(GAME.read_state(text)) & {"e1g1", "e1c1", "e8g8", "e8c8"} == set(castles.split())


def test_castling_rights_go() -> None:
    start = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    for move, left in (("e1e2", "kq"), ("a1b1", "Kkq"), ("h1g1", "Qkq"), ("a1a8", "Kk"), ("h1h8", "Qq"), ("e1g1", "kq")):
        assert GAME.write_state(played(start, move)).split()[2] == left
    assert GAME.write_state(played(start, "e1c1")) == "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1"
    assert GAME.write_state(played(start, "e1h1")) == "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1"  # as Chess960 writes it


def test_castling_in_chess960() -> None:
    game = Chess(0)

    def may(text: str) -> set[str]:
        s = game.read_state(text)
        return {uci.write(s, a, True) for a in game.actions(s) if a >> 12 == 6}

    assert may("4k3/8/8/8/8/8/8/1R2K2R w HB - 0 1") == {"e1h1", "e1b1"}
    assert may("4k3/8/8/8/8/8/8/5RKR w HF - 0 1") == {"g1f1"}  # the rook on f1 is in the way of the other
    assert may("7k/8/8/8/8/8/8/rRK5 w B - 0 1") == set()  # the rook uncovers a rook behind it
    assert may("7k/8/8/8/8/8/8/qRK5 w B - 0 1") == set()
    assert may("7k/8/8/8/8/8/8/nRK5 w B - 0 1") == {"c1b1"}
    assert may("7k/8/8/8/8/8/8/RK1n4 w A - 0 1") == set()  # the rook's square is taken
    for text, move, after in (
        ("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),  # the king stays
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),  # they change places
        ("4k3/8/8/8/8/8/8/RK6 w A - 0 1", "b1a1", "4k3/8/8/8/8/8/8/2KR4 b - - 1 1"),
        ("3k4/8/8/8/8/8/8/RR4K1 w B - 0 1", "g1b1", "3k4/8/8/8/8/8/8/R1KR4 b - - 1 1"),
    ):
        assert game.write_state(played(text, move, game=game)) == after
    assert game.write_state(game.read_state("3k4/8/8/8/8/8/8/RR4K1 w B - 0 1")) == "3k4/8/8/8/8/8/8/RR4K1 w B - 0 1"


def test_en_passant() -> None:
    s = played("4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1", "a2a4")
    assert GAME.write_state(s) == "4k3/8/8/8/Pp6/8/8/4K3 b - a3 0 1"
    assert "b4a3" in names(s)
    assert GAME.write_state(played(GAME.write_state(s), "b4a3")) == "4k3/8/8/8/8/p7/8/4K3 w - - 0 2"
    assert "b4a3" not in names(played(GAME.write_state(s), "e8e7", "e1e2"))  # only at once
    # nobody can take, or only by leaving the king to a rook, along the rank or a diagonal: the square is not told
    for text, move in (
        ("4k3/8/8/8/2p5/8/P7/4K3 w - - 0 1", "a2a4"),
        ("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1", "e2e4"),
        ("8/8/8/k7/1p6/8/P2B4/4K3 w - - 0 1", "a2a4"),
        ("1k6/8/8/8/1p6/8/P7/KR6 w - - 0 1", "a2a4"),
    ):
        after = played(text, move)
        assert GAME.write_state(after).split()[3] == "-"
        assert not {name for name in names(after) if name in ("d4e3", "b4a3")}
    assert "e5d6" in names(GAME.read_state("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"))
    assert "e5d6" in names(played("k7/3p4/8/4P3/2K5/8/8/8 b - - 0 1", "d7d5"))  # takes the man that gives check


def test_promotion() -> None:
    s = GAME.read_state("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    assert names(s) >= {f"a7{to}{man}" for to in ("a8", "b8") for man in "qrbn"}
    for man, letter in zip("qrbn", "QRBN", strict=True):
        assert GAME.write_state(played(GAME.write_state(s), f"a7b8{man}")) == f"1{letter}2k3/8/8/8/8/8/8/4K3 b - - 0 1"


def test_mate_and_stalemate() -> None:
    mate = played("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "f2f3", "e7e5", "g2g4", "d8h4")
    assert GAME.is_terminal(mate)
    assert [GAME.utility(mate, p) for p in (0, 1)] == [-1, 1]
    stalemate = GAME.read_state("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert GAME.is_terminal(stalemate)
    assert [GAME.utility(stalemate, p) for p in (0, 1)] == [0, 0]


def test_fifty_moves() -> None:
    s = GAME.read_state("7k/8/5K2/8/8/8/8/R7 w - - 98 80")
    assert not GAME.is_terminal(s)
    quiet = played("7k/8/5K2/8/8/8/8/R7 w - - 98 80", "a1a2", "h8g8")
    assert quiet.t // CLOCK == 100
    assert GAME.is_terminal(quiet) and not list(GAME.actions(quiet)) and GAME.utility(quiet, 0) == 0
    mate = played("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "a1a8")  # mate on the hundredth ply counts
    assert GAME.is_terminal(mate) and GAME.utility(mate, 0) == 1
    assert not PERFT.is_terminal(quiet) and PERFT.count(quiet) > 0
    assert played("7k/p7/8/8/8/8/8/R6K w - - 99 80", "a1a7").t // CLOCK == 0
    check = GAME.read_state("k7/8/1K6/8/8/8/8/7R b - - 100 80")
    assert GAME.is_terminal(check) and GAME.utility(check, 0) == 0


@pytest.mark.parametrize(
    ("men", "dead"),
    [
        ("4k3/8/8/8/8/8/8/4K3", True),
        ("4k3/8/8/8/8/8/8/4KN2", True),
        ("4k3/8/8/8/8/8/8/4KB2", True),
        ("2b1k3/8/8/8/8/8/8/4KB2", True),  # f1 and c8 are light
        ("4kb2/8/8/8/8/8/8/4KB2", False),
        ("4k3/8/8/8/8/8/8/4KNN1", False),
        ("4kn2/8/8/8/8/8/8/4KN2", False),
        ("4k3/8/8/8/8/8/8/4KBN1", False),
        ("4k3/8/8/8/8/8/P7/4K3", False),
        ("4k3/8/8/8/8/8/8/R3K3", False),
    ],
)
def test_dead_positions(men: str, dead: bool) -> None:
    s = GAME.read_state(f"{men} w - - 0 1")
    assert GAME.is_terminal(s) == dead == (not list(GAME.actions(s)))
    assert PERFT.count(s) > 0
    assert not dead or GAME.utility(s, 0) == 0


def test_repetition() -> None:
    history = History(GAME)
    for n in range(8):
        assert not history.is_over
        s = history.state
        history.do(uci.read(s, ("g1f3", "g8f6", "f3g1", "f6g8")[n % 4], GAME.actions(s), False))
    assert history.is_over and history.is_repeated and history.utility(0) == 0


# ---- keys ----------------------------------------------------------------------------------------


def test_keys() -> None:
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    one, other = played(start, "g1f3", "g8f6", "b1c3"), played(start, "b1c3", "g8f6", "g1f3")
    assert GAME.key(one) == GAME.key(other) == GAME.repetition_key(one)
    later = one._replace(t=one.t + 2 + 7 * CLOCK)
    assert GAME.key(later) == GAME.key(one)
    different = [
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQk - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w Qkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 0 1",
        "r3k2r/8/8/4p3/3P4/8/8/R3K2R b KQkq - 0 1",  # the first in a mirror, the other side to move
        "r3k2r/8/8/3pP3/8/8/8/R3K2B w Qkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2Q w Qkq - 0 1",
        "r3k2b/8/8/3pP3/8/8/8/R3K2R w KQq - 0 1",
        "r3k2q/8/8/3pP3/8/8/8/R3K2R w KQq - 0 1",
        "r3k2n/8/8/3pP3/8/8/8/R3K2R w KQq - 0 1",
        "r3k2R/8/8/3pP3/8/8/8/R3K2R b KQq - 0 1",
    ]
    assert len({GAME.key(GAME.read_state(text)) for text in different}) == len(different)


def test_keys_do_not_collide() -> None:
    found: dict[int, tuple[int, ...]] = {}
    for s in walk(GAME, 3, 12):
        for a in GAME.actions(s):
            t = GAME.result(s, a)
            assert found.setdefault(GAME.key(t), (*t[:7], t.t & 1)) == (*t[:7], t.t & 1)
    assert len(found) > 20_000


def test_every_method_agrees() -> None:
    for n, s in enumerate(walk(GAME, 5, 2)):
        if n % 20 == 0 or GAME.is_terminal(s):
            check_state(GAME, s)
