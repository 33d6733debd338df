"""``run --watch``: own seats shown on a page while they play.

Rows of the journal go into a bounded queue that never waits; a thread sends them to a process of its own, which
serves the page. Whatever happens to that process, no seat notices, and it has no way to change anything.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from typing import IO, Any
from urllib.parse import urlsplit

from nlp_agent.app.config import Config
from nlp_agent.app.wiring.team import Team
from nlp_agent.errors import AlertMessage
from nlp_agent.llm.endpoint import EndpointModel
from nlp_agent.llm.failover import Failover
from nlp_agent.llm.local import LocalModel, child_environment
from nlp_agent.net import EntryLock
from nlp_agent.records.game_files import RecordFolders

CHILD_MODULE = "nlp_agent.app.wiring.monitor_child"
KEPT = 2_000
"""Rows that may wait to be taken away."""
_PERIOD = 0.1
"""Seconds between two goes of taking away."""
_HEALTH = 1.0
"""Seconds between two looks at the endpoints."""
_STOP_SECONDS = 2.0
_ASIDE = frozenset({"system", "user", "sheet"})
"""Prompts are long, and nobody reads them on a page that changes all the time; the journal has them."""

QueuedRow = tuple[float, str, str, Mapping[str, Any]]


class RowQueue:
    """A queue of what happened, as Unix time, seat, event and row; the oldest are lost where nobody takes them.
    :meth:`put` costs a seat about a microsecond.
    """

    def __init__(self) -> None:
        self._rows: deque[QueuedRow] = deque(maxlen=KEPT)
        self._put = self._taken = 0

    def put(self, seat: str, event: str, row: Mapping[str, Any]) -> None:
        """Put a row into the queue. Never waits and never fails."""
        self._put += 1
        self._rows.append((time.time(), seat, event, row))

    def take(self) -> tuple[list[QueuedRow], int]:
        """Take all rows since the last call, and count those that were lost in between; for one thread."""
        rows: list[QueuedRow] = []
        while self._rows:
            rows.append(self._rows.popleft())
        put, before = self._put, self._taken
        self._taken = put - len(self._rows)
        return rows, max(0, self._taken - before - len(rows))


class MonitorProcess:
    """A page for own seats, at ``port`` of this machine (0: any), for as long as the context is open.

    ``on_status`` is told the address and, should it come to that, that the page is gone; from another thread.
    """

    def __init__(self, port: int, on_status: Callable[[str], None], on_url: Callable[[str], None]) -> None:
        self.channel = RowQueue()
        self._models: list[Failover] = []
        self._port, self._on_status, self._on_url = port, on_status, on_url
        self.served = 0
        """The port of the page, once it is there."""
        self.looked = False
        """Whether anybody has looked at it; known when the context has ended."""
        self._over = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._work, daemon=True, name="watch")

    def __enter__(self) -> MonitorProcess:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join(_STOP_SECONDS)
        if self._process is not None and self._process.poll() is None:
            self._process.kill()  # it hangs, or its pipe is full
            self._process.wait()

    def heard(self, on_status: Callable[[str], None]) -> Callable[[str], None]:
        """Pass a status line on to ``on_status``; the page hears of :class:`~nlp_agent.errors.AlertMessage` as well, as
        it knows the rest.
        """

        def both(text: str) -> None:
            if isinstance(text, AlertMessage):
                self.channel.put("", "status", {"text": text})
            on_status(text)

        return both

    def stays(self) -> None:
        """Tell the page that the games are over, and that somebody else will serve their replays at the same
        address.
        """
        self.channel.put("", "stays", {})

    def team(self, config: Config, folders: RecordFolders, entry: EntryLock) -> Team:
        """A team whose seats are shown."""
        team = Team(config, folders, entry)
        team.on_row = self.channel.put
        if team.model is not None:
            self._models.append(team.model)
        return team

    # --- the thread --------------------------------------------------------------------------------------------

    def _work(self) -> None:
        try:
            self._serve()
        except (OSError, ValueError) as error:
            if not self._over.is_set():
                why = getattr(error, "strerror", None) or error or type(error).__name__
                self._on_status(f"the page of --watch is gone ({why}); the seats play on without it")

    def _serve(self) -> None:
        self._process = process = subprocess.Popen(
            [sys.executable, "-m", CHILD_MODULE, str(self._port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=child_environment(),
            # Ctrl-C is for the seats. Windows knows no sessions, others no groups of processes by this flag.
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        assert process.stdin is not None
        assert process.stdout is not None
        with process, process.stdin as pipe, process.stdout as answers:
            answer = json.loads(answers.readline() or b'{"error": "it ended without a word"}')
            if "url" not in answer:
                raise ValueError(answer["error"])
            self.served = urlsplit(str(answer["url"])).port or 0
            self._on_url(str(answer["url"]))
            self._take_away(pipe)
            pipe.close()  # it leaves when nobody can speak to it any more
            self.looked = bool(json.loads(answers.readline() or b"{}").get("looked"))
            process.wait(_STOP_SECONDS)

    def _take_away(self, pipe: IO[bytes]) -> None:
        looked = 0.0
        while True:
            last = self._over.wait(_PERIOD)
            lines = list(self._lines())
            if self._models and time.monotonic() - looked > _HEALTH:
                looked = time.monotonic()
                lines.append({"event": "health", "t": time.time(), "endpoints": list(self._endpoints())})
            if lines:
                pipe.write(b"".join(json.dumps(line, default=str).encode() + b"\n" for line in lines))
                pipe.flush()
            if last:
                return

    def _lines(self) -> Iterator[dict[str, Any]]:
        rows, lost = self.channel.take()
        for at, seat, event, row in rows:
            short = {key: value for key, value in row.items() if key not in _ASIDE}
            yield {"t": at, "seat": seat, "event": event, "row": short}
        if lost:
            yield {"t": time.time(), "event": "lost", "count": lost}

    def _endpoints(self) -> Iterator[dict[str, Any]]:
        for failover in self._models:
            for name, model in failover.models.items():
                if isinstance(model, EndpointModel | LocalModel):
                    yield endpoint_row(name, model, failover.breakers[name].resting(time.monotonic()))


def endpoint_row(name: str, model: EndpointModel | LocalModel, resting: float) -> dict[str, Any]:
    """The state of an endpoint as a page shows it: nothing of its key."""
    health = model.health
    config = model.config if isinstance(model, EndpointModel) else model.endpoint
    return {
        "name": name,
        "model": config.model if config is not None else "",
        "latencies": [round(spent, 3) for spent in health.seconds],
        "failures": dict(health.failures),
        "resting": round(resting, 1),
        "priced": config is not None and config.prices is not None,
        **asdict(health.usage),
    }
