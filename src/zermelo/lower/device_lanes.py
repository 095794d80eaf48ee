"""The functions of `lanes.py` on a GPU: lanes are neighbours in a warp, which exchange numbers without memory."""

from __future__ import annotations

from typing import Any


def lane_functions(cuda: Any, lanes: int) -> dict[str, Any]:
    """The functions by their names, for so many lanes: 1, 2, 4, 8, 16 or 32."""
    device = cuda.jit(device=True)

    @device
    def lane():  # type: ignore[no-untyped-def]
        return cuda.laneid % lanes

    @device
    def lanes_():  # type: ignore[no-untyped-def]
        return lanes

    @device
    def mask():  # type: ignore[no-untyped-def]
        return ((1 << lanes) - 1) << (cuda.laneid // lanes * lanes)

    @device
    def sync():  # type: ignore[no-untyped-def]
        cuda.syncwarp(mask())
        return 0

    @device
    def sum_of_lanes(x):  # type: ignore[no-untyped-def]
        step = lanes // 2
        while step > 0:
            x += cuda.shfl_xor_sync(mask(), x, step)
            step //= 2
        return x

    @device
    def largest_of_lanes(x):  # type: ignore[no-untyped-def]
        step = lanes // 2
        while step > 0:
            x = max(x, cuda.shfl_xor_sync(mask(), x, step))
            step //= 2
        return x

    @device
    def best_of_lanes(x, i):  # type: ignore[no-untyped-def]
        step = lanes // 2
        while step > 0:
            y, j = cuda.shfl_xor_sync(mask(), x, step), cuda.shfl_xor_sync(mask(), i, step)
            if y > x or (y == x and j < i):
                x, i = y, j
            step //= 2
        return i

    @device
    def any_beside(is_so):  # type: ignore[no-untyped-def]
        return cuda.any_sync(0xFFFFFFFF, is_so)

    return {
        "lane": lane,
        "any_beside": any_beside,
        "lanes": lanes_,
        "sync": sync,
        "sum_of_lanes": sum_of_lanes,
        "largest_of_lanes": largest_of_lanes,
        "best_of_lanes": best_of_lanes,
    }
