"""Commands in processes of their own, without the second that each of them takes to load.

One process for all tests of a worker loads everything; each command is a copy of it (``fork``) with a folder, an
environment, pipes and signals of its own. A start from nothing is what other tests look at.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn, TextIO

_LOADED = (
    *("app.cli.app", "app.cli.check", "app.cli.checks", "app.cli.logging_setup", "app.cli.play", "app.cli.replay"),
    *("app.cli.results", "app.cli.run", "app.cli.serve", "app.cli.stopping", "app.cli.tournament"),
    "app.cli.transcript",
)
_PATIENCE = 60.0
_LARGEST = 1 << 20


class Command:
    """``nlp-agent`` with ``arguments``, started in ``folder``; what of :class:`subprocess.Popen` tests need.

    ``env`` is the whole environment; without it the command has that of the tests.
    """

    def __init__(self, folder: Path, *arguments: str, env: Mapping[str, str] | None = None) -> None:
        order = {"folder": str(folder), "arguments": arguments, "env": dict(os.environ if env is None else env)}
        (read_out, out), (read_err, err) = os.pipe(), os.pipe()
        self._keeper, keeper = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        socket.send_fds(_loaded(), [json.dumps(order).encode()], [out, err, keeper.fileno()])
        os.close(out)
        os.close(err)
        keeper.close()
        self.stdout: TextIO = os.fdopen(read_out, encoding="utf-8")
        self.stderr: TextIO = os.fdopen(read_err, encoding="utf-8")
        self.pid = int(self._keeper.recv(_LARGEST))
        self.returncode: int | None = None

    def __enter__(self) -> Command:
        return self

    def __exit__(self, *_: object) -> None:
        """Killed if it has not ended."""
        self.kill()
        self.wait()
        for closing in (self.stdout, self.stderr, self._keeper):
            closing.close()

    def wait(self, timeout: float = _PATIENCE) -> int:
        """The exit code, or minus the number of the signal that ended it. Raises TimeoutExpired."""
        if self.returncode is None:
            if not select.select([self._keeper], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(str(self.pid), timeout)
            self.returncode = int(self._keeper.recv(_LARGEST))
        return self.returncode

    def communicate(self, timeout: float = _PATIENCE) -> tuple[str, str]:
        """Standard output and standard error to their ends. Raises TimeoutExpired."""
        told: list[str] = []
        listener = threading.Thread(target=lambda: told.append(self.stderr.read()), daemon=True)
        watch = threading.Timer(timeout, self.kill)
        watch.start()
        listener.start()
        out = self.stdout.read()
        listener.join()
        watch.cancel()
        self.wait()
        return out, told[0]

    def send_signal(self, number: int) -> None:
        """As long as it runs, or has not been waited for."""
        if self.returncode is None and not select.select([self._keeper], [], [], 0)[0]:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


@cache
def _loaded() -> socket.socket:
    """A line to the process that has loaded everything."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    code = f"from tests.commands import serve; serve({theirs.fileno()})"
    root = str(Path(__file__).parents[1])
    path = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
    process = subprocess.Popen(
        [sys.executable, "-c", code], pass_fds=[theirs.fileno()], env={**os.environ, "PYTHONPATH": path}
    )
    theirs.close()
    atexit.register(process.wait)
    atexit.register(ours.close)
    return ours


def serve(line: int) -> None:
    """Be copied for every order that comes, until nobody is left to send one."""
    for name in _LOADED:
        import_module(f"nlp_agent.{name}")
    from nlp_agent.app.wiring.warm_up import warm_up_pack
    from nlp_agent.prompting import load_pack
    from nlp_agent.prompting.pack import shipped_packs

    for pack in shipped_packs():
        warm_up_pack(load_pack(pack))
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, _reap)
    with socket.socket(fileno=line) as orders:
        while True:
            order, files, _, _ = socket.recv_fds(orders, _LARGEST, 3)
            if not order:
                return
            if os.fork() == 0:
                orders.close()
                _keep(json.loads(order), *files)
            for file in files:
                os.close(file)


def _reap(*_: object) -> None:
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _keep(order: Mapping[str, Any], out: int, err: int, told: int) -> NoReturn:
    """Start the command, and tell its number and how it ended: only a parent learns that."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    pid = os.fork()
    if pid == 0:
        os.close(told)
        _become(order, out, err)
    os.close(out)
    os.close(err)
    os.write(told, str(pid).encode())
    ended = os.waitpid(pid, 0)[1]
    os.write(told, str(os.waitstatus_to_exitcode(ended)).encode())
    os._exit(0)


def _become(order: Mapping[str, Any], out: int, err: int) -> NoReturn:
    """What ``python -m nlp_agent`` makes of a process, up to its end."""
    os.chdir(order["folder"])
    os.environ.clear()
    os.environ.update(order["env"])
    nothing = os.open(os.devnull, os.O_RDONLY)
    for file, number in ((nothing, 0), (out, 1), (err, 2)):
        os.dup2(file, number)
        os.close(file)
    sys.stdin = sys.__stdin__ = os.fdopen(0, encoding="utf-8", closefd=False)  # type: ignore[misc]
    sys.stdout = sys.__stdout__ = os.fdopen(1, "w", encoding="utf-8", closefd=False)  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = os.fdopen(2, "w", 1, "utf-8", "backslashreplace", closefd=False)  # type: ignore[misc]
    sys.path[0] = order["folder"]
    sys.argv = ["nlp-agent", *order["arguments"]]
    from nlp_agent.app.cli.app import main

    main()
    sys.exit(0)
