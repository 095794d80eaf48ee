"""Players by text: they read back; search players obey the clock, and the rules that need the history."""

from __future__ import annotations

import json

import pytest

import zermelo
from zermelo.arena.clock import Clock, Control
from zermelo.arena.players import search_player
from zermelo.arena.players.by_text import describe, player
from zermelo.arena.players.player import Fault
from zermelo.arena.players.search_player import playing_for, strongest_for
from zermelo.errors import ZermeloError
from zermelo.game import CHANCE
from zermelo.history import History
from zermelo.lower import native as native_code
from zermelo.rng import below, draw
from zermelo.search import by_name
from zermelo.search.searcher import Result

NONE = Clock(Control(), 2)


def play(text, players, seed=1, control="none", most=400):
    """A game between players; the history of it."""
    game = zermelo.game(text)
    sides = [player(p) for p in players]
    for seat, side in enumerate(sides):
        side.begin(game, seat, seed)
    history, clock = History(game), Clock(Control.read(control), game.players)
    while not history.is_over and len(history.taken) < most:
        p = game.to_move(history.state)
        if p == CHANCE:
            actions = list(game.actions(history.state))
            history.do(actions[below(draw(seed, len(history.taken)), len(actions))])
        else:
            history.do(sides[p].choose(game, history, clock))
    for side in sides:
        side.close()
    return history


@pytest.mark.parametrize(
    "text",
    [
        "alphabeta:seconds=1,table=64",
        "mcts:simulations=5000",
        "expectiminimax:bounds=-3,3,depth=2",
        "default",
        "default:seconds=2",
        "random",
        "greedy",
        "uci:stockfish?UCI_Elo=1800&Threads=1",
        "gtp:gnugo --mode gtp --level 10",
        "gnubg:plies=0",
        "json:some program --with 'a space'",
        "human",
        "level:3",
    ],
)
def test_a_player_is_written_as_it_was_read(text):
    assert player(text).text == text
    assert player(f" {text} ").text == text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("alfabeta", "did you mean alphabeta"),
        ("", "there is no player"),
        ("alphabeta:", "expected settings as name=value"),
        ("alphabeta:5", "expected settings as name=value"),
        ("alphabeta:depth=x", "expected a whole number"),
        ("alphabeta:dept=3", "did you mean depth"),
        ("alphabeta:depth=3,depth=4", "expected depth once"),
        ("mcts:simulations=0", "expected simulations"),
        ("uci:", "expected a command"),
        ("uci:stockfish?depth=x", "expected a whole number"),
        ("uci:stockfish?=1", "expected options"),
        ("gtp:gnugo 'x", "is not a command"),
        ("gnubg:plies=x", "expected plies"),
        ("gnubg:depth=3", "expected plies"),
        ("lookup:/no/such/file", "cannot be read"),
        ("random:3", "there is no player"),
    ],
)
def test_what_is_no_player_is_refused_in_one_sentence(text, told):
    with pytest.raises(ZermeloError, match=told) as refusal:
        player(text)
    assert "\n" not in str(refusal.value)


def test_all_kinds_are_listed():
    forms = [form for form, _ in describe()]
    assert all(any(form.startswith(name) for form in forms) for name in [*by_name.names(), "uci:", "gtp:", "gnubg:", "json:", "human"])
    assert all(about for _, about in describe())


@pytest.mark.parametrize("name", sorted(set(by_name.names())))
def test_every_searcher_plays(name):
    text = {"maxn": "trio", "paranoid": "trio"}.get(name, "tictactoe")
    others = ["random"] * (2 if text == "trio" else 1)
    limit = "nodes=500" if name not in ("minimax", "plain") else "depth=3"
    assert play(text, [f"{name}:{limit},interpreted=true", *others]).is_over


def test_the_default_player_asks_the_network_where_that_plays_best(monkeypatch):
    go, small = zermelo.game("go"), zermelo.game("go:size=5")
    usual = ("mcts", {"policy": "game", "rave": "1000", "prior": "20", "ripe": "4", "exploration": "0.05"})
    monkeypatch.setattr(search_player, "find_spec", lambda name: object())
    assert strongest_for(go, {"seconds": "2"}) == ("mcts", {"net": "learned"})
    assert strongest_for(zermelo.game("othello"), {}) == ("mcts", {"net": "learned"})
    assert strongest_for(zermelo.game("othello:score=true"), {})[0] == "alphabeta"
    assert strongest_for(go, {"simulations": "100"}) == strongest_for(go, {"threads": "2"}) == strongest_for(small, {}) == usual
    monkeypatch.setattr(search_player, "find_spec", lambda name: None if name == "onnx" else object())
    assert strongest_for(go, {}) == usual  # the extra is not installed


