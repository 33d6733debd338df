"""A character for seats of servers that deal none: one of the pack's cast, the same for a whole game."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from nlp_agent.app.wiring.casts import guests
from nlp_agent.protocol import MORNINGS, Packet, Request, Setting


class Characters:
    """Gives the seat ``place`` (from 0) of a team its character, once the language of the game is known.

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
        cast = list(guests(language).cast) if language else []
        if not cast:
            return ""
        # All seats of a team draw from one shuffled cast, so that no two of them are the same.
        Random(f"{self._seed}/{self._games}").shuffle(cast)
        return "\n".join(f"{key}: {text}" for key, text in cast[self._place % len(cast)].traits)


def spoken_yet(packet: Packet) -> bool:
    """Whether somebody is about to speak, so that a language has to be chosen."""
    return packet.kind not in MORNINGS
