"""A person's seat at any server that speaks the protocol: one page, one seat, one game after another."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from random import Random

from nlp_agent.app.config import AgentConfig, Config, LlmConfig
from nlp_agent.app.wiring.persons import PERSONS_TIME, Person, unix_ms
from nlp_agent.app.wiring.team import Team, now_folder
from nlp_agent.errors import SessionError
from nlp_agent.net import Gate
from nlp_agent.net.classic import is_classic
from nlp_agent.records.folders import RecordFolders
from nlp_agent.web.app import build
from nlp_agent.web.door import Rules
from nlp_agent.web.play_chair import Chair
from nlp_agent.web.play_pages import SeatPages
from nlp_agent.web.play_table import new_token
from nlp_agent.web.runner import WebServer


@dataclass(frozen=True, slots=True)
class OpenSeat:
    """``url`` is the page of ``chair``."""

    url: str
    chair: Chair

    @property
    def playing(self) -> bool:
        return self.chair.playing


@asynccontextmanager
async def open_seat(
    config: Config, name: str, on_status: Callable[[str], None], *, host: str = "127.0.0.1", port: int = 0
) -> AsyncIterator[OpenSeat]:
    """The page of a person who plays as team ``name`` at the server of ``config``."""
    update = {"agent": AgentConfig(team=name, num=1), "llm": LlmConfig(), "deadline": PERSONS_TIME}
    team = Team(config.model_copy(update=update), RecordFolders(config.records.dir, now_folder), Gate())
    chair = Chair(new_token(), unix_ms)
    chair.tell(remote=True)
    chair.here(ready=True)
    rules = Rules.at(host)
    pages = SeatPages(lambda token: (chair, "") if token == chair.token else None)
    await team.prepare()
    try:
        async with WebServer(build([pages], rules), host, port) as server:
            playing = asyncio.create_task(_stay(team, chair, on_status))
            try:
                code = f"?code={rules.code}" if rules.code else ""
                yield OpenSeat(f"{server.url}/seat/{chair.token}{code}", chair)
            finally:
                playing.cancel()
                with suppress(asyncio.CancelledError):
                    await playing
    finally:
        await team.aclose()


async def _stay(team: Team, chair: Chair, on_status: Callable[[str], None]) -> None:
    """A game whenever the person wants one."""
    url, name = team.config.web_socket.url, team.names()[0]
    door = team.door(url, name, Random().getrandbits(32)) if is_classic(url) else None
    while True:
        await chair.ready.wait()
        seat, journal = team.seat(name, Random().getrandbits(32))
        chair.tell(named=None)
        person = Person(seat, chair)

        def told(status: str) -> None:
            chair.tell(named=True)
            on_status(status)

        try:
            await team.session(url, name, person, journal, told, door.connect if door else None).play()
        except SessionError as error:
            on_status(str(error))
            chair.lost(str(error))
        finally:
            journal.close()
        if journal.path:
            on_status(f"{name}: journal {journal.path}")
