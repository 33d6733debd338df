"""Logging as the config wants it. Only the command line sets it up; the other rooms just log."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from time import monotonic
from typing import Any

from nlp_agent.app.cli.common import printable
from nlp_agent.app.cli.terminal_language import in_terminal_language
from nlp_agent.app.config import LogConfig
from nlp_agent.errors import ConfigError, os_errors_as
from nlp_agent.known_secrets import without_secrets_in

_FORMAT = "%(asctime)s %(levelname)-7s %(message)s"
_LOGGERS = {
    "nlp_agent": logging.NOTSET,
    "websockets": logging.WARNING,
    "asyncio": logging.WARNING,
    "uvicorn": logging.ERROR,
}
"""Who writes about what strangers send, and from which level on it is told; each broken request is no news."""
_OF_STRANGERS = ("websockets", "asyncio", "uvicorn", "nlp_agent.arena", "nlp_agent.web")
_FEW, _MANY = 5, 100
"""Lines of one kind a minute on the screen: about what strangers do, and about all else."""
_KINDS = 1000


class OneLine(logging.Formatter):
    """A formatter that puts what happened on one line: names, talks and errors in it can neither steer a terminal nor
    look like other lines.

    The lines of a traceback are indented.
    """

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name is logging's
        """Return the message as one line, with how many like it were left out before."""
        if record.levelno >= logging.WARNING:
            record.message = in_terminal_language(record.message)
        left_out: int = getattr(record, "left_out", 0)
        more = f" ({left_out} lines like this one were left out)" if left_out else ""
        return printable(without_secrets_in(super().formatMessage(record))) + more

    def formatException(self, ei: Any) -> str:  # noqa: N802
        """Return a traceback, indented."""
        text = without_secrets_in(super().formatException(ei))
        return "\n".join(f"    {printable(line)}" for line in text.splitlines())


class SparingFilter(logging.Filter):
    """Lets so many lines of one kind pass a minute; how many were left out is told by the next one that passes.

    What a stranger sends must not be able to push everything else off the screen, nor to fill a disk through it.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._seen: dict[tuple[str, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is written, or only counted for the next one of its kind."""
        kind, now = (record.name, str(record.msg).partition("\n")[0]), self._clock()
        if len(self._seen) > _KINDS:
            self._seen.clear()
        began, count = self._seen.get(kind, (now, 0))
        most = _FEW if record.name.startswith(_OF_STRANGERS) else _MANY
        record.left_out = 0
        if now >= began + 60.0:
            record.left_out = max(0, count - most)
            began, count = now, 0
        self._seen[kind] = began, count + 1
        return count < most


def configure_logging(log: LogConfig, *, at_least: int = logging.NOTSET) -> Path | None:
    """Send what the package logs to standard error and, if wanted, to a file, whose path is returned.

    ``at_least`` raises the level on the screen, where a transcript is being shown.
    """
    level = logging.getLevelNamesMapping()[log.level.upper()]
    handlers: list[logging.Handler] = []
    path: Path | None = None
    if log.console_output:
        handlers.append(logging.StreamHandler(sys.stderr))
        handlers[-1].setLevel(max(level, at_least))
    if log.file_output:
        path = log.output_dir / f"{datetime.now().astimezone():%Y%m%d-%H%M%S}.log"
        with os_errors_as(ConfigError, f"cannot write to {log.output_dir}", key="log.output_dir"):
            path.parent.mkdir(parents=True, exist_ok=True)
            handlers.append(logging.FileHandler(path, encoding="utf-8", delay=True))
        handlers[-1].setLevel(level)
    handlers = handlers or [logging.NullHandler()]
    for handler in handlers:
        handler.setFormatter(OneLine(_FORMAT))
        handler.addFilter(SparingFilter())
    for name, least in _LOGGERS.items():
        logger = logging.getLogger(name)
        logger.handlers = list(handlers)
        logger.setLevel(max(level, least))
    logging.getLogger("nlp_agent").propagate = False
    return path
