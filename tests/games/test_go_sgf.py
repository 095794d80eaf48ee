"""Games of Go in SGF, and the rules according to GNU Go's regression suites."""

from __future__ import annotations

import os
import random
import re
import tarfile
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from zermelo.errors import ZermeloError
from zermelo.games.go import Go
from zermelo.games.go.sgf import read, write
from zermelo.history import History
from zermelo.notation import sgf

# ---- both ways ---------------------------------------------------------------------------------


def read_text(words: str) -> History:
    return read(sgf.parse(words)[0])


@pytest.mark.parametrize("size", [2, 3, 5, 9])
def test_games_are_read_as_they_are_written(size: int) -> None:
    game, chooser = Go(size, komi=-0.5), random.Random(size)
    history = History(game)
    while not history.is_over and len(history.taken) < 60:
        history.do(chooser.choice(list(history.actions())))
    words = sgf.write([write(history)])
    again = read_text(words)
    assert (again.states, again.taken) == (history.states, history.taken)
    assert repr(again.game) == repr(game)
    assert sgf.write([write(again)]) == words


def test_a_game_in_full() -> None:
    history = History(Go(5, komi=1.5))
    for move in ("C3", "B2", "pass", "pass"):
        history.do(history.game.read_action(history.state, move))
    assert sgf.write([write(history)]) == "(;FF[4]GM[1]CA[UTF-8]SZ[5]KM[1.5]RE[W+1.5];B[cc];W[bd];B[];W[])\n"


def test_handicap_and_stones_set_up() -> None:
    words = "(;GM[1]SZ[9]KM[0.5]HA[2]AB[gc][cg];W[ee])"
    history = read_text(words)
    assert history.game.write_state(history.states[0]).endswith(" W - 0 0")
    assert history.game.write_state(history.state).split()[0].count("X") == 2
    assert sgf.write([write(history)]) == "(;FF[4]GM[1]CA[UTF-8]SZ[9]KM[0.5]AB[cg][gc]PL[W];W[ee])\n"
    assert read_text("(;SZ[9]HA[2]AB[gc][cg])").state.turn == 1
    assert read_text("(;SZ[9]AB[gc][cg])").state.turn == 0
    assert read_text("(;SZ[9]AB[gc]PL[W])").state.turn == 1
    assert read_text("(;SZ[9]AB[aa:cb]AW[ii])").game.size == 9
    assert sum(map(int.bit_count, read_text("(;SZ[9]AB[aa:cb]AW[ii])").state.mine)) == 6
    moved = read_text("(;SZ[5];B[aa];W[bb];AE[aa]AB[cc]PL[W];W[dd])")  # a position in between begins a new history
    assert len(moved.taken) == 1
    assert moved.game.write_state(moved.states[0]) == "...../.O.../..X../...../..... W - 0 0"


