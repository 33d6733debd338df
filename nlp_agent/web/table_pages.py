"""The pages of tables: order a village, a table with its invitations, a person's seat, and the view for onlookers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from nlp_agent.errors import NlpAgentError
from nlp_agent.game.roles import ROLES, VILLAGES
from nlp_agent.protocol import Request as Asks
from nlp_agent.records.game_files import find_games
from nlp_agent.web import review_pages
from nlp_agent.web.access import CODE_COOKIE, AccessRules
from nlp_agent.web.app import Pages, find_by_token, posted, stream_page
from nlp_agent.web.human_seat import HumanSeat, NotNowError
from nlp_agent.web.pacing import Pacer
from nlp_agent.web.review_pages import Reviews, answered, review_state, title_of
from nlp_agent.web.table import TableWithPages
from nlp_agent.web.village_order import MAX_SEATS, Offer, OrderError, VillageOrder, read_order

# --- The pages to play -----------------------------------------------------------------------------------------------


_PIECES = "seat_pieces.html"
_TEXTS = (
    "seat.not_sent",
    "seat.nothing_typed",
    "seat.time_left",
    "seat.chat_time_left",
    "seat.time_warning",
    "chat.comma",
    *review_pages.TEXTS,
)
_LABEL = 40
"""Characters of what an invited person calls themselves."""


Act = Callable[[HumanSeat, dict[str, Any]], object]


class TableKeeper(Protocol):
    """The keeper of the tables of this server, which opens them."""

    offer: Offer

    @property
    def tables(self) -> Iterable[TableWithPages]:
        """All tables that are open."""

    async def open(self, order: VillageOrder) -> TableWithPages:
        """Open a table for the village that was ordered."""


class SeatPages:
    """The pages of persons' seats, found by their tokens. ``home`` is where "a new village" leads those who may order
    one, if anywhere."""

    def __init__(
        self,
        find: Callable[[str], tuple[HumanSeat, str] | None],
        home: str = "",
        rules: AccessRules | None = None,
        reviews: Reviews | None = None,
    ) -> None:
        self._find, self._home, self._rules, self._reviews = find, home, rules or AccessRules(), reviews

    def routes(self, pages: Pages) -> list[BaseRoute]:
        """The page of a seat, its stream of events, the preview, and one address for each kind of answer."""
        self._pages = pages
        return [
            Route("/seat/{token}", self._page),
            Route("/seat/{token}/events", self._events),
            Route("/seat/{token}/preview", self._preview, methods=["POST"]),
            Route("/seat/{token}/review", self._review),
            Route("/seat/{token}/ask", self._ask, methods=["POST"]),
            *(Route(f"/seat/{{token}}/{name}", self._acting(act), methods=["POST"]) for name, act in _ACTS.items()),
        ]

    def _human_seat(self, request: Request) -> HumanSeat:
        return find_by_token(request, self._find)[0]

    async def _page(self, request: Request) -> Response:
        human_seat, table = find_by_token(request, self._find)
        human_seat.opened()
        home = self._home if self._rules.is_owner(request.cookies.get(CODE_COOKIE, "")) else ""
        base = f"/seat/{human_seat.token}"
        response = self._pages.show(
            request, "seat.html", texts=_TEXTS, base=base, home=home, reviews=self._reviews is not None
        )
        if table:
            # Whoever sits at a table sees its secrets nowhere else.
            response.set_cookie(f"seat-{table}", "1", path="/watch", httponly=True, samesite="lax")
        return response

    async def _events(self, request: Request) -> Response:
        return stream_page(self._pages, request, self._human_seat(request).stream, _PIECES)

    async def _preview(self, request: Request) -> Response:
        human_seat, data = self._human_seat(request), await posted(request)
        asks = Asks.WHISPER if data.get("request") == Asks.WHISPER else Asks.TALK
        typed = _text(data, "text")
        made = human_seat.preview(typed, asks)
        return HTMLResponse(self._pages.pieces(request, _PIECES).piece("preview", made, typed))

    async def _review(self, request: Request) -> Response:
        """How far the review of the game played last is, or what it tells."""
        human_seat = self._human_seat(request)
        if self._reviews is None or human_seat.finished is None:
            raise HTTPException(404)
        game, me, _ = human_seat.finished
        ask = f"/seat/{human_seat.token}/ask"
        return await asyncio.to_thread(
            review_state, self._pages, request, self._reviews.of(game, title_of(game)), ask, me
        )

    async def _ask(self, request: Request) -> Response:
        """What a player of the game played last says to a question."""
        human_seat = self._human_seat(request)
        if self._reviews is None or human_seat.finished is None:
            raise HTTPException(404)
        _, me, folder = human_seat.finished
        data = await posted(request)
        (files,) = await asyncio.to_thread(find_games, [folder])
        return await asyncio.to_thread(answered, self._pages, request, self._reviews, files, data, me)

    def _acting(self, act: Act) -> Callable[[Request], Any]:
        async def acting(request: Request) -> Response:
            try:
                data = await posted(request)
                act(self._human_seat(request), data)
            except NotNowError as error:
                return JSONResponse({"problem": self._pages.words(request)["seat"][str(error)]}, 409)
            return JSONResponse({})

        return acting


class TablePages:
    """The first page, where a village is ordered, and the page of each table for whoever ordered it.

    Only whoever started this process opens tables; invitations carry the join code of ``rules``, if there is one.
    """

    def __init__(self, keeper: TableKeeper, rules: AccessRules) -> None:
        self._keeper, self._rules = keeper, rules

    def routes(self, pages: Pages) -> list[BaseRoute]:
        """The first page, where tables are ordered, and each table's own with its stream."""
        self._pages = pages
        return [
            Route("/", self._first),
            Route("/tables", self._open, methods=["POST"]),
            Route("/table/{token}", self._table),
            Route("/table/{token}/events", self._events),
        ]

    async def _first(self, request: Request) -> Response:
        self._check(request)
        offer = self._keeper.offer
        return self._pages.show(
            request,
            "setup.html",
            texts=("setup.starting",),
            most=MAX_SEATS,
            offer=offer,
            villages=VILLAGES,
            roles=list(ROLES),
            tables=[table for table in self._keeper.tables if not table.problem],
            chosen=self._pages.language(request),
        )

    async def _open(self, request: Request) -> Response:
        self._check(request)
        words = self._pages.words(request)["setup"]
        try:
            order = read_order(await posted(request), self._keeper.offer)
            table = await self._keeper.open(order)
        except OrderError as error:
            return JSONResponse({"problem": words[str(error)].format(**error.values)}, 422)
        except NlpAgentError as error:
            return JSONResponse({"problem": words["not_opened"].format(why=error)}, 422)
        mine = table.mine
        alone = mine is not None and all(place.human_seat in (mine, None) for place in table.places)
        guests = any(place.kind == "guest" for place in table.places)
        if mine is None or not alone or guests:
            return JSONResponse({"go": f"/table/{table.token}"})
        mine.here(ready=True)  # the page of the seat is next
        return JSONResponse({"go": f"/seat/{mine.token}"})

    async def _table(self, request: Request) -> Response:
        table = self._found(request)
        return self._pages.show(
            request,
            "table.html",
            texts=("table.copied", "table.copy_by_hand"),
            table=table,
            base=f"/table/{table.token}",
            code=f"?code={self._rules.code}" if self._rules.code else "",
        )

    async def _events(self, request: Request) -> Response:
        return stream_page(self._pages, request, self._found(request).stream, "table_pieces.html")

    def _found(self, request: Request) -> TableWithPages:
        self._check(request)
        return find_by_token(
            request, lambda token: next((one for one in self._keeper.tables if one.token == token), None)
        )

    def _check(self, request: Request) -> None:
        if not self._rules.is_owner(request.cookies.get(CODE_COOKIE, "")):
            raise HTTPException(403)


