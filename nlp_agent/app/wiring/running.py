"""Playing on a server: every seat of every configuration, game after game."""

from __future__ import annotations

import asyncio
import gc
import logging
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from nlp_agent.app.config import Config
from nlp_agent.app.wiring.team import Team, now_folder
from nlp_agent.errors import AlertMessage, NlpAgentError, RetryMessage
from nlp_agent.game.roles import UNDECIDED, role_spec, winning_side
from nlp_agent.net import EntryLock, Session, Stop
from nlp_agent.net.classic import is_classic
from nlp_agent.net.reconnecting import play_games
from nlp_agent.records.game_files import RecordFolders
from nlp_agent.records.journal import Journal
from nlp_agent.records.summary import WordCounts, last_day_of_talk, trouble_lines, words_line
from nlp_agent.seat import How, Seat

if TYPE_CHECKING:
    from nlp_agent.app.measures import FinishedGame
    from nlp_agent.reading.reader import TalkReader

logger = logging.getLogger(__name__)


async def run_seats(
    configs: Sequence[Config],
    on_status: Callable[[str], None],
    stop: Stop,
    make_team: Callable[[Config, RecordFolders, EntryLock], Team] = Team,
) -> int:
    """Seat everybody the configs name and play; returns 0 when every seat finished its games, else 1.

    Raises the error itself when all seats failed alike.
    """

    async def prepare() -> None:
        for team in teams:
            await team.prepare(every_language=True)

    # On a classic server a game begins the moment the last name is told, and an answer may have but 100 ms: all is
    # made ready before anybody connects.
    early = any(is_classic(config.web_socket.url) for config in configs)
    entry = EntryLock(None if early else prepare)
    known = dict[tuple[Path, str], Path]()
    teams = [make_team(config, RecordFolders(config.records.dir, now_folder, known), entry) for config in configs]
    errors = set[str]()
    connections = [_Connection(team, name, on_status, errors) for team in teams for name in team.names()]
    seats = Counter((team.config.web_socket.url, name) for team in teams for name in team.names())
    for (_, name), count in seats.items():
        if count > 1:
            on_status(AlertMessage(f"two configs name the same seat, {name}: give each its own agent.team"))
    try:
        for team in teams:
            await team.start_local(on_status)
        if early:
            await prepare()
        with no_long_searches() if early else nullcontext():
            waiting = asyncio.create_task(_tell_of_waiting(connections, on_status))
            try:
                playing = (connection.stay(stop) for connection in connections)
                ends = await asyncio.gather(*playing, return_exceptions=True)
            finally:
                waiting.cancel()
    finally:
        await asyncio.gather(*(team.aclose() for team in teams), return_exceptions=True)
    failures = [end for end in ends if isinstance(end, BaseException)]
    for failure in failures:
        if not isinstance(failure, NlpAgentError):
            raise failure
    if failures and len({str(failure) for failure in failures}) == 1:
        raise failures[0]
    for failure in failures:
        on_status(AlertMessage(f"error: {failure}"))
    return 1 if failures else 0


_NO_GAME_YET = 20.0
"""Seconds after which somebody is told for what all seats wait that have told their names."""


async def _tell_of_waiting(connections: Sequence[_Connection], on_status: Callable[[str], None]) -> None:
    while not all(connection.waits for connection in connections):  # noqa: ASYNC110 - each is told by its own session
        await asyncio.sleep(1.0)
    await asyncio.sleep(_NO_GAME_YET)
    if not any(connection.has_played for connection in connections):
        on_status(
            f"no game has begun yet: a server begins when all seats of a village are taken, and this process takes "
            f"{len(connections)} of them (agent.num)"
        )


@contextmanager
def no_long_searches() -> Iterator[None]:
    """Keep Python from searching more than the latest objects for garbage while games of a set are played.

    In a set 100 ms may be all there is for an answer. A search through everything takes most of that after loading, and
    20 to 60 ms later on. What stays until the end need not be searched at all; for the rest there is time when a set is
    over (:func:`search_all`).
    """
    usual = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(usual[0], usual[1], _NEVER)
    try:
        yield
    finally:
        gc.set_threshold(*usual)


_NEVER = 1_000_000
"""Searches through the latest objects before one through everything: more than there are in any set."""


def search_all() -> None:
    """Search everything for garbage, if anything has come since the last time."""
    if gc.get_count()[2]:
        gc.collect()


_MEASURED = 100
"""Games, of all seats of a team, that are kept until the end of a set to measure their words: some 40 MB at most."""


