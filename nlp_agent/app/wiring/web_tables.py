"""Tables in the browser: a page for onlookers beside any table; tables ordered on a page, where persons, computers,
models and guests play one game after another; and the application around them.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import SystemRandom
from typing import Any

from pydantic import SecretStr

from nlp_agent.app.config import AgentConfig, Config, GroupChatConfig, LlmConfig
from nlp_agent.app.wiring.casts import table_cast
from nlp_agent.app.wiring.human_players import PERSONS_TIME, HumanPlayer, PacedSeat, action_for, unix_ms
from nlp_agent.app.wiring.replay_insight import Insight
from nlp_agent.app.wiring.tables import write_game
from nlp_agent.app.wiring.team import Team, now_folder
from nlp_agent.arena.events import Event
from nlp_agent.arena.guests import Guest
from nlp_agent.arena.open_sockets import OpenSockets
from nlp_agent.arena.server import Table
from nlp_agent.arena.village import contest_village
from nlp_agent.errors import NlpAgentError, SessionError, TableError
from nlp_agent.net import EntryLock, Session
from nlp_agent.prompting import Pack, load_pack
from nlp_agent.prompting.pack import chain_of, shipped_packs
from nlp_agent.protocol import Timeout
from nlp_agent.reading.ledger import Ledger
from nlp_agent.records.game_files import RecordFolders, find_games
from nlp_agent.records.game_reader import read_game_log
from nlp_agent.records.journal import Journal
from nlp_agent.tasks import end_tasks
from nlp_agent.web.access import AccessRules
from nlp_agent.web.app import LEFT_ALONE, PageGroup, Viewers, WebServer, build
from nlp_agent.web.game_list import GameList
from nlp_agent.web.human_seat import HumanSeat
from nlp_agent.web.pacing import Pacer
from nlp_agent.web.replay import ReplayPages
from nlp_agent.web.review_pages import Reviews
from nlp_agent.web.table import Onlookers, TableSeat, TableWithPages, seats_of_order, team_of_kind
from nlp_agent.web.table_pages import SeatPages, TablePages, WatchPages
from nlp_agent.web.village_order import CONTEST, PACES, Offer, SeatKind, TablePace, VillageOrder, wished_for
from nlp_agent.web.village_view import ReadClaims
from nlp_agent.yamlfile import read_document

# --- A page for onlookers beside any table of this process, and what finds claims and results for it -----------------


def claims_reader(pack: Pack) -> ReadClaims:
    """Return what reads claims, results and announced votes in the talks of a game, by the patterns of ``pack``."""
    return lambda players: Ledger(pack.reading, players=tuple(players))


@dataclass(frozen=True, slots=True)
class OnlookerPage:
    """A page for onlookers beside a table. ``url`` is the page; ``show`` wants every event of the table. ``pacer``
    shows them with time to read.
    """

    url: str
    show: Callable[[Event], None]
    table: TableWithPages
    pacer: Pacer
    viewers: Viewers

    def ended(self, folder: Path) -> None:
        """Lead from the page to the replay: all is over, and the records are in ``folder``."""
        found = find_games([folder])
        if found:
            self.table.onlookers.tell_pace(replay=f"/games/{found[0].key}")

    async def until_left(self, seconds: float = LEFT_ALONE) -> None:
        """Wait until nobody has looked at any of its pages for ``seconds``."""
        await self.viewers.until_left(seconds, lambda: self.table.onlookers.readers)


@asynccontextmanager
async def open_onlooker_page(
    lang: str, port: int, pace: float = 0.0, records: Path | None = None, reviews: Reviews | None = None
) -> AsyncIterator[OnlookerPage]:
    """A page on loopback for onlookers of a table whose characters speak the pack ``lang``.

    Args:
        lang: the pack that reads what is claimed.
        port: of the page; 0 takes any that is free.
        pace: seconds of a talk with words; 0 shows everything when it happens.
        records: where the games are recorded; with it their replays are there as well.
        reviews: works out their reviews.
    """
    table = TableWithPages(VillageOrder({}, lang, ()), [], Onlookers(claims_reader(load_pack(lang))))
    pacer = Pacer(pace, lambda: table.onlookers.tell_pace(stopped=pacer.stopped))
    viewers = Viewers()
    parts: list[PageGroup] = [WatchPages(lambda token: table if token == table.watch_token else None), viewers]
    if records is not None:
        parts.append(replay := ReplayPages(GameList([records]), Insight(), reviews))
    if pace:
        table.pacer = pacer
        table.onlookers.tell_pace(stopped=False)
    showing = asyncio.create_task(pacer.run())
    try:
        async with WebServer(build(parts), port=port) as server:
            yield OnlookerPage(f"{server.url}/watch/{table.watch_token}", table.on_event, table, pacer, viewers)
    finally:
        viewers.close()
        await end_tasks(showing)
        if records is not None:
            replay.close()


@asynccontextmanager
async def open_replays(records: Iterable[Path], port: int, reviews: Reviews) -> AsyncIterator[Viewers]:
    """The replays of all games under ``records`` at ``port`` of this machine, with their reviews; gives who looks.

    Raises TableError when they cannot be served there.
    """
    viewers, replay = Viewers(), ReplayPages(GameList(list(records)), Insight(), reviews)
    try:
        async with WebServer(build([replay, viewers]), port=port):
            try:
                yield viewers
            finally:
                viewers.close()
    finally:
        replay.close()


# --- Tables with pages -----------------------------------------------------------------------------------------------


logger = logging.getLogger(__name__)
MOST_TABLES = 12
"""Tables open at once; of those the oldest without a running game makes room."""
_MOST_GUESTS = 400
"""Open connections of all tables together, those of our own seats included."""
_AGAIN = 1.0
"""Seconds before a seat that could not even sit down tries once more."""
_NAME_AGAIN = 30_000
"""Milliseconds in which a seat that was late must still give its name."""


class WebTables:
    """The tables of this process. ``host`` is where their guests connect to; ``seed`` that of the first table."""

    def __init__(self, config: Config, offer: Offer, host: str = "127.0.0.1", seed: int | None = None) -> None:
        self.offer = offer
        self._seed = SystemRandom().randrange(1_000_000) if seed is None else seed
        self._config, self._host = config, host
        self._sockets = OpenSockets(_MOST_GUESTS)
        self._packs: dict[str, Pack] = {}
        self._tables: dict[str, TableWithPages] = {}
        self._playing: dict[str, asyncio.Task[None]] = {}

    # --- for the pages -----------------------------------------------------------------------------------------

    @property
    def tables(self) -> Iterable[TableWithPages]:
        """The tables that are open."""
        return self._tables.values()

    async def open(self, order: VillageOrder) -> TableWithPages:
        """A table as ordered; it is being played at from now on. Raises NlpAgentError when it cannot be."""
        await self._make_room()
        pack = await asyncio.to_thread(self._pack, order.lang)
        table = TableWithPages(order, seats_of_order(order, unix_ms), Onlookers(claims_reader(pack)))
        gathering = TableGames(self._config, self.offer, self._host, table, self._packs, self._seed, self._sockets)
        self._seed += 1
        await gathering.prepare()
        self._tables[table.token] = table
        self._playing[table.token] = asyncio.create_task(gathering.run())
        await gathering.opened.wait()
        return table

    async def _make_room(self) -> None:
        while len(self._tables) >= MOST_TABLES:
            idle = next((token for token, table in self._tables.items() if not table.playing), None)
            if idle is None:
                raise TableError(f"{MOST_TABLES} games are running: wait until one has ended")
            await self._close(idle)

    def _pack(self, lang: str) -> Pack:
        if lang not in self._packs:
            self._packs[lang] = load_pack(lang)
        return self._packs[lang]

    async def _close(self, token: str) -> None:
        table, playing = self._tables.pop(token), self._playing.pop(token)
        await table.aclose()  # first, for what ends now is no lost connection
        await end_tasks(playing)

    def close_after_games(self) -> None:
        """Tell everybody who plays that the tables close when the running games are over."""
        for table in self._tables.values():
            for human_seat in table.human_seats:
                human_seat.tell(closing=True)

    @property
    def busy(self) -> bool:
        """Whether a game is being played, or is not yet in the records."""
        return any(not table.recorded for table in self._tables.values())

    async def aclose(self) -> None:
        """Close all tables."""
        await asyncio.gather(*(self._close(token) for token in list(self._tables)))


class TableGames:
    """Plays one game after another at ``table``, until it is cancelled."""

    def __init__(
        self,
        config: Config,
        offer: Offer,
        host: str,
        table: TableWithPages,
        packs: dict[str, Pack],
        seed: int,
        sockets: OpenSockets,
    ) -> None:
        self._table, self._order, self._pace = table, table.order, offer.paces[table.order.pace]
        self._config, self._host, self._seed, self._sockets = config, host, seed, sockets
        self._folders = RecordFolders(config.records.dir, now_folder)
        self._key = secrets.token_urlsafe(16)
        self.opened = asyncio.Event()
        """Set when guests can connect, or never will."""
        self._packs, self._entry = packs, EntryLock()
        self._teams: dict[tuple[SeatKind, str], Team] = {}
        for place in table.places:
            if place.kind is not SeatKind.GUEST and (place.kind, place.endpoint) not in self._teams:
                self._teams[place.kind, place.endpoint] = self._team(place)
        self._server = self._table_server()

    def _team(self, place: TableSeat) -> Team:
        llm = LlmConfig()
        if place.kind is SeatKind.MODEL:
            section = self._config.llm.endpoints_by_name[place.endpoint]
            llm = LlmConfig(**{**section.model_dump(), "name": place.endpoint})
        update = {
            "agent": AgentConfig(team=team_of_kind(place.kind), num=len(self._table.places)),
            "web_socket": self._config.web_socket.model_copy(update={"token": SecretStr(self._key)}),
            "language": self._order.lang,
            "prompts": (),
            "llm": llm,
            "deadline": PERSONS_TIME if place.human_seat is not None else self._config.deadline,
            "groupchat": GroupChatConfig(speed=self._pace.speed),
        }
        return Team(self._config.model_copy(update=update), self._folders, self._entry, packs=self._packs)

    def _table_server(self) -> Table:
        order, pace = self._order, self._pace
        invited = table_cast(order.lang)
        me = next((place.name for place in self._table.places if place.kind is SeatKind.ME), "")
        own = [team_of_kind(place.kind) for place in self._table.places if place.kind is not SeatKind.GUEST]
        return Table(
            contest_village(
                roles=order.roles,
                language=order.lang,
                length=invited.length,
                duration=pace.chat if order.chat else None,
                # The contest's time is kept to the letter; a time of our own is what the person's clock begins with.
                timeout=Timeout(
                    action=pace.action if order.pace == CONTEST else action_for(pace.action), response=_NAME_AGAIN
                ),
            ),
            cast=invited.cast,
            seed=self._seed,
            host=self._host,
            tokens=_SeatTokens(own, self._key),
            admits=_GuestSeats(self._table).admits,
            on_event=lambda _, event: self._table.on_event(event),
            chance=wished_for(order, me),
            sockets=self._sockets,
        )

    async def prepare(self) -> None:
        """Make everything ready that a first game would have to wait for."""
        for team in self._teams.values():
            await team.prepare()

    async def run(self) -> None:
        """Play one game after another until the table is closed."""
        try:
            async with self._server:
                self._table.url = self._server.url
                self.opened.set()
                while True:
                    await self._one_game()
        except NlpAgentError as error:
            self._fail(str(error))
        except Exception:
            logger.exception("a table broke down")
            self._fail("a fault of our own; the log tells more")
        finally:
            await asyncio.gather(*(team.aclose() for team in self._teams.values()), return_exceptions=True)

    def _fail(self, problem: str) -> None:
        self.opened.set()
        self._table.problem = problem
        self._table.playing = False
        self._table.refresh()
        for human_seat in self._table.human_seats:
            human_seat.tell(problem=problem)

    async def _one_game(self) -> None:
        self._table.refresh()
        seed = f"{self._seed}/{self._table.games}"
        sitting = [
            asyncio.create_task(self._sit(place, seed))
            for place in self._table.places
            if place.kind is not SeatKind.GUEST
        ]
        ending = asyncio.create_task(self._server.next_match())
        try:
            match = await ending
            await asyncio.wait(sitting)
            folder = write_game(self._folders, match)
            if (game := read_game_log(match.game_log(), folder.parent.name, folder.name)) is not None:
                for human_seat in self._table.human_seats:
                    human_seat.reviewable(game, folder)
        finally:
            self._table.recorded = True
            await end_tasks(*sitting, ending)
        self._table.refresh()

    async def _sit(self, place: TableSeat, seed: str) -> None:
        """One seat through one game; what fails before that has begun is tried again."""
        team, human_seat = self._teams[place.kind, place.endpoint], place.human_seat
        while True:
            if human_seat is not None:
                await human_seat.ready.wait()
            seat, journal = team.seat(place.name, seed)
            player = (
                HumanPlayer(seat, human_seat, own_marks=self._order.own_marks)
                if human_seat
                else PacedSeat(seat, self._pace.pause, self._table.writes)
            )
            session = team.session(self._server.url, place.name, player, journal, lambda _: None)
            self._table.sits(place, True)
            await _played(session, journal, human_seat)
            self._table.sits(place, False)
            if session.started:
                return
            await asyncio.sleep(_AGAIN)


async def _played(session: Session, journal: Journal, human_seat: HumanSeat | None) -> None:
    """Play until the game is over for this seat; what went wrong is told on its page, and stops nobody else."""
    try:
        await session.play()
    except SessionError as error:
        logger.warning("%s", error)
        if human_seat is not None:
            human_seat.lost(str(error))
    finally:
        journal.close()


class _SeatTokens(dict[str, str]):
    """Our own seats show a key, so that nobody else takes their place; guests need none."""

    def __init__(self, own: Iterable[str], key: str) -> None:
        super().__init__(dict.fromkeys(own, key))

    def __missing__(self, team: str) -> str:
        return ""


class _GuestSeats:
    """Lets in as many guests as there are seats for them; others wait outside."""

    def __init__(self, table: TableWithPages) -> None:
        self._table = table
        self._own = {place.name for place in table.places if place.kind is not SeatKind.GUEST}
        self._inside: dict[Guest, TableSeat] = {}

    async def admits(self, guest: Guest) -> bool:
        """Wait until a seat is free for ``guest``; False when it left before."""
        if guest.name in self._own:
            return True
        while not guest.gone:
            self._forget()
            free = next((place for place in self._table.places if self._is_free(place)), None)
            if free is not None:
                self._inside[guest] = free
                free.name = guest.name
                self._table.sits(free, True)
                return True
            await asyncio.sleep(0.2)
        return False

    def _is_free(self, place: TableSeat) -> bool:
        return place.kind is SeatKind.GUEST and place not in self._inside.values()

    def _forget(self) -> None:
        for guest in [guest for guest in self._inside if guest.gone or guest.leave.is_set()]:
            self._table.sits(self._inside.pop(guest), False)


# --- The web application to play and to watch, around the tables of this process -------------------------------------


@dataclass(frozen=True, slots=True)
class RunningWebApp:
    """A web application that runs. ``url`` is for whoever started this process; ``code`` what everybody else must know,
    if anything.
    """

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
    reviews: Reviews | None = None,
) -> AsyncIterator[RunningWebApp]:
    """Serve the pages at ``host`` and ``port`` (0: any that is free); ``reviews`` works out what persons are shown
    after a game.

    Raises TableError when they cannot be served there.
    """
    web_tables = WebTables(config, Offer(tuple(languages()), tuple(config.llm.endpoints_by_name), paces), host, seed)
    rules = AccessRules.at(host, owned=True)

    def human_seat(token: str) -> tuple[HumanSeat, str] | None:
        found = ((table.human_seat(token), table.mark) for table in web_tables.tables)
        return next(((human_seat, mark) for human_seat, mark in found if human_seat is not None), None)

    def watched(token: str) -> TableWithPages | None:
        return next((table for table in web_tables.tables if table.watch_token == token), None)

    parts: list[PageGroup] = [
        TablePages(web_tables, rules),
        SeatPages(human_seat, "/", rules, reviews),
        WatchPages(watched, rules),
    ]
    try:
        async with WebServer(build(parts, rules), host, port) as server:
            url = f"{server.url}/?code={rules.owner}" if rules.code else f"{server.url}/"
            try:
                yield RunningWebApp(web_tables, url, server, rules.code)
            finally:
                await web_tables.aclose()  # while pages can still be told
    finally:
        await web_tables.aclose()


def languages() -> list[tuple[str, str]]:
    """The shipped packs as (name, what its language calls itself)."""
    found = []
    for name, folder in shipped_packs().items():
        data: dict[str, Any] = {}
        for part in reversed(chain_of(folder)):
            data |= read_document(part / "pack.yml").data
        found.append((name, str(data.get("name") or name)))
    return found
