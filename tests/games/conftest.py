"""Games are tested in the checked build: a wrong index, shift, division or size fails the test that meets it."""

from __future__ import annotations

import pytest

from zermelo.search.prepare import checked_build


@pytest.fixture(autouse=True, scope="module")
def checked():
    with checked_build():
        yield
