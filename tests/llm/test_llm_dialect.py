"""What is sent, and what is left out after a refusal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nlp_agent.llm.model import Message, Question
from nlp_agent.llm.request import Capabilities, EndpointConfig, build_request, step_down

TALK = Question((Message("system", "rules"), Message("user", "speak")), "TALK")
VOTE = replace(TALK, purpose="VOTE", choices=("Mina", "Ken"))
FULL = EndpointConfig(model="m", seed=1, temperature=0.7, reasoning_effort="high")


def test_target_question_has_a_strict_schema() -> None:
    """A target question lists the legal names in a strict schema.

    The schema allows exactly the choices; nothing is streamed.
    """
    request = build_request(FULL, Capabilities.of(FULL), VOTE)
    schema = request["response_format"]["json_schema"]
    assert schema["strict"] is True
    assert schema["schema"]["properties"]["target"]["enum"] == ["Mina", "Ken"]
    assert "stream" not in request
    assert "stream_options" not in request


def test_json_object_prompts_contain_the_word_json() -> None:
    """The word JSON is in the prompt for JSON objects, and earlier messages stay the same.

    OpenAI refuses json_object without that word; the prefix must stay cacheable.
    """
    dialect = replace(Capabilities.of(FULL), structured="json_object")
    request = build_request(FULL, dialect, VOTE)
    assert "JSON" in request["messages"][-1]["content"]
    assert request["messages"][0] == {"role": "system", "content": "rules"}


@pytest.mark.parametrize(
    ("base_url", "token_field"),
    [
        ("https://api.openai.com/v1", "max_completion_tokens"),
        ("https://x.openai.azure.com/v1", "max_completion_tokens"),
        ("http://localhost:11434/v1", "max_tokens"),
        ("https://proxy.example/api.openai.com/v1", "max_tokens"),
    ],
)
def test_the_token_field_suits_the_endpoint(base_url: str, token_field: str) -> None:
    """Only where max_tokens is refused the newer name is used from the start."""
    config = EndpointConfig(base_url=base_url)
    assert token_field in build_request(config, Capabilities.of(config), TALK)


@pytest.mark.parametrize(
    ("complaint", "ask", "gone"),
    [
        ("Unsupported parameter: 'seed'", TALK, "seed"),
        ("Unsupported value: 'temperature' does not support 0.7", TALK, "temperature"),
        ("unsupported_value reasoning_effort", TALK, "reasoning_effort"),
        ("stream_options is not supported", TALK, "stream_options"),
        ("streaming is not supported", TALK, "stream"),
        ("Use 'max_tokens' and not 'max_completion_tokens'", TALK, "max_completion_tokens"),
    ],
)
def test_what_a_refusal_names_is_left_out(complaint: str, ask: Question, gone: str) -> None:
    """One refusal changes one thing, and it is the thing that was named."""
    dialect = Capabilities.of(FULL)
    before = build_request(FULL, dialect, ask)
    assert gone in before
    lower = step_down(dialect, before, complaint)
    assert lower is not None
    after = build_request(FULL, lower[0], ask)
    assert gone not in after
    kept = set(before) - {gone, "stream_options"}
    assert kept <= set(after)


def test_structured_output_becomes_plainer_step_by_step() -> None:
    """json_schema, then json_object, then plain text."""
    dialect = Capabilities.of(FULL)
    seen = []
    for _ in range(2):
        lower = step_down(dialect, build_request(FULL, dialect, VOTE), "response_format is not supported")
        assert lower is not None
        dialect = lower[0]
        seen.append(dialect.structured)
    assert seen == ["json_object", "plain"]
    assert "response_format" not in build_request(FULL, dialect, VOTE)
    assert step_down(dialect, build_request(FULL, dialect, VOTE), "response_format") is None


@pytest.mark.parametrize("ask", [TALK, VOTE])
def test_unexplained_refusal_ends_after_few_steps(ask: Question) -> None:
    """A refusal without reason ends after a few steps.

    Features go one at a time until nothing is left; it never turns in a circle.
    """
    dialect, steps = Capabilities.of(FULL), 0
    while lower := step_down(dialect, build_request(FULL, dialect, ask), "Bad Request"):
        dialect, steps = lower[0], steps + 1
        assert steps < 10
    request = build_request(FULL, dialect, ask)
    assert not {"seed", "temperature", "reasoning_effort", "response_format", "stream_options"} & set(request)


def test_findings_of_two_seats_are_merged() -> None:
    """Seats learn at the same time; neither finding is lost."""
    start = Capabilities.of(FULL)
    one = replace(start, dropped=frozenset({"seed"}), structured="json_object")
    two = replace(start, token_field="max_tokens", dropped=frozenset({"token field"}), cap_factor=4)
    both = start.merged(one).merged(two)
    assert both.structured == "json_object"
    assert both.token_field == "max_tokens"
    assert {"seed", "token field"} <= both.dropped
    assert both.cap_factor == 4


def test_more_room_means_larger_cap_and_less_effort() -> None:
    """A model that only thought is given room, up to a limit."""
    dialect = Capabilities.of(FULL)
    request = build_request(FULL, dialect.roomier(), TALK)
    assert request["max_completion_tokens"] == 4096
    assert request["reasoning_effort"] == "low"
    for _ in range(6):
        dialect = dialect.roomier()
    assert build_request(FULL, dialect, TALK)["max_completion_tokens"] == 32_768


def test_the_key_is_not_shown() -> None:
    """Whoever prints the config sees no key and no header."""
    config = EndpointConfig(api_key="sk-sentinel", extra_headers={"X-Key": "sentinel-header"})
    assert "sentinel" not in repr(config)
