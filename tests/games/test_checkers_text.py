"""Checkers as text: PDN's moves, positions and games, and malformed text."""

from __future__ import annotations

import os
import random
from collections import Counter
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest
from helpers import check_hostile, check_state, refuses, walk

from zermelo.errors import ZermeloError
from zermelo.games.checkers import Checkers, records
from zermelo.notation import pdn

GAME = Checkers()
DATA = os.environ.get("ZERMELO_DATA")
needs_data = pytest.mark.skipif(DATA is None, reason="ZERMELO_DATA is not set: the games are not here")


def file(name: str) -> Path:
    return Path(str(DATA)) / "checkers" / name


# ---- positions -----------------------------------------------------------------------------------


def test_positions() -> None:
    start = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"
    assert GAME.write_state(GAME.initial()) == start
    for same in (start, "B:W21-32:B1-12", "B:B1-12:W21-32", " B:W21-32:B1-4,5-12. "):
        assert GAME.read_state(same) == GAME.initial()
    for line in ("B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29", "W:WK1,K2:BK31,K32:H79", "W:W:B1", "B:W30:BK1-3"):
        s = GAME.read_state(line)
        assert GAME.read_state(GAME.write_state(s)) == s
    assert GAME.write_state(GAME.read_state("W:BK7,3:WK1-2,30:H08")) == "W:W30,K1,K2:B3,K7:H8"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("B:W21", "the side to move and the squares of both"),
        ("B:W21:W22", "the side to move and the squares of both"),
        ("b:W21:B1", "the side to move and the squares of both"),
        ("B:W21,21:B1", "the side to move and the squares of both"),
        ("B:W21,:B1", "the side to move and the squares of both"),
        ("B:W30-29:B1", "the side to move and the squares of both"),
        ("B:W21:B1:F3", "the side to move and the squares of both"),
        ("B:W21:B1:H", "the side to move and the squares of both"),
        ("B:W٣:B1", "the side to move and the squares of both"),
        ("B:W33:B1", "squares from 1 to 32"),
        ("B:W21:B0", "squares from 1 to 32"),
        ("B:W21,9:B9", "one piece on a square"),
        ("B:W18-32:B1", "at most 12 pieces of White"),
        ("B:W21:B29", "no man of Black on the row where it is crowned"),
        ("B:W4:B1", "no man of White on the row where it is crowned"),
        ("B:W:B1", "a piece of White, who moved last"),
        ("B:W:B", "a piece of White, who moved last"),
        ("B:WK21:BK1:H81", "at most 80 quiet plies"),
    ],
)
def test_what_is_no_position(text: str, expected: str) -> None:
    refuses(GAME, text, f"'{text}' is not a state of checkers: expected {expected}")


# ---- moves ---------------------------------------------------------------------------------------


def test_moves() -> None:
    s = GAME.initial()
    assert [GAME.write_action(s, a) for a in GAME.actions(s)] == ["9-13", "10-14", "11-15", "12-16", "9-14", "10-15", "11-16"]
    assert GAME.read_action(s, " 11-15 ") == GAME.read_action(s, "11x15")  # many files write x in any move
    s = GAME.read_state("W:W22:B18,10")
    (a,) = GAME.actions(s)
    assert GAME.write_action(s, a) == "22x6"
    assert {GAME.read_action(s, text) for text in ("22x6", "22x15x6", "22-6")} == {a}
    for wrong in ("22x15", "22x13x6", "22x6x6", "22x15x15x6"):
        with pytest.raises(ZermeloError, match=f"'{wrong}' is not a legal action here: expected one of 22x6"):
            GAME.read_action(s, wrong)
    for wrong in ("", "22", "22x", "22x6!", "a3-b4", "22:6", "22x6x", "2222x6", "22x٣"):
        with pytest.raises(ZermeloError, match="is not a move: expected squares joined by - or x"):
            GAME.read_action(s, wrong)
    with pytest.raises(ZermeloError, match="'1-5' is not a legal action here: expected none, the game is over"):
        GAME.read_action(GAME.read_state("B:WK1:B"), "1-5")


# ---- games ---------------------------------------------------------------------------------------

#: of the 362 games, those with something in them that is no legal move, by the number of that move
FAULTY = {"Petal 1981, game 18": 123, "Petal 1987, game 15": 31, "London 1992, game 18": 34}


