"""What the commands have in common: arguments, options, and states given as text."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ..errors import ZermeloError, nearest
from ..game import Game, State

MAX_THREADS = 1024  # threads that any machine can start

GameText = Annotated[str, typer.Argument(metavar="GAME", help="A name, name:parameter=value,... or path/to/file.py:Class.")]
StateText = Annotated[str | None, typer.Option("--state", metavar="TEXT", help="The state to begin in; zermelo show writes it.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, one object a line.")]
Seed = Annotated[int, typer.Option(metavar="N", help="Seed of every random choice.")]


def seat_of(game: Game, text: str) -> int:
    """The player that this text means, by name or number."""
    names = {game.player_name(p).lower(): p for p in range(game.players)} | {str(p): p for p in range(game.players)}
    if text.lower() not in names:
        raise ZermeloError(f"there is no player '{text}'{nearest(text.lower(), names)}: expected one of {', '.join(names)}")
    return names[text.lower()]


def state_of(game: Game, text: str | None) -> State | None:
    """The state in this text; ZermeloError whatever the game's own reader thinks of it."""
    if text is None:
        return None
    try:
        s = game.read_state(text)
        wrong = game.layout.fault(s)
    except ZermeloError:
        raise
    except Exception as error:
        wrong = f"{type(error).__name__}: {error}"
    if wrong:
        raise ZermeloError(f"'{text}' is not a state of {game!r}: {wrong}")
    return s


def settings_in(name: str | None, settings: list[str]) -> tuple[str | None, list[str]]:
    """The name of a searcher that is written as players are (mcts:net=RUN,simulations=60), and its settings before those of --set."""
    if name is None or ":" not in name:
        return name, settings
    from ..search.by_name import find

    name, _, told = name.partition(":")
    if "=" not in told:
        find(name)  # net:RUN is a player and no searcher: that is wrong with it, and not its settings
    return name, [*told.split(","), *settings]


def settings_of(texts: list[str], given: dict[str, Any]) -> dict[str, Any]:
    """The settings given as name=value, and those given by their own options."""
    told: dict[str, Any] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals:
            raise ZermeloError(f"expected a setting as name=value, not '{text}'")
        if key.strip() in told or key.strip() in given:
            raise ZermeloError(f"expected {key.strip()} once")
        told[key.strip()] = value
    return told | given
