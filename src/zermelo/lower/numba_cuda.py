"""Two changes to numba-cuda, for which it has no options: how products are rounded, and where large tables lie."""

from __future__ import annotations

from functools import cache as once
from typing import Any

import numpy as np
from llvmlite import ir

from .generate import GENERATED

#: bytes of a table in constant memory at most. A kernel has 64 KiB of that, and it is quick only where all threads read the same element.
CONSTANT_BYTES = 1024


@once
def adapt() -> None:
    """Change numba-cuda for this process."""
    _keep_roundings()
    _move_large_tables()


def _keep_roundings() -> None:
    """Compile kernels of generated text so that a product is rounded before it is added, as a processor does it.

    libnvvm calls the opposite fma. Optimisation at link time would fuse products and sums again, and a GPU would run other code than
    the PTX that tests see.
    """
    from numba.cuda import compiler, dispatcher

    compile_cuda = compiler.compile_cuda

    def compile_rounded(function: Any, *args: Any, nvvm_options: dict[str, Any] | None = None, **kwargs: Any) -> Any:
        if function.__code__.co_filename.startswith(GENERATED):
            nvvm_options = (nvvm_options or {}) | {"fma": False}
            kwargs["lto"] = False
        return compile_cuda(function, *args, nvvm_options=nvvm_options, **kwargs)

    compiler.compile_cuda = dispatcher.compile_cuda = compile_rounded


def _move_large_tables() -> None:
    """Keep constant arrays of more than CONSTANT_BYTES in global memory. numba-cuda puts all into constant memory."""
    from numba.cuda.target import CUDATargetContext

    in_constant_memory = CUDATargetContext.make_constant_array

    def make_constant_array(context: Any, builder: Any, kind: Any, array: np.ndarray) -> Any:
        if array.nbytes <= CONSTANT_BYTES:
            return in_constant_memory(context, builder, kind, array)
        return _array_in_global_memory(context, builder, kind, np.ascontiguousarray(array))

    CUDATargetContext.make_constant_array = make_constant_array


def _array_in_global_memory(context: Any, builder: Any, kind: Any, array: np.ndarray) -> Any:
    from numba.cuda import cgutils, types
    from numba.cuda.cudadrv import nvvm

    content = ir.Constant(ir.ArrayType(ir.IntType(8), array.nbytes), bytearray(array.tobytes()))
    table = cgutils.add_global_variable(builder.module, content.type, "table", addrspace=nvvm.ADDRSPACE_GLOBAL)
    table.linkage, table.global_constant, table.initializer, table.align = "internal", True, content, array.itemsize
    made = context.make_array(kind)(context, builder)
    context.populate_array(
        made,
        data=builder.bitcast(builder.addrspacecast(table, ir.PointerType(ir.IntType(8)), "generic"), made.data.type),
        shape=[context.get_constant(types.intp, n) for n in array.shape],
        strides=[context.get_constant(types.intp, n) for n in array.strides],
        itemsize=made.itemsize,
        parent=made.parent,
        meminfo=None,
    )
    return made._getvalue()
