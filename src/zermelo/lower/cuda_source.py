"""Kernels written in CUDA C, for what a GPU can do and numba has no word for."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

from ..errors import ZermeloError

Defines = tuple[tuple[str, int], ...]  # what a kernel must know when it is compiled


@cache
def launcher(source: str, name: str, capability: tuple[int, int], defines: Defines, threads: int, shared: int) -> Callable[..., None]:
    """`name` of the source, to be called with the number of blocks, a stream, and what the kernel takes: words of 64 bits.

    shared: bytes of shared memory of a block.
    """
    from cuda.bindings import driver

    module = _checked(driver.cuModuleLoadData(compiled(source, capability, defines)))
    function = _checked(driver.cuModuleGetFunction(module, name.encode()))
    most = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    _checked(driver.cuFuncSetAttribute(function, most, shared))

    def launch(blocks: int, stream: int, *given: int) -> None:
        arguments = (given, (ctypes.c_int64,) * len(given))
        _checked(driver.cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, shared, stream, arguments, 0))

    return launch


def compiled(source: str, capability: tuple[int, int], defines: Defines) -> bytes:
    """Machine code for GPUs of this capability; ZermeloError with what the compiler says."""
    from cuda.bindings import nvrtc

    program = _checked(nvrtc.nvrtcCreateProgram(source.encode(), b"kernel.cu", 0, [], []))
    options = [b"--gpu-architecture=sm_%d%d" % capability, b"--std=c++17", *(b"-D%s=%d" % (n.encode(), x) for n, x in defines)]
    (error,) = nvrtc.nvrtcCompileProgram(program, len(options), options)
    if error != nvrtc.nvrtcResult.NVRTC_SUCCESS:
        log = b" " * _checked(nvrtc.nvrtcGetProgramLogSize(program))
        _checked(nvrtc.nvrtcGetProgramLog(program, log))
        said = log.decode(errors="replace").strip("\0 \n")
        raise ZermeloError(f"a kernel could not be compiled for this GPU: {said or error.name}")
    code = b" " * _checked(nvrtc.nvrtcGetCUBINSize(program))
    _checked(nvrtc.nvrtcGetCUBIN(program, code))
    return code


def _checked(told: tuple[Any, ...]) -> Any:
    """What a call gave, without the error, which there must not be."""
    error, *found = told
    if error != 0:
        raise ZermeloError(f"the GPU's driver failed: {error.name}")
    return found[0] if found else None
