"""Calls in generated text: of its own functions, of the few that Python builds in, and of the operations that numba knows.

Each method gives the kind of the result and a function that emits the code, as in `expressions.py`.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.dispatcher import Dispatcher
from numba.core.registry import cpu_target
from numba.cpython.builtins import do_minmax

from .functions import WELL, Function, Module, Pending, target
from .values import I64, Kind, Row, Unknown, is_scalar, is_tuple, joined, llvm_type, parts, slot

Emit = Callable[[], Any]
Value = tuple[Kind, Emit]


class Calls:
    """The calls of one function. Only an Emission has a builder."""

    builder: ir.IRBuilder

    def __init__(self, module: Module, function: Function):
        self.module, self.function = module, function

    def value(self, e: ast.expr) -> Value:
        """The kind of an expression and how to emit it."""
        raise NotImplementedError

    def known(self, e: ast.expr) -> Any:
        """The object of Python that a name means, which is no variable."""
        raise NotImplementedError

    def tuple_of(self, values: list[Value], cls: type | None = None) -> Value:
        """A tuple of these, of a class of named ones if there is one."""
        kind = types.BaseTuple.from_types(tuple(k for k, _ in values), cls)
        return kind, lambda: target().make_tuple(self.builder, kind, [emit() for _, emit in values])

    def Call(self, e: ast.Call) -> Value:
        if e.keywords or any(isinstance(a, ast.Starred) for a in e.args):
            raise Unknown(ast.unparse(e))
        callee, values = self.known(e.func), [self.value(a) for a in e.args]
        if isinstance(callee, types.Number):
            return self.converted(callee, values[0])
        if callee is len:
            return self.length(*values[0])
        if callee in (min, max) and len(values) > 1:
            return self.extreme(callee, values)
        if callee is abs and values[0][0] == types.boolean:
            return self.converted(types.int64, values[0])
        if callee is bool:
            return types.boolean, lambda: self.truth(values[0])
        if callee in (int, float):
            return self.converted(whole_of(values[0][0]) if callee is int else types.float64, values[0])
        if isinstance(callee, type) and issubclass(callee, tuple):
            return self.tuple_of(values, callee)
        if isinstance(callee, Dispatcher) or getattr(callee, "__globals__", None) is self.module.scope:
            return self.own(callee, values)
        return self.called(callee, values, e.args)

    def converted(self, kind: Kind, value: Value) -> Value:
        if not is_scalar(value[0]):
            raise Unknown(f"{kind} of {value[0]}")
        return kind, lambda: self.cast(value[1](), value[0], kind)

    def length(self, kind: Kind, emit: Emit) -> Value:
        if isinstance(kind, Row):
            return types.int64, lambda: ir.Constant(I64, kind.shape[0])
        if is_tuple(kind):

            def count() -> Any:
                emit()  # an element may end the run
                return ir.Constant(I64, len(kind))

            return types.int64, count
        raise Unknown(f"the length of {kind}")

    def extreme(self, function: Any, values: list[Value]) -> Value:
        kinds = [kind for kind, _ in values]
        kind = kinds[0]
        for other in kinds[1:]:
            kind = joined(kind, other)
        if not is_scalar(kind):
            raise Unknown(f"{function.__name__} of {kind}")
        if kind == types.boolean:
            kind, kinds, values = types.int64, [types.int64] * len(values), [self.converted(types.int64, v) for v in values]
        compare = operator.lt if function is min else operator.gt
        return kind, lambda: do_minmax(target(), self.builder, kinds, [emit() for _, emit in values], compare)

    def own(self, callee: Any, values: list[Value]) -> Value:
        """A call of a function of the module."""
        f = self.module.function(callee, tuple(kind for kind, _ in values))
        self.asked(f)
        if f.result is None:
            raise Pending

        def emit() -> Any:
            code, builder = self.module.declare(f), self.builder
            arguments = [x for kind, make in values for x in parts(builder, kind, make())]
            place = slot(builder, llvm_type(f.result))
            status = builder.call(code, [place, self.function.code.args[1], *arguments])  # type: ignore[union-attr]
            with builder.if_then(builder.icmp_signed("!=", status, WELL), likely=False):
                builder.ret(status)
            return builder.load(place)

        return f.result, emit

    def asked(self, f: Function) -> None:
        """A function is called: an Inference looks at it."""

    def called(self, callee: Any, values: list[Value], written: list[ast.expr] | None = None) -> Value:
        """A call of a function that numba knows, by its own rules for types and its own code."""
        if not all(is_scalar(kind) or is_tuple(kind) for kind, _ in values):
            raise Unknown(f"a call of {callee}")
        context = cpu_target.typing_context
        function = context.resolve_value_type(callee)
        kinds = tuple(self.literal(a, kind) for a, (kind, _) in zip(written or [None] * len(values), values, strict=True))  # type: ignore[list-item]
        signature = function.get_call_type(context, kinds, {})
        result = types.unliteral(signature.return_type)
        if not (is_scalar(result) or is_tuple(result)):
            raise Unknown(f"{callee}, which gives {result}")

        def emit() -> Any:
            made = [emit() for _, emit in values]
            wanted = [types.unliteral(t) for t in signature.args]
            cast = [self.cast(x, kind, t) for x, (kind, _), t in zip(made, values, wanted, strict=True)]
            return target().get_function(function, signature)(self.builder, cast)

        return result, emit

    def literal(self, e: ast.expr | None, kind: Kind) -> Kind:
        """The kind of an argument, with its value if it is written there."""
        if isinstance(e, ast.Constant) and type(e.value) is int and kind == types.int64:
            return types.literal(e.value)
        return kind

    # ---- values ------------------------------------------------------------------------------------

    def cast(self, value: Any, kind: Kind, wanted: Kind) -> Any:
        return value if kind == wanted else target().cast(self.builder, value, kind, wanted)

    def truth(self, value: Value) -> Any:
        """Whether a value is true, as one bit."""
        kind, emit = value
        if not is_scalar(kind):
            raise Unknown(f"the truth of {kind}")
        return target().is_true(self.builder, kind, emit())


def whole_of(kind: Kind) -> Kind:
    return types.uint64 if kind == types.uint64 else types.int64
