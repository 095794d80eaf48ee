"""Trees from files: the lectures' answers, and every error in a file with its line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from helpers import backed_up, best_path, check_hostile, check_state, everything
from hypothesis import given
from hypothesis import strategies as st

from zermelo.errors import ZermeloError
from zermelo.game import CHANCE
from zermelo.games.tree import SHIPPED, Tree


@pytest.fixture
def tree(tmp_path):
    """Make a tree from the text of a file."""

    def make(text: str | bytes, name: str = "my.tree") -> Tree:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return Tree(str(path))

    return make


def value(game: Tree, name: str) -> tuple[float, ...]:
    return backed_up(game, game.read_state(name))


# ---- the shipped trees ---------------------------------------------------------------------------


def test_recitation():
    game = Tree()
    assert {name: value(game, name)[0] for name in "ABCDFGMJ"} == {"A": 6, "B": 2, "C": 6, "D": 1, "F": 3, "G": 7, "M": 1, "J": 20}
    assert best_path(game) == ["C", "H"]
    assert [game.write_state(s) for s in everything(game) if game.is_terminal(s)] == list("EKLQRNHIOP")
    static = {name: game.evaluate(game.read_state(name), 0) for name in game.names}
    assert {n: v for n, v in static.items() if not game.is_terminal(game.read_state(n)) and v} == {"F": 3, "G": 7, "J": 20}
    assert game.evaluate(game.read_state("F"), 1) == -3


def test_chance_is_where_the_file_has_it():
    assert {name for name in SHIPPED if Tree(name).has_chance} == {"bins-2"}


def test_three_by_three():
    for name in ("three-by-three", "three-by-three-variant"):
        game = Tree(name)
        assert backed_up(game, game.initial()) == (3, -3)
        assert best_path(game) == ["B", "B1"]
    assert value(Tree("three-by-three-variant"), "C") == (-9, 9)


def test_bins():
    assert {b: value(Tree("bins-1"), b)[0] for b in "ABC"} == {"A": -50, "B": 1, "C": -5}
    assert {b: value(Tree("bins-2"), b)[0] for b in "ABC"} == {"A": -27.5, "B": -24.5, "C": -2}
    assert best_path(Tree("bins-1")) == ["B", "B-low"]
    assert backed_up(Tree("bins-2"), Tree("bins-2").initial()) == (-2, 2)


def test_three_players():
    game = Tree("three-players")
    assert game.players == 3
    assert {n: value(game, n) for n in "ABCDEFG"} == {
        "A": (1, 2, 6),
        "B": (1, 2, 6),
        "C": (1, 5, 2),
        "D": (1, 2, 6),
        "E": (6, 1, 2),
        "F": (1, 5, 2),
        "G": (5, 4, 5),
    }


@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_every_state_of_the_shipped_trees(name):
    game = Tree(name)
    states = list(everything(game))
    assert len(states) == len(set(states)) == len(game.names) == len(set(game.names))
    for s in states:
        check_state(game, s)
        assert game.names[s.node] == game.write_state(s)


def test_show():
    game = Tree("bins-2")
    assert game.show(game.read_state("A")) == (
        "chance A\n"
        "  0.5 min A-stay\n    A-stay-low = -50\n    A-stay-high = 50\n"
        "  0.5 min A-left\n    A-left-low = -5\n    A-left-high = 15"
    )
    assert Tree().show(Tree().read_state("F")) == "max F ~ 3\n  K = 3\n  L = 0"
    assert Tree("three-players").show(Tree("three-players").read_state("D")) == "player 2 D\n  D1 = 1 2 6\n  D2 = 4 2 3"


# ---- the formats ---------------------------------------------------------------------------------

LINES = """\
# all that a tree may have
player 0 A ~ 1, 2,3 : B C,X
player  1 B: D E   # a comment
chance X: Y 1/4, Z .75
D=3 -1 2e0
E = -.5, 0, 1.

