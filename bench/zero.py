"""Self-play with a guided search: its speed on a GPU beside pgx and mctx, and the same visits wherever it runs.

python -m bench.zero equal [--root gumbel]                 GPU = native = interpreted, 256 roots of each game
python -m bench.zero speed [connect4|go] [--games N]       simulations a second of self-play, and the network's share (--root gumbel)
python -m bench.zero peer connect_four --games 8192        the same of pgx and mctx, with a network of the same size
python -m bench.zero network [GAME] [--games N]            the tower of a network as one kernel, and layer by layer by cuDNN
python -m bench.zero label FILE [--even]                   states of Connect Four with their right moves, by the solver of bitbully
python -m bench.zero judge NETWORK --labels FILE           how often a network finds one of them (--averaged, --player)
"""

from __future__ import annotations

import argparse
import json
import random
import time
from pathlib import Path
from typing import Any

import numpy as np

import zermelo

EQUAL = ("connect4", "go", "othello", "hex", "checkers", "backgammon")
SIZES = {"connect4": (4, 64, 64, 8192), "go": (6, 64, 100, 4096)}  # blocks, filters, simulations, games
TOWERS = {"connect4": (4, 8192), "go": (6, 4096), "othello": (5, 8192), "hex": (4, 8192)}  # blocks of 64 filters, games
SEED = 1
PLIES = range(4, 31)  # of the states that networks of Connect Four are judged by


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


def searched(game: Any, roots: list[Any], simulations: int, where: str, root: str) -> np.ndarray:
    """The visits of the roots' actions: on a GPU ("cuda"), natively ("cpu") or interpreted."""
    from zermelo.search.puct.gumbel import GumbelTree, advance_gumbel
    from zermelo.search.puct.puct import advance, begin
    from zermelo.search.puct.record import Tree
    from zermelo.search.puct.shape import shape_for
    from zermelo.search.puct.trees import Trees

    shape, nodes = shape_for(game, 1, 8), simulations * (3 if game.has_chance else 1) + 2
    starts = [game.layout.pack(s) for s in roots]
    record, go_on = (GumbelTree, advance_gumbel) if root == "gumbel" else (Tree, advance)
    given = {"simulations": simulations, "exploration": 1.5} | ({"considered": 16, "most_ends": 1} if root == "gumbel" else {})
    words = {"random": range(1, len(roots) + 1)} | ({"luck": range(len(roots))} if root == "gumbel" else {})
    if where != "interpreted":
        import torch

        from zermelo.learn.zero.slots import Slots

        floats = {"inputs": shape.inputs, "logits": shape.policy, "values": shape.values}
        slots = Slots(game, shape, record, len(roots), where, floats, nodes=nodes)
        for name, value in given.items():
            slots.give(name, value)
        slots.field("start").copy_(torch.from_numpy(np.array(starts, np.uint64).view(np.int64)))
        for name, values in words.items():
            slots.field(name).copy_(torch.tensor(list(values)))
        slots.run(begin)
        while bool((slots.field("leaf") != -1).any()):
            told = made_up(slots.floats["inputs"].double(), shape.policy, shape.values, lambda n: torch.arange(n, device=where))
            slots.floats["logits"].copy_(told[0])
            slots.floats["values"].copy_(told[1])
            slots.run(go_on)
        slots.check_width()
        return slots.field("visits")[:, 0].cpu().numpy()
    trees = Trees(game, shape, len(roots), record, interpreted=True, nodes=nodes)
    trees.give(**given)
    for name, values in ({"start": starts} | words).items():
        trees.set(name, values)
    asks = trees.run(begin)
    while any(asks):
        trees.logits[:], trees.values[:] = made_up(trees.inputs.astype(np.float64), shape.policy, shape.values, np.arange)
        asks = trees.run(go_on)
    return trees.get("visits")[:, 0]


def equal(games: tuple[str, ...], simulations: int, count: int, interpreted: int, root: str) -> None:
    for name in games:
        game = zermelo.game(name)
        roots = roots_of(game, count)
        cpu, gpu = (searched(game, roots, simulations, where, root) for where in ("cpu", "cuda"))
        slow = searched(game, roots[:interpreted], simulations, "interpreted", root)
        same, also = int((cpu == gpu).all(1).sum()), int((slow == cpu[:interpreted]).all(1).sum())
        say(game=name, root=root, roots=count, gpu_equals_native=same, interpreted=interpreted, interpreted_equals_native=also)


# ---- speed -----------------------------------------------------------------------------------


