"""Rollouts: an action is worth what games give that are played on from it by the evaluation, luck taken out. For dice, and for books.

    ROLLOUTS(s):
        candidates = the actions of s after which EVAL is best
        repeat: for each a in candidates: add ROLLOUT(RESULT(s, a)), with the same dice for all of them
                leave out the candidates that are surely worse than the best
        return the action of the best mean

    ROLLOUT(s):
        luck = 0
        until IS-TERMINAL(s), or the depth is reached:
            where chance moves: draw an outcome
                luck += REPLIED(that outcome) - the mean of REPLIED over all outcomes
            else: take the action after which EVAL is best for its player
        return UTILITY(s), or EVAL(s) - luck

    REPLIED(s) = EVAL after the best reply to s

The mean of luck is 0 whatever EVAL says, so that taking it out changes no mean; but with a good EVAL it is nearly all of the variance
(a control variate). The first two numbers that chance draws of each game come from a sequence that fills the square evenly (Roberts 2018),
so that all pairs of rolls come up as often as they should. Tesauro and Galperin, On-line policy improvement using Monte-Carlo search, 1996.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

import numpy as np

from ..bits import FULL, i64, u64
from ..errors import ZermeloError
from ..game import CHANCE, Game, State
from ..history import History
from ..rng import draw, split
from ..settings import Range
from .endgames.probe import Probing
from .evaluation import estimate, is_proven, proven_value
from .forbidden import forbidden_by_history
from .model.kinds import MOST_BEYOND, is_unseen
from .model.record import Judging
from .montecarlo import more_room, refuse_chance
from .prepare import LONGEST_ROW, prepare, width_of
from .random_games import LIMIT, choose
from .records import WIDTH, WORDS, Grows, room
from .searcher import SEED, Result, Searcher, Stopwatch
from .stop import Stop

ROUND = 16  # games of each candidate before they are compared, and a Result is given
MOST_TRIALS = 1 << 16
EVENLY = (0xC13FA9A902A6328F, 0x91E10DA5C79E7B1D)  # 1 / p and 1 / p^2 of a word, where p^3 = p + 1
INFINITE = math.inf

Values: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"


@dataclass(frozen=True, kw_only=True)
class Rollouts(Searcher):
    """Rollouts: games that are played on by the evaluation, from the few actions that it likes best.

    depth: the plies after which a game is cut short and valued by EVAL, counting the action itself and chance; nodes: games in all.
    In the Result a node is a game, `scores` has the candidates alone, and `errors` their standard errors.

    trials: games of each candidate.
    candidates: how many actions are played on from, those whose states evaluate best (None: all); margin: and how much less than the best
        of them an action may be worth by the evaluation (None: anything).
    confidence: a candidate is left out once it is worse than the best by this many standard errors of the difference, and the search ends
        when one is left (None: all are played to the end).
    luck: take luck out. A roll of the dice then costs as much as all that might have been rolled.
    """

    trials: Annotated[int, Range(1, MOST_TRIALS)] = 1296
    candidates: Annotated[int | None, Range(1, LONGEST_ROW)] = 8
    margin: Annotated[float | None, Range(0)] = None
    confidence: Annotated[float | None, Range(0, above=True)] = 3.0
    luck: bool = True
    seed: Annotated[int, SEED] = 0

    def _deepen(self, game: Game, state: State | History | None, stop: Stop | None, kept: Any) -> Iterator[Result]:
        """Yield a Result by the evaluation alone, then one for each round of games."""
        if game.players != 2:
            raise ZermeloError(f"Rollouts: expected a game of two players, and {game.name} has {game.players}: use MonteCarlo or MCTS")
        if self.depth is not None and not game.has_model and type(game).evaluate is Game.evaluate:
            raise ZermeloError(f"Rollouts: expected no depth, as {game.name} has no evaluation for games that are not at their end")
        s, n, over = self._opening(game, state)
        if over is not None:
            yield over
            return
        refuse_chance("Rollouts", game, s)
        bars, stop = forbidden_by_history(game, state), stop or Stop()
        trials = Trials(self, game, s, stop, width_of(game, n))
        with stop.after(self.seconds):
            trials.look([a for a in game.actions(s) if a not in bars])
            yield trials.result()
            while self.depth != 1 and not stop.is_set and trials.play():
                yield trials.result()
                trials.leave_out()


class Trials:
    """The values of all games of each candidate, and which candidates are still played on from."""

    def __init__(self, settings: Rollouts, game: Game, s: State, stop: Stop, width: int):
        self.settings, self.game, self.stop, self.width = settings, game, stop, width
        self.me, self.start = game.to_move(s), game.layout.pack(s)
        self._ready = self._prepare()
        self.watch = Stopwatch()  # compiling is not searching
        self.trials, self.games, self.evaluations, self.longest = 0, 0, 0, 1
        self.seen: dict[int, float] = {}  # what the evaluation says
        self.values: dict[int, Values] = {}  # of the games of each candidate
        self.left: list[int] = []  # candidates that are not left out

    def look(self, actions: list[int]) -> None:
        """Value the states after all actions, and choose the candidates by that."""
        values = self._played(actions, 1, 1, None)
        self.seen = {a: float(v) + 0.0 for a, v in zip(actions, values[:, 0], strict=True)}
        least = -np.inf if self.settings.margin is None else max(self.seen.values()) - self.settings.margin
        ranked = sorted(actions, key=lambda a: -self.seen[a])[: self.settings.candidates]
        self.left = [a for a in ranked if self.seen[a] >= least]
        self.values = {a: np.empty(0) for a in self.left}

    def play(self) -> bool:
        """Play another round; False if there is none to play, or it was stopped before every candidate had a game more."""
        settings, many = self.settings, min(ROUND, self.settings.trials - self.trials)
        if settings.nodes is not None:
            many = min(many, (settings.nodes - self.games) // len(self.left))
        if many == 0 or (self.trials > 0 and settings.confidence is not None and len(self.left) == 1):
            return False
        values = self._played(self.left, many, settings.depth or LIMIT, self.stop)
        for a, more in zip(self.left, values, strict=True):
            self.values[a] = np.append(self.values[a], more)
        self.trials += values.shape[1]
        self.games += values.size
        return values.size > 0

    def leave_out(self) -> None:
        """Play no more games from candidates that are surely worse than the best."""
        if self.settings.confidence is not None and self.trials > 1:
            gaps = {a: self.values[self.best] - self.values[a] for a in self.left}
            self.left = [a for a, gap in gaps.items() if gap.mean() <= self.settings.confidence * error_of(gap)]

    @property
    def best(self) -> int:
        """The candidate of the best mean."""
        return max(self.left, key=lambda a: float(self.values[a].mean()))

    def result(self) -> Result:
        """What is known so far. A candidate that was left out is worth as much less than the best as it was in the games of both."""
        scores, errors = self.seen, dict[int, float]()
        if self.trials > 0:
            best = self.values[self.best]
            scores = {a: float(best.mean() + (of - best[: len(of)]).mean()) + 0.0 for a, of in self.values.items()}
        if self.trials > 1:
            errors = {a: error_of(of) for a, of in self.values.items()}
        action = max(scores, key=lambda a: scores[a])
        value = scores[action]
        values = (value, 0.0 - value) if self.me == 0 else (0.0 - value, value)
        counts = self.longest, max(1, self.games), self.evaluations
        return Result(action, value, values, (action,), *counts, self.watch.seconds, dict(scores), False, errors=errors)

    def _played(self, actions: list[int], trials: int, plies: int, stop: Stop | None) -> Values:
        """What each game gave to the player to move, a row for each action; if it was stopped, of the games that all actions had."""
        while True:
            work = self._ready(
                stop,
                start=self.start,
                me=self.me,
                candidates=[a if self.settings.interpreted else i64(a) for a in actions] + [0] * (self.width - len(actions)),
                count=len(actions),
                first=self.trials,
                trials=trials,
                seed=self.settings.seed & FULL,
                plies=plies,
                has_luck=int(self.settings.luck),
            )
            self.evaluations += int(work.evaluations)
            self.longest = max(self.longest, int(work.deepest))
            if work.widest <= self.width:
                return np.array([row[: int(work.done)] for row in work.values[: len(actions)]], float)
            self.width = more_room(int(work.widest))
            self._ready = self._prepare()

    def _prepare(self) -> Callable[..., Rolling]:
        return prepare(self.game, play_round, Rolling, self.settings.interpreted, width=self.width)


def error_of(values: Values) -> float:
    """The standard error of the mean of values that were drawn by themselves: more than that of numbers that fill their range evenly."""
    return float(values.std(ddof=1) / len(values) ** 0.5)


class Rolling(Grows, Judging, Probing):
    """The record of a round of games."""

    start: list[u64] = room(WORDS)
    me: int  # whose values they are
    candidates: list[int] = room(WIDTH)
    count: int
    first: int  # the number of the first game of each
    trials: int
    done: int  # games that all candidates had
    values: list[list[float]] = room(WIDTH, ROUND)
    seed: u64
    plies: int
    has_luck: int
    evaluations: int
    stop: int
    stopped: int
    outcomes: list[int] = room(WIDTH)  # of chance
    moves: list[int] = room(WIDTH)


# ---- the algorithm -----------------------------------------------------------------------------


def play_round(game: Game, work: Rolling) -> int:
    """A game from each candidate, with the same dice, and so on; how many each of them had."""
    s = game.unpack(work.start)
    for k in range(work.trials):
        for i in range(work.count):
            work.values[i][k] = rollout(game, game.result(s, work.candidates[i]), u64(work.first + k), work)
            if work.stopped != 0:
                return work.done
        work.done = k + 1
    return work.done


def rollout(game: Game, s: State, number: u64, work: Rolling) -> float:
    """What the game of this number gives from s on without luck; nothing that means anything if it was stopped."""
    luck, drawn, ply, mover = 0.0, 0, 1, work.me
    while not is_proven(game, s, work) and (ply < work.plies or (ply < work.plies + MOST_BEYOND and is_unseen(game, mover, s))):
        if game.unseen_kinds != 0:
            mover = game.to_move(s)
        if game.has_chance and game.to_move(s) == CHANCE:
            n = fitting(game.fill(s, work.outcomes), work)
            a = choose(game, s, word_of(number, drawn, work), work.outcomes, n)
            drawn += 1
            if work.has_luck != 0:
                luck += luck_of(game, s, a, n, work)
            s = game.result(s, a)
        else:
            a, _ = best_reply(game, s, work)
            s = game.result(s, a)
        ply += 1
        if work.stop != 0 or work.stopped != 0:
            work.stopped = 1
            return 0.0
    work.deepest = max(work.deepest, ply)
    return value(game, s, work) - luck


def word_of(number: u64, drawn: int, work: Rolling) -> u64:
    """The random word for the next draw of chance in a game, `drawn` being the number of draws before it."""
    if drawn < 2:
        return (draw(work.seed, u64(drawn)) + number * EVENLY[drawn]) & FULL
    return draw(split(work.seed, number), u64(drawn))


def luck_of(game: Game, s: State, drawn: int, n: int, work: Rolling) -> float:
    """How much better than the mean of all n outcomes is the one that was drawn, by the value of the best reply."""
    mean, mine = 0.0, 0.0
    for i in range(n):
        t = game.result(s, work.outcomes[i])
        if is_proven(game, t, work) or game.to_move(t) == CHANCE:
            v = value(game, t, work)
        else:
            _, v = best_reply(game, t, work)
        mean += game.probability(s, work.outcomes[i]) * v
        if work.outcomes[i] == drawn:
            mine = v
        if work.stop != 0:
            work.stopped = 1
            return 0.0
    return mine - mean


def best_reply(game: Game, s: State, work: Rolling) -> tuple[int, float]:
    """The action after which the evaluation is best for the player to move, and that value; to us."""
    side = 1.0 if game.to_move(s) == work.me else -1.0
    best, chosen = -INFINITE, 0
    for i in range(fitting(game.fill(s, work.moves), work)):
        v = side * value(game, game.result(s, work.moves[i]), work)
        if v > best:
            best = v
            chosen = work.moves[i]
    return chosen, side * best


def value(game: Game, s: State, work: Rolling) -> float:
    """What s is worth to us by the rules or the evaluation."""
    work.evaluations += 1
    if is_proven(game, s, work):
        return proven_value(game, s, work.me, work)
    return estimate(game, s, work.me, work)


def fitting(n: int, work: Rolling) -> int:
    """How many of n actions are in their row. If some are not, the round ends, and `widest` says so."""
    work.widest = max(work.widest, n)
    if n > len(work.moves):
        work.stopped = 1
    return min(n, len(work.moves))
