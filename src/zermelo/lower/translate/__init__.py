"""The text of a generated module as LLVM's intermediate code.

Generated text is a small language: numbers, words, floats, truths and tuples of them, a work record, loops and calls. Its types follow
from those of the arguments, so it needs neither the bytecode nor the analyses by which numba understands any Python program: a search
compiles in less than half the time. The operations are numba's own, so that the code is the same. What is not known here is left to
numba (`Unknown`).

| file | what it does |
| --- | --- |
| `values.py` | the kinds of values, and how LLVM holds them |
| `functions.py` | a function for each function of the text and kinds of arguments |
| `calls.py` | calls, and the operations that numba knows |
| `expressions.py` | the kind of an expression, and its code |
| `statements.py` | what statements tell of the kinds of variables; their code |
| `translate.py` | all of it, from the text to a library |
"""
