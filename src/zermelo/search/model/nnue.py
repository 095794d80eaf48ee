"""An efficiently updatable network (NNUE, Nasu 2018): integers, and sums that follow the search from state to state.

    h_p = b + sum of the rows of W whose inputs are on, as player p sees them       sums of 16 bits, for each of the two players
    c   = h, but at least 0 and at most TOP                                         clipped
    o   = sum of V_own c_own^2 + sum of V_other c_other^2 + bias                    the sides as the player who looks sees them

V and the bias are those of the state's phase. o is a logarithm of odds: sigmoid(o / ONE) is the share of the points that the player
who looks expects. Where a search has margins, which are in units of `evaluate`, the value is o times a constant; elsewhere it is that share
of the range of utilities. Where the game seems to be decided, its own evaluation says how to go on.

A move changes few inputs. A search calls `forget_sums` when it enters a state at a ply; if that state is evaluated, its sums are made
from those of the nearest state above it that has some, by the inputs in which the two differ. Nothing is undone, and a null move or
one that moves several pieces is no special case.

A game says what its inputs are with `planes`, and may say with `plane_view` how each player sees those of player 0: then they are listed
once for both. Without, each player's planes are compared.
"""

from __future__ import annotations

from ...bits import ctz, rest, u64
from ...game import Game, State
from ...lower.memory import load, store
from ...lower.rows import LANES, get, put, sigmoids
from ...lower.short_rows import clipped_squares, short, short_change
from .inputs import fill_planes
from .network import looker, phase_of
from .record import MOST_CHANGES, Judging

TOP, WEIGHT = 255, 64  # integers that stand for 1.0: in the sums, and among the weights of the outputs
ONE = TOP * TOP * WEIGHT  # ... in the output
#: logarithms of odds, 99.75 % of the points and more: from 3 on, chess lost some 20 Elo, for its network knows more than `evaluate`
LIKELY, DECIDED = 6.0, 12.0
COUNT_PHASES = 8  # of a game that names none: by the number of inputs that are on
# what is known of a ply: whether it has sums, how many inputs are on, how each player sees them; then the planes
READY, ON, VIEWS, PLANES_AT = 0, 1, 2, 4
# lists of inputs in `net_changes`: those that are on now but were not, those that were; then a list for the moment
ADDED, REMOVED, LISTED = 0, MOST_CHANGES, 2 * MOST_CHANGES
PHASE_BITS = 40  # of a fraction: the share of a phase is multiplied and shifted, where a division takes 10 ns


# ---- where things are ------------------------------------------------------------------------


def line_at(ply: int, work: Judging) -> int:
    """Where what is known of a ply begins."""
    return ply * (PLANES_AT + 2 * len(work.planes))


def planes_at(p: int, ply: int, work: Judging) -> int:
    """Where the planes of a ply begin, as player p sees them."""
    return line_at(ply, work) + PLANES_AT + p * len(work.planes)


def sums_at(game: Game, p: int, ply: int) -> int:
    """Where player p's sums of a ply begin."""
    return (2 * ply + p) * game.sum_count


# ---- sums ------------------------------------------------------------------------------------


def forget_sums(ply: int, work: Judging) -> int:
    """Another state is at this ply now."""
    store(work.net_plies, line_at(ply, work), u64(0))
    return ply


def know_sums(game: Game, s: State, ply: int, work: Judging) -> int:
    """Make the sums of s, the state at this ply, if they are not known."""
    if load(work.net_plies, line_at(ply, work)) == 0:
        make_sums(game, s, ply, work)
    return ply


def make_sums(game: Game, s: State, ply: int, work: Judging) -> int:
    """Make the sums of s, the state at this ply, from those of the nearest ply before it that has some; which one, or -1 for none."""
    source = ply - 1
    while source >= 0 and load(work.net_plies, line_at(source, work)) == 0:
        source -= 1
    at = line_at(ply, work)
    for p in range(2):
        if p == 0 or not game.has_plane_view:
            list_changes(game, s, p, source, ply, work)
        view = 0
        if game.has_plane_view:
            view = game.plane_view(s, p)
        store(work.net_plies, at + VIEWS + p, u64(view))
        is_near = source >= 0 and work.net_added_count + work.net_removed_count <= MOST_CHANGES
        if is_near and load(work.net_plies, line_at(source, work) + VIEWS + p) == u64(view):
            change_sums(game, p, view, source, ply, work)
        else:
            sum_anew(game, p, view, ply, work)
    store(work.net_plies, at + READY, u64(1))
    return source


