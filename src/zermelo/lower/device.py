"""Kernels: the generated module of an algorithm, compiled for a CUDA GPU or run by the simulator.

The text is the one that native code is made of; only the function named `kernel` is compiled by
numba's CUDA half, which takes the others along. Without a GPU a kernel can still be compiled to PTX (a real
test that a game fits a GPU), and be run by the simulator of numba in a process that was started with
NUMBA_ENABLE_CUDASIM=1.
"""

from __future__ import annotations

import ast
import math
import operator
import os
import warnings
from collections import namedtuple
from collections.abc import Callable
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from .. import bits
from ..errors import LoweringError, ZermeloError
from ..game import Game
from ..layout import measure
from . import rows
from .facts import Facts
from .generate import Text, generate

CAPABILITY = (9, 0)  # what PTX is made for if there is no GPU to ask


def simulating() -> bool:
    """Whether this process runs kernels in numba's simulator."""
    return os.environ.get("NUMBA_ENABLE_CUDASIM") == "1"


def cuda() -> Any:
    """The module numba.cuda as numba-cuda makes it; ZermeloError if that is not installed (numba itself still has an old one)."""
    if find_spec("numba_cuda") is None:
        raise ZermeloError("the device cuda needs numba-cuda: install zermelo with its extra, pip install 'zermelo[cuda]'")
    for name, now in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
        if not hasattr(np, name):  # numba-cuda 0.30 looks up names that numpy 2.5 dropped
            setattr(np, name, getattr(np, now))
    from numba import cuda as module

    if not simulating():
        from .numba_cuda import adapt

        adapt()
    return module


def require_gpu() -> Any:
    """The module numba.cuda on a machine with a GPU (or in the simulator); ZermeloError without."""
    module = cuda()
    warnings.filterwarnings("ignore", message=".*Grid size")  # numba warns of launches too small to fill the card
    if not (simulating() or module.is_available()):
        raise ZermeloError("the device cuda needs an NVIDIA GPU with its driver, and there is none here: expected --device cpu")
    return module


def kernel(game: Game, function: Callable[..., Any], arrays: dict[str, tuple[Any, int]], constants: dict[str, int]) -> Any:
    """`function(game, ...)`, named `kernel`, ready to be launched: kernel[blocks, threads](...).

    It is compiled at its first launch and kept as long as the game lives and is not changed.
    """

    def make() -> tuple[Facts, Any]:
        text = generate(game, function, arrays=arrays, constants=constants)
        return text.facts, _execute(text, require_gpu())[text.entry]

    return _kept(game, (function, tuple(constants.items())), make)


def _kept(game: Game, key: Any, make: Callable[[], tuple[Facts, Any]]) -> Any:
    """The kernel of this key, made anew if the game was changed."""
    measure(game)
    ready = _kernels.setdefault(game, {})
    if key not in ready or not ready[key][0].hold(game):
        ready[key] = make()
    return ready[key][1]


_kernels: WeakKeyDictionary[Game, dict[Any, tuple[Facts, Any]]] = WeakKeyDictionary()

#: a kernel in which `lanes` threads run an algorithm on each record of an array
OVER_RECORDS = """
@kernel
def over_records(works, count):
    i = cuda.grid(1) // LANES
    if i < count:
        ENTRY(works[i])
"""

#: the same with one thread for each record, which has it in its local memory: what neighbours ask for there comes at once
IN_LOCAL_MEMORY = """
@kernel
def over_records(works, count):
    i = cuda.grid(1)
    mine = cuda.local.array(1, RECORD)
    if i < count:
        mine[0] = works[i]
        ENTRY(mine[0])
        works[i] = mine[0]
"""


def record_kernel(game: Game, function: Callable[[Any, Any], int], record: np.dtype[Any], lanes: int, is_local: bool = False) -> Any:
    """`function(game, work)` for many records at once: kernel[blocks, threads](works, count), where `lanes` threads share a record.

    Lanes are 1, 2, 4, 8, 16 or 32, which stand side by side in a warp. Small records of single threads may be local.
    """
    module = require_gpu()
    if simulating():
        raise ZermeloError("an algorithm over records cannot be run in the simulator: expected it natively or interpreted")

    def make() -> tuple[Facts, Any]:
        text = generate(game, function, {"work": record})
        return text.facts, _over_records(text, module, lanes, record if is_local else None)

    return _kept(game, (function, record, lanes, is_local), make)


def _over_records(text: Text, module: Any, lanes: int, local: np.dtype[Any] | None = None, compiled: bool | None = None) -> Any:
    """The kernel of a generated module whose entry takes a record, of this kind if it is local."""
    from .device_lanes import lane_functions

    namespace = _execute(text, module, compiled)
    found = {f"fn_{name}": made for name, made in lane_functions(cuda(), lanes).items()}
    namespace |= {name: made for name, made in found.items() if name in namespace}
    namespace |= {"LANES": lanes, "RECORD": local, "ENTRY": namespace[text.entry]}
    exec(compile(OVER_RECORDS if local is None else IN_LOCAL_MEMORY, text.file, "exec"), namespace)
    return namespace["over_records"]


