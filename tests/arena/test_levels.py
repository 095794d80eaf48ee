"""Levels: reproducible, available for any game, increasing in strength, and weak at the bottom."""

from __future__ import annotations

from itertools import pairwise

import pytest

import zermelo
from zermelo.arena.clock import Clock, Control
from zermelo.arena.players.by_text import describe, player
from zermelo.arena.players.levels import LEVELS, LevelPlayer, read_level
from zermelo.arena.referee import play_game, points
from zermelo.errors import ZermeloError
from zermelo.history import History
from zermelo.notation.sheet import Entry, Opening


def played(game: zermelo.Game, texts: list[str], seed: int) -> list[str]:
    moves: list[Entry] = []
    play_game(game, [player(text) for text in texts], seed, tell=lambda _, entry: moves.append(entry))
    return [f"{entry.action} {entry.value} {entry.nodes}" for entry in moves]


def test_a_level_is_a_player_by_its_text():
    for n in range(1, 11):
        assert isinstance(player(f"level:{n}"), LevelPlayer)
        assert player(f"level:{n}").text == f"level:{n}"
    assert "level:N" in [text for text, _ in describe()]


@pytest.mark.parametrize("text", ["0", "11", "-1", "x", "1.5", "²", "9" * 30])
def test_what_is_no_level_is_refused_in_a_sentence(text):
    with pytest.raises(ZermeloError, match="expected a level from 1 to 10"):
        read_level(text)


def test_each_level_may_look_at_more_and_is_less_hasty():
    for below, above in pairwise(LEVELS):
        assert below.nodes < above.nodes
        assert below.hasty > above.hasty or above.hasty == 0
        assert below.with_dice > above.with_dice >= above.hasty
    assert LEVELS[-1].with_dice == 0


@pytest.mark.parametrize("text", ["connect4", "tictactoe", "kuhn", "pig:target=20", "trio", "nim", "hex:size=4"])
def test_the_same_seed_plays_the_same_game(text):
    game = zermelo.game(text)
    texts = [f"level:{3 + seat}" for seat in range(game.players)]
    first = played(game, texts, 5)
    assert first == played(game, texts, 5)
    assert all(played(game, ["level:1"] * game.players, seed) for seed in range(3))


def test_other_seeds_play_other_games():
    game = zermelo.game("connect4")
    assert len({tuple(played(game, ["level:2", "level:2"], seed)) for seed in range(6)}) > 3


def test_a_move_does_not_depend_on_those_before():
    """So a game that is taken back, or up from a file, goes on as it would have."""
    game, clock = zermelo.game("connect4"), Clock(Control(), 2)
    history, kept = History(game), player("level:6")
    kept.begin(game, 0, 9)
    while not history.is_over:
        fresh = player("level:6")
        fresh.begin(game, 0, 9)
        a = kept.choose(game, history, clock)
        assert a == fresh.choose(game, history, clock)
        history.do(a)
        if not history.is_over:
            history.do(next(iter(history.actions())))


def test_a_game_that_cannot_become_native_is_played_all_the_same(tmp_path):
    file = tmp_path / "slow.py"
    file.write_text(SLOW)
    game = zermelo.game(f"{file}:Slow")
    one = player("level:5")
    one.begin(game, 0, 0)
    assert one.choose(game, History(game), Clock(Control(), 2)) in (1, 2, 3)


SLOW = """\
from typing import NamedTuple
from zermelo import Game, i64


class State(NamedTuple):
    n: i64
    turn: i64


class Slow(Game):
    def initial(self):
        return State(7, 0)

    def to_move(self, s):
        return s.turn

    def actions(self, s):
        words = {"a": 1, "b": 2, "c": 3}
        for a in sorted(words.values()):
            if a <= s.n:
                yield a

    def result(self, s, a):
        return State(s.n - a, 1 - s.turn)

    def is_terminal(self, s):
        return s.n == 0

    def utility(self, s, p):
        return 1.0 if p != s.turn else -1.0
"""


def score(game: zermelo.Game, a: str, b: str, pairs: int) -> float:
    """The share of the points that a takes from b."""
    made = 0.0
    by = {name: player(name) for name in (a, b)}
    for pair in range(pairs):
        for stream, seats in enumerate(((a, b), (b, a))):
            ending = play_game(game, [by[name] for name in seats], pair, Opening(), stream=stream)
            made += points(ending.result, seats.index(a))
    return made / (2 * pairs)


def test_the_weakest_loses_to_a_greedy_player_but_is_no_nonsense():
    game = zermelo.game("connect4")
    assert score(game, "level:1", "greedy", 20) < 0.4
    assert score(game, "level:1", "random", 20) > 0.6


def test_the_strongest_level_does_not_lose_tic_tac_toe():
    game = zermelo.game("tictactoe")
    assert score(game, "level:10", "random", 10) > 0.7
    moves: list[Entry] = []
    ending = play_game(game, [player("level:10"), player("level:10")], 0, tell=lambda _, e: moves.append(e))
    assert ending.result == (0.0, 0.0)
