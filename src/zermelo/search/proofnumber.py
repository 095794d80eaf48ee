"""Proof-number search: who wins, by looking first where the least is missing for a proof (df-pn, depth first).

The question is whether one player, the attacker, can force the end of the game with at least a target. Each state has
two numbers: how many states at least must still be shown to be won for the attacker to prove it, and how many lost to refute it.

    where the attacker moves:   PROOF(s) = min over a of PROOF(RESULT(s, a))     REFUTATION(s) = sum of REFUTATION(RESULT(s, a))
    where the other one does:   PROOF(s) = sum of PROOF(RESULT(s, a))            REFUTATION(s) = min over a of REFUTATION(RESULT(s, a))
    at the end of the game:     0 and infinite if it reaches the target, else infinite and 0

What was not looked into counts as if each state after it had the numbers 1 and 1. A game may know more (`relevant_actions`): below the
root only the actions that it names are tried, and a state of which it names none is lost.

A state is looked into until one of its numbers reaches a threshold, at which another state has become the better one to look
into. The numbers of all states are kept in a table of fixed memory; those of the states beside the path also on it, so that a
table that forgets costs time but no answer.

A state that comes back on the path is no win for the attacker: play without an end wins for nobody. A proof never rests on
that. A refutation may, and holds elsewhere only if it rests on states that come after its own: others are not kept in the table.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar

from ..bits import i64, u64
from ..errors import ZermeloError
from ..game import Game, State
from ..history import History
from ..rng import draw
from ..settings import Range
from .depth_first import ENDLESS_GAME, FIRST_PLIES, Limited, Lists, actions, fitting
from .endgames.probe import Probing
from .evaluation import is_proven
from .prepare import prepare, width_of, with_room
from .proof_table import ANSWERED, EFFORT, INFINITE, MAX_FINITE, ProofTable, entry, keep, pair, proof_of, recall, refutation_of
from .records import PLIES, WIDTH, WORDS, room
from .searcher import Result, Searcher, Stopwatch, line_of, two_players
from .stop import Stop
from .table import Memory
from .zero_sum import Opposing, opposed_value, refuse_ends

MARKS = 1024  # what tells quickly that a state is not on the path
FREE = 1 << 30  # the ply of no state: what rests on no state before


@dataclass(frozen=True, kw_only=True)
class ProofNumber(Searcher):
    """df-pn for two players without chance.

    Without a target, `value` is the sign of what the player to move can force: 1 a win (a utility above 0), -1 a loss, 0 neither;
    two questions at most are asked for that, and utilities must sum to zero. With a target, there is one question: whether the
    player to move can get at least that, 1 for yes and -1 for no. Not `exact` means not known: the value is 0, whatever it may be.

    table: MiB of memory for the numbers of states.
    epsilon: how far the second best may be surpassed before the search turns to it, as a share of its number (0: at once).
    all_moves: ask about every action of the root, so that `scores` tells of all which of them win.
    """

    table: Annotated[int, Range(1, 1 << 20, words="a table of 1 to 1,048,576 MiB")] = 64
    target: Annotated[float | None, Range(-math.inf, above=True, words="a number as target, or None for a win")] = None
    epsilon: Annotated[float, Range(0, 10, words="an epsilon from 0 to 10")] = 1.0
    all_moves: bool = False
    opposes: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.depth is not None:
            raise ZermeloError(f"ProofNumber: expected no depth, as a proof goes to the end of the game, not {self.depth!r}")

    def _deepen(self, game: Game, state: State | History | None, stop: Stop | None, kept: Any) -> Iterator[Result]:
        """Yield what is known after each question."""
        two_players("ProofNumber", game)
        if game.repetition == "forbidden":
            raise ZermeloError(f"ProofNumber: expected rules that do not ask for the past, and {game.name} forbids what comes back")
        s, _, over = self._opening(game, state)
        if over is not None:
            yield over
            return
        at = Inquiry(game, s, stop or Stop(), Memory(self.table, self.interpreted))
        if self.all_moves:
            at.images = images(game, s, at.moves)
        self._prepare(game, FIRST_PLIES, width_of(game, len(at.moves)))  # compiling is not searching
        at.watch = Stopwatch()
        with at.stop.after(self.seconds):
            yield self._ask(at, at.me, math.ulp(0.0) if self.target is None else self.target)
            is_open = len(at.scores) < len(at.moves) and (self.all_moves or not at.is_won)
            if self.target is None and at.is_answered and is_open and not at.stop.is_set:
                yield self._ask(at, 1 - at.me, math.ulp(0.0))

    def _ask(self, at: Inquiry, attacker: int, target: float) -> Result:
        """Ask one question; what is known then."""
        at.attacker, at.target = attacker, target
        width = width_of(at.game, len(at.moves))
        work = with_room(lambda *room: self._run(at, *room), FIRST_PLIES, width, ENDLESS_GAME)
        refuse_ends("ProofNumber", at.game, work)
        self._learn(at, work)
        return at.result

    def _prepare(self, game: Game, plies: int, width: int) -> Callable[..., Proving]:
        return prepare(game, root, Proving, self.interpreted, plies=plies, width=width)

    def _run(self, at: Inquiry, plies: int, width: int) -> Proving:
        return self._prepare(at.game, plies, width)(
            at.stop,
            start=at.game.layout.pack(at.s),
            attacker=at.attacker,
            target=at.target,
            epsilon=self.epsilon,
            every=int(self.all_moves),
            known=[int(a in at.scores or a in at.images) for a in at.moves[:width]] + [0] * (width - len(at.moves)),
            limit=0 if self.nodes is None else max(1, self.nodes - at.nodes),
            salt=[draw(2 * at.attacker, 1), draw(2 * at.attacker + 1, 1)],
            table=at.memory.table,
            mask=at.memory.mask,
        )

    def _learn(self, at: Inquiry, work: Proving) -> None:
        """Add what a question showed to what is known."""
        self._score(at, work)
        mine, best = at.attacker == at.me, max(at.scores.values(), default=None)
        exact = best is not None and (best == 1 or len(at.scores) == len(at.moves) or (not mine and best == 0))
        line = line_of(at.game, at.s, work.line)
        if not mine and at.is_won:
            line = at.result.line  # the second question was about other actions
        elif exact and at.scores.get(line[0]) != best:
            line = (next(a for a in at.moves if at.scores.get(a) == best),)
        value = best if exact and best is not None else 0.0
        at.nodes += int(work.nodes)
        at.result = replace(
            at.result,
            action=line[0],
            value=value,
            values=tuple(value * (1 if p == at.me else -1) + 0.0 for p in range(2)),
            line=line,
            depth=max(at.result.depth, int(work.deepest)),
            nodes=at.nodes,
            evaluations=at.result.evaluations + int(work.evaluations),
            seconds=at.watch.seconds,
            scores=dict(at.scores),
            exact=exact,
        )

    def _score(self, at: Inquiry, work: Proving) -> None:
        """The scores of the actions that the question proved or refuted, and whether it was answered."""
        mine, n, best = at.attacker == at.me, len(at.moves), int(work.best)
        near, far, loops = (list(map(int, row[0][:n])) for row in (work.near, work.far, work.loops))
        proof, refutation = (near, far) if mine else (far, near)
        yes = not proof[best] if mine else not any(proof)
        no = not any(refutation) if mine else not refutation[best]
        at.is_answered = not work.stopped and (self.all_moves or yes or no)
        at.is_won = at.is_won or (mine and yes)
        for i, a in enumerate(at.moves):
            if not proof[i]:
                at.scores.setdefault(a, 1.0 if mine else -1.0)
            elif not refutation[i] and (loops[i] == FREE or no) and (self.target is not None or not mine or at.game.has_relevant_actions):
                at.scores.setdefault(a, -1.0 if mine else 0.0)
        at.scores |= {a: at.scores[b] for a, b in at.images.items() if b in at.scores}


@dataclass
class Inquiry:
    """A search on its way: what its questions have in common, and what is known."""

    game: Game
    s: State
    stop: Stop
    memory: Memory
    watch: Stopwatch = field(default_factory=Stopwatch)
    nodes: int = 0
    attacker: int = 0
    target: float = 0.0
    is_won: bool = False  # whether the player to move is known to win
    is_answered: bool = False  # whether the last question was
    scores: dict[int, float] = field(default_factory=dict)
    images: dict[int, int] = field(default_factory=dict)  # actions about which not to ask, and those that lead to the same up to a symmetry

    def __post_init__(self) -> None:
        self.moves = list(self.game.actions(self.s))
        self.me = self.game.to_move(self.s)
        self.result = Result(self.moves[0], 0.0, (0.0, 0.0), (self.moves[0],), 0, 0, 0, 0.0, {}, False)


def images(game: Game, s: State, moves: list[int]) -> dict[int, int]:
    """The actions that lead to an image of what an earlier one leads to, each with that one."""
    found, first = dict[int, int](), dict[State, int]()
    for a in moves:
        t = game.result(s, a)
        image = next((u for u in game.symmetries(t) if u in first), None)
        if image is None:
            first[t] = a
        else:
            found[a] = first[image]
    return found


class Proving(Limited, Lists, ProofTable, Probing, Opposing):
    """The record of the search."""

    start: list[u64] = room(WORDS)
    attacker: int
    target: float
    epsilon: float
    every: int  # whether to ask about every action of the root
    known: list[int] = room(WIDTH)  # those about which not to ask
    salt: list[u64] = room(2)  # so that questions share the table
    best: int  # of the root's actions
    line: list[int] = room(PLIES + 2)
    #: of the states after each action: what the player who chooses it wants small, the other number, and the first ply it rests on
    near: list[list[int]] = room(PLIES, WIDTH)
    far: list[list[int]] = room(PLIES, WIDTH)
    loops: list[list[int]] = room(PLIES, WIDTH)
    loop: int  # the same of the state that was looked into last
    path: list[u64] = room(PLIES)
    marks: list[int] = room(MARKS)


# ---- the algorithm -----------------------------------------------------------------------------


def root(game: Game, work: Proving) -> int:
    """Ask about the start, or about each of its actions as if nothing had been before it."""
    s = game.unpack(work.start)
    work.nodes = 1
    if work.every == 0:
        look_into(game, s, identity(game, s, work), INFINITE, INFINITE, 0, work)
    else:
        n = look_at(game, s, 0, work)
        mine = game.to_move(s) == work.attacker
        for i in range(n):
            if work.near[0][i] != 0 and work.far[0][i] != 0 and work.known[i] == 0 and work.stopped == 0:
                t = game.result(s, work.moves[0][i])
                about = look_into(game, t, identity(game, t, work), INFINITE, INFINITE, 1, work)
                enter(i, 0, about, mine, work)
        work.best = nearest(n, 0, work)
    return follow(game, s, work)


def look_into(game: Game, s: State, key: u64, proof: int, refutation: int, ply: int, work: Proving) -> u64:
    """Look into s until a number reaches its threshold; both numbers in one word, and `loop` beside them."""
    began = work.nodes
    mine = game.to_move(s) == work.attacker
    near_limit, far_limit = proof, refutation
    if not mine:
        near_limit, far_limit = refutation, proof
    work.path[ply] = key
    work.marks[i64(key & (MARKS - 1))] += 1
    n = look_at(game, s, ply, work)
    near, far, best, last = 0, 0, 0, 0
    while work.stopped == 0:
        best = nearest(n, ply, work)
        near, far = work.near[ply][best], sum_far(n, ply, work)
        if near >= near_limit or far >= far_limit or near == 0 or far == 0:
            break
        second = next_nearest(n, best, ply, work)
        limit = min(near_limit, max(second + 1, int(float(second) * (1.0 + work.epsilon))))
        others = far_limit - far + work.far[ply][best]
        t = game.result(s, work.moves[ply][best])
        if mine:
            enter(best, ply, look_into(game, t, identity(game, t, work), limit, others, ply + 1, work), mine, work)
        else:
            enter(best, ply, look_into(game, t, identity(game, t, work), others, limit, ply + 1, work), mine, work)
        last = best
    if far == 0:
        best = last  # where all is lost, what took longest to see
    work.marks[i64(key & (MARKS - 1))] -= 1
    work.loop = FREE
    if ply == 0:
        work.best = best
    if work.stopped != 0:
        return u64(0)
    if near == 0:
        far = INFINITE
    elif far == 0:
        near = INFINITE
    about = pair(near, far) if mine else pair(far, near)
    if refutation_of(about) == 0:
        work.loop = rests_on(n, best, mine, ply, work)
    if work.loop == FREE:
        keep(key, about, best, work.nodes - began, work)
    return about


def look_at(game: Game, s: State, ply: int, work: Proving) -> int:
    """Write down the numbers of the states after s as far as they are known; how many there are."""
    work.deepest = max(work.deepest, ply + 1)
    if ply + 1 >= len(work.moves) or work.stop != 0 or (work.limit > 0 and work.nodes > work.limit):
        work.stopped = 1
    n = tried(game, s, ply, ply, work)
    mine = game.to_move(s) == work.attacker
    work.nodes += n
    for i in range(n):
        t = game.result(s, work.moves[ply][i])
        work.loops[ply][i] = FREE
        about = u64(0)
        if is_proven(game, t, work):
            work.evaluations += 1
            about = pair(0, INFINITE) if opposed_value(game, t, work.attacker, work) >= work.target else pair(INFINITE, 0)
        else:
            key = identity(game, t, work)
            before = ply_of(key, ply, work) if work.every == 0 or ply > 0 else FREE
            if before != FREE:
                about = pair(INFINITE, 0)
                work.loops[ply][i] = before
            else:
                about = recall(key, work)
                if about == 0:
                    about = guess(game, t, ply + 1, work)
        work.near[ply][i] = proof_of(about) if mine else refutation_of(about)
        work.far[ply][i] = refutation_of(about) if mine else proof_of(about)
    return n


def enter(i: int, ply: int, about: u64, mine: bool, work: Proving) -> int:
    """Write down what looking into the state after action i gave."""
    if work.stopped == 0:
        work.near[ply][i] = proof_of(about) if mine else refutation_of(about)
        work.far[ply][i] = refutation_of(about) if mine else proof_of(about)
        work.loops[ply][i] = work.loop
    return i


def nearest(n: int, ply: int, work: Proving) -> int:
    """The action that looks best to the player who chooses: the first of the least near number."""
    best = 0
    for i in range(1, n):
        if work.near[ply][i] < work.near[ply][best]:
            best = i
    return best


def next_nearest(n: int, best: int, ply: int, work: Proving) -> int:
    """The least near number of the other actions."""
    least = INFINITE
    for i in range(n):
        if i != best:
            least = min(least, work.near[ply][i])
    return least


def sum_far(n: int, ply: int, work: Proving) -> int:
    """The sum of the far numbers."""
    total = 0
    for i in range(n):
        total += work.far[ply][i]
    return min(total, MAX_FINITE)


def rests_on(n: int, best: int, mine: bool, ply: int, work: Proving) -> int:
    """The first ply of the path that the refutation of the state at this ply rests on; FREE if it is none before its own."""
    first = FREE
    if mine:
        for i in range(n):
            first = min(first, work.loops[ply][i])
    else:
        first = work.loops[ply][best]
    return FREE if first >= ply else first


def ply_of(key: u64, ply: int, work: Proving) -> int:
    """At which ply of the path this state was; FREE if it was not."""
    if work.marks[i64(key & (MARKS - 1))] != 0:
        for k in range(ply + 1):
            if work.path[k] == key:
                return k
    return FREE


def follow(game: Game, s: State, work: Proving) -> int:
    """Write the line: the best action, and after it the actions that decided, as far as the table still knows them."""
    a = work.moves[0][work.best]
    n = 0
    while True:
        n += 1
        work.line[n] = a
        s = game.result(s, a)
        if n >= len(work.path) or is_proven(game, s, work):
            break
        work.path[n] = identity(game, s, work)
        about = entry(work.path[n], work)
        for k in range(1, n):
            if work.path[k] == work.path[n]:  # the deciding action of one proof may lead into another
                about = u64(0)
        if about < ANSWERED:
            break
        chosen = i64(about >> EFFORT & INFINITE)
        if chosen >= tried(game, s, n, 0, work):  # of another state of the same key
            break
        a = work.moves[0][chosen]
    work.line[0] = n
    return n


def identity(game: Game, s: State, work: Proving) -> u64:
    """The key of s under this question: a game's own key may be the same for either player to move."""
    return game.key(s) ^ (work.salt[0] if game.to_move(s) == work.attacker else work.salt[1])


def guess(game: Game, s: State, ply: int, work: Proving) -> u64:
    """The numbers of a state that was not looked into: one action to prove or refute it by, all to do the opposite. The row of its
    ply is free for its actions."""
    mine = game.to_move(s) == work.attacker
    if game.has_relevant_actions and ply < len(work.moves):
        n = game.fill_relevant(s, work.moves[ply])
        if n == 0:  # lost
            work.evaluations += 1
            return pair(0, INFINITE) if (-1.0 if mine else 1.0) >= work.target else pair(INFINITE, 0)
    else:
        n = game.count(s)
    return pair(1, n) if mine else pair(n, 1)


def tried(game: Game, s: State, ply: int, row: int, work: Proving) -> int:
    """Write the actions that are tried in s into this row, all of them at the root; how many there are."""
    if game.has_relevant_actions and ply > 0:
        return fitting(game.fill_relevant(s, work.moves[row]), row, work)
    return actions(game, s, row, work)