def ptx(game: Game, function: Callable[..., Any], arrays: dict[str, tuple[Any, int]], constants: dict[str, int]) -> str:
    """The kernel as PTX for a recent GPU, compiled without one; LoweringError if it does not compile."""
    import numba

    text = generate(game, function, arrays=arrays, constants=constants)
    layouts: dict[int, Callable[[Any], Any]] = {0: lambda t: t, 1: lambda t: t[::1], 2: lambda t: t[:, ::1]}
    signature = tuple(layouts[ndim](numba.from_dtype(np.dtype(kind))) for kind, ndim in arrays.values())
    plain = _execute(text, _uncompiled(), compiled=True)[text.entry]
    return _ptx_of(plain, signature, text)


def record_ptx(game: Game, function: Callable[[Any, Any], int], record: np.dtype[Any], lanes: int, is_local: bool = False) -> str:
    """The same of a `record_kernel`."""
    import numba

    text = generate(game, function, {"work": record})
    plain = _over_records(text, _uncompiled(), lanes, record if is_local else None, compiled=True)
    return _ptx_of(plain, (numba.from_dtype(record)[::1], numba.int64), text)


def _uncompiled() -> Any:
    """What a generated module needs of numba.cuda, with a kernel left as it is."""
    module = cuda()
    if simulating():
        raise ZermeloError("PTX cannot be made in the simulator: expected a process without NUMBA_ENABLE_CUDASIM")
    return SimpleNamespace(jit=lambda f: f, grid=module.grid, local=module.local)


def _ptx_of(plain: Callable[..., Any], signature: tuple[Any, ...], text: Text) -> str:
    """A kernel as PTX, for the card that is here or for a recent one."""
    from numba.cuda import dispatcher

    module = cuda()
    asked = dispatcher.get_current_device
    try:
        if not module.is_available():  # numba asks the driver for the card's capability, and for nothing else
            dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=CAPABILITY)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            code, _ = module.compile(plain, signature, cc=CAPABILITY, device=False, abi="numba")
    except Exception as error:
        from .compile import explain

        raise LoweringError(explain(str(error), text)) from error
    finally:
        dispatcher.get_current_device = asked
    return str(code)


def _execute(text: Text, module: Any, compiled: bool | None = None) -> dict[str, Any]:
    """The generated module with its functions compiled, or plain Python for the simulator."""
    tree = ast.parse(text.source)
    if compiled or (compiled is None and not simulating()):
        from . import intrinsics
        from .arithmetic import power_on_gpu

        other = {"nth": intrinsics.portable_nth, "power": power_on_gpu, "load": intrinsics.plain_load, "store": intrinsics.plain_store}
        namespace = intrinsics.namespace() | other
        tree = ast.fix_missing_locations(_OfNumbers().visit(tree))
        if compiled:
            namespace["cuda"] = cuda()
    else:
        namespace = plain_namespace()
    namespace = {"cuda": module} | namespace | {"kernel": module.jit}
    exec(compile(tree, text.file, "exec"), namespace)
    return namespace


class _OfNumbers(ast.NodeTransformer):
    """Makes numbers of what min and max compare: numba has them for no truths on a GPU, and +x of a truth is a number."""

    def visit_Call(self, e: ast.Call) -> ast.Call:
        self.generic_visit(e)
        if isinstance(e.func, ast.Name) and e.func.id in ("min", "max"):
            e.args = [ast.UnaryOp(ast.UAdd(), a) for a in e.args]
        return e


def plain_namespace() -> dict[str, Any]:
    """The globals in which a generated module runs as plain Python, as the simulator needs it."""
    names = ["u64", "i64", "popcount", "ctz", "clz", "byteswap", "bitreverse", "lowest", "rest", "bit", "nth"]
    plain = {name: getattr(bits, name) for name in names}
    arrays = {"tuples": lambda rows, kind: rows, "arrays": lambda rows, kind: np.array(rows, dtype=object)}
    return (
        plain
        | arrays
        | {"select": lambda c, a, b: a if c else b, "f64": float, "inner": lambda f: f, "math": math, "namedtuple": namedtuple}
        | {"shl": lambda x, k: x << (k & 63), "shr": lambda x, k: x >> (k & 63), "bounded": lambda i, n: i, "tame": lambda x: x}
        | {f"row_{operation.__name__}": operation for operation in rows.OPERATIONS}
        | {"fail_if": _fail_if, "fmod": math.fmod, "power": operator.pow, "real_floordiv": operator.floordiv, "real_mod": operator.mod}
    )


def _fail_if(bad: bool, site: int) -> None:
    if bad:
        raise RecursionError(f"place {site}")
