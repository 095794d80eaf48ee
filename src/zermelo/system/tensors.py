"""Files of tensors in the format safetensors, each with a checksum of all its bytes in its header.

The checksum is computed of the file with zeros in its place. A file without one, written before there were any, is read as it is.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from pathlib import Path
from typing import IO, Any

from ..errors import ZermeloError
from .files import write_bytes
from .limits import MAX_COUNT

CHECKSUM = "sha256"
#: what is told in the header of a file that is to be sealed
UNSEALED = {CHECKSUM: "0" * hashlib.sha256().digest_size * 2}
MOST_HEADER = 100_000_000  # bytes, as the format says
LOST = re.compile(CHECKSUM.encode() + rb"|[0-9a-f]{40}")  # in a header that tells no checksum: it did once
PART = 1 << 20  # bytes that are read at once


def write_tensors(path: Path, tensors: dict[str, Any], told: dict[str, str]) -> None:
    """Write arrays and what is told of them, whole or not at all."""
    from safetensors.numpy import save

    write_bytes(path, sealed(save(tensors, told | UNSEALED)))


def sealed(data: bytes) -> bytes:
    """These bytes of a file, whose header tells `UNSEALED`, with their checksum."""
    return data.replace(UNSEALED[CHECKSUM].encode(), hashlib.sha256(data).hexdigest().encode(), 1)


def progress_in(told: dict[str, str]) -> tuple[int, float]:
    """The games and the seconds of training that a header tells; ValueError if that cannot be."""
    games, seconds = int(told["games"]), float(told["seconds"])
    if not (0 <= games <= MAX_COUNT and 0 <= seconds < math.inf):
        raise ValueError("progress")
    return games, seconds


def check_seal(path: Path) -> None:
    """ZermeloError if a file has another checksum than it tells. Whether it can be read at all is for its reader to find out."""
    with path.open("rb") as file:
        size = file.read(8)
        header = file.read(int.from_bytes(size, "little")) if int.from_bytes(size, "little") <= MOST_HEADER else b""
        told = _checksum_in(header)
        if told is None and not LOST.search(header):
            return
        if told is None or told != _checksum_of(file, size + header.replace(told.encode(), UNSEALED[CHECKSUM].encode(), 1)):
            raise ZermeloError(f"{path} is damaged: it has another checksum")


def _checksum_in(header: bytes) -> str | None:
    """The checksum that a header tells; None if it tells none."""
    try:
        told = json.loads(header)["__metadata__"][CHECKSUM]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return told if isinstance(told, str) else None


def _checksum_of(file: IO[bytes], begin: bytes) -> str:
    """Of these bytes and all that is left to read of a file."""
    found = hashlib.sha256(begin)
    while part := file.read(PART):
        found.update(part)
    return found.hexdigest()
