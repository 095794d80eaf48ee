"""The content of a page, read from a browser."""

from __future__ import annotations

import pytest


def told(page) -> str:
    return page.locator("#tell").inner_text()


def place(page) -> int:
    return int(page.locator("#where").inner_text().split("/")[0])


def chips(page) -> list[str]:
    return page.locator("#evaluated li").all_inner_texts()


def wait(page, what: str) -> None:
    """Until it is so. (The page forbids what Playwright's own waiting does: to run text as a script.)"""
    for _ in range(400):
        if page.evaluate(what):
            return
        page.wait_for_timeout(50)
    pytest.fail(f"never: {what}")


def node(page, name: str):
    """The node of this name in the picture."""
    return page.locator("#tree [role=treeitem]").filter(has=page.locator(f"text.name >> text=/^{name}$/"))
