"""Monte Carlo: an action is worth what random play after it gives on average. No tree, no evaluation, any game.

    MONTE-CARLO(s):
        for each a in ACTIONS(s): mean(a) = the average UTILITY of N games played at random from RESULT(s, a)
        return the action of the best mean

It does not find the best play: a reply that refutes an action weighs no more than any other reply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, ClassVar, TypeVar

from ..bits import FULL, u64
from ..errors import ZermeloError
from ..game import CHANCE, Game, State
from ..history import History
from ..rng import split, step
from ..settings import Range
from . import forbidden
from .endgames.probe import Probing
from .evaluation import estimate, is_proven, proven_value
from .forbidden import Forbidding, forbidden_by_history, without_forbidden
from .model.kinds import MOST_BEYOND, is_unseen
from .model.record import Judging
from .notes import begin_again
from .prepare import prepare, room_for, width_of
from .random_games import LIMIT, choose
from .records import PLAYERS, WIDTH, WORDS, Grows, room
from .searcher import SEED, Result, Searcher, Stopwatch
from .stop import Stop

FIRST_STEP = 64  # simulations before the first Result in the interpreter; natively 256 times as many
MAX_CHILDREN = (1 << 16) - 1  # actions of a state that a node of a tree can count
PAUSE = 0.1  # seconds between two Results once they are no longer twice the simulations apart


@dataclass(frozen=True, kw_only=True)
class MonteCarlo(Searcher):
    """Flat Monte Carlo: `playouts` games after each action, played in turns, so that whatever stops it all have equally many.

    depth: a game is given up after so many plies, the action itself included, and EVAL takes the place of UTILITY; nodes: games
    in all. In the Result a node is a game.
    """

    averages_results: ClassVar[bool] = True

    playouts: Annotated[int, Range(1, 1 << 40, words="at least 1 of playouts")] = 1000
    seed: Annotated[int, SEED] = 0

    def _deepen(self, game: Game, state: State | History | None, stop: Stop | None, kept: Any) -> Iterator[Result]:
        """Yield a Result each time the games have doubled, and each tenth of a second."""
        s, n, over = self._opening(game, state)
        if over is not None:
            yield over
            return
        refuse_chance("MonteCarlo", game, s)
        bars = forbidden_by_history(game, state)
        stop, watch, moves = stop or Stop(), Stopwatch(), [a for a in game.actions(s) if a not in bars]
        limit = self.playouts * len(moves) if self.nodes is None else min(self.nodes, self.playouts * len(moves))
        with stop.after(self.seconds):
            for work in progress(
                partial(self._start, game, s, bars),
                ("played", "sums"),
                width_of(game, n),
                self.interpreted,
                limit,
                stop,
                watch,
            ):
                yield self._result(game, s, moves, work, watch)

    def _start(self, game: Game, s: State, bars: list[int], width: int) -> tuple[Callable[..., Flat], dict[str, Any]]:
        return prepare(game, flat, Flat, self.interpreted, width=width), {
            "start": game.layout.pack(s),
            "random": first_word(self.seed, 0),
            "plies": LIMIT if self.depth is None else self.depth - 1,
            **forbidden.given(bars, width),
        }

    def _result(self, game: Game, s: State, moves: list[int], work: Flat, watch: Stopwatch) -> Result:
        me, players, played = game.to_move(s), game.players, [int(n) for n in work.played[: len(moves)]]
        means = {a: [float(x) / n for x in work.sums[i][:players]] for i, (a, n) in enumerate(zip(moves, played, strict=True)) if n}
        scores = {a: v[me] + 0.0 for a, v in means.items()}
        action = max(scores, key=lambda a: scores[a]) if scores else moves[0]
        values = tuple(x + 0.0 for x in means.get(action, [0.0] * players))
        games = int(work.simulations)
        return Result(action, values[me], values, (action,), 1, games, games, watch.seconds, scores, False)


class Simulating(Grows, Judging, Probing):
    """The record of a search by simulations."""

    start: list[u64] = room(WORDS)
    limit: int
    stop: int
    stopped: int
    simulations: int
    random: u64
    plies: int
    moves: list[int] = room(WIDTH)
    utility: list[float] = room(PLAYERS + 1)  # and 0 for chance
    sums: list[list[float]] = room(WIDTH, PLAYERS)  # of the utilities of each player, for each action of the start


class Flat(Simulating, Forbidding):
    """The record of flat Monte Carlo."""

    root_moves: list[int] = room(WIDTH)
    played: list[int] = room(WIDTH)


# ---- the algorithm -----------------------------------------------------------------------------


def flat(game: Game, work: Flat) -> int:
    """Games after each action of the start in turn, until `limit` are played."""
    s = game.unpack(work.start)
    n = game.fill(s, work.root_moves)
    if n > len(work.root_moves):
        work.widest = n
        work.stopped = 1
        return 0
    n = without_forbidden(work.root_moves, n, work)
    i = work.simulations % n
    while work.simulations < work.limit and (work.stop == 0 or work.simulations == 0):
        if playout(game, game.result(s, work.root_moves[i]), game.to_move(s), work) < 0:
            return 0
        for p in range(game.players):
            work.sums[i][p] += work.utility[p]
        work.played[i] += 1
        work.simulations += 1
        i = i + 1 if i + 1 < n else 0
    return 0


def playout(game: Game, s: State, mover: int, work: Simulating) -> int:
    """Play s, the state after an action of `mover`, to its end at random and write what each player gets; how many actions that took.

    After `plies` actions EVAL takes the place of UTILITY. -1 if it was not finished: somebody asked to stop, or there were more
    actions than there is room for.
    """
    random = work.random
    ply, n = 0, 0
    while True:
        if game.has_endgames:
            if is_proven(game, s, work):
                break
        drawn = game.has_sample and not (game.has_chance and game.to_move(s) == CHANCE)
        if drawn:
            if game.is_terminal(s):
                break
        else:
            n = game.fill(s, work.moves)
            if n == 0:  # a state without actions is terminal: where they are listed anyway, nobody needs to be asked
                break
            if n > len(work.moves):
                work.widest = n
                work.stopped = 1
                return -1
        if ply == work.plies:
            work.random = random
            return judge(game, s, mover, ply, work)
        if ply & 127 == 127 and work.stop != 0:
            work.stopped = 1
            return -1
        random = step(random)
        if game.unseen_kinds != 0:
            mover = game.to_move(s)
        if drawn:
            s = game.result(s, game.sample(s, random))
        else:
            s = game.result(s, choose(game, s, random, work.moves, n))
        ply += 1
    work.random = random
    for p in range(game.players):
        work.utility[p] = proven_value(game, s, p, work)
    return ply


def judge(game: Game, s: State, mover: int, ply: int, work: Simulating) -> int:
    """Write what s, the state after an action of `mover`, is estimated at for each player; `ply`, or -1 if actions did not fit."""
    t = s
    if game.unseen_kinds != 0:
        t = known_state(game, s, mover, work)
        if work.stopped != 0:
            return -1
    for p in range(game.players):
        work.utility[p] = worth(game, t, p, work)
    return ply


def known_state(game: Game, s: State, mover: int, work: Simulating) -> State:
    """The first state from s on whose kind the model knows: chance moves at random, and players by what the model says."""
    t = s
    for _ in range(MOST_BEYOND):
        if not is_unseen(game, mover, t):
            break
        n = game.fill(t, work.moves)
        if n > len(work.moves):
            work.widest = n
            work.stopped = 1
            break
        mover = game.to_move(t)
        if mover == CHANCE:
            work.random = step(work.random)
            t = game.result(t, choose(game, t, work.random, work.moves, n))
        else:
            t = game.result(t, best_action(game, t, mover, n, work))
    return t


def best_action(game: Game, s: State, p: int, n: int, work: Simulating) -> int:
    """The one of the n actions of s after which the model likes the state best for player p."""
    best, chosen = -1.0e300, work.moves[0]
    for i in range(n):
        v = worth(game, game.result(s, work.moves[i]), p, work)
        if v > best:
            best, chosen = v, work.moves[i]
    return chosen


def worth(game: Game, s: State, p: int, work: Simulating) -> float:
    """What s is worth to player p, proven or estimated."""
    if game.unseen_kinds != 0:
        if is_proven(game, s, work):
            return proven_value(game, s, p, work)
    return estimate(game, s, p, work)


# ---- shared by the searches that simulate --------------------------------------------------------


S = TypeVar("S", bound=Simulating)


def progress(
    start: Callable[[int], tuple[Callable[..., S], dict[str, Any]]],
    kept: tuple[str, ...],
    width: int,
    interpreted: bool,
    limit: int,
    stop: Stop,
    watch: Stopwatch,
) -> Iterator[S]:
    """The record of a search each time its simulations have doubled, or PAUSE seconds have passed; the last one at its end.

    `start(width)` gives the algorithm and what its record begins with; the fields `kept`, and how many simulations
    and which random words there were, go from one call to the next. So a search is the same however it is cut in pieces.
    """
    run, given = start(width)
    step_size = FIRST_STEP if interpreted else FIRST_STEP << 8
    done, began = 0, watch.seconds
    while True:
        work = run(stop, limit=min(limit, done + step_size), **given)
        if work.widest > 0:  # more actions than there was room for: all over again with more
            width = more_room(int(work.widest))
            begin_again(all_of_it=True)
            run, given = start(width)
            done = 0
            continue
        last, done = done, int(work.simulations)
        if done >= limit or work.stopped or stop.is_set:
            yield work
            return
        yield work
        given |= {name: getattr(work, name) for name in ("simulations", "random", *kept)}
        spent, began = watch.seconds - began, watch.seconds
        step_size = done if spent < PAUSE / 2 else max(1, int((done - last) * PAUSE / spent))


def more_room(widest: int) -> int:
    """The length of the rows to begin again with after a state that had so many actions; ZermeloError if no node could count them."""
    if widest > MAX_CHILDREN:
        raise ZermeloError(f"expected a game of at most {MAX_CHILDREN:,} actions in a state, and one has {widest:,}")
    return room_for(widest)


def first_word(seed: int, number: int) -> int:
    """Where the random words of this seed begin, for the search of this number: any word but 0."""
    return split(seed & FULL, number) | 1


def refuse_chance(name: str, game: Game, s: State) -> None:
    """There is nothing to choose where chance moves."""
    if game.to_move(s) == CHANCE:
        raise ZermeloError(f"{name}: expected a state where a player is to move, and in this one of {game.name} chance is")
