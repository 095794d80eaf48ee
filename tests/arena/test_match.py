"""Matches: pairs, the same games at any concurrency, named faults, SPRT, worker processes that die."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import zermelo
from zermelo import ZermeloError
from zermelo.arena import openings
from zermelo.arena.clock import Control
from zermelo.arena.match import Match, Starts, play_match
from zermelo.arena.rating.sprt import Sprt
from zermelo.arena.records.store import Slot, Store
from zermelo.arena.referee import Terms
from zermelo.arena.tally import Tally, as_object, in_short, lines, rows
from zermelo.lookup.build import build_table
from zermelo.notation.sheet import Ending


def games(store):
    """All that was played, by place: who, what, and what came of it."""
    return {
        g.slot: (g.about.players, g.about.start, [(m.seat, m.action, m.note) for m in store.moves(g.id)], g.ending.result, g.ending.reason)
        for g in store.games()
    }


def play(path, game, first, second, n, concurrency=1, **settings):
    match = Match(zermelo.game(game), (first, second), n, **settings)
    with Store(path) as store:
        tally = play_match(match, store, concurrency)
        return tally, games(store)


def test_the_same_games_whatever_the_processes(tmp_path):
    players = "alphabeta:depth=2,interpreted=true", "mcts:simulations=20,interpreted=true"
    one, first = play(tmp_path / "one", "connect4", *players, 12)
    three, second = play(tmp_path / "three", "connect4", *players, 12, concurrency=3)
    assert first == second and len(first) == 12
    assert one.pairs == three.pairs and sum(one.pairs) == 6
    _, other = play(tmp_path / "other", "connect4", *players, 2, seed=1)
    assert other[Slot(0, 0, 0)] != first[Slot(0, 0, 0)]


def test_pairs_have_their_opening_in_common_and_change_sides(tmp_path):
    _, found = play(tmp_path / "r", "connect4", "random", "greedy", 8)
    starts = set()
    for pair in range(4):
        one, two = (found[Slot(0, pair, side)] for side in (0, 1))
        assert one[0] == ("random", "greedy") and two[0] == ("greedy", "random")
        assert [m for m in one[2] if m[2] == "book"] == [m for m in two[2] if m[2] == "book"] and len(one[2]) > 4
        starts.add(tuple(one[2][:4]))
    assert len(starts) == 4


def test_pairs_have_their_dice_in_common(tmp_path):
    tally, found = play(tmp_path / "r", "pig:target=20", "random", "random", 6)
    for pair in range(3):
        one, two = ([m[1] for m in found[Slot(0, pair, side)][2] if m[0] == -1] for side in (0, 1))
        n = min(len(one), len(two))
        assert n > 0 and one[:n] == two[:n]
    assert not any(m[2] for game in found.values() for m in game[2])  # with dice no opening is needed
    assert tally.games == 6 and not tally.has_luck


def test_a_match_may_get_more_games(tmp_path):
    _, four = play(tmp_path / "r", "tictactoe", "random", "greedy", 4)
    tally, six = play(tmp_path / "r", "tictactoe", "random", "greedy", 6)
    assert tally.games == 6 and {slot: six[slot] for slot in four} == four
    again, same = play(tmp_path / "r", "tictactoe", "random", "greedy", 6)
    assert same == six and again.pairs == tally.pairs
    fewer, _ = play(tmp_path / "r", "tictactoe", "random", "greedy", 2)
    assert fewer.games == 2
    play(tmp_path / "r", "tictactoe", "greedy", "random", 2)  # another match
    with Store(tmp_path / "r") as store:
        assert len(store.events()) == 2 and len(list(store.games())) == 8


def test_the_test_ends_the_match(tmp_path):
    for concurrency in (1, 2):
        with Store(tmp_path / str(concurrency)) as store:
            match = Match(zermelo.game("connect4"), ("alphabeta:depth=2,interpreted=true", "random"), 1000, sprt=Sprt(0, 200))
            tally = play_match(match, store, concurrency)
            assert tally.verdict == "H1" and tally.games < 200
            assert all(g.ending is not None for g in store.games())
            again = play_match(match, store, concurrency)
            assert (again.games, again.llr, again.verdict) == (tally.games, tally.llr, "H1")
    assert "H1 accepted" in "\n".join(lines(tally, 1000))


BAD = """\
import json, os, sys, time
kind, taken = sys.argv[1], set()
for line in sys.stdin:
    asked = json.loads(line)
    answer = {"id": asked["id"]}
    if asked["command"] == "choose":
        if kind == "hang":
            time.sleep(3600)
        if kind == "death":
            os._exit(3)
        if kind == "garbage":
            answer["action"] = 7
        if kind == "flood":
            while True:
                print("x" * 100000, flush=True)
        if kind == "illegal":
            answer["action"] = "z99"
        if kind == "time":
            time.sleep(1.5)
            answer["action"] = next(c + r for c in "abc" for r in "123" if c + r not in taken)
    if asked["command"] == "new":
        taken.clear()
    if asked["command"] == "play":
        taken.add(asked["action"])
    print(json.dumps(answer), flush=True)
