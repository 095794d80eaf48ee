"""How well Kriegspiel is played: the player of beliefs against others, with intervals.

    python -m bench.kriegspiel [--games 100] [--first 0] [--player beliefs] [--against random capturer greedy]

The capturer attempts captures first: those of pawns if there are pawn tries, then whatever goes to where the opponent has just captured,
then any attempt. `greedy` is the player of that name: the best evaluation after one attempt, in a position dealt by `resample`.
Colours alternate. The share of wins is given with a 95 % interval (Wilson).
"""

from __future__ import annotations

import argparse
import math
import time

import zermelo
from zermelo.arena.clock import Clock
from zermelo.arena.players.by_text import player
from zermelo.arena.players.player import Player
from zermelo.arena.referee import play_game
from zermelo.bits import FULL
from zermelo.game import Game
from zermelo.history import History
from zermelo.rng import below, draw, split

from . import report


class Capturer(Player):
    """Attempts captures first. It looks at nothing but what the umpire said."""

    text = "capturer"

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self._key = split(seed & FULL, seat)

    def choose(self, game: Game, state: History, clock: Clock) -> int:
        s, actions = state.state, list(state.actions())
        pawns = [a for a in actions if s.p >> (a & 63) & 1 and (a >> 6 & 63) - (a & 63) & 7]  # none are listed without tries
        square = (s.said >> 12) ^ 56 * (s.t & 1) if s.said >> 10 & 3 else -1
        among = pawns or [a for a in actions if a >> 6 & 63 == square] or actions
        return among[below(draw(self._key, len(state.taken)), len(among))]


def wilson(wins: int, games: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    z, share = 1.96, wins / games
    middle, width = share + z * z / (2 * games), z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return (middle - width) / (1 + z * z / games), (middle + width) / (1 + z * z / games)


def measure(text: str, other: Player, first: int, games: int) -> str:
    """A row of the table: how the player did against another."""
    game, mine, results = zermelo.game("kriegspiel"), player(text), []
    began = time.process_time()
    for number in range(first, first + games):
        seats = [mine, other] if number % 2 == 0 else [other, mine]
        results.append(play_game(game, seats, number).result[number % 2])
        report.tell(f"{text} against {other.text}: {results.count(1.0)} won, {results.count(0.0)} drawn of {len(results)}")
    won, drawn = results.count(1.0), results.count(0.0)
    low, high = wilson(won, games)
    seconds = (time.process_time() - began) / games
    wins = f"{100 * won / games:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
    return f"| {text} | {other.text} | {games} | {won} | {drawn} | {wins} | {seconds:.1f} |"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--games", type=int, default=100)
    arguments.add_argument("--first", type=int, default=0, help="the number of the first game: its seed and colours")
    arguments.add_argument("--player", default="beliefs")
    arguments.add_argument("--against", nargs="+", default=["random", "capturer", "greedy"])
    given = arguments.parse_args()
    if given.games < 1:
        arguments.error("expected at least 1 game")
    print("| player | against | games | won | drawn | wins | processor seconds a game |\n| --- | --- | ---: | ---: | ---: | --- | ---: |")
    for name in given.against:
        print(measure(given.player, Capturer() if name == "capturer" else player(name), given.first, given.games), flush=True)


if __name__ == "__main__":
    main()
