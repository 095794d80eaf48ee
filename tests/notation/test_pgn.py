"""PGN: reading is faithful, and written text reads back."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.errors import ZermeloError
from zermelo.notation.pgn import MAX_NESTED_VARIATIONS, Line, Move, Record, read, read_file, write

SAMPLE = """\
% a line that programs leave to themselves
[Event "Casual \\"rapid\\" \\\\ game"]
[Site "?"]
[Result "1-0"]

{ Before
   the first } 1. e4! $14 e5 ; to the end of the line
2.Nf3 (2. f4?! {King's (gambit) ; and [all]} exf4 (2... d5 $6) 3. Nf3) (2. d4) 2... Nc6
3. Bb5 1-0 {after the end}

[Event "second"][SetUp "1"] 12... Qh5 13. O-O-O * [Event "third"]
1. d4
"""


def words(line: Line) -> list[str]:
    return [move.text for move in line.moves]


def test_all_that_a_game_can_have() -> None:
    first, second, third = read(SAMPLE)
    assert first.tags == {"Event": 'Casual "rapid" \\ game', "Site": "?", "Result": "1-0"}
    assert words(first.line) == ["e4", "e5", "Nf3", "Nc6", "Bb5"]
    assert first.line.comments == ["Before the first"]
    e4, e5, nf3, _, bb5 = first.line.moves
    assert e4.nags == [1, 14] and e5.comments == ["to the end of the line"] and bb5.comments == ["after the end"]
    gambit, center = nf3.variations
    assert words(gambit) == ["f4", "exf4", "Nf3"] and words(center) == ["d4"]
    assert gambit.moves[0].nags == [6] and gambit.moves[0].comments == ["King's (gambit) ; and [all]"]
    assert words(gambit.moves[1].variations[0]) == ["d5"] and gambit.moves[1].variations[0].moves[0].nags == [6]
    assert first.line.result == "1-0" and first.ply == 0 and (first.at, nf3.at, bb5.at) == (2, 8, 9)
    assert second.line.result == "*" and second.ply == 23 and words(second.line) == ["Qh5", "O-O-O"]
    assert third.tags == {"Event": "third"} and third.line.result == "" and words(third.line) == ["d4"]


def test_export_form() -> None:
    first, second, _ = read(SAMPLE)
    assert write(first) == (
        '[Event "Casual \\"rapid\\" \\\\ game"]\n[Site "?"]\n[Result "1-0"]\n\n'
        "{Before the first} 1. e4 $1 $14 e5 {to the end of the line} 2. Nf3 (2. f4 $6\n"
        "{King's (gambit) ; and [all]} 2... exf4 (2... d5 $6) 3. Nf3) (2. d4) 2... Nc6\n"
        "3. Bb5 {after the end} 1-0\n"
    )
    assert write(second) == '[Event "second"]\n[SetUp "1"]\n\n12... Qh5 13. O-O-O *\n'


def test_comments_with_braces_get_a_line_of_their_own() -> None:
    line = Line([Move("e4", comments=["}", "{ ;a b} c"], variations=[Line([], ["}"], "*"), Line()]), Move("e5")], ["x } y"])
    text = write(Record(line=line))
    assert text == "1.\n; x } y\n1. e4\n; }\n; { ;a b} c\n(\n; }\n*) () 1... e5 *\n"
    (again,) = read(text)
    line.result = "*"
    assert again == Record(line=line)


def test_lines_come_one_after_another() -> None:
    """An endless text is read as far as one asks."""

    def lines():
        n = 0
        while True:
            n += 1
            yield f'[Round "{n}"]\n'
            yield "1. e4 *\n"

    games = read(lines())
    assert [next(games).tags["Round"] for _ in range(3)] == ["1", "2", "3"]


def test_results_may_be_those_of_another_game() -> None:
    (game,) = read("1. 11-15 22x18 2. 1-5 2-0", ("2-0", "0-2", "1-1", "*"))
    assert words(game.line) == ["11-15", "22x18", "1-5"] and game.line.result == "2-0"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1. e4 {never\nends", "line 1: expected a } that ends the comment"),
        ("1. e4\n) e5", "line 2: expected no \\) without its opening bracket"),
        ("1. e4 ] e5", "line 1: expected no \\] without"),
        ("1. e4 (1. d4\n\n", "line 1: expected \\) for each \\("),
        ('1. e4 (1. d4\n[Event "x"]', "line 2: expected \\) before the next game"),
        ("(1. e4)", "line 1: expected a move before the variation"),
        ("1. e4 " + "(1. d4 " * (MAX_NESTED_VARIATIONS + 1), f"line 1: expected at most {MAX_NESTED_VARIATIONS} nested variations"),
        ("$1", "line 1: expected a mark from \\$0 to \\$255 after a move"),
        ("1. e4 $256", "expected a mark"),
        ("1. e4 $1234", "line 1: expected a move, a tag, a comment or a result, not '\\$1234'"),
        ("1. e4!!!", "line 1: expected one of ! \\? !! \\?\\? !\\? \\?! after a move"),
        ("1. 2!", "after a move, not '2!'"),
        ("1. e4 *?", "after a move"),
        ("1. e!4", "after a move, not 'e!4'"),
        ("1. e4 <x>", "not '<x>'"),
        ("1. e4 %x", "not '%x'"),
        ('"x"', "expected a move, not"),
        ('[Event "x', 'expected a " that ends the text'),
        ("[Event x]", "line 1: expected a tag as"),
        ('[Event "x"', "expected a tag as"),
        ('[Ev-ent "x"]', "expected a tag as"),
        ('[Event "x"]\n[Event "y"]', "line 2: expected the tag Event once"),
        ("1234567. e4", "line 1: expected a move number of at most six digits"),
        ("1. e4 (1. d4 1-0 d5)", "expected \\) after the result of a variation, not 'd5'"),
    ],
)
def test_what_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ZermeloError, match=reason) as error:
        list(read(text))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "record",
    [
        Record({"a b": "x"}),
        Record({"Event": "x\ny"}),
        Record(line=Line([Move("e4 e5")])),
        Record(line=Line([Move("e4!")])),
        Record(line=Line([Move("")])),
        Record(line=Line([Move("12")])),
        Record(line=Line([Move("1-0")])),
    ],
)
def test_what_cannot_be_written(record: Record) -> None:
    with pytest.raises(ZermeloError, match="expected a "):
        write(record)


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "some.pgn"
    path.write_bytes(b'\xef\xbb\xbf[White "J\xc3\xb6rg"]\r\n\r\n1. e4 e5 *\r\n')
    assert next(read_file(path)).tags == {"White": "Jörg"}
    path.write_bytes(b'[White "J\xf6rg"]')
    with pytest.raises(ZermeloError, match="expected text in UTF-8"):
        list(read_file(path))
    with pytest.raises(ZermeloError, match="cannot be read: No such file"):
        list(read_file(tmp_path / "none.pgn"))


# ---- real files and hostile text -------------------------------------------------------------------


def real(name: str) -> str:
    folder = os.environ.get("ZERMELO_DATA")
    if not folder:
        pytest.skip("ZERMELO_DATA names no folder with real games")
    return (Path(folder) / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "games"), [("Fischer", 414), ("Capablanca", 299)])
def test_real_games_read_and_are_written_word_for_word(name: str, games: int) -> None:
    text = real(f"chess/games/{name}.pgn")
    records = list(read(text))
    assert len(records) == games
    written = "\n".join(map(write, records))
    assert written.split() == text.split()
    assert max(map(len, written.split("\n"))) <= 79
    assert list(read(written)) == records


def test_draughts_too() -> None:
    records = list(read(real("checkers/tinsley.pdn")))
    assert len(records) == 362 and all(record.line.result for record in records)
    assert list(read("\n".join(map(write, records)))) == records


def survives(text: str) -> bool:
    """The text is refused in one sentence with its line, or read, written and read as the same; whether it was read."""
    try:
        records = list(read(text))
    except ZermeloError as error:
        assert str(error).startswith("line ") and "\n" not in str(error)
        return False
    for record in records:
        record.line.result = record.line.result or "*"
    assert list(read("\n".join(map(write, records)))) == [plain(record) for record in records]
    return True


def plain(record: Record) -> Record:
    """A record as it must come back: its number is told only before a move."""
    return record if record.line.moves else Record(record.tags, record.line)


def mutated(text: str, chooser: random.Random, signs: str) -> str:
    for _ in range(chooser.randint(1, 6)):
        at, length = chooser.randrange(len(text) + 1), chooser.choice((0, 1, 1, 2, 5, 60))
        other = chooser.randrange(len(text) + 1)
        new = chooser.choice((chooser.choice(signs), text[other : other + chooser.choice((1, 5, 60))], ""))
        text = text[:at] + new + text[at + length :]
    return text


SIGNS = '[](){}<>;%$.!?"\\/*#+=-\n\r\t 0123456789abcO1½é\ufeff\x00\x85\u2028'


def check_mutations(inputs: int) -> None:
    chooser, whole = random.Random(1), real("chess/games/Fischer.pgn") + SAMPLE
    read_well = 0
    for _ in range(inputs):
        at = chooser.randrange(len(whole) - 400) if chooser.random() < 0.8 else len(whole) - 500
        read_well += survives(mutated(whole[at : at + chooser.randint(20, 900)], chooser, SIGNS))
    assert inputs // 50 < read_well < inputs


def test_mutated_games() -> None:
    check_mutations(2000)


@pytest.mark.slow
def test_mutated_games_many() -> None:
    check_mutations(100_000)


@settings(max_examples=1000, deadline=None, derandomize=True, database=None)
@given(st.text(st.one_of(st.sampled_from(SIGNS), st.characters()), max_size=80))
def test_any_text(text: str) -> None:
    survives(text)


@pytest.mark.parametrize(
    "text", ["(" * 10**6, "e4 (" * 10**6, "{" * 10**6, '"' * 10**6, "[" * 10**6, "1" * 10**6, "e4 " * 10**5, "." * 10**6]
)
def test_long_hostile_text_ends(text: str) -> None:
    survives(text)
