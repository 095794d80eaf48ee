"""The cost of the arena per move: a match of random players with processes, checks and record, and a bare loop over the same moves."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import zermelo
from zermelo.arena.clock import Clock, Control
from zermelo.arena.match import Match, Starts, play_match
from zermelo.arena.players.by_text import player
from zermelo.arena.records.store import Store
from zermelo.history import History

from ..harness import Candidate, Claim, Table, timed

MATCH, BARE = "a match, recorded", "the bare loop"

#: the number of games of each kind: about a second
GAMES = [("connect4", 1_000), ("chess", 60), ("backgammon", 100)]


def tables() -> Iterator[Table]:
    for name, games in GAMES:
        yield Table(
            f"Moves of {name} by random players, one process",
            "moves/s",
            [
                Candidate(MATCH, timed(_match(name, games), _cpu)),
                Candidate(BARE, timed(_bare(name, games), _cpu)),
            ],
            [
                Claim(
                    "milliseconds a move more than the bare loop", lambda best: 1000 / best[MATCH] - 1000 / best[BARE], 1.0, at_least=False
                )
            ],
            "CPU time of both processes, with the start of the one that plays. Chance counts as a move.",
        )


def _cpu() -> float:
    """CPU seconds of this process and of its finished child processes."""
    return sum(os.times()[:4])


def _match(name: str, games: int) -> Callable[[], float]:
    def work() -> float:
        with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "games.sqlite") as store:
            play_match(Match(zermelo.game(name), ("random", "random"), games, starts=Starts(plies=0)), store)
            return float(sum(len(store.moves(game.id)) for game in store.games()))

    return work


def _bare(name: str, games: int) -> Callable[[], float]:
    """Ask the players and play their actions, and nothing else."""

    def work() -> float:
        game, moves = zermelo.game(name), 0
        players = [player("random"), player("random")]
        clock = Clock(Control(), 2)
        for number in range(games):
            for seat, one in enumerate(players):
                one.begin(game, seat, number)
            history = History(game)
            while not history.is_over:
                seat = game.to_move(history.state)
                history.do(players[max(seat, 0)].choose(game, history, clock))
            moves += len(history.taken)
        return float(moves)

    return work
