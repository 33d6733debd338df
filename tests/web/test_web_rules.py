"""What the pages to play rest on, without a browser: orders, wishes, words, what a seat is shown, who may connect."""

from __future__ import annotations

import asyncio
import json
from functools import cache
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request as HttpRequest
from urllib.request import urlopen

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from nlp_agent.app.wiring.web_tables import open_web_app
from nlp_agent.arena.cast import load_cast
from nlp_agent.arena.events import Dealt, Event, Talked
from nlp_agent.arena.server import Table
from nlp_agent.arena.village import contest_village
from nlp_agent.game import SeatState
from nlp_agent.game.roles import VILLAGES
from nlp_agent.prompting import Pack, load_pack
from nlp_agent.protocol import LengthRule, Packet, Request, Role
from nlp_agent.records.game_reader import Step, StepKind
from nlp_agent.text import Allowance, length_of
from nlp_agent.text.count import server_keeps
from nlp_agent.web.access import AccessRules
from nlp_agent.web.human_seat import preview_words, removed
from nlp_agent.web.village_order import Offer, OrderError, SeatKind, read_order, wished_for
from nlp_agent.web.village_view import SeatSteps
from tests.web.browser import running
from tests.web.playing import HURRY, Site, config
from tests.web.test_web_watch import simple
from tests.without_sockets import play_without_sockets

OFFER = Offer((("en", "English"), ("ja", "日本語")), ("fast",))
FIVE: dict[str, Any] = {"players": 5, "lang": "en"}


# --- orders ----------------------------------------------------------------------------------------------------


def test_an_order_names_only_what_differs() -> None:
    """Five players: me, and computers in all other seats, in turns, at the usual pace."""
    order = read_order(FIVE, OFFER)
    assert [seat.kind for seat in order.seats] == [SeatKind.ME, *[SeatKind.COMPUTER] * 4]
    assert (order.chat, order.pace, order.wish) == (False, "usual", "")
    own = read_order({**FIVE, "players": None, "roles": {"WEREWOLF": 1, "SEER": 1, "VILLAGER": 2}}, OFFER)
    assert len(own.seats) == 4
    model = read_order({**FIVE, "seats": ["model:fast", "person", "guest"]}, OFFER)
    assert [seat.endpoint for seat in model.seats] == ["fast", "", "", "", ""]


@pytest.mark.parametrize(
    ("order", "problem"),
    [
        ([], "order_unreadable"),
        ({}, "order_unreadable"),
        ({**FIVE, "lang": "../../etc"}, "order_unreadable"),
        ({**FIVE, "pace": "never"}, "order_unreadable"),
        ({**FIVE, "players": 7}, "order_unreadable"),
        ({"lang": "en", "roles": {"WEREWOLF": "1"}}, "order_unreadable"),
        ({"lang": "en", "roles": {"WEREWOLF": -1, "VILLAGER": 9}}, "order_unreadable"),
        ({"lang": "en", "roles": {"FOX": 1, "WEREWOLF": 1, "VILLAGER": 9}}, "order_unreadable"),
        ({"lang": "en", "roles": {"WEREWOLF": 1, "VILLAGER": 1}}, "roles_count"),
        ({"lang": "en", "roles": {"WEREWOLF": 2, "VILLAGER": 2}}, "roles_wolves"),
        ({"lang": "en", "roles": {"VILLAGER": 4}}, "roles_wolves"),
        ({**FIVE, "seats": ["me"] * 6}, "seats_count"),
        ({**FIVE, "seats": "me"}, "seats_count"),
        ({**FIVE, "seats": ["me", "me"]}, "seats_one_me"),
        ({**FIVE, "seats": ["model:other"]}, "order_unreadable"),
        ({**FIVE, "seats": ["model"]}, "order_unreadable"),
        ({**FIVE, "wish": "MEDIUM"}, "wish_impossible"),
        ({**FIVE, "wish": "SEER", "seats": ["computer"]}, "wish_impossible"),
    ],
)
def test_unplayable_order_is_refused_with_reason(order: Any, problem: str) -> None:
    """An order that cannot be played is refused with its reason.

    The reason is the key of a text, in every language of the pages.
    """
    with pytest.raises(OrderError) as refused:
        read_order(order, OFFER)
    assert str(refused.value) == problem


