"""Where a Chromium is, and an application of ours running beside the test."""

from __future__ import annotations

import asyncio
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import TypeVar

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge", "msedge")
MISSING = (
    "no browser for the tests of the pages: install Chromium (apt install chromium), Chrome or Edge, "
    "or name one in NLP_AGENT_BROWSER"
)
ALWAYS = "NLP_AGENT_BROWSER_TESTS"
"""Set to ``always`` where a missing browser is a failure, as in continuous integration."""
_OFF = (
    # Pages of the address bar that nobody sees: drawn anew for every profile, half a second each.
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup"),
    # What Playwright turns off and would be on again: of two such lists the browser takes the last.
    *("AimEnabled", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "MediaRouter", "NetworkTimeServiceQuerying"),
    *("OptimizationHints", "PaintHolding", "PreconnectToSearch"),
)
ARGUMENTS = (
    *("--no-sandbox", "--disable-dev-shm-usage", f"--disable-features={','.join(_OFF)}"),
    # Fewer processes: what our pages show is no danger to each other, and a core draws as well as a missing card.
    *("--disable-site-isolation-trials", "--renderer-process-limit=1", "--disable-gpu-compositing"),
)
"""What the browser is started with."""
T = TypeVar("T")


def find_browser() -> str | None:
    """The path of a Chromium, Chrome or Edge on this machine."""
    names = filter(None, (os.environ.get("NLP_AGENT_BROWSER"), *BROWSERS))
    return next(filter(None, map(shutil.which, names)), None)


@contextmanager
def running(make: Callable[[], AbstractAsyncContextManager[T]]) -> Iterator[tuple[T, asyncio.AbstractEventLoop]]:
    """What ``make`` opens, open in an event loop of its own thread; and that loop."""
    ready = threading.Event()
    found: list[tuple[T, asyncio.AbstractEventLoop, asyncio.Event]] = []
    failed: list[BaseException] = []

    async def serve() -> None:
        leave = asyncio.Event()
        async with make() as thing:
            found.append((thing, asyncio.get_running_loop(), leave))
            ready.set()
            await leave.wait()

    def work() -> None:
        try:
            asyncio.run(serve())
        except BaseException as error:
            failed.append(error)
        finally:
            ready.set()

    thread = threading.Thread(target=work)
    thread.start()
    ready.wait()
    if failed:
        thread.join()
        raise failed[0]
    thing, loop, leave = found[0]
    try:
        yield thing, loop
    finally:
        loop.call_soon_threadsafe(leave.set)
        thread.join()
        if failed:
            raise failed[0]
