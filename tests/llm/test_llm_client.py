"""Opening the client costs a process no more than its questions need."""

from __future__ import annotations

import subprocess
import sys

ASK = """
import asyncio, sys
from nlp_agent.deadline import Deadline
from nlp_agent.lab.loopback import Loopback
from nlp_agent.llm.endpoint import EndpointConfig, EndpointModel
from nlp_agent.llm.model import Ask, Message

def loaded():
    return {name for name in sys.modules if name.startswith("openai")}

async def main():
    async with Loopback() as endpoint:
        model = EndpointModel(EndpointConfig(base_url=endpoint.base_url, model="m"))
        await model.warm()
        before = loaded()
        answer = await model.ask(Ask((Message("user", "speak"),), "TALK"), Deadline.after(60))
        await model.aclose()
    print(bool(answer.text), "openai.types.responses.response" in before, sorted(loaded() - before))

asyncio.run(main())
import openai
from openai.types.chat import ChatCompletion
print(ChatCompletion.__name__, openai.types.CompletionUsage.__name__, openai.types.responses.Response.__name__)
"""


def test_types_of_other_answers_are_loaded_only_for_who_asks_for_them() -> None:
    """Neither opening nor asking loads them, nothing is loaded while an answer is waited for, and all can be had."""
    done = subprocess.run([sys.executable, "-c", ASK], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines() == ["True False []", "ChatCompletion CompletionUsage Response"]
