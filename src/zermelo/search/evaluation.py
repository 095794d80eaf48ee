"""The value of a state: the one place where searches ask for it.

    VALUE(s, p) = TABLE(s, p)        if s is in an endgame table
                  UTILITY(s, p)      if IS-TERMINAL(s)
                  EVAL(s, p)         where the search goes no deeper

A value is proven, and its state is not searched, or it is an estimate. Each function is called with the work record of the
search, so that whatever else knows values can keep its memory there. Where only the game is asked, a call costs nothing: it is inlined.
"""

from __future__ import annotations

from ..game import Game, State
from .endgames.probe import is_tabled, tabled_plies, tabled_value
from .model.model import model_values
from .model.network import model_value
from .model.nnue import forget_sums, know_sums, state_value, sums_value
from .model.record import Judging
from .model.rote import rote_value
from .records import Record


def is_proven(game: Game, s: State, work: Record) -> bool:
    """Whether the value of s is known without searching: the game is over, or an endgame table has the state."""
    if game.has_endgames:
        if is_tabled(game, s, work):  # type: ignore[arg-type]
            return True
    return game.is_terminal(s)


def proven_value(game: Game, s: State, p: int, work: Record) -> float:
    """What a state that is proven is worth to player p."""
    if game.has_endgames:
        if is_tabled(game, s, work):  # type: ignore[arg-type]
            return tabled_value(game, s, p, work)  # type: ignore[arg-type]
    return game.utility(s, p)


def proven_plies(game: Game, s: State, work: Record) -> int:
    """The plies from a state that is proven to the end of the game, by best play: 0 where it is over."""
    if game.has_endgames:
        if is_tabled(game, s, work):  # type: ignore[arg-type]
            return tabled_plies(game, s, work)  # type: ignore[arg-type]
    return 0


def estimate(game: Game, s: State, p: int, work: Judging) -> float:
    """What a state that is not proven seems to be worth to player p: the word of a learned model, or of the game."""
    if game.sum_count > 0:
        return state_value(game, s, p, work)
    if game.has_rote:
        return rote_value(game, s, p, work)
    if game.has_model:
        return model_value(game, s, p, work)
    return game.evaluate(s, p)


def enter_ply(game: Game, ply: int, work: Judging) -> int:
    """A search by plies enters another state at this one: call it before `estimate_at`."""
    if game.sum_count > 0:
        forget_sums(ply, work)
    return ply


def leave_ply(game: Game, s: State, ply: int, work: Judging) -> int:
    """A search by plies is about to enter a child of s, the state at this one: what is known of s helps to evaluate it.

    Where the table knew the value of s, nothing is; its children would be compared with a state far above, each anew: in chess, by 7
    inputs instead of 3.
    """
    if game.sum_count > 0:
        know_sums(game, s, ply, work)
    return ply


def estimate_at(game: Game, s: State, p: int, ply: int, work: Judging) -> float:
    """The same as `estimate` of the state at this ply, with what is known of the plies before it."""
    if game.sum_count > 0:
        return sums_value(game, s, p, ply, work)
    return estimate(game, s, p, work)


def estimates(game: Game, s: State) -> tuple[float, ...]:
    """What a state that is not proven seems to be worth to each player, asked from Python, where a record holds addresses."""
    if game.has_model:
        return model_values(game, s)
    return tuple(float(game.evaluate(s, p)) for p in range(game.players))
