"""`zermelo solve` of games in which nothing is hidden."""

from __future__ import annotations

import json

import pytest
from helpers_cli import called, refusal


def test_values_actions_and_lines(capsys):
    told = json.loads(called(capsys, "solve", "othello:size=4,score=true", "--table", "1", "--json").out)
    assert (told["value"], told["plies"], set(told["best"])) == (-10.0, None, {"b1", "a2", "d3", "c4"})
    assert told["line"][0] in told["best"] and told["scores"] == {} and told["method"] == "alphabeta"
    out = called(capsys, "solve", "nim:heaps=1,2,4", "--all", "--table", "1").out
    assert "X to move: won in" in out and "3-1" in out.split("best")[1].splitlines()[0] and "lost in" in out


def test_by_proofs(capsys):
    told = json.loads(called(capsys, "solve", "hex:size=3", "--method", "proofnumber", "--all", "--json").out)
    assert told["value"] == 1 and set(told["best"]) == {"c1", "a2", "b2", "c2", "a3"} and len(told["scores"]) == 9


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["kuhn", "--all"], "kuhn has hidden information: expected no --all"),
        (["tictactoe", "--until", "0.1"], "tictactoe hides nothing: expected no --until"),
        (["tictactoe", "--method", "cfr"], "there is no method 'cfr' where nothing is hidden: expected alphabeta or proofnumber"),
        (["pig"], "expected a game without chance"),
        (["tictactoe", "--table", "0"], "expected a table of 1 to"),
    ],
)
def test_what_is_refused(capsys, words, sentence):
    assert sentence in refusal(called(capsys, "solve", *words))


def test_what_takes_too_long_is_not_told(capsys):
    done = called(capsys, "solve", "othello:score=true", "--seconds", "0.01", "--table", "1")
    assert done.code == 1 and "not solved within 0.01 s" in done.err and not done.out
