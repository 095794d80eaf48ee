"""Which action of a book is taken: the heaviest, or any of them at random, the heavier the more often."""

from __future__ import annotations

from ...history import History
from ...rng import unit
from .book import Book


def choose(book: Book, history: History, variety: float, random: int) -> int | None:
    """An action for the position that a game has come to, by one random word; None if the book has none to choose.

    Each is as likely as its weight to the power of 1 / variety: as its weight if that is 1; 0 takes the heaviest.
    """
    known = {a: e.weight for a, e in book.moves(history.state).items() if e.weight > 0}
    open_ = [a for a in history.actions() if a in known] if known else []
    if not open_:
        return None
    heaviest = max(known[a] for a in open_)
    if variety == 0:
        return next(a for a in open_ if known[a] == heaviest)
    shares = [(known[a] / heaviest) ** (1 / variety) for a in open_]
    x = unit(random) * sum(shares)
    for a, share in zip(open_, shares, strict=True):
        x -= share
        if x < 0:
            return a
    return open_[-1]
