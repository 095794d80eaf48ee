"""Games in files: exact in JSON, the same moves and results in other formats, and one sentence about malformed files."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

import zermelo
from zermelo import ZermeloError
from zermelo.arena.players.by_text import player
from zermelo.arena.records.record_formats import history_of, kind_of, kinds, read, write
from zermelo.arena.records.store import Slot, Store
from zermelo.arena.referee import Terms, play_game
from zermelo.history import entries_of
from zermelo.notation import ggf
from zermelo.notation.sheet import About, Ending, Entry, Opening, Sheet

#: games, and the format of the world that each has
GAMES = [
    ("chess", "pgn", 80),
    ("chess", "pgn", 0),
    ("antichess", "pgn", 60),
    ("checkers", "pdn", 0),
    ("go", "sgf", 60),
    ("go:size=5,komi=0.5", "sgf", 0),
    ("hex:size=5", "sgf", 0),
    ("hex:size=4,swap=true", "sgf", 0),
    ("othello", "ggf", 0),
    ("othello:size=6", "ggf", 0),
    ("backgammon", "mat", 0),
    ("backgammon:cube=true", "mat", 0),
]


def played(text, seed, max_plies=0, names=("random", "random"), opening=None):
    game = zermelo.game(text)
    entries = []
    ending = play_game(
        game, [player("random"), player("random")], seed, opening or Opening(), Terms(max_plies=max_plies), lambda _, e: entries.append(e)
    )
    start = (opening and opening.start) or game.write_state(game.initial())
    return Sheet(About(repr(game), names, seed, start, {}, "2026-11-15T10:00:00+00:00"), tuple(entries), ending)


@pytest.mark.parametrize("name", [n for n in zermelo.names() if zermelo.game(n).players == 2])
def test_json_is_exact(name):
    sheets = [played(name, seed, 40) for seed in range(2)]
    sheets.append(Sheet(sheets[0].about, sheets[0].moves[:1], None))
    extra = Entry(sheets[1].moves[0].seat, sheets[1].moves[0].action, 1.25, 0.1, -0.3, 5, 1234, "x y", 'ünïcode "note"')
    about = replace(sheets[1].about, tags={"Event": "x"})
    sheets.append(Sheet(about, (extra, *sheets[1].moves[1:]), Ending((1.0, -1.0), "time", 1, "too slow", 3.5, (0.1, -0.1))))
    text = write("json", sheets)
    assert read("json", text.encode()) == sheets
    assert write("json", read("json", text.encode())) == text


def test_json_through_the_record(tmp_path):
    sheet = played("connect4", 1)
    with Store(tmp_path / "r") as store:
        event = store.event("import", "connect4", "k", {})
        number = store.begin(event, Slot(0, 0, 0), sheet.about)
        for ply, entry in enumerate(sheet.moves):
            store.move(number, ply, entry)
        store.end(number, sheet.ending)
        assert store.sheet(number) == sheet
        assert history_of(sheet).is_over


@pytest.mark.parametrize(("text", "kind", "plies"), GAMES)
def test_the_formats_of_the_world(text, kind, plies):
    for seed in range(3):
        names = ("one \\ player", "the other")
        sheet = played(text, seed, plies, names)
        written = write(kind, [sheet, played(text, seed + 10, plies)])
        first, second = read(kind, written.encode())
        assert [(m.seat, m.action) for m in first.moves] == [(m.seat, m.action) for m in sheet.moves]
        assert first.about.players == names and first.about.start == sheet.about.start
        sign = [(x > 0) - (x < 0) for x in sheet.ending.result]
        got = [(x > 0) - (x < 0) for x in first.ending.result]
        assert got == sign or (kind == "mat" and first.ending.reason == "unfinished")
        assert len(second.moves) > 0
        again = write(kind, [first, second])
        assert [s.moves for s in read(kind, again.encode())] == [first.moves, second.moves]


def test_thoughts_travel_in_comments():
    sheet = played("chess", 3, 6)
    first = Entry(0, sheet.moves[0].action, None, 1.25, -0.125, 7)
    for kind in ("pgn", "json"):
        back = read(kind, write(kind, [Sheet(sheet.about, (first, *sheet.moves[1:]), sheet.ending)]).encode())[0]
        assert (back.moves[0].value, back.moves[0].depth, back.moves[0].seconds) == (-0.125, 7, 1.25)


def test_chess_from_another_start():
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    sheet = played("chess", 1, 10, opening=Opening(fen))
    back = read("pgn", write("pgn", [sheet]).encode())[0]
    assert back.about.start == fen and len(back.moves) == len(sheet.moves)


def test_other_peoples_files_are_understood():
    lost = read("pgn", b'[White "A"]\n[Black "B"]\n[Event "E"]\n\n1. e4 e5 2. Qh5 Ke7 0-1')[0]
    assert lost.ending == Ending((-1.0, 1.0), "as recorded") and lost.about.tags == {"Event": "E"}
    open_ = read("pgn", b"1. e4 *")[0]
    assert open_.ending.reason == "unfinished" and open_.about.players == ("?", "?")
    mate = read("pgn", b"1. f3 e5 2. g4 Qh4# 0-1")[0]
    assert mate.ending == Ending((-1.0, 1.0), "ended")
    board = "-------- -------- -------- ---O*--- ---*O--- -------- -------- --------"
    server = (
        f"1 (;GM[Othello]PC[GGS/os]DT[1999]PB[a]PW[b]RE[+8.000:r]TI[5:00//2:00]TY[8]BO[8 {board} *]B[F5//1.5]W[d6/-2.00/3];)\n".encode()
    )
    game = read("ggf", server)[0]
    assert [m.action for m in game.moves] == ["f5", "d6"] and game.ending.result == (1.0, -1.0)
    assert (game.moves[0].seconds, game.moves[1].value) == (1.5, -2.0) and game.about.tags["PC"] == "GGS/os"
    hexed = read("sgf", b"(;FF[4]GM[11]SZ[5];B[c3];W[swap-pieces];B[a1])")[0]
    assert [m.action for m in hexed.moves] == ["c3", "swap", "a1"]


def test_a_format_is_for_its_games():
    sheet = played("connect4", 1)
    for kind in set(kinds()) - {"json"}:
        with pytest.raises(ZermeloError, match="expected another format"):
            write(kind, [sheet])
    with pytest.raises(ZermeloError, match=r"no format 'exe'.*json"):
        read("exe", b"")
    with pytest.raises(ZermeloError, match=r"no format 'exe'.*json"):
        write("exe", [sheet])
    assert kind_of("a/b.PGN") == "pgn" and kind_of("-", "sgf") == "sgf"


def test_json_runs_no_file_that_it_names(tmp_path):
    (tmp_path / "evil.py").write_text("raise SystemExit('run!')")
    text = write("json", [played("tictactoe", 1)]).replace('"tictactoe"', json.dumps(f"{tmp_path / 'evil.py'}:Evil"))
    with pytest.raises(ZermeloError, match="expected a game of zermelo"):
        read("json", text.encode())


HOSTILE = [
    b"",
    b"\x00\xff\xfe",
    b"null",
    b"[]",
    b"{}",
    b"[" * 100_000,
    b'{"kind": NaN}',
    b'{"kind": 1, "kind": 2}',
    "½".encode("latin-1"),
    b"(;" * 1000,
    b"1. e4 e5 2. Ke8 *",
    b"1. " + b"(" * 500,
    b"(;GM[1]SZ[99])",
    b"(;GM[Othello]BO[8 * *];)",
    b"(;GM[Othello]BO[4 ---- -O*- -*O- ---- *]B[a1];)",
    b"(;GM[11]SZ[5];B[z9])",
    b" 7 point match\n\n Game 1\n A : 0   B : 0\n  1) 11: 8/7\n",
    b"1. 9-13 1-2 *",
    b'[FEN "x"]\n\n1. e4 *',
]


@pytest.mark.parametrize("kind", sorted(kinds()))
def test_nonsense_gives_one_sentence(kind):
    for data in HOSTILE:
        try:
            found = read(kind, data)
        except ZermeloError as error:
            assert "\n" not in str(error) and len(str(error)) < 600
        else:
            assert isinstance(found, list)


EXAMPLES = {
    "json": "tictactoe",
    "pgn": "chess",
    "pdn": "checkers",
    "sgf": "go:size=5",
    "ggf": "othello:size=4",
    "mat": "backgammon",
    "txt": "othello",
    "letters": "go:size=19",
}


@pytest.mark.parametrize("kind", sorted(kinds()))
def test_damaged_files_give_one_sentence_or_games(kind):
    text = EXAMPLES[kind]
    good, draw = write(kind, [played(text, 1, 30)]).encode(), random.Random(1)
    for _ in range(150):
        bad = bytearray(good)
        for _ in range(draw.randrange(1, 4)):
            at = draw.randrange(len(bad))
            change = draw.randrange(3)
            if change == 0:
                bad[at] = draw.randrange(256)
            elif change == 1:
                del bad[at : at + draw.randrange(1, 30)]
            else:
                bad[at:at] = bad[draw.randrange(len(bad)) :][: draw.randrange(1, 30)]
            if not bad:
                break
        try:
            for sheet in read(kind, bytes(bad)):
                history_of(sheet)
        except ZermeloError as error:
            assert "\n" not in str(error)


def test_json_that_is_wrong_in_one_place():
    good = json.loads(write("json", [played("tictactoe", 1)]))
    for path, value, expected in (
        (("kind",), "x", "kind"),
        (("games",), 3, "a list of games"),
        (("games", 0, "about", "game"), "no such game", "a game of zermelo"),
        (("games", 0, "about", "start"), "XXX", "is not a state"),
        (("games", 0, "about", "players"), ["one"], "2 players"),
        (("games", 0, "about", "seed"), 1 << 70, "63 bits"),
        (("games", 0, "about", "tags"), {"x": 1}, "a text"),
        (("games", 0, "moves", 1, "action"), "z9", "move 2"),
        (("games", 0, "moves", 1, "seat"), 0, "expected a move of player 1"),
        (("games", 0, "moves", 1, "seconds"), "x", "seconds: a number"),
        (("games", 0, "moves", 1, "nodes"), True, "nodes: a whole number"),
        (("games", 0, "moves", 1, "note"), "\ud800", "whole characters"),
        (("games", 0, "ending", "result"), [1.0], "results"),
        (("games", 0, "ending", "result"), [5.0, 5.0], "the rules know"),
        (("games", 0, "ending", "fault"), 7, "a fault of a player"),
    ):
        wrong = json.loads(json.dumps(good))
        at = wrong
        for step in path[:-1]:
            at = at[step]
        at[path[-1]] = value
        with pytest.raises(ZermeloError, match=expected):
            read("json", json.dumps(wrong).encode())


def test_ggf_is_written_as_it_is_read():
    text = "(;GM[Othello]PB[a]PW[b]BO[4 ---- -O*- -*O- ---- *]B[a2/1.50/0.25]W[a1//2.00]B[pass];)\n"
    assert ggf.write(ggf.read(text)) == text
    with pytest.raises(ZermeloError, match="line 2: expected"):
        ggf.read("(;GM[Othello]\n oops")
    with pytest.raises(ZermeloError, match="BO"):
        ggf.read("(;GM[Othello]B[d3];)")


def test_entries_of_a_history():
    sheet = played("tictactoe", 2)
    assert [(e.seat, e.action) for e in entries_of(history_of(sheet))] == [(e.seat, e.action) for e in sheet.moves]
