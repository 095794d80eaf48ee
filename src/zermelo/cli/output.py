"""What a command needs of the terminal and of its process: lines, sentences, Ctrl-C, a reader that has gone."""

from __future__ import annotations

import errno
import json
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext, redirect_stdout, suppress
from pathlib import Path
from typing import Any, TextIO, TypeVar

import typer

from ..errors import ZermeloError
from ..system import threads
from ..system.interrupt import CODE
from ..system.limits import brief

T = TypeVar("T")


def aside(as_json: bool) -> AbstractContextManager[Any]:
    """Keep what a game's file prints off standard output if only JSON is expected there."""
    return redirect_stdout(sys.stderr) if as_json else nullcontext()


def is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody looks at what is written there; a process may also have been given no stream at all."""
    return stream is not None and stream.isatty()


def progress(text: str) -> None:
    """What is being done, on a line of the terminal that the next one overwrites."""
    if is_terminal(sys.stderr):
        print(f"\r\x1b[K{text[:100]}", end="", file=sys.stderr, flush=True)


def complain(sentence: str) -> None:
    """One sentence on standard error."""
    progress("")
    if sys.stderr is not None:
        print(f"zermelo: {one_line(brief(sentence))}", file=sys.stderr)


def one_line(text: str) -> str:
    return " ".join(line.strip() for line in text.splitlines() if line.strip())


def say(text: str = "") -> None:
    print(text)


def styled(text: str, **style: Any) -> str:
    return typer.style(text, **style) if is_terminal(sys.stdout) else text


def say_json(values: dict[str, Any]) -> None:
    say(json.dumps(values, default=str, ensure_ascii=False))


def say_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Rows in columns: on a terminal drawn to its width, else plain text, a row a line."""
    if is_terminal(sys.stdout):
        from rich import box
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        table = Table(*heads, box=box.SIMPLE_HEAD, pad_edge=False)
        for row in rows:
            table.add_row(*map(Text, row))
        Console().print(table)
        return
    lines = [list(heads), *map(list, rows)]
    wide = [max(len(line[i]) for line in lines) for i in range(len(heads))]
    for line in lines:
        say("  ".join(cell.ljust(w) for cell, w in zip(line, wide, strict=True)).rstrip())


def interruptible(work: Callable[[], T]) -> T:
    """What `work` returns; Ctrl-C ends the process meanwhile."""
    return threads.run(work, _leave)


def _leave(_: object) -> None:
    complain("interrupted")
    with suppress(OSError):
        sys.stdout.flush()
    os._exit(CODE)


def ending(run: Callable[[], int]) -> int:
    """Run a whole command and return its exit code, 2 with a sentence if it fails; all it wrote is out or given up."""
    with suppress(AttributeError):  # if an encoding lacks a letter, its number is better than an error
        sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    code = run()
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        code = refuse(error)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains again as it ends
    return code


def refuse(error: Exception) -> int:
    """Say in one sentence what is wrong; the exit code."""
    if isinstance(error, OSError) and error.errno == errno.EPIPE:
        return 141  # nobody reads on (zermelo games | head -1): end as other programs do, in silence
    if sys.flags.dev_mode:
        traceback.print_exception(error)
    if isinstance(error, ZermeloError):
        complain(str(error))
    elif isinstance(error, OSError) and error.strerror:
        complain(f"{error.strerror}: {error.filename}" if error.filename else error.strerror)
    else:
        complain(_unforeseen(error))
    return 2


def _unforeseen(error: Exception) -> str:
    """An error that nobody expected, most often one of a user's rules, and where it is: in their file, if there."""
    at = list(traceback.walk_tb(error.__traceback__))
    rules = [(frame, line) for frame, line in at if str(frame.f_globals.get("__name__")).startswith("zermelo_file_")]
    frame, line = (rules or at)[-1]
    return f"{Path(frame.f_code.co_filename).name}:{line}: {frame.f_code.co_qualname}: {type(error).__name__}: {error}"
