"""SGF: trees both ways, escaped values, charsets, and errors with their place."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.errors import ZermeloError
from zermelo.notation.sgf import Node, decode, escaped, pair, parse, text, write


def flat(node: Node) -> list[tuple[dict[str, list[str]], int]]:
    """A tree as a list: each node's properties and how many children it has, a first child before the second."""
    out, todo = [], [node]
    while todo:
        node = todo.pop()
        out.append((node.properties, len(node.children)))
        todo += reversed(node.children)
    return out


def test_a_tree_with_variations() -> None:
    (game,) = parse("(;FF[4]GM[1]SZ[9] ;B[ee]\n;W[ge](;B[gc]) (;B [gg] C[better];W[hg]))")
    assert [node.properties for node in game.line()] == [
        {"FF": ["4"], "GM": ["1"], "SZ": ["9"]},
        {"B": ["ee"]},
        {"W": ["ge"]},
        {"B": ["gc"]},
    ]
    fork = game.children[0].children[0]
    assert fork.children[1].properties == {"B": ["gg"], "C": ["better"]}
    assert write([game]) == "(;FF[4]GM[1]SZ[9];B[ee];W[ge](;B[gc])(;B[gg]C[better];W[hg]))\n"


def test_collections_and_lists() -> None:
    games = parse("(;AB[aa][bb]\n[cc:dd])(;GM[1])")
    assert [game.properties for game in games] == [{"AB": ["aa", "bb", "cc:dd"]}, {"GM": ["1"]}]
    assert [flat(game) for game in parse(write(games))] == [flat(game) for game in games]
    assert parse("(;AB[aa]AW[cc]AB[bb])")[0].properties == {"AB": ["aa", "bb"], "AW": ["cc"]}
    assert parse("(;GaMe[1]SiZe[9])")[0].properties == {"GM": ["1"], "SZ": ["9"]}


def test_values() -> None:
    (game,) = parse("(;C[a\\]b\\\\c\\:d\\\ne\tf\r\ng]GN[]LB[aa:x\\:y])")
    assert game.get("C") == "a]b\\c:de f\ng"
    assert game.get("GN") == ""
    assert game.get("PB") is None
    assert pair(game.properties["LB"][0]) == ("aa", "x:y")
    assert pair("aa\\:bb") is None
    with pytest.raises(ZermeloError, match="expected one value of AB in a node, not 2"):
        parse("(;AB[aa][bb])")[0].get("AB")


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(st.text(max_size=40))
def test_any_words_can_be_a_value(words: str) -> None:
    node = Node({"C": [escaped(words)], "LB": [f"{escaped(words)}:{escaped(words)}"]})
    (again,) = parse(write([node]))
    told = re.sub(r"[\t\v\f]", " ", re.sub(r"\r\n|\n\r|\r", "\n", words))
    assert again.properties == node.properties
    assert again.get("C") == told
    assert pair(again.properties["LB"][0]) == (told, told)


def test_lines_are_short_and_depth_has_no_limit() -> None:
    long = parse("(" + ";B[aa];W[bb]" * 50_000 + ")")
    lines = write(long).splitlines()
    assert max(map(len, lines)) <= 80
    assert sum(1 for _ in parse("\n".join(lines))[0].line()) == 100_000
    deep = parse("(;" * 50_000 + ")" * 50_000)
    assert len(flat(deep[0])) == 50_000
    assert parse(write(deep))[0].children


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("", "line 1, column 1: expected a game like"),
        ("hello", "line 1, column 1: expected ( ; ) or a property like B[aa], not 'h'"),
        ("(", "line 1, column 2: expected ), not the end"),
        ("()", "line 1, column 2: expected ; after (, not ')'"),
        ("((;))", "line 1, column 2: expected ; after ("),
        ("(B[aa])", "line 1, column 2: expected ; after ("),
        ("(;\nB[aa]", "line 2, column 6: expected ), not the end"),
        ("(;B[aa", "line 1, column 4: expected a ] that ends the value"),
        ("(;B[aa\\])", "line 1, column 4: expected a ] that ends the value"),
        ("(;B)", "line 1, column 3: expected ( ; ) or a property"),
        ("(;[aa])", "line 1, column 3: expected a property's name"),
        ("(;b[aa])", "line 1, column 3: expected capital letters"),
        ("(;))", "line 1, column 4: expected ( first, not ')'"),
        ("(;);", "line 1, column 4: expected ( first, not ';'"),
        ("(;)B[aa]", "line 1, column 4: expected ( first"),
        ("(;(;)\n;)", "line 2, column 1: expected ( or ) after a variation"),
        ("(;(;)B[aa])", "line 1, column 6: expected ( or )"),
    ],
)
def test_errors_say_where(words: str, told: str) -> None:
    with pytest.raises(ZermeloError, match=re.escape(f"SGF, {told}")):
        parse(words)


