"""A model in a file (GGUF), served on this machine: no key, no account, no network.

:class:`LocalModel` starts llama.cpp's server in a child process, waits until it is ready and then is an endpoint like
any other. The server listens on loopback with a key of its own and ends with this process, even when it is killed.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import subprocess
import sys
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from nlp_agent.deadline import Deadline
from nlp_agent.errors import ConfigError, LlmError, without_extra
from nlp_agent.llm.endpoint import EndpointModel, Health
from nlp_agent.llm.model import Answer, Question
from nlp_agent.llm.request import EndpointConfig

CHILD = "nlp_agent.llm.local_child"
START_SECONDS = 300.0
"""A large file from a slow disk takes minutes."""
_STOP_SECONDS = 3.0
_LOG_LINES_KEPT = 12
"""Last lines of the server's own log that are kept for an error message."""
_PASSED_ON = ("PATH", "HOME", "LANG", "TMPDIR", "TEMP", "SYSTEMROOT", "PYTHONPATH", "VIRTUAL_ENV", "LD_LIBRARY_PATH")
_PASSED_ON_KINDS = ("LC_", "OMP_", "GGML_", "CUDA_")


def check_local(model: Path) -> None:
    """Check that a model can be started from its file; starts nothing. Raises ConfigError when the file or the extra
    ``local`` is missing, or the file is no GGUF.
    """
    if not model.is_file():
        what = "is a folder, not a model's file" if model.is_dir() else "there is no such file"
        raise ConfigError(f"{what}: {model}; expected a model in llama.cpp's format", key="llm.gguf")
    with model.open("rb") as file:
        if file.read(4) != b"GGUF":
            raise ConfigError(f"{model} is no model in llama.cpp's format (GGUF)", key="llm.gguf")
    if find_spec("xllamacpp") is None:
        raise ConfigError(without_extra("a local model", "local"), key="llm.gguf")


class LocalModel:
    """A :class:`~nlp_agent.llm.model.Model` with a server of its own; ``slots`` seats can be served at a time.

    ``context`` is the room for a prompt with its answer, in tokens a slot. The rest is as in :class:`EndpointModel`;
    the address and the key in ``config`` are filled in when the server is there.
    """

    def __init__(
        self,
        model: Path,
        config: EndpointConfig,
        *,
        slots: int,
        context: int,
    ) -> None:
        self._model, self._config = model, config
        self._slots, self._context = slots, context
        self._seats: dict[str, int] = {}
        self._starting = asyncio.Lock()
        self._process: Process | None = None
        self._listening: asyncio.Task[None] | None = None
        self._log: deque[str] = deque(maxlen=_LOG_LINES_KEPT)
        self._endpoint: EndpointModel | None = None

    @property
    def health(self) -> Health:
        """The record of how calls to the server went; empty while there is none."""
        return self._endpoint.health if self._endpoint is not None else Health()

    @property
    def endpoint(self) -> EndpointConfig | None:
        """The server as an endpoint, while there is one."""
        return self._endpoint.config if self._endpoint is not None else None

    async def warm(self) -> None:
        """Start the server if it is not there yet; see :meth:`start`."""
        await self.start(lambda _: None)

    async def start(self, on_status: Callable[[str], None]) -> None:
        """Start the server and wait until it is ready, once. Raises ConfigError when it does not come up."""
        async with self._starting:
            if self._endpoint is None:
                check_local(self._model)
                on_status(f"Loading {self._model.name} ...")
                loop = asyncio.get_running_loop()
                began = loop.time()
                try:
                    self._endpoint = await self._start()
                    await self._endpoint.warm()
                except BaseException:
                    await self._end()
                    raise
                on_status(f"{self._model.name} is ready after {loop.time() - began:.1f} s.")

    async def ask(self, ask: Question, deadline: Deadline) -> Answer:
        """Ask the server, as an endpoint is asked. Raises LlmError when the server was not started or has ended."""
        if self._endpoint is None:
            raise LlmError("the local model has not been started", kind="unreachable")
        # A seat that had to look for its slot could push out another's prompt, and reading one takes seconds.
        return await self._endpoint.ask(replace(ask, body={**ask.body, "id_slot": self._slot(ask.seat)}), deadline)

    def _slot(self, seat: str) -> int:
        """The slot that holds what ``seat`` has asked before, else the one that was not used for the longest time."""
        if seat in self._seats:
            slot = self._seats.pop(seat)
        elif len(self._seats) < self._slots:
            slot = len(self._seats)
        else:
            slot = self._seats.pop(next(iter(self._seats)))
        self._seats[seat] = slot
        return slot

    async def aclose(self) -> None:
        """Close the connection and end the server; safe to call twice."""
        endpoint, self._endpoint = self._endpoint, None
        if endpoint is not None:
            await endpoint.aclose()
        await self._end()

    # --- the server --------------------------------------------------------------------------------------------

    async def _start(self) -> EndpointModel:
        key = secrets.token_urlsafe(24)
        self._process = process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", CHILD,
            stdin=PIPE, stdout=PIPE, stderr=PIPE, env=child_environment(),
            # Ctrl-C at a terminal goes to a whole group: the running game is to be finished with its model. Windows
            # knows no sessions, others no groups of processes by this flag.
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        self._listening = asyncio.create_task(self._listen(process))
        wanted = {
            "model": str(self._model.resolve()),
            "slots": self._slots,
            "context": self._context,
            "threads": _cores(),
            "key": key,
        }
        process.stdin.write(json.dumps(wanted).encode() + b"\n")
        reported: object = None
        try:
            async with asyncio.timeout(START_SECONDS):
                await process.stdin.drain()
                line = await process.stdout.readline()
            reported = json.loads(line or "{}")
        except TimeoutError:
            reported = {"error": f"not ready after {START_SECONDS:.0f} s"}
        except (ConnectionError, ValueError):
            pass  # It has ended, or something else printed: its log says why.
        if not isinstance(reported, dict) or "url" not in reported:
            raise self._failed(reported.get("error", "") if isinstance(reported, dict) else "")
        return EndpointModel(replace(self._config, base_url=f"{reported['url'].rstrip('/')}/v1", api_key=key))

    async def _listen(self, process: Process) -> None:
        """Keep the end of the server's log; a pipe that nobody reads would stop it."""
        assert process.stderr is not None
        while chunk := await process.stderr.read(65_536):
            self._log.extend(chunk.decode("utf-8", "replace").splitlines())

    def _failed(self, why: str) -> ConfigError:
        log = next((line for line in reversed(self._log) if " E " in line or "error" in line.lower()), "")
        details = "; ".join(part.strip() for part in (why, log) if part.strip())
        return ConfigError(
            f"{self._model.name} could not be loaded ({details or 'its server ended without a word'}); is the file "
            f"whole, and is there memory for {self._slots} x {self._context} tokens?",
            key="llm.gguf",
        )

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            assert process.stdin is not None
            process.stdin.close()  # It leaves by itself when nobody can speak to it any more.
            try:
                async with asyncio.timeout(_STOP_SECONDS):
                    await process.wait()
            except TimeoutError:
                process.kill()
                await process.wait()
        listening, self._listening = self._listening, None
        if listening is not None:
            await listening


def child_environment() -> dict[str, str]:
    """The part of our environment that a process of ours needs: no keys, no tokens."""
    passed = {k: v for k, v in os.environ.items() if k.upper() in _PASSED_ON or k.startswith(_PASSED_ON_KINDS)}
    # Threads that spin while they wait for one another come to a standstill on a machine that has other work.
    return {"OMP_WAIT_POLICY": "PASSIVE", **passed}


def _cores() -> int:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, cores or 1)
