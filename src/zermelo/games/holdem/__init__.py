"""Texas hold'em for two, with fixed bets: two cards each, five on the board, four rounds of betting."""

from .rules import Holdem, State

__all__ = ["Holdem", "State"]
