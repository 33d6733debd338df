"""Everything players say and are called is data on every page: HTML, turned directions, escapes, 100 kB."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from nlp_agent.arena.events import Dealt, DealtSeat, Executed, Talked, Voted
from nlp_agent.arena.village import contest_village
from nlp_agent.game import SeatState
from nlp_agent.protocol import Request, Talk, parse_packet
from nlp_agent.reading.ledger import ClaimedResult, PublicRecord
from nlp_agent.web.app import PageGroup, WebServer, build
from nlp_agent.web.human_seat import HumanSeat, PersonAnswer, Preview
from nlp_agent.web.table import Onlookers, TableSeat, TableWithPages
from nlp_agent.web.table_pages import SeatPages, WatchPages
from nlp_agent.web.village_order import SeatKind, SeatOrder, VillageOrder
from tests.web.browser import running

NAMES = (
    "<img src=x onerror=alert(1)>",
    "\u202eevil\u2066name",
    "\x1b[31mred\x1b[0m",
    "A" * 190,
    "</script><script>alert(2)</script>",
)
TALKS = (
    *NAMES,
    "<style>*{display:none}</style><svg onload=alert(3)>",
    "W" * 100_000,
    "\u05d0\u05d1\u05d2 \u202e abc \u2069\u2069",
    '{"fresh":true,"lines":[]}\n\ndata: {}\n\nevent: end\u2028id: 9',
    "{who} {name} ${alert(4)}",
)


class EveryTalkClaims(PublicRecord):
    """Takes whatever is said for a claim, and for a result about its speaker."""

    def observe(self, talk: Talk) -> None:
        self.claims[talk.agent] = talk.text[:50]
        self.results.setdefault(talk.agent, []).append(ClaimedResult(talk.text[:50], "HUMAN", talk.day))


class Stage:
    """A seat and a table that nobody plays at: the test says what happens."""

    def __init__(self) -> None:
        self.human_seat = HumanSeat("token", lambda: 0)
        self.state = SeatState()
        seats = tuple(SeatOrder("computer") for _ in NAMES)  # type: ignore[arg-type]
        order = VillageOrder({}, "en", seats)
        self.table = TableWithPages(order, [], Onlookers(lambda _: EveryTalkClaims()))
        self.asking: asyncio.Task[PersonAnswer] | None = None

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Stage]:
        parts: list[PageGroup] = [
            SeatPages(lambda token: (self.human_seat, "") if token == "token" else None),
            WatchPages(lambda _: self.table),
        ]
        async with WebServer(build(parts)) as server:
            self.url = server.url
            self._tell()
            yield self

    def _tell(self) -> None:
        self.human_seat.begin_game(
            lambda typed, _: Preview(text=typed, heard=typed, typed=len(typed)), lambda _: EveryTalkClaims()
        )
        info = {"agent": NAMES[0], "profile": TALKS[5], "status_map": dict.fromkeys(NAMES, "ALIVE")}
        info["role_map"] = {NAMES[0]: "WEREWOLF", NAMES[1]: "WEREWOLF"}
        talks = [{"idx": place, "day": 0, "agent": NAMES[place % 5], "text": text} for place, text in enumerate(TALKS)]
        self._hear("INITIALIZE", info)
        self._hear("TALK", info, talk_history=talks)
        self._hear("WHISPER", info, whisper_history=talks)
        self._hear("VOTE", {**info, "day": 1})
        self.asking = asyncio.ensure_future(self.human_seat.ask(Request.VOTE, NAMES[1:], 60_000))
        village = contest_village(5)
        seats = tuple(
            DealtSeat(place, name, "VILLAGER", TALKS[5], "<b>team", "<b>") for place, name in enumerate(NAMES)
        )
        self.table.on_event(Dealt("<i>", village, seats))
        for place, text in enumerate(TALKS):
            self.table.on_event(Talked(0, Request.TALK, place % 5, place, 0, text))
        self.table.on_event(Voted(1, Request.VOTE, 0, 1))
        self.table.on_event(Executed(1, 1))

    def _hear(self, request: str, info: dict[str, Any], **more: Any) -> None:
        packet = parse_packet(json.dumps({"request": request, "info": info, **more}))
        self.state.apply(packet)
        self.human_seat.on_packet(self.state)


@pytest.fixture(scope="module")
def scene() -> Iterator[Stage]:
    with running(lambda: Stage().open()) as (stage, _):
        yield stage


def _is_harmless(page: Page) -> None:
    """Nothing of it became an element, nothing is wider than the page."""
    assert page.locator("main img, main script, main style, main svg").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    shown = page.locator("#lines").inner_text()
    for text in (
        "<img src=x onerror=alert(1)>",
        "</script><script>",
        "<svg onload=alert(3)>",
        "{who} {name} ${alert(4)}",
    ):
        assert text in shown


def test_hostile_names_are_harmless_at_a_seat(page: Page, scene: Stage) -> None:
    """Hostile names and talks are shown as they are at a seat.

    Also on the buttons that name whom to vote for, which still name exactly that player.
    """
    page.goto(f"{scene.url}/seat/token")
    expect(page.locator("#ask .target")).to_have_count(4)
    _is_harmless(page)
    page.get_by_role("tab", name="Wolves").click()
    expect(page.locator('.line.talk[data-channel="whisper"]:visible').nth(7)).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.locator("#ask .target").nth(3).click()
    expect(page.locator("#ask .target")).to_have_count(0)
    assert scene.asking is not None
    assert scene.asking.result().text == NAMES[4]


def test_hostile_names_are_harmless_to_onlookers(page: Page, scene: Stage) -> None:
    """Hostile names and talks are shown as they are to onlookers.

    Whether they look at the public view or at the secrets.
    """
    for address in ("/watch/x", "/watch/x?secrets=1"):
        page.goto(f"{scene.url}{address}")
        expect(page.locator("#board tbody tr")).to_have_count(5)
        _is_harmless(page)


@pytest.mark.parametrize("token", ["\u3042", "\ud800", "", "x" * 10_000])
def test_odd_seat_token_is_not_found(token: str, scene: Stage) -> None:
    """A strange token in the address of a seat is no error of the server.

    Whatever somebody puts behind ``/seat/``, it is compared and not found.
    """
    scene.table.places[:] = [TableSeat(SeatKind.ME, "", human_seat=scene.human_seat)]
    assert scene.table.human_seat(token) is None
    assert scene.table.human_seat("token") is scene.human_seat


_POST = """async ([path, body]) => {
    const headers = {"Content-Type": "application/json"};
    const answer = await fetch(`/seat/token/${path}`, {method: "POST", headers, body});
    return [answer.status, await answer.text()];
}"""


_SENSELESS = ("[1]", "{", '"x"', '{"number": "1", "text": 5}', '{"number": 1e999}', "[" * 50_000)


def test_senseless_posts_are_refused_harmlessly(page: Page, scene: Stage) -> None:
    """Posts that make no sense are refused and harm nothing.

    Whatever is posted, the answer says that it does not fit; words of 100 kB are refused with a word on why.
    """
    page.goto(f"{scene.url}/seat/token")
    for path in ("say", "choose", "silent", "preview"):
        told = {body[:30]: page.evaluate(_POST, [path, body])[0] for body in _SENSELESS}
        assert {body: status for body, status in told.items() if status not in (200, 400, 409)} == {}, path
    status, why = page.evaluate(_POST, ["say", json.dumps({"number": 1, "text": "x" * 100_000})])
    assert (status, "64000 bytes" in why) == (413, True)
    expect(page.locator("#lines > li").first).to_be_visible()
