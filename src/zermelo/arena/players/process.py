"""A program as a child process that is talked to in lines, and what may be wrong with it.

Nothing that it does can hurt: it is started without a shell and killed with all that it started; its output is read by a thread
that keeps a few megabytes at most; every wait for a line has a limit. Each failure is a Fault of its own kind.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections import deque
from contextlib import suppress
from typing import IO

from ...errors import ZermeloError
from .player import Fault

FLOOD = 4 << 20  # bytes that an engine may answer to one command
WORDY = 2000  # lines without sense, to one command, that are taken for slips
TAIL = 300  # characters of its last words
FOLDERS = ("/usr/games", "/usr/local/games")  # where programs are that a path may not name
PATIENCE = 60.0  # seconds for the start, and for what should take no time
GRACE = 5.0  # seconds after its time is up, until an engine is taken to be lost
UNTIMED = 600.0  # seconds for a move without a clock


class Engine:
    """A child process. `start` may be called again after `close`, and after a Fault.

    `terminal`: let it write to what it takes for a terminal; some programs keep their lines back otherwise.
    """

    def __init__(self, command: str, terminal: bool = False):
        try:
            self.command = shlex.split(command)
        except ValueError as error:
            raise ZermeloError(f"'{command}' is not a command: {error}") from None
        if not self.command:
            raise ZermeloError("expected a command that starts an engine")
        self.name, self._terminal = os.path.basename(self.command[0]), terminal
        self._process: subprocess.Popen[bytes] | None = None
        self._news = threading.Condition()

    @property
    def is_running(self) -> bool:
        """Whether there is a process, and nothing is known against it."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start the program; Fault if that cannot be."""
        self.close()
        folders = os.pathsep.join([os.environ.get("PATH", ""), *FOLDERS])
        program = shutil.which(self.command[0], path=folders)
        if program is None:
            raise Fault("start", f"{self.name} does not start: there is no program '{self.command[0]}'")
        ours, theirs = os.openpty() if self._terminal else os.pipe()
        try:
            self._process = subprocess.Popen(
                [program, *self.command[1:]],
                stdin=subprocess.PIPE,
                stdout=theirs,
                stderr=subprocess.PIPE,
                env=os.environ | {"PATH": folders},  # a program may be a script that starts another
                start_new_session=True,  # so that what it starts can be killed with it, and Ctrl-C is not its business
            )
        except OSError as error:
            os.close(ours)
            raise Fault("start", f"{self.name} does not start: {error.strerror or error}") from None
        finally:
            os.close(theirs)
        self._lines: deque[str] = deque()
        self._said, self._ended, self._last = 0, False, ""
        assert self._process.stderr is not None
        pairs = ((self._listen, os.fdopen(ours, "rb")), (self._note, self._process.stderr))
        self._threads = [threading.Thread(target=read, args=(stream, self._process), daemon=True) for read, stream in pairs]
        for thread in self._threads:
            thread.start()

    def send(self, line: str) -> None:
        """Send a line. What comes from now on is the answer, whose length is limited again."""
        if self._process is None:
            raise Fault("death", f"{self.name} is not running")
        with self._news:
            self._said = 0
        try:
            assert self._process.stdin is not None
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise self._dead() from None

    def line(self, until: float) -> str:
        """Its next line of output, waited for until then (`time.monotonic`)."""
        with self._news:
            while not self._lines:
                if self._said > FLOOD:
                    self._kill()
                    raise Fault("flood", f"{self.name} says more than {FLOOD >> 20} MiB at once")
                if self._ended:
                    break
                left = until - time.monotonic()
                if left <= 0:
                    self._kill()
                    raise Fault("hang", f"{self.name} does not answer")
                self._news.wait(min(left, 60))
            else:
                return self._lines.popleft()
        raise self._dead()

    def drop(self) -> None:
        """Discard its output up to now."""
        with self._news:
            self._lines.clear()

    def garbage(self, sentence: str) -> Fault:
        """The fault of an engine whose output makes no sense; it is killed."""
        self._kill()
        return Fault("garbage", f"{self.name} {sentence}")

    def close(self) -> None:
        """End the program, with all that it started."""
        self._kill()

    # ---- the process ---------------------------------------------------------------------------

    def _dead(self) -> Fault:
        assert self._process is not None
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        self._threads[1].join(1)  # for its last words
        code, words = self._process.poll(), self._last.strip().splitlines()
        self._kill()
        how = "closed its output" if code is None else f"ended by signal {-code}" if code < 0 else f"ended with code {code}"
        return Fault("death", f"{self.name} {how}" + (f": {words[-1][:TAIL]}" if words else ""))

    def _kill(self) -> None:
        """Kill the process and its group, and wait for it: nothing is left behind."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(OSError):  # gone already, or a system without groups
            os.killpg(process.pid, signal.SIGKILL)
        with suppress(OSError):
            process.kill()
        process.wait()
        with suppress(OSError):  # there may be words that it never took
            assert process.stdin is not None
            process.stdin.close()

    # ---- threads -------------------------------------------------------------------------------

    def _listen(self, stream: IO[bytes], process: subprocess.Popen[bytes]) -> None:
        """Read its output line by line; after a flood, discard it."""
        rest = b""
        while chunk := _read(stream):
            with self._news:
                if process is not self._process:
                    break  # killed: another may run by now
                self._said += len(chunk)
                if self._said > FLOOD:
                    rest = b""
                    self._lines.clear()
                else:
                    *lines, rest = (rest + chunk).split(b"\n")
                    self._lines.extend(x.decode("utf-8", "replace").rstrip("\r") for x in lines)
                self._news.notify_all()
        stream.close()
        with self._news:
            if process is self._process:
                if rest:
                    self._lines.append(rest.decode("utf-8", "replace"))
                self._ended = True
                self._news.notify_all()

    def _note(self, stream: IO[bytes], process: subprocess.Popen[bytes]) -> None:
        """Keep the end of its standard error."""
        while chunk := _read(stream):
            if process is self._process:
                self._last = (self._last + chunk.decode("utf-8", "replace"))[-TAIL * 4 :]
        stream.close()


def _read(stream: IO[bytes]) -> bytes:
    """What there is to read, at least a byte; nothing at the end."""
    try:
        return os.read(stream.fileno(), 1 << 16)
    except (OSError, ValueError):
        return b""
