"""One connection to the game server: one seat in one game. All that is sent goes out here.

Frames are read and stamped with their time by a :class:`~nlp_agent.net.connection.FrameReader`, which does nothing
else, so that every deadline counts from the arrival. The receiver never waits for an answer: each is made in its own
task for the pending request. A newer request, NAME or the end of the game cancels the pending request, and without it
nothing is sent; and before an answer is sent the true time is compared with the deadline (:meth:`Session._send`). So
there is at most one frame a request, and none after its time, but for a classic server, which still takes late ones.
NAME and packets of another game are answered at once. A phase of group chat is a pending request for as many frames as
it has talks, cancelled by the phase's end.

From top to bottom: who sits behind a connection; entering one seat at a time; repeated and foreign packets; what is
told of a model that falls silent; the session.
"""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Protocol

from nlp_agent.deadline import Arrival, Clock, Deadline
from nlp_agent.errors import AlertMessage, ProtocolError, SessionError
from nlp_agent.game import SeatState
from nlp_agent.game.state import TALKING, WHISPERING
from nlp_agent.known_secrets import shown_url
from nlp_agent.net.connection import (
    Connection,
    ConnectionLostError,
    Frame,
    FrameReader,
    WebSocketConnection,
    connect_to,
    explain_loss,
)
from nlp_agent.protocol import BROADCASTS, ONLY_NAMED, OVER, SKIP, TALK_REQUESTS, Packet, Request, Setting
from nlp_agent.seat import Decision, How, JournalWriter, Pace, SeatStats, Timing

# --- What a session needs of whoever sits behind it, and what it tells -----------------------------------------------


class PhaseTalks(Protocol):
    """The talks of a seat in one phase of group chat; ``next`` waits for the moment to speak."""

    async def next(self, left: int) -> tuple[Decision, Deadline]:
        """Wait for the moment to speak, and return what to send; ``left`` talks are left, this one counted."""


class Player(Protocol):
    """A player behind a connection; :class:`nlp_agent.seat.Seat` is one."""

    state: SeatState
    timing: Timing

    @property
    def stats(self) -> SeatStats:
        """The counts of this game."""

    def hear(self, packet: Packet) -> None:
        """Take in a packet, in order of arrival."""

    def leave(self) -> None:
        """Stop what goes on in the background: the game is over or was left."""

    async def answer(self, packet: Packet, last: Deadline) -> Decision:
        """Decide the reply to ``packet``, which may be sent until ``last``."""

    def join(self, request: Request, closes: Deadline, pace: Pace) -> PhaseTalks:
        """Take part in the phase of group chat that has begun and ends at ``closes``."""

    def delivered(self, decision: Decision, deadline: Deadline) -> None:
        """Note that the decision's text went out; ``deadline`` tells how long it took."""

    def dropped(self, decision: Decision | None, request: str, why: str, deadline: Deadline) -> None:
        """Note that nothing went out for ``request``, and ``why``."""


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """The way in which one game on a connection ended.

    Attributes:
        started: whether INITIALIZE came.
        finished: whether FINISH came.
        more: whether the server has begun another game instead.
    """

    started: bool
    finished: bool
    more: bool = False


# --- How the seats of a process come in to a server ------------------------------------------------------------------


_PATIENCE = 200
"""Turns of the event loop that a seat waits for others: more than they take without a model, far less than a model's
thinking."""


