"""Othello, compared with a plain board, and with published counts and scores."""

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
from zermelo.games.othello import Othello, State
from zermelo.notation import obf, xot
from zermelo.search.alphabeta.searcher import AlphaBeta

BIG, SCORED = Othello(), Othello(score=True)
DATA = Path(os.environ.get("ZERMELO_DATA", "missing")) / "othello"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="ZERMELO_DATA names no folder with othello/")
WAYS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


class Plain:
    """The plain way: a dict of squares, and a walk in each direction."""

    def __init__(self, size: int) -> None:
        self.size, self.turn, mid = size, "X", size // 2
        self.at = {(mid, mid - 1): "X", (mid - 1, mid): "X", (mid - 1, mid - 1): "O", (mid, mid): "O"}

    def turned(self, x: int, y: int, side: str) -> list[tuple[int, int]]:
        found = []
        for dx, dy in WAYS if (x, y) not in self.at else []:
            run, at = [], (x + dx, y + dy)
            while at in self.at and self.at[at] != side:
                run.append(at)
                at = (at[0] + dx, at[1] + dy)
            if at in self.at:
                found += run
        return found

    def moves(self, side: str) -> list[int]:
        return [i for i in range(self.size**2) if self.turned(i % self.size, i // self.size, side)]

    def actions(self) -> list[int]:
        other = "XO"[self.turn == "X"]
        return self.moves(self.turn) or ([self.size**2] if self.moves(other) else [])

    def play(self, a: int) -> None:
        x, y = a % self.size, a // self.size
        if a < self.size**2:
            for square in [*self.turned(x, y, self.turn), (x, y)]:
                self.at[square] = self.turn
        self.turn = "XO"[self.turn == "X"]

    def text(self) -> str:
        return "".join(self.at.get((i % self.size, i // self.size), "-") for i in range(self.size**2)) + " " + self.turn

    def score(self) -> int:
        black, white = (list(self.at.values()).count(side) for side in "XO")
        empty = self.size**2 - black - white
        return black - white + (empty if black > white else -empty if white > black else 0)


@pytest.mark.parametrize(("size", "games"), [(4, 60), (6, 20), (8, 12)])
def test_against_a_plain_board(size: int, games: int) -> None:
    game, scored, chooser, passes = Othello(size), Othello(size, True), random.Random(1), 0
    for _ in range(games):
        s, plain = game.initial(), Plain(size)
        while not game.is_terminal(s):
            assert list(game.actions(s)) == plain.actions()
            assert game.count(s) == len(plain.actions())
            a = chooser.choice(plain.actions())
            passes += a == size * size
            s = game.result(s, a)
            plain.play(a)
            assert game.write_state(s) == plain.text()
        assert plain.actions() == []
        assert scored.utility(s, 0) == plain.score() == -scored.utility(s, 1)
        assert game.utility(s, 0) == (plain.score() > 0) - (plain.score() < 0)
    assert passes > 0


def test_perft() -> None:
    """The published counts; of a finished game nothing follows, so the 10th is 24,571,056 (test below)."""
    counts = [1, 4, 12, 56, 244, 1396, 8200, 55092, 390216]
    assert [zermelo.perft(BIG, depth) for depth in range(9)] == counts
    if DATA.is_dir():
        assert json.loads((DATA / "perft.json").read_text())["depths_1_to_7"] == counts[1:8]


@pytest.mark.slow
def test_perft_deep() -> None:
    assert zermelo.perft(BIG, 9) == 3_005_288
    assert zermelo.perft(BIG, 10) == 24_571_056


def best(game: Othello, s: State, known: dict[State, float]) -> float:
    """What s is worth to Black, by minimax."""
    if s not in known:
        if game.is_terminal(s):
            known[s] = game.utility(s, 0)
        else:
            known[s] = (max, min)[s.turn](best(game, game.result(s, a), known) for a in game.actions(s))
    return known[s]


def test_four_by_four_is_solved() -> None:
    """White wins 11 to 3 with two squares empty, hence by 10."""
    game = Othello(4, True)
    assert AlphaBeta().search(game).value == -10
    assert best(game, game.initial(), {}) == -10


def problems(most: int) -> list[obf.Problem]:
    found = [p for file in sorted(DATA.glob("*.obf")) for p in obf.read(file.read_text())]
    return [p for p in found if p.position.count("-") <= most]


@needs_data
def test_scores_of_endgames() -> None:
    """The four best moves of the FFO endgames with up to 14 empty squares have the scores that are told."""
    few = problems(14)
    assert len(few) >= 8
    for problem in few:
        s = SCORED.read_state(problem.position)
        for move, score in list(problem.scores.items())[:4]:
            after = SCORED.result(s, SCORED.read_action(s, move))
            assert AlphaBeta(deepening=False).search(SCORED, after).values[s.turn] == score, (problem, move)


@needs_data
@pytest.mark.slow
def test_scores_of_longer_endgames() -> None:
    for problem in problems(18):
        s = SCORED.read_state(problem.position)
        assert AlphaBeta(table=256).search(SCORED, s).value == problem.score, problem


@needs_data
def test_formats_of_the_suites() -> None:
    for file in DATA.glob("*.obf"):
        lines = file.read_text().splitlines()
        for line in lines:
            problem = obf.read_line(line)
            scores = (f"{move.upper()}:{score:+d};" for move, score in problem.scores.items())
            assert " ".join([f"{problem.position};", *scores]) == line.strip()
            s = BIG.read_state(problem.position)
            assert BIG.write_state(s) == problem.position
            assert {BIG.read_action(s, move) for move in problem.scores} <= set(BIG.actions(s))
    openings = list(xot.read((DATA / "xot_openingslarge.txt").read_text()))
    assert len(openings) > 5000
    for moves in openings[::50]:
        s = BIG.read_state(xot.write_moves(moves))
        assert (s.mine | s.theirs).bit_count() == 4 + len(moves)


def test_formats() -> None:
    start = "---------------------------OX------XO--------------------------- X"
    assert BIG.write_state(BIG.initial()) == start
    line = f"{start}; F5:+0; D3:-2;"
    assert obf.read_line(line + " % begin") == obf.Problem(start, {"f5": 0, "d3": -2})
    assert obf.read_line(line).score == 0 and obf.Problem(start).score is None
    assert list(obf.read(f"% a comment\n\n{line}\n")) == [obf.read_line(line)]
    for wrong in ("", ";", "--- X;", start, f"{start} F5:+0", f"{start}; F5", f"{start}; F5:+100;", f"{start}; F5:+0; f5:+2;"):
        if wrong == start:
            assert obf.read_line(wrong).scores == {}
        else:
            with pytest.raises(ZermeloError, match="is not a line of OBF: expected"):
                obf.read_line(wrong)
    assert xot.read_moves(" F5d6--c3 pass ") == ["f5", "d6", "--", "c3", "pass"]
    with pytest.raises(ZermeloError, match="expected squares like f5d6c4, not 'i9'"):
        xot.read_moves("f5i9")


def test_notation() -> None:
    s = BIG.read_state("f5d6c3")
    assert BIG.write_state(s) == "------------------X--------XX------OXX-----O-------------------- O"
    assert [BIG.write_action(s, a) for a in BIG.actions(s)] == ["d3", "f3", "f4", "g5"]
    assert BIG.read_action(BIG.initial(), "F5") == BIG.read_action(BIG.initial(), " f5 ") == 37
    assert BIG.show(BIG.initial()).splitlines()[4] == "4 - - - O X - - -"
    ElementTree.fromstring(BIG.svg(s))
    refuses(BIG, "-" * 64 + " X", "hang together with the four in the middle")
    refuses(BIG, "X" + BIG.write_state(BIG.initial())[1:], "hang together")
    refuses(BIG, "f5f5", "a legal move where the 2. is f5")
    refuses(BIG, "f5 X", "64 squares X, O or -")


def test_a_pass_is_forced_and_may_be_left_out() -> None:
    """A game in which White must pass: written with and without it, it is the same."""
    for seed in range(40):
        moves, s, chooser, passed = [], BIG.initial(), random.Random(seed), 0
        while not BIG.is_terminal(s):
            a = chooser.choice(list(BIG.actions(s)))
            moves.append(BIG.write_action(s, a))
            passed += moves[-1] == "pass"
            s = BIG.result(s, a)
        assert BIG.read_state(xot.write_moves(moves)) == BIG.read_state("".join(m for m in moves if m != "pass")) == s
        if passed:
            assert BIG.read_state("".join("--" if m == "pass" else m for m in moves)) == s
            return
    pytest.fail("no game had a pass")


@pytest.mark.parametrize("size", [4, 6, 8])
def test_rules_and_text(size: int) -> None:
    check_games(Othello(size), 3, 2)


@pytest.mark.parametrize("size", [4, 6, 8])
def test_native_is_interpreted(size: int) -> None:
    there, here = (zermelo.playouts(Othello(size), 100, seed=5, threads=1, interpreted=i) for i in (False, True))
    assert (there.moves, there.utility) == (here.moves, here.utility)


@pytest.mark.slow
def test_native_is_interpreted_in_many_games() -> None:
    there, here = (zermelo.playouts(BIG, 10_000, seed=6, threads=1, interpreted=i) for i in (False, True))
    assert (there.moves, there.utility) == (here.moves, here.utility)


def test_random_play_is_like_that_of_openspiel() -> None:
    spiel = pytest.importorskip("pyspiel").load_game("othello")
    chooser = random.Random(3)
    for _ in range(5):
        s, other = BIG.initial(), spiel.new_initial_state()
        while not other.is_terminal():
            assert list(BIG.actions(s)) == other.legal_actions()
            a = chooser.choice(other.legal_actions())
            s = BIG.result(s, a)
            other.apply_action(a)
        assert BIG.is_terminal(s)
        assert [BIG.utility(s, p) for p in (0, 1)] == other.returns()


@pytest.mark.parametrize("size", [4, 6, 8])
def test_hints(size: int) -> None:
    for score in (False, True):
        game = Othello(size, score)
        for s in walk(game, 2, 3):
            if game.is_terminal(s):
                continue
            assert game.evaluate(s, 0) == -game.evaluate(s, 1)
            assert abs(game.evaluate(s, 0)) < (size * size if score else 1)
            for t in game.symmetries(s):
                assert game.evaluate(t, 0) == pytest.approx(game.evaluate(s, 0))
                assert sorted(game.order(t, a) for a in game.actions(t)) == sorted(game.order(s, a) for a in game.actions(s))
            mine = list(game.features(s, s.turn))
            assert len(mine) == 1 + size * size and mine == [-x for x in game.features(s, 1 - s.turn)]
            assert all(abs(game.order(s, a)) < 1 << 19 for a in game.actions(s))


def test_evaluation_knows_corners_from_their_neighbours() -> None:
    base = "--------" * 2 + "---OO---" + "--XXXO--" + "--XOXO--" + "---OX---" + "--------" * 2 + " X"
    plain = BIG.evaluate(BIG.read_state(base), 0)
    diagonal = "--------" + "-X------" + base[16:]
    corner = "X-------" + "-X------" + base[16:]
    values = [BIG.evaluate(State(*_sets(text), 0), 0) for text in (diagonal, corner)]
    assert values[0] < plain < values[1]


def _sets(text: str) -> tuple[int, int]:
    black, white = (sum(1 << i for i, letter in enumerate(text[:64]) if letter == side) for side in "XO")
    return black, white


def test_stable_discs() -> None:
    edge = sum(1 << i for i in (0, 1, 2, 4, 8, 16, 32, 63, 62, 9))
    assert BIG.stable(edge) == sum(1 << i for i in (0, 1, 2, 8, 16, 63, 62))


def test_hostile_text() -> None:
    check_hostile(BIG, 6)
    check_hostile(Othello(4), 7)


@pytest.mark.slow
def test_hostile_text_at_length() -> None:
    chooser = random.Random(8)
    states = [BIG.write_state(s) for s in walk(BIG, 9, 3)]
    texts = states + [f"{t}; F5:+2; --:-64;" for t in states] + ["f5d6c4d3c2b3b4b5", "f5d6--c3"]
    for _ in range(100_000):
        text = list(chooser.choice(texts))
        for _ in range(chooser.randint(1, 4)):
            at = chooser.randrange(len(text) + 1)
            text[at : at + chooser.randint(0, 2)] = chooser.choice(["", "X", "O", "-", " ", ";", "a1", "h8", ":", "é", "+9", "\n", "%"])
        for read in (BIG.read_state, obf.read_line, xot.read_moves):
            try:
                found: Any = read("".join(text))
            except ZermeloError as error:
                assert "expected" in str(error)
            else:
                if isinstance(found, State):
                    assert BIG.read_state(BIG.write_state(found)) == found
                    assert BIG.is_terminal(found) == (BIG.count(found) == 0)


@pytest.mark.parametrize("wrong", [{"size": 5}, {"size": 10}, {"size": "8"}, {"size": True}, {"size": 8.0}, {"score": 1}])
def test_bad_parameters(wrong: dict[str, Any]) -> None:
    with pytest.raises(ZermeloError, match=f"othello: expected {next(iter(wrong))} "):
        Othello(**wrong)