def test_what_is_missing_and_what_is_left_alone() -> None:
    history = read_text("(;;B[pd]C[a corner];W[tt](;B[dd];W[])(;B[dp]))")
    assert (history.game.size, history.game.komi) == (19, 7.0)
    assert [history.game.write_action(s, a) for s, a in zip(history.states, history.taken, strict=False)] == ["Q16", "pass", "D16", "pass"]
    assert len(read(sgf.parse("(;SZ[3];B[aa];W[bb];B[cc])")[0], until=2).taken) == 2
    assert len(read_text("(;SZ[3];B[];W[];B[];W[])").taken) == 2  # passes after the end
    suicide = "(;SZ[3]AB[ab][bb][ca]AW[aa]PL[W];W[ba])"
    assert read(sgf.parse(suicide)[0], suicide=True).state.theirs == (0,)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("(;GM[11])", "GM[1], not GM[11]"),
        ("(;SZ[1])", "a size SZ from 2 to 19, not '1'"),
        ("(;SZ[20])", "a size SZ"),
        ("(;SZ[9:13])", "a size SZ"),
        ("(;SZ[9][13])", "one value of SZ"),
        ("(;KM[1e9])", "a komi KM like 7.5"),
        ("(;KM[9999])", "komi from -361 to 361"),
        ("(;SZ[3];B[aa];B[bb])", "move 2, B[bb]: expected a move of White"),
        ("(;SZ[3];B[aa];W[aa])", "move 2, W[aa]: expected a legal move, but there is a stone"),
        ("(;SZ[3];B[dd])", "move 1, B[dd]: expected a point from aa to cc"),
        ("(;SZ[3];B[aa:bb])", "move 1, B[aa:bb]: expected one point"),
        ("(;SZ[3];B[aa]W[bb])", "after move 0: expected a node with one move"),
        ("(;SZ[3];B[aa]AW[bb])", "after move 0: expected a node with one move"),
        ("(;SZ[3];B[];W[];B[aa])", "move 3, B[aa]: expected no move after the game's end"),
        ("(;SZ[3]AB[ab][ba]AW[aa])", "after move 0: expected a liberty for every group"),
        ("(;SZ[3]AB[ab]AW[ab])", "expected each point in one of AB, AW and AE"),
        ("(;SZ[3]AB[bb:aa])", "expected a rectangle"),
        ("(;SZ[3]AB[xx])", "expected a point from aa to cc"),
        ("(;SZ[3]PL[X])", "expected PL[B] or PL[W], not PL[X]"),
        ("(;SZ[3]AB[ab][bb][ca]PL[W];W[aa];B[];W[ba])", "move 3, W[ba]: expected a legal move, but a stone there would have no liberty"),
        ("(;SZ[4]AB[ba][ab][bc][cb]AW[ca][db][cc]PL[W];W[bb];B[cb])", "move 2, B[cb]: expected a legal move, but it takes back a ko"),
        ("(;SZ[4]AB[ba][ab][bc][cb]AW[ca][db][cc]PL[W];W[bb];B[];W[];B[cb])", "move 4, B[cb]: expected no move after"),
    ],
)
def test_errors_say_where(words: str, told: str) -> None:
    with pytest.raises(ZermeloError, match=re.escape(told)):
        read_text(words)


def test_what_sgf_cannot_tell_is_not_written() -> None:
    game = Go(4)
    for start in (".XO./XO.O/.XO./.... B C3 0 9", "..../..../..../.... B - 1 9"):
        with pytest.raises(ZermeloError, match="expected a start without a ko or a pass"):
            write(History(game, game.read_state(start)))


@pytest.mark.parametrize("many", [1500, pytest.param(100_000, marks=pytest.mark.slow)])
def test_hostile_text(many: int) -> None:
    """Spoiled games: one sentence, or a game by the rules that is written so that it reads back."""
    chooser, fine = random.Random(many), 0
    good = "(;GM[1]SZ[5]KM[0.5]HA[2]AB[bb]AW[dd];W[cc];B[bc];W[];B[cb];W[dc];B[ab:ab])(;)"
    for _ in range(many):
        words = good
        for _ in range(chooser.randrange(1, 5)):
            at = chooser.randrange(len(words))
            words = words[:at] + chooser.choice(["", *"();[]abcdeBWAPL:1259-."]) + words[at + chooser.randrange(2) :]
        try:
            history = read_text(words)
        except ZermeloError as error:
            assert re.fullmatch(r"(SGF|go:)[^\n]+", str(error))
        else:
            fine += 1
            assert read(write(history)).states == history.states
    assert fine > 10


# ---- GNU Go's suites ---------------------------------------------------------------------------


@cache
def archive(name: str) -> dict[str, bytes]:
    """The files of an archive in the data folder."""
    if "ZERMELO_DATA" not in os.environ:
        pytest.skip("ZERMELO_DATA does not name the data folder")
    with tarfile.open(Path(os.environ["ZERMELO_DATA"]) / "go" / name) as files:
        return {m.name.split("/", 1)[1]: data.read() for m in files if m.isfile() and (data := files.extractfile(m)) is not None}


def tree(name: str) -> sgf.Node:
    return sgf.parse(sgf.decode(archive("gnugo_games.tar.gz")[name]))[0]


#: why some records are refused: not SGF at all, moves out of turn or on in a node with stones, boards that came back by other rules
REFUSALS = (
    r"SGF, line \d+, column \d+: expected ",
    r"SGF: expected one value of GM in a node",
    r"expected a move of (Black|White)$",
    r"expected a node with one move",
    r"expected a board that was not there before$",
)


