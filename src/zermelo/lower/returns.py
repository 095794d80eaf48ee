"""Results handed over in registers.

A function of numba writes its result to an address that its caller gives it and returns a status; the caller reads the result back
from memory. Where a function writes one number and its status is always 0, it gets a twin that returns the number:

    status = f(address, exception, ...)      becomes      *address = f.value(...); status = 0

A recursive search then passes two arguments fewer, and its values do not go through memory.
"""

from __future__ import annotations

import re
from typing import Any

_WELL = "  ret i32 0"
_RESULT = re.compile(r"^  store (i1|i8|i32|i64|float|double) \S+, ptr (\S+?),")

#: `f.call` takes the place of f where it is called and is put into its callers; `f.value` is where f itself is put
_TWINS = """
define internal {result} @"{name}.value"({parameters}) {{
  %result = alloca {result}
  %exception = alloca ptr
  %status = call i32 @"{name}"(ptr %result, ptr %exception{arguments})
  %value = load {result}, ptr %result
  ret {result} %value
}}

define internal i32 @"{name}.call"(ptr %result, ptr %exception{arguments}) alwaysinline {{
  %value = call {result} @"{name}.value"({parameters})
  store {result} %value, ptr %result
  ret i32 0
}}
"""


def in_registers(module: Any, functions: list[Any]) -> tuple[str, set[str]]:
    """The text of this module, in which those of the functions that can return their results have twins; and the names of those.

    Each of them is called by its twin alone, and must be put into it.
    """
    results = {f.name: result for f in functions if (result := _result(f)) is not None}
    if not results:
        return str(module), set()
    called = re.compile('@"?(' + "|".join(map(re.escape, results)) + r')"?\(')
    lines = str(module).split("\n")
    text = [line if line.startswith("define ") else called.sub(r'@"\1.call"(', line) for line in lines]
    return "\n".join(text) + "".join(_twins(f, results[f.name]) for f in functions if f.name in results), set(results)


def _result(function: Any) -> str | None:
    """The type of the number that a function writes as its result, if it writes nothing else there and always ends well."""
    parameters = list(function.arguments)
    if len(parameters) < 2 or str(parameters[0].type) != "ptr":
        return None
    body, place = [line for line in str(function).split("\n") if line.startswith("  ")], f"%{parameters[0].name}"
    if any(line.startswith("  ret ") and line != _WELL for line in body):
        return None
    kinds = set()
    for line in body:
        if re.search(re.escape(place) + r"(?![\w.])", line):
            written = _RESULT.match(line)
            if written is None or written[2] != place:
                return None
            kinds.add(written[1])
    return kinds.pop() if len(kinds) == 1 else None


def _twins(function: Any, result: str) -> str:
    parameters = [f"{a.type} %a{i}" for i, a in enumerate(list(function.arguments)[2:])]
    arguments = "".join(", " + p for p in parameters)
    return _TWINS.format(name=function.name, result=result, parameters=", ".join(parameters), arguments=arguments)
