"""What the protocols of engines must know of a game beyond its rules: one class for each protocol, which games adapt.

A game that sets `Game.gtp` or `Game.uci` can be played by engines that speak the protocol, and `zermelo gtp` or `zermelo uci` plays it.
`game` is a `Game`, `history` a `History`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..errors import ZermeloError


class Gtp:
    """GTP: two players, Black (player 0) and White, on a square board whose side is the game's parameter `size`."""

    #: whether the rules compensate White by the parameter `komi`
    has_komi = False
    #: whether `place` and `fixed_handicap` are there
    has_handicap = False

    def write(self, game: Any, s: Any, a: int) -> str:
        """The action in GTP's notation."""
        return str(game.write_action(s, a))

    def read(self, game: Any, s: Any, text: str) -> int:
        """The action that this text of GTP describes; ZermeloError if there is none."""
        return int(game.read_action(s, text))

    def may_refuse(self, text: str) -> bool:
        """Whether an engine may refuse this legal action because it has already played it by itself."""
        return False

    def turn_to(self, history: Any, p: int) -> None:
        """Make it player p's turn, if GTP allows a colour to play when the rules do not. Here: never."""

    def score(self, history: Any) -> float | None:
        """Black's lead; None if the game has only a winner and no score."""
        return None

    def fixed_handicap(self, game: Any, stones: int) -> list[str]:
        """The vertices of this number of handicap stones; ZermeloError if the board has no room for them."""
        raise ZermeloError("expected a game with handicaps")

    def place(self, game: Any, vertices: list[str]) -> Any:
        """The state with Black's stones on these vertices and White to move; ZermeloError if they are not vertices."""
        raise ZermeloError("expected a game with handicaps")


class Uci:
    """UCI: moves from square to square, positions as FEN. `chess960`: castling is written from the king to the rook."""

    def write(self, game: Any, s: Any, a: int, chess960: bool) -> str:
        """The action in UCI's notation."""
        return str(game.write_action(s, a))

    def read(self, game: Any, s: Any, text: str, actions: Iterable[int], chess960: bool) -> int:
        """The one of these actions that this text of UCI describes; ZermeloError if there is none."""
        a = int(game.read_action(s, text))
        if a not in actions:
            raise ZermeloError(f"'{text}' is not a legal action here")
        return a

    def is_chess960(self, game: Any) -> bool:
        """Whether the game follows the conventions of Chess960."""
        return False

    def without_draws(self, game: Any) -> Any:
        """The same game without rules that end it by a draw: a program may play on after one."""
        return game

    def revived(self, game: Any, s: Any) -> Any:
        """The state s with the counters of such rules reset, so that the game continues."""
        return s

    def endgames(self, game: Any, folder: Any) -> Any:
        """What looks states up in a folder of endgame tables; ZermeloError (here) if there is no such format of the game."""
        raise ZermeloError(f"{folder} is a folder: expected the file of a table of {game!r}")

    def book_key(self, game: Any, s: Any) -> int:
        """The key of s in Polyglot's opening books; ZermeloError (here) if they know no such game."""
        raise ZermeloError(f"expected a game that has books in Polyglot's format, not {game.name}")

    def book_move(self, game: Any, s: Any, a: int) -> int:
        """The action in Polyglot's opening books, 16 bits."""
        raise ZermeloError(f"expected a game that has books in Polyglot's format, not {game.name}")


class Gnubg:
    """GNU Backgammon's command line."""

    def position(self, game: Any, s: Any) -> str:
        """The state as GNU Backgammon's ID."""
        return str(game.write_state(s)).split()[0]

    def has_cube(self, game: Any) -> bool:
        """Whether players may double."""
        return False
