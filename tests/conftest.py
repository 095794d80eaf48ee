"""One cache of native code for the whole run, empty at its start: no test uses code of an earlier run."""

from __future__ import annotations

import os
import signal
import tempfile

import pytest

if "ZERMELO_CACHE" not in os.environ:  # set before the workers start, so that they share it
    _folder = tempfile.TemporaryDirectory(prefix="zermelo-tests-", ignore_cleanup_errors=True)
    os.environ["ZERMELO_CACHE"] = _folder.name


os.environ.setdefault("OMP_NUM_THREADS", "1")  # of torch: the workers of a run share the processor as it is
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or each of hundreds of processes would compile the whole package first


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a job in the background ignores Ctrl-C, and so would what it starts
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def fresh_cache(tmp_path, monkeypatch):
    """An empty cache of this test's own, also for the processes it starts."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("ZERMELO_CACHE", str(folder))
    return folder
