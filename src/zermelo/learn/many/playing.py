"""TD(lambda) by self-play in its forward view, as `td.py`, a ply of thousands of games at a time.

    B(s)  =  the value of the state that is reached next, V(s_{t+1}),
             or of all that chance may do the mean of the values of the best replies         (`is_whole`)
    G_t   =  B(s_t) + lambda (G_{t+1} - V(s_{t+1})),    G at the end = V at the end = the outcome

The first B gives the lambda-return, (1 - lambda) V(s_{t+1}) + lambda G_{t+1}. With the second, V(s_{t+1}) - B(s_t) is what luck, or an
action at random, changed, and the return is free of it: with lambda = 1 it is a rollout with variance reduction.

One record is one game. Each ply the *leaves* of all games, the states after each action, are described to the network at once, and
what it said of them decides:

    GO ON     take in what the network said: form B, take the action drawn, remember the state after it, list the next leaves
    DELIVER   a game that is over forms its returns, and another begins
    SHOW      write the rows of inputs of the leaves
"""

from __future__ import annotations

from ...bits import u64
from ...game import CHANCE, Game, State
from ...lower.lanes import best_of_lanes, lane, lanes, sum_of_lanes, sync
from ...lower.rows import get
from ...rng import below, mix, split, step, unit
from ...search.model.network import MOST_OUTCOMES, chances, looker, phase_of
from ...search.random_games import choose
from ...search.records import WIDTH, WORDS, Size, room
from .describing import Describing, describe

KEEP, LEAVES, PHASES, OUTPUTS = Size("keep"), Size("leaves"), Size("phases"), Size("outputs")
PLAYING, ENDED, GIVEN_UP, NEW = 0, 1, 2, 3  # what `over` says
TERMINAL = -1  # the phase of a leaf at which the game is over


class Playing(Describing):
    """The record of one game after another."""

    start: list[u64] = room(WORDS)
    state: list[u64] = room(WORDS)  # the present one, in which a player moves, or chance if `is_whole`
    seed: u64
    number: int  # of the game: its random words depend on it alone
    slots: int  # records in all, by which numbers go on
    random: u64
    random_plies: int  # the most random actions that a game may begin with
    epsilon: float
    trace: float  # lambda
    is_whole: int  # whether all that chance may do is looked at
    over: int
    # the leaves: for each thing that chance may do, those of its actions
    rolls: list[int] = room(WIDTH)
    roll_count: int
    drawn: int  # which of them is
    first_leaf: list[int] = room(WIDTH + 1)  # of each
    moves: list[int] = room(WIDTH)
    leaf_phase: list[int] = room(LEAVES)
    leaf_place: list[int] = room(LEAVES)  # its number among those of the same phase
    leaf_count: list[int] = room(PHASES)
    first_row: list[int] = room(PHASES)  # of the leaves of each phase
    # what the network says
    answers: int  # the address of the outputs of all rows
    outputs: int
    group: int  # outputs of a player
    offset: float  # of values, as in the header of a model
    share: float
    worth: list[float] = room(MOST_OUTCOMES)
    lowest: float
    span: float
    outcome: list[float] = room(MOST_OUTCOMES)
    leaf: list[float] = room(OUTPUTS)  # what is said of a leaf: of player 0, then of player 1 ...
    backup: list[float] = room(OUTPUTS)
    # the game so far
    length: int
    kept_states: list[list[u64]] = room(KEEP, WORDS)
    kept_values: list[list[float]] = room(KEEP, OUTPUTS)
    kept_returns: list[list[float]] = room(KEEP, OUTPUTS)  # B, in the end G
    # of all games
    played: int
    plies: int
    unfinished: int
    steps: int
    error: float


def go_on(game: Game, work: Playing) -> int:
    """Take an action by what the network said of the leaves, and list the leaves after it; whether the game is over."""
    if work.over != PLAYING:
        return work.over
    t = take_turn(game, work)
    return list_leaves(game, t, work.random, work)


def deliver(game: Game, work: Playing) -> int:
    """Form the returns of a game that is over, and begin another; how many states there were."""
    n, over, number, wrong = work.length, work.over, work.number, 0.0
    if over == PLAYING:
        return 0
    if over == ENDED:
        for k in range(lane(), work.outputs, lanes()):
            wrong += form_returns(n, k, work)
    wrong = sum_of_lanes(wrong)
    sync()
    if lane() == 0:
        work.played += 0 if over == NEW else 1
        work.unfinished += 1 if over == GIVEN_UP else 0
        work.steps += n if over == ENDED else 0
        work.error += wrong
        work.length = 0
        work.number = number + work.slots
    sync()
    begin_game(game, work)
    return n


def form_returns(n: int, k: int, work: Playing) -> float:
    """Turn output k of B into that of G for all n states, the last one first; the sum of squares of what V was wrong by."""
    wrong, g = 0.0, 0.0
    for i in range(n - 1, -1, -1):
        luck = g - work.kept_values[i + 1][k] if i < n - 1 else 0.0
        g = work.kept_returns[i][k] + work.trace * luck
        work.kept_returns[i][k] = g
        wrong += (g - work.kept_values[i][k]) * (g - work.kept_values[i][k])
    return wrong


