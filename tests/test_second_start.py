"""A second start from the cache: every built-in game and every entry point, in a fresh process, without the compiler."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import zermelo

#: each game in a size whose complete games can be counted, where it has one
SMALL = {
    "antichess": "antichess",
    "backgammon": "backgammon",
    "bins": "bins:game=2",
    "checkers": "checkers",
    "chess": "chess",
    "connect4": "connect4:width=3,height=3,line=3",
    "darkchess": "darkchess",
    "darkhex": "darkhex:size=2",
    "ginrummy": "ginrummy",
    "go": "go:size=3",
    "goofspiel": "goofspiel:cards=3",
    "hearts": "hearts",
    "hex": "hex:size=2",
    "hiddenwhist": "hiddenwhist:players=2,suits=2,ranks=3,hand=2",
    "holdem": "holdem",
    "kalah": "kalah:houses=2,seeds=2",
    "kriegspiel": "kriegspiel",
    "kuhn": "kuhn",
    "leduc": "leduc",
    "liarsdice": "liarsdice:sides=3",
    "mnk": "mnk:width=4,height=2,line=3",
    "morris": "morris",
    "nim": "nim:heaps=2,3",
    "nolimit": "nolimit",
    "othello": "othello:size=4",
    "phantomttt": "phantomttt",
    "pig": "pig:target=5",
    "tictactoe": "tictactoe",
    "tree": "tree",
    "trio": "trio:width=3,height=2",
    "uniform": "uniform:depth=3",
    "whist": "whist:ranks=2",
}

SCRIPT = """
import json, sys
import zermelo
from zermelo.check.probe import Probe, probe
from zermelo.search.prepare import prepare

for text in json.loads(sys.argv[1]):
    game = zermelo.game(text)
    run = prepare(game, probe, Probe, interpreted=False, actions=64, results=64, seen=64, features=8, planes=32, patterns=4, outcomes=4)
    asked = run(start=game.layout.pack(game.initial()), random=[1, 2, 3, 4])
    uncounted = "antichess backgammon checkers chess darkchess ginrummy go hearts holdem kriegspiel morris nolimit phantomttt pig".split()
    games = 0 if game.name in uncounted else zermelo.perft(game, None)
    played = zermelo.playouts(game, 1000, seed=3, limit=200)
    told = [games, zermelo.perft(game, 2), played.moves, played.utility, int(asked.key), [int(a) for a in asked.actions[: asked.many]]]
    print(json.dumps([text, *told]), flush=True)
print("numba" in sys.modules)
"""


def start(texts: list[str]) -> list[str]:
    done = subprocess.run([sys.executable, "-c", SCRIPT, json.dumps(texts)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"ended with {done.returncode}: {done.stderr}"
    return done.stdout.splitlines()


def test_every_game_is_there():
    assert sorted(SMALL) == zermelo.names()


@pytest.mark.parametrize(
    "names", [["kuhn", "nim", "pig", "tictactoe", "trio"], pytest.param(list(SMALL), marks=pytest.mark.slow)], ids=["few", "all"]
)
def test_every_game_and_entry_point_starts_again_from_the_cache(names):
    first, second = (start([SMALL[name] for name in names]) for _ in range(2))
    assert second[:-1] == first[:-1]
    assert second[-1] == "False", "the second start needed the compiler"
    games = {json.loads(line)[0]: json.loads(line)[1] for line in second[:-1]}
    assert games["tictactoe"] == 255_168
    assert games["nim:heaps=2,3"] == zermelo.perft(zermelo.game("nim:heaps=2,3"), None, interpreted=True)
