"""Opening books: what is counted, files that are damaged or of another game, choosing, drop-out expansion; Polyglot has its own tests."""

from __future__ import annotations

import itertools
import json
import math
import os
from collections import Counter

import pytest
from helpers_cli import called, refusal

import zermelo
from zermelo.arena.books import files
from zermelo.arena.books.book import MAGIC, Book, Entry, fingerprint, position_of
from zermelo.arena.books.choice import choose
from zermelo.arena.books.counting import count_games, weigh_by_games
from zermelo.arena.books.dropout import LOSS, Expansion, expand
from zermelo.arena.clock import Clock, Control
from zermelo.arena.players import chinook
from zermelo.arena.players.by_text import player
from zermelo.arena.records.record_formats import read, write
from zermelo.errors import ZermeloError
from zermelo.games.tictactoe import TicTacToe
from zermelo.history import History, written_down
from zermelo.rng import below, draw
from zermelo.search.minimax import Minimax

CHESS, TTT = zermelo.game("chess"), zermelo.game("tictactoe")
DATA = os.environ.get("ZERMELO_DATA")
GAMES = """[White "A"]
[Black "B"]
[WhiteElo "2400"]
[BlackElo "2000"]
[Result "1-0"]

1. e4 e5 2. Nf3 1-0

[White "B"]
[Black "A"]
[WhiteElo "2000"]
[BlackElo "2200"]
[Result "1/2-1/2"]

1. e4 c5 2. Nf3 1/2-1/2

[White "A"]
[Black "C"]
[WhiteElo "2400"]
[Result "0-1"]

1. Nf3 e5 2. e4 Nc6 0-1

[White "A"]
[Black "C"]
[Result "*"]

1. d4 *
"""


def after(game, text):
    s = game.initial()
    for word in text.split():
        s = game.result(s, game.read_action(s, word))
    return s


def counted(text=GAMES, plies=24):
    book = Book(CHESS)
    count_games(book, read("pgn", text.encode()), plies)
    weigh_by_games(book)
    return book


def named(book, s):
    return {book.game.write_action(s, a): e for a, e in book.moves(s).items()}


def content(book):
    return {key: {a: repr(e) for a, e in known.items()} for key, known in book.positions.items()}


# ---- counting ----------------------------------------------------------------------------------


def test_games_results_and_performance_are_counted():
    first = named(counted(), CHESS.initial())
    assert set(first) == {"e4", "d4", "Nf3"}
    e4 = first["e4"]
    assert (e4.games, e4.wins, e4.draws, e4.losses, e4.weight) == (2, 1, 1, 0, 3)
    assert e4.score == 0.75 and e4.performance == pytest.approx((2000 + 2200) / 2 + 400 * math.log10(3))
    assert (first["Nf3"].games, first["Nf3"].losses, first["Nf3"].weight, first["Nf3"].performance) == (1, 1, 0, None)
    assert (first["d4"].games, first["d4"].score, first["d4"].weight) == (1, None, 1)  # a game without a result


def test_lines_that_transpose_meet_and_black_counts_as_black():
    book = counted()
    both = named(book, after(CHESS, "e4 e5 Nf3"))
    assert set(both) == {"Nc6"} and named(book, after(CHESS, "Nf3 e5 e4"))["Nc6"].wins == 1
    assert named(book, after(CHESS, "e4"))["e5"].losses == 1
    assert named(book, after(CHESS, "e4"))["e5"].performance == 2400 - 800


def test_plies_and_least_games():
    book = counted(plies=1)
    assert len(book.positions) == 1
    book.keep(2)
    assert set(named(book, CHESS.initial())) == {"e4"}
    book.keep(3)
    assert not book.positions


