"""Who meets whom in a tournament, round by round. Contestants are numbers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

Meetings = list[tuple[int, int]]

KINDS = ("roundrobin", "gauntlet", "swiss")


def round_robin(n: int) -> Meetings:
    """Everybody meets everybody once, in the order of a circle: nobody waits long. Who is first differs as evenly as can be."""
    ring: list[int | None] = [*range(n), *([None] if n % 2 else [])]
    meetings: Meetings = []
    for turn in range(len(ring) - 1):
        for k in range(len(ring) // 2):
            a, b = ring[k], ring[-1 - k]
            if a is not None and b is not None:
                meetings.append((b, a) if (turn if k == 0 else k) % 2 else (a, b))
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return meetings


def gauntlet(n: int) -> Meetings:
    """The first meets all others."""
    return [(0, i) for i in range(1, n)]


def swiss(points: Sequence[float], met: Collection[frozenset[int]], byes: Mapping[int, int]) -> tuple[Meetings, int | None]:
    """The meetings of the next round, and who is left over: equals meet, as far as they have not met before.

    The players stand by points, and of equal points by number. From the top each meets the next below that it has not met, so that the rest
    can be paired too; if that cannot be, neighbours meet, whether they have met or not. Where they are odd in number, the lowest
    of those who sat out least often sits out.
    """
    order = sorted(range(len(points)), key=lambda i: (-points[i], i))
    out = None
    if len(order) % 2:
        least = min(byes.get(i, 0) for i in order)
        out = next(i for i in reversed(order) if byes.get(i, 0) == least)
        order.remove(out)
    paired = _pair(order, met, [STEPS])
    return paired if paired is not None else list(zip(order[::2], order[1::2], strict=True)), out


STEPS = 100_000  # of a search for pairings, after which players meet again


def _pair(order: Sequence[int], met: Collection[frozenset[int]], left: list[int]) -> Meetings | None:
    """Pair all without a second meeting; None if that cannot be, or was not found in as many steps as are left."""
    if not order:
        return []
    first = order[0]
    for k in range(1, len(order)):
        left[0] -= 1
        if left[0] < 0:
            return None
        if frozenset((first, order[k])) not in met:
            others = _pair([*order[1:k], *order[k + 1 :]], met, left)
            if others is not None:
                return [(first, order[k]), *others]
    return None
