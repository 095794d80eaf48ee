"""Games by name and by entry point; parameters as text; every refusal in one sentence."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from helpers_registry import MINE, refused

import zermelo
from zermelo import Game, ZermeloError, registry

BUILT_IN = [
    "bins",
    "connect4",
    "darkchess",
    "darkhex",
    "ginrummy",
    "goofspiel",
    "hearts",
    "hiddenwhist",
    "kalah",
    "kriegspiel",
    "kuhn",
    "leduc",
    "liarsdice",
    "mnk",
    "morris",
    "nim",
    "phantomttt",
    "pig",
    "tictactoe",
    "tree",
    "trio",
    "whist",
]

TYPED = """\
from zermelo import Game


class Typed(Game):
    def __init__(self, flag=False, whole=1, real=0.5, word="a", many=(1, 2), nothing=None, *, only="k"):
        pass


class Needs(Game):
    def __init__(self, size, word):
        pass
"""


# ---- by name --------------------------------------------------------------------------------


def test_every_built_in_game_is_found_by_its_name():
    assert set(BUILT_IN) <= set(zermelo.names())
    assert zermelo.names() == sorted(zermelo.names())
    for name in BUILT_IN:
        game = zermelo.game(name)
        assert game.name == name == repr(game)
        assert game.layout.fault(game.initial()) is None
        assert isinstance(game, registry.find(name))


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("connect4", {"width": 5, "height": 4}),
        ("connect4", {"line": 3}),
        ("mnk", {"width": 7, "height": 1, "line": 2}),
        ("nim", {"heaps": (2, 0, 255)}),
        ("nim", {"heaps": (9,), "misere": True}),
        ("nim", {"misere": True}),
        ("bins", {"game": 2, "numbers": (-7, 7, 0, 1)}),
        ("bins", {"numbers": (-1, 0)}),
        ("kalah", {"score": True}),
        ("kalah", {"houses": 2, "seeds": 9, "score": True}),
        ("pig", {"target": 7, "players": 3, "sides": 2}),
        ("tree", {"file": "three-by-three"}),
        ("trio", {"width": 5}),
        ("whist", {"trump": -1, "deal": 2**64 - 1}),
        ("kuhn", {}),
        ("leduc", {"ranks": 5}),
        ("liarsdice", {"dice": 2, "sides": 4}),
        ("goofspiel", {"cards": 5, "order": "random", "hidden": True}),
        ("tictactoe", {}),
    ],
)
def test_a_game_is_written_as_it_is_read(name: str, parameters: dict[str, object]):
    game = zermelo.game(name, **parameters)
    again = zermelo.game(repr(game))
    assert type(again) is type(game)
    assert again.parameters == game.parameters
    assert {k: type(v) for k, v in again.parameters.items()} == {k: type(v) for k, v in game.parameters.items()}
    assert repr(again) == repr(game)
    assert again.initial() == game.initial()
    assert game.parameters == type(game)().parameters | parameters


@pytest.mark.parametrize(
    "name", ["plain.tree", "with space.tree", "a=b.tree", "a,b.tree", "a,b=c.tree", "a:b.tree", "x.py:y=1,z.tree", "ä.tree"]
)
def test_a_path_is_read_as_it_is_written(tmp_path: Path, name: str):
    file = tmp_path / name
    file.write_text("max A: B C\nB = 1\nC = 2\n")
    game = zermelo.game("tree", file=str(file))
    again = zermelo.game(repr(game))
    assert repr(game) == f"tree:file={file}"
    assert again.parameters == {"file": str(file)}
    assert zermelo.game("tree", file=file).parameters == {"file": file}
    assert repr(zermelo.game("tree", file=file)) == repr(game)


def test_keywords_and_text_are_joined():
    assert zermelo.game("connect4:width=5", height=4).parameters == {"width": 5, "height": 4, "line": 4}
    assert zermelo.game("connect4:width=5", width=6).parameters["width"] == 6
    assert zermelo.game("nim:heaps=1, 2, misere=TRUE").parameters == {"heaps": (1, 2), "misere": True}
    assert zermelo.game("nim:heaps=4").parameters["heaps"] == (4,)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("conect4", r"there is no game 'conect4' \(did you mean connect4\?\)"),
        ("CONNECT4", r"did you mean connect4\?"),
        ("tic-tac-toe", r"did you mean tictactoe\?"),
        ("zzzzzz", r"there is no game 'zzzzzz'; zermelo games lists them"),
        ("", r"there is no game ''"),
        (":", r"there is no game ''"),
        (":width=5", r"there is no game ''"),
        ("__init__", r"there is no game '__init__'"),
        ("connect4:", r"expected parameters as name=value after the colon"),
        ("connect4:width", r"expected parameters as name=value after the colon, not 'width'"),
        ("connect4:5", r"not '5'"),
        ("connect4:width=", r"connect4: expected a whole number for width, not ''"),
        ("connect4:width=x", r"connect4: expected a whole number for width, not 'x'"),
        ("connect4:width=5.0", r"expected a whole number for width, not '5.0'"),
        ("connect4:width=5,6", r"expected a whole number for width, not '5,6'"),
        ("connect4:width=" + "9" * 5000, r"expected a whole number for width"),
        ("connect4:width=5:height=4", r"expected a whole number for width, not '5:height=4'"),
        ("connect4:widht=5", r"connect4 has no parameter 'widht' \(did you mean width\?\): it takes width, height, line"),
        ("connect4:width=5,widht=5", r"no parameter 'widht'"),
        ("connect4:=5", r"no parameter ''"),
        ("connect4:self=5", r"no parameter 'self'"),
        ("connect4:width=5,width=6", r"expected width once"),
        ("connect4:width=0", r"connect4: expected width"),
        ("kuhn:cards=4", r"kuhn has no parameter 'cards': it takes none"),
        ("nim:misere=maybe", r"nim: expected true or false for misere, not 'maybe'"),
        ("nim:heaps=", r"nim: expected 1 to 32 heaps"),
        ("nim:heaps=1,x", r"nim: expected 1 to 32 heaps"),
        ("tree:file=nowhere", r"tree: cannot read 'nowhere'"),
    ],
)
def test_what_cannot_be_a_game_by_name(text: str, told: str):
    with pytest.raises(ZermeloError, match=told):
        zermelo.game(text)
    assert refused(text)


# ---- parameters as text ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *[(f"flag={word}", True) for word in ("true", "True", "1", "yes")],
        *[(f"flag={word}", False) for word in ("false", "FALSE", "0", "no")],
        ("whole=-7", -7),
        ("whole= 12 ", 12),
        ("real=2", 2.0),
        ("real=-1e-3", -0.001),
        ("word=", ""),
        ("word=b c", "b c"),
        ("word=1", "1"),
        ("word=a,b", "a,b"),
        ("word=a,x=b", "a,x=b"),
        ("word=a=b", "a=b"),
        ("word=a:b", "a:b"),
        ("many=", ()),
        ("many=5", (5,)),
        ("many=1,-2,3.5", (1, -2, 3.5)),
        ("many=a,true,1", ("a", True, 1)),
        ("many=1,flag", (1, "flag")),
        ("nothing=1", 1),
        ("nothing=1.5", 1.5),
        ("nothing=1,2", (1, 2)),
        ("nothing=true", True),
        ("nothing=text", "text"),
        ("only=x", "x"),
    ],
)
def test_a_parameter_has_the_type_of_its_default(tmp_path: Path, text: str, value: object):
    (tmp_path / "typed.py").write_text(TYPED)
    found = zermelo.game(f"{tmp_path}/typed.py:Typed:{text}").parameters[text.partition("=")[0]]
    assert found == value
    assert type(found) is type(value)


def test_values_of_every_type_are_read_back(tmp_path: Path):
    (tmp_path / "typed.py").write_text(TYPED)
    told = {"flag": True, "whole": -3, "real": 0.1, "word": "a,b=c", "many": (0, -1, 2.5), "nothing": (1, 2), "only": "z"}
    game = zermelo.game(f"{tmp_path}/typed.py:Typed", **told)
    assert zermelo.game(repr(game)).parameters == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Typed:flag=2", "expected true or false for flag, not '2'"),
        ("Typed:flag=", "expected true or false for flag, not ''"),
        ("Typed:whole=1.0", "expected a whole number for whole, not '1.0'"),
        ("Typed:whole=true", "expected a whole number for whole, not 'true'"),
        ("Typed:real=x", "expected a number for real, not 'x'"),
        ("Typed:reel=1", r"has no parameter 'reel' \(did you mean real\?\): it takes flag, whole, real, word, many, nothing, only"),
        ("Typed:flag=1,flag=0", "expected flag once"),
        ("Needs", "missing a required argument: 'size': it takes size, word"),
        ("Needs:size=1", "missing a required argument: 'word': it takes size, word"),
    ],
)
def test_parameters_that_cannot_be_used(tmp_path: Path, text: str, told: str):
    (tmp_path / "typed.py").write_text(TYPED)
    with pytest.raises(ZermeloError, match=told):
        zermelo.game(f"{tmp_path}/typed.py:{text}")


def test_parameters_without_default_are_plain_values(tmp_path: Path):
    (tmp_path / "typed.py").write_text(TYPED)
    assert zermelo.game(f"{tmp_path}/typed.py:Needs:size=3,word=x").parameters == {"size": 3, "word": "x"}


# ---- of other packages ----------------------------------------------------------------------


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A folder with an installed package that offers games, some of which do not work."""
    package, about = tmp_path / "their_games", tmp_path / "their_games-1.0.dist-info"
    package.mkdir()
    about.mkdir()
    (package / "__init__.py").write_text("")
    (package / "rules.py").write_text(
        '"""Many rules."""\n\n' + MINE.replace("(Game):", '(Game):\n    """Count down.\n\n    And stop.\n    """', 1)
    )
    (package / "broken.py").write_text("import nowhere_at_all\n")
    (package / "number.py").write_text("Mine = 5\n")
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: their-games\nVersion: 1.0\n")
    offered = {"countdown": "rules:Mine", "broken": "broken:Mine", "number": "number:Mine", "gone": "rules:Gone", "connect4": "rules:Mine"}
    lines = [f"{name} = their_games.{where}" for name, where in offered.items()]
    (about / "entry_points.txt").write_text("[zermelo.games]\n" + "\n".join(lines) + "\n")
    return tmp_path


