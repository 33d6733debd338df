"""Playing on a server: every seat of every configuration, game after game."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable, Sequence
from random import Random

from nlp_agent.app.config import Config
from nlp_agent.app.wiring.team import Team, now_folder
from nlp_agent.errors import AlertMessage, NlpAgentError
from nlp_agent.game.roles import UNDECIDED, winning_side
from nlp_agent.net import EntryLock, Session, Stop
from nlp_agent.net.classic import is_classic
from nlp_agent.net.reconnecting import play_games
from nlp_agent.records.game_files import RecordFolders
from nlp_agent.records.journal import Journal
from nlp_agent.records.summary import trouble_lines, words_line
from nlp_agent.seat import How, Seat


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
            await team.prepare()

    # On a classic server a game begins the moment the last name is told, and an answer may have but 100 ms: all is
    # made ready before anybody connects.
    early = any(is_classic(config.web_socket.url) for config in configs)
    gate = EntryLock(None if early else prepare)
    teams = [make_team(config, RecordFolders(config.records.dir, now_folder), gate) for config in configs]
    connections = [_Connection(team, name, on_status) for team in teams for name in team.names()]
    try:
        for team in teams:
            await team.start_local(on_status)
        if early:
            await prepare()
        ends = await asyncio.gather(*(connection.stay(stop) for connection in connections), return_exceptions=True)
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


class _Connection:
    """One connection name through all its games."""

    def __init__(self, team: Team, name: str, on_status: Callable[[str], None]) -> None:
        self._team, self._name, self._on_status = team, name, on_status
        self._seat: Seat | None = None
        self._journal: Journal | None = None
        url = team.config.web_socket.url
        self._door = team.door(url, name, Random().getrandbits(32)) if is_classic(url) else None

    async def stay(self, stop: Stop) -> None:
        again = self._team.config.web_socket.auto_reconnect
        try:
            # Only a classic server has a set of games on one connection, and lets it end.
            while await self._stay(stop, again=again) and self._door and again and not stop.soon.is_set():
                self._on_status(f"{self._name}: the match is over, waiting for the next")
        finally:
            self._close()
            if self._door is not None:
                await self._door.close()

    async def _stay(self, stop: Stop, *, again: bool) -> int:
        return await play_games(
            self._open,
            games=None if again or self._door else 1,
            patient=again,
            stop=stop,
            on_status=self._on_status,
            jitter=Random(),
        )

    def _open(self) -> Session:
        self._close()
        for error in self._team.refresh_packs():
            self._on_status(AlertMessage(f"{error} -- the last good version stays in play"))
        self._seat, self._journal = self._team.seat(self._name, Random().getrandbits(32))
        return self._team.session(
            self._team.config.web_socket.url,
            self._name,
            self._seat,
            self._journal,
            self._on_status,
            self._door.connect if self._door else None,
        )

    def _close(self) -> None:
        """Close the last game's journal and tell how it went."""
        seat, journal = self._seat, self._journal
        self._seat = self._journal = None
        if seat is None or journal is None:
            return
        words = self._words(seat, journal)
        journal.close()
        if journal.failure:
            self._on_status(AlertMessage(f"{self._name}: {journal.failure}"))
        if seat.state.finished:
            state, stats = seat.state, seat.stats
            winner = winning_side(state.roles, state.alive)
            outcome = "nobody won" if winner == UNDECIDED else f"{winner} won"
            self._on_status(
                f"{self._name}: {outcome} on day {state.day}; {state.me} was {state.role}, "
                f"{stats.talks} talks, {stats.by_how.get(How.FALLBACK, 0)} fallbacks ({stats.given_up} for lack of "
                f"time), {stats.late} late, {stats.lost} lost; "
                f"journal {journal.path or 'none'}"
            )
            if words:
                self._on_status(f"{self._name}: {words}")
            for line in trouble_lines(self._name, stats.slips, stats.crashes):
                self._on_status(AlertMessage(line))

    @staticmethod
    def _words(seat: Seat, journal: Journal) -> str:
        """What is to be told about the words of a finished game; a failure here costs nothing else."""
        if not seat.state.finished or seat.reader is None:
            return ""
        from nlp_agent.app.wiring.summaries import words_of  # noqa: PLC0415 - no name is to wait for it

        try:
            return words_line(words_of(seat.state, seat.reader))
        except Exception:
            journal.write("crash", {"doing": "measuring the words", "traceback": traceback.format_exc()})
            return ""