@pytest.mark.parametrize("players", sorted(VILLAGES))
def test_role_wish_is_granted(players: int) -> None:
    """A wish for a role is granted, and without one chance decides as ever.

    Whatever role there is, whoever else sits there.
    """
    names = [f"computer{number}" for number in range(1, players)] + ["person1"]
    for role, count in VILLAGES[players].items():
        if not count:
            continue
        order = read_order({"players": players, "lang": "en", "wish": str(role)}, OFFER)
        pool = [each for each, many in sorted(order.roles.items()) for _ in range(many)]
        for seed in ("1/1", "2/7"):
            dealt = wished_for(order, "person1")(names, seed).roles(pool)
            assert dealt[-1] == role
            assert sorted(dealt) == sorted(pool)
    plain = read_order({"players": players, "lang": "en"}, OFFER)
    deals = {tuple(wished_for(plain, "person1")(names, f"{seed}").roles(pool)) for seed in range(8)}
    assert len(deals) > 1


# --- words -----------------------------------------------------------------------------------------------------


@cache
def _pack(lang: str) -> Pack:
    return load_pack(lang)


PLAYERS = {"en": ("Agnes", "Hugo", "Imogen"), "ja": ("アズサ", "ケイスケ", "ツムギ")}
TYPED = {
    "en": [
        "Hello, everybody.",
        "@Hugo, are you the seer? 😀😀",
        "I suspect Hugo because he was quiet all day. " * 6,
        "one\ntwo\r\nthree",
        "@Agnes I talk to myself",
        "see @Imogen there",
        "Over",
        "",
        "   ",
        "!!!???",
        "\u202eevil \x1b[31m",
        "a" * 3000,
    ],
    "ja": [
        "よろしくお願いします、皆さん。",
        "@ケイスケ あなたは占い師ですか？😀",
        "ケイスケさんが怪しいと思います。" * 8,
        "えっ!?ｶﾅ",
        "Over",
        "　",
    ],
}


@pytest.mark.parametrize(("lang", "typed"), [(lang, typed) for lang, texts in TYPED.items() for typed in texts])
def test_preview_equals_what_the_server_keeps(lang: str, typed: str) -> None:
    """What is previewed is what the server keeps, and is counted as it counts.

    On both generations of the server, with room in turns and with next to none.
    """
    players = PLAYERS[lang]
    for cap in (125, 50, 8):
        rule = LengthRule(base_length=cap, mention_length=cap, count_spaces=False, count_in_word=False)
        shown = preview_words(typed, Allowance(players[0], players, players, rule), _pack(lang).language)
        assert shown.most == cap
        if not shown.text:
            continue
        for newer in (False, True):
            kept = server_keeps(shown.text, players[0], players, rule, newer=newer)
            assert kept.text.split() == shown.heard.split()
            assert not kept.over
        words = shown.text.removeprefix(f"@{shown.to}") if shown.to else shown.text
        assert shown.count == length_of(words, rule) <= cap


@pytest.mark.parametrize(("lang", "typed"), [(lang, typed) for lang, texts in TYPED.items() for typed in texts])
def test_own_marks_stay_where_allowed(lang: str, typed: str) -> None:
    """One's own punctuation marks may stay where the table allows it.

    All that is seen stays, but for line breaks, an @ that is no anchor, and what is too long.
    """
    players = PLAYERS[lang]
    for cap in (125, 50, 8):
        rule = LengthRule(base_length=cap, mention_length=cap, count_spaces=False, count_in_word=False)
        allowed = Allowance(players[0], players, players, rule)
        shown = preview_words(typed, allowed, _pack(lang).language, own_marks=True)
        if not shown.text:
            assert not any(sign.isalnum() for sign in typed) or typed == "Over"
            continue
        kept = server_keeps(shown.text, players[0], players, rule, newer=True)
        assert kept.text.split() == shown.heard.split()
        assert preview_words(shown.text, allowed, _pack(lang).language, own_marks=True).text == shown.text
    words = "Well, I – know 😀: nothing yet!!! (really)"
    assert (
        preview_words(words, Allowance("A", ("A", "B"), ("A", "B")), _pack("en").language, own_marks=True).text == words
    )


