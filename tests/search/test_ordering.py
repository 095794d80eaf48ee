"""The ordering experiment: alpha-beta compared with the lectures' formulas, and with an alpha-beta of three lines."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from zermelo import ZermeloError
from zermelo.explain import ordering_experiment
from zermelo.explain.ordering_experiment import ORDERS, InMemory, Measured, arranged, drawn, formulas, looked_at, measure
from zermelo.games.uniform import Uniform
from zermelo.search.alphabeta.searcher import AlphaBeta

INFINITE = math.inf


def alphabeta(leaves: list[float], b: int, alpha: float, beta: float, is_max: bool, seen: list[float]) -> float:
    """The root's value; `seen` gets every leaf that is looked at."""
    if len(leaves) == 1:
        seen.append(leaves[0])
        return leaves[0]
    for i in range(b):
        part = len(leaves) // b
        v = alphabeta(leaves[i * part : (i + 1) * part], b, alpha, beta, not is_max, seen)
        alpha, beta = (max(alpha, v), beta) if is_max else (alpha, min(beta, v))
        if alpha >= beta:
            break
    return alpha if is_max else beta


def minimax(leaves: Any, b: int, depth: int) -> float:
    for ply in reversed(range(depth)):
        leaves = leaves.reshape(-1, b).max(axis=1) if ply % 2 == 0 else leaves.reshape(-1, b).min(axis=1)
    return float(leaves[0])


# ---- the trees -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("b", "depth", "seed"), [(2, 5, 0), (3, 3, 2**64 - 1), (7, 2, 12345)])
def test_leaves_are_those_of_the_game(b: int, depth: int, seed: int) -> None:
    game = Uniform(b, depth, seed)
    s = game.initial()
    told = [game.utility(s._replace(node=i, left=0), 0) for i in range(b**depth)]
    assert drawn(b, depth, seed).tolist() == told
    found = AlphaBeta.plain(interpreted=True).search(game)
    assert found.value == minimax(np.array(told), b, depth)
    assert found.evaluations == looked_at(InMemory(b, depth), np.array(told))


@pytest.mark.parametrize(("b", "depth"), [(2, 1), (2, 7), (3, 5), (5, 3)])
def test_an_order_changes_the_leaves_looked_at_and_nothing_else(b: int, depth: int) -> None:
    game = InMemory(b, 8)
    for seed in range(10):
        leaves = drawn(b, depth, seed)
        for order in ORDERS:
            tree, seen = arranged(leaves, b, depth, order, np.random.default_rng(seed)), list[float]()
            assert sorted(tree) == sorted(leaves)
            value = alphabeta(tree.tolist(), b, -INFINITE, INFINITE, True, seen)
            assert looked_at(game, tree) == len(seen)
            assert AlphaBeta.plain().search(game, game.at(tree)).value == value == minimax(tree, b, depth)
            if order != "uncut":
                assert value == minimax(leaves, b, depth)


# ---- the formulas --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def measured() -> dict[tuple[int, int, str], Measured]:
    sizes = [(2, 14, 20), (3, 9, 20), (4, 6, 10), (5, 5, 10), (8, 4, 5), (20, 2, 5)]
    return {(b, m.depth, m.order): m for b, depth, trees in sizes for m in measure(b, depth, trees, seed=1)}


def test_the_best_order_is_exactly_the_formula(measured: dict[tuple[int, int, str], Measured]) -> None:
    """In every single tree: b^ceil(d/2) + b^floor(d/2) - 1."""
    for (b, d, order), m in measured.items():
        if order == "best":
            assert set(m.leaves) == {b ** math.ceil(d / 2) + b ** math.floor(d / 2) - 1}, (b, d)
            assert list(m.formulas.values()) == [m.mean]


def test_leaves_of_which_none_is_cut(measured: dict[tuple[int, int, str], Measured]) -> None:
    for (b, d, order), m in measured.items():
        if order == "uncut":
            assert set(m.leaves) == {b**d}, (b, d)
            assert list(m.formulas.values()) == [m.mean]


def test_the_worst_order_is_every_leaf_until_deep_cutoffs(measured: dict[tuple[int, int, str], Measured]) -> None:
    """Three plies have none; below, no order of the children saves every tree from them."""
    for (b, d, order), m in measured.items():
        if order == "worst":
            assert all(n == b**d if d <= 3 else n <= b**d for n in m.leaves), (b, d)
    assert measured[2, 14, "worst"].mean < 0.8 * 2**14


