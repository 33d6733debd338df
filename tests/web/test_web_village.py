"""One view of a village for every page: the table, a seat, and the records tell the same of the same game."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from nlp_agent.arena.cast import load_cast
from nlp_agent.arena.events import Dealt, Event
from nlp_agent.arena.logs import game_log
from nlp_agent.arena.village import contest_village
from nlp_agent.game import SeatState
from nlp_agent.prompting import Pack, load_pack
from nlp_agent.protocol import OVER, Packet, Request, Role, Talk, parse_packet
from nlp_agent.reading.ledger import Ledger
from nlp_agent.records.game_reader import Step, StepKind, read_game_log
from nlp_agent.web.app import WebServer, build
from nlp_agent.web.human_seat import HumanSeat, Preview
from nlp_agent.web.table_pages import SeatPages
from nlp_agent.web.village_view import Claim, PublishedResult, SeatSteps, TableSteps, VillageView, village_of
from tests.web.browser import running
from tests.without_sockets import play_without_sockets


@cache
def _pack() -> Pack:
    return load_pack("en")


def _view(players: Any, me: str = "") -> VillageView:
    return VillageView(players, Ledger(_pack().reading, players=tuple(players)), me)


def _claimant(packet: Packet) -> str | None:
    """Claims seer with a result each day and announces a vote; chooses the first it may."""
    info = packet.info
    assert info is not None
    others = [name for name in info.alive if name != info.agent and info.role_map.get(name) != Role.WEREWOLF]
    if packet.kind is Request.TALK:
        spoken = sum(talk.agent == info.agent for talk in packet.talk_history or ())
        if spoken or not info.remain_count or len(others) < 2 or info.agent not in sorted(info.alive)[:2]:
            return OVER
        if info.day == 0:
            return "Good morning, everybody."
        return f"I am the seer. I divined {others[1]}: {others[1]} is human. I will vote for {others[0]}."
    if packet.kind is Request.WHISPER:
        return OVER
    return others[0] if packet.needs_reply else None


def _public(board: dict[str, Any]) -> list[dict[str, Any]]:
    """What everybody may know of the players, without numbers of steps, which each source counts for itself."""
    rows = []
    for player in board["players"]:
        claims = [(claim.role, claim.day) for claim in player.get("claims", [])]
        results = [(told.target, told.result, told.day) for told in player.get("results", [])]
        rows.append({"name": player["name"], "alive": player["alive"], "claims": claims, "results": results})
        rows[-1]["claim"] = player.get("claim", "")
    return rows


_COURSE = (StepKind.DAWN, StepKind.VOTE, StepKind.EXECUTE, StepKind.ATTACK)


@pytest.mark.parametrize("players", [5, 9, 13])
def test_all_sources_give_the_same_village(players: int) -> None:
    """Events, the packets of every seat, and the game log agree on who lives, claims, told results and votes.

    They agree as well on what happened on which day: votes and deaths come before the morning after them. Who acts at
    night hears who was executed before it hears the votes.
    """
    events: list[Event] = []
    states = [SeatState() for _ in range(players)]
    sources = [SeatSteps() for _ in range(players)]
    seen: list[VillageView | None] = [None] * players
    courses: list[list[tuple[int, StepKind]]] = [[] for _ in range(players)]

    def decider(seat: int) -> Any:
        def decide(packet: Packet) -> str | None:
            state = states[seat]
            state.apply(packet)
            view = seen[seat] = seen[seat] or (_view(state.players, state.me) if state.me else None)
            for step in sources[seat].news(state):
                assert view is not None
                view.take(step)
                courses[seat] += [(step.day, step.kind)] if step.kind in _COURSE else []
            return _claimant(packet)

        return decide

    village = contest_village(players)
    play_without_sockets(village, [decider(s) for s in range(players)], 4, cast=load_cast("en"), on_event=events.append)
    dealt = next(event for event in events if isinstance(event, Dealt))
    table, steps = _view([seat.name for seat in dealt.seats]), TableSteps(dealt.seats)
    course = []
    for event in events:
        for step in steps.of(event):
            table.take(step)
            course += [(step.day, step.kind)] if step.kind in _COURSE else []
    assert [sorted(each) for each in courses] == [sorted(course)] * players
    for each in (course, *courses):
        assert [day for day, _ in each] == sorted(day for day, _ in each)
        assert all(kind is StepKind.DAWN for (before, _), (day, kind) in pairwise(each) if before < day)
    recorded = read_game_log(game_log(events))
    assert recorded is not None
    log = village_of(recorded, Ledger(_pack().reading, players=recorded.names))
    assert any(player.results for player in table.players.values())
    assert any(poll.announced for poll in table.polls)
    told = _public(table.board())
    assert told == _public(log.board())
    polls = [(poll.day, poll.votes, poll.announced) for poll in table.board()["polls"]]
    assert polls == [(poll.day, poll.votes, poll.announced) for poll in log.board()["polls"]]
    for view in seen:
        assert view is not None
        assert _public(view.board()) == told
        assert [(poll.day, poll.votes, poll.announced) for poll in view.board()["polls"]] == polls
        assert view.winner == table.winner == log.winner


def test_wolf_alone_is_not_told_its_own_choice_twice() -> None:
    """What one werewolf voted for in the night is no poll to the only one that voted; two see each other's."""
    votes = Step(1, 1, StepKind.ATTACK_VOTE, votes={"Agnes": "Hugo"})
    assert VillageView(("Agnes", "Hugo"), me="Agnes").take(votes) == []
    both = Step(1, 1, StepKind.ATTACK_VOTE, votes={"Agnes": "Hugo", "Imogen": "Hugo"})
    assert [line["kind"] for line in VillageView(("Agnes", "Hugo", "Imogen"), me="Agnes").take(both)] == [
        "attack_votes"
    ]


