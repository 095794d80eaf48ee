"""The command `belief`: what a player knows of a game with hidden information, and how likely each possibility is."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from .. import registry
from ..errors import ZermeloError
from ..game import Game, State
from ..history import History
from .board_view import SEES_KNOWN
from .options import AsJson, GameText, Seed, StateText, seat_of, state_of
from .output import aside, say, say_json

SHOWN = 8  # worlds that are listed
INTERPRETED = 50  # so few particles are drawn sooner than code is compiled


class Cell(NamedTuple):
    """A place of a drawing at which worlds differ."""

    row: int
    column: int
    width: int
    values: dict[str, float]  # what may stand there, and how likely


def belief(
    game: GameText,
    state: StateText = None,
    moves: Annotated[str, typer.Option(metavar="TEXT", help="The actions since then, separated by spaces; those of chance, too.")] = "",
    who: Annotated[str | None, typer.Option("--player", metavar="NAME", help="The player, by name or number (default: to move).")] = None,
    particles: Annotated[int, typer.Option(metavar="N", help="Draw N worlds instead of finding all (default: find all).")] = 0,
    strategy: Annotated[Path | None, typer.Option(metavar="FILE", help="The strategy of the others (default: any action).")] = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Show what a player knows: all worlds that fit what it noticed, with their probabilities."""
    with aside(as_json):
        it = registry.game(game)
        if not it.has_hidden:
            raise ZermeloError(f"{it!r} hides nothing: expected a game that writes observe")
        history = _played(it, state_of(it, state), moves)
        p = max(0, it.to_move(history.state)) if who is None else seat_of(it, who)
        worlds = _worlds(history, p, particles, strategy, seed)
    if as_json:
        say_json(_object(it, p, worlds, not particles))
        return
    how = f"{len(worlds):,} world{'s' if len(worlds) > 1 else ''}" + (
        f" among {particles:,} drawn" if particles else ", all that there can be"
    )
    say(f"{it!r}: what {it.player_name(p)} knows: {how}")
    for line in heat(it, history.state, p, worlds):
        say(line)
    say()
    for w, x in list(worlds.items())[:SHOWN]:
        say(f"{100 * x:5.1f} %  {it.write_state(w)}")
    if len(worlds) > SHOWN:
        say(f"         and {len(worlds) - SHOWN:,} others")


def _played(game: Game, start: State | None, moves: str) -> History:
    history = History(game, start)
    for text in moves.replace(",", " ").split():
        if history.is_over:
            raise ZermeloError(f"expected no move after the end of the game, not '{text}'")
        history.do(game.read_action(history.state, text))
    return history


def _worlds(history: History, p: int, particles: int, strategy: Path | None, seed: int) -> dict[State, float]:
    """The worlds with their probabilities, the likeliest first."""
    from ..search.beliefs.exact import exact_belief, uniform
    from ..search.beliefs.particles import MAX_WORLDS, Particles

    if not 0 <= particles <= MAX_WORLDS:
        raise ZermeloError(f"expected 0 to {MAX_WORLDS:,} particles, not {particles:,}")
    if particles:
        if strategy is not None:
            raise ZermeloError("particles are drawn as if any action were likely: expected no strategy")
        drawn = Particles(history.game, p, particles, seed, interpreted=particles <= INTERPRETED)
        drawn.follow(history)
        counts = Counter(drawn.states())
        return {w: n / counts.total() for w, n in counts.most_common()}
    if strategy is None:
        return exact_belief(history, p)
    from ..equilibrium.cards.strategy import load_strategy

    known = load_strategy(strategy)
    known.check_game(history.game)
    return exact_belief(history, p, lambda g, s: uniform(g, s) if g.to_move(s) < 0 else known.policy(g, s))


# ---- heat ----------------------------------------------------------------------------------------


def cells(drawings: dict[str, float]) -> list[Cell] | None:
    """The places at which drawings differ, each with what may stand there; None if they are not laid out alike."""
    tokens = {text: [list(re.finditer(r"\S+", line)) for line in text.split("\n")] for text in drawings}
    places = {tuple(tuple((t.start(), t.end()) for t in line) for line in lines) for lines in tokens.values()}
    if len(places) != 1:
        return None
    found = []
    for y, line in enumerate(places.pop()):
        for k, (start, end) in enumerate(line):
            values = Counter[str]()
            for text, x in drawings.items():
                values[tokens[text][y][k][0]] += x  # type: ignore[assignment]
            if len(values) > 1:
                found.append(Cell(y, start, end - start, dict(values.most_common())))
    return found


def drawn(game: Game, worlds: dict[State, float]) -> dict[str, float]:
    """The drawings of the worlds, each with its probability."""
    drawings: dict[str, float] = {}
    for w, x in worlds.items():
        drawings[game.show(w)] = drawings.get(game.show(w), 0.0) + x
    return drawings


def heat(game: Game, s: State, p: int, worlds: dict[State, float]) -> list[str]:
    """The board in lines: where worlds differ, how many of a hundred have something that the player does not see there."""
    drawings = drawn(game, worlds)
    places, seen = cells(drawings), game.show_to(s, p).split("\n")
    if not places:
        return next(iter(drawings)).split("\n") if len(drawings) == 1 else []
    lines = [{t.start(): t[0] for t in re.finditer(r"\S+", line)} for line in next(iter(drawings)).split("\n")]
    for cell in places:
        row = seen[cell.row] if cell.row < len(seen) else ""
        usual = row[cell.column : cell.column + cell.width] or ("." if "." in cell.values else next(iter(cell.values)))
        other = sum(x for value, x in cell.values.items() if value != usual)
        lines[cell.row][cell.column] = f"{min(99, round(100 * other)):02d}"
    return [_spread(line) for line in lines]


def _spread(tokens: dict[int, str]) -> str:
    """A line of a board, whose tokens are two characters apart, in columns of three; any other as it is."""
    if len(tokens) < 2 or any(len(token) > 2 or column % 2 for column, token in tokens.items()):
        return " ".join(tokens.values())
    line = ""
    for column, token in tokens.items():
        line = line.ljust(3 * column // 2) + token.rjust(2)
    return line


def _object(game: Game, p: int, worlds: dict[State, float], is_exact: bool) -> dict[str, Any]:
    """The belief as JSON has it."""
    places = cells(drawn(game, worlds))
    return {
        "game": repr(game),
        "player": game.player_name(p),
        "sees": SEES_KNOWN,
        "exact": is_exact,
        "count": len(worlds),
        "cells": None if places is None else [{"row": c.row, "column": c.column, "values": c.values} for c in places],
        "worlds": [{"state": game.write_state(w), "probability": x} for w, x in worlds.items()],
    }
