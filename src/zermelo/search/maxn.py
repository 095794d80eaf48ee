"""More than two players: max^n, where each plays for itself, and the paranoid view that all others play against one.

    MAX-N(s) = (UTILITY(s, 0), ..., UTILITY(s, n - 1))                             if IS-TERMINAL(s)
               the vector MAX-N(RESULT(s, a)) whose component TO-MOVE(s) is largest
               sum over r of P(r) * MAX-N(RESULT(s, r))                            if TO-MOVE(s) = CHANCE

Partners need nothing special in max^n: their payoffs are equal, so that they want the same, and alliances may emerge.
Between vectors that are equal to the one who chooses, but not to the others, max^n says nothing: here the first action
is taken. Paranoid search knows two sides only, so that alpha-beta can prune; its value is what the side is sure of.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from ..errors import ZermeloError
from ..game import CHANCE, Game, State
from . import expectiminimax
from .deepening import Deepening, Progress, answer
from .depth_first import INFINITE, Rooted, actions, keep_line, visit
from .evaluation import estimate, is_proven, proven_value
from .expectiminimax import Expecting
from .model.kinds import depth_after
from .notes import AVERAGE, END, STATIC, TAKEN, TRY, VALUE, VECTOR, enter, note, only_notes
from .prepare import prepare
from .records import PLAYERS, PLIES, room
from .searcher import Result
from .table import TABLE_SIZE, Memory
from .zero_sum import gains_of


@dataclass(frozen=True, kw_only=True)
class MaxN(Deepening["Vectors"]):
    """Max^n for any number of players, by iterative deepening; chance nodes are averaged. Nothing is pruned."""

    def _prepare(self, game: Game, plies: int, width: int) -> Callable[..., Vectors]:
        return prepare(game, root, Vectors, self.interpreted, plies=plies, width=width)

    def _iterate(self, at: Progress, plies: int, width: int) -> Vectors:
        return self._prepare(at.game, plies, width)(
            at.stop,
            start=at.game.layout.pack(at.s),
            depth=at.depth,
            limit=at.left,
            root_count=len(at.moves),
            root_moves=at.first(width, self.interpreted),
            home=at.order.index(at.moves[0]),
        )

    def _result(self, at: Progress, work: Vectors) -> Result:
        return answer(at, work, tuple(float(v) for v in work.values[0]))


@dataclass(frozen=True, kw_only=True)
class Paranoid(Deepening[Expecting]):
    """The side of the player to move against all others as one, by alpha-beta and iterative deepening; chance is averaged.

    team: the players of one side, all others being the other. If it is empty, the player to move is alone.
        Partners are taken to have equal payoffs: what the side maximises is that of the player to move.
    table: MiB of memory for states met before (None: no table). The value is the same.

    `values` are what this view makes of the players: the value for ours, its opposite for the others. `exact` says that the value is what
    our side is sure of whatever the others do, and that the action gets it; what it gets if the others play for themselves is at least
    that, and only in a game of two whose utilities sum to 0 is it the same (`MaxN` asks what all get who play for themselves).
    """

    team: tuple[int, ...] = ()
    table: Annotated[int | None, TABLE_SIZE] = 16

    def __post_init__(self) -> None:
        super().__post_init__()
        whole = isinstance(self.team, tuple) and all(type(p) is int and p >= 0 for p in self.team)
        if not whole or len(set(self.team)) < len(self.team):
            raise ZermeloError(f"Paranoid: expected a team as a tuple of different players, counted from 0, not {self.team!r}")

    def _accept(self, game: Game) -> None:
        if any(p >= game.players for p in self.team):
            raise ZermeloError(f"Paranoid: expected a team of players 0 to {game.players - 1} of {game.name}, not {self.team!r}")

    def _memory(self) -> Memory:
        return Memory(self.table or 0, self.interpreted)

    def _prepare(self, game: Game, plies: int, width: int) -> Callable[..., Expecting]:
        return expectiminimax.ready(self, game, plies, width, gains=min(1, gains_of(game)))

    def _ours(self, at: Progress) -> list[int]:
        """1 for each player of our side, that of the player to move."""
        team = self.team or (at.me,)
        return [int((p in team) == (at.me in team)) for p in range(at.game.players)]

    def _iterate(self, at: Progress, plies: int, width: int) -> Expecting:
        return expectiminimax.run(self, at, plies, width, ours=self._ours(at))

    def _result(self, at: Progress, work: Expecting) -> Result:
        values = tuple(float(work.worth) if ours else -float(work.worth) for ours in self._ours(at))
        return answer(at, work, values, is_pruned=True)


class Vectors(Rooted):
    """The record of max^n."""

    home: int  # the place of the first of the root's actions in the game's own order, which the others keep to
    values: list[list[float]] = room(PLIES + 1, PLAYERS)  # at each ply the vector of the state there


def root(game: Game, work: Vectors) -> int:
    """Every action of the start gets its score; the best, and of equals the game's first, is the answer."""
    s = game.unpack(work.start)
    mover = game.to_move(s)
    work.nodes = 1
    work.widest = work.root_count
    enter(game, s, 0, work.depth, -INFINITE, INFINITE, 0, work)
    for i in range(min(work.root_count, len(work.root_moves))):
        a = work.root_moves[i]
        note(TRY, 0, mover, a, 0.0, 0.0, work)
        t = game.result(s, a)
        maxn(game, t, depth_after(game, mover, t, work.depth, 0), 1, work)
        if work.stopped != 0:
            return 0
        note_vector(game, VECTOR, 0, 1, work)
        work.searched = i + 1
        if game.has_chance and mover == CHANCE:
            work.scores[i] = work.values[1][0]
            add(game, game.probability(s, a), 0, work)
        else:
            v = work.values[1][mover]
            work.scores[i] = v
            best = work.values[0][mover]
            if i == 0 or v > best or (v == best and work.best == 0 and i <= work.home):
                work.best = i
                take(game, a, 0, work)
    return 0


