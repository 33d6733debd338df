"""The checks before a match: each looks at one thing and says what to do when it is not in order.

Config, packs, strategy, records, models, the server's address; then the token, and a seat at the server, tried.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import json
import os
import socket
import ssl
import time
from dataclasses import replace
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, parse_qs, urlsplit

from nlp_agent.app.cli.screen import counted, one_line
from nlp_agent.app.config import Config, LlmConfig
from nlp_agent.app.secrets import dotenv_folders, server_token
from nlp_agent.deadline import Deadline
from nlp_agent.errors import ConfigError, PackError, SessionError
from nlp_agent.known_secrets import shown_url
from nlp_agent.llm.check import CheckResult, probe
from nlp_agent.records.game_files import RecordFolders, unwritable
from nlp_agent.tasks import end_tasks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from nlp_agent.app.wiring.team import Team
    from nlp_agent.llm.request import EndpointConfig
    from nlp_agent.net import EntryLock
    from nlp_agent.prompting import OfficialPrompts, Pack, Style


# --- The checks before a match ---------------------------------------------------------------------------------------


_NONE: Mapping[str, Pack] = MappingProxyType({})
SERVER_SECONDS = 5.0
MODEL_SECONDS = 30.0
SEAT_SECONDS = 2.0
"""How long a place at the server is kept: the official one hangs up on a bad token right after NAME."""


def ok(what: str, message: str) -> CheckResult:
    """Make a finding that says that all is in order."""
    return CheckResult("ok", what, message)


def bad(what: str, message: object) -> CheckResult:
    """A finding that has to be corrected."""
    return CheckResult("error", what, one_line(message))


def check_config(file: Path | None) -> tuple[list[CheckResult], Config | None, bool]:
    """What is wrong with the file, each with its line; the config, without that, as far as one can be read; and whether
    that is all of it.
    """
    from nlp_agent.app.config_file import config_here, read_config

    file = file or config_here()
    try:
        config, faults = read_config(file) if file else (Config(), [])
    except ConfigError as error:
        return [bad("config", error)], None, False
    if faults or config is None:
        return [bad("config", fault) for fault in faults], config, False
    seats = f"{counted(config.agent.num, 'seat')} of team {config.agent.team}"
    team = config.agent.team
    if team[-1].isdigit():
        bare = team.rstrip("0123456789")
        advice = f"the server would read {team}1 as team {bare!r}: choose a team name that ends in a letter"
        return [bad("config", f"agent.team ends in a digit, and {advice}")], config, True
    return [ok("config", f"{config.source or 'none found, defaults'}, {seats}")], config, True


def check_what_is_left(config: Config, looked: set[str]) -> Iterator[CheckResult]:
    """Check prompts and strategy of one's own in a config with faults, of which ``config`` holds what is sound."""
    for name in config.prompts:
        if name not in looked and Path(name).is_dir():
            looked.add(name)
            yield from pack_findings(name)
    yield from check_strategy(config)


def check_style(config: Config) -> CheckResult:
    """Tell in which style the model is asked, and by what that was found out."""
    from nlp_agent.app.wiring.models import style_of

    llm, style = config.llm, style_of(config)
    if llm.style != "auto":
        return ok("llm.style", f"{style}, as the config says")
    by = "the size of its file" if llm.gguf is not None else f"its name '{llm.model}'"
    return ok("llm.style", f"{style}, by {by}; a model that does not keep to the form gets a simpler one")


