"""We are the engine: the protocols in which other programs ask us to play, each a loop over lines.

No input breaks the loop: only the end of the input, or `quit`, ends it.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from queue import Queue
from typing import Protocol

from ..system import interrupt

MAX_LINE_BYTES = 1 << 20  # bytes of a line; what is longer is cut
MAX_WAITING_LINES = 10_000  # lines that may wait for their turn
GRACE = 1.0  # seconds that `quit` waits for what is still being compiled

#: writes a line, from any thread
Say = Callable[[str], None]


class Server(Protocol):
    """What answers lines."""

    def handle(self, line: str) -> bool:
        """Answer a line; False if it is the last one."""

    def end(self) -> None:
        """There are no more lines: whatever is still to be answered is answered now."""


def serve(start: Callable[[Say], Server], quits: Callable[[str], bool] = lambda line: False) -> None:
    """Hand each line of standard input to what `start` gives, until it returns False; its answers go to standard output.

    All that was asked is answered. A line that `quits` ends what is still being started if nothing was asked before. All other output
    goes to standard error.
    """
    out, lock = sys.stdout, threading.Lock()
    lines, over = Queue[str | None](MAX_WAITING_LINES), threading.Event()

    def say(line: str) -> None:
        with lock:
            out.write(line + "\n")
            out.flush()

    def listen() -> None:
        is_owed = False
        for line in lines_of(sys.stdin.fileno()) if sys.stdin is not None else ():
            lines.put(line)
            if quits(line):
                break
            is_owed = is_owed or bool(line.strip())
        lines.put(None)
        if not is_owed and not over.wait(GRACE):
            interrupt.finish(0)

    threading.Thread(target=listen, daemon=True).start()
    with redirect_stdout(sys.stderr):
        server = start(say)
        while (line := lines.get()) is not None and server.handle(line):
            pass
        if line is None:
            server.end()
    over.set()
    interrupt.finish(0)  # native code that is being compiled cannot be stopped, only the process can


def lines_of(file: int) -> Iterator[str]:
    """The lines of an open file, whatever bytes they are."""
    rest = b""
    while chunk := os.read(file, 1 << 16):
        *lines, rest = (rest + chunk).split(b"\n")
        if len(rest) >= MAX_LINE_BYTES:
            lines, rest = [*lines, rest], b""
        yield from map(_text, lines)
    if rest:
        yield _text(rest)


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").rstrip("\r\n")