def test_charsets() -> None:
    assert decode("(;PB[Grünwald])".encode()) == "(;PB[Grünwald])"
    assert decode("(;PB[Grünwald])".encode("latin-1")) == "(;PB[Grünwald])"
    assert decode("\ufeff(;PB[吳清源])".encode()) == "(;PB[吳清源])"
    for charset in ("UTF-8", "Big5", "GB2312", "ISO-8859-1", "Shift_JIS", "EUC-JP", "windows-1252", "ISO8859_1", "ascii"):
        words = f"(;CA[{charset}]PB[" + ("Grün" if "8859" in charset or "12" in charset else "許" if charset == "Big5" else "王") + "])"
        words = words if charset != "ascii" else "(;CA[ascii])"
        assert decode(words.encode(charset)) == words
    for wrong in (
        b"(;CA[ascii]PB[\xe4])",
        b"(;CA[UTF-8]PB[\xe4])",
        b"(;CA[rot13])",
        b"(;CA[zlib])",
        b"(;CA[klingon])",
        b"(;CA[unicode_escape])",
    ):
        with pytest.raises(ZermeloError, match="expected"):
            decode(wrong)


def test_only_what_reads_back_is_written() -> None:
    for wrong in ({"C": ["]"]}, {"C": ["\\"]}, {"c": ["x"]}, {"C": []}, {"": ["x"]}):
        with pytest.raises(ZermeloError, match="SGF cannot be written: expected"):
            write([Node(wrong)])


def spoiled(words: str, chooser: random.Random, edits: int) -> str:
    """The text with some characters gone, changed, or in place of others."""
    for _ in range(edits):
        at = chooser.randrange(len(words) + 1)
        words = words[:at] + chooser.choice(["", chooser.choice("();[]\\:BWC\n a"), words[:at][-9:]]) + words[at + chooser.randrange(3) :]
    return words


@pytest.mark.parametrize("many", [3000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_hostile_text(many: int) -> None:
    """Whatever the text: one sentence, or a tree that is written so that it reads back."""
    chooser = random.Random(many)
    good = "(;FF[4]GM[1]SZ[9]C[a \\] b];B[ee];W[ge](;B[gc];W[])(;B[gg]LB[aa:x\\:y][bb:2]))\n(;AB[aa][bb])"
    for _ in range(many):
        words = spoiled(good, chooser, chooser.randrange(1, 6))
        try:
            games = parse(words)
        except ZermeloError as error:
            assert re.fullmatch(r"SGF, line \d+, column \d+: expected [^\n]+", str(error))
        else:
            assert [flat(game) for game in parse(write(games))] == [flat(game) for game in games]
            for game in games:
                for properties, _ in flat(game):
                    for values in properties.values():
                        assert values and all(isinstance(text(value), str) for value in values)


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(st.one_of(st.text(max_size=60), st.text("();[]\\BWab: \n", max_size=60)), st.binary(max_size=60))
def test_any_text_and_any_bytes(words: str, data: bytes) -> None:
    for read in (lambda: parse(words), lambda: parse(decode(data)), lambda: decode(b"(;CA[" + data + b"])")):
        try:
            read()
        except ZermeloError as error:
            assert "\n" not in str(error)