def check_packs(config: Config, looked: set[str], packs: Mapping[str, Pack] = _NONE) -> Iterator[CheckResult]:
    """Check the packs in use: of shipped ones what a game meets soon, of one's own every template for every role and
    phase.

    Each takes up to seconds, so its findings come as soon as they are there, and once: those in ``looked`` are known
    already. ``packs``: those that are loaded, by their names.
    """
    from nlp_agent.app.wiring.models import style_of
    from nlp_agent.app.wiring.team import official_prompts
    from nlp_agent.prompting.pack import shipped_packs

    shipped = list(shipped_packs())
    names = [name for name in config.packs if name != "auto"]
    names += [name for name in shipped if "auto" in config.packs and name not in names]
    try:
        chat = official_prompts(config)
    except PackError as error:
        yield bad("prompts", error)
        return
    looked, sound = set() if chat else looked, list[str]()
    for name in names:
        if name in looked:
            continue
        looked.add(name)
        if name in shipped and not chat:
            faults = _shipped_faults(name, packs.get(name), style_of(config))
            yield from faults
            if not faults:
                sound.append(name)
        else:
            yield from pack_findings(name, chat)
    if sound:
        which = f"pack{'s' * (len(sound) > 1)} {', '.join(sound)}"
        yield ok("prompts", f"{which}, what every role meets in a village of five (all of it: --pack NAME)")


def _shipped_faults(name: str, pack: Pack | None, style: Style) -> list[CheckResult]:
    """Faults in what a game would meet soon in a shipped pack, which somebody may have changed."""
    from nlp_agent.prompting import load_pack
    from nlp_agent.prompting.check import look_over

    try:
        faults = look_over(pack or load_pack(name), style)
    except PackError as error:
        faults = [error, *error.others]
    return [bad("prompts", fault) for fault in faults or ()]


def pack_findings(name: str, official: OfficialPrompts | None = None, players: int | None = None) -> list[CheckResult]:
    """List a finding for each fault of a pack, with file and line, and for what could be better; for one village alone
    if told.
    """
    from nlp_agent.app.cli.processes import progress
    from nlp_agent.prompting import load_pack
    from nlp_agent.prompting.check import STEPS, check_folder, remarks

    villages = {"villages": (players,)} if players else {}
    with progress(f"Looking through pack {name}", STEPS + 1) as advance:
        if faults := check_folder(name, official, done=partial(advance, 1), **villages):
            return [bad("prompts", fault) for fault in faults or ()]
        noted = [CheckResult("warning", "prompts", one_line(remark)) for remark in remarks(load_pack(name))]
    return [ok("prompts", f"pack {name}, every template renders for every role"), *noted]


def check_own_pack(name: str, players: int) -> list[CheckResult]:
    """List what is wrong or could be better with a pack of one's own, for a village of so many; shipped ones
    are sound.
    """
    from nlp_agent.prompting.pack import shipped_packs

    if name == "auto" or name in shipped_packs():
        return []
    return [finding for finding in pack_findings(name, players=players) if finding.level != "ok"]


_USUAL_LIMIT, _DIVISION_LIMIT = 60.0, 0.1
"""Seconds that contests' servers wait for an answer; a classic one in the Protocol Division."""


async def check_time(config: Config, packs: dict[str, Pack]) -> CheckResult:
    """Measure how long first answers take on this machine, as busy as it is now, tried as `run` does it.

    Loads what a game needs into ``packs``. Raises PackError where that fails.
    """
    from nlp_agent.net import EntryLock
    from nlp_agent.net.classic import is_classic
    from nlp_agent.net.session import SPARE

    entry = EntryLock()
    team = _team_without_model(config, entry, packs)  # models are tried elsewhere, and this time is our own
    began = time.perf_counter()
    try:
        await team.prepare(every_language=True)
    finally:
        await team.aclose()
    ready, classic = time.perf_counter() - began, is_classic(config.web_socket.url)
    who = "one seat" if config.agent.num == 1 else f"all {config.agent.num} seats"
    asks = "before it connects" if classic else "after the server's first question (NAME)"
    told = (
        f"on this machine, as busy as it is: ready {ready:.1f} s {asks}, then a talk of {who} takes {entry.needs:.2f} s"
    )
    limit = _DIVISION_LIMIT if classic else _USUAL_LIMIT
    needed = entry.needs if classic else ready + entry.needs
    if SPARE * needed >= limit:
        return CheckResult("warning", "time", f"{told}: near the {limit:g} s of the contest; close other programs")
    allowed = f"a server should allow {SPARE * needed:.1f} s or more for an answer (the contest allows {limit:g})"
    return ok("time", f"{told}; {allowed}")


