"""Searchers by name: every kind that a module of this package defines, its class's name in small letters.

searcher("alphabeta", depth=5, table=64)
searcher("alphabeta", depth="5", table="none")      settings as text are read by the types that the class declares
default_searcher(game, seconds=1)                   the one that plays the game best, with its settings (`Game.default_searcher`)
"""

from __future__ import annotations

import importlib
import pkgutil
import typing
from dataclasses import fields
from functools import cache
from typing import Any, NamedTuple

from .. import search
from ..errors import ZermeloError, nearest
from ..game import Game
from ..settings import declared, describe, in_words, read_pairs, value
from ..system.limits import shown
from .searcher import Searcher, is_opposed

#: classes that go by another name than their own
CALLED = {"PlainAlphaBeta": "plain"}


def searcher(name: str, **settings: Any) -> Searcher:
    """The searcher of this name with these settings, each as a value or as text."""
    cls = find(name)
    hints = typing.get_type_hints(cls)
    takes = [f.name for f in fields(cls)]
    for key in settings:
        if key not in takes:
            raise ZermeloError(f"{name} has no setting '{key}'{nearest(key, takes)}: it takes {', '.join(takes)}")
    return cls(**{key: _read(hints[key], v, name, key) if isinstance(v, str) else v for key, v in settings.items()})


def find(name: str) -> type[Searcher]:
    """The class of this name."""
    if name not in _found():
        hint = nearest(name.lower(), names()) or f": expected one of {', '.join(names())}"
        raise ZermeloError(f"there is no searcher '{name}'{hint}")
    return _found()[name]


class Setting(NamedTuple):
    """A setting of a searcher: its name, its default and the values it may have, in words."""

    name: str
    default: str
    values: str


def settings_of(name: str) -> list[Setting]:
    """The settings of the searcher of this name."""
    cls = find(name)
    hints, ranges = typing.get_type_hints(cls), declared(cls)
    return [
        Setting(f.name, str(f.default), describe(cls, f.name) if f.name in ranges else in_words(hints[f.name]))
        for f in fields(cls)
        if f.name != "evaluator"  # a function, which no text can give
    ]


def names() -> list[str]:
    """The names of all searchers."""
    return sorted(_found())


def default_for(game: Game) -> str:
    """The name of the searcher to use where none is asked for."""
    return game.default_searcher.partition(":")[0] or _usual_for(game)


def _usual_for(game: Game) -> str:
    """The name of the searcher for games of this kind."""
    if game.players != 2 or not (game.has_chance or is_opposed(game)):
        return "maxn"
    return "expectiminimax" if game.has_chance else "alphabeta"


def player_for(game: Game) -> str:
    """The name of the searcher to play by where none is asked for: random games tell more than a depth at which nothing is evaluated."""
    return default_for(game) if game.default_searcher or game.has_evaluate or game.has_hidden else "mcts"


def default_settings(game: Game) -> dict[str, str]:
    """The settings, as text, with which that searcher plays the game best."""
    return read_pairs(game.default_searcher, game.default_searcher.partition(":")[2])


def default_searcher(game: Game, **settings: Any) -> Searcher:
    """The searcher to use where none is asked for, with its settings for this game and these beside or instead."""
    return searcher(default_for(game), **default_settings(game) | settings)


def open_searcher(game: Game, **settings: Any) -> Searcher:
    """The searcher to use of states that are seen whole, although something may be hidden in the game."""
    if find(default_for(game)).imagines:
        return searcher(_usual_for(game), **settings)
    return default_searcher(game, **settings)


@cache
def _found() -> dict[str, type[Searcher]]:
    classes = set[type[Searcher]]()
    for module in pkgutil.walk_packages(search.__path__, f"{search.__name__}."):
        own = vars(importlib.import_module(module.name)).values()
        classes |= {c for c in own if isinstance(c, type) and issubclass(c, Searcher) and c.__module__ == module.name}
    bases = {base for c in classes for base in c.__mro__[1:]}  # what others are derived from is no searcher itself
    return {CALLED.get(c.__name__, c.__name__.lower()): c for c in classes - bases}


def _read(hint: Any, text: str, name: str, key: str) -> Any:
    """The value of a setting that is written so, or ZermeloError."""
    try:
        return value(hint, text.strip())
    except (ValueError, KeyError):
        raise ZermeloError(f"{name}: expected {in_words(hint)} for {key}, not {shown(text)}") from None