def maxn(game: Game, s: State, depth: int, ply: int, work: Vectors) -> int:
    """Write what s is worth to each player into the row of this ply; the number of players."""
    if not visit(game, s, 0, depth, -INFINITE, INFINITE, ply, work):
        return 0
    if is_proven(game, s, work):
        return leaf(game, s, END, ply, work)
    if depth <= 0:
        work.cutoffs += 1
        if game.unseen_kinds != 0:
            work.in_time += 1 if ply == work.depth else 0
        return leaf(game, s, STATIC, ply, work)
    mover = game.to_move(s)
    for p in range(game.players):
        work.values[ply][p] = 0.0
    for i in range(actions(game, s, ply, work)):
        a = work.moves[ply][i]
        note(TRY, ply, mover, a, 0.0, 0.0, work)
        t = game.result(s, a)
        maxn(game, t, depth_after(game, mover, t, depth, ply + 1 - work.depth), ply + 1, work)
        note_vector(game, VECTOR, ply, ply + 1, work)
        if game.has_chance and mover == CHANCE:
            add(game, game.probability(s, a), ply, work)
        elif i == 0 or work.values[ply + 1][mover] > work.values[ply][mover]:
            take(game, a, ply, work)
    return game.players


def leaf(game: Game, s: State, kind: int, ply: int, work: Vectors) -> int:
    """The vector of a state at which the search ends, proven (END) or estimated; the number of players."""
    work.evaluations += 1
    for p in range(game.players):
        work.values[ply][p] = proven_value(game, s, p, work) if kind == END else estimate(game, s, p, work)
    note_vector(game, kind, ply, ply, work)
    return game.players


def take(game: Game, a: int, ply: int, work: Vectors) -> int:
    """The vector and the line of this ply are now those that action a leads to."""
    note(TAKEN, ply, 0, a, 0.0, 0.0, work)
    for p in range(game.players):
        work.values[ply][p] = work.values[ply + 1][p]
    return keep_line(ply, a, work)


def add(game: Game, weight: float, ply: int, work: Vectors) -> int:
    """Add the vector of the next ply, so likely, to that of this ply."""
    note(AVERAGE, ply, 0, 0, work.values[ply + 1][0], weight, work)
    for p in range(game.players):
        work.values[ply][p] += weight * work.values[ply + 1][p]
    return game.players


def note_vector(game: Game, kind: int, ply: int, row: int, work: Vectors) -> int:
    """Note something about the node of this ply together with the vector in this row."""
    if len(work.watch) == 1:
        return 0
    for p in range(game.players):
        note(VALUE, ply, p, 0, work.values[row][p], 0.0, work)
    return note(kind, ply, 0, 0, 0.0, 0.0, work)


only_notes(note_vector)