def _team_without_model(config: Config, entry: EntryLock, packs: dict[str, Pack] | None = None) -> Team:
    """The seats of ``config`` to try something with, for which no model is needed and nothing is recorded."""
    from nlp_agent.app.wiring.team import Team

    without = config.model_copy(update={"llm": LlmConfig()})
    return Team(without, RecordFolders(config.records.dir, lambda: ""), entry, packs)


def check_strategy(config: Config) -> list[CheckResult]:
    """Whether a strategy of the user's own can be loaded and decides legally; nothing when there is none."""
    from nlp_agent.app.wiring.strategies import load_strategy
    from nlp_agent.app.wiring.warm_up import DECISIONS, try_strategy
    from nlp_agent.prompting import load_pack

    if not config.strategy:
        return []
    try:
        strategy = load_strategy(config.strategy, source=config.source)
    except ConfigError as error:
        return [bad("strategy", error)]
    slips = dict.fromkeys(slip.what.removeprefix("strategy: ") for slip in try_strategy(load_pack("en"), strategy))
    if slips:
        return [bad("strategy", f"{config.strategy}, in {DECISIONS} decisions: {what}") for what in slips]
    return [ok("strategy", f"{config.strategy} made {DECISIONS} legal decisions")]


def check_secret_files(config: Config) -> list[CheckResult]:
    """Whether another user of this machine can read a file that keys stand in; nothing on Windows, which has no such
    bits."""
    if os.name != "posix":
        return []
    token = config.web_socket.token is not None and config.web_socket.token.get_secret_value()
    files = [folder / ".env" for folder in dotenv_folders(config.source.parent if config.source else None)]
    files += [config.source] if token and config.source else []
    seen = {file.resolve(): file for file in reversed(files) if file.is_file()}
    return [
        CheckResult("warning", "keys", f"other users of this machine can read {file}: chmod 600 {file}")
        for file in seen.values()
        if file.stat().st_mode & 0o077
    ]


def check_records(config: Config) -> CheckResult:
    """Whether the folder for the records can be written to. It is not created."""
    folder = config.records.dir
    if why := unwritable(folder):
        return bad("records", f"cannot write to {folder} ({why}); set records.dir or --out")
    return ok("records", f"go to {folder}")


# --- the model ------------------------------------------------------------------------------------------


async def check_models(config: Config) -> list[CheckResult]:
    """Whether each endpoint answers a talk and a choice between names; all are asked at the same time."""
    if not config.llm.enabled:
        return [ok("model", "none is set (llm.base_url, llm.model), so the LLM-free player plays")]
    from nlp_agent.app.wiring.models import endpoint_configs, local_model

    endpoints = endpoint_configs(config)
    try:
        local = local_model(config)
        if local is not None:
            await local.warm()
            endpoints += [local.endpoint] if local.endpoint else []
    except ConfigError as error:
        return [bad("model", error)]
    try:
        return await _probed(endpoints)
    finally:
        if local is not None:
            await local.aclose()


async def _probed(endpoints: list[EndpointConfig]) -> list[CheckResult]:
    tried = await asyncio.gather(*(probe(endpoint, Deadline.after(MODEL_SECONDS)) for endpoint in endpoints))
    return [
        replace(found, what=f"{_called(endpoint)}, {found.what}", message=one_line(found.message))
        for endpoint, findings in zip(endpoints, tried, strict=True)
        for found in findings
    ]


def _called(endpoint: EndpointConfig) -> str:
    """The endpoint with the address that is really asked, whatever file or variable it comes from."""
    return f"model {endpoint.name} ({endpoint.model}) at {shown_url(endpoint.base_url)}"


# --- the server -----------------------------------------------------------------------------------------


