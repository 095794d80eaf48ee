"""This checkout against another in games: `python -m bench.version_match FOLDER [--game chess] [--player P] [--openings FILE] [--games N]`.

The folder is another checkout (`git worktree add FOLDER COMMIT`). A process of each plays with its own sources, the same player on
both sides, so what differs is the search; `--against P` gives the other checkout a player of its own. Each opening is played twice, with
both colours. A game of which both have said for some plies that it is decided ends there. With limits in nodes a match is the same every
time.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import zermelo
from zermelo.arena.openings import Book, load, random_opening
from zermelo.arena.rating.elo import estimate
from zermelo.arena.referee import begin
from zermelo.notation.sheet import Opening

from . import report
from .versions import HERE, checkout

LONGEST = 400  # plies after which a game is drawn
PLIES = 6  # of random openings
DECIDED, AGREED = 8.0, 6  # quiet margins ahead by the values of both sides, for so many plies, end a game


class Player:
    """A process that plays with the sources of one checkout."""

    def __init__(self, folder: Path, game: str, player: str):
        command = [sys.executable, str(HERE / "bench" / "version_player.py"), game, player]
        self._process = subprocess.Popen(
            command, env=os.environ | {"PYTHONPATH": str(folder / "src")}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._told = 0
        self.depths: list[int] = []
        self.value = 0.0  # what it said of its last move

    def begin(self, start: str) -> None:
        """A new game from this state, "" for the usual one."""
        self._tell(start)
        self._told = 0

    def choose(self, history: zermelo.History) -> int:
        """Its move."""
        self._tell(history.taken[self._told :])
        self._told = len(history.taken)
        assert self._process.stdout is not None
        answer = self._process.stdout.readline()
        if not answer:
            raise SystemExit(f"a player ended with code {self._process.wait()}")
        action, depth, self.value = json.loads(answer)
        self.depths.append(depth)
        return int(action)

    def _tell(self, what: list[int] | str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(what) + "\n")
        self._process.stdin.flush()

    def end(self) -> None:
        self._process.communicate()


def play(game: zermelo.Game, opening: Opening, players: list[Player]) -> float:
    """The points of player 0 in a game with this opening: 0, 1/2 or 1."""
    history = begin(game, opening)
    for player in players:
        player.begin(opening.start)
    leads = 0  # plies in a row in which player 0 was far ahead, by what both said; below 0, player 1
    while not history.is_over and len(history.taken) < LONGEST and abs(leads) < AGREED:
        mover = game.to_move(history.state)
        history.do(players[mover].choose(history))
        v = players[mover].value if mover == 0 else -players[mover].value
        ahead = 0 if game.quiet_margin <= 0 or abs(v) < DECIDED * game.quiet_margin else 1 if v > 0 else -1
        leads = leads + ahead if ahead * leads >= 0 and ahead else ahead
    if not history.is_over:
        return 0.5 if abs(leads) < AGREED else float(leads > 0)
    gets = history.utility(0)
    return 0.5 if gets == 0 else float(gets > 0)


def match(game: zermelo.Game, players: list[Player], pairs: int, book: Book | None, seed: int) -> list[int]:
    """Play pairs of games; how many of them gave the first player 0, 1/2, 1, 3/2 and 2 points."""
    counts = [0] * 5
    for i in range(pairs):
        opening = book.opening(game, i, seed) if book else random_opening(game, PLIES, seed + i)
        points = play(game, opening, players) + 1 - play(game, opening, players[::-1])
        counts[round(2 * points)] += 1
        report.tell(f"{2 * i + 2} games: {summary(counts)}")
    return counts


def summary(counts: list[int]) -> str:
    """What the counts of pairs say."""
    found = estimate(counts)
    return "nothing" if found is None else f"{100 * found.score:.1f} %, Elo {found.elo:+.0f} [{found.low:+.0f}, {found.high:+.0f}]"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.version_match", description="This checkout against another in games.")
    parser.add_argument("folder", type=checkout, help="another checkout of Zermelo")
    parser.add_argument("--game", default="chess", help="the game (default: %(default)s)")
    parser.add_argument(
        "--player", default="alphabeta:nodes=5000,table=16,eval=learned", help="what this checkout plays (default: %(default)s)"
    )
    parser.add_argument("--against", metavar="PLAYER", help="what the other checkout plays (default: the same)")
    parser.add_argument("--openings", metavar="FILE", help=f"where pairs of games begin (default: {PLIES} random plies)")
    parser.add_argument("--games", type=int, default=300, help="how many, an even number (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the order of openings (default: %(default)s)")
    options = parser.parse_args()
    game = zermelo.game(options.game)
    given = {HERE: options.player, options.folder: options.against or options.player}
    players = [Player(folder, options.game, player) for folder, player in given.items()]
    book = load(options.openings, game) if options.openings else None
    counts = match(game, players, options.games // 2, book, options.seed)
    depths = " and ".join(f"{sum(p.depths) / len(p.depths):.1f}" for p in players)
    report.tell("")
    print(f"{2 * sum(counts)} games: {summary(counts)}; pairs by points {counts}; mean depth {depths}")
    for player in players:
        player.end()


if __name__ == "__main__":
    main()