def there(elsewhere: Path, program: str) -> str:
    """What this program prints where that package is installed."""
    environment = os.environ | {"PYTHONPATH": str(elsewhere)}
    command = [sys.executable, "-c", "import zermelo\n" + textwrap.dedent(program)]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout


def test_games_of_other_packages(elsewhere: Path):
    told = there(
        elsewhere,
        """
        print({"countdown", "broken", "connect4"} <= set(zermelo.names()), len(zermelo.names()) == len(set(zermelo.names())))
        game = zermelo.game("countdown:size=7")
        print(game.initial().n, type(game).__module__, repr(game), repr(zermelo.game(repr(game))))
        print(type(zermelo.game("connect4")).__module__)
        for name in ("broken", "number", "gone", "countdwn", "countdown:sise=3"):
            try:
                zermelo.game(name)
            except zermelo.ZermeloError as error:
                print(error)
        """,
    )
    assert told.splitlines() == [
        "True True",
        "7 their_games.rules countdown:size=7 countdown:size=7",
        "zermelo.games.connect4",
        "the game 'broken' is offered as their_games.broken:Mine, which does not load: "
        "ModuleNotFoundError: No module named 'nowhere_at_all'",
        "the game 'number' is offered as their_games.number:Mine, which is not a subclass of zermelo.Game",
        "the game 'gone' is offered as their_games.rules:Gone, which does not load: "
        "AttributeError: module 'their_games.rules' has no attribute 'Gone'",
        "there is no game 'countdwn' (did you mean countdown?)",
        "countdown has no parameter 'sise' (did you mean size?): it takes size",
    ]


