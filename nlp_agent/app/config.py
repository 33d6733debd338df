"""The configuration file as typed, frozen data; every fault is one clear ConfigError.

The keys ``web_socket``, ``agent`` and ``log`` keep the names and meaning of the contest's official sample.
Secrets never stand in the file: :func:`llm_api_key` and :func:`server_token` read them from the environment
or a ``.env``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self, get_args

from dotenv import dotenv_values
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    SecretStr,
    ValidationError,
    model_validator,
)
from yaml import Node

from nlp_agent.app.official import Translation, is_official, translate
from nlp_agent.errors import ConfigError, did_you_mean
from nlp_agent.yamlfile import Place, compose, line_of, plain, shown

TOKEN_ENV = "AIWOLF_TOKEN"
"""Where the game server's token is looked up when ``web_socket.token`` is empty."""


def _websocket_url(url: str) -> str:
    if not re.match(r"wss?://[^/\s]+", url):
        raise ValueError("expected an address such as ws://127.0.0.1:8080/ws or wss://host/ws")
    return url


def _http_url(url: str) -> str:
    if url and not re.match(r"https?://[^/\s]+", url):
        raise ValueError("expected an address such as https://api.openai.com/v1 or http://127.0.0.1:11434/v1")
    return url.rstrip("/")


def _env_name(name: str) -> str:
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,63}", name):
        raise ValueError("expected the NAME of an environment variable, such as OPENAI_API_KEY, never the key itself")
    return name


def _empty_is_unset(value: Any) -> Any:
    return "" if value is None else value


def _null_is_none(value: Any) -> Any:
    return {} if value is None else value


def _null_is_empty(value: Any) -> Any:
    return () if value is None else value


def _one_or_many(value: Any) -> Any:
    if value is None or value == "":
        return ()
    return (str(value),) if isinstance(value, (str, Path)) else value


def _ordered(span: tuple[float, float]) -> tuple[float, float]:
    if span[0] > span[1]:
        raise ValueError("expected [least, most], the smaller first")
    return span


def _lower(value: Any) -> Any:
    return value.lower() if isinstance(value, str) else value


Text = Annotated[str, BeforeValidator(_empty_is_unset)]
Level = Literal["debug", "info", "warning", "error", "critical"]
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class WebSocketConfig(_Section):
    """The game server."""

    url: Annotated[str, AfterValidator(_websocket_url)] = "ws://127.0.0.1:8080/ws"
    token: SecretStr | None = None
    auto_reconnect: bool = False


class AgentConfig(_Section):
    """The seats: connection names are ``team`` and a number, 1 to ``num``."""

    num: Annotated[int, Field(ge=1, le=100)] = 5
    team: Annotated[str, Field(min_length=1, pattern=r"^\S+$")] = "nlp-agent"
    kill_on_timeout: bool = True


class LogRequestConfig(_Section):
    """Which requests are logged at all."""

    name: bool = False
    initialize: bool = False
    daily_initialize: bool = False
    whisper: bool = True
    talk: bool = True
    daily_finish: bool = False
    divine: bool = True
    guard: bool = True
    vote: bool = True
    attack: bool = True
    finish: bool = True


class LogConfig(_Section):
    """The running log (the journal of every decision is under ``records``)."""

    console_output: bool = True
    file_output: bool = False
    output_dir: Path = Path("log")
    level: Annotated[Literal["debug", "info", "warning", "error", "critical"], BeforeValidator(_lower)] = "info"
    request: LogRequestConfig = LogRequestConfig()


class CapabilitiesConfig(_Section):
    """What an endpoint can do; ``auto`` tries the best, steps down when refused, and remembers."""

    structured: Literal["auto", "json_schema", "json_object", "plain"] = "auto"
    token_field: Literal["auto", "max_completion_tokens", "max_tokens"] = "auto"
    reasoning_effort: Text = ""
    headless_thinking: bool | None = None


class EndpointSection(_Section):
    """One OpenAI-compatible endpoint."""

    name: Text = ""
    base_url: Annotated[Text, AfterValidator(_http_url)] = ""
    model: Text = ""
    api_key_env: Annotated[str, AfterValidator(_env_name)] = "OPENAI_API_KEY"
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    max_tokens: Annotated[int, Field(ge=16)] = 1024
    stream: bool = True
    concurrency: Annotated[int, Field(ge=1)] = 16
    attempts: Annotated[int, Field(ge=1, le=10)] = 3
    seed: int | None = None
    extra_body: Annotated[dict[str, Any], BeforeValidator(_null_is_none)] = {}
    extra_headers: Annotated[dict[str, str], BeforeValidator(_null_is_none)] = {}
    capabilities: CapabilitiesConfig = CapabilitiesConfig()

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
    endpoints: Annotated[tuple[EndpointSection, ...], BeforeValidator(_null_is_empty)] = ()
    failures: Annotated[int, Field(ge=1)] = 3
    rest: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 30.0
    pause: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    read_talks: bool = True
    complete_character: bool = True

    @property
    def enabled(self) -> bool:
        return bool(self.gguf or self.ladder)

    @property
    def ladder(self) -> dict[str, EndpointSection]:
        """All endpoints by name, in the order they are tried; those without a name are called llm, llm2, llm3 ..."""
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
        if len(self.ladder) != bool(self.base_url) + len(self.endpoints):
            raise ValueError("two endpoints have the same name")
        return self


