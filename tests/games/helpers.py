"""Shared by tests of games: seeded random play, a reference for values, and what every game must satisfy."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.errors import ZermeloError
from zermelo.game import CHANCE, Game
from zermelo.rng import draw

# ---- states --------------------------------------------------------------------------------------


def walk(game: Game, seed: int, games: int = 1, start: Any = None) -> Iterator[Any]:
    """Every state of some games of random moves, the terminal ones too."""
    chooser = random.Random(seed)
    for _ in range(games):
        s = game.initial() if start is None else start
        yield s
        while not game.is_terminal(s):
            s = game.result(s, chooser.choice(list(game.actions(s))))
            yield s


def everything(game: Game) -> Iterator[Any]:
    """Every history of the game as its state, the root first, and what is below a first child before the second."""
    todo = [game.initial()]
    while todo:
        s = todo.pop()
        yield s
        todo.extend(game.result(s, a) for a in reversed(list(game.actions(s))))


def reachable(game: Game) -> set[Any]:
    """All states that play can reach, however many histories lead to them."""
    seen, todo = {game.initial()}, [game.initial()]
    while todo:
        s = todo.pop()
        new = {game.result(s, a) for a in game.actions(s)} - seen
        seen |= new
        todo.extend(new)
    return seen


def perft(game: Game, s: Any, depth: int) -> int:
    """How many ways there are to play so many moves."""
    return 1 if depth == 0 else sum(perft(game, game.result(s, a), depth - 1) for a in game.actions(s))


def naive_line(cells: set[tuple[int, int]], line: int) -> bool:
    """Whether so many of the cells (x, y) are in a row, found by a look along every line."""
    ways = ((1, 0), (0, 1), (1, 1), (1, -1))
    return any(all((x + dx * k, y + dy * k) in cells for k in range(line)) for x, y in cells for dx, dy in ways)


# ---- values --------------------------------------------------------------------------------------


def backed_up(game: Game, s: Any, known: dict[Any, tuple[float, ...]] | None = None) -> tuple[float, ...]:
    """What each player gets when all choose what is best for themselves, the first of equals; `known` may be shared."""
    known = {} if known is None else known
    if s in known:
        return known[s]
    mover, below = game.to_move(s), [(a, backed_up(game, game.result(s, a), known)) for a in game.actions(s)]
    if game.is_terminal(s):
        known[s] = tuple(game.utility(s, p) for p in range(game.players))
    elif mover == CHANCE:
        known[s] = tuple(sum(game.probability(s, a) * v[p] for a, v in below) for p in range(game.players))
    else:
        known[s] = max((v for _, v in below), key=lambda v: v[mover])
    return known[s]


def best_path(game: Game) -> list[str]:
    """The actions that lead from the root to the end when all choose their best."""
    s, path = game.initial(), []
    while not game.is_terminal(s):
        mover = game.to_move(s)
        a = max(game.actions(s), key=lambda a: backed_up(game, game.result(s, a))[mover])
        path.append(game.write_action(s, a))
        s = game.result(s, a)
    return path


# ---- checks --------------------------------------------------------------------------------------


def check_state(game: Game, s: Any) -> None:
    """Whether the methods of a game agree with each other in s, and its text is read as it is written."""
    assert game.layout.fault(s) is None
    again = game.layout.unpack(game.layout.pack(s))
    assert again == s and hash(again) == hash(s)
    actions = list(game.actions(s))
    assert len(set(actions)) == len(actions) == game.count(s)
    assert all(type(a) is int for a in actions)
    assert game.is_terminal(s) is (not actions)
    if game.to_move(s) == CHANCE:
        assert game.has_chance
        assert sum(game.probability(s, a) for a in actions) == pytest.approx(1, abs=1e-12)
    else:
        assert 0 <= game.to_move(s) < game.players
    if actions:
        assert {game.sample(s, word << 59) for word in range(32)} <= set(actions)
    names = [game.write_action(s, a) for a in actions]
    assert len(set(names)) == len(names)
    for name, a in list(zip(names, actions, strict=True))[:: len(actions) // 10 + 1]:
        assert game.read_action(s, name) == a
    line = game.write_state(s)
    assert "\n" not in line and game.read_state(line) == s
    assert isinstance(game.show(s), str)


def check_games(game: Game, seed: int, games: int) -> None:
    """Every state of some random games, that `sample` is fair in some of them, and that the utilities sum to 0 at the end."""
    for n, s in enumerate(walk(game, seed, games)):
        check_state(game, s)
        if game.is_terminal(s):
            assert sum(game.utility(s, p) for p in range(game.players)) == pytest.approx(0, abs=1e-12)
        elif game.has_sample and n % 8 == 0:
            drawn = Counter(game.sample(s, draw(seed, i)) for i in range(100 * game.count(s)))
            assert all(50 < drawn[a] < 150 for a in game.actions(s))  # of 100 expected: five standard deviations


def check_hostile(game: Game, seed: int) -> None:
    """Whatever the text: one ZermeloError of one line, or a state (or action) to play on with that is written so that it reads back."""
    states = list(walk(game, seed, 3))
    texts = [game.write_state(s) for s in states]
    letters = "".join(sorted(set("".join(texts)) | set("XO./,- 0123456789SN")))
    words = st.text(letters, max_size=60)

    def splice(text: str, at: int, end: int, new: str) -> str:
        return text[: at % (len(text) + 1)] + new + text[end % (len(text) + 1) :]

    def spoil(text: str, edits: list[tuple[int, str]]) -> str:
        for at, new in edits:
            text = splice(text, at, at + 1, new)
        return text

    place = st.integers(0, 200)
    near = st.builds(splice, st.sampled_from(texts), place, place, st.one_of(words, st.text(max_size=3)))
    close = st.builds(spoil, st.sampled_from(texts), st.lists(st.tuples(place, st.sampled_from(["", *letters])), max_size=4))

    @settings(max_examples=150, deadline=None, derandomize=True, database=None)
    @given(st.one_of(st.text(max_size=40), words, near, close))
    def read(text: str) -> None:
        try:
            s = game.read_state(text)
        except ZermeloError as error:
            assert str(error).startswith(f"'{text}' is not a state of {game.name}: expected ")
        else:
            check_state(game, s)
            for after in walk(game, seed, 1, s):
                assert game.layout.fault(after) is None
        with suppress(ZermeloError):
            assert game.read_action(states[0], text) in set(game.actions(states[0]))

    read()
    for text in ("", " ", "\n", "\0", "/", ",", "1" * 5000, "٣", "X" * 5000):
        refuses(game, text, "is not a state of")


def refuses(game: Game, text: str, reason: str) -> None:
    """The text is not a state, for this reason."""
    with pytest.raises(ZermeloError, match=reason):
        game.read_state(text)
