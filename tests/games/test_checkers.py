"""Checkers, compared with a board of rows and columns on which pieces jump one by one."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest
from helpers import check_games, check_state, walk

import zermelo
from zermelo.bits import popcount
from zermelo.errors import ZermeloError
from zermelo.games.checkers import Checkers, State, openings
from zermelo.games.checkers.evaluation import terms
from zermelo.games.checkers.moves import BOARD, source, target, turned
from zermelo.games.checkers.text import square
from zermelo.history import History
from zermelo.search.alphabeta.searcher import AlphaBeta

GAME = Checkers()
PERFT = [1, 7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564]
DATA = os.environ.get("ZERMELO_DATA")

Difference = tuple[int, int, frozenset[int]]  # from, to, captured


class Board:
    """The plain way: a dict from (row, column), row 0 on top, to b, B, w or W. Black's men go down."""

    def __init__(self, fen: str) -> None:
        self.turn, *sides = fen.split(":")
        self.pieces: dict[tuple[int, int], str] = {}
        for side in sides[:2]:
            for piece in side[1:].split(",") if side[1:] else []:
                letter = side[0].upper() if piece[0] == "K" else side[0].lower()
                self.pieces[self.at(int(piece.lstrip("K")))] = letter

    @staticmethod
    def at(n: int) -> tuple[int, int]:
        y = (n - 1) // 4
        return y, 2 * ((n - 1) % 4) + 1 - y % 2

    @staticmethod
    def number(y: int, x: int) -> int:
        return 4 * y + x // 2 + 1

    def ways(self, piece: str) -> list[tuple[int, int]]:
        rows = [1, -1] if piece.isupper() else [1] if piece == "b" else [-1]
        return [(dy, dx) for dy in rows for dx in (-1, 1)]

    def jumps(self, at: tuple[int, int], piece: str, taken: tuple[tuple[int, int], ...]) -> Iterator[tuple[tuple[int, int], ...]]:
        """Every chain from here as the squares captured and, at its end, where it ends."""
        y, x = at
        more = False
        for dy, dx in self.ways(piece):
            over, to = (y + dy, x + dx), (y + 2 * dy, x + 2 * dx)
            if self.pieces.get(over, piece).lower() == piece.lower() or over in taken or to in self.pieces:
                continue
            if 0 <= to[0] < 8 and 0 <= to[1] < 8:
                more = True
                if piece.islower() and to[0] in (0, 7):
                    yield (*taken, over, to)  # crowned
                else:
                    yield from self.jumps(to, piece, (*taken, over))
        if not more and taken:
            yield (*taken, at)

    def moves(self) -> set[Difference]:
        mine = {at: piece for at, piece in self.pieces.items() if piece.upper() == self.turn}
        found = set()
        for at, piece in mine.items():
            del self.pieces[at]
            for *taken, end in self.jumps(at, piece, ()):
                found.add((self.number(*at), self.number(*end), frozenset(self.number(*t) for t in taken)))
            self.pieces[at] = piece
        if found:
            return found
        steps = [(at, (at[0] + dy, at[1] + dx)) for at, piece in mine.items() for dy, dx in self.ways(piece)]
        return {
            (self.number(*at), self.number(*to), frozenset())
            for at, to in steps
            if to not in self.pieces and 0 <= to[0] < 8 and 0 <= to[1] < 8
        }

    def play(self, move: Difference) -> None:
        start, end, taken = move
        piece = self.pieces.pop(self.at(start))
        for n in taken:
            del self.pieces[self.at(n)]
        self.pieces[self.at(end)] = piece.upper() if self.at(end)[0] in (0, 7) else piece
        self.turn = "W" if self.turn == "B" else "B"

    def fen(self) -> str:
        def side(letter: str) -> str:
            kinds = [sorted(self.number(*at) for at, p in self.pieces.items() if p == x) for x in (letter, letter.upper())]
            return ",".join([*map(str, kinds[0]), *(f"K{n}" for n in kinds[1])])

        return f"{self.turn}:W{side('w')}:B{side('b')}"


