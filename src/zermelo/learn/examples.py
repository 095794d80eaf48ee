"""Examples to fit a model to: states with what they are worth, from files.

games in a format of the game (PGN, SGF, ...) or in JSON, as `zermelo export` writes them: each state after a player's action
    is worth the result
.jsonl: a line for each state, {"state": TEXT, "value": X}. X is for the player who moves (Game.perspective), or a list with what each
    player gets; in a game with outcomes, a list with those of player 0, then of player 1
a folder of labels, as `zermelo label` writes it: each state is worth a mixture of what the search said and the result
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..arena.records.record_formats import history_of, kind_of, read
from ..errors import ZermeloError
from ..game import CHANCE, Game, State
from ..history import History
from ..lower.rows import STEEPEST
from ..search.model.kinds import AFTER_PLAYERS, KINDS, WITH_PLAYERS
from ..search.model.model import Shape
from ..system.limits import shown
from .labelling import read_labels

HELD_OUT = 0.1  # of the games, or of the lines
MAX_FILE_BYTES = 1 << 32  # bytes of a file
LINES = "jsonl"


@dataclass(frozen=True)
class Examples:
    """States as words, the outputs that a model should have, and which of them are shown to it and which held out."""

    states: np.ndarray[Any, np.dtype[np.uint64]]
    targets: np.ndarray[Any, np.dtype[np.float32]]
    shown: np.ndarray[Any, Any]
    held_out: np.ndarray[Any, Any]
    kinds: tuple[str, ...] = WITH_PLAYERS  # of these states; labels are of states in which a player moves


def read_examples(game: Game, shape: Shape, files: Sequence[str | Path], seed: int, trace: float = 0.0) -> Examples:
    """The examples of these files, or of folders of labels; those of a whole game are held out together."""
    folders = [Path(file) for file in files if Path(file).is_dir()]
    if folders:
        if len(folders) < len(files):
            raise ZermeloError(f"{files[0]} and others: expected folders of labels, or files, not both")
        return read_labelled(game, shape, folders, seed, trace)
    states, targets, sources, source = list[list[int]](), list[list[float]](), list[int](), -1
    kinds = set[str]()
    for file in map(Path, files):
        for number, (labelled, goal) in enumerate(_sources(game, shape, file), 1):
            source += 1
            if not all(0.0 <= x <= 1.0 for x in goal):
                low, high = (0.0, 1.0) if game.has_outcomes else (shape.low, shape.low + shape.span)
                raise ZermeloError(f"{file}, {number}: expected values from {low:g} to {high:g}")
            kinds |= _kinds_of_a_line(game, labelled[0]) if kind_of(file) == LINES else set(AFTER_PLAYERS)
            for s in labelled:
                states.append(list(game.layout.pack(s)))
                targets.append(goal)
                sources.append(source)
    if source < 1 or len(set(sources)) < 2:
        raise ZermeloError(f"there are {source + 1} games or states with a value in {', '.join(map(str, files))}: expected two or more")
    order = np.random.default_rng(seed).permutation(source + 1)
    is_held = np.isin(sources, order[: max(1, int(HELD_OUT * len(order)))])
    if is_held.all() or not is_held.any():  # the games that were chosen have no states, or all of them
        is_held = np.array(sources) == sources[0]
    shown, held = np.flatnonzero(~is_held), np.flatnonzero(is_held)
    return Examples(np.array(states, np.uint64), np.array(targets, np.float32), shown, held, tuple(sorted(kinds, key=KINDS.index)))


def _kinds_of_a_line(game: Game, s: State) -> set[str]:
    """The kinds that a state may be of, if nobody says what was before it."""
    return {kind for kind in KINDS if kind.endswith("-chance") == (game.to_move(s) == CHANCE)}


def read_labelled(game: Game, shape: Shape, folders: Sequence[Path], seed: int, trace: float) -> Examples:
    """The examples of folders of labels: 1 - trace of the search's value and trace of the result; parts are held out as a whole."""
    if game.has_outcomes:
        raise ZermeloError(f"{game!r} has outcomes: expected a game whose states have one value to learn from labels")
    found = [read_labels(game, folder) for folder in folders]
    states, movers, values, results = (
        np.concatenate([getattr(one, name) for one in found]) for name in ("states", "movers", "values", "results")
    )
    sources = np.concatenate([len(found) * one.parts + k for k, one in enumerate(found)])
    unit = game.value_scale or game.quiet_margin
    shares = 1 / (1 + np.exp(-np.clip(values / unit, -STEEPEST, STEEPEST))) if game.quiet_margin > 0 else (values - shape.low) / shape.span
    won = (results - shape.low) / shape.span
    if (won < 0).any() or (won > 1).any():
        raise ZermeloError(f"{game!r} has a utility outside {shape.low:g} to {shape.low + shape.span:g}: write value_range in the game")
    mine = np.clip(np.where(np.isnan(won), shares, (1 - trace) * shares + trace * won), 0.0, 1.0)
    targets = np.stack([np.where(movers == p, mine, 1 - mine) for p in range(2)], axis=1)
    sizes = np.bincount(sources)
    parts = np.random.default_rng(seed).permutation(np.flatnonzero(sizes))
    is_part_held = np.zeros(len(sizes), bool)
    is_part_held[parts[: max(1, int(HELD_OUT * len(parts)))]] = True
    is_held = is_part_held[sources]
    if is_held.all():
        raise ZermeloError(f"{folders[0]} has one part alone: expected two or more, as one is held out")
    return Examples(states, targets.astype(np.float32), np.flatnonzero(~is_held), np.flatnonzero(is_held))


