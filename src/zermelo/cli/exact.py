"""`zermelo solve` for games in which nothing is hidden: the exact value of a state, its best actions, a line of best play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import typer

from ..errors import ZermeloError
from ..game import Game, State
from ..history import line_of, start_of
from ..search.alphabeta.searcher import AlphaBeta
from ..search.alphabeta.solution import Solution
from ..search.proofnumber import ProofNumber
from ..search.searcher import Searcher
from ..search.stop import Stop
from ..system import interrupt
from .interrupts import background
from .output import complain, say, say_json, say_table

METHODS = ("alphabeta", "proofnumber")
MEBIBYTES = 256  # of the table


@dataclass(frozen=True)
class Asked:
    """What the command is asked: all actions or the best, by which method, with how much memory and time."""

    method: str
    all_moves: bool
    table: int
    seconds: float | None


def solve_exactly(game: Game, state: State | None, asked: Asked, as_json: bool) -> None:
    """Solve a state and tell it; exit code 130 if it was stopped before it was known."""
    s = start_of(game, state, "solve")
    if asked.method not in METHODS:
        raise ZermeloError(f"there is no method '{asked.method}' where nothing is hidden: expected {' or '.join(METHODS)}")
    stop, stopped = Stop(), list[bool]()

    def work() -> Iterator[Solution | None]:
        yield by_alphabeta(game, s, asked, stop) if asked.method == "alphabeta" else by_proofs(game, s, asked, stop)

    found = next(iter(background(lambda: get_ready(game, s, asked), work, stop, lambda: stopped.append(True))))
    if found is None:
        complain("not solved: it was stopped before" if stopped else f"not solved within {asked.seconds:g} s")
        raise typer.Exit(interrupt.CODE if stopped else 1)
    if as_json:
        say_json({"game": repr(game), "state": game.write_state(s), "method": asked.method} | as_object(game, s, found))
    else:
        say_solution(game, s, found)


def get_ready(game: Game, s: State, asked: Asked) -> None:
    """Compile what is to be run: that is not what seconds are given for."""
    if asked.method == "alphabeta":
        AlphaBeta(table=1, nodes=1).solve(game, [s])
    else:
        ProofNumber(table=1, nodes=1).search(game, s)


def by_alphabeta(game: Game, s: State, asked: Asked, stop: Stop) -> Solution | None:
    """The solution by null windows, or by a search of scores."""
    return AlphaBeta(table=asked.table, seconds=asked.seconds).solution(game, s, stop, all_moves=asked.all_moves)


def by_proofs(game: Game, s: State, asked: Asked, stop: Stop) -> Solution | None:
    """The solution by proof numbers: who wins, not how quickly."""
    searcher: Searcher = ProofNumber(table=asked.table, seconds=asked.seconds, all_moves=asked.all_moves)
    last = list(searcher.deepen(game, s, stop))[-1]
    if not last.exact or (asked.all_moves and len(last.scores) < len(list(game.actions(s)))):
        return None
    best = tuple(a for a, v in last.scores.items() if v == last.value)
    scores: dict[int, tuple[float, int | None]] = {a: (v, None) for a, v in last.scores.items()} if asked.all_moves else {}
    return Solution(last.value, None, best, last.line, scores, last.nodes, last.seconds)


def as_object(game: Game, s: State, found: Solution) -> dict[str, Any]:
    """A solution as JSON has it, actions in the game's notation."""
    return asdict(found) | {
        "best": [game.write_action(s, a) for a in found.best],
        "line": line_of(game, s, found.line),
        "scores": {game.write_action(s, a): {"value": v, "plies": plies} for a, (v, plies) in found.scores.items()},
    }


def say_solution(game: Game, s: State, found: Solution) -> None:
    """Tell a solution in lines."""
    say(f"{game!r}, {game.player_name(game.to_move(s))} to move: {words(game, found.value, found.plies)}")
    if found.best:
        say(f"best      {' '.join(game.write_action(s, a) for a in found.best)}")
    if found.line:
        say(f"line      {' '.join(line_of(game, s, found.line))}")
    say(f"searched  {found.nodes:,} nodes in {found.seconds:.2f} s, {found.nodes / max(found.seconds, 1e-9):,.0f}/s")
    if found.scores:
        say()
        order = sorted(found.scores.items(), key=lambda pair: preference(*pair[1]), reverse=True)
        say_table(["action", "value"], [[game.write_action(s, a), words(game, v, plies)] for a, (v, plies) in order])


def preference(value: float, plies: int | None) -> tuple[float, float]:
    """A key that is greater for what the player to move prefers."""
    return value, 0.0 if plies is None else -value * plies


def words(game: Game, value: float, plies: int | None) -> str:
    """A value in words: a score, or who wins and in how many plies."""
    if game.has_scores:
        return f"{value:+g}"
    return ("won" if value > 0 else "lost" if value < 0 else "drawn") + ("" if plies is None else f" in {plies:,} plies")
