"""The terms of chess that a model is fitted to (`chess:inputs=terms`), and the player `deepblue1997`."""

from __future__ import annotations

from collections import Counter

import pytest

import zermelo
from zermelo.arena.clock import Clock, Control
from zermelo.arena.players import deepblue
from zermelo.arena.players.by_text import player
from zermelo.errors import ZermeloError
from zermelo.games.chess import terms
from zermelo.games.chess.state import turned
from zermelo.history import History
from zermelo.rng import draw
from zermelo.search.evaluation import estimates
from zermelo.search.model.model import find_model, with_model

GAME = zermelo.game("chess:inputs=terms")


def on(*squares: str) -> int:
    return sum(1 << (ord(name[0]) - ord("a") + 8 * (int(name[1]) - 1)) for name in squares)


def inputs(s, p):
    """How often each input is on, with its sign."""
    found = Counter()
    for (first, step, sign), word in zip(GAME.plane_inputs, GAME.planes(s, p), strict=True):
        for b in range(64):
            if word >> b & 1:
                found[first + b * step] += sign
    return {i: x for i, x in found.items() if x}


def states(count, seed):
    history = History(GAME)
    for i in range(count):
        if history.is_over:
            history = History(GAME)
        history.do(GAME.sample(history.state, draw(seed, i)))
        if not history.is_over:
            yield history.state


def test_sets_of_pawns() -> None:
    sets = terms.squares(GAME.read_state("4k3/2p5/7p/1P6/P1P5/8/P3P3/4K3 w - - 0 1"))
    pawns, passed, isolated, doubled, connected = (sets[k] for k in (0, 6, 7, 8, 10))
    assert pawns == on("a2", "a4", "b5", "c4", "e2")
    assert passed == on("a4", "e2")  # c7 stops the others, and a2 has one of its own before it
    assert isolated == on("e2")
    assert doubled == on("a4")  # with one of its own behind it
    assert connected == on("b5")  # guarded by a4 and c4


def test_counts() -> None:
    counted = [word.bit_count() for word in terms.counts(GAME.read_state("6k1/5ppp/8/3q4/4P3/3N4/5PPP/R3R1K1 w - - 0 1"))]
    assert counted[5] == 3  # pawns before the king
    assert counted[7] == 1  # a pawn attacks the queen
    assert counted[13] == 0 and counted[14] == 1  # rooks on files without own pawns, and without any
    assert counted[15] == 0  # no pair of bishops


def test_phases() -> None:
    boards = ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "2rr2k1/5ppp/8/8/8/8/5PPP/2RR2K1", "4k3/8/8/8/8/8/4P3/4K3")
    assert [GAME.phase(GAME.read_state(f"{board} w - - 0 1")) for board in boards] == [0, 1, 2]
    assert zermelo.game("chess").phases == 1


def test_inputs_do_not_depend_on_colour_or_wing() -> None:
    for s in states(120, 1):
        p = GAME.to_move(s)
        seen = inputs(s, p)
        assert {i: -x for i, x in seen.items()} == inputs(s, 1 - p)  # what one has the other has not
        assert seen == inputs(turned(turned(s)), p)
        for image in GAME.symmetries(s):
            assert seen == inputs(image, p)


def test_a_linear_model_gives_values_in_units_of_the_evaluation() -> None:
    judged = with_model(GAME, find_model("learned", GAME))
    assert judged.quiet_margin == GAME.quiet_margin
    assert with_model(GAME, find_model("learned", GAME), in_shares=True).quiet_margin == 0.0
    queen_up, even = (GAME.read_state(f"{rank}/pppppppp/8/8/8/8/PPPPPPPP/3QK3 w - - 0 1") for rank in ("4k3", "3qk3"))
    white, black = estimates(judged, queen_up)
    assert white == -black and 0.02 < white < 0.2 and abs(estimates(judged, even)[0]) < 0.01


def test_deepblue_has_a_book_tables_and_terms(monkeypatch) -> None:
    asked = []
    monkeypatch.setattr(deepblue.DeepBluePlayer, "_use_tables", lambda self, game, pieces: asked.append((repr(game), pieces)))
    game, clock = zermelo.game("chess"), Clock(Control(), 2)
    side = player("deepblue1997:depth=1,interpreted=true")
    side.begin(game, 0, 1)
    assert asked == [("chess:inputs=terms", "3")] and side.text == "deepblue1997:depth=1,interpreted=true"
    history = History(game)
    side.choose(game, history, clock)
    assert side.thought.note == "from the book"
    won = History(game, game.read_state("4k3/8/8/3q4/8/8/4P3/3QK3 w - - 0 1"))
    assert game.write_action(won.state, side.choose(game, won, clock)) == "Qxd5"
    for other in ("tictactoe", "chess:start=0", "chess:draws=false"):
        with pytest.raises(ZermeloError, match="deepblue1997 plays chess: expected that, not "):
            player("deepblue1997").begin(zermelo.game(other), 0, 0)


def test_inputs_must_be_known() -> None:
    with pytest.raises(ZermeloError, match="chess: expected inputs pieces or terms, not 'squares'"):
        zermelo.game("chess:inputs=squares")


@pytest.mark.slow
def test_native_searches_with_terms_are_interpreted_ones() -> None:
    native, interpreted = (zermelo.AlphaBeta(depth=3, eval="learned", interpreted=x) for x in (False, True))
    for s in states(6, 2):
        a, b = native.search(GAME, s), interpreted.search(GAME, s)
        assert (a.action, a.nodes, a.value) == (b.action, b.nodes, b.value)