class EntryLock:
    """A lock that the seats of one process share: they come in one at a time, because a server may lose connections
    that arrive at the same instant; what a game needs is prepared once for all; later they hear in turn
    (:meth:`in_turn`), and are warned of a server that waits too short for this machine (:meth:`warning`).

    Args:
        prepare: makes ready what a game needs, such as language packs. It runs once the first seat has given its name,
            so that no name waits for it, and no other seat comes in before it is done.
    """

    def __init__(self, prepare: Callable[[], Awaitable[None]] | None = None) -> None:
        self._lock = asyncio.Lock()
        self._prepare = prepare
        self._preparing: asyncio.Future[None] | None = None
        self.asked: set[FrameReader] = set()
        """The frame readers of those seats that owe the server an answer."""
        self._taken = False
        """Whether a seat has taken something in, in this turn of the event loop."""
        self.begun: Packet | None = None
        """The first packet of a game that came while things were still made ready for it."""
        self.needs = 0.0
        """Seconds of this machine that a talk of every seat takes, one after the other; 0 where nobody measured it."""
        self._warned = False

    def warning(self, action_ms: int) -> str:
        """Warn once of a server that waits only ``action_ms`` for an answer, if that is too short for this machine;
        else ``""``.
        """
        if self._warned or action_ms / 1000 >= SPARE * self.needs:
            return ""
        self._warned = True
        return (
            f"the server waits {action_ms / 1000:g} s for an answer, and on this machine, as busy as it is, a talk of "
            f"all seats takes {self.needs:.1g} s: some may come too late. Close other programs, or play fewer seats"
        )

    async def in_turn(self, frames: FrameReader) -> None:
        """Wait until this seat may take in a packet that asks for nothing. Only one seat does so in a turn of the event
        loop, and seats that owe the server an answer come first.

        When a day begins, the server tells all seats of a process at once, and asks one of them while the others are
        still taking that packet in. Without turns the seat that is asked would answer only after all others had done
        so, and the server may give it no more than 100 ms.
        """
        for _ in range(_PATIENCE):
            if frames in self.asked:
                return
            if not (self._taken or self.asked):
                break
            await asyncio.sleep(0)
        self._taken = True
        asyncio.get_running_loop().call_soon(self._next_turn)

    def _next_turn(self) -> None:
        self._taken = False

    @asynccontextmanager
    async def entering(self) -> AsyncIterator[None]:
        """Connect and answer NAME within this block. Raises what ``prepare`` raised for an earlier seat."""
        async with self._lock:
            await self.ready()
            yield
            if self._prepare is not None and self._preparing is None:
                self._preparing = asyncio.ensure_future(self._prepare())

    @property
    def is_ready(self) -> bool:
        """Whether nothing is being made ready any more."""
        return self._preparing is None or self._preparing.done()

    async def ready(self) -> None:
        """Wait until all is ready for a game. Raises what ``prepare`` raised, for every seat."""
        if self._preparing is not None:
            await asyncio.shield(self._preparing)


SPARE = 3
"""A server's limit is near where it is less than so many times what a talk of all our seats takes: where a day begins
they have more to do."""
_STEPS_TO_TAKE_IN = 5
"""Turns of the event loop from bytes in the socket to a frame that the session has taken in, and one to spare."""


# --- Packets that a session must not take as they come ---------------------------------------------------------------


_BEGINNINGS = frozenset(Request) - BROADCASTS - {Request.DAILY_FINISH, Request.FINISH}
"""Packets that may be the first of a game. None begins with an end, a broadcast or an unknown request."""


class RepeatDetector:
    """Tells a packet that came twice from the next round of a vote, which looks the same.

    A second frame would shift all later answers.
    """

    def __init__(self) -> None:
        self._last: str | bytes = b""
        self._times = 0

    def forget(self) -> None:
        """Forget the last packet: NAME was asked, and whatever comes next is no repetition."""
        self._last = b""

    def is_one(self, packet: Packet, raw: str | bytes, setting: Setting, *, answering: bool) -> bool:
        """Tell whether this is the last packet once more; ``answering``: its answer is still being made."""
        self._times = self._times + 1 if raw == self._last else 1
        self._last = raw
        if self._times == 1 or packet.info is None:
            return False
        if answering or not packet.needs_reply:
            return True
        if packet.kind in TALK_REQUESTS:  # talks count down, so two of them are never alike
            return packet.info.remain_count is not None
        rounds = {Request.VOTE: setting.vote.max_count, Request.ATTACK: setting.attack_vote.max_count}
        return self._times > rounds.get(Request(packet.request), 1)


def is_of_other_game(packet: Packet, game_id: str, *, started: bool) -> bool:
    """Tell whether this packet belongs to another game than ``game_id``, which is being played, or comes before any has
    begun.

    A classic server tells no game ids, so what it sends between two games looks like the one that is over.
    """
    if not started:
        return packet.kind not in _BEGINNINGS and packet.info is not None
    theirs = packet.info.game_id if packet.info else ""
    return bool(game_id and theirs and game_id != theirs)


