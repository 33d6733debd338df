"""Playing game after game under one name: reconnecting with growing pauses, and leaving when asked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from random import Random

from nlp_agent.errors import RetryMessage, SessionError
from nlp_agent.net.session import GameOutcome, Session
from nlp_agent.net.stop import Stop

FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""Seconds before the second attempt and before any; doubled each time, with jitter, never a busy loop."""
LEAVES_AFTER = 5.0
"""Seconds of silence after which a seat that was asked to leave takes the waiting room for one.

Where a game begins, the server tells all its seats within moments; one that hangs up then ends it for everybody."""


async def play_games(
    new_session: Callable[[], Session],
    *,
    games: int | None,
    stop: Stop,
    on_status: Callable[[str], None],
    jitter: Random,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    patient: bool = True,
) -> int:
    """Play ``games`` games (``None``: until told to stop, or the server has no more) and return how many were finished.

    With ``games`` of 1, or without being ``patient``, the first SessionError is raised; otherwise it is told through
    ``on_status`` and the next attempt follows after a back-off, unless trying again makes no sense.
    """
    finished, wait = 0, FIRST_WAIT
    while not stop.soon.is_set() and (games is None or finished < games):
        session = new_session()
        try:
            outcome = await _until_stopped(session, stop, sleep)
            if outcome is None or not (outcome.finished or outcome.more):
                break
            finished, wait = finished + outcome.finished, FIRST_WAIT
            continue
        except SessionError as error:
            if games == 1 or not patient or not error.transient:
                raise
            pause = wait * jitter.uniform(0.5, 1.5)
            on_status(RetryMessage(f"{error} -- trying again in {pause:.0f} s", str(error)))
            wait = FIRST_WAIT if session.started else min(LONGEST_WAIT, wait * 2)
        await _until_first(stop.soon.wait(), sleep(pause))
    return finished


async def _until_stopped(session: Session, stop: Stop, sleep: Callable[[float], Awaitable[None]]) -> GameOutcome | None:
    """How the game ended, ``None``: it was left. One stop leaves where no game can be running, two leave any."""
    playing = asyncio.create_task(session.play())
    try:
        with stop.minding(lambda: session.started):
            await _until_first(playing, stop.soon.wait())
            if session.named and not session.started:
                await _until_first(playing, session.begun.wait(), stop.now.wait(), sleep(LEAVES_AFTER))
            if session.started:
                await _until_first(playing, stop.now.wait())
        return playing.result() if playing.done() else None
    finally:
        playing.cancel()
        with suppress(asyncio.CancelledError, SessionError):
            await playing


async def _until_first(*waits: Awaitable[object]) -> None:
    """Wait until one of ``waits`` has ended; those that are no tasks are given up then."""
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task, wait in zip(tasks, waits, strict=True):
            if task is not wait:
                task.cancel()
