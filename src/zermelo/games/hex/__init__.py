"""Hex on boards of 2 x 2 to 19 x 19."""

from .rules import Hex, State

__all__ = ["Hex", "State"]