def plain_answer(packet: Packet) -> str:
    """The plainest legal answer to a packet, for which nothing but the packet is needed. Never raises.

    For a talk Skip where skips are left, so that the seat stays in the talk, else Over; for a target the first living
    player other than the one asked; empty when the packet names none.
    """
    info = packet.info
    if packet.kind in TALK_REQUESTS:
        return SKIP if info is not None and (info.remain_skip or 0) > 0 else OVER
    if info is None:
        return ""
    others = [name for name in info.alive if name != info.agent]
    return next((name for name in others if name not in info.role_map), "") or next(iter(others), "")


def first_answer(packet: Packet) -> str:
    """A legal answer for which nothing has been loaded yet: as :func:`plain_answer`, but a greeting in place of Over.

    By the script of names and profile the greeting is Japanese, Chinese or English.
    """
    answer = plain_answer(packet)
    if answer != OVER or packet.info is None:
        return answer
    known = "".join([*packet.info.status_map, packet.info.profile or ""])
    if any("\u3040" <= sign <= "\u30ff" for sign in known):
        return "こんにちは。"
    return "大家好。" if any("\u4e00" <= sign <= "\u9fff" for sign in known) else "Hello everyone."


# --- When a seat's model falls silent and when it speaks again -------------------------------------------------------


_AGAIN = 10
"""Every so many answers without the model it is said once more."""
_LONGEST_CAUSE = 200
"""Characters of a cause that are told; the journal has all of it."""


class ModelSilence:
    """Tells when a seat's model falls silent and when it speaks again: once, not for each talk."""

    def __init__(self) -> None:
        self._misses = 0
        self._kind = ""

    def of(self, decision: Decision) -> str:
        """Say what is news of the model after ``decision`` went out, ``""`` when nothing is."""
        if decision.how in (How.LLM, How.RETRY):
            missed, self._misses, self._kind = self._misses, 0, ""
            return f"the model answers again, after {missed} without it" if missed else ""
        if decision.how is not How.FALLBACK:
            return ""
        self._misses += 1
        kind, before = decision.unanswered.partition(":")[0], self._kind
        self._kind = kind
        if self._misses > 1 and kind == before and self._misses % _AGAIN:
            return ""
        cause = decision.unanswered or "none came"
        cause = cause if len(cause) <= _LONGEST_CAUSE else cause[: _LONGEST_CAUSE - 1] + "…"
        row = f", {self._misses} in a row" if self._misses > 1 else ""
        return f"no answer of the model{row} ({cause}); {_what_goes_out(decision)}"


def _what_goes_out(decision: Decision) -> str:
    if decision.request not in TALK_REQUESTS:
        return "the seat's own choice goes out"
    if decision.text == SKIP:
        return "the seat has no words of its own, says Skip and stays in the talk"
    return "the seat has no words of its own and says Over" if decision.text == OVER else "the seat's own words go out"


# --- One connection to the game server -------------------------------------------------------------------------------


logger = logging.getLogger(__name__)

_CHATS = {TALKING: Request.TALK, WHISPERING: Request.WHISPER}
_USUAL_TALKS = 4
"""Talks of a phase whose limit nobody told."""
_USUAL_DURATION = 600_000
"""Milliseconds of a phase whose duration nobody told."""
_PHASE_END = "_PHASE_END"
"""What both requests that end a phase have in their names."""
AFTER_CRASH = 1.0
"""Seconds of silence after a talk that failed within our own code."""
_NAME_TIMEOUT = 30.0


@dataclass(slots=True, eq=False)
class _PendingRequest:
    """A request that may still be answered: the right to send for it.

    Attributes:
        request: what was asked for.
        last: nothing is sent after this moment.
        frames: how many frames may be sent: one, or the talks left in a phase of group chat.
        phase_no: the phase of group chat, 0 for a request in turn.
        certain: whether it was asked for; False where that is only likely, of a frame that could not be read.
        task: what makes the answer.
    """

    request: str
    last: Deadline
    frames: int = 1
    phase_no: int = 0
    certain: bool = True
    task: asyncio.Task[None] | None = None


