"""The sequence form: its size, the same natively and interpreted, and what it refuses."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from plain_cfr import ThreePlayerKuhn, policy_of, random_strategy, values

import zermelo
from zermelo import CHANCE, Game, ZermeloError, i8
from zermelo.equilibrium.form import SequenceForm, sequence_form
from zermelo.equilibrium.solver import Evaluation


@pytest.mark.parametrize(
    ("text", "nodes", "sets", "sequences"),
    [("kuhn", 58, 12, 26), ("leduc", 9457, 936, 2186), ("liarsdice", 294_883, 24_576, 49_142)],
)
def test_sizes_are_the_published_ones(text, nodes, sets, sequences):
    form = sequence_form(zermelo.game(text))
    assert (form.nodes, form.sets, form.sequences) == (nodes, sets, sequences)


@pytest.mark.parametrize("game", [zermelo.game("kuhn"), zermelo.game("leduc", ranks=2), ThreePlayerKuhn()], ids=repr)
def test_interpreted_and_native_are_the_same(game):
    ours, theirs = (sequence_form(game, has_tree=True, interpreted=interpreted) for interpreted in (True, False))
    for name in SequenceForm.__dataclass_fields__:
        assert np.array_equal(getattr(ours, name), getattr(theirs, name)), name


@pytest.mark.parametrize("game", [zermelo.game("kuhn"), ThreePlayerKuhn()], ids=repr)
@pytest.mark.parametrize("seed", range(3))
def test_a_strategy_earns_what_the_tree_says(game, seed):
    form = sequence_form(game)
    strategy = random_strategy(form, seed)
    assert np.allclose(Evaluation(game, form).of(strategy).expected, values(game, policy_of(game, form, strategy)), atol=1e-12)


def test_room_grows():
    """More than 65,536 nodes do not fit at first."""
    form = sequence_form(zermelo.game("goofspiel", order="random"), has_tree=True)
    assert form.nodes == 68_245 and form.ends == 24**3 and form.tree is not None and len(form.tree) == form.nodes


class Two(NamedTuple):
    """A coin, and what player 0 did, twice."""

    coin: i8
    first: i8
    second: i8


class Forgets(Game):
    """Player 0 acts twice, and forgets the first time if `what` is 0; if it is 1 its actions depend on a coin that it does not see."""

    def __init__(self, what: int = 0):
        self.what = what

    def initial(self):
        return Two(0, 0, 0)

    def to_move(self, s):
        return CHANCE if s.coin == 0 else 0

    def actions(self, s):
        if s.coin == 0 or s.second == 0:
            yield 1
            if s.coin != 2 or self.what == 0:
                yield 2

    def result(self, s, a):
        return Two(a, 0, 0) if s.coin == 0 else Two(s.coin, a, 0) if s.first == 0 else Two(s.coin, s.first, a)

    def is_terminal(self, s):
        return s.second > 0

    def utility(self, s, p):
        return 1 if p == 0 else -1

    def probability(self, s, a):
        return 0.5

    def observe(self, s, p):
        return (1 if s.first > 0 else 0, s.first if self.what == 1 else 0)


@pytest.mark.parametrize("interpreted", [True, False])
@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        (0, r"the same in 1 2 0 as in a state where the player has done other things before it: expected an observation of all that"),
        (1, r"the same in 2 0 0 as in a state where the player has other actions: expected an observation of all that"),
    ],
)
def test_what_a_player_forgets_is_refused(what, sentence, interpreted):
    with pytest.raises(ZermeloError, match=f"observe gives player 0 {sentence}"):
        sequence_form(Forgets(what), interpreted=interpreted)


def test_limits():
    with pytest.raises(ZermeloError, match="leduc has more than 9,000 nodes: expected fewer, or a higher limit"):
        sequence_form(zermelo.game("leduc"), limit=9000)
    with pytest.raises(ZermeloError, match=r"expected a limit of 1 to 4,294,967,295 nodes, not 0"):
        sequence_form(zermelo.game("leduc"), limit=0)