def difference(s: State, a: int) -> Difference:
    return square(source(a), s.turn), square(target(a), s.turn), frozenset(square(i, s.turn) for i in range(35) if (a & BOARD) >> i & 1)


def positions(seed: int, n: int) -> Iterator[State]:
    """Random positions: many kings, and open boards, on which they jump far."""
    chance = random.Random(seed)
    while n:
        black, white, kings = chance.randint(1, 12), chance.randint(1, 12), chance.random()
        squares = chance.sample(range(1, 33), black + white)
        told = [f"K{x}" if chance.random() < kings else str(x) for x in squares]
        try:
            s = GAME.read_state(f"{chance.choice('BW')}:W{','.join(told[black:])}:B{','.join(told[:black])}")
        except ZermeloError:  # a man on its last row
            continue
        yield s
        n -= 1


# ---- rules ---------------------------------------------------------------------------------------


def test_perft() -> None:
    assert [zermelo.perft(GAME, d) for d in range(11)] == PERFT
    assert [zermelo.perft(GAME, d, interpreted=True) for d in range(5)] == PERFT[:5]


@pytest.mark.skipif(DATA is None, reason="ZERMELO_DATA is not set: the published counts are not here")
def test_published_counts() -> None:
    with open(f"{DATA}/checkers/perft_english.json", encoding="utf-8") as file:
        told = json.load(file)["perft"]
    assert {int(d): n for d, n in told.items()} == dict(enumerate(PERFT[1:10], 1))


def test_random_games_as_on_a_plain_board() -> None:
    seen = 0
    for s in walk(GAME, 1, 12):
        board = Board(GAME.write_state(s))
        legal = {difference(s, a): a for a in GAME.actions(s)}
        if s.quiet < GAME.draw_after:
            assert legal.keys() == board.moves()
        for move, a in legal.items():
            after = Board(GAME.write_state(s))
            after.play(move)
            assert GAME.write_state(GAME.result(s, a)).split(":H")[0] == after.fen()
        seen += 1
    assert seen > 500


@pytest.mark.parametrize("n", [1500, pytest.param(100_000, marks=pytest.mark.slow)])
def test_random_positions_as_on_a_plain_board(n: int) -> None:
    circles = 0
    for s in positions(n, n):
        actions = list(GAME.actions(s))
        assert len(actions) == GAME.count(s) == len(set(actions))
        assert {difference(s, a) for a in actions} == Board(GAME.write_state(s)).moves()
        assert GAME.is_terminal(s) is (not actions)
        circles += any(source(a) == target(a) for a in actions)
    assert circles


def test_openspiel_agrees() -> None:
    """OpenSpiel plays each jump as a ply of its own: what it reaches until the turn passes is compared with our results."""
    pyspiel = pytest.importorskip("pyspiel")
    chance, compared = random.Random(3), 0

    def read(state: object, turn: str) -> str:
        rows = [line[1:] for line in str(state).splitlines()[:8]]  # the top row first; o begins below
        board = Board(f"{turn}:W:B")
        for y, row in enumerate(reversed(rows)):
            for x, cell in enumerate(reversed(row)):
                if cell in "o8+*":
                    board.pieces[y, x] = {"o": "b", "8": "B", "+": "w", "*": "W"}[cell]
        return board.fen()

    def turns(state: object, player: int) -> Iterator[object]:
        if state.is_terminal() or state.current_player() != player:
            yield state
            return
        for a in state.legal_actions():
            yield from turns(state.child(a), player)

    while compared < 2000:
        state = pyspiel.load_game("checkers").new_initial_state()
        while not state.is_terminal():
            player = state.current_player()
            after = list(turns(state, player))
            s = GAME.read_state(read(state, "BW"[player]))
            ours = {GAME.write_state(GAME.result(s, a)).split(":H")[0] for a in GAME.actions(s)}
            assert ours == {read(t, "WB"[player]) for t in after}
            state = chance.choice(after)
            compared += 1


