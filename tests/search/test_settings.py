"""Settings: the ranges that they declare are what the searchers refuse, the command line shows and the document says."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import pytest

from zermelo.errors import ZermeloError
from zermelo.search import by_name
from zermelo.settings import OneOf, Range, declared

PAGE = Path(__file__).parents[2] / "docs" / "settings.md"

HEAD = """# Settings of the searchers

Every setting may be given in Python (`zermelo.MCTS(threads=4)`), after the name of a player (`mcts:threads=4`) and to `zermelo search
--with mcts --set threads=4`. `zermelo players mcts` prints these tables; what the settings mean is in `docs/search.md` and in the
docstring of each class. This page is written by `python tests/search/test_settings.py`.
"""


def page() -> str:
    parts = [HEAD]
    for name in by_name.names():
        rows = [f"| `{s.name}` | {s.default} | {s.values} |" for s in by_name.settings_of(name)]
        parts.append("\n".join([f"## {name}", "", "| setting | default | values |", "| --- | --- | --- |", *rows]) + "\n")
    return "\n".join(parts)


def test_the_document_says_what_the_classes_declare():
    assert PAGE.read_text() == page(), "write it anew: python tests/search/test_settings.py"


@pytest.mark.parametrize("name", by_name.names())
def test_what_is_outside_a_range_is_refused_and_its_ends_are_not(name):
    cls = by_name.find(name)
    for setting, (_, span) in declared(cls).items():
        if setting == "depth" and name == "proofnumber":  # it takes none at all
            continue
        if isinstance(span, OneOf):
            inside, outside = span.values, ["no such thing", None, 99]
        else:
            inside = [x for x in (span.least if not span.above else None, span.most) if x is not None and math.isfinite(x)]
            outside = [math.nan, math.inf, "1", True]
            outside += [span.least - 1] if math.isfinite(span.least) else []
            outside += [span.most + 1] if math.isfinite(span.most) else []
        others: dict[str, Any] = {"prior": {"rave": 1.0}, "mix": {"net": "RUN"}}.get(setting, {})
        for x in inside:
            cls(**{setting: x}, **others)
        for x in outside:
            with pytest.raises(ZermeloError, match=f"{cls.__name__}: expected "):
                cls(**{setting: x}, **others)


def test_a_range_in_words():
    assert Range(1, 256).describe("threads") == "threads from 1 to 256"
    assert Range(0, above=True).describe("rave") == "rave above 0" and 0 not in Range(0, above=True)
    assert OneOf(("a", "b", "c")).describe("mode") == "mode a, b or c"


if __name__ == "__main__":
    PAGE.write_text(page())
    sys.stdout.write(f"{PAGE}\n")
