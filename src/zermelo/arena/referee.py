"""The referee: lets players play one game, keeps the clock, rolls the dice, and says how the game ended.

Every action is checked by the rules. A player that takes an illegal one, exceeds the clock, or stops answering loses, and the ending
says why. If no player is to blame, the error is raised, and the game has no ending. Chance draws from a stream of its own, which counts
its own moves and not those of the players: two games with the same seed have the same dice, whoever plays.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..bits import FULL
from ..errors import ZermeloError
from ..game import CHANCE, Game, State
from ..history import History, entries_of, line_of
from ..notation.sheet import RESIGNED, Ending, Entry, Opening
from ..rng import draw, split, unit
from .clock import Clock, Control
from .players.player import Fault, Player, Thought
from .rating.luck import Luck

#: the streams below a game's seed
DICE, OPENING, PLAYERS = 0, 1, 2
MAX_GAME_PLIES = 20_000  # plies after which a game is taken to have no end
LINE = 6  # actions of a line of play that are written down: each costs as much as a move
NO_LIMIT = Control()
BOOK = "book"  # the note of a move that no player chose


@dataclass(frozen=True)
class Terms:
    """What a game is played under: the clock, and the plies after which it is a draw (none: 0)."""

    control: Control = NO_LIMIT
    max_plies: int = 0


USUAL_OPENING, FREE = Opening(), Terms()

#: called with each move as it is made, and its ply
Tell = Callable[[int, Entry], None]


def begin(game: Game, opening: Opening) -> History:
    """The game after its opening; ZermeloError if that cannot be played."""
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
    opening: Opening = USUAL_OPENING,
    terms: Terms = FREE,
    tell: Tell = lambda ply, entry: None,
    luck: Luck | None = None,
    stream: int = 0,
) -> Ending:
    """Play one game; players by seat. The dice follow from `seed`, what the players draw from `seed` and `stream`: the games of a pair
    differ in the stream alone. A player that cannot start raises its error, and no game is played.
    """
    history = begin(game, opening)
    clock = Clock(terms.control, game.players)
    given, rolls = [0.0] * game.players, 0
    for seat, player in enumerate(players):
        player.begin(game, seat, player_seed(seed, seat, stream))
    for ply, entry in enumerate(entries_of(history)):
        tell(ply, replace(entry, note=BOOK))
    seat, began = 0, time.perf_counter()  # to get ready does not count
    ending: Ending | None = None
    try:
        while not history.is_over and not (terms.max_plies and len(history.taken) >= terms.max_plies):
            s, ply = history.state, len(history.taken)
            if ply >= max(MAX_GAME_PLIES, terms.max_plies):
                raise ZermeloError(
                    f"expected a game that ends, and one of {game.name} goes on after {MAX_GAME_PLIES:,} plies: give --max-plies"
                )
            seat = game.to_move(s)
            if seat == CHANCE:
                entry, rolls = roll(history, seed, rolls), rolls + 1
                if luck is not None:
                    given = [x + y for x, y in zip(given, luck.of(s, history.taken[-1]), strict=True)]
            else:
                entry = turn(history, players[seat], clock)
            tell(ply, entry)
    except Fault as fault:
        ending = forfeit(game, seat, fault.kind, str(fault))
    seconds = time.perf_counter() - began
    return replace(ending or ending_now(history), seconds=seconds, luck=tuple(given) if luck is not None else None)


# ---- the steps of a game -----------------------------------------------------------------------


def player_seed(seed: int, seat: int, stream: int = 0) -> int:
    """The seed from which the player at a seat draws."""
    return split(split(seed & FULL, PLAYERS + stream), seat)


def roll(history: History, seed: int, rolls: int) -> Entry:
    """Let chance move, `rolls` being the number of its moves before; the entry of the move."""
    game, s = history.game, history.state
    a = outcome(game, s, draw(split(seed & FULL, DICE), rolls))
    history.do(a)
    return Entry(CHANCE, game.write_action(s, a))


def turn(history: History, player: Player, clock: Clock) -> Entry:
    """Let the player move whose turn it is; the entry of the move.

    Fault if the player is to blame that there is none. Any other error is one of ours, like a damaged table, and no result.
    """
    game = history.game
    if game.repetition == "forbidden" and next(history.actions(), None) is None:
        raise ZermeloError(f"expected an action that leads to no earlier position, like a pass, and in {game.name} a player has none")
    began = time.perf_counter()
    try:
        a = player.choose(game, history, clock)
    except Fault:
        raise
    except ZermeloError as error:
        raise ZermeloError(f"{player.text}: {error}") from None
    return move(history, a, time.perf_counter() - began, clock, player.text, player.thought)


def move(history: History, a: int, seconds: float, clock: Clock, who: str, thought: Thought | None = None) -> Entry:
    """Make a move that took these seconds; its entry, or Fault if the time was up or the move is illegal."""
    game, s = history.game, history.state
    seat = game.to_move(s)
    left = clock.left[seat]
    if not clock.spend(seat, seconds):
        raise Fault("time", f"{who} took {seconds:.3f} seconds but had {left:.3f}")
    _take(history, a, who)
    left = clock.left[seat]
    known, t = None if math.isinf(left) else round(left, 4), thought or Thought()
    value = None if t.value is None or not math.isfinite(t.value) else float(t.value)
    line = " ".join(line_of(game, s, t.line[:LINE]))
    return Entry(seat, game.write_action(s, a), known, round(seconds, 6), value, t.depth, t.nodes, line, t.note)


def _take(history: History, a: int, who: str) -> None:
    """Take a player's action; Fault if it is not legal."""
    try:
        legal = type(a) is int
        if legal:
            history.do(a)
    except ZermeloError:
        legal = False
    if not legal:
        raise Fault("illegal move", f"{who} played {a!r}, which is not a legal action of {history.game.name} here")


def outcome(game: Game, s: State, word: int) -> int:
    """An outcome of chance in s, by its probability, from a random word."""
    x, a = unit(word), 0
    for a in game.actions(s):
        x -= game.probability(s, a)
        if x < 0:
            return a
    return a  # what rounding left over


def ending_now(history: History) -> Ending:
    """How a game ends that goes no further: by its rules, or as a draw because it took too long."""
    n = history.game.players
    if not history.is_over:
        return Ending((0.0,) * n, "max plies")
    return Ending(tuple(history.utility(p) for p in range(n)), "repetition" if history.is_repeated else "ended")


def forfeit(game: Game, seat: int, kind: str, remark: str) -> Ending:
    """The ending of a game that a player has lost outside the rules: it loses a point, which the others share."""
    result = tuple(-1.0 if p == seat else 1.0 / max(game.players - 1, 1) for p in range(game.players))
    return Ending(result, kind, None if kind == RESIGNED else seat, remark)


def points(result: Sequence[float], seat: int) -> float:
    """The score of a player between 0 and 1: how many of the others it beat, a tie being half."""
    others = [x for p, x in enumerate(result) if p != seat]
    return sum(1.0 if result[seat] > x else 0.5 if result[seat] == x else 0.0 for x in others) / max(len(others), 1)
