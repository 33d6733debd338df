"""The characters of the local table: data files beside this one, read on demand."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from nlp_agent.arena.chance import Character
from nlp_agent.errors import TableError
from nlp_agent.yamlfile import read_yaml

LANGUAGES = ("en", "ja")
_TRAITS = ("age", "gender", "personality")


def load_cast(language: str) -> tuple[Character, ...]:
    """The characters written in ``language``, their traits keyed as that language's profiles are.

    Raises TableError for a language without a cast of its own; packs may bring one (:func:`read_cast`).
    """
    if language not in LANGUAGES:
        raise TableError(f"there is no cast for language {language!r} (valid: {', '.join(LANGUAGES)})")
    return _characters(files(__name__).joinpath(f"{language}.yml").read_text(encoding="utf-8"))


def read_cast(file: Path) -> tuple[Character, ...]:
    """The characters of a file like those beside this module. Raises TableError when it is not like them."""
    try:
        return _characters(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError, KeyError, TypeError) as error:
        hint = f"keys and characters with name, {', '.join(_TRAITS)} are expected"
        raise TableError(
            f"{file} is no cast ({type(error).__name__}: {' '.join(str(error).split())}); {hint}"
        ) from error


def _characters(text: str) -> tuple[Character, ...]:
    data: dict[str, Any] = read_yaml(text)
    keys: dict[str, str] = data["keys"]
    return tuple(
        Character(entry["name"], tuple((keys[trait], str(entry[trait])) for trait in _TRAITS))
        for entry in data["characters"]
    )