def _say(view: VillageView, number: int, day: int, who: str, text: str) -> None:
    view.take(Step(number, day, StepKind.TALK, who, talk=Talk.of(number, day, 0, who, text)))


def test_replaced_claim_stays_visible() -> None:
    """A claim that is replaced stays visible as such.

    The page shows what holds and what was claimed before, each with the number of its talk.
    """
    view = _view(["Agnes", "Hugo"])
    _say(view, 3, 1, "Agnes", "I am a villager.")
    _say(view, 7, 2, "Agnes", "I am the seer. I divined Hugo: Hugo is a werewolf.")
    (agnes, hugo) = view.board()["players"]
    assert agnes["claims"] == [Claim("VILLAGER", 1, 3), Claim("SEER", 2, 7)]
    assert agnes["claim"] == "SEER"
    assert agnes["results"] == [PublishedResult("Hugo", "WEREWOLF", 2, 7)]
    assert "claims" not in hugo


def test_seats_view_knows_only_its_own_role() -> None:
    """A seat's view knows only its own role and partners.

    Without know_roles no role is shown, and what one's own power has seen is no role.
    """
    view = VillageView(["Agnes", "Hugo"], me="Agnes")
    view.know_roles({"Agnes": "SEER"})
    lines = view.take(Step(0, 1, StepKind.DIVINE, "Agnes", "Hugo", "WEREWOLF"))
    assert lines == [{"day": 1, "kind": "result", "which": "divined", "who": "Hugo", "wolf": True}]
    assert view.board()["players"] == [
        {"name": "Agnes", "alive": True, "role": "SEER"},
        {"name": "Hugo", "alive": True, "seen": "WEREWOLF"},
    ]


@asynccontextmanager
async def _seat_page() -> AsyncIterator[str]:
    """A seat that has heard two days; the address of its page."""
    seat, state = HumanSeat("token", lambda: 0), SeatState()
    names = ("Agnes", "Hugo", "Imogen", "Jasper", "Mirabel")
    seat.begin_game(lambda _, __: Preview(), lambda players: Ledger(_pack().reading, players=tuple(players)))
    talks = [
        {"idx": 0, "day": 1, "agent": "Hugo", "text": "I am the seer. I divined Jasper: Jasper is a werewolf."},
        {"idx": 1, "day": 1, "agent": "Imogen", "text": "I will vote for Hugo."},
    ]
    info: dict[str, Any] = {
        "agent": "Agnes",
        "status_map": dict.fromkeys(names, "ALIVE"),
        "role_map": {"Agnes": "VILLAGER"},
    }
    votes = [{"day": 1, "agent": name, "target": "Jasper"} for name in names if name != "Jasper"]
    morning = {"day": 2, "executed_agent": "Jasper", "vote_list": votes}
    for request, more, talked in (
        ("INITIALIZE", {}, []),
        ("DAILY_INITIALIZE", {"day": 1}, []),
        ("TALK", {"day": 1}, talks),
        ("DAILY_INITIALIZE", {**morning, "status_map": {**info["status_map"], "Jasper": "DEAD"}}, []),
    ):
        packet = {"request": request, "info": {**info, **more}, "talk_history": talked}
        state.apply(parse_packet(json.dumps(packet)))
        seat.on_packet(state)
    pages = SeatPages(lambda token: (seat, "") if token == "token" else None)
    async with WebServer(build([pages])) as server:
        yield f"{server.url}/seat/token"


def test_person_sees_claims_beside_the_talk(page: Page) -> None:
    """A person sees claims, results and votes beside the talk.

    On a wide screen at once; on a phone behind a button, from where a claim leads to its talk.
    """
    with running(_seat_page) as (address, _):
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto(address)
        hugo = page.locator('#board tr[data-name="Hugo"]')
        expect(hugo).to_contain_text("Seer Day 1")
        expect(hugo).to_contain_text("Jasper: wolf")
        expect(page.locator('#board tr[data-name="Jasper"]')).to_contain_text("executed · Day 1")
        expect(page.locator("#matrix")).to_contain_text("(said Hugo)")
        expect(hugo.locator(".vote-now")).to_have_text(re.compile("Day 1 → Jasper"))
        kinds = page.locator("#lines > li").evaluate_all("all => all.map(it => it.className.replace('line ', ''))")
        assert kinds[-4:] == ["poll", "event executed", "event peace", "day"]
        page.set_viewport_size({"width": 390, "height": 800})
        expect(hugo).to_be_hidden()
        page.get_by_role("button", name="The village").click()
        expect(hugo).to_be_visible()
        assert page.locator(".village .scroll").first.evaluate("it => it.scrollWidth <= it.clientWidth")
        hugo.get_by_role("link", name="Seer").click()
        expect(hugo).to_be_hidden()
        expect(page.locator(".line:target")).to_contain_text("I am the seer.")
        page.get_by_role("button", name="The village").click()
        page.keyboard.press("Escape")
        expect(hugo).to_be_hidden()
