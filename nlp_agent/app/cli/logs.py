"""Logging as the config wants it. Only the command line sets it up; the other rooms just log."""

from __future__ import annotations

import logging
import sys
from datetime import datetime
from pathlib import Path

from nlp_agent.app.config import LogConfig, LogRequestConfig
from nlp_agent.errors import ConfigError

_FORMAT = "%(asctime)s %(levelname)-7s %(message)s"


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
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handlers.append(logging.FileHandler(path, encoding="utf-8", delay=True))
        except OSError as error:
            message = f"cannot write to {log.output_dir}: {error.strerror}"
            raise ConfigError(message, key="log.output_dir") from error
        handlers[-1].setLevel(level)
    logger = logging.getLogger("nlp_agent")
    logger.handlers.clear()
    logger.setLevel(level)
    logger.propagate = False
    for handler in handlers or [logging.NullHandler()]:
        handler.setFormatter(logging.Formatter(_FORMAT))
        handler.addFilter(RequestFilter(log.request))
        logger.addHandler(handler)
    return path
