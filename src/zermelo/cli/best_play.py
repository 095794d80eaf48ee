"""`zermelo strategy` of a game: the best action in every state, shown, stored and drawn."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from ..errors import ZermeloError
from ..explain.optimal_tree import optimal_tree_svg
from ..game import Game, State
from ..history import start_of
from ..lookup.best_play import COLUMNS, FORMATS, BestPlay
from ..search.searcher import two_players
from ..system.files import write_bytes
from .exact import words
from .output import interruptible, progress, say, say_json, say_table


@dataclass(frozen=True)
class Wanted:
    """What to show of which player, and where to write the rest."""

    player: int | None
    rows: int
    save: Path | None
    tree: Path | None
    limit: int


def show_best_play(game: Game, state: State | None, wanted: Wanted, as_json: bool) -> None:
    """Solve a game and tell what to do in its states."""
    two_players("strategy", game)
    start = start_of(game, state, "strategy")
    if wanted.player is not None and wanted.player not in (0, 1):
        raise ZermeloError(f"expected a player from 0 to 1, not {wanted.player}")
    _check(wanted.save, FORMATS)
    _check(wanted.tree, ("svg",))
    progress("solving")
    play = interruptible(lambda: BestPlay(game, start, wanted.limit))
    progress("")
    if wanted.save is not None:
        play.save(wanted.save)
    if wanted.tree is not None:
        write_bytes(wanted.tree, optimal_tree_svg(play, game.to_move(start) if wanted.player is None else wanted.player).encode())
    shown = islice((c for c in play.choices() if wanted.player is None or c.player == wanted.player), wanted.rows)
    if as_json:
        for c in shown:
            say_json(dict(zip(COLUMNS, play.row(c), strict=True)))
        return
    worth = play.choice(start)
    say(f"{game!r}, {game.player_name(worth.player)} to move: {words(game, worth.value, worth.plies)}; {play.size:,} states\n")
    rows = [[play.row(c)[0], game.player_name(c.player), words(game, c.value, c.plies), play.row(c)[5]] for c in shown]
    say_table(["state", "player", "value", "best"], rows)
    for path in (wanted.save, wanted.tree):
        if path is not None:
            say(f"\nwritten to {path}" + (f": the player table:{path} plays it" if path == wanted.save else ""))


def _check(path: Path | None, kinds: tuple[str, ...]) -> None:
    """Refuse at once what could not be written in the end."""
    if path is not None and path.suffix.removeprefix(".") not in kinds:
        raise ZermeloError(f"{path}: expected a name that ends with .{', .'.join(kinds)}")
    if path is not None and not path.resolve().parent.is_dir():
        raise ZermeloError(f"cannot write {path}: the folder {path.parent} does not exist")
