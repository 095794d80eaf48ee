"""Kinds of states in a game with chance, by who acted before and who is to act: a model is asked about those that it has learned from.

    player-player    after a player's action, where a player moves     (a turn that goes on, or is over without dice)
    player-chance    ... where the dice are to be rolled
    chance-player    after the dice, where a player moves
    chance-chance    ... where more dice are to be rolled

Self-play learns from the states after each player's action: a state that also tells the roll looks like none of them. Where a search
would ask about a state of another kind it goes on, ply by ply, to states of kinds that were learned, or to the end of the game.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...game import CHANCE, Game, State

KINDS = ("player-player", "player-chance", "chance-player", "chance-chance")
AFTER_PLAYERS, WITH_PLAYERS = KINDS[:2], KINDS[::2]  # those after a player's action, and those in which a player moves
MOST_BEYOND = 8  # plies by which a search goes on at most: lists of examples may be of kinds that a game seldom comes to


# ---- lowered -----------------------------------------------------------------------------------


def is_unseen(game: Game, mover: int, t: State) -> bool:
    """Whether t, after an action of `mover`, is of a kind that the model has not learned from; not where the game is over."""
    if game.unseen_kinds == 0 or game.is_terminal(t):
        return False
    kind = (2 if mover == CHANCE else 0) + (1 if game.to_move(t) == CHANCE else 0)
    return game.unseen_kinds >> kind & 1 != 0


def depth_after(game: Game, mover: int, t: State, depth: int, beyond: int) -> int:
    """The depth to which t is searched after an action of `mover` in a state searched to `depth`: 1, not 0, if the model does not know
    its kind. `beyond` is how many plies the search has gone on so."""
    if game.unseen_kinds != 0:
        if depth <= 1 and 0 <= beyond < MOST_BEYOND and is_unseen(game, mover, t):
            return 1
    return depth - 1


# ---- as Python holds them ----------------------------------------------------------------------


def unseen_of(game: Game, kinds: Iterable[str]) -> int:
    """The kinds of states that a model which has learned from these does not know, a bit for each; 0 in a game without chance."""
    return sum(1 << k for k, kind in enumerate(KINDS) if kind not in kinds) if game.has_chance else 0


def read_kinds(text: str | None, usual: tuple[str, ...] = AFTER_PLAYERS) -> tuple[str, ...]:
    """The kinds that the file of a model tells, the usual ones of a file from before they were told; ValueError if there are no such."""
    if text is None:
        return usual
    found = tuple(text.split())
    if not found or not set(found) <= set(KINDS):
        raise ValueError("kinds")
    return found
