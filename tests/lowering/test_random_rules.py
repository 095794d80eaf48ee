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
from compare import Compared, compare

from zermelo.lower import device, emit_expressions, infer_expressions, source
from zermelo.lower.fold import folded
from zermelo.lower.kinds import scalar
from zermelo.lower.program import Program

EACH = 50  # programs of a module
STATES = 12


def hold(done: Compared) -> None:
    assert not done.differences, done.differences[:3]
    asked = done.equal + done.errors + len(done.alarms)
    assert asked == (done.programs + 1) * STATES
    assert done.equal > asked * 3 // 4, done.alarms[:3]  # most programs keep to what 64 bits hold
    assert done.refused <= done.programs // 10, done.refused_why


@pytest.mark.parametrize("seed", range(6))
def test_random_rules_mean_the_same(seed):
    hold(compare(seed, EACH, STATES))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1200))
def test_many_random_rules_mean_the_same(seed):
    hold(compare(seed, 100, STATES))


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


FAULTS = {
    fault.__name__: fault
    for fault in (guarded_shifts, constants_by_hash, kinds_of_either, bits_of_a_truth, names_of_turns, numbers_of_numpy)
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
