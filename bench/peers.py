"""The measured tasks in the peers' own ways, as fast as their interfaces allow; None if a peer is missing."""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

from .harness import Candidate, timed


def installed(name: str) -> ModuleType | None:
    """The module of this name; None if it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def candidate(name: str, work: Callable[[], float] | None) -> Candidate:
    """A candidate measured by CPU time; without `work` it is not installed."""
    return Candidate(name, timed(work) if work else None)


def openspiel_playouts(game: str, n: int) -> Callable[[], float] | None:
    """n random games in OpenSpiel's C++: one simulation of its MCTS, whose evaluator plays n rollouts."""
    pyspiel = installed("pyspiel")
    if pyspiel is None:
        return None
    rules = pyspiel.load_game(game)
    start = rules.new_initial_state()
    while start.is_chance_node():  # its search does not begin with a roll
        start.apply_action(start.chance_outcomes()[0][0])

    def work() -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(n, 1)
        bot = pyspiel.MCTSBot(rules, evaluator, 2.0, 1, 1000, False, 1, False)
        bot.mcts_search(start)
        return n

    return work


def openspiel_perft(game: str, depth: int, expected: int) -> Callable[[], float] | None:
    """Perft by OpenSpiel's C++ states driven from Python; the last ply is only counted, like ours."""
    pyspiel = installed("pyspiel")
    if pyspiel is None:
        return None
    start = pyspiel.load_game(game).new_initial_state()

    def leaves(state: Any, depth: int) -> int:
        actions = state.legal_actions()
        return len(actions) if depth == 1 else sum(leaves(state.child(a), depth - 1) for a in actions)

    def work() -> float:
        nodes = leaves(start, depth)
        assert nodes == expected, f"OpenSpiel counts {nodes} leaves at depth {depth}, not {expected}"
        return nodes

    return work


def easyai_playouts(game: str, n: int) -> Callable[[], float] | None:
    """n random games of easyAI's own game, in a plain loop: it has no playouts."""
    games = installed("easyAI.games")
    if games is None:
        return None
    rules = getattr(games, game)

    def work() -> float:
        chance = random.Random(1)
        for _ in range(n):
            state = rules([None, None])  # the players: nobody is asked for a move
            while not state.is_over():
                state.play_move(chance.choice(state.possible_moves()))
        return n

    return work


def openspiel_mcts(game: str, simulations: int, searches: int, exploration: float) -> Callable[[], float] | None:
    """Searches by OpenSpiel's C++ MCTS with a number of simulations, one uniform playout each."""
    pyspiel = installed("pyspiel")
    if pyspiel is None or (game.startswith("python_") and installed("open_spiel.python.games") is None):
        return None
    rules = pyspiel.load_game(game)
    start = rules.new_initial_state()

    def work() -> float:
        for seed in range(searches):
            evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
            pyspiel.MCTSBot(rules, evaluator, exploration, simulations, 1000, False, seed, False).mcts_search(start)
        return simulations * searches

    return work


def openspiel_alphabeta(game: str, depth: int | None, expected: float, done: float) -> Callable[[], float] | None:
    """OpenSpiel's alpha-beta from the start, to a depth at which every state is worth 0, or to the end of the game.

    It counts nothing itself: `done` is the amount of work of one search (the nodes of its tree, if known); to the end of
    the game it is the number of repetitions.
    """
    minimax = installed("open_spiel.python.algorithms.minimax")
    if minimax is None:
        return None
    rules = minimax.pyspiel.load_game(game)

    def work() -> float:
        for _ in range(int(done) if depth is None else 1):
            limits = {} if depth is None else {"maximum_depth": depth, "value_function": lambda _: 0.0}
            value, _ = minimax.alpha_beta_search(rules, **limits)
            assert value == expected, f"OpenSpiel finds {value}, not {expected}"
        return done

    return work
