"""Everything this package raises on purpose. Each message tells the user what to do next."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Self


class AlertMessage(str):
    """A status text that is shown as an alert: somebody may have to act on it."""

    __slots__ = ()


class RetryMessage(AlertMessage):
    """The alert that another attempt follows. ``error`` tells alone why: the text also says when, which differs."""

    __slots__ = ("error",)
    error: str

    def __new__(cls, text: str, error: str = "") -> Self:
        """Make the alert ``text`` about ``error``."""
        message = super().__new__(cls, text)
        message.error = error
        return message


class NlpAgentError(Exception):
    """Base of all errors raised on purpose; the command line prints it as one line."""


class ConfigError(NlpAgentError):
    """A configuration file cannot be used.

    Attributes: ``file`` as the user named it, ``key`` as a dotted path, ``choices`` the valid values, ``others`` the
    faults of the same file that were found along with this one.
    """

    def __init__(
        self,
        message: str,
        *,
        file: str = "",
        key: str = "",
        choices: Iterable[str] = (),
        others: Iterable[ConfigError] = (),
    ) -> None:
        self.file, self.key, self.choices, self.others = file, key, tuple(choices), tuple(others)
        place = ": ".join(part for part in (file, key) if part)
        self.message, self.alone = message, f"{place}: {message}" if place else message
        """What is wrong, and that with its place; neither has a word about the others."""
        more = f"; {len(self.others)} more, listed by nlp-agent check {file}" if self.others else ""
        super().__init__(f"{self.alone}{more}")


class PackError(NlpAgentError):
    """A language pack cannot be used. ``file`` and ``line`` point at the fault when known.

    ``others``: faults of the same pack that were found along with this one.
    """

    def __init__(
        self, message: str, *, file: str = "", line: int | None = None, others: Iterable[PackError] = ()
    ) -> None:
        self.file, self.line, self.others = file, line, tuple(others)
        place = f"{file}:{line}" if file and line else file
        super().__init__(f"{place}: {message}" if place else message)


class ProtocolError(NlpAgentError):
    """A frame from the server is not a packet."""


class LlmError(NlpAgentError):
    """A model gave no usable answer.

    Attributes: ``kind`` one of ``"auth"``, ``"refused"``, ``"model"``, ``"rate"``, ``"server"``, ``"unreachable"``,
    ``"timeout"``, ``"empty"``, ``"request"``, ``"other"``; ``status`` the HTTP status when there was one;
    ``retry_after`` seconds the endpoint asked us to wait.
    """

    def __init__(
        self, message: str, *, kind: str = "other", status: int | None = None, retry_after: float | None = None
    ) -> None:
        self.kind, self.status, self.retry_after = kind, status, retry_after
        super().__init__(message)


class SessionError(NlpAgentError):
    """The connection to the game server failed. ``transient`` says whether trying again makes sense."""

    def __init__(self, message: str, *, transient: bool = True) -> None:
        self.transient = transient
        super().__init__(message)


class TableError(NlpAgentError):
    """The local table cannot open or seat a game as asked."""


class StudyError(NlpAgentError):
    """There is nothing to study as asked: no game logs, or a file of odds that cannot be used."""


_MANY = 20
"""Choices beyond which a list of them helps nobody."""


def did_you_mean(word: str, choices: Iterable[str]) -> str:
    """A hint such as ``did you mean 'team'? (valid: num, team)``; never empty when there are choices. Of very many, the
    likely one is told alone.
    """
    known = list(map(str, choices))
    near = nearest(word, known)
    if near and len(known) > _MANY:
        return f"did you mean {near!r}?"
    hint = f"did you mean {near!r}? " if near else ""
    return f"{hint}(valid: {', '.join(known)})" if known else ""


def nearest(word: str, choices: Iterable[str], cutoff: float = 0.5) -> str:
    """The one of ``choices`` that was probably meant by ``word``, or ``""``; ``cutoff``: how alike they must be, from 0
    to 1 (alike in every letter)."""
    return next(iter(get_close_matches(word, list(choices), n=1, cutoff=cutoff)), "")


def without_extra(what: str, extra: str) -> str:
    """Say that ``what`` (such as "a report") cannot be done here, and how the extra it needs is installed."""
    return (
        f"{what} needs the extra {extra}, which is not installed. In the repository: .venv/bin/pip install "
        f'-e ".[{extra}]" (with uv: uv pip install -e ".[{extra}]"). With a wheel install its file once more, with '
        f"[{extra}] behind its name"
    )


@contextmanager
def os_errors_as(error: Callable[..., Exception], what: str, **place: str) -> Iterator[None]:
    """Raise what the system refuses to do here as ``error``: ``what`` cannot be done, and why."""
    try:
        yield
    except OSError as problem:
        raise error(f"{what}: {problem.strerror}", **place) from problem


def os_reason(error: OSError) -> str:
    """Say what went wrong in the system's own few words; asyncio puts an essay in their place."""
    return os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror or str(error)
