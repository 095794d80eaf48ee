"""Games of Go of a network against another player, side by side: the network answers for all of them at once, on a GPU if there is one.

python -m bench.go_match NETWORK --games 100                        the policy without a search, against GNU Go level 10
python -m bench.go_match NETWORK --search 550                       with a search of so many simulations, each tree begun anew
python -m bench.go_match NETWORK --search 550 --playouts 55000      against the search by playouts, which keeps its tree
"""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

import zermelo
from zermelo.history import History
from zermelo.search.by_name import default_searcher
from zermelo.search.forbidden import forbidden_by_history
from zermelo.search.puct.network import load
from zermelo.search.puct.puct import advance, begin
from zermelo.search.puct.record import Tree
from zermelo.search.puct.trees import Trees

from .alphago import network_of, say

LEVEL = "10"
MOST_DEATHS = 3  # of GNU Go in a game
OPENING = 4  # plies that are drawn from the policy, for both
EXPLORATION = 1.5


class Died(Exception):
    """GNU Go did, where it was told so much."""


class GnuGo:
    """GNU Go by GTP, under Chinese rules; it also counts the game, without the stones that it takes to be dead.

    GNU Go 3.8 dies of a segmentation fault now and then. It is then begun anew with another seed, and told the game so far; a game in which
    that does not help is void.
    """

    def __init__(self, game: Any, seed: int):
        self._game, self._seed, self._deaths = game, seed, 0
        self._told = [f"boardsize {game.size}", "clear_board", f"komi {game.komi}"]
        self._process = self._begun()

    def _begun(self) -> subprocess.Popen[str]:
        """A process that knows the game so far."""
        call = ["gnugo", "--mode", "gtp", "--level", LEVEL, "--chinese-rules", "--seed", str(self._seed + 1_000_000 * self._deaths)]
        self._process = subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for command in self._told:
            self._say(command)
        return self._process

    def _ask(self, command: str) -> str:
        """What it answers, if need be in another life."""
        while True:
            try:
                return self._say(command)
            except (Died, BrokenPipeError) as error:
                self._deaths += 1
                say(gnugo=str(error), seed=self._seed)
                if self._deaths > MOST_DEATHS:
                    raise Died from None
                self._begun()

    def _say(self, command: str) -> str:
        assert self._process.stdin and self._process.stdout
        print(command, file=self._process.stdin, flush=True)
        lines = list[str]()
        while (line := self._process.stdout.readline()).strip() or not lines:
            if not line:
                raise Died(f"GNU Go ended with code {self._process.wait()} when it was told: {command}")
            lines.append(line.strip())
        return lines[0].removeprefix("=").strip()

    def is_told(self, history: History, a: int) -> None:
        """Action a is about to be taken by the network, or by nobody in an opening."""
        command = f"play {colour(history)} {self._game.write_action(history.state, a)}"
        self._ask(command)
        self._told.append(command)

    def answer(self, history: History) -> int | None:
        """What it plays; None if it resigns."""
        told = self._ask(f"genmove {colour(history)}")
        self._told.append(f"play {colour(history)} {told}")
        if told.lower() == "resign":
            return None
        return int(self._game.read_action(history.state, "pass" if told.lower() == "pass" else told.upper()))

    def score(self, history: History) -> str:
        """How the game ended, as B+3.5."""
        return self._ask("final_score")

    def end(self) -> None:
        """It is not needed any more."""
        self._ask("quit")
        self._process.wait()


def colour(history: History) -> str:
    """Who is to move, in the words of GTP."""
    return ("black", "white")[history.state.turn]


class Playouts:
    """The search by playouts that plays Go best without a network. Stones on the board count as they stand."""

    def __init__(self, game: Any, seed: int, simulations: int):
        self._game, self._searcher = game, default_searcher(game, simulations=simulations, seed=seed)

    def is_told(self, history: History, a: int) -> None:
        """It looks at the history itself."""

    def answer(self, history: History) -> int | None:
        """What it plays: it never resigns, for a network that learned from games that were given up may spoil one that is won."""
        return self._searcher.search(self._game, history).action

    def score(self, history: History) -> str:
        """How the game ended."""
        margin = self._game.margin(history.state, 0)
        return f"{'B' if margin > 0 else 'W'}+{abs(margin):g}" if margin else "0"

    def end(self) -> None:
        """There is nothing to end."""


