"""`zermelo search` and `zermelo ordering`: their output, how they stop, what they refuse."""

from __future__ import annotations

import json
import re
import resource
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import pytest
from helpers_cli import HANGS, called, has_worked, refusal, sentence, started

import zermelo
from zermelo.search.alphabeta.searcher import AlphaBeta
from zermelo.search.by_name import names
from zermelo.search.minimax import Minimax
from zermelo.search.searcher import Result, Searcher
from zermelo.search.stop import Stop

SLOWLY = ["--set", "interpreted=true"]  # nothing to compile
KEYS = {"game", "searcher", "depth", "value", "values", "action", "line", "nodes", "evaluations", "seconds", "scores", "exact"}
KEYS |= {"bounds", "others", "policy", "errors"}


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]):
    """Run a command line in this process: how it ended."""
    return partial(called, capsys)


@pytest.fixture
def refused(call):
    """Run a command line that is refused: its one sentence."""
    return lambda *argv: refusal(call(*argv))


@pytest.fixture
def objects(call):
    """Run a search with --json: its objects."""

    def run(*argv: str) -> list[dict[str, object]]:
        done = call("search", *argv, "--json")
        assert (done.code, done.err) == (0, "")
        return [json.loads(line) for line in done.out.splitlines()]

    return run


# ---- search ----------------------------------------------------------------------------------


def test_a_line_for_each_step(call):
    done = call("search", "tictactoe", *SLOWLY)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert [int(line.split()[1]) for line in lines] == list(range(1, 10))
    form = r"depth 9   value \+0 exact   [\d,]+ nodes in \d+\.\d\d s, [\d,]+/s   [abc][123]( [abc][123]){8}"
    assert re.fullmatch(form, lines[-1])
    assert "exact" not in lines[0]


def test_a_terminal_shows_the_last_line_alone(call, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    done = call("search", "tictactoe", "--depth", "3", *SLOWLY)
    assert done.code == 0
    assert done.out.count("\n") == 1 and done.out.startswith("depth 3 ")
    shown = done.err.split("\r\x1b[K")
    assert [text[:7] for text in shown if text] == ["depth 1", "depth 2", "depth 3"]
    assert done.err.endswith("\r\x1b[K")


def test_json(objects):
    found = objects("nim:heaps=1,2", *SLOWLY)
    assert all(set(step) == KEYS for step in found)
    last = found[-1]
    expected = AlphaBeta(interpreted=True).search(zermelo.game("nim:heaps=1,2"))
    assert (last["game"], last["searcher"]) == ("nim:heaps=1,2", "alphabeta")
    assert (last["action"], last["value"], last["values"], last["exact"]) == ("2-1", 1.0, [1.0, -1.0], True)
    assert last["line"][0] == "2-1" and len(last["line"]) == 3
    assert set(last["scores"]) == {"1-1", "2-1", "2-2"} and last["scores"]["2-1"] == 1.0
    assert (last["nodes"], last["evaluations"], last["depth"]) == (expected.nodes, expected.evaluations, expected.depth)


def test_a_score_that_is_a_bound_says_so(objects):
    """Of four actions one is best; of those after it no more is known than that they are no better."""
    last = objects("uniform:branching=4,depth=2,seed=1", *SLOWLY)[-1]
    true = Minimax(interpreted=True).search(zermelo.game("uniform:branching=4,depth=2,seed=1")).scores
    assert last["bounds"] and set(last["bounds"].values()) == {"at most"} and last["others"] == []
    for a, v in last["scores"].items():
        assert v >= true[int(a)] if a in last["bounds"] else v == true[int(a)]


def test_several_lines(call, objects):
    text = ["uniform:branching=4,depth=2,seed=1", "--lines", "3", *SLOWLY]
    true = Minimax(interpreted=True).search(zermelo.game(text[0])).scores
    last, best = objects(*text)[-1], sorted(true, key=lambda a: -true[a])[:3]
    assert [line[0] for line in (last["line"], *last["others"])] == list(map(str, best))
    assert [last["scores"][str(a)] for a in best] == [true[a] for a in best] and not set(map(str, best)) & set(last["bounds"])
    shown = call("search", *text).out.splitlines()[-3:]
    assert shown[0].startswith(f"depth 2   value {true[best[0]]:+.4g} exact")
    assert [row.split()[:3] for row in shown[1:]] == [[str(k), "value", f"{true[a]:+.4g}"] for k, a in enumerate(best[1:], 2)]
    assert [row.split()[3:] for row in shown[1:]] == last["others"]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (["--lines", "0"], "AlphaBeta: expected 1 to 65,535 lines, not 0"),
        (["--lines", "2", "--with", "mcts"], "mcts finds one line: expected no --lines"),
        (["--lines", "2", "--set", "lines=3"], "expected lines once"),
    ],
)
def test_lines_that_cannot_be(call, settings, said):
    done = call("search", "tictactoe", *settings)
    assert done.code != 0 and said in done.err and not done.out


