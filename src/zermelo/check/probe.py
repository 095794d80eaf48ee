"""Every rule asked once about one state, in a form that runs interpreted and lowered: the records must be equal."""

from __future__ import annotations

from ..bits import u64
from ..game import CHANCE, Game, State
from ..search.random_games import play
from ..search.records import PLAYERS, WORDS, Record, Size, room

ACTIONS, RESULTS, SEEN, FEATURES = Size("actions"), Size("results"), Size("seen"), Size("features")
PLANES, PATTERNS, OUTCOMES = Size("planes"), Size("patterns"), Size("outcomes")


class Probe(Record):
    """The record of a probe: every answer to one state."""

    start: list[u64] = room(WORDS)
    random: list[u64] = room(4)
    games: int
    limit: int
    mover: int
    over: int
    many: int
    actions: list[int] = room(ACTIONS)
    count: int
    results: list[list[u64]] = room(RESULTS, WORDS)
    is_tactical: list[int] = room(ACTIONS)
    tactical_count: int
    tactical_actions: list[int] = room(ACTIONS)
    urgent_count: int
    urgent_first: list[int] = room(ACTIONS)
    relevant_count: int
    relevant_actions: list[int] = room(ACTIONS)
    moves_left: int
    upper_bound: list[float] = room(PLAYERS)
    final_value: list[float] = room(PLAYERS)
    order: list[int] = room(ACTIONS)
    immediate: list[int] = room(ACTIONS)
    material_gain: list[float] = room(ACTIONS)
    loses_material: list[int] = room(ACTIONS)
    action_kind: list[int] = room(ACTIONS)
    prior_value: list[float] = room(ACTIONS)
    weights: list[float] = room(ACTIONS)
    samples: list[int] = room(4)
    played: list[int] = room(4)
    is_forcing: int
    allows_null_move: int
    skipped: list[u64] = room(WORDS)
    repetition_key: u64
    utility: list[float] = room(PLAYERS)
    evaluate: list[float] = room(PLAYERS)
    key: u64
    seen_words: list[int] = room(PLAYERS)
    seen: list[list[u64]] = room(PLAYERS, SEEN)
    dealt: list[list[u64]] = room(PLAYERS, WORDS)
    feature_count: list[int] = room(PLAYERS)
    features: list[list[float]] = room(PLAYERS, FEATURES)
    plane_count: list[int] = room(PLAYERS)
    planes: list[list[u64]] = room(PLAYERS, PLANES)
    plane_views: list[int] = room(PLAYERS)
    pattern_count: list[int] = room(PLAYERS)
    patterns: list[list[int]] = room(PLAYERS, PATTERNS)
    perspective: int
    phase: int
    outcomes: list[list[float]] = room(PLAYERS, OUTCOMES)
    counts: list[int] = room(2)


def probe(game: Game, work: Probe) -> int:
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
        work.loses_material[i] = 1 if game.loses_material(s, a, 0.0) else 0
        work.action_kind[i] = game.action_kind(s, a)
        work.prior_value[i] = game.prior_value(s, a)
        if game.has_chance and work.mover == CHANCE:
            work.weights[i] = game.probability(s, a)
    if game.has_tactical_actions:
        work.tactical_count = game.fill_tactical(s, work.tactical_actions)
    if game.has_urgent_first and work.mover != CHANCE:
        work.urgent_count = game.fill_urgent(s, work.urgent_first)
    if game.has_relevant_actions:
        work.relevant_count = game.fill_relevant(s, work.relevant_actions)
    if game.has_moves_left:
        work.moves_left = game.moves_left(s)
    if work.over == 0 and work.many > 0:
        for i in range(len(work.random)):
            work.samples[i] = game.sample(s, work.random[i])
            if game.has_playout_action and work.mover != CHANCE:
                work.played[i] = game.playout_action(s, work.random[i])
    if work.over == 0:
        work.perspective = game.perspective(s)
        work.phase = game.phase(s)
        work.is_forcing = 1 if game.is_forcing(s) else 0
        work.allows_null_move = 1 if game.allows_null_move(s) else 0
        if game.has_null_move and work.allows_null_move == 1:
            game.pack(game.null_move(s), work.skipped)
    for p in range(game.players):
        probe_player(game, s, p, work)
    return 0


def probe_player(game: Game, s: State, p: int, work: Probe) -> int:
    """Ask every rule about s that depends on a player, for player p; 0."""
    work.seen_words[p] = game.pack_observation(s, p, work.seen[p])
    work.feature_count[p] = game.fill_features(s, p, work.features[p])
    if game.has_planes:
        work.plane_count[p] = game.fill_planes(s, p, work.planes[p])
    if game.has_plane_view:
        work.plane_views[p] = game.plane_view(s, p)
    if game.has_upper_bound:
        work.upper_bound[p] = game.upper_bound(s, p)
    if game.has_final_value and game.moves_left(s) <= 1:
        work.final_value[p] = game.final_value(s, p)
    if game.has_patterns:
        work.pattern_count[p] = game.fill_patterns(s, p, work.patterns[p])
    if work.over == 1:
        work.utility[p] = game.utility(s, p)
        if game.has_outcomes:
            game.fill_outcomes(s, p, work.outcomes[p])
    else:
        work.evaluate[p] = game.evaluate(s, p)
        game.pack(game.resample(s, p, work.random[p % 4]), work.dealt[p])
    return 0


def played(game: Game, work: Probe) -> int:
    """Play `work.games` random games from the state `work.start`; how many actions they took."""
    return play(game, game.unpack(work.start), work.random[0], 0, work.games, work.limit, work.actions, work.utility, work.counts)
