"""Lowering: from rules and algorithms in Python to native code, and to code for a GPU.

| file | what it does |
| --- | --- |
| `source.py` | one function as a tree, refused early if it cannot be lowered |
| `program.py`, `signatures.py`, `advice.py` | every function and constant that an entry point needs; what to write instead |
| `kinds.py`, `infer_expressions.py`, `infer.py` | the difference between words and numbers |
| `definite_assignment.py`, `float_check.py` | variables that have no value yet, floats where whole numbers belong |
| `fold.py`, `pieces.py`, `emit_calls.py`, `emit_expressions.py`, `emit.py`, `generate.py` | the generated module |
| `checked.py`, `checks.py`, `wide.py`, `faults.py` | the same with everything checked; the report of a fault |
| `vocabulary.py`, `arithmetic.py`, `intrinsics.py`, `compile.py`, `translate/` | the module as LLVM's intermediate code |
| `pipeline.py`, `library.py`, `shortcuts.py` | numba, for what is not translated and for the operations: as little of it as is needed |
| `returns.py`, `object_code.py`, `cache.py`, `native.py` | object code kept, loaded and called |
| `gpu.py`, `device.py` | the module as a CUDA kernel |
| `memory.py` | large tables for algorithms |
| `rows.py`, `vectors.py` | rows of 32-bit floats for algorithms, worked on in vectors |
"""