def actions(fen: str) -> list[str]:
    s = GAME.read_state(fen)
    return sorted(GAME.write_action(s, a) for a in GAME.actions(s))


def play(s: State, *moves: str) -> State:
    for move in moves:
        s = GAME.result(s, GAME.read_action(s, move))
    return s


def test_captures() -> None:
    assert actions("B:W14,21:B9,10,K17") == ["9x18"]  # forced; a piece beside an own one is not jumped, nor one at the edge
    assert actions("B:W6:B10") == ["10-14", "10-15"]  # a man does not jump backward
    assert actions("B:W6:BK10") == ["10x1"]
    assert actions("B:W14,23,22:B9") == ["9x25", "9x27"]  # the chain must be ended, by either way
    assert actions("B:W25,26:B21") == ["21x30"]  # crowned: 26 is not captured in the same move
    s = play(GAME.read_state("B:W25,26:B21"), "21x30")
    assert GAME.write_state(s) == "W:W26:BK30"


def test_routes_that_differ_only_in_their_order_are_one_action() -> None:
    assert actions("B:W9,10,17,18:BK6") == ["6x6"]
    s = GAME.read_state("B:W9,10,17,18:BK6")
    (a,) = GAME.actions(s)
    assert GAME.order(s, a) == 1 << 20
    assert {GAME.read_action(s, way) for way in ("6x6", "6x13x22x15x6", "6x15x22x13x6", "6x22x6", "6-13-6")} == {a}
    after = GAME.result(s, a)
    assert GAME.write_state(after) == "W:W:BK6" and GAME.is_terminal(after) and GAME.utility(after, 0) == 1
    # three sides of a second square: either circle first, or a way through both
    s = GAME.read_state("B:W9,10,17,18,25,26:BK6")
    assert {difference(s, a) for a in GAME.actions(s)} == Board(GAME.write_state(s)).moves()


def test_equal_ends_are_told_apart_by_the_route() -> None:
    s = GAME.read_state("W:W31:B27,26,18,19")
    assert sorted(GAME.write_action(s, a) for a in GAME.actions(s)) == ["31x22x15", "31x24x15"]
    with pytest.raises(ZermeloError, match="'31x15' is not a legal action here: expected one of 31x24x15, 31x22x15"):
        GAME.read_action(s, "31x15")


def test_who_cannot_move_loses() -> None:
    s = GAME.read_state("W:W5,13:B1,6,9")  # blocked
    assert not list(GAME.actions(s)) and GAME.is_terminal(s) and [GAME.utility(s, p) for p in (0, 1)] == [1, -1]
    late = s._replace(quiet=80)
    assert GAME.is_terminal(late) and GAME.utility(late, 0) == 1


def test_quiet_plies_end_in_a_draw() -> None:
    game = Checkers(draw_after=4)
    s = play(game.initial(), "11-15", "22-18", "15x22")
    assert s.quiet == 0
    s = game.read_state("B:WK32:BK1,5:H2")
    s = play(s, "1-6")
    assert s.quiet == 3 and not game.is_terminal(s)
    end = play(s, "32-28")
    assert end.quiet == 4 and game.is_terminal(end) and game.count(end) == 0 and not list(game.actions(end))
    assert [game.utility(end, p) for p in (0, 1)] == [0, 0]
    assert play(play(game.read_state("B:WK32:BK1,5:H2")), "5-9").quiet == 0


def test_the_third_time_is_a_draw() -> None:
    history = History(GAME, GAME.read_state("B:WK32:BK1"))
    for move in ("1-6", "32-28", "6-1", "28-32") * 2:
        assert not history.is_over
        history.do(GAME.read_action(history.state, move))
    assert history.is_repeated and history.is_over and history.utility(0) == 0 and not list(history.actions())
    assert not GAME.is_terminal(history.state) and history.state.quiet == 8


