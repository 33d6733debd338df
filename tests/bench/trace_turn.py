"""How much of our code one talk takes: ``python -m tests.bench.trace_turn [--players 5] [--seed 1] [--games 2]``.

One seat plays in this process as the command ``run`` lets it play: in the default style, over a real WebSocket, with a
model behind a real HTTP endpoint, and with a journal. The table, the endpoint and the other seats are in a process of
their own. For every TALK all calls of our own functions are noted, in every thread and task, from the frame that asks
to the frame that answers. Talks during which no model is asked are counted and left out. Medians over the others are
printed: calls, distinct functions, how many of these are comprehensions or generator expressions, which a reader meets
inside another function, their files, the lines of these files, and how often a call follows one of another room. That
counts most visits twice, there and back, and again for whoever is called in a loop; so it is also told how many calls
go into another room, and how many different ones these are, by caller and called: the jumps that a reader makes once
each. Properties and lambdas count as functions; methods that a dataclass generates stand in no file, and do not count.
``--where`` adds where the calls are, as medians too: by room, by way from one room to another, the functions called
most, and the calls into another room that are made most.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import CodeType, FrameType
from typing import Any
from unittest.mock import patch

from websockets.asyncio.client import ClientConnection

import nlp_agent
from nlp_agent.app.config_file import load_config
from nlp_agent.app.wiring.running import run_seats
from nlp_agent.app.wiring.team import Team
from nlp_agent.arena.cast import load_cast
from nlp_agent.arena.server import Table
from nlp_agent.arena.village import contest_village
from nlp_agent.llm.loopback import Loopback
from nlp_agent.net import Stop
from nlp_agent.records.journal import Journal
from nlp_agent.seat import Seat

ROOT = str(Path(nlp_agent.__file__).parent) + os.sep

SHOWN = 20
"""Rows of a table of ``--where``."""
COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
"""How the interpreter names what stands inside another function."""

CONFIG = """
web_socket: {{url: "{url}"}}
agent: {{num: {seats}, team: {team}}}
language: en
{llm}
records: {{dir: "{records}"}}
log: {{console_output: false}}
"""


class SeededTeam(Team):
    """A team that leaves nothing to chance, so that a game can be traced again."""

    def seat(self, name: str, seed: int | str, chance: str = "") -> tuple[Seat, Journal]:
        del seed
        return super().seat(name, 1, chance)


@dataclass
class Trace:
    """The calls of our own functions during one talk, in order; a coroutine that goes on is called again.

    ``callers``: of each call the nearest of our own functions that waits for it; ``None`` where the event loop calls.
    """

    codes: list[CodeType] = field(default_factory=list)
    callers: list[CodeType | None] = field(default_factory=list)

    @property
    def rooms(self) -> list[str]:
        return [_room(code) for code in self.codes]

    @property
    def names(self) -> list[str]:
        """The functions called: file and qualified name."""
        return [_name(code) for code in self.codes]

    @property
    def visits(self) -> list[str]:
        """Each call of a function by one of another room."""
        pairs = zip(self.callers, self.codes, strict=True)
        return [f"{_name(one)} -> {_name(other)}" for one, other in pairs if one and _room(one) != _room(other)]

    @property
    def ways(self) -> list[str]:
        """Each change of room."""
        return [f"{one} -> {other}" for one, other in pairwise(self.rooms) if one != other]

    @property
    def asked(self) -> bool:
        """Whether a model was asked."""
        return "llm" in self.rooms

    def counts(self) -> dict[str, int]:
        files = [code.co_filename for code in self.codes]
        return {
            "calls": len(files),
            "functions": len(set(self.codes)),
            "comprehensions among them": sum(code.co_name in COMPREHENSIONS for code in set(self.codes)),
            "files": len(set(files)),
            "lines of these files": sum(map(_lines, set(files))),
            "changes of room": len(self.ways),
            "calls into another room": len(self.visits),
            "different ones": len(set(self.visits)),
        }


@cache
def _room(code: CodeType) -> str:
    return code.co_filename.removeprefix(ROOT).partition(os.sep)[0]


@cache
def _name(code: CodeType) -> str:
    return f"{code.co_filename.removeprefix(ROOT)}: {code.co_qualname}"


@cache
def _lines(file: str) -> int:
    return len(Path(file).read_text(encoding="utf-8").splitlines())


class Tracer:
    """Notes the talks of the only connection of this process."""

    def __init__(self) -> None:
        self.traces: list[Trace] = []
        self._running: Trace | None = None

    @contextmanager
    def tracing(self) -> Iterator[None]:
        """Meanwhile every TALK is traced, in this thread and in those that begin meanwhile."""
        receive, send = ClientConnection.recv, ClientConnection.send

        async def recv(connection: ClientConnection, *arguments: Any, **options: Any) -> Any:
            frame = await receive(connection, *arguments, **options)
            if json.loads(frame).get("request") == "TALK":
                self._running = Trace()
            return frame

        async def answer(connection: ClientConnection, *arguments: Any, **options: Any) -> None:
            if self._running is not None:
                self.traces.append(self._running)
                self._running = None
            await send(connection, *arguments, **options)

        with patch.object(ClientConnection, "recv", recv), patch.object(ClientConnection, "send", answer):
            threading.setprofile(self._note)
            sys.setprofile(self._note)
            try:
                yield
            finally:
                sys.setprofile(None)
                threading.setprofile(None)

    def _note(self, frame: FrameType, event: str, _: Any) -> None:
        running = self._running
        if running is not None and event == "call" and frame.f_code.co_filename.startswith(ROOT):
            caller = frame.f_back
            while caller is not None and not caller.f_code.co_filename.startswith(ROOT):
                caller = caller.f_back
            running.codes.append(frame.f_code)
            running.callers.append(caller.f_code if caller else None)


async def traced_game(players: int, seed: int) -> list[Trace]:
    """A trace of every TALK of one seat's game."""
    tracer = Tracer()
    with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, {"OPENAI_API_KEY": "none"}):
        async with _village(players, seed) as (url, model):
            llm = f'llm: {{base_url: "{model}", model: loopback}}'
            with tracer.tracing():
                await _play(url, "traced", 1, llm, Path(folder))
    return tracer.traces


