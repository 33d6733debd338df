"""Tasks of the event loop that nobody waits for any more."""

from __future__ import annotations

import asyncio
from typing import Any


async def end_tasks(*tasks: asyncio.Future[Any]) -> None:
    """Cancel ``tasks`` and wait until all have ended, in whatever way; safe for those that have ended already."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
