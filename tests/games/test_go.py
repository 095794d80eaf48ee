"""Go, compared with a board of single stones, published numbers of positions and well-known cases."""

from __future__ import annotations

import random
from typing import Any

import pytest
from helpers import check_games, check_hostile, refuses, walk

import zermelo
from zermelo.bits import u64
from zermelo.errors import ZermeloError
from zermelo.game import Game
from zermelo.games.go import Go, State
from zermelo.history import History
from zermelo.search.prepare import prepare

GO = Go()
Point = tuple[int, int]


class Naive:
    """The plain way: a dict of stones, groups found stone by stone, a try before every move."""

    def __init__(self, size: int, suicide: bool = False) -> None:
        self.size, self.suicide = size, suicide
        self.stones: dict[Point, int] = {}
        self.turn, self.ko, self.passes = 0, None, 0

    def around(self, at: Point) -> list[Point]:
        x, y = at
        return [(i, j) for i, j in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)) if 0 <= i < self.size and 0 <= j < self.size]

    def group(self, at: Point) -> tuple[set[Point], set[Point]]:
        """The stones joined to this one, and their liberties."""
        stones, liberties, todo = {at}, set(), [at]
        while todo:
            for near in self.around(todo.pop()):
                if near not in self.stones:
                    liberties.add(near)
                elif self.stones[near] == self.stones[at] and near not in stones:
                    stones.add(near)
                    todo.append(near)
        return stones, liberties

    def after(self, at: Point | None) -> Naive | None:
        """The board after a move, or None where it is against the rules."""
        new = Naive(self.size, self.suicide)
        new.stones, new.turn = dict(self.stones), 1 - self.turn
        if at is None:
            new.passes = self.passes + 1
            return new
        if at in self.stones or at == self.ko:
            return None
        new.stones[at] = self.turn
        dead: set[Point] = set()
        for near in self.around(at):
            if new.stones.get(near) == 1 - self.turn and not new.group(near)[1]:
                dead |= new.group(near)[0]
        for stone in dead:
            del new.stones[stone]
        own, liberties = new.group(at)
        if not liberties:
            if not self.suicide or len(own) == 1:
                return None
            for stone in own:
                del new.stones[stone]
        elif len(dead) == len(own) == len(liberties) == 1:
            (new.ko,) = dead
        return new

    def points(self) -> list[Point]:
        return [(x, y) for x in range(self.size) for y in range(self.size)]

    def legal(self) -> set[Point]:
        return {at for at in self.points() if self.after(at) is not None}

    def area(self) -> tuple[int, int]:
        """Points of Black and White: their stones, and empty points from which only theirs are reached."""
        owned = [sum(c == p for c in self.stones.values()) for p in (0, 1)]
        for at in self.points():
            if at not in self.stones:
                seen, todo, reached = {at}, [at], set()
                while todo:
                    for near in self.around(todo.pop()):
                        if near in self.stones:
                            reached.add(self.stones[near])
                        elif near not in seen:
                            seen.add(near)
                            todo.append(near)
                if len(reached) == 1:
                    owned[reached.pop()] += 1
        return owned[0], owned[1]


