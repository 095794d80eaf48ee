"""Antichess, chess in which the one who loses everything wins."""

from .rules import Antichess

__all__ = ["Antichess"]
