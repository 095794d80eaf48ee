"""Records of many games in one tensor, on the CPU or on a GPU, and the floats through which they speak with a network."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from ..errors import ZermeloError
from ..game import Game
from ..lower import device
from ..lower.native import native
from ..search.puct.shape import record_for
from ..search.records import Record

BLOCK = 128  # threads of a block
MOST_LANES = 32  # a warp

_KINDS = {"u8": torch.int64, "i8": torch.int64, "f8": torch.float64}


class Slots:
    """`count` records of one kind; `run` calls an algorithm on all of them, on a GPU with `lanes` threads for each."""

    def __init__(self, game: Game, record: type[Record], count: int, where: str, lanes: int, given: dict[str, Any], **sizes: int):
        self.game, self.count, self.where, self.lanes = game, count, where, lanes
        self.kind = record_for(game, record, **sizes)
        self.memory = zeros(count, self.kind.itemsize // 8, torch.int64, where)
        for name, value in given.items():
            if name in (self.kind.names or ()):
                self.give(name, value)
        self._ready: dict[Any, Any] = {}

    def field(self, name: str) -> torch.Tensor:
        """A field of all records, in place: [count, ...]."""
        kind, offset = (self.kind.fields or {})[name][:2]
        shape = kind.shape
        strides = [int(np.prod(shape[i + 1 :])) for i in range(len(shape))]
        memory = self.memory.view(_KINDS[kind.base.str[1:]])
        return memory.as_strided((self.count, *shape), (self.memory.shape[1], *strides), offset // 8)

    def give(self, name: str, value: Any) -> None:
        """Set a field of all records to one value."""
        typed = np.array(value, (self.kind.fields or {})[name][0].base)
        self.field(name).copy_(torch.from_numpy(typed.view(np.int64) if typed.dtype == np.uint64 else typed))

    def run(self, function: Callable[[Game, Any], int]) -> None:
        """Call the algorithm on every record."""
        if function not in self._ready:
            self._ready[function] = self._prepare(function)
        call, works = self._ready[function]
        if self.where == "cpu":
            for i in range(self.count):
                call(works[i : i + 1])
            return
        call[-(-self.count * self.lanes // BLOCK), BLOCK, _stream()](works, self.count)

    def _prepare(self, function: Callable[[Game, Any], int]) -> tuple[Any, Any]:
        """The algorithm, compiled, and the memory as records."""
        if self.where == "cpu":
            return native(self.game, function, self.kind), self.memory.numpy().view(self.kind)[:, 0]
        return device.record_kernel(self.game, function, self.kind, self.lanes), self._on_card()

    def _on_card(self) -> Any:
        """The memory as numba sees it."""
        cuda = device.require_gpu()
        words = cuda.as_cuda_array(self.memory.view(-1), sync=False)
        return cuda.cudadrv.devicearray.DeviceNDArray((self.count,), (self.kind.itemsize,), self.kind, gpu_data=words.gpu_data)


def zeros(count: int, n: int, kind: torch.dtype, where: str) -> torch.Tensor:
    """So many rows of n zeros; ZermeloError where a GPU has no room for them."""
    try:
        return torch.zeros(count, n, dtype=kind, device=where)
    except torch.OutOfMemoryError:
        gigabytes = count * n * kind.itemsize / 1e9
        raise ZermeloError(f"the GPU has no room for {gigabytes:.1f} GB of games: expected fewer slots or simulations") from None


def _stream() -> Any:
    """Torch's stream as numba sees it: a kernel takes its turn among torch's own, and is captured with them."""
    cuda, stream = device.cuda(), torch.cuda.current_stream().cuda_stream
    return cuda.external_stream(stream) if stream else cuda.default_stream()