class _Connection:
    """One connection name through all its games.

    On a classic server the next game of a set begins at once, with 100 ms for an answer: there words are measured when
    the set is over, and changed templates are taken in with the next one.
    """

    def __init__(self, team: Team, name: str, on_status: Callable[[str], None], errors: set[str]) -> None:
        self._team, self._name, self._on_status = team, name, on_status
        self._errors = errors
        """What has kept seats of any connection from the next game, each told once until one begins."""
        self._session: Session | None = None
        self._seat: Seat | None = None
        self._journal: Journal | None = None
        self._has_played = False
        """Whether a game has begun for a seat before this one."""
        url = team.config.web_socket.url
        self._classic = team.classic_server(url, name, Random().getrandbits(32)) if is_classic(url) else None
        self._played: deque[tuple[FinishedGame, str, TalkReader]] = deque(
            maxlen=max(1, _MEASURED // team.config.agent.num)
        )
        """Games of a set whose words are still to be measured, with the name of this seat."""

    @property
    def has_played(self) -> bool:
        """Whether any game has begun for this seat, be it over or not."""
        return self._has_played or (self._seat is not None and bool(self._seat.state.me))

    @property
    def waits(self) -> bool:
        """Whether this seat has told its name, so that a game may begin for it; or one has begun."""
        return self.has_played or (self._session is not None and self._session.named)

    def _tell(self, text: str) -> None:
        """Tell ``text``; why another attempt is needed only once for all seats, and not every time."""
        if not isinstance(text, RetryMessage):
            self._on_status(text)
        elif text.error not in self._errors:
            self._errors.add(text.error)
            self._on_status(AlertMessage(f"{text.error} -- trying again until a game begins; this is told once"))

    async def stay(self, stop: Stop) -> None:
        again = self._team.config.web_socket.auto_reconnect
        try:
            # Only a classic server has a set of games on one connection, and lets it end.
            while await self._stay(stop, again=again) and self._classic and again and not stop.soon.is_set():
                await self._end_set()
                self._on_status(f"{self._name}: the match is over, waiting for the next")
        finally:
            self._close()
            if self._classic is not None:
                await self._classic.close()
            if not stop.now.is_set():
                await self._end_set()

    async def _stay(self, stop: Stop, *, again: bool) -> int:
        return await play_games(
            self._open,
            games=None if again or self._classic else 1,
            patient=again,
            stop=stop,
            on_status=self._tell,
            jitter=Random(),
        )

    def _open(self) -> Session:
        self._close()
        if self._classic is None or not self._classic.connected:
            for error in self._team.refresh_packs():
                self._on_status(AlertMessage(f"{error} -- the last good version stays in play"))
        self._seat, self._journal = self._team.seat(self._name, Random().getrandbits(32))
        self._session = self._team.session(
            self._team.config.web_socket.url,
            self._name,
            self._seat,
            self._journal,
            self._on_status,
            self._classic.connect if self._classic else None,
        )
        return self._session

    def _close(self) -> None:
        """Close the last game's journal and tell how it went."""
        seat, journal = self._seat, self._journal
        self._has_played = self.has_played
        if seat is not None and seat.state.me:
            self._errors.clear()
        self._seat = self._journal = None
        if seat is None or journal is None:
            return
        words = self._words_of(seat, journal)
        journal.close()
        if journal.failure:
            self._on_status(AlertMessage(f"{self._name}: {journal.failure}"))
        if seat.state.finished:
            state, stats = seat.state, seat.stats
            winner = winning_side(state.roles, state.alive)
            outcome = "nobody won" if winner == UNDECIDED else f"{winner} won"
            end = "this seat won" if winner == role_spec(state.role).side else "this seat lost"
            end = "no seat won" if winner == UNDECIDED else end
            by_model = stats.by_how.get(How.LLM, 0) + stats.by_how.get(How.RETRY, 0)
            self._on_status(
                f"{self._name}: {outcome} on day {last_day_of_talk(state.day)}; {state.me} was {state.role}, {end}; "
                f"{stats.talks} talks, {by_model} answers of the model, {stats.by_how.get(How.FALLBACK, 0)} fallbacks "
                f"({stats.given_up} for lack of time), {stats.late} late, {stats.lost} lost; "
                f"journal {journal.path or 'none'}"
            )
            if words:
                self._on_status(f"{self._name}: {words}")
            for line in trouble_lines(self._name, stats.strategy_faults, stats.crashes):
                self._on_status(AlertMessage(line))

    def _words_of(self, seat: Seat, journal: Journal) -> str:
        """What is to be told about the words of a finished game; a failure here costs nothing else."""
        if not seat.state.finished or seat.reader is None:
            return ""
        from nlp_agent.app.measures import game_from_seat  # noqa: PLC0415 - no name is to wait for it

        game = game_from_seat(seat.state)
        if self._classic is not None:
            self._played.append((game, seat.state.me, seat.reader))
            return ""
        try:
            return words_line(_measured(game, seat.state.me, seat.reader))
        except Exception:
            journal.write("crash", {"doing": "measuring the words", "traceback": traceback.format_exc()})
            return ""

    async def _end_set(self) -> None:
        """Tell about the words of a whole set, after it; other seats may still be playing, so game by game."""
        words, games = WordCounts(), len(self._played)
        while self._played:
            try:
                words += _measured(*self._played.popleft())
            except Exception:
                logger.exception("%s: the words of a game could not be measured", self._name)
            await asyncio.sleep(0)
        if games:
            told = "the game" if games == 1 else f"the last {games} games"
            self._on_status(f"{self._name}: words of {told}: {words_line(words)}")
        if self._classic is not None:
            search_all()


def _measured(game: FinishedGame, name: str, reader: TalkReader) -> WordCounts:
    from nlp_agent.app.measures import measure  # noqa: PLC0415 - no name is to wait for it

    return measure(game, reader, [name])[name]
