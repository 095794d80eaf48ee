"""The end of a game, to its last ply: alpha-beta that evaluates nothing.

    EXACT(s, alpha, beta)                                                       the game's word
      1  where few moves are left, TAIL(s, alpha, beta)                         moves_left
      2  leave s if the most that can still be won is outside the window        upper_bound
      3  take the value that the table knows                                    key
      4  leave s if the table knows a reply that is good enough                 key
      5  try the actions, the most promising first, and after the first
         only ask whether another is better (principal variation search)        order
      6  enter what was found into the table
    TAIL(s, alpha, beta): plain alpha-beta, urgent actions first, down to       urgent_first
        the end or to states with one move left, whose value the game knows     final_value

Step 4 is the enhanced transposition cut-off (Schaeffer and Plaat 1996). Most nodes are in the tail, where a table and
sorting cost more than they save. All that the game does not write is left out.
"""

from __future__ import annotations

from ...bits import u64
from ...game import Game, State
from ...lower.memory import to_word
from ..depth_first import INFINITE, Rooted, actions, fitting, keep_line, must_stop
from ..mate_distance import next_float
from ..move_ordering import Ordering, bring_best, index_of, put_first, rank, remember_cut
from ..table import EXACT, LOWER, UPPER, Tabled, action_of, bound_in, bound_of, entry_value, entry_word, is_whole, keep, packed, probe
from ..zero_sum import opposed_value

TAIL = 6  # moves left where the tail begins
REPLIES = 6  # moves before the tail from which on replies are looked up; later, memory is slower than what they save
DEPTHS = (1 << 14) - 1  # of the table


class Ending(Rooted, Ordering, Tabled):
    """The record of the search."""

    age: int
    low: float  # the window of the root
    high: float


def root(game: Game, work: Ending) -> int:
    """Search the actions of the start in the order given; their scores are exact or, after the best, bounds."""
    s = game.unpack(work.start)
    work.nodes = 1
    work.widest = work.root_count
    p = game.to_move(s)
    best = -INFINITE
    for i in range(min(work.root_count, len(work.root_moves))):
        a = work.root_moves[i]
        v = value_after(game, game.result(s, a), p, i == 0, max(best, work.low), work.high, 0, work)
        if work.stopped != 0:
            return 0
        work.scores[i] = v
        work.searched = i + 1
        if v > best:
            best = v
            work.best = i
            keep_line(0, a, work)
            if best >= work.high:
                return 0  # the window was too low
    return 0


def value_after(game: Game, t: State, p: int, is_first: bool, alpha: float, beta: float, ply: int, work: Ending) -> float:
    """What t, after an action at this ply, is worth to p: the first is asked at once, of another first whether it is better."""
    top = beta if is_first else next_float(alpha)
    if game.to_move(t) == p:
        v = exact(game, t, p, alpha, top, ply + 1, work)
        if alpha < v < beta and not is_first and work.stopped == 0:
            v = exact(game, t, p, v, beta, ply + 1, work)
    else:
        v = -exact(game, t, 1 - p, -top, -alpha, ply + 1, work)
        if alpha < v < beta and not is_first and work.stopped == 0:
            v = -exact(game, t, 1 - p, -beta, -v, ply + 1, work)
    return v


def exact(game: Game, s: State, p: int, alpha: float, beta: float, ply: int, work: Ending) -> float:
    """What s is worth to p, who is to move: exact between alpha and beta, a bound outside."""
    work.lines[ply][0] = 0
    left = 0
    if game.has_moves_left:
        left = game.moves_left(s)
        if left <= TAIL:
            return tail(game, s, p, alpha, beta, ply, work)
    work.nodes += 1
    work.deepest = max(work.deepest, ply)
    if ply >= len(work.moves) or must_stop(work):
        work.stopped = 1
        return 0.0
    if game.has_upper_bound:
        most = game.upper_bound(s, p)
        if most <= alpha:
            return most
        least = -game.upper_bound(s, 1 - p)
        if least >= beta:
            return least
    key = game.key(s)
    is_known, v, table_move = known_value(key, alpha, beta, work)
    if is_known:
        return v
    n = actions(game, s, ply, work)
    if n == 0:
        work.evaluations += 1
        return opposed_value(game, s, p, work)
    if left >= TAIL + REPLIES or not game.has_moves_left:
        v = known_reply(game, s, p, n, beta, ply, work)
        if v >= beta:
            return v
    return best_action(game, s, p, key, table_move, n, left, alpha, beta, ply, work)


