"""As a script: play whole games without a model, and print a line for every look outside that a pure room takes.

A pure room works with what it is given. So as long as a game is played, nothing is opened, connected, started or
imported, nobody asks for the environment or the time, and all chance comes from generators with a seed.
"""

from __future__ import annotations

import datetime
import os
import random
import sys
import time
from collections.abc import Callable, Iterator, MutableMapping
from typing import Any

_AUDITED = ("open", "import", "socket.", "subprocess.", "os.", "shutil.", "tempfile.", "urllib.")
_CLOCKS = ("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "sleep", "localtime")
_CHANCES = ("random", "randint", "randrange", "choice", "choices", "sample", "shuffle", "uniform", "gauss", "seed")

playing = False
looks: dict[str, None] = {}


def look(what: str) -> None:
    """Note ``what``, with the innermost place in the package from which it was done."""
    if not playing:
        return
    frame = sys._getframe(1)
    while frame.f_back is not None and "/nlp_agent/" not in frame.f_code.co_filename:
        frame = frame.f_back
    looks[f"{frame.f_code.co_filename.rpartition('/nlp_agent/')[2]}: {what}"] = None


def noted(what: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any, **more: Any) -> Any:
        look(what)
        return function(*args, **more)

    return call


class Environment(MutableMapping[str, str]):
    """Stands in for ``os.environ``."""

    def __init__(self, real: MutableMapping[str, str]) -> None:
        self._real = real

    def __getitem__(self, key: str) -> str:
        look(f"os.environ[{key!r}]")
        return self._real[key]

    def __setitem__(self, key: str, value: str) -> None:
        look(f"os.environ[{key!r}] = ...")
        self._real[key] = value

    def __delitem__(self, key: str) -> None:
        look(f"del os.environ[{key!r}]")
        del self._real[key]

    def __iter__(self) -> Iterator[str]:
        look("os.environ")
        return iter(self._real)

    def __len__(self) -> int:
        return len(self._real)


class Now(datetime.datetime):
    """Stands in for ``datetime.datetime``."""

    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> Now:
        look("datetime.now")
        return super().now(tz)


class Seeded(random.Random):
    """Stands in for ``random.Random``."""

    def seed(self, a: Any = None, version: int = 2) -> None:
        if a is None:
            look("a generator without a seed")
        super().seed(a, version)


def watch() -> None:
    """Put the stand-ins in place, before any module of the package can have taken hold of the real ones."""
    assert not any(name.startswith("nlp_agent") for name in sys.modules)
    for name in _CLOCKS:
        setattr(time, name, noted(f"time.{name}", getattr(time, name)))
    for name in _CHANCES:
        setattr(random, name, noted(f"random.{name}", getattr(random, name)))
    random.Random = Seeded  # type: ignore[misc]
    datetime.datetime = Now  # type: ignore[misc]
    os.environ = Environment(os.environ)  # type: ignore[assignment]  # noqa: B003
    os.urandom = noted("os.urandom", os.urandom)
    sys.addaudithook(_heard)


def _heard(event: str, args: tuple[object, ...]) -> None:
    if playing and event.startswith(_AUDITED):
        # Of what is imported, the package; of what is opened, the file without its folder.
        told = str(args[0]).partition(".")[0] if event == "import" else str(args[:1]).rpartition("/")[2]
        look(f"{event} {told}")


def main(*games: str) -> None:
    """Play ``games``, written like ``en-9-1``: language, seats, seed."""
    global playing  # noqa: PLW0603 - the audit hook cannot be taken away again
    watch()
    # Loaded late for a quick start: a seat's rehearsal does it before its game.
    import nlp_agent.belief.mixture
    import nlp_agent.belief.seat_posterior  # noqa: F401
    from tests.selfplay import invited, pack, play

    for language, size, seed in (game.split("-") for game in games):
        pack(language), invited(language)
        playing = True
        play(language, int(size), int(seed))
        playing = False
    print(*looks, sep="\n", end="")  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
