"""The trial of an endpoint before a match finds what is wrong and says what to do."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from nlp_agent.deadline import Deadline
from nlp_agent.llm.check import CheckResult, probe
from nlp_agent.llm.endpoint import EndpointConfig
from nlp_agent.llm.loopback import Behaviour, HttpReply, Loopback, failing, saying, talkative

RIGHT = EndpointConfig(model="small", api_key="right-key", key_env="MY_KEY")


def findings(
    config: EndpointConfig, behaviour: Behaviour | None = None, *, models: Sequence[str] = ("small", "large")
) -> list[CheckResult]:
    async def run() -> list[CheckResult]:
        async with Loopback(behaviour, key="right-key", models=models) as endpoint:
            here = replace(config, base_url=endpoint.base_url)
            return await probe(here, Deadline.after(30))

    return asyncio.run(run())


def test_a_good_endpoint_is_found_good() -> None:
    """Both trials pass; every finding is one line."""
    found = findings(RIGHT)
    assert [(finding.level, finding.what) for finding in found] == [("ok", "target"), ("ok", "talk")]
    assert all("\n" not in finding.message for finding in found)


@pytest.mark.parametrize(
    ("config", "what", "advice"),
    [
        (replace(RIGHT, api_key="wrong-key"), "key", "MY_KEY"),
        (replace(RIGHT, model="smal"), "model", "did you mean 'small'?"),
        (replace(RIGHT, model=""), "model", "llm.model"),
    ],
)
def test_wrong_setting_is_one_error_with_advice(config: EndpointConfig, what: str, advice: str) -> None:
    """A wrong setting is one error that says what to do.

    Key, model name, no model name.
    """
    (found,) = findings(config)
    assert (found.level, found.what) == ("error", what)
    assert advice in found.message
    assert "wrong-key" not in found.message


def test_a_missing_key_is_told_without_asking_anybody() -> None:
    """An address outside the house needs a key."""
    config = replace(RIGHT, api_key="", base_url="https://llm.example/v1")
    (found,) = asyncio.run(probe(config, Deadline.after(30)))
    assert (found.level, found.what) == ("error", "key")
    assert "MY_KEY" in found.message


def test_a_server_at_home_that_wants_a_key_is_told() -> None:
    """Where no key is set and a server at home wants one, the variable is said to be missing, not to be wrong."""
    like = " (mine/.env has MY_KY: is that name right?)"
    (found,) = findings(replace(RIGHT, api_key="", key_file="mine/.env", key_hint=like))
    assert found.message.endswith(
        "wants a key (HTTP 401): the variable MY_KEY is not set; set it in the environment or in mine/.env"
        " (mine/.env has MY_KY: is that name right?)"
    )


def test_the_place_of_a_second_endpoint_is_named() -> None:
    """An endpoint of ``llm.endpoints`` that does not answer is not looked for under ``llm.base_url``."""
    (found,) = findings(replace(RIGHT, model="smal", section="llm.endpoints"))
    assert "check llm.endpoints.model and whether llm.endpoints.base_url ends" in found.message


def test_nobody_listening_is_told() -> None:
    """The address is named."""

    async def run() -> list[CheckResult]:
        async with Loopback() as endpoint:
            address = endpoint.base_url
        return await probe(replace(RIGHT, base_url=address), Deadline.after(30))

    (found,) = asyncio.run(run())
    assert (found.level, found.what) == ("error", "address")
    assert "127.0.0.1" in found.message


def test_missing_json_schema_support_is_a_warning() -> None:
    """A model without json_schema is a warning that names the setting.

    The step-down is shown, and which key in the config spares it.
    """
    good = talkative()

    def behave(request: dict[str, Any]) -> HttpReply:
        if "response_format" in request:
            return failing(400, "response_format is not supported")
        return saying(request, "Ken") if not request.get("stream") else good(request)

    target, talk = findings(RIGHT, behave)
    assert target.level == "warning"
    assert "structured" in target.message
    assert talk.level == "ok"


def test_model_that_never_finishes_gives_a_warning() -> None:
    """A model that never finishes a talk is a warning.

    A cap that is too small shows before the match.
    """
    good = talkative()

    def behave(request: dict[str, Any]) -> HttpReply:
        return saying(request, "Good mor", finish="length") if request.get("stream") else good(request)

    target, talk = findings(RIGHT, behave)
    assert target.level == "ok"
    assert talk.level == "warning"
    assert "max_tokens" in talk.message
