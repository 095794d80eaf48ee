"""Which operators, builtins and helpers occur in lowered rules, with the kinds of their operands; and which lowering accepts at all."""

from __future__ import annotations

import ast
import itertools
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from constructs import KINDS

import zermelo
from zermelo.errors import LoweringError
from zermelo.lower.advice import MATH
from zermelo.lower.float_check import Reals
from zermelo.lower.infer import Infer
from zermelo.lower.program import Program
from zermelo.lower.source import Unit

#: an operator, builtin or helper, with the kinds of its operands
Use = tuple[str, tuple[str, ...]]

BINARY = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**", ast.LShift: "<<",
    ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip
UNARY = {ast.USub: "-x", ast.UAdd: "+x", ast.Invert: "~x", ast.Not: "not"}
COMPARISONS = {ast.Lt: "<", ast.LtE: "<=", ast.Eq: "==", ast.NotEq: "!=", ast.Gt: ">", ast.GtE: ">=", ast.In: "in", ast.NotIn: "not in"}
TRUTHS = ("bool", "any", "all")
ONE_ARGUMENT = ("abs", "bool", "float", "int", "u64", "u32", "u16", "u8", "i64", "i32", "i16", "i8", "popcount", "ctz", "clz", "lowest")
ONE_ARGUMENT += ("rest", "bit", "byteswap", "bitreverse")
TWO_ARGUMENTS = ("min", "max", "nth")
FOLDS = ("sum", "min", "max", "any", "all")

PROBE = """
import math
from typing import NamedTuple

import numpy as np

from zermelo import Game, bit, bitreverse, byteswap, clz, ctz, i8, i16, i32, i64, lowest, nth, popcount, rest, u8, u16, u32, u64


class State(NamedTuple):
    w: u64
    n: i64
    flag: bool
    t: tuple[i8, ...]


class Probe(Game):
    def initial(self):
        return State(0, 0, False, (0, 0, 0))
"""
OPERANDS = {"word": "s.w", "number": "s.n", "real": "float(s.n)", "truth": "s.flag"}


# ---- what occurs -------------------------------------------------------------------------------


class Uses:
    """Finds the uses in the units of a program that lowering has walked."""

    def __init__(self, program: Program):
        self.program, self.reals = program, Reals(program)
        self.reals.check()
        self.truths: set[tuple[str, str]] = set()  # variables that hold a truth, by their unit

    def of_program(self) -> Counter[Use]:
        parts = [(u, e) for u in self.program.units.values() if u.where.startswith("G.") for e in ast.walk(u.node)]
        for u, e in parts:
            match e:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if self.is_truth(u, value):
                    self.truths.add((u.name, name))
        return Counter(use for u, e in parts for use in self.of_node(u, e))

    def of_node(self, u: Unit, e: ast.AST) -> Iterator[Use]:
        match e:
            case ast.BinOp(left=left, op=ast.Pow()):
                yield "**", (self.kind(u, left),)
            case ast.BinOp(left=left, op=op, right=right):
                yield BINARY[type(op)], (self.kind(u, left), self.kind(u, right))
            case ast.AugAssign(target=left, op=ast.Pow()):
                yield "**=", (self.kind(u, left),)
            case ast.AugAssign(target=left, op=op, value=right):
                yield f"{BINARY[type(op)]}=", (self.kind(u, left), self.kind(u, right))
            case ast.UnaryOp(op=op, operand=operand):
                yield UNARY[type(op)], (self.kind(u, operand),)
            case ast.BoolOp(op=op, values=[left, right]):
                yield type(op).__name__.lower(), (self.kind(u, left), self.kind(u, right))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                yield "if", (self.kind(u, test), self.kind(u, body), self.kind(u, orelse))
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                right = right.elts[0] if isinstance(op, (ast.In, ast.NotIn)) and isinstance(right, ast.Tuple) else right
                yield COMPARISONS[type(op)], (self.kind(u, left), self.kind(u, right))
            case ast.Subscript(value=value, slice=index) if not isinstance(index, (ast.Slice, ast.Tuple)):
                yield "[]", (self.kind(u, value), self.kind(u, index))
            case ast.Call(func=function, args=[ast.Tuple(elts=parts)]):
                yield f"{ast.unparse(function)}(tuple)", (self.kind(u, parts[0]),)
            case ast.Call(func=function, args=[ast.GeneratorExp(elt=elt)]):
                yield f"{ast.unparse(function)}(generator)", (self.kind(u, elt),)
            case ast.Call(func=function, args=args) if len(args) in (1, 2):
                yield ast.unparse(function), tuple(self.kind(u, a) for a in args)

    def kind(self, u: Unit, e: ast.expr) -> str:
        """word, number, real or truth, tuple or array: a truth that stands among words is still one."""
        node = self.program.of.get(id(e))
        if node is not None and node.find().shape:
            return str(node.find().shape)
        if self.is_truth(u, e):
            return "truth"
        return "real" if self.reals.is_real(u, e) else "word" if node is not None and node.is_word else "number"

    def is_truth(self, u: Unit, e: ast.expr) -> bool:
        match e:
            case ast.Name(id=name):
                return (u.name, name) in self.truths
            case ast.BoolOp(values=values):
                return all(self.is_truth(u, v) for v in values)
            case ast.IfExp(body=body, orelse=orelse):
                return self.is_truth(u, body) and self.is_truth(u, orelse)
            case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr() | ast.BitXor(), right=right):
                return self.is_truth(u, left) and self.is_truth(u, right)
            case ast.Call(func=ast.Name(id=name)):
                return name in TRUTHS
            case ast.Attribute(attr=name):
                field = self.program.fields.get(name)
                return field is not None and field.type == "bool"
        return isinstance(e, ast.Compare) or (isinstance(e, ast.UnaryOp) and isinstance(e.op, ast.Not))


