"""Meaningless settings of MCTS are refused in one sentence, before the search begins."""

from __future__ import annotations

import pytest

from zermelo.errors import ZermeloError
from zermelo.search.mcts.searcher import MCTS

BAD = [
    {"simulations": 0},
    {"simulations": 2.5},
    {"simulations": 1 << 32},
    {"exploration": -1},
    {"exploration": float("nan")},
    {"urgency": float("inf")},
    {"widening": 0},
    {"plies": -1},
    {"win": 0},
    {"memory": 0},
    {"memory": 1 << 18},
    {"threads": 0},
    {"rave": 0},
    {"prior": 5},
    {"prior": -1, "rave": 10},
    {"ripe": 0},
    {"policy": "best"},
    {"epsilon": 1.5},
    {"playouts_per_leaf": 0},
    {"device": "tpu"},
    {"evaluator": 3},
    {"batch": 0},
    {"parallel": "both"},
    {"playouts_per_leaf": 2, "rave": 10},
    {"playouts_per_leaf": 2, "threads": 2},
    {"evaluator": len, "plies": 3},
    {"evaluator": len, "policy": "learned"},
    {"seed": None},
    {"depth": -1},
    {"nodes": 0},
    {"seconds": -1},
]


@pytest.mark.parametrize("wrong", BAD, ids=str)
def test_bad_settings(wrong):
    with pytest.raises(ZermeloError, match=r"^MCTS: expected [^\n]+, not "):
        MCTS(**wrong)