def test_removed_text_is_told_piecewise() -> None:
    """What is taken off is told piece by piece.

    Marks, symbols and what is cut off at the end; nothing where all is sent.
    """
    assert removed("Well, I know nothing yet 😀", "Well I know nothing yet.") == (",", "😀")
    assert removed("I am here now", "I am here.") == ("now",)
    assert removed("Hello there.", "Hello there.") == ()
    assert removed("hello there", "Hello there.") == ()
    assert removed("私は@ボブを疑う、うん", "私はボブを疑う、うん。") == ("@",)


@pytest.mark.parametrize("own_marks", [False, True])
def test_an_at_that_addresses_nobody_is_told(*, own_marks: bool) -> None:
    """Only an @ that opens the talk and names another living player addresses somebody; any other is told of."""
    allowed = Allowance("Ken", ("Ken", "Ann", "Bob"), ("Ken", "Ann"))
    told = {
        typed: preview_words(typed, allowed, _pack("en").language, own_marks=own_marks).call
        for typed in (
            "@Ann I trust you",
            "I trust you",
            "I think that @Ann lies",
            "@Bob rests",
            "@Zed is here",
            "@Ken I",
        )
    }
    assert list(told.values()) == ["", "", "middle", "nobody", "nobody", "nobody"]
    ja = Allowance("ケン", ("ケン", "アン"), ("ケン", "アン"))
    assert preview_words("私は＠アンを疑う", ja, _pack("ja").language, own_marks=own_marks).call == "middle"


def test_what_is_no_talk_is_shown_as_such() -> None:
    """Control words and signs alone are no words: the page has buttons for silence."""
    players = PLAYERS["en"]
    for typed in ("Over", "Skip", "", "  ", "!!!"):
        assert preview_words(typed, Allowance(players[0], players, players), _pack("en").language).text == ""


# --- what a seat is shown --------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [5, 9])
def test_seat_is_shown_every_talk_once(players: int) -> None:
    """A seat is shown every talk once, whether overheard or told.

    In the order of the table; whispers for werewolves alone; own talks, shown as they are sent, not again.
    """
    states = [SeatState() for _ in range(players)]
    sources = {live: [SeatSteps() for _ in range(players)] for live in (False, True)}
    steps: dict[bool, list[list[Step]]] = {live: [[] for _ in range(players)] for live in (False, True)}
    said: list[Talked] = []
    names: list[str] = []

    def decider(seat: int) -> Any:
        def decide(packet: Packet) -> str | None:
            state = states[seat]
            state.apply(packet)
            for live in (False, True):
                steps[live][seat] += sources[live][seat].news(state)
            reply = simple(packet)
            if reply and packet.kind in (Request.TALK, Request.WHISPER):
                for live in (False, True):
                    steps[live][seat] += sources[live][seat].said(StepKind(packet.request.lower()), reply, state)
            return reply

        return decide

    def hear(event: Event) -> None:
        if isinstance(event, Dealt):
            names.extend(seat.name for seat in event.seats)
        if not isinstance(event, Talked):
            return
        said.append(event)
        for seat, state in enumerate(states):
            if state.me and (event.request is Request.TALK or state.role == Role.WEREWOLF):
                talk = event.as_talk(names[event.seat])
                steps[True][seat] += sources[True][seat].overhear(StepKind(event.request.lower()), talk, state)

    deciders = [decider(seat) for seat in range(players)]
    play_without_sockets(contest_village(players), deciders, 5, cast=load_cast("en"), on_event=hear)
    talks = sum(event.request is Request.TALK for event in said)
    whispers = len(said) - talks
    for seat, state in enumerate(states):
        for live in (False, True):
            kinds = [step.kind for step in steps[live][seat]]
            assert kinds.count(StepKind.TALK) == talks
            heard = kinds.count(StepKind.WHISPER)
            assert heard <= whispers if state.role == Role.WEREWOLF else heard == 0
            assert kinds[-1] is StepKind.RESULT
            assert [step.number for step in steps[live][seat]] == list(range(len(kinds)))
            days = [step.day for step in steps[live][seat] if step.kind is StepKind.DAWN]
            assert days == list(range(len(days)))


