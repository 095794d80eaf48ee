"""A network with one or two hidden layers of sigmoids, or a linear model, and its gradient, written out.

    h = b + sum of the rows of W whose inputs are on        sums of the first layer
    a = sigmoid(h)                                          activations
    z = sigmoid(d + U a)                                    activations of a second hidden layer, if there is one; else z = a
    o = sigmoid(c + V z)                                    outputs; of a linear model sigmoid(h), where W has a column for each output

Error for targets t: the cross entropy, whose gradient by c + V z is o - t; by d + U a it is e = V'(o - t) * z (1 - z), and by h it is
U'e * a (1 - a), or V'(o - t) * a (1 - a) without a second layer.

The outputs come in groups, one for each player, beginning with the one who looks (`Game.perspective`). The value of a state to a
player is what the group of that player is worth, less what the other's is in a game of two.

A model is one block of floats: a header, a line for each plane, then for each phase of the game the rows of W with b as the last, the
rows of U, d, the rows of V, c. The phases have the same inputs and outputs; `enter_phase` chooses whose network is asked.
"""

from __future__ import annotations

from ...bits import ctz, rest, u64
from ...game import Game, State
from ...lower.memory import load
from ...lower.rows import LANES, axpy, clear, copy, dot, get, put, sigmoids, slopes
from .inputs import fill_planes
from .record import Judging
from .tuples import change_weights, sum_patterns

# places in the header: what is added to a value, what of the other's worth is taken from it, and what each
# outcome of a player is worth
OFFSET, SHARE, WORTH = 0, 1, 2
HEADER = LANES
MAX_ESTIMATE = 0.9  # from 0 of an estimate in units of `evaluate`, of the range of utilities: less than who has won gets
MOST_OUTCOMES = 8  # of a player: a power of two, as native code fills arrays of such lengths
PLANE = 3  # floats of a plane: the row of its bit 0, rows from bit to bit, the value of an input that is on


# ---- where things are ------------------------------------------------------------------------


def padded(n: int) -> int:
    """n rounded up to whole vectors."""
    return (n + LANES - 1) // LANES * LANES


def row_at(i: int, work: Judging) -> int:
    """Where row i of W begins; after the last one stands b."""
    return work.first_row + i * work.width


def second_at(work: Judging) -> int:
    """Where the rows of U begin; after the last one stands d."""
    return row_at(work.bias_row + 1, work)


def last_at(work: Judging) -> int:
    """Where the rows of V begin; after the last one stands c."""
    return second_at(work) + work.second * work.width + work.second


def last_units(work: Judging) -> int:
    """Units of the last hidden layer, which the outputs are made of."""
    return work.second if work.second > 0 else work.hidden


def outputs_at(work: Judging) -> int:
    """Where the outputs are in scratch; the sums come first, then the activations of each layer, then these."""
    return work.width + work.activations


def base_at(work: Judging) -> int:
    """Where in scratch the sums are kept from which those of similar states are made."""
    return outputs_at(work) + LANES


def deltas_at(work: Judging) -> int:
    """Where in scratch the steps of the outputs are, and after them what each hidden layer was wrong by."""
    return base_at(work) + work.width


def errors_at(work: Judging) -> int:
    return deltas_at(work) + LANES


# ---- forward ---------------------------------------------------------------------------------


def phase_of(game: Game, s: State) -> int:
    """The phase of the game that s is in; whatever the rules say, one of them."""
    if game.has_phases:
        phase = game.phase(s)
        return phase if 0 <= phase < game.phases else 0
    return 0


def enter_phase(game: Game, phase: int, work: Judging) -> int:
    """Let the network of a phase be the one that is asked and that learns; the phase."""
    if game.has_phases:
        work.first_row = work.networks + phase * work.network_size
    return phase


