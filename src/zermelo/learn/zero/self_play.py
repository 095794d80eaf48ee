"""Games against oneself by PUCT, each move of them remembered: one record plays one game after another for ever.

    ADVANCE the search; when it has its simulations:
        remember the state and how often each action was tried
        take an action: in the first plies of a game in proportion to its visits, later the one tried most
        when the game is over, or given up, remember of all its states how it ended, and begin another

At the root, noise is mixed into the priors, so that every action is tried now and then. Some moves are chosen by a quick search, without
noise, and are not remembered (a cap on playouts): games, of which the network learns values, are played to their end sooner.

A player whose best action is worth less than `hopeless` gives up; of ten such games one is played on, and tells how often that is wrong.
"""

from __future__ import annotations

import math

from ...bits import u64
from ...game import CHANCE, Game, State
from ...lower.lanes import lane, lanes, sum_of_lanes, sync
from ...rng import below, draw, split, unit
from ...search.puct.puct import begin_at, search_on, take_answer
from ...search.puct.record import NO_LEAF, NOBODY, Tree
from ...search.random_games import choose
from ...search.records import PLAYERS, WIDTH, WORDS, Size, room

KEEP = Size("keep")  # states that are remembered
START, ROOT, MOVE, LUCK, GIVING_UP = 1, 2, 3, 4, 5  # what random words are for
MOST_BEGUN = 1000  # times that a game is begun, until a player has a choice in one
PLAYED_ON = 0.1  # of the games that would be given up, how many are played on


class SelfPlay(Tree):
    """The record of games that go on."""

    seed: u64
    number: int  # of the game: its random words depend on it alone
    slots: int  # records in all, by which numbers go on
    ply: int
    games: int  # that were played to their end
    unfinished: int  # that were broken off
    plies: int  # of those that ended
    longest: int  # plies after which a game is broken off
    hopeless: float  # the value below which a player gives up; -1 for never
    given_up: int  # games that a player gave up
    doubted: int  # 1 + the player who would have given up the present game, which is played on; 0 for none
    checked: int  # games that were played on to their end
    wrong: int  # those of them that this player did not lose
    random_plies: int  # the most random actions that a game begins with
    warm_plies: int  # in which actions are taken in proportion to their visits
    full: int  # simulations of a search that is remembered
    quick: int  # of one that is not
    full_share: float  # how many of the searches are remembered
    noise: float  # its share of the priors at the root
    concentration: float  # of the Dirichlet distribution, divided by the number of actions
    moves: list[int] = room(WIDTH)
    # the last states, in a ring
    kept: int  # states that were ever remembered
    fresh: int  # those of the present game
    kept_states: list[list[u64]] = room(KEEP, WORDS)
    kept_visits: list[list[int]] = room(KEEP, WIDTH)
    kept_mover: list[int] = room(KEEP)
    kept_outcome: list[list[float]] = room(KEEP, PLAYERS)
    is_known: list[int] = room(KEEP)  # whether the game of the state is over


def play(game: Game, work: SelfPlay) -> int:
    """Take in what the network said, and go on until it must be asked again; 1."""
    if work.leaf == NO_LEAF:  # the first call: a game may have been begun before
        begin_search(game, new_game(game, work) if work.ply == 0 else game.unpack(work.start), work)
        return 1
    n = take_answer(game, work)
    if n == 0 and work.simulations == work.full:
        add_noise(work)
    if search_on(game, work) == 0:
        begin_search(game, next_state(game, work), work)
    return 1


def key_of(what: int, work: SelfPlay) -> u64:
    """The stream of random words for one purpose at this ply of this game."""
    return split(split(work.seed, u64(work.number)), u64(work.ply * 8 + what))


def begin_search(game: Game, s: State, work: SelfPlay) -> int:
    """Make s the root, and decide how long to search it; that many simulations."""
    begin_at(game, s, work)
    is_full = unit(draw(key_of(ROOT, work), u64(0))) < work.full_share
    simulations = work.full if is_full else work.quick
    if work.count[0] == 1:
        simulations = 1  # there is nothing to choose
    sync()
    if lane() == 0:
        work.simulations = simulations
        work.random = key_of(LUCK, work) | 1
    sync()
    return simulations