def test_the_default_player_searches_by_depth_where_that_is_asked_for_or_a_model_evaluates():
    pig = zermelo.game("pig")
    assert playing_for(pig, {"seconds"}) == playing_for(pig, {"simulations", "interpreted"}) == ("mcts", {})
    assert playing_for(pig, {"seconds", "eval"}) == playing_for(pig, {"depth"}) == ("expectiminimax", {})
    assert playing_for(zermelo.game("connect4"), {"nodes"}) == ("alphabeta", {})


@pytest.mark.parametrize("text", ["default:nodes=40,interpreted=true", "default:simulations=40,interpreted=true", "level:8"])
def test_the_default_player_sees_the_end_of_a_game_without_an_evaluation(text):
    nim, large, one = zermelo.game("nim:heaps=2,3"), zermelo.game("mnk:width=5,height=5,line=4"), player(text)
    one.begin(nim, 0, 1)
    a = one.choose(nim, History(nim), NONE)
    assert nim.result(nim.initial(), a).heaps == (2, 2)
    assert one.thought.value == 1.0
    one.begin(large, 0, 1)
    assert one.choose(large, History(large), NONE) in range(25)
    assert one.thought.nodes in (40, 2532), "the end is too far: the answer is a tree's"


@pytest.mark.parametrize("text", ["kuhn", "pig", "backgammon", "whist:ranks=2", "hex:size=4", "go:size=3", "othello:size=4"])
def test_the_default_and_the_baselines_play_any_game(text):
    game = zermelo.game(text)
    players = ["default:nodes=20,interpreted=true", "greedy", "random", "random"][: game.players]
    assert play(text, players, most=60).taken


def test_the_same_seed_plays_the_same_game():
    games = [tuple(play("connect4", ["greedy", "random"], seed).taken) for seed in (1, 1, 2, 3)]
    assert games[0] == games[1]
    assert len(set(games)) > 1
    trees = ["mcts:simulations=50,interpreted=true", "random"]
    assert play("tictactoe", trees, 5).taken == play("tictactoe", trees, 5).taken


def test_greedy_takes_what_wins_at_once():
    game = zermelo.game("connect4")
    history = History(game)
    for word in "414141":
        history.do(game.read_action(history.state, word))
    greedy = player("greedy")
    greedy.begin(game, 0, 0)
    assert game.write_action(history.state, greedy.choose(game, history, NONE)) == "4"
    assert greedy.thought.value == 1.0


def test_a_search_tells_what_it_thought():
    game = zermelo.game("tictactoe")
    side = player("alphabeta:interpreted=true,depth=9")
    side.begin(game, 0, 0)
    a = side.choose(game, History(game), NONE)
    assert side.thought.value == 0.0 and side.thought.nodes > 100
    assert side.thought.line[0] == a and side.searcher.depth == 9


def test_a_forced_move_is_played_at_once():
    game = zermelo.game("tictactoe")
    history = History(game)
    for a in (0, 1, 2, 4, 3, 5, 7, 6):
        history.do(a)
    side = player("alphabeta")
    side.begin(game, 0, 0)
    assert side.choose(game, history, NONE) == 8
    assert side.thought.note == "the only action"


def test_no_depth_is_begun_after_the_soft_limit(monkeypatch):
    game, begun, now = zermelo.game("connect4"), [], [0.0]
    side = player("alphabeta:interpreted=true")
    side.begin(game, 0, 0)
    side._thinking = None

    def deepen(self, game, state, stop):
        for depth in range(1, 100):
            begun.append(now[0])
            now[0] += 0.1
            yield Result(3, 0.0, (0.0, 0.0), (3,), depth, 1, 1, 0.1, {3: 0.0}, False)

    monkeypatch.setattr(type(side.searcher), "deepen", deepen)
    monkeypatch.setattr("zermelo.arena.players.search_player.time.perf_counter", lambda: now[0])
    list(side.steps(History(game), 0.45, 60.0))
    assert max(begun) < 0.45 and len(begun) == 5


def test_limits_come_from_the_player_or_the_clock():
    game = zermelo.game("connect4")
    own, free, tree = player("alphabeta:seconds=1"), player("alphabeta"), player("mcts")
    for side in (own, free, tree):
        side.begin(game, 0, 0)
    clock = Clock(Control.read("60+1"), 2)
    assert own.limits(clock, 0) == (None, pytest.approx(60 - 0.03))
    assert own.searcher.seconds == 1.0
    soft, hard = free.limits(clock, 0)
    assert 2 < soft < hard < 30
    assert tree.limits(clock, 0) == (soft, soft)
    assert own.limits(NONE, 0) == (None, None)
    assert free.limits(NONE, 0) == (1.0, 1.0)


