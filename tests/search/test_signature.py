"""The signature of the searches: nodes, values and lines stay as recorded."""

from __future__ import annotations

import json

import pytest
from signature import FILE, GAMES, SEARCHES, signature

LONG = ("chess", "go:size=5", "hex:size=4")  # three quarters of the time: of these only the start is searched, unless all is proved


@pytest.mark.parametrize("spec", GAMES)
def test_interpreted_searches_find_what_they_found(spec):
    found, known = json.loads(json.dumps(signature(spec, interpreted=True, whole=spec not in LONG))), json.loads(FILE.read_text())[spec]
    assert found == ({name: known[name] for name in found} if spec in LONG else known)


@pytest.mark.slow
@pytest.mark.parametrize("spec", LONG)
def test_long_interpreted_searches_find_what_they_found(spec):
    assert json.loads(json.dumps(signature(spec, interpreted=True))) == json.loads(FILE.read_text())[spec]


@pytest.mark.slow
@pytest.mark.parametrize("spec", GAMES)
def test_native_searches_find_the_same(spec):
    assert json.loads(json.dumps(signature(spec, interpreted=False))) == json.loads(FILE.read_text())[spec]


def test_every_searcher_has_a_signature():
    from zermelo.search import by_name

    assert {text.partition(":")[0] for text in SEARCHES} >= set(by_name.names())
