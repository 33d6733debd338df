"""The scripted model in a process of its own, for ``make bench``, with a sign in a file for every question.

``python -m tests.bench.counted_model FILE SECONDS`` thinks for so many seconds before each first word.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

from nlp_agent.llm.loopback import Behaviour, HttpReply, Loopback, after, talkative


def counted(behaviour: Behaviour, log: Path) -> Behaviour:
    """``behaviour``, with a dot in ``log`` for every question, and a stroke for one whose answer is streamed."""

    def behave(request: dict[str, Any]) -> HttpReply:
        with log.open("a", encoding="ascii") as file:
            file.write("|" if request.get("stream") else ".")
        return behaviour(request)

    return behave


async def serve(log: Path, seconds: float) -> None:
    """Answer until this process is ended; the address is told on standard output."""
    async with Loopback(counted(after(seconds, talkative()), log)) as endpoint:
        sys.stdout.write(f"{endpoint.base_url}\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), float(sys.argv[2])))
