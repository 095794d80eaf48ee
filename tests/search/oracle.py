"""Brute force, and random trees: the reference for every search."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

import zermelo
from zermelo import Game


def two_sided(game: Game, s: Any, depth: int = -1) -> float:
    """The minimax value of s for player 0, by the definition: no pruning, no sharing."""
    if game.is_terminal(s):
        return float(game.utility(s, 0))
    if depth == 0:
        return float(game.evaluate(s, 0))
    values = [two_sided(game, game.result(s, a), depth - 1) for a in game.actions(s)]
    return max(values) if game.to_move(s) == 0 else min(values)


def solved(game: Game) -> Any:
    """The same for larger games, with what was found kept: a function of a state."""

    @cache
    def value(s: Any) -> float:
        if game.is_terminal(s):
            return float(game.utility(s, 0))
        values = [value(game.result(s, a)) for a in game.actions(s)]
        return max(values) if game.to_move(s) == 0 else min(values)

    return value


@st.composite
def trees(draw: Any, depth: int = 4, widest: int = 3) -> Game:
    """A random tree of two players: turns in any order, few different values (so that ties are common), static values inside."""
    lines: list[str] = []
    value = st.integers(-3, 3)

    def node(name: str, left: int) -> None:
        children = 0 if left == 0 or (name != "r" and draw(st.integers(0, 4)) == 0) else draw(st.integers(1, widest))
        if children == 0:
            lines.append(f"{name} = {draw(value)}")
            return
        names = [f"{name}{i}" for i in range(children)]
        lines.append(f"{draw(st.sampled_from(['max', 'min']))} {name} ~ {draw(value)}: {' '.join(names)}")
        for child in names:
            node(child, left - 1)

    node("r", depth)
    return tree_of("\n".join(lines))


def tree_of(text: str) -> Game:
    with tempfile.NamedTemporaryFile("w", suffix=".tree", delete=False) as file:
        file.write(text)
    try:
        return zermelo.game("tree", file=file.name)
    finally:
        Path(file.name).unlink()