# ---- noise -----------------------------------------------------------------------------------


def add_noise(work: SelfPlay) -> int:
    """Mix draws of a Dirichlet distribution into the priors of the root; the number of its edges."""
    count, key, total = work.count[0], key_of(ROOT, work), 0.0
    shape = work.concentration / count
    for k in range(lane(), count, lanes()):
        total += gamma(shape, split(key, u64(k + 1)))
    total = sum_of_lanes(total)
    for k in range(lane(), count, lanes()):
        noise = gamma(shape, split(key, u64(k + 1))) / total if total > 0.0 else 1.0 / count
        work.prior[0][k] = (1.0 - work.noise) * work.prior[0][k] + work.noise * noise
    sync()
    return count


def gamma(shape: float, key: u64) -> float:
    """A draw of the gamma distribution: by Marsaglia and Tsang for shape + 1, brought down by a power of a uniform number."""
    d = shape + 2.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    for i in range(64):
        normal = math.sqrt(-2.0 * math.log(1.0 - unit(draw(key, u64(4 * i))))) * math.cos(math.tau * unit(draw(key, u64(4 * i + 1))))
        t = 1.0 + c * normal
        t = t * t * t
        if t > 0.0 and math.log(1.0 - unit(draw(key, u64(4 * i + 2)))) < 0.5 * normal * normal + d - d * t + d * math.log(t):
            return d * t * math.exp(math.log(1.0 - unit(draw(key, u64(4 * i + 3)))) / shape)
    return d  # never: a draw is refused one time in twenty


# ---- moves -----------------------------------------------------------------------------------


def new_game(game: Game, work: SelfPlay) -> State:
    """The first state of a game in which a player has a choice. A game that chance ends before that is started over."""
    begun, s = 1, first_state(game, key_of(START, work), key_of(MOVE, work), work)
    while game.is_terminal(s) and begun < MOST_BEGUN:
        s = first_state(game, split(key_of(START, work), u64(begun)), split(key_of(MOVE, work), u64(begun)), work)
        begun += 1
    return s


def first_state(game: Game, key: u64, luck: u64, work: SelfPlay) -> State:
    """Play at most `random_plies` random actions from the start, then let chance move; the state that results."""
    s = game.initial()
    for i in range(below(draw(key, u64(0)), work.random_plies + 1)):
        if not game.is_terminal(s):
            t = game.result(s, any_action(game, s, draw(key, u64(i + 1)), work))
            s = s if game.is_terminal(t) else t
    return after_chance(game, s, luck, work)


def any_action(game: Game, s: State, random: u64, work: SelfPlay) -> int:
    """An action of s: any, or by its probability where chance moves."""
    count = game.fill(s, work.moves)
    return choose(game, s, random, work.moves, min(count, len(work.moves)))


def after_chance(game: Game, s: State, key: u64, work: SelfPlay) -> State:
    """The state that chance leads to from s."""
    i = 1
    while not game.is_terminal(s) and game.to_move(s) == CHANCE:
        s = game.result(s, any_action(game, s, draw(key, u64(i)), work))
        i += 1
    return s


def next_state(game: Game, work: SelfPlay) -> State:
    """Take an action at the root, and remember that; the state that is to be searched next, which may be another game's first."""
    k, is_hopeless = chosen_edge(work), sees_no_hope(work)
    if is_lesson(game, work):
        remember(game, work)
    if is_hopeless:
        return given_up(game, work)
    return moved(game, k, work)


def is_lesson(game: Game, work: SelfPlay) -> bool:
    """Whether the root is remembered: after a full search, or where the dice left one action, for searches ask about such states, too."""
    return work.simulations == work.full or (game.has_chance and work.count[0] == 1)


def moved(game: Game, k: int, work: SelfPlay) -> State:
    """Take edge k of the root; the state after it in which a player moves, or another game's first."""
    s = after_chance(game, game.result(game.unpack(work.states[0]), work.actions[0][k]), key_of(MOVE, work), work)
    is_over = game.is_terminal(s)
    sync()
    if lane() == 0:
        work.ply += 1
    sync()
    if is_over or work.ply >= work.longest:
        end_game(game, s, NOBODY, is_over, work)
        return new_game(game, work)
    return s


