"""A particle filter: many worlds, drawn at random, that fit all that a player noticed.

for each event:
    own action a:  keep the worlds in which RESULT(w, a) is observed as it was
    others acted:  draw from each world an action of its player, as any is likely, until the result is observed as it was; list the
                   actions if drawing does not find one; draw again from all worlds until there are enough
    no world left: go back some events, draw many more worlds there, and come again; if that does not help, deal new ones (RESAMPLE)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...bits import FULL, u64
from ...game import CHANCE, Game, State
from ...history import History
from ...lower.memory import Words, load, store
from ...rng import below, draw, mix, split, step
from ..prepare import observed_words, prepare, width_of
from ..random_games import choose
from ..records import SEEN, WIDTH, WORDS, Record, room
from .noticed import Event, events_of, observation

DRAWS = 8  # of an action of another player, before all are looked at
UNNOTICED = 16  # actions of others in a row that the player does not notice
BACK = (2, 4, 8)  # events to go back when no world is left
WORLDS_FACTOR = 2  # times as many worlds are drawn there
MAX_WORLDS = 1 << 20  # worlds
OWN, OTHERS, DEAL = range(3)  # who acted, or that worlds are dealt anew
DEALS = 64  # worlds that are dealt when nothing else helps

Rows = np.ndarray[Any, np.dtype[np.uint64]]


class Particles:
    """Worlds that fit what player p noticed of a game, at most `count` of them; `follow` goes on with the game."""

    def __init__(self, game: Game, p: int, count: int, seed: int, interpreted: bool = False):
        self.game, self.p, self.count, self.interpreted = game, p, count, interpreted
        self._key, self._draws = split(seed & FULL, p), 0
        sizes = {"words": game.layout.words, "width": width_of(game), "seen": observed_words(game)}
        self._advance = prepare(game, advance, Filter, interpreted, **sizes)
        self._taken: list[int] = []
        self._trail: list[tuple[Rows, Event]] = []  # worlds before the latest events
        self._start: State | None = None
        self.rows: Rows = np.zeros((0, game.layout.words), np.uint64)
        self.deals = 0  # how often new worlds had to be dealt

    def follow(self, history: History) -> None:
        """Take account of all that has happened in the game, which is the one followed before, or a new one."""
        done = len(self._taken)
        if self._start != history.states[0] or history.taken[:done] != self._taken:
            self._taken, self._trail, self._start, done = [], [], history.states[0], 0
            self.rows = np.array([self.game.layout.pack(self._start)], np.uint64)
        for event in events_of(history, self.p, done):
            self._trail = [*self._trail, (self.rows, event)][-max(BACK) :]
            self.rows = self._after(self.rows, event, self.count)
            if not len(self.rows):
                self.rows = self._repaired()
            if not len(self.rows):
                self._deal(history, event)
        self._taken = list(history.taken)

    def worlds(self, most: int) -> Rows:
        """The worlds, or if there are more than `most`, that many of them at equal distances."""
        return self.rows if len(self.rows) <= most else self.rows[np.linspace(0, len(self.rows) - 1, most).astype(int)]

    def states(self) -> list[State]:
        """All worlds as states."""
        return [self.game.layout.unpack(row) for row in self.rows.tolist()]

    def _after(self, rows: Rows, event: Event, wanted: int) -> Rows:
        """The worlds after an event; if others acted, `wanted` of them, as long as there are any."""
        if not len(rows):
            return rows
        if event.action is not None:
            return self._run(rows, OWN, event, len(rows), len(rows))
        return self._run(rows, OTHERS, event, wanted, max(len(rows), 4 * wanted))

    def _run(self, rows: Rows, how: int, event: Event, wanted: int, attempts: int) -> Rows:
        """The worlds that `advance` draws from these."""
        source, target = Words.of(rows, self.interpreted), Words(wanted * rows.shape[1], self.interpreted)
        self._draws += 1
        work = self._advance(
            parents=source.table,
            children=target.table,
            count=len(rows),
            wanted=wanted,
            attempts=attempts,
            player=self.p,
            how=how,
            action=event.action or 0,
            target=list(event.seen) if self.interpreted else np.array(event.seen, np.uint64),
            random=draw(self._key, self._draws) | 1,
        )
        return target.read(0, int(work.written) * rows.shape[1]).reshape(-1, rows.shape[1]).copy()

    def _repaired(self) -> Rows:
        """Worlds that fit, drawn again from what was some events before."""
        for back in BACK:
            part = self._trail[-back:]
            rows = part[0][0]
            for _, event in part:
                rows = self._after(rows, event, WORLDS_FACTOR * self.count)
            if len(rows):
                return rows[: self.count]
        return self.rows

    def _deal(self, history: History, event: Event) -> None:
        """New worlds that fit what is observed at the last event, by the game's own `resample`."""
        s = next(s for s in reversed(history.states) if observation(self.game, s, self.p) == event.seen)
        self.deals += 1
        self._trail = []
        self.rows = self._run(np.array([self.game.layout.pack(s)], np.uint64), DEAL, event, min(DEALS, self.count), DEALS)


