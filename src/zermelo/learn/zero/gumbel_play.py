"""Games against oneself with Gumbel's root (`search/puct/gumbel.py`): the action that is left is taken, the improved policy remembered.

No noise is mixed into the priors, and no action drawn by its visits: what is drawn for the root explores.
"""

from __future__ import annotations

from ...game import Game, State
from ...lower.lanes import lane, sync
from ...search.puct.gumbel import GumbelTree, begin_halving, final_edge, improve, point_to_next
from ...search.puct.puct import search_on, take_answer
from ...search.puct.record import NO_LEAF
from .self_play import ROOT, SelfPlay, begin_search, given_up, is_lesson, key_of, moved, new_game, remember, sees_no_hope


class GumbelPlay(SelfPlay, GumbelTree):
    """The record of such games."""


def play_gumbel(game: Game, work: GumbelPlay) -> int:
    """Take in what the network said, and go on until it must be asked again; 1."""
    if work.leaf == NO_LEAF:  # the first call: a game may have been begun before
        begin_search(game, new_game(game, work) if work.ply == 0 else game.unpack(work.start), work)
        return 1
    if take_answer(game, work) == 0:
        if lane() == 0:
            work.luck = key_of(ROOT, work)
        sync()
        begin_halving(work)
    point_to_next(work)
    if search_on(game, work) == 0:
        begin_search(game, next_state(game, work), work)
    return 1


def next_state(game: Game, work: GumbelPlay) -> State:
    """Take the action that is left at the root, and remember the improved policy; the state that is to be searched next."""
    k, is_hopeless = final_edge(work), sees_no_hope(work)
    if work.simulations == work.full:
        improve(work)
    if is_lesson(game, work):
        remember(game, work)
    if is_hopeless:
        return given_up(game, work)
    return moved(game, k, work)
