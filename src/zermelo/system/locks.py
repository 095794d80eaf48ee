"""Files by which processes keep each other out, as far as the system has locks. A process that dies lets go of its own."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import IO

from ..errors import ZermeloError

_held: dict[Path, IO[str]] = {}


def hold(path: Path, sentence: str) -> None:
    """Keep others from this file until `release`; ZermeloError with the sentence if somebody has it, in this process or another."""
    try:
        import fcntl
    except ImportError:  # no such locks here
        return
    while True:
        try:
            lock = open(path, "w")  # noqa: SIM115 - closed by release
        except OSError as error:
            raise ZermeloError(f"{path} cannot be written: {error.strerror}") from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            raise ZermeloError(sentence) from None
        if _is_there(path, lock):
            _held[path.resolve()] = lock
            return
        lock.close()  # whoever had it has just taken it away


def is_held(path: Path) -> bool:
    """Whether this process holds the file."""
    return path.resolve() in _held


def release(path: Path) -> None:
    """Let others have the file, if this process holds it."""
    if (lock := _held.pop(path.resolve(), None)) is not None:
        with suppress(OSError):
            os.unlink(lock.name)
        lock.close()


def _is_there(path: Path, lock: IO[str]) -> bool:
    """Whether this open file is the one at its path."""
    with suppress(OSError):
        return os.path.samestat(os.fstat(lock.fileno()), path.stat())
    return False