def list_changes(game: Game, s: State, p: int, source: int, ply: int, work: Judging) -> int:
    """Keep the planes of s as p sees them, and list the inputs that are on here but not at the source, and the other way round.

    Whether an input was added or removed is chance to the processor, and to guess wrongly takes it as long as some rows: so both lists
    are written to, and one grows.
    """
    n, added, removed = fill_planes(game, s, p, work), 0, 0
    now_at, then_at = planes_at(p, ply, work), planes_at(p, source, work)
    for k in range(n):
        now, then = work.planes[k], u64(0)
        if source >= 0:
            then = load(work.net_plies, then_at + k)
        store(work.net_plies, now_at + k, now)
        bits = now ^ then
        while bits:
            i = ctz(bits)
            is_on = int(now >> u64(i) & 1)
            store(work.net_changes, ADDED + (added & (MOST_CHANGES - 1)), u64(64 * k + i))
            store(work.net_changes, REMOVED + (removed & (MOST_CHANGES - 1)), u64(64 * k + i))
            added += is_on
            removed += 1 - is_on
            bits = rest(bits)
    work.net_added_count = added
    work.net_removed_count = removed
    before = 0
    if source >= 0:
        before = int(load(work.net_plies, line_at(source, work) + ON))
    store(work.net_plies, line_at(ply, work) + ON, u64(before + added - removed))
    return n


def change_sums(game: Game, p: int, view: int, source: int, ply: int, work: Judging) -> int:
    """Make player p's sums from those of the source, by the inputs that are listed."""
    added, removed, at, to = work.net_added_count, work.net_removed_count, sums_at(game, p, source), sums_at(game, p, ply)
    sums, rows, inputs, listed = work.net_sums, work.net_rows, work.bias_row, work.net_changes
    short_change(game.sum_count, sums, at, rows, inputs, view, listed, ADDED, added, REMOVED, removed, sums, to)
    return to


def sum_anew(game: Game, p: int, view: int, ply: int, work: Judging) -> int:
    """Make player p's sums from all inputs that are on."""
    to, at, n = sums_at(game, p, ply), planes_at(0 if game.has_plane_view else p, ply, work), 0
    for k in range(work.plane_count):
        bits = load(work.net_plies, at + k)
        while bits:
            store(work.net_changes, LISTED + n, u64(64 * k + ctz(bits)))
            n += 1
            bits = rest(bits)
    rows, inputs, listed = work.net_rows, work.bias_row, work.net_changes
    short_change(game.sum_count, rows, inputs * game.sum_count, rows, inputs, view, listed, LISTED, n, 0, 0, work.net_sums, to)
    return to


# ---- output ----------------------------------------------------------------------------------


def output_phase(game: Game, s: State, on: int, work: Judging) -> int:
    """Which outputs a state has in which so many inputs are on: those of the game's phase, or by that number."""
    if game.has_phases:
        return phase_of(game, s)
    return min(on * work.phase_share >> PHASE_BITS, COUNT_PHASES - 1)


def sums_output(game: Game, s: State, view: int, ply: int, work: Judging) -> int:
    """The output for player `view` of s, the state at this ply."""
    know_sums(game, s, ply, work)
    phase = output_phase(game, s, int(load(work.net_plies, line_at(ply, work) + ON)), work)
    row = (work.bias_row + 1 + 2 * phase) * game.sum_count
    own, other = sums_at(game, view, ply), sums_at(game, 1 - view, ply)
    o = clipped_squares(game.sum_count, TOP, work.net_sums, own, other, work.net_rows, row)
    bias = (work.bias_row + 1 + 2 * work.phase_count) * game.sum_count + 2 * phase
    return o + TOP * ((short(work.net_rows, bias) << 15) + short(work.net_rows, bias + 1))


def decided_value(game: Game, s: State, view: int, v: float, on: int, work: Judging) -> float:
    """The value v of s to player `view`, in which the game's own evaluation has the more to say the more the game seems to be decided.

    A network learns chances, and where they are all the same it does not know how to go on: of 48 games of chess that were drawn against
    the hand-made evaluation, some 20 had been won, most of them by a queen or more. Where so few inputs are on that it is the last phase,
    the game's evaluation alone is asked: labels have few such states, and the network could not mate with a rook.
    """
    if game.has_evaluate:
        unit = ONE * work.value_unit
        share = min((abs(v) / unit - LIKELY) / (DECIDED - LIKELY), 1.0)
        if not game.has_phases and output_phase(game, s, on, work) == 0:
            v = game.evaluate(s, view)
        elif share > 0.0:
            v += share * (game.evaluate(s, view) + (LIKELY * unit if v > 0.0 else -LIKELY * unit) - v)
    return max(-work.value_limit, min(work.value_limit, v))


def sums_value(game: Game, s: State, p: int, ply: int, work: Judging) -> float:
    """What the network says that s, the state at this ply, is worth to player p."""
    view = looker(game, s)
    o = sums_output(game, s, view, ply, work)
    if game.quiet_margin > 0.0:
        v = decided_value(game, s, view, o * work.value_unit, int(load(work.net_plies, line_at(ply, work) + ON)), work)
    else:
        put(work.scratch, 0, o * work.value_unit)
        sigmoids(LANES, work.scratch, 0, work.scratch, 0)
        v = work.value_limit * (2.0 * get(work.scratch, 0) - 1.0)
    return work.value_offset + v if p == view else work.value_offset - v


def state_value(game: Game, s: State, p: int, work: Judging) -> float:
    """The same of a state of which no ply is known."""
    forget_sums(0, work)
    return sums_value(game, s, p, 0, work)
