"""One browser for all tests of a process, and one page, which knows nothing of the tests before."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Dialog,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)

from tests.web.browser import ALWAYS, ARGUMENTS, MISSING, find_browser

_PATIENCE = 20_000
"""Milliseconds that a page gets for what usually takes a few: machines may be busy."""
expect.set_options(timeout=_PATIENCE)
_SIZE: ViewportSize = {"width": 1280, "height": 800}


_FORGET = "try { localStorage.clear(); sessionStorage.clear(); } catch { /* no page of a server */ }"


class OneBrowser:
    """The browser of this process, and a page in English that is kept: a profile and a window of its own for each test
    cost as much as what most tests do. ``loop`` is Playwright's own, which counts as running in this thread from its
    first call on: between tests it must not, or no other test could begin one."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.page = person(browser).new_page()
        self.faults = watched(self.page)
        self._loop = asyncio.get_running_loop()

    def forget(self) -> None:
        """The kept page becomes as it was at first."""
        self.page.evaluate(_FORGET)
        self.page.goto("about:blank")
        self.page.context.clear_cookies()
        self.page.context.set_offline(False)
        self.page.set_viewport_size(_SIZE)
        self.page.emulate_media(color_scheme="null", media="null")
        self.faults.clear()

    @contextmanager
    def in_use(self) -> Iterator[Browser]:
        asyncio._set_running_loop(self._loop)
        try:
            yield self.browser
        finally:
            asyncio._set_running_loop(None)


@pytest.fixture(scope="session")
def one_browser() -> Iterator[OneBrowser]:
    path = find_browser()
    if path is None:
        if os.environ.get(ALWAYS) == "always":
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    playwright = sync_playwright().start()
    browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
    one = OneBrowser(browser)
    with one.in_use():
        pass
    yield one
    with one.in_use():
        browser.close()
        playwright.stop()


@pytest.fixture
def browser(one_browser: OneBrowser) -> Iterator[Browser]:
    """For a test that wants several people: each is a context, closed at its end."""
    with one_browser.in_use() as browser:
        try:
            yield browser
        finally:
            for context in browser.contexts:
                if context is not one_browser.page.context:
                    context.close()


def person(browser: Browser, locale: str = "en-GB", **options: Any) -> BrowserContext:
    """Somebody else's browser."""
    context = browser.new_context(locale=locale, **{"viewport": _SIZE, **options})
    context.set_default_timeout(_PATIENCE)
    return context


def watched(page: Page) -> list[str]:
    """What goes wrong on ``page`` from now on: errors of scripts, and what the security policy refuses."""
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))

    def heard(message: ConsoleMessage) -> None:
        # An answer that refuses something is told by the browser as well; the tests look at those themselves.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            faults.append(message.text)

    def asked(dialog: Dialog) -> None:
        faults.append(f"a dialog: {dialog.message}")
        dialog.dismiss()

    page.on("console", heard)
    page.on("dialog", asked)
    return faults


@pytest.fixture
def page(one_browser: OneBrowser, browser: Browser) -> Iterator[Page]:
    """A page; its test fails when a script of ours does, or wants what the security policy forbids."""
    yield one_browser.page
    faults = list(one_browser.faults)
    one_browser.forget()
    assert faults == []
