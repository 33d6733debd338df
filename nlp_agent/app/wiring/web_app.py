"""The web application to play and to watch, around the tables of this process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from nlp_agent.app.config import Config
from nlp_agent.app.wiring.web_tables import WebTables
from nlp_agent.prompting.folders import chain_of, shipped_packs
from nlp_agent.web.app import Part, build
from nlp_agent.web.door import Rules
from nlp_agent.web.play_chair import Chair
from nlp_agent.web.play_pages import SeatPages, TablePages
from nlp_agent.web.play_table import TableWithPages
from nlp_agent.web.play_village import PACES, Offer, TablePace
from nlp_agent.web.runner import WebServer
from nlp_agent.web.watch_pages import WatchPages
from nlp_agent.yamlfile import read_document


@dataclass(frozen=True, slots=True)
class OpenWebApp:
    """``url`` is for whoever started this process; ``code`` what everybody else must know, if anything."""

    web_tables: WebTables
    url: str
    server: WebServer
    code: str = ""


@asynccontextmanager
async def open_web_app(
    config: Config,
    host: str = "127.0.0.1",
    port: int = 0,
    *,
    paces: Mapping[str, TablePace] = PACES,
    seed: int | None = None,
) -> AsyncIterator[OpenWebApp]:
    """Pages at ``host`` and ``port`` (0: any that is free). Raises TableError when they cannot be served there."""
    web_tables = WebTables(config, Offer(tuple(languages()), tuple(config.llm.endpoints_by_name), paces), host, seed)
    rules = Rules.at(host, owned=True)

    def chair(token: str) -> tuple[Chair, str] | None:
        found = ((table.chair(token), table.mark) for table in web_tables.tables)
        return next(((chair, mark) for chair, mark in found if chair is not None), None)

    def watched(token: str) -> TableWithPages | None:
        return next((table for table in web_tables.tables if table.watch_token == token), None)

    parts: list[Part] = [TablePages(web_tables, rules), SeatPages(chair, "/", rules), WatchPages(watched)]
    try:
        async with WebServer(build(parts, rules), host, port) as server:
            url = f"{server.url}/?code={rules.owner}" if rules.code else f"{server.url}/"
            yield OpenWebApp(web_tables, url, server, rules.code)
    finally:
        await web_tables.aclose()


def languages() -> list[tuple[str, str]]:
    """Shipped packs as (name, what its language calls itself)."""
    found = []
    for name, folder in shipped_packs().items():
        data: dict[str, Any] = {}
        for part in reversed(chain_of(folder)):
            data |= read_document(part / "pack.yml").data
        found.append((name, str(data.get("name") or name)))
    return found
