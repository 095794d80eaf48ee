"""Learning: games of TD(lambda) self-play with TD-Gammon's inputs and 80 units, and static evaluations of backgammon, on one core."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import zermelo
from zermelo.bits import u64
from zermelo.games.backgammon.men import men_on
from zermelo.learn.self_play import METHODS, Learner
from zermelo.lower.memory import Words, load
from zermelo.search.model.model import Model, find_model, with_model
from zermelo.search.model.network import model_value
from zermelo.search.model.record import Judging
from zermelo.search.model.rote import ROTE
from zermelo.search.prepare import prepare
from zermelo.search.records import WORDS, room

from ..harness import Claim, Table, bar
from ..peers import candidate, installed

OURS, SHIPPED = "Zermelo, 80 units", "Zermelo, the model that comes with the game"
GNUBG, REMEMBERED = "GNU Backgammon, 0-ply", "GNU Backgammon, positions that it remembers"
POSITIONS = 20_000
SETTINGS = {"rate": 0.005, "faster": 10.0, "trace": 0.7, "epsilon": 0.0}
TAUGHT = 4000  # games before the clock: games of a model that knows nothing are longer


class Positions(Judging):
    rows: int
    count: int
    row: list[u64] = room(WORDS)


def evaluate_all(game: Any, work: Positions) -> int:
    """Value every position of the table."""
    total = 0.0
    for i in range(work.count):
        for k in range(len(work.row)):
            work.row[k] = load(work.rows, i * len(work.row) + k)
        total += model_value(game, game.unpack(work.row), 0, work)
    return int(total)


def tables() -> Iterator[Table]:
    game = zermelo.game("backgammon:inputs=tesauro")
    model = Model.new(game, 80, seed=1)
    learner = Learner(game, model)
    learner.learn(TAUGHT, 0, 1, SETTINGS)
    yield Table(
        "TD(lambda) self-play of backgammon with learning, 80 hidden units, one core",
        "games/s",
        [candidate(OURS, lambda: float(learner.learn(2000, TAUGHT, 1, SETTINGS).games))],
        [Claim("games a second", lambda best: best[OURS], bar(1500, 3000))],
        f"After {TAUGHT:,} games. CPU time of the process.",
    )
    yield Table(
        "Self-play of Connect Four with learning, by method, 80 hidden units, one core",
        "games/s",
        [candidate(name, games_by(name)) for name in METHODS if name != ROTE],
        note="After 1,000 games of the same method; tdleaf and treestrap search two plies. CPU time of the process.",
    )
    chosen, shipped = positions(game), zermelo.game("backgammon")
    peers = [candidate(name, gnubg_evaluations(chosen, name == REMEMBERED) if installed("gnubg") else None) for name in (GNUBG, REMEMBERED)]
    ours = candidate(OURS, our_evaluations(game, model, chosen))
    yield Table(
        "Static evaluations of backgammon, one core",
        "evaluations/s",
        [ours, candidate(SHIPPED, our_evaluations(shipped, find_model("learned", shipped), chosen)), *peers],
        [
            Claim("80 units against GNU Backgammon, less what its call takes", lambda best: best[OURS] * work_alone(best), 3),
            Claim("the shipped model against the same", lambda best: best[SHIPPED] * work_alone(best), 1),
        ],
        f"{POSITIONS:,} positions of random games. GNU Backgammon is called from Python; what it remembers takes the call alone.",
    )


def work_alone(best: Mapping[str, float]) -> float:
    """Seconds that GNU Backgammon takes for an evaluation, without the call from Python."""
    return 1 / best[GNUBG] - 1 / best[REMEMBERED]


def games_by(method: str) -> Callable[[], float]:
    """Games of Connect Four by this method."""
    game = zermelo.game("connect4")
    learner, settings = Learner(game, Model.new(game, 80, seed=1), method=method, depth=2), SETTINGS | {"epsilon": 0.2}
    learner.learn(1000, 0, 1, settings)
    return lambda: float(learner.learn(500, 1000, 1, settings).games)


def positions(game: Any) -> list[Any]:
    """Different positions before a roll, of random games."""
    rng, found = random.Random(1), dict[Any, None]()
    while len(found) < POSITIONS:
        s = game.initial()
        while not game.is_terminal(s):
            if game.to_move(s) < 0 and rng.random() < 0.2:
                found[s] = None
            s = game.result(s, rng.choice(list(game.actions(s))))
    return list(found)[:POSITIONS]


def our_evaluations(game: Any, model: Model, chosen: list[Any]) -> Callable[[], float]:
    words = Words(POSITIONS * game.layout.words, interpreted=False)
    words.array[:] = [word for s in chosen for word in game.layout.pack(s)]
    run = prepare(with_model(game, model), evaluate_all, Positions, False)

    def work() -> float:
        for _ in range(10):
            run(rows=words.table, count=POSITIONS)
        return 10.0 * POSITIONS

    return work


def gnubg_evaluations(chosen: list[Any], remembers: bool) -> Callable[[], float]:
    import gnubg

    def side(low: int, high: int) -> tuple[int, ...]:
        return tuple(men_on(low, high, point) for point in range(1, 26))

    boards = [(side(s.low2, s.high2), side(s.low, s.high)) for s in chosen]
    context, cube = gnubg.eval_context(0, 0, 1, 0, 0.0), gnubg.cube_info(1, -1, 0, 0, (0, 0), 0, 0)

    def work() -> float:
        gnubg.command(f"set cache {4 * POSITIONS if remembers else 0}")
        for board in boards[: POSITIONS // 100] * 100 if remembers else boards:
            gnubg.evaluate(board, cube, context)
        return float(POSITIONS)

    return work
