"""The commands about tables, and the players and searches that use them."""

from __future__ import annotations

import json

import pytest
from helpers_cli import called, refusal

import zermelo
from zermelo.arena.clock import Clock, Control
from zermelo.arena.players.by_text import player
from zermelo.history import History


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A table of tic-tac-toe."""
    from zermelo.lookup.build import build_table

    path = tmp_path_factory.mktemp("table") / "ttt.table"
    build_table(zermelo.game("tictactoe"), path)
    return path


def test_build_info_verify_and_probe(tmp_path, capsys):
    file = str(tmp_path / "t.table")
    out = called(capsys, "table", "build", "tictactoe", file, "--json").out.splitlines()
    built = json.loads(out[-1])
    assert {k: built[k] for k in ("states", "won", "lost", "drawn", "longest")} == {
        "states": 5478,
        "won": 2836,
        "lost": 1574,
        "drawn": 1068,
        "longest": 5,
    }
    assert built["seconds"] > 0
    assert json.loads(called(capsys, "table", "info", file, "--json").out) == built
    assert json.loads(called(capsys, "table", "verify", file, "--json").out) == {
        "file": file,
        "states": 5478,
        "contradictions": 0,
        "example": "",
    }
    probed = json.loads(called(capsys, "table", "probe", file, "--json").out)
    assert probed["outcome"] == "drawn" and len(probed["actions"]) == 9 and {a["outcome"] for a in probed["actions"]} == {"drawn"}
    alone = str(tmp_path / "results.table")
    assert json.loads(called(capsys, "table", "results", file, alone, "--json").out)["results"]
    told = json.loads(called(capsys, "table", "probe", alone, "--json", "--state", "XX./OO./...").out)
    assert (told["outcome"], told["plies"], told["actions"][0]["outcome"]) == ("won", None, "won")
    assert "not told" in called(capsys, "table", "info", alone).out
    assert "has results without plies, which prove nothing by themselves" in refusal(called(capsys, "table", "verify", alone))
    assert "5,478 states, 0 contradict" in called(capsys, "table", "verify", file).out
    assert "drawn" in called(capsys, "table", "probe", file).out and "5,478" in called(capsys, "table", "info", file).out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["build", "tictactoe", "no/such/t"], "cannot write no/such/t: the folder no/such does not exist"),
        (["build", "tictactoe", "t", "--ending", "KQK"], "tictactoe numbers no states: expected no ending"),
        (["build", "tictactoe", "t", "--limit", "0"], "expected a limit of 1 to 2,147,483,647 states, not 0"),
        (["build", "chess", "t"], "'' is not an ending of chess: expected at most 4 pieces like KQKR, or 2, 3 or 4 for all"),
        (["info", "pyproject.toml"], "is not an endgame table: expected a file that zermelo table build wrote"),
        (["results", "pyproject.toml", "no/such/t"], "cannot write no/such/t: the folder no/such does not exist"),
        (["verify", "no.table"], "there is no table 'no.table': expected a file that zermelo table build wrote"),
        (["polish"], "no such command 'polish'"),
    ],
    ids=lambda x: " ".join(x) if isinstance(x, list) else "",
)
def test_what_cannot_be_done_is_told_in_a_sentence(words, sentence, pytestconfig, monkeypatch, capsys):
    monkeypatch.chdir(pytestconfig.rootpath)
    assert sentence in refusal(called(capsys, "table", *words))


def test_a_state_that_the_table_lacks(tmp_path, capsys):
    from zermelo.lookup.build import build_table

    game, path = zermelo.game("tictactoe"), tmp_path / "part.table"
    late = game.result(game.result(game.initial(), 0), 1)
    build_table(game, path, state=late)
    assert f"does not have the state {game.write_state(game.initial())}" in called(capsys, "table", "probe", str(path)).err
    side = player(f"table:{path}|random")
    side.begin(game, 0, 1)
    history = History(game)
    assert side.choose(game, history, Clock(Control(), 2)) in range(9)  # at random


def test_the_player_never_loses_and_punishes(table):
    game, clock, won = zermelo.game("tictactoe"), Clock(Control(), 2), 0
    perfect, other = player(f"table:{table}|random"), player("random")
    for seed in range(60):
        seat, history = seed % 2, History(game)
        perfect.begin(game, seat, seed)
        other.begin(game, 1 - seat, seed)
        while not history.is_over:
            mine = game.to_move(history.state) == seat
            history.do((perfect if mine else other).choose(game, history, clock))
        assert history.utility(seat) >= 0
        won += history.utility(seat) > 0
    assert won > 40
    assert perfect.text == f"table:{table}|random"


def test_every_state_is_worth_to_a_search_with_the_table_what_it_is_without(table):
    """From each state after two plies: the value of one ply with the table is that of the whole tree without."""
    game = zermelo.game("tictactoe")
    one, whole = zermelo.AlphaBeta(depth=1, endgames=str(table)), zermelo.AlphaBeta(distance=True)
    for a in range(9):
        for b in range(9):
            if a == b:
                continue
            s = game.result(game.result(game.initial(), a), b)
            with_table, without = one.search(game, s), whole.search(game, s)
            assert with_table.exact and with_table.value == without.value and with_table.nodes <= 16
