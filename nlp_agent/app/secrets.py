"""Keys and tokens: from the environment or a ``.env``, never from the configuration file."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from dotenv import dotenv_values

from nlp_agent.app.config import Config
from nlp_agent.app.leaks import KEY_VALUES
from nlp_agent.errors import ConfigError, nearest
from nlp_agent.known_secrets import remember_secret
from nlp_agent.yamlfile import Document, Place

TOKEN_ENV = "AIWOLF_TOKEN"
"""Where the game server's token is looked up when ``web_socket.token`` is empty."""
_KEY_NAMES = re.compile(r"(api[-_]?key|secret|password|passwd|access[-_]?key|authorization)s?$", re.IGNORECASE)


def refuse_secrets(document: Document) -> None:
    """Raise ConfigError for whatever in a file looks like a key."""
    for place, value in _leaves(document.data):
        if place == ("web_socket", "token"):
            continue
        if _KEY_NAMES.search(str(place[-1])) or (isinstance(value, str) and KEY_VALUES.match(value)):
            raise ConfigError(
                "keys do not belong in this file; write OPENAI_API_KEY=... into a file named .env beside it "
                f"or set it in the environment; llm.api_key_env names the variable (line {document.line_of(place)})",
                file=document.file,
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


def secret_variable(config: Config, name: str) -> str | None:
    """The key or token in the variable ``name``; None where it is not set.

    The environment, else a ``.env`` beside the config file, in the current folder or its ``config``.
    """
    value = variable(name, config.source.parent if config.source else None)
    return checked_secret(name, value) if value else value


def server_token(config: Config) -> str | None:
    """The game server's token: ``web_socket.token``, else ``AIWOLF_TOKEN`` looked up like the LLM's key; None when
    there is none.
    """
    address = urlsplit(config.web_socket.url)
    for secret in (address.password, *parse_qs(address.query).get("token", ())):
        if secret:
            checked_secret("web_socket.url", secret)
    token = config.web_socket.token
    if token is not None and token.get_secret_value():
        return checked_secret("web_socket.token", token.get_secret_value())
    return secret_variable(config, TOKEN_ENV)


def checked_secret(name: str, value: str, *, certain: bool = True) -> str:
    """Check a key or a token: return ``value`` without white space at its ends, and never show it from now on.

    Raises ConfigError for a character that no key has, such as one that cannot be seen or a full-width letter: the
    server would only say that the key is wrong. ``name`` is where the key comes from; ``certain``: whether it is one,
    and not a text that may hold one and blanks.
    """
    bare = value.strip()
    remember_secret(bare, certain=certain)
    begin = len("Bearer ") if bare.startswith("Bearer ") else 0
    for place, char in enumerate(bare[begin:], begin + 1):
        if not ("!" if certain else " ") <= char <= "~":
            what = unicodedata.name(char, "a control character")
            problem = (
                f"its character {place} of {len(bare)} is U+{ord(char):04X} ({what}), which no key has; copy it anew"
            )
            raise ConfigError(problem, key=name)
    return bare


def variable(name: str, beside: Path | None) -> str | None:
    """A variable of the environment, else of a ``.env`` in ``beside``, in the current folder or its ``config``.

    Raises ConfigError for a ``.env`` that is not UTF-8: PowerShell's ``>`` writes UTF-16.
    """
    if value := os.environ.get(name):
        return value
    for folder in dotenv_folders(beside):
        file = folder / ".env"
        if file.is_file() and (value := _dotenv(file).get(name)):
            return value
    return None


_NEARLY_THE_NAME = 0.8
"""How alike two names of variables are that may be one misspelt; many end in ``_KEY``."""


def similar_variable(name: str, beside: Path | None) -> str:
    """What to add where ``name`` is not set, but a ``.env`` has a variable of nearly that name; ``""`` otherwise."""
    for folder in dotenv_folders(beside):
        file = folder / ".env"
        if file.is_file() and (found := nearest(name, _dotenv(file), _NEARLY_THE_NAME)):
            return f" ({file} has {found}: is that name right?)"
    return ""


def dotenv_folders(beside: Path | None) -> tuple[Path, ...]:
    """The folders in which a ``.env`` is looked for, in order."""
    return (*([beside] if beside else []), Path(), Path("config"))


def _dotenv(file: Path) -> dict[str, str | None]:
    try:
        # Editors on Windows may put a byte order mark first, which would become part of the first name.
        return dotenv_values(file, interpolate=False, encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigError("is not UTF-8 text; save it as UTF-8", file=str(file)) from None