def test_keys_know_no_clock() -> None:
    s = GAME.read_state("B:WK32:BK1:H7")
    assert GAME.key(s) == GAME.key(s._replace(quiet=0)) == GAME.repetition_key(s)
    assert GAME.key(s) != GAME.key(s._replace(turn=1))
    keys = {GAME.key(s): s for s in positions(4, 1000)}
    assert len(keys) == len(set(keys.values())) > 900


def test_rules_and_text() -> None:
    check_games(GAME, 2, 4)
    for s in positions(5, 150):
        check_state(GAME, s)


@pytest.mark.parametrize("n", [150, pytest.param(10_000, marks=pytest.mark.slow)])
def test_native_games_are_the_interpreted_ones(n: int) -> None:
    native, interpreted = zermelo.playouts(GAME, n, seed=5, threads=1), zermelo.playouts(GAME, n, seed=5, interpreted=True)
    assert (native.moves, native.unfinished, native.utility) == (interpreted.moves, interpreted.unfinished, interpreted.utility)


def test_bad_parameters() -> None:
    for wrong in (0, 10_001, 80.0, True, "80"):
        with pytest.raises(ZermeloError, match="checkers: expected draw_after from 1 to 10000, not "):
            Checkers(draw_after=wrong)  # type: ignore[arg-type]


# ---- hints ---------------------------------------------------------------------------------------


def test_planes_are_the_pieces_as_each_player_sees_them() -> None:
    for s in positions(5, 200):
        inputs = [{64 * k + b for k, word in enumerate(GAME.planes(s, p)) for b in range(64) if word >> b & 1} for p in range(2)]
        assert {i ^ GAME.plane_view(s, 1) for i in inputs[0]} == inputs[1] and GAME.plane_view(s, 0) == 0
        mine, kings = GAME.planes(s, s.turn), s.mine & s.kings
        men = next(iter(mine))
        assert popcount(men & 0xFFFFFFFF) == popcount(s.mine & ~kings) and popcount(men >> 32) == popcount(kings)


def test_evaluation() -> None:
    for s in [*positions(6, 500), *walk(GAME, 7, 3)]:
        value = GAME.evaluate(s, s.turn)
        assert -1 < value < 1 and GAME.evaluate(s, 1 - s.turn) == -value
        assert GAME.evaluate(s._replace(turn=1 - s.turn), 1 - s.turn) == value  # the colours do not matter
        assert [-x for x in GAME.features(s, 0)] == list(GAME.features(s, 1)) and len(list(GAME.features(s, 0))) == 9
        other = State(turned(s.theirs), turned(s.mine), turned(s.kings), s.quiet, 1 - s.turn)
        assert [-x for x in terms(other)[:8]] == list(terms(s)[:8])
    assert GAME.evaluate(GAME.initial(), 0) == 0


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        ("B:W21,22:B1,3,K10", {"men": 0, "kings": 1, "bridge": 2, "centre": 0}),
        ("B:W32:B24", {"advance": 5, "mobility": 0, "runaway": 0, "move": -1}),
        ("B:W32:B20", {"advance": 4, "mobility": -1, "move": 1}),
        ("B:W12,13:B14,K5", {"trapped": 0, "runaway": -1, "move": 1}),
        ("B:WK1,5,6:BK32,K30", {"trapped": -1, "move": 0}),
    ],
)
def test_terms(fen: str, expected: dict[str, int]) -> None:
    names = ["men", "kings", "bridge", "centre", "advance", "mobility", "trapped", "runaway", "move"]
    found = dict(zip(names, terms(GAME.read_state(fen)), strict=True))
    assert {name: found[name] for name in expected} == expected


