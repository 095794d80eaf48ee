"""Kriegspiel: chess in which each player sees only its own pieces."""

from .rules import Kriegspiel

__all__ = ["Kriegspiel"]