def speed(name: str, games: int, seconds: float, root: str) -> None:
    """Self-play with a network that has learned nothing."""
    import torch

    from zermelo.learn.zero.player import GumbelPlayer, Player
    from zermelo.learn.zero.settings import ZeroTraining
    from zermelo.search.puct.shape import shape_for

    blocks, filters, simulations, usual = SIZES[name]
    game = zermelo.game(name)
    shape = shape_for(game, blocks, filters)
    folded = _untrained(shape)
    settings = ZeroTraining(simulations=simulations).playing(game, 40)
    began = time.perf_counter()
    kind = GumbelPlayer if root == "gumbel" else Player
    player = kind(game, shape, folded, games or usual, 64, "cuda", settings)
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
    alone = _seconds_of(folded, player.slots.floats["inputs"])
    told = {"moves_per_s": round(moves / spent), "sims_per_s": round(moves * simulations / spent), "step_ms": round(spent / steps * 1e3, 4)}
    told |= {"network_ms": round(alone * 1e3, 4), "share": round(alone * steps / spent, 3), "ready_s": round(ready, 1)}
    say(game=name, root=root, games=games or usual, **told)


def network(name: str, games: int) -> None:
    """The tower of a network that has learned nothing, of inputs drawn at random."""
    import torch

    from zermelo.search.puct.shape import shape_for

    blocks, usual = TOWERS[name]
    shape = shape_for(zermelo.game(name), blocks, 64)
    folded, inputs = _untrained(shape), torch.rand(games or usual, shape.inputs, device="cuda").round()
    assert folded.tower is not None, "expected a GPU that multiplies bfloat16"
    kernel, layers = folded.tower(inputs).float(), folded.tower_of(inputs).float()
    told = {"kernel_ms": _seconds_of(folded.tower, inputs) * 1e3, "layers_ms": _seconds_of(folded.tower_of, inputs) * 1e3}
    told |= {"largest": float(layers.abs().max()), "largest_difference": float((kernel - layers).abs().max())}
    say(game=name, games=games or usual, **{name: round(x, 4) for name, x in told.items()})


def _untrained(shape: Any) -> Any:
    """A network that has learned nothing, as it plays on a GPU."""
    import torch

    from zermelo.learn.zero.network import Folded, Network, folded

    torch.backends.cudnn.benchmark = True
    return Folded(shape, folded(Network(shape).cuda()))


def _seconds_of(function: Any, inputs: Any) -> float:
    """Seconds that a network takes by itself, as a graph."""
    import torch

    graph = torch.cuda.CUDAGraph()
    function(inputs)
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        function(inputs)
    torch.cuda.synchronize()
    began = time.perf_counter()
    for _ in range(200):
        graph.replay()
    torch.cuda.synchronize()
    return (time.perf_counter() - began) / 200


# ---- Connect Four against its solver ---------------------------------------------------------


def label(path: str, count: int, is_even: bool) -> None:
    """Random states of plies 4 to 30 in which some move is wrong, each with its right ones by the solver of bitbully, into a file.

    Of later plies there are fewer, since random games end; is_even: as many of each ply.
    """
    from bitbully import BitBully, Board

    game, solver = zermelo.game("connect4"), BitBully(opening_book="12-ply-dist")
    chance, found = random.Random(SEED), dict[Any, list[bool]]()
    while len(found) < count:
        s, moves = game.initial(), list[int]()
        ply = PLIES[len(found) % len(PLIES)] if is_even else chance.choice(PLIES)
        for _ in range(ply):
            if game.is_terminal(s):
                break
            moves.append(chance.choice(list(game.actions(s))))
            s = game.result(s, moves[-1])
        if game.is_terminal(s):
            continue
        values = {a: (v > 0) - (v < 0) for a, v in solver.score_all_moves(Board(moves)).items()}
        if len(set(values.values())) > 1:
            found[s] = [values.get(a) == max(values.values()) for a in range(7)]
    np.savez(path, states=np.array([game.layout.pack(s) for s in found], np.uint64), good=np.array(list(found.values())))


def averaged(network: Any, game: Any, shape: Any, where: str) -> Any:
    """The network's answers on average over the symmetries of the board."""
    from zermelo.learn.zero.descent import Symmetries

    symmetries = Symmetries(game, shape, where)

    def answers(inputs: Any) -> tuple[Any, Any]:
        told = []
        for k in range(len(symmetries.cells)):
            turn = symmetries.cells.new_full((len(inputs),), k)
            logits, values = network(symmetries.turned(inputs, turn))
            told.append((logits.log_softmax(1).gather(1, symmetries.places[turn]), values))
        return tuple(sum(answers) / len(told) for answers in zip(*told, strict=True))

    return answers


