"""The page in a real browser: stepping, predicting, keys, and screen readers."""

from __future__ import annotations

import re

import pytest
from helpers_page import chips, node, place, told, wait

# ---- stepping ------------------------------------------------------------------------------------


def test_steps_tell_the_recitation(opened):
    page = opened()
    page.keyboard.press("End")
    assert told(page) == "The search is over: A is worth 6, by the path A C H."
    assert chips(page) == list("EKQNHI")
    page.keyboard.press("Home")
    assert place(page) == 0 and chips(page) == []
    page.keyboard.press("n")
    assert told(page) == "L is not looked at: F can already force 3, and B has 2 elsewhere."
    assert chips(page) == ["E", "K"]
    page.keyboard.press("n")
    assert told(page).startswith("R is not looked at: M can be held to 1, and A has 2 elsewhere")
    page.keyboard.press("n")
    assert told(page).startswith("J is not looked at: D can be held to 1, and A has 6 elsewhere")


def test_back_undoes_forward(opened):
    page = opened()

    def picture() -> str:
        return page.locator("#world").inner_html()

    seen = []
    for _ in range(page.evaluate("zermelo.app.replay.last")):
        seen.append(picture())
        page.keyboard.press("ArrowRight")
    assert "over" in told(page)
    for before in reversed(seen):
        page.keyboard.press("ArrowLeft")
        assert picture() == before
    assert place(page) == 0


def test_buttons_and_slider(opened):
    page = opened()
    page.click("#forward")
    page.click("#forward")
    page.click("#forward")
    page.click("#back")
    assert place(page) == 2
    page.click("#last")
    page.click("#next-cut")
    assert place(page) == page.evaluate("zermelo.app.replay.last")
    page.click("#first")
    assert place(page) == 0
    page.locator("#place").fill("13")
    assert place(page) == 13
    page.focus("#place")
    page.keyboard.press("ArrowRight")
    assert place(page) == 14


def test_playing_comes_to_the_end_and_can_be_paused(opened):
    page = opened()
    page.locator("#speed").fill("8")
    page.keyboard.press(" ")
    wait(page, "zermelo.app.replay.place > 3")
    page.keyboard.press(" ")
    stopped = place(page)
    page.wait_for_timeout(250)
    assert place(page) == stopped
    page.click("#play")
    wait(page, "zermelo.app.replay.done")
    assert page.locator("#play").get_attribute("aria-label").startswith("Play")


def test_values_and_bounds_come_as_they_are_known(opened):
    page = opened()
    assert node(page, "B").locator(".value").first.text_content() == ""
    page.keyboard.press("n")
    assert node(page, "F").locator(".value").first.text_content() == "3"
    assert "current" in node(page, "F").get_attribute("class")
    assert "alpha 3, beta 2" in node(page, "F").get_attribute("aria-label")
    assert "unseen" in node(page, "L").get_attribute("class")
    assert page.locator(".edge.struck").count() == 1
    assert page.locator(".alpha.moved").count() == 1
    page.keyboard.press("End")
    assert page.locator(".edge.struck").count() == 3
    assert page.locator(".edge.path").count() == 2
    assert all("path" in node(page, name).get_attribute("class").split() for name in "ACH")


def test_a_node_tells_its_story(opened):
    page = opened()
    page.keyboard.press("End")
    node(page, "L").click()
    assert page.locator("#node-title").inner_text() == "L"
    assert "B has 2 elsewhere" in page.locator("#node-steps").inner_text()
    node(page, "B").click()
    story = page.locator("#node-steps").inner_text()
    assert "α = −∞, β = ∞" in story and "E gives 2: B is worth at most that: now β = 2." in story and "B is worth 2" in story
    page.locator("#node-steps button").first.click()
    assert told(page).startswith("Look at B")
    page.keyboard.press("Escape")
    assert page.locator("#node").is_hidden()


def test_iterations_can_be_chosen(opened):
    page = opened("deepening")
    options = page.locator("#iteration option").all_inner_texts()
    assert options[:2] == ["depth 1", "depth 2"]
    page.select_option("#iteration", "0")
    page.keyboard.press("End")
    assert chips(page) == ["B", "C", "D"]


# ---- predicting ----------------------------------------------------------------------------------


def test_predicting_asks_and_keeps_the_score(opened):
    page = opened()
    page.keyboard.press("p")
    asked = []
    while not page.evaluate("zermelo.app.replay.done"):
        page.keyboard.press("ArrowRight")
        if page.locator("#question").is_visible():
            asked.append(page.locator("#asks").inner_text())
            before = place(page)
            page.keyboard.press("ArrowRight")
            assert place(page) == before  # an answer first
            assert page.locator("#window").is_hidden()
            page.keyboard.press("y" if len(asked) % 2 else "n")
            assert place(page) == before + 1
            assert page.locator("#verdict").inner_text().startswith(("Right. ", "No. "))
    assert [words.split(" is next")[0] for words in asked] == ["F", "L", "C", "R", "N", "H", "D", "J"]
    right = sum((i % 2 == 0) == (name in "LRJ") for i, name in enumerate("FLCRNHDJ"))
    assert page.locator("#score").inner_text() == f"{right} of 8 right"
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert page.locator("#question").is_hidden()


