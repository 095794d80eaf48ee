"""The output of `zermelo explain`, and its refusals."""

from __future__ import annotations

import json
from functools import partial

import pytest
from helpers_cli import called, refusal
from hypothesis import given, settings
from oracle import trees

import zermelo
from zermelo.explain.minimal_tree import Ideal
from zermelo.explain.narrate import as_object, markdown, text
from zermelo.explain.progressive_deepening import deepen
from zermelo.explain.trim import trimmed

RECITATION = """\
A: max moves
  B: min moves
    E is worth 2. So B is worth at most 2 (beta 2).
    F: max moves; beta 2
      K is worth 3. So F is worth at least 3 (alpha 3).
      L is not looked at: F can already force 3, and B has 2 elsewhere.
    F is worth at least 3.
  B is worth 2.
  So A is worth at least 2 (alpha 2).
  C: min moves; alpha 2
    G: max moves; alpha 2
      M: min moves; alpha 2
        Q is worth 1. So M is worth at most 1 (beta 1).
        R is not looked at: M can already force 1, and A has 2 elsewhere.
      M is worth at most 1.
      N is worth 7. So G is worth at least 7 (alpha 7).
    G is worth 7.
    So C is worth at most 7 (beta 7).
    H is worth 6. So C is worth at most 6 (beta 6).
  C is worth 6.
  So A is worth at least 6 (alpha 6).
  D: min moves; alpha 6
    I is worth 1. So D is worth at most 1 (beta 1).
    J is not looked at: D can already force 1, and A has 6 elsewhere.
  D is worth at most 1.
A is worth 6.

Value 6, by A C H.
Static evaluations in order: E K Q N H I.
Never looked at: L R J O P.
13 nodes, 6 static evaluations, 3 cuts. Minimax makes 10 static evaluations: 4 saved. The ideal order needs 4.
"""


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]):
    return partial(called, capsys)


@pytest.fixture
def refused(call):
    return lambda *argv: refusal(call(*argv))


@pytest.fixture
def object_of(call):
    def run(*argv: str):
        done = call("explain", *argv, "--json")
        assert (done.code, done.err) == (0, "")
        return json.loads(done.out)

    return run


def test_the_recitation_as_a_person_would_tell_it(call):
    done = call("explain", "recitation")
    assert (done.code, done.err) == (0, "")
    assert done.out.split("\n", 2)[2] == RECITATION


def test_a_file_and_an_object(object_of, tmp_path):
    file = tmp_path / "my.tree"
    file.write_text("max A: B C D\nmin B: E F\nE = 2\nmax F: K L\nK = 3\nL = 0\nmin C: G H\nG = 7\nH = 6\nmin D: I J\nI = 1\nJ = 20\n")
    found = object_of(str(file))
    assert (found["value"], found["path"]) == (6, ["A", "C", "H"])
    assert found["evaluated"] == ["E", "K", "G", "H", "I"]
    assert found["pruned"] == ["L", "J"]
    assert [(c["node"], c["by"], c["bound"]) for c in found["cuts"]] == [("F", "B", 2), ("D", "A", 6)]
    assert found["counts"]["saved"] == 2
    assert object_of(str(file), "--with", "alphabeta") == found
    assert object_of(str(file), "--with", "minimax")["pruned"] == []
    other = tmp_path / "my.json"
    other.write_text('{"A": {"max": ["B", "C"]}, "B": 1, "C": 2}')
    assert object_of(str(other))["path"] == ["A", "C"]


def test_deepening(call, object_of):
    found = object_of("recitation", "--deepen")
    first, second = found["iterations"]
    assert first["evaluated"] == ["E", "F", "G", "H", "I", "J"]
    assert second["order"] == {"A": ["C", "B", "D"], "C": ["H", "G"], "B": ["E", "F"], "D": ["I", "J"]}
    assert second["evaluated"] == found["evaluated"] == ["H", "Q", "N", "E", "I"]
    assert (found["evaluations"], found["evaluations_with_cache"]) == (11, 8)
    said = call("explain", "recitation", "--deepen").out
    assert "Order: A (C B D), C (H G), B (E F), D (I J)." in said
    assert said.endswith("Static evaluations in all: 11; 8 with a cache of static values.\n")


@settings(max_examples=40, deadline=None)
@given(trees(depth=5))
def test_deepening_finds_the_value(tree):
    last = deepen(tree)[-1]
    assert last.trace.result.values[0] == zermelo.Minimax(interpreted=True).search(tree).values[0]


