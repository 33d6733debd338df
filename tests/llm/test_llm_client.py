"""The client of an endpoint is ready before anybody asks."""

from __future__ import annotations

import asyncio
import ssl
import sys

import pytest

from nlp_agent.llm.client import open_client
from nlp_agent.llm.loopback import Loopback
from nlp_agent.llm.request import EndpointConfig

_ASK = """
import asyncio, sys
from nlp_agent.deadline import Deadline
from nlp_agent.llm.endpoint import EndpointConfig, EndpointModel
from nlp_agent.llm.model import Question, Message

async def main():
    model = EndpointModel(EndpointConfig(base_url=sys.argv[1], model="m"))
    await model.warm()
    before = set(sys.modules)
    answer = await model.ask(Question((Message("user", "speak"),), "TALK"), Deadline.after(60))
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


@pytest.mark.parametrize(
    ("base_url", "loaded"),
    [("http://127.0.0.1:9/v1", False), ("https://127.0.0.1:9/v1", True), ("http://llm.example/v1", True)],
)
def test_certificates_are_loaded_only_where_needed(
    base_url: str, loaded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Certificates are loaded where a server may need them.

    Not for one on this very machine that is asked without encryption.
    """
    made: list[object] = []
    for way in ("load_default_certs", "load_verify_locations", "set_default_verify_paths"):
        monkeypatch.setattr(ssl.SSLContext, way, lambda *given, **_: made.append(given))
    open_client(EndpointConfig("a", base_url, "m", "k"))
    assert bool(made) is loaded