async def _play(url: str, team: str, seats: int, llm: str, folder: Path) -> None:
    file = folder / f"{team}.yml"
    text = CONFIG.format(url=url, team=team, seats=seats, llm=llm, records=(folder / "records").as_posix())
    file.write_text(text, encoding="utf-8")
    await run_seats([load_config(file)], lambda _: None, Stop(), SeededTeam)


@asynccontextmanager
async def _village(players: int, seed: int) -> AsyncIterator[tuple[str, str]]:
    """The addresses of the table and of the model's endpoint, in a process that ends with the game."""
    command = (sys.executable, "-m", "tests.bench.trace_turn", "--players", str(players), "--seed", str(seed), "--host")
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    try:
        assert process.stdout is not None
        url, model = (await process.stdout.readline()).decode().split()
        yield url, model
        await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def host(players: int, seed: int) -> None:
    """Print the addresses and play one game: the table, the endpoint, and all seats but one, which have no model."""
    table = Table(contest_village(players, "en"), cast=load_cast("en"), seed=seed)
    with tempfile.TemporaryDirectory() as folder:
        async with Loopback() as model, table:
            sys.stdout.write(f"{table.url} {model.base_url}\n")
            sys.stdout.flush()
            others = asyncio.create_task(_play(table.url, "other", players - 1, "", Path(folder)))
            await table.next_match()
            await others


def medians(traces: Sequence[Trace]) -> dict[str, float]:
    """Of each count, the median over ``traces``."""
    counted = [trace.counts() for trace in traces]
    return {key: statistics.median(counts[key] for counts in counted) for key in counted[0]}


def where(traces: Sequence[Trace]) -> Iterator[str]:
    """Yield the lines that tell where the calls of a talk are: the medians of ``traces``, the greatest first."""
    tables = {
        "calls by room": [trace.rooms for trace in traces],
        "changes of room": [trace.ways for trace in traces],
        "functions called most": [trace.names for trace in traces],
        "calls into another room": [trace.visits for trace in traces],
    }
    for title, found in tables.items():
        yield f"\n{title}"
        counted = [Counter(names) for names in found]
        middle = {name: statistics.median(one[name] for one in counted) for name in set().union(*counted)}
        for name in sorted(middle, key=lambda name: (-middle[name], name))[:SHOWN]:
            yield f"{middle[name]:8g} {name}"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.trace_turn", description=__doc__)
    parser.add_argument("--players", type=int, default=5, choices=(5, 9, 13))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--where", action="store_true", help="tell in which rooms and functions the calls are")
    parser.add_argument("--host", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.host:
        asyncio.run(host(options.players, options.seed))
        return 0
    traces: list[Trace] = []
    for game in range(options.games):
        traces += asyncio.run(traced_game(options.players, options.seed + game))
    asked = [trace for trace in traces if trace.asked]
    figures = ", ".join(f"{key} {value:,g}" for key, value in medians(asked).items())
    left_out = len(traces) - len(asked)
    sys.stdout.write(f"{len(asked)} talks with a model ({left_out} without left out), median of one: {figures}\n")
    if options.where:
        sys.stdout.writelines(f"{line}\n" for line in where(asked))
    return 0


if __name__ == "__main__":
    sys.exit(main())
