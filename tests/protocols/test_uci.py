"""Our chess engine under independent clients (python-chess), and under malformed input."""

from __future__ import annotations

import re
import sys
import time

import pytest
from protocols.programs import Program

import zermelo
from zermelo.protocols.uci import Uci

chess = pytest.importorskip("chess")
chess_engine = pytest.importorskip("chess.engine")


@pytest.fixture(scope="module")
def engine():
    with chess_engine.SimpleEngine.popen_uci([sys.executable, "-m", "zermelo", "uci"], timeout=None) as it:
        it.ping()  # native code is made ready
        yield it


def test_python_chess_plays_whole_games(engine):
    """Every move is legal to python-chess, and the result is that of its own rules."""
    for limit, most in (
        (chess_engine.Limit(nodes=300), 400),
        (chess_engine.Limit(white_clock=2, black_clock=2, white_inc=0.02, black_inc=0.02), 60),
    ):
        board = chess.Board()
        while not board.is_game_over(claim_draw=True) and board.ply() < most:
            board.push(engine.play(board, limit, game=limit).move)
        assert board.is_game_over(claim_draw=True) or board.ply() == most


def test_python_chess_plays_chess960(engine):
    for number in (0, 518, 959):
        board = chess.Board.from_chess960_pos(number)
        for _ in range(30):
            board.push(engine.play(board, chess_engine.Limit(nodes=200)).move)
            if board.is_game_over():
                break