class DeadlineConfig(_Section):
    """Seconds after a packet's arrival, for the usual 60 s timeout; shorter timeouts scale them down.

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


Waiting = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Span = Annotated[tuple[Waiting, Waiting], AfterValidator(_ordered)]


class GroupChatConfig(_Section):
    """When to speak where everybody may speak at any moment: seconds, for a phase that lasts ``expected``."""

    speed: Seconds = 1.0
    expected: Seconds = 118.0
    opening: Span = (1.0, 14.0)
    answer: Span = (1.0, 5.0)
    typing: Seconds = 20.0
    typing_most: Waiting = 5.0
    gap: Seconds = 6.0
    lull: Waiting = 2.0
    last_word: Annotated[float, Field(gt=0, le=1)] = 0.85
    silence: Seconds = 30.0
    margin: Waiting = 1.0
    hurry: Seconds = 12.0
    patience: Seconds = 20.0
    restarts: Annotated[int, Field(ge=0)] = 2


class RecordsConfig(_Section):
    """Where journals and game logs go."""

    dir: Path = Path("records")


class Config(_Section):
    """Everything a user may set. ``Config()`` is a working LLM-free player at a local server."""

    web_socket: WebSocketConfig = WebSocketConfig()
    agent: AgentConfig = AgentConfig()
    language: Annotated[str, Field(min_length=1)] = "auto"
    prompts: Annotated[tuple[str, ...], BeforeValidator(_one_or_many)] = ()
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
        """What a user should know of how a file in the official sample's format was read."""
        return self._notes

    @property
    def chat(self) -> dict[str, tuple[str, int]]:
        """Templates in the official sample's manner, by request: the text, and the line above its first."""
        return self._chat

    @property
    def packs(self) -> tuple[str, ...]:
        """``auto``, shipped packs' names, or folders, dealt out to the seats in turn; ``prompts`` wins."""
        return self.prompts or (self.language,)

    @property
    def pack(self) -> str:
        """The first seat's pack."""
        return self.packs[0]


# --- reading ----------------------------------------------------------------------------------------------


def load_config(path: Path | str) -> Config:
    """Read and check one file.

    Raises ConfigError that names file, dotted key and the nearest valid choice; it never repeats a value
    that could be a secret.
    """
    file = Path(path)
    root = compose(file)
    data = plain(root, file)
    _refuse_secrets(data, root, file)
    official = _translated(data, file) if is_official(data) else None
    data = official.data if official else data
    try:
        config = Config.model_validate(data)
    except ValidationError as error:
        raise _first_fault(error, root, file) from None
    config = config.model_copy(update=_found_files(config, file))
    config._source = file
    if official is not None:
        config._notes = official.notes
        config._chat = {name: (text, line_of(root, ("prompt", name)) or 0) for name, text in official.prompts.items()}
    return config


def _translated(data: dict[str, Any], file: Path) -> Translation:
    try:
        return translate(data)
    except ConfigError as error:
        raise ConfigError(str(error), file=str(file), choices=error.choices) from None


def _found_files(config: Config, file: Path) -> dict[str, Any]:
    """Folders and files named in the file, looked up beside it and then in the current folder."""
    update: dict[str, Any] = {}
    if config.prompts:
        update["prompts"] = tuple(_pack(name, file) for name in config.prompts)
    if config.language != "auto" and ("/" in config.language or "\\" in config.language):
        update["language"] = str(_folder(config.language, "language", file))
    if config.llm.gguf is not None:
        beside = file.parent / config.llm.gguf.expanduser()
        gguf = beside if beside.is_file() else config.llm.gguf.expanduser()
        update["llm"] = config.llm.model_copy(update={"gguf": gguf})
    return update


def _pack(name: str, file: Path) -> str:
    """A folder, or the bare name of a shipped pack."""
    try:
        return str(_folder(name, "prompts", file))
    except ConfigError:
        if re.fullmatch(r"\w+", name):
            return name  # whether such a pack is shipped is known where packs are loaded
        raise


def _folder(name: str, key: str, file: Path) -> Path:
    places = (file.parent / Path(name).expanduser(), Path(name).expanduser())
    for place in places:
        if place.is_dir():
            return place.resolve()
    raise ConfigError(
        f"no folder {name!r}, neither beside this file nor in the current folder", file=str(file), key=key
    )


# --- faults -----------------------------------------------------------------------------------------------


