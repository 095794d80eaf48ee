"""Hostile files: endless words, nesting and digits, bytes that are not text. One sentence each, in time proportional to the file."""

from __future__ import annotations

import time
import tracemalloc

import pytest

from zermelo import ZermeloError
from zermelo.arena.records.record_formats import kinds, read
from zermelo.notation import epd, ggf, mat, obf, pdn, pgn, sgf, xot

N = 300_000  # what takes the square of it in steps would not end within the time
SECONDS = 20.0  # of the processor; each takes less than one of them
S = "x" * N
OTHELLO = "(;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *]"
READERS = {
    "pgn": lambda text: list(pgn.read(text)),
    "pdn": lambda text: list(pdn.read(text)),
    "epd": lambda text: list(epd.read(text)),
    "obf": lambda text: list(obf.read(text)),
    "xot": lambda text: list(xot.read(text)),
    "sgf": sgf.parse,
    "ggf": ggf.read,
    "mat": mat.read,
} | {f"file.{kind}": lambda text, kind=kind: read(kind, text.encode()) for kind in kinds()}

TEXTS = {
    "a tag": f'[Event "{S}"]\n\n1. e4 *',
    "a tag of escapes": '[Event "' + "\\\\" * (N // 2) + '"]\n*',
    "a tag without an end": f'[Event "{S}',
    "the name of a tag": f'[{S} "x"]\n*',
    "a position": '[FEN "' + "8/" * 30_000 + '"]\n\n1. e4 *',
    "a clock of 5,000 digits": f'[FEN "8/8/8/8/8/8/8/K1k5 w - - {"9" * 5000} 1"]\n\n1. Ka2 *',
    "a word": f"1. {S} *",
    "digits": "1" * N + ". e4 *",
    "5,000 digits": "1" * 5000 + ". e4 *",
    "a mark": "1. e4 $" + "1" * N,
    "parentheses": "1. e4 " + "(" * N,
    "variations": "1. e4 " + "(e5 " * (N // 4),
    "brackets": "[" * N,
    "a comment without an end": "1. e4 {" + S,
    "dots": "." * N,
    "spaces": " " * N + "x",
    "NUL": "\0" * N,
    "a tree": "(;" * (N // 2),
    "a closed tree": "(;" * (N // 4) + ")" * (N // 4),
    "a value": f"(;C[{S}])",
    "a value without an end": f"(;C[{S}",
    "a value of escapes": "(;C[" + "\\]" * (N // 2) + "])",
    "a name": f"(;{S}",
    "a size": f"(;GM[1]FF[4]SZ[{'9' * 5000}])",
    "a komi": f"(;GM[1]SZ[9]KM[{'9' * 5000}])",
    "a board of spaces": f"(;GM[Othello]BO[8 {' ' * N}*];)",
    "a board of squares": f"(;GM[Othello]BO[8 {'- ' * (N // 2)}*];)",
    "many games": (OTHELLO + ";)\n") * (N // 90),
    "slashes": f"{OTHELLO}B[{'/' * N}];)",
    "a value of digits": f"{OTHELLO}B[d3/{'1' * N}];)",
    "a player": f" 7 point match\n\n Game 1\n A{' ' * N}: 0   B : 0\n",
    "a line of turns": " 7 point match\n\n Game 1\n A : 0   B : 0\n  1) 31: " + "8/5 " * (N // 4),
    "a tag of spaces": "; [" + " " * N + "]\n 7 point match\n",
    "signs": "8/8/8/8/8/8/8/8 w - - bm " + "! " * (N // 2) + ";",
    "an operand": f'8/8/8/8/8/8/8/8 w - - id "{S}";',
    "objects": '{"a":' * (N // 5),
    "a number of JSON": '{"kind":"games of zermelo","version":' + "1" * N + "}",
}


@pytest.mark.parametrize("name", TEXTS)
def test_one_sentence_in_time(name):
    for kind, reader in READERS.items():
        began = time.process_time()
        try:
            reader(TEXTS[name])
        except ZermeloError as error:
            assert "\n" not in str(error), kind
        assert time.process_time() - began < SECONDS, kind


@pytest.mark.parametrize("data", [b"\xff\xfe" * 100, b"\0" * 100, b"", b"\xef\xbb\xbf", b"1. e4 \xff *", b"\x1a"])
def test_bytes_that_are_no_text(data):
    for kind in kinds():
        try:
            read(kind, data)
        except ZermeloError as error:
            assert "\n" not in str(error), kind


def test_what_is_too_long_is_told():
    for text, told in (
        (TEXTS["a tag"], "line 1: expected words and tags of at most 65,536 characters"),
        (TEXTS["a word"], "line 1: expected words and tags of at most 65,536 characters"),
        (TEXTS["variations"], "line 1: expected at most 100 nested variations"),
    ):
        with pytest.raises(ZermeloError) as error:
            READERS["pgn"](text)
        assert str(error.value) == told
    with pytest.raises(ZermeloError, match="line 1: expected a line of at most 65,536 characters, not 300,"):
        READERS["epd"](TEXTS["an operand"])
    with pytest.raises(ZermeloError, match="line 4 of the match: expected a line of at most 2,000 characters"):
        READERS["mat"](TEXTS["a player"])


@pytest.mark.parametrize("kind", ["pgn", "pdn"])
def test_ten_megabytes_in_one_tag(kind):
    text = '[Event "' + "x" * (10 << 20) + '"]\n\n1. e4 *'
    tracemalloc.start()
    with pytest.raises(ZermeloError, match="at most 65,536 characters"):
        READERS[kind](text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 200 << 20
