"""Chess in UCI: castling in Chess960, and games that go on after a draw."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ...notation import dialects
from . import polyglot, uci
from .rules import STANDARD_START, Chess
from .state import State
from .syzygy import Syzygy


class Uci(dialects.Uci):
    """UCI about chess, from the usual position or one of Chess960's."""

    def write(self, game: Any, s: State, a: int, chess960: bool) -> str:
        return uci.write(s, a, chess960)

    def read(self, game: Any, s: State, text: str, actions: Iterable[int], chess960: bool) -> int:
        return uci.read(s, text, actions, chess960)

    def is_chess960(self, game: Any) -> bool:
        return bool(game.start != STANDARD_START)

    def without_draws(self, game: Any) -> Chess:
        return Chess(**game.parameters | {"draws": False})

    def revived(self, game: Any, s: State) -> State:
        fields = game.write_state(s).split()
        return game.read_state(" ".join([*fields[:4], "0", fields[5]]))  # type: ignore[no-any-return]

    def endgames(self, game: Any, folder: Path) -> Syzygy:
        return Syzygy(folder)

    def book_key(self, game: Any, s: State) -> int:
        return polyglot.key(s)

    def book_move(self, game: Any, s: State, a: int) -> int:
        return polyglot.move(s, a)
