"""Files that are damaged at random, in as many ways as files come to harm: bits, bytes, parts lost, doubled or moved, hostile numbers."""

from __future__ import annotations

import random

HOSTILE = [b"-1", b"1e999", b"NaN", b"null", b"[]", b"9" * 400, b"\x00" * 8, b"\xff" * 8, b"\x00\x00\x00\x80", b'"', b"{", b"\n", b"\xc3"]


def mutated(whole: bytes, seed: int) -> bytes:
    """The file after one to four accidents, which follow from the seed; most of them early, where a header is."""
    draw, data = random.Random(seed), bytearray(whole)
    for _ in range(draw.choice((1, 1, 1, 2, 4))):
        if not data:
            break
        near = min(len(data), 400) if draw.random() < 0.4 else len(data)
        at, size = draw.randrange(near), draw.choice((1, 2, 8, 30, 300))
        kind = draw.randrange(8)
        if kind == 0:
            data[at] ^= 1 << draw.randrange(8)
        elif kind == 1:
            data[at] = draw.randrange(256)
        elif kind == 2:
            del data[at : at + size]
        elif kind == 3:
            data[at:at] = data[draw.randrange(len(data)) :][:size]
        elif kind == 4:
            data[at : at + size] = draw.randbytes(size)
        elif kind == 5:
            data[at : at + draw.choice((0, 1, 4))] = draw.choice(HOSTILE)
        elif kind == 6:
            data[at : at + size] = bytes(len(data[at : at + size]))
        else:
            del data[at + draw.randrange(len(data) - at + 1) :]
    return bytes(data)
