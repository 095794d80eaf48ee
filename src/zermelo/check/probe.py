"""Every rule asked once about one state, in a form that runs interpreted and lowered: the records must be equal."""

from __future__ import annotations

from typing import Any

from ..game import CHANCE, Game, State
from ..search.playouts import play
from ..search.work import Fields

#: the rules in the order in which they are asked; `only` is 0 for all of them, or the number of one, counted from 1
ASKED = (
    *("to_move", "is_terminal", "actions", "count", "key", "position", "result", "noisy", "order", "gain", "prior", "probability"),
    *("loud", "sample", "playout", "extend", "may_skip", "skip", "observe", "features", "utility", "evaluate", "resample"),
)
TO_MOVE, IS_TERMINAL, ACTIONS, COUNT, KEY, POSITION, RESULT, NOISY, ORDER, GAIN, PRIOR, PROBABILITY = range(1, 13)
LOUD, SAMPLE, PLAYOUT, EXTEND, MAY_SKIP, SKIP, OBSERVE, FEATURES, UTILITY, EVALUATE, RESAMPLE = range(13, 24)


def fields(game: Game, actions: int, seen: int, features: int) -> Fields:
    """The record of a probe with room for so many actions, words of an observation and features (powers of two)."""
    words, players = game.layout.words, game.players
    return [
        ("start", "u8", (words,)),
        ("random", "u8", (4,)),
        ("games", "i8", ()),
        ("limit", "i8", ()),
        ("only", "i8", ()),
        ("mover", "i8", ()),
        ("over", "i8", ()),
        ("many", "i8", ()),
        ("actions", "i8", (actions,)),
        ("count", "i8", ()),
        ("results", "u8", (actions, words)),
        ("noisy", "i8", (actions,)),
        ("loud_count", "i8", ()),
        ("loud", "i8", (actions,)),
        ("order", "i8", (actions,)),
        ("gain", "f8", (actions,)),
        ("prior", "f8", (actions,)),
        ("weights", "f8", (actions,)),
        ("samples", "i8", (4,)),
        ("played", "i8", (4,)),
        ("extend", "i8", ()),
        ("may_skip", "i8", ()),
        ("skipped", "u8", (words,)),
        ("position", "u8", ()),
        ("utility", "f8", (players,)),
        ("evaluate", "f8", (players,)),
        ("key", "u8", ()),
        ("seen_words", "i8", (players,)),
        ("seen", "u8", (players, seen)),
        ("dealt", "u8", (players, words)),
        ("feature_count", "i8", (players,)),
        ("features", "f8", (players, features)),
        ("counts", "i8", (2,)),
    ]


def probe(game: Game, work: Any) -> int:
    """Ask every rule, or the rule `work.only`, about the state `work.start`; or play `work.games` random games from it, where that is set.

    One entry for all: rules are compiled once. What a rule is only asked after (is_terminal before utility) is asked with it.
    """
    s = game.unpack(work.start)
    if work.games > 0:
        return play(game, s, work.random[0], 0, work.games, work.limit, work.actions, work.utility, work.counts)
    if wants(TO_MOVE, work) or wants(PROBABILITY, work) or wants(PLAYOUT, work):
        work.mover = game.to_move(s)
    if wants(IS_TERMINAL, work) or work.only >= SAMPLE:
        work.over = 1 if game.is_terminal(s) else 0
    if wants(ACTIONS, work) or RESULT <= work.only <= PLAYOUT:
        work.many = game.fill(s, work.actions)
    if wants(COUNT, work):
        work.count = game.count(s)
    if wants(KEY, work):
        work.key = game.key(s)
    if wants(POSITION, work):
        work.position = game.position(s)
    for i in range(min(work.many, len(work.actions))):
        ask_action(game, s, i, work)
    if game.has_loud and wants(LOUD, work):
        work.loud_count = game.fill_loud(s, work.loud)
    if work.over == 0:
        ask_going_on(game, s, work)
    for p in range(game.players):
        ask_player(game, s, p, work)
    return 0


def wants(rule: int, work: Any) -> bool:
    """Whether this rule is to be asked."""
    return work.only in (0, rule)


def ask_action(game: Game, s: State, i: int, work: Any) -> int:
    """Ask about the i-th action of s."""
    a = work.actions[i]
    if wants(RESULT, work):
        game.pack(game.result(s, a), work.results[i])
    if wants(NOISY, work):
        work.noisy[i] = 1 if game.noisy(s, a) else 0
    if wants(ORDER, work):
        work.order[i] = game.order(s, a)
    if wants(GAIN, work):
        work.gain[i] = game.gain(s, a)
    if wants(PRIOR, work):
        work.prior[i] = game.prior(s, a)
    if wants(PROBABILITY, work):
        if game.has_chance and work.mover == CHANCE:
            work.weights[i] = game.probability(s, a)
    return i


def ask_going_on(game: Game, s: State, work: Any) -> int:
    """Ask about s, which is not terminal."""
    if work.many > 0:
        for i in range(len(work.random)):
            if wants(SAMPLE, work):
                work.samples[i] = game.sample(s, work.random[i])
            if wants(PLAYOUT, work):
                if game.has_playout and work.mover != CHANCE:
                    work.played[i] = game.playout(s, work.random[i])
    if wants(EXTEND, work):
        work.extend = 1 if game.extend(s) else 0
    if wants(MAY_SKIP, work) or wants(SKIP, work):
        work.may_skip = 1 if game.may_skip(s) else 0
    if wants(SKIP, work):
        if game.has_skip and work.may_skip == 1:
            game.pack(game.skip(s), work.skipped)
    return 0


def ask_player(game: Game, s: State, p: int, work: Any) -> int:
    """Ask about player p in s."""
    if wants(OBSERVE, work):
        work.seen_words[p] = game.pack_observation(s, p, work.seen[p])
    if wants(FEATURES, work):
        work.feature_count[p] = game.fill_features(s, p, work.features[p])
    if work.over == 1:
        if wants(UTILITY, work):
            work.utility[p] = game.utility(s, p)
    else:
        if wants(EVALUATE, work):
            work.evaluate[p] = game.evaluate(s, p)
        if wants(RESAMPLE, work):
            game.pack(game.resample(s, p, work.random[p % 4]), work.dealt[p])
    return p
