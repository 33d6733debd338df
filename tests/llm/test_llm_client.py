"""The client of an endpoint is ready before anybody asks."""

from __future__ import annotations

import asyncio
import sys

from nlp_agent.lab.loopback import Loopback

_ASK = """
import asyncio, sys
from nlp_agent.deadline import Deadline
from nlp_agent.llm.endpoint import EndpointConfig, EndpointModel
from nlp_agent.llm.model import Ask, Message

async def main():
    model = EndpointModel(EndpointConfig(base_url=sys.argv[1], model="m"))
    await model.warm()
    before = set(sys.modules)
    answer = await model.ask(Ask((Message("user", "speak"),), "TALK"), Deadline.after(60))
    print(bool(answer.text), *sorted(set(sys.modules) - before))
    await model.aclose()

asyncio.run(main())
"""


def test_a_first_question_loads_nothing() -> None:
    """Whatever a question needs was loaded with the client, before the game."""

    async def main() -> bytes:
        async with Loopback() as endpoint, asyncio.timeout(60):
            command = (sys.executable, "-c", _ASK, endpoint.base_url)
            asking = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
            return (await asking.communicate())[0]

    assert asyncio.run(main()).decode().split() == ["True"]
