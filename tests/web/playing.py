"""A person at a page: answers what is asked until the game is over, by clicks and keys."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from nlp_agent.app.config import Config, RecordsConfig
from nlp_agent.app.wiring.web_tables import RunningWebApp, open_web_app
from nlp_agent.web.event_stream import EventStream
from nlp_agent.web.village_order import PACES, TablePace
from tests.web.browser import running

HURRY = {name: TablePace(60_000, 0.0, 30_000, 40.0) for name in PACES}
"""Computers answer at once, and nobody is ever late."""
PATIENCE = 60.0
"""Seconds a whole game of a test may take on a busy machine."""


def config(folder: Path) -> Config:
    return Config(records=RecordsConfig(dir=folder))


def stage(page: Page) -> str:
    return str(page.evaluate("document.querySelector('#ask [data-stage]')?.dataset.stage ?? ''"))


def question(page: Page) -> tuple[str, int]:
    """What is asked right now, and the number of the question; ("", 0) for nothing."""
    found = page.evaluate("({...document.querySelector('#ask .asked')?.dataset})")
    return (found["request"], int(found["number"])) if found else ("", 0)


def newest_is_in_sight(page: Page) -> None:
    """Above the panel, not behind it; also when the panel has just grown."""
    page.wait_for_function(
        """() => {
            const newest = document.querySelector("#lines > li:last-child").getBoundingClientRect();
            const scroller = document.getElementById("scroller").getBoundingClientRect();
            return newest.bottom <= scroller.bottom + 1 && newest.bottom > scroller.top;
        }"""
    )


class Player:
    """Somebody at ``page``. ``words`` are what they say, with the number of the question where it is one sentence only;
    ``on_question`` is called with each new request first. Who is ``brief`` has nothing more to say after each talk."""

    def __init__(
        self,
        page: Page,
        words: str | Sequence[str] = "I am listening.",
        on_question: Callable[[str], None] = lambda _: None,
        *,
        brief: bool = False,
    ) -> None:
        self.page, self.words, self.on_question, self.brief = page, words, on_question, brief
        self.asked: list[str] = []
        self.talks = 0
        self._last = 0
        self._done = False

    def answer(self) -> bool:
        """Answer what is asked, if anything new is; whether something was."""
        request, number = question(self.page)
        if not request or number == self._last:
            return False
        self._last = number
        self.asked.append(request)
        self.on_question(request)
        if self._done and request in ("TALK", "WHISPER"):
            self._done = False
            self.page.click("#ask button[name=over]")
        elif request in ("TALK", "WHISPER"):
            self._done = self.brief
            self.talks += request == "TALK"
            words = self._words()
            self.page.fill("#ask textarea", words)
            self.page.press("#ask textarea", "Enter")
            if self.page.locator("#ask .is-chat").count():
                expect(self.page.locator(".line.talk.mine").last).to_contain_text(words)
                self.page.get_by_role("button", name="Nothing more today").click()
        else:
            self.page.click("#ask .target >> nth=0")
        return True

    def _words(self) -> str:
        if isinstance(self.words, str):
            return f"{self.words} {len(self.asked)}"
        return self.words[(self.talks - 1) % len(self.words)]

    def play(self, *others: Player, until: Callable[[], bool] = lambda: False) -> None:
        """Until the game is over for this page and those of ``others``, or until ``until`` says so."""
        everybody = (self, *others)
        end = time.monotonic() + PATIENCE
        while not until() and not all(stage(each.page) == "over" for each in everybody):
            assert time.monotonic() < end, f"no end of the game; asked so far: {[each.asked for each in everybody]}"
            answered = [each.answer() for each in everybody]
            if not any(answered):
                self.page.wait_for_timeout(15)


class Site:
    """The application in another thread."""

    def __init__(self, opened: RunningWebApp, loop: asyncio.AbstractEventLoop, folder: Path) -> None:
        self.opened, self.folder = opened, folder
        self.url = opened.url
        self._loop = loop

    def cut(self) -> None:
        """All connections of browsers are lost; they may come back."""
        self._loop.call_soon_threadsafe(self.opened.server.cut)


@contextmanager
def hurried_site(folder: Path) -> Iterator[Site]:
    """Pages with tables that lose no time, and that connect again at once; records go into ``folder``."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(EventStream, "retry", 50)
        with running(lambda: open_web_app(config(folder), paces=HURRY, seed=1)) as (opened, loop):
            yield Site(opened, loop, folder)
