"""TD(lambda) by self-play, in its forward view.

    G_t = (1 - lambda) V(s_{t+1}) + lambda G_{t+1},    G at the end = the outcome
    w  <-  w + alpha (G_t - V(s_t)) grad V(s_t)

The states s_t are those after each player's action (afterstates). Weights stand still within a game: when it is over its returns are
formed backwards, and each state is learned from once. lambda = 0 is TD(0), lambda = 1 Monte Carlo. No eligibility traces: an update
touches only the rows of inputs that are on.

Each player takes the action after which the state is worth most to it: in a game of two one side seeks the greatest value, the other
the least. Dice explore by themselves; elsewhere a player takes any action with probability epsilon. Good play avoids many states that a
search will ask about: so half of the games may begin with a number of random actions, from which nothing is learned.
"""

from __future__ import annotations

from ..bits import u64
from ..game import CHANCE, Game, State
from ..lower.memory import load, store
from ..lower.rows import LANES, copy, get, put
from ..rng import below, mix, split, step, unit
from ..search.model.inputs import fill_planes
from ..search.model.network import (
    MOST_OUTCOMES,
    add_inputs,
    base_at,
    compute_outputs,
    deltas_at,
    descend,
    enter_phase,
    looker,
    phase_of,
    sum_inputs,
    value_for,
)
from ..search.model.record import Judging
from ..search.random_games import choose
from ..search.records import PLANES, WIDTH, WORDS, Grows, room

MOST_TARGETS = LANES  # outcomes of all players


class Learning(Grows, Judging):
    """The record of games that are learned from."""

    start: list[u64] = room(WORDS)
    seed: u64
    first: int  # number of the first game: its random words depend on it alone
    games: int
    longest: int  # plies after which a game is given up
    rate: float
    faster: float  # times the rate, for the first layer
    trace: float  # lambda
    epsilon: float
    random_plies: int  # the most random actions that a game may begin with
    lowest: float  # utilities from lowest to lowest + span become targets from 0 to 1
    span: float
    stop: int
    path: int  # words of each state that is remembered: its planes, and the player who looks with the phase
    trail: int  # floats of each: activations and outputs
    outcome: list[float] = room(MOST_OUTCOMES)  # of a player
    returns: list[float] = room(MOST_TARGETS)  # outcomes of player 0, then those of player 1 ...
    played: int
    plies: int
    unfinished: int
    beyond: int  # whether a utility was not in this range
    steps: int  # states that were learned from
    error: float  # sum of squares of what their outputs were wrong by


class SelfPlay(Learning):
    """The record of games whose players look one action ahead."""

    base: list[u64] = room(PLANES)
    moves: list[int] = room(WIDTH)


def learn_games(game: Game, work: SelfPlay) -> int:
    """Play the games of the record and learn from each when it is over; how many were played."""
    for g in range(work.games):
        n = play_game(game, split(work.seed, u64(work.first + g)) | 1, work)
        if work.widest > len(work.moves):
            return g  # once more, with more room
        if n >= 0:
            learn_game(game, n, work)
        if not count_game(n, work):
            return g
    return work.games


def count_game(n: int, work: Learning) -> bool:
    """Count a game of n states, or one without an end if n is -1; whether to play another."""
    work.played += 1
    work.unfinished += 1 if n < 0 else 0
    return work.stop == 0 and work.beyond == 0


# ---- playing ---------------------------------------------------------------------------------


def play_game(game: Game, random: u64, work: SelfPlay) -> int:
    """Play a game and remember the states after its actions; how many they are, or -1 if the game has no end."""
    s, n = game.unpack(work.start), 0
    early = below(split(random, u64(1)), 2 * work.random_plies + 1) - work.random_plies  # random plies, in half of the games
    for _ in range(work.longest):
        if game.is_terminal(s):
            fill_returns(game, s, work)
            return n
        random = step(random)
        count = fill_moves(game, s, work)
        if count < 0:
            return -1
        if game.to_move(s) == CHANCE:
            s = game.result(s, choose(game, s, random, work.moves, count))
        elif early > 0:
            s = game.result(s, work.moves[below(random, count)])
            early -= 1
        else:
            s = game.result(s, choose_action(game, s, count, random, n, work))
            work.plies += 1
            n += 0 if game.is_terminal(s) else 1
    return -1


def fill_moves(game: Game, s: State, work: SelfPlay) -> int:
    """List the actions of s; how many they are, or -1 if they do not fit."""
    count = game.fill(s, work.moves)
    if count > len(work.moves):
        work.widest = count
        return -1
    return count


def choose_action(game: Game, s: State, count: int, random: u64, n: int, work: SelfPlay) -> int:
    """The best action of s, or any with probability epsilon; remembers the state after it as the n-th."""
    if unit(random) < work.epsilon:
        a = any_action(count, random, work)
        look_at(game, game.result(s, a), n, work)
        return a
    return best_action(game, s, count, n, work)


def any_action(count: int, random: u64, work: SelfPlay) -> int:
    """One of the actions that are listed."""
    return work.moves[below(mix(random), count)]  # the next word of the sequence is for the next ply


