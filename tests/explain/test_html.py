"""The page as text: one self-contained file that no name can break."""

from __future__ import annotations

import json
import re
from importlib.resources import files

import pytest

import zermelo
from zermelo.explain.html import NODES, SCRIPTS, STEPS, html_of
from zermelo.explain.trace import trace
from zermelo.games.tree import Tree

PLAIN = zermelo.AlphaBeta.plain(interpreted=True)


def data_of(page: str) -> dict:
    found = re.search(r'<script type="application/json" id="story">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])


def page_of(searcher, game, **options) -> str:
    return html_of(trace(searcher, game, **options).story, game)


def test_the_page_needs_nothing_from_elsewhere():
    page = page_of(PLAIN, Tree("recitation"))
    assert not re.search(r"""(src|href)\s*=|@import|url\(|fetch\(|XMLHttpRequest|import\s*\(""", page)
    assert set(re.findall(r"https?://[^\s\"'<]+", page)) == {"http://www.w3.org/2000/svg"}  # a name, not an address
    assert "default-src 'none'" in page


def test_the_page_has_every_script_and_all_is_filled_in():
    page = page_of(PLAIN, Tree("recitation"))
    assert "{{" not in page and page.count("<script") == 2
    inside = {path.name.removesuffix(".js") for path in files("zermelo.explain").joinpath("page").iterdir() if path.name.endswith(".js")}
    assert inside == set(SCRIPTS)


def test_scripts_can_be_read_in_a_sitting():
    for path in files("zermelo.explain").joinpath("page").iterdir():
        assert len(path.read_text("utf-8").splitlines()) < 400, path.name


def test_the_data_tells_the_search():
    data = data_of(page_of(PLAIN, Tree("recitation")))
    story = data["stories"][0]
    names = {node["id"]: node["name"] for node in story["nodes"]}
    assert [names[step[1]] for step in story["steps"] if step[0] == "Evaluate"] == list("EKQNHI")
    assert [names[i] for i in story["path"]] == list("ACH") and story["value"] == 6
    cuts = [dict(zip(data["fields"]["Cut"], step[1:])) for step in story["steps"] if step[0] == "Cut"]
    assert ("F", "B", 2) in [(names[cut["node"]], names[cut["by"]], cut["bound"]) for cut in cuts]
    assert {node["name"] for node in story["nodes"]} == set(Tree("recitation").names)


def test_infinite_bounds_are_json():
    story = data_of(page_of(PLAIN, Tree("recitation")))["stories"][0]
    enter = next(step for step in story["steps"] if step[0] == "Enter")
    assert "-inf" in enter and "inf" in enter


def test_the_tree_can_be_changed_only_where_the_game_is_one():
    data = data_of(page_of(PLAIN, Tree("recitation")))
    assert data["tree"]["name"] == "A" and [child["name"] for child in data["tree"]["children"]] == ["B", "C", "D"]
    other = zermelo.game("tictactoe")
    assert data_of(page_of(zermelo.AlphaBeta.plain(2, interpreted=True), other))["tree"] is None


def test_a_tree_from_a_node_on():
    game = Tree("recitation")
    told = trace(PLAIN, game, game.read_state("C"))
    assert data_of(html_of(told.story, game))["tree"]["name"] == "C"


@pytest.mark.parametrize("name", ["</script><b>x", "<!--", "{{style}}", '"&amp;'])
def test_names_cannot_break_the_page(tmp_path, name):
    file = tmp_path / "t.json"
    file.write_text(json.dumps({name: {"max": ["L", "R"]}, "L": 1, "R": 2}), "utf-8")
    page = page_of(PLAIN, Tree(file))
    assert data_of(page)["tree"]["name"] == name
    assert page.lower().count("</script>") == 2 and page.count("</style>") == 1


def test_every_iteration_can_be_in_the_page():
    game = Tree("recitation")
    told = trace(zermelo.AlphaBeta(table=None, interpreted=True), game)
    data = data_of(html_of(told.stories, game))
    assert len(data["stories"]) == len(told.stories) > 1


@pytest.mark.parametrize(
    ("name", "searcher"),
    [
        ("tictactoe", zermelo.AlphaBeta.plain(nodes=3_000, interpreted=True)),
        ("tictactoe", zermelo.MCTS(simulations=3_000, interpreted=True)),
    ],
)
def test_a_large_search_stays_small(name, searcher):
    game = zermelo.game(name)
    told = trace(searcher, game)
    page = html_of(told.story, game)
    story = data_of(page)["stories"][0]
    assert len(page) < 5_000_000
    assert len(story["nodes"]) <= 2 * NODES and len(story["steps"]) <= STEPS * 1.01
    shown = {node["id"] for node in story["nodes"]}
    assert all(child in shown for node in story["nodes"] for child in node.get("children", []))
    assert set(story["path"]) <= shown and story["left_out"]