async def check_server(config: Config) -> CheckResult:
    """Whether something speaks HTTP at the server's address.

    A plain request without the upgrade to a WebSocket: it takes no seat and leaves nothing in the waiting
    room, where a dead connection would ruin somebody's game.
    """
    address = urlsplit(config.web_socket.url)
    # The query may hold the token: it is neither sent nor shown.
    url = shown_url(config.web_socket.url)
    try:
        async with asyncio.timeout(SERVER_SECONDS):
            status = await asyncio.to_thread(_status, address)
    except TimeoutError:
        return bad("server", f"no answer from {url} in {SERVER_SECONDS:.0f} s; is the address right?")
    except ssl.SSLError as error:
        return bad("server", f"no secure connection to {url} ({error.reason}); ws:// instead of wss://?")
    except OSError as error:
        why = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror or "no connection"
        return bad("server", f"nothing listens at {url} ({why}); start it or correct web_socket.url")
    return _judge_status(url, status)


def _judge_status(url: str, status: int | None) -> CheckResult:
    """A WebSocket server refuses a plain request (400, 426), which is just what shows that it is one."""
    if status == 404:
        return bad("server", f"{url} answers, but not at this path; it usually ends in /ws")
    if status in (401, 403):
        return bad("server", f"{url} refuses us (HTTP {status}); is web_socket.token right?")
    if status is None or status >= 500:
        what = f"HTTP {status}" if status else "no HTTP"
        return bad("server", f"{url} answers with {what}; is it the game server?")
    return ok("server", f"{url} is there")


def _status(url: SplitResult) -> int | None:
    """The HTTP status of a plain GET; ``None`` when the answer is not HTTP."""
    connect = HTTPSConnection if url.scheme == "wss" else HTTPConnection
    connection = connect(url.hostname or "", url.port, timeout=SERVER_SECONDS)
    connection.connect()
    try:
        connection.request("GET", url.path or "/")
        return connection.getresponse().status
    except (ConnectionError, HTTPException):
        return None
    finally:
        connection.close()


# --- The token and the place at the server, tried before a match -----------------------------------------------------


_ADVICE = "ask the organisers for a new one and put it into AIWOLF_TOKEN"


def _token(config: Config) -> str:
    """The token that the server is shown, in the address or beside the name; ``""`` for none."""
    query = parse_qs(urlsplit(config.web_socket.url).query).get("token", [])
    return query[0] if query else server_token(config) or ""


def check_token(config: Config, now: float | None = None) -> CheckResult:
    """Tell what the server's token says of itself; nobody is asked. Only the server can check its signature.

    Source: the official server signs tokens with the claims ``team`` and ``role``; of two it heeds the address's.
    """
    token = _token(config)
    if not token:
        return ok("token", "none is set; most servers want none")
    claims = _claims(token)
    if claims is None:
        text = "it is not of the official server's kind (a JWT: three parts with dots); was it copied whole?"
        return CheckResult("warning", "token", text)
    fault = _fault(claims, config.agent.team, time.time() if now is None else now)
    if fault:
        return bad("token", fault)
    return ok("token", f"made for team {config.agent.team}; `nlp-agent check --seat` tries it at the server")