def sees_no_hope(work: SelfPlay) -> bool:
    """Whether the player at the root gives up, after a search that is remembered: if this game is played on, that is only noted."""
    if work.simulations != work.full or value_of_most(work) >= work.hopeless:
        return False
    key = split(split(work.seed, u64(work.number)), u64(GIVING_UP))
    is_played_on = unit(draw(key, u64(0))) < PLAYED_ON
    sync()
    if lane() == 0 and is_played_on and work.doubted == 0:
        work.doubted = 1 + work.mover[0]
    sync()
    return not is_played_on


def value_of_most(work: SelfPlay) -> float:
    """The value of the root's edge that was tried most, of equal ones the best."""
    most, best = 0, 0.0
    for k in range(work.count[0]):
        visits = work.visits[0][k]
        value = work.total[0][k] / visits if visits > 0 else 0.0
        if visits > most or (visits == most and value > best):
            most, best = visits, value
    return best


def given_up(game: Game, work: SelfPlay) -> State:
    """End the game in which the player at the root gives up; another game's first state."""
    end_game(game, game.unpack(work.states[0]), work.mover[0], True, work)
    return new_game(game, work)


def chosen_edge(work: SelfPlay) -> int:
    """The edge of the root to take: in proportion to visits while the game is warm, else the one tried most."""
    x = below(draw(key_of(MOVE, work), u64(0)), max(1, work.visited[0]))
    most, chosen = -1, 0
    for k in range(work.count[0]):
        visits = work.visits[0][k]
        if work.ply < work.warm_plies:
            if 0 <= x < visits:
                chosen = k
            x -= visits
        elif visits > most:
            most, chosen = visits, k
    return chosen


def remember(game: Game, work: SelfPlay) -> int:
    """Keep the root, its visits and who moves there, in place of the oldest; how many were ever kept."""
    at = work.kept % len(work.kept_mover)
    for k in range(lane(), len(work.moves), lanes()):
        work.kept_visits[at][k] = work.visits[0][k] if k < work.count[0] else 0
    for i in range(lane(), len(work.start), lanes()):
        work.kept_states[at][i] = work.states[0][i]
    sync()
    if lane() == 0:
        work.kept_mover[at] = work.mover[0]
        work.is_known[at] = 0
        work.kept += 1
        work.fresh += 1
    sync()
    return work.kept


def end_game(game: Game, s: State, loser: int, is_over: bool, work: SelfPlay) -> int:
    """Write how the game ended to all of its states that are remembered, and begin to count another; its number.

    It ended in s, where a player gave up (loser), or was broken off there.
    """
    for i in range(lane(), min(work.fresh, len(work.kept_mover)), lanes()):
        at = (work.kept - 1 - i) % len(work.kept_mover)
        if is_over:
            for p in range(game.players):
                work.kept_outcome[at][p] = outcome_of(game, s, p, loser, work)
            work.is_known[at] = 1
    is_checked = is_over and loser == NOBODY and work.doubted > 0
    is_wrong = is_checked and outcome_of(game, s, work.doubted - 1, NOBODY, work) >= 0.0
    sync()
    if lane() == 0:
        work.games += 1 if is_over else 0
        work.unfinished += 0 if is_over else 1
        work.plies += work.ply if is_over else 0
        work.given_up += 0 if loser == NOBODY else 1
        work.checked += 1 if is_checked else 0
        work.wrong += 1 if is_wrong else 0
        work.doubted = 0
        work.ply = 0
        work.fresh = 0
        work.number += work.slots
    sync()
    return work.number


def outcome_of(game: Game, s: State, p: int, loser: int, work: SelfPlay) -> float:
    """What player p has of a game that ended in s, from -1 to 1."""
    if loser != NOBODY:
        return -1.0 if p == loser else 1.0
    return (game.utility(s, p) - work.middle) / work.reach
