"""Proofs in a tree of PUCT (MCTS-Solver), for two players of whom one gains what the other loses.

    n IS KNOWN if the game is over there, or by a child that is known
        to be a win for who moves in n, or
        when all other children are known, too
    a known n is worth what its best child is worth, and is as good as terminal: no simulation goes below it
    an edge to a known child counts as what that is worth, however it looked before; one to a loss is not tried again

When the root is known, the search is over, however many simulations it was given. Where chance moves, nothing is proven.
"""

from __future__ import annotations

from .record import NEVER, NOBODY, Tree

WIN = 1.0  # the greatest of all values
NO_SUM = 1e-9  # what the values of both players add up to, at most


def settle(n: int, k: int, work: Tree) -> int:
    """Edge k of node n, just visited, leads to a known child: whether n is known now, too."""
    p, c = work.mover[n], work.child[n][k]
    if p < 0 or not is_known(c, work):
        return 0
    value = work.worth[c][p]
    work.total[n][k] = value * work.visits[n][k]
    if value <= -WIN:
        work.prior[n][k] = NEVER
    best = k if value >= WIN else best_if_all_are_known(n, p, work)
    if best < 0:
        return 0
    for i in range(work.count[n]):
        if i != best:
            work.prior[n][i] = NEVER
    for q in range(2):
        work.worth[n][q] = work.worth[work.child[n][best]][q]
    if n > 0:
        work.mover[n] = NOBODY
    else:
        work.known = 1
    return 1


def best_if_all_are_known(n: int, p: int, work: Tree) -> int:
    """The edge of n that is best for p; -1 if one that may be taken leads to what is not known."""
    best, most = -1, -2.0 * WIN
    for k in range(work.count[n]):
        if n > 0 or work.forbidden[k] == 0:
            c = work.child[n][k]
            if c < 0 or not is_known(c, work):
                return -1
            if work.worth[c][p] > most:
                best, most = k, work.worth[c][p]
    return best


def is_known(n: int, work: Tree) -> bool:
    """Whether what n is worth is certain, and one player's gain the other's loss."""
    return work.mover[n] == NOBODY and abs(work.worth[n][0] + work.worth[n][1]) < NO_SUM
