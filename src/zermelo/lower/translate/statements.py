"""Statements of generated text: what they tell of types, and their code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from llvmlite import ir
from numba import types

from .calls import Value
from .expressions import Expressions
from .functions import WELL, Function, Module, Pending, target
from .values import I64, Kind, Row, Unknown, Work, is_tuple, llvm_type, rebuilt, slot


def reached(statements: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements up to the first that leaves the block."""
    for statement in statements:
        yield statement
        if isinstance(statement, (ast.Return, ast.Break, ast.Continue)):
            return


def arguments_of(name: str, e: ast.expr) -> list[ast.expr] | None:
    """The arguments of range, zip or enumerate in the head of a loop, if it is that."""
    if isinstance(e, ast.Call) and isinstance(e.func, ast.Name) and e.func.id == name and not e.keywords:
        return e.args
    return None


class Inference(Expressions):
    """Looks at functions and learns the kinds of their variables and results."""

    def __init__(self, module: Module):
        self.module = module
        self._seen: set[Function] = set()  # in this round

    def infer(self, entry: Function) -> None:
        """Find the kinds of all variables and results that the entry needs."""
        self.module.changed = True
        while self.module.changed:
            self.module.changed = False
            self._seen.clear()
            self.function = entry
            self.asked(entry)

    def asked(self, f: Function) -> None:
        """Look at a function, once in each round."""
        if f not in self._seen:
            self._seen.add(f)
            before, self.function = self.function, f
            self.block(f.node.body)
            self.function = before

    def block(self, statements: list[ast.stmt]) -> None:
        for s in reached(statements):
            with suppress(Pending):  # once more in the next round
                self.statement(s)
            for inner in ("body", "orelse"):
                self.block(getattr(s, inner, []))

    def statement(self, s: ast.stmt) -> None:
        match s:
            case ast.Assign(targets=[target_], value=value):
                self.bind(target_, self.value(value)[0])
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                found = self.value(ast.Name(name, ast.Load()))
                self.module.learn(self.function, name, self.binary(op, found, self.value(value))[0])
            case ast.Return(value=ast.expr() as value):
                self.module.learn(self.function, None, self.value(value)[0])
            case ast.For(target=target_, iter=over):
                self.bind(target_, self.over(over))
            case ast.Expr(value=ast.Constant()):
                pass  # a docstring
            case ast.If(test=test) | ast.While(test=test):
                self.condition(test)
            case ast.Expr(value=value):
                self.value(value)
            case ast.Break() | ast.Continue() | ast.Pass():
                pass
            case _:
                raise Unknown(type(s).__name__)

    def over(self, e: ast.expr) -> Kind:
        """The kind of what a loop goes over."""
        if (zipped := arguments_of("zip", e)) is not None:
            return types.BaseTuple.from_types(tuple(self.over(a) for a in zipped))
        if (counted := arguments_of("enumerate", e)) is not None:
            return types.BaseTuple.from_types((types.int64, self.over(counted[0])))
        if (arguments := arguments_of("range", e)) is not None:
            if any(self.value(a)[0] not in (types.int64, types.boolean) for a in arguments):
                raise Unknown("a range of words")
            return types.int64
        kind, _ = self.value(e)
        if isinstance(kind, Row):
            return Row(kind.element, kind.shape[1:]) if len(kind.shape) > 1 else kind.element
        if is_tuple(kind) and len(set(kind.types)) == 1:
            return kind.types[0]
        raise Unknown(f"a loop over {kind}")

    def bind(self, to: ast.expr, kind: Kind) -> None:
        if isinstance(to, ast.Name):
            self.module.learn(self.function, to.id, kind)
        elif isinstance(to, ast.Tuple):
            if not is_tuple(kind) or len(kind) != len(to.elts):
                raise Unknown(f"{kind} in parts")
            for part, own in zip(to.elts, kind.types, strict=True):
                self.bind(part, own)
        elif isinstance(to, (ast.Attribute, ast.Subscript)):
            self.value(to)
        else:
            raise Unknown(type(to).__name__)


