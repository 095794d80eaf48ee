"""The commands about players, and those that let other programs drive us: UCI, GTP and JSON lines."""

from __future__ import annotations

from typing import Annotated

import typer

from .. import __version__, registry
from ..games import UCI
from .options import AsJson, GameText
from .output import say, say_json, say_table

PlayerText = Annotated[str, typer.Option("--with", metavar="PLAYER", help="The player; zermelo players lists them.")]


def players(
    searcher: Annotated[str, typer.Argument(metavar="[SEARCHER]", help="List the settings of this searcher instead.")] = "",
    as_json: AsJson = False,
) -> None:
    """List the kinds of players, and how to write them; or the settings of a searcher."""
    from ..arena.players.by_text import describe
    from ..search.by_name import settings_of

    if searcher:
        settings = settings_of(searcher)
        if as_json:
            for setting in settings:
                say_json(setting._asdict())
            return
        say_table(["setting", "default", "values"], settings)
        return

    rows = describe()
    if as_json:
        for form, about in rows:
            say_json({"player": form, "about": about})
        return
    say_table(["player", "what it is"], rows)
    say()
    say("Settings are those of the searcher, as zermelo search --set takes them: alphabeta:seconds=1,table=64, mcts:simulations=5000.")
    say("zermelo players mcts lists the settings of mcts. With book=FILE, or book=shipped, a searcher takes actions from an opening book")
    say("first: with variety=0 the heaviest, with 1 (the default) each as often as its weight says, more evenly above.")


def uci(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="Chess, or another game that UCI is spoken about.")] = UCI,
    player: PlayerText = "default",
) -> None:
    """Be an engine of chess, or of another such game, that speaks UCI."""
    from ..arena.players.by_text import player as player_of
    from ..arena.players.search_player import SearchPlayer
    from ..errors import ZermeloError
    from ..protocols import serve
    from ..protocols.uci import Uci, quits

    made = player_of(player)
    if not isinstance(made, SearchPlayer):
        raise ZermeloError(f"expected a player that searches, not {player}")
    it = registry.game(game)
    serve(lambda out: Uci(out, __version__, it, made.name, made.settings), quits)


def gtp(game: GameText, player: PlayerText = "default") -> None:
    """Be an engine of Go, Othello, Hex or another such game that speaks GTP."""
    from ..protocols import serve
    from ..protocols.gtp import Gtp

    it = registry.game(game)
    serve(lambda out: Gtp(out, __version__, it, player))


def serve_json(game: GameText, player: PlayerText = "default") -> None:
    """Play any game with a program that speaks JSON lines."""
    from ..protocols import serve
    from ..protocols.jsonl import Jsonl, quits

    it = registry.game(game)
    serve(lambda out: Jsonl(out, __version__, it, player), quits)
