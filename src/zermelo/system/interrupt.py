"""Ctrl-C before and after a command: the process ends at once, with one line and code 130.

While a command runs, Ctrl-C is a KeyboardInterrupt as ever, and each command decides what that means. Before, while modules are
imported, and after, while Python cleans up, there is nothing to decide or to save, and the exception would come out as a traceback
from wherever it struck. So the package imports this module before all others.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import Any

CODE = 130


def is_command() -> bool:
    """Whether this process is the command `zermelo`, as a script or by `python -m zermelo`, and not a process that imports it."""
    program, words = os.path.basename((sys.argv or [""])[0]), sys.orig_argv
    return program in ("zermelo", "zermelo.exe") or (program == "-m" and words[words.index("-m") + 1 :][:1] == ["zermelo"])


def leave(*_: object) -> None:
    """End this process, interrupted."""
    with suppress(OSError):
        os.write(2, b"zermelo: interrupted\n")
    os._exit(CODE)


def _unraisable(event: Any) -> None:
    """Where Python can raise nothing, in a destructor or a callback, it would print the interrupt and go on."""
    if event.exc_type is KeyboardInterrupt:
        leave()
    sys.__unraisablehook__(event)


def begin_command() -> None:
    """From now on Ctrl-C is an exception."""
    if signal.getsignal(signal.SIGINT) is leave:
        sys.unraisablehook = _unraisable
        signal.signal(signal.SIGINT, signal.default_int_handler)
        _left.append(True)


def end_command(code: int) -> None:
    """From now on Ctrl-C ends the process again, if it did before. A command that was interrupted ends here: its threads may still run."""
    if _left:
        signal.signal(signal.SIGINT, leave)
        if code == CODE:
            finish(code)


def finish(code: int) -> None:
    """End this process, if it is the command: all that it wrote is out, and what its threads do is given up."""
    if _left:
        for stream in (sys.__stdout__, sys.__stderr__):
            with suppress(OSError, AttributeError, ValueError):  # closed, or none
                stream.flush()  # type: ignore[union-attr]
        os._exit(code)


_left: list[bool] = []  # whether a command was begun

with suppress(ValueError):  # only the main thread may
    if is_command() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, leave)
