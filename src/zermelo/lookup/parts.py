"""The endings of a table that are finished before the whole table is: files from which building goes on after it was ended."""

from __future__ import annotations

import hashlib
import shutil
import struct
import zlib
from pathlib import Path

import numpy as np

from ..errors import ZermeloError
from ..search.endgames.table import Range, Values
from ..system.files import write_bytes

HEAD = struct.Struct("<32s32sqqd")  # SHA-256 of what follows, rules, first number, the number after the last, what a win is worth


class Parts:
    """A folder beside the file of a table, with a file for each ending that is finished."""

    def __init__(self, path: Path, rules: str):
        self.folder, self._rules = path.with_name(f"{path.name}.parts"), rules.encode()

    def load(self, ending: Range) -> tuple[Values, float] | None:
        """The values of an ending and what a win is worth, if they were kept for these rules."""
        name, first, last = ending
        try:
            content = (self.folder / name).read_bytes()
        except OSError:
            return None
        if len(content) < HEAD.size or hashlib.sha256(content[32:]).digest() != content[:32]:
            return None
        _, rules, *numbers, win = HEAD.unpack_from(content)
        if rules != self._rules or numbers != [first, last]:
            return None
        return np.frombuffer(zlib.decompress(content[HEAD.size :]), np.uint16), win

    def keep(self, ending: Range, values: Values, win: float) -> None:
        """Keep the values of an ending."""
        name, first, last = ending
        try:
            self.folder.mkdir(exist_ok=True)
        except OSError as error:
            raise ZermeloError(f"{self.folder} cannot be written: {error.strerror}") from None
        rest = HEAD.pack(b"", self._rules, first, last, win)[32:] + zlib.compress(values.tobytes(), 1)
        write_bytes(self.folder / name, hashlib.sha256(rest).digest() + rest)

    def remove(self) -> None:
        """Give up what was kept: the table is there."""
        shutil.rmtree(self.folder, ignore_errors=True)
