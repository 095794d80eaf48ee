"""The layout of a picture of a search: no overlaps, children in order, parents centred."""

from __future__ import annotations

from itertools import pairwise

import pytest
from helpers_stories import random_story, story_of, wide_story
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.explain.draw.page_frame import framed
from zermelo.explain.draw.picture import Label, Mark, Picture, picture_of
from zermelo.explain.draw.text_metrics import chance, clipped, number, vector
from zermelo.explain.search_tree import Node

stories = st.builds(random_story, st.integers(0, 10**6), st.integers(1, 110), st.integers(1, 12))
pictures = st.builds(picture_of, stories, st.sampled_from([None, 40, 200]))


@given(pictures)
@settings(max_examples=50, deadline=None)
def test_no_shape_or_label_overlaps_another(picture: Picture):
    boxes = [_box(mark) for mark in picture.marks]
    boxes += [_box(label) for mark in picture.marks for label in mark.labels if not _inside(label, mark)]
    boxes.sort()
    for i, a in enumerate(boxes):
        assert -0.01 <= a[0] <= a[1] <= picture.width + 0.01
        assert -0.01 <= a[2] <= a[3] <= picture.height + 0.01
        for b in boxes[i + 1 :]:
            if b[0] >= a[1] - 0.01:
                break
            assert b[3] <= a[2] + 0.01 or a[3] <= b[2] + 0.01


@given(pictures)
@settings(max_examples=25, deadline=None)
def test_no_edge_runs_through_a_label_or_the_shape_of_another_node(picture: Picture):
    for edge in picture.edges:
        for mark in picture.marks:
            outside = [] if mark.id in (edge.parent, edge.child) else [mark]
            for thing in [*outside, *(label for label in mark.labels if not _inside(label, mark))]:
                for start, end in pairwise(edge.points):
                    assert not _meet(start, end, _box(thing)), (edge, thing)


@given(pictures)
@settings(max_examples=25, deadline=None)
def test_edges_of_different_parents_do_not_cross(picture: Picture):
    for i, one in enumerate(picture.edges):
        for other in picture.edges[i + 1 :]:
            if one.parent != other.parent:
                assert not any(_cross(*a, *b) for a in pairwise(one.points) for b in pairwise(other.points))


@given(st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_children_stand_in_order_and_parents_in_the_middle(seed: int):
    story = random_story(seed)
    picture = picture_of(story, 200)
    x = {mark.id: mark.x for mark in picture.marks}
    y = {mark.id: mark.y for mark in picture.marks}
    for id, middle in x.items():
        children = [edge.child for edge in picture.edges if edge.parent == id]
        if children:
            places = [x[child] for child in children]
            assert places == sorted(places)
            assert middle == pytest.approx((places[0] + places[-1]) / 2)
            assert all(y[child] == y[children[0]] > y[id] for child in children)
            told = [child for child in children if child >= 0]
            assert told == [child for child in story.nodes[id].children if child in told]


@given(st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_what_was_not_looked_at_is_struck_and_the_path_bold(seed: int):
    story = random_story(seed)
    picture = picture_of(story, 200)
    for edge in picture.edges:
        if edge.child >= 0:
            assert edge.struck == (story.nodes[edge.child].status in ("unseen", "futile"))
            assert edge.bold == (edge.child in story.path)
    assert {mark.id for mark in picture.marks if mark.bold} == set(story.path)


def test_equal_stories_give_equal_pictures():
    assert picture_of(random_story(5)) == picture_of(random_story(5))


def test_many_unseen_children_are_counted():
    story = wide_story(20, unseen=90)
    picture = picture_of(story)
    counted = [mark for mark in picture.marks if mark.shape == "more"]
    assert sum(mark.faded for mark in counted) == 1
    assert "+87" in [mark.labels[0].words for mark in counted]


def test_a_large_story_stays_small_and_says_so():
    story = next(story for seed in range(50) if len((story := random_story(seed, nodes=5000)).nodes) >= 5000)
    picture = picture_of(story)
    assert len(picture.marks) < 400
    assert any("most visited of" in line for line in picture.captions.summary)
    assert any(mark.shape == "more" for mark in picture.marks)


def test_a_deep_chain_is_no_recursion():
    nodes = {i: Node(i, i - 1 if i else None, 0, str(i), i % 2, i, ("max", "min")[i % 2], children=[i + 1] * (i < 99)) for i in range(100)}
    picture = picture_of(story_of(nodes))
    assert len({mark.x for mark in picture.marks}) == 1


def test_a_small_tree_between_large_ones_is_spread_evenly():
    nodes = {0: Node(0, None, None, "start", 0, 0, "max", children=[1, 2, 3])}
    for i in (1, 2, 3):
        nodes[i] = Node(i, 0, i, "m", 1, 1, "min")
    for parent, first in ((1, 10), (3, 20)):
        nodes[parent].children = list(range(first, first + 9))
        nodes |= {k: Node(k, parent, 0, "x", 0, 2, "max", status="leaf", value=1.0) for k in nodes[parent].children}
    x = {mark.id: mark.x for mark in picture_of(story_of(nodes)).marks}
    assert x[2] == pytest.approx((x[1] + x[3]) / 2, abs=1)


@pytest.mark.parametrize(
    ("value", "written"),
    [(3.0, "3"), (-27.5, "-27.5"), (1 / 3, "0.333"), (float("inf"), "∞"), (-0.0004, "-0.0004"), (1e9, "1e+09"), (-12345.0, "-12345")],
)
def test_numbers_are_short(value: float, written: str):
    assert number(value) == written


def test_probabilities_and_vectors_and_names():
    assert [chance(p) for p in (0.5, 1 / 6, 1 / 36, 0.25, 0.1234567)] == ["0.5", "1/6", "1/36", "0.25", "0.12"]
    assert vector((1.0, 2.5, -6.0)) == "(1, 2.5, -6)"
    assert clipped("a\nb\x00") == "a b�"
    assert len(clipped("x" * 100)) < 20


def test_the_words_around_fit_the_sheet():
    for seed in range(20):
        picture = picture_of(random_story(seed))
        frame = framed(picture)
        assert frame.left >= 20
        assert frame.left + picture.width <= frame.width - 19
        assert all(entry.y > frame.top + picture.height for entry in frame.legend)
        assert all(entry.y < frame.height for entry in frame.legend)


def _box(thing: Mark | Label) -> tuple[float, float, float, float]:
    half, high = thing.width / 2, thing.height / 2
    return thing.x - half, thing.x + half, thing.y - high, thing.y + high


def _inside(label: Label, mark: Mark) -> bool:
    return label.x == mark.x and abs(label.y - mark.y) < mark.height / 2


def _meet(start: tuple[float, float], end: tuple[float, float], box: tuple[float, float, float, float]) -> bool:
    """Whether a segment that goes down has a point well within the box."""
    low, high = max(start[1], box[2] + 0.2), min(end[1], box[3] - 0.2)
    if low > high:
        return False
    down = max(end[1] - start[1], 1e-9)
    xs = [start[0] + (end[0] - start[0]) * (y - start[1]) / down for y in (low, high)]
    return max(xs) > box[0] + 0.2 and min(xs) < box[1] - 0.2


def _cross(a, b, c, d) -> bool:
    def side(p, q, r):
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < -1e-6 and side(c, d, a) * side(c, d, b) < -1e-6
