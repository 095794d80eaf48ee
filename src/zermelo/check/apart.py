"""A check in a process of its own: rules that never come back, or that end their process, become findings like any other.

The process is spawned, not forked: native code and its threads do not survive a fork. It leads a group of processes, so that
what it starts (the simulator of CUDA) ends with it.
"""

from __future__ import annotations

import json
import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import nullcontext, redirect_stdout, suppress
from dataclasses import asdict
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from .. import registry
from ..errors import ZermeloError
from ..system.processes import end_with_parent
from . import whole
from .native import ADVICE, BY_GAME, BY_STATE, PLAYED
from .questions import IMPORT, NATIVE, Board, Question
from .report import Finding, Report, unchecked

TICK = 0.5  # seconds between two looks at what is being asked
GRACE = 5.0  # seconds for a process that has said all to end by itself
STACK = 64 << 20  # bytes; address space only

#: what ends a process, and what the rules did most likely
SIGNALS = {
    signal.SIGSEGV: "memory outside an array was read or written, or calls went too deep",
    signal.SIGBUS: "memory outside an array was read or written, or calls went too deep",
    signal.SIGFPE: "a division that has no result",
    signal.SIGKILL: "most likely there was no memory left",
}

Progress = Callable[[str], None]


def check_apart(text: str, *, limit: float, quiet: bool = False, on_progress: Progress | None = None, **options: int | bool) -> Report:
    """`check(zermelo.game(text), **options)`, made in another process; ZermeloError if there is no such game.

    limit: seconds after which a rule that gives no answer is given up; compiling may take as long as it takes.
    quiet: what the game's file prints goes to standard error.
    """
    if not 0 < limit < math.inf:
        raise ZermeloError(f"check: expected a limit above 0 seconds, not {limit:g}")
    context = get_context("spawn")
    memory = context.RawArray("B", Board.SIZE)
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(there, memory, text, quiet, options), daemon=True)
    process.start()
    there.close()
    try:
        return _follow(process, here, Board(memory), text, limit, on_progress or (lambda _: None))
    finally:
        _end(process)
        here.close()


def _follow(process: BaseProcess, pipe: Connection, board: Board, text: str, limit: float, tell: Progress) -> Report:
    """Listen until the report is there, or the process has died, or a rule has used up its time."""
    last, found = (0, time.monotonic()), Report(text, (), 0, False)
    while True:
        try:
            if pipe.poll(min(TICK, limit / 4)):
                kind, said = json.loads(pipe.recv_bytes())
                if kind == "error":
                    raise ZermeloError(said)
                if kind == "progress":
                    tell(said)
                else:
                    found = Report(said["game"], tuple(Finding(**f) for f in said["findings"]), said["states"], said["exhaustive"])
                if kind == "end":
                    process.join(GRACE)
                    return found
        except EOFError:
            process.join(GRACE)
            return _with(found, _death(board.read()[1], process.exitcode))
        count, question = board.read()
        now = time.monotonic()
        if question is None or count != last[0]:
            last = (count, now)
        elif now - last[1] >= limit:
            if question.how == IMPORT:
                raise ZermeloError(f"{text} does not import: it gives no answer within {limit:g} s")
            return _with(found, _finding(question, f"gives no answer within {limit:g} s"))


def _with(found: Report, wrong: Finding) -> Report:
    """What was found before, what ended the check, and that nothing else was looked at."""
    findings = [*found.findings, wrong]
    return Report(found.game, (*findings, *unchecked("the check ended before", *findings)), found.states, found.exhaustive)


def _death(question: Question | None, code: int | None) -> Finding:
    """How the process ended that should have gone on."""
    how = f"with exit code {code}"
    if code is not None and code < 0:
        number = signal.Signals(-code)
        how = f"by {number.name}" + (f" ({SIGNALS[number]})" if number in SIGNALS else "")
    if question is None:
        return Finding("the check ends", False, f"its process ended {how} while no rule was asked")
    return _finding(question, f"ends the process {how}")


def _finding(question: Question, what: str) -> Finding:
    """A rule that gave no answer, and what it did instead."""
    how, rule, about = question
    if how == IMPORT:
        raise ZermeloError(f"{about} does not import: it {what}")
    of, state = ("", about) if rule != "read_state" else (f" for {about!r}", "")
    if how == NATIVE:
        return Finding(BY_GAME if rule == PLAYED else BY_STATE, False, f"native code of {rule} {what}{of}{ADVICE}", state)
    return Finding(f"{rule} answers", False, f"{rule} {what}{of}", state)


def _end(process: BaseProcess) -> None:
    """End the process, whatever it is doing, and all that it started."""
    if process.pid is not None:
        with suppress(ProcessLookupError, PermissionError):  # it has ended, or leads no group yet
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.join()


# ---- in the process ----------------------------------------------------------------------------


def _work(pipe: Connection, memory: Any, text: str, quiet: bool, options: dict[str, Any]) -> None:
    """Check the game and say what was found, in a thread with room for deep recursion."""
    os.setsid()  # Ctrl-C goes to the process that waits, which decides
    end_with_parent(lambda: os.killpg(0, signal.SIGKILL))
    board = Board(memory)

    def say(kind: str, said: Any) -> None:
        pipe.send_bytes(json.dumps([kind, said]).encode())

    def job() -> None:
        try:
            with redirect_stdout(sys.stderr) if quiet else nullcontext():
                board.ask("", text, IMPORT)
                game = registry.game(text)
                report = whole.check(
                    game,
                    **options,
                    on_progress=lambda what: say("progress", what),
                    on_report=lambda found: say("report", asdict(found)),
                    teller=board,
                )
            board.rest()
            say("end", asdict(report))
        except Exception as error:
            say("error", str(error) if isinstance(error, ZermeloError) else f"{type(error).__name__}: {error}")

    threading.stack_size(STACK)
    thread = threading.Thread(target=job)
    thread.start()
    thread.join()
