"""Backgammon as text: GNU Backgammon's IDs, plays, .mat files, pictures."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from helpers import check_hostile, refuses, walk
from helpers_backgammon import CUBE, PLAIN, state
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.errors import ZermeloError
from zermelo.games.backgammon import ids, read_record, write_record
from zermelo.games.backgammon.state import DOUBLED, MAY_DOUBLE, OPENING, START, sides
from zermelo.notation import mat

# ---- IDs -----------------------------------------------------------------------------------------


def test_known_ids() -> None:
    s = PLAIN.initial()
    assert PLAIN.write_state(s) == "4HPwATDgc/ABMA:MAAAAAAAAAAE"
    assert PLAIN.read_state("4HPwATDgc/ABMA:cAgAAAAAAAAA") == s  # as GNU Backgammon writes it
    s = PLAIN.result(s, 0o31)
    s = PLAIN.result(s, PLAIN.read_action(s, "8/5 6/5"))
    assert PLAIN.write_state(s) == "sGfwATDgc/ABMA:cAkAAAAAAAAE"  # the player who has moved comes first
    assert ids.read_match("QYkqASAAIAAA") == ids.Match(1, 0, 1, 0, 1, 1, 0, 0, 5, 2, 9, 2, 4, 0)  # the example of the manual
    assert ids.write_match(ids.read_match("QYkqASAAIAAA")) == "QYkqASAAIAAA"
    assert PLAIN.read_state("4HPwATDgc/ABMA") == state(dict(enumerate(START)), dict(enumerate(START)))
    assert sides(CUBE.read_state("sGfwATDgc/ABMA:cAkAAAAAAAAE"))[0][5] == 2


def test_ids_of_the_data_folder() -> None:
    folder = os.environ.get("ZERMELO_DATA")
    if not folder:
        pytest.skip("ZERMELO_DATA is not set")
    for name, is_race in (("race", True), ("contact", False)):
        known = (Path(folder) / "backgammon" / f"wildbg_{name}_ids.csv").read_text().split()
        assert len(known) == 500
        for position in known:
            waiting, rolling = ids.read_position(position)
            assert ids.write_position(waiting, rolling) == position
            s = PLAIN.read_state(position)
            assert PLAIN.write_state(s) == f"{position}:MAEAAAAAAAAE"
            farthest = [max(p for p in range(26) if p and side[p]) for side in (waiting, rolling)]
            assert sum(farthest) <= 25 or not is_race


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("4HPwATDgc/ABMA:", "a position ID of 14 letters"),
        ("4HPwATDgc/ABMB", "the last of them A, Q, g or w"),
        ("//////////////", "the last of them A, Q, g or w"),
        ("/////////////w", "25 points for each player"),
        (ids.write_position((0, 16, *[0] * 24), (0, *[0] * 25)), "at most 15 men"),
        ("4HPwATDgc/ABMA:QYkqASAAIAAA", "a game for money"),
        ("4HPwATDgc/ABMA:cAlgAAAAAAAE", "a game for money"),
        ("4HPwATDgc/ABMA:" + ids.write_match(ids.Match(0, 3, 0, 0, 1, 0, 0, 0, 7, 1, 0, 0, 0, 1)), "two dice of 1 to 6, or none"),
        ("4HPwATDgc/ABMA:UQkAAAAAAAAE", "the game is without cube"),
        ("4HPwATDgc/ABMA:cBEAAAAAAAAE", "the game is without cube"),
        ("4HPwATDgc/ABMA:cAEAAAAAAAAE", "the turn of the player on roll"),
        ("4HPwATDgc/ABMA:cAkAAAAAAAAE rolling", "only where the player could double"),
        ("sGfwATDgc/ABMA:cAgAAAAAAAAA", "the men as at the start"),
        ("4HPwATDgc/ABMA:cAoAAAAAAAAE", "a game that is over when"),
        ("AAAAAAAAAAAAAA:cAoAAAAAAAAE", "a game that is over when"),
        (ids.write_position((0, 2, 2, 2, 2, 2, 3, *[0] * 18, 2), (0, 2, 2, 2, 2, 2, 4, *[0] * 18, 1)), "not both players on the bar"),
        (ids.write_position((14, 1, *[0] * 24), (14, *[0] * 23, 1, 0)), "no point with men of both"),
    ],
)
def test_states_that_are_none(text: str, reason: str) -> None:
    refuses(PLAIN, text, reason)


def test_hostile_text() -> None:
    check_hostile(PLAIN, 6)
    check_hostile(CUBE, 7)


# ---- plays as text -------------------------------------------------------------------------------


def test_reading_plays() -> None:
    s = PLAIN.result(PLAIN.initial(), 0o65)
    for told in ("24/13", "24/18/13", "24/18 18/13", "18/13 24/18", " 24/13 ", "24/19/13"):
        assert PLAIN.write_action(s, PLAIN.read_action(s, told)) == "24/13"
    s = state({25: 1, 8: 2, 6: 2}, {21: 1, 20: 2, 3: 1}, "44")
    for told in ("bar/21 8/4*(2) 6/2", "25/21 8/4* 8/4 6/2", "BAR/21 8/4(2) 6/2"):
        assert PLAIN.write_action(s, PLAIN.read_action(s, told)) == "bar/21 8/4*(2) 6/2"
    s = state({20: 1}, {11: 1, 1: 11}, "64")
    assert [PLAIN.write_action(s, PLAIN.read_action(s, t)) for t in ("20/10", "20/14*/10")] == ["20/10", "20/14*/10"]
    s = state({20: 1}, {11: 1, 9: 1, 1: 11}, "64")
    for told, reason in [
        ("20/10", "expected one of 20/1"),
        ("20/16/10*", "not a legal play"),
        ("20-10", "not a play"),
        ("", "not a play|not a legal play"),
    ]:
        with pytest.raises(ZermeloError, match=reason):
            PLAIN.read_action(s, told)
    s = state({6: 2, 1: 2}, {6: 2}, "63")
    assert PLAIN.write_action(s, PLAIN.read_action(s, "6/0 6/3")) == "6/off 6/3"
    with pytest.raises(ZermeloError, match="expected one of 21, 31"):
        PLAIN.read_action(state({6: 1}, {6: 1}), "70")
    assert PLAIN.read_action(state({6: 1}, {6: 1}), "13") == 0o31


# ---- matches -------------------------------------------------------------------------------------

MATCH = """; [Site "a club"]

 0 point match

 Game 1
 Alice : 0                           Bob : 0
  1)                                 41: 24/23 13/9
  2) 65: 24/18 18/13                  Doubles => 2
  3)  Takes                          66: 24/18 13/7(3)
      Wins 2 points

 Game 2
 Alice : 2                           Bob : 0
  1) 31: 8/5 6/5                     62: 24/18 13/11
  2)  Doubles => 2                    Drops
      Wins 1 point