def _text(data: dict[str, Any], key: str) -> str:
    value = data.get(key)
    return value if isinstance(value, str) else ""


def _number(data: dict[str, Any]) -> int:
    value = str(data.get("number"))[:12]
    return int(value) if value.isdecimal() else 0


def _come(human_seat: HumanSeat, data: dict[str, Any]) -> None:
    label = "".join(char for char in _text(data, "label") if char.isprintable()).strip()[:_LABEL]
    human_seat.label = label or human_seat.label
    human_seat.here(ready=bool(data.get("ready")))


_ACTS: dict[str, Act] = {
    "say": lambda human_seat, data: human_seat.say(_number(data), _text(data, "text")),
    "choose": lambda human_seat, data: human_seat.choose(_number(data), _text(data, "name")),
    "silent": lambda human_seat, data: human_seat.be_silent(_number(data), over=bool(data.get("over"))),
    "here": _come,
}
"""What a person's page posts, by the last part of the address."""


# --- The page for onlookers of a table -------------------------------------------------------------------------------


class WatchPages:
    """The pages for onlookers. ``find`` returns a table by the token in their link, which no player's page shows.

    The view with all roles is for whoever started this process: a link goes from hand to hand while a game goes on.
    """

    def __init__(self, find: Callable[[str], TableWithPages | None], rules: AccessRules | None = None) -> None:
        self._find, self._rules = find, rules or AccessRules()

    def routes(self, pages: Pages) -> list[BaseRoute]:
        """The page of onlookers and its stream of events."""
        self._pages = pages
        return [
            Route("/watch/{token}", self._page),
            Route("/watch/{token}/events", self._events),
            Route("/watch/{token}/pace", self._pace, methods=["POST"]),
        ]

    async def _page(self, request: Request) -> Response:
        table = find_by_token(request, self._find)
        secret = request.query_params.get("secrets") == "1"
        refused = secret and not self._may_see(request, table)
        return self._pages.show(
            request,
            "watch.html",
            texts=("watch.time_left", "chat.comma"),
            base=f"/watch/{table.watch_token}",
            secret=secret and not refused,
            refused=refused,
        )

    async def _events(self, request: Request) -> Response:
        table = find_by_token(request, self._find)
        secret = request.query_params.get("secrets") == "1"
        if secret and not self._may_see(request, table):
            raise HTTPException(403)
        return stream_page(self._pages, request, table.onlookers.streams[secret], "watch_pieces.html")

    async def _pace(self, request: Request) -> Response:
        """Stop, step or go on, where what is shown has a pace."""
        table = find_by_token(request, self._find)
        acts = {"stop": Pacer.stop, "step": Pacer.step, "go": Pacer.go_on}
        act = acts.get(str((await posted(request)).get("do")))
        if table.pacer is None or act is None:
            raise HTTPException(404)
        act(table.pacer)
        return JSONResponse({})

    def _may_see(self, request: Request, table: TableWithPages) -> bool:
        """Whoever has opened a seat of this table in the same browser is one of its players."""
        owner = self._rules.is_owner(request.cookies.get(CODE_COOKIE, ""))
        return owner and f"seat-{table.mark}" not in request.cookies