@pytest.mark.parametrize(("b", "d", "within"), [(2, 14, 0.05), (3, 9, 0.06)])
def test_the_random_order_grows_as_the_formula(measured: dict[tuple[int, int, str], Measured], b: int, d: int, within: float) -> None:
    """By leaves per ply, the d-th root: about 3.5 and 5 % above at these depths, 2 % for b = 2 at depth 20."""
    m = measured[b, d, "random"]
    base = (b - 1 + math.sqrt(b * b + 14 * b + 1)) / 4
    assert base**d == pytest.approx(next(iter(m.formulas.values())))
    assert base < m.mean ** (1 / d) < base * (1 + within)
    shallow = measured[b, d - 4, "random"].mean ** (1 / (d - 4))
    assert m.mean ** (1 / d) < shallow  # nearer, the deeper the tree
    if b == 2:
        assert m.formulas["b^(3d/4)"] == 2 ** (3 * d / 4) == pytest.approx(base**d, rel=0.04)


def test_orders_are_worth_what_one_expects(measured: dict[tuple[int, int, str], Measured]) -> None:
    for b, d in ((2, 14), (3, 9), (4, 6), (5, 5), (8, 4)):
        means = [measured[b, d, order].mean for order in ORDERS]
        assert means == sorted(means) and len(set(means)) == len(ORDERS)


def test_formulas() -> None:
    assert {text: round(v, 3) for (text, _), v in formulas(2, 4).items()} == {
        "b^ceil(d/2) + b^floor(d/2) - 1": 7,
        "((b - 1 + sqrt(b^2 + 14 b + 1)) / 4)^d": 8.083,
        "b^d": 16,
        "b^(3d/4)": 8,
    }
    assert len(formulas(3, 4)) == 3


def test_the_same_seed_is_the_same_experiment() -> None:
    once, again, other = (list(measure(2, 6, 3, seed=seed)) for seed in (4, 4, 5))
    assert once == again != other


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"branching": 1}, "branching from 2 to 64, not 1"),
        ({"branching": 65}, "branching from 2 to 64, not 65"),
        ({"depth": 0}, "depth from 1 to 22, not 0"),
        ({"depth": 10**9}, "depth from 1 to 22, not 1,000,000,000"),
        ({"trees": 0}, "trees from 1 to 100,000, not 0"),
        ({"branching": 10, "depth": 7}, "trees of at most 4,194,304 leaves, not 10^7"),
        ({"seed": -1}, "a seed from 0 to 18446744073709551615, not -1"),
    ],
)
def test_what_cannot_be_measured(wrong: dict[str, int], told: str) -> None:
    with pytest.raises(ZermeloError) as refused:
        measure(**wrong)
    assert str(refused.value) == f"ordering: expected {told}"


# ---- the plot ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def small() -> list[Measured]:
    return list(measure(2, 4, 2))


def test_a_plot_as_svg(small: list[Measured], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    once, again = tmp_path / "once.svg", tmp_path / "again.SVG"
    ordering_experiment.plot(small, once)
    ordering_experiment.plot(small, again)
    assert ElementTree.parse(once).getroot().tag == "{http://www.w3.org/2000/svg}svg"
    assert once.read_bytes() == again.read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["again.SVG", "once.svg"]


def test_a_plot_as_png(small: list[Measured], tmp_path: Path) -> None:
    image = pytest.importorskip("matplotlib.image")
    file = tmp_path / "a.png"
    file.write_text("something else")
    ordering_experiment.plot(small, file)
    assert file.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    pixels = image.imread(file)
    assert pixels.shape[0] > 400 and len(np.unique(pixels[:, :, 0])) > 10


def test_a_plot_that_fails_leaves_nothing(small: list[Measured], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    figure = pytest.importorskip("matplotlib.figure")

    def fail(_: Any, file: Path, **__: Any) -> None:
        file.write_text("half")
        raise OSError("disk full")

    monkeypatch.setattr(figure.Figure, "savefig", fail)
    with pytest.raises(OSError, match="disk full"):
        ordering_experiment.plot(small, tmp_path / "a.png")
    assert list(tmp_path.iterdir()) == []


def test_plots_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for file, told in ((tmp_path / "a.pdf", "ends in .png or .svg"), (tmp_path / "no" / "a.png", "expected a folder for the plot")):
        with pytest.raises(ZermeloError, match=told):
            ordering_experiment.can_plot(file)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ZermeloError, match=r"^ordering: a plot needs matplotlib: install zermelo\[plots\]$"):
        ordering_experiment.can_plot(tmp_path / "a.png")
