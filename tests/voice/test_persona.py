"""Who is speaking: what a character keeps for itself, game after game."""

from __future__ import annotations

from itertools import pairwise

import pytest

from nlp_agent.arena.cast import load_cast
from nlp_agent.arena.chance import Character
from nlp_agent.voice.persona import make_persona
from tests.selfplay import pack


def _profile(character: Character) -> str:
    return "\n".join(f"{key}: {text}" for key, text in character.traits)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_each_character_prefers_lines_of_its_own(language: str) -> None:
    """No two characters of the cast like the same lines: what one says in every game, another hardly ever does."""
    book = pack(language).lines
    lines = max(book.acts.values(), key=len)
    personas = [make_persona(book, _profile(one), one.name) for one in load_cast(language)]
    liked = [max(lines, key=persona.tastes(lines).__getitem__) for persona in personas]
    assert len({persona.key for persona in personas}) == len(personas)
    assert all(one.tastes(lines) != other.tastes(lines) for one, other in pairwise(personas))
    assert len(set(liked)) > len(lines) / 4


def test_a_character_stays_itself_in_every_game() -> None:
    """The order of the profile's lines, which the server shuffles, changes neither voice nor preferences."""
    book = pack("en").lines
    assert make_persona(book, "Age: 30\nA baker.", "Ken") == make_persona(book, "A baker.\nAge: 30", "Ken")
