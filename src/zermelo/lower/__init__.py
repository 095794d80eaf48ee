"""Lowering: from rules and algorithms in Python to native code, and to code for a GPU.

source.py      one function as a tree, refused early if it can't be lowered
program.py     every function and constant that an entry point needs
nodes.py, infer.py   words and numbers told apart
emit.py, generate.py the generated module
intrinsics.py, compile.py  the module compiled by numba
objects.py, cache.py, entry.py  object code kept, loaded and called
device.py      the module as a CUDA kernel
"""

from .entry import native

__all__ = ["native"]
