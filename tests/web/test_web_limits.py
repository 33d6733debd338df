"""Who may come in to the pages, what they say and what they refuse; over real sockets."""

from __future__ import annotations

import asyncio
import http.client
import re
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from types import SimpleNamespace
from typing import cast

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from nlp_agent.planning.acts import sample_acts_of_all_kinds
from nlp_agent.records.decisions import act_line
from nlp_agent.web.access import HEADERS, AccessRules, RateLimit, WrongCodes
from nlp_agent.web.app import Pages, WebServer, build, stream_page
from nlp_agent.web.event_stream import EventStream
from nlp_agent.web.rendering import Fragments, Row, choose_language, load_texts, translate_journal
from nlp_agent.web.table import TableWithPages
from nlp_agent.web.table_pages import WatchPages
from tests.selfplay import played
from tests.web.browser import running


class Echo:
    """A part with a page, a place to post to, and a stream."""

    def __init__(self) -> None:
        self.stream = EventStream()

    def routes(self, pages: Pages) -> list[Route]:
        async def page(request: Request) -> Response:
            return pages.show(request, "error.html", reason="<b>hello</b>", hint="")

        async def take(request: Request) -> Response:
            return JSONResponse({"bytes": len(await request.body())})

        async def events(request: Request) -> Response:
            return stream_page(pages, request, self.stream, "monitor_pieces.html")

        return [Route("/", page), Route("/take", take, methods=["POST"]), Route("/events", events)]


@pytest.fixture(scope="module")
def open_port() -> Iterator[int]:
    with _serving(AccessRules(body=1000, each=6)) as port:
        yield port


@pytest.fixture(scope="module")
def coded_port() -> Iterator[int]:
    with _serving(AccessRules(code="abcde23456")) as port:
        yield port


@contextmanager
def _serving(rules: AccessRules) -> Iterator[int]:
    with running(lambda: WebServer(build([Echo()], rules))) as (server, _):
        yield server.port


