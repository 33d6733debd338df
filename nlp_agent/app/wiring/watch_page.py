"""A page for onlookers beside any table of this process, and what finds claims and results for it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from nlp_agent.app.wiring.persons import unix_ms
from nlp_agent.arena.events import Event
from nlp_agent.prompting import Pack, load_pack
from nlp_agent.web.app import build
from nlp_agent.web.play_table import Onlookers, TableWithPages
from nlp_agent.web.play_village import VillageOrder
from nlp_agent.web.runner import WebServer
from nlp_agent.web.watch_pages import WatchPages
from nlp_agent.web.watch_view import Read, Said

_KINDS = frozenset({"claim", "result", "vote"})


def reader_of(pack: Pack) -> Read:
    """Claims, told results and announced votes in talks, as ``pack`` reads them."""

    def read(text: str, players: Sequence[str]) -> list[Said]:
        statements = pack.reading.read(text, tuple(players)).statements
        return [(s.kind, s.target, s.role if s.kind == "claim" else s.result) for s in statements if s.kind in _KINDS]

    return read


@dataclass(frozen=True, slots=True)
class WatchPage:
    """``url`` is the page; ``show`` wants every event of the table."""

    url: str
    show: Callable[[Event], None]


@asynccontextmanager
async def open_watch(lang: str, port: int) -> AsyncIterator[WatchPage]:
    """A page on loopback for onlookers of a table whose characters speak the pack ``lang``."""
    table = TableWithPages(VillageOrder({}, lang, ()), [], Onlookers(reader_of(load_pack(lang))), unix_ms)
    pages = WatchPages(lambda token: table if token == table.watch_token else None)
    async with WebServer(build([pages]), port=port) as server:
        yield WatchPage(f"{server.url}/watch/{table.watch_token}", table.on_event)
