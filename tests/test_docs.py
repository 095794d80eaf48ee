"""The documentation is true: its Python runs, its commands succeed, its game is the example."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import zermelo

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.fixture
def clone(tmp_path):
    """A folder with what the README's commands name."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_the_readmes_game_is_the_example_and_about_30_lines():
    game, _ = blocks(README, "python")
    lines = (ROOT / "examples" / "domineering.py").read_text().split('"""', 2)[2].strip()
    assert game.strip() == lines
    assert len([line for line in lines.splitlines() if line.strip()]) <= 35


def test_the_readmes_python_runs(clone):
    _, code = blocks(README, "python")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=clone, check=False)
    assert done.returncode == 0, done.stderr
    game = zermelo.game(str(clone / "examples" / "domineering.py"), size=6)
    count, utility, *board = done.stdout.splitlines()
    assert int(count) == zermelo.perft(game, 3, interpreted=True)
    assert utility == str(zermelo.playouts(game, 100_000, seed=1).utility)
    assert board[-2:] == ["X . . . . . .", "1 2 3 4 5 6 7"]


SEARCH = (ROOT / "docs" / "search.md").read_text()
COMMANDS = [line[2:] for text in (README, SEARCH) for block in blocks(text, "console") for line in block.splitlines()]


def test_the_python_about_searching_runs():
    first, lines, batch = (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False) for code in blocks(SEARCH, "python")
    )
    assert first.returncode == lines.returncode == batch.returncode == 0, first.stderr + lines.stderr + batch.stderr
    assert len(lines.stdout.splitlines()) == 4
    assert first.stdout.splitlines()[-1].startswith("2000 ")
    assert batch.stdout == "[-1  1] [ 4 35]\n"


def test_the_nodes_of_the_documentation_are_those_searched():
    told = dict(re.findall(r"^\| ([^|]+?) \| ([\d,]+) \|$", SEARCH, re.MULTILINE))
    game = zermelo.game("connect4")
    switches = {"all of it": {}, "without the table": {"table": None}, "without deepening": {"deepening": False}}
    for what, settings in switches.items():
        assert zermelo.AlphaBeta(depth=11, **settings).search(game).nodes == int(told[what].replace(",", "")), what
    game = zermelo.game("chess")
    s = game.read_state(re.search(r"middle game of chess \(`(.+?)`\)", SEARCH)[1])
    for what, settings in {"all of it": {}, "without null moves": {"nulls": False}, "without futility": {"futility": False}}.items():
        found = zermelo.AlphaBeta(depth=7, **settings).search(game, s).nodes
        assert found == int(told[f"chess, {what}"].replace(",", "")), what


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_of_the_documentation_end_well(clone, command):
    program, *words = shlex.split(command)
    assert program == "zermelo"
    env = os.environ | {"ZERMELO_RECORD": str(clone / "games.sqlite")}  # not the reader's own
    run = [sys.executable, "-m", "zermelo", *words]
    done = subprocess.run(run, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=clone, env=env, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    assert done.stdout.strip()


def test_the_page_about_learning_does_what_it_says(clone):
    text = (ROOT / "docs" / "learning.md").read_text()
    for command in blocks(text, "console")[0].splitlines():
        program, *words = shlex.split(command[2:])
        assert program == "zermelo"
        done = subprocess.run([sys.executable, "-m", "zermelo", *words], capture_output=True, text=True, cwd=clone, check=False)
        assert done.returncode == 0, f"{command}: {done.stderr}"
    assert (clone / "curve.svg").read_text().startswith("<svg")
    done = subprocess.run([sys.executable, "-c", blocks(text, "python")[0]], capture_output=True, text=True, cwd=clone, check=False)
    assert done.stdout.endswith(" 5000\n"), done.stderr


def test_the_page_about_looking_up_does_what_it_says(clone):
    env = os.environ | {"ZERMELO_RECORD": str(clone / "games.sqlite")}
    for command in blocks((ROOT / "docs" / "lookup.md").read_text(), "console")[0].splitlines():
        run = [sys.executable, "-m", "zermelo", *shlex.split(command[2:])[1:]]
        done = subprocess.run(run, capture_output=True, text=True, cwd=clone, env=env, check=False)
        assert done.returncode == 0, f"{command}: {done.stderr}"
    assert "exact" in done.stdout


def test_the_page_about_hidden_information_does_what_it_says(clone):
    text = (ROOT / "docs" / "hidden.md").read_text()
    env = os.environ | {"ZERMELO_RECORD": str(clone / "games.sqlite")}
    for command in blocks(text, "console")[0].splitlines():
        run = [sys.executable, "-m", "zermelo", *shlex.split(command[2:])[1:]]
        done = subprocess.run(run, capture_output=True, text=True, cwd=clone, env=env, check=False)
        assert done.returncode == 0, f"{command}: {done.stderr}"
    done = subprocess.run([sys.executable, "-c", blocks(text, "python")[0]], capture_output=True, text=True, cwd=clone, check=False)
    assert done.stdout == "-0.0556 True\n{'pass': 0.7, 'bet': 0.3}\n", done.stderr


def test_the_trees_of_the_documentation_are_read(tmp_path):
    text = (ROOT / "docs" / "trees.md").read_text()
    path = tmp_path / "shown.json"
    path.write_text(blocks(text, "json")[0])
    game = zermelo.game(f"tree:file={path}")
    assert game.names[0] == "A"
    shipped = set(re.findall(r"^\| `([a-z0-9-]+)`", text, re.MULTILINE))
    assert shipped == {p.stem for p in (ROOT / "src/zermelo/games/trees").glob("*.tree")}


def test_links_lead_somewhere():
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_the_files_of_the_architecture_exist():
    """A file may be named without its folder if the same line has that folder."""
    for number, line in enumerate((ROOT / "docs" / "architecture.md").read_text().splitlines(), 1):
        if not line.startswith("|"):
            continue
        paths = re.findall(r"`([a-z_0-9/]+(?:\.py|/))`", line)
        packages = [ROOT / "src" / "zermelo", ROOT / "src" / "zermelo" / "search"]
        folders = [ROOT, *packages, *(package / p.rpartition("/")[0] for package in packages for p in paths)]
        for path in paths:
            where = [folder / path for folder in folders]
            assert any(p.exists() for p in where), f"architecture.md:{number}: {path}"
