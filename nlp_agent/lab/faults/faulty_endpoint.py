"""An endpoint that answers wrongly now and then, and remembers when."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from nlp_agent.lab.faults.kinds import Strikes
from nlp_agent.lab.replies import Behaviour, HttpReply

WrongReply = Callable[[dict[str, Any]], HttpReply | None]
"""From a chat request to the wrong reply; ``None`` where this fault does not show."""


@dataclass
class FaultyEndpoint:
    """A :data:`~nlp_agent.lab.replies.Behaviour`: ``wrong`` by ``strikes``, else ``usual``.

    ``struck`` holds the last message of every request that was struck.
    """

    usual: Behaviour
    wrong: WrongReply | None = None
    strikes: Strikes = field(default_factory=Strikes)
    struck: list[str] = field(default_factory=list)
    chats: int = 0
    _waiting: list[asyncio.Future[None]] = field(default_factory=list)

    def __call__(self, chat: dict[str, Any]) -> HttpReply:
        number, self.chats = self.chats, self.chats + 1
        self._tell()
        most = self.strikes.most
        if self.wrong is None or number % self.strikes.every or (most is not None and len(self.struck) >= most):
            return self.usual(chat)
        reply = self.wrong(chat)
        if reply is None:
            return self.usual(chat)
        self.struck.append(last_message(chat))
        return reply

    async def next_chat(self) -> None:
        """Wait until something is asked: from then on somebody is thinking."""
        future = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        await future

    def _tell(self) -> None:
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)


def any_of(replies: Sequence[WrongReply], random: Random, share: float) -> WrongReply:
    """One of ``replies``, for a ``share`` of the requests."""
    return lambda chat: random.choice(replies)(chat) if random.random() < share else None


def last_message(chat: Mapping[str, Any]) -> str:
    messages = chat.get("messages") or [{}]
    return str(messages[-1].get("content") or "")
