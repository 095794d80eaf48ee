"""Pages in a real browser: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

import zermelo
from zermelo.explain.html import html_of
from zermelo.explain.trace import trace
from zermelo.games.tree import Tree

OPTIONS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


@pytest.fixture(scope="module")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not there to drive the browser")
    chromium = shutil.which("chromium") or shutil.which("chromium", path="/usr/bin")
    if chromium is None:
        pytest.skip("there is no chromium")
    with sync_api.sync_playwright() as play:
        started = play.chromium.launch(executable_path=chromium, args=list(OPTIONS))
        yield started
        started.close()


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Pages by name, each made once."""
    folder = tmp_path_factory.mktemp("pages")

    def made(name: str) -> Path:
        path = folder / f"{name}.html"
        if not path.exists():
            searcher, game = _search(name)
            told = trace(searcher, game)
            path.write_text(html_of(told.stories if name == "deepening" else told.story, game), "utf-8")
        return path

    return made


def _search(name: str):
    match name:
        case "minimax":
            return zermelo.Minimax(interpreted=True), Tree("recitation")
        case "deepening":
            return zermelo.AlphaBeta(table=None, interpreted=True), Tree("recitation")
        case "mcts":
            return zermelo.MCTS(simulations=60, seed=1, interpreted=True), zermelo.game("tictactoe")
        case "bins-2":
            return zermelo.Expectiminimax(table=None, interpreted=True), Tree("bins-2")
        case "three-players":
            return zermelo.MaxN(interpreted=True), Tree("three-players")
        case _:
            return zermelo.AlphaBeta.plain(interpreted=True), Tree(name)


@pytest.fixture
def opened(browser, files):
    """Open a page; whatever it logs as an error, or asks of the network, fails the test."""
    faults: list[str] = []
    contexts = []

    def opens(name: str = "recitation", width: int = 1280, height: int = 800, **options):
        context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce", **options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: faults.append(said.text) if said.type in ("error", "warning") else None)
        page.on("request", lambda asked: None if asked.url.startswith("file:") else faults.append(asked.url))
        page.goto(files(name).as_uri())
        return page

    yield opens
    if folder := os.environ.get("ZERMELO_SCREENSHOTS"):  # to be looked at
        for i, context in enumerate(contexts):
            context.pages[0].screenshot(path=f"{folder}/{os.environ['PYTEST_CURRENT_TEST'].split('::')[1].split(' ')[0]}-{i}.png")
    for context in contexts:
        context.close()
    assert not faults
