"""Which table a command wants, and how it is built."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from nlp_agent.app.wiring.casts import guests

if TYPE_CHECKING:
    from nlp_agent.arena.classic_rules import Habits
    from nlp_agent.arena.classic_server import ClassicTable
    from nlp_agent.arena.events import Event
    from nlp_agent.arena.server import Table


@dataclass(frozen=True, slots=True)
class TableOptions:
    """``lang`` is the pack of the characters, ``seed`` that of the first game; the next ones count up.

    ``games`` None: until stopped. ``duration`` (milliseconds) makes talks and whispers group chats. ``generation`` of
    the server the table is like, as :class:`nlp_agent.arena.village.Generation` names it. ``timeout``: milliseconds for
    an answer (None: the contest's). ``port`` 0: any that is free. ``classic``: the table is a classic TCP server with
    these habits. ``token``: what every guest must show.
    """

    players: int
    lang: str
    seed: int
    games: int | None
    out: Path
    duration: int | None = None
    generation: str = "current"
    timeout: int | None = None
    host: str = "127.0.0.1"
    port: int = 0
    classic: Habits | None = None
    token: str | None = field(default=None, repr=False)


def new_table(options: TableOptions, seed: int, on_event: Callable[[Event], None]) -> Table:
    """A table that speaks as the official server does; not open yet."""
    from nlp_agent.arena.lobby import Seating  # noqa: PLC0415 - seats at other tables need none
    from nlp_agent.arena.server import Table  # noqa: PLC0415
    from nlp_agent.arena.village import CONTEST_TIMEOUT, Generation, contest_village  # noqa: PLC0415

    invited = guests(options.lang)
    told = {} if options.timeout is None else {"action": options.timeout}
    return Table(
        contest_village(
            options.players,
            options.lang,
            length=invited.length,
            duration=options.duration,
            generation=Generation(options.generation),
            timeout=CONTEST_TIMEOUT.model_copy(update=told),
        ),
        cast=invited.cast,
        seed=seed,
        host=options.host,
        port=options.port,
        seating=Seating.ANY,
        tokens=options.token,
        on_event=lambda _, event: on_event(event),
        now_ms=one_clock(),
    )


def classic_table(options: TableOptions, on_event: Callable[[Event], None]) -> ClassicTable:
    """A table that speaks as the classic server does, for one set of games at a time; not open yet."""
    from nlp_agent.arena.classic_rules import classic_village  # noqa: PLC0415 - seats at other tables need none
    from nlp_agent.arena.classic_server import ClassicTable  # noqa: PLC0415

    assert options.classic is not None
    return ClassicTable(
        classic_village(options.players, options.classic, options.timeout),
        options.classic,
        seed=options.seed,
        games=options.games,
        host=options.host,
        port=options.port,
        on_event=lambda _, event: on_event(event),
        now_ms=one_clock(),
    )


def one_clock() -> Callable[[], int]:
    """Unix milliseconds by the clock of the loop: one for all that is waited for, by table and seats alike."""
    loop, unix = asyncio.get_running_loop(), time.time()
    born = loop.time()
    return lambda: int((unix + loop.time() - born) * 1000)