def show(game: Game, work: Playing) -> int:
    """Write the rows of the leaves; how many things chance may do."""
    if work.over != PLAYING:
        return 0
    s = game.unpack(work.state)
    for r in range(work.roll_count):
        u, first = after_roll(game, s, r, work), work.first_leaf[r]
        list_plays(game, u, work)
        for i in range(lane(), work.first_leaf[r + 1] - first, lanes()):
            if work.leaf_phase[first + i] != TERMINAL:
                t = leaf_state(game, u, i, work)
                describe(game, t, looker(game, t), row_of(first + i, work), work)
    return work.roll_count


# ---- leaves ----------------------------------------------------------------------------------


def begin_game(game: Game, work: Playing) -> int:
    """Begin a game, half of them with up to `random_plies` random actions, and list its first leaves; whether it is over."""
    random = split(work.seed, u64(work.number)) | 1
    early = below(split(random, u64(1)), 2 * work.random_plies + 1) - work.random_plies
    s = game.unpack(work.start)
    while early > 0 and not game.is_terminal(s):
        random = step(random)
        count = list_plays(game, s, work)
        if game.to_move(s) == CHANCE:
            s = game.result(s, choose(game, s, random, work.moves, count))
        else:
            s = game.result(s, work.moves[below(random, count)])
            early -= 1
    return list_leaves(game, s, random, work)


