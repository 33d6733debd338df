"""The checks before a match: each looks at one thing and says what to do when it is not in order."""

from __future__ import annotations

import asyncio
import os
import ssl
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from nlp_agent.cli.common import one_config
from nlp_agent.config import Config
from nlp_agent.deadline import Deadline
from nlp_agent.errors import ConfigError, LlmError, PackError
from nlp_agent.llm.model import Ask, Message, Model

SERVER_SECONDS = 5.0
MODEL_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Finding:
    """``text`` says what was looked at and, when not ``ok``, what to do."""

    ok: bool
    text: str


def check_config(file: Path | None) -> tuple[Finding, Config | None]:
    """Whether the file can be read; the config when it can."""
    try:
        config = one_config(file)
    except ConfigError as error:
        return Finding(False, f"config: {_one_line(error)}"), None
    seats = f"{config.agent.num} seat{'s' if config.agent.num > 1 else ''} of team {config.agent.team}"
    team = config.agent.team
    if team[-1].isdigit():
        bare = team.rstrip("0123456789")
        advice = f"the server would read {team}1 as team {bare!r}: choose a team name that ends in a letter"
        return Finding(False, f"config: agent.team ends in a digit, and {advice}"), config
    return Finding(True, f"config: {config.source or 'none found, defaults'}, {seats}"), config


def check_packs(config: Config) -> list[Finding]:
    """Every template of the pack in use, for every role and phase; of all shipped packs with ``auto``."""
    from nlp_agent.prompting.pack import shipped_packs

    names = list(shipped_packs()) if config.pack == "auto" else [config.pack]
    return [_check_pack(name) for name in names]


def _check_pack(name: str) -> Finding:
    from nlp_agent.prompting.check import check_pack
    from nlp_agent.prompting.pack import load_pack

    try:
        faults = check_pack(load_pack(name))
    except PackError as error:
        faults = [error]
    if not faults:
        return Finding(True, f"prompts: pack {name}, every template renders for every role")
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    return Finding(False, f"prompts: {_one_line(faults[0])}{more}")


def check_records(config: Config) -> Finding:
    """Whether the folder for the records can be written to. It is not created."""
    folder = config.records.dir
    place = next((path for path in (folder, *folder.absolute().parents) if path.exists()), Path("/"))
    try:
        with tempfile.TemporaryFile(dir=place):
            pass
    except OSError as error:
        return Finding(False, f"records: cannot write to {folder} ({error.strerror}); set records.dir or --out")
    return Finding(True, f"records: go to {folder}")


# --- the model ------------------------------------------------------------------------------------------


async def check_model(config: Config) -> Finding:
    """Whether the endpoint answers a talk and a choice between names."""
    if not config.llm.enabled:
        return Finding(True, "model: none is set (llm.base_url, llm.model), so the LLM-free player plays")
    where = f"{config.llm.model} at {config.llm.base_url}"
    from nlp_agent.wiring import build_model

    try:
        model = build_model(config)
    except ConfigError as error:
        return Finding(False, f"model: {_one_line(error)}")
    if model is None:
        return Finding(False, f"model: {where} was not set up")
    try:
        return await probe(model, where)
    finally:
        await model.aclose()


async def probe(model: Model, where: str) -> Finding:
    """Ask for a sentence, then for a name out of two."""
    started = time.monotonic()
    try:
        talk = Ask((Message("user", "Say good morning to the village in one short sentence."),), "TALK")
        await model.ask(talk, Deadline.after(MODEL_SECONDS))
        spent = time.monotonic() - started
        names = ("Alice", "Bob")
        question = Message("user", "Whom do you vote for, Alice or Bob? Answer with one name.")
        answer = await model.ask(Ask((question,), "VOTE", choices=names), Deadline.after(MODEL_SECONDS))
    except LlmError as error:
        return Finding(False, f"model: {_one_line(error)}")
    chosen = "" if answer.text.strip() in names else f"; asked for a name it said {answer.text[:40]!r}"
    notes = f"; {', '.join(answer.notes)}" if answer.notes else ""
    return Finding(True, f"model: {where} answers, a sentence took {spent:.1f} s{chosen}{notes}")


# --- the server -----------------------------------------------------------------------------------------


async def check_server(config: Config) -> Finding:
    """Whether something speaks HTTP at the server's address.

    A plain request without the upgrade to a WebSocket: it takes no seat and leaves nothing in the waiting
    room, where a dead connection would ruin somebody's game.
    """
    url = config.web_socket.url
    try:
        async with asyncio.timeout(SERVER_SECONDS):
            status = await _status(urlsplit(url))
    except TimeoutError:
        return Finding(False, f"server: no answer from {url} in {SERVER_SECONDS:.0f} s; is the address right?")
    except ssl.SSLError as error:
        return Finding(False, f"server: no secure connection to {url} ({error.reason}); ws:// instead of wss://?")
    except OSError as error:
        why = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror or "no connection"
        return Finding(False, f"server: nothing listens at {url} ({why}); start it or mend web_socket.url")
    return _judge_status(url, status)


def _judge_status(url: str, status: int | None) -> Finding:
    """A WebSocket server refuses a plain request (400, 426), which is just what shows that it is one."""
    if status == 404:
        return Finding(False, f"server: {url} answers, but not at this path; it usually ends in /ws")
    if status in (401, 403):
        return Finding(False, f"server: {url} refuses us (HTTP {status}); is web_socket.token right?")
    if status is None or status >= 500:
        what = f"HTTP {status}" if status else "no HTTP"
        return Finding(False, f"server: {url} answers with {what}; is it the game server?")
    return Finding(True, f"server: {url} is there")


async def _status(url: SplitResult) -> int | None:
    """The HTTP status of a plain GET; ``None`` when the answer is not HTTP."""
    secure = url.scheme == "wss"
    port = url.port or (443 if secure else 80)
    host = url.hostname or ""
    reader, writer = await asyncio.open_connection(host, port, ssl=ssl.create_default_context() if secure else None)
    try:
        # The query may hold the token; the question does not need it.
        path = url.path or "/"
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {url.netloc}\r\nConnection: close\r\n\r\n".encode())
        await writer.drain()
        first = (await reader.readline()).split()
    except (ConnectionError, ValueError):
        return None
    finally:
        writer.close()
    if len(first) < 2 or not first[0].startswith(b"HTTP/") or not first[1].isdigit():
        return None
    return int(first[1])


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
