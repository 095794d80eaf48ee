"""AlphaGo's search: a leaf is worth what the network says of it and, in part, how a game ends that is played out from there.

    v = (1 - MIX) * NETWORK(n) + MIX * UTILITY(the end of a quick game from n)

The quick game follows the game's own playout policy, if it has one. All else is PUCT (`puct.py`).
"""

from __future__ import annotations

from ...game import CHANCE, Game, State
from ...lower.rows import get, put
from ...rng import step
from ..random_games import LIMIT, choose
from ..records import WIDTH, room
from .puct import advance
from .record import Tree


class MixedTree(Tree):
    """The record of a search whose leaves are played out, too."""

    mix: float  # the weight of what a quick game gives
    moves: list[int] = room(WIDTH)


def advance_mixed(game: Game, work: MixedTree) -> int:
    """Like `advance`, after a game from the leaf has had its say."""
    if work.leaf >= 0:
        mix_in(game, played_out(game, game.unpack(work.states[work.leaf]), work), work)
    return advance(game, work)


def played_out(game: Game, s: State, work: MixedTree) -> State:
    """The end of a quick game from s."""
    random, ply = work.random, 0
    while not game.is_terminal(s) and ply < LIMIT:
        random = step(random)
        if game.has_playout_action and game.to_move(s) != CHANCE:
            s = game.result(s, game.playout_action(s, random))
        else:
            s = game.result(s, choose(game, s, random, work.moves, min(game.fill(s, work.moves), len(work.moves))))
        ply += 1
    work.random = random
    return s


def mix_in(game: Game, end: State, work: MixedTree) -> int:
    """Mix what the players get at the end of a quick game into what the network says of the leaf; how many values that are."""
    values = 1 if game.players == 2 else game.players
    me = work.mover[work.leaf]
    for i in range(values):
        p = (me + i) % game.players
        v = (game.utility(end, p) - work.middle) / work.reach if game.is_terminal(end) else 0.0
        put(work.values, i, (1.0 - work.mix) * get(work.values, i) + work.mix * v)
    return values