@needs_data
def test_games_of_tinsley() -> None:
    found, results = list(pdn.read_file(file("tinsley.pdn"))), Counter[str]()
    assert len(found) == 362
    for record in found:
        results[record.line.result] += record.tags["Result"] == record.line.result
        (again,) = pdn.read(pdn.write(record))
        assert again == record
        if (event := record.tags["Event"]) in FAULTY:
            with pytest.raises(ZermeloError, match=rf"^line \d+: at the {FAULTY[event]}\. move: '.*' is no"):
                records.replay(GAME, record)
            del record.line.moves[FAULTY[event] - 1 :]
        states, actions = records.replay(GAME, record)
        assert len(states) == len(actions) + 1 == len(record.line.moves) + 1
        (own,) = pdn.read(pdn.write(records.write_down(GAME, actions, record.tags)))
        assert own.tags == record.tags and records.replay(GAME, own) == (states, actions)
    assert results == {"1/2-1/2": 263, "0-1": 64, "1-0": 35}


@needs_data
def test_positions_of_the_ballots() -> None:
    found = list(pdn.read_file(file("11_man_english.pdn")))
    assert len(found) == 1200
    for record in found:
        (s,), actions = records.replay(GAME, record)
        assert not actions and record.line.result == "*"
        assert GAME.read_state(GAME.write_state(s)) == s


def test_a_game_is_written_down() -> None:
    for seed in range(3):
        states = list(walk(GAME, seed))
        actions = [next(a for a in GAME.actions(s) if GAME.result(s, a) == t) for s, t in pairwise(states)]
        record = records.write_down(GAME, actions, {"Event": 'a "test"'})
        assert record.line.result == record.tags["Result"] == {1: "1-0", 0: "1/2-1/2", -1: "0-1"}[GAME.utility(states[-1], 0)]
        (again,) = pdn.read(pdn.write(record))
        assert again == record and records.replay(GAME, again) == (states, actions)
    start = GAME.read_state("W:W22:B18,10")
    record = records.write_down(GAME, list(GAME.actions(start)), first=start)
    assert pdn.write(record) == '[Result "0-1"]\n[SetUp "1"]\n[FEN "W:W22:B10,18"]\n\n1... 22x6 0-1\n'


# ---- hostile text --------------------------------------------------------------------------------


def test_hostile_positions() -> None:
    check_hostile(GAME, 6)


GAMES = """[Event "one"]
[Black "A. Player"]
[White "B"]
[Result "1-0"]

1. 11-15 23-18 {the cross} 2. 8-11 27-23 3. 4-8 23-19! (3... 24-20 4. 12-16) 4. 10x14 19x10
5. 14x23 26x19 $3 ; and so on
6. 7x14 1-0

[FEN "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29"] 1. 16-19 24-20 2. 19x26 *
"""


@pytest.mark.parametrize("n", [1000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_spoilt_positions_and_games(n: int) -> None:
    """Real text with a few letters changed: one sentence that tells what was expected, or something that can be played."""
    chance = random.Random(n)
    positions = [GAME.write_state(s) for s in walk(GAME, 8, 4)]
    accepted = Counter[str]()

    def spoil(text: str) -> str:
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(text) + 1)
            new = chance.choice(["", chance.choice('BWKHx-:,.[]{}()"$%;* \n0123456789'), chr(chance.randrange(1, 0x3000))])
            text = text[:at] + new + text[at + chance.randint(0, 2) :]
        return text

    for i in range(n):
        text = spoil(chance.choice(positions))
        try:
            s = GAME.read_state(text)
        except ZermeloError as error:
            assert str(error).startswith(f"'{text}' is not a state of checkers: expected ")
        else:
            accepted["position"] += 1
            if i % 20 == 0:
                check_state(GAME, s)
            assert GAME.read_state(GAME.write_state(s)) == s
        text = spoil(GAMES)
        with suppress(ZermeloError):
            for record in pdn.read(text):
                (again,) = pdn.read(pdn.write(record))
                assert again.line.moves == record.line.moves and again.tags == record.tags
                with suppress(ZermeloError):
                    states, actions = records.replay(GAME, record)
                    accepted["game"] += 1
                    for s, a in zip(states, actions, strict=False):
                        assert a in set(GAME.actions(s))
    assert accepted["position"] > n // 50 and accepted["game"] > n // 10
