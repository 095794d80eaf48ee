"""The signature of the searches: nodes, values and lines stay as recorded."""

from __future__ import annotations

import json

import pytest
from signature import FILE, GAMES, SEARCHES, signature

LONG = ("antichess", "chess", "go:size=5", "hex:size=4")  # most of the time


@pytest.mark.parametrize("spec", [pytest.param(spec, marks=pytest.mark.slow) if spec in LONG else spec for spec in GAMES])
def test_interpreted_searches_find_what_they_found(spec):
    assert json.loads(json.dumps(signature(spec, interpreted=True))) == json.loads(FILE.read_text())[spec]


@pytest.mark.slow
@pytest.mark.parametrize("spec", GAMES)
def test_native_searches_find_the_same(spec):
    assert json.loads(json.dumps(signature(spec, interpreted=False))) == json.loads(FILE.read_text())[spec]


def test_every_searcher_has_a_signature():
    from zermelo.search import by_name

    assert {text.partition(":")[0] for text in SEARCHES} >= set(by_name.names())