class Session:
    """Plays one game on one connection; :meth:`play` does all of it.

    Args:
        url: the server's address. It may carry a token (``?token=...``), so no message and no log shows more of it than
            what stands before the question mark.
        name: the connection name that NAME is answered with (``<team><number>``).
        player: who sits behind the connection.
        log: the journal.
        clock: tells the arrival of frames and the time left; seconds on a monotonic scale.
        entry: lets the seats of this process in one at a time.
        token: sent with the WebSocket handshake, if there is one.
        pace: the rhythm in a group chat.
        on_status: hears what a user may want to know.
        connect: opens the connection; ``None``: a WebSocket to ``url``.
    """

    def __init__(
        self,
        url: str,
        name: str,
        player: Player,
        log: JournalWriter,
        *,
        clock: Clock,
        entry: EntryLock,
        token: str = "",
        pace: Pace | None = None,
        on_status: Callable[[str], None] = lambda _: None,
        connect: Callable[[], Awaitable[Connection]] | None = None,
    ) -> None:
        self._url, self._name, self._token = url, name, token
        self._connect = connect or self._connect_to_url
        # An address may carry the token (?token=...): no message and no log shows more than this.
        self._place = shown_url(url)
        self._player, self._log, self._clock = player, log, clock
        self._entry, self._on_status = entry, on_status
        self._pace = pace or Pace()
        self._pending: _PendingRequest | None = None
        self._phase_no = 0
        self._finished = self.named = False
        """Whether NAME was answered: from then on a game may be running, told or not."""
        self.begun = asyncio.Event()
        """Set by the first packet of the game."""
        self._repeats, self._model_news = RepeatDetector(), ModelSilence()
        self._said_over = False
        """Whether the last answer was Over: nobody is asked for more talk on that day."""

    @property
    def started(self) -> bool:
        """Whether a packet of the game has come."""
        return self.begun.is_set()

    async def _connect_to_url(self) -> Connection:
        return WebSocketConnection(await connect_to(self._url, self._token))

    async def play(self) -> GameOutcome:
        """Connect, wait for the game, play it to its end.

        Raises SessionError when nothing can be reached or the connection was lost before FINISH.
        """
        connection: Connection | None = None
        try:
            async with self._entry.entering(), asyncio.timeout(_NAME_TIMEOUT):
                connection = await self._connect()
                frames = connection.frames = connection.frames or FrameReader(
                    connection, self._clock, self._entry.asked
                )
                self.named = connection.named
                while not self.named:
                    await self._handle(connection, await frames.next())
            await self._wait_until_ready(connection, frames)
            while not self._finished:
                frame = await frames.next()
                if connection.waits_for_late:
                    await self._entry.in_turn(frames)
                await self._handle(connection, frame)
                self._let_others_go_on(connection)
        except ConnectionLostError as end:
            if end.again or (end.done and not self.started):
                return GameOutcome(self.started, finished=False, more=end.again)
            if end.between:
                raise SessionError(f"{self._name}: {end.between} {self._place} closed the connection") from end
            raise explain_loss(
                self._place, self._name, self._player.state, named=self.named, started=self.started
            ) from end
        except TimeoutError as late:
            raise SessionError(f"{self._place} accepted the connection but asked for no name") from late
        finally:
            self._cancel_pending("the session ended")
            self._player.leave()
            if connection is not None:
                self._let_others_go_on(connection)
                await connection.leave(finished=self._finished)
        return GameOutcome(self.started, self._finished)

    def _let_others_go_on(self, connection: Connection) -> None:
        """Let others go on where this seat owes no answer any more."""
        if connection.frames is not None and (self._pending is None or self._pending.phase_no):
            self._entry.asked.discard(connection.frames)

    # --- before all is ready for a game ------------------------------------------------------------------------

    async def _wait_until_ready(self, connection: Connection, frames: FrameReader) -> None:
        """Answer NAME, and whatever cannot wait, while what a game needs is still made ready; then take in what came.

        Raises what :meth:`EntryLock.ready` does.
        """
        ready = asyncio.ensure_future(self._entry.ready())
        early: list[tuple[Frame, Packet]] = []
        try:
            while not self._entry.is_ready:
                coming = asyncio.ensure_future(frames.next())
                try:
                    await asyncio.wait({ready, coming}, return_when=asyncio.FIRST_COMPLETED)
                    if coming.done():
                        await self._handle_early(connection, coming.result(), early)
                finally:
                    coming.cancel()
            await ready
        finally:
            ready.cancel()
        pending, self._pending = self._pending, None
        if pending is not None and pending.task is not None:
            pending.task.cancel()  # quietly: the request is answered below, by the deadline it has
        for frame, packet in early:
            answer = pending is not None and packet is early[-1][1]
            await self._take_in(connection, frame, packet, answer=answer)

    async def _handle_early(self, connection: Connection, frame: Frame, early: list[tuple[Frame, Packet]]) -> None:
        packet = self._read(connection, frame)
        if packet is None:
            return
        if packet.kind is Request.NAME:
            await self._answer_name(connection, packet)
            return
        early.append((frame, packet))
        self._entry.begun = self._entry.begun or (packet if packet.info is not None else None)
        self._cancel_pending(f"{packet.request} came first")
        if packet.needs_reply:
            settings = [one.setting for _, one in early if one.setting is not None]
            action = (settings[-1] if settings else self._player.state.setting).timeout.action
            last = self._player.timing.last_moment(frame.arrived, action)
            # Half of the time, not all: threads that make the game ready may hold up the event loop, and this answer
            # needs no thought.
            until = last.capped(last.total / 2)
            self._pending = pending = _PendingRequest(packet.request, last)
            pending.task = asyncio.create_task(self._answer_unprepared(connection, packet, pending, until))

    async def _answer_unprepared(
        self, connection: Connection, packet: Packet, pending: _PendingRequest, until: Deadline
    ) -> None:
        """Wait ``until`` then, and answer with what needs no language pack."""
        await asyncio.sleep(until.remaining)
        day = packet.info.day if packet.info is not None else 0
        decision = Decision(packet.request, day, first_answer(packet), How.RESCUE, given_up=True)
        decision.problems.append("what a game needs was still being made ready")
        logger.warning("%s: %s was answered plainly: not all was ready for the game", self._name, packet.request)
        await self._send(connection, pending, decision, pending.last)

    # --- receiving ---------------------------------------------------------------------------------------------

    async def _handle(self, connection: Connection, frame: Frame) -> None:
        packet = self._read(connection, frame)
        if packet is None:
            self._expect_likely(connection, frame, self._player.state.next_request)
        elif packet.kind is Request.NAME:
            await self._answer_name(connection, packet)
        elif ONLY_NAMED in packet.problems and packet.needs_reply:
            self._expect_likely(connection, frame, packet.kind)
        else:
            await self._take_in(connection, frame, packet)

    def _read(self, connection: Connection, frame: Frame) -> Packet | None:
        """The frame as a packet; ``None`` for what is none, which is noted."""
        try:
            return connection.read(frame.raw)
        except Exception as error:
            if not isinstance(error, ProtocolError):  # our own code failed: a frame must not cost a game all the same
                self._crashed("reading a frame")
            text = _decoded(frame.raw)
            self._log.write("problem", {"what": str(error), "raw": text[:2000]})
            logger.warning("%s: survived a frame that is no packet: %s", self._name, error)
            if self._pending is not None and self._pending.phase_no and _PHASE_END in text:
                self._cancel_pending("the phase is over, by a packet that was damaged")
            return None

    def _expect_likely(self, connection: Connection, frame: Frame, likely: Request | None) -> None:
        """Be ready to answer the request that is ``likely`` to stand in a frame that could not be read.

        The answer goes out only when a model would be given up (``deadline.fallback``), and only if no other packet has
        come by then: a server that waits for an answer sends nothing else. An answer for which it does not wait would
        be taken for the answer to its next request.
        """
        state = self._player.state
        if not self.started or self._pending is not None or likely is None:
            return
        if self._said_over and likely == state.last_request:
            return
        last = self._player.timing.last_moment(frame.arrived, state.setting.timeout.action)
        until = self._player.timing.thinking(last, state.setting.timeout.action).until
        self._pending = pending = _PendingRequest(likely, last, certain=False)
        packet = Packet(request=likely, problems=("taken for it: the frame was unreadable, and silence followed",))
        pending.task = asyncio.create_task(self._answer_likely(connection, packet, pending, until))

    async def _answer_likely(
        self, connection: Connection, packet: Packet, pending: _PendingRequest, until: Deadline
    ) -> None:
        await asyncio.sleep(until.remaining)
        logger.warning("%s: silence after an unreadable frame; taken for %s", self._where(), packet.request)
        self._player.hear(packet)
        self._log.write("packet", {"raw": packet.to_json(), "problems": packet.problems})
        await self._answer(connection, packet, pending)

    async def _answer_name(self, connection: Connection, packet: Packet) -> None:
        """Tell the name, at once, whatever else is going on: where a game runs, the server has given up waiting."""
        if self._pending is not None and not self._pending.phase_no:
            self._cancel_pending("NAME was asked: the server has given up waiting")
        self._repeats.forget()
        first, self.named = not self.named, True
        await connection.send(self._name, packet.request)
        self._log.write("name", {"sent": self._name})
        if first:
            self._on_status(f"{self._name}: waiting for the game at {self._place}")

    async def _take_in(self, connection: Connection, frame: Frame, packet: Packet, *, answer: bool = True) -> None:
        """Let the player hear a packet and, if it asks for something, begin to ``answer`` it."""
        state, answering = self._player.state, self._pending is not None
        if self._repeats.is_one(packet, frame.raw, state.setting, answering=answering):
            self._note(packet, frame.raw, "the same packet again; answered once")
        elif is_of_other_game(packet, state.game_id, started=self.started):
            await self._answer_strange(connection, packet, frame.raw)
        else:
            self._hear(packet, connection.told(frame.raw, packet))
            self._follow_phase(connection, frame.arrived)
            if packet.needs_reply and answer:
                self._begin(connection, packet, frame.arrived)
            self._finished = packet.kind is Request.FINISH

    async def _answer_strange(self, connection: Connection, packet: Packet, raw: str | bytes) -> None:
        """Learn nothing from another game's packet; if it asks, say what is legal there."""
        if not packet.needs_reply:
            self._note(packet, raw, "of no game that is being played; not heeded")
            return
        self._cancel_pending(f"{packet.request} of another game came first")
        answer = plain_answer(packet)
        await connection.send(answer, packet.request)
        self._note(packet, raw, "of no game that is being played; answered, not heeded", sent=answer)

    def _note(self, packet: Packet, raw: str | bytes, problem: str, **more: str) -> None:
        self._log.write("problem", {"what": f"{packet.request}: {problem}", "raw": _decoded(raw)[:2000], **more})
        logger.warning("%s: survived %s: %s", self._where(), packet.request, problem)

    def _hear(self, packet: Packet, told: str) -> None:
        # What is broadcast may come while an answer is being made, and does not end its request.
        if packet.kind not in BROADCASTS and not (self._pending and self._pending.phase_no):
            self._cancel_pending(f"{packet.request} came first")
        try:
            self._player.hear(packet)
        except Exception:
            self._crashed(f"reading {packet.request}")
        if not self.started and packet.info is not None:
            self.begun.set()
            self._on_status(f"{self._name}: plays {self._player.state.me} ({self._player.state.role})")
            if warning := self._entry.warning(self._player.state.setting.timeout.action):
                self._on_status(AlertMessage(f"{self._name}: {warning}"))
        problems = [*packet.problems, *(["an unknown request; not answered"] if packet.kind is None else [])]
        self._log.write("packet", {"raw": told, **({"problems": problems} if problems else {})})
        for problem in problems:
            logger.warning("%s: survived in %s: %s", self._where(), packet.request, problem)

    # --- answering ---------------------------------------------------------------------------------------------

    def _begin(self, connection: Connection, packet: Packet, arrived: Arrival) -> None:
        self._cancel_pending(f"{packet.request} came first")
        action = self._player.state.setting.timeout.action
        pending = _PendingRequest(packet.request, self._player.timing.last_moment(arrived, action))
        self._pending = pending
        pending.task = asyncio.create_task(self._answer(connection, packet, pending))

    async def _answer(self, connection: Connection, packet: Packet, pending: _PendingRequest) -> None:
        try:
            decision = await self._player.answer(packet, pending.last)
        except Exception:  # against the player's promise
            self._crashed(f"answering {packet.request}")
            decision = Decision(packet.request, self._player.state.day, plain_answer(packet), How.RESCUE)
        await self._send(connection, pending, decision, pending.last)

    async def _send(
        self, connection: Connection, pending: _PendingRequest, decision: Decision, deadline: Deadline
    ) -> None:
        """Send an answer, if its request is still pending and the true time is not past its last moment.

        Every decision of the seat goes out here. ``deadline`` only tells how long this one took. In a group chat it
        counts from the talk's beginning, and ``pending.last`` from that of the phase; both end together.
        """
        if not pending.last.passed:
            # What has arrived by now, such as NAME, may have taken the request back: it is taken in first.
            for _ in range(_STEPS_TO_TAKE_IN):
                await asyncio.sleep(0)
        if self._pending is not pending or pending.frames < 1:
            return
        pending.frames -= 1
        if not pending.phase_no:
            self._pending = None
            self._let_others_go_on(connection)
        if late := pending.last.passed:
            fate = "sent all the same" if connection.waits_for_late else "not sent"
            logger.warning("%s: the answer to %s was ready too late and %s", self._where(), pending.request, fate)
        if late and not connection.waits_for_late:
            self._player.dropped(decision, pending.request, "too late to be sent", pending.last)
            return
        try:
            await connection.send(decision.text, pending.request)
        except ConnectionLostError:
            self._player.dropped(decision, pending.request, "the connection was lost", pending.last)
        else:
            self._said_over = decision.text == OVER
            self._player.delivered(decision, deadline)
            if news := self._model_news.of(decision):
                logger.warning("%s: %s", self._where(), news)
            logger.info("%s: %s -> %s", self._where(), pending.request, decision.text)

    # --- group chat --------------------------------------------------------------------------------------------

    def _follow_phase(self, connection: Connection, arrived: Arrival) -> None:
        """Hold a pending request while a phase of group chat runs, and not a moment longer."""
        state = self._player.state
        running = state.phase_no if state.phase else 0
        if self._pending is not None and self._pending.phase_no not in (0, running):
            self._cancel_pending("the phase is over")
        if not running or running == self._phase_no:
            return
        self._phase_no = running
        duration = (state.phase_setting.duration or _USUAL_DURATION) / 1000.0
        pace = self._pace.fitted(duration)
        closes = arrived.deadline(duration - pace.margin)
        left = state.phase_left
        self._pending = _PendingRequest(_CHATS[state.phase], closes, _USUAL_TALKS if left is None else left, running)
        try:
            chat = self._player.join(_CHATS[state.phase], closes, pace)
        except Exception:
            self._crashed(f"joining the phase of {self._pending.request}")
            return
        self._pending.task = asyncio.create_task(self._chat(connection, chat, self._pending))

    async def _chat(self, connection: Connection, chat: PhaseTalks, pending: _PendingRequest) -> None:
        """Say one thing after another until its talks are used up, its time has passed, or nothing is left to say."""
        with suppress(TimeoutError):
            async with asyncio.timeout(pending.last.remaining):
                while pending.frames and not self._player.state.phase_over:
                    try:
                        decision, deadline = await chat.next(pending.frames)
                    except Exception:
                        self._crashed(f"talking in {pending.request}")
                        pending.frames -= 1
                        await asyncio.sleep(AFTER_CRASH)
                        continue
                    await self._send(connection, pending, decision, deadline)
                    if decision.text == OVER:
                        return

    def _crashed(self, doing: str) -> None:
        self._player.stats.crashes += 1
        self._log.write("crash", {"doing": doing, "traceback": traceback.format_exc()})
        logger.exception("%s: the player failed while %s; the game goes on", self._where(), doing)

    def _cancel_pending(self, why: str) -> None:
        """End the pending request, if any; what its task still makes is never sent."""
        pending, self._pending = self._pending, None
        if pending is not None:
            if pending.task is not None:
                pending.task.cancel()
            if pending.phase_no or not pending.certain:
                return  # nobody waits: what was still being thought is simply not said
            self._player.dropped(None, pending.request, why, pending.last)
            logger.warning("%s: no answer to %s was sent: %s", self._where(), pending.request, why)

    def _where(self) -> str:
        """Game, seat and day, for log lines."""
        state = self._player.state
        return f"{state.game_id or 'no game yet'} {self._name} {state.me} day {state.day}"


def _decoded(raw: str | bytes) -> str:
    return raw if isinstance(raw, str) else raw.decode("utf-8", "replace")
