"""Games that would have the same code share it within a process, and no others do, whatever was changed between them."""

from __future__ import annotations

import gc
import sys
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import zermelo
from zermelo.lower import native
from zermelo.search import perft

GAME = """
from typing import NamedTuple

import numpy as np

from zermelo import Game, i64


class State(NamedTuple):
    left: i64
    turn: i64


TAKE = 1
ROWS = np.array([0, 0, 0])


class Amounts:
    LARGE = 3


def most(left):
    return min(Amounts.LARGE, left)


class Heap(Game):
    STEP = 1

    def __init__(self, size: int = 10, extra: float = 0, file: str = ""):
        self.size, self.extra, self.table, self.pair = size, extra, np.array([0, 0, 0]), ((1, 1), (2, 3))
        self.file = file

    @property
    def read(self):
        return int(open(self.file).read()) if self.file else 0

    def initial(self):
        return State(self.size, 0)

    def to_move(self, s):
        return s.turn

    def actions(self, s):
        for k in range(TAKE, most(s.left) + self.read + 1, self.STEP):
            yield k + self.table[k % 3] + self.pair[1][0] - 2

    def result(self, s, a):
        return State(s.left - a, 1 - s.turn)

    def is_terminal(self, s):
        return s.left < TAKE

    def utility(self, s, p):
        return self.extra + (-1 if p == s.turn else 1)
"""


def ask(game: Any, work: Any) -> int:
    s = game.initial()
    work.out = game.utility(s, game.to_move(s))
    return game.fill(s, work.row)


RECORD = np.dtype([("out", "f8"), ("row", "i8", (64,))], align=True)


def text_of(game: Any) -> Any:
    return native._text(game, ask, RECORD, False)[0]


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "heap.py"
    file.write_text(GAME)
    return file


def load(path: Any, **parameters: Any) -> Any:
    return zermelo.game(f"{path}:Heap", **parameters)


def test_two_games_that_hold_the_same_share_their_text(path):
    first, second = load(path), load(path)
    assert type(first) is type(second) and text_of(first) is text_of(second)


def change_attribute(first, second):
    second.size = 12


def change_element(first, second):
    second.table[1] = 1


def change_nested(first, second):
    second.pair = ((1, 1), (3, 3))


def change_to_a_truth(first, second):
    second.pair = ((True, True), (2, 3))


def change_to_a_float(first, second):
    second.extra = 0.0


def change_a_sign(first, second):
    first.extra, second.extra = 0.0, -0.0


def change_class(first, second):
    type(second).STEP = 2


def change_class_of_a_constant(first, second):
    sys.modules[type(second).__module__].Amounts.LARGE = 4


def change_file(first, second):
    sys.modules[type(second).__module__].TAKE = 2


def change_function(first, second):
    sys.modules[type(second).__module__].most = lambda left: left


def shadow_a_builtin(first, second):
    sys.modules[type(second).__module__].min = max


def change_method(first, second):
    def utility(self, s, p):
        return 5

    type(second).utility = utility


def hide_a_method(first, second):
    second.utility = 5


def change_players(first, second):
    second.players = 3


def change_chance(first, second):
    second.has_chance = True


CHANGES = [
    change_attribute,
    change_element,
    change_nested,
    change_to_a_truth,
    change_to_a_float,
    change_a_sign,
    change_class,
    change_class_of_a_constant,
    change_file,
    change_function,
    shadow_a_builtin,
    change_method,
    hide_a_method,
    change_players,
    change_chance,
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_change_between_two_games_is_seen(path, change):
    """Before the second is asked for, and after the first was."""
    first, second = load(path), load(path)
    if change is change_a_sign:
        change(first, second)
    before = text_of(first)
    change(first, second)
    try:
        after = text_of(second)
    except zermelo.errors.LoweringError:
        return  # a lambda, or a method that is a number: refused, and so not shared
    assert after is not before
    assert after.source != before.source or change is change_to_a_truth


def test_what_init_read_from_a_file_is_seen(path, tmp_path):
    number = tmp_path / "number.txt"
    number.write_text("1")
    before = text_of(load(path, file=str(number)))
    assert text_of(load(path, file=str(number))) is before
    number.write_text("2")
    after = text_of(load(path, file=str(number)))
    assert after is not before and after.source != before.source


def test_an_array_that_was_changed_in_place_is_seen(path):
    game = load(path)
    before = text_of(game)
    game.table[2] = 7
    assert text_of(game) is not before


def test_a_subclass_and_another_file_have_texts_of_their_own(path, tmp_path):
    game = load(path)
    other = tmp_path / "other" / "heap.py"
    other.parent.mkdir()
    other.write_text(GAME.replace("return s.left < TAKE", "return s.left <= TAKE"))
    assert text_of(load(other)) is not text_of(game)

    class Larger(type(game)):
        STEP = 3

    assert text_of(Larger()).source != text_of(game).source


def test_a_constant_of_an_algorithm_that_is_changed_is_seen(path, monkeypatch):
    game, module = load(path), sys.modules[__name__]
    record = np.dtype([("row", "i8", (64,))], align=True)
    monkeypatch.setattr(module, "LIMIT", 1, raising=False)
    before = native._text(game, limited, record, False)[0]
    assert native._text(game, limited, record, False)[0] is before
    monkeypatch.setattr(module, "LIMIT", 2)
    assert native._text(game, limited, record, False)[0].source != before.source


def limited(game: Any, work: Any) -> int:
    return game.fill(game.initial(), work.row) + LIMIT  # noqa: F821 - the test sets it


def test_records_and_builds_have_texts_of_their_own(path):
    game = load(path)
    wider = np.dtype([("out", "f8"), ("row", "i8", (128,))], align=True)
    texts = [native._text(game, ask, record, checked)[0] for record in (RECORD, wider) for checked in (False, True)]
    assert len({id(text) for text in texts}) == 4


def test_shared_code_gives_each_game_its_own_answer(path):
    games = [load(path, size=size) for size in (7, 8, 7)]
    assert [perft.perft(g, None) for g in games] == [perft.perft(g, None, interpreted=True) for g in games]


def test_a_game_that_nobody_holds_is_forgotten(path):
    game = load(path)
    text_of(game)
    zermelo.perft(game, 2)
    gone = weakref.ref(game)
    del game
    gc.collect()
    assert gone() is None


def test_threads_that_need_the_same_code_at_once_load_it_once(monkeypatch):
    """Code that was loaded twice ran in an engine that nobody kept: the process ended, one time in seven."""
    made, real = list[str](), native.object_code.Loaded

    def slowly(code: bytes, symbol: str) -> Any:
        made.append(symbol)
        time.sleep(0.05)  # the others come while this one loads
        return real(code, symbol)

    monkeypatch.setattr(native.object_code, "Loaded", slowly)
    monkeypatch.setattr(native, "_loaded", {})
    game = zermelo.game("tictactoe")
    with ThreadPoolExecutor(8) as pool:
        counted = [run.result() for run in [pool.submit(perft.perft, game, 3) for _ in range(8)]]
    assert counted == [504] * 8 and len(set(made)) == len(made) > 0