def test_every_format_of_games_makes_a_book(tmp_path, capsys):
    """Records, JSON, PDN, SGF and .mat: whatever the game reads."""
    sources = {
        "checkers": ("g.pdn", '[Result "1-0"]\n\n1. 11-15 23-19 2. 8-11 22-17 1-0\n'),
        "go:size=9": ("g.sgf", "(;GM[1]FF[4]SZ[9]KM[7.5]RE[B+R];B[ee];W[ec];B[gd])"),
    }
    for game, (name, text) in sources.items():
        (tmp_path / name).write_text(text)
        told = json.loads(called(capsys, "book", "build", game, str(tmp_path / "b.book"), "--from", str(tmp_path / name), "--json").out)
        assert told["games"] == 1 and told["positions"] >= 3, game
    history = History(zermelo.game("backgammon"))
    for i in range(12):
        actions = list(history.actions())
        history.do(actions[below(draw(1, i), len(actions))])
    (tmp_path / "g.mat").write_text(write("mat", [written_down(history, ("a", "b"), {}, None)]))
    called(capsys, "book", "build", "backgammon", str(tmp_path / "b.book"), "--from", str(tmp_path / "g.mat"))
    assert len(Book.read(tmp_path / "b.book", history.game).positions) == 6  # without those where dice are rolled
    record = str(tmp_path / "r.sqlite")
    called(capsys, "match", "tictactoe", "random", "random", "--games", "6", "--record", record, "--seed", "3")
    called(capsys, "export", "--record", record, str(tmp_path / "games.json"))
    for source in (record, str(tmp_path / "games.json")):
        told = json.loads(called(capsys, "book", "build", "tictactoe", str(tmp_path / "t.book"), "--from", source, "--json").out)
        assert told["games"] == 6
        assert sum(e.games for e in Book.read(tmp_path / "t.book", TTT).moves(TTT.initial()).values()) == 6


def test_a_game_of_another_kind_is_refused():
    with pytest.raises(ZermeloError, match="game 1 is one of chess:draws=false: expected a game of tictactoe"):
        count_games(Book(TTT), read("pgn", GAMES.encode()), 5)


# ---- files -------------------------------------------------------------------------------------


def test_a_book_is_read_as_it_was_written(tmp_path):
    book = counted()
    book.save(tmp_path / "b")
    again = Book.read(tmp_path / "b", CHESS)
    assert content(again) == content(book)
    assert Book.read(tmp_path / "b", zermelo.game("chess:draws=false")).positions.keys() == book.positions.keys()
    Book(TTT).save(tmp_path / "empty")
    assert not Book.read(tmp_path / "empty", TTT).positions


def test_damage_is_told_in_a_sentence(tmp_path):
    counted().save(tmp_path / "b")
    whole = (tmp_path / "b").read_bytes()
    for size in (0, 5, len(MAGIC), len(MAGIC) + 20, 80, len(whole) // 2, len(whole) - 1):
        (tmp_path / "cut").write_bytes(whole[:size])
        with pytest.raises(ZermeloError, match=r"cut is (not an opening book|damaged)"):
            Book.read(tmp_path / "cut", CHESS)
    for at in range(0, len(whole), 7):
        (tmp_path / "flipped").write_bytes(whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :])
        with pytest.raises(ZermeloError, match=r"flipped is (not an opening book|damaged)"):
            Book.read(tmp_path / "flipped", CHESS)
    with pytest.raises(ZermeloError, match="b is a book of chess: expected one of tictactoe"):
        Book.read(tmp_path / "b", TTT)
    with pytest.raises(ZermeloError, match="none cannot be read"):
        Book.read(tmp_path / "none", CHESS)


class Changed(TicTacToe):
    """Tic-tac-toe without the corner."""

    name = "tictactoe"

    def actions(self, s):
        yield from (a for a in super().actions(s) if a)


def test_other_rules_are_told(tmp_path):
    Book(TTT).save(tmp_path / "b")
    assert fingerprint(Changed()) != fingerprint(TTT)
    with pytest.raises(ZermeloError, match="b was made with other rules of tictactoe: build it again"):
        Book.read(tmp_path / "b", Changed())


def test_a_full_disk_leaves_the_old_book(tmp_path, monkeypatch):
    counted().save(tmp_path / "b")
    before = (tmp_path / "b").read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    for name in ("b", "b.bin"):
        with pytest.raises(ZermeloError, match=f"{name} cannot be written: No space left on device"):
            files.save(tmp_path / name, counted(plies=2))
    assert (tmp_path / "b").read_bytes() == before and len(list(tmp_path.iterdir())) == 1


# ---- choosing ----------------------------------------------------------------------------------


