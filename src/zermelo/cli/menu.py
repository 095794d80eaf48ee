"""What `zermelo play` without a game starts: a menu at a terminal, else a short exhibition."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator

from .. import registry
from ..arena.live_game import LiveGame
from ..arena.players.by_text import player
from ..arena.players.levels import LEVELS
from ..arena.rating.accuracy import scale_of
from ..errors import ZermeloError, nearest
from ..game import CHANCE
from ..games import EXHIBITION, MENU
from .board_view import strip, without_words
from .output import complain, say, say_table
from .play_session import asked

DEFAULT_LEVEL = 4  # the level that is offered

NEXT = """\
At a terminal this is a menu of games to play. What to try next:
  zermelo play chess --level 3          a game against somebody of your strength
  zermelo play go --against mcts        ... or against any player; zermelo players lists them
  zermelo analyse GAME.pgn --svg a.svg  what was good and bad in a game
  zermelo games                         all games
  zermelo new Takeaway                  a game of your own, with its test
  zermelo --help                        the other commands"""

#: plays a game: its text, the opponent's text, the side
Start = Callable[[str, str, str | None], None]


def menu(start: Start) -> None:
    """Let somebody choose what to play, again and again, until they leave."""
    say("Zermelo: what shall we play?\n")
    say_table(["", "game", "called"], [[str(i + 1), title, text] for i, (text, title) in enumerate(MENU)])
    while (game := _choice("game [1]> ", _game)) is not None:
        opponent = _choice(f"opponent, a level from 1 to {len(LEVELS)} or a player [{DEFAULT_LEVEL}]> ", _opponent)
        if opponent is None:
            break
        side = _choice("your side, first, second, both or none [first]> ", lambda text: text.strip() or "first")
        if side is None:
            break
        try:
            start(game, opponent, side)
        except ZermeloError as error:
            complain(str(error))
        say("\nAnother game? Its number or name, or quit.")


def _choice(prompt: str, read: Callable[[str], str]) -> str | None:
    """What somebody chooses; None if they leave."""
    while (line := asked(prompt)) is not None and line.strip().lower() not in ("q", "quit", "exit"):
        try:
            return read(line)
        except ZermeloError as error:
            say(str(error))
    return None


def _game(line: str) -> str:
    wanted = line.strip() or "1"
    if wanted.isascii() and wanted.isdigit():
        if not 1 <= int(wanted[:9]) <= len(MENU):
            raise ZermeloError(f"expected a number from 1 to {len(MENU)}, or a game by name")
        return MENU[int(wanted) - 1][0]
    for text, title in MENU:
        if wanted.lower() in (text, title.lower()):
            return text
    try:
        registry.game(wanted)
    except ZermeloError:
        hint = nearest(wanted.lower(), [text for text, _ in MENU])
        raise ZermeloError(f"there is no game '{wanted}'{hint}: expected a number from 1 to {len(MENU)}, or a name") from None
    return wanted


def _opponent(line: str) -> str:
    wanted = line.strip() or str(DEFAULT_LEVEL)
    text = f"level:{wanted}" if wanted.isascii() and wanted.isdigit() else wanted
    player(text).close()
    return text


# ---- the exhibition ----------------------------------------------------------------------------


def exhibition() -> None:
    """Short games, shown move by move."""
    for game, players in EXHIBITION:
        say(f"{game}: getting ready; the first time, the rules become native code ...")
        sys.stdout.flush()
        live = LiveGame(registry.game(game), [player(text) for text in players], seed=1)
        live.begin()
        names = [f"{live.game.player_name(seat)} {text}" for seat, text in enumerate(players)]
        say(f"{game}: {' against '.join(names)}; with each move the share of the points that its player expects\n")
        for row in strip(_frames(live), min(100, shutil.get_terminal_size().columns)):
            say(row)
            sys.stdout.flush()
        _tell(live)
        live.close()
    say(NEXT)


def _frames(live: LiveGame) -> Iterator[tuple[str, str]]:
    """A caption and a board for each move."""
    game = live.game
    while live.ending is None:
        seat, chance = live.seat, live.seat == CHANCE
        live.go_on()
        entry = live.entries[-1]
        hopes = ""
        if entry.value is not None:
            hopes = f" {100 * scale_of(game).expected(entry.value):.0f} %"
        yield (
            f"{len(live.entries)}. {'chance' if chance else game.player_name(seat)} {entry.action}{hopes}",
            without_words(game.show(live.history.state)),
        )


def _tell(live: LiveGame) -> None:
    assert live.ending is not None
    best = max(live.ending.result)
    won = [seat for seat, x in enumerate(live.ending.result) if x == best]
    told = "A draw" if len(won) > 1 else f"{live.game.player_name(won[0])}, {live.name(won[0])}, wins"
    say(f"{told} after {len(live.entries)} moves.\n")
