"""Games by name: built in, from other packages, or from a file.

    game("connect4")                        a module of zermelo.games, found by its name
    game("connect4", width=5)               with parameters, or as text: game("connect4:width=5,height=4")
    game("path/to/file.py:MyGame")          a class in a file of one's own
    game("path/to/file.py")                 the only game in it

Another package offers games by the entry point group `zermelo.games`: name = "package.module:Class".
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import linecache
import os
import pkgutil
import re
import sys
import traceback
from contextlib import suppress
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from . import games
from .errors import ZermeloError, nearest
from .game import Game
from .settings import guess, in_words, parameters_of, read_pairs, value


def game(text: str, **parameters: Any) -> Game:
    """The game of this name or file, with these parameters; ZermeloError in one sentence if there is none."""
    cls, name, told = _parse(text)
    return _create(cls, name, {k: _value(cls, name, k, v) for k, v in told.items()} | parameters)


def changed(game: Game, **parameters: Any) -> Game:
    """The same game with other parameters; ZermeloError in one sentence if it does not take them."""
    return _create(type(game), game.name, game.parameters | parameters)


def names() -> list[str]:
    """The names of all games that can be had by name."""
    return sorted({*_builtin(), *_offered()})


@cache
def _builtin() -> list[str]:
    return [m.name for m in pkgutil.iter_modules(games.__path__) if not m.name.startswith("_")]


@cache
def _offered() -> dict[str, EntryPoint]:
    return {e.name: e for e in entry_points(group="zermelo.games")}


def find(text: str) -> type[Game]:
    """The class of this name or file."""
    return _parse(text)[0]


def classes() -> dict[str, type[Game]]:
    """The classes of all games that can be had by name, except those of other packages that do not load."""
    found = {}
    for name in names():
        with suppress(ZermeloError):
            found[name] = _by_name(name)
    return found


def having(attribute: str) -> str:
    """The names of the games that have this attribute, as words: go, hex or othello."""
    found = [name for name, cls in classes().items() if getattr(cls, attribute) is not None]
    return " or ".join([", ".join(found[:-1]), found[-1]] if len(found) > 1 else found)


def _parse(text: str) -> tuple[type[Game], str, dict[str, str]]:
    """The class that the text names, the name without parameters, and the parameters as text."""
    name, _, told = text.partition(":")
    drive = len(name) == 1 and told[:1] in ("\\", "/")  # C:\games\mine.py
    if drive or name.endswith(".py") or "/" in name or "\\" in name:
        if found := re.fullmatch(r"(.+?\.py)(?::(.*))?", text, re.DOTALL):  # a folder's name may have colons too
            name, told = found[1], found[2] or ""
        file, wanted = name, None
        if told and "=" not in told.partition(":")[0]:
            wanted, _, told = told.partition(":")
            name = f"{file}:{wanted}"
        cls = _from_file(Path(file), wanted)
        cls.found_as = f"{file}:{wanted or cls.__name__}"  # type: ignore[attr-defined]
    else:
        cls = _by_name(name)
    if text.endswith(":") and not told:
        raise ZermeloError(f"'{text}': expected parameters as name=value after the colon")
    takes = parameters_of(cls)
    texts = [key for key, parameter in takes.items() if isinstance(parameter.default, str)]
    return cls, name, read_pairs(text, told, "parameters", texts, takes)


def _by_name(name: str) -> type[Game]:
    if name in _builtin():
        return _only_game(importlib.import_module(f"{games.__name__}.{name}"), name)
    if name in _offered():
        try:
            cls = _offered()[name].load()
        except (Exception, SystemExit) as error:
            told = f"{type(error).__name__}: {error}"
            raise ZermeloError(f"the game '{name}' is offered as {_offered()[name].value}, which does not load: {told}") from None
        if not (isinstance(cls, type) and issubclass(cls, Game)):
            raise ZermeloError(f"the game '{name}' is offered as {_offered()[name].value}, which is not a subclass of zermelo.Game")
        cls.found_as = name  # type: ignore[attr-defined]
        return cls
    here = f" (did you mean {name}.py?)" if name.isidentifier() and Path(f"{name}.py").is_file() else ""
    hint = here or nearest(name.lower(), names()) or "; zermelo games lists them, and a file is named as path/to/file.py:Class"
    raise ZermeloError(f"there is no game '{name}'{hint}")


def _from_file(path: Path, wanted: str | None) -> type[Game]:
    module = load_file(path)
    if wanted is None:
        return _only_game(module, str(path))
    cls = getattr(module, wanted, None)
    if not (isinstance(cls, type) and issubclass(cls, Game) and cls is not Game):
        known = [c.__name__ for c in _games_in(module)]
        expected = nearest(wanted, known) or f": it has {', '.join(known)}" if known else ": it has no subclass of zermelo.Game"
        raise ZermeloError(f"{path} has no game '{wanted}'{expected}")
    return cls


def load_file(path: Path) -> ModuleType:
    """The module in this file, executed from its text as it is now; ZermeloError if it does not import."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise ZermeloError(f"there is no file {path}") from None
    except UnicodeDecodeError as error:
        raise ZermeloError(f"{path} cannot be read: expected text in UTF-8, which byte {error.start} is not") from None
    except (OSError, ValueError) as error:
        raise ZermeloError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    file = str(path.resolve())
    name = f"zermelo_file_{path.stem}_{hashlib.sha256((file + text).encode()).hexdigest()[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    module = ModuleType(name)
    module.__file__ = file
    # lowering reads the source: give it the text that was executed, whatever happens to the file later; a file
    # loaded again after an edit gets another spelling of its path, as the classes of both texts may be in use
    lines = text.splitlines(keepends=True)
    while file in linecache.cache and linecache.cache[file][2:3] != (lines,):
        file = os.path.join(os.path.dirname(file), ".", os.path.basename(file))
    linecache.cache[file] = (len(text), None, lines, file)
    sys.modules[name] = module
    try:
        exec(compile(text, file, "exec"), module.__dict__)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, KeyboardInterrupt):
            raise
        raise ZermeloError(f"{path} does not import: {_in_one_line(error, file)}") from None
    return module


