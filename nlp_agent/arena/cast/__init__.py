"""The characters of the local table: data files beside this one, read on demand."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import yaml

from nlp_agent.arena.choices import Character
from nlp_agent.errors import TableError

LANGUAGES = ("en", "ja")
_TRAITS = ("age", "gender", "personality")


def load_cast(language: str) -> tuple[Character, ...]:
    """The characters written in ``language``, their traits keyed as that language's profiles are.

    Raises TableError for a language without a cast.
    """
    if language not in LANGUAGES:
        raise TableError(f"there is no cast for language {language!r} (valid: {', '.join(LANGUAGES)})")
    text = files(__name__).joinpath(f"{language}.yml").read_text(encoding="utf-8")
    data: dict[str, Any] = yaml.safe_load(text)
    keys: dict[str, str] = data["keys"]
    return tuple(
        Character(entry["name"], tuple((keys[trait], str(entry[trait])) for trait in _TRAITS))
        for entry in data["characters"]
    )
