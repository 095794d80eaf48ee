"""Files of text: bytes decoded, and lines without comments."""

from __future__ import annotations

from ..errors import ZermeloError


def decode(data: bytes) -> str:
    """The text of a file; ZermeloError if it is not UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ZermeloError(f"expected text in UTF-8, which byte {error.start} is not") from None


def lines(text: str, comments: str = "#") -> list[str]:
    """The lines that are neither empty nor begin with one of the characters `comments`."""
    return [line.strip() for line in text.splitlines() if line.strip() and line.strip()[0] not in comments]
