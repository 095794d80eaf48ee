"""Settings: the values that they may have, declared beside their types, and how they are written as name=value,name=value.

    threads: Annotated[int, Range(1, 256)] = 1
    rave: Annotated[float | None, Range(0, above=True)] = None

`check_ranges` refuses what is outside, `describe` says in words what is inside.
"""

from __future__ import annotations

import inspect
import math
import types
import typing
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from .errors import ZermeloError
from .system.limits import shown

TRUTHS = {"true": True, "false": False, "yes": True, "no": False, "1": True, "0": False}


@dataclass(frozen=True)
class Range:
    """The numbers from least to most; `above` leaves out the least, and the greatest is finite. `words`, if given, describe it."""

    least: float
    most: float = math.inf
    above: bool = False
    words: str = ""

    def __contains__(self, x: Any) -> bool:
        return (self.least < x if self.above else self.least <= x) and x <= self.most and x < math.inf

    def describe(self, name: str) -> str:
        if self.words:
            return self.words
        if self.most < math.inf:
            return f"{name} from {self.least:,} to {self.most:,}"
        return f"{name} above {self.least:,}" if self.above else f"{name} of at least {self.least:,}"


@dataclass(frozen=True)
class OneOf:
    """One of these values."""

    values: tuple[Any, ...]

    def __contains__(self, x: Any) -> bool:
        return x in self.values

    def describe(self, name: str) -> str:
        *others, last = map(str, self.values)
        return f"{name} {', '.join(others)} or {last}"


_declared: dict[type, dict[str, tuple[Any, Range | OneOf]]] = {}


def declared(cls: type) -> dict[str, tuple[Any, Range | OneOf]]:
    """The settings of this class that declare what they may be: the type and the range of each; looked up once a class."""
    if cls in _declared:
        return _declared[cls]
    hints = typing.get_type_hints(cls, include_extras=True)
    annotated = {name: typing.get_args(hint) for name, hint in hints.items() if typing.get_origin(hint) is typing.Annotated}
    found = {name: (given[0], given[1]) for name, given in annotated.items() if isinstance(given[1], (Range, OneOf))}
    return _declared.setdefault(cls, found)


def check_ranges(settings: Any) -> None:
    """Refuse a setting that is outside its declared range, or not of its type."""
    cls = type(settings)
    for name, (hint, span) in declared(cls).items():
        x = getattr(settings, name)
        if x is getattr(cls, name, types.NoneType) or (x is None and types.NoneType in typing.get_args(hint)):
            continue  # as it is by default, or nothing where that is allowed
        if not _is_of(hint, x) or x not in span:
            raise ZermeloError(f"{cls.__name__}: expected {_complaint(cls, name, x)}, not {shown(x)}")


def describe(cls: type, name: str) -> str:
    """What a setting of this class may be, in words."""
    hint, span = declared(cls)[name]
    return span.describe(name) + (", or None" if types.NoneType in typing.get_args(hint) and "None" not in span.describe(name) else "")


def _complaint(cls: type, name: str, x: Any) -> str:
    """What was expected of a setting instead of x: the end of its range that x is beyond, or all of it."""
    hint, span = declared(cls)[name]
    if isinstance(span, OneOf) or span.words or types.NoneType not in typing.get_args(hint):
        return describe(cls, name)
    is_above = _is_of(hint, x) and x > span.most
    return f"{name} of at most {span.most:,}" if is_above else Range(span.least, above=span.above).describe(name)


def _is_of(hint: Any, x: Any) -> bool:
    kinds = typing.get_args(hint) if _is_union(hint) else (hint,)
    if isinstance(x, bool):
        return bool in kinds
    return isinstance(x, (*kinds, int) if float in kinds else kinds)


def read_pairs(text: str, given: str, what: str = "settings", texts: Collection[str] = (), known: Collection[str] = ()) -> dict[str, str]:
    """The values by name in `given`, which stands after the colon of `text`; a part without a name continues the value before it.

    The value of one of `texts` may have commas and equals signs in it: only the name of a `known` setting ends it.
    """
    found, key = dict[str, str](), ""
    for part in given.split(",") if given else []:
        name, equals, value = part.partition("=")
        name = name.strip()
        if equals and (key not in texts or name in known):
            if name in found:
                raise ZermeloError(f"'{text}': expected {name} once")
            key, found[name] = name, value
        elif key:
            found[key] += "," + part  # a list goes on: heaps=1,3,5
        else:
            raise ZermeloError(f"'{text}': expected {what} as name=value after the colon, not '{part}'")
    return found


def value(hint: Any, text: str) -> Any:
    """The value of this type that the text is; ValueError or KeyError if it is none."""
    if _is_union(hint):
        kinds = typing.get_args(hint)
        if text.lower() == "none" and types.NoneType in kinds:
            return None
        return value(next(kind for kind in kinds if kind is not types.NoneType), text)
    if hint is bool:
        return TRUTHS[text.lower()]
    if hint in (int, float):
        return hint(text)
    if hint in (tuple, list):
        return tuple(guess(x) for x in text.split(",") if x)
    if typing.get_origin(hint) is tuple:
        parts, kinds = [part for part in text.split(",") if part], typing.get_args(hint)
        if kinds[-1] is not Ellipsis and len(kinds) != len(parts):
            raise ValueError
        return tuple(value(kinds[0], part) for part in parts)
    if hint is str:
        return text
    raise ValueError


def in_words(hint: Any) -> str:
    """The type as an error says that it was expected."""
    if _is_union(hint):
        some = [kind for kind in typing.get_args(hint) if kind is not types.NoneType]
        return in_words(str if str in some else some[0]) + " or none" * (types.NoneType in typing.get_args(hint))
    if typing.get_origin(hint) is tuple:
        kinds = typing.get_args(hint)
        return f"{'' if kinds[-1] is Ellipsis else f'{len(kinds)} '}{'whole ' * (kinds[0] is int)}numbers joined by ','"
    return {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}.get(hint, "what no text can tell")


def guess(text: str) -> Any:
    """A number if the text is one, true or false, a tuple of such if it has commas, else the text."""
    if "," in text:
        return tuple(map(guess, text.split(",")))
    for convert in (int, float):
        try:
            return convert(text)
        except ValueError:
            pass
    return {"true": True, "false": False}.get(text.lower(), text)


def _is_union(hint: Any) -> bool:
    return typing.get_origin(hint) in (typing.Union, types.UnionType)


# ---- parameters of a game --------------------------------------------------------------------


def parameters_of(cls: type) -> dict[str, inspect.Parameter]:
    """The parameters of a game's `__init__`, without self."""
    if cls.__init__ is object.__init__:  # type: ignore[misc]
        return {}
    return dict(list(inspect.signature(cls.__init__).parameters.items())[1:])  # type: ignore[misc]


def written(value: Any) -> str:
    """A parameter as text that the registry reads back."""
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(written, value)) if isinstance(value, (tuple, list)) else str(value)