def point(game: Go, a: int) -> Point | None:
    return None if a == game.pass_ else (a % game.row, a // game.row)


def assert_same(game: Go, s: State, board: Naive) -> None:
    black, white = (s.mine, s.theirs) if s.turn == 0 else (s.theirs, s.mine)
    stones = {point(game, p): c for c, points in enumerate((black, white)) for p in game.list_of(points)}
    assert stones == board.stones
    assert (s.turn, s.passes, None if s.ko < 0 else point(game, s.ko)) == (board.turn, board.passes, board.ko)
    actions = list(game.actions(s))
    assert len(actions) == len(set(actions)) == game.count(s)
    if game.is_terminal(s):
        assert not actions
    else:
        assert actions[-1] == game.pass_
        assert {point(game, a) for a in actions[:-1]} == board.legal()
    mine, theirs = board.area()
    assert game.margin(s, 0) == mine - theirs - game.komi == -game.margin(s, 1)


@pytest.mark.parametrize("suicide", [False, True])
@pytest.mark.parametrize(("size", "plies"), [(2, 600), (3, 600), (5, 500), (7, 250), (9, 150), (13, 20), (19, 10)])
def test_against_single_stones(size: int, plies: int, suicide: bool) -> None:
    """The boards of random games, few passes among them, long enough that groups of all kinds are taken."""
    game, chooser, done = Go(size, suicide=suicide), random.Random(size), 0
    while done < plies:
        s, board = game.initial(), Naive(size, suicide)
        skip = chooser.randrange(2 * size * size) if size > 9 else 0  # large boards: only what comes late
        while not game.is_terminal(s):
            actions = list(game.actions(s))
            a = game.pass_ if chooser.random() < 0.03 else chooser.choice(actions)
            after = board.after(point(game, a))
            assert after is not None
            s, board = game.result(s, a), after
            if s.plies >= skip:
                assert_same(game, s, board)
                done += 1
                if size > 9 and done % 5 == 0:
                    break


def count_boards(game: Any, work: Any) -> int:
    """How many boards of one word have only groups with a liberty, of all that stones of two colours can make."""
    board = u64(game.board[0])
    mine, n = u64(0), 0
    while True:
        free = board & ~mine
        theirs = u64(0)
        while True:
            empty = free & ~theirs
            if not any(game.taken((mine,), (mine,), (empty,))) and not any(game.taken((theirs,), (theirs,), (empty,))):
                n += 1
            theirs = (theirs - free) & free  # the next subset
            if theirs == 0:
                break
        mine = (mine - board) & board
        if mine == 0:
            break
    return n


@pytest.mark.parametrize(("size", "boards"), [(2, 57), (3, 12_675), (4, 24_318_165)])
def test_number_of_legal_positions(size: int, boards: int) -> None:
    """As Tromp and Farnebäck counted them."""
    assert prepare(Go(size), count_boards, [("unused", "i8", ())], False)().value == boards


# ---- cases that players know -------------------------------------------------------------------


def board(*rows: str, turn: str = "B", game: Go | None = None) -> tuple[Go, State]:
    """A game of this size and the state that the rows draw, with some plies before it."""
    game = game or Go(len(rows))
    return game, game.read_state(f"{'/'.join(rows)} {turn} - 0 9")


def play(game: Go, s: State, *moves: str) -> State:
    for move in moves:
        s = game.result(s, game.read_action(s, move))
    return s


def drawn(game: Go, s: State) -> list[str]:
    return game.write_state(s).split()[0].split("/")


def legal(game: Go, s: State) -> set[str]:
    return {game.write_action(s, a) for a in game.actions(s)}


def test_capture_of_several_groups_at_once() -> None:
    game, s = board("..X..", ".XOX.", "XO.OX", ".XOX.", "..X..")
    assert drawn(game, play(game, s, "C3")) == ["..X..", ".X.X.", "X.X.X", ".X.X.", "..X.."]
    game, s = board(".OX..", "OX...", "X....", ".....", ".....")
    s = play(game, s, "A5")
    assert drawn(game, s) == ["X.X..", ".X...", "X....", ".....", "....."]
    assert s.ko < 0  # two stones make no ko


def test_ko() -> None:
    game, s = board(".XO.", "X.XO", ".XO.", "....", turn="W")
    s = play(game, s, "B3")
    assert drawn(game, s) == [".XO.", "XO.O", ".XO.", "...."]
    assert game.write_action(s, s.ko) == "C3"
    assert "C3" not in legal(game, s)
    with pytest.raises(ZermeloError, match=r"'C3' is not a legal action here: .* it takes back a ko"):
        game.read_action(s, "C3")
    later = play(game, s, "A1", "D1")  # a threat and its answer, and it may be taken back
    assert "C3" in legal(game, later)
    assert drawn(game, play(game, later, "C3"))[1] == "X.XO"
    assert "C3" in legal(game, play(game, s, "pass", "A1"))


def test_snapback() -> None:
    """A stone is thrown in and taken, and at once all that took it: no ko, as more than a stone is taken back."""
    game, s = board(".....", ".....", "OOOOO", "OXXXO", "OX..O", turn="W")
    s = play(game, s, "C1", "D1")
    assert drawn(game, s)[3:] == ["OXXXO", "OX.XO"]
    assert s.ko < 0
    assert drawn(game, play(game, s, "C1"))[2:] == ["OOOOO", "O...O", "O.O.O"]


def test_suicide() -> None:
    rows = (".X...", "X....", "X....", "OX...", ".X...")
    game, s = board(*rows, turn="W")
    assert "A5" not in legal(game, s)
    assert "A1" not in legal(game, s)
    with pytest.raises(ZermeloError, match="a stone there would have no liberty"):
        game.read_action(s, "A1")
    game, s = board(*rows, turn="W", game=Go(5, suicide=True))
    assert "A5" not in legal(game, s)  # a stone alone would leave the board as it was
    assert drawn(game, play(game, s, "A1")) == [".X...", "X....", "X....", ".X...", ".X..."]
    game, s = board("OX...", ".OX..", "OX...", "X....", ".....")  # no suicide if it takes
    assert drawn(game, play(game, s, "A4"))[:3] == [".X...", "X.X..", ".X..."]


def test_scoring() -> None:
    game, s = board(".X.O.", ".X.O.", ".X.O.", ".X.O.", ".X.O.")
    assert game.margin(s, 0) == -7  # the column between is nobody's
    assert game.margin(game.initial(), 1) == 7
    game, s = board("XX.O", ".X.O", "X.XO", "XXOO", game=Go(4, komi=0.5, score=True))
    s = play(game, s, "pass", "pass")
    assert game.is_terminal(s)
    assert [game.utility(s, p) for p in (0, 1)] == [9 - 5 - 0.5, -3.5]
    game, s = board("X..", "...", "...", game=Go(3, komi=9))
    s = play(game, s, "pass", "pass")
    assert [game.utility(s, p) for p in (0, 1)] == [0, 0]  # one stone owns the board, and komi is the board
    assert [Go(3, komi=8.5).utility(s, p) for p in (0, 1)] == [1, -1]


def test_the_limit_ends_the_game() -> None:
    game = Go(3, limit=4)
    s = play(game, game.initial(), "B2", "A1", "A2")
    assert not game.is_terminal(s)
    s = play(game, s, "C3")
    assert game.is_terminal(s) and game.count(s) == 0 and not list(game.actions(s))
    assert Go(19).limit == 3 * 361
    assert game.key(s) == Go(3).key(s._replace(plies=8))


@pytest.mark.parametrize(("size", "plies"), [(2, 400), (3, 250)])
def test_superko(size: int, plies: int) -> None:
    """No board comes back in a History, but to let it stand by a pass; all else is as without."""
    game, chooser, refused = Go(size, limit=1000), random.Random(size), 0
    while plies > 0:
        history, naive = History(game), Naive(size)
        seen = [dict(naive.stones)]
        while not history.is_over and plies > 0:
            found = {point(game, a) for a in history.actions()} - {None}
            wanted = {at for at in naive.legal() if (after := naive.after(at)) is not None and after.stones not in seen}
            assert found == wanted
            refused += len(naive.legal()) - len(wanted)
            a = chooser.choice([a for a in history.actions() if a != game.pass_] or [game.pass_])
            after = naive.after(point(game, a))
            assert after is not None
            naive = after
            history.do(a)
            seen.append(dict(naive.stones))
            plies -= 1
    assert refused >= 10


# ---- hints -------------------------------------------------------------------------------------


class Listed(Go):
    """The same game without a `sample` of its own: playouts list the actions."""

    sample = Game.sample


def test_drawn_games_are_as_long_as_listed_ones() -> None:
    """A second draw that hangs together with the next one of the caller would show here."""
    drawn, listed = zermelo.playouts(GO, 4096, threads=1), zermelo.playouts(Listed(), 4096, threads=1)
    assert drawn.moves / 4096 == pytest.approx(listed.moves / 4096, abs=1.5)
    assert drawn.utility[0] == pytest.approx(listed.utility[0], abs=0.08)
    assert 119 < drawn.moves / 4096 < 127
    assert drawn.unfinished == 0


def test_native_games_are_the_interpreted_ones() -> None:
    runs = [zermelo.playouts(GO, 6, seed=5, threads=1, interpreted=interpreted) for interpreted in (False, True)]
    assert (runs[0].moves, runs[0].utility) == (runs[1].moves, runs[1].utility)


def naive_eyes(board: Naive) -> set[Point]:
    """Points among own stones whose corners the other does not hold."""
    eyes = set()
    for x, y in board.points():
        if (x, y) not in board.stones and all(board.stones.get(at) == board.turn for at in board.around((x, y))):
            corners = [(i, j) for i in (x - 1, x + 1) for j in (y - 1, y + 1)]
            inside = [c for c in corners if min(c) >= 0 and max(c) < board.size]
            if sum(board.stones.get(c) == 1 - board.turn for c in inside) < (2 if len(inside) == 4 else 1):
                eyes.add((x, y))
    return eyes


def offers(board: Naive, at: Point) -> int:
    """How many stones the other could take at once after a stone here that took none."""
    after = board.after(at)
    assert after is not None
    stones, liberties = after.group(at)
    return len(stones) if len(liberties) == 1 and len(after.stones) > len(board.stones) else 0


@pytest.mark.parametrize("size", [3, 5, 7, 9])
def test_playouts_leave_eyes_alone(size: int) -> None:
    """They pass only where nothing is left but own eyes and points at which three stones or more could be taken at once."""
    game, chooser, met = Go(size), random.Random(size), 0
    for _ in range(600 // size**2 + 1):
        s, board = game.initial(), Naive(size)
        while not game.is_terminal(s):
            eyes = naive_eyes(board)
            assert {point(game, p) for p in game.list_of(game.eyes(s))} == eyes
            a = game.playout_action(s, chooser.getrandbits(64))
            assert a in game.actions(s)
            assert point(game, a) not in eyes
            assert a != game.pass_ or all(offers(board, at) >= 3 for at in board.legal() - eyes)
            met += len(eyes)
            after = board.after(point(game, a))
            assert after is not None
            s, board = game.result(s, a), after
    assert met > 10


@pytest.mark.parametrize("score", [False, True])
def test_hints_keep_what_they_promise(score: bool) -> None:
    game = Go(3, komi=1.0, score=score)
    claims = 0
    for s in walk(game, 3, 40):
        if game.is_terminal(s):
            continue
        assert game.evaluate(s, 0) == -game.evaluate(s, 1)
        assert abs(game.evaluate(s, 0)) < (100 if score else 1)
        for a in game.actions(s):
            after, order = game.result(s, a), game.order(s, a)
            assert game.is_tactical(s, a) == (a != game.pass_ and sum(map(int.bit_count, after.mine)) < sum(map(int.bit_count, s.theirs)))
            assert abs(order) <= 1 << 20
            claims += abs(order) == 1 << 20
            if order >= 1 << 20:
                assert game.is_terminal(after) and game.utility(after, s.turn) == 1
            if order <= -(1 << 20):
                assert any(game.utility(t, s.turn) == -1 for b in game.actions(after) if game.is_terminal(t := game.result(after, b)))
    assert (claims > 0) is not score


def test_estimates() -> None:
    game, s = board(".X.O.", ".X.O.", ".X.O.", ".X.O.", ".X.O.", game=Go(5, komi=0, score=True))
    assert game.evaluate(s, 0) == 0
    game, s = board("....", ".X..", "....", "....", game=Go(4, komi=0))
    assert game.evaluate(s, 0) > 0.7
    game, s = board(".XO.", "X.XO", ".XO.", "....", turn="W")
    ways = sorted(game.actions(s), key=lambda a: -game.order(s, a))
    assert game.write_action(s, ways[0]) == "B3"  # it takes a stone


def test_symmetries() -> None:
    game = Go(5)
    s = game.read_state(".XO../XO.O./.XO../...../..... B C4 0 9")
    images = list(game.symmetries(s))
    assert len(set(images)) == 7
    assert {game.count(t) for t in images} == {game.count(s)}
    assert {drawn(game, t)[0] for t in images} == {"..OX.", ".X...", "...X.", "....."}
    assert all(t.ko >= 0 and t.plies == 9 for t in images)


# ---- text --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "games"), [(2, 3), (3, 2), (5, 1)])
def test_rules_and_text(size: int, games: int) -> None:
    check_games(Go(size), 4, games)


def test_notation() -> None:
    game = Go(4)
    s = play(game, game.initial(), "b2", " C3 ", "PASS")
    assert game.write_state(s) == "..../..O./.X../.... W - 1 3"
    assert game.write_action(s, s.ko + 1) == "A1"
    assert game.show(s).splitlines() == [
        "  A B C D",
        "4 . . . . 4",
        "3 . . O . 3",
        "2 . X . . 2",
        "1 . . . . 1",
        "  A B C D",
        "White (O) to move",
    ]
    last = Go(19).points[-1]
    assert Go(19).write_action(s, last) == "T19"
    assert Go(9).write_action(s, 8) == "J1"  # there is no I
    for wrong in ("", "I1", "A0", "E1", "A5", "A01", "B2B", "pas"):
        with pytest.raises(ZermeloError, match="not an action of go: expected a point from A1 to D4, or pass"):
            game.read_action(s, wrong)
    with pytest.raises(ZermeloError, match="there is a stone"):
        game.read_action(s, "B2")
    refuses(game, "..../..O./.X../....", "4 rows of 4 points")
    refuses(game, "..../..O./.X../... W - 1 3", "4 rows of 4 points")
    refuses(game, "X.../OX../.... /.... W - 0 3", "4 rows of 4 points")
    refuses(game, "XO../O.../..../.... B - 0 3", "a liberty for every group")
    refuses(game, "..../..../..../.... B - 2 1", "plies from 2")
    refuses(game, "..../..../..../.... B - 0 49", "to 48, the limit")
    refuses(game, "..../..../..../.... B - 0 03", "plies from 0")
    refuses(game, ".XO./XO.O/.XO./.... B D1 0 9", "a ko point where")
    refuses(game, ".XO./XO.O/.XO./.... B C3 1 9", "a ko point where")
    refuses(game, ".XO./XO.O/.XO./.... W C3 0 9", "a ko point where")
    refuses(game, ".XO./XO.O/.XO./.... B E9 0 9", "a ko point from A1 to D4")
    assert game.read_state(".XO./XO.O/.XO./.... B C3 0 9").ko == 2 * 5 + 2


def test_picture() -> None:
    game, s = board(".XO.", "X.XO", ".XO.", "....", turn="W")
    picture = game.svg(play(game, s, "B3"))
    assert picture.count("<circle") == 7
    assert "Black (X) to move, not at C3 (ko)" in picture
    stars = {size: Go(size).show(Go(size).initial()).count("+") for size in (2, 3, 5, 7, 9, 13, 18, 19)}
    assert stars == {2: 0, 3: 1, 5: 1, 7: 5, 9: 5, 13: 5, 18: 4, 19: 9}


def test_hostile_text() -> None:
    check_hostile(Go(3), 6)
    check_hostile(Go(5, suicide=True), 7)


@pytest.mark.slow
def test_much_hostile_text() -> None:
    """Real states of a board spoiled: each is refused in one sentence or is played on with."""
    game, chooser = Go(5), random.Random(8)
    texts = [game.write_state(s) for s in walk(game, 9, 40)]
    for _ in range(100_000):
        text = chooser.choice(texts)
        for _ in range(chooser.randrange(1, 4)):
            at = chooser.randrange(len(text))
            text = text[:at] + chooser.choice("XO./BW-A5C0129 ") + text[at + chooser.randrange(2) :]
        try:
            s = game.read_state(text)
        except ZermeloError as error:
            assert str(error).startswith(f"'{text}' is not a state of go: expected ")
        else:
            assert game.read_state(game.write_state(s)) == s
            if not game.is_terminal(s):
                assert game.layout.fault(game.result(s, game.sample(s, chooser.getrandbits(64)))) is None


@pytest.mark.parametrize(
    "wrong",
    [
        *({"size": wrong} for wrong in (1, 20, "9", True)),
        *({"komi": wrong} for wrong in (float("nan"), "7", 400)),
        *({"limit": wrong} for wrong in (-1, 1 << 15, 1.5)),
        {"suicide": 1},
        {"score": 0},
    ],
)
def test_bad_parameters(wrong: dict[str, Any]) -> None:
    with pytest.raises(ZermeloError, match=f"go: expected {next(iter(wrong))} "):
        Go(**wrong)