def test_the_answer_gives_the_reason(opened):
    page = opened()
    page.click("#predict-toggle")
    page.click("#next-cut")
    assert page.locator("#asks").inner_text() == "F is next. B has 2 so far. Will F be pruned?"
    page.click("#yes")
    assert "No. F is looked at: at B α = −∞ is below β = 2" in page.locator("#verdict").inner_text()
    page.click("#next-cut")
    page.click("#yes")
    assert page.locator("#verdict").inner_text() == "Right. L is not looked at: F can already force 3, and B has 2 elsewhere."
    assert page.locator("#score").inner_text() == "1 of 2 right"


def test_nothing_to_predict_where_nothing_is_pruned(opened):
    page = opened("minimax")
    assert page.locator("#predict-toggle").is_disabled()
    page.keyboard.press("p")
    assert page.locator("#predict").is_hidden()
    page.keyboard.press("End")
    assert chips(page) == list("EKLQRNHIOP")


def test_what_is_to_come_is_not_told_while_predicting(opened):
    page = opened()
    page.keyboard.press("n")
    page.keyboard.press("p")
    node(page, "C").click()
    assert page.locator("#node-steps").inner_text() == "Nothing yet."
    assert page.locator("#log .future").count() == 0


# ---- keys, screen readers, sizes -----------------------------------------------------------------


def test_the_tree_can_be_walked_by_keys(opened):
    page = opened()
    page.keyboard.press("End")
    assert page.locator("#tree [tabindex='0']").count() == 1
    page.locator("#tree [tabindex='0']").focus()
    walked = []
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowLeft", "ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp"):
        page.keyboard.press(key)
        walked.append(page.evaluate("document.activeElement.getAttribute('aria-label').split(',')[0]"))
    assert walked == list("BCDCGMGCAA")
    assert page.locator("#tree [tabindex='0']").count() == 1
    page.keyboard.press("Enter")
    assert page.locator("#node-title").inner_text() == "A"
    assert node(page, "A").get_attribute("aria-selected") == "true"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.id") == "forward"


def test_what_a_screen_reader_is_told(opened):
    page = opened()
    page.keyboard.press("n")
    tree = page.locator("#tree").aria_snapshot()
    assert 'tree "The tree of the search' in tree
    assert 'treeitem "F, max, alpha 3, beta 2, so far 3, cut here, current"' in tree
    assert 'treeitem "L, pruned"' in tree and 'treeitem "G, max, not looked at yet"' in tree
    assert page.locator("#tell").get_attribute("aria-live") == "polite"
    for button in page.locator("button:visible").all():
        assert button.get_attribute("aria-label") or button.inner_text().strip()
    assert node(page, "F").get_attribute("aria-level") == "3"


def test_help_and_themes(opened):
    page = opened(color_scheme="dark")
    paper = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(paper)
    page.keyboard.press("t")
    light = page.evaluate(paper)
    page.click("#theme")
    assert page.evaluate(paper) == dark != light
    page.keyboard.press("?")
    assert page.locator("#help").is_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    assert page.locator("#help").is_hidden() and place(page) == 0
    other = opened(color_scheme="light")
    assert other.evaluate(paper) == light


@pytest.mark.parametrize("width", [320, 400, 800, 1280, 2200])
def test_nothing_is_wider_than_the_window(opened, width):
    page = opened(width=width, height=800)
    page.keyboard.press("n")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    box = node(page, "F").locator(".shape").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= width


def test_pan_and_zoom(opened):
    page = opened()
    size = node(page, "A").locator(".shape").bounding_box()["width"]
    page.keyboard.press("+")
    assert node(page, "A").locator(".shape").bounding_box()["width"] > size * 1.2
    page.keyboard.press("-")
    page.keyboard.press("0")
    before = node(page, "A").locator(".shape").bounding_box()
    frame = page.locator("#tree").bounding_box()
    page.mouse.move(frame["x"] + 12, frame["y"] + frame["height"] - 12)
    page.mouse.down()
    page.mouse.move(frame["x"] + 62, frame["y"] + frame["height"] - 32)
    page.mouse.up()
    after = node(page, "A").locator(".shape").bounding_box()
    assert after["x"] - before["x"] == pytest.approx(50, abs=1) and after["y"] - before["y"] == pytest.approx(-20, abs=1)
    page.mouse.wheel(0, 400)
    wait(page, f"document.querySelector('#tree .shape').getBoundingClientRect().width < {before['width'] * 0.8}")


def test_mcts_steps(opened):
    page = opened("mcts")
    kinds = set()
    for _ in range(80):
        page.keyboard.press("ArrowRight")
        kinds.add(told(page).split(":")[0])
    assert {"Select", "Expand", "Simulate", "Back up"} <= kinds
    assert page.locator(".node.hidden").count() > 0  # the tree grows
    page.keyboard.press("End")
    assert re.search("6[01]×", node(page, "start").text_content())
    node(page, "start").click()
    assert page.locator("#node-children thead").inner_text().split() == ["child", "visits", "mean", "UCB1"]
    assert "largest UCB1: mean" in page.evaluate("[...document.querySelectorAll('#node-steps li')].map(li => li.textContent).join()")