def add_inputs(plane: int, bits: u64, x: float, work: Judging) -> int:
    """Add x times the rows of these inputs of a plane to the sums; how many they are."""
    n, width, line = 0, work.width, HEADER + PLANE * plane
    first = row_at(int(get(work.model, line)), work)
    step, value = width * int(get(work.model, line + 1)), x * get(work.model, line + 2)
    while bits:
        axpy(width, value, work.model, first + ctz(bits) * step, work.scratch, 0)
        bits = rest(bits)
        n += 1
    return n


def sum_inputs(game: Game, s: State, p: int, work: Judging) -> int:
    """Make the sums of s as player p sees it; the number of planes."""
    if game.has_tuples:
        return sum_patterns(game, s, p, work)
    copy(work.width, work.model, row_at(work.bias_row, work), work.scratch, 0)
    n = fill_planes(game, s, p, work)
    for k in range(n):
        if work.planes[k] != 0:
            add_inputs(k, work.planes[k], 1.0, work)
    return n


def compute_outputs(work: Judging) -> int:
    """Make the outputs from the sums; how many there are."""
    hidden, second, out = work.hidden, work.second, outputs_at(work)
    if hidden == 0:
        copy(LANES, work.scratch, 0, work.scratch, out)
    else:
        sigmoids(hidden, work.scratch, 0, work.scratch, work.width)
        if second > 0:
            at = work.width + hidden
            sum_layer(hidden, work.width, second, at, second_at(work), work)
            sigmoids(second, work.scratch, at, work.scratch, at)
        last = last_units(work)
        sum_layer(last, out - last, work.outputs, out, last_at(work), work)
    sigmoids(LANES, work.scratch, out, work.scratch, out)
    return work.outputs


def sum_layer(n: int, at: int, units: int, to: int, rows: int, work: Judging) -> int:
    """Make the sums of so many units from the n activations at `at` of scratch; their weights are rows of the model, then the biases."""
    for k in range(units):
        sum_of_row = dot(n, work.scratch, at, work.model, rows + k * n)
        put(work.scratch, to + k, sum_of_row + get(work.model, rows + units * n + k))
    return units


def worth(group: int, work: Judging) -> float:
    """What the outputs of a group are worth."""
    total, first = 0.0, outputs_at(work) + group * work.group
    for k in range(work.group):
        total += get(work.model, WORTH + k) * get(work.scratch, first + k)
    return total


def chances(t: int, at: int, n: int) -> tuple[float, float, float, float, float, float, float, float]:
    """The n outputs of a group, which are floats of t from `at` on, and zeros after them."""
    return (
        chance(t, at, 0, n),
        chance(t, at, 1, n),
        chance(t, at, 2, n),
        chance(t, at, 3, n),
        chance(t, at, 4, n),
        chance(t, at, 5, n),
        chance(t, at, 6, n),
        chance(t, at, 7, n),
    )


def chance(t: int, at: int, k: int, n: int) -> float:
    """Output k of a group of n, 0 if it has no such."""
    return get(t, at + k) if k < n else 0.0


def value_for(game: Game, s: State, p: int, view: int, work: Judging) -> float:
    """What the outputs for s, as player `view` sees them, are worth to player p."""
    group = p - view if p >= view else p - view + game.players
    if game.has_equity:
        at, n = outputs_at(work), work.group
        return game.equity(s, p, chances(work.scratch, at + group * n, n), chances(work.scratch, at + (1 - group) * n, n))
    v = get(work.model, OFFSET) + worth(group, work)
    if get(work.model, SHARE) > 0.0:
        v -= get(work.model, SHARE) * worth(1 - group, work)
    return v


def looker(game: Game, s: State) -> int:
    """The player from whose side the model looks at s; whatever the rules say, one of them."""
    p = game.perspective(s)
    return p if 0 <= p < game.players else 0


def model_value(game: Game, s: State, p: int, work: Judging) -> float:
    """What the model says that s is worth to player p."""
    view = looker(game, s)
    enter_phase(game, phase_of(game, s), work)
    sum_inputs(game, s, view, work)
    if game.quiet_margin > 0.0:
        return log_odds(game, p, view, work)
    compute_outputs(work)
    return value_for(game, s, p, view, work)