def test_sanity(call, object_of):
    done = call("explain", "recitation", "--sanity")
    assert done.code == 0
    assert [line.split(" the root")[0] for line in done.out.splitlines() if line.startswith("Sanity")] == [
        f"Sanity: with minus infinity at {leaf}" for leaf in "LROP"
    ]
    assert all(t["holds"] for t in object_of("recitation", "--sanity")["sanity"])


@pytest.mark.parametrize("branching", [2, 3])
@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5])
def test_the_ideal_of_uniform_trees(branching, depth):
    game = zermelo.game("uniform", branching=branching, depth=depth)
    ideal = Ideal(game, None)
    assert ideal.minimax(game.initial()) == branching**depth
    assert ideal.best(game.initial()) == branching ** ((depth + 1) // 2) + branching ** (depth // 2) - 1


def test_other_searches_and_games(call):
    for argv, says in [
        (("bins-2",), "So far C averages -2."),
        (("three-players",), "So D takes (1, 2, 6): player 2 gets 6."),
        (("tictactoe", "--with", "mcts", "--set", "simulations=40"), "the best of mean"),
        (("connect4", "--depth", "3"), "is evaluated as"),
        (("othello", "--with", "alphabeta", "--depth", "3"), "Value"),
        (("tictactoe", "--deepen", "--depth", "4"), "with a cache of static values"),
        (("tictactoe", "--depth", "4", "--limit", "100", "--set", "interpreted=true"), "The limit of the trace was reached"),
    ]:
        done = call("explain", *argv)
        assert (done.code, done.err) == (0, ""), argv
        assert says in done.out, argv
        assert len(done.out.splitlines()) < 400, argv


def test_markdown(call):
    lines = call("explain", "recitation", "--markdown").out.splitlines()
    assert lines[0] == "# tree: alpha-beta, to the end"
    assert "      - L is not looked at: F can already force 3, and B has 2 elsewhere." in lines


def test_files(call, tmp_path):
    done = call("explain", "recitation", *(x for kind in ("svg", "html", "latex") for x in (f"--{kind}", str(tmp_path / f"a.{kind}"))))
    assert done.code == 0
    assert sorted(f.name for f in tmp_path.iterdir()) == ["a.html", "a.latex", "a.svg"]
    assert "<svg" in (tmp_path / "a.svg").read_text() and "tikzpicture" in (tmp_path / "a.latex").read_text()


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("max A: B C\nB = 1", "line 1: C is not defined"),
        ("max A: B C\nmin B: D\nmin C: D\nD = 1", "line 3: D has two parents"),
        ("max A: B\nB = 1\nmin C: D\nmax D: C", "is in a cycle"),
        ("max A: B\nmin B: A", "line 2: A is in a cycle"),
        ("max A: B C\nB = 1\nC =", "line 3: C has no value"),
        ("chance A: B 1/2, C 1/3\nB = 1\nC = 2", "line 1: the probabilities below A sum to 0.833333, not to 1"),
    ],
)
def test_an_ill_formed_tree_is_told_with_its_line(refused, tmp_path, text, wrong):
    file = tmp_path / "wrong.tree"
    file.write_text(text)
    assert wrong in refused("explain", str(file))


def test_refusals(refused, tmp_path):
    assert "cannot read" in refused("explain", str(tmp_path / "none.tree"))
    assert "there is no game 'recitaton'" in refused("explain", "recitaton")
    assert "there is no searcher 'alphabta'" in refused("explain", "recitation", "--with", "alphabta")
    assert "expected a searcher that can be watched" in refused("explain", "tictactoe", "--with", "proofnumber")
    assert "the game is over" in refused("explain", "recitation", "--state", "K")
    assert "there is no folder" in refused("explain", "recitation", "--svg", str(tmp_path / "none" / "a.svg"))
    assert "either --json or --markdown" in refused("explain", "recitation", "--json", "--markdown")
    assert "such a tree" in refused("explain", "bins-2", "--sanity")
    assert "expected a limit" in refused("explain", "recitation", "--limit", "0")
    assert "--deepen" in refused("explain", "recitation", "--deepen", "--with", "mcts")


def test_a_trimmed_story_keeps_what_matters():
    found = zermelo.trace(zermelo.AlphaBeta(depth=5, interpreted=True), zermelo.game("connect4"))
    story = found.story
    small = trimmed(story, 60)
    assert small.path == story.path and len(small.nodes) <= 60 + len(small.cuts)
    for node in small.nodes.values():
        assert node.parent is None or node.id in small.nodes[node.parent].children
        assert all(child in small.nodes for child in node.children)
        assert node.more >= 0
        assert node.cut is None or node.cut.by is None or node.cut.by in small.nodes
    assert len(text(story)) < 200 and markdown(story)[0].startswith("# ")
    assert as_object(story, found.result.values)["counts"] == story.counts