def _claims(token: str) -> dict[str, Any] | None:
    """The readable part of a JWT; None when it is none."""
    parts = token.strip().removeprefix("Bearer ").split(".")
    if len(parts) != 3 or not all(parts):
        return None
    try:
        claims = json.loads(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
    except (ValueError, binascii.Error, RecursionError):
        return None
    return claims if isinstance(claims, dict) else None


def _fault(claims: dict[str, Any], team: str, now: float) -> str:
    """Why the server would refuse a token with these claims; ``""`` when nothing is wrong with them."""
    ends, begins = claims.get("exp"), claims.get("nbf")
    if isinstance(ends, (int, float)) and ends <= now:
        return f"it has expired; {_ADVICE}"
    if isinstance(begins, (int, float)) and begins > now:
        return "it is not valid yet; is this machine's clock right?"
    if "role" in claims and claims["role"] != "PLAYER":
        return f"it is not for players (role {str(claims['role'])[:40]!r}); {_ADVICE}"
    if "team" in claims and claims["team"] != team:
        return f"it belongs to team {str(claims['team'])[:40]!r}; set agent.team to that, or {_ADVICE}"
    return ""


async def check_seat(config: Config, patience: float = SEAT_SECONDS) -> CheckResult:
    """Sit down under the first name, wait whether the server hangs up, and leave with the connection closed.

    Raises whatever went wrong besides a server that does not take the seat.
    """
    from nlp_agent.net import EntryLock

    url = shown_url(config.web_socket.url)
    team = _team_without_model(config, EntryLock())
    name = team.names()[0]
    seated = asyncio.Event()
    seat, journal = team.seat(name, 0)
    session = team.session(config.web_socket.url, name, seat, journal, lambda _: seated.set())
    playing = asyncio.create_task(session.play())
    sitting = asyncio.create_task(seated.wait())
    try:
        await asyncio.wait({playing, sitting}, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait({playing}, timeout=patience)
        error = playing.exception() if playing.done() else None
    finally:
        await end_tasks(playing, sitting)
        journal.close()
        await team.aclose()
    if session.started:
        return bad("seat", f"a game began while {name} was trying its place, and is lost now; check without --seat")
    if isinstance(error, SessionError):
        hint = "see the line about the server"
        if seated.is_set():
            unset = "AIWOLF_TOKEN is not set: does the server want a token? check agent.team too"
            hint = "check token and agent.team" if _token(config) else unset
        return bad("seat", f"{url} does not take {name} ({hint}): {_without_query(str(error), config)}")
    if error is not None:
        raise error
    return ok("seat", f"{url} takes {name}; the place was left again")


def _without_query(text: str, config: Config) -> str:
    """``text`` without the parts of the address that may hold the token or a password."""
    return text.replace(config.web_socket.url, shown_url(config.web_socket.url))


# --- a classic server -------------------------------------------------------------------------------------------


async def check_classic_address(config: Config) -> CheckResult:
    """Whether the server's host has an address.

    Nothing connects: such a server takes every connection for a player, and waits for the name of one that is gone.
    """
    url = config.web_socket.url
    address = urlsplit(url)
    try:
        async with asyncio.timeout(SERVER_SECONDS):
            await asyncio.get_running_loop().getaddrinfo(address.hostname, address.port, type=socket.SOCK_STREAM)
    except (TimeoutError, OSError, ValueError) as error:
        return bad("server", f"no host is called {address.hostname!r} ({error}); correct web_socket.url")
    return ok(
        "server", f"{shown_url(url)} is a classic server's address; `nlp-agent check --seat` connects, as a player does"
    )


async def check_classic_seat(config: Config) -> CheckResult:
    """Whether the server lets our seat in: it connects, gives its name and leaves again."""
    from nlp_agent.net import EntryLock
    from nlp_agent.net.connection import ConnectionLostError
    from nlp_agent.protocol import Request

    url = config.web_socket.url
    team = _team_without_model(config, EntryLock())
    name = team.names()[0]
    classic = team.classic_server(url, name, 0)
    try:
        async with asyncio.timeout(SERVER_SECONDS):
            link = await classic.connect()
            while link.read(await link.recv()).kind is not Request.NAME:
                pass
            await link.send(name, Request.NAME)
        await asyncio.sleep(SEAT_SECONDS)
    except SessionError as error:
        return bad("seat", error)
    except TimeoutError:
        return bad("seat", f"{url} took the connection but asked for no name in {SERVER_SECONDS:.0f} s")
    except ConnectionLostError:
        return bad("seat", f"{url} hung up on {name}; is it the game server, and not full?")
    finally:
        await classic.close()
    return ok("seat", f"{url} knows us as {name}; the place is given back")
