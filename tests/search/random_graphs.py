"""Random small games of every kind, what their states are worth, and whether a search is right in what it calls exact.

A game is a graph of at most 15 nodes, which stands in the state itself: one native code plays them all. `claims` lets a search look at a
node. What it calls exact has to agree with brute force, whatever is played where play never ends:

    two opponents, a coalition    the value if endless play is worth least and if it is worth most: the same, and that of the search
    what a side can force         the same if endless play is a draw
    each for itself (max^n)       one of the vectors that some way to break ties leads to
    gains that are nobody's loss  a search of two opponents has to refuse
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import NamedTuple

from zermelo import (
    CHANCE,
    MCTS,
    AlphaBeta,
    BestFirst,
    Expectiminimax,
    Game,
    MaxN,
    Minimax,
    Paranoid,
    ProofNumber,
    ZermeloError,
    i8,
    i64,
    u64,
)
from zermelo.search.searcher import Result, Searcher

NODES, NONE, BY_CHANCE = 15, 15, 3
HIGH = 7  # the greatest gain, and what endless play is worth at most
ERROR = 1e-6
MANY = 60  # vectors of a node; a graph with more is passed over
KINDS = ("opposed", "general", "chance", "general chance", "three", "three chance", "cycles", "cycles and chance", "three cycles", "draws")


class Node(NamedTuple):
    """A node, and the graph: two bits a node for who moves there, and four each for its children and for what each player gains."""

    node: i8
    movers: u64
    left: u64
    middle: u64
    right: u64
    first: u64
    second: u64
    third: u64


class Graph(Game):
    """A graph for two or three players. Inner nodes have gains, too, as estimates."""

    def __init__(self, players: int = 2, bounded: bool = False):
        self.players = players
        self.value_range = (-HIGH, HIGH) if bounded else None

    def initial(self) -> Node:
        return Node(0, 0, NONE, NONE, NONE, 8, 8, 8)

    def mover(self, s: Node) -> int:
        return i64((s.movers >> (2 * s.node)) & 3)

    def child(self, s: Node, a: int) -> int:
        kids = s.left if a == 0 else s.middle if a == 1 else s.right
        return i64((kids >> (4 * s.node)) & 15)

    def gained(self, s: Node, p: int) -> int:
        gains = s.first if p == 0 else s.second if p == 1 else s.third
        return i64((gains >> (4 * s.node)) & 15) - 8

    def to_move(self, s: Node) -> int:
        return self.mover(s)

    def actions(self, s: Node) -> Iterator[int]:
        for a in range(3):
            if self.child(s, a) != NONE:
                yield a

    def result(self, s: Node, a: int) -> Node:
        return s._replace(node=self.child(s, a))

    def is_terminal(self, s: Node) -> bool:
        return self.child(s, 0) == NONE

    def utility(self, s: Node, p: int) -> float:
        return float(self.gained(s, p))

    def evaluate(self, s: Node, p: int) -> float:
        return float(self.gained(s, p))


class Dice(Graph):
    """The same with chance: the first outcome has one half, the others share the rest."""

    def to_move(self, s: Node) -> int:
        p = self.mover(s)
        return CHANCE if p == BY_CHANCE else p

    def probability(self, s: Node, a: int) -> float:
        if self.child(s, 1) == NONE:
            return 1.0
        return 0.5 if a == 0 or self.child(s, 2) == NONE else 0.25


class Repeated(Graph):
    """The same, where a node that comes back for the third time ends the game as a draw."""

    repetition = "draw"


class Scored(Graph):
    """The same, whose solution is a score."""

    has_scores = True


# ---- what there is ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Drawn:
    """A graph that was drawn: its kind, a state at each node that is to be searched, and its games."""

    kind: str
    starts: list[Node]
    games: list[Game]
    seed: int


@cache
def games_of(kind: str, number: int) -> list[Game]:
    """The games that play graphs of this kind; others for other numbers, since each knows the graphs that it has met."""
    players = 3 if "three" in kind else 2
    if kind == "draws":
        return [Repeated()]
    if "chance" in kind:
        return [Dice(players), Dice(players, bounded=True)]
    return [Graph(players), Graph(players, bounded=True)] + [Scored(players)] * (players == 2)


def drawn(kind: str, seed: int) -> Drawn:
    """A random graph."""
    chance = random.Random(f"{kind} {seed}")
    nodes, inner = chance.randint(2, NODES), chance.uniform(0.3, 0.8)
    cycles, is_opposed = "cycles" in kind or kind == "draws", "general" not in kind and "three" not in kind
    players = 3 if "three" in kind else 2
    few = chance.choice([(-1, 0, 1), (-1, 1), (-2, -1, 0, 1, 2), range(-HIGH, HIGH + 1), (0, 1)])
    most = chance.choice([1, 2, 3, 3])
    words = {"movers": 0, "left": 0, "middle": 0, "right": 0, "first": 0, "second": 0, "third": 0}
    alternate = chance.random() < 0.3
    for n in range(nodes):
        others = [m for m in range(nodes) if m != n] if cycles else list(range(n + 1, nodes))
        is_inner = bool(others) and (n == 0 or chance.random() < inner)
        kids = [chance.choice(others) for _ in range(chance.randint(1, most))] if is_inner else []
        for name, child in zip(("left", "middle", "right"), kids + [NONE] * 3, strict=False):
            words[name] |= child << 4 * n
        mover = n % players if alternate else chance.randrange(players)
        if "chance" in kind and n > 0 and is_inner and chance.random() < 0.35:
            mover = BY_CHANCE
        words["movers"] |= mover << 2 * n
        gains = [chance.choice(few) for _ in range(3)]
        if is_opposed or (kind.startswith("general") and chance.random() < 0.6):
            gains[1] = -gains[0]
        for name, gain in zip(("first", "second", "third"), gains, strict=True):
            words[name] |= (gain + 8) << 4 * n
    games = games_of(kind, seed // 200)
    starts = [s for s in (Node(n, **words) for n in range(nodes)) if not games[0].is_terminal(s) and games[0].to_move(s) != CHANCE]
    return Drawn(kind, starts[:1] + chance.sample(starts[1:], min(2, len(starts) - 1)), games, seed)


# ---- what it is worth ---------------------------------------------------------------------------


def below(game: Game, s: Node) -> dict[Node, list[Node]]:
    """All states that can be reached from s, with their children."""
    found: dict[Node, list[Node]] = {}
    todo = [s]
    while todo:
        t = todo.pop()
        if t not in found:
            found[t] = [game.result(t, a) for a in game.actions(t)]
            todo += found[t]
    return found


def worth(game: Game, s: Node, ours: frozenset[int], me: int, endless: float) -> dict[Node, float]:
    """What each state below s is worth to player `me` of our side, against all others, where endless play is worth so much."""
    graph = below(game, s)
    values = {t: endless if kids else game.utility(t, me) for t, kids in graph.items()}
    while True:
        moved = 0.0
        for t, kids in graph.items():
            if kids:
                mover, after = game.to_move(t), [values[k] for k in kids]
                if mover == CHANCE:
                    v = math.fsum(x * game.probability(t, a) for x, a in zip(after, game.actions(t), strict=True))
                else:
                    v = max(after) if mover in ours else min(after)
                moved, values[t] = max(moved, abs(v - values[t])), v
        if moved < 1e-9:
            return values


def equilibria(game: Game, s: Node) -> dict[Node, set[tuple[float, ...]]] | None:
    """For each state below s the vectors that best play of each for itself can lead to. None: too many, or play may have no end."""
    found: dict[Node, set[tuple[float, ...]]] = {}
    path: set[Node] = set()

    def visit(t: Node) -> bool:
        if t in path:
            return False
        if t in found:
            return True
        path.add(t)
        kids = [game.result(t, a) for a in game.actions(t)]
        if not all(visit(k) for k in kids):
            return False
        path.discard(t)
        p = game.to_move(t)
        if not kids:
            found[t] = {tuple(game.utility(t, q) for q in range(game.players))}
        elif p == CHANCE:
            shares = [game.probability(t, a) for a in game.actions(t)]
            if math.prod(len(found[k]) for k in kids) > MANY:
                return False
            found[t] = {
                tuple(sum(share * v[q] for share, v in zip(shares, vectors, strict=True)) for q in range(game.players))
                for vectors in product(*(found[k] for k in kids))
            }
        else:
            least = [min(v[p] for v in found[k]) for k in kids]
            found[t] = {v for i, k in enumerate(kids) for v in found[k] if all(v[p] >= x - 1e-9 for j, x in enumerate(least) if j != i)}
        return len(found[t]) <= MANY

    return found if visit(s) else None


def is_general(game: Game, s: Node) -> bool:
    """Whether one player's gain need not be the other's loss."""
    return game.players != 2 or any(not kids and game.utility(t, 0) != -game.utility(t, 1) for t, kids in below(game, s).items())


def has_cycle(game: Game, s: Node) -> bool:
    graph, done = below(game, s), set[Node]()
    while len(done) < len(graph):
        more = {t for t, kids in graph.items() if t not in done and done.issuperset(kids)}
        if not more:
            return True
        done |= more
    return False


# ---- what a search says of it -------------------------------------------------------------------


@dataclass
class Tally:
    """How many answers were asked for, called exact and refused, and those that were wrong."""

    asked: int = 0
    exact: int = 0
    refused: int = 0
    wrong: list[str] | None = None

    def add(self, other: Tally) -> None:
        self.asked, self.exact, self.refused = self.asked + other.asked, self.exact + other.exact, self.refused + other.refused
        self.wrong = [*(self.wrong or []), *(other.wrong or [])]


def searches(of: Drawn, chance: random.Random, interpreted: bool) -> Iterator[Searcher]:
    """Searches of every kind that take this graph, with settings at random. Where play may have no end they have a limit."""
    limit = (
        chance.choice([2, 3, 5, 5 if interpreted else 9]) if "cycles" in of.kind or of.kind == "draws" or chance.random() < 0.4 else None
    )
    common = {"depth": limit, "interpreted": interpreted}
    table = chance.choice([None, 1])
    yield MaxN(**common)
    yield Paranoid(**common, table=table)
    yield MCTS(
        simulations=chance.choice([3, 20, 200]), seed=chance.randrange(99), interpreted=interpreted, memory=1, plies=20, win=float(HIGH)
    )
    if "three" in of.kind:
        return
    yield Expectiminimax(**common, table=table, star=chance.randrange(3), bounds=chance.choice([None, (-HIGH, HIGH)]))
    if "chance" in of.kind:
        return
    yield Minimax(**common)
    yield AlphaBeta.plain(**common)
    flags = {name: chance.random() < 0.6 for name in ("deepening", "pvs", "killers", "history", "order", "quiescence", "distance")}
    yield AlphaBeta(**common, table=table, aspiration=chance.choice([None, 0.0, 1.0]), lines=chance.choice([1, 1, 2]), **flags)
    yield AlphaBeta(**common, table=1)
    yield BestFirst(
        nodes=chance.choice([5, 50, 100 if interpreted else 2000]), interpreted=interpreted, memory=1, cost=chance.choice([None, 0.05])
    )
    yield ProofNumber(
        nodes=chance.choice([20, 2000 if interpreted else 20_000]), interpreted=interpreted, table=1, all_moves=chance.random() < 0.5
    )


def claims(of: Drawn, interpreted: bool) -> Tally:
    """Let every search look at the graph."""
    chance, tally = random.Random(f"{of.kind} {of.seed} searches"), Tally(wrong=[])
    for s in of.starts:
        game = chance.choice(of.games)
        right = Right(game, s)
        for search in searches(of, chance, interpreted):
            tally.asked += 1
            try:
                found = search.search(game, s)
            except ZermeloError as error:
                tally.refused += 1
                wrong = right.refusal(search, error)
            else:
                tally.exact += found.exact
                wrong = right.claim(search, found)
            if wrong:
                tally.wrong.append(f"{of.kind} {of.seed}, node {s.node}, {search}: {wrong}")
        if isinstance(game, Scored) and not is_general(game, s) and not has_cycle(game, s):
            tally.asked, tally.exact = tally.asked + 1, tally.exact + 1
            if wrong := right.solution(AlphaBeta(table=1, interpreted=interpreted).solution(game, s, all_moves=True)):
                tally.wrong.append(f"{of.kind} {of.seed}, node {s.node}, solution: {wrong}")
    return tally


class Right:
    """What is right to say of a state."""

    def __init__(self, game: Game, s: Node):
        self.game, self.s, self.me = game, s, game.to_move(s)
        self.opposed = not is_general(game, s)
        self.least, self.most = (worth(game, s, frozenset([self.me]), self.me, endless) for endless in (-HIGH, HIGH))

    def value(self, t: Node) -> float | None:
        """What t is worth to the mover of s, against all others; None if that depends on what endless play is worth."""
        if self.game.repetition == "draw":
            return self.sure(t)
        return self.least[t] if self.most[t] - self.least[t] < ERROR else None

    def sure(self, t: Node) -> float:
        """The same where endless play is a draw."""
        return max(self.least[t], min(self.most[t], 0.0))

    def forced(self, t: Node) -> int:
        """1 if the mover of s can force a win in t, -1 if the others can, else 0."""
        v = self.sure(t)
        return (v > 0) - (v < 0)

    def refusal(self, search: Searcher, error: ZermeloError) -> str:
        """What is wrong with an error."""
        if type(search).opposes and not self.opposed and "whose sum is 0" in str(error):
            return ""
        return f"refused: {error}"

    def claim(self, search: Searcher, found: Result) -> str:
        """What is wrong with a Result."""
        if not self.opposed and type(search).opposes:
            return "expected it to refuse gains that are nobody's loss"
        if not found.exact:
            return ""
        if isinstance(search, MaxN) and not self.opposed:
            return self.vectors(found)
        if isinstance(search, ProofNumber):
            return self.compared(found, self.forced)
        return self.compared(found, self.value)

    def compared(self, found: Result, value: Callable[[Node], float | None]) -> str:
        """Compare what is called exact, value and scores, with what is right."""
        slack = 1.1e-3  # `distance`
        right = value(self.s)
        if right is None:
            return f"called exact {found.value}, but play may have no end"
        if abs(right - found.value) > slack:
            return f"called exact {found.value}, and it is {right}"
        for a, v in found.scores.items():
            after = value(self.game.result(self.s, a))
            bound = found.bounds.get(a)
            if after is None:
                if bound is None:
                    return f"called {v} exact for action {a}, after which play may have no end"
                continue
            off = after - v
            if (off > slack and bound != "at least") or (off < -slack and bound != "at most"):
                return f"action {a} is worth {bound or 'exactly'} {v}, and it is {after}"
        best = value(self.game.result(self.s, found.action))
        if best is not None and abs(best - right) > slack:
            return f"action {found.action} is worth {best}, and the best {right}"
        return ""

    def vectors(self, found: Result) -> str:
        """Compare the vector of max^n."""
        if has_cycle(self.game, self.s):
            return f"called exact {found.values}, but play may have no end"
        right = equilibria(self.game, self.s)
        if right is None or any(all(abs(x - y) < ERROR for x, y in zip(v, found.values, strict=True)) for v in right[self.s]):
            return ""
        return f"called exact {found.values}, and it is one of {sorted(right[self.s])}"

    def solution(self, found: object) -> str:
        """What is wrong with a solution."""
        right = {a: self.value(self.game.result(self.s, a)) for a in self.game.actions(self.s)}
        told = {a: v for a, (v, _) in found.scores.items()}
        best = {a for a, v in right.items() if v == self.value(self.s)}
        if (found.value, told, set(found.best)) == (self.value(self.s), right, best):
            return ""
        return f"{found.value} {told} {found.best}, and it is {self.value(self.s)} {right}"
