"""One browser for all tests of a process, and a fresh profile for each test."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from tests.web.browser import ALWAYS, MISSING, find_browser


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = find_browser()
    if path is None:
        if os.environ.get(ALWAYS) == "always":
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])
        _let_others_run_loops()
        try:
            yield browser
        finally:
            browser.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 800})
    context.set_default_timeout(10_000)
    try:
        yield context
    finally:
        context.close()
        _let_others_run_loops()


def _let_others_run_loops() -> None:
    """Playwright's own loop counts as running in this thread after each call: no other test could begin one."""
    asyncio._set_running_loop(None)


def watched(page: Page) -> list[str]:
    """What goes wrong on ``page`` from now on: errors of scripts, and what the security policy refuses."""
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))

    def heard(message: ConsoleMessage) -> None:
        # An answer that refuses something is told by the browser as well; the tests look at those themselves.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            faults.append(message.text)

    page.on("console", heard)
    return faults


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page; its test fails when a script of ours does, or wants what the security policy forbids."""
    page = context.new_page()
    faults = watched(page)
    yield page
    assert faults == []
