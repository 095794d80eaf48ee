"""Searchers by name, their settings as text, and every refusal in one sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

import zermelo
from zermelo import ZermeloError
from zermelo.search import by_name as registry
from zermelo.search.alphabeta.plain import PlainAlphaBeta
from zermelo.search.alphabeta.searcher import AlphaBeta
from zermelo.search.by_name import default_for, default_searcher, default_settings, find, names, player_for, searcher
from zermelo.search.minimax import Minimax
from zermelo.search.searcher import Searcher


def test_every_searcher_has_a_name() -> None:
    wanted = {
        "alphabeta",
        "bestfirst",
        "expectiminimax",
        "maxn",
        "mcts",
        "minimax",
        "montecarlo",
        "paranoid",
        "plain",
        "proofnumber",
        "rollouts",
    }
    assert wanted <= set(names())
    assert names() == sorted(names())
    assert "searcher" not in names() and "deepening" not in names()  # only what others are derived from
    for name in names():
        assert issubclass(find(name), Searcher) and isinstance(searcher(name), find(name))


def test_classes_by_name() -> None:
    assert searcher("alphabeta", depth=5, table=64) == AlphaBeta(depth=5, table=64)
    assert searcher("minimax", rounds=True) == Minimax(rounds=True)
    assert searcher("plain", depth=3) == AlphaBeta.plain(3)
    assert find("plain") is PlainAlphaBeta


@pytest.mark.parametrize(
    ("name", "key", "text", "value"),
    [
        ("alphabeta", "depth", "7", 7),
        ("alphabeta", "depth", "none", None),
        ("alphabeta", "table", "None", None),
        ("alphabeta", "table", " 8 ", 8),
        ("alphabeta", "seconds", "0.5", 0.5),
        ("alphabeta", "seconds", "2", 2.0),
        ("alphabeta", "pvs", "false", False),
        ("alphabeta", "pvs", "Yes", True),
        ("alphabeta", "pvs", "0", False),
        ("expectiminimax", "bounds", "-1,1", (-1.0, 1.0)),
        ("expectiminimax", "bounds", "none", None),
        ("paranoid", "team", "0,2", (0, 2)),
        ("paranoid", "team", "", ()),
        ("mcts", "exploration", "0.7", 0.7),
    ],
)
def test_text_is_read_by_the_type_of_the_setting(name: str, key: str, text: str, value: Any) -> None:
    got = getattr(searcher(name, **{key: text}), key)
    assert (got, type(got)) == (value, type(value))


@pytest.mark.parametrize(
    ("name", "settings", "told"),
    [
        ("alphabet", {}, "there is no searcher 'alphabet' (did you mean alphabeta?)"),
        ("AlphaBeta", {}, "there is no searcher 'AlphaBeta' (did you mean alphabeta?)"),
        ("", {}, "there is no searcher '': expected one of "),
        ("minimax", {"roudns": "true"}, "minimax has no setting 'roudns' (did you mean rounds?): it takes depth, nodes, seconds, "),
        ("minimax", {"zzz": 1}, "minimax has no setting 'zzz': it takes depth, "),
        ("minimax", {"depth": "deep"}, "minimax: expected a whole number or none for depth, not 'deep'"),
        ("minimax", {"depth": "1.5"}, "minimax: expected a whole number or none for depth, not '1.5'"),
        ("minimax", {"depth": "0"}, "Minimax: expected depth of at least 1, not 0"),
        ("minimax", {"seconds": "soon"}, "minimax: expected a number or none for seconds, not 'soon'"),
        ("minimax", {"seconds": "nan"}, "Minimax: expected a positive number of seconds, not nan"),
        ("minimax", {"rounds": "none"}, "minimax: expected true or false for rounds, not 'none'"),
        ("expectiminimax", {"bounds": "1"}, "expectiminimax: expected 2 numbers joined by ',' or none for bounds, not '1'"),
        ("paranoid", {"team": "me"}, "paranoid: expected whole numbers joined by ',' for team, not 'me'"),
    ],
)
def test_what_cannot_be_used(name: str, settings: dict[str, Any], told: str) -> None:
    with pytest.raises(ZermeloError) as refused:
        searcher(name, **settings)
    assert str(refused.value).startswith(told)
    assert "\n" not in str(refused.value)


def test_settings_that_no_text_can_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass(frozen=True, kw_only=True)
    class Learned(Searcher):
        policy: Any = None
        style: str = "calm"

    monkeypatch.setattr(registry, "_found", lambda: {"learned": Learned})
    monkeypatch.setitem(globals(), "Learned", Learned)
    assert searcher("learned", style="wild", policy=3) == Learned(style="wild", policy=3)
    with pytest.raises(ZermeloError, match="learned: expected what no text can tell for policy, not 'x'"):
        searcher("learned", policy="x")


@pytest.mark.parametrize(
    ("game", "name"),
    [("connect4", "alphabeta"), ("kalah", "alphabeta"), ("pig", "expectiminimax"), ("bins:game=2", "expectiminimax"), ("bins", "alphabeta"),
     ("go", "mcts"), ("hex", "mcts"), ("othello", "alphabeta"),
     ("trio", "maxn"), ("whist", "maxn"), ("pig:players=3", "maxn"), ("tree:file=three-players", "maxn")],
)  # fmt: skip
def test_the_searcher_for_a_game(game: str, name: str) -> None:
    assert default_for(zermelo.game(game)) == name
    assert name in names()


@pytest.mark.parametrize(
    ("game", "name"),
    [("connect4", "alphabeta"), ("backgammon", "expectiminimax"), ("whist", "maxn"), ("go", "mcts"), ("kuhn", "expectiminimax"),
     ("pig", "mcts"), ("mnk", "mcts"), ("trio", "mcts"), ("nim", "mcts")],
)  # fmt: skip
def test_a_game_without_an_evaluation_is_played_by_random_games(game: str, name: str) -> None:
    assert player_for(zermelo.game(game)) == name


def test_a_game_says_what_plays_it_best() -> None:
    for name in zermelo.registry.names():
        game = zermelo.game(name)
        if game.default_searcher:
            made = default_searcher(game, seconds=1)
            assert made == searcher(default_for(game), **default_settings(game), seconds=1.0)
            assert made.seconds == 1
    assert default_searcher(zermelo.game("go"), rave="none", prior=0, simulations=5).rave is None  # type: ignore[attr-defined]
    assert default_settings(zermelo.game("connect4")) == {}
    assert default_searcher(zermelo.game("connect4"), depth=2) == searcher("alphabeta", depth=2)
