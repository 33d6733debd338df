"""``make bench``: what our own code costs, measured on this machine and printed with the targets beside it.

Everything runs on loopback against the shipped endpoint, in a process of its own, which thinks for 20 ms (any model
takes longer) or answers at once: these are figures of our own overhead, not of any model's speed. Times of one run are
compared with each other only.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from nlp_agent.app.wiring import PlayOptions, play_games
from nlp_agent.app.wiring.models import endpoint_configs
from nlp_agent.arena.cast import load_cast
from nlp_agent.arena.local import play_without_sockets
from nlp_agent.arena.server import Table
from nlp_agent.arena.village import contest_village
from nlp_agent.deadline import Deadline
from nlp_agent.lab.loopback import Loopback
from nlp_agent.llm.dialect import Dialect, build_request
from nlp_agent.llm.model import Ask, Message
from nlp_agent.net import Stop
from nlp_agent.prompting import load_pack
from nlp_agent.protocol import Packet
from nlp_agent.seat import Seat, Timing

CONFIG = """
web_socket: {{url: "{url}"}}
agent: {{num: {num}, team: bench}}
language: en
llm: {{base_url: "{llm}", model: loopback, complete_character: {background}, read_talks: {background}}}
records: {{dir: "{records}"}}
log: {{console_output: false}}
"""
GAMES_WITHOUT_SOCKETS = 60
BARE_CALLS = 60
THINKING = 0.02
"""Seconds before an endpoint's first word: less than of any model, more than what is done meanwhile takes."""


def main() -> int:
    """Print the table of figures."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command does
    with tempfile.TemporaryDirectory() as folder:
        print("measure                                                    figure        target")
        for players in (5, 13):
            for thinking in (THINKING, 0.0):
                asyncio.run(overhead(players, thinking, Path(folder)))
        asyncio.run(start_and_memory(Path(folder)))
        games_per_second()
    return 0


def show(what: str, figure: str, target: str) -> None:
    print(f"{what:<58} {figure:<13} {target}", flush=True)


# --- packet to reply -------------------------------------------------------------------------------------------


async def overhead(players: int, thinking: float, folder: Path) -> None:
    """Packet to talk in whole games with an endpoint, minus a bare client's calls with the messages of such talks."""
    async with _endpoint(thinking) as url:
        config = _config(folder, url, "ws://127.0.0.1:1/ws", players)
        records = folder / f"{players}-{thinking}"
        options = PlayOptions(config, players, "en", 1, 2, records)
        await play_games(options, lambda _: None, lambda _: None, Stop())
        talks = _talks(records)
        bare = await _bare_calls(config, talks)
    ours = statistics.median(talk["ms"] for talk in talks)
    if thinking:
        show(f"{players} seats: packet to reply with a talk, median", f"{ours:.2f} ms", "")
        show(f"{players} seats: a bare openai call to the same endpoint, median", f"{bare:.2f} ms", "")
        show(f"{players} seats: beyond the bare call", f"{ours - bare:.2f} ms", "<= 3 ms")
    else:
        show(f"{players} seats: beyond it where the endpoint answers at once", f"{ours - bare:.2f} ms", "")


@asynccontextmanager
async def _endpoint(thinking: float = 0.0) -> AsyncIterator[str]:
    """The shipped endpoint in a process of its own; its ``base_url``."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "nlp_agent.lab.loopback", "--port", "0", "--wait", str(thinking)),
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        told = (await process.stdout.readline()).decode().split()
        yield next(word for word in told if word.startswith("http"))
    finally:
        process.terminate()
        await process.wait()


def _talks(records: Path) -> list[dict[str, Any]]:
    """The journals' rows of every talk that the endpoint made; ``ms`` from packet to reply."""
    rows = (json.loads(line) for file in records.rglob("*.jsonl") for line in file.open(encoding="utf-8"))
    return [row for row in rows if row.get("request") == "TALK" and row.get("how") == "llm"]


