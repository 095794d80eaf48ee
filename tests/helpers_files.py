"""Files as somebody with bad intentions writes them: changed, and with the right checksum all the same."""

from __future__ import annotations

import json

from zermelo.system.tensors import CHECKSUM, UNSEALED, sealed


def resealed(data: bytes) -> bytes:
    """A file of tensors that was changed, with a new checksum; what is none as it is."""
    try:
        old = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])["__metadata__"][CHECKSUM]
        return sealed(data.replace(old.encode(), UNSEALED[CHECKSUM].encode(), 1))
    except (ValueError, KeyError, TypeError, AttributeError):
        return data