def _in_one_line(error: BaseException, file: str) -> str:
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == file]
    if isinstance(error, SyntaxError) and error.filename == file:
        return f"line {error.lineno}: {error.msg}"
    told = f"{type(error).__name__}: {error}"
    return f"line {lines[-1]}: {told}" if lines else told


def _games_in(module: ModuleType) -> list[type[Game]]:
    """The games that this module defines itself (or a package in one of its modules)."""
    named = dict.fromkeys(c for c in vars(module).values() if isinstance(c, type))  # one with two names is one game
    own = [c for c in named if issubclass(c, Game) and c is not Game]
    return [c for c in own if c.__module__ == module.__name__ or c.__module__.startswith(module.__name__ + ".")]


def _only_game(module: ModuleType, name: str) -> type[Game]:
    found = _games_in(module)
    if len(found) > 1:
        raise ZermeloError(f"{name} has several games: write one of {', '.join(f'{name}:{c.__name__}' for c in found)}")
    if not found:
        raise ZermeloError(f"{name} has no subclass of zermelo.Game")
    return found[0]


def _create(cls: type[Game], name: str, parameters: dict[str, Any]) -> Game:
    takes = parameters_of(cls)
    for key in parameters:
        if key not in takes:
            expected = f"it takes {', '.join(takes)}" if takes else "it takes none"
            raise ZermeloError(f"{name} has no parameter '{key}'{nearest(key, takes)}: {expected}")
    try:
        return cls(**parameters)
    except ZermeloError:
        raise
    except Exception as error:
        told = ", ".join(f"{k}={v!r}" for k, v in parameters.items())
        raise ZermeloError(f"{name} cannot be made with ({told}): {type(error).__name__}: {error}") from None


def _value(cls: type[Game], name: str, key: str, text: str) -> Any:
    """The value of a parameter given as text: of the type of its default."""
    parameter = parameters_of(cls).get(key)
    hint = type(parameter.default) if parameter is not None and parameter.default is not inspect.Parameter.empty else None
    if hint not in (bool, str, tuple, list, int, float):
        return guess(text)
    try:
        return value(hint, text)
    except (ValueError, KeyError):
        raise ZermeloError(f"{name}: expected {in_words(hint)} for {key}, not '{text}'") from None
