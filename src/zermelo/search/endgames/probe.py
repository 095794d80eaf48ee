"""Looking up a state in a table that lies in memory: by the game's own index, in a hash table, or in tables of the game's own format.

The hash is of the whole packed state, not the game's `key`: a key that two states share would give one of them a wrong value.
"""

from __future__ import annotations

from ...bits import i64, u64
from ...game import Game, State
from ...lower.memory import load
from ...rng import mix
from ..records import WORDS, room
from .turns import Rows, is_race, race_value
from .values import DRAWN, LOST, NO_STATE, WON, expected_value, get16, is_decided, plies_of, sign_of

UNKNOWN_WIN_PLIES = 1000  # that a win counts of which nobody knows how many it takes: more than those of a mate that a search finds


class Probing(Rows):
    """The record of an algorithm that looks states up: `endgames` are the values by index, or pairs of a hash and a value.

    `endgames_size` is then how many pairs, a power of two.
    """

    endgames_win: float  # what a win is worth, or the greatest expected value
    endgames_state: list[u64] = room(WORDS)  # the state that is looked up
    endgames_asked: list[u64] = room(WORDS)  # the last one that was looked up in tables of the game's own format, and its value
    endgames_value: int


def table_value(game: Game, s: State, work: Probing) -> int:
    """The value of s in the table, NO_STATE if it is not there."""
    if game.has_own_tables:
        return own_value(game, s, work)
    if game.has_index:
        i = game.index(s)
        return get16(work.endgames, i) if 0 <= i < work.endgames_size else NO_STATE
    game.pack(s, work.endgames_state)
    key = 0
    for k in range(len(work.endgames_state)):
        key = mix(key ^ work.endgames_state[k])
    at = first_slot(key, work.endgames_size)
    while load(work.endgames, 2 * at + 1) != 0:
        if load(work.endgames, 2 * at) == key:
            return i64(load(work.endgames, 2 * at + 1))
        at = (at + 1) & (work.endgames_size - 1)
    return NO_STATE


def own_value(game: Game, s: State, work: Probing) -> int:
    """The value of s by tables in the game's own format; of one state asked several times in a row, looked up once."""
    game.pack(s, work.endgames_state)
    is_other = False
    for k in range(len(work.endgames_state)):
        is_other = is_other or work.endgames_state[k] != work.endgames_asked[k]
        work.endgames_asked[k] = work.endgames_state[k]
    if is_other:
        work.endgames_value = value_of_result(game.known_result(s, work.endgames), game.plies_left(s))
    return work.endgames_value


def value_of_result(result: int, plies: int) -> int:
    """The value of a state that is won, drawn or lost, with these plies left, within which it is: nobody knows when."""
    if abs(result) > 1:
        return NO_STATE
    if result == 0:
        return DRAWN
    return (WON if result > 0 else LOST) + 2 * min(plies, UNKNOWN_WIN_PLIES)


def is_tabled(game: Game, s: State, work: Probing) -> bool:
    """Whether the table proves the value of s: it has it, and no rule about progress ends the game before a win."""
    v = table_value(game, s, work)
    if game.has_chance:
        return v != NO_STATE or (game.side_count > 0 and is_race(game.index(s), work))
    return v != NO_STATE and (not is_decided(v) or plies_of(v) <= game.plies_left(s))


def tabled_value(game: Game, s: State, p: int, work: Probing) -> float:
    """What a state of the table is worth to player p."""
    if game.has_chance:
        i, code = game.index(s), table_value(game, s, work)
        v = expected_value(code, work.endgames_win) if code != NO_STATE else race_value(i, work)
        return v if game.perspective(s) == p else -v
    u = work.endgames_win * sign_of(table_value(game, s, work))
    return u if game.to_move(s) == p else -u


def tabled_plies(game: Game, s: State, work: Probing) -> int:
    """How far a state of the table is from the end of the game, 0 for a draw, and where chance decides."""
    if game.has_chance:
        return 0
    v = table_value(game, s, work)
    return plies_of(v) if is_decided(v) else 0


def first_slot(key: u64, slots: int) -> int:
    """The slot in which the search for a hash begins, of a power of two."""
    return i64(key & u64(slots - 1))