class Filter(Record):
    """The record of the filter."""

    start: list[u64] = room(WORDS)
    seen: list[u64] = room(SEEN)
    before: list[u64] = room(SEEN)
    target: list[u64] = room(SEEN)  # what the player observes at the end
    moves: list[int] = room(WIDTH)
    parents: int
    children: int
    count: int
    wanted: int
    attempts: int
    written: int
    player: int
    how: int
    action: int
    is_found: int
    random: u64


def advance(game: Game, work: Filter) -> int:
    """Draw children of the worlds in turn until enough fit, or it was tried often enough; how many fit."""
    words = len(work.start)
    for k in range(work.attempts):
        if work.written >= work.wanted:
            return work.written
        for i in range(words):
            work.start[i] = load(work.parents, k % work.count * words + i)
        s = game.unpack(work.start)
        t = s
        if work.how == OWN:
            t = own_result(game, s, work)
        elif work.how == OTHERS:
            t = drawn_result(game, s, work)
        else:
            work.random = step(work.random)
            t = game.resample(s, work.player, mix(work.random))
            work.is_found = 1
        if work.is_found == 1:
            game.pack(t, work.start)
            for i in range(words):
                store(work.children, work.written * words + i, work.start[i])
            work.written += 1
    return work.written


def own_result(game: Game, s: State, work: Filter) -> State:
    """The world after the player's own action; `is_found` says whether it fits."""
    t = game.result(s, work.action)
    work.is_found = 1 if fits(game, t, work) else 0
    return t


def drawn_result(game: Game, s: State, work: Filter) -> State:
    """A world after actions of others, the last of which the player noticed; `is_found` says whether one was found that fits."""
    work.is_found = 0
    for _ in range(UNNOTICED):
        if game.is_terminal(s):
            return s
        n = min(game.fill(s, work.moves), len(work.moves))
        for _ in range(DRAWS):
            t = game.result(s, any_action(game, s, n, work))
            if fits(game, t, work):
                work.is_found = 1
                return t
        silent = listed_result(game, s, n, work)
        if work.is_found == 1:
            return game.result(s, work.moves[silent])
        if silent < 0:
            return s
        s = game.result(s, work.moves[silent])
    return s


def any_action(game: Game, s: State, n: int, work: Filter) -> int:
    """One of the n actions that are listed, as likely as chance makes it, or any."""
    work.random = step(work.random)
    if game.has_chance:
        if game.to_move(s) == CHANCE:
            return choose(game, s, work.random, work.moves, n)
    return work.moves[below(work.random, n)]


def listed_result(game: Game, s: State, n: int, work: Filter) -> int:
    """Which of the n actions leads to what was observed, any of them; else which is not noticed at all, or -1."""
    words, many, silent, chosen, quiet = game.pack_observation(s, work.player, work.before), 0, 0, -1, -1
    for i in range(n):
        t = game.result(s, work.moves[i])
        work.random = step(work.random)
        if fits(game, t, work):
            many += 1
            if below(mix(work.random), many) == 0:
                chosen = i
        else:
            is_same = True
            for k in range(words):
                is_same = is_same and work.seen[k] == work.before[k]
            if is_same:
                silent += 1
                if below(mix(work.random), silent) == 0:
                    quiet = i
    work.is_found = 1 if many > 0 else 0
    return chosen if many > 0 else quiet


def fits(game: Game, s: State, work: Filter) -> bool:
    """Whether the player observes in s what it did."""
    words = game.pack_observation(s, work.player, work.seen)
    for k in range(words):
        if work.seen[k] != work.target[k]:
            return False
    return True
