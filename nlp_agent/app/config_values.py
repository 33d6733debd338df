"""Values that keys of a config may have: what is taken, and in what words the rest is refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field


def server_url(url: str) -> str:
    """Where a game server is: its WebSocket, or a classic server."""
    if not re.match(r"wss?://[^/\s]+|tcp://[^/\s]+:[0-9]{1,5}$", url):
        raise ValueError(
            "expected an address such as ws://127.0.0.1:8080/ws, wss://host/ws, or tcp://host:10000 of a classic server"
        )
    return url


def http_url(url: str) -> str:
    """The address of an endpoint, or none."""
    if url and not re.match(r"https?://[^/\s]+", url):
        raise ValueError("expected an address such as https://api.openai.com/v1 or http://127.0.0.1:11434/v1")
    return url.rstrip("/")


def env_name(name: str) -> str:
    """The name of an environment variable."""
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,63}", name):
        raise ValueError("expected the NAME of an environment variable, such as OPENAI_API_KEY, never the key itself")
    return name


def unset(empty: str | dict[str, Any] | tuple[()]) -> BeforeValidator:
    """A key without a value is as good as none: it holds ``empty``."""
    return BeforeValidator(lambda value: empty if value is None else value)


def one_or_many(value: Any) -> Any:
    """A list may be written as its only item."""
    if value is None or value == "":
        return ()
    return (str(value),) if isinstance(value, (str, Path)) else value


def ordered(span: tuple[float, float]) -> tuple[float, float]:
    """A span begins before it ends."""
    if span[0] > span[1]:
        raise ValueError("expected [least, most], the smaller first")
    return span


_SPAN = re.compile(r"([0-9]+(?:\.[0-9]+)?) *(ms|s|m)?")
_UNITS = {"ms": 1, "s": 1000, "m": 60_000}


def milliseconds(value: Any) -> int:
    """A time such as 30s or 10m; seconds without a unit."""
    match = _SPAN.fullmatch(str(value))
    if match is None:
        raise ValueError("expected a time such as 30s or 10m")
    return int(float(match[1]) * _UNITS[match[2] or "s"])


def lower(value: Any) -> Any:
    """Case is no matter."""
    return value.lower() if isinstance(value, str) else value


Text = Annotated[str, unset("")]
Level = Literal["debug", "info", "warning", "error", "critical"]
Price = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
NonNegative = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Span = Annotated[tuple[NonNegative, NonNegative], AfterValidator(ordered)]