@pytest.mark.parametrize("left", [0.05, 0.0])
def test_with_hardly_any_time_left_there_still_is_a_move(left):
    game = zermelo.game("connect4")
    for name in ("alphabeta", "mcts"):
        side, clock = player(name), Clock(Control.read("1+0.01"), 2)
        side.begin(game, 0, 0)
        clock.left = [left, left]
        assert side.choose(game, History(game), clock) in game.actions(game.initial())


def test_a_tree_is_kept_from_move_to_move():
    game = zermelo.game("connect4")
    side, history = player("mcts:simulations=2000"), History(game)
    side.begin(game, 0, 0)
    history.do(side.choose(game, history, NONE))
    history.do(next(iter(history.actions())))
    side.choose(game, history, NONE)
    assert side._thinking.kept > 0


def test_a_position_that_may_not_come_back_is_not_chosen():
    """The only good move of White takes back a ko that superko forbids: neither a tree nor a look ahead may play it."""
    game = zermelo.game("go:size=3,komi=0")
    for name in ("mcts:simulations=300,interpreted=true", "alphabeta:depth=2,interpreted=true", "greedy", "random"):
        for seed in range(3):
            history = play("go:size=3,komi=0", [name, "random"], seed, most=40)
            positions = [game.repetition_key(s) for s in history.states]
            again = [p for i, p in enumerate(positions) if p in positions[:i] and p != positions[i - 1]]
            assert not again


def test_what_is_hidden_is_not_looked_at():
    """In Kuhn poker the choice may not depend on the card that the player does not see."""
    game = zermelo.game("kuhn")
    side = player("default:interpreted=true")
    chosen = {}
    for deal in game.actions(game.initial()):
        history = History(game)
        history.do(deal)
        while game.to_move(history.state) == CHANCE:
            history.do(next(iter(game.actions(history.state))))
        p = game.to_move(history.state)
        side.begin(game, p, 7)
        seen = str(game.observe(history.state, p))
        chosen.setdefault(seen, set()).add(side.choose(game, history, NONE))
    assert all(len(actions) == 1 for actions in chosen.values())


def test_lookup_plays_what_the_file_says(tmp_path):
    game = zermelo.game("tictactoe")
    start = game.write_state(game.initial())
    first = game.write_action(game.initial(), 4)
    for name, text in (("a.json", json.dumps({start: first})), ("b.jsonl", json.dumps({"state": start, "action": first}) + "\n")):
        (tmp_path / name).write_text(text)
        side = player(f"lookup:{tmp_path / name}|greedy")
        side.begin(game, 0, 0)
        history = History(game)
        assert side.choose(game, history, NONE) == 4
        history.do(4)
        assert side.choose(game, history, NONE) != 4
    (tmp_path / "bad.json").write_text(json.dumps({start: "z9"}))
    side = player(f"lookup:{tmp_path / 'bad.json'}")
    side.begin(game, 0, 0)
    with pytest.raises(Fault) as fault:
        side.choose(game, History(game), NONE)
    assert fault.value.kind == "illegal move"
    (tmp_path / "worse.json").write_text("[1, 2")
    with pytest.raises(ZermeloError, match="line 1"):
        player(f"lookup:{tmp_path / 'worse.json'}")


def test_a_person_is_asked():
    game = zermelo.game("tictactoe")
    side = player("human", ask=lambda game, history: 5)
    side.begin(game, 0, 0)
    assert side.choose(game, History(game), NONE) == 5
    with pytest.raises(Fault, match="nobody"):
        player("human").begin(game, 0, 0)


def test_a_searcher_that_cannot_play_the_game_says_so_at_the_start():
    with pytest.raises(ZermeloError, match="Expectiminimax"):
        player("alphabeta").begin(zermelo.game("pig"), 0, 0)


@pytest.mark.parametrize("text", ["default", "mcts:net=learned"])
def test_no_native_code_is_made_while_the_clock_runs(text, monkeypatch):
    """Neither for a tree as large as a search by the clock has it, nor where the end of the game is solved."""
    if "net" in text:
        pytest.importorskip("onnxruntime")
    game, side, asked = zermelo.game("othello"), player(text), []
    side.begin(game, 0, 1)
    real = native_code._kept
    monkeypatch.setattr(native_code, "_kept", lambda key: asked.append(key) or real(key))
    history, clock = History(game), Clock(Control.read("0.05/move"), 2)
    while not history.is_over:
        random = draw(5, len(history.taken))
        is_early = len(history.taken) < 30
        history.do(game.sample(history.state, random) if is_early else side.choose(game, history, clock))
    side.close()
    assert not asked
