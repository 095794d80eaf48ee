"""What a game of cards must offer, beside its rules, so that its hands can be put into buckets.

Two players have two cards each of a deck in four suits, card 13 * suit + rank; both make their best hand with the cards of the board, which
grows from one round of betting to the next. Chance deals the hand of player 0, that of player 1, then the board, a card an action.
What can be done, and what is paid, depends on the cards only at the end, by whose hand is the stronger.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, runtime_checkable

from ...bits import i64, u64
from ...errors import ZermeloError
from ...game import CHANCE, Game, State

ROUNDS = 4  # the most rounds of betting, each with more cards on the board
HAND = 2  # cards of a player


@runtime_checkable
class CardGame(Protocol):
    """A game whose hands can be put into buckets."""

    deck: int  # a bit for each card
    board_sizes: tuple[int, ...]  # cards on the board in each round of betting

    def hand(self, s: Any, p: int) -> u64:
        """The cards of player p."""

    def board(self, s: Any) -> u64:
        """The cards on the board."""

    def betting(self, s: Any) -> u64:
        """All that the players did so far, as a word that no other betting has."""

    def strength(self, cards: u64) -> i64:
        """How strong the best hand of these cards is: the greater wins, equal ones share."""


def card_game(game: Game) -> Any:
    """The game itself; ZermeloError unless its hands can be put into buckets."""
    is_known = isinstance(game, CardGame) and game.players == 2 and len(game.board_sizes) == ROUNDS
    if not is_known:
        raise ZermeloError(f"{game!r} does not say what its hands are: expected a game of cards for two, or no buckets")
    return game


def follow(game: Game, s: State, cards: Iterable[int]) -> State:
    """The state after chance has dealt the next of these cards, until a player is to move or the game is over."""
    for card in cards:
        if game.is_terminal(s) or game.to_move(s) != CHANCE:
            break
        s = game.result(s, card)
    return s
