"""The rules of the house that a machine can see: lint, types, files of a readable size, floors that know only those below."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "src").rglob("*.py"))

#: each room and what it may import of the others; a room may always import its own files
FLOORS = {
    "errors": set(),
    "bits": set(),
    "drawing": set(),
    "tables": set(),
    "rng": {"bits"},
    "layout": {"bits", "errors"},
    "system": {"errors"},
    "game": {"bits", "drawing", "errors", "layout", "rng", "tables"},
    "history": {"errors", "game"},
    "lower": {"bits", "errors", "game", "layout", "rng", "system", "tables"},
    "notation": {"errors", "system"},
    "games": {"bits", "drawing", "errors", "game", "history", "notation", "rng", "system"},
    "registry": {"errors", "game", "games", "system"},
    "search": {"bits", "errors", "game", "history", "lower", "rng", "system"},
    "check": {"bits", "errors", "game", "history", "layout", "lower", "registry", "rng", "search", "system"},
    "explain": {"bits", "drawing", "errors", "game", "games", "history", "lower", "registry", "rng", "search", "system"},
    "arena": {"bits", "drawing", "errors", "game", "games", "history", "lower", "notation", "registry", "rng", "search", "system"},
    "protocols": {"arena", "bits", "errors", "game", "games", "history", "notation", "registry", "rng", "search", "system"},
    "cli": {"arena", "bits", "check", "drawing", "errors", "explain", "game", "games", "history", "lower", "notation", "protocols"}
    | {"registry", "rng", "search", "system", "__init__"},
    "__main__": {"cli"},
    "__init__": {"bits", "errors", "explain", "game", "history", "registry", "rng", "search", "system"},
}


@pytest.mark.parametrize("command", [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"]], ids=" ".join)
def test_lint_and_types(command):
    done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-500:]


def test_files_can_be_read_in_a_sitting():
    long = {str(p.relative_to(ROOT)): n for p in SOURCES if (n := len(p.read_text().splitlines())) > 600}
    assert not long


def test_no_floor_knows_one_above():
    for path in SOURCES:
        room = path.relative_to(ROOT / "src" / "zermelo").parts[0].removesuffix(".py")
        depth = len(path.relative_to(ROOT / "src" / "zermelo").parts)
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.level == depth:
                rooms = (
                    [node.module.split(".")[0]] if node.module else ["__init__" if a.name == "__version__" else a.name for a in node.names]
                )
                unknown = [r for r in rooms if r != room and r not in FLOORS[room]]
                assert not unknown, f"{path.name}:{node.lineno} imports {unknown}"


def test_interpreted_use_needs_nothing_of_numba():
    code = (
        "import sys, zermelo\n"
        "for name in zermelo.names():\n"
        "    game = zermelo.game(name)\n"
        "    zermelo.playouts(game, 2, interpreted=True); zermelo.perft(game, 2, interpreted=True)\n"
        "    s = game.initial(); game.show(s); game.key(s); game.evaluate(s, 0)\n"
        "assert not {'numba', 'llvmlite'} & set(sys.modules), 'numba was loaded'\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