"""


def random_record(seed: int) -> tuple[list[int], mat.Record]:
    chooser, s, actions = random.Random(seed), CUBE.initial(), []
    while not CUBE.is_terminal(s):
        a = chooser.choice(list(CUBE.actions(s)))
        if s.roll in (MAY_DOUBLE, DOUBLED) and chooser.random() < 0.8:
            a = 0
        actions.append(a)
        s = CUBE.result(s, a)
    return actions, write_record(CUBE, actions, ("Alice", "Bob"))


def test_matches() -> None:
    match = mat.read(MATCH)
    assert (match.length, match.tags, len(match.games)) == (0, {"Site": "a club"}, 2)
    assert [(t.player, t.dice, t.text, t.cube) for t in match.games[0].turns][1:4] == [
        (0, "65", "24/18 18/13", 0),
        (1, "", "double", 2),
        (0, "", "take", 0),
    ]
    assert (match.games[0].winner, match.games[0].points, match.games[1].scores) == (0, 2, (2, 0))
    assert mat.read(mat.write(match)) == match
    for game in match.games:
        actions = read_record(CUBE, game)
        again = write_record(CUBE, actions, game.names)
        assert [(t.player, t.dice) for t in again.turns] == [(t.player, t.dice) for t in game.turns]
    with pytest.raises(ZermeloError, match=r"line 8 of the match: expected of player 2 dice and moves"):
        read_record(PLAIN, match.games[0])


def test_random_games_as_matches() -> None:
    for seed in range(25):
        actions, record = random_record(seed)
        match = mat.Match(0, {}, [record, record])
        again = mat.read(mat.write(match))
        assert again == match and read_record(CUBE, again.games[1]) == actions


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("0 point match", "", "the length of the match"),
        ("Game 1", "Game 2", "expected Game 1"),
        ("Alice : 0 ", "Alice ", "two players"),
        ("  2) 65", "  3) 65", r"the turns 2\)"),
        ("24/18 18/13", "24/18 18/13 x", "turns like"),
        ("41:", "47:", "turns like"),
        ("41: 24/23", "44: 24/20", "two different dice"),
        ("18/13", "18/12", "not a legal play"),
        ("=> 2", "=> 4", "a double to 2"),
        ("Takes", "Drops", "nothing after the end"),
        ("Wins 1 point\n", "Wins 2 points\n", "to win 1"),
    ],
)
def test_matches_that_are_wrong(old: str, new: str, reason: str) -> None:
    with pytest.raises(ZermeloError, match=reason):
        for game in mat.read(MATCH.replace(old, new)).games:
            read_record(CUBE, game)


@pytest.mark.parametrize("examples", [400, pytest.param(100_000, marks=pytest.mark.slow)])
def test_hostile_matches(examples: int) -> None:
    texts = [MATCH, *(mat.write(mat.Match(7, {"a": "b"}, [random_record(seed)[1]])) for seed in range(3))]
    words = st.sampled_from(
        ["", " ", "\n", "1)", "65:", "25/0", "Doubles => 2", "Takes", "Drops", "Wins 1 point", "Game 1", ":", "(2)", "*", ";", "٣"]
    )

    @settings(max_examples=examples, deadline=None, derandomize=True, database=None)
    @given(
        st.sampled_from(texts),
        st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 6), st.one_of(words, st.text(max_size=3))), max_size=4),
    )
    def read(text: str, edits: list[tuple[int, int, str]]) -> None:
        for at, length, new in edits:
            text = text[: at % len(text)] + new + text[at % len(text) + length :] if text else new
        try:
            match = mat.read(text)
            for game in match.games:
                read_record(CUBE, game)
        except ZermeloError as error:
            assert "\n" not in str(error) or "\n" in "".join(e[2] for e in edits)
        else:
            assert mat.read(mat.write(match)) == match

    read()


@pytest.mark.slow
def test_hostile_ids_often() -> None:
    chooser = random.Random(8)
    known = [CUBE.write_state(s) for s in walk(CUBE, 8, 30)]
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/: "
    for _ in range(100_000):
        text = list(chooser.choice(known))
        for _ in range(chooser.randint(1, 3)):
            text[chooser.randrange(len(text))] = chooser.choice(letters)
        try:
            s = CUBE.read_state("".join(text))
        except ZermeloError:
            continue
        assert CUBE.read_state(CUBE.write_state(s)) == s
        assert CUBE.is_terminal(s) == (CUBE.count(s) == 0)


def test_pictures() -> None:
    s = state({25: 1, 6: 7, 13: 5, 2: 1}, {24: 1, 6: 2}, "31", turn=1)
    assert PLAIN.show(s).splitlines() == [
        "+-12-11-10--9--8--7-BAR---6--5--4--3--2--1-+",
        "|                  | O | O           O  X  |",
        "|                  |   | O                 |",
        "|                  |   | O                 |",
        "|                  |   | O                 |",
        "|                  |   | 7                 |",
        "|                  |   |                   |",
        "| O                |   |                   |",
        "| O                |   |                   |",
        "| O                |   |                   |",
        "| O                |   | X                 |",
        "| O                |   | X                 |",
        "+-13-14-15-16-17-18-BAR--19-20-21-22-23-24-+",
        "O: 134 pips, 1 off",
        "X: 36 pips, 12 off",
        "O to play 3-1",
    ]
    for s in [*walk(CUBE, 9, 4)][::7]:
        picture = CUBE.svg(s)
        assert picture.startswith("<svg") and picture.count("<circle") <= 30 and "cube" in picture
    assert CUBE.initial().roll == OPENING
