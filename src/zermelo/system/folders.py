"""The user's folders: one for what can be made again, one for what cannot."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

NAME = "zermelo"


def cache() -> Path:
    """The folder of what can be made again: ZERMELO_CACHE, or zermelo in the user's cache folder."""
    given = os.environ.get("ZERMELO_CACHE")
    return Path(given) if given else platformdirs.user_cache_path(NAME, appauthor=False)


def data() -> Path:
    """The folder of what the user keeps: zermelo in the user's data folder."""
    return platformdirs.user_data_path(NAME, appauthor=False)
