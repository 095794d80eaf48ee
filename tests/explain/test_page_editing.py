"""A tree edited in the page: it is searched again at once, by the same steps as in the package."""

from __future__ import annotations

import json
import random

import pytest
from helpers_page import chips, node, told

import zermelo
from zermelo.explain.html import _finite, _subtree, html_of
from zermelo.explain.trace import trace
from zermelo.games.tree import Tree


def test_a_leaf_gets_another_value(opened):
    page = opened()
    node(page, "H").click()
    page.fill("#leaf-value", "0.5")
    page.keyboard.press("Enter")
    assert "A is worth 2, by the path A B E; evaluated E K Q N H I." in page.locator("#edited").inner_text()
    assert told(page) == "The search is over: A is worth 2, by the path A B E."
    node(page, "L").click()
    page.fill("#leaf-value", "x")
    page.keyboard.press("Enter")
    assert "Expected a number for L." in page.locator("#edited").inner_text()
    page.click("#reset")
    page.keyboard.press("End")
    assert chips(page) == list("EKQNHI")


def test_children_change_places(opened):
    page = opened()
    node(page, "C").click()
    page.click("#earlier")
    page.keyboard.press("Escape")
    node(page, "H").click()
    page.click("#earlier")
    assert "evaluated H Q R N E I." in page.locator("#edited").inner_text()
    assert page.locator("#earlier").is_disabled()


def test_children_change_places_by_keys_and_by_dragging(opened):
    page = opened()
    node(page, "C").focus()
    page.keyboard.press("Alt+ArrowLeft")
    assert "evaluated Q R N H E I." in page.locator("#edited").inner_text()
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith("C,")
    h, g = node(page, "H").locator(".shape").bounding_box(), node(page, "G").locator(".shape").bounding_box()
    page.mouse.move(h["x"] + h["width"] / 2, h["y"] + h["height"] / 2)
    page.mouse.down()
    page.mouse.move(g["x"] - 10, h["y"] + 5, steps=4)
    page.mouse.up()
    assert "evaluated H Q R N E I." in page.locator("#edited").inner_text()


def test_another_search_of_the_same_tree(opened):
    page = opened()
    page.select_option("#search-by", "minimax")
    assert chips(page) == list("EKLQRNHIOP")
    page.fill("#depth", "2")
    page.keyboard.press("Enter")
    assert chips(page) == list("EFGHIJ")
    assert "is worth 6" in told(page)


def test_bins_and_vectors_can_be_edited(opened):
    page = opened("bins-2")
    page.keyboard.press("End")
    assert "start is worth −2" in told(page)
    node(page, "B-left-low").click()
    page.fill("#leaf-value", "5")
    page.keyboard.press("Enter")
    assert "start is worth 3, by the path start B;" in page.locator("#edited").inner_text()
    page = opened("three-players")
    page.keyboard.press("End")
    assert "A is worth (1, 2, 6)" in told(page)
    node(page, "E2").click()
    page.fill("#leaf-value", "7 4 3")
    page.keyboard.press("Enter")
    assert "A is worth (7, 4, 3)" in told(page)


def test_names_are_only_text(browser, tmp_path):
    name = "<img/src/><b>&lt;"
    file = tmp_path / "t.json"
    file.write_text(json.dumps({"a": {"max": [name, "</script>"]}, name: 1, "</script>": {"min": ["x", "y"]}, "x": 0, "y": 3}), "utf-8")
    game = Tree(file)
    path = tmp_path / "t.html"
    path.write_text(html_of(trace(zermelo.AlphaBeta.plain(interpreted=True), game).story, game), "utf-8")
    page = browser.new_page()
    page.goto(path.as_uri())
    for _ in range(page.evaluate("zermelo.app.replay.last")):
        page.keyboard.press("ArrowRight")
    page.locator("#tree [role=treeitem]").nth(1).click()
    assert page.locator("#node-title").inner_text() == name
    assert page.locator("img").count() == page.locator("#tree b, aside b:not(.alpha):not(.beta)").count() == 0
    page.close()


# ---- by the same steps ---------------------------------------------------------------------------


def random_tree(rng: random.Random, players: int, chance: bool) -> dict:
    """The entries of a tree file; leaf values are few, so that there are ties (with several players none: max^n leaves them open)."""
    entries: dict = {}

    def value():
        return rng.randint(-4, 4) if players == 2 else [rng.random() for _ in range(players)]

    def grow(name: str, level: int) -> None:
        if level and (level == 4 or rng.random() < 0.25):
            entries[name] = value()
            return
        children = [f"{name}{'abcd'[i]}" for i in range(rng.randint(1, 4))]
        kind = "player" if players != 2 else rng.choice(["max", "min"])
        if chance and level and rng.random() < 0.35:
            parts = [rng.randint(1, 4) for _ in children]
            entries[name] = {"chance": {child: f"{part}/{sum(parts)}" for child, part in zip(children, parts)}}
        elif kind == "player":
            entries[name] = {"player": rng.randrange(players), "children": children, "static": value()}
        else:
            entries[name] = {kind: children, "static": value()}
        for child in children:
            grow(child, level + 1)

    grow("r", 0)
    return entries