@pytest.mark.parametrize("name", names())
def test_every_searcher_can_be_asked_for(objects, name: str):
    game = "trio:width=3,height=2" if name in ("maxn", "paranoid") else "nim:heaps=1,2"
    found = objects(game, "--with", name, "--nodes", "2000", *SLOWLY)
    assert found and all(set(step) == KEYS and step["searcher"] == name for step in found)
    it = zermelo.game(game)
    assert it.read_action(it.initial(), found[-1]["action"]) in it.actions(it.initial())


@pytest.mark.parametrize(
    ("game", "name"), [("nim:heaps=1,2", "alphabeta"), ("pig:target=3", "expectiminimax"), ("trio:width=3,height=2", "maxn")]
)
def test_the_searcher_if_none_is_named(objects, game: str, name: str):
    found = objects(game, "--depth", "2", *SLOWLY)
    assert [step["searcher"] for step in found] == [name, name]
    assert len(found[-1]["values"]) == zermelo.game(game).players


def test_values_of_each_player(call):
    done = call("search", "trio:width=3,height=2", "--depth", "1", *SLOWLY)
    assert re.search(r"depth 1 +values \S+ \S+ \S+   ", done.out)


def test_a_state(objects):
    (found,) = objects("connect4", "--state", "112233", "--depth", "1", *SLOWLY)
    assert (found["action"], found["value"], found["line"]) == ("4", 1.0, ["4"])


def test_the_end_of_a_game(call, objects):
    over = ["connect4", "--state", "1122334"]
    (found,) = objects(*over)
    assert (found["action"], found["line"], found["scores"], found["value"]) == (None, [], {}, 1.0)
    assert call("search", *over).out.rstrip().endswith("the game is over")


def test_limits(objects):
    assert objects("connect4", "--depth", "2", *SLOWLY)[-1]["depth"] == 2
    assert objects("connect4", "--nodes", "300", *SLOWLY)[-1]["nodes"] <= 301
    began = time.process_time()  # of the processor: other work on the machine does not count
    assert objects("connect4", "--seconds", "0.2", *SLOWLY)[-1]["seconds"] > 0.1  # nothing else would end it
    assert time.process_time() - began < 2


def test_settings_reach_the_searcher(objects):
    on, off = (objects("connect4", "--depth", "4", "--set", f"table={table}", *SLOWLY)[-1]["nodes"] for table in ("1", "none"))
    assert on < off


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Searcher]:
    """The searchers that were run; none really is."""
    seen: list[Searcher] = []

    def deepen(self: Searcher, game: object, state: object = None, stop: Stop | None = None):
        seen.append(self)
        yield Result(1, 0.0, (0.0, 0.0), (1,), 1, 1, 1, 0.0, {1: 0.0}, False)

    monkeypatch.setattr(AlphaBeta, "deepen", deepen)
    return seen