def weighted(*weights):
    book = Book(TTT)
    for a, weight in enumerate(weights):
        book.entry(TTT.initial(), a).weight = weight
    return book


def shares(book, variety, many=2000):
    found = Counter(choose(book, History(TTT), variety, draw(5, i)) for i in range(many))
    return [found[a] / many for a in range(3)]


def test_variety():
    book = weighted(6, 3, 1, 0)
    assert shares(book, 0) == [1, 0, 0]
    assert shares(book, 1) == pytest.approx([0.6, 0.3, 0.1], abs=0.02)
    assert shares(book, 0.5) == pytest.approx([36 / 46, 9 / 46, 1 / 46], abs=0.02)
    assert shares(book, 100) == pytest.approx([1 / 3] * 3, abs=0.03)
    assert choose(weighted(0, 0), History(TTT), 1, 7) is None
    assert choose(Book(TTT), History(TTT), 1, 7) is None


def test_players_take_actions_from_the_book(tmp_path):
    weighted(0, 5).save(tmp_path / "b")
    for text in ("alphabeta:depth=2", "mcts:simulations=20", "default:depth=1,variety=0"):
        side = player(f"{text},interpreted=true,book={tmp_path / 'b'}")
        side.begin(TTT, 0, 1)
        history = History(TTT)
        assert side.choose(TTT, history, Clock(Control(), 2)) == 1 and side.thought.note == "from the book"
        history.do(1)
        assert side.choose(TTT, history, Clock(Control(), 2)) in set(history.actions()) and side.thought.note == ""


def test_the_seed_decides(tmp_path):
    weighted(*[1] * 9).save(tmp_path / "b")
    side, found = player(f"alphabeta:depth=1,interpreted=true,book={tmp_path / 'b'}"), []
    for seed in (*range(12), 3):
        side.begin(TTT, 0, seed)
        found.append(side.choose(TTT, History(TTT), Clock(Control(), 2)))
    assert len(set(found)) > 4 and found[-1] == found[3]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("alphabeta:variety=-1", "expected variety from 0.0 to 100.0, not '-1'"),
        ("alphabeta:variety=much", "expected variety from 0.0 to 100.0, not 'much'"),
    ],
)
def test_a_variety_that_is_none(text, sentence):
    with pytest.raises(ZermeloError, match=sentence):
        player(text)


@pytest.mark.parametrize(("file", "sentence"), [("no.book", "there is no book 'no.book'"), ("shipped", "comes without an opening book")])
def test_a_book_that_is_not_there(file, sentence):
    with pytest.raises(ZermeloError, match=sentence):
        player(f"alphabeta:book={file}").begin(TTT, 0, 0)


SHIPPED = {"chess": 2_901, "othello": 250, "checkers": 166}


@pytest.mark.parametrize("name", SHIPPED)
def test_books_that_come_with_games(name):
    """They are of the rules as they are now, and play begins with them."""
    game = zermelo.game(name)
    book = files.find_book("shipped", game)
    assert len(book.positions) == SHIPPED[name]
    seen = sum(1 for _ in itertools.islice(book.states(), 60))
    assert seen == 60
    side = player("alphabeta:depth=1,interpreted=true,book=shipped")
    side.begin(game, 0, 2)
    history = History(game)
    for _ in range(4):
        history.do(side.choose(game, history, Clock(Control(), 2)))
        assert side.thought.note == "from the book"


def test_the_book_of_backgammon():
    """All opening rolls and all replies to the best plays; where theory has one answer, that is it."""
    game = zermelo.game("backgammon")
    book = files.find_book("shipped", game)
    assert len(book.positions) == 660
    best, start = dict[str, str](), game.initial()
    for roll in game.actions(start):
        s = game.result(start, roll)
        (a,) = book.moves(s)
        best[game.write_action(start, roll)] = game.write_action(s, a)
        t = game.result(s, a)
        assert all(len(book.moves(game.result(t, b))) == 1 for b in game.actions(t))
    points = {"31": "8/5 6/5", "42": "8/4 6/4", "53": "8/3 6/3", "61": "13/7 8/7", "65": "24/13"}
    assert {roll: best[roll] for roll in points} == points and len(best) == 30
    assert all(best[roll] == best[roll[::-1]] for roll in best)  # whoever begins