class Side:
    """A network that plays all games: its trees, one for each."""

    def __init__(self, path: str, games: int, simulations: int):
        shape, weights, _ = load(Path(path))
        self.game: Any = zermelo.game(shape.game)
        self.simulations = simulations
        self._network = network_of(shape, weights)
        self._trees = Trees(self.game, shape, games, Tree, nodes=max(1, simulations) + 2)
        self._trees.give(exploration=EXPLORATION)

    def policy(self, histories: dict[int, History]) -> dict[int, tuple[list[int], Any]]:
        """For each game the actions that do not fill an own eye and that superko allows, and their probabilities."""
        self._ask_roots(histories, 1)
        made = {}
        for i, history in histories.items():
            eyes = set(self.game.list_of(self.game.eyes(history.state)))
            actions = [a for a in history.actions() if a not in eyes]
            weights = np.exp(self._trees.logits[i, actions] - self._trees.logits[i, actions].max())
            made[i] = actions, weights / weights.sum()
        return made

    def searched(self, histories: dict[int, History]) -> dict[int, int]:
        """For each game the action tried most."""
        go_on = self._trees.prepare(advance)
        asking = self._ask_roots(histories, self.simulations)
        while asking:
            asking = [i for i in asking if go_on(self._trees.rows[i])]
            if asking:
                self._trees.logits[asking], self._trees.values[asking] = self._network(self._trees.inputs[asking])
        visits, actions = self._trees.get("visits")[:, 0], self._trees.get("actions")[:, 0]
        return {i: int(actions[i, visits[i].argmax()]) for i in histories}

    def _ask_roots(self, histories: dict[int, History], simulations: int) -> list[int]:
        """Make these states the roots, of which the network says what it thinks; the games."""
        trees, asking, start = self._trees, list(histories), self._trees.prepare(begin)
        for i, history in histories.items():
            bars, s = set(forbidden_by_history(self.game, history)), history.state
            trees.works["start"][i] = self.game.layout.pack(s)
            trees.works["forbidden"][i] = [int(a in bars) for a in self.game.actions(s)] + [0] * (trees.width - self.game.count(s))
            trees.works["visits"][i, 0] = 0
            trees.works["simulations"][i] = simulations
            start(trees.rows[i])
        if asking:
            trees.logits[asking], trees.values[asking] = self._network(trees.inputs[asking])
        return asking


class Match:
    """Games side by side: each round every game goes on by a ply. The network is Black in those of even number."""

    def __init__(self, side: Side, games: int, first: int, seed: int, playouts: int):
        game = side.game
        self.side, self.numbers = side, range(first, first + games)
        self.histories = [History(game) for _ in self.numbers]
        self.chance = [np.random.default_rng([seed, n // 2]) for n in self.numbers]
        self.others: list[Any] = [Playouts(game, seed + n, playouts) if playouts else GnuGo(game, seed + n) for n in self.numbers]
        self.live, self.won, self.drawn, self.lost = set(range(games)), 0, 0, 0
        self.passes_after_pass = not playouts  # GNU Go counts without dead stones
        self.pool, self.began = ThreadPoolExecutor(os.cpu_count()), time.perf_counter()

    def round(self) -> None:
        """A ply of every game that goes on."""
        live, opens = sorted(self.live), len(self.histories[min(self.live)].taken) < OPENING
        mine = [i for i in live if opens or self.histories[i].state.turn == self.numbers[i] % 2]
        asked: dict[int, Future[int | None]] = {}
        for i in sorted(set(live) - set(mine)):
            asked[i] = self.pool.submit(self.others[i].answer, self.histories[i])
        for i, a in self._chosen(mine, opens).items():
            asked[i] = self.pool.submit(self._told, i, a)
        for i, told in asked.items():
            try:
                self._take(i, told.result())
            except Died:
                self.live.remove(i)
                say(game=self.numbers[i], void=True, plies=len(self.histories[i].taken))

    def _told(self, i: int, a: int) -> int:
        """The network's action, once the other knows it."""
        self.others[i].is_told(self.histories[i], a)
        return a

    def _chosen(self, mine: list[int], opens: bool) -> dict[int, int]:
        """What the network plays in these games."""
        game, wanted = self.side.game, {i: self.histories[i] for i in mine}
        passed = {i for i in mine if self.histories[i].state.passes and self.passes_after_pass}
        rest = {i: history for i, history in wanted.items() if i not in passed}
        if self.side.simulations and not opens:
            chosen = self.side.searched(rest)
        else:
            policy = self.side.policy(rest)
            chosen = {i: int(self.chance[i].choice(a, p=p) if opens else a[int(p.argmax())]) for i, (a, p) in policy.items()}
        return chosen | dict.fromkeys(passed, game.pass_)

    def _take(self, i: int, a: int | None) -> None:
        """Go on with game i, or end it where the other resigns."""
        history, mine = self.histories[i], self.numbers[i] % 2
        if a is not None:
            history.do(a)
            if not history.is_over:
                return
        score = self.others[i].score(history) if a is not None else ("B+R", "W+R")[mine]
        self.others[i].end()
        self.live.remove(i)
        self.won += score.startswith("BW"[mine])
        self.lost += score.startswith("WB"[mine])
        self.drawn += score[0] not in "BW"
        played = self.won + self.drawn + self.lost
        share = (self.won + self.drawn / 2) / played
        told = {"won": self.won, "drawn": self.drawn, "lost": self.lost, "share": round(share, 3)}
        error = 1.96 * math.sqrt(share * (1 - share) / played)
        seconds = round(time.perf_counter() - self.began)
        say(
            game=self.numbers[i],
            seat="BW"[mine],
            score=score,
            plies=len(history.taken),
            **told,
            plus_minus=round(error, 3),
            seconds=seconds,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="the number of the first game, which decides its opening")
    parser.add_argument("--search", type=int, default=0, metavar="N", help="simulations of a move; 0: the policy alone")
    parser.add_argument("--playouts", type=int, default=0, metavar="N", help="of the search that is the opponent; 0: GNU Go is")
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    match = Match(Side(told.network, told.games, told.search), told.games, told.first, told.seed, told.playouts)
    while match.live:
        match.round()


if __name__ == "__main__":
    main()
