"""Dark chess: each player sees the squares to which its own pieces can go; the king is captured."""

from .rules import DarkChess

__all__ = ["DarkChess"]
