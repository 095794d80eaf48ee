"""Texas hold'em for two without a limit, but with few sizes of bets: half the pot, the pot, or everything."""

from .rules import NoLimit

__all__ = ["NoLimit"]
