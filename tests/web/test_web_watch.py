"""Pages for onlookers: the village's view, secrets behind a button, and never from a player's link."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from nlp_agent.app.wiring.web_tables import open_web_app
from nlp_agent.arena.cast import load_cast
from nlp_agent.arena.events import Ended, Event
from nlp_agent.arena.village import contest_village
from nlp_agent.protocol import OVER, Packet, Request
from nlp_agent.web.table import Onlookers, TableWithPages
from tests.web.browser import running
from tests.web.conftest import person, watched
from tests.web.playing import HURRY, Player, Site, config, question
from tests.without_sockets import play_without_sockets


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("records")
    with running(lambda: open_web_app(config(folder), paces=HURRY, seed=5)) as (opened, loop):
        yield Site(opened, loop, folder)


def _table(site: Site) -> TableWithPages:
    return list(site.opened.web_tables.tables)[-1]


def test_onlookers_follow_a_game_with_or_without_secrets(browser: Browser, site: Site) -> None:
    """Onlookers follow a game in public and with secrets.

    Talks, claims, votes and deaths as they happen; roles and nights only behind the button; all at the end.
    """
    seat, public, secret = (person(browser).new_page() for _ in range(3))
    faults = [*watched(public), *watched(secret)]
    seat.goto(site.url)
    seat.get_by_role("button", name="Play now").click()
    seat.wait_for_url("**/seat/**")
    watch = f"{site.url}watch/{_table(site).watch_token}"
    public.goto(watch)
    secret.goto(watch)
    secret.get_by_role("link", name="Show secrets").click()
    expect(secret.locator("#board .pill.WEREWOLF").first).to_have_text("Werewolf")
    expect(public.locator("#board tbody tr")).to_have_count(5)
    expect(public.locator("#board thead th")).to_have_count(4)
    Player(seat, brief=True).play()
    for page in (public, secret):
        expect(page.locator(".ending .reveal li")).to_have_count(5)
        expect(page.locator("#matrix tbody tr")).to_have_count(5)
    assert secret.locator(".line.secret").count() > 0
    assert public.locator(".line.secret").count() == 0
    spoken = [page.locator(".line.talk p").all_inner_texts() for page in (public, secret, seat)]
    assert spoken[0] == spoken[1] == spoken[2]
    assert faults == []


def test_players_link_reaches_no_secret(browser: Browser, site: Site) -> None:
    """No secret can be reached from a player's link.

    Nothing a player's browser is given leads to the onlookers' page; and one that sits there sees no secrets.
    """
    context = person(browser)
    seat = context.new_page()
    given: list[str] = []
    seat.on("response", lambda answer: given.append(json.dumps(answer.all_headers()) + answer.url))
    seat.goto(site.url)
    seat.get_by_role("button", name="Play now").click()
    expect(seat.locator("#ask textarea, #ask .target").first).to_be_visible()
    table = _table(site)
    told: dict[str, Any] = seat.evaluate(
        """() => new Promise((done) => {
            const source = new EventSource(document.getElementById("game").dataset.base + "/events");
            source.onmessage = (event) => { source.close(); done(JSON.parse(event.data)); };
        })"""
    )
    everything = seat.content() + json.dumps(told) + "".join(given)
    assert table.watch_token not in everything
    assert table.token not in everything
    assert (told["parts"]["roster"].count("<li"), told["parts"]["roster"].count("data-role=")) == (5, 1)
    watch = f"{site.url}watch/{table.watch_token}"
    onlooker = context.new_page()
    onlooker.goto(f"{watch}?secrets=1")
    expect(onlooker.locator(".side")).to_contain_text("You play at this table")
    assert onlooker.locator("#secrets").count() == 0
    assert context.request.get(f"{watch}/events?secrets=1").status == 403
    assert context.request.get(f"{site.url}watch/{table.token}").status == 404
    assert context.request.get(f"{site.url}seat/{table.watch_token}").status == 404
    assert question(seat)[1] > 0


def simple(packet: Packet) -> str | None:
    """A player that whispers, claims, and names the first it may."""
    info = packet.info
    assert info is not None
    if packet.kind in (Request.TALK, Request.WHISPER):
        spoken = sum(talk.agent == info.agent for talk in packet.talk_history or ())
        return OVER if spoken or not info.remain_count else f"I am {info.agent} and this is {packet.request}."
    others = [name for name in info.alive if name != info.agent and info.role_map.get(name) != "WEREWOLF"]
    return others[0] if packet.needs_reply else None


@pytest.mark.parametrize("players", [5, 9, 13])
def test_public_view_hides_secrets_until_the_end(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither roles nor whispers nor what is done at night: whole games are looked at, event by event."""
    told: dict[bool, list[str]] = {False: [], True: []}
    onlookers = Onlookers()

    def record(secrets: bool) -> Callable[[object], None]:
        return lambda shown: told[secrets].append(json.dumps(shown, default=repr))

    for secrets, stream in onlookers.streams.items():
        monkeypatch.setattr(stream, "add", record(secrets))
        monkeypatch.setattr(stream, "show", record(secrets))
    night = re.compile(r"WEREWOLF|SEER|BODYGUARD|MEDIUM|POSSESSED|WHISPER|DIVINE|GUARD|ATTACK")
    leaks: list[str] = []

    def hear(event: Event) -> None:
        before = len(told[False])
        onlookers.apply(event)
        if not isinstance(event, Ended):
            leaks.extend(shown for shown in told[False][before:] if night.search(shown))

    play_without_sockets(contest_village(players), [simple] * players, 3, cast=load_cast("en"), on_event=hear)
    assert leaks == []
    assert night.search("".join(told[True]))
    assert '"role": "WEREWOLF"' in told[False][-1]