def log_odds(game: Game, p: int, view: int, work: Judging) -> float:
    """What the sums of a linear model, as player `view` sees them, are worth to player p in units of `evaluate`."""
    v = game.value_scale * (get(work.scratch, 0) - get(work.scratch, 1)) / 2.0  # type: ignore[operator]
    v = max(-MAX_ESTIMATE, min(MAX_ESTIMATE, v))
    return v if p == view else -v


# ---- backward --------------------------------------------------------------------------------


def descend(game: Game, path: int, first: int, planes: int, trail: int, at: int, faster: float, work: Judging) -> int:
    """Take a step down the gradient for a state: its planes are words of `path` from `first` on, its activations in `trail` at `at`.

    The steps of the outputs, rate * (t - o), are in the scratch memory. `faster` multiplies the rate of the hidden layers.
    """
    return add_gradient(game, path, first, planes, trail, at, faster, work.model, 0, work)


def add_gradient(
    game: Game, path: int, first: int, planes: int, trail: int, at: int, faster: float, to: int, base: int, work: Judging
) -> int:
    """Add that step to the floats `to` from `base` on, which lie as those of the model do: its own, or others."""
    hidden, second, deltas, errors = work.hidden, work.second, deltas_at(work), errors_at(work)
    if game.has_tuples:
        return change_weights(game, path, first, planes, deltas, faster, to, base, work)
    if hidden == 0:
        copy(LANES, work.scratch, deltas, work.scratch, errors)
    else:
        last, rows = last_units(work), last_at(work)
        last_errors, last_seen = errors + (work.width if second > 0 else 0), at + work.activations - last
        pass_back(last, last_seen, work.outputs, deltas, last_errors, rows, trail, work)
        if second > 0:
            pass_back(hidden, at, second, last_errors, errors, second_at(work), trail, work)
            change_layer(hidden, at, second, last_errors, faster, second_at(work), trail, to, base, work)
        change_layer(last, last_seen, work.outputs, deltas, 1.0, rows, trail, to, base, work)
    axpy(work.width, faster, work.scratch, errors, to, base + row_at(work.bias_row, work))
    for k in range(planes):
        change_rows(k, load(path, first + k), faster, to, base, work)
    return work.outputs


def pass_back(n: int, at: int, units: int, wrong: int, errors: int, rows: int, trail: int, work: Judging) -> int:
    """What a layer of n units was wrong by, from what the next one was, at `wrong` of scratch; its activations are in `trail` at `at`."""
    clear(n, work.scratch, errors)
    for k in range(units):
        axpy(n, get(work.scratch, wrong + k), work.model, rows + k * n, work.scratch, errors)
    return slopes(n, trail, at, work.scratch, errors)


def change_layer(n: int, at: int, units: int, wrong: int, faster: float, rows: int, trail: int, to: int, base: int, work: Judging) -> int:
    """Change the rows and biases of a layer of so many units by what they were wrong by, where its n inputs are in `trail` at `at`."""
    for k in range(units):
        axpy(n, faster * get(work.scratch, wrong + k), trail, at, to, base + rows + k * n)
    return axpy(padded(units), faster, work.scratch, wrong, to, base + rows + units * n)


def change_rows(plane: int, bits: u64, faster: float, to: int, base: int, work: Judging) -> int:
    """Add what the first layer was wrong by to the rows of these inputs of a plane; how many they are."""
    n, width, line = 0, work.width, HEADER + PLANE * plane
    first = base + row_at(int(get(work.model, line)), work)
    step, value = width * int(get(work.model, line + 1)), faster * get(work.model, line + 2)
    while bits:
        axpy(width, value, work.scratch, errors_at(work), to, first + ctz(bits) * step)
        bits = rest(bits)
        n += 1
    return n
