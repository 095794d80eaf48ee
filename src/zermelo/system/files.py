"""Files that are written whole or not at all, whatever happens meanwhile."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from ..errors import ZermeloError


def write_text(path: Path, text: str) -> None:
    """Put a text into a file, whole or not at all."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, content: bytes) -> None:
    """Put bytes into a file, whole or not at all."""
    try:
        handle, draft = tempfile.mkstemp(prefix=f".{path.name}", dir=path.parent)
    except OSError as error:
        raise ZermeloError(f"{path} cannot be written: {error.strerror}") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(draft, 0o644)
        os.replace(draft, path)
    except BaseException as error:
        os.unlink(draft)
        if isinstance(error, OSError):
            raise ZermeloError(f"{path} cannot be written: {error.strerror}") from None
        raise