"""


@pytest.mark.parametrize(
    ("kind", "named"),
    [
        ("death", {"death"}),
        ("garbage", {"garbage"}),
        ("illegal", {"illegal move"}),
        ("flood", {"flood"}),
        ("hang", {"hang"}),
        ("time", {"time"}),
    ],
)
def test_faults_are_named_and_the_match_goes_on(tmp_path, kind, named):
    bad = tmp_path / "bad.py"
    bad.write_text(BAD)
    engine = f"json:{sys.executable} {bad} {kind}"
    tally, found = play(tmp_path / "r", "tictactoe", engine, "random", 2, terms=Terms(Control.read("1")))
    assert tally.games == len(found) == 2 and tally.counts == [2, 0, 0]
    assert set(tally.faults[0]) <= named and sum(tally.faults[0].values()) == 2 and not tally.faults[1]
    assert {result[4] for result in found.values()} <= named
    told = rows((engine, "random"), tally)[0]
    assert told[5] == "2" if kind == "time" else next(iter(tally.faults[0])) in told[6]


def game_file(tmp_path, evaluate):
    """Nim of one heap whose evaluation does what the test wants, in the process that plays."""
    file = tmp_path / "deadly.py"
    text = """\
        import os
        from pathlib import Path
        from typing import NamedTuple
        from zermelo import Game, i8

        class State(NamedTuple):
            left: i8
            turn: i8

        class Deadly(Game):
            def initial(self):
                return State(5, 0)
            def to_move(self, s):
                return s.turn
            def actions(self, s):
                for n in range(1, min(s.left, 2) + 1):
                    yield n
            def result(self, s, a):
                return State(s.left - a, 1 - s.turn)
            def is_terminal(self, s):
                return s.left == 0
            def utility(self, s, p):
                return -1.0 if p == s.turn else 1.0
            def evaluate(self, s, p):
        """
    file.write_text(textwrap.dedent(text) + textwrap.indent(textwrap.dedent(evaluate), " " * 8))
    return f"{file}:Deadly"


def test_a_process_that_dies_costs_its_game_alone(tmp_path):
    mark = tmp_path / "mark"
    text = f"if s.left == 3 and not Path({str(mark)!r}).exists():\n    Path({str(mark)!r}).touch()\n    os._exit(9)\nreturn 0.0\n"
    tally, found = play(tmp_path / "r", game_file(tmp_path, text), "greedy", "greedy", 6, starts=Starts(plies=0))
    assert mark.exists() and tally.games == len(found) == 6
    assert {result[4] for result in found.values()} == {"ended"}


def test_a_player_that_takes_its_process_down_has_lost(tmp_path):
    text = "if s.left < 3:\n    os._exit(9)\nreturn 0.0\n"
    tally, _ = play(tmp_path / "r", game_file(tmp_path, text), "greedy", "random", 2, starts=Starts(plies=0))
    assert tally.games == 2 and tally.faults == ({"death": 2}, {}) and tally.counts == [2, 0, 0]
    with Store(tmp_path / "r") as store:
        assert all("twice" in g.ending.remark for g in store.games())


def nothing_is_recorded(path, expected, *asked, **settings):
    with pytest.raises(ZermeloError, match=expected) as error:
        play(path, *asked, starts=Starts(plies=0), **settings)
    assert "\n" not in str(error.value)
    with Store(path) as store:
        assert not list(store.games())


def test_before_the_first_move_nobody_has_lost(tmp_path):
    file = game_file(tmp_path, "os._exit(9)\n")
    nothing_is_recorded(tmp_path / "a", r"greedy and random .* code 9 before the first move", file, "greedy", "random", 2)
    nothing_is_recorded(tmp_path / "b", "there is no program", "tictactoe", f"json:{tmp_path}/missing", "random", 2)


def test_a_damaged_table_is_no_result(tmp_path):
    file = tmp_path / "t.table"
    build_table(zermelo.game("tictactoe"), file)
    data = bytearray(file.read_bytes())
    data[-100] ^= 1  # in a block that is read when a state of it is looked up
    file.write_bytes(data)
    nothing_is_recorded(tmp_path / "r", f"table:{file}: .*damaged", "tictactoe", f"table:{file}", "random", 20)


def test_a_script_without_a_guard_records_nothing(tmp_path):
    file = tmp_path / "script.py"
    file.write_text(f"""\
