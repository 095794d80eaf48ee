"""AlphaGo's networks: how often a policy plays as experts did, and what a search adds to it; `bench.go_match` has games against others.

python -m bench.alphago agree NETWORK FILE                          top-1 on games that were not learned from
python -m bench.alphago duel NETWORK --games 100 --simulations 64   AlphaGo's search against the policy alone, on a GPU if there is one
python -m bench.alphago policies NETWORK OTHER --games 1000         a policy against another, each action drawn from what they say
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
from zermelo.search.puct.mixed import MixedTree, advance_mixed
from zermelo.search.puct.network import OnnxNetwork, load
from zermelo.search.puct.puct import begin
from zermelo.search.puct.record import Tree
from zermelo.search.puct.trees import Trees

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


class Duel:
    """Games side by side, the search Black in one half of them; neither side fills an own eye. What lasts too long counts as it stands."""

    def __init__(self, path: str, games: int, simulations: int, mix: float, seed: int):
        shape, weights, _ = load(Path(path))
        self.game: Any = zermelo.game(shape.game)
        self.simulations, self.states, self.plies = simulations, [self.game.initial()] * games, 0
        self._network, self._trees = network_of(shape, weights), Trees(self.game, shape, games, MixedTree, nodes=MOST_SIMULATIONS + 2)
        self._trees.give(exploration=1.5, mix=mix)
        self._trees.set("random", range(1, 2 * games, 2))
        self._begin, self._advance = self._trees.prepare(begin), self._trees.prepare(advance_mixed)
        self._chance, self._pool = np.random.default_rng(seed), ThreadPoolExecutor(os.cpu_count())

    @property
    def live(self) -> list[int]:
        """The games that go on."""
        return [i for i, s in enumerate(self.states) if not self.game.is_terminal(s)]

    def open(self) -> None:
        """The first plies of all games, drawn by the policy."""
        for _ in range(OPENING):
            self._take_actions(self.live, 1, "prior", is_drawn=True)
        self.plies = OPENING

    def round(self) -> None:
        """The policy moves where it is its turn, then the search in all games at once."""
        self._take_actions([i for i in self.live if not self._is_searched(i)], 1, "prior")
        self._take_actions(self.live, self.simulations, "visits")
        self.plies += 2

    def _is_searched(self, i: int) -> bool:
        """Whether it is the search's turn in game i."""
        return bool(self.game.to_move(self.states[i]) == i % 2)

    def _take_actions(self, games: list[int], simulations: int, field: str, is_drawn: bool = False) -> None:
        """Go on with these games by the action with the most visits or the highest prior after so many simulations, or by one drawn."""
        self._search(games, simulations)
        liked, actions, count = (self._trees.get(name)[:, 0] for name in (field, "actions", "count"))
        for i in games:
            n, eyes = int(count[i]), set(self.game.list_of(self.game.eyes(self.states[i])))
            weights = liked[i, :n] * [int(a) not in eyes for a in actions[i, :n]]
            k = int(self._chance.choice(n, p=weights / weights.sum())) if is_drawn else int(weights.argmax())
            self.states[i] = self.game.result(self.states[i], int(actions[i, k]))

    def _search(self, games: list[int], simulations: int) -> None:
        """Make trees of these games; playouts run on all processors."""
        trees, asking = self._trees, games
        for i in games:
            trees.works["start"][i] = self.game.layout.pack(self.states[i])
            trees.works["simulations"][i] = simulations
            self._begin(trees.rows[i])
        shares = os.cpu_count() or 1
        while asking:
            trees.logits[asking], trees.values[asking] = self._network(trees.inputs[asking])
            asking = sorted(i for part in self._pool.map(self._advanced, [asking[k::shares] for k in range(shares)]) for i in part)

    def _advanced(self, games: list[int]) -> list[int]:
        """Go on with these trees; those that ask for another leaf."""
        return [i for i in games if self._advance(self._trees.rows[i])]


def duel(path: str, games: int, simulations: int, mix: float, seed: int, longest: int) -> None:
    """Play a duel, and say how it stands and how it ends."""
    began, played = time.perf_counter(), Duel(path, games, simulations, mix, seed)
    played.open()
    while played.live and played.plies < longest:
        played.round()
        if played.plies % 20 == 0:
            won, lost = standing(played.game, played.states)
            say(ply=played.plies, live=len(played.live), seconds=round(time.perf_counter() - began), ahead=won, behind=lost)
    won, lost = standing(played.game, played.states)
    told = {"games": games, "won": won, "drawn": games - won - lost, "lost": lost, "plies": played.plies, "unfinished": len(played.live)}
    say(network=path, simulations=simulations, mix=mix, **told)


def standing(game: Any, states: list[Any]) -> tuple[int, int]:
    """In how many games the search is ahead as the boards stand, and in how many behind."""
    got = [game.margin(s, i % 2) for i, s in enumerate(states)]
    return sum(x > 0 for x in got), sum(x < 0 for x in got)


# ---- a policy against another ----------------------------------------------------------------


def policies(path: str, other: str, games: int, seed: int) -> None:
    """Games without chance, side by side, the first policy in each seat in turn; what it gets in a game, and the standard error of that."""
    (shape, *_), networks = load(Path(path)), [network_of(*load(Path(file))[:2]) for file in (path, other)]
    game: Any = zermelo.game(shape.game)
    trees, states, chance = Trees(game, shape, games, Tree, nodes=2), [game.initial()] * games, np.random.default_rng(seed)
    while live := [i for i, s in enumerate(states) if not game.is_terminal(s)]:
        trees.set("start", [game.layout.pack(s) for s in states])
        trees.run(begin)
        is_mine = {i: game.to_move(states[i]) == i % game.players for i in live}
        for who, network in ((True, networks[0]), (False, networks[1])):
            asked = [i for i in live if is_mine[i] == who]
            for i, logits in zip(asked, network(trees.inputs[asked])[0] if asked else (), strict=True):
                actions = list(game.actions(states[i]))
                places = [game.policy_index(states[i], a) if game.has_policy_index else k for k, a in enumerate(actions)]
                likely = np.exp(logits[places] - logits[places].max())
                states[i] = game.result(states[i], actions[int(chance.choice(len(actions), p=likely / likely.sum()))])
    got = np.array([float(game.utility(s, i % game.players)) for i, s in enumerate(states)])
    say(network=path, other=other, games=games, mean=round(float(got.mean()), 3), error=round(float(got.std(ddof=1) / games**0.5), 3))


# ---- networks --------------------------------------------------------------------------------


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
    parser.add_argument("what", choices=("agree", "duel", "policies"))
    parser.add_argument("network")
    parser.add_argument("file", nargs="?", default="", help="of games, or the other network")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--simulations", type=int, default=64)
    parser.add_argument("--mix", type=float, default=0.5)
    parser.add_argument("--longest", type=int, default=500, help="plies of a duel")
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    if told.what == "agree":
        agree(told.network, told.file)
    elif told.what == "policies":
        policies(told.network, told.file, told.games, told.seed)
    else:
        duel(told.network, told.games, told.simulations, told.mix, told.seed, told.longest)


if __name__ == "__main__":
    main()
