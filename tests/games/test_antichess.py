"""Antichess compared with published counts, python-chess if installed, and a plain board."""

from __future__ import annotations

import os
import random
import re
from pathlib import Path
from typing import Any

import pytest
from helpers import check_games, check_hostile, check_state, refuses, walk

import zermelo
from zermelo.errors import ZermeloError
from zermelo.games.antichess import Antichess
from zermelo.history import History
from zermelo.notation import epd

GAME, ENDLESS = Antichess(), Antichess(draws=False)
KNIGHT = [(dx, dy) for dx in (-2, -1, 1, 2) for dy in (-2, -1, 1, 2) if abs(dx) != abs(dy)]
STRAIGHT, SLANTED = [(1, 0), (-1, 0), (0, 1), (0, -1)], [(1, 1), (1, -1), (-1, 1), (-1, -1)]
WAYS = {"n": (KNIGHT, 1), "k": (STRAIGHT + SLANTED, 1), "b": (SLANTED, 7), "r": (STRAIGHT, 7), "q": (STRAIGHT + SLANTED, 7)}


class Board:
    """The plain way: men on squares (x, y), moves by steps, captures picked out at the end."""

    def __init__(self, fen: str):
        rows, side, _, target, *_ = fen.split()
        self.white = side == "w"
        self.target = None if target == "-" else ("abcdefgh".index(target[0]), int(target[1]) - 1)
        self.men = {}
        for y, row in enumerate(reversed(rows.split("/"))):
            x = 0
            for c in row:
                if c.isdigit():
                    x += int(c)
                else:
                    self.men[x, y] = c
                    x += 1

    def moves(self) -> list[str]:
        quiet, takes = [], []
        for (x, y), man in self.men.items():
            if man.isupper() != self.white:
                continue
            if man in "Pp":
                up, last, first = (1, 7, 1) if self.white else (-1, 0, 6)
                kinds = "nbrqk" if y + up == last else [""]
                if (x, y + up) not in self.men:
                    quiet += [self.name(x, y, x, y + up, kind) for kind in kinds]
                    if y == first and (x, y + 2 * up) not in self.men:
                        quiet.append(self.name(x, y, x, y + 2 * up))
                for dx in (-1, 1):
                    to = (x + dx, y + up)
                    if to == self.target or (to in self.men and self.men[to].isupper() != self.white):
                        takes += [self.name(x, y, *to, kind) for kind in kinds]
                continue
            ways, far = WAYS[man.lower()]
            for dx, dy in ways:
                for n in range(1, far + 1):
                    to = (x + n * dx, y + n * dy)
                    if not (0 <= to[0] < 8 and 0 <= to[1] < 8):
                        break
                    if to in self.men:
                        if self.men[to].isupper() != self.white:
                            takes.append(self.name(x, y, *to))
                        break
                    quiet.append(self.name(x, y, *to))
        return sorted(takes or quiet)

    @staticmethod
    def name(x: int, y: int, i: int, j: int, kind: str = "") -> str:
        return f"{'abcdefgh'[x]}{y + 1}{'abcdefgh'[i]}{j + 1}{kind}"


def coordinates(game: Antichess, s: Any) -> dict[str, int]:
    """The actions by the names that a plain board gives them."""
    turn, names = 56 * (s.t & 1), {}
    for a in game.actions(s):
        i, j, kind = (a & 63) ^ turn, (a >> 6 & 63) ^ turn, a >> 12
        names[Board.name(i & 7, i >> 3, j & 7, j >> 3, {1: "n", 2: "b", 3: "r", 4: "q", 7: "k"}.get(kind, ""))] = a
    return names


def test_moves_as_on_a_plain_board() -> None:
    chooser, seen = random.Random(1), 0
    for s in walk(GAME, 1, 20):
        names = coordinates(ENDLESS, s)
        assert sorted(names) == Board(GAME.write_state(s)).moves()
        assert ENDLESS.count(s) == len(names) and ENDLESS.is_terminal(s) == (not names)
        if names and chooser.random() < 0.3:
            name = chooser.choice(sorted(names))
            assert ENDLESS.read_action(s, name) == names[name]
        seen += len(names)
    assert seen > 5_000


def random_board(chooser: random.Random) -> str:
    """Men anywhere, so that all kinds of moves are met often."""
    cells = [chooser.choice("pnbrqkPNBRQK") if chooser.random() < 0.25 else "1" for _ in range(64)]
    rows = ["".join(cells[8 * y : 8 * y + 8]) for y in range(8)]
    rows[0], rows[7] = (row.replace("p", "k").replace("P", "K") for row in (rows[0], rows[7]))
    return re.sub("1+", lambda run: str(len(run[0])), "/".join(rows))


def test_random_boards_as_on_a_plain_board() -> None:
    chooser, checked = random.Random(2), 0
    for _ in range(400):
        try:
            s = ENDLESS.read_state(f"{random_board(chooser)} {chooser.choice('wb')} - - 0 1")
        except ZermeloError:  # more than eight pawns
            continue
        if checked % 20 == 0:
            check_state(ENDLESS, s)
        assert sorted(coordinates(ENDLESS, s)) == Board(ENDLESS.write_state(s)).moves()
        checked += 1
    assert checked > 300


