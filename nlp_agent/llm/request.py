"""What is sent to an endpoint, and how to ask for less once it has refused something (HTTP 400)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal
from urllib.parse import urlsplit

from nlp_agent.llm.model import Prices, Question

Structured = Literal["json_schema", "json_object", "plain"]
TokenField = Literal["auto", "max_completion_tokens", "max_tokens"]

STRUCTURED: tuple[Structured, ...] = ("json_schema", "json_object", "plain")
LARGEST_CAP = 32_768
_CAP_STEP = 4

# Servers on this machine or in the same building ask for no key.
_AT_HOME = re.compile(
    r"localhost$|::1$|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|[^.]+$|.*\.(?:local|internal|lan)$"
)

# Only these hosts refuse ``max_tokens``; servers at home may ignore the newer name without a word, and then
# have no cap.
_NEW_TOKEN_FIELD = re.compile(r"^https?://[^/]*(api\.openai\.com|\.azure\.com)", re.IGNORECASE)
_SHORTEST_KEY = 6
_SHORTEST_SECRET = 12


@dataclass(frozen=True)
class EndpointConfig:
    """The address of an OpenAI-compatible endpoint and what it can do. The key is never shown by ``repr``.

    For messages only: ``key_env`` names the environment variable the key came from, ``key_file`` the ``.env`` it may
    be put into, ``key_hint`` tells of a variable with nearly that name, and ``section`` is where the config names the
    endpoint. ``temperature``, ``seed`` and
    ``reasoning_effort`` are sent only when set. ``max_tokens`` caps an answer unless the question brings its own cap.
    ``structured`` is the form for target questions to try first. ``headless_thinking``: the model begins in the middle
    of its thoughts and only closes them (``</think>``); None finds out by reading the first answer to its end.
    ``concurrency`` limits open requests over all seats; ``attempts`` the calls for one question when calls fail.
    ``prices`` None: nobody said what it costs.
    """

    name: str = "llm"
    base_url: str = "https://api.openai.com/v1"
    model: str = ""
    api_key: str = field(default="", repr=False)
    key_env: str = "OPENAI_API_KEY"
    key_file: str = ".env"
    key_hint: str = ""
    section: str = "llm"
    temperature: float | None = None
    max_tokens: int | None = 1024
    token_field: TokenField = "auto"
    stream: bool = True
    structured: Structured | Literal["auto"] = "auto"
    seed: int | None = None
    reasoning_effort: str = ""
    headless_thinking: bool | None = None
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    extra_headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    concurrency: int = 16
    attempts: int = 3
    prices: Prices | None = None

    @property
    def secrets(self) -> tuple[str, ...]:
        """The texts that must never be shown: the key and the values of extra headers; too short ones are only
        words.
        """
        values = (value for value in self.extra_headers.values() if len(value) >= _SHORTEST_SECRET)
        key = self.api_key.strip()
        return (*((key,) if len(key) >= _SHORTEST_KEY else ()), *values)

    @property
    def key_advice(self) -> str:
        """What is to be done about a key that is not there."""
        return f"the variable {self.key_env} is not set; set it in the environment or in {self.key_file}{self.key_hint}"

    @property
    def lacks_key(self) -> bool:
        """Whether there is no key, though the endpoint is not a server at home, which asks for none."""
        host = urlsplit(self.base_url).hostname or ""
        return not self.api_key.strip() and _AT_HOME.match(host) is None


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The abilities that an endpoint has been found to have. They only ever become fewer, so two findings can be
    merged.
    """

    structured: Structured
    token_field: str
    dropped: frozenset[str] = frozenset()
    cap_factor: int = 1

    @classmethod
    def of(cls, config: EndpointConfig) -> Capabilities:
        """The abilities that are assumed of an endpoint before it has refused anything, by its ``config``."""
        token_field: str = config.token_field
        if token_field == "auto":
            token_field = "max_completion_tokens" if _NEW_TOKEN_FIELD.match(config.base_url) else "max_tokens"
        structured = STRUCTURED[0] if config.structured == "auto" else config.structured
        return cls(structured, token_field)

    def merged(self, other: Capabilities) -> Capabilities:
        """Merge two findings; ``other`` is the newer one."""
        plainer = max(self.structured, other.structured, key=STRUCTURED.index)
        token_field = other.token_field if "token field" in other.dropped else self.token_field
        return Capabilities(plainer, token_field, self.dropped | other.dropped, max(self.cap_factor, other.cap_factor))

    def roomier(self) -> Capabilities:
        """The same for a model that spent its whole cap on thinking: a larger cap and less effort."""
        return replace(self, cap_factor=self.cap_factor * _CAP_STEP, dropped=self.dropped | {"more than low effort"})


