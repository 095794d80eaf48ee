"""Values of games by the definition, in rounds over all states: slow, and independent of retrograde analysis."""

from __future__ import annotations


def solve(game, start=None):
    """(sign, plies) of every state that can be reached, by state, for the player to move; plies None for a draw.

    Round n finds the states that are won or lost in n plies: from the values of the rounds before alone.
    """
    first = game.initial() if start is None else start
    children, todo = {}, [first]
    while todo:
        s = todo.pop()
        if s not in children:
            children[s] = [game.result(s, a) for a in game.actions(s)]
            todo += children[s]
    found, plies = {}, 0
    for s, after in children.items():
        u = game.utility(s, game.to_move(s)) if not after else 0
        if u != 0:
            found[s] = (1 if u > 0 else -1, 0)
    while True:
        plies += 1
        new = {}
        for s, after in children.items():
            if s in found or not after:
                continue
            signs = [found[t][0] * (1 if game.to_move(t) == game.to_move(s) else -1) if t in found else 0 for t in after]
            if 1 in signs:
                new[s] = (1, plies)
            elif set(signs) == {-1}:
                new[s] = (-1, plies)
        if not new:
            return {s: found.get(s, (0, None)) for s in children}
        found |= new
