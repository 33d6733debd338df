"""The plainest player with the ``openai`` client, to measure ours by: ``python -m tests.bench.bare WS LLM SEATS``.

It answers whatever the endpoint says, streamed, in a conversation that grows; it checks nothing and knows no deadline.
Nothing of the product is imported.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from typing import Any

from openai import AsyncOpenAI
from websockets.asyncio.client import connect

_TALKS = ("TALK", "WHISPER")
_TARGETS = ("VOTE", "DIVINE", "GUARD", "ATTACK")
_LENGTH = 125


class Bare:
    """One seat: packets in, at most one reply each."""

    def __init__(self, client: AsyncOpenAI, name: str) -> None:
        self._client, self._name = client, name
        self._messages: list[Any] = []
        self._news: list[str] = []
        self._others: list[str] = []

    async def reply(self, packet: dict[str, Any]) -> str | None:
        """What to send; None where nothing is asked."""
        request, info = packet["request"], packet.get("info") or {}
        if request == "NAME":
            return self._name
        if request == "INITIALIZE":
            told = (
                f"You are {info['agent']} in a game of Werewolf. Roles: {info['role_map']}.\n{info.get('profile', '')}"
            )
            self._messages.append({"role": "system", "content": f"{told}\nReply with one short sentence, no commas."})
        for history in ("talk_history", "whisper_history"):
            self._news += [f"{talk['agent']}: {talk['text']}" for talk in packet.get(history) or []]
        status = info.get("status_map") or {}
        self._others = [name for name, state in status.items() if state == "ALIVE" and name != info["agent"]]
        if request in _TALKS:
            return (await self._ask("It is your turn to talk."))[:_LENGTH].replace(",", " ") or "Over"
        if request in _TARGETS:
            said = await self._ask(f"{request}: answer with one name of {', '.join(self._others)}.")
            return next((name for name in self._others if name in said), self._others[0])
        return None

    async def _ask(self, what: str) -> str:
        self._messages.append({"role": "user", "content": "\n".join([*self._news, what])})
        self._news.clear()
        stream = await self._client.chat.completions.create(model="loopback", messages=self._messages, stream=True)
        parts = [chunk.choices[0].delta.content or "" async for chunk in stream if chunk.choices]
        self._messages.append({"role": "assistant", "content": "".join(parts)})
        return "".join(parts)


async def play(url: str, llm: str, seats: int) -> None:
    """One game with so many seats in this process."""
    async with AsyncOpenAI(base_url=llm, api_key="none", max_retries=0) as client:

        async def sit(number: int) -> None:
            player = Bare(client, f"bare{number}")
            async with connect(url, compression=None, max_size=None) as ws:
                async for frame in ws:
                    packet = json.loads(frame)
                    reply = await player.reply(packet)
                    if reply is not None:
                        await ws.send(reply)
                    if packet["request"] == "FINISH":
                        return

        await asyncio.gather(*(sit(number) for number in range(1, seats + 1)))


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bare", description=__doc__)
    parser.add_argument("url", help="the table's address, ws://...")
    parser.add_argument("llm", help="base_url of the endpoint")
    parser.add_argument("seats", type=int)
    options = parser.parse_args()
    asyncio.run(play(options.url, options.llm, options.seats))
    return 0


if __name__ == "__main__":
    sys.exit(main())
