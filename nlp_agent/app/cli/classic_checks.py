"""What ``nlp-agent check`` looks at where the server is a classic one."""

from __future__ import annotations

import asyncio
import socket
from urllib.parse import urlsplit

from nlp_agent.app.cli.checks import SEAT_SECONDS, SERVER_SECONDS, bad, ok
from nlp_agent.app.config import Config
from nlp_agent.errors import SessionError
from nlp_agent.llm.check import CheckResult


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
    from nlp_agent.records.folders import RecordFolders

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
