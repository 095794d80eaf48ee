"""The tower of a network of 64 filters on a GPU, as one kernel (`tower.cu`): how boards are divided among its processors, and how its
weights lie in memory."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

import torch

from ...lower.cuda_source import launcher
from ...search.puct.layers import HEAD, layers_of
from ...search.puct.shape import NetworkShape

FILTERS, WARPS = 64, 8  # as in tower.cu
PITCH = 2 * FILTERS + 16
CAPABILITY = (8, 0)  # of the least GPU that multiplies bfloat16
STAGES = (3, 2)  # parts of the weights in shared memory at once: three where they fit, else two


@dataclass(frozen=True)
class Tiling:
    """What one block of threads computes."""

    tiles: int  # of 16 rows, for each warp
    boards: int
    stages: int = STAGES[0]

    @staticmethod
    def best(shape: NetworkShape, count: int, processors: int, room: int) -> Tiling | None:
        """The tiling that finishes `count` boards soonest; None if not even one board of this shape fits into shared memory."""
        cells = shape.height * shape.width
        every = [Tiling(t, 16 * t * WARPS // cells, stages) for stages in STAGES for t in (1, 2, 3, 4)]
        fitting = [x for x in every if x.boards and x.shared <= room and x.has_room_for_stem(shape.channels)]
        # every wave of blocks takes as long as its tiles, and as long as one more to begin and to end
        return min(fitting, key=lambda x: -(-x.blocks(count) // processors) * (x.tiles + 1), default=None)

    @property
    def rows(self) -> int:
        return 16 * self.tiles * WARPS

    @property
    def shared(self) -> int:
        """Bytes of shared memory: eight rows of zeros, two matrices, the ring of weights."""
        return (8 + 2 * self.rows + self.stages * 3 * FILTERS) * PITCH

    def has_room_for_stem(self, channels: int) -> bool:
        """Whether the first layer's weights and inputs fit into the matrices."""
        return channels <= FILTERS and FILTERS * (2 * _stem_width(channels) + 16) <= self.rows * PITCH

    def blocks(self, count: int) -> int:
        return -(-count // self.boards)

    def defines(self, shape: NetworkShape) -> dict[str, int]:
        """What the kernel must know when it is compiled."""
        of_shape = {"HEIGHT": shape.height, "WIDTH": shape.width, "CHANNELS": shape.channels, "BLOCKS": shape.blocks, "HEAD": HEAD}
        return of_shape | {"TILES": self.tiles, "BOARDS": self.boards, "STAGES": self.stages}


def _stem_width(channels: int) -> int:
    """Numbers that a filter of the first layer multiplies, with as many zeros as make sixteens of them."""
    return -(-9 * channels // 16) * 16


def source() -> str:
    """The text of the kernel."""
    folder = files(__package__)
    return "".join((folder / name).read_text() for name in ("tensor_cores.cu", "tower.cu"))


class Tower:
    """The layers of a network but for the last two; its weights stay where they are, so that a graph of it plays on with new ones."""

    def __init__(self, shape: NetworkShape, weights: dict[str, torch.Tensor]):
        self.shape = shape
        self.stem, self.weights, self.biases = packed(shape, weights)

    @staticmethod
    def fits(shape: NetworkShape) -> bool:
        """Whether there is a kernel for networks of this shape on this GPU."""
        if not shape.height or shape.filters != FILTERS or torch.cuda.get_device_capability() < CAPABILITY:
            return False
        return _tiling(shape, 1) is not None

    def update(self, weights: dict[str, torch.Tensor]) -> None:
        """Take over other weights."""
        for mine, theirs in zip((self.stem, self.weights, self.biases), packed(self.shape, weights), strict=True):
            mine.copy_(theirs)

    def __call__(self, inputs: torch.Tensor) -> torch.Tensor:
        """What the last layers are given of inputs [batch, floats]."""
        count, tiling, inputs = len(inputs), _tiling(self.shape, len(inputs)), inputs.float().contiguous()
        assert tiling is not None
        defines = tuple(tiling.defines(self.shape).items())
        launch = launcher(source(), "tower", torch.cuda.get_device_capability(), defines, 32 * WARPS, tiling.shared)
        out = torch.empty(count, self.shape.height * self.shape.width * HEAD, dtype=torch.bfloat16, device="cuda")
        places = [tensor.data_ptr() for tensor in (inputs, self.stem, self.weights, self.biases, out)]
        launch(tiling.blocks(count), torch.cuda.current_stream().cuda_stream, *places, count)
        return out


def _tiling(shape: NetworkShape, count: int) -> Tiling | None:
    """The best one for this GPU."""
    card = torch.cuda.get_device_properties(torch.cuda.current_device())
    return Tiling.best(shape, count, card.multi_processor_count, card.shared_memory_per_block_optin)


def packed(shape: NetworkShape, weights: dict[str, torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The weights of the first layer, those of all others, and the biases, as the kernel reads them."""
    last = len(layers_of(shape)) - 1
    taps = [weights[f"layer{i}.weight"].permute(2, 3, 0, 1).flatten() for i in range(1, last + 1)]  # tap, filter, number
    stem = weights["layer0.weight"].permute(0, 2, 3, 1).flatten(1)
    stem = torch.nn.functional.pad(stem, (0, _stem_width(shape.channels) - stem.shape[1]))
    biases = torch.cat([weights[f"layer{i}.bias"] for i in range(last + 1)])
    return stem.bfloat16().contiguous(), torch.cat(taps).bfloat16(), biases.float()
