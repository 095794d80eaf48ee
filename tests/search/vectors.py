"""Brute force for any number of players and chance, and random trees of this kind."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from oracle import tree_of

from zermelo import CHANCE, Game


def vector(game: Game, s: Any, depth: int = -1) -> tuple[float, ...]:
    """What s is worth to each player when each takes what is best for itself, the first of equals."""
    everybody = range(game.players)
    if game.is_terminal(s):
        return tuple(float(game.utility(s, p)) for p in everybody)
    if depth == 0:
        return tuple(float(game.evaluate(s, p)) for p in everybody)
    mover, below = game.to_move(s), [(a, vector(game, game.result(s, a), depth - 1)) for a in game.actions(s)]
    if mover == CHANCE:
        return tuple(sum(game.probability(s, a) * v[p] for a, v in below) for p in everybody)
    return max((v for _, v in below), key=lambda v: v[mover])


def sided(game: Game, s: Any, me: int, ours: Any, depth: int = -1) -> float:
    """What s is worth to `me` when the players in `ours` want it high, all others low, and chance goes by its odds."""
    if game.is_terminal(s):
        return float(game.utility(s, me))
    if depth == 0:
        return float(game.evaluate(s, me))
    mover, below = game.to_move(s), [(a, sided(game, game.result(s, a), me, ours, depth - 1)) for a in game.actions(s)]
    if mover == CHANCE:
        return sum(game.probability(s, a) * v for a, v in below)
    return (max if mover in ours else min)(v for _, v in below)


def is_legal(game: Game, s: Any, result: Any) -> bool:
    """Whether the answer can be played, and the line from there."""
    assert (result.action is None) == (game.to_move(s) == CHANCE)
    assert result.line[:1] == (() if result.action is None else (result.action,))
    for a in result.line:
        assert a in set(game.actions(s))
        s = game.result(s, a)
    return True


#: few different values, so that ties are common; some that floats only come near to
VALUES = (-3, -2, -1, 0, 1, 2, 3, 0.1, -0.7)


@st.composite
def vector_trees(draw: Any, players: int, zero_sum: bool = False, depth: int = 4, widest: int = 3) -> Game:
    """A random tree: turns in any order, chance with any odds, static values inside; for two players they may sum to zero."""
    lines: list[str] = []

    def payoffs() -> str:
        if zero_sum:
            v = draw(st.sampled_from(VALUES))
            return f"{v} {-v}"
        return " ".join(str(draw(st.sampled_from(VALUES))) for _ in range(players))

    def node(name: str, left: int) -> None:
        children = 0 if left == 0 or (name != "r" and draw(st.integers(0, 5)) == 0) else draw(st.integers(1, widest))
        if children == 0:
            lines.append(f"{name} = {payoffs()}")
            return
        names = [f"{name}{i}" for i in range(children)]
        mover = draw(st.integers(-1, players - 1))
        if mover == CHANCE:
            shares = [draw(st.integers(1, 5)) for _ in names]
            likely = ", ".join(f"{child} {n}/{sum(shares)}" for child, n in zip(names, shares, strict=True))
            lines.append(f"chance {name} ~ {payoffs()}: {likely}")
        else:
            lines.append(f"player {mover} {name} ~ {payoffs()}: {' '.join(names)}")
        for child in names:
            node(child, left - 1)

    node("r", depth)
    return tree_of("\n".join(lines))