class Emission(Expressions):
    """Emits the code of one function."""

    def __init__(self, module: Module, function: Function):
        super().__init__(module, function)
        self.loops: list[tuple[Any, Any]] = []  # of each loop around: where it goes on, where it ends

    def emit(self) -> None:
        f, code = self.function, self.function.code
        assert code is not None
        entry, body = code.append_basic_block("entry"), code.append_basic_block("body")
        ir.IRBuilder(entry).branch(body)
        self.builder = ir.IRBuilder(body)
        self.places = {name: slot(self.builder, llvm_type(kind), name) for name, kind in f.variables.items()}
        arguments = iter(code.args[2:])
        for parameter, kind in zip(f.node.args.args, f.kinds, strict=True):
            value = rebuilt(target(), self.builder, kind, arguments)
            self.builder.store(self.cast(value, kind, f.variables[parameter.arg]), self.places[parameter.arg])
        if self.block(f.node.body):
            raise Unknown(f"the end of {f.name}, where it returns nothing")

    def block(self, statements: list[ast.stmt]) -> bool:
        """Emit statements; whether what follows them can be reached."""
        for s in reached(statements):
            if not self.statement(s):
                return False
        return True

    def statement(self, s: ast.stmt) -> bool:
        match s:
            case ast.Assign(targets=[to], value=value):
                kind, emit = self.value(value)
                self.bind(to, kind, emit())
            case ast.AugAssign(target=to, op=op, value=value):
                kind, emit = self.binary(op, self.value(_read(to)), self.value(value))
                self.bind(to, kind, emit())
            case ast.Return(value=ast.expr() as value):
                kind, emit = self.value(value)
                f = self.function
                self.builder.store(self.cast(emit(), kind, f.result), f.code.args[0])  # type: ignore[union-attr]
                self.builder.ret(WELL)
                return False
            case ast.Expr(value=ast.Constant()):
                pass  # a docstring
            case ast.Expr(value=value):
                self.value(value)[1]()
            case ast.If():
                return self.branches(s)
            case ast.While():
                return self.loop_while(s)
            case ast.For():
                self.loop_for(s)
            case ast.Break() | ast.Continue():
                self.builder.branch(self.loops[-1][isinstance(s, ast.Break)])
                return False
            case ast.Pass():
                pass
            case _:
                raise Unknown(type(s).__name__)
        return True

    def bind(self, to: ast.expr, kind: Kind, value: Any) -> None:
        """Assign a value to a variable, to several, to a field or to an element."""
        if isinstance(to, ast.Name):
            self.builder.store(self.cast(value, kind, self.function.variables[to.id]), self.places[to.id])
        elif isinstance(to, ast.Tuple):
            for i, part in enumerate(to.elts):
                self.bind(part, kind.types[i], self.builder.extract_value(value, i))
        else:
            found, address = self.place(to)
            if isinstance(found, Row):
                raise Unknown("a row that is assigned to")
            self.builder.store(self.cast(value, kind, found), address())

    def place(self, to: ast.expr) -> Value:
        """The kind of a field or an element, and how to emit its address."""
        if isinstance(to, (ast.Attribute, ast.Subscript)):
            kind, emit = self.value(to.value)
            if isinstance(to, ast.Attribute) and isinstance(kind, Work):
                return self.field(kind, emit, to.attr)
            if isinstance(to, ast.Subscript) and isinstance(kind, Row):
                return self.element(kind, emit, to.slice)
        raise Unknown(ast.unparse(to))

    def branches(self, s: ast.If) -> bool:
        builder, test = self.builder, self.truth(self.condition(s.test))
        then, end = builder.append_basic_block(), builder.append_basic_block()
        otherwise = builder.append_basic_block() if s.orelse else end
        builder.cbranch(test, then, otherwise)
        goes_on = not s.orelse
        for block, statements in ((then, s.body), (otherwise, s.orelse)):
            if block is not end:
                builder.position_at_end(block)
                if self.block(statements):
                    builder.branch(end)
                    goes_on = True
        builder.position_at_end(end)
        if not goes_on:
            builder.unreachable()
        return goes_on

    def loop_while(self, s: ast.While) -> bool:
        builder = self.builder
        head, body, end = (builder.append_basic_block() for _ in range(3))
        builder.branch(head)
        builder.position_at_end(head)
        builder.cbranch(self.truth(self.condition(s.test)), body, end)
        self.body(body, s, head, end)
        builder.position_at_end(end)
        is_endless = isinstance(s.test, ast.Constant) and s.test.value and not _breaks(s)
        if is_endless:
            builder.unreachable()
        return not is_endless

    def body(self, block: Any, s: ast.While | ast.For, again: Any, end: Any) -> None:
        """Emit the body of a loop."""
        if s.orelse:
            raise Unknown("else of a loop")
        self.builder.position_at_end(block)
        self.loops.append((again, end))
        if self.block(s.body):
            self.builder.branch(again)
        self.loops.pop()

    def loop_for(self, s: ast.For) -> None:
        """A loop over a range, a tuple or a row: a counter goes from first to last."""
        builder, zero = self.builder, ir.Constant(I64, 0)
        if (arguments := arguments_of("range", s.iter)) is not None:
            first, last, step = self.bounds(arguments)
            kind, item = types.int64, _itself
        else:
            first, step = zero, 1
            last, kind, item = self.items(s.iter)
        place = slot(builder, I64)
        builder.store(first, place)
        head, body, more, end = (builder.append_basic_block() for _ in range(4))
        builder.branch(head)
        builder.position_at_end(head)
        i = builder.load(place)
        builder.cbranch(builder.icmp_signed("<" if step > 0 else ">", i, last), body, end)
        builder.position_at_end(body)
        self.bind(s.target, kind, item(i))
        self.body(builder.block, s, more, end)
        builder.position_at_end(more)
        builder.store(builder.add(builder.load(place), ir.Constant(I64, step)), place)
        builder.branch(head)
        builder.position_at_end(end)

    def bounds(self, arguments: list[ast.expr]) -> tuple[Any, Any, int]:
        """First, last and step of a range."""
        step = 1
        if len(arguments) == 3:
            value = self.value(arguments[2])[1]()
            if not isinstance(value, ir.Constant) or not value.constant:
                raise Unknown("a step that is no constant")
            step, arguments = value.constant, arguments[:2]
        made = [self.cast(emit(), kind, types.int64) for kind, emit in map(self.value, arguments)]
        return (ir.Constant(I64, 0), made[0], step) if len(made) == 1 else (made[0], made[1], step)

    def items(self, over: ast.expr) -> tuple[Any, Kind, Any]:
        """How many items a tuple or a row has, the kind of each, and how to emit item i."""
        if (zipped := arguments_of("zip", over)) is not None:
            return self.zipped([self.items(a) for a in zipped])
        if (counted := arguments_of("enumerate", over)) is not None and len(counted) == 1:
            n, kind, item = self.items(counted[0])
            return self.zipped([(n, types.int64, _itself), (n, kind, item)])
        if (arguments := arguments_of("range", over)) is not None:
            first, last, step = self.bounds(arguments)
            if step != 1:
                raise Unknown("a range with a step beside others")
            return self.builder.sub(last, first), types.int64, lambda i: self.builder.add(first, i)
        kind, emit = self.value(over)
        value, builder = emit(), self.builder
        if isinstance(kind, Row):
            n, left = kind.shape[0], kind.shape[1:]
            stride = 1
            for m in left:
                stride *= m

            def item(i: Any) -> Any:
                place = builder.gep(value, [builder.mul(i, ir.Constant(I64, stride))])
                return place if left else builder.load(place)

            return ir.Constant(I64, n), (Row(kind.element, left) if left else kind.element), item
        place = self.spread(kind, value)
        return ir.Constant(I64, len(kind)), kind.types[0], lambda i: builder.load(builder.gep(place, [i]))

    def zipped(self, several: list[tuple[Any, Kind, Any]]) -> tuple[Any, Kind, Any]:
        """Items side by side, as many as the shortest has."""
        builder = self.builder
        count = several[0][0]
        for n, _, _ in several[1:]:
            count = builder.select(builder.icmp_signed("<", n, count), n, count)
        kind = types.BaseTuple.from_types(tuple(kind for _, kind, _ in several))
        return count, kind, lambda i: target().make_tuple(builder, kind, [item(i) for _, _, item in several])


def _itself(i: Any) -> Any:
    return i


def _read(e: ast.expr) -> ast.expr:
    """What is assigned to, as an expression."""
    return ast.parse(ast.unparse(e), mode="eval").body


def _breaks(s: ast.While) -> bool:
    """Whether a loop is left by a break."""
    inner = [n for n in ast.walk(s) if isinstance(n, (ast.For, ast.While)) and n is not s]
    nested = {id(b) for n in inner for b in ast.walk(n) if isinstance(b, ast.Break)}
    return any(isinstance(n, ast.Break) and id(n) not in nested for n in ast.walk(s))
