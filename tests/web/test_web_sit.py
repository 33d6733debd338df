"""A person's seat at a server elsewhere: our own ``serve``, over the protocol and nothing else."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from nlp_agent.app.config import AgentConfig, Config, RecordsConfig, WebSocketConfig
from nlp_agent.app.wiring.human_players import open_seat
from nlp_agent.app.wiring.running import run_seats
from nlp_agent.app.wiring.tables import TableOptions, serve_table
from nlp_agent.app.wiring.web_tables import OnlookerPage, open_onlooker_page
from nlp_agent.net import Stop
from tests.web.browser import running
from tests.web.playing import PATIENCE, Player


@dataclass
class Seated:
    url: str
    watch: str
    told: list[str]


@asynccontextmanager
async def _match(folder: Path, generation: str) -> AsyncIterator[Seated]:
    """A table of ``serve`` with a page for onlookers, four agents of ``run`` at it, and a person's seat."""
    async with open_onlooker_page("en", 0) as watch, _seats(folder, watch, generation) as seated:
        yield seated


@asynccontextmanager
async def _seats(folder: Path, watch: OnlookerPage, generation: str) -> AsyncIterator[Seated]:
    stop, told = Stop(), list[str]()
    opened: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def heard(status: str) -> None:
        told.append(status)
        if "open at " in status and not opened.done():
            opened.set_result(status.partition("open at ")[2].split(" ")[0])

    options = TableOptions(5, "en", 1, None, folder, timeout=30_000, generation=generation)
    serving = asyncio.create_task(serve_table(options, watch.show, heard, stop))
    address = WebSocketConfig(url=await opened)
    records = RecordsConfig(dir=folder)
    agents = Config(web_socket=address, agent=AgentConfig(team="agents", num=4), records=records)
    playing = asyncio.create_task(run_seats([agents], told.append, stop))
    try:
        async with open_seat(Config(web_socket=address, records=records), "human", told.append) as (url, _):
            yield Seated(url, watch.url, told)
    finally:
        stop.request()
        stop.request()
        await asyncio.gather(serving, playing, return_exceptions=True)


@pytest.fixture(params=["current", "older"])
def seated(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Seated]:
    with running(lambda: _match(tmp_path, request.param)) as (seated, _):
        yield seated


def test_person_sits_at_a_server_without_pages(page: Page, seated: Seated) -> None:
    """A person sits at a server that knows of no pages.

    The same page by the ways of either server: own words stand there once, the end tells all, and the next game can
    be waited for.
    """
    page.goto(seated.url)
    player = Player(page, brief=True)
    player.play()
    expect(page.locator(".ending .reveal li")).to_have_count(5)
    assert player.talks > 0
    expect(page.locator(".line.talk.mine")).to_have_count(player.talks)
    assert any("person" in status or "human1" in status for status in seated.told)
    expect(page.get_by_role("button", name="Wait for the next game")).to_be_visible()
    page.goto(seated.watch)
    expect(page.locator(".ending .reveal li")).to_have_count(5)
    expect(page.locator("#matrix tbody tr")).to_have_count(5)


def test_missing_server_is_reported_and_retried(page: Page, tmp_path: Path) -> None:
    """A server that is not there is told on the page and tried again.

    The message says what to do, and the button tries again.
    """
    nowhere = Config(web_socket=WebSocketConfig(url="ws://127.0.0.1:9/ws"), records=RecordsConfig(dir=tmp_path))
    told: list[str] = []
    with running(lambda: open_seat(nowhere, "human", told.append)) as ((url, _), _):
        page.goto(url)
        expect(page.locator("#ask")).to_contain_text("nothing listens at ws://127.0.0.1:9/ws")
        page.get_by_role("button", name="Wait for the next game").click()
        until = time.monotonic() + PATIENCE
        while len(told) < 2:
            assert time.monotonic() < until
            page.wait_for_timeout(20)
        expect(page.get_by_role("button", name="Wait for the next game")).to_be_enabled()