def test_mixed_table_page_shows_invitations(page: Page, site: Site) -> None:
    """A table of persons and guests has a page with invitations.

    Each invitation is a link of its own; guests are told where to connect to.
    """
    page.goto(site.url)
    for number, kind in ((0, "person"), (1, "person"), (2, "guest")):
        page.locator("#seats select").nth(number).select_option(kind)
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**/table/**")
    expect(page.locator(".link input")).to_have_count(3)
    links = [field.input_value() for field in page.locator(".link input").all()]
    assert len(set(links)) == 3
    assert links[2].startswith("ws://127.0.0.1:")
    expect(page.locator(".state.there")).to_have_count(2)


def test_refused_order_is_explained_beside_its_button(browser: Browser, site: Site) -> None:
    """Why a village cannot be played is in sight on a phone, has the focus, and stands beside the button pressed.

    Roles are listed in one order on the whole page.
    """
    page = person(browser, viewport={"width": 390, "height": 844}).new_page()
    page.goto(site.url)
    small, fields = page.locator(".choice small").first, page.locator("#roles label")
    expect(small).to_have_text("Villager ×2, Seer, Werewolf, Possessed")
    assert [one.strip() for one in fields.all_text_contents()][:2] == ["Villager", "Seer"]
    page.get_by_role("radio", name="Own roles").check()
    page.locator("[name=role-WEREWOLF]").fill("0")
    page.get_by_role("button", name="Start", exact=True).click()
    problem = page.get_by_role("alert")
    expect(problem).to_contain_text("at least one werewolf")
    expect(problem).to_be_in_viewport(ratio=1)
    expect(problem).to_be_focused()
    assert problem.evaluate("it => it.nextElementSibling.textContent") == "Start"


def test_copying_an_invitation_is_confirmed(page: Page, site: Site) -> None:
    """The button beside a link is called "Copy", and says after a click that the link was copied."""
    page.goto(site.url)
    page.locator("#seats select").nth(0).select_option("person")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**/table/**")
    button = page.locator(".link button")
    expect(button).to_have_text("Copy")
    button.click()
    expect(button).to_have_text("Copied")
