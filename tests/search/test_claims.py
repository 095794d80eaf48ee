"""What searches call exact, by brute force on random games of every kind. `python -m bench.claims` looks at many more."""

from __future__ import annotations

from dataclasses import replace

import pytest
from random_graphs import KINDS, Right, Tally, claims, drawn

from zermelo import AlphaBeta


def looked(kind: str, many: int, *, interpreted: bool) -> Tally:
    tally = Tally()
    for seed in range(many):
        tally.add(claims(drawn(kind, seed), interpreted))
    return tally


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_called_exact_is_so(kind):
    tally = looked(kind, 12, interpreted=True)
    assert not tally.wrong
    assert tally.exact > tally.asked / 4


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_called_exact_natively_is_so(kind):
    assert not looked(kind, 200, interpreted=False).wrong


def test_a_wrong_claim_is_found():
    of = drawn("opposed", 3)
    game, s = of.games[0], of.starts[0]
    search = AlphaBeta(interpreted=True)
    found, right = search.search(game, s), Right(game, s)
    assert not right.claim(search, found)
    assert "called exact" in right.claim(search, replace(found, value=found.value + 1))
    assert "action" in right.claim(search, replace(found, scores={a: v + 1 for a, v in found.scores.items()}, bounds={}))
