"""Random rules give the same results interpreted, in the fast build and in the checked build; and the test can find planted errors."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from compare import Compared, ask, compare, compare_module, fields_of, kernel
from constructs import Construct, constructs
from programs import Programs, plain_module, states
from uses import accepted, uses_of

import zermelo
from zermelo.lower import device, emit_expressions, infer_expressions, source
from zermelo.lower.fold import folded
from zermelo.lower.kinds import scalar
from zermelo.lower.program import Program
from zermelo.search.records import record_of

EACH = 50  # programs of a module
STATES = 12


def hold(done: Compared) -> None:
    assert not done.differences, done.differences[:3]
    asked = done.equal + done.errors + len(done.alarms)
    assert asked == (done.programs + 1) * STATES
    assert done.equal > asked * 3 // 4, done.alarms[:3]  # most programs keep to what 64 bits hold
    assert done.refused <= done.programs // 10, done.refused_why


def test_constructs_are_all_that_lowering_accepts(tmp_path):
    file = tmp_path / "constructs.py"
    file.write_text(plain_module(constructs()))
    game = zermelo.game(f"{file}:G")
    assert accepted() <= set(
        uses_of(game, ask, np.dtype([("start", "u8", (game.layout.words,)), ("which", "i8"), ("out", "u8"), ("row", "i8", 64)]))
    )


@pytest.mark.parametrize("part", range(4))
def test_each_construct_means_the_same(part):
    given = constructs()[part::4]
    done = compare_module(plain_module(given), len(given), states(part, STATES))
    hold(done)
    assert not done.refused
    assert not done.alarms


def test_what_meets_a_power_of_a_word():
    square = "({0} & 0xFFFFFFFF) ** 2"
    meetings = (
        f"({square} >> 5)",
        f"({square} // 3)",
        f"({square} % 1000003)",
        f"max({square}, {{1}})",
        f"u64({square} > {{1}})",
        f"u64(popcount({square}))",
        f"u64({square} in (1, {{1}}))",
        f"({square} if {{2}} else {{1}})",
        "({0} ** 1 >> 3)",
        "({0} ** 0 + {1} % 5)",
        "self.choose_word({2}, ({0} & 0xFFFF) ** 4, {1})",
    )
    given = [Construct(("word", "word", "truth"), "word", text) for text in meetings]
    done = compare_module(plain_module(given), len(given), states(1, STATES))
    hold(done)
    assert not done.alarms


@pytest.mark.parametrize("seed", (1, 2))
def test_random_rules_mean_the_same(seed):
    hold(compare(seed, EACH, STATES))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1200))
def test_many_random_rules_mean_the_same(seed):
    hold(compare(seed, 100, STATES))


def test_random_rules_compile_for_a_gpu(tmp_path):
    """numba has no min and max of a truth and a number there, although it has them for a processor."""
    path = tmp_path / "game.py"
    path.write_text(Programs(2, portable=True).module(20))
    game = zermelo.game(f"{path}:G")
    assert ".visible .entry" in device.ptx(game, kernel, {"works": (record_of(fields_of(game)), 1)}, {})


@pytest.mark.slow
@pytest.mark.skipif(not device.cuda().is_available(), reason="there is no GPU")
@pytest.mark.parametrize("seed", range(3000, 3010))
def test_random_rules_mean_the_same_on_a_gpu(seed):
    done = compare(seed, EACH, STATES, on_gpu=True)
    hold(done)
    assert done.on_gpu >= done.equal


# ---- faults put back: each was once there ----------------------------------------------------


def guarded_shifts(patch):
    """A shift by a count known only at run time, which LLVM may take for impossible before its guard is asked."""

    def operation(self, at, left, op, right):
        return folded(ast.BinOp(self.x(left), op, self.x(right)))

    patch.setattr(emit_expressions.Expressions, "operation", operation)


def constants_by_hash(patch):
    """Constants of one name told apart by a hash: -1 and -2 have one."""

    def constant(self, u, e, value, name=None):
        base = name or ast.unparse(e).replace(".", "_")
        key = (base, id(value) if isinstance(value, (tuple, np.ndarray)) else hash((type(value), value)))
        label = self._labels.setdefault(key, f"const{len(self._labels)}_{base}")
        self._kept.append(value)
        return label, value

    patch.setattr(Program, "_constant", constant)


def kinds_of_either(patch):
    """`w or v` of words is taken for a number."""
    patch.setattr(infer_expressions.Values, "either", lambda self, u, e, nodes: scalar())


def bits_of_a_truth(patch):
    """~ of a truth is taken for `not`."""
    patch.setattr(emit_expressions.Expressions, "unary", lambda self, e: ast.UnaryOp(e.op, self.x(e.operand)))


def names_of_turns(patch):
    """The variable of a generator expression is taken for the one in its iterable."""

    def turns(self, g, name):
        c, out, outer = g.generators[0], [], dict(self._turn)
        for k in range(self.infer.span(self._u, c.iter)):
            self._iterated(c.iter)
            self._turn = self._turn | self._bound(c.target, c.iter, k)
            out.append(self.x(g.elt))
        self._turn = outer
        return {}, out

    patch.setattr(emit_expressions.Expressions, "held", lambda self, values: ({}, values))
    patch.setattr(source, "_separate", lambda tree: None)
    patch.setattr(emit_expressions.Expressions, "turns", turns)


def numbers_of_numpy(patch):
    """Elements of a numpy array with numpy's arithmetic."""
    patch.setattr("zermelo.tables.plain", lambda value: value)
    patch.setattr(infer_expressions, "Table", np.ndarray)


def powers_of_words(patch):
    """The power of a word is left to numba, which makes a float of it."""
    original = emit_expressions.Expressions.operation

    def operation(self, at, left, op, right):
        is_real = self.reals.is_real(self._u, left)
        return (
            folded(ast.BinOp(self.x(left), op, self.x(right)))
            if isinstance(op, ast.Pow) and not is_real
            else original(self, at, left, op, right)
        )

    patch.setattr(emit_expressions.Expressions, "operation", operation)


FAULTS = {
    fault.__name__: fault
    for fault in (
        guarded_shifts,
        constants_by_hash,
        kinds_of_either,
        bits_of_a_truth,
        names_of_turns,
        numbers_of_numpy,
        powers_of_words,
    )
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_that_is_put_back_is_found(fault):
    """In a process of its own: what LLVM takes for impossible may end it."""
    here = Path(__file__).parent
    paths = os.pathsep.join([str(here), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-c", f"import test_random_rules; test_random_rules.look_for({fault!r})"]
    done = subprocess.run(command, env=os.environ | {"PYTHONPATH": paths}, capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGABRT or "interpreted" in done.stdout, done.stderr[-2000:]


def look_for(fault: str) -> None:
    """Put the fault back and print the first difference that it makes."""
    FAULTS[fault](pytest.MonkeyPatch())
    print(next(d for seed in range(2000, 2010) for d in compare(seed, EACH, STATES).differences))