def best_action(
    game: Game, s: State, p: int, key: u64, table_move: int, n: int, left: int, alpha: float, beta: float, ply: int, work: Ending
) -> float:
    """Steps 5 and 6: the value of s by its n actions."""
    first = 0
    if 0 <= table_move < n:
        put_first(table_move, ply, work)
        first = 1
    low, best, chosen = alpha, -INFINITE, 0
    i = -1
    while i + 1 < n:
        i += 1
        if i == first:
            n = rank(game, s, p, first, n, table_move, -1, ply, work)
        if i >= first:
            bring_best(i, n, ply, work)
        a = work.moves[ply][i]
        v = value_after(game, game.result(s, a), p, i == 0, alpha, beta, ply, work)
        if work.stopped != 0:
            return 0.0
        if v > best:
            best = v
            chosen = index_of(i, ply, work)
            if v > alpha:
                alpha = v
                keep_line(ply, a, work)
                if v >= beta:
                    remember_cut(p, a, i, min(left, 64), ply, work)
                    break
    if work.has_table != 0:
        keep(key, to_word(best), packed(chosen, work.age, 1, min(left, DEPTHS), bound_in(best, low, beta)), u64(0), work)
    return best


def known_value(key: u64, alpha: float, beta: float, work: Ending) -> tuple[bool, float, int]:
    """Step 3: whether the table knows enough, the value that it knows, and the index of its best action (-1 for none)."""
    if work.has_table == 0:
        return False, 0.0, -1
    at = probe(key, work)
    if at < 0:
        return False, 0.0, -1
    entry = entry_word(at, work)
    v, bound = entry_value(at, work), bound_of(entry)
    enough = bound == EXACT or (bound == LOWER and v >= beta) or (bound == UPPER and v <= alpha)
    return enough and is_whole(entry) != 0, v, action_of(entry)


def known_reply(game: Game, s: State, p: int, n: int, beta: float, ply: int, work: Ending) -> float:
    """Step 4: what one of the n actions is worth to p at least, by the table, if that is beta or more."""
    if work.has_table != 0:
        for i in range(n):
            t = game.result(s, work.moves[ply][i])
            at = probe(game.key(t), work)
            if at >= 0:
                entry = entry_word(at, work)
                v, bound = entry_value(at, work), bound_of(entry)
                if is_whole(entry) != 0:
                    if game.to_move(t) == p:
                        if bound != UPPER and v >= beta:
                            return v
                    elif bound != LOWER and -v >= beta:
                        return -v
    return -INFINITE


def tail(game: Game, s: State, p: int, alpha: float, beta: float, ply: int, work: Ending) -> float:
    """The value of s to p, who is to move, where few moves are left."""
    work.nodes += 1
    if ply >= len(work.moves):
        work.deepest = max(work.deepest, ply)
        work.stopped = 1
        return 0.0
    n = urgent_actions(game, s, ply, work)
    if n == 0:
        return opposed_value(game, s, p, work)
    best = -INFINITE
    for i in range(n):
        t = game.result(s, work.moves[ply][i])
        if game.moves_left(t) <= (1 if game.has_final_value else 0):
            work.nodes += 1
            v = final_value(game, t, p, work)
        elif game.to_move(t) == p:
            v = tail(game, t, p, max(alpha, best), beta, ply + 1, work)
        else:
            v = -tail(game, t, 1 - p, -beta, -max(alpha, best), ply + 1, work)
        if v > best:
            best = v
            if v >= beta:
                break
    return best


def final_value(game: Game, s: State, p: int, work: Ending) -> float:
    """The value of s to p, at the end or, where the game tells it, one move before."""
    if game.has_final_value:
        return game.final_value(s, p)
    return opposed_value(game, s, p, work)


def urgent_actions(game: Game, s: State, ply: int, work: Ending) -> int:
    """Write the actions of s into the row of this ply, urgent ones first; how many there are."""
    if game.has_urgent_first:
        return fitting(game.fill_urgent(s, work.moves[ply]), ply, work)
    return actions(game, s, ply, work)
