"""Agents of other people: a command started for one game, told where our table is, and ended with it."""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
import sys
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import yaml

from nlp_agent.app.leaks import without_secrets
from nlp_agent.app.secrets import variable
from nlp_agent.errors import ConfigError, SessionError
from nlp_agent.tournament.plan import Contestant
from nlp_agent.yamlfile import read_yaml

_LAST_LINES = 3
_PATIENCE = 5.0
"""Seconds an agent gets to end by itself when its game is over."""


class ForeignAgent:
    """The process of one contestant in one game. ``tail`` is the end of what it printed."""

    def __init__(self, contestant: Contestant, url: str, seats: int, folder: Path) -> None:
        self.contestant = contestant
        self.tail: deque[str] = deque(maxlen=_LAST_LINES)
        self._url, self._seats, self._folder = url, seats, folder
        self._process: asyncio.subprocess.Process | None = None

    async def run(self) -> int:
        """Start it and wait for its end; its exit code. Raises ConfigError when it cannot be started."""
        one = self.contestant
        values = {"url": self._url, "team": one.team, "num": str(self._seats), "python": sys.executable}
        if one.template is not None:
            values["config"] = str(self._config(one.template))
        variables = {f"AIWOLF_{key.upper()}": value for key, value in values.items()}
        given = {name: value for name in one.keys if (value := variable(name, None))}
        try:
            self._process = await asyncio.create_subprocess_exec(
                *_words(one, values),
                cwd=one.folder,
                env={**without_secrets(os.environ), **given, **variables},
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            raise ConfigError(f"{one.command!r} cannot be started in {one.folder}: {error.strerror}") from None
        assert self._process.stdout is not None
        async for line in _lines(self._process.stdout):
            self.tail.append(line)
        return await self._process.wait()

    def failed(self, code: int) -> SessionError:
        """The error that tells why there is no game without this agent, which ended with ``code``."""
        said = " | ".join(self.tail) or "it printed nothing"
        return SessionError(f"{self.contestant.name} ended with code {code} before the game began: {said}")

    async def end(self) -> None:
        """Give the agent a moment to end by itself, then end it with all it started (on Windows without that)."""
        process = self._process
        if process is None:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                await process.wait()
        with suppress(ProcessLookupError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        await process.wait()

    def _config(self, template: Path) -> Path:
        """Its own config with our table's address, no token, and as many seats of the team as are its own here.

        Source: ``config.yml`` of the official sample, whose sections ``web_socket`` and ``agent`` tell these.
        """
        data: dict[str, Any] = read_yaml(template.read_text(encoding="utf-8")) or {}
        sections: Mapping[str, dict[str, Any]] = {
            "web_socket": {"url": self._url, "token": None, "auto_reconnect": False},
            "agent": {"num": self._seats, "team": self.contestant.team},
        }
        for name, settings in sections.items():
            data[name] = {**(data.get(name) or {}), **settings}
        file = self._folder / f"{self.contestant.team}.yml"
        file.write_text(yaml.safe_dump(data, allow_unicode=True, sort_keys=False), encoding="utf-8")
        return file


def _words(one: Contestant, values: Mapping[str, str]) -> list[str]:
    words = []
    for word in shlex.split(one.command):
        for key, value in values.items():
            word = word.replace(f"{{{key}}}", value)  # noqa: PLW2901
        if "{config}" in word:
            raise ConfigError(f"the command of {one.name} wants {{config}}: name its file with 'config:'")
        words.append(word)
    return words


async def _lines(stream: asyncio.StreamReader) -> Any:
    """Lines of any length, the longest cut."""
    while data := await stream.read(65536):
        for line in data.decode("utf-8", "replace").splitlines():
            if line.strip():
                yield line.strip()[:300]
