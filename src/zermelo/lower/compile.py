"""From the text of a generated module to object code, by numba; its complaints in the author's words."""

from __future__ import annotations

import gc
import hashlib
import linecache
import os
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..errors import LoweringError
from . import object_code
from .generate import Text
from .translate.translate import translate
from .translate.values import Unknown

#: what numba says, and what the author should do about it
HINTS: list[tuple[str, str]] = [
    (r"Unknown attribute '(\w+)' of type (.+)", r"\2 has no '\1': only a state has fields"),
    (r"Cannot unify (.+) and (.+) for '(\w+?)(?:\.\d+)*'", r"'\3' is \1 in one place and \2 in another: use two names"),
    (r"Can't unify return type from the following types: (.+)", r"it returns, by turns, \1: return one type on every path"),
    (r"found for signature:\s+>>> (\w+)\((.+)\)", r"\1 cannot be applied to (\2): give it numbers"),
    (r"cannot type infer runaway recursion", "it calls itself on every path: let one path return without the call"),
]

#: numba's types in words, the longest first
WORDS: list[tuple[str, str]] = [
    (r"Literal\[int\]\((-?\d+)\)", r"\1"),
    (r"(?:Uni)?Tuple\((?:[^()]|\([^()]*\))*\)", "a tuple"),
    (r"\bState\([^()]*\)", "a state"),
    (r"(?:\breadonly )?\barray\([^()]*\)", "an array"),
    (r"\buint64\b", "a word"),
    (r"\bint64\b", "a number"),
    (r"\bfloat64\b", "a float"),
    (r"\bbool(?:ean)?\b", "a truth value"),
    (r"\bnone\b", "nothing"),
]


def compile_entry(text: Text, record: Any) -> tuple[bytes, str, list[str]]:
    """Object code of `entry(work)` in this module, its symbol, and the outside names that it needs."""
    import numba
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.errors import NumbaError, NumbaWarning

    from . import intrinsics, library, shortcuts

    linecache.cache[text.file] = (len(text.source), None, text.source.splitlines(keepends=True), text.file)
    signature = numba.int64(numba.from_dtype(record))
    try:
        with global_compiler_lock, warnings.catch_warnings(), library.used_by_numba(), shortcuts.taken_by_numba(), _without_collecting():
            warnings.simplefilter("ignore", NumbaWarning)
            symbol = _symbol(text, record)
            try:
                found = translate(text.source, text.entry, _namespace(text, plain=True), record, symbol)
            except (Unknown, NumbaError, NotImplementedError):  # the author will hear from numba what is wrong, if something is
                entry = numba.njit(signature, **intrinsics.OPTIONS)(_namespace(text)[text.entry].py_func)
                compiled = entry.overloads[entry.signatures[0]]
                found, symbol = compiled.library, compiled.fndesc.llvm_func_name
    except Exception as error:  # numba raises errors of its own, and what typing a strange rule runs into
        raise LoweringError(explain(str(error), text)) from error
    code, outside = object_code.assemble(_resolved(str(library.linked(found))), symbol, checked=text.checked)
    unresolved = [name for name in outside if "numba.unresolved" in name]
    if unresolved:
        message = "it calls itself with other types than it was called with: give it the same each time"
        raise LoweringError(_where(text, _calling(unresolved[0], text), message))
    return code, symbol, outside


def _symbol(text: Text, record: Any) -> str:
    """A name for the code that no other code has."""
    return "zermelo_" + hashlib.sha256(f"{text.source} {record} {text.checked}".encode()).hexdigest()[:32]


def _namespace(text: Text, plain: bool = False) -> dict[str, Any]:
    """The generated module, ready to be compiled; plain: with its functions as they are."""
    from . import intrinsics

    namespace = intrinsics.namespace()
    if text.checked:
        from . import wide

        namespace |= wide.namespace()
    if plain:
        namespace["inner"] = lambda f: f
    exec(compile(text.source, text.file, "exec"), namespace)
    return namespace


def _resolved(assembly: str) -> str:
    """The module with its functions that call each other bound to each other: numba leaves the address of one of them to be found."""

    def bind(m: re.Match[str]) -> str:
        is_here = re.search(rf'^define .*@"?{re.escape(m[2])}"?\(', assembly, re.MULTILINE)
        return f'@"{m[1]}" = internal constant ptr @"{m[2]}"' if is_here else m[0]

    return re.sub(r'^@"(\.numba\.unresolved\$([^"]+))" = external .*$', bind, assembly, flags=re.MULTILINE)


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Collect no garbage while numba makes a great many small objects: a twentieth of the time, more in a large process."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def explain(error: str, text: Text) -> str:
    """Numba's message as one sentence: file, line, class and method, what to write instead."""
    plain = re.sub(r"\x1b\[\d*m", "", error)
    message = next((m.expand(h) for pattern, h in HINTS if (m := re.search(pattern, plain))), None)
    if message is None:
        said = re.split(r"^(?:During:|File \")", plain, flags=re.MULTILINE)[0]
        lines = [s.strip() for s in said.splitlines() if s.strip() and not s.startswith("Failed in nopython")]
        message = f"it cannot be lowered: {lines[0] if lines else 'write it in simpler steps'}"
    for pattern, words in WORDS:
        message = re.sub(pattern, words, message)
    # the innermost place comes first; places in what was generated without the author are in no file of theirs
    return _where(text, [int(n) for n in re.findall(re.escape(text.file) + r'(?:", line | \()(\d+)', plain)], message)


def _calling(symbol: str, text: Text) -> list[int]:
    """The lines of the generated function that this symbol names."""
    lines = text.source.splitlines()
    return [n for n, s in enumerate(lines, 1) if (m := re.match(r"def (\w+)\(", s)) and m[1] in symbol]


def _where(text: Text, places: list[int], message: str) -> str:
    """The message with the author's file, line and method of the first of these places that has them."""
    where = next((text.lines[n] for n in places if n in text.lines), None)
    if where is None:
        return f"{text.about}: {message}"
    file, line, method = where
    return f"{os.path.basename(file)}:{line}: {method}: {message}"