def _first_fault(error: ValidationError, root: Node | None, file: Path) -> ConfigError:
    """The fault that stands first in the file, told in the user's words."""
    faults = sorted(error.errors(), key=lambda fault: line_of(root, fault["loc"]) or 0)
    fault = faults[0]
    place = fault["loc"]
    kind = fault["type"]
    choices: tuple[str, ...] = ()
    if kind == "extra_forbidden":
        choices = _known_keys(place[:-1])
        message = f"unknown key; {did_you_mean(str(place[-1]), choices)}"
    elif kind == "literal_error":
        choices = tuple(re.findall(r"'([^']*)'", fault["ctx"]["expected"]))
        message = f"not a valid choice; {did_you_mean(shown(root, place), choices)}"
    elif kind == "model_type":
        choices = _known_keys(place)
        message = f"expected a section with the keys {', '.join(choices)}"
    else:
        message = _EXPECTED.get(kind) or fault["msg"].removeprefix("Value error, ")
    line = line_of(root, place)
    where = f" (line {line})" if line else ""
    more = f"; {len(faults) - 1} more like this" if len(faults) > 1 else ""
    return ConfigError(f"{message}{where}{more}", file=str(file), key=".".join(map(str, place)), choices=choices)


_EXPECTED = {
    "bool_parsing": "expected true or false",
    "bool_type": "expected true or false",
    "int_parsing": "expected a whole number",
    "int_type": "expected a whole number",
    "int_from_float": "expected a whole number",
    "float_parsing": "expected a number",
    "float_type": "expected a number",
    "tuple_type": "expected a list",
    "dict_type": "expected a section",
    "string_type": 'expected text; put it in quotes, as in "2026"',
    "path_type": "expected the path of a file or folder",
    "string_pattern_mismatch": "white space is not allowed here",
    "string_too_short": "must not be empty",
}


def _known_keys(place: Place) -> tuple[str, ...]:
    model: type[BaseModel] = Config
    for part in place:
        if isinstance(part, int):  # the model of a list's items is found already
            continue
        inner = model.model_fields[part].annotation
        inner = next(iter(get_args(inner)), inner)
        if not (isinstance(inner, type) and issubclass(inner, BaseModel)):
            return ()
        model = inner
    return tuple(model.model_fields)


# --- secrets ----------------------------------------------------------------------------------------------

_KEY_NAMES = re.compile(r"(api[-_]?key|secret|password|passwd|access[-_]?key|authorization)s?$", re.IGNORECASE)
_KEY_VALUES = re.compile(r"^(sk-|AIza|gsk_|hf_|xai-|ghp_|Bearer )\S{8,}")


def _refuse_secrets(data: Mapping[str, Any], root: Node | None, file: Path) -> None:
    for place, value in _leaves(data):
        if place == ("web_socket", "token"):
            continue
        if _KEY_NAMES.search(str(place[-1])) or (isinstance(value, str) and _KEY_VALUES.match(value)):
            line = line_of(root, place)
            raise ConfigError(
                "keys do not belong in this file; write OPENAI_API_KEY=... into a file named .env beside it "
                f"or set it in the environment; llm.api_key_env names the variable (line {line})",
                file=str(file),
                key=".".join(map(str, place)),
            )


def _leaves(data: Mapping[Any, Any] | list[Any], prefix: Place = ()) -> Iterator[tuple[Place, Any]]:
    pairs: Iterable[tuple[int | str, Any]]
    pairs = enumerate(data) if isinstance(data, list) else ((str(key), value) for key, value in data.items())
    for key, value in pairs:
        place = (*prefix, key)
        if isinstance(value, (Mapping, list)):
            yield from _leaves(value, place)
        else:
            yield place, value


def llm_api_key(config: Config, environ: Mapping[str, str] | None = None, *, name: str = "") -> str | None:
    """The key in the variable ``name`` (default: the first endpoint's ``api_key_env``).

    The environment, else a ``.env`` beside the config file, in the current folder or its ``config``.
    """
    return _secret(config, name or config.llm.api_key_env, environ)


def server_token(config: Config, environ: Mapping[str, str] | None = None) -> str | None:
    """The game server's token: ``web_socket.token``, else ``AIWOLF_TOKEN`` looked up like the LLM's key."""
    token = config.web_socket.token
    if token is not None and token.get_secret_value():
        return token.get_secret_value()
    return _secret(config, TOKEN_ENV, environ)


def _secret(config: Config, name: str, environ: Mapping[str, str] | None) -> str | None:
    value = (os.environ if environ is None else environ).get(name)
    if value:
        return value
    folders = [config.source.parent] if config.source else []
    for folder in (*folders, Path(), Path("config")):
        file = folder / ".env"
        if file.is_file() and (value := dotenv_values(file, interpolate=False).get(name)):
            return value
    return None


# --- the shipped file -------------------------------------------------------------------------------------


def shipped_config_dir() -> Path:
    """Where the shipped ``config.yml`` is: beside the package in a checkout, inside it when installed."""
    package = Path(__file__).resolve().parent.parent
    checkout = package.parent / "config"
    return checkout if (package.parent / "pyproject.toml").is_file() else package / "_shipped" / "config"


def find_config() -> Config:
    """``config/config.yml`` or ``config.yml`` of the current folder when there is one, else the defaults."""
    for file in (Path("config/config.yml"), Path("config.yml")):
        if file.is_file():
            return load_config(file)
    return Config()
