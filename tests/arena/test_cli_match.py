"""The commands that play matches and read the record."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import pytest
import typer

from zermelo import ZermeloError
from zermelo.cli import match, records

COMMANDS = {
    "match": match.match,
    "tournament": match.tournament,
    "ratings": records.ratings,
    "replay": records.replay,
    "export": records.export,
    "import": records.import_,
}


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run a command with a record of this test's own; what it prints."""
    monkeypatch.setenv("ZERMELO_RECORD", str(tmp_path / "games.sqlite"))
    app = typer.Typer(add_completion=False)
    for name, function in COMMANDS.items():
        app.command(name)(function)
    command = typer.main.get_command(app)

    def call(*words):
        with command.make_context("zermelo", list(words)) as context:
            command.invoke(context)
        return capsys.readouterr().out

    return call


def test_from_a_match_to_a_file_and_back(run, tmp_path):
    told = run("match", "tictactoe", "random", "greedy", "--games", "4", "--sprt", "0,50")
    assert "4 random plies" in told and "games 4 of 4" in told and "LLR" in told and "undecided" in told
    assert len(told.splitlines()) < 20
    as_json = json.loads(run("match", "tictactoe", "random", "greedy", "--games", "4", "--json"))
    assert as_json["games"] == 4 and sum(as_json["pairs"]) == 2
    shown = run("replay", "1")
    assert "random against greedy" in shown and "book" in shown and "ended" in shown
    assert len(run("replay", "1", "--moves").splitlines()) < len(shown.splitlines())
    assert json.loads(run("replay", "1", "--json"))["games"][0]["about"]["game"] == "tictactoe"
    assert "4 games written" in run("export", str(tmp_path / "a.json"))
    assert "1 game written" in run("export", str(tmp_path / "b.json"), "2")
    assert json.loads(run("export", "-", "3", "--format", "json"))["games"]
    told = run("import", str(tmp_path / "a.json"), "--record", str(tmp_path / "other"))
    assert "4 games, 1 to 4" in told
    assert "was read before" in run("import", str(tmp_path / "a.json"), "--record", str(tmp_path / "other"))
    run("export", str(tmp_path / "c.json"), "--record", str(tmp_path / "other"))
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "c.json").read_bytes()
    assert not list(tmp_path.glob(".*"))  # no drafts


def test_a_tournament_and_its_ratings(run):
    told = run("tournament", "tictactoe", "random", "greedy", "alphabeta:depth=2,interpreted=true", "--anchor", "random=100")
    assert "6 of 6 games" in told and "+100" in told
    rated = run("ratings", "tictactoe", "--anchor", "alphabeta:depth=2,interpreted=true=0", "--anchor", "random=-300")
    assert "+0" in rated and "-300" in rated and len(rated.splitlines()) >= 4
    one = json.loads(run("ratings", "tictactoe", "--json").splitlines()[0])
    assert one["games"] == 4
    with pytest.raises(ZermeloError, match="no games of connect4"):
        run("ratings", "connect4")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("match tictactoe human random", "zermelo play"),
        ("match tictactoe random random --sprt x", "like 0,10"),
        ("match tictactoe random random --clock x", "expected a clock"),
        ("match tictactoe random random --openings no.epd", "cannot be read"),
        ("match tictactoe random random --openings no.epd --random-plies 2", "not both"),
        ("match tictactoe random random --concurrency 0", "concurrency"),
        ("match tictactoe random random --games 0", "at least one game"),
        ("tournament tictactoe random", "at least two"),
        ("tournament tictactoe random greedy --anchor x=1", "among the players"),
        ("tournament tictactoe random greedy --anchor random=inf", "an anchor like"),
        ("replay 1", "there is no record"),
        ("export x.json", "there is no record"),
    ],
)
def test_what_cannot_be_used(run, words, expected):
    with pytest.raises(ZermeloError, match=expected) as error:
        run(*words.split())
    assert "\n" not in str(error.value)


def test_a_file_that_is_nonsense_leaves_the_record_alone(run, tmp_path):
    (tmp_path / "x.exe").write_text("MZ")
    with pytest.raises(ZermeloError, match="there is no format 'exe'"):
        run("import", str(tmp_path / "x.exe"))
    (tmp_path / "bad.pgn").write_text("1. e4 e5 2. Ke5 *")
    with pytest.raises(ZermeloError, match=r"bad\.pgn: game 1: line 1: "):
        run("import", str(tmp_path / "bad.pgn"))
    assert not (tmp_path / "games.sqlite").exists()


CTRL_C = """\
import sys, typer
from zermelo.cli import match

if __name__ == "__main__":
    app = typer.Typer(add_completion=False)
    app.command("match")(match.match)
    app.command("other")(lambda: None)
    app()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
def test_ctrl_c_ends_with_the_table_and_the_same_command_goes_on(tmp_path):
    script = tmp_path / "z.py"
    script.write_text(CTRL_C)
    record = tmp_path / "r"
    command = [sys.executable, str(script), "match", "connect4", "random", "random", "--games", "300", "--record", str(record)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and "of 300" not in (process.stdout.readline() or "of 300"):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate()
    assert process.returncode == 130 and "the same command goes on" in errors and "Traceback" not in errors
    assert "random  " in out and "Elo" in out
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "games 300 of 300" in done.stdout
