"""The rules of the project that a machine can see: lint, types, readable files and functions, layers that import only those below."""

from __future__ import annotations

import ast
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "src").rglob("*.py"))

#: each room and what it may import of the others; a room may always import its own files
FLOORS = {
    "errors": set(),
    "settings": {"errors", "system"},
    "bits": set(),
    "drawing": set(),
    "tables": set(),
    "rng": {"bits"},
    "layout": {"bits", "errors"},
    "system": {"errors"},
    "game": {"bits", "drawing", "errors", "layout", "notation", "rng", "settings", "tables"},
    "history": {"errors", "game", "layout", "notation"},
    "lower": {"bits", "errors", "game", "layout", "rng", "system", "tables"},
    "notation": {"errors", "system"},
    "games": {"bits", "drawing", "errors", "game", "history", "notation", "rng", "system"},
    "registry": {"errors", "game", "games", "settings", "system"},
    "search": {"bits", "errors", "game", "history", "layout", "lower", "rng", "settings", "system"},
    "learn": {"arena", "bits", "drawing", "errors", "game", "history", "lower", "rng", "search", "settings", "system"},
    "lookup": {"bits", "errors", "game", "history", "lower", "rng", "search", "system"},
    "equilibrium": {"bits", "errors", "game", "history", "lower", "rng", "search", "settings", "system"},
    "check": {"bits", "errors", "game", "history", "layout", "lower", "registry", "rng", "search", "system"},
    "explain": {"bits", "drawing", "equilibrium", "errors", "game", "history", "lookup", "lower", "registry", "rng", "search", "system"},
    "arena": {
        "bits",
        "drawing",
        "equilibrium",
        "errors",
        "game",
        "history",
        "lookup",
        "lower",
        "notation",
        "registry",
        "rng",
        "search",
        "settings",
        "system",
    },
    "protocols": {"arena", "bits", "errors", "game", "history", "notation", "registry", "rng", "search", "system"},
    "cli": {
        "arena",
        "bits",
        "check",
        "drawing",
        "equilibrium",
        "errors",
        "explain",
        "game",
        "games",
        "history",
        "learn",
        "lookup",
        "lower",
        "notation",
        "protocols",
    }
    | {"registry", "rng", "search", "settings", "system", "__init__"},
    "__main__": {"cli"},
    "__init__": {"bits", "equilibrium", "errors", "explain", "game", "history", "learn", "registry", "rng", "search", "system"},
}


@pytest.mark.parametrize("command", [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"]], ids=" ".join)
def test_lint_and_types(command):
    done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-500:]


def test_files_can_be_read_in_a_sitting():
    long = {str(p.relative_to(ROOT)): n for p in SOURCES if (n := len(p.read_text().splitlines())) > 500}
    assert not long


def test_functions_fit_on_a_screen():
    """80 lines at most, with a heading for each step if there are many. Their complexity is ruff's to see (C901, at most 25)."""
    long = {
        (path.name, node.name)
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno >= 80
    }
    assert not long


#: a constant says what it bounds, and of what; these words alone say neither
BARE = re.compile(
    "ALONE|ENOUGH|(DEEP|FAR|FEW|GREAT|HIGH|LARGE|LITTLE|LONG|LOW|NEAR|QUICK|RARE|SLOW|SMALL|SOME|WHOLE|WIDE)"
    "|FARTHEST|LEAST|MANY|MOST|MUCH|USUAL|(DEEP|FEW|GREAT|HIGH|LARG|LONG|LOW|NEAR|SMALL|WID)EST"
)


def test_constants_say_what_they_bound():
    named = {
        (path.name, name.id)
        for path in SOURCES
        for node in ast.parse(path.read_text()).body
        if isinstance(node, (ast.Assign, ast.AnnAssign))
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        for name in ast.walk(target)
        if isinstance(name, ast.Name) and BARE.fullmatch(name.id)
    }
    assert not named


def test_algorithms_know_the_type_of_their_record():
    untyped = [f"{path.name}: {line.strip()}" for path in SOURCES for line in path.read_text().splitlines() if "work: Any" in line]
    assert not untyped


def test_the_root_of_the_package_holds_the_core_alone():
    assert len(list((ROOT / "src" / "zermelo").glob("*.py"))) <= 12


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


def imports() -> dict[str, set[str]]:
    """The modules of the package and what each imports of the others, anywhere in its file: in functions and for types, too."""
    package = ROOT / "src" / "zermelo"
    files = {".".join(path.relative_to(package).with_suffix("").parts).removesuffix(".__init__"): path for path in SOURCES}
    found = {}
    for module, path in files.items():
        inside = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
        found[module] = set()
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.level:
                whole = [*inside[: len(inside) - node.level + 1], *(node.module or "").split(".")]
                names = [".".join(filter(None, [*whole, a.name])) for a in node.names]
                found[module] |= {name if name in files else name.rpartition(".")[0] for name in names} & files.keys()
    return found


def test_no_module_imports_itself_by_way_of_others():
    graph = imports()
    below: dict[str, set[str]] = {}
    for module in graph:
        seen, todo = set[str](), list(graph[module])
        while todo:
            if (name := todo.pop()) not in seen:
                seen.add(name)
                todo += graph[name]
        below[module] = seen
    for module in graph:
        if module in below[module]:
            cycle = {name for name in below[module] if module in below[name]}
            raise AssertionError(f"{sorted(cycle)} import each other")


#: words outside games/ that happen to be the name of a game, by file
OTHER_WORDS = {
    "explain/html.py": {"tree"},  # a part of the page's data
    "lower/advice.py": {"hex"},  # the function of Python
    "protocols/uci.py": {"go"},  # the command of UCI
    "search/mcts/rollout_policies.py": {"uniform"},  # the policy
    "search/mcts/searcher.py": {"tree", "uniform"},  # the policy, and threads that share a tree
}


def test_no_code_outside_games_asks_for_a_game_by_name_or_class():
    """Whatever a game needs elsewhere is an attribute of `Game`, which a game in a user's file can have as well."""
    package = ROOT / "src" / "zermelo"
    names = {m.name for m in pkgutil.iter_modules([str(package / "games")]) if not m.name.startswith("_")}
    for path in SOURCES:
        file = str(path.relative_to(package))
        if file.startswith("games/"):
            continue
        tree = ast.parse(path.read_text())
        docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and "games" in (node.module or "").split("."):
                asked = {*(node.module or "").split("."), *(a.name for a in node.names)} & names
                assert not asked, f"{file}:{node.lineno} imports the game {asked}"
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
                asked = {node.value.partition(":")[0]} & names - OTHER_WORDS.get(file, set())
                assert not asked, f"{file}:{node.lineno} names the game {asked}"


def test_no_duration_is_measured_by_a_clock_that_somebody_may_set():
    """`datetime.now` dates records, and nothing waits for it."""
    for path in SOURCES:
        names = {
            f"{n.value.id}.{n.attr}"
            for n in ast.walk(ast.parse(path.read_text()))
            if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)
        }
        assert not names & {"time.time", "time.time_ns", "time.clock_gettime"}, path


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
