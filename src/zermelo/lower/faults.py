"""Where native code ended because a rule did what Python would refuse, or what 64 bits cannot hold."""

from __future__ import annotations

import ctypes
import os
import struct
from dataclasses import dataclass

from ..errors import RuleError
from ..layout import Layout
from .signatures import RULES

#: statuses of native code from here on are places in the author's text; numba's own are below
FIRST_SITE = 16

#: the array in which a checked module leaves what is known of a fault: how many operands there are, the type and bits of
#: each, then (from ASKED) the number of the rule and the words of the state that an algorithm asked about last
SYMBOL, ROOM, ASKED = "zermelo_fault", 2048, 8
TYPES = ("int64", "uint64", "float64")


@dataclass(frozen=True)
class Site:
    """A place in the author's text where something may go wrong, and what it would be."""

    file: str
    line: int
    where: str  # Class.method or function
    text: str  # the expression
    fault: str  # Python's error, or what native code assumes


def error_of(layout: Layout, sites: list[Site], status: int, fault: int | None) -> RuleError:
    """The error that this status of native code means; `fault` is the address of the module's array, if it has one."""
    if not FIRST_SITE <= status < FIRST_SITE + len(sites):
        return RuleError(f"native code ended with status {status}")
    site = sites[status - FIRST_SITE]
    message = f"{os.path.basename(site.file)}:{site.line}: {site.where}: `{site.text}`: {site.fault}"
    if fault is None:
        return RuleError(message)
    words = list((ctypes.c_uint64 * ROOM).from_address(fault))
    operands = [_value(TYPES[words[1 + 2 * k]], words[2 + 2 * k]) for k in range(words[0])]
    if operands:
        message += f" (with {' and '.join(operands)})"
    return RuleError(f"{message}, {_asked(layout, words[ASKED], words[ASKED + 1 :])}" if words[ASKED] else message)


def _value(kind: str, bits: int) -> str:
    if kind == "float64":
        return repr(struct.unpack("<d", struct.pack("<Q", bits))[0])
    return str(bits - (1 << 64) if kind == "int64" and bits >> 63 else bits)


def _asked(layout: Layout, rule: int, words: list[int]) -> str:
    state = layout.unpack(words[: layout.words]) if layout.words <= len(words) else "(too large to show)"
    return f"asked for {list(RULES)[rule - 1]} in {state}"
