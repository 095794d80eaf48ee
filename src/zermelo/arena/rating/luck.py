"""How lucky the players were: what the dice gave them, as the game's evaluation sees it.

The luck of an outcome of chance is what the position is worth after it, less the mean of that over all outcomes that were possible. What it
is worth is found by one action more: the mover takes the one after which `evaluate` is best for him. Whatever the evaluation,
luck is 0 on average, as it is taken from its own mean: so a result without its luck is an unbiased estimate of the same
expectation, and varies less the better the evaluation is.
"""

from __future__ import annotations

from collections.abc import Callable

from ...bits import i64, u64
from ...errors import LoweringError
from ...game import CHANCE, Game, State
from ...search.prepare import prepare, room_for
from ...search.records import PLAYERS, WIDTH, WORDS, Grows, room

BELOW_ALL = -1e300


def knows_luck(game: Game) -> bool:
    """Whether there is chance in the game, and an evaluation to see what it gives."""
    return game.has_chance and type(game).evaluate is not Game.evaluate


class Luck:
    """Measures the luck in the outcomes of a game's chance."""

    def __init__(self, game: Game, interpreted: bool = False):
        self.game, self._interpreted = game, interpreted
        self._room(room_for(game.max_actions))

    def _room(self, width: int) -> None:
        self._width = width
        self._run: Callable[..., Measuring]
        try:
            self._run = prepare(self.game, measure, Measuring, self._interpreted, width=width)
        except LoweringError:  # rules that cannot become native code are measured slowly
            self._interpreted = True
            self._run = prepare(self.game, measure, Measuring, True, width=width)

    def of(self, s: State, a: int) -> tuple[float, ...]:
        """What chance gave to each player by the action a of s."""
        while True:
            work = self._run(start=self.game.layout.pack(s), taken=a if self._interpreted else i64(a))
            if work.widest <= self._width:
                return tuple(float(x) for x in work.luck)
            self._room(room_for(int(work.widest)))


class Measuring(Grows):
    """The record of `measure`."""

    start: list[u64] = room(WORDS)
    taken: int
    outcomes: list[int] = room(WIDTH)
    moves: list[int] = room(WIDTH)
    luck: list[float] = room(PLAYERS)


# ---- lowered ---------------------------------------------------------------------------------


def measure(game: Game, work: Measuring) -> int:
    """The luck of each player in the outcome that was taken."""
    s = game.unpack(work.start)
    n = game.fill(s, work.outcomes)
    work.widest = max(work.widest, n)
    for i in range(min(n, len(work.outcomes))):
        a = work.outcomes[i]
        share = -game.probability(s, a)
        if a == work.taken:
            share += 1.0
        t = after(game, game.result(s, a), work)
        for p in range(game.players):
            work.luck[p] += share * worth(game, t, p)
    return 0


def after(game: Game, s: State, work: Measuring) -> State:
    """The state after the action that looks best to the mover of s; s itself if there is none."""
    if game.is_terminal(s) or game.to_move(s) == CHANCE:
        return s
    me = game.to_move(s)
    n = game.fill(s, work.moves)
    work.widest = max(work.widest, n)
    best, value = s, BELOW_ALL
    for i in range(min(n, len(work.moves))):
        t = game.result(s, work.moves[i])
        v = worth(game, t, me)
        if v > value:
            best, value = t, v
    return best


def worth(game: Game, s: State, p: int) -> float:
    """What s is worth to p."""
    return game.utility(s, p) if game.is_terminal(s) else game.evaluate(s, p)