def uses_of(game: Any, function: Any, record: Any) -> Counter[Use]:
    """How often each use occurs in the rules of this game that an algorithm reaches."""
    program = Program(game)
    infer = Infer(program, {"work": record})
    infer.walk(program.unit_of_function(function))
    return Uses(program).of_program()


# ---- what is accepted ----------------------------------------------------------------------------


def candidates() -> Iterator[tuple[Use, str]]:
    """Every use that might be accepted, as an expression."""
    for a, b in itertools.product(KINDS, repeat=2):
        x, y = OPERANDS[a], OPERANDS[b]
        for op in {*BINARY.values()} - {"**"}:
            yield (op, (a, b)), f"{x} {op} {y}"
        for op in COMPARISONS.values():
            yield (op, (a, b)), f"{x} {op} ({y}, {y})" if "in" in op else f"{x} {op} {y}"
        for op in ("and", "or"):
            yield (op, (a, b)), f"{x} {op} {y}"
        for c in KINDS:
            yield ("if", (c, a, b)), f"{x} if {OPERANDS[c]} else {y}"
        for name in (*TWO_ARGUMENTS, *(f"math.{name}" for name, takes in MATH.items() if takes == 2)):
            yield (name, (a, b)), f"{name}({x}, {y})"
    for a in KINDS:
        x = OPERANDS[a]
        for symbol in UNARY.values():
            yield (symbol, (a,)), symbol.replace("x", x) if "x" in symbol else f"not {x}"
        for name in (*ONE_ARGUMENT, *(f"math.{name}" for name, takes in MATH.items() if takes == 1)):
            yield (name, (a,)), f"{name}({x})"
        for name in FOLDS:
            yield (f"{name}(tuple)", (a,)), f"{name}(({x}, {x}))"
            yield (f"{name}(generator)", (a,)), f"{name}(y for y in ({x}, {x}))"
        yield ("**", (a,)), f"{x} ** 3"
        yield ("[]", ("tuple", a)), f"s.t[{x}]"


def accepted() -> set[Use]:
    """The uses that lowering accepts, each tried by itself."""
    wanted = list(candidates())
    methods = "".join(f"\n    def f{i}(self, s):\n        return {text}\n" for i, (_, text) in enumerate(wanted))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "probe.py"
        file.write_text(PROBE + methods)
        game = zermelo.game(f"{file}:Probe")
        return {use for i, (use, _) in enumerate(wanted) if is_accepted(game, f"f{i}")}


def is_accepted(game: Any, name: str) -> bool:
    """Whether this method of one state can be lowered."""
    program = Program(game)
    try:
        unit = program.unit_of_method(name, getattr(type(game), name))
        program.params[unit][0].find().shape = "state"
        Infer(program).walk(unit)
        Reals(program).check()
    except LoweringError:
        return False
    return True
