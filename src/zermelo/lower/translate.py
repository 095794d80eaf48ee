"""The text of a generated module as LLVM's intermediate code.

Generated text is a small language: numbers, words, floats, truths and tuples of them, a work record, loops and calls. Its types follow
from those of the arguments, so it needs neither the bytecode nor the analyses by which numba understands any Python program: a search
compiles in less than half the time. The operations are numba's own, so that the code is the same. What is not known here is left to
numba (`Unknown`).

    infer:  the kinds of variables and results, by looking at every function until nothing changes
    emit:   a function of LLVM for each function and kinds of arguments: i32 status (result *, exception *, arguments ...)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.core.registry import cpu_target
from numba.core.target_extension import target_override

from .kinds_of_values import Unknown, Work
from .translate_statements import Emission, Inference
from .translated_module import Module, target


def translate(source: str, entry: str, scope: dict[str, Any], record: np.dtype[Any], symbol: str) -> Any:
    """The code of `entry(work)` under this name, as a library of numba's; Unknown if it is not translated here."""
    module = Module(source, scope, symbol)
    function = module.function(scope[entry], (Work(record),))
    function.name = symbol
    cpu_target.target_context.refresh()  # intrinsics of files that were imported since
    codegen = cpu_target.target_context.codegen()
    library = codegen.create_library(symbol)
    with target_override("cpu"), target().push_code_library(library):
        Inference(module).infer(function)
        if function.result != types.int64:
            raise Unknown("an entry that returns no number")
        module.declare(function)
        while module.waiting:
            Emission(module, module.waiting.pop()).emit()
    module.code.triple, module.code.data_layout = codegen._llvm_module.triple, codegen._data_layout
    library.add_ir_module(module.code)
    library.finalize()
    return library
