"""Logging as the config wants it. Only the command line sets it up; the other rooms just log."""

from __future__ import annotations

import logging
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

from nlp_agent.app.cli.common import printable
from nlp_agent.app.config import LogConfig, LogRequestConfig
from nlp_agent.errors import ConfigError, os_errors_as
from nlp_agent.known_secrets import without_secrets_in

_FORMAT = "%(asctime)s %(levelname)-7s %(message)s"
_LOGGERS = ("nlp_agent", "websockets", "asyncio")
"""Who writes about what strangers send."""


class OneLine(logging.Formatter):
    """One happening, one line: names, talks and errors in it can neither steer a terminal nor look like other lines.

    The lines of a traceback are indented.
    """

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name is logging's
        return printable(without_secrets_in(super().formatMessage(record)))

    def formatException(self, ei: Any) -> str:  # noqa: N802
        told = without_secrets_in(super().formatException(ei))
        return "\n".join(f"    {printable(line)}" for line in told.splitlines())


class RequestFilter(logging.Filter):
    """Drops records whose ``request`` (``extra={"request": "TALK"}``) is switched off in ``log.request``."""

    def __init__(self, wanted: LogRequestConfig) -> None:
        super().__init__()
        self._off = {name.upper() for name, on in wanted.model_dump().items() if not on}

    def filter(self, record: logging.LogRecord) -> bool:
        # Warnings and errors are always worth seeing.
        return record.levelno >= logging.WARNING or getattr(record, "request", "") not in self._off


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
        handler.addFilter(RequestFilter(log.request))
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers = list(handlers)
        logger.setLevel(level if name == "nlp_agent" else max(level, logging.WARNING))
    logging.getLogger("nlp_agent").propagate = False
    return path