Y = 1 1 1
Z = 0 0 0
C = 5 5 5
"""

JSON = """\
{
  "A": {"player": 0, "children": ["B", "C", "X"], "static": [1, 2, 3]},
  "B": {"player": 1, "children": ["D", "E"]},
  "X": {"chance": {"Y": "1/4", "Z": 0.75}},
  "D": [3, -1, 2],
  "E": [-0.5, 0, 1],
  "Y": [1, 1, 1], "Z": [0, 0, 0],
  "C": [5, 5, 5]
}
"""


@pytest.mark.parametrize(
    ("text", "name"), [(LINES, "my.tree"), (LINES, "noending"), (LINES.replace("\n", "\r\n"), "a.txt"), (JSON, "a.json")]
)
def test_formats(tree, text, name):
    for mark in ("", "\ufeff"):
        game = tree(mark + text, name)
        assert game.names == tuple("ABCXDEYZ") and game.players == 3
        s = game.initial()
        assert [game.evaluate(s, p) for p in range(3)] == [1, 2, 3]
        assert [game.write_action(s, a) for a in game.actions(s)] == ["B", "C", "X"]
        x = game.read_state("X")
        assert game.to_move(x) == CHANCE and [game.probability(x, a) for a in game.actions(x)] == [0.25, 0.75]
        assert [game.utility(game.read_state("E"), p) for p in range(3)] == [-0.5, 0, 1]
        for s in everything(game):
            check_state(game, s)


def test_two_players_may_have_scalars_and_vectors(tree):
    game = tree("player 0 A: B C\nB = 2\nC = 3 4")
    assert value(game, "B") == (2, -2) and value(game, "A") == (3, 4)
    game = tree('{"A": {"max": ["B", "C"]}, "B": {"min": ["D"]}, "D": [2, -2], "C": 1}', "a.json")
    assert value(game, "A") == (2, -2)


def test_a_single_leaf_is_a_tree(tree):
    game = tree("only = 3")
    assert game.is_terminal(game.initial()) and game.utility(game.initial(), 1) == -3


def test_names(tree):
    game = tree("max max: player 3 über\nplayer = 1\n3 = 2\nüber = 3")
    assert best_path(game) == ["über"] and game.read_state(" 3 ").node == 2
    with pytest.raises(ZermeloError, match=r"'plaier' is not a state of tree: expected the name of a node \(did you mean player"):
        game.read_state("plaier")
    with pytest.raises(ZermeloError, match="'x' is not a legal action here: expected one of player, 3, über"):
        game.read_action(game.initial(), "x")


def test_thousands_of_nodes(tree):
    wide = tree("max root: " + " ".join(f"n{i}" for i in range(4000)) + "\n" + "\n".join(f"n{i} = {i % 1000}" for i in range(4000)))
    assert wide.count(wide.initial()) == 4000 and backed_up(wide, wide.initial()) == (999, -999)
    deep = {f"n{i}": {"max" if i % 2 else "min": [f"n{i + 1}", f"leaf{i}"]} for i in range(3000)} | {"n3000": 1}
    game = tree(json.dumps(deep | {f"leaf{i}": i for i in range(3000)}), "deep.json")
    s = game.initial()
    while not game.is_terminal(s):
        s = game.result(s, 0)
    assert game.write_state(s) == "n3000" and len(game.show(game.initial()).split("\n")) == 6001


def test_hostile_states():
    check_hostile(Tree("bins-2"), 1)


# ---- faults --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("", 1, "expected a tree, but the file is empty"),
        ("# nothing\n\n", 1, "expected a tree, but the file is empty"),
        ("max A: B C\nB = 1", 1, "C is not defined: expected its value if it is a leaf, or else its children"),
        ("max A: Left Right\nLeft = 1\nRigth = 2", 1, "Right is not defined (did you mean Rigth?): expected its value"),
        ("max A: B C\nB = 1\nC =", 3, "C has no value: expected a number, or one for each player"),
        ("max A ~ : B\nB = 1", 1, "A has no value: expected a number"),
        ("max A: B\nB = one", 2, "expected a number for B, not 'one'"),
        ("max A: B\nB = nan", 2, "expected a number for B, not 'nan'"),
        ("max A: B\nB = 1e999", 2, "expected a number for B, not '1e999'"),
        ("max A: B\nB = 1_0", 2, "expected a number for B, not '1_0'"),
        ("max A: B\nmin B:", 2, "B has no children: expected at least one"),
        ("max A: B\nmin B ~ 3:", 2, "B has no children: expected at least one"),
        ("max A: B C\nmin B: D\nmin C: D\nD = 1", 3, "D has two parents: it is a child of B in line 2 already"),
        ("max A: B B\nB = 1", 1, "B has two parents: it is a child of A in line 1 already"),
        ("max A: B\nmin B: A", 2, "A is in a cycle: it is the root, being first, and cannot be a child of B"),
        ("max A: A", 1, "A is in a cycle: it is the root"),
        ("max A: B\nB = 1\nmax C: D E\nmin D: C\nE = 1", 4, "D is in a cycle: it lies below itself, and cannot be reached from the root A"),
        ("max A: B\nB = 1\nC = 2", 3, "C cannot be reached: it is not a child of any node, and A is the root, being first"),
        ("max A: B\nB = 1\nB = 2", 3, "B is defined twice, first in line 2"),
        ("max A: B\nmin B: C\nB = 2\nC = 1", 3, "B is defined twice, first in line 2"),
        ("chance A: B 0.5, C 0.4\nB = 1\nC = 2", 1, "the probabilities below A sum to 0.9, not to 1"),
        ("chance A: B 0.5, C\nB = 1\nC = 2", 1, "expected a probability after each child of A"),
        ("chance A: B 1, C 0\nB = 1\nC = 2", 1, "expected a probability above 0 and at most 1 below A, not '0'"),
        ("chance A: B 1/0\nB = 1", 1, "expected a probability above 0 and at most 1 below A, not '1/0'"),
        ("chance A: B 3/2\nB = 1", 1, "expected a probability above 0 and at most 1 below A, not '3/2'"),
        ("chance A: B -1, C 2\nB = 1\nC = 2", 1, "expected a probability above 0 and at most 1 below A, not '-1'"),
        ("chance A: B C\nB = 1\nC = 2", 1, "expected a probability above 0 and at most 1 below A, not 'C'"),
        ("player 0 A: B C\nB = 1 2 3\nC = 1 2", 3, "C has a value for 2 of the 3 players that B in line 2 has"),
        ("player 0 A: B C\nB = 1\nC = 1 2 3", 2, "B has a value for 1 of the 3 players that C in line 3 has"),
        ("player 0 A ~ 1: B C\nB = 1 2 3\nC = 1 2 3", 1, "A has a value for 1 of the 3 players that B in line 2 has"),
        ("player 2 A: B\nB = 1", 1, "player 2 gets nothing: expected values of 3 numbers at the leaves, not of 1"),
        ("max A: B\nB = 1 2 3", 1, "max and min are two players, but there are 3: expected player 0 to player 2 at A"),
        ("max A: B\nB = 1 2", 2, "the values of B do not sum to 0, which max in line 1 expects: write player there"),
        ("maximum A: B", 1, "expected NAME = VALUE or KIND NAME: CHILDREN, where KIND is max, min, chance or player and its number"),
        ("max A B", 1, "expected NAME = VALUE or KIND NAME: CHILDREN"),
        ("player A: B", 1, "expected NAME = VALUE or KIND NAME: CHILDREN"),
        ("player -1 A: B", 1, "expected NAME = VALUE or KIND NAME: CHILDREN"),
        ("max A: B = 3\n", 1, "expected the name of a node, a word without any of :=,~#, not '='"),
        ("max A\x07: B\nB = 1", 1, "expected the name of a node, a word without any of :=,~#, not 'A\\x07'"),
        (b"max A: B\nB = \xff1", 2, "expected text in UTF-8"),
    ],
)  # fmt: skip
def test_faults_of_lines(tree, tmp_path, text, line, why):
    with pytest.raises(ZermeloError) as caught:
        tree(text)
    assert str(caught.value).startswith(f"{tmp_path / 'my.tree'}, line {line}: {why}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("", 1, "expected a tree, but the file is empty"),
        ("\n {\n} ", 1, "expected a tree, but the file is empty"),
        ('[{"A": 1}]', 1, "expected { in a JSON object that has an entry for each node"),
        ('{"A": 1', 1, "expected } in a JSON object"),
        ('{"A": 1,\n}', 2, "expected JSON, but: Expecting value"),
        ('{"A":\n tru}', 2, "expected JSON, but: Expecting value"),
        ('{"A" 1}', 1, "expected : in a JSON object"),
        ('{"A": 1}\n{}', 2, "expected nothing after the JSON object"),
        ('{3: 1}', 1, "expected the name of a node, a word without any of :=,~#, not 3"),
        ('{"a b": 1}', 1, "expected the name of a node, a word without any of :=,~#, not 'a b'"),
        ('{"\\ud800": 1}', 1, "expected the name of a node, a word without any of :=,~#, not '\\ud800'"),
        ('{"A": {"max": ["B", 3]}, "B": 1}', 1, "expected the name of a node, a word without any of :=,~#, not 3"),
        ('{"A": {"max": ["B"]},\n"B": 1,\n"B": 2}', 3, "B is defined twice, first in line 2"),
        ('{"A": {"max": ["B"]},\n"C": 1}', 1, "B is not defined"),
        ('{"A": {"max": ["B"]},\n"B": []}', 2, "B has no value: expected a number"),
        ('{"A": {"max": ["B"]},\n"B": "x"}', 2, "expected a number for B, not 'x'"),
        ('{"A": {"max": ["B"]},\n"B": NaN}', 2, "expected a number for B, not 'nan'"),
        ('{"A": {"max": ["B"]},\n"B": true}', 2, "expected a number for B, not 'True'"),
        ('{"A": {"max": ["B"]},\n"B": [[1]]}', 2, "expected a number for B, not '[1]'"),
        ('{"A": {"max": []}}', 1, "A has no children: expected at least one"),
        ('{"A": {"max": "BC"}}', 1, "expected the children of A as a list of names"),
        ('{"A": {"player": 0}}', 1, "expected the children of A as a list of names"),
        ('{"A": {"chance": ["B"]}}', 1, "expected the children of A as an object of probabilities"),
        ('{"A": {"chance": {"B": 0.5, "C": null}}}', 1, "expected a probability above 0 and at most 1 below A, not 'None'"),
        ('{"A": {"chance": {"B": 0.5}}, "B": 1}', 1, "the probabilities below A sum to 0.5, not to 1"),
        ('{"A": {}}', 1, 'expected A to have "max", "min", "chance", or "player" and "children", and perhaps "static", but no more'),
        ('{"A": {"max": ["B"], "min": ["C"]}}', 1, 'expected A to have "max"'),
        ('{"A": {"max": ["B"], "children": ["C"]}}', 1, 'expected A to have "max"'),
        ('{"A": {"player": "max", "children": ["B"]}}', 1, "expected the number of the player at A, counted from 0"),
        ('{"A": {"player": -1, "children": ["B"]}}', 1, "expected the number of the player at A, counted from 0"),
        ('{"A": ' + "[" * 100000 + "}", 1, "expected JSON"),
        ('{"A": ' + "1" * 5000 + "}", 1, "expected JSON without such long numbers or deep nesting"),
        ('{"A": ' + "1" * 400 + "}", 1, "expected a number for A, not '1111"),
        (b'{"A":\n "\xff"}', 2, "expected text in UTF-8"),
    ],
    ids=lambda x: re.sub(r"\W+", " ", str(x))[:40],
)  # fmt: skip
def test_faults_of_json(tree, tmp_path, text, line, why):
    with pytest.raises(ZermeloError) as caught:
        tree(text, "my.json")
    assert str(caught.value).startswith(f"{tmp_path / 'my.json'}, line {line}: {why}")
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_read(tmp_path):
    for wrong in ("recitatoin", str(tmp_path), str(tmp_path / "none.tree"), "", "a\0b", "\ud800", 5, None, ["recitation"]):
        with pytest.raises(ZermeloError, match=r"tree: cannot read .*: expected a file or one of bins-1, bins-2, recitation"):
            Tree(wrong)
    with pytest.raises(ZermeloError, match="No such file or directory"):
        Tree("recitatoin")


def test_shipped_names_and_paths(tmp_path):
    assert sorted(SHIPPED) == ["bins-1", "bins-2", "recitation", "three-by-three", "three-by-three-variant", "three-players"]
    assert repr(Tree()) == "tree" and repr(Tree("bins-1")) == "tree:file=bins-1"
    (tmp_path / "x.tree").write_text("A = 1")
    assert Tree(Path(tmp_path / "x.tree")).names == ("A",)


@given(st.text(), st.sampled_from(["lines", "json"]))
def test_hostile_files(text, kind):
    check_file(text, kind)


@given(st.lists(st.sampled_from(["max", "min", "chance", "player 1", "A", "B", "C", ":", "=", "~", "1", "0.5", ",", "\n", "#"])))
def test_hostile_lines(words):
    check_file(" ".join(words), "lines")


@given(st.dictionaries(st.sampled_from("ABC"), st.recursive(
    st.none() | st.floats() | st.integers() | st.sampled_from("ABC"),
    lambda x: st.lists(x, max_size=3) | st.dictionaries(st.sampled_from(["max", "min", "chance", "player", "children", "static", "A"]), x),
    max_leaves=5,
)))  # fmt: skip
def test_hostile_json(entries):
    check_file(json.dumps(entries), "json")


def check_file(text: str, kind: str) -> None:
    """Whether any text is a tree, all of whose states are in order, or a fault with a line."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"any.{kind}"
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        try:
            game = Tree(str(path))
        except ZermeloError as error:
            assert re.match(r".*any\.(lines|json), line [0-9]+: ", str(error))
            return
        for s in everything(game):
            check_state(game, s)
