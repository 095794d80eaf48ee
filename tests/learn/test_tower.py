"""The kernel of a whole tower, its threads emulated on a processor, against torch's convolutions; and that it can be compiled for a GPU."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

import zermelo
from zermelo.errors import ZermeloError
from zermelo.learn.zero.network import Folded, Network, folded
from zermelo.learn.zero.tower import Tiling, Tower, packed, source
from zermelo.lower.cuda_source import compiled
from zermelo.search.puct.layers import HEAD
from zermelo.search.puct.shape import NetworkShape, shape_for

HERE = Path(__file__).parent
KERNELS = Path(zermelo.__file__).parent / "learn" / "zero"
H200, A100, ADA = (132, 232_448), (108, 166_912), (128, 101_376)  # processors, and bytes of shared memory of each


def emulated(shape: NetworkShape, tiling: Tiling, weights: Any, inputs: torch.Tensor, folder: Path, is_early: bool) -> torch.Tensor:
    """What the kernel computes."""
    defines = [f"-D{name}={value}" for name, value in tiling.defines(shape).items()]
    made = folder / "tower.so"
    words = ["g++", "-O2", "-std=c++17", "-shared", "-fPIC", "-Wno-unknown-pragmas", f"-I{KERNELS}", *defines, "-o", str(made)]
    subprocess.run([*words, str(HERE / "emulated_gpu.cpp")], check=True)
    count = len(inputs)
    out = torch.full((count, shape.height * shape.width * HEAD), float("nan"), dtype=torch.bfloat16)
    given = [tensor.contiguous() for tensor in (inputs, *packed(shape, weights), out)]
    run = ctypes.CDLL(str(made)).run
    run(tiling.blocks(count), tiling.shared, int(is_early), *(ctypes.c_void_p(tensor.data_ptr()) for tensor in given), count)
    return given[-1].float()


def network_of(shape: NetworkShape) -> Network:
    """One whose layers have learned something: biases, and norms that are not 1."""
    torch.manual_seed(3)
    network = Network(shape)
    for norm in network.norms:
        torch.nn.init.normal_(norm.bias, 0.0, 0.3)
        torch.nn.init.uniform_(norm.running_var, 0.5, 2.0)
    return network


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
@pytest.mark.parametrize("is_early", [False, True], ids=["copies arrive late", "copies arrive early"])
@pytest.mark.parametrize(
    ("height", "width", "channels", "blocks", "tiles", "stages", "count"),
    [(6, 7, 8, 2, 1, 3, 5), (3, 5, 24, 1, 2, 2, 17), (11, 11, 16, 1, 3, 3, 4), (1, 9, 8, 3, 1, 2, 16)],
)
def test_the_kernel_computes_what_torch_does(height, width, channels, blocks, tiles, stages, count, is_early, tmp_path):
    shape = replace(shape_for(zermelo.game("connect4"), blocks, 64), height=height, width=width, inputs=height * width * channels)
    weights = folded(network_of(shape))
    inputs = torch.randint(0, 3, (count, shape.inputs)).float()
    tiling = Tiling(tiles, 16 * tiles * 8 // (height * width), stages)
    rounded = {name: w.bfloat16().float() for name, w in weights.items()}
    rounded |= {name: w for name, w in weights.items() if name.endswith("bias")}
    wanted = Folded(shape, rounded).tower_of(inputs)
    found = emulated(shape, tiling, weights, inputs, tmp_path, is_early)
    assert wanted.abs().mean() > 0.1
    assert float((found - wanted).norm() / wanted.norm()) < 0.006  # each layer's numbers are rounded to 8 bits
    assert float((found - wanted).abs().max()) < 0.05 * float(wanted.max())


def test_the_kernel_has_the_weights_that_the_network_takes_over():
    shape = shape_for(zermelo.game("connect4"), 1, 64)
    network = Folded(shape, folded(Network(shape)))
    network.tower = tower = Tower(shape, network.weights)
    places = [tensor.data_ptr() for tensor in (tower.stem, tower.weights, tower.biases)]
    network.update(folded(network_of(shape)))
    assert places == [tensor.data_ptr() for tensor in (tower.stem, tower.weights, tower.biases)]  # where a graph looks for them
    for mine, wanted in zip((tower.stem, tower.weights, tower.biases), packed(shape, network.weights), strict=True):
        assert torch.equal(mine, wanted)


@pytest.mark.parametrize("tiles", [1, 2, 3, 4])
def test_the_kernel_can_be_compiled(tiles):
    pytest.importorskip("cuda.bindings.nvrtc")
    shape = shape_for(zermelo.game("connect4"), 4, 64)
    for capability in ((8, 0), (9, 0)):
        assert compiled(source(), capability, tuple(Tiling(tiles, 3 * tiles).defines(shape).items()))[:4] == b"\x7fELF"


def test_what_the_compiler_says_is_told():
    pytest.importorskip("cuda.bindings.nvrtc")
    with pytest.raises(ZermeloError, match=r'a kernel could not be compiled for this GPU: .*identifier "nobody" is undefined'):
        compiled("__device__ int x = nobody;", (9, 0), ())


def test_boards_are_divided_among_processors():
    shape = shape_for(zermelo.game("connect4"), 4, 64)
    assert Tiling.best(shape, 8192, *H200) == Tiling(3, 9)  # 911 blocks, seven for each processor
    assert Tiling.best(shape, 64, *H200) == Tiling(1, 3)
    assert Tiling.best(shape, 64, *ADA) == Tiling(1, 3, stages=2)
    for processors, room in (H200, A100, ADA):
        for count in (1, 500, 4096, 8192, 32_768):
            tiling = Tiling.best(shape, count, processors, room)
            assert tiling is not None and tiling.shared <= room and tiling.blocks(count) * tiling.boards >= count
    assert Tiling.best(replace(shape, height=30, width=30, inputs=30 * 30 * 8), 1, *H200) is None