def build_request(config: EndpointConfig, dialect: Capabilities, ask: Question) -> dict[str, Any]:
    """Make the keyword arguments for ``chat.completions.create``."""
    messages = [{"role": message.role, "content": message.content} for message in ask.messages]
    request: dict[str, Any] = {"model": config.model, "messages": messages}
    cap = ask.max_tokens or config.max_tokens
    if cap is not None:
        request[dialect.token_field] = min(cap * dialect.cap_factor, max(cap, LARGEST_CAP))
    if config.temperature is not None:
        request["temperature"] = config.temperature
    if config.seed is not None:
        request["seed"] = config.seed
    if config.reasoning_effort:
        request["reasoning_effort"] = _effort(config.reasoning_effort, dialect)
    if ask.choices:
        _ask_for_choice(request, dialect.structured, ask.choices)
    elif ask.schema is not None:
        _ask_for_json(request, dialect.structured, "answer", ask.schema)
    if config.stream and not ask.choices and (ask.schema is None or ask.enough is not None):
        request["stream"] = True
        request["stream_options"] = {"include_usage": True}
    if "stream" in dialect.dropped:
        request.pop("stream", None)
    for key in dialect.dropped if "stream" in request else dialect.dropped | {"stream_options"}:
        request.pop(key, None)
    if config.extra_body or ask.body:
        request["extra_body"] = {**config.extra_body, **ask.body}
    if config.extra_headers:
        request["extra_headers"] = dict(config.extra_headers)
    return request


def _effort(effort: str, dialect: Capabilities) -> str:
    lowered = "more than low effort" in dialect.dropped and effort not in {"none", "minimal"}
    return "low" if lowered else effort


def _ask_for_choice(request: dict[str, Any], structured: Structured, choices: tuple[str, ...]) -> None:
    """Ask for one of ``choices`` in the best form understood. The schema is strict and lists the legal names."""
    schema = {
        "type": "object",
        "properties": {"target": {"type": "string", "enum": list(choices)}},
        "required": ["target"],
        "additionalProperties": False,
    }
    _ask_for_json(request, structured, "choice", schema)
    if structured == "json_object":
        # Without the word JSON in the prompt OpenAI refuses this form. At the end, so that cached prefixes stay valid.
        last = request["messages"][-1]
        request["messages"][-1] = {**last, "content": last["content"] + '\n\nJSON: {"target": "…"}'}


def _ask_for_json(request: dict[str, Any], structured: Structured, name: str, schema: Mapping[str, Any]) -> None:
    """Ask for JSON in the best form understood; a prompt that wants JSON says so itself."""
    if structured == "json_schema":
        strict = {"name": name, "strict": True, "schema": dict(schema)}
        request["response_format"] = {"type": "json_schema", "json_schema": strict}
    elif structured == "json_object":
        request["response_format"] = {"type": "json_object"}


# What a refusal may be about, in the order tried when it does not say. The name is the request's key, except
# for the two that are exchanged and not dropped.
_FEATURES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "response_format",
        re.compile(r"response_?format|json_?schema|json_?object|guided|grammar|structured", re.IGNORECASE),
    ),
    ("token field", re.compile(r"max_(completion_)?tokens", re.IGNORECASE)),
    ("seed", re.compile(r"\bseed\b", re.IGNORECASE)),
    ("reasoning_effort", re.compile(r"reasoning", re.IGNORECASE)),
    ("stream_options", re.compile(r"stream_options|include_usage", re.IGNORECASE)),
    ("temperature", re.compile(r"temperature", re.IGNORECASE)),
    ("stream", re.compile(r"\bstream(ing)?\b", re.IGNORECASE)),
)


def step_down(dialect: Capabilities, request: Mapping[str, Any], complaint: str) -> tuple[Capabilities, str] | None:
    """A plainer dialect after ``request`` was refused with the text ``complaint``, and a note for the journal.

    What the complaint names is changed; if it names nothing known, features go one at a time in a fixed
    order. None when there is nothing left to do without.
    """
    named = [feature for feature, pattern in _FEATURES if pattern.search(complaint)]
    # Streaming is given up only when named: without it the best sentence so far is lost.
    for feature in named or [feature for feature, _ in _FEATURES if feature != "stream"]:
        lower = _without(dialect, request, feature)
        if lower is not None:
            return lower
    return None


def _without(dialect: Capabilities, request: Mapping[str, Any], feature: str) -> tuple[Capabilities, str] | None:
    if feature == "response_format":
        if feature not in request:
            return None
        plainer = STRUCTURED[STRUCTURED.index(dialect.structured) + 1]
        return replace(dialect, structured=plainer), f"stepped down from {dialect.structured} to {plainer}"
    if feature == "token field":
        if dialect.token_field not in request or feature in dialect.dropped:
            return None
        other = "max_tokens" if dialect.token_field == "max_completion_tokens" else "max_completion_tokens"
        swapped = replace(dialect, token_field=other, dropped=dialect.dropped | {feature})
        return swapped, f"stepped down from {dialect.token_field} to {other}"
    if feature not in request:
        return None
    return replace(dialect, dropped=dialect.dropped | {feature}), f"stepped down: no {feature}"