def test_chinook_has_a_book_and_tables(tmp_path, monkeypatch):
    game = zermelo.game("checkers")
    monkeypatch.setattr(chinook, "PIECES", "2")
    monkeypatch.setattr(chinook, "tables_folder", lambda: tmp_path)
    side, clock = player("chinook:depth=2,interpreted=true"), Clock(Control(), 2)
    side.begin(game, 0, 1)
    assert len(list(tmp_path.iterdir())) == 1 and side.text == "chinook:depth=2,interpreted=true"
    side.choose(game, History(game), clock)
    assert side.thought.note == "from the book"
    assert side.searcher.search(game, game.read_state("B:W30:BK15")).exact
    with pytest.raises(
        ZermeloError, match="chinook needs an opening book and numbered endings: expected a game that has them, not tictactoe"
    ):
        player("chinook").begin(TTT, 0, 0)


# ---- drop-out expansion ------------------------------------------------------------------------


def exact(s):
    """What a state of tic-tac-toe is worth to its player to move."""
    if TTT.is_terminal(s):
        return TTT.utility(s, TTT.to_move(s))
    return max(-exact(TTT.result(s, a)) for a in TTT.actions(s))


SHALLOW = Minimax(depth=2, interpreted=True)


def test_values_of_the_book_are_backed_up():
    """With searches that see nothing, all that a position is worth comes from the ends of the game in the book below it."""
    book, late = Book(TTT), after(TTT, "a1 b1 c1")
    expansion = Expansion(book, SHALLOW)
    expansion.start = late
    expansion.run(10_000, lambda n: None)
    values = expansion.values()
    assert len(values) > 100
    assert all(values[position_of(TTT, node.s)] == exact(node.s) for node in expansion.nodes.values())


def costs(expansion, s, cost, values):
    """Yield the cost of every line that leads out of the book, by the definition."""
    key = position_of(TTT, s)
    if key not in expansion.nodes:
        if not TTT.is_terminal(s):
            yield cost, key
        return
    for a in TTT.actions(s):
        t = TTT.result(s, a)
        child = position_of(TTT, t)
        q = -values[child] if child in values else expansion.nodes[key].found[a]
        yield from costs(expansion, t, cost + 1 + LOSS * (values[key] - q), values)


def test_the_least_bad_line_is_extended():
    book = Book(TTT)
    expansion = Expansion(book, SHALLOW)
    for _ in range(25):
        found = position_of(TTT, expansion.next_state())
        lines = list(costs(expansion, TTT.initial(), 0.0, expansion.values()))
        best = min(cost for cost, _ in lines)
        assert found in {key for cost, key in lines if cost <= best + 1e-9}
        expansion.run(len(expansion.nodes) + 1, lambda n: None)


def test_an_expansion_that_is_interrupted_goes_on(tmp_path):
    whole, part = Book(TTT), Book(TTT)
    assert expand(whole, SHALLOW, 30) == 30
    expand(part, SHALLOW, 11, lambda: part.save(tmp_path / "b"))
    again = Book.read(tmp_path / "b", TTT)
    expand(again, SHALLOW, 30)
    assert content(again) == content(whole)
    first = whole.moves(TTT.initial())
    assert max(e.weight for e in first.values()) == 1000 and not any(math.isnan(e.value) for e in first.values())


def test_with_chance_the_likeliest_positions_come_first(tmp_path):
    """Each with its best action; interrupted, it goes on to the same book."""
    game, searcher = zermelo.game("pig"), zermelo.Expectiminimax(depth=3, interpreted=True)
    whole, part = Book(game), Book(game)
    assert expand(whole, searcher, 9) == 9
    expand(part, searcher, 4, lambda: part.save(tmp_path / "b"))
    again = Book.read(tmp_path / "b", game)
    assert expand(again, searcher, 9) == 9 and content(again) == content(whole)
    likely, left = list[int](), [(1.0, game.initial())]
    while len(likely) < 9:
        chance, s = left.pop(left.index(max(left, key=lambda pair: pair[0])))
        if game.to_move(s) < 0:
            left += [(chance * game.probability(s, a), game.result(s, a)) for a in game.actions(s)]
        elif position_of(game, s) not in likely:
            likely.append(position_of(game, s))
            best = searcher.search(game, s)
            assert {a: (e.weight, e.value) for a, e in whole.moves(s).items()} == {best.action: (1000, best.values[game.to_move(s)])}
            left.append((chance, game.result(s, best.action)))
    assert set(likely) == set(whole.positions)


