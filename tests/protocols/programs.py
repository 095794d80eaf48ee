"""Our own command line as a program for others to start."""

from __future__ import annotations

import subprocess
import sys
import threading
from queue import Empty, Queue

COMMAND = [sys.executable, "-m", "zermelo"]


class Program:
    """A command of ours that is talked to in lines."""

    def __init__(self, *command: str):
        self.child = subprocess.Popen([*COMMAND, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.lines: Queue[str | None] = Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self.child.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def say(self, *lines: str) -> None:
        for line in lines:
            self.child.stdin.write(line + "\n")
        self.child.stdin.flush()

    def until(self, start: str, seconds: float = 600) -> list[str]:
        """The lines up to the first that begins so."""
        found = []
        while True:
            try:
                line = self.lines.get(timeout=seconds)
            except Empty:
                raise AssertionError(f"no '{start}', only {found[-5:]}") from None
            assert line is not None, f"it has ended: {found[-5:]}"
            found.append(line)
            if line.startswith(start):
                return found

    def end(self) -> int:
        """Its exit code, once its input has ended."""
        self.child.stdin.close()
        return self.child.wait(600)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.child.kill()
        self.child.wait()
        self.child.stdout.close()