# ---- counts of other programs ----------------------------------------------------------------------


def suite() -> list[tuple[str, int, int]]:
    folder = os.environ.get("ZERMELO_DATA")
    if not folder:
        pytest.skip("ZERMELO_DATA names no folder with counts")
    found, board = [], ""
    for line in (Path(folder) / "chess/variants/giveaway.perft").read_text().splitlines():
        word, _, rest = line.partition(" ")
        if word == "epd":
            board = rest
        elif word == "perft":
            depth, count = map(int, rest.split())
            found.append((board, depth, count))
    return found


def test_perft_of_the_suite() -> None:
    counts = suite()
    assert len(counts) == 23
    for board, depth, count in counts:
        assert zermelo.perft(ENDLESS, depth, ENDLESS.read_state(board)) == count


def test_perft_from_the_start() -> None:
    assert [zermelo.perft(GAME, depth) for depth in range(6)] == [1, 20, 400, 8067, 153299, 2732672]
    assert zermelo.perft(GAME, 3, interpreted=True) == 8067


@pytest.mark.slow
def test_deep_perft_from_the_start() -> None:
    assert zermelo.perft(GAME, 6) == 46264162


@pytest.mark.parametrize(("variant", "rule"), [("Giveaway", "win"), ("Suicide", "fewer")])
def test_random_games_as_python_chess_plays_them(variant: str, rule: str) -> None:
    chess = pytest.importorskip("chess.variant")
    game, chooser, ends = Antichess(rule, draws=False), random.Random(3), 0
    for _ in range(12):
        board = chess.find_variant(variant)("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1")
        s = game.initial()
        for _ in range(400):
            assert game.write_state(s) == board.fen(en_passant="legal")
            names = {game.write_action(s, a): a for a in game.actions(s)}
            assert sorted(names) == sorted(board.san(move).rstrip("+#") for move in board.legal_moves)
            if not names:
                value = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}[board.result()]
                assert [game.utility(s, p) for p in (0, 1)] == [value, -value]
                ends += 1
                break
            name = chooser.choice(sorted(names))
            board.push_san(name)
            s = game.result(s, names[name])
    assert ends > 8


def test_puzzles_have_legal_answers() -> None:
    folder = os.environ.get("ZERMELO_DATA")
    if not folder:
        pytest.skip("ZERMELO_DATA names no folder with puzzles")
    answers = 0
    for position in epd.read((Path(folder) / "chess/variants/giveaway-puzzles.epd").read_text()):
        s = GAME.read_state(position.fen)
        for move in position.moves("bm"):
            assert GAME.write_action(s, GAME.read_action(s, move)) == move
            answers += 1
    assert answers == 73


# ---- ends ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "values"),
    [
        ("8/8/8/8/8/8/8/7k w - - 0 1", {"win": 1, "fewer": 1, "draw": 1}),  # no men
        ("8/8/8/8/p7/P7/8/8 w - - 0 1", {"win": 1, "fewer": 0, "draw": 0}),  # no move, as many men
        ("8/8/8/p7/P7/P7/8/8 w - - 0 1", {"win": 1, "fewer": -1, "draw": 0}),
        ("8/8/p7/p7/P7/8/8/8 w - - 0 1", {"win": 1, "fewer": 1, "draw": 0}),
    ],
)
def test_who_has_no_move(state: str, values: dict[str, int]) -> None:
    for rule, value in values.items():
        for game in (Antichess(rule), Antichess(rule, draws=False)):
            s = game.read_state(state)
            assert game.is_terminal(s) and not list(game.actions(s)) and game.count(s) == 0
            assert [game.utility(s, p) for p in (0, 1)] == [value, -value]


def test_draws() -> None:
    late = GAME.read_state("8/8/8/3k4/8/8/8/7K w - - 99 80")
    assert not GAME.is_terminal(late)
    s = GAME.result(late, GAME.read_action(late, "Kh2"))
    assert GAME.is_terminal(s) and GAME.utility(s, 0) == 0 and not ENDLESS.is_terminal(s)
    apart, meeting = GAME.read_state("8/8/8/3b4/8/8/8/B7 w - - 0 1"), GAME.read_state("8/8/8/3b4/8/8/8/1B6 w - - 0 1")
    assert GAME.is_terminal(apart) and GAME.utility(apart, 0) == 0 and not GAME.is_terminal(meeting)
    assert not ENDLESS.is_terminal(apart)
    history = History(GAME, GAME.read_state("8/8/8/3k4/8/8/8/7K w - - 0 1"))
    for move in ("Kg1", "Kc5", "Kh1", "Kd5") * 2:
        history.do(GAME.read_action(history.state, move))
    assert history.is_over and history.utility(0) == 0 and not GAME.is_terminal(history.state)


