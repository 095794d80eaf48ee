"""The functions of a generated module while they are translated, and the LLVM module that they become."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache as once
from functools import cached_property
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import callconv
from numba.core.dispatcher import Dispatcher
from numba.core.registry import cpu_target

from .values import Kind, Unknown, flat, joined, llvm_type

STATUS = ir.IntType(32)
WELL = ir.Constant(STATUS, 0)


class Pending(Unknown):
    """The result of a function that calls itself is asked for before any of its paths was seen to return."""


@dataclass(eq=False)
class Function:
    """A function for arguments of these kinds."""

    name: str
    node: ast.FunctionDef
    scope: dict[str, Any]
    kinds: tuple[Kind, ...]
    variables: dict[str, Kind] = field(default_factory=dict)
    result: Kind | None = None
    code: ir.Function | None = None

    @cached_property
    def names(self) -> set[str]:
        """Its variables; every other name is one of the module."""
        stored = {n.id for n in ast.walk(self.node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        return stored | {a.arg for a in self.node.args.args}

    def __post_init__(self) -> None:
        self.variables.update(zip((a.arg for a in self.node.args.args), self.kinds, strict=True))


@once
def target() -> Any:
    """The processor as numba compiles for it, with numpy's division and without counting references."""
    context = cpu_target.target_context
    return context.subtarget(error_model=callconv.create_error_model("numpy", context))


@once
def _helper(function: Any) -> ast.FunctionDef:
    """The syntax of a helper that is no part of the generated text."""
    found = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(found, ast.FunctionDef)
    return found


class Module:
    """The functions of a generated module that its entry needs, and the LLVM module that they become."""

    def __init__(self, source: str, scope: dict[str, Any], name: str):
        self.code = ir.Module(name)
        self.nodes = {node.name: node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
        self.scope = scope
        self.functions: dict[tuple[Any, tuple[Kind, ...]], Function] = {}
        self.changed = False  # whether something was learned since somebody looked
        self.waiting: list[Function] = []  # declared, but without a body
        self._constants: dict[int, tuple[Any, ir.GlobalVariable]] = {}

    def function(self, found: Any, kinds: tuple[Kind, ...]) -> Function:
        """The function that this object of Python is, for arguments of these kinds."""
        plain = found.py_func if isinstance(found, Dispatcher) else found
        key = (plain, kinds)
        if key not in self.functions:
            is_ours = plain.__globals__ is self.scope
            node = self.nodes[plain.__name__] if is_ours else _helper(plain)
            if len(node.args.args) != len(kinds):
                raise Unknown(f"arguments of {plain.__name__}")
            self.functions[key] = Function(f"{plain.__name__}.{len(self.functions)}", node, plain.__globals__, kinds)
        return self.functions[key]

    def learn(self, f: Function, name: str | None, kind: Kind) -> None:
        """A variable of f, or its result (None), may be of this kind."""
        before = f.result if name is None else f.variables.get(name)
        if name is not None and before not in (None, kind) and {before, kind} != {types.boolean, types.int64}:
            raise Unknown(f"{name}, which is {before} and {kind}")  # numba keeps the two apart, where one would lose digits
        now = kind if before is None else joined(before, kind)
        if now != before:
            self.changed = True
            if name is None:
                f.result = now
            else:
                f.variables[name] = now

    def declare(self, f: Function) -> ir.Function:
        """The LLVM function that f becomes; its body follows."""
        if f.code is None:
            if f.result is None:
                raise Unknown(f"what {f.name} returns")
            arguments = [t for kind in f.kinds for t in flat(kind)]
            result = llvm_type(f.result).as_pointer()
            f.code = ir.Function(self.code, ir.FunctionType(STATUS, [result, callconv.excinfo_ptr_t.as_pointer(), *arguments]), f.name)
            for pointer in f.code.args[:2]:
                pointer.add_attribute("noalias")
            self.waiting.append(f)
        return f.code

    def constant(self, value: Any, make: Callable[[], ir.Constant]) -> ir.GlobalVariable:
        """A constant of the module in memory: one for each object."""
        if id(value) not in self._constants:
            initial = make()
            place = ir.GlobalVariable(self.code, initial.type, f"constant.{len(self._constants)}")
            place.linkage, place.global_constant, place.initializer = "internal", True, initial
            self._constants[id(value)] = (value, place)
        return self._constants[id(value)][1]
