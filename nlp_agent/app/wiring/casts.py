"""Who sits at a table of our own: a pack's language and characters, wherever the pack lies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from nlp_agent.prompting import load_pack
from nlp_agent.protocol import Packet, Request, Setting

if TYPE_CHECKING:
    from nlp_agent.arena.chance import Character
    from nlp_agent.prompting import Pack

TALK_LENGTH = {True: 125, False: 50}
"""Characters a talk may have, by whether the language writes blanks between words: as in the contests' English and
Japanese villages."""


@dataclass(frozen=True, slots=True)
class TableCast:
    """The characters to choose from, and the length of a talk in their language (None: the contest's own)."""

    cast: tuple[Character, ...]
    length: int | None


def table_cast(lang: str) -> TableCast:
    """The cast for ``lang``: a contest language, a shipped pack's name, or a pack's folder.

    A pack's own ``cast.yml`` comes first, then the cast of its language, then the made-up village of its ``sample``.
    """
    from nlp_agent.arena.cast import LANGUAGES, load_cast, read_cast  # noqa: PLC0415 - seats elsewhere need none

    if lang in LANGUAGES:
        return TableCast(load_cast(lang), None)
    pack = load_pack(lang)
    length = TALK_LENGTH[pack.language.spaced]
    if file := pack.find("cast.yml"):
        return TableCast(read_cast(file), length)
    if pack.code in LANGUAGES:
        return TableCast(load_cast(pack.code), length)
    return TableCast(_sample_cast(pack), length)


def _sample_cast(pack: Pack) -> tuple[Character, ...]:
    from nlp_agent.arena.chance import Character  # noqa: PLC0415

    sample = pack.words.sample
    profiles = [tuple(_trait(line) for line in text.splitlines()) for text in sample.profiles] or [()]
    return tuple(Character(name, profiles[place % len(profiles)]) for place, name in enumerate(sample.names))


def _trait(line: str) -> tuple[str, str]:
    key, _, value = line.partition(":")
    return key.strip(), value.strip()


class CharacterDealer:
    """A source of characters for the seat ``place`` (from 0) of a team, at a server that deals none: one of the pack's
    cast, the same for a whole game, once the language of that is known.

    ``language`` names the pack, or a pack's folder; it is ``""`` as long as nobody can tell.
    """

    def __init__(self, place: int, seed: str, language: Callable[[Packet], str]) -> None:
        self._place, self._seed, self._language = place, seed, language
        self._setting = Setting()
        self._games = 0

    def __call__(self, packet: Packet) -> str:
        """The profile for the game of ``packet``, or ``""``: where talk is the protocol's, no character shows."""
        self._setting = packet.setting or self._setting
        self._games += packet.kind is Request.INITIALIZE
        if packet.info is None or self._setting.protocol_language:
            return ""
        language = self._language(packet)
        cast = list(table_cast(language).cast) if language else []
        if not cast:
            return ""
        # All seats of a team draw from one shuffled cast, so that no two of them are the same.
        Random(f"{self._seed}/{self._games}").shuffle(cast)
        return "\n".join(f"{key}: {text}" for key, text in cast[self._place % len(cast)].traits)