def best_action(game: Game, s: State, count: int, n: int, work: SelfPlay) -> int:
    """The action after which s is worth most to its player; remembers the state after it as the n-th."""
    me, best, chosen, base_view, base_phase = game.to_move(s), -1.0e300, 0, -1, -1
    for i in range(count):
        t = game.result(s, work.moves[i])
        if game.is_terminal(t):
            v = game.utility(t, me)
        else:
            view, phase = looker(game, t), phase_of(game, t)
            if view != base_view or phase != base_phase:
                enter_phase(game, phase, work)
                set_base(game, s, view, work)
                base_view, base_phase = view, phase
            planes = sum_changes(game, t, view, work)
            compute_outputs(work)
            v = value_for(game, t, me, view, work)
            if v > best:
                remember(n, planes, view, phase, work)
        if v > best:
            best, chosen = v, i
    return work.moves[chosen]


def set_base(game: Game, s: State, view: int, work: SelfPlay) -> int:
    """Make the sums of s in the network of the phase that is entered, from which those of the states after its actions are made."""
    if game.has_tuples:
        return 0
    n = sum_inputs(game, s, view, work)
    for k in range(n):
        work.base[k] = work.planes[k]
    return copy(work.width, work.scratch, 0, work.scratch, base_at(work))


def sum_changes(game: Game, t: State, view: int, work: SelfPlay) -> int:
    """Make the sums of t from those of the base, by the inputs in which they differ; the number of planes."""
    if game.has_tuples:
        return sum_inputs(game, t, view, work)  # most patterns differ
    copy(work.width, work.scratch, base_at(work), work.scratch, 0)
    n = fill_planes(game, t, view, work)
    for k in range(n):
        now, before = work.planes[k], work.base[k]
        if now != before:
            add_inputs(k, now & ~before, 1.0, work)
            add_inputs(k, before & ~now, -1.0, work)
    return n


def look_at(game: Game, t: State, n: int, work: Learning) -> int:
    """Value t and remember it as the n-th state, unless the game is over there."""
    if game.is_terminal(t):
        return 0
    view, phase = looker(game, t), enter_phase(game, phase_of(game, t), work)
    planes = sum_inputs(game, t, view, work)
    compute_outputs(work)
    return remember(n, planes, view, phase, work)


def remember(n: int, planes: int, view: int, phase: int, work: Learning) -> int:
    """Keep planes, activations and outputs of the state that was looked at last as those of the game's n-th."""
    at = n * (len(work.planes) + 1)
    for k in range(planes):
        store(work.path, at + k, work.planes[k])
    store(work.path, at + len(work.planes), u64(phase) << 16 | u64(view) << 8 | u64(planes))
    floats = work.activations + LANES
    return copy(floats, work.scratch, work.width, work.trail, n * floats)


# ---- learning --------------------------------------------------------------------------------


def fill_returns(game: Game, s: State, work: Learning) -> int:
    """The outcome of the game as targets of every player."""
    for p in range(game.players):
        if game.has_outcomes:
            n = game.fill_outcomes(s, p, work.outcome)
            for k in range(work.group):
                work.returns[p * work.group + k] = work.outcome[k] if k < n else 0.0
        else:
            work.returns[p] = (game.utility(s, p) - work.lowest) / work.span
            if work.returns[p] < 0.0 or work.returns[p] > 1.0:
                work.beyond = 1
    return game.players


def fill_values(game: Game, t: int, work: Learning) -> int:
    """What the model says of the t-th state as targets of every player."""
    outputs = t * (work.activations + LANES) + work.activations
    for k in range(work.group * game.players):
        work.returns[player_output(game, t, k, work)] = get(work.trail, outputs + k)
    return work.group * game.players


def learn_game(game: Game, n: int, work: Learning) -> int:
    """Learn from the n states of the game, the last one first."""
    for t in range(n - 1, -1, -1):
        learn_state(game, t, work)
    return n


def learn_state(game: Game, t: int, work: Learning) -> int:
    """Move what the model says of the t-th state towards its return, and the return on to the state before it."""
    words, floats = len(work.planes) + 1, work.activations + LANES
    seen = load(work.path, t * words + len(work.planes))
    planes = int(seen & 255)
    enter_phase(game, int(seen >> 16), work)
    outputs = t * floats + work.activations
    for k in range(work.group * game.players):
        i = player_output(game, t, k, work)
        o = get(work.trail, outputs + k)
        wrong = work.returns[i] - o
        work.error += wrong * wrong
        put(work.scratch, deltas_at(work) + k, work.rate * wrong)
        work.returns[i] = work.trace * work.returns[i] + (1.0 - work.trace) * o
    work.steps += 1
    if planes == 0:
        return 0  # its value was known
    return descend(game, work.path, t * words, planes, work.trail, t * floats, work.faster, work)


def player_output(game: Game, t: int, k: int, work: Learning) -> int:
    """The place among the returns of output k of the t-th state, whose first outputs are those of the player who looks."""
    seen = load(work.path, t * (len(work.planes) + 1) + len(work.planes))
    i, n = int(seen >> 8 & 255) * work.group + k, work.group * game.players
    return i if i < n else i - n
