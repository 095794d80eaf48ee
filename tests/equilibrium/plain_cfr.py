"""Textbook definitions in plain Python, without sequences or arrays: what strategies earn, best responses, regret minimisation."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from zermelo import CHANCE, Game, i8, u64
from zermelo.equilibrium.form import SequenceForm

Policy = dict[tuple[int, Any], dict[int, float]]  # of a player in what it observes


class Cards(NamedTuple):
    """Cards of three players, 0 before they are dealt, and what was bet: 1 at first, twice it and 1 for a bet."""

    cards: tuple[i8, i8, i8]
    betting: i8


class ThreePlayerKuhn(Game):
    """Kuhn poker of three: whoever passes after a bet folds; the highest card of those who are in wins all."""

    players = 3

    def initial(self) -> Cards:
        return Cards((0, 0, 0), 1)

    def length(self, s: Cards) -> int:
        return 0 if s.betting < 2 else 1 if s.betting < 4 else 2 if s.betting < 8 else 3 if s.betting < 16 else 4 if s.betting < 32 else 5

    def bettor(self, s: Cards) -> int:
        """When the first bet was made, -1 if none was."""
        n = self.length(s)
        for i in range(n):
            if s.betting >> (n - 1 - i) & 1:
                return i
        return -1

    def to_move(self, s: Cards) -> int:
        return CHANCE if s.cards[2] == 0 else self.length(s) % 3

    def is_terminal(self, s: Cards) -> bool:
        first, n = self.bettor(s), self.length(s)
        return n == 3 if first < 0 else n == first + 3

    def actions(self, s: Cards) -> Iterator[int]:
        if s.cards[2] == 0:
            for card in range(1, 5):
                if card not in s.cards:
                    yield card
        elif not self.is_terminal(s):
            yield 0
            yield 1

    def result(self, s: Cards, a: int) -> Cards:
        if s.cards[2] > 0:
            return Cards(s.cards, 2 * s.betting + a)
        if s.cards[0] == 0:
            return Cards((a, 0, 0), 1)
        return Cards((s.cards[0], a, 0), 1) if s.cards[1] == 0 else Cards((s.cards[0], s.cards[1], a), 1)

    def is_in(self, s: Cards, p: int) -> bool:
        first, n = self.bettor(s), self.length(s)
        if first < 0:
            return True
        at = p if p >= first else p + 3
        return (s.betting >> (n - 1 - at) & 1) == 1

    def utility(self, s: Cards, p: int) -> float:
        first, pot, best, winner = self.bettor(s), 3, 0, 0
        for q in range(3):
            if self.is_in(s, q):
                pot += 1 if first >= 0 else 0
                if s.cards[q] > best:
                    best, winner = s.cards[q], q
        paid = 1 + (1 if first >= 0 and self.is_in(s, p) else 0)
        return pot - paid if p == winner else -paid

    def probability(self, s: Cards, a: int) -> float:
        return 1 / 4 if s.cards[0] == 0 else 1 / 3 if s.cards[1] == 0 else 1 / 2

    def observe(self, s: Cards, p: int) -> tuple[int, int]:
        return (s.cards[p], s.betting if s.cards[2] > 0 else 0)

    def resample(self, s: Cards, p: int, seed: u64) -> Cards:
        return s


# ---- strategies ----------------------------------------------------------------------------------


def random_strategy(form: SequenceForm, seed: int) -> np.ndarray:
    """Any strategy, some of whose actions are never taken."""
    rng = np.random.default_rng(seed)
    weights = rng.random(form.sequences) * (rng.random(form.sequences) < 0.8) + 1e-3
    sums = np.add.reduceat(weights[form.players :], form.firsts[:-1] - form.players)
    weights[form.players :] /= np.repeat(sums, np.diff(form.firsts))
    return weights


def policy_of(game: Game, form: SequenceForm, strategy: np.ndarray) -> Policy:
    """A strategy as a dictionary; observations are of one kind, so their words tell them apart."""
    policy = {}
    for i, (owner, words) in enumerate(zip(form.owners.tolist(), form.observations.tolist(), strict=True)):
        span = slice(form.firsts[i], form.firsts[i + 1])
        policy[owner, tuple(words)] = dict(zip(form.actions[span].tolist(), strategy[span].tolist(), strict=True))
    return policy


def seen(game: Game, s: Any, p: int) -> tuple[int, Any]:
    """Player p and the words that it observes."""
    words = [0] * 16
    count = game.pack_observation(s, p, words)
    return p, tuple(words[:count])


def values(game: Game, policy: Policy, s: Any = None) -> np.ndarray:
    """What each player gets when all play by the policy."""
    s = game.initial() if s is None else s
    if game.is_terminal(s):
        return np.array([float(game.utility(s, p)) for p in range(game.players)])
    p = game.to_move(s)
    odds = {a: game.probability(s, a) for a in game.actions(s)} if p == CHANCE else policy[seen(game, s, p)]
    return sum(q * values(game, policy, game.result(s, a)) for a, q in odds.items())


def best_value(game: Game, policy: Policy, p: int) -> float:
    """The most that player p can get, by all its pure strategies."""
    own = [key for key in policy if key[0] == p]
    plans = itertools.product(*(policy[key] for key in own))
    pure = ({key: {a: float(a == b) for a in policy[key]} for key, b in zip(own, plan, strict=True)} for plan in plans)
    return max(values(game, policy | plan)[p] for plan in pure)


# ---- regret minimisation -------------------------------------------------------------------------


def minimise(game: Game, iterations: int, is_plus: bool) -> Policy:
    """The average strategy after some iterations of CFR or CFR+, by recursion over the tree (Zinkevich et al. 2007, Tammelin 2014)."""
    regret, total = defaultdict(lambda: defaultdict(float)), defaultdict(lambda: defaultdict(float))

    def strategy(s: Any, p: int) -> dict[int, float]:
        actions, known = list(game.actions(s)), regret[seen(game, s, p)]
        whole = sum(max(known[a], 0.0) for a in actions)
        return {a: max(known[a], 0.0) / whole if whole > 0 else 1 / len(actions) for a in actions}

    def walk(s: Any, me: int, mine: float, others: float, gains: dict, weights: dict) -> float:
        """What player `me` gets from s on; adds its counterfactual gains, and the weights of its actions in the average."""
        if game.is_terminal(s):
            return float(game.utility(s, me))
        p = game.to_move(s)
        odds = {a: game.probability(s, a) for a in game.actions(s)} if p == CHANCE else strategy(s, p)
        shares = {a: (mine * q, others) if p == me else (mine, others * q) for a, q in odds.items()}
        below = {a: walk(game.result(s, a), me, *shares[a], gains, weights) for a in odds}
        mean = sum(q * below[a] for a, q in odds.items())
        if p == me:
            for a, q in odds.items():
                gains[seen(game, s, p)][a] += others * (below[a] - mean)
                weights[seen(game, s, p)][a] = mine * q
        return mean

    for t, me in itertools.product(range(1, iterations + 1), range(game.players)):
        gains, weights = defaultdict(lambda: defaultdict(float)), defaultdict(dict)
        walk(game.initial(), me, 1.0, 1.0, gains, weights)
        for key, a in [(key, a) for key, found in gains.items() for a in found]:
            new = regret[key][a] + gains[key][a]
            regret[key][a] = max(new, 0.0) if is_plus else new
            total[key][a] += weights[key][a] * (t if is_plus else 1)
    return {key: {a: x / sum(sums.values()) for a, x in sums.items()} for key, sums in total.items()}
