"""We are the engine: the protocols in which other programs ask us to play, each a loop over lines.

Whatever comes in, the loop goes on: only the end of the input, or `quit`, ends it.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from typing import BinaryIO

LONGEST = 1 << 20  # bytes of a line; what is longer is cut

#: says a line, from any thread
Say = Callable[[str], None]


def serve(start: Callable[[Say], Callable[[str], bool]]) -> None:
    """Hand each line of standard input to what `start` gives, until it returns False; it says its lines to standard output.

    What anybody else prints goes to standard error.
    """
    threading.stack_size(64 << 20)  # address space only; a search recurses
    out, lock = sys.stdout, threading.Lock()

    def say(line: str) -> None:
        with lock:
            out.write(line + "\n")
            out.flush()

    with redirect_stdout(sys.stderr):
        handle = start(say)
        for line in lines_of(sys.stdin.buffer):
            if not handle(line):
                return
        handle("quit")


def lines_of(stream: BinaryIO) -> Iterator[str]:
    """The lines of a stream, whatever bytes they are."""
    while line := stream.readline(LONGEST):
        yield line.decode("utf-8", "replace").rstrip("\r\n")
