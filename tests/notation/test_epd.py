"""EPD: operations with the types of their opcodes, and text that reads back."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.errors import ZermeloError
from zermelo.notation.epd import Position, read, read_line, write

BOARD = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - -"


def test_operations_have_their_types() -> None:
    position = read_line(
        f'{BOARD} bm Qg6 Rf3; id "WAC.001; \\"x\\" \\\\"; ce -32764; dm 2; pv Qg6 h5 Qh7#; sm Qg6; c0 "";  odd 1 two "3" +4; flag;'
    )
    assert position.board == BOARD and position["bm"] == ["Qg6", "Rf3"] and position["id"] == 'WAC.001; "x" \\'
    assert position["ce"] == -32764 and position["dm"] == 2 and position["c0"] == "" and position["sm"] == "Qg6"
    assert position["odd"] == [1, "two", "3", 4] and position["flag"] == []
    assert position.moves("pv") == ["Qg6", "h5", "Qh7#"] and position.moves("sm") == ["Qg6"] and position.moves("am") == []
    assert position.fen == f"{BOARD} 0 1"
    assert read_line(write(position)) == position
    with pytest.raises(ZermeloError, match="expected the operation am with"):
        position["am"]


def test_forms_that_are_met() -> None:
    perft = read_line("4k3/8/8/8/8/8/8/4K2R w K - 3 7 ;D1 15 ;D2 66 ;D3 1197")
    assert perft.counts == {1: 15, 2: 66, 3: 1197} and perft["hmvc"] == 3 and perft.fen.endswith(" w K - 3 7")
    assert write(perft) == "4k3/8/8/8/8/8/8/4K2R w K - hmvc 3; fmvn 7; D1 15; D2 66; D3 1197;"
    loose = read_line("8/8/8/8/8/8/8/K1k5 b - - ; bm Qd1 + ; id BK.01 \0\n")
    assert loose["bm"] == ["Qd1+"] and loose["id"] == "BK.01"
    assert read_line("8/8/8/8/8/8/8/K1k5 w - - 0 1 bm Ka2")["bm"] == ["Ka2"]
    text = f"# said\n% said\n\n{BOARD} dm 1;\r\n{BOARD}\n"
    assert [(p.at, p.operations) for p in read(text)] == [(4, {"dm": 1}), (5, {})]
    assert write(read_line(BOARD)) == BOARD


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "expected one line with a board"),
        ("8/8/8/8/8/8/8/K1k5 w -", "expected one line with a board"),
        ("8/8/8/8/8/8/8/K1k5 x - -", "expected one line with a board"),
        (f"{BOARD} bm Qg6;\nid 1", "expected one line"),
        (f"{BOARD} dm two;", "expected one whole number after dm, not 'two'"),
        (f"{BOARD} D1 1 2;", "expected one whole number after D1"),
        (f"{BOARD} D1 {'9' * 5000};", "expected one whole number after D1"),
        (f"{BOARD} D1 ٣;", "expected one whole number after D1"),
        (f"{BOARD} sm e4 e5;", "expected one move after sm, not 2"),
        (f'{BOARD} bm "e4 e5";', "expected moves of one word after bm"),
        (f'{BOARD} id "a" "b";', "expected one text after id, not 2"),
        (f'{BOARD} id "a;', "expected words, texts in"),
        (f'{BOARD} id "a"b;', "expected words, texts in"),
        (f"{BOARD} bm e4; bm e5;", "expected the operation bm once"),
        (f"{BOARD} 0 1 hmvc 2;", "expected the operation hmvc once"),
        (f"{BOARD} 1x e4;", "expected an operation that begins with a name"),
        (f'{BOARD} "id" e4;', "expected an operation that begins with a name"),
        (f"{BOARD} {'a' * 16} 1;", "expected an operation that begins with a name"),
    ],
)
def test_what_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ZermeloError, match=reason):
        read_line(text)
    with pytest.raises(ZermeloError, match=r"line [23]: expected"):
        list(read("\n" + (text or "x")))


def test_what_cannot_be_written() -> None:
    with pytest.raises(ZermeloError, match="expected one line of text"):
        write(Position(BOARD, {"id": "a\nb"}))


# ---- real files and hostile text -------------------------------------------------------------------


def real(name: str) -> str:
    folder = os.environ.get("ZERMELO_DATA")
    if not folder:
        pytest.skip("ZERMELO_DATA names no folder with real positions")
    return (Path(folder) / "chess" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "positions", "opcodes"),
    [
        ("wac.epd", 150, "acd bm id ce pv"),
        ("bratko-kopec.epd", 12, "bm id"),
        ("eet.epd", 100, "id"),
        ("sts_v6.epd", 594, "bm id c0 c7 c8 c9 Ae"),
        ("endgame-dm-4.epd", 48, "dm"),
        ("perftsuite.epd", 63, "hmvc fmvn D1 D2 D3 D4 D5 D6"),
        ("mate2.fen", 212, "hmvc fmvn"),
        ("variants/giveaway-puzzles.epd", 66, "bm"),
    ],
)
def test_real_positions(name: str, positions: int, opcodes: str) -> None:
    found = list(read(real(name)))
    assert len(found) == positions
    assert all(set(opcodes.split()) <= set(position.operations) for position in found)
    assert [read_line(write(position)) for position in found] == found


def survives(text: str) -> bool:
    try:
        position = read_line(text)
    except ZermeloError as error:
        assert "\n" not in str(error)
        return False
    assert read_line(write(position)) == position
    return True


SIGNS = ' ";\\#+-=/0123456789wbKQkqeaD\n\r\t\x00é٣\u2028'


def check_mutations(inputs: int) -> None:
    chooser, read_well = random.Random(1), 0
    lines = [line for name in ("wac.epd", "bratko-kopec.epd", "sts_v6.epd", "perftsuite.epd") for line in real(name).splitlines()]
    for _ in range(inputs):
        text = chooser.choice(lines)
        for _ in range(chooser.randint(1, 5)):
            at, other = chooser.randrange(len(text) + 1), chooser.randrange(len(text) + 1)
            new = chooser.choice((chooser.choice(SIGNS), text[other : other + 5], chooser.choice(lines)[other : other + 30], ""))
            text = text[:at] + new + text[at + chooser.choice((0, 1, 5)) :]
        read_well += survives(text)
    assert inputs // 50 < read_well < inputs


def test_mutated_positions() -> None:
    check_mutations(3000)


@pytest.mark.slow
def test_mutated_positions_many() -> None:
    check_mutations(100_000)


@settings(max_examples=1000, deadline=None, derandomize=True, database=None)
@given(st.text(st.one_of(st.sampled_from(SIGNS), st.characters()), max_size=60))
def test_any_text(text: str) -> None:
    survives(text)
    survives(f"{BOARD} {text}")


@pytest.mark.parametrize("sign", ['"', ";", "\\", " ", "a", "1", "\0"])
def test_long_hostile_text_ends(sign: str) -> None:
    survives(f"{BOARD} " + sign * 10**6)
    survives(f"{BOARD} id " + sign * 10**6)
