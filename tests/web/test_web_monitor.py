"""Own seats on a page while they play: what it shows, and that nothing that happens to it reaches a seat."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import queue
import signal
import socket
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from nlp_agent.app.wiring.monitor import KEPT, MonitorProcess, RowQueue, endpoint_row
from nlp_agent.app.wiring.web_tables import open_replays
from nlp_agent.errors import AlertMessage
from nlp_agent.llm.endpoint import EndpointModel
from nlp_agent.llm.model import Prices, Usage
from nlp_agent.llm.request import EndpointConfig
from nlp_agent.records.journal import Journal, read_rows
from nlp_agent.review.background import ReviewJobs
from nlp_agent.web.app import Viewers
from nlp_agent.web.monitor import Monitor
from tests.recorded import recorded
from tests.web.axe import serious
from tests.web.browser import running
from tests.web.playing import PATIENCE


def _rows(seat: str, upto: int = 10_000) -> list[dict[str, Any]]:
    return list(read_rows(recorded(5, "en") / f"{seat}.jsonl"))[:upto]


def _line(seat: str, row: dict[str, Any], at: float) -> dict[str, Any]:
    return {"t": at, "seat": seat, "event": row["event"], "row": row}


def test_seat_is_shown_from_name_to_end() -> None:
    """A seat is shown from its name to the end of the game.

    Waiting, playing with an open request and its time, what was believed, planned, thought and sent, finished.
    """
    monitor, rows = Monitor(), _rows("nlp-agent2")
    warnings: list[dict[str, Any]] = []
    asked = answered = False
    for number, row in enumerate(rows):
        warnings += monitor.take(_line("nlp-agent2", row, float(number)))
        [seat] = monitor.now()["seats"]
        asked = asked or (seat["asked"] == "VOTE" and seat["since"] == 1000 * number and seat["budget"] == 55_000)
        if row["event"] == "name":
            assert seat["connected"] == "waiting"
        if row["event"] == "decision":
            last = seat["last"]
            assert (last["sent"], last["request"], seat["asked"]) == (row["sent"], row["request"], "")
            answered = answered or bool(last["belief"] and last["plan"] and last["thought"] and last["ms"] > 0)
    assert asked
    assert answered
    assert seat["connected"] == "finished"
    assert sum(seat["how"].values()) == sum(row["event"] == "decision" for row in rows)
    assert seat["tokens"] > 1000
    refused = [problem for row in rows for problem in row.get("problems", ()) if problem.startswith("refused")]
    assert [w["text"] for w in warnings if w["kind"] == "problem" and w["text"].startswith("refused")] == refused


def test_wolf_is_shown_as_others_see_it() -> None:
    """Of a wolf is shown what it lets others believe.

    It has nothing to suspect, so its own posterior would be a row of noughts.
    """
    monitor = Monitor()
    row = {"request": "TALK", "posterior": {"wolf": {"A": 0.0, "B": 0.0}, "shown": {"A": 0.2, "B": 0.7}}}
    assert list(monitor.take({"t": 1.0, "seat": "x", "event": "decision", "row": row})) == []
    last = monitor.now()["seats"][0]["last"]
    assert (last["shown"], last["belief"]) == (True, [("B", 0.7), ("A", 0.2)])


def test_ordinary_news_are_no_warnings() -> None:
    """Who plays whom and who waits is told in the terminal alone; trouble reaches the page as well."""
    told: list[str] = []
    watch = MonitorProcess(0, told.append, told.append)
    hear = watch.heard(told.append)
    hear("one: plays Imogen (VILLAGER)")
    hear(AlertMessage("nothing listens -- trying again in 1 s"))
    rows, _ = watch.channel.take()
    assert [row["text"] for _, _, _, row in rows] == ["nothing listens -- trying again in 1 s"]
    assert len(told) == 2


def test_any_line_is_survived() -> None:
    """Rows of other versions and broken packets give nothing, and no error."""
    monitor = Monitor()
    for row in (None, {}, {"raw": "{"}, {"posterior": 3, "plan": [], "usage": "x", "problems": 1, "ms": "x"}):
        for event in ("name", "packet", "decision", "dropped", "problem", "unheard of"):
            list(monitor.take({"t": 1.0, "seat": "s", "event": event, "row": row}))
    list(monitor.take({"event": "health", "endpoints": [{}]}))
    assert monitor.now()["seats"][0]["name"] == "s"


def test_endpoints_show_health_and_price_without_key() -> None:
    """Calls, the median and the longest of the last ones, 429s, other failures, whether it rests, and money."""
    config = EndpointConfig(name="big", base_url="http://h/v1", model="m", api_key="sk-secret", prices=Prices(1, 0, 2))
    model = EndpointModel(config)
    model.health.usage = Usage(calls=3, prompt_tokens=1000, completion_tokens=10, seconds=9.0, money=1.25)
    model.health.seconds.extend((1.0, 2.0, 6.0))
    model.health.failures.update(rate=2, timeout=1)
    row = endpoint_row("big", model, 12.0)
    assert "sk-secret" not in str(row)
    monitor = Monitor()
    list(monitor.take({"event": "health", "endpoints": [row]}))
    now = monitor.now()
    [shown] = now["endpoints"]
    assert (shown["p50"], shown["worst"], shown["rate"], shown["failures"], shown["resting"]) == (2.0, 6.0, 2, 1, 12.0)
    assert (now["calls"], now["tokens"], now["money"]) == (3, 1010, 1.25)
    list(monitor.take({"event": "health", "endpoints": [row, {**row, "priced": False}]}))
    assert monitor.now()["money"] is None


def test_channel_is_bounded_and_counts_losses() -> None:
    """The channel never grows, and tells what was lost.

    Rows that nobody takes away push out the oldest.
    """
    channel = RowQueue()
    for number in range(KEPT + 500):
        channel.put("s", "packet", {"n": number})
    rows, lost = channel.take()
    assert (len(rows), lost, rows[-1][3]) == (KEPT, 500, {"n": KEPT + 499})
    channel.put("s", "packet", {})
    assert channel.take()[1] == 0


def test_every_row_of_a_journal_reaches_the_channel(tmp_path: Path) -> None:
    """As it is written, also before the game is known and when the disk fails."""
    channel = RowQueue()
    journal = Journal(lambda: "now", lambda event, row: channel.put("s", event, row))
    journal.write("name", {"sent": "s"})
    (tmp_path / "file").write_text("")
    journal.open(tmp_path / "file" / "x.jsonl")
    journal.write("packet", {"raw": "{}"})
    assert [event for _, _, event, _ in channel.take()[0]] == ["name", "packet"]


class Watched:
    """A page that runs, what was told of it, and its address."""

    def __init__(self) -> None:
        self.told: queue.Queue[str] = queue.Queue()
        urls: queue.Queue[str] = queue.Queue()
        self.watch = MonitorProcess(0, self.told.put, urls.put)
        self.watch.__enter__()
        self.url = urls.get(timeout=30)


@pytest.fixture(scope="module")
def watched() -> Iterator[Watched]:
    watched = Watched()
    try:
        yield watched
    finally:
        watched.watch.__exit__()


def _ask(url: str, method: str, path: str) -> int:
    place = urlsplit(url)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=10)
    try:
        connection.request(method, path)
        return connection.getresponse().status
    finally:
        connection.close()


def test_live_page_is_read_only(page: Page, watched: Watched) -> None:
    """The page shows one's own seats live and can only be read.

    Cards change as rows come; nothing takes a post; what players wrote stays text; axe finds nothing serious.
    """
    noise: list[str] = []
    page.on("dialog", lambda dialog: noise.append(dialog.message))
    page.on("pageerror", lambda error: noise.append(str(error)))
    page.goto(watched.url)
    rows = _rows("nlp-agent1")
    votes = [number for number, row in enumerate(rows) if row["event"] == "decision" and row["request"] == "VOTE"]
    for row in rows[: votes[0]]:
        watched.watch.channel.put("nlp-agent1", row["event"], row)
    card = page.locator(".seat").filter(has_text="nlp-agent1")
    expect(card).to_contain_text("Vote: thinking for")
    game = next(json.loads(row["raw"])["info"]["game_id"] for row in rows if row["event"] == "packet")
    expect(card).to_contain_text(game[-6:])
    expect(card).to_contain_text("playing")
    watched.watch.channel.put("nlp-agent1", "decision", rows[votes[0]])
    expect(card.locator(".sent")).to_have_text(rows[votes[0]]["sent"])
    hostile = {"request": "TALK", "sent": "<img src=x onerror=alert(1)>", "plan": {"acts": [{"kind": "<b>x</b>"}]}}
    watched.watch.channel.put('<script>"', "name", {})
    watched.watch.channel.put('<script>"', "decision", {**hostile, "problems": ["refused: <b>bold</b>"]})
    expect(page.locator("#warnings")).to_contain_text("refused: <b>bold</b>")
    assert page.locator("main script, main img, main b").count() == 0
    assert serious(page) == []
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert _ask(watched.url, "POST", "/") == 405
    assert _ask(watched.url, "POST", "/events") == 405
    assert noise == []


def test_claims_and_votes_look_alike_on_all_pages(page: Page) -> None:
    """The table of claims and votes is that of all pages.

    One for each game, of what everybody may know; when the games are over their replays are at the same address.
    """
    watched = Watched()
    page.goto(watched.url)
    rows = _rows("nlp-agent1")
    for row in rows[:-4]:
        watched.watch.channel.put("nlp-agent1", row["event"], row)
        watched.watch.channel.put("nlp-agent2", "packet", {"raw": row.get("raw", "{}")})
    village = page.locator(".village")
    expect(village).to_have_count(1)
    expect(village.locator(".board tbody tr")).to_have_count(5)
    expect(village.locator(".board .pill.SEER, .board .pill").first).to_be_visible()
    expect(village.locator("th", has_text="Role")).to_have_count(0)
    expect(village.locator("a")).to_have_count(0)
    for row in rows[-4:]:
        watched.watch.channel.put("nlp-agent1", row["event"], row)
    expect(village.locator("th", has_text="Role")).to_have_count(1)
    expect(village.locator(".matrix")).to_contain_text("→")
    assert serious(page) + serious(page, by_night=True) == []
    watched.watch.stays()
    watched.watch.__exit__()
    assert watched.watch.looked
    expect(page.get_by_text("The games are over.")).to_be_visible()
    expect(page.locator("#connection")).to_be_hidden()

    @asynccontextmanager
    async def replays() -> AsyncIterator[Viewers]:
        with closing(ReviewJobs(games=1)) as reviews:
            async with open_replays([recorded(5, "en")], watched.watch.served, reviews) as viewers:
                yield viewers

    with running(replays) as (viewers, loop):
        page.get_by_role("link", name="Replay and review").click()
        page.locator("main a[href^='/games/']").first.click()
        expect(page.locator("#replay")).to_be_visible()
        # The page is drawn before the stream that counts it has come.
        until = time.monotonic() + PATIENCE
        while viewers.count != 1:
            assert time.monotonic() < until
            page.wait_for_timeout(20)
        gone = asyncio.run_coroutine_threadsafe(viewers.until_left(1.0), loop)
        page.wait_for_timeout(1500)
        assert not gone.done()
        page.goto("about:blank")
        gone.result(timeout=20)


def test_dying_page_costs_a_seat_nothing() -> None:
    """A page that dies is told once and costs a seat nothing.

    Killed, or stopped so that it reads no more: putting rows goes on as before, and leaving takes no longer.
    """
    watched = Watched()
    assert watched.watch._process is not None
    os.kill(watched.watch._process.pid, signal.SIGKILL)
    for _ in range(100):
        watched.watch.channel.put("s", "packet", {"raw": "x" * 1000})
        if not watched.told.empty():
            break
        time.sleep(0.05)
    assert "play on without it" in watched.told.get(timeout=10)
    for _ in range(3 * KEPT):
        watched.watch.channel.put("s", "packet", {"raw": "x"})
    watched.watch.__exit__()
    assert watched.told.empty()


def test_a_page_that_hangs_is_left_behind() -> None:
    """A stopped process takes nothing: the pipe fills, the channel stays bounded, and leaving ends the process."""
    watched = Watched()
    assert watched.watch._process is not None
    pid = watched.watch._process.pid
    os.kill(pid, signal.SIGSTOP)
    for _ in range(KEPT):
        watched.watch.channel.put("s", "packet", {"raw": "x" * 1000})
    watched.watch.__exit__()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_taken_port_costs_only_the_page() -> None:
    """A port that is taken is told, and is no reason to stay away from the game.

    The seats play; only the page is missing.
    """
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        told: queue.Queue[str] = queue.Queue()
        with MonitorProcess(taken.getsockname()[1], told.put, told.put):
            text = told.get(timeout=30)
    assert "choose another port" in text
    assert "play on without it" in text
