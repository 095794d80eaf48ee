"""The playout policy of Go: patterns, urgent and vital points, prior values; all compared with boards of single stones."""

from __future__ import annotations

import random

import numpy as np
import pytest

from zermelo.games.go import Go, State
from zermelo.games.go.shapes import SHAPES, table
from zermelo.search import by_name
from zermelo.search.prepare import prepare

GO = Go()
OTHER = {"X": "O", "O": "X"}
ALLOWED = {".": ".", "X": "X", "O": "O", "x": ".O-", "o": ".X-", "?": ".XO-", "-": "-"}


def read(*rows: str, last: str, turn: str = "B", ko: str = "-") -> tuple[Go, State]:
    game = Go(len(rows))
    return game, game.read_state(f"{'/'.join(rows)} {turn} {ko} 0 9 {last}")


def answers(game: Go, s: State, tries: int = 40) -> set[str]:
    chooser = random.Random(1)
    return {game.write_action(s, game.playout_action(s, chooser.getrandbits(64))) for _ in range(tries)}


# ---- shapes ------------------------------------------------------------------------------------


def turned(rows: list[str]) -> list[str]:
    return ["".join(row[i] for row in reversed(rows)) for i in range(3)]


def is_shape(rows: list[str]) -> bool:
    """Whether a drawing of three by three is one of the shapes, by trying all that it may be turned and recoloured to."""
    for colours in (dict(zip("XO.-", "XO.-", strict=True)), dict(zip("XO.-", "OX.-", strict=True))):
        seen = ["".join(colours[c] for c in row) for row in rows]
        for _ in range(4):
            seen = turned(seen)
            for way in (seen, seen[::-1]):
                whole = "".join(way)
                if any(all(c in ALLOWED[want] for c, want in zip(whole, "".join(shape), strict=True)) for shape in SHAPES):
                    return True
    return False


def drawing(game: Go, s: State, a: int) -> list[str]:
    """The point and its eight neighbours, the upper row first; X are the stones of who is to move."""
    y, x = divmod(a, game.row)

    def cell(i: int, j: int) -> str:
        if not (0 <= i < game.size and 0 <= j < game.size):
            return "-"
        return "X" if game.has(s.mine, j * game.row + i) else "O" if game.has(s.theirs, j * game.row + i) else "."

    return ["".join(cell(x + i, y + j) for i in (-1, 0, 1)) for j in (1, 0, -1)]


@pytest.mark.parametrize("size", [3, 7, 9, 13])
def test_shapes_of_real_boards(size: int) -> None:
    game, chooser, met = Go(size), random.Random(size), [0, 0]
    s = game.initial()
    while min(met) < 60:
        if game.is_terminal(s):
            s = game.initial()
        for a in chooser.sample(points := list(game.actions(s))[:-1], min(4, len(points))):
            expected = is_shape(drawing(game, s, a))
            assert game.is_shape(s, a) == expected
            met[expected] += 1
        s = game.result(s, game.sample(s, chooser.getrandbits(64)))


def test_the_table_of_shapes() -> None:
    bits = np.unpackbits(table().astype("<u8").view(np.uint8), bitorder="little")
    assert bits[0] == 0  # nothing around
    mirrored = [(n & 255) << 8 | n >> 8 for n in range(1 << 16)]
    assert (bits == bits[mirrored]).all()  # the colours may be exchanged


# ---- what the last stone asks for ---------------------------------------------------------------


def test_take_what_can_be_taken() -> None:
    game, s = read(".....", ".XX..", "XO.X.", ".X...", ".....", last="B3")
    assert answers(game, s) == {"C3"}


def test_a_ko_is_not_taken_back() -> None:
    game, s = read(".XO.", "XO.O", ".XO.", "....", last="B3", ko="C3")
    assert "C3" not in answers(game, s)


def test_a_group_in_atari_runs_or_takes() -> None:
    game, s = read(".....", "..O..", ".OXO.", ".....", ".....", last="C4")
    assert answers(game, s) == {"C2"}
    game, s = read(".....", "O....", "OX...", "XOX..", ".....", last="A3")
    assert answers(game, s) == {"B1"}  # A1 would not get it out


def test_a_group_that_cannot_run_is_left() -> None:
    game, s = read(".....", ".....", "O....", ".O...", "XO...", last="B1")
    assert "A2" not in answers(game, s)
    assert game.size_of(game.urgent(s, game.point(s.last), game.near(game.point(s.last)), game.rest_of(s.mine, s.theirs))) == 0


