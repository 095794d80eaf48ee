"""Verification of a table: each value is derived again from the values of the states that its actions lead to.

    won in n    if the best action leads to a state that the opponent loses in n - 1
    lost in n   if all actions lead to states that the opponent wins, the longest in n - 1
    drawn       if an action leads to a draw and none wins

If no state contradicts its actions, all values are right: wins and losses by induction on the plies, draws because neither side
can leave them for a win. The states in which the table of an opening ends were searched: those are not derived again. Expected values
may differ from what a turn leads to by the last of their 16 bits (`expected.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..errors import ZermeloError
from ..game import Game, State
from ..lower.memory import Words
from ..search.endgames.probe import Probing, table_value
from ..search.endgames.table import Table, without_numbers
from ..search.endgames.values import DRAWN, HALF, LOST, NO_STATE, WON, preference, seen_before
from ..search.prepare import prepare, room_for, width_of
from .build import CHUNK, Progress, quiet
from .expected import greatest_error
from .walk import FULL, Walk, is_state, number_of, state_of

ROUNDING = 1.001  # of the last bit of an expected value: half of it in the value itself, at most half in what it is made of


class Verifying(Walk, Probing):
    """The record of a verification."""

    wrong: int  # states that contradict their actions
    example: int  # the number of the last of them


def verify_states(game: Game, work: Verifying) -> int:
    """Derive the values of the states from `at` to `until` again; how many contradict the table so far."""
    if work.last == 0:
        number_of(game, game.unpack(work.packed), work)  # the start
    while work.at < min(work.until, work.last) and work.fault == 0:
        s = state_of(game, work.at, work)
        if is_state(game, s, work.at):
            v = derived_value(game, s, work)
            if work.widest > len(work.moves) or work.fault != 0:
                return work.wrong
            work.states += 1
            if v != table_value(game, s, work):
                work.wrong += 1
                work.example = work.at
        work.at += 1
    return work.wrong


def derived_value(game: Game, s: State, work: Verifying) -> int:
    """The value of s by those of the states after its actions, which get numbers if they are new."""
    n, me = game.fill(s, work.moves), game.to_move(s)
    work.widest = max(work.widest, n)
    if n > len(work.moves):
        return NO_STATE
    if n == 0:
        return utility_value(game, s, me)
    best = NO_STATE
    for k in range(n):
        t = game.result(s, work.moves[k])
        v = table_value(game, t, work)
        if number_of(game, t, work) < 0:
            v = utility_value(game, t, game.to_move(t)) if game.is_terminal(t) else NO_STATE
        if v == NO_STATE:
            return NO_STATE
        v = seen_before(v, game.to_move(t) == me)
        if best == NO_STATE or preference(v) > preference(best):
            best = v
    return best


def utility_value(game: Game, s: State, p: int) -> int:
    """The value of a game that is over."""
    u = game.utility(s, p)
    return WON if u > 0.0 else LOST if u < 0.0 else DRAWN


@dataclass(frozen=True)
class Verified:
    """What a verification found."""

    states: int
    wrong: int
    example: str  # a state that contradicts its actions, if there is one


CARRIED = ("last", "at", "states", "widest", "fault", "wrong", "example")


def verify_table(table: Table, game: Game, progress: Progress = quiet, interpreted: bool = False) -> Verified:
    """Derive every value of a table again from the rules of the game."""
    table.check_game(game)
    game = without_numbers(game) if table.about.is_by_key else game
    if table.about.is_expected:
        states, error, worst = greatest_error(table, game, progress, interpreted)
        is_wrong = error > ROUNDING * table.about.win / HALF or states != table.about.states
        return Verified(states, int(is_wrong), game.write_state(worst) if is_wrong else "")
    about, words = table.about, game.layout.words
    capacity = about.states if about.is_by_key else 0
    slot_count = 1 << (2 * capacity).bit_length()
    memory = {"slots": Words(2 * slot_count if capacity else 0, interpreted), "rows": Words(capacity * words, interpreted)}
    start = game.read_state(about.start) if about.is_by_key else game.initial()
    fixed = {"packed": game.layout.pack(start), "capacity": capacity, "slot_count": slot_count}
    fixed |= table.given(game, interpreted) | {name: part.table for name, part in memory.items()}
    carried: dict[str, Any] = dict.fromkeys(CARRIED, 0)
    for name, first, last in about.ranges[1:] if game.numbers_opening else about.ranges:
        carried |= {"at": first, "last": 0 if about.is_by_key else last}
        _verify_range(game, fixed, carried, interpreted, partial(_report, progress, name, first, last))
    wrong = carried["wrong"]
    if carried["states"] != about.states and not wrong and not game.numbers_opening:
        raise ZermeloError(f"{table.path} has {about.states:,} states, but the game has {carried['states']:,}: build it again")
    example = _state(game, int(carried["example"]), memory["rows"]) if wrong else None
    return Verified(int(carried["states"]), int(wrong), "" if example is None else game.write_state(example))


def _report(progress: Progress, name: str, first: int, last: int, at: int) -> None:
    progress(f"{name}: verifying", at - first, last - first)


def _verify_range(game: Game, fixed: dict[str, Any], carried: dict[str, Any], interpreted: bool, report: Callable[[int], None]) -> None:
    width = width_of(game, carried["widest"])
    while carried["at"] < carried["last"] or carried["last"] == 0:
        run = prepare(game, verify_states, Verifying, interpreted, width=width)
        work = run(**fixed | carried | {"until": carried["at"] + CHUNK})
        carried |= {name: getattr(work, name) for name in CARRIED}
        if carried["fault"] == FULL:  # the game has more states than the table
            carried["wrong"] += 1
            carried["example"] = carried["at"]
            return
        width = max(width, room_for(carried["widest"]))
        report(int(carried["at"]))


def _state(game: Game, i: int, rows: Words) -> State:
    words = game.layout.words
    return game.state_at(i) if game.has_index else game.layout.unpack(rows.read(i * words, (i + 1) * words).tolist())
