"""A configuration file read and checked; every fault is one clear ConfigError."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from nlp_agent.app.config import Config
from nlp_agent.app.official_sample import ADDRESS_ENV, Translation, is_official, translate, without_idle_keys
from nlp_agent.app.secrets import refuse_secrets, variable
from nlp_agent.errors import ConfigError, did_you_mean, nearest
from nlp_agent.yamlfile import Document, Place, read_document


def load_config(path: Path | str) -> Config:
    """Read and check one configuration file.

    Raises ConfigError that names file, dotted key and the nearest valid choice, and holds what else is wrong with the
    file; it never repeats a value that could be a secret.
    """
    config, faults = read_config(path)
    if faults or config is None:
        raise _together(faults)
    return config


def read_config(path: Path | str) -> tuple[Config | None, list[ConfigError]]:
    """Read one configuration file as far as it can be read: the config without what is wrong, if one is left, and all
    that is wrong, in the order of the file.

    Raises ConfigError where the file is no YAML, or holds a key.
    """
    file = Path(path)
    document = read_raw_config(file)
    refuse_secrets(document)
    official = translated(document.data, file) if is_official(document.data) else None
    data, notes = (official.data, official.notes) if official else without_idle_keys(document.data)
    faults: list[ConfigError] = []
    try:
        config = Config.model_validate(data)
    except ValidationError as error:
        faults = _faults(error, document)
        sound = _sound_part(data, error)
        if sound is None:
            return None, faults
        config = sound
    found, missing = _found_files(config, file, document)
    faults = sorted((*faults, *missing), key=lambda fault: document.line_of(tuple(fault.key.split("."))) or 0)
    config = config.model_copy(update=found)
    config._source = file
    config._notes = tuple(notes)
    if official is not None:
        config._chat = {
            name: (text, document.line_of(("prompt", name)) or 0) for name, text in official.prompts.items()
        }
    return config, faults


def _together(faults: Sequence[ConfigError]) -> ConfigError:
    """The first of ``faults`` with the others."""
    first, *others = faults
    return ConfigError(first.message, file=first.file, key=first.key, choices=first.choices, others=others)


def _sound_part(data: Mapping[str, Any], error: ValidationError) -> Config | None:
    """The config without what ``error`` names, and what is wrong then; None where that goes on and on."""
    for _ in range(_ROUNDS):
        data = _without(data, [fault["loc"] for fault in error.errors()])
        try:
            return Config.model_validate(data)
        except ValidationError as left:
            error = left
    return None


_ROUNDS = 4
"""How often what is wrong is left out. Without one key another may be wrong, such as base_url without a model."""


def _without(data: Mapping[str, Any], places: Iterable[Place]) -> dict[str, Any]:
    """``data`` without what stands at ``places``; what belongs to an item of a list goes with the whole list."""
    left = deepcopy(dict(data))
    for place in places:
        section: Any = left
        until = next((n for n, part in enumerate(place) if isinstance(part, int)), len(place))
        for part in place[: until - 1]:
            section = section.get(part) if isinstance(section, dict) else None
        if until and isinstance(section, dict):
            section.pop(place[until - 1], None)
    return left


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


def _found_files(config: Config, file: Path, document: Document) -> tuple[dict[str, Any], list[ConfigError]]:
    """Folders and files named in the file, looked up beside it and then in the current folder; and what is missing."""
    update: dict[str, Any] = {}
    missing: list[ConfigError] = []
    folders = [name for name in config.prompts if not _is_bare(name)]
    places = {name: _folder(name, file) for name in (*config.prompts, config.language)}
    if config.prompts:
        update["prompts"] = tuple(str(places[name] or name) for name in config.prompts)
    missing += [_missing(name, "prompts", file, document) for name in folders if places[name] is None]
    if config.language != "auto" and ("/" in config.language or "\\" in config.language):
        update["language"] = str(places[config.language] or config.language)
        if places[config.language] is None:
            missing.append(_missing(config.language, "language", file, document))
    if config.llm.gguf is not None:
        beside = file.parent / config.llm.gguf.expanduser()
        gguf = beside if beside.is_file() else config.llm.gguf.expanduser()
        update["llm"] = config.llm.model_copy(update={"gguf": gguf})
    return update, missing


def _is_bare(name: str) -> bool:
    """Whether ``name`` may be that of a shipped pack, which is known where packs are loaded."""
    return re.fullmatch(r"\w+", name) is not None


def _folder(name: str, file: Path) -> Path | None:
    places = (file.parent / Path(name).expanduser(), Path(name).expanduser())
    return next((place.resolve() for place in places if place.is_dir()), None)


def _missing(name: str, key: str, file: Path, document: Document) -> ConfigError:
    advice = f"correct it or make it with nlp-agent new-pack{_in_line(document, (key,))}"
    beside = dict.fromkeys(pack.parent.name for place in (file.parent, Path()) for pack in place.glob("*/pack.yml"))
    meant = nearest(Path(name).name, beside)
    hint = f"did you mean './{meant}'? " if meant else ""
    message = f"no folder {name!r}, neither beside this file nor in the current folder; {hint}{advice}"
    return ConfigError(message, file=str(file), key=key)


# --- faults -----------------------------------------------------------------------------------------------


def _faults(error: ValidationError, document: Document) -> list[ConfigError]:
    """The faults in the order of the file, told in the user's words."""
    faults = sorted(error.errors(), key=lambda fault: document.line_of(fault["loc"]) or 0)
    return [_fault(fault, document) for fault in faults]


