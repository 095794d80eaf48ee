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
        ("is_tactical", "i8", (actions,)),
        ("tactical_count", "i8", ()),
        ("tactical_actions", "i8", (actions,)),
        ("order", "i8", (actions,)),
        ("immediate", "i8", (actions,)),
        ("material_gain", "f8", (actions,)),
        ("prior_value", "f8", (actions,)),
        ("weights", "f8", (actions,)),
        ("samples", "i8", (4,)),
        ("played", "i8", (4,)),
        ("is_forcing", "i8", ()),
        ("allows_null_move", "i8", ()),
        ("skipped", "u8", (words,)),
        ("repetition_key", "u8", ()),
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
    work.repetition_key = game.repetition_key(s)
    for i in range(min(work.many, len(work.actions))):
        a = work.actions[i]
        game.pack(game.result(s, a), work.results[i])
        work.is_tactical[i] = 1 if game.is_tactical(s, a) else 0
        work.order[i] = game.order(s, a)
        work.immediate[i] = game.immediate(s, a)
        work.material_gain[i] = game.material_gain(s, a)
        work.prior_value[i] = game.prior_value(s, a)
        if game.has_chance and work.mover == CHANCE:
            work.weights[i] = game.probability(s, a)
    if game.has_tactical_actions:
        work.tactical_count = game.fill_tactical(s, work.tactical_actions)
    if work.over == 0 and work.many > 0:
        for i in range(len(work.random)):
            work.samples[i] = game.sample(s, work.random[i])
            if game.has_playout_action and work.mover != CHANCE:
                work.played[i] = game.playout_action(s, work.random[i])
    if work.over == 0:
        work.is_forcing = 1 if game.is_forcing(s) else 0
        work.allows_null_move = 1 if game.allows_null_move(s) else 0
        if game.has_null_move and work.allows_null_move == 1:
            game.pack(game.null_move(s), work.skipped)
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
