"""The walk forwards over the states of a stage that retrograde analysis begins with.

A stage is a range of numbers, of which each is the number of one state or of none: the game's own (`Game.index`), or those in
which states are found from a start. Actions lead to states of the same stage or of earlier ones, whose values are known. The
walk writes down the actions within the stage, in the order of the states that they begin in.
A fact about a state is a word:

    value (16 bits)  |  unsettled actions << 16  |  the best that other actions lead to << 32  |  actions within the stage << 48

An action is unsettled while it leads to a state of the stage without a value, and for ever if it leads to a draw elsewhere.
"""

from __future__ import annotations

from ..bits import i64, u64
from ..game import Game, State
from ..lower.memory import load, store
from ..rng import mix
from ..search.endgames.probe import first_slot
from ..search.endgames.values import DRAWN, LOST, MAX_PLIES, NO_STATE, WON, get16, preference, put32, seen_before
from ..search.records import WIDTH, WORDS, Record, room

UNSETTLED, ELSEWHERE, WITHIN = 16, 32, 48  # the bits from which these parts of a fact begin
MOST_ACTIONS = 0xFFFF  # that a fact can count
MAX_WIN_VALUE = WON + 2 * MAX_PLIES  # the value of the longest win
SAME_MOVER = 31  # the bit of an action in a row that says that the turn does not pass
ROW = 1 << 20  # actions with which a row of them is full: those of one state are written whole, so that it has room for more
AHEAD = 32  # words that are 0 behind a row, so that what will be asked for can be fetched while the row is read
#: what may end a walk: no room for another state, too many actions, a rule that tables do not know, an action into no stage, ...
FULL, TOO_WIDE, CHANCE_MOVES, NOT_ZERO_SUM, UNEQUAL_WINS, LEADS_OUT, TOO_LONG, SAME_HASH = range(1, 9)


class Stage(Record):
    """The record of all that is done with a stage."""

    first: int  # its first number, and the number after its last
    last: int
    fault: int
    facts: int  # a word for each number
    starts: int  # where the reversed actions that lead to each state begin
    at: int  # the number to look at next, and the one to end before
    until: int
    row: int  # actions within the stage from the states that are looked at: the state after, and SAME_MOVER


class Walk(Stage):
    """The record of a walk forwards."""

    packed: list[u64] = room(WORDS)
    moves: list[int] = room(WIDTH)
    widest: int
    length: int  # of the row
    capacity: int  # states that there is room for
    states: int
    win: float  # what a win is worth, 0 while none was met
    values: int  # of all earlier stages
    size: int  # how many
    slots: int  # pairs of a hash and a number, more by one
    slot_count: int
    rows: int  # packed states by number


# ---- states and numbers --------------------------------------------------------------------------


def number_of(game: Game, s: State, work: Walk) -> int:
    """The number of s. Without an index of the game a new state gets the next number; -1 if that cannot be."""
    if game.has_index:
        return game.index(s)
    game.pack(s, work.packed)
    key, words = u64(0), len(work.packed)
    for k in range(words):
        key = mix(key ^ work.packed[k])
    at = first_slot(key, work.slot_count)
    while load(work.slots, 2 * at + 1) != 0:
        if load(work.slots, 2 * at) == key:
            n = i64(load(work.slots, 2 * at + 1)) - 1
            for k in range(words):
                if load(work.rows, n * words + k) != work.packed[k]:
                    work.fault = SAME_HASH
            return n
        at = (at + 1) & (work.slot_count - 1)
    if work.last == work.capacity:
        work.fault = FULL
        return -1
    n = work.last
    work.last += 1
    store(work.slots, 2 * at, key)
    store(work.slots, 2 * at + 1, u64(n + 1))
    for k in range(words):
        store(work.rows, n * words + k, work.packed[k])
    return n


def state_of(game: Game, i: int, work: Walk) -> State:
    """The state of this number."""
    if game.has_index:
        return game.state_at(i)
    for k in range(len(work.packed)):
        work.packed[k] = load(work.rows, i * len(work.packed) + k)
    return game.unpack(work.packed)


def is_state(game: Game, s: State, i: int) -> bool:
    """Whether s is the state of number i: an index may have numbers of no state."""
    if game.has_index:
        return game.index(s) == i
    return True


# ---- the walk ------------------------------------------------------------------------------------


def walk(game: Game, work: Walk) -> int:
    """Look at the states from `at` to `until`, as far as there are any and the row has room; what ended the walk before, or 0."""
    if work.last == 0:
        number_of(game, game.unpack(work.packed), work)  # the start
    while work.at < min(work.until, work.last) and work.length < ROW and work.fault == 0:
        s, i = state_of(game, work.at, work), work.at - work.first
        if is_state(game, s, work.at):
            fact = follow_actions(game, s, work)
            if work.fault == 0:
                store(work.facts, i, fact)
                work.states += 1
        work.at += 1 if work.fault == 0 else 0
    return work.fault


def follow_actions(game: Game, s: State, work: Walk) -> u64:
    """Write the actions of s within the stage into the row; what is known of s before the values of its stage are."""
    n, me = game.fill(s, work.moves), game.to_move(s)
    work.widest = max(work.widest, n)
    if me < 0:
        work.fault = CHANCE_MOVES
    elif n > min(len(work.moves), MOST_ACTIONS):
        work.fault = TOO_WIDE
    if work.fault != 0:
        return u64(0)
    if n == 0:
        v = end_value(game, s, me, work)
        return u64(DRAWN) | (u64(1) << UNSETTLED if v == DRAWN else u64(v) << ELSEWHERE)
    within, drawn, best = 0, 0, NO_STATE
    for k in range(n):
        t = game.result(s, work.moves[k])
        j, is_same = number_of(game, t, work), game.to_move(t) == me
        if work.fault != 0:
            return u64(0)
        if work.first <= j < work.last:
            add_action(j - work.first, is_same, work)
            within += 1
        else:
            v = seen_before(value_elsewhere(game, t, j, work), is_same)
            if v > MAX_WIN_VALUE:
                work.fault = TOO_LONG
            if v == DRAWN:
                drawn += 1
            elif best == NO_STATE or preference(v) > preference(best):
                best = v
    return u64(DRAWN) | u64(within + drawn) << UNSETTLED | u64(best) << ELSEWHERE | u64(within) << WITHIN


def add_action(j: int, is_same: bool, work: Walk) -> int:
    """Write an action to state j into the row; its place."""
    put32(work.row, work.length, j | (1 << SAME_MOVER if is_same else 0))
    work.length += 1
    return work.length - 1


def end_value(game: Game, s: State, me: int, work: Walk) -> int:
    """The value of a game that is over."""
    mine, theirs = game.utility(s, me), game.utility(s, 1 - me)
    if mine + theirs != 0.0:
        work.fault = NOT_ZERO_SUM
    if mine == 0.0:
        return DRAWN
    if work.win == 0.0:
        work.win = abs(mine)
    if work.win != abs(mine):
        work.fault = UNEQUAL_WINS
    return WON if mine > 0.0 else LOST


def value_elsewhere(game: Game, t: State, j: int, work: Walk) -> int:
    """The value of a state that is not in this stage: of an earlier one, or of none because the game is over."""
    v = get16(work.values, j) if 0 <= j < work.size else NO_STATE
    if v != NO_STATE:
        return v
    if j < 0 and game.is_terminal(t):
        return end_value(game, t, game.to_move(t), work)
    work.fault = LEADS_OUT
    return DRAWN