def _ask(
    port: int, method: str = "GET", path: str = "/", body: bytes | None = None, **headers: str
) -> tuple[int, dict[str, str], str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request(method, path, body, {key.replace("_", "-"): value for key, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, {key.lower(): value for key, value in answer.getheaders()}, answer.read().decode()
    finally:
        connection.close()


def test_every_answer_forbids_foreign_and_inline_scripts(open_port: int) -> None:
    """Pages, files and refusals carry the same strict headers, and what is shown is escaped."""
    for path, status in (("/", 200), ("/static/base.css", 200), ("/nowhere", 404)):
        got, headers, body = _ask(open_port, path=path)
        assert got == status
        assert HEADERS.items() <= {name: headers.get(name.lower()) for name in HEADERS}.items()
        assert "<b>hello" not in body
    assert "unsafe" not in HEADERS["Content-Security-Policy"]


def test_only_this_machine_s_own_names_are_answered(open_port: int) -> None:
    """A foreign name that leads to this address (DNS rebinding) gets nothing."""
    assert _ask(open_port, Host="evil.example")[0] == 421
    assert _ask(open_port, Host=f"localhost:{open_port}")[0] == 200
    assert _ask(open_port, Host="[::1")[0] == 421
    assert "からのみ" in _ask(open_port, Host="evil.example", Accept_Language="ja")[2], "in the language of who asks"


def test_posts_of_other_sites_are_refused(open_port: int) -> None:
    """By their origin, and by what the browser says of where they come from."""
    own = f"http://127.0.0.1:{open_port}"
    assert _ask(open_port, "POST", "/take", b"{}", Origin=own)[0] == 200
    assert _ask(open_port, "POST", "/take", b"{}")[0] == 200
    foreign = [{"Origin": origin} for origin in ("http://evil.example", "null", "http://[", "//")]
    for headers in (*foreign, {"Sec_Fetch_Site": "cross-site"}):
        status, _, told = _ask(open_port, "POST", "/take", b"{}", **headers)
        assert (status, "another site" in told) == (403, True)


def test_body_beyond_the_limit_is_refused(open_port: int) -> None:
    """A body beyond the limit is refused, whether its length was told or not.

    One that tells its length is refused unread, one in chunks when it has grown too long.
    """
    status, _, told = _ask(open_port, "POST", "/take", b"x" * 1001)
    assert status == 413
    assert "1000 bytes" in told
    connection = http.client.HTTPConnection("127.0.0.1", open_port, timeout=5)
    connection.request("POST", "/take", iter([b"x" * 600, b"x" * 600]), encode_chunked=True)
    assert connection.getresponse().status == 413
    connection.close()


def test_too_many_open_pages_are_refused(open_port: int) -> None:
    """Too many open pages of one address are refused, and room comes back.

    Streams count as long as they last.
    """
    held = []
    for _ in range(6):
        connection = http.client.HTTPConnection("127.0.0.1", open_port, timeout=5)
        connection.request("GET", "/events")
        assert connection.getresponse().status == 200
        held.append(connection)
    status, _, told = _ask(open_port)
    assert (status, "close some" in told) == (503, True)
    for connection in held:
        connection.close()
    for _ in range(200):
        if _ask(open_port)[0] == 200:
            return
    pytest.fail("no room came back")


def test_too_many_posts_are_refused_briefly() -> None:
    """More posts than anybody types are refused for a moment.

    A burst is taken; what comes on top is told to wait, and pages are still shown.
    """
    with _serving(AccessRules(posts=1.0)) as port:
        statuses = [_ask(port, "POST", "/take", b"{}")[0] for _ in range(12)]
        assert statuses[:5] == [200] * 5
        assert 429 in statuses
        assert _ask(port)[0] == 200


def test_remote_visitor_needs_a_join_code(coded_port: int) -> None:
    """Beyond this machine a join code is asked for.

    With it in the address once, a cookie remembers; guesses are few.
    """
    assert _ask(coded_port, Host="192.168.1.5")[0] == 403
    assert _ask(coded_port, path="/?code=wrong")[0] == 403
    status, headers, _ = _ask(coded_port, path="/?code=ABCDE23456")
    assert (status, headers["location"]) == (303, "/")
    cookie = headers["set-cookie"].partition(";")[0]
    assert "HttpOnly" in headers["set-cookie"]
    assert _ask(coded_port, Cookie=cookie, Host="192.168.1.5")[0] == 200


def test_wrong_codes_are_refused_without_excluding_others() -> None:
    """Wrong codes are refused after some, and shut nobody else out.

    Whether they stand in the address or in a cookie; who knows the code comes in all the same, from there too.
    """
    with _serving(AccessRules(code="abcde23456", owner="owner23456")) as port:
        told = [_ask(port, path=f"/?code=guess{number}")[0] for number in range(25)]
        assert told == [403] * 20 + [429] * 5
        assert _ask(port, Cookie="code=guess")[0] == 429
        assert _ask(port)[0] == 403, "who shows no code at all has guessed nothing"
        assert _ask(port, path="/?code=abcde23456")[0] == 303
        assert _ask(port, Cookie="code=abcde23456")[0] == 200
        assert _ask(port, Cookie="code=owner23456")[0] == 200


def test_right_codes_cost_nothing() -> None:
    """However often a link is opened."""
    with _serving(AccessRules(code="abcde23456")) as port:
        assert {_ask(port, path="/?code=abcde23456")[0] for _ in range(30)} == {303}
        assert _ask(port, path="/?code=guess")[0] == 403


def test_wrong_codes_are_counted_per_address() -> None:
    """Each address has wrong codes of its own and waits ever longer.

    One customer's IPv6 addresses are one; an hour without any is forgotten.
    """
    now = 0.0
    wrong = WrongCodes(lambda: now)
    assert all(wrong.allows("2001:db8::1") for _ in range(20))
    assert not wrong.allows("2001:db8::2")
    assert wrong.allows("2001:db8:1::1")
    assert wrong.allows("10.0.0.1")
    waits = []
    for _ in range(4):
        start = now
        while not wrong.allows("2001:db8::1"):
            now += 1
        waits.append(now - start)
    assert waits == [5, 10, 20, 40]
    now += 7_300
    assert all(wrong.allows("2001:db8::1") for _ in range(20))


@pytest.mark.parametrize(("cookie", "status"), [("abcde23456", 403), ("owner23456", 200)])
def test_only_the_owner_sees_secrets_during_games(cookie: str, status: int) -> None:
    """Only whoever opened the tables sees all roles while a game goes on.

    An onlookers' link goes from hand to hand; without secrets it is for everybody who has it.
    """
    rules = AccessRules(code="abcde23456", owner="owner23456")
    table = cast(
        TableWithPages, SimpleNamespace(watch_token="w", mark="m", onlookers=SimpleNamespace(streams=_Ended()))
    )
    with running(lambda: WebServer(build([WatchPages(lambda _: table, rules)], rules))) as (server, _):
        assert _ask(server.port, path="/watch/w/events?secrets=1", Cookie=f"code={cookie}")[0] == status
        assert _ask(server.port, path="/watch/w/events", Cookie=f"code={cookie}")[0] == 200
        page = _ask(server.port, path="/watch/w?secrets=1", Cookie=f"code={cookie}")[2]
        assert ("events?secrets=1" in page) == (status == 200)


class _Ended(dict[bool, EventStream]):
    """Feeds that are over."""

    def __missing__(self, _: bool) -> EventStream:
        stream = EventStream()
        stream.close()
        return stream


class Drawn(Fragments):
    """Says what it was told, and how often it drew a line; it has no template."""

    def __init__(self) -> None:
        self.key, self.drew = "en", 0

    def line(self, line: Row, _before: Row | None, _now: Row) -> str:
        self.drew += 1
        return f"line {line['n']}"

    def parts(self, now: Row) -> Mapping[str, str]:
        return {key: str(value) for key, value in now.items()}


def test_returning_reader_gets_only_what_is_missing() -> None:
    """A reader who comes back gets what is missing, and nothing twice.

    The place in the row is the id of the last message.
    """

    async def work() -> list[str]:
        stream, drawn = EventStream(lambda: 7), Drawn()
        stream.add({"n": 1})
        stream.show({"day": 0})
        first = stream.follow(drawn)
        assert isinstance(first, AsyncGenerator)
        told = [await anext(first), await anext(first)]
        await first.aclose()
        stream.add({"n": 2})
        again = stream.follow(drawn, "1.1")
        assert isinstance(again, AsyncGenerator)
        told += [await anext(again), await anext(again)]
        stream.restart()
        told.append(await anext(again))
        await again.aclose()
        assert (stream.readers, drawn.drew) == (0, 2), "each line is drawn once, whoever reads it"
        return told

    retry, whole, _, rest, fresh = asyncio.run(work())  # a part that stands as it did is not sent again
    assert retry.startswith("retry:")
    assert whole == 'id: 1.1\ndata: {"fresh":true,"clock":7,"lines":["line 1"],"parts":{"day":"0"}}\n\n'
    assert rest == 'id: 1.2\ndata: {"fresh":false,"clock":7,"lines":["line 2"],"parts":{"day":"0"}}\n\n'
    assert fresh == 'id: 2.0\ndata: {"fresh":true,"clock":7,"lines":[],"parts":{}}\n\n', (
        "a part that stands as it did is not sent again"
    )


def test_rate_allows_bursts_then_a_pace() -> None:
    """A rate allows a burst, and then so many a second.

    The clock is the caller's.
    """
    now = [0.0]
    rate = RateLimit(2.0, 3.0, lambda: now[0])
    assert [rate.allows() for _ in range(4)] == [True, True, True, False]
    now[0] += 0.5
    assert [rate.allows() for _ in range(2)] == [True, False]


def test_language_is_the_requested_or_the_browsers() -> None:
    """The language is the one asked for, and otherwise that of the browser.

    A header that makes no sense gives English.
    """
    assert choose_language("ja", "en", ("en", "ja")) == "ja"
    assert choose_language("xx", "fr;q=0.9, ja;q=0.8, en;q=0.1", ("en", "ja")) == "ja"
    assert choose_language(None, "de;q=x, ,;;", ("en", "ja")) == "en"


def test_all_languages_have_the_same_texts() -> None:
    """All languages of the pages have the same texts with the same places to fill in.

    A text that is missing or fills in something else would only show when a page is opened.

    What a character's voice fills in (its word for I, an opener, the ends of Japanese sentences) stands where a
    language has it, and so does a player's bare name in a sentence that names it with its role as well.
    """

    def slots(text: str) -> set[str]:
        found = set(re.findall(r"\{[a-z]\w*\}", text)) - {"{opener}"}
        bare = {slot for slot in found if slot.endswith("_name}")} | ({"{name}"} if "{who}" in found else set())
        return found - bare

    def shape(words: object) -> object:
        assert hasattr(words, "items")
        return {section: {key: slots(text) for key, text in texts.items()} for section, texts in words.items()}

    english, *others = load_texts().values()
    assert others
    for other in others:
        assert shape(other) == shape(english)


def test_english_of_journals_is_translated_on_pages() -> None:
    """What journals write in English is told in the language of the page.

    Every act, and every reason and problem of a game; names, and what nobody here wrote, stay as they are.
    """
    texts = load_texts()
    acts = [act_line(asdict(act)) for act in sample_acts_of_all_kinds("ケン", "ミナ", 1, "")]
    whys = [plan.why for player in played("ja", 9, 0).players for _, _, plan, _ in player.said]
    problems = [
        "refused: an invented result: ケン WEREWOLF: 嘘です",
        "tokens estimated",
        "12 too long to tell all that it says",
    ]
    for line in {*acts, *whys, *problems}:
        assert translate_journal(line, texts["en"]["journal"]) == line
        assert not re.search("[A-Za-z]{3}", translate_journal(line, texts["ja"]["journal"])), line
    assert translate_journal("Mina said: so; there", texts["ja"]["journal"]) == "Mina said: so; there"
    assert translate_journal("refused: " * 9999, texts["ja"]["journal"]).startswith("却下：却下：")