def test_their_games_are_listed_the_broken_ones_too(elsewhere: Path):
    environment = os.environ | {"PYTHONPATH": str(elsewhere)}
    command = [sys.executable, "-m", "zermelo", "games"]
    told = subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout
    rows = {line.split()[0]: line for line in told.splitlines()}
    assert "Count down." in rows["countdown"]
    assert rows["countdown"].endswith("size=3")
    assert "does not load" in rows["broken"]
    assert set(BUILT_IN) < set(rows)


def test_finding_games_needs_nothing_of_numba():
    program = "import sys, zermelo; [zermelo.game(name) for name in zermelo.names()]; print({'numba', 'llvmlite'} & set(sys.modules))"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert told.strip() == "set()"


def test_find_gives_the_class():
    assert issubclass(registry.find("connect4:width=5"), Game)


@pytest.mark.parametrize(
    ("name", "value", "new"),
    [
        ("noisy", lambda self, s, a: False, "is_tactical"),
        ("position", lambda self, s: 0, "repetition_key"),
        ("slack", 0.1, "quiet_margin"),
        ("claims", True, "immediate"),
    ],
)
def test_a_hook_under_its_old_name_is_refused_with_the_new_one(name, value, new):
    with pytest.raises(ZermeloError, match=f"Mine: the hook '{name}' of a game is now called '{new}': rename it"):
        type("Mine", (zermelo.Game,), {name: value})


def test_helpers_may_have_the_old_names():
    class Mine(zermelo.Game):
        def position(self, row: int, column: int) -> int:
            return 8 * row + column

        def __init__(self) -> None:
            self.gain = 3

    assert Mine().position(1, 2) == 10 and Mine().gain == 3
    with pytest.raises(ZermeloError, match="'widest' of a game is now called 'max_actions'"):
        Mine().widest = 5
