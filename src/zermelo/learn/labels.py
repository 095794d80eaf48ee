"""Labelling: games of a search against itself, whose states are kept with what the search and the result say they are worth.

s  <-  the start after some random actions
until the game is over or decided:
    v, a  <-  SEARCH(s), deeper and deeper until its nodes are spent
    keep (s, v), unless s is forcing, a is tactical, or v is decided: a network is asked in quiet states
    s  <-  RESULT(s, a), or with probability epsilon that of any action
each state that was kept gets the result of its game
"""

from __future__ import annotations

from ..bits import u64
from ..game import Game, State
from ..lower.memory import load, store, to_word
from ..rng import below, mix, split, step, unit
from ..search.alphabeta.engine import root
from ..search.alphabeta.selective import MAX_PAST_POSITIONS, Engine
from ..search.depth_first import INFINITE
from ..search.records import WORDS, Record, room
from ..search.table import AGES

MAX_LABEL_DEPTH = 60  # plies of a search that meets no limit before
DECIDED_PLIES = 6  # in a row with a decided value, after which a game is adjudicated
UNKNOWN = -9.0e99  # the result of a game that was given up


class Labelling(Engine):
    """The record of games that are labelled."""

    opening: list[u64] = room(WORDS)
    seed: u64
    first: int  # number of the first game: its random words depend on it alone
    games: int
    longest: int  # plies after which a game is given up
    random_plies: int  # the most random actions that a game begins with; half of them are the least
    epsilon: float
    budget: int  # nodes after which a search goes no deeper
    decided: float  # the value from which on a game is decided
    worth: float  # what the last search found for the player to move
    labelled: int  # words: of each state that is kept its packed state, its value and its result, for the player to move
    most: int  # states that fit
    kept_count: int
    played: int


def label_games(game: Game, work: Labelling) -> int:
    """Play the games of the record and keep their states; how many were kept."""
    work.low = -INFINITE
    work.high = INFINITE
    for g in range(work.games):
        kept = work.kept_count
        result = play_game(game, split(work.seed, u64(work.first + g)) | 1, work)
        if work.stopped != 0:
            return kept
        enter_result(kept, result, work)
        work.played += 1
    return work.kept_count


def play_game(game: Game, random: u64, work: Labelling) -> float:
    """Play a game; what player 0 gets, or UNKNOWN if it has no end."""
    s, decided = game.unpack(work.opening), 0
    early = (work.random_plies + 1) // 2 + below(split(random, u64(1)), work.random_plies // 2 + 1)
    work.past_count = 0
    for ply in range(work.longest):
        if game.is_terminal(s):
            return game.utility(s, 0)
        random = step(random)
        if ply < early:
            s = game.result(s, game.sample(s, random))
            continue
        if game.has_draws_by_repetition:
            if is_third(game.repetition_key(s), work):
                return 0.0
        if not search_state(game, s, work):
            return UNKNOWN
        is_decided = work.decided > 0.0 and abs(work.worth) >= work.decided
        decided = decided + 1 if is_decided else 0
        if decided == DECIDED_PLIES:
            return 1.0 if (work.worth > 0.0) == (game.to_move(s) == 0) else -1.0
        if not is_decided and is_quiet(game, s, work.root_moves[0], work):
            keep_state(game, s, work)
        i = below(mix(random), work.root_count) if unit(random) < work.epsilon else 0
        s = game.result(s, work.root_moves[i])
    return UNKNOWN


def is_third(position: u64, work: Labelling) -> bool:
    """Whether this position was in the game twice before; it is remembered."""
    times = 0
    for k in range(work.past_count):
        times += int(work.past_keys[k] == position)
    if work.past_count == MAX_PAST_POSITIONS:
        work.past_count -= 1
        for k in range(work.past_count):
            work.past_keys[k] = work.past_keys[k + 1]
    work.past_keys[work.past_count] = position
    work.past_count += 1
    return times >= 2


def search_state(game: Game, s: State, work: Labelling) -> bool:
    """Search s to depth 1, 2 ... until the nodes are spent; the best action then comes first. False if it did not fit or must stop."""
    game.pack(s, work.start)
    work.root_count = game.fill(s, work.root_moves)
    if work.root_count > len(work.root_moves):
        work.widest, work.stopped = work.root_count, 1
        return False
    work.age = (work.age + 1) % AGES
    spent, depth = 0, 1
    while spent < work.budget and depth <= MAX_LABEL_DEPTH:
        work.depth = depth
        work.best = 0
        root(game, work)
        if work.stopped != 0:
            return False
        best, work.worth = work.root_moves[work.best], work.scores[work.best]
        for k in range(work.best, 0, -1):
            work.root_moves[k] = work.root_moves[k - 1]
        work.root_moves[0] = best
        spent += work.nodes
        depth += 1
    return True


def is_quiet(game: Game, s: State, a: int, work: Labelling) -> bool:
    """Whether s is a state as a search evaluates it, if a is the best action there."""
    if work.kept_count >= work.most:
        return False
    if game.has_forcing:
        if game.is_forcing(s):
            return False
    if game.has_tactical:
        if game.is_tactical(s, a):
            return False
    return True


def keep_state(game: Game, s: State, work: Labelling) -> int:
    """Keep s with the value that the search found, and for now who is to move in place of the result; how many are kept."""
    words = len(work.start)
    at = work.kept_count * (words + 2)
    game.pack(s, work.start)
    for k in range(words):
        store(work.labelled, at + k, work.start[k])
    store(work.labelled, at + words, to_word(work.worth))
    store(work.labelled, at + words + 1, u64(game.to_move(s)))
    work.kept_count += 1
    return work.kept_count


def enter_result(first: int, result: float, work: Labelling) -> int:
    """Let the states kept from the first on have this result of player 0; the number of all that are kept."""
    words = len(work.start)
    for k in range(first, work.kept_count):
        at = k * (words + 2) + words + 1
        mine = result if load(work.labelled, at) == 0 or result == UNKNOWN else -result
        store(work.labelled, at, to_word(mine))
    return work.kept_count


class Movers(Record):
    """The record of states whose movers are listed."""

    row: list[u64] = room(WORDS)
    states: int  # words
    movers: int  # words
    count: int


def list_movers(game: Game, work: Movers) -> int:
    """List who is to move in each of these states; how many they are."""
    for i in range(work.count):
        for k in range(len(work.row)):
            work.row[k] = load(work.states, i * len(work.row) + k)
        store(work.movers, i, u64(game.to_move(game.unpack(work.row))))
    return work.count