#: the page's search, the searcher that it must equal, players, chance
SEARCHES = {
    "minimax": ("minimax", lambda depth: zermelo.Minimax(depth=depth, interpreted=True), 2, False),
    "alphabeta": ("alphabeta", lambda depth: zermelo.AlphaBeta.plain(depth, interpreted=True), 2, False),
    "expectiminimax": ("expectiminimax", lambda depth: zermelo.Expectiminimax(depth=depth, table=None, interpreted=True), 2, True),
    "maxn": ("maxn", lambda depth: zermelo.MaxN(depth=depth, interpreted=True), 3, True),
}

RUN = """(cases) => cases.map(({ tree, fields, ...options }) => {
  const story = zermelo.search_tree(tree, options);
  const word = (x) => (x === Infinity ? "inf" : x === -Infinity ? "-inf" : x);
  const names = Object.fromEntries([...story.nodes].map(([id, node]) => [id, node.name]));
  const words = (x) => (Array.isArray(x) ? x.map(word) : word(x));
  return {
    steps: story.steps.map((step) => [step.type, ...fields[step.type].map((key) => words(step[key]))]),
    path: story.path.map((id) => names[id]), value: story.value, values: story.values,
    pruned: story.pruned.map((id) => names[id]),
    bounds: Object.fromEntries([...story.nodes.values()].filter((node) => node.status !== "unseen").map((node) => [node.name, node.bound])),
  };
})"""


def reordered(tree: dict, story) -> dict:
    """The tree with children in the order in which a search looked at them: ordering is not the page's business."""
    order = {story.name(id): i for id in story.nodes for i in [id]}
    children = sorted(tree["children"], key=lambda child: order.get(child["name"], 1 << 40))
    return {**tree, "children": [reordered(child, story) for child in children]}


@pytest.mark.parametrize("name", SEARCHES)
def test_the_page_searches_as_the_package_does(opened, tmp_path, name):
    algorithm, searcher, players, chance = SEARCHES[name]
    rng = random.Random(name)
    page = opened()
    fields = page.evaluate("JSON.parse(document.getElementById('story').textContent).fields")
    cases, expected = [], []
    while len(cases) < 60:
        file = tmp_path / f"{len(cases)}.json"
        file.write_text(json.dumps(random_tree(rng, players, chance)), "utf-8")
        game = Tree(file)
        depth = rng.choice([None, None, 2, 3])
        story = trace(searcher(depth), game).story
        cases.append(
            {
                "tree": reordered(_subtree(game, game.initial()), story),
                "fields": fields,
                "algorithm": algorithm,
                "depth": story.depth,
                "players": players,
            }
        )
        expected.append(story)
    for case, story, found in zip(cases, expected, page.evaluate(RUN, cases), strict=True):
        first = story.root
        steps = [_plain(step, first, fields) for step in story.steps]
        got = [_comparable(step, fields) for step in found["steps"]]
        assert got == steps, case
        assert found["path"] == story.names(story.path) and found["value"] == story.value and found["values"] == list(story.values)
        leaves = story.names([id for id in story.pruned if not story.nodes[id].children])
        assert sorted(found["pruned"]) == sorted(leaves)
        assert found["bounds"] == {node.name: node.bound for node in story.nodes.values() if node.status != "unseen"}


def _plain(step, first: int, fields: dict) -> dict:
    """A step of a story as the page would write it, its visits counted from 0."""
    kind = type(step).__name__
    made = {key: _finite(getattr(step, key)) for key in fields[kind]}
    for key in ("node", "child", "parent", "by"):
        if made.get(key) is not None:
            made[key] -= first
    return _rounded(kind, made)


def _comparable(step: list, fields: dict) -> dict:
    return _rounded(step[0], dict(zip(fields[step[0]], step[1:], strict=True)))


def _rounded(kind: str, made: dict) -> dict:
    """Without what is not the search's: which iteration it was, and who would move where nobody does."""
    for key in ("number", "mover", "low", "high"):
        made.pop(key, None)
    return {"type": kind, **{key: round(value, 9) if isinstance(value, float) else value for key, value in made.items()}}
