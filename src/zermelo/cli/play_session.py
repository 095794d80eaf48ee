"""A game played at the terminal: a person types moves and commands, and sees boards and replies.

Lines may also come from a pipe: then they are printed beside their prompts, so that the output reads as a conversation.
"""

from __future__ import annotations

import math
import sys
import textwrap
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path

from .. import registry
from ..arena.clock import Clock, Control
from ..arena.live_game import LiveGame
from ..arena.players.by_text import player
from ..arena.players.player import Player
from ..arena.rating.accuracy import scale_of
from ..arena.records import saved_games
from ..arena.referee import LINE
from ..errors import ZermeloError, nearest
from ..game import CHANCE, Game
from ..history import line_of
from ..notation.sheet import Entry
from ..system import threads
from .board_view import SEES_EVERYTHING, has_colour, painted, seen, valued
from .output import complain, is_terminal, progress, say

ADVISER, DEFAULT_ADVISER = "level:9", "default:seconds=1"  # levels know no network
PAUSE = 0.6  # seconds between moves that somebody watches
MAX_LISTED_MOVES = 8  # legal moves that are listed after an illegal one

HELP = """\
moves         what may be played now          board         draw the board again
hint          what a strong player would do   list          the moves so far
undo          take your last move back        why           what the last reply was thought to do
save FILE     put the game away               resign        give the game up
quit          leave the table                 help          this
Anything else is a move, written like {example}."""