@pytest.mark.parametrize("part", [250, pytest.param(1, marks=pytest.mark.slow)])
def test_records_are_games_by_the_rules(part: int) -> None:
    told: Counter[str] = Counter()
    names = sorted(n for n in archive("gnugo_games.tar.gz") if n.endswith(".sgf"))
    for name in names[::part]:
        try:
            read(tree(name))
        except ZermeloError as error:
            told[next(pattern for pattern in REFUSALS if re.search(pattern, str(error)))] += 1
    assert sum(told.values()) <= 0.03 * len(names) // part + 1
    if part == 1:
        assert len(names) == 1758 and sum(told.values()) == 39 and told[REFUSALS[4]] == 8


def test_scores_of_games_by_area() -> None:
    """Games of a server that scores as Tromp and Taylor do, played to the end."""
    scored = 0
    for name in archive("gnugo_games.tar.gz"):
        if "/cgos/" in name and re.fullmatch(r"[BW]\+[0-9.]+", (root := tree(name)).get("RE") or ""):
            again = write(read(root))
            assert again.get("RE") == root.get("RE")
            scored += 1
    assert scored == 4


def test_moves_that_a_server_refused() -> None:
    """Games that ended by a move against the rules."""
    kinds: Counter[str] = Counter()
    for name, data in archive("gnugo_games.tar.gz").items():
        if found := re.search(rb"player error - .* attempted +move: (\w+)", data):
            history = read(tree(name))
            game, s = history.game, history.state
            a = next(p for p in game.points if game.write_action(s, p) == found[1].decode())
            assert a not in history.actions()
            kinds["superko" if a in game.actions(s) else "ko" if a == s.ko else "suicide"] += 1
            assert (b"suicide" in found[0]) == (a not in game.actions(s) and a != s.ko)
    assert kinds == {"superko": 9, "ko": 1, "suicide": 1}


def answers(part: int) -> Iterator[tuple[str, int | None, list[tuple[str, str]], str, list[str]]]:
    """Of the suites: a record, the move before which it stops, moves played on it, and the answers for a colour."""
    for name in sorted(archive("gnugo_tst.tar.gz"))[::part]:
        record, until, played = "", None, list[tuple[str, str]]()
        asked = ""
        for line in archive("gnugo_tst.tar.gz")[name].decode("latin-1").splitlines():
            words = re.sub(r"^\d+ ", "", line.strip()).split()
            if line.startswith("loadsgf"):
                record, until, played = words[1], int(words[2]) - 1 if len(words) > 2 else None, []
            elif words[:1] == ["undo"]:
                played = played[:-1]
            elif words[:1] in (["play"], ["black"], ["white"]) and len(words) >= 2:
                played = [*played, (words[-2], words[-1])]
            elif asked and (found := re.match(r"#\? \[([A-Z0-9|]+)\]", line)):
                yield record, until, played, asked, found[1].split("|")
            if words and not line.startswith("#"):
                asked = words[1] if words[0] == "reg_genmove" and len(words) == 2 else ""


@pytest.mark.parametrize("part", [23, pytest.param(1, marks=pytest.mark.slow)])
def test_answers_of_the_suites_are_legal(part: int) -> None:
    """The moves that the suites expect or play are legal where they are."""
    seen = 0
    for record, until, played, colour, moves in answers(part):
        if record not in archive("gnugo_games.tar.gz"):
            continue  # a half of the records is there
        try:
            history = read(tree(record), until=until)
        except ZermeloError:
            continue  # test_records_are_games_by_the_rules knows why
        game, s = history.game, history.state
        assert isinstance(game, Go)
        for who, move in [*played, *((colour, move) for move in moves)]:
            if game.is_terminal(s):
                s = s._replace(passes=0)  # a suite may go on after two passes
            if s.turn != "bw".index(who[0].lower()):
                s = s._replace(mine=s.theirs, theirs=s.mine, turn=1 - s.turn, ko=-1)
            a = game.read_action(s, move)
            if (who, move) in played:
                s = game.result(s, a)
            seen += 1
    assert seen > (20 if part > 1 else 1000)