def _sources(game: Game, shape: Shape, file: Path) -> Iterator[tuple[list[State], list[float]]]:
    """The states of each game or line of a file, and their targets."""
    try:
        if file.stat().st_size > MAX_FILE_BYTES:
            raise ZermeloError(f"{file} is too large: expected at most {MAX_FILE_BYTES:,} bytes")
        data = file.read_bytes()
    except OSError as error:
        raise ZermeloError(f"{file} cannot be read: {error.strerror}") from None
    try:
        yield from _lines(game, shape, data) if kind_of(file) == LINES else _games(game, shape, kind_of(file), data)
    except ZermeloError as error:
        raise ZermeloError(f"{file}: {error}") from None


def _games(game: Game, shape: Shape, kind: str, data: bytes) -> Iterator[tuple[list[State], list[float]]]:
    """The states after the players' actions of each game that has a result."""
    for number, sheet in enumerate(read(kind, data, repr(game)), 1):
        if sheet.ending is None or len(sheet.ending.result) != game.players:
            continue
        history = history_of(sheet)
        if not _is_same(history.game, game):
            raise ZermeloError(f"game {number} is of {sheet.about.game}: expected one of {game!r}")
        if game.has_outcomes and not game.is_terminal(history.state):
            continue  # given up: nobody knows which of the ways to win it would have been
        steps = zip(history.states, history.states[1:], strict=False)
        yield (
            [t for s, t in steps if game.to_move(s) != CHANCE and not game.is_terminal(t)],
            _goal(game, shape, history, sheet.ending.result),
        )


def _is_same(played: Game, game: Game) -> bool:
    """Whether states of one are states of the other; when a draw is claimed may differ."""
    return type(played) is type(game) and played.write_state(played.initial()) == game.write_state(game.initial())


def _goal(game: Game, shape: Shape, history: History, result: Sequence[float]) -> list[float]:
    """The targets of a game that ended like this."""
    if not game.has_outcomes:
        return _shares(shape, result)
    group = len(shape.outcomes)
    rows = [[*map(float, game.outcomes(history.state, p)), *[0.0] * group][:group] for p in range(game.players)]
    return [x for row in rows for x in row]


def _lines(game: Game, shape: Shape, data: bytes) -> Iterator[tuple[list[State], list[float]]]:
    """The state of each line."""
    for number, line in enumerate(data.splitlines(), 1):
        try:
            yield _labelled(game, shape, line)
        except ZermeloError as error:
            raise ZermeloError(f"line {number}: {error}") from None


def _labelled(game: Game, shape: Shape, line: bytes) -> tuple[list[State], list[float]]:
    """The state of a line, and its targets."""
    try:
        found = json.loads(line)
        text, value = found["state"], found["value"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise ZermeloError(f'expected {{"state": TEXT, "value": X}}, not {shown(line[:60].decode(errors="replace"))}') from None
    if not isinstance(text, str):
        raise ZermeloError(f"expected a state as text, not {shown(text)}")
    s = game.read_state(text)
    if game.is_terminal(s):
        raise ZermeloError("expected a state in which the game goes on")
    if isinstance(value, list) and len(value) == shape.outputs and all(map(_is_number, value)):
        return [s], [float(x) for x in value] if game.has_outcomes else _shares(shape, value)
    if not _is_number(value) or game.has_outcomes or game.players > 2:
        one = "" if game.has_outcomes or game.players > 2 else "a number, or "
        raise ZermeloError(f"expected {one}a list of {shape.outputs} numbers as value, not {shown(value)}")
    other = 2 * shape.low + shape.span - value
    return [s], _shares(shape, [value if p == game.perspective(s) else other for p in range(game.players)])


def _is_number(x: Any) -> bool:
    return isinstance(x, (int, float)) and not isinstance(x, bool)


def _shares(shape: Shape, utilities: Iterable[float]) -> list[float]:
    """What each player gets as a share of the range from the least to the greatest utility."""
    return [(x - shape.low) / shape.span for x in utilities]