class Table:
    """Talks with the people who play a game until it is over or they leave."""

    def __init__(self, live: LiveGame, record: Path | None = None):
        self.live, self.game, self._record = live, live.game, record
        self.people = [seat for seat, one in enumerate(live.players) if one is None]
        self._adviser: Player | None = None
        self._told = len(live.entries)  # moves of which the people know
        self._left = False

    # ---- the game --------------------------------------------------------------------------------

    def play(self) -> bool:
        """Play on until the game is over (True) or somebody leaves (False)."""
        live = self.live
        try:
            self._waiting(live.begin, list(live.players), "")
            self._greet()
            while live.ending is None and not self._left:
                if live.is_persons_turn:
                    self._tell_news()
                    self._board()
                    while live.is_persons_turn and not self._left and not self._answered():
                        pass
                else:
                    who = [] if live.seat == CHANCE else [live.players[live.seat]]
                    self._waiting(live.go_on, who, f"{who[0].text} thinks" if who and who[0] else "")
                    if not self.people:
                        self._tell_news()
                        self._board()
                        if is_terminal(sys.stdout):
                            time.sleep(PAUSE)
            if live.ending is None:
                return False
            self._tell_news()
            self._board()
            self._tell_end()
            return True
        finally:
            progress("")
            live.close()
            if self._adviser is not None:
                self._adviser.close()

    def _greet(self) -> None:
        names = [f"{self.game.player_name(seat)}: {self._who(seat)}" for seat in range(self.game.players)]
        say(f"{self.game!r}   {', '.join(names)}")
        if self.people:
            example = next(
                (self.game.write_action(s, a) for s in [self._state_of_a_player()] if s is not None for a in self.game.actions(s)), ""
            )
            say(f"Say a move, like {example}, or help." if example else "Say a move, or help.")
        if self.game.has_hidden and self.people:
            say("You see what you may know; a question mark is what you cannot see.")
        elif self.game.has_hidden:
            say(f"An onlooker sees {SEES_EVERYTHING}.")

    def _who(self, seat: int) -> str:
        return "you" if seat in self.people else self.live.name(seat)

    def _state_of_a_player(self) -> object | None:
        """A state near the present one in which no chance is to move."""
        s = self.live.history.state
        for _ in range(8):
            if self.game.is_terminal(s):
                return None
            if self.game.to_move(s) != CHANCE:
                return s
            s = self.game.result(s, next(iter(self.game.actions(s))))
        return None

    def _waiting(self, work: Callable[[], None], players: list[Player | None], told: str) -> None:
        """Do what takes long in a thread, so that Ctrl-C is seen; it stops the search first."""

        def stop(done: Future[None]) -> None:
            for one in players:
                if (asked := getattr(one, "stop", None)) is not None:
                    asked.set()
            with suppress(Exception):
                done.result(timeout=2)

        if told:
            progress(told)
        try:
            threads.run(work, stop)
        finally:
            progress("")

    # ---- telling ---------------------------------------------------------------------------------

    def _viewer(self) -> int | None:
        """Whose eyes the board is drawn for: None for all of them."""
        if len(self.people) == 1 and self.live.ending is None:
            return self.people[0]
        if self.people and self.live.is_persons_turn:
            return self.live.seat
        return None

    def _board(self) -> None:
        history, viewer = self.live.history, self._viewer()
        drawing = seen(self.game, history.state, viewer)
        if has_colour():
            last = next((i for i in reversed(range(len(self.live.entries))) if self.live.entries[i].seat != CHANCE), None)
            drawing = painted(self.game, drawing, "" if last is None else seen(self.game, history.states[last], viewer))
        say(f"\n{drawing}\n")

    def _tell_news(self) -> None:
        """Print the moves made since the last time, except those of the people."""
        entries = self.live.entries
        for ply, entry in enumerate(entries[self._told :], self._told):
            heard = self._heard(ply)
            if entry.seat == CHANCE and heard:
                say(f"chance: {heard}")
            elif entry.seat not in self.people and heard:
                say(f"{self.game.player_name(entry.seat)} plays {heard}{self._outlook(entry) if not self.people else ''}")
        self._told = len(entries)

    def _heard(self, ply: int) -> str:
        """What the viewer hears of the action of this ply; nothing if it is hidden."""
        viewer, history = self._viewer(), self.live.history
        if viewer is None or not self.game.has_hidden:
            return self.live.entries[ply].action
        return self.game.announce(history.states[ply], history.taken[ply], viewer)

    def _outlook(self, entry: Entry) -> str:
        return "" if entry.value is None else f"   ({self._chances(entry.value)})"

    def _chances(self, value: float) -> str:
        return f"value {valued(self.game, value)}, {100 * scale_of(self.game).expected(value):.0f} % of the points"

    def _tell_end(self) -> None:
        ending, game = self.live.ending, self.game
        assert ending is not None
        if ending.remark:
            say(f"{ending.remark}.")
        if ending.reason == "repetition":
            say("The same position came up for the third time.")
        best = max(ending.result)
        won = [seat for seat, x in enumerate(ending.result) if x == best]
        if len(won) == game.players:
            say("A draw.")
        else:
            names = " and ".join(game.player_name(seat) for seat in won)
            amount = "" if best == 1 else f", {best:g}"
            say(f"{names} {'wins' if len(won) == 1 else 'win'}{amount}." + (" Well played!" if set(won) & set(self.people) else ""))
        if self._record is not None:
            try:
                number = self.live.record(self._record)
                say(f"Recorded as game {number}: zermelo analyse {number} looks at it.")
            except ZermeloError as error:
                complain(f"not recorded: {error}")

    # ---- hearing ---------------------------------------------------------------------------------

    def _answered(self) -> bool:
        """Ask for a move or a command; whether the board has changed."""
        seat, many = self.live.seat, len(self.live.entries)
        left = self.live.clock.left[seat]
        line = asked(f"{self.game.player_name(seat)}{'' if math.isinf(left) else f' {left:.0f} s'}> ")
        if line is None:
            say("The input has ended; the game ends here.")
            self._left = True
            return True
        words = line.split()
        if not words:
            return False
        a = understood(self.game, list(self.live.history.actions()), self.live.history.state, line)
        if a is not None:
            s = self.live.history.state
            self.live.take(a)
            if self.game.has_hidden and (heard := self.game.announce(s, a, seat)) != self.game.write_action(s, a):
                say(heard)
            self._told = len(self.live.entries)
            return True
        command = COMMANDS.get(words[0].lower())
        if command is None or (len(words) > 1 and command is not Table.save):
            self._refuse(line)
        else:
            try:
                command(self, line.partition(words[0])[2].strip())
            except (ZermeloError, OSError) as error:
                say(f"{error}")
        return self.live.ending is not None or len(self.live.entries) != many

    def _refuse(self, line: str) -> None:
        history = self.live.history
        names = [self.game.write_action(history.state, a) for a in history.actions()]
        some = ", ".join(names[:MAX_LISTED_MOVES]) + (", ..." if len(names) > MAX_LISTED_MOVES else "")
        hint = nearest(line.strip(), [*names, *COMMANDS])
        say(f"'{line.strip()}' is not a move here{hint}: expected one like {some}, or help.")

    def moves(self, _: str) -> None:
        history = self.live.history
        names = [self.game.write_action(history.state, a) for a in history.actions()]
        say("\n".join(textwrap.wrap("  ".join(names), 90, break_long_words=False, break_on_hyphens=False)))

    def board(self, _: str) -> None:
        self._board()

    def list(self, _: str) -> None:
        shown = [heard for heard in map(self._heard, range(len(self.live.entries))) if heard]
        say("\n".join(textwrap.wrap("  ".join(shown), 90)) if shown else "There was no move yet.")

    def hint(self, _: str) -> None:
        live = self.live
        if self._adviser is None:
            self._adviser = player(DEFAULT_ADVISER if self.game.network_plays_best else ADVISER)
        adviser, found = self._adviser, [0]

        def think() -> None:
            adviser.begin(self.game, live.seat, live.seed)
            found[0] = adviser.choose(self.game, live.history, Clock(Control(), self.game.players))

        self._waiting(think, [adviser], "thinking about a hint")
        s, thought = live.history.state, adviser.thought
        told = f"Try {self.game.write_action(s, found[0])}"
        if thought is not None and thought.value is not None:
            line = [] if self.game.has_hidden else line_of(self.game, s, thought.line[:LINE])  # which depends on what is hidden
            told += f": {self._chances(thought.value)}" + (f", if it goes on {' '.join(line)}" if len(line) > 1 else "")
        say(f"{told}.")

    def undo(self, _: str) -> None:
        many = self.live.undo()
        self._told = len(self.live.entries)
        counted = "" if self.game.has_hidden else f": {many} move{'s' if many > 1 else ''}"  # the number of hidden ones is hidden, too
        say(f"Taken back{counted}." if many else "There is no move of yours to take back.")

    def why(self, _: str) -> None:
        ply = self.live.last_reply()
        if self.game.has_hidden and self._viewer() is not None:
            say("What another player thinks would show what is hidden.")
            return
        say(
            "Nobody has replied yet."
            if ply is None
            else explained(self.game, self.live.entries[ply], self.live.name(self.live.entries[ply].seat))
        )

    def save(self, name: str) -> None:
        path = Path(name or f"{self.game.name}.json").expanduser()
        saved_games.put_away(path, self.live)
        file = "" if self.game.name in registry.names() else f"{self.game!r} "  # rules in a file run only if they are asked for
        say(f"Saved; zermelo play {file}--resume {path} goes on.")

    def resign(self, _: str) -> None:
        self.live.resign(self.live.seat)

    def quit(self, _: str) -> None:
        self._left = True

    def help(self, _: str) -> None:
        history = self.live.history
        say(HELP.format(example=next((self.game.write_action(history.state, a) for a in history.actions()), "")))


