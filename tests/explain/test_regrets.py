"""Information sets and regrets of a small game, against the same found by walking the tree of Kuhn poker by hand."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest
from helpers_cli import called

import zermelo
from zermelo.cli.board_view import seen_line
from zermelo.explain import regrets
from zermelo.explain.draw.information_sets import svg_of_sets
from zermelo.explain.information_sets import END, game_tree, lines

KUHN = zermelo.game("kuhn")
TREE = game_tree(KUHN, seen_line)


def by_hand(strategies: list[dict], p: int) -> dict:
    """The counterfactual regrets of player p, by information set (p's observation) and action, if all play these strategies."""
    found: dict = {}

    def value(s, reach: float) -> float:
        """What s is worth to p; `reach` is how likely chance and the others make it."""
        if KUHN.is_terminal(s):
            return KUHN.utility(s, p)
        mover, actions = KUHN.to_move(s), list(KUHN.actions(s))
        if mover < 0:
            return sum(KUHN.probability(s, a) * value(KUHN.result(s, a), reach * KUHN.probability(s, a)) for a in actions)
        odds = strategies[mover][KUHN.observe(s, mover)]
        if mover != p:
            return sum(odds[a] * value(KUHN.result(s, a), reach * odds[a]) for a in actions)
        worth = {a: value(KUHN.result(s, a), reach) for a in actions}
        mean = sum(odds[a] * worth[a] for a in actions)
        for a in actions:
            key = KUHN.observe(s, p), KUHN.write_action(s, a)
            found[key] = found.get(key, 0.0) + reach * (worth[a] - mean)
        return mean

    value(KUHN.initial(), 1.0)
    return found


def sets() -> list[tuple[int, tuple[int, ...]]]:
    """The player and what it observes of each information set."""
    return [(int(p), tuple(map(int, words))) for p, words in zip(TREE.form.owners, TREE.form.observations, strict=True)]


def test_regrets_are_those_found_by_hand():
    """Player 1 is updated against the new strategy of player 0."""
    strategies: list[dict] = [{}, {}]
    for p, seen in sets():
        strategies[p][seen] = {0: 0.5, 1: 0.5}
    for one in regrets.iterations(TREE, "cfr", 6):
        for p in range(2):
            wanted = by_hand(strategies, p)
            for (owner, seen), choices in zip(sets(), one.choices, strict=True):
                if owner == p:
                    assert [c.strategy for c in choices] == pytest.approx(list(strategies[p][seen].values()))
                    assert [c.regret for c in choices] == pytest.approx([wanted[seen, c.action] for c in choices], abs=1e-12)
                    strategies[p][seen] = dict(enumerate(c.next for c in choices))
    assert one.nash_conv == pytest.approx(zermelo.solve(KUHN, method="cfr", iterations=6).about.nash_conv)


def test_nodes_of_a_set_cannot_be_told_apart():
    assert len(TREE.nodes) == 58 and TREE.form.sets == 12 and sum(node.mover == END for node in TREE.nodes) == 30
    assert sorted(map(len, TREE.members().values())) == [2] * 12
    assert TREE.knows[0] == "J?" and TREE.actions[0] == ("pass", "bet")
    told = list(lines(TREE))
    assert told[:3] == ["chance", "  J (1/3): chance", "    Q (0.5): player 0 in [1] J?"] and len(told) == 58


def test_the_picture_joins_the_nodes_of_a_set():
    last = list(regrets.iterations(TREE, "cfr+", 3))[-1]
    drawn = ElementTree.fromstring(svg_of_sets(TREE, regrets.average_of(TREE, last), "Kuhn & co"))
    names = {"s": "http://www.w3.org/2000/svg"}
    assert len(drawn.findall("s:g", names)) == 58 and len(drawn.findall("s:polyline", names)) == 57
    joins = [path for path in drawn.findall("s:path", names) if path.get("data-set")]
    assert sorted(int(path.get("data-set", "")) for path in joins) == list(range(1, 13))
    assert all("stroke-dasharray" in path.get("style", "") for path in joins)


def test_the_command(capsys, tmp_path):
    done = called(capsys, "explain", "kuhn", "--with", "cfr", "--set", "iterations=2", "--svg", str(tmp_path / "kuhn.svg"))
    assert done.code == 0 and "Iteration 2: NashConv of the average 0.5417, values +0.0000 +0.0000" in done.out
    assert "1    player 0  J?     pass    50.0 %    -0.1250  -0.1250  0.0 %    50.0 %" in done.out
    assert (tmp_path / "kuhn.svg").read_text().startswith("<svg")
    done = called(capsys, "explain", "kuhn", "--with", "dcfr", "--json")
    said = json.loads(done.out)
    assert (said["method"], said["nodes"], len(said["sets"]), len(said["iterations"])) == ("dcfr", 58, 12, 3)
    assert "| 1 | player 0 | J? |" in called(capsys, "explain", "kuhn", "--with", "cfr", "--markdown").out
    for arguments, message in [
        (("connect4", "--with", "cfr"), "hides nothing: expected a game that writes observe"),
        (("leduc", "--with", "cfr"), "more than 5,000 nodes"),
        (("kuhn", "--with", "cfr", "--depth", "2"), "cfr explains a whole game: expected no --depth"),
        (("kuhn", "--with", "cfr", "--set", "seed=1"), "expected iterations=N"),
        (("kuhn", "--with", "cfr", "--set", "iterations=0"), "expected 1 to 1,000 iterations"),
    ]:
        done = called(capsys, "explain", *arguments)
        assert done.code == 2 and message in done.err