@pytest.mark.parametrize(
    ("rows", "last", "vital"),
    [
        (("...XO.", "XXXXO.", "OOOOO.", "......", "......", "......"), "D6", "B6"),  # three in a row at the edge
        ((".XO...", ".XO...", "..XO..", "XXXO..", "OOOO..", "......"), "B6", None),  # four: A3 and A4 are equals
        (("..XO..", "..XO..", ".XXO..", "XOOO..", "O.....", "......"), "C6", "A5"),  # five: the point of three neighbours
    ],
)
def test_vital_points(rows: tuple[str, ...], last: str, vital: str | None) -> None:
    game, s = read(*rows, last=last, turn="W")
    around = game.near(game.point(s.last))
    found = game.vital(s, around, game.rest_of(s.mine, s.theirs))
    assert (None if found < 0 else game.write_action(s, found)) == vital


def test_large_groups_are_not_offered() -> None:
    game, s = read("XX..O", "XXOO.", "OOO..", ".....", ".....", last="E5")
    at, lone = (game.point(game.read_action(s, vertex)) for vertex in ("C5", "D5"))
    empty = game.rest_of(s.mine, s.theirs)
    assert not game.is_sound(s, at, game.near(at), empty)
    assert game.is_sound(s, lone, game.near(lone), empty)  # a stone alone may be thrown in


# ---- priors ------------------------------------------------------------------------------------


def test_priors() -> None:
    game, s = read(".....", ".XX..", "XO.X.", ".X...", ".....", last="B3")
    worth = {game.write_action(s, a): game.prior_value(s, a) for a in game.actions(s)}
    assert max(worth, key=lambda at: worth[at]) == "C3"
    assert all(-1 <= v <= 1 for v in worth.values())
    game, s = read(".XX..", "X.X..", ".XX..", ".....", "....O", last="E1")
    assert game.prior_value(s, game.read_action(s, "B4")) == -1.0  # an own eye
    s = GO.initial()
    worth = {GO.write_action(s, a): GO.prior_value(s, a) for a in GO.actions(s)}
    assert worth["E5"] > worth["B5"] > worth["A5"]


def judged(game: Go, work: object) -> int:
    s = game.unpack(work.start)  # type: ignore[attr-defined]
    for i in range(game.fill(s, work.moves)):  # type: ignore[attr-defined]
        work.priors[i] = game.prior_value(s, work.moves[i])  # type: ignore[attr-defined]
    return game.playout_action(s, work.random)  # type: ignore[attr-defined]


@pytest.mark.parametrize("size", [5, 9])
def test_native_instinct_is_the_interpreted(size: int) -> None:
    game, chooser = Go(size), random.Random(size)
    fields = [("start", "u8", (game.layout.words,)), ("random", "u8", ()), ("moves", "i8", (128,)), ("priors", "f8", (128,))]
    runs = [prepare(game, judged, fields, interpreted) for interpreted in (False, True)]
    s = game.initial()
    for _ in range(120):
        if game.is_terminal(s):
            s = game.initial()
        given = {"start": game.layout.pack(s), "random": chooser.getrandbits(64)}
        native, plain = runs[0](**given), runs[1](**given | {"moves": [0] * 128, "priors": [0.0] * 128})
        assert native.value == plain.value
        assert list(native.priors) == plain.priors
        s = game.result(s, int(native.value))


@pytest.mark.parametrize("size", [2, 5, 9, 19])
def test_planes_show_groups_by_their_liberties(size):
    """As found point by point; and the stones, the ko point and the last stone."""
    game, chance = Go(size), random.Random(size)
    for _ in range(6):
        s = game.initial()
        for _ in range(chance.randrange(size * size)):
            actions = list(game.actions(s))[:-1]
            if not actions or game.is_terminal(s):
                break
            s = game.result(s, chance.choice(actions))
        for p in (0, 1):
            planes = list(game.planes(s, p))
            shown = [set(game.list_of(tuple(planes[i : i + game.words]))) for i in range(0, len(planes), game.words)]
            mine, theirs = (set(game.list_of(stones)) for stones in ((s.mine, s.theirs) if p == s.turn else (s.theirs, s.mine)))
            assert shown[:2] == [mine, theirs]
            assert shown[2:4] == [{s.ko} - {-1}, {s.last} - {-1}]
            found = [set(), set(), set()]
            for stones in (mine, theirs):
                for point in stones:
                    group, todo = {point}, [point]
                    while todo:
                        near = _beside(game, todo.pop()) & stones - group
                        group |= near
                        todo += near
                    free = set().union(*(_beside(game, q) for q in group)) - mine - theirs
                    if len(free) <= 3:
                        found[len(free) - 1].add(point)
            assert shown[6:9] == found


def _beside(game, p):
    return {q for q in (p - 1, p + 1, p - game.row, p + game.row) if q in game.points}


def test_the_default_player_of_a_large_board():
    """Its tables have more rows than CPython nests parentheses."""
    game = Go(14)
    settings = by_name.default_settings(game) | {"simulations": 4}
    native, plain = (by_name.searcher(by_name.default_for(game), **settings, interpreted=x).search(game) for x in (False, True))
    assert (native.action, native.scores) == (plain.action, plain.scores)