def _fault(fault: ErrorDetails, document: Document) -> ConfigError:
    place = fault["loc"]
    kind = fault["type"]
    choices: tuple[str, ...] = ()
    if kind == "extra_forbidden":
        choices = _known_keys(place[:-1])
        if section := _empty_section(place, document):
            message = f"this key belongs to {section}: put blanks in front of it"
        else:
            message = _with_hint("unknown key", str(place[-1]), choices)
    elif kind == "literal_error":
        choices = tuple(re.findall(r"'([^']*)'", fault["ctx"]["expected"]))
        mark = document.marks.get(place)
        message = _with_hint("not a valid choice", mark.written if mark else "", choices)
    elif kind == "model_type":
        choices = _known_keys(place)
        message = f"expected a section with the keys {', '.join(choices)}"
        written = mark.written if (mark := document.marks.get(place)) else ""
        if unspaced := re.match(rf"({'|'.join(map(re.escape, choices))}):\S", written):
            message = f"a blank is missing behind {unspaced[1] + ':'!r}"
    else:
        message = _EXPECTED.get(kind) or fault["msg"].removeprefix("Value error, ")
    message += _in_line(document, place)
    return ConfigError(message, file=document.file, key=".".join(map(str, place)), choices=choices)


def _with_hint(message: str, word: str, choices: Sequence[str]) -> str:
    """``message`` with what may have been meant by ``word``."""
    hint = did_you_mean(word, choices)
    return f"{message} {hint}" if hint.startswith("(") else f"{message}; {hint}"


def _empty_section(place: Place, document: Document) -> str:
    """The section that a key at the top of a file was meant for, if that stands there without a key of its own."""
    if len(place) > 1:
        return ""
    empty = (key[0] for key in document.marks if len(key) == 1 and key[0] not in document.data)
    known = (str(name) for name in empty if name in Config.model_fields)
    return next((name for name in known if str(place[0]) in _known_keys((name,))), "")


def _in_line(document: Document, place: Place) -> str:
    line = document.line_of(place)
    return f" (line {line})" if line else ""


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
    file = config_here()
    return load_config(file) if file else Config()


def config_here() -> Path | None:
    """The config of the current folder, if there is one."""
    return next((file for file in (Path("config/config.yml"), Path("config.yml")) if file.is_file()), None)