@pytest.mark.parametrize(
    ("argv", "seconds"),
    [
        ([], 5.0),
        (["--depth", "3"], None),
        (["--nodes", "9"], None),
        (["--set", "depth=3"], None),
        (["--seconds", "2"], 2.0),
        (["--set", "pvs=no"], 5.0),
    ],
)
def test_five_seconds_if_nothing_else_ends_it(call, asked: list[Searcher], argv: list[str], seconds: float | None):
    assert call("search", "connect4", *argv).code == 0
    assert asked[-1].seconds == seconds
    assert (asked[0].nodes, asked[0].seconds) == (1, None)  # made ready before the clock runs


def test_threads(call, asked: list[Searcher]):
    assert call("search", "connect4", "--threads", "3").code == 0
    assert asked[-1].threads == 3


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("connect5", "there is no game 'connect5' (did you mean connect4?)"),
        ("connect4 --state 9", "'9' is not a state of connect4: expected a legal move where the 1. is 9"),
        ("connect4 --with alphabeat", "there is no searcher 'alphabeat' (did you mean alphabeta?)"),
        ("connect4 --with alphabeat:depth=3", "there is no searcher 'alphabeat' (did you mean alphabeta?)"),
        ("connect4 --with alphabeta:depth", "expected a setting as name=value, not 'depth'"),
        ("connect4 --with alphabeta:depth=2 --set depth=1", "expected depth once"),
        ("connect4 --depth 0", "AlphaBeta: expected depth of at least 1, not 0"),
        ("connect4 --nodes -1", "AlphaBeta: expected nodes of at least 1, not -1"),
        ("connect4 --seconds nan", "AlphaBeta: expected a positive number of seconds, not nan"),
        ("connect4 --set table", "expected a setting as name=value, not 'table'"),
        ("connect4 --set table=0", "AlphaBeta: expected a table of 1 to 1,048,576 MiB, or None for none, not 0"),
        ("connect4 --set table=x", "alphabeta: expected a whole number or none for table, not 'x'"),
        ("connect4 --set table=1 --set table=2", "expected table once"),
        ("connect4 --set depth=1 --depth 1", "expected depth once"),
        ("connect4 --with plain --threads 2", "plain searches in one thread: expected no --threads"),
        ("connect4 --threads 1000000", "expected at most 1,024 threads, not 1,000,000"),
        ("pig --with alphabeta", "AlphaBeta: expected a game without chance: use Expectiminimax for pig"),
    ],
)
def test_what_cannot_be_searched(refused, line: str, told: str):
    assert refused("search", *line.split()) == told


def test_an_unknown_setting_is_told_with_those_there_are(refused):
    told = refused("search", "connect4", "--set", "tabel=3")
    assert told.startswith("alphabeta has no setting 'tabel' (did you mean table?): it takes depth, nodes, seconds, ")


def test_an_error_in_the_search_is_told(call, monkeypatch: pytest.MonkeyPatch):
    def fail(*_: object) -> None:
        raise RuntimeError("odd")

    monkeypatch.setattr(AlphaBeta, "deepen", fail)
    done = call("search", "connect4")
    assert done.code == 2 and sentence(done.err).endswith("RuntimeError: odd")


# ---- Ctrl-C ----------------------------------------------------------------------------------


def interrupted(*argv: str) -> tuple[int, list[str], str]:
    """Start a search, interrupt it after its first line, and see how it ends."""
    with subprocess.Popen(
        [sys.executable, "-m", "zermelo", "search", *argv], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=HANGS)
    return process.returncode, [first, *out.splitlines(keepends=True)], err


@pytest.mark.parametrize("settings", [["--with", "montecarlo", "--set", "playouts=1000000000"], SLOWLY], ids=["native", "interpreted"])
def test_ctrl_c_ends_with_the_best_so_far(settings: list[str]):
    code, lines, err = interrupted("connect4", "--seconds", "60", "--json", *settings)
    assert (code, err) == (130, "")
    last = json.loads(lines[-1])
    assert last["action"] in set("1234567") and last["seconds"] < 20


