"""How a state is laid out in machine words: what its class declares, measured on one state.

A state is a NamedTuple whose fields are machine integers or fixed tuples of them:

    class State(NamedTuple):
        stones: u64
        heaps: tuple[i8, ...]
        turn: i8

The length of a tuple is the one it has in `initial()`, so it may depend on the game's parameters.
"""

from __future__ import annotations

import inspect
import os
import re
import typing
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from . import bits
from .bits import FULL, Machine
from .errors import LoweringError, ZermeloError

#: what may annotate a field; a plain int is 64 bits with a sign
SCALARS: dict[Any, str] = {getattr(bits, n): n for n in ("u64", "u32", "u16", "u8", "i64", "i32", "i16", "i8")}
SCALARS |= {int: "i64", bool: "bool"}


@dataclass(frozen=True)
class Field:
    """One field of a state: its machine type, and its length when it is a tuple."""

    name: str
    type: str
    length: int | None = None

    @property
    def is_word(self) -> bool:
        return self.type == "u64"

    def holds(self, x: Any) -> bool:
        """Whether x is a value that this field's machine type can hold."""
        if self.type == "bool":
            return isinstance(x, bool) or (isinstance(x, int) and x in (0, 1))
        least, most = self._span
        return isinstance(x, int) and least <= x <= most

    @cached_property
    def _span(self) -> tuple[int, int]:
        """The least and the most that the machine type holds; looked up once, as every search asks whether its state fits."""
        machine: type[Machine] = getattr(bits, self.type)
        return machine.least(), machine.most()


@dataclass(frozen=True)
class Layout:
    """The fields of a game's state class, and the state as a flat row of 64-bit words."""

    state: type
    fields: tuple[Field, ...]

    @cached_property
    def words(self) -> int:
        """How many 64-bit words a state takes when it is packed."""
        return sum(1 if f.length is None else f.length for f in self.fields)

    def pack(self, s: Any) -> list[int]:
        """The state as words, each in 0..2**64-1."""
        row: list[int] = []
        for f, x in zip(self.fields, s, strict=True):
            row.extend([x & FULL] if f.length is None else [e & FULL for e in x])
        return row

    def unpack(self, row: Any) -> Any:
        """The state that `pack` made these words of."""
        at, values = 0, []
        for f in self.fields:
            machine = bool if f.type == "bool" else getattr(bits, f.type)
            n = 1 if f.length is None else f.length
            part = [machine(int(w)) for w in row[at : at + n]]
            values.append(part[0] if f.length is None else tuple(part))
            at += n
        return self.state(*values)

    def fits(self, s: Any) -> bool:
        """Whether s is a state of this class, with tuples of these lengths."""
        if type(s) is not self.state:
            return False
        values: Any = s
        return all(f.length is None or f.length == len(x) for f, x in zip(self.fields, values, strict=True))

    def fault(self, s: Any) -> str | None:
        """What is wrong with s as a state of this layout, in words; None when nothing is."""
        if type(s) is not self.state:
            return f"it is a {type(s).__name__}, not a {self.state.__name__}"
        values: Any = s
        for f, x in zip(self.fields, values, strict=True):
            if f.length is None:
                if not f.holds(x):
                    return f"field {f.name} is {x!r}, which no {f.type} can hold"
            elif not isinstance(x, tuple) or len(x) != f.length:
                return f"field {f.name} is {x!r}, not a tuple of {f.length} numbers as in initial()"
            else:
                for i, e in enumerate(x):
                    if not f.holds(e):
                        return f"field {f.name}[{i}] is {e!r}, which no {f.type} can hold"
        return None

    def write(self, s: Any) -> str:
        """The state as one line of text: its numbers, those of a tuple joined by ','."""
        return " ".join(",".join(map(str, map(int, x))) if isinstance(x, tuple) else str(int(x)) for x in s)

    def read(self, text: str, game: str) -> Any:
        """The state that `write` wrote so; ZermeloError, which names the game, if it is none."""
        expected = " ".join(f"{f.name}" + ("" if f.length is None else f"[{f.length}]") for f in self.fields)
        try:
            values = [
                int(part) if f.length is None else tuple(int(x) for x in part.split(","))
                for f, part in zip(self.fields, text.split(), strict=True)
            ]
        except ValueError:
            raise ZermeloError(f"'{text}' is not a state of {game}: expected the numbers {expected}") from None
        s = self.state(*(bool(v) if f.type == "bool" and v in (0, 1) else v for f, v in zip(self.fields, values, strict=True)))
        if wrong := self.fault(s):
            raise ZermeloError(f"'{text}' is not a state of {game}: {wrong}")
        return s


