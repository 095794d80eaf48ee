"""Monte Carlo tree search: a tree that grows where play looks best, its leaves judged by random games.

    MCTS(s): a simulation, again and again, is
        selection:         from the root to the child that UCB1 prefers, until a leaf
        expansion:         a leaf that comes up again gets its children
        simulation:        the game is played to its end at random
        back-propagation:  every node of the path counts the visit and what it gave
    return the action of the most visits

    UCB1(child) = mean + C * sqrt(log N / n)      n visits of the child, N of its parent; the mean is for the player who chose it

Any number of players, chance (its children are drawn by probability, not chosen), any payoffs. The steps are in `simulation.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from ...errors import ZermeloError
from ...game import Game, State
from ...history import History
from ...settings import OneOf, Range
from .. import forbidden
from ..forbidden import forbidden_by_history
from ..montecarlo import first_word, progress, refuse_chance
from ..prepare import prepare, width_of
from ..random_games import LIMIT
from ..searcher import SEED, Result, Searcher, Stopwatch
from ..signed_actions import Signed
from ..stop import Stop
from ..zero_sum import are_opposed, unequal_end
from .evaluator import Evaluated, Evaluator
from .kept_trees import KeptTrees
from .leaf_batches import Asking, Judge, LeafRecord, search_leaves
from .leaf_playouts import LeafPlayouts
from .node import MAX_VISITS, UNVISITED
from .rave import SLOTS
from .record import KEPT_FIELDS, MAX_DEPTH, TreeRecord
from .rollout_policies import LEARNED, POLICIES, TRAIL_LENGTH
from .simulation import search
from .tree import Grown, Pool, result_of, side_by_side
from .tree_parallel import SharedRecord, Together, search_shared

if TYPE_CHECKING:  # a search without a network imports nothing of it
    from ..puct.kept_tree import KeptTree

MIN_REACH = 2.0**-100  # the reach of utilities before any was seen: where all are 0, a bonus still decides


@dataclass(frozen=True, kw_only=True)
class MCTS(Searcher):
    """MCTS by UCB1 with uniform playouts, within a fixed memory.

    simulations: how many (10,000 if no other limit is given); in the Result a node is a simulation, and an evaluation a playout.
    depth: plies that the tree may reach; nodes: the same limit as simulations, under the name all searches know.
    exploration: C, in units of the greatest utility seen; sqrt(2) is UCB1.
    urgency: what an action that was never tried is taken to be worth; None: all are tried before any is tried again.
    puct: choose by mean + C * prior * sqrt(N) / (1 + n) instead; the priors fall with the rank in the game's `order`, and an action
        that was never tried is worth its urgency, 0 for None.
    rave: k, the visits after which an action's own mean weighs as much as what it gave later in simulations (`rave.py`); None: off.
    prior: with rave, what the game's `prior_value` says of an action counts as so many visits of AMAF; 0: nothing.
    ripe: visits after which a leaf gets its children.
    widening: k where only the first k * sqrt(N) + 1 children of a node count, in the game's `order`; None: all.
    policy: how playouts choose (`rollout_policies.py`): "uniform", "game" (its own `playout_action`) or "learned" in the search
        itself, with any action every `epsilon`-th time.
    plies: actions of a playout, after which EVAL takes the place of UTILITY (0: no playouts); None: to the end of the
        game, and 0 with `eval`.
    playouts_per_leaf: so many games judge a leaf, played natively or, device="cuda", on a GPU, for a `batch` of leaves at a time.
    net: the run or the file of a network, or "learned" for the one that comes with the game: it judges leaves and gives PUCT its
        priors (`search/puct/`), one leaf at a time, as it was trained, or a few at once where only the clock ends the search; boards are
        turned at random. Settings of playouts do not go with it. Where few moves are left (`moves_left`), half of the time may go into
        solving the end.
    mix: with net, the weight of a quick game from the leaf beside what the network says of it: 0.5 is AlphaGo's search.
    evaluator: what judges leaves instead of playouts and gives PUCT its priors, asked for a `batch` at a time (`evaluator.py`).
    solver: prove wins, draws and losses (two players, no chance, utilities of sum zero from -win to win; given up where a game
        turns out to have others). A proven loss is not tried again, and a proven root ends the search.
    memory: MiB of nodes; when they are full the tree stays as it is, and playouts go on from its leaves.
    threads: so many trees, each with its part of the simulations and the memory, whose visits are added up at the end
        (parallel="root": the same seed gives the same result), or so many that grow one tree under virtual losses (parallel="tree",
        `tree_parallel.py`: the result is a little different each time).
    """

    averages_results: ClassVar[bool] = True

    simulations: Annotated[int | None, Range(1, MAX_VISITS)] = None
    exploration: Annotated[float, Range(0)] = math.sqrt(2)
    urgency: Annotated[float | None, Range(-math.inf, above=True, words="a number as urgency, or None to try every action first")] = None
    puct: bool = False
    rave: Annotated[float | None, Range(0, above=True)] = None
    prior: Annotated[int, Range(0, 1 << 20)] = 0
    ripe: Annotated[int, Range(1, 1 << 20)] = 1
    widening: Annotated[float | None, Range(0, above=True)] = None
    policy: Annotated[str, OneOf(POLICIES)] = "uniform"
    epsilon: Annotated[float, Range(0, 1)] = 0.4
    plies: Annotated[int | None, Range(0, LIMIT)] = None
    playouts_per_leaf: Annotated[int, Range(1, 1 << 24)] = 1
    device: Annotated[str, OneOf(("cpu", "cuda"))] = "cpu"
    net: str | None = None
    mix: Annotated[float, Range(0, 1)] = 0.0
    evaluator: Evaluator | None = None
    batch: Annotated[int, Range(1, 1 << 16)] = 8
    solver: bool = True
    win: Annotated[float, Range(0, above=True)] = 1.0
    memory: Annotated[int, Range(1, 1 << 17, words="a memory of 1 to 131,072 MiB")] = 256
    threads: Annotated[int, Range(1, 256)] = 1
    parallel: Annotated[str, OneOf(("tree", "root"))] = "root"
    seed: Annotated[int, SEED] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.evaluator is not None and not callable(self.evaluator):
            raise ZermeloError(f"MCTS: expected a function as evaluator, or None for none, not {self.evaluator!r}")
        if self.prior and self.rave is None:
            raise ZermeloError(f"MCTS: expected prior with rave, not prior={self.prior} without it")
        if self.mix and self.net is None:
            raise ZermeloError(f"MCTS: expected mix with net, not mix={self.mix:g} without it")
        if self._is_judged or self.net is not None:
            self._refuse_together()

    def _refuse_together(self) -> None:
        """Refuse settings that say two things about who judges a leaf."""
        judge = "a network" if self.net is not None else "an evaluator" if self.evaluator is not None else "playouts by the leaf"
        others = {"policy": self.policy != "uniform", "plies": self.plies is not None, "rave": self.rave is not None}
        if self.net is not None:
            others |= {
                "evaluator": self.evaluator is not None,
                "eval": self.eval is not None,
                "endgames": self.endgames is not None,
                "depth": self.depth is not None,
            }
        if self.evaluator is not None or self.net is not None:
            others |= {
                "device": self.device != "cpu",
                "playouts_per_leaf": self.playouts_per_leaf > 1,
                "widening": self.widening is not None,
            }
        for name, given in others.items():
            if given:
                raise ZermeloError(f"MCTS: expected {judge} without {name}, not {name}={getattr(self, name)!r} with it")
        if self.threads > 1:
            raise ZermeloError(f"MCTS: expected one thread with {judge}, not {self.threads}")

    @property
    def _is_judged(self) -> bool:
        """Whether leaves are judged from outside."""
        return self.evaluator is not None or self.playouts_per_leaf > 1 or self.device == "cuda"

    @property
    def _guides(self) -> bool:
        """Whether what playouts do is noted."""
        return self.policy != "uniform" or self.rave is not None

    @property
    def _is_shared(self) -> bool:
        return self.threads > 1 and self.parallel == "tree"

    def new_memory(self, game: Game) -> KeptTrees | KeptTree:
        if self.net is None:
            return KeptTrees(game, self.interpreted)
        from ..puct.kept_tree import KeptTree

        return KeptTree()

    def _deepen(self, game: Game, state: State | History | None, stop: Stop | None, kept: Any) -> Iterator[Result]:
        """Yield a Result each time the simulations have doubled, and each tenth of a second. `kept` has trees to go on with."""
        s, n, over = self._opening(game, state)
        if over is not None:
            yield over
            return
        refuse_chance("MCTS", game, s)
        if self.policy == "game" and not game.has_playout_action:
            raise ZermeloError(f"MCTS: expected a game that has a playout policy of its own, and {game.name} has none")
        judge, bars = self._judge(game), forbidden_by_history(game, state)
        stop, width = stop or Stop(), width_of(game, n)
        if self.net is not None:
            yield from self._grow_by_network(game, s, bars, stop, kept)
            return
        pools = self._pools(game, 1 if kept is None else 2)
        if pools[0].most <= width:
            raise ZermeloError(f"MCTS: expected more memory than {self.memory} MiB for a state of {n:,} actions of {game.name}")
        self._run(game, width, judge)  # once, before the threads and the clock need it
        watch = Stopwatch()
        with stop.after(self.seconds):
            if kept is not None:
                kept.carry(s if state is None else state, pools, self._limit(), width, stop)
            growing = [self._grow(game, s, bars, i, pool, len(pools), width, judge, stop, watch) for i, pool in enumerate(pools)]
            for trees in side_by_side(growing):
                yield result_of(game, s, trees, watch, self.win)

    def _grow_by_network(self, game: Game, s: State, bars: list[int], stop: Stop, kept: KeptTree | None) -> Iterator[Result]:
        """The search that a network guides, unless the end of the game is near enough to be solved."""
        from ..puct.ending import solve_ending
        from ..puct.search import Asked, grow

        by_clock = self._limit() == MAX_VISITS
        ending, spent = solve_ending(game, s, bars, None if by_clock else self._limit(), self.seconds, stop, self.interpreted)
        if ending is not None:
            yield ending
            return
        solver = self.solver and unequal_end(game, s) is None
        asked = Asked(self.net or "", self._limit(), self.exploration, self.mix, solver, self.seed, by_clock)
        seconds = None if self.seconds is None else max(0.0, self.seconds - spent)
        yield from grow(game, s, asked, bars, seconds, stop, self.interpreted, kept)

    def _pools(self, game: Game, parts: int) -> list[Pool]:
        """Memory for each tree: its part of what was asked for."""
        trees = 1 if self._is_shared else min(self.threads, self._limit())
        more = {
            "priors": int(self.puct or self.evaluator is not None),
            "amaf": 2 * (self.rave is not None),
            "proofs": int(self._is_shared),
        }
        slots = 2 * game.players * SLOTS * (self.policy == "learned")
        return [Pool((self.memory << 20) // trees // parts, more, slots, self.interpreted) for _ in range(trees)]

    def _grow(
        self,
        game: Game,
        s: State,
        bars: list[int],
        number: int,
        pool: Pool,
        trees: int,
        width: int,
        judge: Judge | None,
        stop: Stop,
        watch: Stopwatch,
    ) -> Iterator[Grown]:
        """One tree as it grows, with its share of the simulations."""
        limit = (self._limit() - number - 1) // trees + 1
        before = {} if pool.kept == 0 else {c.action: c.visits for c in pool.family(0)[1]}
        limit = min(limit, MAX_VISITS - (pool.visits if pool.kept else 0))
        start = partial(self._start, game, s, bars, number, pool, limit, judge)
        for work in progress(start, KEPT_FIELDS, width, self.interpreted, limit, stop, watch):
            pool.holds = bool(work.solver)
            yield Grown(pool, work, before)

    def _limit(self) -> int:
        given = [n for n in (self.simulations, self.nodes) if n is not None]
        return min(given) if given else MAX_VISITS if self.seconds is not None else 10_000

    def _judge(self, game: Game) -> Judge | None:
        if self.evaluator is not None:
            return Evaluated(game, self.evaluator)
        if self._is_judged:
            return LeafPlayouts(game, self.playouts_per_leaf, self.batch, self.seed, self.device, self.interpreted)
        return None

    def _run(self, game: Game, width: int, judge: Judge | None) -> Callable[..., TreeRecord]:
        """The algorithm that these settings ask for."""
        seen: Any = Signed(game) if self.interpreted else game
        sizes = {
            "width": width,
            "words": game.layout.words,
            "trail": TRAIL_LENGTH if self._guides else 1,
            "taken": game.players * SLOTS if self._guides else 1,
            "proofs": 2 if self._is_shared else 1,
        }
        if judge is not None:
            asking = prepare(seen, search_leaves, LeafRecord, self.interpreted, **sizes)
            return Asking(asking, game, judge, self.batch, self._max_depth, width, self._limit())
        if self._is_shared:
            shared = prepare(seen, search_shared, SharedRecord, self.interpreted, **sizes)
            return Together(shared, min(self.threads, self._limit()), self.seed, self.interpreted)
        return prepare(seen, search, TreeRecord, self.interpreted, **sizes)

    @property
    def _max_depth(self) -> int:
        return MAX_DEPTH if self.depth is None else min(self.depth, MAX_DEPTH)

    def _start(
        self, game: Game, s: State, bars: list[int], number: int, pool: Pool, limit: int, judge: Judge | None, width: int
    ) -> tuple[Callable[..., TreeRecord], dict[str, Any]]:
        if pool.kept == 0:
            pool.clear(limit, width)
        used, pool.kept = pool.kept, 0  # a search that begins again, with more room for actions, does so from nothing
        places = pool.places()
        holds = self.solver and pool.holds and not game.has_chance and are_opposed(game, s, self.win)
        priors = places["priors"] > 0
        proofs = [places.pop("proofs"), 0] if self._is_shared else [places.pop("proofs")]
        return self._run(game, width, judge), places | {
            "proofs": proofs,
            "start": s if self.interpreted else game.layout.pack(s),
            "random": first_word(self.seed, number),
            "plies": self.plies if self.plies is not None else LIMIT if self.eval is None else 0,
            "pool": pool.table,
            "used": used,
            "node_room": pool.room,
            "max_depth": self._max_depth,
            "ripe": self.ripe,
            "exploration": self.exploration,
            "reach": MIN_REACH,
            "first_bonus": UNVISITED if self.urgency is None else 0.0,
            "urgency": 0.0 if self.urgency is None else self.urgency,
            "widening": self.widening or 0.0,
            "turns": int(self.urgency is None and self.widening is None and self.rave is None and not priors),
            "rave": self.rave or 0.0,
            "prior": self.prior,
            "policy": POLICIES.index(self.policy),
            "epsilon": self.epsilon if self.policy == POLICIES[LEARNED] else 0.0,
            "solver": int(holds),
            "win": self.win,
            **forbidden.given(bars, width),
        }