async def _bare_calls(config: Any, talks: list[dict[str, Any]]) -> float:
    """Milliseconds of one streamed call, median, with the very requests of talks of these games, all along them."""
    from openai import AsyncOpenAI  # noqa: PLC0415

    (endpoint,) = endpoint_configs(config)
    client: Any = AsyncOpenAI(base_url=endpoint.base_url, api_key="none", max_retries=0)
    spent = []
    for talk in talks[:: max(1, len(talks) // BARE_CALLS)]:
        ask = Ask((Message("system", talk["system"]), Message("user", talk["user"])), "TALK")
        request = build_request(endpoint, Dialect.of(endpoint), ask)
        started = time.perf_counter()
        async for _ in await client.chat.completions.create(**request):
            pass
        spent.append((time.perf_counter() - started) * 1000)
    await client.close()
    return statistics.median(spent)


# --- start-up and memory ---------------------------------------------------------------------------------------


async def start_and_memory(folder: Path) -> None:
    """A process of its own with 13 seats and an endpoint plays one game at our table."""
    async with Loopback() as endpoint, Table(contest_village(13, "en"), cast=load_cast("en"), seed=1) as table:
        file = folder / "bench.yml"
        file.write_text(_yaml(folder, endpoint.base_url, table.url, 13), encoding="utf-8")
        async with _process(file) as process:
            started = time.perf_counter()
            while not table.waiting:
                await asyncio.sleep(0.005)
            named = time.perf_counter() - started
            peak = asyncio.create_task(_peak_memory(process.pid))
            await table.next_match()
            peak.cancel()
            resident = await peak
        show("process start to first NAME reply", f"{named:.2f} s", "<= 1.5 s")
        show("resident memory, 13 seats with an endpoint, peak", f"{resident:.0f} MB", "<= 200 MB")


@asynccontextmanager
async def _process(config: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "nlp_agent", "run", "-c", str(config)),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        env={**os.environ, "OPENAI_API_KEY": "none"},
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def _peak_memory(pid: int) -> float:
    """Megabytes, the largest seen until cancelled."""
    import psutil  # noqa: PLC0415 - a development tool

    process, peak = psutil.Process(pid), 0.0
    try:
        while True:
            peak = max(peak, process.memory_info().rss / 1e6)
            await asyncio.sleep(0.02)
    except (asyncio.CancelledError, psutil.Error):
        return peak


# --- games without sockets -------------------------------------------------------------------------------------


def games_per_second() -> None:
    """LLM-free games of five in this process, engine, minds, lines and cleaning included."""
    village, cast, pack = contest_village(5, "en"), load_cast("en"), load_pack("en")
    started = time.process_time()
    for seed in range(GAMES_WITHOUT_SOCKETS):
        play_without_sockets(village, [_decider(pack, seed, seat) for seat in range(5)], seed, cast=cast)
    spent = time.process_time() - started
    show("LLM-free games of 5 without sockets, one core", f"{GAMES_WITHOUT_SOCKETS / spent:.0f} /s", ">= 20 /s")


class _Nowhere:
    def write(self, event: str, row: Any) -> None: ...


def _decider(pack: Any, seed: int, number: int) -> Any:
    """A seat as a plain function of packets; without a model its coroutine never waits for anything."""
    seat = Seat(choose_pack=lambda _: pack, model=None, timing=Timing(), seed=seed * 100 + number, record=_Nowhere())

    def decide(packet: Packet) -> str | None:
        seat.hear(packet)
        if not packet.needs_reply:
            return None
        last = Deadline.after(55.0)
        thought = seat.answer(packet, last)
        try:
            thought.send(None)
        except StopIteration as done:
            seat.delivered(done.value, last)
            return str(done.value.text)
        raise AssertionError("a seat without a model has nothing to wait for")

    return decide


# --- configurations --------------------------------------------------------------------------------------------


def _yaml(folder: Path, llm: str, url: str, num: int, *, background: bool = True) -> str:
    return CONFIG.format(url=url, num=num, llm=llm, records=folder / "records", background=str(background).lower())


def _config(folder: Path, llm: str, url: str, num: int) -> Any:
    from nlp_agent.app.config_file import load_config  # noqa: PLC0415

    file = folder / "play.yml"
    # Background requests belong to the seconds in which a real model thinks for somebody else.
    file.write_text(_yaml(folder, llm, url, num, background=False), encoding="utf-8")
    return load_config(file)


if __name__ == "__main__":
    sys.exit(main())
