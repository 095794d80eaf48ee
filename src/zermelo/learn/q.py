"""Q-learning and SARSA by self-play.

    Q(s, a)  <-  Q(s, a) + alpha (target - Q(s, a)),    along grad Q(s, a)

    Q-learning:  target = max over a' of Q(s', a')      whatever is played in s'
    SARSA:       target = Q(s', a')                     for the action a' that is played in s'

Q(s, a) is the model's value of RESULT(s, a), or the utility if the game is over there. s' is the state in which a player next has
the turn, after all that chance does in between. The maximum is that of the player who moves in s'. With two players that is the
opponent, whose maximum is a minimum for the player who took a; every player's value is learned from the same action.

Q-learning is off-policy: it learns the value of best play from games in which any action is tried now and then (epsilon). SARSA
learns the value of the games that are played. As Q(s, a) is the value of a state here, SARSA is TD(0) with weights that change after every
action.
"""

from __future__ import annotations

from ..bits import u64
from ..game import CHANCE, Game, State
from ..rng import split, step, unit
from ..search.random_games import choose
from .td import SelfPlay, any_action, best_action, count_game, fill_moves, fill_returns, fill_values, learn_state, look_at

LAST, NEXT = 0, 1  # of the states that are remembered: after a, and after a'


class Acting(SelfPlay):
    """The record of games in which values of actions are learned."""

    off_policy: int  # 1 for Q-learning, 0 for SARSA


def learn_games(game: Game, work: Acting) -> int:
    """Play the games of the record and learn from each as it goes; how many were played."""
    for g in range(work.games):
        n = play_and_learn(game, split(work.seed, u64(work.first + g)) | 1, work)
        if work.widest > len(work.moves) or not count_game(n, work):
            return g
    return work.games


def play_and_learn(game: Game, random: u64, work: Acting) -> int:
    """Play a game and learn from each of its actions; 1 if the last one was chance's, 0 if a player's, -1 if the game has no end."""
    s, n = game.unpack(work.start), 0  # n: whether an action is still to be learned
    for _ in range(work.longest):
        if game.is_terminal(s):
            if n > 0:
                fill_returns(game, s, work)
                learn_state(game, LAST, work)
            return n
        random = step(random)
        count = fill_moves(game, s, work)
        if count < 0:
            return -1
        if game.to_move(s) == CHANCE:
            s = game.result(s, choose(game, s, random, work.moves, count))
        else:
            s = game.result(s, act(game, s, count, random, n, work))
            work.plies += 1
            n = 0 if game.is_terminal(s) else 1
            look_at(game, s, LAST, work)  # with the weights as they are now
    return -1


def act(game: Game, s: State, count: int, random: u64, n: int, work: Acting) -> int:
    """Choose an action of s, and learn the one before it, if n is 1."""
    best = best_action(game, s, count, NEXT, work)
    a = any_action(count, random, work) if unit(random) < work.epsilon else best
    if n > 0:
        learned_from = best if work.off_policy != 0 else a
        t = game.result(s, learned_from)
        if game.is_terminal(t):
            fill_returns(game, t, work)
        else:
            if learned_from != best:
                look_at(game, t, NEXT, work)
            fill_values(game, NEXT, work)
        learn_state(game, LAST, work)
    return a
