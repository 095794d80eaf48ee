"""Play at the terminal, with lines from a pipe; the menu; saving and resuming."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers_cli import Done, called, started

import zermelo
from zermelo.arena.live_game import LiveGame
from zermelo.arena.players.by_text import player
from zermelo.arena.players.player import Fault, Player
from zermelo.cli import board_view, menu
from zermelo.cli.play import people
from zermelo.cli.play_session import Table, understood
from zermelo.errors import ZermeloError

Say = Callable[..., Done]


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Say:
    """Runs `zermelo play ...` with lines of input."""
    monkeypatch.setenv("ZERMELO_RECORD", str(tmp_path / "games.sqlite"))

    def run(*argv: str, lines: str = "") -> Done:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines.split(","))) if lines else io.StringIO())
        return called(capsys, "play", *argv)

    return run


def test_a_whole_game_is_won_and_recorded(say: Say):
    done = say("nim:heaps=1,2", "--against", "greedy", lines="2-1,1-1,2-1")  # one of the last two is left to X
    assert (done.code, done.err) == (0, "")
    assert "X> 2-1\n" in done.out
    assert "X wins. Well played!" in done.out
    assert "Recorded as game 1: zermelo analyse 1 looks at it." in done.out
    assert "Recorded as game 2" in say("nim:heaps=1", "--against", "greedy", lines="1-1").out


def test_the_same_seed_plays_the_same_game(say: Say):
    lines = "4,4,4,4,3,3,3,3"
    assert say("connect4", "--level", "2", "--seed", "7", lines=lines) == say("connect4", "--level", "2", "--seed", "7", lines=lines)


def test_commands_are_understood(say: Say):
    done = say("tictactoe", "--level", "10", lines="help,moves,list,why,undo,b2,why,list,hint,undo,board,list,nonsense,hnt,quit")
    assert done.code == 0
    out = done.out
    assert "take your last move back" in out
    assert "a1  b1  c1  a2  b2  c2  a3  b3  c3" in out
    assert "There was no move yet." in out
    assert "Nobody has replied yet." in out
    assert "There is no move of yours to take back." in out
    assert "level:10 thinks that it is about even" in out
    assert "Taken back: 2 moves." in out
    assert "Try " in out
    assert "'nonsense' is not a move here: expected one like a1, b1, c1, a2, b2, c2, a3, b3, ..., or help." in out
    assert "did you mean hint?" in out
    assert out.endswith("X> quit\n")


def test_undo_takes_back_to_the_own_last_move_and_dice_come_again(say: Say):
    done = say("pig:target=30", "--against", "random", "--seed", "3", lines="roll,undo,roll,quit")
    rolls = re.findall(r"^chance: (\S+)", done.out, re.M)
    assert len(rolls) >= 2
    half = len(rolls) // 2
    assert rolls[:half] == rolls[half : 2 * half]


def test_resigning_loses(say: Say):
    done = say("chess", "--side", "black", "--against", "random", lines="resign")
    assert "human resigned." in done.out
    assert "White wins." in done.out


def test_the_end_of_input_ends_the_game_cleanly(say: Say):
    done = say("tictactoe", "--level", "1", lines="a1")
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith("the game ends here.\n")


def test_ctrl_c_ends_it_with_130(say: Say, monkeypatch: pytest.MonkeyPatch):
    def interrupted(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    done = say("tictactoe", "--level", "1")
    assert (done.code, done.err) == (130, "zermelo: interrupted\n")


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (["connect4", "--level", "11"], "expected a level from 1 to 10"),
        (["connect4", "--side", "third"], "there is no side 'third'"),
        (["connect4", "--side", "secnd"], "did you mean second?"),
        (["connect4", "--against", "nobody"], "there is no player 'nobody'"),
        (["connect4", "--against", "random", "--level", "3"], "expected --against or --level"),
        (["connect4", "--against", "random", "--against", "random"], "expected at most 1 opponents"),
        (["connect4", "--clock", "soon"], "expected a clock like"),
        (["conect4"], "did you mean connect4?"),
        (["--resume", "missing.json"], "missing.json cannot be read"),
        (["--level", "3", "--resume", "missing.json"], "expected neither players nor a state beside --resume"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(say: Say, argv: list[str], expected: str):
    done = say(*argv)
    assert (done.code, done.out) == (2, "")
    assert expected in done.err
    assert done.err.count("\n") == 1


def test_sides(say: Say):
    chess, trio = zermelo.game("chess"), zermelo.game("trio")
    assert people(chess, None) == people(chess, "white") == people(chess, "White") == people(chess, "0") == [0]
    assert people(chess, "black") == people(chess, "second") == [1]
    assert people(chess, "both") == [0, 1]
    assert people(chess, "none") == []
    assert people(trio, "third") == people(trio, "z") == [2]
    assert people(zermelo.game("pig"), "player 1") == [1]
    done = say("tictactoe", "--side", "both", lines="a1,b1,a2,b2,a3")
    assert "X wins." in done.out
    done = say("tictactoe", "--side", "none", "--level", "9")
    assert "A draw." in done.out
    assert len(re.findall(r"plays \S+", done.out)) == 9


def test_three_players(say: Say):
    done = say("trio", "--side", "second", "--against", "random", "--against", "greedy", lines="a1,quit")
    assert "X: random, O: you, Z: greedy" in done.out
    assert "X plays" in done.out


def test_hidden_cards_stay_hidden(say: Say):
    done = say("kuhn", "--side", "first", "--against", "random", "--seed", "1", lines="pass,bet,pass")
    assert re.search(r"^[JQK]\?", done.out, re.M)
    before_the_end = done.out[: done.out.index("wins")]
    hidden = before_the_end[: before_the_end.rindex("player 0>")]
    assert not re.search(r"^[JQK][JQK]", hidden, re.M)
    assert "chance:" not in done.out
    game = zermelo.game("kuhn")
    s = game.read_state("KQ")
    assert board_view.seen(game, s, 0) == "K?"
    assert board_view.seen(game, s, 1) == "?Q"
    assert board_view.seen(game, s, None) == "KQ"


# ---- moves as people write them -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "meant"),
    [
        ("connect4", " 4 ", "4"),
        ("connect4", "4!", "4"),
        ("chess", "E4", "e4"),
        ("chess", "e2e4", "e4"),
        ("chess", "e2 e4", "e4"),
        ("chess", "nf3", "Nf3"),
        ("chess", "NF3", "Nf3"),
        ("go", "c3", "C3"),
        ("go", "PASS", "pass"),
        ("tictactoe", "B2", "b2"),
        ("tictactoe", "b 2", "b2"),
        ("othello", "D3", "d3"),
        ("checkers", "9-14", "9-14"),
    ],
)
def test_spellings_that_are_forgiven(text: str, line: str, meant: str):
    game = zermelo.game(text)
    s = game.initial()
    assert understood(game, list(game.actions(s)), s, line) == game.read_action(s, meant)


@pytest.mark.parametrize("line", ["", "e5", "help", "undo", "quit", "O-O", "\x00", "e" * 10_000])
def test_what_is_no_move(line: str):
    game = zermelo.game("chess")
    s = game.initial()
    assert understood(game, list(game.actions(s)), s, line) is None


# ---- saving --------------------------------------------------------------------------------------


def test_a_saved_game_goes_on_as_it_would_have(say: Say, tmp_path: Path):
    file = tmp_path / "game.json"
    whole = say("connect4", "--level", "3", "--seed", "5", lines="4,4,4,3,3,3,2,2,2").out
    first = say("connect4", "--level", "3", "--seed", "5", lines=f"4,4,save {file},quit").out
    assert f"Saved; zermelo play --resume {file} goes on." in first
    then = say("--resume", str(file), lines="4,3,3,3,2,2,2").out
    boards = [re.findall(r"(?:^[.XO ]+\n)+1 2 3", text, re.M) for text in (whole, then)]
    assert boards[1] == boards[0][2:]


def test_a_game_of_ones_own_goes_on_only_if_it_is_asked_for(say: Say, tmp_path: Path):
    example = str(Path(__file__).parents[2] / "examples" / "domineering.py")
    file = tmp_path / "game.json"
    done = say(example, "--against", "random", lines=f"0,save {file}")
    assert f"Saved; zermelo play {example}:Domineering --resume {file} goes on." in done.out
    assert "expected a game" in say("--resume", str(file)).err
    assert "0  " in say(f"{example}:Domineering", "--resume", str(file), lines="list").out


def test_backgammon_goes_on_with_the_same_dice(say: Say, tmp_path: Path):
    file = tmp_path / "game.json"
    say("backgammon", "--against", "random", "--seed", "2", lines=f"save {file}")
    one, two = say("--resume", str(file), lines="list").out, say("--resume", str(file), lines="list").out
    assert one == two
    told = json.loads(file.read_text())["games"][0]
    assert told["about"]["game"] == "backgammon"
    assert told["ending"] is None


def test_a_clock_is_saved_with_the_game(tmp_path: Path):
    from zermelo.arena.clock import Control
    from zermelo.arena.records import saved_games

    game = zermelo.game("tictactoe")
    live = LiveGame(game, [None, None], control=Control(600, 1))
    live.take(0)
    saved_games.put_away(tmp_path / "g.json", live)
    again = saved_games.taken_up(tmp_path / "g.json", player)
    assert str(again.clock.control) == "600+1"
    assert again.clock.left == pytest.approx([live.clock.left[0], 600.0])
    assert again.history.taken == [0]
    assert not list(tmp_path.glob(".g*"))


def test_what_cannot_be_saved_is_told_and_the_game_goes_on(say: Say, tmp_path: Path):
    done = say("tictactoe", "--level", "1", lines=f"save {tmp_path / 'no' / 'folder' / 'x.json'},a1,quit")
    assert "cannot be written: No such file or directory" in done.out
    assert "X> a1" in done.out


@pytest.mark.parametrize("text", ["", "[]", '{"kind": "other"}', "\x00\x01"])
def test_what_is_no_saved_game_is_refused(say: Say, tmp_path: Path, text: str):
    file = tmp_path / "x.json"
    file.write_text(text)
    done = say("--resume", str(file))
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1


# ---- opponents that fail -------------------------------------------------------------------------


class Failing(Player):
    text = "failing"

    def __init__(self, how: str):
        self.how = how

    def choose(self, game, state, clock):
        if self.how == "illegal":
            return 99
        raise Fault("death", "failing: the engine has died")


@pytest.mark.parametrize(("how", "told"), [("illegal", "not a legal action"), ("death", "the engine has died")])
def test_an_opponent_that_fails_has_lost(how: str, told: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("a1\n"))
    assert Table(LiveGame(zermelo.game("tictactoe"), [None, Failing(how)])).play()
    out = capsys.readouterr().out
    assert told in out
    assert "X wins. Well played!" in out


def test_time_is_lost():
    live = LiveGame(zermelo.game("tictactoe"), [None, None])
    live.clock.left, live.clock.control = [0.0, 1.0], type(live.clock.control)(1.0)
    live.take(0)
    assert live.ending is not None
    assert (live.ending.reason, live.ending.fault) == ("time", 0)


# ---- the board -----------------------------------------------------------------------------------


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


@pytest.mark.parametrize(
    "text", ["connect4", "chess", "checkers", "othello", "go", "hex:size=5", "kalah", "backgammon", "nim", "trio", "pig"]
)
def test_colours_change_nothing_but_colours(text: str):
    game = zermelo.game(text)
    s = game.initial()
    while game.to_move(s) < 0:
        s = game.result(s, next(iter(game.actions(s))))
    t = game.result(s, next(iter(game.actions(s))))
    coloured = board_view.painted(game, game.show(t), game.show(s))
    assert plain(coloured) == game.show(t)
    assert "\x1b[" in coloured or text in ("pig", "nim")


def test_the_last_move_is_marked_and_coordinates_are_not_coloured():
    game = zermelo.game("chess")
    s = game.initial()
    t = game.result(s, game.read_action(s, "e4"))
    lines = board_view.painted(game, game.show(t), game.show(s)).split("\n")
    assert lines[8] == "  a b c d e f g h"
    assert lines[9] == "Black to move"
    marked = [(y, plain(line)) for y, line in enumerate(lines) if ";7m" in line]
    assert [y for y, _ in marked] == [4, 6]


def test_no_colour_where_it_is_not_wanted(monkeypatch: pytest.MonkeyPatch):
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert board_view.has_colour()
    monkeypatch.setenv("NO_COLOR", "1")
    assert not board_view.has_colour()


# ---- the menu and the exhibition -----------------------------------------------------------------


def test_the_menu_asks_until_it_has_a_game(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    said = iter(["99", "conect4", "2", "zz", "3", "", "tictactoe", "", "second", "quit"])
    monkeypatch.setattr("zermelo.cli.menu.asked", lambda prompt: next(said))
    begun: list[tuple[str, str, str | None]] = []
    menu.menu(lambda *what: begun.append(what))
    assert begun == [("tictactoe", "level:3", "first"), ("tictactoe", "level:4", "second")]
    out = capsys.readouterr().out
    assert "expected a number from 1 to" in out
    assert "did you mean connect4?" in out
    assert "there is no player 'zz'" in out


def test_every_game_of_the_menu_is_there():
    for text, _ in menu.MENU:
        zermelo.game(text)
    for text, players in menu.EXHIBITION:
        assert len(players) == zermelo.game(text).players


def test_without_a_terminal_there_is_an_exhibition():
    done = started("play", stdin=-3)
    assert (done.code, done.err) == (0, "")
    assert "connect4: X level:5 against O level:8" in done.out
    assert "wins after" in done.out
    assert done.out.splitlines()[-1].startswith("  zermelo --help")


def test_drawings_side_by_side_are_all_there_and_not_too_wide():
    rows = list(board_view.strip([(f"{i}!", "....\n....") for i in range(10)], 30))
    assert all(len(line) <= 30 for row in rows for line in row.splitlines())
    assert re.findall(r"\d!", "".join(rows)) == [f"{i}!" for i in range(10)]


def test_errors_of_a_sitting():
    with pytest.raises(ZermeloError, match="expected 2 players"):
        LiveGame(zermelo.game("tictactoe"), [None])
