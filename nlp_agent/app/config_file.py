"""A configuration file read and checked; every fault is one clear ConfigError."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from nlp_agent.app.config import Config
from nlp_agent.app.official_sample import ADDRESS_ENV, Translation, is_official, translate
from nlp_agent.app.secrets import refuse_secrets, variable
from nlp_agent.errors import ConfigError, did_you_mean
from nlp_agent.yamlfile import Document, Place, read_document


def load_config(path: Path | str) -> Config:
    """Read and check one configuration file.

    Raises ConfigError that names file, dotted key and the nearest valid choice; it never repeats a value that could be
    a secret.
    """
    file = Path(path)
    document = read_raw_config(file)
    data = document.data
    refuse_secrets(document)
    official = translated(data, file) if is_official(data) else None
    data = official.data if official else data
    try:
        config = Config.model_validate(data)
    except ValidationError as error:
        raise _first_fault(error, document) from None
    config = config.model_copy(update=_found_files(config, file))
    config._source = file
    if official is not None:
        config._notes = official.notes
        config._chat = {
            name: (text, document.line_of(("prompt", name)) or 0) for name, text in official.prompts.items()
        }
    return config


def read_raw_config(file: Path) -> Document:
    """The file as it is written, before anything in it is checked. Raises ConfigError."""

    def complain(message: str, *, line: int | None = None, key: str = "") -> ConfigError:
        return ConfigError(message, file=str(file), key=key)

    document = read_document(file, complain)
    # `log:` with all its keys commented out reads as null and means the defaults.
    data = {str(key): value for key, value in document.data.items() if value is not None}
    return Document(data, document.marks, document.file)


def translated(data: dict[str, Any], file: Path) -> Translation:
    """A configuration of the official sample as ours, with the address that the environment or ``.env`` tells.

    Raises ConfigError for an ``llm.type`` without an endpoint.
    """
    addresses = (variable(name, file.parent) for name in ADDRESS_ENV)
    try:
        return translate(data, next(filter(None, addresses), ""))
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


def _first_fault(error: ValidationError, document: Document) -> ConfigError:
    """The fault that stands first in the file, told in the user's words."""
    faults = sorted(error.errors(), key=lambda fault: document.line_of(fault["loc"]) or 0)
    fault = faults[0]
    place = fault["loc"]
    kind = fault["type"]
    choices: tuple[str, ...] = ()
    if kind == "extra_forbidden":
        choices = _known_keys(place[:-1])
        message = f"unknown key; {did_you_mean(str(place[-1]), choices)}"
    elif kind == "literal_error":
        choices = tuple(re.findall(r"'([^']*)'", fault["ctx"]["expected"]))
        mark = document.marks.get(place)
        message = f"not a valid choice; {did_you_mean(mark.written if mark else '', choices)}"
    elif kind == "model_type":
        choices = _known_keys(place)
        message = f"expected a section with the keys {', '.join(choices)}"
    else:
        message = _EXPECTED.get(kind) or fault["msg"].removeprefix("Value error, ")
    line = document.line_of(place)
    where = f" (line {line})" if line else ""
    more = f"; {len(faults) - 1} more like this" if len(faults) > 1 else ""
    return ConfigError(f"{message}{where}{more}", file=document.file, key=".".join(map(str, place)), choices=choices)


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


def find_config() -> Config:
    """Read ``config/config.yml`` or ``config.yml`` of the current folder when there is one, else take the defaults."""
    for file in (Path("config/config.yml"), Path("config.yml")):
        if file.is_file():
            return load_config(file)
    return Config()
