"""The arithmetic and tables of the benchmark, on made-up timings; nothing is timed here."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import zermelo

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import report, version_match, version_worker, versions
from bench.harness import Candidate, Claim, Result, Sample, Table, bar, measure, timed

ROOT = Path(__file__).parents[1]


def fake(name: str, *seconds: float, done: float = 100, log: list[str] | None = None) -> Candidate:
    """Somebody who needs these seconds, one after another; the first run is the warming up."""
    left = iter(seconds)

    def run() -> Sample:
        if log is not None:
            log.append(name)
        return Sample(done, next(left))

    return Candidate(name, run)


def rates() -> Result:
    claims = [
        Claim("ours against theirs", lambda best: best["ours"] / best["theirs"], 10),
        Claim("ours against theirs", lambda best: best["ours"] / best["theirs"], 50),
        Claim("ours against the absent", lambda best: best["ours"] / best["absent"], 2),
    ]
    table = Table("Fake games", "games/s", [fake("ours", 9, 1, 2, 4), fake("theirs", 9, 40, 20, 25), Candidate("absent", None)], claims)
    return measure(table, 3)


def test_best_median_and_ratio_of_rates() -> None:
    ours, theirs, absent = rates().rows
    assert (ours.best, ours.median, ours.spread) == (100, 50, 2)
    assert (theirs.best, theirs.median, theirs.spread) == (5, 4, 1.25)
    assert theirs.slower_than(ours) == 20 and ours.slower_than(ours) == 1
    assert absent.values == () and rates().best == {"ours": 100, "theirs": 5}


def test_of_seconds_less_is_better() -> None:
    more = Claim("seconds more", lambda best: best["ours"] - best["theirs"], 1.0, at_least=False)
    result = measure(Table("Start", "s", [fake("ours", 9, 3, 2, 4), fake("theirs", 9, 1.5, 1, 1)], [more]), 3)
    ours, theirs = result.rows
    assert (ours.best, ours.median, ours.spread) == (2, 3, 1.5)
    assert theirs.slower_than(ours) == 0.5
    assert more.judge(result.best) == "seconds more, at most 1: 1, holds"


def test_candidates_take_turns() -> None:
    log: list[str] = []
    told: list[str] = []
    measure(Table("Turns", "x/s", [fake("a", 1, 1, 1, log=log), Candidate("gone", None), fake("b", 1, 1, 1, log=log)]), 2, told.append)
    assert log == ["a", "b", "b", "a", "a", "b"]
    assert told[0] == "Turns: warming up: a" and told[-1] == "Turns: round 2 of 2: b"


def test_timed_uses_the_clock() -> None:
    ticks = iter([10.0, 12.5])
    assert timed(lambda: 5, lambda: next(ticks))() == Sample(5, 2.5)


def test_the_table_is_markdown() -> None:
    lines = report.show(rates()).splitlines()
    assert lines[0] == "## Fake games"
    assert [cell.strip() for cell in lines[2].split("|")[1:-1]] == ["", "best, games/s", "median, games/s", "spread", "first : this"]
    assert [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[4:7]] == [
        ["ours", "100", "50", "2.00", "1"],
        ["theirs", "5", "4", "1.25", "20"],
        ["absent", "not installed", "", "", ""],
    ]
    assert len({len(line) for line in lines[2:7]}) == 1  # aligned
    assert lines[-3:] == [
        "- ours against theirs, at least 10: 20, holds",
        "- ours against theirs, at least 50: 20, does not hold",
        "- ours against the absent, at least 2: not measured",
    ]


def test_versions_stand_side_by_side() -> None:
    """The ratio is of the best rounds, and different amounts of work are pointed out."""
    found = measure(Table("nim", "moves/s", [fake("now", 9, 1, 2), fake("old", 9, 4, 2)]), 2)
    lines = versions.show("playouts", [(found, True), (found, False)]).splitlines()
    assert lines[2] == "|  | now, moves/s | old | now : old |"
    assert lines[4:6] == ["| nim | 100 | 50 | 2.000 |", "| nim (amounts of work differ) | 100 | 50 | 2.000 |"]


def test_a_version_does_the_tasks_it_is_given(tmp_path: Path) -> None:
    (tmp_path / "old").symlink_to(ROOT)
    with versions.Version(ROOT) as now, versions.Version(tmp_path / "old") as old:
        assert (now.name, old.name) == ("now", "old")
        for task in (("playouts", "nim", 5, 2), ("plain", "nim:heaps=1,2", 0, 3), ("perft", "nim", 1, 1)):
            one, other = now.run(task), old.run(task)
            assert one.done == other.done > 0 and one.seconds > 0
    assert all(kind in version_worker.KINDS for _, tasks in versions.TASKS.values() for kind, *_ in tasks)


@pytest.mark.parametrize(("x", "text"), [(3_534_110.1, "3,534,000"), (0.48213, "0.4821"), (78.13, "78.13"), (3.71e10, "3.71e+10")])
def test_numbers(x: float, text: str) -> None:
    assert report.number(x) == text


def test_every_table_names_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "processor", lambda: "A processor of 3 GHz")
    assert "Processor: A processor of 3 GHz." in report.show(rates()).splitlines()


@pytest.mark.parametrize(("machine", "bound"), [("x86_64", 25), ("AMD64", 25), ("aarch64", 15)])
def test_a_bar_is_that_of_the_processor(monkeypatch: pytest.MonkeyPatch, machine: str, bound: float) -> None:
    monkeypatch.setattr("platform.machine", lambda: machine)
    assert bar(15, 25) == bound


def test_the_header_tells_how_to_repeat_it() -> None:
    text = report.header("python -m bench", 3, ["numpy", "no-such-package"], "a card")
    assert "`python -m bench`" in text and "cores" in text and "; a card" in text and "numpy " in text and "rounds: 3" in text
    assert "no-such-package" not in text


def test_writing_is_whole_and_replaces(tmp_path: Path) -> None:
    file = tmp_path / "bench.md"
    for text in ("old and long", "new"):
        report.write(file, text)
        assert file.read_text() == text
    assert list(tmp_path.iterdir()) == [file]


def test_the_users_game_is_the_built_in_one() -> None:
    mine, built_in = zermelo.game(f"{ROOT / 'bench' / 'my_connect4.py'}:MyConnectFour"), zermelo.game("connect4")
    for n, interpreted in ((5000, False), (40, True)):
        a, b = (zermelo.playouts(g, n, seed=7, threads=1, interpreted=interpreted) for g in (mine, built_in))
        assert (a.moves, a.utility) == (b.moves, b.utility)
    assert zermelo.perft(mine, 4, interpreted=True) == 2401


def test_peers_count_the_same() -> None:
    pytest.importorskip("pyspiel")
    from bench.peers import openspiel_perft

    work = openspiel_perft("connect_four", 4, 2401)
    assert work is not None and work() == 2401


def test_averaging_over_worlds_loses_a_third_in_kuhn_poker() -> None:
    """As docs/hidden.md says: who knows that it is played against it gains 1/3 in all."""
    from bench.worlds import choices
    from zermelo.equilibrium.form import sequence_form
    from zermelo.equilibrium.solver import Evaluation

    game = zermelo.game("kuhn")
    form = sequence_form(game)
    strategy = choices(game, form, zermelo.Worlds(worlds=60, seed=1, interpreted=True), is_mixed=True)
    assert Evaluation(game, form).of(strategy).nash_conv == pytest.approx(1 / 3, abs=1e-9)


def test_alphabeta_and_its_peer_search_the_same_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    minimax = pytest.importorskip("open_spiel.python.algorithms.minimax")
    from bench.peers import openspiel_alphabeta
    from bench.subjects.alphabeta import Constant
    from zermelo.search.alphabeta.searcher import AlphaBeta

    theirs, calls = minimax._alpha_beta, []
    monkeypatch.setattr(minimax, "_alpha_beta", lambda *given, **named: (calls.append(1), theirs(*given, **named))[1])
    for name, depth, game in (("connect_four", 5, Constant()), ("tic_tac_toe", None, zermelo.game("tictactoe"))):
        calls.clear()
        work = openspiel_alphabeta(name, depth, 0.0, 1)
        assert work is not None and work() == 1
        assert len(calls) == AlphaBeta.plain(depth, interpreted=depth is not None).search(game).nodes


def test_hands_of_seven_cards_as_phevaluator_orders_them() -> None:
    """A million hands; the count of pairs in another order counts those of a wrong evaluator."""
    import numpy as np

    from bench.hands import disagreements, ours, random_hands, theirs

    assert disagreements(np.array([1, 2, 2, 3]), np.array([9, 5, 5, 1])) == 0
    assert disagreements(np.array([1, 2, 2, 3]), np.array([9, 5, 4, 1])) == 1
    peer = pytest.importorskip("phevaluator._pheval", reason="phevaluator is not installed")
    hands = random_hands(1_000_000, 1)
    rate, strengths = ours(zermelo.game("holdem"), hands)
    from_python, _, ranks = theirs(peer, hands)
    rate()
    from_python()
    assert disagreements(strengths.array.view(np.int64), ranks) == 0


@pytest.mark.parametrize(
    ("arguments", "code", "expected"),
    [
        (["bench", "--help"], 0, "--write FILE"),
        (["bench", "chess960"], 2, "there is no subject chess960"),
        (["bench", "--rounds", "0"], 2, "expected at least 1 round"),
        (["bench", "--write", "no/such/folder/x.md"], 2, "there is no folder"),
        (["bench.versions", "no-such-folder"], 2, "there is no src/zermelo in no-such-folder"),
        (["bench.versions", ".", "--only", "chess960"], 2, "invalid choice: 'chess960'"),
        (["bench.stops", "nobody"], 2, "there is no searcher nobody"),
        (["bench.stops", "--times", "0"], 2, "expected at least 1 time, not 0"),
        (["bench.bestfirst", "--pairs", "0"], 2, "expected at least 1 tree and 1 pair"),
        (["bench.equilibrium", "--seconds", "0"], 2, "expected a positive number of seconds"),
        (["bench.worlds", "--pairs", "1"], 2, "expected at least 2 pairs"),
        (["bench.kriegspiel", "--games", "0"], 2, "expected at least 1 game"),
        (["bench.hands", "--hands", "1"], 2, "expected at least 2 hands"),
        (["bench.holdem", "none", "--deals", "0"], 2, "expected at least one deal"),
        (["bench.gpu", "--help"], 0, "--pgx FOLDER"),
        (["bench.gpu", "--pgx", "no-such-folder"], 2, "there is no folder no-such-folder"),
    ],
)
def test_commands(arguments: list[str], code: int, expected: str) -> None:
    path = os.pathsep.join(filter(None, [str(ROOT / "src"), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=ROOT, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, check=False
    )
    assert done.returncode == code and expected in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_match_of_versions_is_told_by_its_pairs():
    assert version_match.summary([0, 0, 0, 0, 0]) == "nothing"
    assert version_match.summary([1, 2, 4, 2, 1]).startswith("50.0 %, Elo +0 [-")
    assert version_match.summary([0, 1, 1, 1, 2]).startswith("70.0 %, Elo +147 [")