COMMANDS: dict[str, Callable[[Table, str], None]] = {
    "moves": Table.moves,
    "board": Table.board,
    "show": Table.board,
    "hint": Table.hint,
    "list": Table.list,
    "undo": Table.undo,
    "why": Table.why,
    "save": Table.save,
    "resign": Table.resign,
    "help": Table.help,
    "?": Table.help,
    "quit": Table.quit,
    "exit": Table.quit,
    "q": Table.quit,
}


def understood(game: Game, legal: Sequence[int], s: object, line: str) -> int | None:
    """The legal action that this line means; small spelling mistakes are forgiven if only one can be meant."""
    wanted = line.strip().rstrip("!?.").strip()
    tight = "".join(wanted.split())
    for spelling in dict.fromkeys((wanted, tight, wanted.lower(), tight.lower(), wanted.upper(), tight.upper(), wanted.capitalize())):
        with suppress(ZermeloError):
            a = game.read_action(s, spelling)
            if a in legal:
                return a
    plain = {game.write_action(s, a).lower().replace(" ", ""): a for a in legal}
    return plain.get(tight.lower())


def asked(prompt: str) -> str | None:
    """The next line of input; None if there is no more. It is printed if it does not come from a terminal."""
    if is_terminal(sys.stdin):
        with suppress(ImportError):
            import readline  # noqa: F401
    try:
        line = input(prompt)
    except EOFError:
        say()
        return None
    except UnicodeDecodeError:
        raise ZermeloError("expected text that this terminal's encoding knows") from None
    if not is_terminal(sys.stdin):
        say(line)
    return line


def explained(game: Game, entry: Entry, name: str) -> str:
    """What a player thought of its move, in words."""
    if entry.value is None:
        return f"{entry.action}: {entry.note or f'{name} does not say'}."
    chances = scale_of(game).expected(entry.value)
    words = next(words for least, words in OUTLOOKS if chances >= least)
    looked = f", {entry.depth} plies deep, {entry.nodes:,} positions" if entry.nodes else ""
    line = f" It expects {entry.line}." if entry.line else ""
    value = f"value {valued(game, entry.value)}, {100 * chances:.0f} % of the points"
    return f"{entry.action}: {name} thinks that it {words} ({value}{looked}).{line}"


OUTLOOKS = (
    (0.97, "has as good as won"),
    (0.75, "is much better off"),
    (0.58, "is a little better off"),
    (0.42, "is about even"),
    (0.25, "is a little worse off"),
    (0.03, "is much worse off"),
    (0.0, "has as good as lost"),
)