def test_ctrl_c_where_nothing_is_known_before_the_end():
    """Plain alpha-beta has one Result: what it saw by then, long before the depth that it was to reach."""
    with subprocess.Popen(
        [sys.executable, "-m", "zermelo", "search", "connect4", "--with", "plain", "--depth", "30", *SLOWLY, "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        has_worked(process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=HANGS)
    assert (process.returncode, err) == (130, "")
    assert json.loads(out)["action"] in set("1234567")


def test_a_second_ctrl_c_ends_at_once(call, monkeypatch: pytest.MonkeyPatch):
    def deepen(self: Searcher, game: object, state: object = None, stop: Stop | None = None):
        heard = threading.Event()
        with stop.telling(heard.set):
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            assert heard.wait(HANGS)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        ended.wait(HANGS)  # it does not heed the first
        yield None

    ended = threading.Event()
    monkeypatch.setattr(AlphaBeta, "deepen", deepen)
    done = call("search", "connect4", *SLOWLY)  # returns while the search goes on
    ended.set()
    assert (done.code, done.out, done.err) == (130, "", "zermelo: interrupted\n")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


# ---- ordering --------------------------------------------------------------------------------


def test_ordering(call):
    done = call("ordering", "--branching", "2", "--depth", "5", "--trees", "3")
    assert (done.code, done.err) == (0, "")
    head, *rows = done.out.splitlines()
    assert head.split() == ["depth", "best", "expected", "evaluated", "random", "expected", "expected", "worst", "uncut", "expected"]
    table, formulas = [row.split() for row in rows[:5]], rows[5:]
    assert [row[1:3] for row in table] == [[str(n)] * 2 for n in (2, 3, 5, 7, 11)]
    assert [row[8:] for row in table] == [[str(2**d)] * 2 for d in range(1, 6)]
    assert [text.split()[0] for text in formulas] == ["best", "random", "random", "uncut"]
    assert formulas[0].endswith("b^ceil(d/2) + b^floor(d/2) - 1   per ply at depth 5: 1.615, expected 1.615")


def test_ordering_as_json(call):
    done = call("ordering", "--depth", "3", "--trees", "2", "--seed", "7", "--json")
    found = [json.loads(line) for line in done.out.splitlines()]
    assert len(found) == 15
    assert found[10] == {
        "branching": 3, "depth": 3, "order": "best", "trees": 2, "leaves": {"mean": 11.0, "least": 11, "most": 11},
        "formulas": {"b^ceil(d/2) + b^floor(d/2) - 1": 11.0},
    }  # fmt: skip
    assert call("ordering", "--depth", "3", "--trees", "2", "--seed", "7", "--json").out == done.out


def test_ordering_with_a_plot(call, tmp_path: Path):
    pytest.importorskip("matplotlib")
    assert call("ordering", "--depth", "2", "--trees", "1", "--plot", str(tmp_path / "a.svg")).code == 0
    assert "<svg" in (tmp_path / "a.svg").read_text()


def test_ordering_refuses(refused, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    assert refused("ordering", "--branching", "1") == "ordering: expected branching from 2 to 64, not 1"
    assert refused("ordering", "--plot", "a.pdf") == "ordering: expected the plot in a file that ends in .png or .svg, not 'a.pdf'"
    assert "--depth" in refused("ordering", "--depth", "x")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert refused("ordering", "--plot", str(tmp_path / "a.png")) == "ordering: a plot needs matplotlib: install zermelo[plots]"


def test_ordering_is_quick_with_an_empty_cache(fresh_cache: Path):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = started("ordering")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert (done.code, done.err) == (0, "")
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 20  # of the processor: other work does not count