def test_what_cannot_be_expanded():
    for name in ("leduc", "trio"):
        with pytest.raises(ZermeloError, match=f"{name} has no expansion: expected a game of two players without hidden information"):
            expand(Book(zermelo.game(name)), SHALLOW, 3)


# ---- commands ----------------------------------------------------------------------------------


def test_build_show_merge_edit_and_expand(tmp_path, capsys):
    (tmp_path / "g.pgn").write_text(GAMES)
    file, other = str(tmp_path / "b.book"), str(tmp_path / "c.bin")
    told = json.loads(called(capsys, "book", "build", "chess", file, "--from", str(tmp_path / "g.pgn"), "--json").out)
    assert (told["games"], told["skipped"], told["actions"]) == (4, 0, 10)
    part = json.loads(called(capsys, "book", "build", "chess", file, "--from", str(tmp_path / "g.pgn"), "--limit", "1", "--json").out)
    assert (part["games"], part["actions"]) == (1, 3)
    called(capsys, "book", "build", "chess", file, "--from", str(tmp_path / "g.pgn"))
    shown = json.loads(called(capsys, "book", "show", file, "--json").out)
    assert [(a["action"], a["weight"], a["games"]) for a in shown["actions"]] == [("e4", 3, 2), ("d4", 1, 1), ("Nf3", 0, 1)]
    assert "e4" in called(capsys, "book", "show", file).out and "Nc6" in called(capsys, "book", "show", file, "--after", "e4 e5 Nf3").out
    called(capsys, "book", "edit", file, "--set", "d4=7", "--remove", "Nf3")
    shown = json.loads(called(capsys, "book", "show", file, "--json").out)
    assert [(a["action"], a["weight"]) for a in shown["actions"]] == [("d4", 7), ("e4", 3)]
    assert shown["actions"][0]["share"] == 0.7
    called(capsys, "book", "merge", other, file, file)
    shown = json.loads(called(capsys, "book", "show", other, "--json").out)
    assert [(a["action"], a["weight"]) for a in shown["actions"]] == [("d4", 14), ("e4", 6)]
    small = str(tmp_path / "t.book")
    for positions in ("3", "6"):
        told = json.loads(
            called(
                capsys,
                "book",
                "expand",
                "tictactoe",
                small,
                "--positions",
                positions,
                "--with",
                "alphabeta:depth=2,interpreted=true",
                "--json",
            ).out
        )
        assert told["expanded"] == int(positions)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["build", "chess", "no/b", "--from", "g.pgn"], "cannot write no/b: the folder no does not exist"),
        (["build", "chess", "b", "--from", "no.pgn"], "no.pgn cannot be read"),
        (["show", "pyproject.toml"], "pyproject.toml is not an opening book: expected a file that zermelo book build wrote"),
        (["expand", "tictactoe", "b", "--with", "random"], "expected a player that searches within a limit"),
        (["expand", "tictactoe", "b", "--with", "alphabeta"], "expected a player that searches within a limit"),
        (["polish"], "no such command 'polish'"),
    ],
    ids=lambda x: " ".join(x) if isinstance(x, list) else "",
)
def test_what_cannot_be_done_is_told_in_a_sentence(words, sentence, pytestconfig, monkeypatch, capsys):
    monkeypatch.chdir(pytestconfig.rootpath)
    assert sentence in refusal(called(capsys, "book", *words))


def test_an_edit_that_makes_no_sense(tmp_path, capsys):
    weighted(1).save(tmp_path / "b")
    assert "expected an action and its weight as a1=N" in refusal(called(capsys, "book", "edit", str(tmp_path / "b"), "--set", "a1=many"))
    assert "is not a legal action here" in refusal(called(capsys, "book", "edit", str(tmp_path / "b"), "--remove", "z9"))
    assert Entry().score is None
