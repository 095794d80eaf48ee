"""Random playouts of the real games on one core, compared with OpenSpiel's C++: complete games of uniformly random moves."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import zermelo

from ..harness import Claim, Table, bar
from ..peers import candidate, installed, openspiel_playouts

OURS, SPIEL = "Zermelo", "OpenSpiel, C++ rollouts"

#: title, our game, OpenSpiel's, the number of games per run of each, the bar, and a remark on differences
GAMES = [
    ("Othello", "othello", "othello", 100_000, 1_000, 100, ""),
    ("checkers", "checkers", "checkers", 100_000, 1_500, bar(60, 90), "OpenSpiel counts each jump of a capture as a move."),
    ("Go 9x9", "go:size=9", "go(board_size=9)", 30_000, 2_000, bar(15, 25), "Ko: OpenSpiel by superko, ours by the simple rule."),
    ("Hex 11x11", "hex:size=11", "hex(board_size=11)", 100_000, 6_000, bar(15, 22), ""),
    ("backgammon", "backgammon", "backgammon", 4_000, 200, 20, "Ours counts a play as one move, OpenSpiel each half of a roll."),
]


def tables() -> Iterator[Table]:
    for title, ours, spiel, n, theirs, least, note in GAMES:
        yield Table(
            f"Random playouts of {title}, one core",
            "games/s",
            [candidate(OURS, _games(ours, n)), candidate(SPIEL, openspiel_playouts(spiel, theirs))],
            (_claim(least),),
            note,
        )
    yield Table(
        "Random playouts of chess, one core",
        "moves/s",
        [candidate(OURS, _moves("chess", 3_000)), candidate(SPIEL, _openspiel_moves("chess", 150))],
        (_claim(40),),
        "In moves: OpenSpiel ends a game at the third repetition, ours in play only, so that its random games are longer. "
        "OpenSpiel's moves by the mean of 100 other games.",
    )


def _claim(least: float) -> Claim:
    return Claim("Zermelo against OpenSpiel", lambda best: best[OURS] / best[SPIEL], least)


def _games(name: str, n: int) -> Callable[[], float]:
    game = zermelo.game(name)
    return lambda: zermelo.playouts(game, n, seed=1, threads=1).games


def _moves(name: str, n: int) -> Callable[[], float]:
    game = zermelo.game(name)
    return lambda: zermelo.playouts(game, n, seed=1, threads=1).moves


def _openspiel_moves(name: str, n: int) -> Callable[[], float] | None:
    """Rollouts counted in moves, by the mean length of such games."""
    pyspiel, work = installed("pyspiel"), openspiel_playouts(name, n)
    if pyspiel is None or work is None:
        return None
    rules, chance, total = pyspiel.load_game(name), random.Random(1), 0
    for _ in range(100):
        state = rules.new_initial_state()
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
            total += 1
    return lambda: work() * total / 100
