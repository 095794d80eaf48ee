"""Every operator, builtin and helper that lowering accepts, with the kinds of its operands: what random programs are made of.

A construct is the template of an expression. Its guards keep most values within what 64 bits hold, and leave the kinds of the
operands as they are: the power of a word stays the power of a word.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

KINDS = ("word", "number", "real", "truth")
WHOLE = ("word", "number", "truth")
FULL = "0xFFFFFFFFFFFFFFFF"

ARITHMETIC = ("+", "-", "*")
DIVISIONS = ("//", "%")
BITWISE = ("&", "|", "^")
COMPARISONS = ("<", "<=", "==", "!=", ">", ">=")
MEMBERSHIPS = ("in", "not in")
CONNECTIVES = ("and", "or")
EXPONENTS = (0, 1, 2, 3, 4, 7)

CONVERSIONS = ("u64", "i64", "i32", "i16", "i8", "u32", "u16", "u8")
BIT_HELPERS = ("popcount", "ctz", "clz", "lowest", "rest", "byteswap", "bitreverse")
FOLDS = ("sum", "min", "max", "any", "all")

#: functions of math of one argument, each with a bound of the argument that keeps it in its domain; 0: above 0, below 1000
UNARY_MATH = {
    "acos": 1, "asin": 1, "atan": 1000, "ceil": 1000, "cos": 100, "cosh": 20, "exp": 20, "fabs": 1000, "floor": 1000, "log": 0,
    "log10": 0, "sin": 100, "sinh": 20, "sqrt": 1000, "tan": 100, "tanh": 20, "trunc": 1000,
}  # fmt: skip
BINARY_MATH = ("atan2", "copysign", "fmod", "pow")

#: an operand made small, below 2**17 in size, and of the same kind
SMALL = {"word": "({} & 0xFFFF)", "number": "({} % 65537)", "real": "({} % 1000.0)", "truth": "{}"}
#: an operand made a count of bits to shift by, from 0 to 63
COUNT = {"word": "({} & 63)", "number": "({} % 64)", "truth": "{}"}


@dataclass(frozen=True)
class Construct:
    """The template of an expression with {0}, {1}, ... for operands of the kinds that it takes, and the kind of its value."""

    takes: tuple[str, ...]
    gives: str
    text: str


def constructs() -> list[Construct]:
    """All of them."""
    families = (operations, powers, shifts, signs, comparisons, choices, builtins, helpers, math_functions, folds, elements)
    return [one for family in families for one in family()]


def meeting(a: str, b: str) -> str | None:
    """The kind of what an operation makes of these two kinds; None if they cannot meet."""
    if "word" in (a, b):
        return "word" if {a, b} <= {"word", "truth"} else None
    return "real" if "real" in (a, b) else "number"


def pairs(kinds: tuple[str, ...] = KINDS) -> Iterator[tuple[str, str, str, str]]:
    """Two kinds that can meet, what an operation makes of them, and what a choice between them gives."""
    for a, b in itertools.product(kinds, repeat=2):
        if (kind := meeting(a, b)) is not None:
            yield a, b, kind, "truth" if a == b == "truth" else kind


def small(kind: str, place: int = 0) -> str:
    return SMALL[kind].format(f"{{{place}}}")


def fitting(kind: str, text: str) -> str:
    """The text of an operation, cut to 64 bits if it is one of words."""
    return f"({text} & {FULL})" if kind == "word" else f"({text})"


def of_one_kind(a: str, b: str, text: str) -> str:
    """A choice between a float and a whole number, as a float: of a whole 0 the negative has no sign."""
    return f"({text} * 1.0)" if a != b and "real" in (a, b) else text


def operations() -> Iterator[Construct]:
    for a, b, kind, either in pairs():
        left, right = (small(a), small(b, 1)) if kind == "number" else ("{0}", "{1}")
        for op in ARITHMETIC:
            yield Construct((a, b), kind, fitting(kind, f"{left} {op} {right}"))
        for op in DIVISIONS:
            yield Construct((a, b), kind, of_one_kind(a, b, f"({{0}} {op} {{1}} if {{1}} else {{0}})"))
        for op in BITWISE if kind != "real" else ():
            yield Construct((a, b), either, f"({{0}} {op} {{1}})")
    for a, b in itertools.product(KINDS, repeat=2):
        yield Construct((a, b), "real", f"({small(a)} / {small(b, 1)} if {small(b, 1)} else 0.5)")


def powers() -> Iterator[Construct]:
    """Powers under guards that leave a whole number all of its 64 bits."""
    for kind, k in itertools.product(KINDS, EXPONENTS):
        bits = 64 // max(k, 1)
        guard = {
            "word": f"({{0}} & {(1 << bits) - 1:#x})",
            "number": f"({{0}} % {1 << min(bits - 1, 62)})",
            "real": "({0} % 100.0)",
            "truth": "{0}",
        }
        yield Construct((kind,), "number" if kind == "truth" else kind, f"({guard[kind]} ** {k})")


def shifts() -> Iterator[Construct]:
    for a, b in itertools.product(WHOLE, repeat=2):
        kind, count = "number" if a == "truth" else a, COUNT[b].format("{1}")
        yield Construct((a, b), kind, f"({{0}} >> {count})")
        if kind == "word":
            yield Construct((a, b), kind, f"({{0}} << {count} & {FULL})")
        else:
            less = count if b == "truth" else "({1} & 31)"
            yield Construct((a, b), kind, f"({small(a)} << {less})")


def signs() -> Iterator[Construct]:
    for kind in KINDS:
        number, x = "number" if kind == "truth" else kind, small(kind) if kind == "number" else "{0}"
        for op in "-+~" if kind in ("word", "number") else "-+":
            yield Construct((kind,), number, fitting(number, f"{op}{x}"))
        yield Construct((kind,), "truth", "(not {0})")


def comparisons() -> Iterator[Construct]:
    for a, b, kind, _ in pairs():
        x, y, z = (small(a), small(b, 1), small(b, 2)) if kind == "real" else ("{0}", "{1}", "{2}")
        for op in COMPARISONS:
            yield Construct((a, b), "truth", f"({x} {op} {y})")
        for op in MEMBERSHIPS:
            yield Construct((a, b, b), "truth", f"({x} {op} ({y}, {z}))")
        yield Construct((a, b, b), "truth", f"({x} <= {y} < {z})")


def choices() -> Iterator[Construct]:
    for a, b, _, either in pairs():
        for op in CONNECTIVES:
            yield Construct((a, b), either, of_one_kind(a, b, f"({{0}} {op} {{1}})"))
        for test in KINDS:
            yield Construct((a, b, test), either, of_one_kind(a, b, "({0} if {2} else {1})"))


def builtins() -> Iterator[Construct]:
    for kind in KINDS:
        number = "number" if kind == "truth" else kind
        yield Construct((kind,), number, f"abs({small(kind) if kind == 'number' else '{0}'})")
        yield Construct((kind,), "real", f"float({small(kind)})")
        yield Construct((kind,), "truth", "bool({0})")
        yield Construct((kind,), "number", f"int({ {'real': '{0} * 0.001', 'word': '{0} >> 1'}.get(kind, '{0}') })")
        for name in CONVERSIONS:
            yield Construct((kind,), "word" if name == "u64" else "number", f"{name}({small(kind) if kind == 'real' else '{0}'})")
    for a, b, kind, either in pairs():
        x, y, z = (small(a), small(b, 1), small(a, 2)) if kind == "real" else ("{0}", "{1}", "{2}")
        for name in ("min", "max"):
            yield Construct((a, b), either, of_one_kind(a, b, f"{name}({x}, {y})"))
            yield Construct((a, b, a), either, of_one_kind(a, b, f"{name}({x}, {y}, {z})"))


def helpers() -> Iterator[Construct]:
    """The helpers of bits. Of a number those are used that a least number does not overflow."""
    for kind in WHOLE:
        same = "number" if kind == "truth" else kind
        for name in BIT_HELPERS:
            gives = {"lowest": same, "rest": same, "byteswap": "word", "bitreverse": "word"}.get(name, "number")
            yield Construct((kind,), gives, f"{name}({small(kind) if name in ('lowest', 'rest') else '{0}'})")
        yield Construct((kind,), "word", f"bit({COUNT[kind].format('{0}')})")
        for which in WHOLE:
            index = {"word": "{1} & 0", "number": "{1} % popcount({0})", "truth": "{1} and popcount({0}) > 1"}[which]
            yield Construct((kind, which), "number", f"(nth({{0}}, {index}) if {{0}} else 64)")


def math_functions() -> Iterator[Construct]:
    for (name, most), kind in itertools.product(UNARY_MATH.items(), KINDS):
        gives = "number" if name in ("ceil", "floor", "trunc") else "real"
        x = {"real": f"({{0}} % {most or 1000}.0)", "truth": "{0}"}.get(kind, f"({{0}} % {most + 1 if most else 1000})")
        yield Construct((kind,), gives, f"math.{name}({x})" if most else f"(math.{name}({x}) if {x} else 0.5)")
    for name, a, b in itertools.product(BINARY_MATH, KINDS, KINDS):
        x, y = small(a), {"word": "({1} & 3)", "number": "({1} % 4)", "real": "({1} % 3.0)", "truth": "{1}"}[b]
        base = x if a in ("word", "truth") else f"abs({x})"
        text = {"fmod": f"(math.fmod({x}, {y}) if {y} else 0.5)", "pow": f"math.pow({base}, {y})"}
        yield Construct((a, b), "real", text.get(name, f"math.{name}({x}, {small(b, 1)})"))


def folds() -> Iterator[Construct]:
    """sum, min, max, any and all of tuples and of generator expressions."""
    for kind, name in itertools.product(KINDS, FOLDS):
        gives = "truth" if name in ("any", "all") else "number" if kind == "truth" and name == "sum" else kind
        x, y, z = (small(kind, k) if name == "sum" else f"{{{k}}}" for k in range(3))
        yield Construct((kind,) * 3, gives, f"{name}(({x}, {y}, {z}))")
        yield Construct((kind,) * 2, gives, f"{name}({'not y' if kind == 'truth' else 'y'} for y in ({x}, {y}))")
        if name not in ("min", "max"):
            yield Construct((kind, kind, "truth"), gives, f"{name}(y for y in ({x}, {y}, {x}) if y or {{2}})")
    for kinds in itertools.product(("number", "real"), repeat=3):
        if len(set(kinds)) > 1:
            yield Construct(kinds, "real", f"sum(({', '.join(small(kind, k) for k, kind in enumerate(kinds))}))")
    for kind in ("word", "number"):  # values that are held while others are
        yield Construct((kind, kind), kind, "sum(min(({0} // 3, y % 7)) for y in ({0} // 5, {1} // 3))")
        yield Construct((kind, kind), kind, "sum(max((y // 3, {1} % 7)) for y in ({0} // 5, {1} // 3) if any((y % 3, {0} // 2)))")
    yield Construct(("real", "real", "truth"), "real", "sum({0} * 0.1 + y for y in ({1}, 0.3, {0}))")


def elements() -> Iterator[Construct]:
    """Tuples and arrays: their elements by an index of each kind; tuples made, joined, cut, compared and looked through."""
    for kind in WHOLE:
        at = "{0}" if kind == "truth" else "{0} % 3"
        for what, gives in (("s.t", "number"), ("s.ws", "word"), ("self.table", "number"), ("self.masks", "word"), ("WORDS", "word")):
            yield Construct((kind,), gives, f"{what}[{at}]")
    for kind in KINDS:
        yield Construct((kind,) * 2, kind, "tuple(y for y in ({0}, {1}))[1]")
        yield Construct((kind,) * 3, kind, "(({0}, {1}) + ({2},))[1:][1]")
        for op in COMPARISONS:
            yield Construct((kind,) * 3, "truth", f"(({{0}}, {{1}}) {op} ({{0}}, {{2}}))")
        yield Construct((kind,) * 3, "number", "len(({0}, {1}, {2}))")