# --- who may connect -------------------------------------------------------------------------------------------


def test_a_table_refuses_websockets_of_foreign_pages() -> None:
    """A page of another site, open in somebody's browser, takes no seat at a table on loopback."""

    async def main() -> None:
        async with Table(contest_village(5)) as table:
            with pytest.raises(InvalidStatus) as refused:
                await connect(table.url, origin="https://evil.example")  # type: ignore[arg-type]
            assert refused.value.response.status_code == 403
            for origin in (None, "http://localhost/", "http://127.0.0.1:8100"):
                async with connect(table.url, origin=origin) as guest:  # type: ignore[arg-type]
                    assert "NAME" in str(await guest.recv())

    asyncio.run(main())


def test_only_the_owners_code_opens_tables() -> None:
    """A join code opens seats, and only the owner's opens tables.

    Without codes everybody on this machine is the owner.
    """
    rules = AccessRules(code="abc", owner="xyz")
    assert (rules.knows("abc"), rules.is_owner("abc")) == (True, False)
    assert (rules.knows("xyz"), rules.is_owner("xyz")) == (True, True)
    assert (rules.knows(""), rules.is_owner("")) == (False, False)
    assert AccessRules().is_owner("")


def test_remote_guest_may_sit_but_not_order(tmp_path: Path) -> None:
    """Beyond loopback a table opens for its owner, and seats for those who were invited.

    Without a code there is nothing; with the join code no table can be ordered, but an invited seat be taken.
    """

    def ask(path: str, code: str = "", body: bytes | None = None) -> tuple[int, str]:
        headers = {"Cookie": f"code={code}", "Content-Type": "application/json"}
        request = HttpRequest(f"{site.opened.server.url}{path}", body, headers)
        try:
            with urlopen(request, timeout=10) as answer:
                return answer.status, answer.read().decode()
        except HTTPError as refused:
            return refused.code, refused.read().decode()

    with running(lambda: open_web_app(config(tmp_path), "127.0.0.2", paces=HURRY)) as (opened, loop):
        site = Site(opened, loop, tmp_path)
        owner = opened.url.partition("?code=")[2]
        order = b'{"players": 5, "lang": "en", "seats": ["me", "person"]}'
        for path in ("/", "/seat/x", "/watch/x", "/tables"):
            assert ask(path)[0] == 403
        assert ask("/", opened.code)[0] == 403
        assert ask("/tables", opened.code, order)[0] == 403
        assert ask("/", owner)[0] == 200
        status, told = ask("/tables", owner, order)
        assert status == 200
        (table,) = opened.web_tables.tables
        assert ask(json.loads(told)["go"], opened.code)[0] == 403
        page = ask(json.loads(told)["go"], owner)[1]
        assert f"?code={opened.code}" in page
        assert owner not in page
        for human_seat in table.human_seats:
            assert ask(f"/seat/{human_seat.token}")[0] == 403
            assert 'data-home=""' in ask(f"/seat/{human_seat.token}", opened.code)[1]
            assert 'data-home="/"' in ask(f"/seat/{human_seat.token}", owner)[1]
