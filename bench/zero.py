"""Self-play with a guided search: its speed on a GPU beside pgx and mctx, and the same visits wherever it runs.

python -m bench.zero equal                                 GPU = native = interpreted, 256 roots of each game
python -m bench.zero speed [connect4|go] [--games N]       simulations a second of self-play, and the network's share
python -m bench.zero peer connect_four --games 8192        the same of pgx and mctx, with a network of the same size
"""

from __future__ import annotations

import argparse
import json
import random
import time
from typing import Any

import numpy as np

import zermelo

EQUAL = ("connect4", "go", "othello", "hex", "checkers", "backgammon")
SIZES = {"connect4": (4, 64, 64, 8192), "go": (6, 64, 100, 4096)}  # blocks, filters, simulations, games
SEED = 1


# ---- the same visits -------------------------------------------------------------------------


def roots_of(game: Any, count: int) -> list[Any]:
    """States of random games in which a player moves."""
    chance, found = random.Random(SEED), []
    while len(found) < count:
        s = game.initial()
        for _ in range(chance.randrange(30)):
            t = game.result(s, chance.choice(list(game.actions(s))))
            if game.is_terminal(t):
                break
            s = t
        while game.to_move(s) < 0:
            s = game.result(s, chance.choice(list(game.actions(s))))
        if not game.is_terminal(s):
            found.append(s)
    return found


def made_up(inputs: Any, policy: int, values: int, arange: Any) -> tuple[Any, Any]:
    """What stands for a network: whole numbers made of the inputs, and therefore the same everywhere."""
    h = (inputs * (arange(inputs.shape[1]) % 97 + 1)).sum(1)[:, None]
    return (h * 31 + arange(policy) * 17) % 64 / 16, ((h + arange(values) * 5) % 33 - 16) / 16


def searched(game: Any, roots: list[Any], simulations: int, where: str) -> np.ndarray:
    """The visits of the roots' actions: on a GPU ("cuda"), natively ("cpu") or interpreted."""
    from zermelo.search.puct.puct import advance, begin
    from zermelo.search.puct.record import Tree
    from zermelo.search.puct.shape import shape_for
    from zermelo.search.puct.trees import Trees

    shape, nodes = shape_for(game, 1, 8), simulations * (3 if game.has_chance else 1) + 2
    starts = [game.layout.pack(s) for s in roots]
    if where != "interpreted":
        import torch

        from zermelo.learn.zero.slots import Slots

        floats = {"inputs": shape.inputs, "logits": shape.policy, "values": shape.values}
        slots = Slots(game, shape, Tree, len(roots), where, floats, nodes=nodes)
        slots.give("simulations", simulations)
        slots.give("exploration", 1.5)
        slots.field("start").copy_(torch.from_numpy(np.array(starts, np.uint64).view(np.int64)))
        slots.field("random").copy_(torch.arange(1, len(roots) + 1))
        slots.run(begin)
        while bool((slots.field("leaf") != -1).any()):
            told = made_up(slots.floats["inputs"].double(), shape.policy, shape.values, lambda n: torch.arange(n, device=where))
            slots.floats["logits"].copy_(told[0])
            slots.floats["values"].copy_(told[1])
            slots.run(advance)
        slots.check_width()
        return slots.field("visits")[:, 0].cpu().numpy()
    trees = Trees(game, shape, len(roots), interpreted=True, nodes=nodes)
    trees.give(simulations=simulations, exploration=1.5)
    trees.set("start", starts)
    trees.set("random", range(1, len(roots) + 1))
    asks = trees.run(begin)
    while any(asks):
        trees.logits[:], trees.values[:] = made_up(trees.inputs.astype(np.float64), shape.policy, shape.values, np.arange)
        asks = trees.run(advance)
    return trees.get("visits")[:, 0]


def equal(games: tuple[str, ...], simulations: int, count: int, interpreted: int) -> None:
    for name in games:
        game = zermelo.game(name)
        roots = roots_of(game, count)
        cpu, gpu = searched(game, roots, simulations, "cpu"), searched(game, roots, simulations, "cuda")
        slow = searched(game, roots[:interpreted], simulations, "interpreted")
        same, also = int((cpu == gpu).all(1).sum()), int((slow == cpu[:interpreted]).all(1).sum())
        say(game=name, roots=count, gpu_equals_native=same, interpreted=interpreted, interpreted_equals_native=also)


# ---- speed -----------------------------------------------------------------------------------


def speed(name: str, games: int, seconds: float) -> None:
    """Self-play with a network that has learned nothing."""
    import torch

    from zermelo.learn.zero.network import Folded, Network
    from zermelo.learn.zero.player import Player
    from zermelo.learn.zero.settings import ZeroTraining
    from zermelo.search.puct.shape import shape_for

    blocks, filters, simulations, usual = SIZES[name]
    game, torch.backends.cudnn.benchmark = zermelo.game(name), True
    shape = shape_for(game, blocks, filters)
    folded = Folded(Network(shape).cuda().to(memory_format=torch.channels_last))
    settings = ZeroTraining(simulations=simulations).playing(game, 40)
    began = time.perf_counter()
    player = Player(game, shape, folded, games or usual, 64, "cuda", settings)
    player.play_round()
    torch.cuda.synchronize()
    ready = time.perf_counter() - began
    for _ in range(3):
        player.play_round()
    before, began, steps = player.count("kept"), time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        player.play_round()
        steps += simulations + 1
        torch.cuda.synchronize()
    spent, moves = time.perf_counter() - began, player.count("kept") - before
    network = _network_alone(folded, player)
    told = {"moves_per_s": round(moves / spent), "sims_per_s": round(moves * simulations / spent), "step_ms": round(spent / steps * 1e3, 4)}
    say(game=name, games=games or usual, **told, network_ms=round(network * 1e3, 4), share=round(network * steps / spent, 3), ready_s=round(ready, 1))


def _network_alone(folded: Any, player: Any) -> float:
    """Seconds of the network in a step, by itself, as a graph."""
    import torch

    inputs, graph = player.slots.floats["inputs"], torch.cuda.CUDAGraph()
    folded(inputs)
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        folded(inputs)
    torch.cuda.synchronize()
    began = time.perf_counter()
    for _ in range(200):
        graph.replay()
    torch.cuda.synchronize()
    return (time.perf_counter() - began) / 200


def say(**told: Any) -> None:
    print(json.dumps(told), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.zero", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("equal", "speed", "peer"))
    parser.add_argument("name", nargs="?", help="the game")
    parser.add_argument("--games", type=int, default=0, help="games at once")
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--simulations", type=int, default=80)
    parser.add_argument("--roots", type=int, default=256)
    parser.add_argument("--interpreted", type=int, default=8, help="roots that are searched by the interpreter, too")
    parser.add_argument("--policy", choices=("muzero", "gumbel"), default="muzero")
    given = parser.parse_args()
    if given.what == "equal":
        equal((given.name,) if given.name else EQUAL, given.simulations, given.roots, given.interpreted)
    elif given.what == "speed":
        for name in (given.name,) if given.name else SIZES:
            speed(name, given.games, given.seconds)
    else:
        from .mctx_peer import play

        say(**play(given.name or "connect_four", given.games, given.policy))


if __name__ == "__main__":
    main()