def measure(game: Any) -> None:
    """Lay the states of a game out anew if those that it begins with no longer fit: its class or file may have changed."""
    if not game.layout.fits(game.initial()):
        del game.layout


def layout_of(initial: Any, game: type) -> Layout:
    """The layout of the class of the state that this game begins with; LoweringError, naming the place, if it has none."""
    cls = type(initial)
    if not (isinstance(initial, tuple) and hasattr(cls, "_fields")):
        raise LoweringError(
            f"{_place(getattr(game, 'initial', game))}{game.__name__}: initial() gives a {cls.__name__}: write the state as a class "
            "derived from typing.NamedTuple with fields of machine integers (u64, i8, ... of zermelo)"
        )
    try:
        hints = typing.get_type_hints(cls)
    except NameError as error:
        where = f"{_place(cls, error.name or '') or _place(game)}{game.__name__}"
        raise LoweringError(f"{where}: the annotations of {cls.__name__} cannot be read: {error}") from None
    fields = tuple(_field(n, hints.get(n), v, cls, game) for n, v in zip(cls._fields, initial, strict=True))
    layout = Layout(cls, fields)
    if wrong := layout.fault(initial):
        raise LoweringError(f"{_place(getattr(game, 'initial', game))}{game.__name__}: initial() does not fit its own class: {wrong}")
    return layout


def _field(name: str, hint: Any, value: Any, cls: type, game: type) -> Field:
    if hint in SCALARS:
        return Field(name, SCALARS[hint])
    args = typing.get_args(hint)
    is_tuple = typing.get_origin(hint) is tuple and args and args[0] in SCALARS and all(a in (args[0], Ellipsis) for a in args)
    if is_tuple and isinstance(value, tuple):
        return Field(name, SCALARS[args[0]], len(value))
    where = f"{_place(cls, name) or _place(game)}{game.__name__}: field {name} of {cls.__name__}"
    if is_tuple:
        raise LoweringError(f"{where} is declared a tuple, but initial() gives it a {type(value).__name__}: give it a tuple")
    shown = "without a type" if hint is None else hint.__name__ if isinstance(hint, type) and not args else str(hint)
    raise LoweringError(
        f"{where} is declared {shown.replace('zermelo.bits.', '')}: write a machine integer "
        "(u64, i64, i8, bool, ...) or a tuple of one, like tuple[i8, ...]"
    )


def _place(part: Any, name: str = "") -> str:
    """'file.py:12: ' of a class or a method, or of the first line below it that has this name; '' without a source."""
    try:
        lines, first = inspect.getsourcelines(part)
        file = os.path.basename(inspect.getsourcefile(part) or "?")
    except (OSError, TypeError):
        return ""
    at = next((i for i, line in enumerate(lines) if name and re.search(rf"\b{name}\b", line)), 0)
    return f"{file}:{first + at}: "


def fill_row(given: Iterable[Any], out: Any) -> int:
    """Write what is given into a row as far as it fits; how many there are."""
    n = 0
    for x in given:
        if n < len(out):
            out[n] = x
        n += 1
    return n


def fills(rule: str) -> Callable[..., int]:
    """A method of a game that is asked as this rule is, with a row after the rule's own arguments."""

    def fill(game: Any, *asked: Any) -> int:
        """Write what the rule yields into the row, as far as there is room; how many there are."""
        return fill_row(getattr(game, rule)(*asked[:-1]), asked[-1])

    return fill


def lists(rule: str) -> Callable[..., int]:
    """The same for a rule that lists actions: where the game is over there are none."""

    def fill(game: Any, s: Any, row: Any) -> int:
        """Write the actions that the rule yields into the row, as far as there is room; how many there are, 0 in a terminal state."""
        return 0 if game.has_ended(s) else fill_row(getattr(game, rule)(s), row)

    return fill


def put_words(words: list[int], out: Any) -> int:
    """Write words into a row; how many they are."""
    for i, word in enumerate(words):
        out[i] = word
    return len(words)
