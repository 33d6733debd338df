"""Who may open a page, and how much they may send: join codes, origins, limits; the outermost layer of every page.

A page is asked for by a browser that may at the same time show somebody else's pages: so the host name must be ours
(another name that leads here would let foreign scripts read along), and posts must come from our pages. Beyond this
machine a join code is needed as well.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from time import monotonic
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nlp_agent.arena.open_sockets import network_of

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
CODE_COOKIE = "code"
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_SAFE = frozenset({"GET", "HEAD"})


@dataclass(slots=True)
class RateLimit:
    """A limit for one sender: ``per_second`` over a longer time, and ``burst`` at once; ``clock`` in seconds."""

    per_second: float
    burst: float
    clock: Callable[[], float] = monotonic
    _left: float = field(init=False)
    _at: float = field(init=False)

    def __post_init__(self) -> None:
        self._left, self._at = self.burst, self.clock()

    def allows(self) -> bool:
        """Whether one more is allowed now; it counts then."""
        now = self.clock()
        self._left = min(self.burst, self._left + (now - self._at) * self.per_second)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class WrongCodes:
    """Counts wrong join codes by address: after some free ones each makes the next wait twice as long.

    Only wrong codes are counted and refused. With 31 ** 10 codes it is not this that stops somebody who guesses, and a
    right code, a seat or the owner must never be shut out by what others try.
    """

    _FREE, _FIRST, _LONGEST, _ADDRESSES = 20, 5.0, 3600.0, 1000

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._seen: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def allows(self, address: str) -> bool:
        """Whether one more wrong code of ``address`` is answered as such; it counts then."""
        who, now = network_of(address), self._clock()
        count, until = self._seen.pop(who, (0, 0.0))
        if now > until + self._LONGEST:
            count = 0
        fine = now >= until
        if fine:
            count += 1
            wait = self._FIRST * 2.0 ** min(count - self._FREE, 20) if count >= self._FREE else 0.0
            until = now + min(wait, self._LONGEST)
        self._seen[who] = count, until
        if len(self._seen) > self._ADDRESSES:
            self._seen.popitem(last=False)
        return fine


@dataclass(frozen=True, slots=True)
class AccessRules:
    """The rules of who may open the pages of a server, and how much everybody may ask of it.

    ``code``: what everybody must know who comes from anywhere; ``""``: only this machine's own names are answered.
    ``owner``: the code of whoever started this process, which opens the other doors as well (see :meth:`is_owner`).

    ``body``: bytes of a post. ``connections``: requests under way at once, streams included, and ``each`` of one
    address. ``posts`` a second from one address, with a burst of five times as many.
    """

    code: str = ""
    owner: str = ""
    body: int = 64_000
    connections: int = 400
    each: int = 100
    posts: float = 60.0

    @classmethod
    def at(cls, host: str, *, owned: bool = False) -> AccessRules:
        """The usual rules for pages at ``host``: with a join code where other machines may come; ``owned``: and an
        owner's.
        """
        if host in LOOPBACK:
            return cls()
        return cls(code=new_code(), owner=new_code() if owned else "")

    def is_owner(self, shown: str) -> bool:
        """Whether the cookie ``shown`` is that of whoever started this process; without codes everybody is."""
        return not self.code or (bool(self.owner) and secrets.compare_digest(shown.encode(), self.owner.encode()))

    def knows(self, shown: str) -> bool:
        """Whether ``shown`` is one of the codes."""
        return self.is_owner(shown) or secrets.compare_digest(shown.encode(), self.code.encode())


def new_code() -> str:
    """A join code: easy to read out, hard to guess."""
    return "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(10))


class AccessControl:
    """A layer that lets only those requests through to ``app`` that :class:`AccessRules` allow; ``text`` gives the text
    of a key in the language of whoever asks.
    """

    def __init__(self, app: ASGIApp, rules: AccessRules, text: Callable[[Scope, str], str]) -> None:
        self._app, self._rules, self._text = app, rules, text
        self._inside = 0
        self._from: dict[str, int] = {}
        self._posts: dict[str, RateLimit] = {}
        self._wrong = WrongCodes()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        sender = _with_headers(send)
        refusal = self._refuse(scope)
        if refusal is not None:
            await refusal(scope, receive, sender)
            return
        address = _address(scope)
        self._inside += 1
        self._from[address] = self._from.get(address, 0) + 1
        try:
            await self._app(scope, self._bounded(scope, receive), sender)
        finally:
            self._inside -= 1
            self._from[address] -= 1
            if not self._from[address]:
                del self._from[address]

    def _refuse(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._rules.code and _name(host) not in LOOPBACK:
            return self._refusal(scope, "other_name", 421)
        if scope["method"] not in _SAFE:
            if not _same_site(headers, host):
                return self._refusal(scope, "other_site", 403)
            rate = RateLimit(self._rules.posts, 5 * self._rules.posts)
            if not self._posts.setdefault(_address(scope), rate).allows():
                return self._refusal(scope, "too_fast", 429)
            if len(self._posts) > self._rules.connections:
                self._posts.clear()
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 12 or int(length) > self._rules.body:
            return self._refusal(scope, "too_long", 413)
        if self._inside >= self._rules.connections or self._from.get(_address(scope), 0) >= self._rules.each:
            return self._refusal(scope, "too_many", 503)
        return self._ask_code(scope, headers) if self._rules.code else None

    def _refusal(self, scope: Scope, key: str, status: int) -> Response:
        return PlainTextResponse(f"{self._words(scope, key)}\n", status)

    def _words(self, scope: Scope, key: str) -> str:
        return self._text(scope, key).format(bytes=self._rules.body)

    def _ask_code(self, scope: Scope, headers: Headers) -> Response | None:
        if scope["path"].startswith("/static/"):
            return None
        cookie = _shown_code(headers)
        if self._rules.knows(cookie):
            return None
        shown = parse_qs(scope["query_string"].decode("latin-1")).get("code", [""])[0].strip().lower()
        if shown and self._rules.knows(shown):
            response = RedirectResponse(scope["path"], 303)
            response.set_cookie(CODE_COOKIE, shown, httponly=True, samesite="lax")
            return response
        if (shown or cookie) and not self._wrong.allows(_address(scope)):
            return self._refusal(scope, "too_many_codes", 429)
        return self._refusal(scope, "needs_code", 403)

    def _bounded(self, scope: Scope, receive: Receive) -> Receive:
        """``receive`` that ends a post which is longer than its header says, or says nothing."""
        taken = 0

        async def bounded() -> Message:
            nonlocal taken
            message = await receive()
            if message["type"] == "http.request":
                taken += len(message.get("body", b""))
                if taken > self._rules.body:
                    raise HTTPException(413, self._words(scope, "too_long"))
            return message

        return bounded


def _with_headers(send: Send) -> Send:
    async def sender(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sender


def _same_site(headers: Headers, host: str) -> bool:
    """Whether a post comes from our own page, or from no page at all."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc.lower() == host.lower() != ""
    except ValueError:
        return False


def _name(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _address(scope: Scope) -> str:
    return str(scope["client"][0]) if scope.get("client") else ""


def _shown_code(headers: Headers) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")[:4000]).get(CODE_COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""
