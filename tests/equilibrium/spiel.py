"""OpenSpiel beside our rules: both trees are walked side by side, which also shows that the rules are the same."""

from __future__ import annotations

from typing import Any

import numpy as np
from plain_cfr import Policy, policy_of, seen

from zermelo import CHANCE, Game
from zermelo.equilibrium.form import SequenceForm

#: our games, what OpenSpiel calls them, and what our actions of chance are more by
PAIRS = {
    "kuhn": ("kuhn_poker", 1),
    "leduc": ("leduc_poker", 0),
    "liarsdice": ("liars_dice", 1),
    "liarsdice:sides=3": ("liars_dice(dice_sides=3)", 1),
    "goofspiel:cards=3,hidden=true": ("turn_based_simultaneous_game(game=goofspiel(imp_info=True,num_cards=3,points_order=descending))", 0),
    "goofspiel:hidden=true": ("turn_based_simultaneous_game(game=goofspiel(imp_info=True,num_cards=4,points_order=descending))", 0),
}


def tabular(game: Game, policy: Policy, theirs: Any, shift: int = 0) -> Any:
    """Our policy as OpenSpiel's; every state of the game is compared on the way."""
    import pyspiel

    found: dict[str, list[tuple[int, float]]] = {}

    def walk(s: Any, t: Any) -> None:
        while t.is_terminal() and not game.is_terminal(s):  # OpenSpiel plays the last cards of Goofspiel by itself
            (a,) = game.actions(s)
            s = game.result(s, a)
        assert game.is_terminal(s) == t.is_terminal()
        if t.is_terminal():
            assert [game.utility(s, p) for p in range(game.players)] == t.returns()
            return
        actions = list(game.actions(s))
        chance = shift if t.is_chance_node() else 0
        assert [a - chance for a in actions] == t.legal_actions()
        if t.is_chance_node():
            assert game.to_move(s) == CHANCE
            assert [(a - chance, game.probability(s, a)) for a in actions] == t.chance_outcomes()
        else:
            p = game.to_move(s)
            assert p == t.current_player()
            found[t.information_state_string(p)] = list(policy[seen(game, s, p)].items())
        for a in actions:
            walk(game.result(s, a), t.child(a - chance))

    walk(game.initial(), theirs.new_initial_state())
    return pyspiel.TabularPolicy(found)


def nash_conv(game: Game, form: SequenceForm, strategy: np.ndarray, theirs: Any, shift: int = 0) -> float:
    """NashConv of our strategy by OpenSpiel's code."""
    import pyspiel

    return float(pyspiel.nash_conv(theirs, tabular(game, policy_of(game, form, strategy), theirs, shift)))
