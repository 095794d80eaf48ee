"""The states of games that were played, what was played in each, and how its game ended."""

from __future__ import annotations

import lzma
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...arena.records.record_formats import format_of, history_of, kind_of, read
from ...bits import u64
from ...errors import ZermeloError
from ...game import CHANCE, Game, State
from ...lower.native import native
from ...search.puct.inputs import output_of
from ...search.puct.shape import NetworkShape, actions_of
from ...search.records import PLIES, WIDTH, WORDS, Record, record_of, room

Array = np.ndarray[Any, Any]
HELD_OUT = 0.02  # of the games
MAX_FILE_BYTES = 1 << 32  # bytes of a file, or of what it is when it is unpacked
PACKED = ".xz"
NEVER = -1  # what was played is not an action there


@dataclass(frozen=True)
class Positions:
    """States as words, who moves, the output of the policy that was played, what each player got (from -1 to 1), and of which game."""

    states: Array
    movers: Array
    played: Array
    outcomes: Array
    games: Array

    def __len__(self) -> int:
        return len(self.states)

    def split(self, seed: int) -> tuple[Positions, Positions]:
        """Those to learn from, and those of some whole games that are held out."""
        count = int(self.games.max()) + 1
        if count < 2:
            raise ZermeloError("there is one game alone: expected two or more, as one is held out")
        order = np.random.default_rng(seed).permutation(count)
        is_held = np.isin(self.games, order[: max(1, int(HELD_OUT * count))])
        return self._where(~is_held), self._where(is_held)

    def _where(self, chosen: Array) -> Positions:
        return Positions(*(rows[chosen] for rows in (self.states, self.movers, self.played, self.outcomes, self.games)))


# ---- replaying -------------------------------------------------------------------------------


class Replay(Record):
    """The record of a game that is played again."""

    start: list[u64] = room(WORDS)
    length: int
    moves: list[int] = room(PLIES)
    states: list[list[u64]] = room(PLIES, WORDS)
    mover: list[int] = room(PLIES)
    played: list[int] = room(PLIES)  # the outputs of the policy for the moves, or NEVER
    actions: list[int] = room(WIDTH)


def replay(game: Game, work: Replay) -> int:
    """Play the moves; how many of them the game lasted. A move that is not an action ends it, too."""
    s = game.unpack(work.start)
    for i in range(work.length):
        if game.is_terminal(s):
            return i
        a = work.moves[i]
        game.pack(s, work.states[i])
        work.mover[i] = game.to_move(s)
        work.played[i] = output_played(game, s, a, work)
        if work.played[i] == NEVER:
            return i + 1
        s = game.result(s, a)
    return work.length


def output_played(game: Game, s: State, a: int, work: Replay) -> int:
    """The output of the policy for action a of s, or NEVER if it is none."""
    count = min(game.fill(s, work.actions), len(work.actions))
    for k in range(count):
        if work.actions[k] == a:
            return output_of(game, s, a, k) if game.to_move(s) != CHANCE else 0
    return NEVER


# ---- reading ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Played:
    """A game as a file tells it: where it is told, its start, its actions, and what each player got."""

    place: str
    start: State
    actions: Sequence[int]
    result: Sequence[float]


def read_positions(game: Game, shape: NetworkShape, files: Sequence[str | Path]) -> Positions:
    """The states of all games of these files in which a player moves; ZermeloError at a move that the rules do not allow."""
    found: list[tuple[Array, ...]] = []
    plies, run = 0, None
    work: Array = np.zeros(1)
    for number, one in enumerate(game_of for file in files for game_of in _games(game, Path(file))):
        n = len(one.actions)
        if run is None or n > plies:
            plies = max(256, 1 << max(0, n - 1).bit_length())
            kind = record_of(Replay.fields(words=game.layout.words, plies=plies, width=actions_of(game)))
            run, work = native(game, replay, kind), np.zeros(1, kind)
        work["start"][0] = game.layout.pack(one.start)
        work["length"], work["moves"][0, :n] = n, one.actions
        n = run(work)
        if n and work["played"][0, n - 1] == NEVER:
            raise ZermeloError(f"{one.place}, move {n:,}: expected an action that the rules allow")
        is_choice = work["mover"][0, :n] != CHANCE
        count = int(is_choice.sum())
        outcome = (np.array(one.result) - (shape.low + shape.high) / 2) / ((shape.high - shape.low) / 2 or 1.0)
        rows = (work[name][0, :n][is_choice] for name in ("states", "mover", "played"))
        found.append((*rows, np.tile(np.float32(outcome), (count, 1)), np.full(count, number)))
    if not found:
        raise ZermeloError(f"there are no games with a result in {', '.join(map(str, files))}: expected some")
    states, movers, played, outcomes, games = (np.concatenate(rows) for rows in zip(*found, strict=True))
    return Positions(states, movers.astype(np.int8), played.astype(np.int32), outcomes, games.astype(np.int32))


def _games(game: Game, file: Path) -> Iterator[Played]:
    """The games of a file that have a result."""
    name = Path(file.stem) if file.suffix == PACKED else file
    kind, data = kind_of(name), _data(file)
    own = format_of(game, kind)
    try:
        if own is not None and own.actions is not None:
            for number, part in enumerate(own.parse(data), 1):
                actions, result = own.actions(game, part)
                if len(result) == game.players:
                    yield Played(f"{file}, game {number:,}", game.initial(), actions, result)
            return
        for number, sheet in enumerate(read(kind, data, repr(game)), 1):
            if sheet.ending is None or len(sheet.ending.result) != game.players:
                continue
            history = history_of(sheet)
            if type(history.game) is not type(game) or history.game.layout.words != game.layout.words:
                raise ZermeloError(f"game {number:,} is of {sheet.about.game}: expected one of {game!r}")
            yield Played(f"{file}, game {number:,}", history.states[0], history.taken, sheet.ending.result)
    except ZermeloError as error:
        raise ZermeloError(f"{file}: {error}") from None


def _data(file: Path) -> bytes:
    """What is in a file, unpacked if need be."""
    try:
        with lzma.open(file) if file.suffix == PACKED else open(file, "rb") as stream:
            data = stream.read(MAX_FILE_BYTES + 1)
    except lzma.LZMAError:
        raise ZermeloError(f"{file} is damaged: expected a file that xz packed") from None
    except (OSError, EOFError) as error:
        raise ZermeloError(f"{file} cannot be read: {getattr(error, 'strerror', None) or 'it is cut off'}") from None
    if len(data) > MAX_FILE_BYTES:
        raise ZermeloError(f"{file} is too large: expected at most {MAX_FILE_BYTES:,} bytes")
    return data
