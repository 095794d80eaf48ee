"""An algorithm of a game as native code: compiled once on a machine, loaded from the cache ever after."""

from __future__ import annotations

import hashlib
import json
import sys
import threading
from collections.abc import Callable
from functools import cache as once
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from ..game import Game
from . import cache, object_code
from .facts import Facts
from .faults import error_of
from .generate import Text, generate

#: the files of this folder on which object code depends, beside the text and those that translate it
COMPILERS = ["arithmetic", "checks", "compile", "faults", "intrinsics", "library", "object_code", "pipeline", "returns", "rows", "vectors"]
COMPILERS += ["short_rows", "short_vectors", "wide"]
_loaded: dict[str, object_code.Loaded] = {}
#: one thread at a time: of two engines that are made at once, one would be thrown away with the code that runs in it
_loading = threading.RLock()
#: texts, each with its record and its key in the cache, by the class of a game, the algorithm, the build and the compilers
_texts: dict[Any, list[tuple[Text, np.dtype[Any], str]]] = {}


def native(
    game: Game, function: Callable[..., Any], record: np.dtype[Any], *, checked: bool = False
) -> Callable[[np.ndarray[Any, Any] | int], int]:
    """`function(game, work)` as native code: a function of a work record, which is a one-element array of `record` or the address of one.

    Compiling takes a second or more and says so on a terminal; the code is kept on disk. In the checked build the first
    thing that Python would refuse or that 64 bits cannot hold raises a RuleError.
    """
    text, key = _text(game, function, record, checked)
    with _loading:
        if key not in _loaded:
            entry = _kept(key)
            if entry is None:
                with cache.alone(key):
                    entry = _kept(key) or _compile(key, text, record, game, function.__name__)
            _loaded[key] = object_code.Loaded(entry.code, entry.about["symbol"])
    code, layout = _loaded[key], game.layout  # and not the game: what is kept for it must not keep it

    def run(work: np.ndarray[Any, Any] | int) -> int:
        if not isinstance(work, int):
            assert work.dtype == record and work.flags.c_contiguous
            work = work.ctypes.data
        status, value = code(work)
        if status:
            raise error_of(layout, text.sites, status, code.fault or None)
        return value

    return run


def facts_of(game: Game, function: Callable[..., Any], record: np.dtype[Any], *, checked: bool = False) -> Facts:
    """What native code of this algorithm depends on."""
    return _text(game, function, record, checked)[0].facts


def _text(game: Game, function: Callable[..., Any], record: np.dtype[Any], checked: bool) -> tuple[Text, str]:
    """The generated text and its key in the cache; generated once for all games that would have the same."""
    known = _texts.setdefault((type(game), function, checked, *_toolchain()), [])
    for text, made_for, key in known:
        if made_for == record and text.facts.hold(game):
            return text, key
    text = generate(game, function, {"work": record}, checked=checked)
    key = _key(text, record)
    known.append((text, record, key))
    return text, key


def _kept(key: str) -> cache.Entry | None:
    """What the cache has under this key, if this process can load it."""
    entry = cache.load(key)
    if entry is not None and object_code.missing(entry.about["outside"]):
        import numba  # noqa: F401 - brings the helpers of its run-time that this code calls
    return None if entry is None or object_code.missing(entry.about["outside"]) else entry


def _compile(key: str, text: Text, record: np.dtype[Any], game: Game, name: str) -> cache.Entry:
    notice = f"compiling {game!r} ({name}) ..."
    on_terminal = sys.stderr.isatty()
    if on_terminal:
        print(notice, end="", file=sys.stderr, flush=True)
    try:
        from .compile import compile_entry

        code, symbol, outside = compile_entry(text, record)
    finally:
        if on_terminal:
            print("\r" + " " * len(notice) + "\r", end="", file=sys.stderr, flush=True)
    entry = cache.Entry(key, code, {"game": repr(game), "algorithm": name, "symbol": symbol, "outside": outside})
    cache.save(entry, text.source)
    return entry


def _key(text: Text, record: np.dtype[Any]) -> str:
    """The name of this code in the cache: a hash of all that it depends on."""
    facts = [text.source, text.entry, str(record), record.itemsize, record.alignment, *_toolchain()]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:32]


@once
def _toolchain() -> list[str]:
    """What turns the text into code: the compilers, the processor, and this package's own half."""
    here = Path(__file__).parent
    files = [*(here / f"{name}.py" for name in COMPILERS), *sorted((here / "translate").glob("*.py"))]
    own = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    return [own, version("numba"), version("llvmlite"), version("numpy"), *object_code.cpu()]
