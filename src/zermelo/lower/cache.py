"""The cache of native code: folders named by a hash of everything their content depends on.

An edit of the rules, another parameter, another version of a compiler or another processor gives another
name, so old code is never met. A folder is written under a temporary name and renamed: it is there
whole or not at all, even if another process writes the same at the same time, or one is killed.

A checksum finds what is damaged or was put under another name. It keeps nobody out: what lies in the cache is executed. A folder that is
made here is therefore open to its user alone, and so is each entry.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..system import folders

_HALF_WRITTEN = ".writing-"
LONGEST_WAIT = 60.0  # seconds for another process that makes the same: it may have been suspended


def root() -> Path:
    """The folder of the cache: ZERMELO_CACHE, or zermelo in the user's cache folder."""
    return folders.cache()


@dataclass(frozen=True)
class Entry:
    """One piece of code in the cache: the object file, and what is written about it."""

    key: str
    code: bytes
    about: dict[str, Any]


def load(key: str) -> Entry | None:
    """The entry of this key; None if it is not there, or damaged."""
    folder = root() / key
    try:
        about = json.loads((folder / "about.json").read_text())
        code = (folder / "code.o").read_bytes()
    except (OSError, ValueError, RecursionError):
        return None
    entry = Entry(key, code, about)
    whole = isinstance(about, dict) and isinstance(about.get("symbol"), str) and isinstance(about.get("outside"), list)
    if not whole or about.get("sha256") != _checksum(entry):
        return None
    return entry


def _checksum(entry: Entry) -> str:
    """Of all that is loaded, and of the name under which it is: code of another name has other arguments."""
    facts = json.dumps([entry.key, entry.about["symbol"], entry.about["outside"]]).encode()
    return hashlib.sha256(facts + entry.code).hexdigest()


@contextlib.contextmanager
def alone(key: str) -> Iterator[None]:
    """Wait until no other process makes the code of this key, a minute at most, and keep others from it meanwhile.

    Without locks, or without a cache that can be written, every process makes it.
    """
    try:
        import fcntl

        root().mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = open(root() / f"{_HALF_WRITTEN}{key}", "w")  # noqa: SIM115 - closed below
    except (ImportError, OSError):
        yield
        return
    with lock:
        patience = time.monotonic() + LONGEST_WAIT
        while time.monotonic() < patience:
            with contextlib.suppress(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            time.sleep(0.02)
        try:
            yield
        finally:
            Path(lock.name).unlink(missing_ok=True)


def save(entry: Entry, source: str) -> None:
    """Keep the entry, with the generated source beside it for people; where nothing can be written, don't."""
    about = entry.about | {"sha256": _checksum(entry)}
    folder = root() / entry.key
    with contextlib.suppress(OSError):
        root().mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=_HALF_WRITTEN, dir=root()))
        try:
            (draft / "code.o").write_bytes(entry.code)
            (draft / "source.py").write_text(source)
            (draft / "about.json").write_text(json.dumps(about, indent=1))
            if folder.exists():  # damaged, or another process was quicker: the content is the same by its name
                shutil.rmtree(folder, ignore_errors=True)
            os.rename(draft, folder)
        finally:
            shutil.rmtree(draft, ignore_errors=True)


def entries() -> Iterator[tuple[str, dict[str, Any], int]]:
    """Every entry: its key, what is written about it, its size in bytes."""
    for folder in sorted(root().iterdir()) if root().is_dir() else []:
        with contextlib.suppress(OSError, ValueError, RecursionError):
            about = json.loads((folder / "about.json").read_text())
            if isinstance(about, dict):
                yield folder.name, about, sum(f.stat().st_size for f in folder.iterdir())


def clear() -> int:
    """Remove every entry, and what killed processes left half-written; how many entries there were."""
    folders = [f for f in root().iterdir() if _is_ours(f)] if root().is_dir() else []
    for folder in folders:
        if folder.is_dir():
            shutil.rmtree(folder, ignore_errors=True)
        else:
            folder.unlink(missing_ok=True)
    return sum(not f.name.startswith(_HALF_WRITTEN) for f in folders)


def _is_ours(folder: Path) -> bool:
    """Only what this module wrote is removed, whatever folder ZERMELO_CACHE names."""
    return folder.name.startswith(_HALF_WRITTEN) or (folder / "about.json").exists()