def list_leaves(game: Game, s: State, random: u64, work: Playing) -> int:
    """Draw what chance does in s and number the leaves after that, or after all that it may do; whether the game is over."""
    drawn, rolls, is_whole, n = 0, 1, work.is_whole != 0, work.length
    while not is_whole and not game.is_terminal(s) and game.to_move(s) == CHANCE:
        random = step(random)
        s = game.result(s, choose(game, s, random, work.moves, list_plays(game, s, work)))
    over = ENDED if game.is_terminal(s) else GIVEN_UP if n == len(work.kept_states) else PLAYING
    if over == PLAYING and game.to_move(s) == CHANCE:
        random = step(random)
        rolls = list_rolls(game, s, work)
        drawn = place_of(choose(game, s, random, work.rolls, rolls), rolls, work)
    sync()
    game.pack(s, work.state)
    if lane() == 0:
        for p in range(len(work.leaf_count)):
            work.leaf_count[p] = 0
        if over == ENDED and not is_whole and n > 0:
            fill_outcome(game, s, work)
            for k in range(work.outputs):
                work.kept_returns[n - 1][k] = work.leaf[k]
    sync()
    leaves = 0
    for r in range(rolls if over == PLAYING else 0):
        leaves += number_leaves(game, after_roll(game, s, r, work), r, leaves, len(work.leaf_phase) // rolls, work)
    sync()
    if lane() == 0:
        work.random = step(random)
        work.roll_count, work.drawn, work.over = rolls, drawn, over
    sync()
    return over


def list_plays(game: Game, u: State, work: Playing) -> int:
    """List the actions of u, as far as there is room; how many they are."""
    sync()
    count = min(game.fill(u, work.moves), len(work.moves))
    sync()
    return count


def list_rolls(game: Game, s: State, work: Playing) -> int:
    """List what chance may do, as far as there is room; how many things that are."""
    sync()
    count = min(game.fill(s, work.rolls), len(work.rolls))
    sync()
    return count


def place_of(a: int, count: int, work: Playing) -> int:
    """The place of a in the list of what chance may do."""
    for r in range(count):
        if work.rolls[r] == a:
            return r
    return 0


def after_roll(game: Game, s: State, r: int, work: Playing) -> State:
    """The state after the r-th thing that chance may do in s; s itself where a player moves."""
    return game.result(s, work.rolls[r]) if game.to_move(s) == CHANCE else s


def leaf_state(game: Game, u: State, i: int, work: Playing) -> State:
    """The i-th leaf after u: the state after its i-th action, or u itself where no player moves."""
    if game.is_terminal(u) or game.to_move(u) == CHANCE:
        return u
    return game.result(u, work.moves[i])


def number_leaves(game: Game, u: State, r: int, leaves: int, most: int, work: Playing) -> int:
    """Number the leaves after u, which follow the first `leaves`, separately for each phase; how many they are."""
    count = 1
    if not (game.is_terminal(u) or game.to_move(u) == CHANCE):
        count = min(list_plays(game, u, work), most)
    for i in range(lane(), count, lanes()):
        t = leaf_state(game, u, i, work)
        work.leaf_phase[leaves + i] = TERMINAL if game.is_terminal(t) else phase_of(game, t)
    sync()
    for i in range(lane(), count, lanes()):
        phase, before = work.leaf_phase[leaves + i], 0
        for j in range(i):
            before += 1 if work.leaf_phase[leaves + j] == phase else 0
        if phase != TERMINAL:
            work.leaf_place[leaves + i] = work.leaf_count[phase] + before
    sync()
    if lane() == 0:
        work.first_leaf[r] = leaves
        work.first_leaf[r + 1] = leaves + count
        for i in range(count):
            if work.leaf_phase[leaves + i] != TERMINAL:
                work.leaf_count[work.leaf_phase[leaves + i]] += 1
    sync()
    return count


def row_of(leaf: int, work: Playing) -> int:
    """The row of a leaf that is not terminal."""
    return work.first_row[work.leaf_phase[leaf]] + work.leaf_place[leaf]


# ---- a turn ----------------------------------------------------------------------------------


def take_turn(game: Game, work: Playing) -> State:
    """Form B of the state before, take the best action after what chance drew, or any, and remember the state after it, which is given."""
    s, n, is_any = game.unpack(work.state), work.length, unit(work.random) < work.epsilon
    chosen, is_chance = 0, game.to_move(s) == CHANCE
    if lane() == 0:
        for k in range(work.outputs):
            work.backup[k] = 0.0
    for r in range(work.roll_count):
        u = after_roll(game, s, r, work)
        list_plays(game, u, work)
        i = best_leaf(game, u, r, work)
        if lane() == 0:
            fill_leaf(game, leaf_state(game, u, i, work), work.first_leaf[r] + i, work)
            p = game.probability(s, work.rolls[r]) if is_chance else 1.0
            for k in range(work.outputs):
                work.backup[k] += p * work.leaf[k]
        if r == work.drawn:
            chosen = below(mix(work.random), work.first_leaf[r + 1] - work.first_leaf[r]) if is_any else i
    u = after_roll(game, s, work.drawn, work)
    if work.roll_count > 1:
        list_plays(game, u, work)
    t = leaf_state(game, u, chosen, work)
    if lane() == 0:
        remember(game, t, work.first_leaf[work.drawn] + chosen, n, work)
    sync()
    return t


def remember(game: Game, t: State, leaf: int, n: int, work: Playing) -> int:
    """Keep B as that of the last state, and t as the next one, unless the game is over there; how many are kept."""
    fill_leaf(game, t, leaf, work)
    for k in range(work.outputs):
        if n > 0:
            work.kept_returns[n - 1][k] = work.backup[k] if work.is_whole != 0 else work.leaf[k]
    work.plies += 1
    if not game.is_terminal(t):
        for k in range(work.outputs):
            work.kept_values[n][k] = work.leaf[k]
        game.pack(t, work.kept_states[n])
        work.length = n + 1
    return work.length


def best_leaf(game: Game, u: State, r: int, work: Playing) -> int:
    """Which leaf after u is worth most to the player who moves there."""
    first, best, chosen = work.first_leaf[r], -1.0e300, 0
    me = game.to_move(u) if not game.is_terminal(u) else 0
    for i in range(lane(), work.first_leaf[r + 1] - first, lanes()):
        v = leaf_value(game, leaf_state(game, u, i, work), first + i, max(0, me), work)
        if v > best:
            best, chosen = v, i
    return best_of_lanes(best, chosen)


def leaf_value(game: Game, t: State, leaf: int, me: int, work: Playing) -> float:
    """What a leaf is worth to a player: `value_for` of a model, by the answers of the network."""
    if work.leaf_phase[leaf] == TERMINAL:
        return game.utility(t, me)
    at, view = row_of(leaf, work) * work.outputs, looker(game, t)
    group = me - view if me >= view else me - view + game.players
    if game.has_equity:
        n = work.group
        return game.equity(t, me, chances(work.answers, at + group * n, n), chances(work.answers, at + (1 - group) * n, n))
    v = work.offset
    for k in range(work.group):
        v += work.worth[k] * get(work.answers, at + group * work.group + k)
        if work.share > 0.0:
            v -= work.share * work.worth[k] * get(work.answers, at + (1 - group) * work.group + k)
    return v


def fill_leaf(game: Game, t: State, leaf: int, work: Playing) -> int:
    """What is said of a leaf, or how the game ended there, of every player; how many numbers that are."""
    if work.leaf_phase[leaf] == TERMINAL:
        return fill_outcome(game, t, work)
    at, i = row_of(leaf, work) * work.outputs, looker(game, t) * work.group
    for k in range(work.outputs):
        work.leaf[i + k if i + k < work.outputs else i + k - work.outputs] = get(work.answers, at + k)
    return work.outputs


def fill_outcome(game: Game, t: State, work: Playing) -> int:
    """How the game ended in t, of every player; how many numbers that are."""
    for p in range(game.players):
        if game.has_outcomes:
            n = game.fill_outcomes(t, p, work.outcome)
            for k in range(work.group):
                work.leaf[p * work.group + k] = work.outcome[k] if k < n else 0.0
        else:
            work.leaf[p] = (game.utility(t, p) - work.lowest) / work.span
    return work.outputs