def test_it_finds_the_mate_and_says_so(engine):
    board = chess.Board("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    info = engine.analyse(board, chess_engine.Limit(depth=4))
    assert info["score"].white() == chess_engine.Mate(1) and info["pv"][0] == chess.Move.from_uci("d1d8")
    assert info["nodes"] > 0 and info["depth"] >= 1
    info = engine.analyse(chess.Board("7k/8/5K2/8/8/8/8/6Q1 b - - 0 1"), chess_engine.Limit(depth=6))
    assert info["score"].white().is_mate()


def test_stop_is_answered(engine):
    """A search without end is ended by `stop`; how soon is measured elsewhere, on a quiet machine."""
    for wait in (0.0, 0.01, 0.2):
        with engine.analysis(chess.Board()) as analysis:
            time.sleep(wait)
            analysis.stop()
            assert analysis.wait().move in chess.Board().legal_moves


def test_only_the_moves_that_are_asked_for(engine):
    only = [chess.Move.from_uci(x) for x in ("a2a3", "h2h4")]
    assert engine.play(chess.Board(), chess_engine.Limit(depth=4), root_moves=only).move in only


def test_pondering(engine):
    board = chess.Board()
    for _ in range(6):
        result = engine.play(board, chess_engine.Limit(white_clock=1, black_clock=1), ponder=True)
        board.push(result.move)
        if result.ponder and board.is_legal(result.ponder):
            board.push(result.ponder)  # the client sends ponderhit, or stop when it guessed wrong
        else:
            board.push(next(iter(board.legal_moves)))


def test_the_best_lines(engine):
    """Three moves, the best first, each with a line that python-chess can play; and one again after that."""
    board = chess.Board("r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 0 9")
    infos = engine.analyse(board, chess_engine.Limit(depth=4), multipv=3)
    assert [info["multipv"] for info in infos] == [1, 2, 3] and {info["depth"] for info in infos} == {4}
    scores = [info["score"].white() for info in infos]
    assert scores == sorted(scores, reverse=True) and len({info["pv"][0] for info in infos}) == 3
    for info in infos:
        played = board.copy()
        for move in info["pv"]:
            played.push(played.parse_uci(move.uci()))
    assert "multipv" not in engine.analyse(board, chess_engine.Limit(depth=2))
    board = chess.Board("7k/8/8/8/8/8/P7/K7 w - - 0 1")
    infos = engine.analyse(board, chess_engine.Limit(depth=3), multipv=200)
    assert {info["pv"][0] for info in infos} == set(board.legal_moves)  # as many as there are


def test_options(engine):
    assert {"Hash", "Threads", "MultiPV", "UCI_Chess960", "Ponder"} <= set(engine.options)
    option = engine.options["MultiPV"]
    assert (option.type, option.default, option.min, option.max) == ("spin", 1, 1, 256)
    engine.configure({"Hash": 8, "Threads": 2})
    assert engine.play(chess.Board(), chess_engine.Limit(nodes=500)).move in chess.Board().legal_moves
    engine.configure({"Hash": 16, "Threads": 1})


def test_positions_beyond_a_draw(engine):
    """A client may play on where nobody claims the draw."""
    board = chess.Board("7k/8/8/8/8/Q7/8/1K6 w - - 99 80")
    board.push_uci("a3a2")
    assert board.halfmove_clock == 100
    assert engine.play(board, chess_engine.Limit(depth=2)).move in board.legal_moves
    board = chess.Board()
    for word in ("g1f3", "g8f6", "f3g1", "f6g8") * 3:
        board.push_uci(word)
    assert engine.play(board, chess_engine.Limit(depth=2)).move in board.legal_moves


def test_what_makes_no_sense_is_passed_over():
    with Program("uci") as it:
        it.say(
            "",
            "hello",
            "\x00\x01",
            "joho debug on",
            "position",
            "position fen x y z",
            "position startpos moves e2e5",
            "setoption name Nonsense value 3",
        )
        it.say("setoption name Hash value lots", "setoption", "ponderhit", "stop", "xyzzy isready")
        it.until("readyok")
        it.say("go depth")
        it.until("bestmove")
        it.say("position startpos moves e2e4", "go wtime 100000 btime x winc --5 binc ² depth 3 nonsense 7")
        assert re.fullmatch(r"bestmove [a-h][1-8][a-h][1-8].*", it.until("bestmove")[-1])
        it.say("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go depth 3")
        assert it.until("bestmove")[-1] == "bestmove (none)"
        it.say("position startpos", "go infinite", "position startpos moves d2d4", "go movetime 50")
        it.until("bestmove")
        it.until("bestmove")
        assert it.end() == 0


def test_a_conversation_about_several_lines():
    """One `info` for each line at each depth, as other engines tell it; a single line is told without a number."""
    said = []
    it = Uci(said.append, "0", zermelo.game("chess"), "alphabeta", {"interpreted": "true"})

    def asked(*lines):
        said.clear()
        for line in lines:
            it.handle(line)
        it._search._thread.join()
        return [line for line in said if line.startswith("info depth")]

    it.handle("uci")
    assert "option name MultiPV type spin default 1 min 1 max 256" in said
    position = "position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
    told = asked("setoption name MultiPV value 3", position, "go depth 2")
    form = r"info depth (\d) multipv (\d) score (cp -?\d+|mate -?\d+) nodes \d+ nps \d+ time \d+ pv ([a-h][1-8][a-h][1-8] ?)+"
    found = [re.fullmatch(form, line) for line in told]
    assert [m.group(1, 2) for m in found] == [(depth, number) for depth in "12" for number in "123"]
    assert found[3][3] == "mate 1" and said[-1].startswith("bestmove d1d8")
    for rows in (found[:3], found[3:]):
        worth = [1_000_000 if m[3] == "mate 1" else int(m[3].split()[1]) for m in rows]
        assert worth == sorted(worth, reverse=True)
    told = asked("setoption name MultiPV value lots", "setoption name MultiPV value 0", position, "go depth 1")
    assert len(told) == 3  # what makes no sense changes nothing
    told = asked("setoption name multipv value 1", position, "go depth 2")
    assert len(told) == 2 and not any("multipv" in line for line in told)


def test_quit_in_the_middle_of_a_search():
    with Program("uci") as it:
        it.say("isready", "go infinite")
        it.until("info depth 3")
        it.say("quit")
        assert it.child.wait(600) == 0


def test_the_answer_waits_for_stop():
    """`go infinite` in a position that is soon searched through: the answer comes when it is asked for, and not before."""
    said = []
    it = Uci(said.append, "0", zermelo.game("chess"), "alphabeta", {"interpreted": "true"})
    assert it.handle("position fen 7k/5Q2/8/6K1/8/8/8/8 w - - 0 1") and it.handle("go infinite depth 1")
    it._search._thread.join(0.5)
    assert not any(line.startswith("bestmove") for line in said)
    it.handle("stop")
    it._search._thread.join()
    assert said[-1].startswith("bestmove")
    it.handle("go ponder wtime 1000 btime 1000 depth 1")
    it._search._thread.join(0.3)
    assert it._search._thread.is_alive()
    it.handle("ponderhit")
    it._search._thread.join()
    assert said[-1].startswith("bestmove") and not it.handle("quit")


def test_moves_from_a_book(engine, tmp_path):
    from zermelo.arena.books import files
    from zermelo.arena.books.book import Book

    game = zermelo.game("chess")
    book, board = Book(game), chess.Board()
    book.entry(game.initial(), game.read_action(game.initial(), "Na3")).weight = 1
    for name in ("b.book", "b.bin"):
        files.save(tmp_path / name, book)
        engine.configure({"Book": str(tmp_path / name), "OwnBook": True})
        played = engine.play(board, chess_engine.Limit(depth=1))
        assert played.move == chess.Move.from_uci("b1a3")
    assert engine.play(chess.Board("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"), chess_engine.Limit(depth=1)).move is not None
    engine.configure({"OwnBook": False})
    assert engine.play(board, chess_engine.Limit(depth=4)).move != chess.Move.from_uci("b1a3")