def judge(run: str, labels: str, simulations: int, is_averaged: bool, proves: bool) -> None:
    """How often a network keeps the value of a state in which some move loses it: by its policy, and after a search."""
    import torch

    from zermelo.learn.zero.network import Folded
    from zermelo.learn.zero.slots import Slots
    from zermelo.search.puct.network import load
    from zermelo.search.puct.puct import advance, begin
    from zermelo.search.puct.record import Tree
    from zermelo.search.puct.search import edge_to_take

    game, data, where = zermelo.game("connect4"), np.load(labels), "cuda" if torch.cuda.is_available() else "cpu"
    shape, weights, _ = load(Path(run))
    network, count = Folded.of(shape, weights, where), len(data["states"])
    asked = averaged(network, game, shape, where) if is_averaged else network
    floats = {"inputs": shape.inputs, "logits": shape.policy, "values": shape.values}
    slots = Slots(game, shape, Tree, count, where, floats, nodes=simulations + 2)
    slots.give("simulations", simulations)
    slots.give("exploration", 1.5)
    slots.give("proves", int(proves))
    slots.field("start").copy_(torch.from_numpy(data["states"].view(np.int64)))
    slots.run(begin)
    policy = None
    while bool((slots.field("leaf") != -1).any()):
        logits, values = asked(slots.floats["inputs"])
        slots.floats["logits"].copy_(logits)
        slots.floats["values"].copy_(values)
        policy = logits.cpu().numpy().copy() if policy is None else policy
        slots.run(advance)
    actions, visits, priors = (slots.field(name)[:, 0].cpu().numpy() for name in ("actions", "visits", "prior"))
    counts, right = slots.field("count")[:, 0].cpu().numpy(), {"policy": 0, "search": 0}
    for i, good in enumerate(data["good"]):
        legal = actions[i, : counts[i]]
        right["policy"] += good[legal[np.argmax(policy[i, legal])]]
        right["search"] += good[legal[edge_to_take(visits[i, : counts[i]], priors[i])]]
    say(
        network=run,
        positions=count,
        simulations=simulations,
        averaged=is_averaged,
        proves=proves,
        **{name: round(100 * float(n) / count, 2) for name, n in right.items()},
    )


def judge_player(run: str, labels: str, simulations: int) -> None:
    """How often a player with this network takes an action that keeps the value of a state in which some move loses it."""
    game, data = zermelo.game("connect4"), np.load(labels)
    player = zermelo.MCTS(net=run, simulations=simulations)
    taken = [player.search(game, game.layout.unpack(words.tolist())).action for words in data["states"]]
    right = sum(bool(good[a]) for good, a in zip(data["good"], taken, strict=True))
    say(network=run, positions=len(taken), simulations=simulations, player=round(100 * right / len(taken), 2))


def say(**told: Any) -> None:
    print(json.dumps(told), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.zero", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("equal", "speed", "peer", "network", "label", "judge"))
    parser.add_argument("name", nargs="?", help="the game, or the file to judge or to write")
    parser.add_argument("--labels", default="labels.npz")
    parser.add_argument("--games", type=int, default=0, help="games at once")
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--simulations", type=int, default=80)
    parser.add_argument("--roots", type=int, default=256)
    parser.add_argument("--interpreted", type=int, default=8, help="roots that are searched by the interpreter, too")
    parser.add_argument("--root", choices=("puct", "gumbel"), default="puct")
    parser.add_argument("--policy", choices=("muzero", "gumbel"), default="muzero")
    parser.add_argument("--averaged", action="store_true", help="judge the mean of a network's answers over the symmetries of the board")
    parser.add_argument("--player", action="store_true", help="judge the player, on the CPU: it sees the board from all sides")
    parser.add_argument("--no-proofs", action="store_true", help="judge the search as it is while it learns")
    parser.add_argument("--even", action="store_true", help="label as many states of each ply")
    given = parser.parse_args()
    if given.what == "equal":
        equal((given.name,) if given.name else EQUAL, given.simulations, given.roots, given.interpreted, given.root)
    elif given.what == "speed":
        for name in (given.name,) if given.name else SIZES:
            speed(name, given.games, given.seconds, given.root)
    elif given.what == "network":
        for name in (given.name,) if given.name else TOWERS:
            network(name, given.games)
    elif given.what == "judge" and given.player:
        judge_player(given.name, given.labels, 100)
    elif given.what == "judge":
        judge(given.name, given.labels, 100, given.averaged, not given.no_proofs)
    elif given.what == "label":
        label(given.name, 2000, given.even)
    else:
        from .mctx_peer import play

        say(**play(given.name or "connect_four", given.games, given.policy))


if __name__ == "__main__":
    main()
