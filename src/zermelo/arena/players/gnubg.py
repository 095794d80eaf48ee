"""GNU Backgammon as a player, by its command line: it is given the position and asked for a hint.

gnubg:plies=0               how far it looks ahead
gnubg:plies=2,noise=0.05    noise makes it weaker
"""

from __future__ import annotations

import re
import time

from ... import registry
from ...errors import ZermeloError
from ...game import Game
from ...history import History
from ...settings import read_pairs
from ..clock import Clock
from .player import Fault, Player, Thought
from .process import GRACE, PATIENCE, UNTIMED, Engine

COMMAND = "gnubg -t -q -r"
DONE = "zermelo is waiting"  # the name of a player: when the program repeats it, all commands before are done
PLIES = 7  # it looks no further
PLAY = re.compile(r"\b1\. Cube(?:ful|less) [0-9]-ply +(.+?) +Eq\.: *([+-][0-9.]+)")
CUBE = re.compile(r"[123]\. (No (?:re)?double|(?:Re)?[Dd]ouble, (?:pass|take|beaver))\s+([+-][0-9.]+)")


class GnubgPlayer(Player):
    """GNU Backgammon, which must be installed."""

    def __init__(self, text: str, rest: str):
        self.text = text
        settings = {key: value.strip() for key, value in read_pairs(text, rest).items()}
        self._plies, self._noise = settings.pop("plies", "0"), settings.pop("noise", "0")
        if settings:
            raise ZermeloError(f"'{text}': expected plies=N and noise=X after gnubg:, not '{next(iter(settings))}'")
        if not re.fullmatch("[0-9]", self._plies) or int(self._plies) > PLIES:
            raise ZermeloError(f"'{text}': expected plies from 0 to {PLIES}, not '{self._plies}'")
        if not re.fullmatch(r"[0-9]*\.?[0-9]+", self._noise):
            raise ZermeloError(f"'{text}': expected a number as noise, not '{self._noise}'")
        self._engine = Engine(COMMAND, terminal=True)

    def begin(self, game: Game, seat: int, seed: int) -> None:
        if game.gnubg is None:
            raise ZermeloError(f"{self.text}: expected a game of GNU Backgammon, {registry.having('gnubg')}, not {game.name}")
        self._dialect = game.gnubg
        self.thought = None
        if not self._engine.is_running:
            self._engine.start()
        kinds = [f"set evaluation {which} evaluation" for which in ("chequerplay", "cubedecision")]
        settings = (f"plies {self._plies}", f"noise {self._noise}", f"cubeful {'on' if game.gnubg.has_cube(game) else 'off'}")
        self._ask(
            f"set seed {seed & 0x7FFFFFFF}",
            *(f"set player {p} human" for p in (0, 1)),
            *(f"set automatic {what} off" for what in ("game", "move", "roll", "bearoff", "crawford")),
            "set confirm new off",
            "set output rawboard on",
            *(f"{kind} {setting}" for kind in kinds for setting in settings),
            "new session",
        )

    def choose(self, game: Game, state: History, clock: Clock) -> int:
        if not self._engine.is_running:
            raise Fault("death", f"{self._engine.name} is not running")
        s = state.state
        self.thought = Thought(note="the only action")
        actions = list(state.actions())
        if len(actions) == 1:
            return actions[0]
        p = game.to_move(s)
        names = {game.write_action(s, a) for a in actions}
        timed = clock.control.base is not None or clock.control.move is not None
        shown = self._dialect.position(game, s)
        said = self._ask(f"set gnubgid {shown}", "hint 1", seconds=clock.left[p] + GRACE if timed else UNTIMED)
        if found := PLAY.search(said):
            word, value = found[1].strip(), float(found[2])
        elif equities := {name.split()[-1]: float(value) for name, value in CUBE.findall(said)}:
            word, value = _about_the_cube(equities, is_answer="take" in names)
        elif "roll" in names:  # it does not let a player double whose cube wins all that is left of the match
            word, value = "roll", 0.0
        else:
            raise self._engine.garbage(f"gives no hint about {shown}")
        try:
            a = game.read_action(s, word)
        except ZermeloError:
            raise Fault("illegal move", f"{self._engine.name} plays {word}, which is illegal here") from None
        self.thought = Thought(value, int(self._plies), 0, (a,))
        return a

    def close(self) -> None:
        self._engine.close()

    def _ask(self, *commands: str, seconds: float = PATIENCE) -> str:
        """The whole answer to these commands."""
        self._engine.drop()
        for command in (*commands, "set player 0 name nobody", f"set player 0 name {DONE}"):
            self._engine.send(command)
        until, said = time.monotonic() + seconds, list[str]()
        while not said or DONE not in said[-1] or "known as" not in said[-1]:
            said.append(self._engine.line(until))
        return "\n".join(said)


def _about_the_cube(equities: dict[str, float], is_answer: bool) -> tuple[str, float]:
    """Whether to double, or to take: by what each is worth to the side that doubles."""
    waits, dropped = equities.get("double", equities.get("redouble", 0.0)), equities.get("pass", 1.0)
    taken = equities.get("take", equities.get("beaver", 0.0))
    if is_answer:
        return ("take", -taken) if taken <= dropped else ("drop", -dropped)
    doubled = min(taken, dropped)
    return ("double", doubled) if doubled > waits else ("roll", waits)
