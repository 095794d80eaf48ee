"""Chess, and its 960 starting positions."""

from .rules import Chess

__all__ = ["Chess"]
