"""Every rule asked once about one state, in a form that runs interpreted and lowered: the records must be equal."""

from __future__ import annotations

from typing import Any

from ..game import CHANCE, Game
from ..search.playouts import play
from ..search.records import Fields


def fields(game: Game, actions: int, seen: int, features: int) -> Fields:
    """The record of a probe with room for so many actions, words of an observation and features (powers of two)."""
    words, players = game.layout.words, game.players
    return [
        ("start", "u8", (words,)),
        ("random", "u8", (4,)),
        ("games", "i8", ()),
        ("limit", "i8", ()),
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
    """Ask every rule about the state `work.start`."""
    s = game.unpack(work.start)
    work.mover = game.to_move(s)
    work.over = 1 if game.is_terminal(s) else 0
    work.many = game.fill(s, work.actions)
    work.count = game.count(s)
    work.key = game.key(s)
    work.position = game.position(s)
    for i in range(min(work.many, len(work.actions))):
        a = work.actions[i]
        game.pack(game.result(s, a), work.results[i])
        work.noisy[i] = 1 if game.noisy(s, a) else 0
        work.order[i] = game.order(s, a)
        work.gain[i] = game.gain(s, a)
        work.prior[i] = game.prior(s, a)
        if game.has_chance and work.mover == CHANCE:
            work.weights[i] = game.probability(s, a)
    if game.has_loud:
        work.loud_count = game.fill_loud(s, work.loud)
    if work.over == 0 and work.many > 0:
        for i in range(len(work.random)):
            work.samples[i] = game.sample(s, work.random[i])
            if game.has_playout and work.mover != CHANCE:
                work.played[i] = game.playout(s, work.random[i])
    if work.over == 0:
        work.extend = 1 if game.extend(s) else 0
        work.may_skip = 1 if game.may_skip(s) else 0
        if game.has_skip and work.may_skip == 1:
            game.pack(game.skip(s), work.skipped)
    for p in range(game.players):
        work.seen_words[p] = game.pack_observation(s, p, work.seen[p])
        work.feature_count[p] = game.fill_features(s, p, work.features[p])
        if work.over == 1:
            work.utility[p] = game.utility(s, p)
        else:
            work.evaluate[p] = game.evaluate(s, p)
            game.pack(game.resample(s, p, work.random[p % 4]), work.dealt[p])
    return 0


def played(game: Game, work: Any) -> int:
    """Play `work.games` random games from the state `work.start`; how many actions they took."""
    return play(game, game.unpack(work.start), work.random[0], 0, work.games, work.limit, work.actions, work.utility, work.counts)
