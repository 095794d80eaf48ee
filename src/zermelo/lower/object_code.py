"""Object code loaded into this process with llvmlite alone: a warm start needs no numba.

The function called is numba's own native form of `entry(work)`: it takes the addresses of its result, of
an exception (which lowered code never raises) and of the work record, and returns a status. Calls go
through ctypes and so release the interpreter's lock: threads run side by side.
"""

from __future__ import annotations

import ctypes
import re
from functools import cache
from typing import Any

import llvmlite.binding as llvm

from .faults import SYMBOL
from .returns import in_registers

LEAF = 200  # instructions of a function that is put into its callers whole, however many there are
NO_WIDE = ",-avx512f"
APART = "apart."  # how names of functions begin that are never put into their callers: they have features of their own
_INSTRUCTION = re.compile(r"^  [^\s\]].*$", re.MULTILINE)  # in the text of a function; "]" ends the cases of a switch
_CALL = re.compile(r"  (?:%\S+ = |%\".*?\" = )?(?:(?:tail|musttail|notail) )?(?:call|invoke) ")
_CALLED = re.compile(r'@"?([^"(\s]+)"?\(')
_NATIVE = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


@cache
def cpu() -> tuple[str, str]:
    """The processor's name, and the features that native code uses.

    Without AVX-512: LLVM 20 ends the process by an assertion where it makes its instructions of a loop over shifted words.
    """
    features = llvm.get_host_cpu_features().flatten()
    return llvm.get_host_cpu_name(), features + (NO_WIDE if "+avx512f" in features.split(",") else "")


@cache
def wide_features() -> str | None:
    """The features of functions that may use AVX-512 nevertheless, short ones over vectors of integers, where the processor has it."""
    host = cpu()[1].removesuffix(NO_WIDE)
    return host if host != cpu()[1] and {"+avx512bw", "+avx512vl"} <= set(host.split(",")) else None


def deposits_quickly(name: str, features: str) -> bool:
    """Whether PDEP, which puts bits at the places of a mask, is one quick instruction: AMD's first processors with it take a loop."""
    return "+bmi2" in features.split(",") and name not in ("bdver4", "znver1", "znver2")


def _machine(level: int = 3) -> Any:
    """This machine as LLVM sees it, for which it optimises so much."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    arch = llvm.Target.from_triple(llvm.get_process_triple())
    reloc = "static" if arch.name.startswith("x86") else "default"  # loaded code on x86 has fixed addresses
    return arch.create_target_machine(cpu=cpu()[0], features=cpu()[1], opt=level, reloc=reloc, codemodel="jitdefault", jit=True)


@cache
def _engine() -> Any:
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())


def assemble(assembly: str, symbol: str, *, checked: bool = False) -> tuple[bytes, list[str]]:
    """Object code of an LLVM module in which only `symbol` is called, and the names it needs from elsewhere.

    The checked build is asked little, so it is only tidied: LLVM takes a fifth of the time.
    """
    module, machine = llvm.parse_assembly(assembly), _machine(1 if checked else 3)
    if not checked:
        module = _with_small_functions_inside(module, machine, symbol)
    for function in _inner(module, symbol):
        function.linkage = "internal"
    for variable in module.global_variables:
        if variable.name == SYMBOL:  # each module has its own
            variable.name, variable.linkage = symbol + SYMBOL, "external"
    if checked:
        _tidy(module, machine)
    else:
        _optimise(module, machine, vectors=True)
    outside = [f.name for f in module.functions if f.is_declaration and not f.name.startswith("llvm.")]
    outside += [g.name for g in module.global_variables if g.is_declaration]
    return machine.emit_object(module), outside


def _with_small_functions_inside(module: Any, machine: Any, symbol: str) -> Any:
    """The module optimised once, every function for itself, which shows the small ones; those are to move into their callers.

    It is optimised again when everything else is private: what has one caller moves into it, so that lengths of arrays become
    constants there. The first time without vectors of loops, which would hide loops from what follows.
    """
    _optimise(module, machine, vectors=False)
    inner = _inner(module, symbol)
    small = _small_functions([function for function in inner if not function.name.startswith(APART)])
    text, moved = in_registers(module, [function for function in inner if function.name not in small])
    module = llvm.parse_assembly(text)
    for function in _inner(module, symbol):
        if function.name in small | moved:
            function.add_function_attribute("alwaysinline")
    return module


def _inner(module: Any, symbol: str) -> list[Any]:
    """The functions of the module other than the one that is called from outside."""
    return [function for function in module.functions if not function.is_declaration and function.name != symbol]


def _tidy(module: Any, machine: Any) -> None:
    """Keep variables in registers, and drop what is never reached or used."""
    passes = llvm.create_new_module_pass_manager()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    passes.add_instruction_combine_pass()
    passes.add_simplify_cfg_pass()
    passes.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=1)))


def _optimise(module: Any, machine: Any, *, vectors: bool) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = vectors
    options.slp_vectorization = vectors and machine.triple.startswith("x86")  # four words side by side; elsewhere it was not measured
    builder = llvm.create_pass_builder(machine, options)
    if not vectors:
        for function in module.functions:
            if not function.is_declaration:
                builder.getFunctionPassManager().run(function, builder)
    builder.getModulePassManager().run(module, builder)


def _small_functions(functions: list[Any]) -> set[str]:
    """Those that are put into all their callers, where two calls that ask the same become one.

    A function is small if it has few instructions together with all small ones that it calls, and calls no others: so functions
    that call each other, which could be put into each other without end, are left to LLVM.
    """
    own = {f.name: _INSTRUCTION.findall(str(f)) for f in functions}  # to ask LLVM for each took a twelfth of compiling
    calls = {
        name: [c for i in lines if _CALL.match(i) for c in _CALLED.findall(i) if not c.startswith("llvm.")] for name, lines in own.items()
    }
    length = {name: len(lines) for name, lines in own.items()}
    small: dict[str, int] = {}
    before = -1
    while before != len(small):
        before = len(small)
        for name in own:
            if name not in small and all(c in small for c in calls[name]):
                size = length[name] + sum(small[c] for c in calls[name])
                if size <= LEAF:
                    small[name] = size
    return set(small)


def missing(outside: list[str]) -> list[str]:
    """Those of the names that this process does not have: loading code that needs them would end it."""
    for name in outside:
        if not llvm.address_of_symbol(name) and (address := _of_libm(name)):
            llvm.add_symbol(name, address)
    return [name for name in outside if not llvm.address_of_symbol(name)]


def _of_libm(name: str) -> int | None:
    """Where a function of the mathematical library is: Python's math needs it, but does not show it to everybody."""
    for library in (None, "libm.so.6", "libm.dylib"):
        try:
            return ctypes.cast(getattr(ctypes.CDLL(library), name), ctypes.c_void_p).value
        except (OSError, AttributeError):
            continue
    return None


class Loaded:
    """The function `symbol` of this object code: called with the address of a work record."""

    def __init__(self, code: bytes, symbol: str):
        engine = _engine()
        engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        engine.finalize_object()
        self._native = _NATIVE(engine.get_function_address(symbol))
        #: the address of the array in which a checked module leaves what it knows of a fault; 0 if it has none
        self.fault: int = engine.get_global_value_address(symbol + SYMBOL)

    def __call__(self, record: int) -> tuple[int, int]:
        """The status, 0 if all went well, and the value."""
        result, exception = ctypes.c_int64(), ctypes.c_void_p()
        status = self._native(ctypes.byref(result), ctypes.byref(exception), record)
        return status, result.value
