"""A game as it is played: its states one after another, and the rules that need to know the past; and as it is put on paper and back.

A state does not know how it came about, and a table of states must not either. What some rules forbid or end because
it was there before (`Game.repetition`) is therefore kept here, beside the state: games are played on a `History`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from .errors import ZermeloError
from .game import CHANCE, MOST_ACTIONS, MOST_PLAYERS, Game, State
from .layout import measure
from .notation.sheet import AS_TOLD, UNFINISHED, About, Ending, Entry, Opening, Sheet

TIMES = 3  # occurrences of a position that end the game, if the rule is a draw


class History:
    """The states of a game from its start; `do` goes on, `undo` back."""

    def __init__(self, game: Game, start: State | None = None):
        self.game = game
        self.states: list[State] = [start_of(game, start)]
        self.taken: list[int] = []
        self._positions = [self._position(self.state)]

    @property
    def state(self) -> State:
        """The state now."""
        return self.states[-1]

    @property
    def past(self) -> tuple[int, ...]:
        """The positions before this one, the latest last: what a search must know to see that one comes back."""
        return tuple(self._positions[:-1]) if self.game.repetition else ()

    @property
    def is_repeated(self) -> bool:
        """Whether the game has just ended in a draw because a position came back."""
        return self.game.repetition == "draw" and self._positions.count(self._positions[-1]) >= TIMES

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.is_repeated or self.game.is_terminal(self.state)

    def utility(self, p: int) -> float:
        """What player p gets from the game, which is over."""
        return float(self.game.utility(self.state, p)) if self.game.is_terminal(self.state) else 0.0

    def actions(self) -> Iterator[int]:
        """Yield the actions that are legal now, the past considered."""
        if not self.is_repeated and not self.game.has_ended(self.state):
            yield from (a for a in self.game.actions(self.state) if self.is_new(a))

    def is_new(self, a: int) -> bool:
        """Whether the rule of repetition allows action a. A position that stays as it is does not count."""
        if self.game.repetition != "forbidden":
            return True
        position = self._position(self.game.result(self.state, a))
        return position == self._positions[-1] or position not in self._positions

    def do(self, a: int) -> State:
        """Take an action; the state it leads to."""
        if self.is_repeated or self.game.has_ended(self.state) or a not in self.game.actions(self.state) or not self.is_new(a):
            raise ZermeloError(f"{a} is not a legal action of {self.game.name} here")
        self.states.append(self.game.result(self.state, a))
        self.taken.append(a)
        self._positions.append(self._position(self.state))
        return self.state

    def undo(self) -> State:
        """Take the last action back; the state before it."""
        if not self.taken:
            raise ZermeloError("there is no action to take back")
        self.states.pop()
        self._positions.pop()
        self.taken.pop()
        return self.state

    def _position(self, s: State) -> int:
        return self.game.repetition_key(s) if self.game.repetition else 0


def start_of(game: Game, state: State | None = None, packed_by: str | None = None) -> State:
    """The state to begin in, this one or the game's initial one; ZermeloError if no game can begin there.

    `packed_by` names the caller if it needs machine words; interpreted code takes states of any kind.
    """
    return counted_start(game, state, packed_by)[0]


def counted_start(game: Game, state: State | None = None, packed_by: str | None = None) -> tuple[State, int]:
    """The state to begin in, as `start_of` gives it, and the number of its actions."""
    if wrong := players_fault(game.players):
        raise ZermeloError(f"{game.name}: {wrong}")
    s = game.initial() if state is None else state
    if packed_by:
        measure(game)
    if packed_by and (wrong := game.layout.fault(s)):
        raise ZermeloError(f"{packed_by}: expected a state of {game.name}: {wrong}")
    if wrong := mover_fault(game, game.to_move(s)):
        raise ZermeloError(f"{game.name}: {wrong}, in the state {s!r}")
    # a game that counts its actions itself need not list them; one that does not may yield them without end
    n = game.count(s) if game.has_count else sum(1 for _ in islice(game.actions(s), MOST_ACTIONS + 1))
    if n > MOST_ACTIONS:
        raise ZermeloError(f"{game.name}: actions yields more than {MOST_ACTIONS:,} values, expected fewer, in the state {s!r}")
    return s, n


def players_fault(players: Any) -> str | None:
    """What is wrong with the number of players, in words; None when nothing is."""
    if type(players) is int and 1 <= players <= MOST_PLAYERS:
        return None
    return f"players is {players!r}, expected a whole number of 1 or more, and at most {MOST_PLAYERS}"


def mover_fault(game: Game, mover: Any) -> str | None:
    """What is wrong with an answer of `to_move`, in words; None when nothing is."""
    if isinstance(mover, int) and 0 <= mover < game.players:
        return None
    if mover != CHANCE:
        return f"to_move gives {mover!r}, expected 0 to {game.players - 1}, or CHANCE"
    return None if game.has_chance else "to_move gives CHANCE, but the game does not write probability(self, s, a)"


# ---- on paper ----------------------------------------------------------------------------------


def line_of(game: Game, s: State, line: Sequence[int]) -> list[str]:
    """A line of play from s in the game's notation, up to the first action that is not legal: a player's claims are not trusted."""
    texts: list[str] = []
    for a in line:
        if game.is_terminal(s) or a not in game.actions(s):
            break
        texts.append(game.write_action(s, a))
        s = game.result(s, a)
    return texts


def entries_of(history: History) -> tuple[Entry, ...]:
    """The moves of a game without anything else about them."""
    game = history.game
    steps = zip(history.states, history.taken, strict=False)
    return tuple(Entry(game.to_move(s), game.write_action(s, a)) for s, a in steps)


def ending_of(history: History, told: Sequence[float] | None) -> Ending:
    """How a game that was read ended: as the rules say, or else with the result in the file, if there is one."""
    n = history.game.players
    if history.is_over:
        by_rules = tuple(history.utility(p) for p in range(n))
        if told is None or tuple(told) == by_rules:
            return Ending(by_rules, "repetition" if history.is_repeated else "ended")
    return Ending((), UNFINISHED) if told is None else Ending(tuple(told), AS_TOLD)


def written_down(history: History, players: Sequence[str], tags: Mapping[str, str], told: Sequence[float] | None) -> Sheet:
    """The sheet of a game that was read from a file, with the result in the file."""
    game = history.game
    about = About(repr(game), tuple(players), 0, game.write_state(history.states[0]), dict(tags), "")
    return Sheet(about, entries_of(history), ending_of(history, told))


def replayed(game: Game, sheet: Sheet) -> History:
    """The game on a sheet played again; ZermeloError at the first move that the rules do not allow."""
    history = History(game, game.read_state(sheet.about.start))
    for n, entry in enumerate(sheet.moves, 1):
        try:
            if history.is_over:
                raise ZermeloError("expected no move after the end of the game")
            seat = game.to_move(history.state)
            if seat != entry.seat:
                raise ZermeloError(f"expected a move of {'chance' if seat == CHANCE else f'player {seat}'}, not of {entry.seat}")
            history.do(game.read_action(history.state, entry.action))
        except ZermeloError as error:
            raise ZermeloError(f"move {n}, {entry.action[:40]!r}: {error}") from None
    return history


def opening_of(game: Game, line: str) -> Opening:
    """The opening in a line: a state, or actions separated by spaces or commas; `moves` before them says that they are actions."""
    if line.startswith("moves "):
        return Opening("", actions_of(game, line.removeprefix("moves ").replace(",", " ").split()))
    try:
        game.read_state(line)
        return Opening(line)
    except ZermeloError as error:
        try:
            return Opening("", actions_of(game, line.replace(",", " ").split()))
        except ZermeloError:
            raise error from None


def actions_of(game: Game, texts: Sequence[str]) -> tuple[str, ...]:
    """These actions from the start as the game writes them; a pass that is forced may be left out."""
    history, written = History(game), list[str]()
    for text in texts:
        try:
            a = game.read_action(history.state, text)
        except ZermeloError:
            only = list(history.actions())
            if len(only) != 1 or game.write_action(history.state, only[0]) != "pass":
                raise
            written.append("pass")
            history.do(only[0])
            a = game.read_action(history.state, text)
        written.append(game.write_action(history.state, a))
        history.do(a)
    return tuple(written)
