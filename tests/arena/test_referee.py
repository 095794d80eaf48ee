"""One game: what players receive, faults, dice, and luck."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

import zermelo
from zermelo import ZermeloError
from zermelo.arena import referee
from zermelo.arena.clock import Clock, Control
from zermelo.arena.players.by_text import player
from zermelo.arena.players.player import Fault, Player, Thought
from zermelo.arena.rating.luck import Luck, knows_luck
from zermelo.arena.referee import BOOK, Terms, begin, outcome, play_game, points
from zermelo.games.pig import HOLD, ROLL, Pig
from zermelo.history import History
from zermelo.notation.sheet import Opening
from zermelo.rng import draw


class Scripted(Player):
    """Plays what it is told; an exception is raised."""

    text = "scripted"

    def __init__(self, *moves):
        self.moves: Iterator = iter(moves)

    def choose(self, game, state, clock):
        move = next(self.moves)
        if isinstance(move, Exception):
            raise move
        return game.read_action(state.state, move) if isinstance(move, str) else move


def told(game, players, **settings):
    entries = []
    ending = play_game(game, players, 1, tell=lambda ply, entry: entries.append((ply, entry)), **settings)
    assert [ply for ply, _ in entries] == list(range(len(entries)))
    return ending, [entry for _, entry in entries]


def test_a_game_to_its_end():
    game = zermelo.game("tictactoe")
    ending, entries = told(game, [Scripted("a1", "a2", "a3"), Scripted("b1", "b2")])
    assert (ending.result, ending.reason, ending.fault) == ((1.0, -1.0), "ended", None)
    assert [(e.seat, e.action) for e in entries] == [(0, "a1"), (1, "b1"), (0, "a2"), (1, "b2"), (0, "a3")]
    assert all(e.left is None for e in entries)


@pytest.mark.parametrize(
    ("move", "kind"),
    [
        ("illegal", "illegal move"),
        (1 << 40, "illegal move"),
        (None, "illegal move"),
        (True, "illegal move"),
        (Fault("death", "it is gone"), "death"),
        (Fault("hang", "no answer"), "hang"),
        (Fault("garbage", "what?"), "garbage"),
        (Fault("flood", "too much"), "flood"),
    ],
)
def test_who_is_at_fault_has_lost(move, kind):
    game = zermelo.game("tictactoe")
    taken = game.read_action(game.initial(), "a1")
    ending, entries = told(game, [Scripted("a1"), Scripted(taken if move == "illegal" else move)])
    assert (ending.result, ending.reason, ending.fault) == ((1.0, -1.0), kind, 1)
    assert ending.remark and "\n" not in ending.remark and len(entries) == 1


def test_to_resign_is_to_lose_but_no_fault():
    ending, _ = told(zermelo.game("tictactoe"), [Scripted("a1"), Scripted(Fault("resigned", "it resigned"))])
    assert (ending.result, ending.reason, ending.fault, ending.remark) == ((1.0, -1.0), "resigned", None, "it resigned")


def test_what_is_nobodys_fault_is_no_result():
    class Broken(Scripted):
        def begin(self, game, seat, seed):
            raise Fault("start", "there is no such program")

    with pytest.raises(ZermeloError, match="no such program"):
        told(zermelo.game("tictactoe"), [Scripted(), Broken()])
    with pytest.raises(ZermeloError, match=r"^scripted: the table is damaged$") as error:
        told(zermelo.game("tictactoe"), [Scripted("a1"), Scripted(ZermeloError("the table is damaged"))])
    assert not isinstance(error.value, Fault)


def test_time(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("zermelo.arena.referee.time.perf_counter", lambda: now[0])

    class Slow(Scripted):
        def choose(self, game, state, clock):
            now[0] += 0.75
            return super().choose(game, state, clock)

    terms = Terms(Control.read("2+0.25"))
    ending, entries = told(zermelo.game("tictactoe"), [Slow("a1", "b1", "c2", "c3"), Scripted("a2", "b2", "c1")], terms=terms)
    assert [e.left for e in entries if e.seat == 0] == [1.5, 1.0, 0.5]
    assert (ending.reason, ending.fault, ending.result) == ("time", 0, (-1.0, 1.0))
    assert "0.750 seconds but had 0.500" in ending.remark


def test_a_game_that_goes_on_too_long_is_drawn():
    ending, entries = told(zermelo.game("chess"), [player("random"), player("random")], terms=Terms(max_plies=30))
    assert (ending.result, ending.reason, len(entries)) == ((0.0, 0.0), "max plies", 30)


def test_a_position_that_comes_back_is_a_draw():
    there_and_back = ["Nf3", "Ng1"] * 4
    ending, entries = told(zermelo.game("chess"), [Scripted(*there_and_back), Scripted(*["Nf6", "Ng8"] * 4)])
    assert (ending.result, ending.reason, len(entries)) == ((0.0, 0.0), "repetition", 8)


def test_openings_are_played_first_and_marked():
    game = zermelo.game("tictactoe")
    opening = Opening("", ("b2", "a1"))
    ending, entries = told(game, [Scripted("b1", "b3"), Scripted("c3")], opening=opening)
    assert [e.note for e in entries] == [BOOK, BOOK, "", "", ""] and ending.result == (1.0, -1.0)
    with pytest.raises(ZermeloError, match=r"^the 2\. action of the opening: "):
        begin(game, Opening("", ("b2", "b2")))
    with pytest.raises(ZermeloError, match="goes on"):
        begin(game, Opening("", ("a1", "b1", "a2", "b2", "a3")))


def test_what_a_player_says_of_a_line_is_not_trusted():
    class Liar(Scripted):
        thought = Thought(math.inf, 3, 7, (0, 1 << 50, 3), "hm")

    _, entries = told(zermelo.game("chess"), [Liar("e4"), Scripted(Fault("death", "gone"))])
    assert entries[0].value is None and (entries[0].depth, entries[0].nodes, entries[0].note) == (3, 7, "hm")


def test_the_same_dice_for_both_sides_and_other_players():
    game = zermelo.game("backgammon")

    def rolls(first, second, stream):
        found = []
        terms = Terms(max_plies=60)
        players = [player(first), player(second)]
        play_game(game, players, 5, terms=terms, tell=lambda _, e: found.append(e.action) if e.seat < 0 else None, stream=stream)
        return found

    once, again = rolls("random", "greedy", 0), rolls("greedy", "random", 1)
    assert len(once) == len(again) >= 25 and once == again


def test_outcomes_come_by_their_probability():
    game = zermelo.game("backgammon")
    s = game.result(game.initial(), 6 << 3 | 1)
    s = game.result(s, next(game.actions(s)))
    seen = [outcome(game, s, draw(3, i)) for i in range(3600)]
    assert set(seen) == set(game.actions(s))
    doubles = sum(a >> 3 == a & 7 for a in seen)
    assert 500 < doubles < 700  # 600 expected, 22 the standard deviation


def test_points():
    assert [points((1.0, -1.0), p) for p in range(2)] == [1.0, 0.0]
    assert [points((0.0, 0.0), p) for p in range(2)] == [0.5, 0.5]
    assert [points((3.0, 1.0, 1.0), p) for p in range(3)] == [1.0, 0.25, 0.25]


# ---- luck --------------------------------------------------------------------------------------


class Judged(Pig):
    """Pig with an evaluation, which is wrong but not without sense."""

    def evaluate(self, s, p):
        return (s.scores[p] - s.scores[1 - p]) / (2.0 * self.target) + (s.total if p == s.turn else -s.total) / 50.0 + 0.125


def expectations(game, luck):
    """What player 0 gets on average, what it gets without luck, and the mean squares of both, over all games by a fixed policy.

    A 1 gives the turn away, so that games can go on for ever: the least likely are called off as draws, luck and all.
    """
    sums = [0.0] * 4

    def walk(s, chance, lucky):
        over = game.is_terminal(s)
        if over or chance < 1e-5:
            gain = game.utility(s, 0) if over else 0.0
            for i, x in enumerate((gain, gain - lucky, gain * gain, (gain - lucky) ** 2)):
                sums[i] += chance * x
        elif game.to_move(s) == zermelo.CHANCE:
            for a in game.actions(s):
                walk(game.result(s, a), chance * game.probability(s, a), lucky + luck.of(s, a)[0])
        else:
            legal = list(game.actions(s))
            bold = s.total < (4 if s.turn == 0 else 2)
            walk(game.result(s, ROLL if ROLL in legal and (bold or HOLD not in legal) else HOLD), chance, lucky)

    walk(game.initial(), 1.0, 0.0)
    return sums


def test_luck_is_nothing_on_average():
    """Over the whole tree of a small game: without luck the same mean, and less variance."""
    game = Judged(target=4, sides=3)
    plain, without, square, square_without = expectations(game, Luck(game, interpreted=True))
    assert without == pytest.approx(plain, abs=1e-9)
    assert square_without - without**2 < 0.6 * (square - plain**2)


def test_luck_is_measured_the_same_natively():
    game = zermelo.game("backgammon")
    slow, fast = Luck(game, interpreted=True), Luck(game)
    history = History(game)
    for i in range(8):
        s = history.state
        a = outcome(game, s, draw(2, i))
        if i in (0, 5):  # the interpreter takes seconds
            assert fast.of(s, a) == pytest.approx(slow.of(s, a))
        assert sum(fast.of(s, a)) == pytest.approx(0)
        history.do(a)
        history.do(game.sample(history.state, draw(3, i)))
    given = [game.probability(history.state, a) * fast.of(history.state, a)[0] for a in game.actions(history.state)]
    assert sum(given) == pytest.approx(0) and max(map(abs, given)) > 1e-4


def test_luck_needs_chance_and_an_evaluation():
    assert knows_luck(zermelo.game("backgammon")) and not knows_luck(zermelo.game("pig")) and not knows_luck(zermelo.game("chess"))


def test_clocks_are_kept_by_the_referee():
    seen = []

    class Reader(Scripted):
        def choose(self, game, state, clock: Clock):
            seen.append(tuple(clock.left))
            return super().choose(game, state, clock)

    told(zermelo.game("tictactoe"), [Reader("a1", "a2", "a3"), Reader("b1", "b2")], terms=Terms(Control.read("60")))
    assert seen[0] == (60.0, 60.0) and seen[1][0] < 60.0 and seen[1][1] == 60.0


class Corridor(zermelo.Game):
    """Two rooms: who is in the second could only go back, which is forbidden."""

    repetition = "forbidden"

    def initial(self):
        return (0, 0)

    def to_move(self, s):
        return s[1]

    def actions(self, s):
        yield 1 - s[0]

    def result(self, s, a):
        return (a, 1 - s[1])

    def is_terminal(self, s):
        return False

    def utility(self, s, p):
        return 0

    def repetition_key(self, s):
        return s[0]


def test_who_has_no_allowed_action():
    with pytest.raises(ZermeloError, match="like a pass, and in Corridor a player has none"):
        play_game(Corridor(), [player("random"), player("random")], 1)


class Endless(Corridor):
    """The same corridor without a rule about what comes back."""

    repetition = ""


def test_a_game_that_never_ends_is_refused(monkeypatch):
    monkeypatch.setattr(referee, "MAX_GAME_PLIES", 50)
    players = [player("random"), player("random")]
    with pytest.raises(ZermeloError, match="expected a game that ends, and one of Endless goes on after 50 plies: give --max-plies"):
        play_game(Endless(), players, 1)
    assert play_game(Endless(), players, 1, terms=Terms(max_plies=60)).reason == "max plies"