def test_rules_by_example() -> None:
    s = GAME.initial()
    for move in ("e3", "b5"):
        s = GAME.result(s, GAME.read_action(s, move))
    assert [GAME.write_action(s, a) for a in GAME.actions(s)] == ["Bxb5"]
    passed = GAME.read_state("8/8/8/8/3p4/8/2P5/8 w - - 0 1")
    assert [GAME.write_action(passed, a) for a in GAME.actions(passed)] == ["c3", "c4"]
    passed = GAME.result(passed, GAME.read_action(passed, "c4"))
    assert GAME.write_state(passed) == "8/8/8/8/2Pp4/8/8/8 b - c3 0 1"
    assert [GAME.write_action(passed, a) for a in GAME.actions(passed)] == ["dxc3"]  # en passant too must be
    promotion = GAME.read_state("8/P7/8/8/8/5k2/8/7b w - - 0 1")
    assert sorted(GAME.write_action(promotion, a) for a in GAME.actions(promotion)) == ["a8=B", "a8=K", "a8=N", "a8=Q", "a8=R"]
    kings = GAME.read_state("8/8/8/1p1K2K1/8/2K1K1KK/8/2K1K1KK w - - 0 1")
    assert {"Kcd3", "Kc3d2"} & {GAME.write_action(kings, a) for a in GAME.actions(kings)}


# ---- text and hints --------------------------------------------------------------------------------


def test_rules_and_text() -> None:
    check_games(GAME, 4, 3)


def test_states_that_are_refused() -> None:
    assert GAME.read_state("8/8/8/8/8/8/8/K1k5 w KQkq -") == GAME.read_state("8/8/8/8/8/8/8/K1k5 w - - 0 1")
    assert GAME.write_state(GAME.read_state("8/8/8/8/2P5/8/8/k7 b - c3 0 1")) == "8/8/8/8/2P5/8/8/k7 b - - 0 1"
    refuses(GAME, "8/8/8/8/8/8/8/K7 w - - 0 1", "expected a piece of the side that has moved")
    refuses(GAME, "8/8/8/8/8/8/8/8 w - - 0 1", "expected a piece of the side that has moved")
    refuses(GAME, "8/8/8/8/8/8/8/K6k w HA - 0 1", "expected KQkq or - as castling rights, not 'HA'")
    refuses(GAME, "8/8/8/8/8/8/8/K6k w - e6 0 1", "expected a pawn that has just gone two steps")
    refuses(GAME, "kkkkkkkk/kkkkkkkk/k7/8/8/8/8/K7 w - - 0 1", "expected at most sixteen pieces")
    refuses(GAME, "p7/8/8/8/8/8/8/K7 w - - 0 1", "expected no pawn on the first or the last rank")


def test_hostile_text() -> None:
    check_hostile(GAME, 6)


def check_mutations(inputs: int) -> None:
    chooser, read = random.Random(5), 0
    texts = [GAME.write_state(s) for s in walk(GAME, 5, 4)]
    for _ in range(inputs):
        text = chooser.choice(texts)
        for _ in range(chooser.randint(1, 4)):
            at = chooser.randrange(len(text) + 1)
            text = text[:at] + chooser.choice(["", *"pnbrqkPNBRQK12345678/ wb-KQkqabcdefgh0é"]) + text[at + chooser.randint(0, 1) :]
        try:
            s = GAME.read_state(text)
        except ZermeloError as error:
            assert " is not a state of antichess: expected " in str(error)
            continue
        read += 1
        assert GAME.read_state(GAME.write_state(s)) == s
        assert sorted(coordinates(GAME, s)) == ([] if GAME.is_drawn(s) else Board(GAME.write_state(s)).moves())
    assert inputs // 50 < read < inputs


def test_mutated_states() -> None:
    check_mutations(2000)


@pytest.mark.slow
def test_many_mutated_states() -> None:
    check_mutations(100_000)


def test_hints() -> None:
    for s in walk(GAME, 7, 3):
        assert GAME.key(s) == GAME.key(s._replace(t=s.t & 1 | 40 << 32 | 20))
        (mirror,) = GAME.symmetries(s)
        assert GAME.count(mirror) == GAME.count(s) and next(iter(GAME.symmetries(mirror))) == s
        if not GAME.is_terminal(s):
            assert -1 < GAME.evaluate(s, 0) == -GAME.evaluate(s, 1) < 1
            assert GAME.evaluate(mirror, 0) == pytest.approx(GAME.evaluate(s, 0))
            assert len(list(GAME.features(s, 0))) == 769
    start = GAME.initial()
    assert GAME.svg(start).startswith("<svg ") and GAME.show(start).startswith("8 r n b q k b n r")


def test_keys_of_different_states_differ() -> None:
    states = {s._replace(t=s.t & 1) for s in walk(GAME, 8, 60)}
    assert len({GAME.key(s) for s in states}) == len(states) > 2000


@pytest.mark.parametrize("wrong", [{"stalemate": "loss"}, {"stalemate": 1}, {"draws": 1}])
def test_bad_parameters(wrong: dict[str, Any]) -> None:
    with pytest.raises(ZermeloError, match=f"antichess: expected {next(iter(wrong))} "):
        Antichess(**wrong)
