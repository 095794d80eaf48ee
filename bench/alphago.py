"""AlphaGo's networks: how often a policy plays as experts did, and what a search adds to it; `bench.go_match` has games against others.

python -m bench.alphago agree NETWORK FILE                          top-1 on games that were not learned from
python -m bench.alphago duel NETWORK --games 100 --simulations 64   AlphaGo's search against the policy alone, on a GPU if there is one
"""

from __future__ import annotations

import argparse
import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

import zermelo
from zermelo.search.puct.network import OnnxNetwork, load

OPENING = 12  # plies of a duel that are drawn by the policy, so that no two games are alike
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("agree", "duel"))
    parser.add_argument("network")
    parser.add_argument("file", nargs="?", default="")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--simulations", type=int, default=64)
    parser.add_argument("--mix", type=float, default=0.5)
    parser.add_argument("--longest", type=int, default=500, help="plies of a duel")
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    if told.what == "agree":
        agree(told.network, told.file)
    else:
        duel(told.network, told.games, told.simulations, told.mix, told.seed, told.longest)


if __name__ == "__main__":
    main()
