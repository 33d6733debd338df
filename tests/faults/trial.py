"""A whole game, over real sockets, against one fault; and the verdict on it."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from zlib import crc32

from nlp_agent.app.config import Config
from nlp_agent.app.wiring.running import run_seats
from nlp_agent.app.wiring.tables import one_clock
from nlp_agent.arena.events import Asked, Dealt, Event, Talked, killed_by
from nlp_agent.arena.server import Table
from nlp_agent.arena.table import Match
from nlp_agent.arena.village import Village, contest_village
from nlp_agent.llm.loopback import Loopback, talkative
from nlp_agent.net import Stop
from nlp_agent.protocol import Timeout
from nlp_agent.seat import How
from tests.faults.catalogue import Expect, Fault, Where
from tests.faults.checking import JournalsRead, Outcome, count_slips, read_journals, untold
from tests.faults.classic import try_classic
from tests.faults.endpoint import FaultyEndpoint, Overheard, WrongReply, any_of, wrong_replies
from tests.faults.guests import STRANGER, Visit, visiting
from tests.faults.own_code import (
    FailureCounter,
    PlantedError,
    SharingTeam,
    TeamMaker,
    brittle_team,
    shared_cast,
    warm_up,
)
from tests.faults.table import disturbance_for

TEAM = "fault"
_TALKS = 3
_GRACE = 1000
"""Milliseconds the table waits beyond what it told: the official server's 5 s in proportion, and a busy machine. That
no seat counts on it is seen in the journals, which tell how much of the told time was left."""
_LAST_DAY = 4
_CHAT_ACTION = 20_000
"""Milliseconds for an answer where talks are group chats, which nobody waits for; a third of the usual."""
_CHAT_TALKS = 4
"""As many as at the contests: what a seat expects where nobody tells it."""
_ATTEMPTS = 5
_NEVER = "the fault never came to pass"
_RECITED = {"en": 30, "ja": 14}
"""Characters in a row that nobody says by chance."""
_LONGEST = 7200.0
"""Seconds of a clock that jumps after which a trial has failed, whatever it waits for."""


def village_for(
    players: int, language: str, action: int, max_day: int | None = _LAST_DAY, duration: int | None = None
) -> Village:
    """A contest village in a hurry; ``action`` in milliseconds, and ``duration`` of each phase if it is a chat."""
    timeout = Timeout(action=action, response=max(1000, action))
    talks = _TALKS if duration is None else _CHAT_TALKS
    village = contest_village(players, language, talks=talks, timeout=timeout, max_day=max_day, duration=duration)
    return replace(village, grace=_GRACE)


def config_for(url: str, endpoint: str, players: int, records: Path, *, stays: bool) -> Config:
    """Seats at ``url`` with the endpoint at ``endpoint``, as a user would write them."""
    return Config.model_validate(
        {
            "web_socket": {"url": url, "auto_reconnect": stays},
            "agent": {"num": players, "team": TEAM},
            "llm": {"base_url": endpoint, "model": "loopback", "seed": 1, "api_key_env": "NLP_AGENT_FAULTS_KEY"},
            "records": {"dir": str(records)},
        }
    )


async def try_fault(fault: Fault, duration: int | None = None) -> Outcome:
    """Play against ``fault``, again when the game gave it no chance to strike. Never raises for what the seats do.

    ``duration`` (milliseconds) makes talks group chats.
    """
    warm_up()
    if fault.where is Where.CLASSIC:
        return await try_classic(fault)
    started = time.monotonic()
    outcome = Outcome(fault)
    for attempt in range(_ATTEMPTS):
        outcome = await _played(fault, attempt, duration)
        if outcome.wrong != (_NEVER,):
            break
    return replace(outcome, seconds=round(time.monotonic() - started, 2))


async def _played(fault: Fault, attempt: int, duration: int | None) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="nlp-agent-faults-") as folder:
        trial = _Trial(fault, Path(folder) / "records", crc32(f"{fault.name}/{attempt}".encode()), duration)
        try:
            async with asyncio.timeout(_LONGEST):
                return await trial.run()
        except Exception as error:
            return Outcome(fault, wrong=(f"the trial broke off: {type(error).__name__}: {error}",))


class _Trial:
    def __init__(self, fault: Fault, records: Path, seed: int, duration: int | None) -> None:
        self.fault, self.records, self.seed, self.duration = fault, records, seed, duration
        self.language = ("en", "ja")[self.seed % 2]
        self.overheard = Overheard()
        self.endpoint = FaultyEndpoint(talkative(self.seed), self._wrong_reply(), fault.strikes)
        self.disturbance = disturbance_for(fault, self.endpoint, Random(self.seed))
        self.counter = FailureCounter(every=3 if fault.where is Where.OWN else 30)
        self.statuses: list[str] = []
        self._names: tuple[str, ...] = ()
        self._heard: list[str] = []
        self._visit = Visit()

    def _wrong_reply(self) -> WrongReply | None:
        kinds = wrong_replies(self.overheard)
        if self.fault.name == "storm":
            return any_of(list(kinds.values()), Random(self.seed), 1.0)
        if self.fault.where is Where.BOTH:
            return kinds["hang-before-headers"]
        return kinds.get(self.fault.name)

    @property
    def drops(self) -> bool:
        return self.fault.expect is Expect.LOST

    async def run(self) -> Outcome:
        fault, stop = self.fault, Stop()
        action = fault.action if self.duration is None else _CHAT_ACTION
        village = village_for(fault.players, self.language, action, fault.last_day, self.duration)
        if fault.where is Where.GUEST:
            village = replace(village, max_error_ratio=1.0)
        table = Table(
            village,
            cast=shared_cast(self.language),
            seed=self.seed,
            on_event=self._watch,
            admits=self.disturbance.admits,
            guest=self.disturbance.guest,
            now_ms=one_clock(),
        )
        async with Loopback(self.endpoint) as endpoint, table, visiting(fault, table.url) as self._visit:
            own = fault.players - self._visit.seats
            config = config_for(table.url, endpoint.base_url, own, self.records, stays=self.drops)
            seats = asyncio.create_task(run_seats([config], self.statuses.append, stop, self._team_maker()))
            matches = await _matches(table, seats, 2 if self.drops else 1)
            if self.drops:
                stop.request()
            code = await seats
        return self._judge(matches, code)

    def _team_maker(self) -> TeamMaker:
        parts = {"storm": "everything", "crash-everything": "everything"}
        part = parts.get(self.fault.name, self.fault.name.removeprefix("crash-"))
        if self.fault.where is Where.OWN or self.fault.name == "storm":
            return brittle_team(part, self.counter)
        return SharingTeam

    def _watch(self, _: str, event: Event) -> None:
        """Let the endpoint know what it could see at the table."""
        if isinstance(event, Dealt):
            self._names = tuple(seat.name for seat in event.seats)
        elif isinstance(event, Asked):
            self.overheard.me = self._names[event.seat]
        elif isinstance(event, Talked):
            self._heard.append(event.text)
        elif (victim := killed_by(event)) is not None:
            self.overheard.dead = self._names[victim]

    # --- the verdict -------------------------------------------------------------------------------------------

    def _judge(self, matches: Sequence[Match], code: int) -> Outcome:
        fault, disturbance = self.fault, self.disturbance
        readings = [
            read_journals(self.records, match, lost=[*disturbance.dropped, STRANGER], unheard=disturbance.unheard)
            for match in matches
        ]
        counts = [count_slips(match, disturbance) for match in matches]
        late, illegal, extra, lost = (sum(column) for column in zip(*counts, strict=True))
        wrong = [line for reading in readings for line in reading.untrue] + disturbance.wrong
        wrong += [
            f"{count} {what}" for count, what in ((late, "late"), (illegal, "illegal"), (extra, "extra")) if count
        ]
        wrong += [f"{lost} seats lost"] * bool(lost)
        wrong += [warning for match in matches for warning in match.report.warnings] if late + illegal + extra else []
        wrong += self._unexpected(matches, readings, code)
        return Outcome(
            fault,
            happened=self._happened(readings),
            games=len(matches),
            late=late,
            illegal=illegal,
            extra=extra,
            lost=lost,
            wrong=tuple(wrong),
        )

    def _unexpected(self, matches: Sequence[Match], readings: Sequence[JournalsRead], code: int) -> list[str]:
        wrong = []
        if matches[-1].report.aborted or (not self.drops and code):
            wrong.append("the game was not finished")
        if self.drops and not any("trying again" in status for status in self.statuses):
            wrong.append("the loss of the connection was not reported")
        if not self._struck():
            wrong.append(_NEVER)
        wrong += [f"the table heard {text[:80]!r}" for text in self._heard if self._is_hostile(text)]
        if self.fault.expect is Expect.EXPELLED and not self._visit.told:
            wrong.append("the guest was not told why it had to go")
        stray = [path.name for path in self.records.parent.iterdir() if path != self.records]
        wrong += [f"stray files: {', '.join(stray)}"] * bool(stray)
        rows = [row for reading in readings for row in reading.rows]
        if self.fault.expect in (Expect.UNMOVED, Expect.UNSAID):
            failed = sum(reading.events("crash") for reading in readings)
            wrong += [f"our own code failed {failed} times"] * bool(failed)
        if self.fault.expect is Expect.TOLD:
            silent = untold(self.endpoint.struck, rows)
            wrong += [f"{silent} struck requests are not told of"] * bool(silent)
        # What a model is asked beside the answers tells of its failures in rows of its own.
        planted = sum(str(row.get("problem", "")).startswith(PlantedError.__name__) for row in rows)
        crashes = planted + sum(reading.events("crash") for reading in readings)
        if self.fault.expect is Expect.CRASH and crashes < self.counter.failures:
            wrong.append(f"{self.counter.failures} crashes, {crashes} in the journal")
        return wrong

    def _is_hostile(self, text: str) -> bool:
        """Whether ``text`` has a mark of the attack in it, or a piece of a prompt that the model recited."""
        said, size = text.casefold(), _RECITED[self.language]
        pieces = {said[at : at + size] for at in range(len(said) - size + 1)}
        recited = any(piece in prompt.casefold() for prompt in self.overheard.told for piece in pieces)
        return recited or any(mark.casefold() in said for mark in self.fault.marks)

    def _struck(self) -> int:
        always = self.fault.name in ("thirteen", "endless-strategy")
        return len(self.endpoint.struck) + self.disturbance.done + self.counter.failures + self._visit.done + always

    def _happened(self, readings: Sequence[JournalsRead]) -> str:
        replies = sum(len(reading.decisions) for reading in readings)
        hows = {how: sum(reading.count(how) for reading in readings) for how in How}
        parts = [f"{count} {how.value}" for how, count in hows.items() if count]
        parts += [f"{sum(r.events('dropped') for r in readings)} dropped"] * any(r.events("dropped") for r in readings)
        parts += [f"shown out: {self._visit.told}"] * bool(self._visit.told)
        return f"struck {self._struck()} times, {replies} replies: {', '.join(parts)}"


async def _matches(table: Table, seats: asyncio.Task[int], count: int) -> list[Match]:
    """The next ``count`` games of ``table``; raises what the seats raise when they leave before."""
    matches: list[Match] = []
    while len(matches) < count:
        match = asyncio.create_task(table.next_match())
        await asyncio.wait({match, seats}, return_when=asyncio.FIRST_COMPLETED)
        if not match.done() and len(matches) + 1 < count:
            match.cancel()
            raise RuntimeError(f"the seats left with {seats.result()}")
        matches.append(await match)
    return matches


async def try_all(
    faults: Sequence[Fault], on_outcome: Callable[[Outcome], None], at_once: int = 6, duration: int | None = None
) -> list[Outcome]:
    """Try ``faults``, several at a time; those that need the machine for themselves come last, one by one."""
    room = asyncio.Semaphore(at_once)
    warm_up()

    async def one(fault: Fault) -> Outcome:
        async with room:
            outcome = await try_fault(fault, duration)
        on_outcome(outcome)
        return outcome

    crowd = [one(fault) for fault in faults if not fault.alone]
    outcomes = list(await asyncio.gather(*crowd))
    for fault in faults:
        if fault.alone:
            outcomes.append(await one(fault))
    return outcomes
