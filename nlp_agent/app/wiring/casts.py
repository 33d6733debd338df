"""Who sits at a table of our own: a pack's language and characters, wherever the pack lies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nlp_agent.prompting import load_pack

if TYPE_CHECKING:
    from nlp_agent.arena.choices import Character
    from nlp_agent.prompting import Pack

LENGTH = {True: 125, False: 50}
"""Characters a talk may have: as in the contests' English (words are spaced), and as in their Japanese."""


@dataclass(frozen=True, slots=True)
class Guests:
    """The characters to choose from, and the length of a talk in their language (None: the contest's own)."""

    cast: tuple[Character, ...]
    length: int | None


def guests(lang: str) -> Guests:
    """The cast for ``lang``: a contest language, a shipped pack's name, or a pack's folder.

    A pack's own ``cast.yml`` comes first, then the cast of its language, then the made-up village of its ``sample``.
    """
    from nlp_agent.arena.cast import LANGUAGES, load_cast, read_cast  # noqa: PLC0415 - seats elsewhere need none

    if lang in LANGUAGES:
        return Guests(load_cast(lang), None)
    pack = load_pack(lang)
    length = LENGTH[pack.language.spaced]
    if file := pack.find("cast.yml"):
        return Guests(read_cast(file), length)
    if pack.code in LANGUAGES:
        return Guests(load_cast(pack.code), length)
    return Guests(_sample_cast(pack), length)


def _sample_cast(pack: Pack) -> tuple[Character, ...]:
    from nlp_agent.arena.choices import Character  # noqa: PLC0415

    sample = pack.words.sample
    profiles = [tuple(_trait(line) for line in text.splitlines()) for text in sample.profiles] or [()]
    return tuple(Character(name, profiles[place % len(profiles)]) for place, name in enumerate(sample.names))


def _trait(line: str) -> tuple[str, str]:
    key, _, value = line.partition(":")
    return key.strip(), value.strip()
