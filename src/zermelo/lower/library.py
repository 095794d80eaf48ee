"""Numba's code of an entry point as one LLVM module, neither optimised nor turned into machine code.

Numba optimises every function together with all that it calls, and makes machine code of each; of all this only the entry
point's is used. Here the functions are linked once, as they were lowered, and `object_code.py` optimises the whole:
an alpha-beta search of chess compiles in half the time, to code of the same speed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.registry import cpu_target


class Library(JITCodeLibrary):  # type: ignore[misc]
    """One function as it was lowered."""

    _shared_module: Any

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """No address: such a function is called by lowered code alone."""
        self._ensure_finalized()
        return 0

    def _get_module_for_linking(self) -> Any:
        """The function with all that it calls, for a program that uses numba itself and calls the same helper."""
        self._ensure_finalized()
        if self._shared_module is None:
            module: Any = linked(self)
            for function in module.functions:
                if not function.is_declaration and function.linkage.name == "external":
                    function.linkage = "linkonce_odr"
            self._shared_module = module
        return self._shared_module


def linked(library: Library) -> Any:
    """The module of this function and of all that it calls."""
    module, seen, called = library._final_module.clone(), {library}, list(library._linking_libraries)
    while called:
        one = called.pop()
        if one in seen:
            continue
        seen.add(one)
        called += one._linking_libraries
        part = one._final_module if isinstance(one, Library) else one._get_module_for_linking()
        module.link_in(part, preserve=True)
    return module


@contextmanager
def used_by_numba() -> Iterator[None]:
    """Let numba compile into a Library; for a thread that holds numba's lock."""
    codegen = cpu_target.target_context.codegen()
    kind, before = type(codegen), type(codegen)._library_class
    kind._library_class = Library
    codegen.set_env = lambda *_: None  # the environment of a function serves its wrapper for Python, which it does not have
    try:
        yield
    finally:
        kind._library_class = before
        del codegen.set_env
