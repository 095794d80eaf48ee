"""What to write instead: the advice for names and values that lowered code cannot use."""

from __future__ import annotations

import ast
import enum
import sys
import types
from typing import Any

import numpy as np

from ..layout import Field
from .trees import walk

#: built-in functions that an author may reach for
BUILTIN: dict[str, str] = {
    "print": "rules only compute, so print what show(s) draws",
    "sorted": "keep a tuple sorted where it is made, or compare with if",
    "reversed": "loop over range(n - 1, -1, -1)",
    "list": "use a tuple of fixed length, or the bits of a word",
    "set": "use the bits of a word",
    "dict": "use a tuple or a numpy array computed in __init__",
    "map": "write a loop, or tuple(f(x) for x in t)",
    "filter": "write a loop with if",
    "next": "write a loop with break",
    "iter": "write a loop",
    "divmod": "write // and %",
    "round": "write int(x + 0.5)",
    "pow": "write 1 << n, or multiply in a loop",
    "isinstance": "every value has one type, so no test is needed",
    "type": "every value has one type, so no test is needed",
    "super": "write out what it does, or call a method of another name",
} | dict.fromkeys(("str", "repr", "format", "bin", "hex", "ord", "chr"), "text belongs in show, write_action or write_state")

#: methods of values that an author may reach for
METHOD: dict[str, str] = {
    "bit_count": "write popcount(x)",
    "bit_length": "write 64 - clz(x)",
    "append": "rules are pure, so keep it in the state, as a tuple of fixed length or the bits of a word",
    "index": "write a loop",
    "count": "write sum(x == y for x in t)",
}

#: how many arguments the functions of math take that lowered code knows
MATH: dict[str, int] = dict.fromkeys(
    ("acos", "asin", "atan", "ceil", "cos", "cosh", "exp", "fabs", "floor", "log", "log10", "sin", "sinh", "sqrt", "tan", "tanh", "trunc"),
    1,
) | dict.fromkeys(("atan2", "copysign", "fmod", "pow"), 2)


def of_constant(value: Any, shown: str, state: str) -> str:
    """Why this value cannot be a constant of lowered code, and what to write instead; `state` is the name of the state's class."""
    kind = type(value).__name__
    owner = getattr(value, "__self__", None)
    is_random = isinstance(value, types.ModuleType) and value.__name__ in ("random", "numpy.random")
    if is_random or type(owner).__module__ in ("random", "numpy.random.mtrand"):
        return f"{shown} cannot be lowered: rules are pure, so let CHANCE move, with probability(s, a)"
    if value is None:
        return f"{shown} is None: use a number that stands for nothing, like -1"
    if isinstance(value, str):
        return f"{shown} is text: use numbers here, text belongs in show, write_action and write_state"
    if isinstance(value, type):
        if issubclass(value, np.generic):
            return f"{shown} cannot be lowered: write i64(...), u64(...) or float(...)"
        if value.__module__.split(".")[0] in sys.stdlib_module_names:
            return f"{shown} cannot be lowered: write it as a loop, or compute it in __init__"
        return f"{shown} is a class, and rules can use no class but {state}: write {state}(...), or name numbers at the top of the file"
    if isinstance(value, enum.Enum):
        return f"{shown} is a member of an Enum: make that an IntEnum, or name numbers at the top of the file"
    if isinstance(value, types.ModuleType):
        return f"{shown} is a module: call a function of it"
    if callable(value):
        return f"{shown} cannot be lowered: write it as a method, or compute it in __init__"
    if isinstance(value, (list, set, frozenset, dict)):
        other = {"list": "a tuple", "dict": "a tuple or a numpy array"}.get(kind, "a word of bits or a tuple")
        return f"{shown} is a {kind}: make it {other}"
    if isinstance(value, tuple):
        return f"{shown} is a tuple {_fault(value)}"
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return f"{shown} is an array of no dimensions: make it a number"
    if isinstance(value, np.ndarray):
        return f"{shown} is an array of {value.dtype}: make it one of integers or floats"
    if isinstance(value, int):
        return f"{shown} is {value}, which no 64 bits can hold: write it as several words"
    if isinstance(value, float):
        return f"{shown} is nan: use a number that stands for it"
    return f"{shown} is of type {kind}: constants are numbers, tuples of them, or numpy arrays"


def _fault(value: tuple[Any, ...]) -> str:
    if not value:
        return "of no elements: give it at least one"
    lengths = {len(x) for x in value if isinstance(x, tuple)}
    if len(lengths) > 1:
        return "of tuples of different lengths: fill them up to one length"
    strange = [x for x in value if not isinstance(x, (int, float, tuple, np.generic))]
    if strange:
        return f"that holds a {type(strange[0]).__name__}: let it hold numbers only"
    if lengths and not all(isinstance(x, tuple) for x in value):
        return "of numbers and tuples: let all its elements be of one type"
    if lengths:
        return f"of a tuple {_fault(value[0])}" if () in value else "whose tuples are not all of one type: let them be"
    return "of words and floats, or of numbers beyond 64 bits: let all its elements be of one type"


def of_field(f: Field, value: ast.expr, clash: str) -> str:
    """What to do about a value of the wrong kind in a new state."""
    if any(isinstance(n, ast.Div) for n in walk(value)):
        return "write // instead of /"
    if "word" not in clash:
        return "give it numbers"
    convert = "u64" if f.is_word else "i64"
    return f"write {convert}(...) around it" if f.length is None else f"write {convert}(...) around each element"


def of_clash(at: ast.AST, clash: str) -> str:
    """What to do about two values that meet here and cannot."""
    assigns = isinstance(at, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For))
    if "word" in clash and any(isinstance(n, ast.Div) for n in walk(at)):
        return "write // instead of /"
    if "word" in clash:
        return "write u64(...) or i64(...) around one of them" + (", or use two names" if assigns else "")
    if assigns:
        return "a variable keeps one type, so use two names"
    if isinstance(at, ast.Return):
        return "return one type on every path"
    if isinstance(at, ast.Call):
        return "let each argument be of one type in every call"
    return "let both be of one type"
