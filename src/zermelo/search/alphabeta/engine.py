"""The engine room of alpha-beta: a transposition table, an order for the actions, and searches of a null window.

Most of this does not change the value that plain alpha-beta finds; it changes what must be looked at to find it (leaves at best
b^(m/2), at worst b^m). Quiescence and extensions look further than they were asked to, and so does a depth limit with a table.
Null moves, futility and reductions (type B) may miss the value: they are for games that allow them, and can be switched off.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ...bits import i64, u64
from ...game import Game, State
from ...lower.memory import load, to_real, to_word
from .. import minimax
from ..mate_distance import above, distant, farther, nearer
from ..minimax import INFINITE, actions, keep_line, must_stop
from ..move_ordering import MOST, SLOTS, bring_best, put_first, rank, remember_cut, slot
from ..notes import AGAIN, CHILD, CUT, END, FUTILE, PASS, PASSED, REPEATED, SHALLOW, STATIC, STORED, TRY, enter, note
from ..records import Fields
from ..searcher import Result
from ..table import AGE, ENDLESS, EXACT, LOWER, UPPER, keep, probe
from .lines import enter_line
from .quiescence import settle

LATE = 3  # actions that are searched to the full depth before reductions begin
FRONTIER = 6  # plies before the end of the depth where futility is thought of
LOST = 8  # times the slack below its evaluation: a state with nothing better so far is in danger, and all is tried there
PAST = 128  # positions before the root that are remembered
#: plies that an action late in the order is searched less: more the deeper and the later (depth * 64 + place)
REDUCED = np.array([int(0.5 + math.log(d) * math.log(i) / 2.0) if min(d, i) > 1 else 0 for d in range(64) for i in range(64)])


def fields(game: Game, plies: int, width: int) -> Fields:
    """The record of the search."""
    return [
        *(f for f in minimax.fields(game, plies, width) if f[0] != "rounds"),
        ("many", "i8", ()),
        ("first", "i8", (width,)),  # the root's actions in the order in which to try them
        ("table", "i8", ()),
        ("mask", "i8", ()),
        ("age", "i8", ()),  # of the table
        ("has_table", "i8", ()),
        ("has_pvs", "i8", ()),
        ("has_killers", "i8", ()),
        ("has_history", "i8", ()),
        ("by_order", "i8", ()),
        ("quiet", "i8", ()),
        ("extensions", "i8", ()),
        ("nulls", "i8", ()),
        ("futility", "i8", ()),
        ("reductions", "i8", ()),
        ("distance", "f8", ()),
        ("low", "f8", ()),  # the window of the root
        ("high", "f8", ()),
        ("ranks", "i8", (plies, width)),
        ("killer", "i8", (plies + 1, 2)),
        ("past", "i8", (2, SLOTS)),
        ("reply", "i8", (2, SLOTS)),  # what cut after an action of the opponent
        ("path", "i8", (plies + 1,)),  # the actions of the path
        ("statics", "f8", (plies + 1,)),  # what evaluate says of its states, for player 0
        ("skipped", "i8", (plies + 1,)),  # whether the turn was passed at this ply
        ("seen", "u8", (plies + 1,)),  # the positions of the path
        ("before", "u8", (PAST,)),  # those of the game before the root
        ("before_many", "i8", ()),
        ("known_before", "i8", (SLOTS,)),  # by their slot: how many there are
    ]


def told(result: Result, best: Result | None, depth: int | None, nodes: int, evaluations: int) -> Result:
    """The Result of this depth with the nodes of all; a depth that was not begun leaves the answer of the one before."""
    if best is not None and not result.scores:
        result = replace(best, seconds=result.seconds)
    return replace(result, depth=result.depth if depth is None or result.exact else depth, nodes=nodes, evaluations=evaluations)


def root(game: Game, work: Any) -> int:
    """Search the actions of the start in the order given; their scores are exact or, after the best, bounds (`lines.py`)."""
    s = game.unpack(work.start)
    me = game.to_move(s)
    work.nodes = 1
    work.widest = work.many
    if len(work.watch) > 1:
        enter(game, s, me, work.depth, work.low, work.high, 0, work)
    if game.has_draws_by_repetition:
        work.seen[0] = game.repetition_key(s)
        for k in range(work.before_many):
            work.known_before[slot(i64(work.before[k]))] += 1
    if game.quiet_margin > 0.0 or game.has_null_move:
        work.statics[0] = game.evaluate(s, 0)
    best = -INFINITE
    for i in range(min(work.many, len(work.first))):
        t = game.result(s, work.first[i])
        v = 0.0
        alpha = max(best, work.low)
        is_whole = i == 0 or work.has_pvs == 0  # whether to ask at once what it is worth, and not only whether it is better
        if len(work.tops) > 1:
            alpha = work.tops[work.wanted - 1]
            is_whole = i < work.wanted or work.has_pvs == 0
        work.path[0] = work.first[i]
        if len(work.watch) > 1:
            note(TRY, 0, me, work.first[i], 0.0, 0.0, work)
        if is_whole:
            v = search(game, t, me, work.depth - 1, alpha, work.high, 1, work)
        else:
            late = 0
            if work.reductions != 0 and i >= LATE and work.depth > 2 and not game.is_tactical(s, work.first[i]) and not game.is_forcing(t):
                late = min(REDUCED[min(work.depth, 63) * 64 + min(i, 63)], work.depth - 2) // 2
            if len(work.watch) > 1 and late > 0:
                note(SHALLOW, 0, me, late, 0.0, 0.0, work)
            v = search(game, t, me, work.depth - 1 - late, alpha, above(alpha), 1, work)
            if late > 0:
                work.cutoffs += 1
                if v > alpha and work.stopped == 0:
                    if len(work.watch) > 1:
                        note(AGAIN, 0, me, 1, v, 0.0, work)
                    v = search(game, t, me, work.depth - 1, alpha, above(alpha), 1, work)
            if v > alpha and work.stopped == 0:
                if len(work.watch) > 1:
                    note(AGAIN, 0, me, 0, v, 0.0, work)
                v = search(game, t, me, work.depth - 1, alpha, work.high, 1, work)
        if work.stopped != 0:
            return 0
        if len(work.watch) > 1:
            note(CHILD, 0, me, work.first[i], v, best, work)
        work.scores[i] = v
        work.searched = i + 1
        if len(work.tops) > 1:
            if v > alpha:
                enter_line(i, v, work)
        if v > best:
            best = v
            work.best = i
            keep_line(0, work.first[i], work)
            if best >= work.high:
                return 0  # the window was too low
    return 0


def search(game: Game, s: State, me: int, depth: int, alpha: float, beta: float, ply: int, work: Any) -> float:
    """What s is worth to `me`, whose bounds alpha and beta are: exact between them, a bound outside."""
    work.nodes += 1
    work.deepest = max(work.deepest, ply)
    if ply >= len(work.moves) or must_stop(work):
        work.stopped = 1
        return 0.0
    work.lines[ply][0] = 0
    if len(work.watch) > 1:
        enter(game, s, me, depth, alpha, beta, ply, work)
    if game.has_draws_by_repetition:
        if is_repeated(game.repetition_key(s), ply, work):
            work.cutoffs += 1  # true on this path only
            if len(work.watch) > 1:
                note(REPEATED, ply, me, 0, 0.0, 0.0, work)
            return 0.0
    checked = False
    if game.has_forcing:
        if work.extensions != 0 and game.is_forcing(s) and not game.is_terminal(s):
            checked = True
            if ply < 2 * work.depth:
                depth += 1
    p = game.to_move(s)
    if game.quiet_margin > 0.0 and ply + 1 >= len(work.moves):
        depth = 0  # a game that is not searched to its end needs no room for longer lines
    if depth <= 0:
        if game.is_terminal(s):
            work.evaluations += 1
            if len(work.watch) > 1:
                note(END, ply, me, 0, distant(game.utility(s, me), ply, work), 0.0, work)
            return distant(game.utility(s, me), ply, work)
        best = settle(game, s, p, alpha, beta, ply, work) if p == me else settle(game, s, p, -beta, -alpha, ply, work)
        return best if p == me else -best
    if p != me:
        alpha, beta = -beta, -alpha

    key = game.key(s)
    known = -1
    if work.has_table != 0:
        at = probe(key, work)
        if at >= 0:
            about = load(work.table, at + 2)
            known = i64(about >> 32)
            v = nearer(to_real(load(work.table, at + 1)), ply, work)
            bound = i64(about & 3)
            deep = i64(about >> 2 & 0xFFFF)
            if deep >= depth and (bound == EXACT or (bound == LOWER and v >= beta) or (bound == UPPER and v <= alpha)):
                if deep < ENDLESS:
                    work.cutoffs += 1
                if len(work.watch) > 1:
                    note(STORED, ply, p, deep * 4 + bound, v, 0.0, work)
                return v if p == me else -v

    is_open = beta > above(alpha)
    static = 0.0
    futile = False
    rising = 0  # whether the player to move stands better than a turn ago
    if game.quiet_margin > 0.0 or game.has_null_move:
        work.statics[ply] = work.statics[max(ply - 2, 0)]
        if not checked and (work.futility != 0 or work.nulls != 0) and not game.is_terminal(s):
            static = game.evaluate(s, p)
            work.evaluations += 1
            if len(work.watch) > 1:
                note(STATIC, ply, p, 0, static, 0.0, work)
            rising = int(static > (work.statics[ply] if p == 0 else -work.statics[ply]))
            work.statics[ply] = static if p == 0 else -static
            if game.quiet_margin > 0.0 and work.futility != 0 and not is_open:
                futile = True
                if depth <= FRONTIER and static - game.quiet_margin * (depth - rising) >= beta:
                    work.cutoffs += 1
                    if len(work.watch) > 1:
                        note(FUTILE, ply, p, -1, static - game.quiet_margin * (depth - rising), beta, work)
                    return static if p == me else -static
            if game.has_null_move:
                if (
                    work.nulls != 0
                    and not is_open
                    and depth > 2
                    and static >= beta
                    and work.skipped[ply - 1] == 0
                    and game.allows_null_move(s)
                ):
                    more = min(int((static - beta) / (2.0 * game.quiet_margin)), 3) if game.quiet_margin > 0.0 else 0
                    work.skipped[ply] = 1
                    work.path[ply] = -1
                    if len(work.watch) > 1:
                        note(PASS, ply, p, 0, 0.0, 0.0, work)
                    v = search(game, game.null_move(s), p, depth - 3 - depth // 4 - more, alpha, beta, ply + 1, work)
                    work.skipped[ply] = 0
                    if len(work.watch) > 1:
                        note(PASSED, ply, p, 0, v, beta, work)
                    if v >= beta and work.stopped == 0:
                        work.cutoffs += 1
                        return beta if p == me else -beta

    if work.reductions != 0 and work.has_table != 0 and known < 0 and depth > LATE:
        depth -= 1  # the table knows nothing: a shallower search will tell it what to try first
    cutoffs = work.cutoffs
    low = alpha
    best = -INFINITE
    chosen = 0
    n = actions(game, s, ply, work)
    if n == 0:  # listing is also how the end is seen: nobody is asked twice
        work.evaluations += 1
        if len(work.watch) > 1:
            note(END, ply, me, 0, distant(game.utility(s, me), ply, work), 0.0, work)
        return distant(game.utility(s, me), ply, work)
    late_ones = False  # whether only actions that force something are tried still, in any order
    first = 0  # to be ranked: the table's action is tried before the others are looked at
    if 0 <= known < n and not game.has_immediate:
        put_first(known, ply, work)
        first = 1
    i = -1
    while i + 1 < n:
        i += 1
        if i == first:
            n = rank(game, s, p, first, n, known, work.reply[p][slot(work.path[ply - 1])], ply, work)
        if i >= first and not late_ones:
            bring_best(i, n, ply, work)
        a = work.moves[ply][i]
        quiet = not game.is_tactical(s, a)
        t = game.result(s, a)
        work.path[ply] = a
        if futile and i > 0 and quiet and depth <= FRONTIER and best > static - LOST * game.quiet_margin:
            hope = static + game.quiet_margin * (depth + 1) + game.material_gain(s, a)
            late_ones = i >= (3 + depth * depth) >> (1 - rising)
            if (hope <= alpha or late_ones) and not game.is_forcing(t):
                work.cutoffs += 1
                best = max(best, min(hope, alpha))
                if len(work.watch) > 1:
                    note(FUTILE, ply, p, a, hope, alpha, work)
                continue
        if len(work.watch) > 1:
            note(TRY, ply, p, a, 0.0, 0.0, work)
        v = 0.0
        if i == 0 or (work.has_pvs == 0 and is_open):
            v = search(game, t, p, depth - 1, alpha, beta, ply + 1, work)
        else:
            late = 0
            if work.reductions != 0 and i >= LATE and depth > 2 and quiet and not checked:
                late = REDUCED[min(depth, 63) * 64 + min(i, 63)] + 1 - rising - int(is_open) - work.past[p][slot(a)] // (MOST // 2)
                late = max(0, min(late, depth - 2))
                if game.has_forcing:
                    if game.is_forcing(t):
                        late = 0
            if len(work.watch) > 1 and late > 0:
                note(SHALLOW, ply, p, late, 0.0, 0.0, work)
            v = search(game, t, p, depth - 1 - late, alpha, above(alpha), ply + 1, work)
            if late > 0:
                work.cutoffs += 1
                if v > alpha and work.stopped == 0:
                    if len(work.watch) > 1:
                        note(AGAIN, ply, p, 1, v, 0.0, work)
                    v = search(game, t, p, depth - 1, alpha, above(alpha), ply + 1, work)
            if is_open and alpha < v < beta and work.stopped == 0:
                if len(work.watch) > 1:
                    note(AGAIN, ply, p, 0, v, 0.0, work)
                v = search(game, t, p, depth - 1, alpha, beta, ply + 1, work)
        if len(work.watch) > 1:
            note(CHILD, ply, p, a, v, best, work)
        if v > best:
            best = v
            chosen = work.ranks[ply][i] & 0xFFFF
            if is_open:
                keep_line(ply, a, work)
            alpha = max(alpha, v)
            if alpha >= beta:
                if quiet:
                    remember_cut(p, a, i, depth, ply, work)
                    work.reply[p][slot(work.path[ply - 1])] = a
                if len(work.watch) > 1:
                    note(CUT, ply, p, n - i - 1, best, beta, work)
                break
    if work.has_table != 0 and work.stopped == 0:
        deep = ENDLESS if work.cutoffs == cutoffs else depth
        bound = LOWER if best >= beta else UPPER if best <= low else EXACT
        keep(key, to_word(farther(best, ply, work)), u64(chosen) << 32 | u64(work.age) << AGE | u64(deep) << 2 | u64(bound), deep, work)
    return best if p == me else -best


def is_repeated(position: u64, ply: int, work: Any) -> bool:
    """Whether this position was there before on the path, where whoever went there once can again; or twice in the game: now it ends.

    Once in the game is not enough: who stands worse would take any way back for a draw, and not think what to do if it is none.
    """
    work.seen[ply] = position
    for k in range(ply):
        if work.seen[k] == position:
            return True
    if work.known_before[slot(i64(position))] < 2:
        return False
    times = 0
    for k in range(work.before_many):
        times += int(work.before[k] == position)
    return times > 1
