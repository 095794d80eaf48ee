"""Commands in folders that this user may not write to, as users have them who are not root: a sentence, or all that needs no file."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

#: root may write anywhere, unless it gives up the right to
GIVING_UP = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search"]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Runs a command in a folder, and with a home, that cannot be written."""
    if not hasattr(os, "geteuid") or (os.geteuid() == 0 and shutil.which(GIVING_UP[0]) is None):
        pytest.skip("nothing here keeps this user from writing")
    folder = tmp_path_factory.mktemp("closed")
    (folder / "home").mkdir()
    for closed in (folder / "home", folder):
        closed.chmod(0o555)
    env = {name: value for name, value in os.environ.items() if name != "ZERMELO_CACHE" and not name.startswith("XDG_")}

    def run(text: str) -> subprocess.CompletedProcess[str]:
        command = [*(GIVING_UP if os.geteuid() == 0 else []), sys.executable, "-m", "zermelo", *text.split()]
        return subprocess.run(command, cwd=folder, env=env | {"HOME": str(folder / "home")}, capture_output=True, text=True, check=False)

    yield run
    assert [path.name for path in folder.rglob("*")] == ["home"]
    folder.chmod(0o755)


def test_what_needs_no_file_works(run):
    done = run("search nim:heaps=1,2 --with minimax")
    assert done.returncode == 0 and "exact" in done.stdout and not done.stderr


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("match tictactoe random random --games 2", "games.sqlite cannot be opened: Permission denied"),
        ("match tictactoe random random --games 2 --record g.db", "g.db cannot be opened: expected a file that may be read and written"),
        ("train pig --games 50", "a folder in runs cannot be made: Permission denied"),
        ("train pig --games 50 --run r", "r cannot be made: Permission denied"),
        ("table build nim:heaps=2,3 t.table", "t.table cannot be written: Permission denied"),
        ("label tictactoe labels --positions 10", "Permission denied: labels"),
    ],
)
def test_what_cannot_be_written_is_refused_in_a_sentence(run, text, sentence):
    done = run(text)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert sentence in done.stderr.splitlines()[-1]
