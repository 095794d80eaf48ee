"""SAN and PGN of chess: real games and positions, python-chess if installed, and hostile text."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from zermelo.errors import ZermeloError
from zermelo.games.antichess import Antichess
from zermelo.games.antichess import records as antichess
from zermelo.games.chess import Chess
from zermelo.games.chess.records import record_of, replay
from zermelo.history import History
from zermelo.notation import epd, pgn

GAME = Chess(draws=False)


def real(name: str) -> str:
    folder = os.environ.get("ZERMELO_DATA")
    if not folder:
        pytest.skip("ZERMELO_DATA names no folder with real games")
    return (Path(folder) / "chess" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("state", "action", "san"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1f3", "Nf3"),
        ("4k3/8/8/8/8/8/3N1N2/4K3 w - - 0 1", "d2e4", "Nde4"),
        ("4k3/8/8/3N4/8/3N4/8/4K3 w - - 0 1", "d5f4", "N5f4"),
        ("8/1k6/8/Q6Q/8/8/8/2K5 w - - 0 1", "h5e5", "Qhe5"),
        ("7Q/1k6/8/Q6Q/8/8/8/2K5 w - - 0 1", "h5e5", "Qh5e5"),
        ("4k3/8/8/8/1b6/8/3N1N2/4K3 w - - 0 1", "f2e4", "Ne4"),  # the other knight is pinned
        ("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1", "d5c6", "dxc6"),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", "axb8=Q+"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "a8=N"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O"),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"),
        ("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "e1e8", "Re8#"),
        ("4k3/8/8/8/8/8/8/RK6 w Q - 0 1", "b1a1", "O-O-O"),  # Chess960: the king goes to c1
    ],
)
def test_written_as_short_as_can_be(state: str, action: str, san: str) -> None:
    s = GAME.read_state(state)
    a = GAME.read_action(s, action)
    assert GAME.write_action(s, a) == san
    assert GAME.read_action(s, san) == a


@pytest.mark.parametrize(
    ("state", "texts"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O 0-0 o-o O-O+ 0-0! e1g1 e1h1"),
        ("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", "Nf3 Ngf3 N1f3 Ng1f3 Ng1-f3 Nf3+ Nf3!? g1f3"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5 e4xd5 ed5 e:d5 exd5+ e4d5 e4-d5"),
        ("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e8=Q e8Q e8(Q) e8/Q e8=q e7e8q e7e8=Q e7-e8Q e8=Q#"),
    ],
)
def test_read_in_many_ways(state: str, texts: str) -> None:
    s = GAME.read_state(state)
    assert len({GAME.read_action(s, f" {text}\n") for text in texts.split()}) == 1


@pytest.mark.parametrize(
    ("state", "text", "reason"),
    [
        ("4k3/8/8/8/8/8/3N1N2/4K3 w - - 0 1", "Ne4", "'Ne4' can mean several moves here: expected one of Nde4, Nfe4"),
        ("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", "Nxf3", "'Nxf3' is not a legal action here: expected one of K"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "d5", "is not a legal action"),  # a capture tells from which file
        ("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e8", "is not a legal action"),  # to what?
        ("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e8=K", "is not a legal action"),
        ("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8", "is not a legal action"),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "O-O", "is not a legal action"),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "--", "is not a legal action"),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "", "'' is not a legal action"),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "nf3", "is not a legal action"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "Kh7", "expected one of none, the game is over"),
    ],
)
def test_refused(state: str, text: str, reason: str) -> None:
    with pytest.raises(ZermeloError, match=reason):
        GAME.read_action(GAME.read_state(state), text)


# ---- against python-chess --------------------------------------------------------------------------


@pytest.mark.parametrize("chess960", [False, True])
def test_every_move_of_random_games_as_python_chess_writes_it(chess960: bool) -> None:
    chess = pytest.importorskip("chess")
    chooser, moves = random.Random(1), 0
    for _ in range(6):
        number = chooser.randrange(960) if chess960 else 518
        board, s = chess.Board.from_chess960_pos(number), Chess(number).initial()
        if not chess960:
            board = chess.Board()
        board.set_fen(board.fen())
        for _ in range(100):
            actions = list(GAME.actions(s))
            names = {GAME.write_action(s, a): a for a in actions}
            assert sorted(names) == sorted(board.san(move) for move in board.legal_moves), GAME.write_state(s)
            moves += len(names)
            if not names:
                break
            some = chooser.sample(sorted(names), min(3, len(names)))
            assert [GAME.read_action(s, name) for name in some] == [names[name] for name in some]
            assert GAME.read_action(s, board.parse_san(some[0]).uci()) == names[some[0]]
            board.push_san(some[0])
            s = GAME.result(s, names[some[0]])
    assert moves > 8_000


# ---- real games and positions ----------------------------------------------------------------------


def check_games(step: int) -> int:
    games = 0
    for name in ("Fischer", "Capablanca"):
        for record in list(pgn.read(real(f"games/{name}.pgn")))[::step]:
            history = replay(record)
            again = record_of(history, record.tags)
            assert again == record
            assert list(pgn.read(pgn.write(again))) == [record]
            games += 1
    return games


def test_real_games_replay_and_are_written_alike() -> None:
    assert check_games(12) == 60


@pytest.mark.slow
def test_all_real_games_replay_and_are_written_alike() -> None:
    assert check_games(1) == 713


@pytest.mark.parametrize(("name", "moves"), [("wac.epd", 150), ("bratko-kopec.epd", 12), ("eet.epd", 80), ("sts_v6.epd", 594)])
def test_moves_of_real_positions(name: str, moves: int) -> None:
    found = 0
    for position in epd.read(real(name)):
        s = GAME.read_state(position.fen)
        for move in [*position.moves("bm"), *position.moves("am")]:
            written = GAME.write_action(s, GAME.read_action(s, move))
            assert written.rstrip("+#") == move.rstrip("+#!?")
            found += 1
        for move in position.moves("pv")[:-1]:  # the last is cut off in one; not all are as short as can be
            s = GAME.result(s, GAME.read_action(s, move))
    assert found >= moves


def test_openings_of_another_program() -> None:
    """Graded moves stand there by both notations."""
    for position in list(epd.read(real("sts_v6.epd")))[::10]:
        s = GAME.read_state(position.fen)
        names, coordinates = str(position["c7"]).split(), str(position["c9"]).split()
        assert [GAME.read_action(s, name) for name in names] == [GAME.read_action(s, name) for name in coordinates]


# ---- records ---------------------------------------------------------------------------------------


def one(text: str) -> pgn.Record:
    (record,) = pgn.read(text)
    return record


def test_a_mate_as_a_record() -> None:
    history = History(Chess())
    for move in ("f3", "e5", "g4", "Qh4#"):
        history.do(history.game.read_action(history.state, move))
    assert pgn.write(record_of(history, {"White": "A", "Annotator": "B"})) == (
        '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "A"]\n[Black "?"]\n[Result "0-1"]\n[Annotator "B"]\n\n'
        "1. f3 e5 2. g4 Qh4# 0-1\n"
    )


def test_other_starts() -> None:
    text = '[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4p3/K7 b - - 0 40"]\n\n40... e1=Q+ 41. Ka2 *\n'
    history = replay(one(text))
    assert history.game.write_state(history.state) == "4k3/8/8/8/8/8/K7/4q3 b - - 1 41"
    again = record_of(history)
    assert again.tags["FEN"] == "4k3/8/8/8/8/8/4p3/K7 b - - 0 40" and "40... e1=Q+ 41. Ka2 *" in pgn.write(again)
    history = replay(one('[Variant "Chess960"]\n[FEN "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1"]\n\n1. O-O-O Ke7 *\n'))
    assert history.game.write_state(history.state) == "8/4k3/8/8/8/8/8/2KR2R1 w - - 2 2"
    again = record_of(history)
    assert again.tags["Variant"] == "Chess960" and replay(again).states == history.states
    anti = antichess.replay(one('[Variant "Antichess"]\n\n1. e3 b5 2. Bxb5 *'))
    assert isinstance(anti.game, Antichess) and antichess.record_of(anti).tags["Variant"] == "Antichess"


def test_games_go_on_after_draws_that_nobody_claimed() -> None:
    shuffle = "Nf3 Nf6 Ng1 Ng8 " * 30
    assert len(replay(one(shuffle + "e4 *")).taken) == 121


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1. e4 e5\n2. Ke3", "line 2: 'Ke3' is not a legal action here"),
        ('[Variant "Atomic"] *', "line 1: expected one of chess, .* as Variant, not 'Atomic'"),
        ('[Variant "Chess960"] 1. e4 *', "line 1: expected the tag FEN"),
        ('[SetUp "1"] 1. e4 *', "line 1: expected the tag FEN"),
        ('\n[FEN "8/8/8/8/8/8/8/8 w - - 0 1"] *', "line 2: '.*' is not a state of chess: expected one king"),
    ],
)
def test_records_that_are_refused(text: str, reason: str) -> None:
    with pytest.raises(ZermeloError, match=reason):
        replay(one(text))


# ---- hostile text ----------------------------------------------------------------------------------

SIGNS = "abcdefgh12345678NBRQKOPxX:=-+#!?()0/. \né"


def spoiled(text: str, chooser: random.Random) -> str:
    for _ in range(chooser.randint(1, 3)):
        at = chooser.randrange(len(text) + 1)
        text = text[:at] + chooser.choice(["", *SIGNS]) + text[at + chooser.randint(0, 1) :]
    return text


def check_actions(inputs: int) -> None:
    chooser, s, names, actions = random.Random(1), GAME.initial(), [""], []
    understood = 0
    for n in range(inputs):
        if n % 40 == 0:
            s = GAME.initial() if n % 4000 == 0 or GAME.is_terminal(s) else GAME.result(s, chooser.choice(actions))
            actions = list(GAME.actions(s))
            names = [GAME.write_action(s, a) for a in actions] or ["Kh8"]
        try:
            a = GAME.read_action(s, spoiled(chooser.choice(names), chooser))
        except ZermeloError as error:
            assert " here: expected one of " in str(error)
        else:
            assert a in actions
            understood += 1
    assert inputs // 50 < understood < inputs


def check_records(inputs: int) -> None:
    """A spoiled game is refused with its line, or all its moves are legal; most games are short, as they are played in full."""
    chooser, records = random.Random(2), real("games/Fischer.pgn").split("[Event ")[1:]
    for _ in range(inputs):
        text = "[Event " + chooser.choice(records)
        start = text.index("\n\n")
        text = spoiled(text[: start + chooser.randint(10, 120)], chooser)
        try:
            histories = [replay(record) for record in pgn.read(text)]
        except ZermeloError as error:
            assert str(error).startswith("line ")
        else:
            for history in histories:
                assert all(a in set(history.game.actions(s)) for s, a in zip(history.states, history.taken, strict=False))


def test_spoiled_moves() -> None:
    check_actions(4000)


def test_spoiled_games() -> None:
    check_records(300)


@pytest.mark.slow
def test_many_spoiled_moves_and_games() -> None:
    check_actions(100_000)
    check_records(10_000)
