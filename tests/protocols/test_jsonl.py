"""JSON lines: every game can be played through them, also by a client in another language; errors are answers."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from protocols.programs import COMMAND, Program

import zermelo
from zermelo.arena.clock import Clock, Control
from zermelo.arena.players.by_text import player
from zermelo.game import CHANCE
from zermelo.history import History
from zermelo.protocols.jsonl import Jsonl

ROOT = Path(__file__).parent.parent.parent
QUICK = "default:nodes=10,interpreted=true"


class Talk:
    """The server in this process: requests and answers as objects."""

    def __init__(self, game, player=QUICK):
        self.said = []
        self.server = Jsonl(lambda line: self.said.append(json.loads(line)), "0", zermelo.game(game), player)

    def __call__(self, command, **more):
        return self.raw(json.dumps({"command": command} | more))

    def raw(self, line):
        self.said.clear()
        self.goes_on = self.server.handle(line)
        if self.server._choosing is not None:
            self.server._choosing.join()
        return self.said[-1] if self.said else None


def test_describe_play_and_take_back():
    talk = Talk("tictactoe")
    hello = talk("hello", id=5)
    assert hello["id"] == 5 and hello["game"] == "tictactoe" and hello["players"] == 2 and not hello["chance"]
    first = talk("new")
    assert first["to_move"] == 0 and not first["over"] and first["ply"] == 0
    names = talk("actions")["actions"]
    assert len(names) == 9
    after = talk("play", action=names[4])
    assert after["to_move"] == 1 and after["ply"] == 1
    assert len(talk("actions")["actions"]) == 8
    assert talk("undo") == first
    again = talk("new", state=after["state"])
    assert again["state"] == after["state"]
    assert talk("new", actions=[names[4]])["state"] == after["state"]


@pytest.mark.parametrize("name", [n for n in zermelo.names() if n != "tree"])
def test_every_game_is_played_through_it(name):
    talk = Talk(name, "random")
    at = talk("new", seed=3)
    for _ in range(30):
        if at["over"]:
            break
        chosen = talk("choose")
        assert "error" not in chosen and (at["to_move"] == "chance") == bool(chosen.get("chance"))
        at = talk("play", action=chosen["action"])
        assert "error" not in at
    assert not at["over"] or len(at["utility"]) == talk("hello")["players"]


def test_chance_and_what_is_hidden():
    talk = Talk("kuhn")
    assert talk("new")["to_move"] == "chance"
    told = talk("actions")
    assert sum(told["probabilities"]) == pytest.approx(1.0) and len(told["probabilities"]) == len(told["actions"])
    for _ in range(2):
        if talk("state")["to_move"] == "chance":
            talk("play", action=talk("choose")["action"])
    seen = talk("state", player=0)
    assert "observation" in seen and "state" not in seen and "show" not in seen
    assert "error" in talk("state", player=7)
    assert "action" in talk("choose")


def test_a_search_with_limits_tells_its_progress():
    talk = Talk("connect4", "alphabeta:interpreted=true")
    talk("new")
    answer = talk("choose", depth=4, progress=True, id="x")
    steps = [x["progress"] for x in talk.said[:-1]]
    assert [s["depth"] for s in steps] == [1, 2, 3, 4]
    assert answer["id"] == "x" and answer["depth"] == 4 and answer["line"][0] == answer["action"]
    assert 0 < talk("choose", nodes=50)["nodes"] < 100
    assert "action" in talk("choose", seconds=0.05)
    assert "action" in talk("choose", clock={"left": [0.2, 0.2], "increment": 0.01})
    assert "action" in talk("choose", clock={"move": 0.05}, progress=True)
    assert "action" in talk("choose", **{"with": "greedy"})


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "3",
        '"hello"',
        '{"command": 3}',
        '{"command": "fly"}',
        '{"command": "play"}',
        '{"command": "play", "action": "z9"}',
        '{"command": "play", "action": 3}',
        '{"command": "undo"}',
        '{"command": "undo", "plies": -1}',
        '{"command": "new", "state": "nonsense"}',
        '{"command": "new", "state": 3}',
        '{"command": "new", "seed": "x"}',
        '{"command": "new", "actions": ["nonsense"]}',
        '{"command": "choose", "depth": 0}',
        '{"command": "choose", "depth": true}',
        '{"command": "choose", "seconds": -1}',
        '{"command": "choose", "clock": 3}',
        '{"command": "choose", "clock": {"left": [1]}}',
        '{"command": "choose", "with": "nobody"}',
        '{"command": "choose", "with": "human"}',
        "[" * 100_000,
    ],
)
def test_errors_are_answers(line):
    talk = Talk("tictactoe")
    answer = talk.raw(line)
    assert set(answer) == {"error"} and "\n" not in answer["error"] and talk.goes_on
    assert "state" in talk("state")


def test_the_end():
    talk = Talk("tictactoe")
    while not talk("state")["over"]:
        talk("play", action=talk("actions")["actions"][0])
    assert "over" in talk("choose")["error"] and "error" in talk("play", action="x")
    assert talk("actions")["actions"] == []
    assert talk("quit", id=1) == {"id": 1} and not talk.goes_on


def test_stop_is_answered_after_the_search():
    with Program("serve-json", "connect4", "--with", "alphabeta") as it:
        it.say('{"command": "choose", "id": 1, "progress": true, "seconds": 600}')
        it.until('{"id": 1, "progress"')
        it.say('{"command": "play", "action": "1", "id": 2}', '{"command": "stop", "id": 3}')
        lines = it.until('{"id": 3')
        answers = [json.loads(line) for line in lines]
        assert "running" in next(x for x in answers if x.get("id") == 2)["error"]
        last = [x for x in answers if x.get("id") == 1][-1]
        assert last["action"] and answers.index(last) == len(answers) - 2
        assert it.end() == 0


@pytest.mark.parametrize("text", ["connect4", "backgammon", "kuhn"])
def test_our_own_driver_plays_through_it(text):
    game = zermelo.game(text)
    command = " ".join([sys.executable, "-m", "zermelo", "serve-json", text, "--with", "random"])
    side, history, clock = player(f"json:{command}"), History(game), Clock(Control.read("60"), 2)
    side.begin(game, 0, 1)
    while not history.is_over and len(history.taken) < 20:
        if game.to_move(history.state) == CHANCE:
            history.do(next(iter(game.actions(history.state))))
        else:
            history.do(side.choose(game, history, clock))
    side.close()
    with pytest.raises(zermelo.ZermeloError, match="expected a program that plays"):
        side.begin(zermelo.game("tictactoe"), 0, 1)


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize("text", ["connect4", "pig"])
def test_the_client_in_another_language(text):
    env = os.environ | {"ZERMELO": " ".join(COMMAND)}
    done = subprocess.run(
        ["node", ROOT / "examples" / "client.js", text], capture_output=True, text=True, env=env, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0].startswith(text) and "utility" in done.stdout


def test_the_dialogue_of_the_documentation():
    text = (ROOT / "docs" / "protocols.md").read_text().partition("```text\n")[2].partition("```")[0]
    talk, lines = Talk("tictactoe", "default"), text.splitlines()
    for asked, told in zip(lines[::2], lines[1::2], strict=True):
        answer, expected = talk.raw(asked.removeprefix("> ")), json.loads(told)
        for key in ("seconds", "version", "nodes", "line"):
            assert (key in answer) == (key in expected)
            expected[key] = answer[key] = None
        assert answer == expected
    assert not talk.goes_on
