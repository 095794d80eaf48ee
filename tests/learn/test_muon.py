"""Muon: its matrices are orthogonal, its steps are those of the formulas, and a run goes on with what it knew."""

from __future__ import annotations

import math

import pytest

torch = pytest.importorskip("torch")

from zermelo.learn.zero.descent import Descent  # noqa: E402
from zermelo.learn.zero.muon import MOMENTUM, SIZE, Muon, orthogonal  # noqa: E402
from zermelo.learn.zero.network import Network  # noqa: E402
from zermelo.search.puct.shape import shape_for  # noqa: E402


@pytest.mark.parametrize(("rows", "columns"), [(8, 72), (32, 32), (72, 8), (1, 9)])
def test_singular_values_come_close_to_1_and_directions_stay(rows: int, columns: int) -> None:
    given = torch.randn((3, rows, columns), generator=torch.Generator().manual_seed(rows)) * 1e-3
    made = orthogonal(given)
    assert made.shape == given.shape
    values = torch.linalg.svdvals(made)
    assert values.min() > 0.3 and values.max() < 1.3
    u, _, v = torch.linalg.svd(given, full_matrices=False)
    nearest = u @ v
    assert ((made * nearest).sum((1, 2)) / made.norm(dim=(1, 2)) / nearest.norm(dim=(1, 2))).min() > 0.95


def test_steps_are_those_of_the_formulas() -> None:
    torch.manual_seed(1)
    weights = [torch.nn.Parameter(torch.randn(6, 4, 3, 3)) for _ in range(2)]
    rate, momenta, expected = torch.tensor(0.01), [torch.zeros(6, 36)] * 2, [w.detach().clone() for w in weights]
    muon = Muon(weights, lr=rate, weight_decay=0.1)
    for _ in range(3):
        slopes = [torch.randn(6, 4, 3, 3) for _ in weights]
        for w, slope in zip(weights, slopes, strict=True):
            w.grad = slope
        muon.step()
        for i, slope in enumerate(slopes):
            g = slope.reshape(6, 36)
            momenta[i] = MOMENTUM * momenta[i] + g
            turned = orthogonal((g + MOMENTUM * momenta[i])[None])[0]
            expected[i] = expected[i] * (1 - 0.01 * 0.1) - 0.01 * SIZE * math.sqrt(36) * turned.reshape(6, 4, 3, 3)
    for w, e in zip(weights, expected, strict=True):
        assert torch.allclose(w, e, atol=1e-6)


class Fitted(Descent):
    """A network that learns made-up answers to made-up inputs."""

    def _losses(self):
        n, shape = self.batch, self.network.shape
        draw = torch.Generator().manual_seed(7)
        inputs = torch.randn((n, shape.inputs), generator=draw)
        logits, values = self.answers(inputs)
        return ((logits - inputs[:, : shape.policy]) ** 2).mean(), ((values - inputs[:, :1].sign()) ** 2).mean()


def fitted(shape) -> Fitted:
    network = Network(shape)
    return Fitted(network, "cpu", 32, network.tower)


@pytest.mark.parametrize("blocks", [0, 2])
def test_what_goes_on_learns_as_what_never_stopped(blocks: int) -> None:
    import zermelo

    shape = shape_for(zermelo.game("tictactoe"), blocks, 8)
    torch.manual_seed(3)
    whole = fitted(shape)
    whole.take_steps(3, 0.01)
    later = fitted(shape)
    later.network.load_state_dict(whole.network.state_dict())
    later.resume({name: tensor.clone() for name, tensor in whole.state().items()})
    first = float(whole.losses.sum())
    for descent in (whole, later):
        descent.take_steps(4, 0.005)
    assert float(whole.losses.sum()) < first
    for a, b in zip(whole.network.parameters(), later.network.parameters(), strict=True):
        assert torch.equal(a, b)
