"""The referee: lets players play one game, keeps the clock, rolls the dice, and tells what came of it.

Every action is checked by the rules. Who takes an illegal one, exceeds the clock, or cannot go on, has lost, and the reason is
told. Chance draws from its own stream, numbered by its own moves and not by those of the players, so that two games of the same
seed have the same dice whoever plays.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..bits import FULL
from ..errors import ZermeloError
from ..game import CHANCE, Game, State
from ..history import History
from ..notation.sheet import RESIGNED, Ending, Entry, Opening
from ..rng import draw, split, unit
from .clock import Clock, Control
from .players.player import Fault, Player, Thought
from .rating.luck import Luck

#: the streams below a game's seed
DICE, OPENING, PLAYERS = 0, 1, 2
LINE = 6  # actions of a line of play that are written down: each costs as much as a move
NO_LIMIT = Control()
BOOK = "book"  # the note of a move that no player chose


@dataclass(frozen=True)
class Terms:
    """What a game is played under: the clock, and the plies after which it is a draw (none: 0)."""

    control: Control = NO_LIMIT
    max_plies: int = 0


USUAL, FREE = Opening(), Terms()

#: is told each move as it is made, with its ply
Tell = Callable[[int, Entry], None]


def begin(game: Game, opening: Opening) -> History:
    """The game after its opening; ZermeloError where that cannot be played."""
    history = History(game, game.read_state(opening.start) if opening.start else None)
    for n, text in enumerate(opening.actions, 1):
        try:
            history.do(game.read_action(history.state, text))
        except ZermeloError as error:
            raise ZermeloError(f"the {n}. action of the opening: {error}") from None
    if history.is_over:
        raise ZermeloError("expected an opening after which the game goes on")
    return history


def play_game(
    game: Game,
    players: Sequence[Player],
    seed: int,
    opening: Opening = USUAL,
    terms: Terms = FREE,
    tell: Tell = lambda ply, entry: None,
    luck: Luck | None = None,
    stream: int = 0,
) -> Ending:
    """Play one game; players by seat. `seed` tells the dice, `seed` and `stream` what the players draw: the games of a pair differ in
    the stream alone."""
    history = begin(game, opening)
    clock = Clock(terms.control, game.players)
    given = [0.0] * game.players
    _tell_book(game, history, tell)
    dice, rolls = split(seed & FULL, DICE), 0
    fault: tuple[int, Fault] | None = None
    for seat, player in enumerate(players):
        try:
            player.begin(game, seat, split(split(seed & FULL, PLAYERS + stream), seat))
        except Fault as error:
            fault = seat, error
            break
    began = time.perf_counter()  # to get ready does not count
    while fault is None and not history.is_over and not (terms.max_plies and len(history.taken) >= terms.max_plies):
        s, ply = history.state, len(history.taken)
        seat = game.to_move(s)
        if seat == CHANCE:
            a, rolls = outcome(game, s, draw(dice, rolls)), rolls + 1
            if luck is not None:
                given = [x + y for x, y in zip(given, luck.of(s, a), strict=True)]
            entry = Entry(CHANCE, game.write_action(s, a))
            history.do(a)
        else:
            try:
                a, seconds = _asked(game, players[seat], history, clock, seat)
                _take(history, a, players[seat].text)
            except Fault as error:
                fault = seat, error
                break
            entry = _entry(game, s, seat, a, clock, seconds, players[seat].thought)
        tell(ply, entry)
    result, reason = _result(game, history, fault[0] if fault else None)
    lucky = tuple(given) if luck is not None else None
    seconds = time.perf_counter() - began
    if fault is not None:
        kind = fault[1].kind
        return Ending(result, kind, None if kind == RESIGNED else fault[0], str(fault[1]), seconds, lucky)
    return Ending(result, reason, seconds=seconds, luck=lucky)


def _take(history: History, a: int, who: str) -> None:
    """Take a player's action, if it is one."""
    try:
        legal = type(a) is int
        if legal:
            history.do(a)
    except ZermeloError:
        legal = False
    if not legal:
        raise Fault("illegal move", f"{who} played {a!r}, which is no legal action of {history.game.name} here")


def _asked(game: Game, player: Player, history: History, clock: Clock, seat: int) -> tuple[int, float]:
    """The player's action and the seconds that it took."""
    began = time.perf_counter()
    try:
        a = player.choose(game, history, clock)
    except Fault:
        raise
    except ZermeloError as error:  # it cannot play on, for a reason that no kind of fault was made for
        raise Fault("death", f"{player.text}: {error}") from None
    seconds = time.perf_counter() - began
    left = clock.left[seat]
    if not clock.spend(seat, seconds):
        raise Fault("time", f"{player.text} took {seconds:.3f} seconds where it had {left:.3f}")
    return a, seconds


def _entry(game: Game, s: State, seat: int, a: int, clock: Clock, seconds: float, thought: Thought | None) -> Entry:
    left = clock.left[seat]
    known = None if math.isinf(left) else round(left, 4)
    text = game.write_action(s, a)
    if thought is None:
        return Entry(seat, text, known, round(seconds, 6))
    value = None if thought.value is None or not math.isfinite(thought.value) else float(thought.value)
    line = _line(game, s, thought.line)
    return Entry(seat, text, known, round(seconds, 6), value, thought.depth, thought.nodes, line, thought.note)


def _line(game: Game, s: State, line: Sequence[int]) -> str:
    """The beginning of a line of play as text, as far as it is one: what a player says is not trusted."""
    texts: list[str] = []
    for a in line[:LINE]:
        try:
            if game.is_terminal(s):
                break
            texts.append(game.write_action(s, a))
            s = game.result(s, a)
        except Exception:  # whatever rules do with an action that is none
            break
    return " ".join(texts)


def _tell_book(game: Game, history: History, tell: Tell) -> None:
    for ply, (s, a) in enumerate(zip(history.states, history.taken, strict=False)):
        tell(ply, Entry(game.to_move(s), game.write_action(s, a), note=BOOK))


def outcome(game: Game, s: State, word: int) -> int:
    """An outcome of chance in s, by its probability, from a random word."""
    x, a = unit(word), 0
    for a in game.actions(s):
        x -= game.probability(s, a)
        if x < 0:
            return a
    return a  # what rounding left over


def _result(game: Game, history: History, at_fault: int | None) -> tuple[tuple[float, ...], str]:
    """What each player gets, and why it ended. Who is at fault loses a point, which the others share."""
    n = game.players
    if at_fault is not None:
        return tuple(-1.0 if p == at_fault else 1.0 / (n - 1) for p in range(n)), ""
    if not history.is_over:
        return (0.0,) * n, "max plies"
    return tuple(history.utility(p) for p in range(n)), "repetition" if history.is_repeated else "ended"


def points(result: Sequence[float], seat: int) -> float:
    """The score of a player between 0 and 1: how many of the others it beat, a tie being half."""
    others = [x for p, x in enumerate(result) if p != seat]
    return sum(1.0 if result[seat] > x else 0.5 if result[seat] == x else 0.0 for x in others) / max(len(others), 1)