import zermelo
from zermelo.arena.match import Match, play_match
from zermelo.arena.records.store import Store
with Store({str(tmp_path / "r")!r}) as store:
    print(play_match(Match(zermelo.game("tictactoe"), ("random", "greedy"), 2), store).games)
""")
    done = subprocess.run([sys.executable, file], capture_output=True, text=True, check=False)
    assert done.returncode and not done.stdout and re.search("^zermelo.*ZermeloError: .*__main__", done.stderr.splitlines()[-1])
    with Store(tmp_path / "r") as store:
        assert not list(store.games())


def test_an_error_of_the_rules_ends_the_match_with_a_sentence(tmp_path):
    with pytest.raises(ZermeloError, match=r"^ZeroDivisionError: "):
        play(tmp_path / "r", game_file(tmp_path, "return 1 / 0\n"), "greedy", "random", 2, starts=Starts(plies=0))


def test_what_cannot_be_played(tmp_path):
    game = zermelo.game("tictactoe")
    for players, expected in ((("human", "random"), "zermelo play"), (("randm", "random"), "did you mean random")):
        with pytest.raises(ZermeloError, match=expected):
            Match(game, players)
    with pytest.raises(ZermeloError, match="for two players"):
        Match(zermelo.game("trio"), ("random", "random"))
    with pytest.raises(ZermeloError, match="at least one game"):
        Match(game, ("random", "random"), 0)


# ---- openings ----------------------------------------------------------------------------------


def book(tmp_path, name, text, game):
    (tmp_path / name).write_text(text)
    return openings.load(tmp_path / name, zermelo.game(game))


@pytest.mark.parametrize(
    ("name", "game", "text", "starts"),
    [
        ("a.epd", "chess", '8/8/8/8/8/8/1P6/K1k5 w - - id "one";\n# no\n8/8/8/8/8/8/1P6/K1k5 b - -\n', 2),
        ("a.pgn", "chess", '[Event "?"]\n\n1. e4 e5 *\n\n[Event "?"]\n\n1. d4 {a\n[b "c"] } *\n', 2),
        ("a.pdn", "checkers", '[FEN "B:W21,22:B1,2"] *\n[FEN "W:W21,22:B1,2"] 1. 21-17 *\n', 2),
        ("a.sgf", "go", "(;GM[1]SZ[9];B[ee];W[gc])(;GM[1]SZ[9]AB[aa]PL[W])", 2),
        ("a.obf", "othello", "---------------------------OX------XO--------------------------- X;\n", 1),
        ("a.txt", "othello", "f5d6c4d3\nf5f6\n", 2),
        ("a.txt", "connect4", "moves 4 4 4\nmoves 1,2\n", 2),
        ("a.txt", "tictactoe", "b2 a1\n\n# a comment\na1\n", 2),
    ],
)
def test_files_of_openings(tmp_path, name, game, text, starts):
    it = zermelo.game(game)
    found = book(tmp_path, name, text, game)
    assert len(found.texts) == starts
    seen = {(o.start, o.actions) for i in range(starts) for o in [found.opening(it, i, 3)]}
    assert len(seen) == starts
    assert found.opening(it, starts, 3) == found.opening(it, 0, 3)


def test_a_packed_file(tmp_path):
    import zipfile

    with zipfile.ZipFile(tmp_path / "a.epd.zip", "w") as packed:
        packed.writestr("a.epd", "8/8/8/8/8/8/1P6/K1k5 w - - 0 1\n")
    assert len(openings.load(tmp_path / "a.epd.zip", zermelo.game("chess")).texts) == 1


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.epd", "nonsense\n", "opening 1"),
        ("a.txt", "nonsense\n", "opening 1"),
        ("a.pgn", "1. e4 e4 *", "opening 1"),
        ("a.epd", "\n", "no openings"),
        ("a.zip", "not packed", "cannot be read"),
        ("a.sgf", "(;GM[1]SZ[9])", "opening 1"),
    ],
)
def test_openings_that_are_none(tmp_path, name, text, expected):
    with pytest.raises(ZermeloError, match=expected) as error:
        book(tmp_path, name, text, "chess").opening(zermelo.game("chess"), 0, 0)
    assert "\n" not in str(error.value)
    with pytest.raises(ZermeloError, match="cannot be read"):
        openings.load(tmp_path / "missing.epd", zermelo.game("chess"))


@pytest.mark.parametrize("n", [1, 2, 7, 100])
def test_the_order_of_openings_is_one_of_all(n):
    assert sorted(openings._shuffled(i, n, 5) for i in range(n)) == list(range(n))


def test_random_openings_leave_a_game_to_play():
    game = zermelo.game("tictactoe")
    found = [openings.random_opening(game, 8, seed) for seed in range(30)]
    assert all(o.actions and len(o.actions) <= 8 for o in found) and len({o.actions for o in found}) > 20
    assert openings.random_opening(zermelo.game("nim:heaps=1"), 4, 0).actions == ()


# ---- telling -----------------------------------------------------------------------------------


def test_a_match_is_told():
    tally = Tally(Sprt(0, 10))
    results = [((1.0, -1.0), (-1.0, 1.0)), ((0.0, 0.0), (1.0, -1.0))]  # 2-0 and 1/2
    for pair, both in enumerate(results):
        for side, result in enumerate(both):
            tally.add(Slot(0, pair, side), Ending(result, "ended"))
    tally.add(Slot(0, 2, 1), Ending((-1.0, 1.0), "time", 0))
    assert tally.counts == [1, 1, 3] and tally.pairs == [0, 1, 0, 0, 1]
    assert rows(("a", "b"), tally) == [["a", "3.5", "3", "1", "1", "0", "0"], ["b", "1.5", "1", "1", "3", "1", "0"]]
    assert "+3 =1 -1" in in_short(tally, 6)
    assert as_object(("a", "b"), tally, 6)["pairs"] == [0, 1, 0, 0, 1]


def test_the_test_looks_at_pairs_in_their_order():
    """Whichever ends first: pair 1 waits for pair 0."""
    tally = Tally(Sprt(0, 10))
    for side in (0, 1):
        tally.add(Slot(0, 1, side), Ending((1.0, -1.0) if side == 0 else (-1.0, 1.0), "ended"))
    assert tally.llr == 0
    for side in (0, 1):
        tally.add(Slot(0, 0, side), Ending((0.0, 0.0), "ended"))
    assert tally.llr == Sprt(0, 10).llr([0, 0, 1, 0, 1])


def test_luck_is_taken_off():
    tally = Tally()
    for pair in range(4):
        for side in (0, 1):
            gain = 1.0 if pair % 2 else -1.0
            result = (gain, -gain) if side == 0 else (-gain, gain)
            tally.add(Slot(0, pair, side), Ending(result, "ended", luck=tuple(x * 0.75 for x in result)))
    plain, without = tally.mean(False), tally.mean(True)
    assert plain[0] == without[0] == 0 and without[1] == pytest.approx(plain[1] / 4)
    assert any("without luck" in line for line in lines(tally, 8))


def test_data(tmp_path):
    """The openings that other programs use."""
    import os

    if "ZERMELO_DATA" not in os.environ:
        pytest.skip("ZERMELO_DATA is not set")
    data = Path(os.environ["ZERMELO_DATA"])
    for name, game, n in (
        ("chess/openings/8moves_v3.pgn.zip", "chess", 34_700),
        ("chess/openings/2moves_v1.epd.zip", "chess", 40_000),
        ("othello/xot_openingslarge.txt", "othello", 3_000),
        ("checkers/11_man_english.pdn", "checkers", 1_000),
    ):
        it = zermelo.game(game)
        found = openings.load(data / name, it)
        assert len(found.texts) >= n
        for i in range(20):
            found.opening(it, i, 1)
