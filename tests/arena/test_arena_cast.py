"""The cast of the local table."""

from __future__ import annotations

import pytest

from nlp_agent.arena.cast import LANGUAGES, load_cast
from nlp_agent.arena.chance import SeededChance
from nlp_agent.arena.engine import Game
from nlp_agent.arena.village import contest_village
from nlp_agent.errors import TableError

KEYS = {"en": {"age", "gender", "personality"}, "ja": {"年齢", "性別", "性格"}}


@pytest.mark.parametrize("language", LANGUAGES)
def test_cast_fills_the_largest_village_with_characters(language: str) -> None:
    """The cast fills the largest village with distinct characters.

    At least 16 characters with all traits; no name is part of another, so a mention is never ambiguous.
    """
    cast = load_cast(language)
    names = [character.name for character in cast]
    assert len(names) >= 16
    assert all({key for key, _ in character.traits} == KEYS[language] for character in cast)
    assert all(text.strip() == text and text for character in cast for _, text in character.traits)
    assert not [(one, two) for one in names for two in names if one != two and one in two]


def test_profiles_have_their_lines_in_varying_order() -> None:
    """As on the official server, no order of keys can be relied on."""
    cast = load_cast("en")
    orders = set()
    for seed in range(4):
        game = Game(contest_village(13), [f"a{n}" for n in range(13)], SeededChance(seed), cast=cast)
        for seat in game.seats:
            assert seat.profile is not None
            orders.add(tuple(line.split(": ")[0] for line in seat.profile.split("\n")))
    assert len(orders) == 6


def test_a_language_without_a_cast_is_refused() -> None:
    """The message names the languages there are."""
    with pytest.raises(TableError, match="en, ja"):
        load_cast("fr")
