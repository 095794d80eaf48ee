"""Every searcher stops soon after a request, with a legal answer: a short form of `python -m bench.stops`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.stops import measure, show
from zermelo.search.by_name import names


@pytest.mark.parametrize("name", names())
def test_a_stop_is_answered_at_once_and_legally(name: str) -> None:
    stopped = measure(name, 12)
    assert stopped.illegal == 0
    assert stopped.early < 12  # the search is long enough to be stopped
    assert min(stopped.worked) < 0.02  # of the processor: what is later by the clock is the machine's doing, which other tests keep busy
    assert sorted(stopped.worked)[len(stopped.worked) // 2] < 0.2
    assert f"| {name} | {stopped.game} |" in show([stopped])
