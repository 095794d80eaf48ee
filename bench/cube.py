"""Decisions about the doubling cube beside those of GNU Backgammon: python -m bench.cube [--games 40] [--seed 1] [--away 3-5] [--depth 1]

Positions come from games that the shipped model plays against itself with the cube. Each player of the model is asked whether to
double, and whether to take; so is GNU Backgammon (Debian's, 1.07) by 0-ply and by 2-ply, whose equities tell what a decision costs.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import zermelo
from zermelo.errors import ZermeloError
from zermelo.game import CHANCE
from zermelo.games.backgammon.state import CENTRE, MAY_DOUBLE, sides

from .gnubg import debian_command

PLIES = (0, 2)
ONE_ANSWER = 0.25  # a decision whose alternatives are further apart than this is easy

SCRIPT = """
import json, gnubg
with open({asked}) as file:
    asked = json.load(file)
found = []
for board, cube, owner, length, score, crawford in asked:
    about = gnubg.cubeinfo(cube, owner, 0, length, tuple(score), crawford, 0)
    about["jacoby"] = about["beavers"] = 0
    row = []
    for plies in {plies}:
        row.append(gnubg.cfevaluate(tuple(map(tuple, board)), about, gnubg.evalcontext(1, plies, 1, 0, 0.0))[1:4])
    found.append(row)
with open({answered}, "w") as file:
    json.dump(found, file)
"""


def positions(game: Any, searcher: Any, games: int, seed: int) -> list[Any]:
    """The states in which somebody could double, of games of the searcher against itself."""
    rng, found = random.Random(seed), list[Any]()
    for _ in range(games):
        s = game.initial()
        while not game.is_terminal(s):
            actions = list(game.actions(s))
            if game.to_move(s) == CHANCE:
                s = game.result(s, rng.choices(actions, [game.probability(s, a) for a in actions])[0])
                continue
            if s.roll == MAY_DOUBLE:
                found.append(s)
            s = game.result(s, actions[0] if len(actions) == 1 else searcher.search(game, s).action)
    return found


def question(game: Any, s: Any) -> list[Any]:
    """What GNU Backgammon is asked about s."""
    men, t, length = sides(s), s.turn, max(game.left)
    owner = -1 if s.owner == CENTRE else int(s.owner != t)
    scores = [length - game.left[t], length - game.left[1 - t]]
    return [[men[1 - t][1:], men[t][1:]], 1 << s.cube, owner, length, scores, 0]


def ask_gnubg(game: Any, states: list[Any]) -> np.ndarray[Any, Any]:
    """By 0-ply and by 2-ply of each state: what it is worth to roll, to double and be taken, to double and be dropped."""
    with tempfile.TemporaryDirectory() as folder:
        asked, answered, script = (Path(folder) / name for name in ("asked.json", "answered.json", "script.py"))
        asked.write_text(json.dumps([question(game, s) for s in states]))
        script.write_text(SCRIPT.format(asked=repr(str(asked)), answered=repr(str(answered)), plies=PLIES))
        quiet = subprocess.DEVNULL
        subprocess.run([*debian_command(), str(script)], stdin=quiet, stdout=quiet, stderr=quiet, check=False)
        if not answered.exists():
            raise ZermeloError("GNU Backgammon gave no answer: expected version 1.07 with Python")
        return np.array(json.loads(answered.read_text()))


def decisions(game: Any, searcher: Any, states: list[Any]) -> np.ndarray[Any, Any]:
    """Whether the searcher doubles, and takes, in each state."""
    found = []
    for s in states:
        doubled = game.result(s, 1)
        scores, answers = searcher.search(game, s).scores, searcher.search(game, doubled).scores
        found.append((scores[1] > scores[0], answers[0] >= answers[1]))
    return np.array(found)


def report(name: str, doubles: Any, takes: Any, exact: np.ndarray[Any, Any]) -> str:
    """A row: how often the decisions are those of 2-ply, and what they cost."""
    waits, taken, dropped = exact.T
    turned = np.minimum(taken, dropped)
    cost, answer = np.maximum(waits, turned) - np.where(doubles, turned, waits), np.where(takes, taken, dropped) - turned
    close, asked = np.abs(turned - waits) < ONE_ANSWER, np.abs(taken - dropped) < ONE_ANSWER
    same, same_answer = doubles == (turned > waits), takes == (taken <= dropped)
    first = f"{same.mean():.1%} | {same[close].mean():.1%} of {close.sum():,} | {cost.mean():.4f}"
    return f"| {name} | {first} | {same_answer[asked].mean():.1%} of {asked.sum():,} | {answer[asked].mean():.4f} |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.cube", description="Decisions about the cube beside GNU Backgammon's.")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--away", help="the points that the players need in a match (default: money)")
    parser.add_argument("--depth", type=int, nargs="*", default=[1])
    told = parser.parse_args()
    game = zermelo.game(f"backgammon:away={told.away}" if told.away else "backgammon:cube=true")
    greedy = zermelo.searcher("expectiminimax", depth=1, eval="learned")
    states = positions(game, greedy, told.games, told.seed)
    gnubg = ask_gnubg(game, states)
    print(f"{len(states):,} positions of {told.games} games of {game!r}\n")
    print("| decides | doubles | ... close ones | costs | takes, close ones | costs |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    for depth in told.depth:
        doubles, takes = decisions(game, zermelo.searcher("expectiminimax", depth=depth, eval="learned"), states).T
        print(report(f"our model, depth {depth}", doubles, takes, gnubg[:, 1]), flush=True)
    waits, taken, dropped = gnubg[:, 0].T
    print(report("GNU Backgammon 0-ply", np.minimum(taken, dropped) > waits, taken <= dropped, gnubg[:, 1]))


if __name__ == "__main__":
    main()
