"""Makes a Python process like one on Windows, as far as a program can tell, before anything else is loaded.

Python loads a module of this name by itself, also in the processes that a process starts: tests put this folder on
PYTHONPATH. Missing are the names that Windows lacks in ``signal`` and ``os``, whole modules, and signal handlers of
event loops. Text without a named encoding is cp932, as on a Japanese system, and its lines end in CR LF.
"""

from __future__ import annotations

import asyncio
import builtins
import io
import multiprocessing.popen_fork
import os
import signal
import socket
import subprocess
import sys
from typing import Any

_SIGNALS = frozenset({"SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM", "SIG_DFL", "SIG_IGN"})
"""All that Windows has, but for SIGBREAK."""
_SIGNAL_CALLS = (
    *("alarm", "getitimer", "pause", "pthread_kill", "pthread_sigmask", "setitimer", "sigpending", "siginterrupt"),
    *("sigtimedwait", "sigwait", "sigwaitinfo", "ITIMER_PROF", "ITIMER_REAL", "ITIMER_VIRTUAL"),
)
# Not ``uname``: numpy calls it wherever sys.platform says Linux.
_OS_CALLS = (
    *(
        "chown",
        "ctermid",
        "fchmod",
        "fchown",
        "fork",
        "forkpty",
        "getegid",
        "geteuid",
        "getgid",
        "getgroups",
        "getpgid",
    ),
    *("getpgrp", "getpriority", "getresuid", "getsid", "getuid", "initgroups", "killpg", "lchown", "mkfifo", "nice"),
    *("openpty", "posix_spawn", "posix_spawnp", "sched_getaffinity", "sched_setaffinity", "sched_yield", "setgid"),
    *("setgroups", "setpgid", "setpriority", "setsid", "setuid", "wait", "wait3", "wait4"),
)
_MODULES = ("fcntl", "grp", "posix_ipc", "pty", "pwd", "resource", "syslog", "termios", "tty")
_open = io.open


def _open_as_on_windows(
    file: Any, mode: str = "r", buffering: int = -1, encoding: str | None = None, *more: Any, **named: Any
) -> Any:
    if "b" not in mode:
        encoding = "cp932" if encoding in (None, "locale") else encoding
        written = any(sign in mode for sign in "wax+")
        if written and len(more) < 2 and named.get("newline") is None:
            named["newline"] = "\r\n"
    return _open(file, mode, buffering, encoding, *more, **named)


def _no_handlers(*_: object) -> None:
    raise NotImplementedError


# Here these two need SIGKILL; there they call the system by another way.
multiprocessing.popen_fork.Popen.kill = lambda self: self._send_signal(9)  # type: ignore[attr-defined,method-assign]
subprocess.Popen.kill = lambda self: self.send_signal(9)  # type: ignore[method-assign]
for name in [name for name in vars(signal) if name.startswith("SIG") and name not in _SIGNALS]:
    delattr(signal, name)
for name in _SIGNAL_CALLS:
    delattr(signal, name)
for name in _OS_CALLS:
    if hasattr(os, name):
        delattr(os, name)
for name in _MODULES:
    sys.modules[name] = None  # type: ignore[assignment]
for loop in (asyncio.AbstractEventLoop, asyncio.SelectorEventLoop):
    loop.add_signal_handler = loop.remove_signal_handler = _no_handlers  # type: ignore[assignment,method-assign]
# There this option is what SO_REUSEADDR is meant to be elsewhere; any harmless one stands for it.
socket.SO_EXCLUSIVEADDRUSE = socket.SO_KEEPALIVE  # type: ignore[attr-defined]
builtins.open = io.open = _open_as_on_windows
if not os.environ.get("PYTHONIOENCODING"):
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="cp932", errors="strict", newline="\r\n")  # type: ignore[union-attr]
