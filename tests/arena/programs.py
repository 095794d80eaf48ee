"""Programs that nobody here wrote, where they are installed."""

from __future__ import annotations

import os
import shutil

import pytest

from zermelo.arena.engine import FOLDERS

PATH = os.pathsep.join([os.environ.get("PATH", ""), *FOLDERS])


def needs(program: str) -> pytest.MarkDecorator:
    """Skip the test where the program is not there."""
    return pytest.mark.skipif(shutil.which(program, path=PATH) is None, reason=f"{program} is not installed")
