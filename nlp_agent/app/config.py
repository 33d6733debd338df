"""What a user may set, as typed, frozen data, and what each value may be.

The keys of ``web_socket``, ``agent`` and ``log`` have the names and meaning of the contest's official sample. How a
file becomes a :class:`Config` is told in :mod:`nlp_agent.app.config_file`; keys and tokens are found by
:mod:`nlp_agent.app.secrets`.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    SecretStr,
    model_validator,
)

from nlp_agent.belief.fitted_fusion import MARGIN

if TYPE_CHECKING:
    from nlp_agent.seat import Timing

# --- Values that keys of a config may have ---------------------------------------------------------------------------


def _check_port(url: str) -> None:
    """Raise ValueError for an address whose port cannot be."""
    with suppress(ValueError):
        if urlsplit(url).port != 0:
            return
    raise ValueError("a port is a number from 1 to 65535")


def server_url(url: str) -> str:
    """Check the address of a game server: a WebSocket (``ws://``, ``wss://``) or a classic server
    (``tcp://host:port``).

    Raises ValueError for anything else.
    """
    _check_port(url)
    if not re.match(r"wss?://[^/\s]+(/\S*)?$|tcp://[^/\s]+:[0-9]{1,5}$", url):
        raise ValueError(
            "expected an address such as ws://127.0.0.1:8080/ws, wss://host/ws, or tcp://host:10000 of a classic server"
        )
    return url


def http_url(url: str) -> str:
    """Check the address of an endpoint, ``""`` for none, and return it without a slash at the end.

    Raises ValueError for what is no HTTP address, and for a port that cannot be.
    """
    _check_port(url)
    if url and not re.match(r"https?://[^/\s]+", url):
        raise ValueError("expected an address such as https://api.openai.com/v1 or http://127.0.0.1:11434/v1")
    return url.rstrip("/")


def env_name(name: str) -> str:
    """Check the name of an environment variable. Raises ValueError for anything else, such as the key itself."""
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,63}", name):
        raise ValueError("expected the NAME of an environment variable, such as OPENAI_API_KEY, never the key itself")
    return name


def unset(empty: str | dict[str, Any] | tuple[()]) -> BeforeValidator:
    """Read a key without a value as if it were not there: it holds ``empty``."""
    return BeforeValidator(lambda value: empty if value is None else value)


def on_or_off(value: Any) -> Any:
    """Take back that YAML reads the words on and off as true and false."""
    return {True: "on", False: "off"}.get(value, value) if isinstance(value, bool) else value


def one_or_many(value: Any) -> Any:
    """Read a list, which may be written as its only item, or left empty."""
    if value is None or value == "":
        return ()
    return (str(value),) if isinstance(value, (str, Path)) else value


def ordered(span: tuple[float, float]) -> tuple[float, float]:
    """Check that a span begins before it ends. Raises ValueError otherwise."""
    if span[0] > span[1]:
        raise ValueError("expected [least, most], the smaller first")
    return span


_SPAN = re.compile(r"([0-9]+(?:\.[0-9]+)?) *(ms|s|m)?")
_UNITS = {"ms": 1, "s": 1000, "m": 60_000}


def milliseconds(value: Any) -> int:
    """Read a time such as 30s or 10m as milliseconds; a number without a unit is seconds. Raises ValueError for
    anything else.
    """
    match = _SPAN.fullmatch(str(value))
    if match is None:
        raise ValueError("expected a time such as 30s or 10m")
    return int(float(match[1]) * _UNITS[match[2] or "s"])


def lower(value: Any) -> Any:
    """Put a text in lower case, as case is no matter for the value; anything else stays as it is."""
    return value.lower() if isinstance(value, str) else value


Text = Annotated[str, unset("")]
Level = Literal["debug", "info", "warning", "error", "critical"]
Price = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
NonNegative = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Span = Annotated[tuple[NonNegative, NonNegative], AfterValidator(ordered)]


# --- What a user may set, as typed, frozen data ----------------------------------------------------------------------


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class WebSocketConfig(_Section):
    """The address of the game server, and how to come back to it."""

    url: Annotated[str, AfterValidator(server_url)] = "ws://127.0.0.1:8080/ws"
    token: SecretStr | None = None
    auto_reconnect: bool = False


class AgentConfig(_Section):
    """The number and the names of the seats: connection names are ``team`` and a number, 1 to ``num``."""

    num: Annotated[int, Field(ge=1, le=100)] = 5
    team: Annotated[str, Field(min_length=1, pattern=r"^\S+$")] = "nlp-agent"
    role: Annotated[Literal["", "VILLAGER", "SEER", "MEDIUM", "BODYGUARD", "WEREWOLF", "POSSESSED"], unset("")] = ""


class LogConfig(_Section):
    """The running log (the journal of every decision is under ``records``)."""

    console_output: bool = True
    file_output: bool = False
    output_dir: Path = Path("log")
    level: Annotated[Level, BeforeValidator(lower)] = "info"


class CapabilitiesConfig(_Section):
    """The abilities of an endpoint; ``auto`` tries the best, steps down when refused, and remembers."""

    structured: Literal["auto", "json_schema", "json_object", "plain"] = "auto"
    token_field: Literal["auto", "max_completion_tokens", "max_tokens"] = "auto"
    reasoning_effort: Text = ""
    headless_thinking: bool | None = None


class PricesConfig(_Section):
    """The price of a million tokens; ``cached`` defaults to ``input``."""

    input: Price
    output: Price
    cached: Price | None = None


class EndpointSection(_Section):
    """A model behind the OpenAI protocol, and how it is asked."""

    name: Text = ""
    base_url: Annotated[Text, AfterValidator(http_url)] = ""
    model: Text = ""
    api_key_env: Annotated[str, AfterValidator(env_name)] = "OPENAI_API_KEY"
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    max_tokens: Annotated[int, Field(ge=16)] = 1024
    stream: bool = True
    concurrency: Annotated[int, Field(ge=1)] = 16
    attempts: Annotated[int, Field(ge=1, le=10)] = 3
    seed: int | None = None
    extra_body: Annotated[dict[str, Any], unset({})] = {}
    extra_headers: Annotated[dict[str, str], unset({})] = {}
    capabilities: CapabilitiesConfig = CapabilitiesConfig()
    prices: PricesConfig | None = None

    @model_validator(mode="after")
    def _both_or_none(self) -> Self:
        if bool(self.base_url) != bool(self.model):
            missing = "model" if self.base_url else "base_url"
            raise ValueError(f"{missing} is missing: set both base_url and model, or neither")
        return self


class LlmConfig(EndpointSection):
    """The first endpoint, or the file of a local model, and more endpoints; without any the LLM-free player plays."""

    gguf: Path | None = None
    context: Annotated[int, Field(ge=512)] = 8192
    endpoints: Annotated[tuple[EndpointSection, ...], unset(())] = ()
    failures: Annotated[int, Field(ge=1)] = 3
    rest: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 30.0
    pause: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    read_talks: bool = True
    complete_character: bool = True
    style: Literal["auto", "advised", "guided", "directed"] = "auto"
    advice: Literal["after", "full", "certain", "none"] = "after"
    judgement: Annotated[Literal["on", "votes", "off"], BeforeValidator(on_or_off)] = "on"
    margin: Annotated[float, Field(ge=0, le=1)] = MARGIN
    prompt_budget: Annotated[int, Field(ge=0)] = 20_000

    @property
    def enabled(self) -> bool:
        """Whether any model is configured."""
        return bool(self.gguf or self.endpoints_by_name)

    @property
    def endpoints_by_name(self) -> dict[str, EndpointSection]:
        """The endpoints by name, in the order they are tried; those without a name are called llm, llm2, llm3 ..."""
        sections: list[EndpointSection] = [section for section in (self, *self.endpoints) if section.base_url]
        return {
            section.name or ("llm" if number == 1 else f"llm{number}"): section
            for number, section in enumerate(sections, start=1)
        }

    @model_validator(mode="after")
    def _each_its_own(self) -> Self:
        if self.gguf and self.base_url:
            raise ValueError("set gguf or base_url; an endpoint besides the local model goes under endpoints")
        if any(not section.base_url for section in self.endpoints):
            raise ValueError("each of the endpoints needs base_url and model")
        if len(self.endpoints_by_name) != bool(self.base_url) + len(self.endpoints):
            raise ValueError("two endpoints have the same name")
        return self


_LAST_MOMENT = 59.5
"""Seconds of the usual 60 after which nothing is sent to a classic server."""


class DeadlineConfig(_Section):
    """Seconds after a packet's arrival, for the usual 60 s timeout; another timeout scales them all.

    ``hedge`` and ``partial`` may lie beyond ``fallback``: then they never come.
    """

    soft: Seconds = 5.0
    hedge: Seconds = 15.0
    partial: Seconds = 45.0
    fallback: Seconds = 50.0
    ceiling: Seconds = 55.0

    @model_validator(mode="after")
    def _in_order(self) -> DeadlineConfig:
        if not self.soft <= self.fallback <= self.ceiling:
            raise ValueError("expected soft <= fallback <= ceiling")
        return self

    def timing(self, *, classic: bool = False) -> Timing:
        """Divide the time for a reply so; what each figure does stands in :mod:`nlp_agent.seat.timing`.

        A seat that is late on a ``classic`` server ends the game for all: there an answer is sent as long as it may
        help, whatever ``ceiling`` says.
        """
        from nlp_agent.seat import Timing  # noqa: PLC0415 - a config is read before any seat is made

        return Timing(self.soft, self.fallback, _LAST_MOMENT if classic else self.ceiling)


class GroupChatConfig(_Section):
    """The times at which to speak where everybody may speak at any moment: seconds, for a phase that lasts
    ``expected``.
    """

    speed: Seconds = 1.0
    expected: Seconds = 118.0
    opening: Span = (1.0, 14.0)
    answer: Span = (1.0, 5.0)
    typing: Seconds = 20.0
    typing_most: NonNegative = 5.0
    gap: Seconds = 6.0
    lull: NonNegative = 2.0
    last_word: Annotated[float, Field(gt=0, le=1)] = 0.85
    silence: Seconds = 30.0
    margin: NonNegative = 3.0
    hurry: Seconds = 12.0
    patience: Seconds = 20.0
    restarts: Annotated[int, Field(ge=0)] = 2


class RecordsConfig(_Section):
    """The folder into which journals and game logs go."""

    dir: Path = Path("records")
    keep: bool = True


class Config(_Section):
    """The whole of what a user may set. ``Config()`` is a working LLM-free player at a local server."""

    web_socket: WebSocketConfig = WebSocketConfig()
    agent: AgentConfig = AgentConfig()
    language: Annotated[str, Field(min_length=1)] = "auto"
    prompts: Annotated[tuple[str, ...], BeforeValidator(one_or_many)] = ()
    strategy: Text = ""
    llm: LlmConfig = LlmConfig()
    deadline: DeadlineConfig = DeadlineConfig()
    groupchat: GroupChatConfig = GroupChatConfig()
    records: RecordsConfig = RecordsConfig()
    log: LogConfig = LogConfig()
    _source: Path | None = PrivateAttr(default=None)
    _notes: tuple[str, ...] = PrivateAttr(default=())
    _chat: dict[str, tuple[str, int]] = PrivateAttr(default_factory=dict)

    @property
    def source(self) -> Path | None:
        """The file this was read from, or ``None`` for the defaults."""
        return self._source

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes for a user on how the file was read, where it has keys or the format of the official sample."""
        return self._notes

    @property
    def chat(self) -> dict[str, tuple[str, int]]:
        """The templates in the official sample's manner, by request: the text, and the line above its first."""
        return self._chat

    @property
    def packs(self) -> tuple[str, ...]:
        """The packs that are dealt out to the seats in turn: ``auto``, shipped packs' names, or folders; ``prompts``
        wins over ``language``.
        """
        return self.prompts or (self.language,)

    @property
    def pack(self) -> str:
        """The pack of the first seat."""
        return self.packs[0]
