"""Settings as text: name=value,name=value, and the values that such texts are."""

from __future__ import annotations

import types
import typing
from collections.abc import Collection
from typing import Any

from .errors import ZermeloError

TRUTHS = {"true": True, "false": False, "yes": True, "no": False, "1": True, "0": False}


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
        first = next(kind for kind in typing.get_args(hint) if kind is not types.NoneType)
        return in_words(first) + " or none" * (types.NoneType in typing.get_args(hint))
    if typing.get_origin(hint) is tuple:
        kinds = typing.get_args(hint)
        return f"{'' if kinds[-1] is Ellipsis else f'{len(kinds)} '}{'whole ' * (kinds[0] is int)}numbers joined by ','"
    return {bool: "true or false", int: "a whole number", float: "a number"}.get(hint, "what no text can tell")


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