def test_order_and_noise() -> None:
    s = GAME.read_state("B:W14,22,23,K15,32:B9,10,K1")
    told = {GAME.write_action(s, a): GAME.order(s, a) for a in GAME.actions(s)}
    assert told == {"9x25": 200, "9x27": 200, "10x17x26": 200, "10x19x26": 250}
    assert all(GAME.is_tactical(s, a) for a in GAME.actions(s))
    s = GAME.read_state("B:W12:B25,9,K3")
    ranked = sorted(GAME.actions(s), key=lambda a: -GAME.order(s, a))
    assert [GAME.write_action(s, a).split("-")[0] for a in ranked] == ["25", "25", "9", "9", "3", "3"]
    assert not any(GAME.is_tactical(s, a) for a in ranked)
    assert GAME.is_forcing(GAME.read_state("B:W14:B9")) and not GAME.is_forcing(GAME.initial())
    assert not GAME.is_forcing(GAME.read_state("B:W21:B4"))  # one action, but no capture


@pytest.mark.slow
def test_a_search_sees_the_end() -> None:
    s = GAME.read_state("B:W14,23:B9,10")
    result = AlphaBeta(depth=4).search(GAME, s)
    assert (result.value, GAME.write_action(s, result.action)) == (1, "9x27")


# ---- openings and pictures -----------------------------------------------------------------------


def test_three_move_openings() -> None:
    deck, listed = openings.three_move(GAME), openings.three_move(GAME, barred=True)
    assert (len(deck), len(listed), len(openings.BARRED)) == (156, 174, 18)
    assert len({GAME.key(s) for s in listed.values()}) == 174  # no two lead to the same position
    assert all(s.turn == 1 and s.theirs.bit_count() == 12 for s in listed.values())
    assert GAME.write_state(listed[174]) == GAME.write_state(play(GAME.initial(), "12-16", "24-20", "10-15"))


class Material(Checkers):
    """Judged by the pieces alone."""

    def evaluate(self, s: State, p: int) -> float:
        lead = float(popcount(s.mine) - popcount(s.theirs))
        return (lead if p == s.turn else -lead) / 24.0


@pytest.mark.slow
def test_the_list_of_openings_is_complete() -> None:
    """Who looks nine plies ahead finds that a man is lost in the positions that are not listed, and in no other."""
    game, listed = Material(), {GAME.key(s) for s in openings.three_move(GAME, barred=True).values()}
    states = {GAME.initial()}
    for _ in range(3):
        states = {GAME.result(s, a) for s in states for a in GAME.actions(s)}
    assert len(states) == 216
    for s in states:
        value = AlphaBeta(depth=9).search(game, s).value
        assert (value == 0) is (GAME.key(s) in listed)


@pytest.mark.skipif(DATA is None, reason="ZERMELO_DATA is not set: the ballots are not here")
def test_eleven_man_openings() -> None:
    states = openings.eleven_man(GAME, f"{DATA}/checkers/11_man_english.pdn")
    assert len(states) == len(set(states)) == 1200
    assert all(not s.kings and s.turn == 0 and not GAME.is_terminal(s) for s in states)


def test_pictures() -> None:
    s = GAME.read_state("W:W21,22,K30:B1,2,K14")
    assert GAME.show(s).splitlines() == [
        "  b   b   .   .    1  2  3  4",
        ".   .   .   .      5  6  7  8",
        "  .   .   .   .    9 10 11 12",
        ".   B   .   .     13 14 15 16",
        "  .   .   .   .   17 18 19 20",
        "w   w   .   .     21 22 23 24",
        "  .   .   .   .   25 26 27 28",
        ".   W   .   .     29 30 31 32",
        "White to move",
    ]
    picture = ElementTree.fromstring(GAME.svg(s))
    kinds = [part.tag.rpartition("}")[2] for part in picture]
    assert (kinds.count("circle"), kinds.count("rect")) == (6, 33)
