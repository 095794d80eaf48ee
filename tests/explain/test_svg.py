"""SVG of a search: a valid document with everything the lectures draw, in light and dark, and accessible."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from helpers_stories import random_story
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from zermelo.explain.draw.picture import picture_of
from zermelo.explain.draw.svg import COLOURS, svg_of
from zermelo.explain.trace import trace
from zermelo.search.alphabeta.plain import PlainAlphaBeta

NS = "{http://www.w3.org/2000/svg}"


def drawn(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [e for e in root.iter() if name in e.get("class", "").split()]


@given(st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_every_story_is_a_valid_document(seed: int):
    story = random_story(seed)
    text = svg_of(story, 200)
    root = ElementTree.fromstring(text)
    assert text == svg_of(story, 200)
    assert root.get("role") == "img"
    assert root[0].tag == NS + "title"
    assert root[1].tag == NS + "desc"
    picture = picture_of(story, 200)
    assert len([e for e in root.iter(NS + "g") if e.get("data-node")]) == len(picture.marks)
    assert len(drawn(root, "strike")) == sum(edge.struck for edge in picture.edges) + any(edge.struck for edge in picture.edges)
    on_path = [e for e in drawn(root, "edge") if "path" in e.get("class", "").split() and e.get("data-node")]
    assert {int(e.get("data-node", "")) for e in on_path} == set(story.path[1:])


def told(svg: str) -> dict[str, list[str]]:
    """The labels of each node, by what is said of it to who points there (up to the first comma: its name)."""
    groups = [g for g in ElementTree.fromstring(svg).iter(NS + "g") if g.get("data-node")]
    return {(g[0].text or "").split(",")[0]: [e.text or "" for e in g.iter(NS + "text")] for g in groups}


def test_the_tree_of_the_recitation():
    found = trace(PlainAlphaBeta(interpreted=True), zermelo.game("tree", file="recitation"))
    svg = svg_of(found.story)
    labels = told(svg)
    assert labels["A"] == ["A", "6"]
    assert labels["B"] == ["B", "2"]
    assert labels["F"] == ["F", "β=2", "≥ 3", "cut by B"]
    assert labels["M"] == ["M", "α=2", "≤ 1", "cut by A"]
    assert labels["H"] == ["6", "α=2", "β=7", "H", "5"]
    root = ElementTree.fromstring(svg)
    struck = {e.get("data-node") for e in drawn(root, "edge") if "faded" in e.get("class", "").split()} - {None}
    assert sorted(found.story.nodes[int(id or 0)].name for id in struck) == ["J", "L", "O", "P", "R"]
    assert "Value 6, path A C H." in svg
    order = [(labels[name][-1], name) for name in labels if name in "EKQNHI"]
    assert [name for _, name in sorted(order)] == list("EKQNHI")


def test_chance_and_many_players():
    labels = told(svg_of(trace(zermelo.Expectiminimax(interpreted=True), zermelo.game("tree", file="bins-2")).story))
    assert [labels[name][-1] for name in "ABC"] == ["-27.5", "-24.5", "-2"]
    assert labels["A-stay"][:2] == ["A-stay", "0.5"]
    labels = told(svg_of(trace(zermelo.MaxN(interpreted=True), zermelo.game("tree", file="three-players")).story))
    assert labels["A"] == ["0", "A", "(1, 2, 6)"]
    assert labels["G"] == ["2", "G", "(5, 4, 5)"]


def test_a_large_search_is_small_enough_to_open():
    story = next(story for seed in range(50) if len((story := random_story(seed, nodes=100_000)).nodes) >= 100_000)
    svg = svg_of(story)
    assert len(svg) < 200_000
    assert float(ElementTree.fromstring(svg).get("width", "")) < 4000


def test_names_are_text_and_nothing_else():
    story = random_story(3)
    story.game = '</title><script>alert("1")</script>'
    story.nodes[0].name = "<b>&amp;"
    root = ElementTree.fromstring(svg_of(story))
    assert not list(root.iter(NS + "script"))
    assert not list(root.iter(NS + "b"))
    assert "<b>&amp;" in [e.text for e in root.iter(NS + "text")]


def test_nothing_is_loaded_from_elsewhere():
    text = svg_of(random_story(4)).replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"https?:|url\(|@import|href", text)


def test_every_colour_has_its_dark_one():
    light, dark = svg_of(random_story(5)).split("@media (prefers-color-scheme:dark){")
    for name, what, on_light, on_dark in COLOURS:
        assert f".zermelo-tree .{name}{{{what}:{on_light}}}" in light
        assert f".zermelo-tree .{name}{{{what}:{on_dark}}}" in dark


@pytest.mark.parametrize("place", [2, 3])
def test_words_can_be_read_on_the_paper(place: int):
    colours = {(c[0], c[1]): c[place] for c in COLOURS}
    for name in ("ink", "soft", "bounds", "visits", "mark", "order", "pale"):
        assert _contrast(colours[name, "fill"], colours["paper", "fill"]) >= 4.5
    for shape in ("max", "min", "chance", "player", "player-0", "player-1", "player-2", "leaf", "more"):
        assert _contrast(colours["ink", "fill"], colours[shape, "fill"]) >= 7
    assert _contrast(colours["pale", "fill"], colours["shape.faded", "fill"]) >= 4.4


def test_thicker_edges_are_visited_more():
    story = random_story(6, mcts=True)
    edges = [edge for edge in picture_of(story, 200).edges if edge.child >= 0]
    edges.sort(key=lambda edge: story.nodes[edge.child].visits)
    assert [edge.weight for edge in edges] == sorted(edge.weight for edge in edges)
    assert f"n {story.nodes[edges[0].child].visits}" in svg_of(story, 200)


def _contrast(a: str, b: str) -> float:
    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        r, g, b = (x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    low, high = sorted((light(a), light(b)))
    return (high + 0.05) / (low + 0.05)
