"""Boards at a terminal: what a player may see of a state, in colour if the terminal has it, with the last move marked."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable

from ..game import Game, State
from ..rng import draw
from .output import is_terminal

CODES = {colour: f"1;{30 + i}" for i, colour in enumerate(("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"))}
DIM, MARKED = "2", "7"
WORLDS = 64  # looked at to find out what a player cannot know
HIDDEN = "?"
SEES_EVERYTHING, SEES_KNOWN = "everything, also what is hidden", "what the player knows"  # that a command sees of a state


def sees(game: Game, view: str) -> dict[str, str]:
    """What JSON says about how much a command sees of a game: nothing if nothing is hidden."""
    return {"sees": view} if game.has_hidden else {}


def has_colour() -> bool:
    """Whether output may be coloured: it goes to a terminal that can, and the user has not asked for none."""
    return is_terminal(sys.stdout) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def valued(game: Game, value: float) -> str:
    """A value for people to read: in the game's unit, if it has one."""
    if game.unit is None:
        return f"{value:+.3g}"
    size, name = game.unit
    return f"{value / size:+.3g} {name}s"


def seen(game: Game, s: State, seat: int | None) -> str:
    """The state drawn for a player; None for an onlooker who sees everything.

    If something is hidden, the game draws what the player sees (`show_to`). Otherwise whatever differs between the states that the player
    cannot tell apart is a question mark; if they are not even drawn alike, the text is what the game lets the player observe.
    """
    if seat is None or not game.has_hidden:
        return game.show(s)
    if drawn := game.show_to(s, seat):
        return drawn
    return _common([game.show(world) for world in worlds(game, s, seat)]) or f"you observe {game.observe(s, seat)}"


def seen_line(game: Game, s: State, seat: int) -> str:
    """The state as one line of text for a player, with question marks for what is hidden from it."""
    if not game.has_hidden:
        return game.write_state(s)
    return _common([game.write_state(world) for world in worlds(game, s, seat)]) or str(game.observe(s, seat))


def worlds(game: Game, s: State, seat: int) -> list[State]:
    """States that the player cannot tell from s."""
    return [game.resample(s, seat, draw(0, i)) for i in range(WORLDS)]


def _common(drawn: list[str]) -> str:
    """What is the same in all texts, with question marks where they differ; nothing if they are not laid out alike."""
    lines = [text.split("\n") for text in drawn]
    if len({tuple(map(len, rows)) for rows in lines}) > 1:
        return ""
    return "\n".join("".join(c[0] if len(set(c)) == 1 else HIDDEN for c in zip(*same, strict=True)) for same in zip(*lines, strict=True))


def painted(game: Game, drawing: str, before: str = "") -> str:
    """The drawing with colours for a terminal; what is not as it was `before` is marked."""
    was = {(y, t.end(), t[0]) for y, line in enumerate(before.split("\n")) for t in re.finditer(r"\S+", line)} if before else None
    return "\n".join(_painted_line(game, y, line, was) for y, line in enumerate(drawing.split("\n")))


def _painted_line(game: Game, y: int, line: str, was: set[tuple[int, int, str]] | None) -> str:
    tokens = list(re.finditer(r"\S+", line))
    if _is_names([t[0] for t in tokens]) or _is_sentence(line):
        return line
    parts, done = [], 0
    for t in tokens:
        pairs = zip(game.symbols, game.colours, strict=False)
        codes = [CODES[colour] for letters, colour in pairs if len(t[0]) == 1 and t[0] in letters and colour in CODES]
        if t[0] in (".", "-", "+"):
            codes.append(DIM)
        if was is not None and (y, t.end(), t[0]) not in was and len(t[0]) <= 2:
            codes.append(MARKED)
        parts += [line[done : t.start()], f"\x1b[{';'.join(codes)}m{t[0]}\x1b[0m" if codes else t[0]]
        done = t.end()
    return "".join([*parts, line[done:]])


def _is_names(tokens: list[str]) -> bool:
    """Whether this is a row of coordinates: a b c ..."""
    return len(tokens) > 1 and tokens[0] in ("a", "A") and all(x.isalpha() for x in tokens) and tokens == sorted(tokens)


def _is_sentence(line: str) -> bool:
    """Whether this line is not part of the board but a sentence about it."""
    return sum(word.isalpha() and len(word) > 1 for word in line.split()) > 1


def without_words(drawing: str) -> str:
    """The drawing without the sentences below the board."""
    lines = drawing.split("\n")
    while len(lines) > 1 and _is_sentence(lines[-1]):
        lines.pop()
    return "\n".join(lines)


def strip(frames: Iterable[tuple[str, str]], width: int) -> Iterable[str]:
    """Drawings side by side, each under its caption, as many in a row as fit."""
    row: list[list[str]] = []
    for caption, drawing in frames:
        lines = [caption, *drawing.split("\n")]
        wide = max(map(len, lines))
        frame = [line.ljust(wide) for line in lines]
        if row and sum(len(f[0]) + 3 for f in row) + wide > width:
            yield _joined(row)
            row = []
        row.append(frame)
    if row:
        yield _joined(row)


def _joined(row: list[list[str]]) -> str:
    high = max(map(len, row))
    filled = [[*frame, *([" " * len(frame[0])] * (high - len(frame)))] for frame in row]
    return "\n".join("   ".join(parts).rstrip() for parts in zip(*filled, strict=True)) + "\n"
