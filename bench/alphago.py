"""AlphaGo's networks: how often a policy plays as experts did, what a search adds to it, and games against GNU Go.

python -m bench.alphago agree NETWORK FILE                          top-1 on games that were not learned from
python -m bench.alphago duel NETWORK --games 100 --simulations 64   AlphaGo's search against the policy alone, on a GPU if there is one
python -m bench.alphago gnugo NETWORK --games 100                   the policy without a search against GNU Go level 10
python -m bench.alphago gnugo NETWORK --search 570                  with a search of so many simulations
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

import zermelo
from zermelo.history import History
from zermelo.search.mcts.searcher import MCTS
from zermelo.search.puct.network import OnnxNetwork, load, load_for

OPENING = 12  # plies of a duel that are drawn by the policy, so that no two games are alike
LEVEL = "10"
MOST_SIMULATIONS = 256


def say(**told: Any) -> None:
    print(json.dumps(told), flush=True)


def agree(path: str, file: str) -> None:
    """How often the policy likes best what was played."""
    import torch

    from zermelo.learn.alphago.expert import agreement
    from zermelo.learn.alphago.positions import read_positions
    from zermelo.learn.zero.network import Folded, Network

    where = "cuda" if torch.cuda.is_available() else "cpu"
    shape, weights, about = load(Path(path))
    game = zermelo.game(shape.game)
    positions = read_positions(game, shape, [file])
    right, error = agreement(game, Folded.of(shape, weights, where), Network(shape), positions, 256, where)
    say(network=path, positions=len(positions), top1=round(right, 4), value_error=round(error, 4), **about)


# ---- a search against the policy alone -------------------------------------------------------


def duel(path: str, games: int, simulations: int, mix: float, seed: int, longest: int) -> None:
    """Games side by side, in one half of which the search is Black; neither fills an own eye. What lasts too long counts as it stands."""
    from zermelo.search.puct.mixed import MixedTree, advance_mixed
    from zermelo.search.puct.puct import begin
    from zermelo.search.puct.trees import Trees

    shape, weights, _ = load(Path(path))
    game: Any = zermelo.game(shape.game)
    network, trees = network_of(shape, weights), Trees(game, shape, games, MixedTree, nodes=MOST_SIMULATIONS + 2)
    trees.give(exploration=1.5, mix=mix)
    trees.set("random", range(1, 2 * games, 2))
    chance, states, ply, began = np.random.default_rng(seed), [game.initial()] * games, 0, time.perf_counter()
    go_on, pool = trees.prepare(advance_mixed), ThreadPoolExecutor(os.cpu_count())
    while (live := [i for i, s in enumerate(states) if not game.is_terminal(s)]) and ply < longest:
        searches = [i % 2 == game.to_move(s) and ply >= OPENING and i in live for i, s in enumerate(states)]
        trees.set("start", [game.layout.pack(s) for s in states])
        trees.set("simulations", [simulations if one else 1 for one in searches])
        trees.run(begin)
        asking = live
        while asking:
            trees.logits[asking], trees.values[asking] = network(trees.inputs[asking])
            going = pool.map(go_on, [trees.rows[i] for i in asking])
            asking = [i for i, one in zip(asking, going, strict=True) if one]
        prior, visits, actions, count = (trees.get(name)[:, 0] for name in ("prior", "visits", "actions", "count"))
        for i in live:
            n, eyes = int(count[i]), set(game.list_of(game.eyes(states[i])))
            liked = (visits if searches[i] else prior)[i, :n] * [int(a) not in eyes for a in actions[i, :n]]
            k = int(chance.choice(n, p=liked / liked.sum())) if ply < OPENING else int(liked.argmax())
            states[i] = game.result(states[i], int(actions[i, k]))
        ply += 1
        if ply % 20 == 0:
            won, lost = standing(game, states)
            say(ply=ply, live=len(live), seconds=round(time.perf_counter() - began), ahead=won, behind=lost)
    won, lost = standing(game, states)
    told = {"games": games, "won": won, "drawn": games - won - lost, "lost": lost, "plies": ply, "unfinished": len(live)}
    say(network=path, simulations=simulations, mix=mix, **told)


def standing(game: Any, states: list[Any]) -> tuple[int, int]:
    """In how many games the search is ahead as the boards stand, and in how many behind."""
    got = [game.margin(s, i % 2) for i, s in enumerate(states)]
    return sum(x > 0 for x in got), sum(x < 0 for x in got)


def network_of(shape: Any, weights: dict[str, Any]) -> Any:
    """The network: on a GPU by torch if there is one, else by onnxruntime."""
    try:
        import torch

        if torch.cuda.is_available():
            from zermelo.learn.zero.network import Folded

            folded = Folded.of(shape, weights, "cuda")
            return lambda inputs: [x.cpu().numpy() for x in folded(torch.from_numpy(inputs).cuda())]
    except ImportError:
        pass
    return OnnxNetwork(shape, weights)


# ---- against GNU Go --------------------------------------------------------------------------


class GnuGo:
    """GNU Go by GTP, under Chinese rules; it also counts the game."""

    def __init__(self, size: int, komi: float, seed: int):
        call = ["gnugo", "--mode", "gtp", "--level", LEVEL, "--chinese-rules", "--seed", str(seed)]
        self._process = subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ask(f"boardsize {size}")
        self.ask("clear_board")
        self.ask(f"komi {komi}")

    def ask(self, command: str) -> str:
        assert self._process.stdin and self._process.stdout
        print(command, file=self._process.stdin, flush=True)
        lines = []
        while (line := self._process.stdout.readline().strip()) or not lines:
            lines.append(line)
        return lines[0].removeprefix("=").strip()

    def end(self) -> None:
        self.ask("quit")
        self._process.wait()


def best_move(game: Any, history: History, network: Any, trees: Any, opening: bool, chance: np.random.Generator) -> int:
    """What the policy likes best and superko allows; it never fills an own eye. In an opening it is drawn from the policy."""
    from zermelo.search.puct.puct import begin

    s = history.state
    trees.set("start", [game.layout.pack(s)])
    trees.run(begin)
    logits = network(trees.inputs)[0][0]
    eyes = set(game.list_of(game.eyes(s)))
    actions = [a for a in history.actions() if a not in eyes]
    weights = np.exp([logits[a] - max(logits[b] for b in actions) for a in actions])
    if opening:
        return int(chance.choice(actions, p=weights / weights.sum()))
    return actions[int(weights.argmax())]


def gnugo(path: str, games: int, seed: int, first: int, simulations: int) -> None:
    """The policy, or a search; it passes when GNU Go has passed. Each game begins with four plies drawn from the policy, for both."""
    from zermelo.search.puct.record import Tree
    from zermelo.search.puct.trees import Trees

    shape = load(Path(path))[0]
    game: Any = zermelo.game(shape.game)
    network, trees = load_for(game, path)[1], Trees(game, shape, 1, Tree, nodes=2)
    searcher, won = MCTS(net=path, simulations=max(1, simulations)), 0
    for i in range(first, first + games):
        chance, history = np.random.default_rng([seed, i // 2]), History(game)
        other, mine = GnuGo(game.size, game.komi, seed + i), i % 2
        while not history.is_over:
            s, colour, opens = history.state, ("black", "white")[history.state.turn], len(history.taken) < 4
            if opens or s.turn == mine:
                if s.passes:
                    a = game.pass_
                elif opens or not simulations:
                    a = best_move(game, history, network, trees, opens, chance)
                else:
                    a = searcher.search(game, history).action
                other.ask(f"play {colour} {game.write_action(s, a)}")
            else:
                told = other.ask(f"genmove {colour}").lower()
                if told == "resign":
                    break
                a = game.read_action(s, told if told == "pass" else told.upper())
            history.do(a)
        score = ("B+R", "W+R")[mine] if not history.is_over else other.ask("final_score")
        other.end()
        won += score.startswith("BW"[mine])
        played = i - first + 1
        error = 1.96 * math.sqrt(won / played * (1 - won / played) / played)
        say(
            game=i,
            seat="BW"[mine],
            score=score,
            plies=len(history.taken),
            won=won,
            played=played,
            share=round(won / played, 3),
            plus_minus=round(error, 3),
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("agree", "duel", "gnugo"))
    parser.add_argument("network")
    parser.add_argument("file", nargs="?", default="")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="the number of the first game, which decides its opening")
    parser.add_argument("--simulations", type=int, default=64)
    parser.add_argument("--search", type=int, default=0, metavar="N", help="simulations of a move against GNU Go; 0: the policy alone")
    parser.add_argument("--mix", type=float, default=0.5)
    parser.add_argument("--longest", type=int, default=500, help="plies of a duel")
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    if told.what == "agree":
        agree(told.network, told.file)
    elif told.what == "duel":
        duel(told.network, told.games, told.simulations, told.mix, told.seed, told.longest)
    else:
        gnugo(told.network, told.games, told.seed, told.first, told.search)


if __name__ == "__main__":
    main()
