"""The token and the place at the server, tried before a match; and what there is to look at of a classic server."""

from __future__ import annotations

import asyncio
import base64
import binascii
import json
import socket
import time
from typing import Any
from urllib.parse import parse_qs, urlsplit

from nlp_agent.app.cli.checks import SEAT_SECONDS, SERVER_SECONDS, bad, ok
from nlp_agent.app.config import Config, LlmConfig
from nlp_agent.app.secrets import server_token
from nlp_agent.errors import SessionError
from nlp_agent.llm.check import CheckResult
from nlp_agent.records.folders import RecordFolders

_ADVICE = "ask the organisers for a new one and put it into AIWOLF_TOKEN"


def check_token(config: Config, now: float | None = None) -> CheckResult:
    """What the token says of itself; nobody is asked. Only the server can check its signature.

    Source: the official server signs tokens with the claims ``team`` and ``role``; of two it heeds the address's.
    """
    query = parse_qs(urlsplit(config.web_socket.url).query).get("token", [])
    token = query[0] if query else server_token(config) or ""
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
    """Sit down under the first name, wait whether the server hangs up, and leave with the connection closed."""
    from nlp_agent.app.wiring import Team
    from nlp_agent.net import Gate

    url = urlsplit(config.web_socket.url)._replace(query="").geturl()
    team = Team(config.model_copy(update={"llm": LlmConfig()}), RecordFolders(config.records.dir, lambda: ""), Gate())
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
        for task in (playing, sitting):
            task.cancel()
        await asyncio.gather(playing, sitting, return_exceptions=True)
        journal.close()
        await team.aclose()
    if session.started:
        return bad("seat", f"a game began while {name} was trying its place, and is lost now; check without --seat")
    if isinstance(error, SessionError):
        hint = "check token and agent.team" if seated.is_set() else "see the line about the server"
        return bad("seat", f"{url} does not take {name} ({hint}): {_without_query(str(error), config)}")
    if error is not None:
        raise error
    return ok("seat", f"{url} takes {name}; the place was left again")


def _without_query(text: str, config: Config) -> str:
    """``text`` without the part of the address that may hold the token."""
    query = urlsplit(config.web_socket.url).query
    return text.replace(f"?{query}", "") if query else text


# --- a classic server -------------------------------------------------------------------------------------------


async def check_address(config: Config) -> CheckResult:
    """Whether the server's host has an address.

    Nothing connects: such a server takes every connection for a player, and waits for the name of one that is gone.
    """
    url = config.web_socket.url
    address = urlsplit(url)
    try:
        async with asyncio.timeout(SERVER_SECONDS):
            await asyncio.get_running_loop().getaddrinfo(address.hostname, address.port, type=socket.SOCK_STREAM)
    except (TimeoutError, OSError, ValueError) as error:
        return bad("server", f"no host is called {address.hostname!r} ({error}); mend web_socket.url")
    return ok("server", f"{url} is a classic server's address; `nlp-agent check --seat` connects, as a player does")


async def check_place(config: Config) -> CheckResult:
    """Whether the server lets our seat in: it connects, gives its name and leaves again."""
    from nlp_agent.app.wiring.team import Team, now_folder
    from nlp_agent.net import Gate
    from nlp_agent.net.link import LinkLostError
    from nlp_agent.protocol import Request

    url = config.web_socket.url
    team = Team(config, RecordFolders(config.records.dir, now_folder), Gate())
    name = team.names()[0]
    door = team.door(url, name, 0)
    try:
        async with asyncio.timeout(SERVER_SECONDS):
            link = await door.connect()
            while link.read(await link.recv()).kind is not Request.NAME:
                pass
            await link.send(name, Request.NAME)
        await asyncio.sleep(SEAT_SECONDS)
    except SessionError as error:
        return bad("seat", error)
    except TimeoutError:
        return bad("seat", f"{url} took the connection but asked for no name in {SERVER_SECONDS:.0f} s")
    except LinkLostError:
        return bad("seat", f"{url} hung up on {name}; is it the game server, and not full?")
    finally:
        await door.close()
    return ok("seat", f"{url} knows us as {name}; the place is given back")
