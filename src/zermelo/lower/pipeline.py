"""The passes of numba that a generated module needs.

It has no closures, no generator expressions, no arrays that are computed with as a whole, and no branches on types: the passes for
those find nothing, in a sixth of the time that compiling takes.
"""

from __future__ import annotations

from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import PassManager
from numba.core.typed_passes import AnnotateTypes, IRLegalization, NativeLowering, NoPythonBackend, NopythonTypeInference, PreLowerStripPhis
from numba.core.untyped_passes import FixupArgs, GenericRewrites, IRProcessing, ReconstructSSA, TranslateByteCode

UNTYPED = (TranslateByteCode, FixupArgs, IRProcessing, GenericRewrites, ReconstructSSA)
TYPED = (NopythonTypeInference, PreLowerStripPhis, IRLegalization, AnnotateTypes, NativeLowering, NoPythonBackend)


class Pipeline(CompilerBase):  # type: ignore[misc]
    """Compiles one function."""

    def define_pipelines(self) -> list[PassManager]:
        passes = PassManager("generated")
        for one in (*UNTYPED, *TYPED):
            passes.add_pass(one, one.__name__)
        passes.finalize()
        return [passes]
